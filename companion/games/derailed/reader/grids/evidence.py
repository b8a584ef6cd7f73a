"""The evidence in the places of a grid, as class probabilities of the reading network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.derailed.reader.cards.classification import (
    ImagePyramid,
    Probabilities,
    as_found,
    class_probabilities,
)
from companion.games.derailed.reader.cards.detection import DetectedCard
from companion.games.derailed.reader.cards.faces import (
    BACK,
    CLASS_NUMBER,
    COVERED,
    EMPTY,
    FACES_OF,
    STATION_CLASSES,
    STATIONS_OF,
)
from companion.games.derailed.reader.cards.surface import as_empty, like_the_table
from companion.games.derailed.reader.grids.grid import Grid
from companion.games.derailed.reader.grids.lattice import Lattice, Node, with_cards
from companion.games.derailed.reader.grids.likelihood import (
    Evidence,
    GridEvidence,
    LaneEvidence,
    count_of,
    in_field,
)
from companion.games.derailed.rules.rulebook import ROWS


@dataclass(frozen=True, eq=False)
class SeenEvidence(Evidence):
    """The classes of all places of a grid, and the detected cards that lie in none of them."""

    picture: ImagePyramid
    cards: Sequence[DetectedCard]

    def seen_in(self, grid: Grid) -> GridEvidence:
        """The evidence in the lanes of a grid."""
        lanes = self.lanes_of(grid.lattice, range(grid.lanes))
        _, left = with_cards(grid.lattice, list(self.cards), range(grid.lanes))
        return GridEvidence(list(lanes.values()), outliers=count_of(in_field(grid.lattice, grid.lanes, left)))

    def lanes_of(self, lattice: Lattice, lanes: range, known: bool = True) -> dict[int, LaneEvidence]:
        """The evidence in each lane of a lattice.

        If it is not ``known`` how many there are, those beyond the outermost stations cannot be lanes, and
        their cells are not looked at.
        """
        picture = self.picture
        lattice, _ = with_cards(lattice, list(self.cards), lanes)
        ends = seen_at(picture, lattice, [(lane, row) for lane in lanes for row in (0, ROWS + 1)])
        self._uncover(lattice, ends)
        inner = lanes
        if not known:
            stations = {
                lane
                for (lane, row), own in ends.items()
                if own[STATIONS_OF].sum() + _strange(own, lattice.cards.get((lane, row))) > 0.5
            }
            inner = range(min(stations, default=0), max(stations, default=-1) + 1)
        cells = seen_at(picture, lattice, [(lane, row) for lane in inner for row in range(1, ROWS + 1)])
        return {
            lane: lane_evidence(lattice, ends, lane, [_clear(cells[lane, row]) for row in range(1, ROWS + 1)])
            for lane in inner
        }

    def _uncover(self, lattice: Lattice, ends: dict[Node, Probabilities]) -> None:
        """Ends that are called covered, but look as the table does around the lanes, are empty."""
        lanes = [lane for (lane, _), own in ends.items() if own[STATIONS_OF].sum() > 0.5]
        doubted = [
            node
            for node, own in ends.items()
            if node[0] in lanes and node not in lattice.cards and own.argmax() == CLASS_NUMBER[COVERED]
        ]
        if doubted:
            taken = {lattice.node_at(card.middle) for card in self.cards}
            used = range(min(lanes), max(lanes) + 1)
            alike = like_the_table(self.picture, lattice, used, doubted, taken)
            ends |= {node: as_empty(ends[node]) for node in doubted if alike[node]}


def seen_at(picture: ImagePyramid, lattice: Lattice, nodes: Sequence[Node]) -> dict[Node, Probabilities]:
    """The probability of every class in these places, each cut out where its card was detected."""
    quads = [as_found(lattice, node) for node in nodes]
    return dict(zip(nodes, class_probabilities(picture, quads), strict=True))


def lane_evidence(
    lattice: Lattice, ends: dict[Node, Probabilities], lane: int, cells: Sequence[float] = ()
) -> LaneEvidence:
    """The evidence of one lane by the classes of its ends, and how clear its cells are."""
    first, last = (lane, 0), (lane, ROWS + 1)

    def of_both(number: int) -> tuple[float, float]:
        return float(ends[first][number]), float(ends[last][number])

    def companies(node: Node) -> dict[str, float]:
        return dict(zip(STATION_CLASSES, ends[node][STATIONS_OF].tolist(), strict=True))

    return LaneEvidence(
        (companies(first), companies(last)),
        of_both(CLASS_NUMBER[COVERED]),
        cells,
        of_both(CLASS_NUMBER[EMPTY]),
        (_strange(ends[first], lattice.cards.get(first)), _strange(ends[last], lattice.cards.get(last))),
    )


def _clear(own: Probabilities) -> float:
    """How clear a cell is: P(best card), or P(empty) plus half of P(covered), the larger one."""
    return max(float(own[FACES_OF].max()), float(own[CLASS_NUMBER[EMPTY]] + 0.5 * own[CLASS_NUMBER[COVERED]]))


def _strange(own: Probabilities, card: DetectedCard | None) -> float:
    """P(an unfamiliar station) at an end: detected as a station, but classified as a back or covered."""
    if card is None or card.station < 0.5:
        return 0.0
    return float(own[CLASS_NUMBER[BACK]] + own[CLASS_NUMBER[COVERED]]) * card.station
