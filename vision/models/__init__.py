"""Trained networks, made by ``python -m vision.training``."""
