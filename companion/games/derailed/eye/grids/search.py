"""The card table in a picture without a mat: cards are found, rectified, found again, and put into a grid.

First cards are looked for in the picture as it is. If the grid they make is not plain, the tilt is estimated
from them (:mod:`tilt`), the picture straightened so that every card has one size, and they are looked for
again: boxes then follow the table, near cards are no bigger than far ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from companion.games.derailed.eye.cards.classification import (
    ImagePyramid,
    Probabilities,
    as_found,
    class_probabilities,
    pixels_per_mm,
)
from companion.games.derailed.eye.cards.detection import DetectedCard, card_through, detect_cards
from companion.games.derailed.eye.cards.faces import (
    BACK,
    CLASS_NUMBER,
    COVERED,
    EMPTY,
    FACES_OF,
    STATION_CLASSES,
    STATIONS_OF,
)
from companion.games.derailed.eye.cards.surface import as_empty, like_the_table
from companion.games.derailed.eye.grids.bare_table import (
    LaneEvidence,
    bare_grids,
    lanes_value,
    most_likely_lanes,
)
from companion.games.derailed.eye.grids.growing import grown_grids
from companion.games.derailed.eye.grids.lattice import (
    UNIT,
    Lattice,
    Node,
    field_of,
    fitted_to,
    lattice_between,
    lattice_through,
    moved,
    with_cards,
)
from companion.games.derailed.eye.grids.tilt import (
    LONG_SIDE,
    estimated_tilt,
    rectified,
    warped,
)
from companion.games.derailed.paper.printed import PRINTED
from companion.games.derailed.rules.rulebook import ROWS
from vision.rectify import Matrix, Places

# Pixels of the longer side of copies in which cards are looked for, until a table is found.
_COPIES = (512, 400, 896)
_LEAST_STATIONS = 3  # a table has more; fewer cards do not tell the tilt
_LEAST_VALUE = 1.5  # value a lane of a table; boards of other games, and what a rug makes up, have less
_LEAST_UNPLAYED = 2.4  # the same of a table without any rail card
_PLAIN = 3.2  # value a lane from which a grid needs no closer look
_LIKELY = 2.8  # value a lane from which it needs no other copy
_LOOSE, _SURELY = 1.0, 0.65  # value that a card between places costs; how likely it is one
_ENOUGH_TO_FIT = 4  # cards in a marked field, in several lanes and rows, to which its grid is fitted
_MISMARKED = 0.45  # places by which such a grid may differ from the marked corners


@dataclass(frozen=True, eq=False)
class BareTable:
    """A grid among cards with its most table-like lanes, from 0: their value, what lies elsewhere."""

    value: float
    lanes: int
    lattice: Lattice
    outliers: tuple[DetectedCard, ...]

    @property
    def plain(self) -> bool:
        """True if nothing better need be looked for."""
        return self.value > _PLAIN * self.lanes

    @property
    def likely(self) -> bool:
        """True if it is hardly anything else."""
        return self.value > _LIKELY * self.lanes


@dataclass(frozen=True)
class BareSearch:
    """What came of looking for a table among cards, and the camera's tilt in radians as far as these tell."""

    table: BareTable | None
    tilt: float


def search_bare_table(picture: ImagePyramid, lanes: Collection[int]) -> BareSearch:
    """Look for the most table-like grid of cards in a picture, with one of these numbers of lanes."""
    best: BareTable | None = None
    tilt = 0.0
    for longest in _COPIES:
        for table, tilt in _tries(picture, longest, lanes):
            if table is not None and (best is None or table.value > best.value):
                best = table
            if best is not None and best.plain:
                return BareSearch(best, tilt)
        if best is not None and best.likely:
            break
    return BareSearch(None if best is None else _refined(picture, best), tilt)


def _refined(picture: ImagePyramid, table: BareTable) -> BareTable:
    """A table after another look at its field, straightened by its lattice; as it was if that is worse."""
    again = _fitted(picture, table.lattice, table.lanes, np.inf)
    return again if again.value > table.value else table


def find_marked_table(picture: ImagePyramid, corners: Places, lanes: Iterable[int]) -> BareTable | None:
    """The table whose field of cards somebody marked, both columns of stations included, clockwise from the
    outer corner of the first lane's start; with as many of these ``lanes`` as fit the cards best.
    """
    tables = [table for count in lanes if (table := _marked_table(picture, corners, count)) is not None]
    return max(tables, key=lambda table: table.value / table.lanes, default=None)


def _marked_table(picture: ImagePyramid, corners: Places, lanes: int) -> BareTable | None:
    """The table as if it had so many lanes: its grid is fitted to the cards that are found in the field."""
    return _fitted(picture, lattice_between(corners, lanes), lanes, _MISMARKED)


def _fitted(picture: ImagePyramid, rough: Lattice, lanes: int, most_off: float) -> BareTable:
    """A lattice that is known roughly, fitted to the cards that are found in its field; the corners of the
    field may move by so many places.
    """
    found = cards_in_field(picture, rough, lanes)
    lattice, _ = with_cards(rough, found, range(lanes))
    if _spread(lattice):
        field, again = field_of(lanes), fitted_to(lattice.cards)
        off = np.inf if again is None else float(np.abs(again.places(rough.pixels(field)) - field).max())
        lattice = again if again is not None and off < most_off else lattice
    lattice, outliers = with_cards(lattice, found, range(lanes))
    evidence = _lane_evidence(picture, lattice, found, range(lanes))
    value = lanes_value([evidence[lane] for lane in range(lanes)])
    value -= _LOOSE * len(loose_cards(lattice, lanes, outliers))
    return BareTable(value, lanes, lattice, tuple(outliers))


def _spread(lattice: Lattice) -> bool:
    """True if the cards of a lattice are enough, in several lanes and rows, to fit it to them."""
    rows, lanes = {row for _, row in lattice.cards}, {lane for lane, _ in lattice.cards}
    return len(lattice.cards) >= _ENOUGH_TO_FIT and min(len(rows), len(lanes)) > 1


def cards_in_field(picture: ImagePyramid, lattice: Lattice, lanes: int) -> list[DetectedCard]:
    """The cards in and around a lattice that is known roughly, found in the picture straightened by it."""
    wide, high = PRINTED.mat.cell
    scale, room = LONG_SIDE / high, 0.7  # room: places that are shown around the field
    to_flat = np.diag([wide * scale, high * scale, 1.0]) @ np.array(
        [[1, 0, 0.5 + room], [0, 1, 0.5 + room], [0, 0, 1]]
    )
    size = round((lanes + 2 * room) * wide * scale), round((ROWS + 2 + 2 * room) * high * scale)
    middle = np.array([(lanes - 1) / 2, (ROWS + 1) / 2])
    shrunk = pixels_per_mm(lattice.pixels(middle + UNIT)) * high / LONG_SIDE
    flat = warped(picture, to_flat @ np.linalg.inv(lattice.matrix), size, shrunk)
    back = lattice.matrix @ np.linalg.inv(to_flat)
    return [card_through(card, back) for card in detect_cards(flat, max(size))]


# --- cards anywhere ---


def _tries(
    picture: ImagePyramid, longest: int, lanes: Collection[int]
) -> Iterator[tuple[BareTable | None, float]]:
    """Tables among the cards of a copy, by ever more work, each with the tilt by which it was looked for.

    First in the copy as it is, then straightened by what was found, and straightened anew.
    """
    cards = found_in(picture, longest)
    if len(cards) < _LEAST_STATIONS:
        return
    yield _best_grid(picture, np.eye(3), cards, lanes), 0.0
    for _ in range(2):
        corners = np.array([card.quad for card in cards])
        tilt = estimated_tilt(corners, (picture.image.shape[1], picture.image.shape[0]))
        flat = rectified(picture, tilt, corners)
        back = np.asarray(np.linalg.inv(flat.matrix), np.float64)
        again = [card_through(card, back) for card in detect_cards(flat.image, max(flat.image.shape[:2]))]
        if again:
            cards = again
            yield _best_grid(picture, flat.matrix, cards, lanes), tilt.angle


def _best_grid(
    picture: ImagePyramid, matrix: Matrix, cards: Sequence[DetectedCard], possible: Collection[int]
) -> BareTable | None:
    """The most table-like grid of some cards, put together in the picture to which ``matrix`` leads."""
    back = np.asarray(np.linalg.inv(matrix), np.float64)
    best: BareTable | None = None
    upright = [_upright(card_through(card, matrix)) for card in cards]
    for grid in chain(bare_grids(upright), grown_grids(upright)):
        seen = lattice_through(grid.lattice, back)
        room = max(1, min(possible) - grid.lanes)  # lanes that may lie beside those with detected stations
        around = range(-room, grid.lanes + room)
        evidence = _lane_evidence(picture, seen, list(cards), around, known=len(possible) == 1)
        lanes = most_likely_lanes(evidence, possible)
        if lanes is None or lanes[0] < max(_LEAST_VALUE * lanes[2], best.value if best else 0.0):
            continue
        value, first, count = lanes
        lattice, outliers = with_cards(moved(seen, first, 0), list(cards), range(count))
        value -= _LOOSE * len(loose_cards(lattice, count, outliers))
        if value < _LEAST_UNPLAYED * count and not _is_played(picture, lattice):
            continue
        if best is None or value > best.value:
            best = BareTable(value, count, lattice, tuple(outliers))
        if best is not None and best.plain:
            break
    return best


def _is_played(picture: ImagePyramid, lattice: Lattice) -> bool:
    """True if what lies in one of the cells looks like a rail card."""
    quads = [as_found(lattice, node) for node in lattice.cards if 0 < node[1] <= ROWS]
    return bool((class_probabilities(picture, quads)[:, FACES_OF].sum(axis=1) > 0.5).any())


def loose_cards(lattice: Lattice, lanes: int, outliers: Sequence[DetectedCard]) -> list[DetectedCard]:
    """The rail cards that surely lie in the lanes, but in no place: grids that do not fit have more."""
    surely = [card for card in outliers if card.likely > _SURELY and card.station < 0.5]
    if not surely:
        return []
    at = lattice.places(np.array([card.middle for card in surely]))
    off = np.abs(at - [(lanes - 1) / 2, (ROWS + 1) / 2]) - [lanes / 2, ROWS / 2]
    return [card for card, away in zip(surely, off.max(axis=1).tolist(), strict=True) if away < 0]


def found_in(picture: ImagePyramid, longest: int) -> list[DetectedCard]:
    """The cards in a copy with so many pixels a longer side, made of the smallest that is fine enough."""
    height, width = picture.image.shape[:2]
    halvings = max(0, int(np.log2(max(height, width) / longest)))
    copy, _ = picture.smaller(0.5**halvings)
    back = np.diag([width / copy.shape[1], height / copy.shape[0], 1.0])
    return [card_through(card, back) for card in detect_cards(copy, longest)]


def _upright(card: DetectedCard) -> DetectedCard:
    """A card as from above: whatever was taken for its long side at a tilt, the longer one is."""
    if np.hypot(*card.long) >= np.hypot(*card.short):
        return card
    quad = None if card.exact is None else np.roll(card.exact, -1, axis=0)
    return DetectedCard(card.middle, card.long, card.short, card.likely, card.station, quad)


def _clear(own: Probabilities) -> float:
    """How clear a cell is: a card, or none; half as clear where a surface that is not known looks covered."""
    return max(float(own[FACES_OF].max()), float(own[CLASS_NUMBER[EMPTY]] + 0.5 * own[CLASS_NUMBER[COVERED]]))


def _uncover_ends(
    picture: ImagePyramid, lattice: Lattice, cards: Sequence[DetectedCard], ends: dict[Node, Probabilities]
) -> None:
    """Ends that are called covered, but look as the table does around the lanes, are empty."""
    lanes = [lane for (lane, _), own in ends.items() if own[STATIONS_OF].sum() > 0.5]
    doubted = [
        node
        for node, own in ends.items()
        if node[0] in lanes and node not in lattice.cards and own.argmax() == CLASS_NUMBER[COVERED]
    ]
    if doubted:
        taken = np.rint(lattice.places(np.array([card.middle for card in cards]))).astype(int).tolist()
        used = range(min(lanes), max(lanes) + 1)
        bare = like_the_table(picture, lattice, used, doubted, {(lane, row) for lane, row in taken})
        for node in (node for node in doubted if bare[node]):
            ends[node] = as_empty(ends[node])


def _strange(own: Probabilities, card: DetectedCard | None) -> float:
    """P(a station unlike any known) at an end: found as one, it looks like a back or as if covered."""
    if card is None or card.station < 0.5:
        return 0.0
    return float(own[CLASS_NUMBER[BACK]] + own[CLASS_NUMBER[COVERED]]) * card.station


def _lane_evidence(
    picture: ImagePyramid, lattice: Lattice, cards: list[DetectedCard], lanes: range, known: bool = True
) -> dict[int, LaneEvidence]:
    """Evidence for lanes of a grid.

    If it is not ``known`` how many there are, those beyond the outermost stations cannot be lanes, and their
    cells are not looked at.
    """
    lattice, _ = with_cards(lattice, cards, lanes)

    def shown(nodes: list[Node]) -> dict[Node, Probabilities]:
        return dict(
            zip(nodes, class_probabilities(picture, [as_found(lattice, node) for node in nodes]), strict=True)
        )

    ends = shown([(lane, row) for lane in lanes for row in (0, ROWS + 1)])
    _uncover_ends(picture, lattice, cards, ends)
    strange = {node: _strange(own, lattice.cards.get(node)) for node, own in ends.items()}
    seen = {node: float(own[STATIONS_OF].sum()) + strange[node] for node, own in ends.items()}
    used = [lane for lane in lanes if max(seen[lane, row] for row in (0, ROWS + 1)) > 0.5]
    inner = lanes if known else range(min(used, default=0), max(used, default=-1) + 1)
    cells = shown([(lane, row) for lane in inner for row in range(1, ROWS + 1)])
    lanes_seen = {}
    for lane in inner:
        both = (lane, 0), (lane, ROWS + 1)
        first, last = (
            dict(zip(STATION_CLASSES, ends[node][STATIONS_OF].tolist(), strict=True)) for node in both
        )
        hidden, empty = (
            (float(ends[both[0]][number]), float(ends[both[1]][number]))
            for number in (CLASS_NUMBER[COVERED], CLASS_NUMBER[EMPTY])
        )
        clear = [_clear(cells[lane, row]) for row in range(1, ROWS + 1)]
        lanes_seen[lane] = LaneEvidence(
            (first, last), hidden, clear, empty, (strange[both[0]], strange[both[1]])
        )
    return lanes_seen
