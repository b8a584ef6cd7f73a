"""Trained networks, made by ``python -m lab.railroad_ink.training``."""
