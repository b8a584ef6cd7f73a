"""Boards of segments that nobody owns, pieces on them, photographs of both: to measure and to train."""
