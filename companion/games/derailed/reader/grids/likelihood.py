"""The log-likelihood of a picture given a grid: one scale, in nats, for all hypotheses.

Every kind of :class:`Evidence` says what is seen in a grid: detections alone (cheap, for choosing what is
looked at), the classes of its places (:mod:`companion.games.derailed.reader.grids.evidence`), or the
pictures of a taught deck (:mod:`companion.games.derailed.reader.decks.placement`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.reader.cards.detection import DetectedCard
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.grids.columns import likeliest_columns
from companion.games.derailed.reader.grids.grid import Grid
from companion.games.derailed.reader.grids.lattice import Lattice, with_cards
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, ROWS

_C = CONSTANTS.likelihood


@dataclass(frozen=True)
class LaneEvidence:
    """The evidence in one lane.

    For each end P(company), P(covered), P(nothing there) and P(unfamiliar station); for each cell that was
    looked at the highest probability among rail cards and the empty place. ``named`` is False if the
    companies of stations were not classified.
    """

    ends: tuple[Mapping[str, float], Mapping[str, float]]
    covered: tuple[float, float] = (0.0, 0.0)
    cells: Sequence[float] = ()
    empty: tuple[float, float] = (0.0, 0.0)
    strange: tuple[float, float] = (0.0, 0.0)
    named: bool = True

    def station(self, end: int) -> float:
        """P(a station of any kind) at an end."""
        return sum(self.ends[end].values()) + self.strange[end]

    @property
    def neither(self) -> float:
        """P(no station at either end)."""
        first, last = (max(0.0, 1 - self.station(end) - self.covered[end]) for end in (0, 1))
        return first * last


@dataclass(frozen=True)
class GridEvidence:
    """The evidence in a grid and around it.

    ``beside``: lanes beside those of the grid; ``outliers``: the number of cards in no place; ``cells``: the
    log-likelihood of the cells in nats, where more is known than their classes; ``shear``: the angle, in
    radians, of most cards against their lanes.
    """

    lanes: Sequence[LaneEvidence]
    beside: Sequence[LaneEvidence] = ()
    outliers: int = 0
    cells: float = 0.0
    shear: float = 0.0


class Evidence(ABC):
    """Evidence by which the grids of one picture are compared."""

    @abstractmethod
    def seen_in(self, grid: Grid) -> GridEvidence:
        """Collect the evidence in a grid."""


def log_likelihood(grid: Grid, evidence: Evidence) -> float:
    """The log-likelihood ratio, in nats, of the evidence with this grid and without any table."""
    return log_likelihood_of(evidence.seen_in(grid))


def log_likelihood_of(seen: GridEvidence) -> float:
    """The log-likelihood, in nats, of what was seen in a grid.

    Ends count by P(company) in the most probable assignment of companies, each with a bonus, so that more
    lanes can win; cells count by how clear they are.
    """
    starts, destinations = ([lane.ends[end] for lane in seen.lanes] for end in (0, 1))
    named = any(lane.named for lane in seen.lanes)
    columns = likeliest_columns(starts, destinations) if named else ((), ())
    nats = seen.cells
    for n, lane in enumerate(seen.lanes):
        for end in (0, 1):
            station = lane.station(end)
            p = station
            if lane.named:
                p = max(lane.ends[end].get(columns[end][n], 0.0), _C.other_colour * station)
            p += _C.hidden * lane.covered[end]
            nats += log(p + _C.unlikely * (1 - _C.never_empty * lane.empty[end])) + _C.an_end
        nats += sum(_C.cell_weight * (log(p + _C.unlikely) + 1) for p in lane.cells)
        nats -= _C.no_lane * lane.neither if lane.named else 0.0
    # Nobody lays other stations in line with the columns.
    nats -= sum(_C.left_out * min(sum(end.values()) for end in lane.ends) for lane in seen.beside)
    return (
        nats - _C.outlier * seen.outliers - min(abs(seen.shear) / float(np.radians(_C.shear)), _C.most_shear)
    )


def most_likely_lanes(
    seen: Mapping[int, LaneEvidence], possible: Collection[int] = tuple(ARRIVALS_TO_END)
) -> tuple[float, int, int] | None:
    """The run of neighbouring lanes that is likeliest: its log-likelihood, the first lane, how many lanes.

    None when no run can be a table.
    """
    values = []
    for first in seen:
        for count in possible:
            lanes = [seen[lane] for lane in range(first, first + count) if lane in seen]
            if len(lanes) == count and _may_be_lanes(lanes, known=len(possible) == 1):
                others = [lane for number, lane in seen.items() if not first <= number < first + count]
                values.append((log_likelihood_of(GridEvidence(lanes, others)), first, count))
    return max(values, default=None)


def _may_be_lanes(lanes: Sequence[LaneEvidence], known: bool) -> bool:
    """True if stations are seen at both ends, and enough in all.

    Unless it is ``known`` how many lanes there are, each outermost lane must have one, too.
    """
    seen = [sum(bool(lane.station(end) > 0.5) for lane in lanes) for end in (0, 1)]
    outermost = min(max(sum(end.values()) for end in lanes[n].ends) for n in (0, -1))
    return (
        min(seen) > 0
        and sum(seen) >= max(_C.least_stations, len(lanes) + 1)
        and (known or outermost > _C.station)
    )


# --- by detections alone ---


@dataclass(frozen=True)
class DetectedEvidence(Evidence):
    """Evidence by the detected cards in a grid alone: quick, without classification."""

    cards: Sequence[DetectedCard]

    @property
    def without_grid(self) -> float:
        """The log-likelihood of the cards if no grid is there: all are outliers."""
        return log_likelihood_of(GridEvidence((), outliers=count_of(self.cards)))

    def seen_in(self, grid: Grid) -> GridEvidence:
        """Stations and rail cards where they belong, and how well they lie there."""
        lattice, outliers = with_cards(grid.lattice, list(self.cards), range(grid.lanes))
        stations = {node: card.station for node, card in lattice.cards.items() if node[1] in (0, ROWS + 1)}
        lanes = [
            LaneEvidence(
                ({}, {}),
                strange=(stations.get((lane, 0), 0.0), stations.get((lane, ROWS + 1), 0.0)),
                named=False,
            )
            for lane in range(grid.lanes)
        ]
        right = [(card.station > 0.5) == (node in stations) for node, card in lattice.cards.items()]
        rails = sum(card.station <= 0.5 for node, card in lattice.cards.items() if node not in stations)
        nats = _C.detected * rails - _C.misplaced * (len(right) - sum(right))
        if lattice.cards:
            at = lattice.places(np.array([card.middle for card in lattice.cards.values()]))
            off = float(np.abs(at - np.array(list(lattice.cards))).mean())
            nats += _C.fitting * max(0.0, 1 - off / _C.usual_off)
        return GridEvidence(lanes, outliers=count_of(outliers), cells=nats, shear=_shear(lattice))


def in_field(lattice: Lattice, lanes: int, cards: Iterable[DetectedCard]) -> list[DetectedCard]:
    """The rail cards whose middles lie in the lanes."""
    rails = [card for card in cards if card.station < 0.5]
    if not rails:
        return []
    at = lattice.places(np.array([card.middle for card in rails]))
    off = np.abs(at - [(lanes - 1) / 2, (ROWS + 1) / 2]) - [lanes / 2, ROWS / 2]
    return [card for card, away in zip(rails, off.max(axis=1).tolist(), strict=True) if away < 0]


def count_of(cards: Iterable[DetectedCard]) -> int:
    """The number of detections that surely are cards."""
    return sum(card.likely > _C.surely for card in cards)


def _shear(lattice: Lattice) -> float:
    """The median of the angles, in radians, by which cards are turned against their lanes.

    Cards lie a little askew, but not all to one side. They do where a grid joins each lane of one row to the
    next lane of the other.
    """
    if len(lattice.cards) < _C.enough_to_tell:
        return 0.0
    middles, longs = np.array([(card.middle, card.long) for card in lattice.cards.values()]).swapaxes(0, 1)
    one, other = lattice.places(np.stack([middles + longs, middles - longs]))
    x, y = ((one - other) * PRINTED.mat.cell).T
    return float(np.median(np.arctan(x / np.where(np.abs(y) > 1e-9, y, np.inf))))
