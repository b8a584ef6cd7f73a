"""How Derailed! is read from photographs: evidence from the picture, and the ruling on it."""
