"""A match: its state, its setup, turns, reports and results."""
