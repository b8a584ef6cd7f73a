"""What the studios of all games need: strokes, ink, paper, tables, light and cameras. Knows no game."""
