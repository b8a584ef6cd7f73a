"""Photographs that nobody took of SPIKE's board, with pieces, pawns, chips and cards on it."""
