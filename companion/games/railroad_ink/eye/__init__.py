"""How Railroad Ink is read from photographs: evidence from the picture, and the ruling on it."""
