"""Finds the card table in a picture by its cards, with marked corners or a few tags where there are any.

First cards are detected in the picture as it is. If the grid they make is not plain, the camera's tilt is
estimated from them (:mod:`companion.games.derailed.reader.grids.tilt`), the picture rectified so that every
card has one size, and they are detected again: outlines then follow the table, near cards are no bigger
than far ones. Every grid is a hypothesis of one of several ways; the likeliest is looked at once more,
rectified by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.games.derailed.reader.cards.classification import ImagePyramid, as_found, class_probabilities
from companion.games.derailed.reader.cards.detection import DetectedCard, card_through, detect_cards
from companion.games.derailed.reader.cards.faces import FACES_OF
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.grids.evidence import SeenEvidence
from companion.games.derailed.reader.grids.grid import Detections, Generator, Grid, hypotheses
from companion.games.derailed.reader.grids.growing import grown_grids
from companion.games.derailed.reader.grids.known import grids_in_mat, marked_grids, tag_pose_grids
from companion.games.derailed.reader.grids.lattice import (
    FoundMat,
    Lattice,
    lattice_through,
    mat_points,
    moved,
    with_cards,
)
from companion.games.derailed.reader.grids.likelihood import (
    count_of,
    in_field,
    log_likelihood,
    most_likely_lanes,
)
from companion.games.derailed.reader.grids.refinement import cards_in_field, most_off, refined
from companion.games.derailed.reader.grids.station_rows import station_row_grids
from companion.games.derailed.reader.grids.tilt import estimated_tilt, rectified
from companion.games.derailed.reader.trace import TriedGrid
from companion.games.derailed.rules.rulebook import ROWS
from vision.register.rectify import Matrix, Places

_C = CONSTANTS.search

AMONG_CARDS: tuple[Generator, ...] = (station_row_grids, grown_grids)  # ways to a grid, the quickest first
# Pixels of the longer side of copies in which cards are detected, until a table is found.
_COPIES = (512, 400, 896)


@dataclass(frozen=True, eq=False)
class LikelyTable:
    """The likeliest table among hypotheses: its log-likelihood, its lanes from 0, and its outliers.

    ``tried``: the tables of all looks, this one among them.
    """

    log_likelihood: float
    lanes: int
    lattice: Lattice
    outliers: tuple[DetectedCard, ...]
    tried: tuple[TriedGrid, ...] = ()

    @property
    def plain(self) -> bool:
        """True if nothing better need be looked for."""
        return self.log_likelihood > _C.plain * self.lanes

    @property
    def likely(self) -> bool:
        """True if it is hardly anything else."""
        return self.log_likelihood > _C.likely * self.lanes


@dataclass(frozen=True)
class Search:
    """The result of a search among cards, and the camera's tilt in radians as they suggest it."""

    table: LikelyTable | None
    tilt: float


def search_table(picture: ImagePyramid, lanes: Collection[int]) -> Search:
    """Look for the likeliest table among the cards of a picture, with one of these numbers of lanes."""
    best: LikelyTable | None = None
    tilt = 0.0
    tried: list[TriedGrid] = []
    for longest in _COPIES:
        for table, tilt in _tries(picture, longest, lanes):
            if table is not None:
                tried.append(TriedGrid(longest, _degrees(tilt), table.lanes, table.log_likelihood))
                if best is None or table.log_likelihood > best.log_likelihood:
                    best = table
            if best is not None and best.plain:
                return Search(replace(best, tried=tuple(tried)), tilt)
        if best is not None and best.likely:
            break
    if best is not None:  # once more, rectified by its own grid
        again = _looked_again(picture, Grid(best.lattice, best.lanes))
        tried.append(TriedGrid(0, _degrees(tilt), again.lanes, again.log_likelihood))
        best = again if again.log_likelihood > best.log_likelihood else best
        best = replace(best, tried=tuple(tried))
    return Search(best, tilt)


def _degrees(tilt: float) -> int:
    return round(float(np.degrees(tilt)))


def find_marked_table(picture: ImagePyramid, corners: Places, lanes: Iterable[int]) -> LikelyTable | None:
    """The table whose field of cards was marked by hand, with the number of ``lanes`` that fits best.

    The corners include both columns of stations, clockwise from the outer corner of the first lane's start.
    """
    marked = hypotheses(Detections(lanes=tuple(lanes), corners=corners), (marked_grids,))
    tables = [_looked_again(picture, grid, _C.mismarked) for grid in marked]
    return max(tables, key=lambda table: table.log_likelihood / table.lanes, default=None)


def find_mat_by_cards(
    picture: ImagePyramid, lanes: int, tags: Sequence[tuple[int, Places]], table: LikelyTable | None
) -> FoundMat | None:
    """A mat of which one or two tags are seen: its cards and tags together, where they agree.

    From a steep view, or under a hand, the far tags are lost while the cards are plain. The grid is that of
    the ``table`` found among cards, or comes from the pose of two tags; then it is fitted to both.
    """
    points = mat_points(lanes, tags)
    rough = None if table is None else Grid(table.lattice, table.lanes)
    size = picture.image.shape[1], picture.image.shape[0]
    detections = Detections(lanes=(lanes,), tags=points, rough=rough, size=size)
    for grid in hypotheses(detections, (grids_in_mat, tag_pose_grids)):
        found = cards_in_field(picture, grid)
        lattice, others = with_cards(refined(grid, found, points).lattice, found, range(lanes))
        missed = float(np.abs(lattice.places(points[1]) - points[0]).max())
        rows = {row for _, row in lattice.cards}
        if missed < _C.tag_missed and len(rows) > 1 and len(lattice.cards) > max(2, len(others)):
            return FoundMat(lanes, Lattice(lattice.matrix, {}))
    return None


def _looked_again(picture: ImagePyramid, rough: Grid, may_move: float = np.inf) -> LikelyTable:
    """Fit a roughly known grid to the cards detected in its rectified field.

    The corners of the field may move by so many places.
    """
    found = cards_in_field(picture, rough)
    grid = Grid(with_cards(rough.lattice, found, range(rough.lanes))[0], rough.lanes)
    rows, lanes = {row for _, row in grid.lattice.cards}, {lane for lane, _ in grid.lattice.cards}
    if len(grid.lattice.cards) >= _C.enough_to_fit and min(len(rows), len(lanes)) > 1:
        again = refined(grid, found)
        if most_off(again.lattice, rough.lattice, rough.lanes) < may_move:
            grid = again
    lattice, outliers = with_cards(grid.lattice, found, range(rough.lanes))
    value = log_likelihood(grid, SeenEvidence(picture, found))
    return LikelyTable(value, rough.lanes, lattice, tuple(outliers))


# --- among cards ---


def _tries(
    picture: ImagePyramid, longest: int, lanes: Collection[int]
) -> Iterator[tuple[LikelyTable | None, float]]:
    """Tables among the cards of a copy, by ever more work, each with the tilt by which it was looked for.

    First in the copy as it is, then rectified by what was found, and rectified anew.
    """
    cards = detected_in(picture, longest)
    if len(cards) < _C.least_cards:
        return
    yield _likeliest_table(picture, np.eye(3), cards, lanes), 0.0
    for _ in range(2):
        corners = np.array([card.quad for card in cards])
        tilt = estimated_tilt(corners, (picture.image.shape[1], picture.image.shape[0]))
        flat = rectified(picture, tilt, corners)
        back = np.asarray(np.linalg.inv(flat.matrix), np.float64)
        again = [card_through(card, back) for card in detect_cards(flat.image, max(flat.image.shape[:2]))]
        if again:
            cards = again
            yield _likeliest_table(picture, flat.matrix, cards, lanes), tilt.angle


def _likeliest_table(
    picture: ImagePyramid, matrix: Matrix, cards: list[DetectedCard], possible: Collection[int]
) -> LikelyTable | None:
    """The likeliest table among some cards; grids come from the picture to which ``matrix`` leads."""
    back = np.asarray(np.linalg.inv(matrix), np.float64)
    best: LikelyTable | None = None
    evidence = SeenEvidence(picture, cards)
    upright = [_upright(card_through(card, matrix)) for card in cards]
    for grid in hypotheses(Detections(upright, possible), AMONG_CARDS):
        # Which of its lanes, or of those beside, are the table's
        lattice = lattice_through(grid.lattice, back)
        room = max(1, min(possible) - grid.lanes)
        around = range(-room, grid.lanes + room)
        lanes = most_likely_lanes(evidence.lanes_of(lattice, around, known=len(possible) == 1), possible)
        if lanes is None or lanes[0] < max(_C.least * lanes[2], best.log_likelihood if best else 0.0):
            continue
        value, first, count = lanes
        # What lies in none of their places
        lattice, outliers = with_cards(moved(lattice, first, 0), cards, range(count))
        value -= CONSTANTS.likelihood.outlier * count_of(in_field(lattice, count, outliers))
        if value < _C.least_unplayed * count and not _is_played(picture, lattice):
            continue
        if best is None or value > best.log_likelihood:
            best = LikelyTable(value, count, lattice, tuple(outliers))
        if best is not None and best.plain:
            break
    return best


def _is_played(picture: ImagePyramid, lattice: Lattice) -> bool:
    """True if what lies in one of the cells looks like a rail card."""
    quads = [as_found(lattice, node) for node in lattice.cards if 0 < node[1] <= ROWS]
    return bool((class_probabilities(picture, quads)[:, FACES_OF].sum(axis=1) > 0.5).any())


def detected_in(picture: ImagePyramid, longest: int) -> list[DetectedCard]:
    """Detect cards in a copy with so many pixels on its longer side, made from the smallest fine enough."""
    height, width = picture.image.shape[:2]
    halvings = max(0, int(np.log2(max(height, width) / longest)))
    copy, _ = picture.smaller(0.5**halvings)
    back = np.diag([width / copy.shape[1], height / copy.shape[0], 1.0])
    return [card_through(card, back) for card in detect_cards(copy, longest)]


def _upright(card: DetectedCard) -> DetectedCard:
    """A card as seen from above: of its two sides the longer one becomes its long side."""
    if np.hypot(*card.long) >= np.hypot(*card.short):
        return card
    quad = None if card.exact is None else np.roll(card.exact, -1, axis=0)
    return DetectedCard(card.middle, card.long, card.short, card.likely, card.station, quad)
