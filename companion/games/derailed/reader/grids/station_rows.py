"""Grid hypotheses from stations alone: any two rows of them may be the columns of a table.

Whatever else lies about, a table has two rows of stations side by side, five places apart, with the same
lanes: detected stations are clustered into rows, and every pair of rows is tried in the lanes that fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.reader.cards.detection import DetectedCard
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.grids.grid import Detections, Grid
from companion.games.derailed.reader.grids.lattice import CARD_SHARE, Node, fitted_to
from companion.games.derailed.reader.grids.refinement import likeliest
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, ROWS
from vision.register.rectify import Places

_C = CONSTANTS.station_rows


@dataclass(frozen=True)
class _Row:
    """Stations side by side, by lane, counted in the direction of the short side of one of them, ``like``."""

    cards: dict[int, DetectedCard]
    like: DetectedCard

    @property
    def axes(self) -> tuple[Places, Places]:
        """The mean sides of a place as vectors: along the row, and along the lanes."""
        along, down = zip(*(_sides(card, self.like) for card in self.cards.values()), strict=True)
        return np.mean(along, axis=0), np.mean(down, axis=0)

    @property
    def middle(self) -> Places:
        """The centroid of its cards."""
        middle: Places = np.mean([card.middle for card in self.cards.values()], axis=0)
        return middle

    @property
    def lane(self) -> float:
        """The mean lane of its cards: that of the centroid."""
        return float(np.mean(list(self.cards)))


def station_row_grids(detections: Detections) -> Iterator[Grid]:
    """The grids that two rows of stations span: the likeliest by all detected cards, in that order."""

    def spanned() -> Iterator[Grid]:
        rows = list(_rows([card for card in detections.cards if card.station > 0.5]))
        for upper, lower in permutations(rows, 2):
            for nodes, lanes in _pairings(upper, lower):
                lattice = fitted_to(nodes)
                if lattice is not None:
                    yield Grid(lattice, lanes)

    yield from likeliest(spanned(), detections.cards, _C.most_grids)


# --- rows of stations ---


def _sides(card: DetectedCard, like: DetectedCard) -> tuple[Places, Places]:
    """The sides of a place, scaled up from its own card, in the directions of another card's."""
    short, long = 2 * card.short / CARD_SHARE, 2 * card.long / CARD_SHARE
    return short if short @ like.short > 0 else -short, long if long @ like.long > 0 else -long


def _rows(stations: Sequence[DetectedCard]) -> Iterator[_Row]:
    """Cluster stations into rows, greedily: start with any, add the nearest that fits beside one of them.

    One in a place already taken is passed over.
    """
    if not stations:
        return
    steps = grid_steps(stations)
    across, aside = np.abs(steps[..., 0]), np.abs(steps[..., 1])
    taken = np.maximum(across, aside) < _C.nearest_step
    away = np.where((aside <= _C.beside) & (across <= _C.longest_step), across + aside, np.inf)
    left = list(range(len(stations)))
    while left:
        row = [left.pop(0)]
        while left:
            nearest = np.where(
                taken[np.ix_(row, left)].any(axis=0), np.inf, away[np.ix_(row, left)].min(axis=0)
            )
            if not np.isfinite(nearest.min()):
                break
            row.append(left.pop(int(nearest.argmin())))
        yield _numbered([stations[n] for n in row])


def grid_steps(cards: Sequence[DetectedCard]) -> NDArray[np.float64]:
    """The vectors between all cards in places, (n, n, 2), measured by the mean of both cards' sides."""
    middles = np.array([card.middle for card in cards])
    sides = np.array([[card.short, card.long] for card in cards]) * (2 / CARD_SHARE)
    alike = (sides[:, None] * sides[None]).sum(axis=-1, keepdims=True) > 0
    means = (sides[:, None] + np.where(alike, sides[None], -sides[None])) / 2
    (a, b), (c, d) = np.moveaxis(means[..., 0, :], -1, 0), np.moveaxis(means[..., 1, :], -1, 0)
    x, y = np.moveaxis(middles[None] - middles[:, None], -1, 0)
    area = a * d - b * c
    area = np.where(np.abs(area) < 1e-6, np.inf, area)  # sides along each other measure nothing
    steps = np.stack([(x * d - y * c) / area, (y * a - x * b) / area], axis=-1)
    return np.asarray(np.where(np.isinf(area)[..., None], 99.0, steps), np.float64)


def _numbered(cards: Sequence[DetectedCard]) -> _Row:
    """Number the stations of a row by lane, using the median step: detected card sizes are biased, but the
    spacing of a row is regular.
    """
    along = _sides(cards[0], cards[0])[0]
    row = sorted(cards, key=lambda card: float(card.middle @ along))
    steps = [float(abs(_step(one, other, cards[0])[0])) for one, other in pairwise(row)]
    usual = float(np.median(steps)) if steps else 1.0
    pitch = usual / max(1, round(usual - _C.too_small))
    lanes = np.cumsum([0, *(max(1, round(step / pitch)) for step in steps)])
    return _Row(dict(zip(lanes.tolist(), row, strict=True)), cards[0])


def _step(one: DetectedCard, other: DetectedCard, like: DetectedCard) -> NDArray[np.float64]:
    """The vector from card to card in places, measured by the mean of both cards' sides."""
    mine, theirs = _sides(one, like), _sides(other, like)
    return _solved((mine[0] + theirs[0]) / 2, (mine[1] + theirs[1]) / 2, other.middle - one.middle)


def _solved(along: Places, down: Places, way: Places) -> NDArray[np.float64]:
    base = np.stack([along, down], axis=1)
    if abs(np.linalg.det(base)) < 1e-6:
        return np.array([99.0, 99.0])
    return np.asarray(np.linalg.solve(base, way), np.float64)


# --- both columns ---


def _pairings(upper: _Row, lower: _Row) -> Iterator[tuple[dict[Node, DetectedCard], int]]:
    """The ways in which the lanes of two rows may correspond: the stations by node, and how many lanes."""
    if len(upper.cards) + len(lower.cards) < _C.least_stations:
        return
    along, down = upper.axes
    theirs = lower.axes
    turned = -1 if theirs[0] @ along < 0 else 1
    way = lower.middle - upper.middle
    apart = _solved((along + turned * theirs[0]) / 2, (down + _like(theirs[1], down)) / 2, way)
    if not _C.least_apart < abs(apart[1]) < _C.most_apart or way.sum() < 0:
        return
    for shift in _shifts(upper, lower, turned, float(apart[0])):
        nodes = {(lane, 0): card for lane, card in upper.cards.items()}
        nodes |= {(turned * lane + shift, ROWS + 1): card for lane, card in lower.cards.items()}
        for counted in _windows(_counted(nodes, mirrored=_is_mirrored(along, way))):
            lanes = max(lane for lane, _ in counted) + 1
            if lanes in ARRIVALS_TO_END and len(counted) > lanes:
                yield counted, lanes


def _like(one: Places, other: Places) -> Places:
    return one if one @ other > 0 else -one


def _is_mirrored(along: Places, down: Places) -> bool:
    """True if lanes would run to the left when the starts are at the top (the axes are left-handed)."""
    return bool(along[0] * down[1] - along[1] * down[0] < 0)


def _shifts(upper: _Row, lower: _Row, turned: int, aside: float) -> list[int]:
    """Candidates for the lane of the upper row that meets lane 0 of the lower one.

    Either row ends align, or the lanes nearest to each other do; none that the view's tilt cannot explain.
    """
    low, high = min(turned * lane for lane in lower.cards), max(turned * lane for lane in lower.cards)
    likely = round(upper.lane + aside - turned * lower.lane)
    fitting = {min(upper.cards) - low, max(upper.cards) - high}
    return sorted({shift for shift in fitting | {likely} if abs(shift - likely) <= _C.shear})


def _counted(nodes: dict[Node, DetectedCard], mirrored: bool) -> dict[Node, DetectedCard]:
    """Renumber the lanes of nodes from 0, in reverse where the axes are mirrored."""
    sign = -1 if mirrored else 1
    first = min(sign * lane for lane, _ in nodes)
    return {(sign * lane - first, row): card for (lane, row), card in nodes.items()}


def _windows(nodes: dict[Node, DetectedCard]) -> Iterator[dict[Node, DetectedCard]]:
    """Yield the nodes in every window of lanes that holds the most stations.

    A table has only so many lanes; more seem to have stations where something beside a row looks like one.
    """
    most = max(ARRIVALS_TO_END)
    lanes = max(lane for lane, _ in nodes) + 1
    parts = [
        {(lane - first, row): card for (lane, row), card in nodes.items() if first <= lane < first + most}
        for first in range(max(lanes - most, 0) + 1)
    ]
    fullest = max(len(part) for part in parts)
    for part in parts:
        if len(part) == fullest:
            low = min(lane for lane, _ in part)
            yield {(lane - low, row): card for (lane, row), card in part.items()}
