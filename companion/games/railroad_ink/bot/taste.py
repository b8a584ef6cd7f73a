"""Taste: every seat likes other spaces, so that bots at one table, with the same dice, draw differently."""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

LIKING = 0.7  # points between the space that a seat likes best and the one it likes least


@lru_cache(maxsize=1024)
def liking(seat: int, cell: int) -> float:
    """What a seat likes a space more than others, in points: always the same, on every machine.

    It differs from space to space without any symmetry: the board has some, and bots that like the left and
    the right would draw the same board in a mirror. The first seat has no taste.
    """
    if seat == 1:
        return 0.0
    return LIKING * (crc32(f"seat {seat}, space {cell}".encode()) / 2**32 - 0.5)
