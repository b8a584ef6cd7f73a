"""Cards that lie in no place: askew, across the lane, between places, or outside the lanes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from companion.core.messages import m
from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.reader.cards.detection import DetectedCard
from companion.games.derailed.reader.cards.faces import FACE_CLASSES
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.grids.lattice import CARD_SHARE, Lattice, Node
from companion.games.derailed.reader.readings import Note
from companion.games.derailed.rules.network import lane_name
from companion.games.derailed.rules.rulebook import ROWS

_C = CONSTANTS.outliers

_TOUCHED = 0.62  # places: a cell is touched if its middle is nearer than this, across and down


def outlier_notes(
    lattice: Lattice, lanes: int, outliers: Sequence[tuple[DetectedCard, NDArray[np.float64]]]
) -> list[Note]:
    """A sentence for each card that lies in the lanes but in no place, or face up beside the lanes.

    Each outlier comes with the probability of every class.
    """
    notes = []
    for card, own in outliers:
        at = lattice.places(card.middle)
        if _is_in_lanes(at, lanes):
            notes.append(Note(partial(_lies_badly, _how(lattice, card)), (_where(at, lanes),)))
        elif (
            _is_beside(at, lanes)
            and own[: len(FACE_CLASSES)].sum() > _C.surely_a_card
            and _has_a_cards_size(lattice, card)
        ):
            notes.append(Note(m("A card lies outside the lanes: it does not count."), minor=True))
    return notes


def _lies_badly(how: str, place: str) -> str:
    return m("A card lies {how} at {place}: straighten it.", how=how, place=place)


def spoilt_places(lattice: Lattice, lanes: int, outliers: Iterable[DetectedCard]) -> dict[Node, str]:
    """The cells that a outlier card touches, with the reason why they cannot be read."""
    return {
        node: m("a card lies {card}", card=_how(lattice, card))
        for card in outliers
        for node in touched_cells(lattice, lanes, card)
    }


def touched_cells(lattice: Lattice, lanes: int, card: DetectedCard) -> list[Node]:
    """The cells whose centres are near the centre of a card that lies in the lanes."""
    at = lattice.places(card.middle)
    if not _is_in_lanes(at, lanes):
        return []
    nodes = [(lane, row) for row in range(1, ROWS + 1) for lane in range(lanes)]
    return [node for node in nodes if np.abs(at - node).max() < _TOUCHED]


def _is_in_lanes(at: NDArray[np.float64], lanes: int) -> bool:
    return bool(-0.5 < at[0] < lanes - 0.5 and 0.4 < at[1] < ROWS + 0.6)


def _is_beside(at: NDArray[np.float64], lanes: int) -> bool:
    return bool(-_C.next_to < at[0] < lanes - 1 + _C.next_to and -_C.next_to < at[1] < ROWS + 1 + _C.next_to)


def _has_a_cards_size(lattice: Lattice, card: DetectedCard) -> bool:
    """All cards of a table have one size, that of its places."""
    sides = [
        np.linalg.norm((one - other) * PRINTED.mat.cell)
        for half in (card.short, card.long)
        for one, other in [lattice.places(np.stack([card.middle + half, card.middle - half]))]
    ]
    shares = np.array(sides) / (CARD_SHARE * np.array(PRINTED.mat.cell))
    return bool(shares.min() > _C.least_size and shares.max() < _C.most_size)


def _how(lattice: Lattice, card: DetectedCard) -> str:
    ends = lattice.places(np.stack([card.middle + card.long, card.middle - card.long]))
    x, y = (ends[0] - ends[1]) * PRINTED.mat.cell
    turn = float(np.arctan2(abs(x), abs(y)))
    if turn > np.radians(_C.crosswise):
        return m("across the lane")
    return "askew" if turn > np.radians(_C.askew) else m("between places")


def _where(at: NDArray[np.float64], lanes: int) -> str:
    lane = int(np.clip(np.rint(at[0]), 0, lanes - 1))
    row = int(np.clip(np.rint(at[1]), 1, ROWS))
    return f"{lane_name(lane)}{row}"
