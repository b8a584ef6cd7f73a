"""Decks with known pictures: taught by their owner, or lent by a match."""
