"""Trains the network of ``vision.pieces.trained``: ``python -m lab.taught.training``."""
