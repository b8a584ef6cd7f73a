"""Derailed!: card tables drawn, found and read."""
