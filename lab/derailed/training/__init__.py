"""Trains the networks that read card tables: ``python -m lab.derailed.training``."""
