"""The dice roller and the panel. Knows no game."""
