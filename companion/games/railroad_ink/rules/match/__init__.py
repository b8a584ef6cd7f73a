"""A match: its state, its setup, the actions, and what it has come to."""
