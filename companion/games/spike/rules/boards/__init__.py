"""The board and its cards, an owner's files of them, and positions."""
