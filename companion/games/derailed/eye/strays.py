"""Cards that do not lie as they should: askew, across the lane, between places, outside the lanes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.eye.faces import FACE_CLASSES
from companion.games.derailed.eye.finding import SeenCard
from companion.games.derailed.eye.lattice import Lattice, Node
from companion.games.derailed.paper.printed import PRINTED
from companion.games.derailed.rules.network import lane_name
from companion.games.derailed.rules.rulebook import ROWS

_NEXT_TO = 1.5  # places from the lanes at which a card may be meant to belong to them
_CROSSWISE, _ASKEW = np.radians(65), np.radians(20)
_TOUCHED = 0.62  # places: nearer than this to a card's middle is under it


def said_of_strays(
    lattice: Lattice, lanes: int, strays: Sequence[tuple[SeenCard, NDArray[np.float64]]]
) -> list[str]:
    """A sentence for each card that is in the lanes but not in a place, or beside them with its face up."""
    notes = []
    for card, own in strays:
        at = lattice.places(card.middle)
        if _is_in_lanes(at, lanes):
            notes.append(f"A card lies {_how(lattice, card)} {_where(at, lanes)}: straighten it.")
        elif _is_beside(at, lanes) and own[: len(FACE_CLASSES)].sum() > 0.5:
            notes.append("A card lies outside the lanes: it does not count.")
    return notes


def spoilt_places(lattice: Lattice, lanes: int, strays: Iterable[SeenCard]) -> dict[Node, str]:
    """The cells in which such a card lies, so that nobody can say what is in them."""
    return {
        node: f"a card lies {_how(lattice, card)}"
        for card in strays
        for node in touched_cells(lattice, lanes, card)
    }


def touched_cells(lattice: Lattice, lanes: int, card: SeenCard) -> list[Node]:
    """The cells under the middle of a card."""
    at = lattice.places(card.middle)
    if not _is_in_lanes(at, lanes):
        return []
    nodes = [(lane, row) for row in range(1, ROWS + 1) for lane in range(lanes)]
    return [node for node in nodes if np.abs(at - node).max() < _TOUCHED]


def _is_in_lanes(at: NDArray[np.float64], lanes: int) -> bool:
    return bool(-0.5 < at[0] < lanes - 0.5 and 0.4 < at[1] < ROWS + 0.6)


def _is_beside(at: NDArray[np.float64], lanes: int) -> bool:
    return bool(-_NEXT_TO < at[0] < lanes - 1 + _NEXT_TO and -_NEXT_TO < at[1] < ROWS + 1 + _NEXT_TO)


def _how(lattice: Lattice, card: SeenCard) -> str:
    ends = lattice.places(np.stack([card.middle + card.long, card.middle - card.long]))
    x, y = (ends[0] - ends[1]) * PRINTED.mat.cell
    turn = float(np.arctan2(abs(x), abs(y)))
    if turn > _CROSSWISE:
        return "across the lane"
    return "askew" if turn > _ASKEW else "between places"


def _where(at: NDArray[np.float64], lanes: int) -> str:
    lane = int(np.clip(np.rint(at[0]), 0, lanes - 1))
    row = int(np.clip(np.rint(at[1]), 1, ROWS))
    return f"at {lane_name(lane)}{row}"
