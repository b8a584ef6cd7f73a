"""Reads what people draw for an expansion besides routes, if the expansion is known to be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.reader.mark_classes import (
    CLASS_NUMBER,
    CLASSES_OF,
    MARK_TURNED,
    NONE,
    is_alone,
)
from companion.games.railroad_ink.reader.turning import CELL_MOVED, turned_picture
from companion.games.railroad_ink.rules.expansions.marks import border_name
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.evidence import SlotReading
from companion.sheets.grid import DIRECTIONS, EAST, SOUTH, opposite
from vision.nets import scores, shares
from vision.register.rectify import Image
from vision.white_paper import on_white_paper

MODEL = Path(__file__).with_name("marks.onnx")
# As for routes: a board with a cell less sure than this is looked at again, turned in these ways.
_AGAIN: tuple[tuple[float, tuple[int, ...]], ...] = ((0.98, (1, 4)), (0.9, (2, 3)))
_LEAST = 1e-9  # a share that is never undercut, as its logarithm counts
_SUREST = 1e-4  # of a border seen from one cell: neither of two alone can outvote the other
_ENDS = "NESW"

Shares = NDArray[np.float64]


def mark_shares(grids: Sequence[Image], expansion: str) -> Shares:
    """The probabilities of an expansion's classes in rectified grids, (grids, 49, classes).

    The classes are in the order of ``CLASSES_OF``; those of other expansions are left out of account.
    """
    pictures = [on_white_paper(grid) for grid in grids]
    seen = [_looked_at(picture, (0,), expansion) for picture in pictures]
    found = np.stack([_together(ways) for ways in seen])
    for sure, ways in _AGAIN:
        for n in np.flatnonzero((found.max(axis=2) < sure).any(axis=1)):
            seen[n] = np.concatenate([seen[n], _looked_at(pictures[n], ways, expansion)])
            found[n] = _together(seen[n])
    return found


def _looked_at(picture: Image, ways: Sequence[int], expansion: str) -> Shares:
    """The class probabilities under each symmetry of the grid, (ways, cells, classes)."""
    logits = scores(MODEL, np.stack([turned_picture(picture, way) for way in ways]))
    flat = logits.reshape(len(ways), logits.shape[1], GRID.size).transpose(0, 2, 1)
    own = [CLASS_NUMBER[name] for name in CLASSES_OF[expansion]]
    turned_back = [flat[at, CELL_MOVED[way]][:, MARK_TURNED[way][own]] for at, way in enumerate(ways)]
    return shares(np.stack(turned_back))


def _together(ways: Shares) -> Shares:
    """Combine the probabilities under all symmetries by their normalised geometric mean, (cells, classes)."""
    return shares(np.log(np.maximum(ways, _LEAST)).mean(axis=0))


def mark_slots(found: Shares, expansion: str, hidden: Mapping[int, str]) -> dict[str, SlotReading]:
    """The reading of every place where the expansion has marks: cells, or the borders of canyons.

    ``hidden``: cells that cannot be seen, and why.
    """
    if expansion == "canyon":
        return _border_slots(found, hidden)
    return {
        name: SlotReading(_ranked(CLASSES_OF[expansion], found[cell].tolist()), hidden.get(cell))
        for cell, name in enumerate(GRID.names)
    }


def filled_by_mark(found: Shares, expansion: str) -> NDArray[np.float64]:
    """The probability, for each cell, that a mark fills it, so that it has no route."""
    alone = np.array([is_alone(name) for name in CLASSES_OF[expansion]])
    return np.asarray(found @ alone, np.float64)


def _ranked(names: Sequence[str], chances: Sequence[float]) -> dict[str, float]:
    return dict(sorted(zip(names, chances, strict=True), key=lambda pair: -pair[1]))


def _border_slots(found: Shares, hidden: Mapping[int, str]) -> dict[str, SlotReading]:
    """Read each border from both cells beside it: the normalised geometric mean of their probabilities."""
    on_side = np.array(
        [[_ENDS[way] in name.partition(":")[2] for name in CLASSES_OF["canyon"]] for way in DIRECTIONS]
    )
    chances = found @ on_side.T  # (49, 4): is there a canyon on this side of the cell?
    slots = {}
    for cell in range(GRID.size):
        for way in (EAST, SOUTH):
            other = GRID.neighbours[cell][way]
            if other < 0:
                continue
            pair = ((cell, way), (other, opposite(way)))
            seen = [place for place in pair if place[0] not in hidden] or list(pair)
            odds = np.mean([_log_odds(float(chances[at, side])) for at, side in seen])
            p = float(1 / (1 + np.exp(-odds)))
            reason = hidden.get(cell) if len({cell, other} & set(hidden)) == 2 else None
            slots[border_name(cell, other)] = SlotReading(_ranked(("canyon", NONE), (p, 1 - p)), reason)
    return slots


def _log_odds(p: float) -> float:
    kept = min(max(p, _SUREST), 1 - _SUREST)
    return float(np.log(kept / (1 - kept)))
