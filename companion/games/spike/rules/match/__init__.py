"""A match: its state, the order of turns, scoring, and what each seat may see."""
