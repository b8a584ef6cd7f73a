"""Teaches the networks of card tables: ``python -m vision.derailed.training``."""
