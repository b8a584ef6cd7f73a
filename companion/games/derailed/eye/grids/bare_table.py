"""Find a card table without a mat: the grid that its two rows of station cards span.

Whatever else lies about, a table has two rows of stations side by side, five places apart, with the same
lanes. Three steps: cluster detected stations into rows; hypothesise a grid for every pair of rows and score
it by how many detected cards fit (:func:`bare_grids`); let the caller classify every place of the best few
grids, and choose the lanes by the likelihood of what is seen in them (:func:`most_likely_lanes`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from math import log

import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.eye.cards.detection import DetectedCard
from companion.games.derailed.eye.grids.columns import likeliest_columns
from companion.games.derailed.eye.grids.lattice import (
    CARD_SHARE,
    Lattice,
    Node,
    fitted_to,
    with_cards,
)
from companion.games.derailed.paper.printed import PRINTED
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, ROWS
from vision.rectify import Places

# Lengths are in places: a place's width along a row, its height along a lane.
_BESIDE = 0.36  # most offset across the row between neighbouring stations
_NEAREST_STEP, _LONGEST_STEP = 0.65, 3.3  # between neighbouring stations that were detected
_TOO_SMALL = 0.15  # bias of a step: cards are detected too small, so steps measured by them are too long
_APART = (3.3, 7.5)  # between the two rows, measured by the nearer cards: perspective makes it differ from 5
_SLANT = 2  # lanes by which perspective may shift one row against the other
_LEAST_STATIONS = 3  # detected in both rows together
_MOST_GRIDS = 5  # hypotheses that are classified
_STATION = 0.8  # least P(station) at one end of each outermost lane
_HIDDEN, _UNLIKELY = 0.06, 0.02  # P(wanted card | place covered), and the floor of P(wanted card) anywhere
_NEVER_EMPTY = 0.9  # by which that floor is lower where plainly nothing lies
_OTHER_COLOUR = 0.12  # P(this company | some station is seen): decks differ in their colours
_AN_END, _CELL_WEIGHT = 1.5, 0.2  # bonus of an end in nats, and the weight of a cell, in the value of a lane
_LEAN, _ENOUGH_TO_TELL = np.radians(2.5), 4  # unit of the cards' common lean, and cards needed to measure it
_LEFT_OUT = 3.0  # nats for stations at both ends of a lane beside the table
_MISPLACED = 1.5  # penalty of a rail card where stations belong, or a station in the lanes


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


@dataclass(frozen=True, eq=False)
class LikelyGrid:
    """A hypothesis: a grid with lanes from 0 and the starts in row 0; ``cards``: rail cards in its cells."""

    lattice: Lattice
    lanes: int
    score: float
    cards: int


def bare_grids(cards: Sequence[DetectedCard]) -> list[LikelyGrid]:
    """The best-scored grids that two rows of stations span, best first."""
    grids = []
    rows = list(_rows([card for card in cards if card.station > 0.5]))
    for upper, lower in permutations(rows, 2):
        for nodes, lanes in _pairings(upper, lower):
            lattice = fitted_to(nodes)
            if lattice is not None:
                grids.append(scored_grid(lattice, lanes, cards))
    return sorted(grids, key=lambda grid: -grid.score)[:_MOST_GRIDS]


@dataclass(frozen=True)
class LaneEvidence:
    """Evidence for one candidate lane.

    For each end P(company), P(covered), P(nothing there) and P(a station unlike any known); for each cell the
    probability of its best class among rail cards and the empty place.
    """

    ends: tuple[Mapping[str, float], Mapping[str, float]]
    covered: tuple[float, float]
    cells: Sequence[float]
    empty: tuple[float, float] = (0.0, 0.0)
    strange: tuple[float, float] = (0.0, 0.0)


def most_likely_lanes(
    evidence: Mapping[int, LaneEvidence], possible: Collection[int] = tuple(ARRIVALS_TO_END)
) -> tuple[float, int, int] | None:
    """The run of neighbouring lanes with the highest value: that value, the first lane, how many lanes.

    None when no run can be a table.
    """
    values = []
    for first in evidence:
        for count in possible:
            lanes = [evidence[lane] for lane in range(first, first + count) if lane in evidence]
            if len(lanes) == count and _may_be_lanes(lanes, known=len(possible) == 1):
                others = [lane for number, lane in evidence.items() if not first <= number < first + count]
                values.append((lanes_value(lanes) - _left_out(others), first, count))
    return max(values, default=None)


def _left_out(lanes: Iterable[LaneEvidence]) -> float:
    """Penalty for lanes beside a table that have both stations: nobody lays others in line with columns."""
    return sum(_LEFT_OUT * min(sum(end.values()) for end in lane.ends) for lane in lanes)


def _may_be_lanes(lanes: Sequence[LaneEvidence], known: bool) -> bool:
    """True if stations are seen at both ends, and enough in all.

    Unless it is ``known`` how many lanes there are, each outermost lane must have one, too.
    """
    known_ones = [[sum(end.values()) for end in lane.ends] for lane in lanes]
    stations = [np.add(own, lane.strange) for own, lane in zip(known_ones, lanes, strict=True)]
    seen = [sum(bool(lane[n] > 0.5) for lane in stations) for n in (0, 1)]
    outermost = min(max(known_ones[0]), max(known_ones[-1]))
    return (
        min(seen) > 0
        and sum(seen) >= max(_LEAST_STATIONS, len(lanes) + 1)
        and (known or outermost > _STATION)
    )


def lanes_value(lanes: Sequence[LaneEvidence]) -> float:
    """Log-likelihood of the lanes as a table, plus a bonus for each end, so that more lanes can win.

    Ends count by P(company) in the most probable assignment of companies, cells by how clear they are.
    """
    columns = likeliest_columns([lane.ends[0] for lane in lanes], [lane.ends[1] for lane in lanes])
    value = 0.0
    for n, lane in enumerate(lanes):
        for end in (0, 1):
            seen = lane.ends[end]
            some = sum(seen.values()) + lane.strange[end]
            p = max(seen.get(columns[end][n], 0.0), _OTHER_COLOUR * some)
            p += _HIDDEN * lane.covered[end]
            value += log(p + _UNLIKELY * (1 - _NEVER_EMPTY * lane.empty[end])) + _AN_END
        value += sum(_CELL_WEIGHT * (log(p + _UNLIKELY) + 1) for p in lane.cells)
    return value


# --- rows of stations ---


def _sides(card: DetectedCard, like: DetectedCard) -> tuple[Places, Places]:
    """The sides of a place, scaled up from its card's, in the directions of another card's."""
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
    taken = np.maximum(across, aside) < _NEAREST_STEP
    away = np.where((aside <= _BESIDE) & (across <= _LONGEST_STEP), across + aside, np.inf)
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
    """From each card to each other in places, (n, n, 2), measured by the mean of both cards' sides."""
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
    pitch = usual / max(1, round(usual - _TOO_SMALL))
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
    if len(upper.cards) + len(lower.cards) < _LEAST_STATIONS:
        return
    along, down = upper.axes
    theirs = lower.axes
    turned = -1 if theirs[0] @ along < 0 else 1
    way = lower.middle - upper.middle
    apart = _solved((along + turned * theirs[0]) / 2, (down + _like(theirs[1], down)) / 2, way)
    if not _APART[0] < abs(apart[1]) < _APART[1] or way.sum() < 0:
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
    return sorted({shift for shift in fitting | {likely} if abs(shift - likely) <= _SLANT})


def _counted(nodes: dict[Node, DetectedCard], mirrored: bool) -> dict[Node, DetectedCard]:
    """The nodes with lanes counted from 0, the other way round where the axes are mirrored."""
    sign = -1 if mirrored else 1
    first = min(sign * lane for lane, _ in nodes)
    return {(sign * lane - first, row): card for (lane, row), card in nodes.items()}


def _windows(nodes: dict[Node, DetectedCard]) -> Iterator[dict[Node, DetectedCard]]:
    """The nodes; where too many lanes seem to have stations, for something beside a row looks like
    one, those of as many neighbouring lanes as it may have, wherever most stations stand.
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


def scored_grid(lattice: Lattice, lanes: int, cards: Sequence[DetectedCard]) -> LikelyGrid:
    """The lattice refitted to all cards that lie in it (two rounds), and its score as a hypothesis."""
    for _ in range(2):
        filled, _ = with_cards(lattice, list(cards), range(lanes))
        again = fitted_to(filled.cards)
        lattice = filled if again is None else again
    stations, misplaced, others = 0, 0, 0
    for (_, row), card in lattice.cards.items():
        if (card.station > 0.5) != (row in (0, ROWS + 1)):
            misplaced += 1
        elif row in (0, ROWS + 1):
            stations += 1
        else:
            others += 1
    missing = 2 * lanes - stations
    score = stations + others - missing - _MISPLACED * misplaced + 0.5 * _fit(lattice)
    score -= _shear_nll(lattice)
    return LikelyGrid(lattice, lanes, score, others)


def _fit(lattice: Lattice) -> float:
    """0 to 1: 1 minus the mean distance of cards from their places, in units of 0.2 places."""
    if not lattice.cards:
        return 0.0
    nodes = np.array(list(lattice.cards), np.float64)
    at = lattice.places(np.array([card.middle for card in lattice.cards.values()]))
    return float(1 - np.clip(np.abs(at - nodes).mean() / 0.2, 0, 1))


def _shear_nll(lattice: Lattice) -> float:
    """Penalty for the cards' median lean against their lanes.

    Cards lie a little askew, but not all to one side. They do where a grid joins each lane of one row to the
    next lane of the other.
    """
    if len(lattice.cards) < _ENOUGH_TO_TELL:
        return 0.0
    leans = []
    for card in lattice.cards.values():
        ends = lattice.places(np.stack([card.middle + card.long, card.middle - card.long]))
        x, y = (ends[0] - ends[1]) * PRINTED.mat.cell
        leans.append(np.arctan(x / y) if abs(y) > 1e-9 else 0.0)
    return float(min(abs(np.median(leans)) / _LEAN, 4.0))
