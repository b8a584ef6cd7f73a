"""Corrects cells with a hidden side, of which only a part of the route may have been read."""

from __future__ import annotations

from functools import lru_cache
from math import exp

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.reader.labels import LABELS
from companion.games.railroad_ink.reader.likely import UNSEEN
from companion.games.railroad_ink.rules.boards.routes import Route

Shares = NDArray[np.float64]


def doubting_sides(shares: Shares, burnt: NDArray[np.bool_]) -> Shares:
    """Spread the mark probabilities of cells, (cells, marks), over their hidden sides, (cells, 4).

    A mark without an end on such a side shares its probability with the marks that have one there and are
    else the same, by how likely each is on a board. An end that was read in spite of the light stays.
    """
    found = shares.copy()
    for cell in np.flatnonzero(burnt.any(axis=1)):
        sides = int(sum(1 << side for side in np.flatnonzero(burnt[cell])))
        found[cell] = shares[cell] @ _completions(sides)
    return found


@lru_cache(maxsize=16)
def _completions(sides: int) -> Shares:
    """P(true mark given the mark read) when these sides are hidden, (marks, marks)."""
    table = np.zeros((len(LABELS), len(LABELS)))
    for number, mark in enumerate(LABELS):
        hidden = sides & ~_ends(mark)
        seen = _without(mark, hidden)
        for other, whole in enumerate(LABELS):
            if _without(whole, hidden) == seen:
                table[number, other] = exp(-UNSEEN[other])
    return np.asarray(table / table.sum(axis=1, keepdims=True), np.float64)


def _ends(mark: Route | None) -> int:
    return 0 if mark is None else mark.highway | mark.railway


def _without(mark: Route | None, sides: int) -> tuple[bool, frozenset[tuple[int, int]]]:
    """A mark as it looks without these sides: its station and the pieces that still have ends."""
    if mark is None:
        return False, frozenset()
    pieces = {(piece.highway & ~sides, piece.railway & ~sides) for piece in mark.pieces}
    return bool(mark.station), frozenset(pieces - {(0, 0)})
