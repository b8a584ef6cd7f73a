"""Teaches the networks of card tables: ``python -m lab.derailed.training``."""
