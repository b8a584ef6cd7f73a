"""Decks of their owner's own: taught, and lent by a match."""
