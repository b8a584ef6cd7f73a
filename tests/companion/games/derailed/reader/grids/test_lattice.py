"""The grid is found from the cards alone, whatever is missing, and however it is seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.derailed.printing.printed import tag_quads
from companion.games.derailed.reader.cards.detection import DetectedCard
from companion.games.derailed.reader.grids.grid import Detections, Grid
from companion.games.derailed.reader.grids.lattice import CARD_SHARE, Node, find_mats, with_cards
from companion.games.derailed.reader.grids.likelihood import LaneEvidence, most_likely_lanes
from companion.games.derailed.reader.grids.station_rows import station_row_grids
from companion.sheets.tags import tag_number
from lab.studio.cameras import transformed
from vision.register.rectify import Places

# Seen at a tilt: farther rows are smaller and nearer to each other.
TILTED = np.array([[70.0, 6.0, 120.0], [-4.0, 84.0, 90.0], [0.004, 0.03, 1.0]])


def seen(
    matrix: Places, node: Node, turn: float = 0.0, aside: tuple[float, float] = (0, 0), station: float = 0.0
) -> DetectedCard:
    """A card of a lattice as it would be found."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    spin = np.array([[c, s * 89 / 64], [-s * 64 / 89, c]])
    ends = np.array([(0, 0), (0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5)]) * CARD_SHARE
    middle, right, left, low, high = transformed(matrix, np.array(node) + aside + ends @ spin.T)
    return DetectedCard(middle, (right - left) / 2, (low - high) / 2, 0.9, station)


def table(matrix: Places, nodes: list[Node], lanes: int) -> list[DetectedCard]:
    """Stations at both ends, and cards in these places."""
    ends = [seen(matrix, (lane, row), station=1.0) for lane in range(lanes) for row in (0, 5)]
    return ends + [seen(matrix, node) for node in nodes]


def best(cards: list[DetectedCard]) -> Grid:
    return next(station_row_grids(Detections(cards)))


@pytest.mark.parametrize("lanes", [2, 3, 6])
def test_a_table_with_gaps(lanes: int) -> None:
    nodes = [(1, 1), (1, 2), (0, 3)]
    found = best(table(TILTED, nodes, lanes))
    lattice = found.lattice
    assert found.lanes == lanes
    assert set(lattice.cards) == {*nodes, *((lane, row) for lane in range(lanes) for row in (0, 5))}
    middle = np.array([1.0, 3.0])
    assert lattice.pixels(middle) == pytest.approx(transformed(TILTED, middle), abs=2)


def test_starts_are_at_the_top_or_at_the_left() -> None:
    other_end = np.array([[-1.0, 0, 2], [0, -1, 5], [0, 0, 1]])
    for matrix in (TILTED, TILTED @ other_end):
        found = best(table(matrix, [], 3)).lattice
        first, last = (found.pixels(np.array([1.0, row])) for row in (0.0, 5.0))
        left, right = (found.pixels(np.array([lane, 0.0])) for lane in (0.0, 2.0))
        assert (last - first).sum() > 0
        assert right[0] > left[0]


@pytest.mark.parametrize("size", [0.68, 0.85, 1.1])
def test_cards_that_are_found_too_small_or_upside_down(size: float) -> None:
    """A far card's outline is rough, and nobody knows which way up it lies."""
    shown = table(TILTED, [(1, 1)], 4)
    turned = [
        replace(one, short=one.short * sign * size, long=one.long * size)
        for n, one in enumerate(shown)
        for sign in [(-1) ** (n // 2)]
    ]
    assert set(best(turned).lattice.cards) == {(1, 1), *((lane, row) for lane in range(4) for row in (0, 5))}


def test_a_hidden_station() -> None:
    cards = table(TILTED, [(2, 1)], 4)
    assert best(cards[:3] + cards[4:]).lanes == 4


def test_a_card_that_lies_askew_or_elsewhere_is_not_part_of_it() -> None:
    odd = [seen(TILTED, (1, 3), turn=45), seen(TILTED, (-2, 2))]
    found = best([*table(TILTED, [(0, 1)], 3), *odd]).lattice
    assert not {id(card) for card in odd} & {id(card) for card in found.cards.values()}


def lane(
    start: str, destination: str, covered: tuple[float, float] = (0, 0), clear: float = 1.0
) -> LaneEvidence:
    ends = ({start: 0.95} if start else {}, {destination: 0.95} if destination else {})
    return LaneEvidence(ends, covered, [clear] * 4)


def test_lanes_are_those_with_stations_at_both_ends() -> None:
    table = {0: lane("A", "B"), 1: lane("B", "", covered=(0, 0.9)), 2: lane("C", "A")}
    found = most_likely_lanes({-1: lane("", ""), **table, 3: lane("D", "")})
    assert found is not None
    assert found[1:] == (0, 3)
    clearer = most_likely_lanes(table)
    unclear = most_likely_lanes(
        {n: LaneEvidence(one.ends, one.covered, [0.3] * 4) for n, one in table.items()}
    )
    assert clearer is not None
    assert unclear is not None
    assert clearer > unclear


def test_no_lane_with_both_stations_is_left_out_for_their_colours() -> None:
    table = {0: lane("A", "C"), 1: lane("B", "B"), 2: lane("C", "A")}
    unclear = LaneEvidence(({"A": 0.95}, {"A": 0.95}), (0, 0), [0.3] * 4)  # there is an A already
    found = most_likely_lanes(table | {3: unclear})
    assert found is not None
    assert found[1:] == (0, 4)


def test_the_same_companies_stand_at_both_ends() -> None:
    right = most_likely_lanes({0: lane("A", "B"), 1: lane("B", "A")})
    wrong = most_likely_lanes({0: lane("A", "B"), 1: lane("C", "D")})
    assert right is not None
    assert wrong is not None
    assert right > wrong
    assert most_likely_lanes({0: lane("A", ""), 1: lane("B", "")}) is None


def test_what_lies_beside_a_row_of_stations_does_not_make_it_too_long() -> None:
    cards = table(TILTED, [(1, 2), (2, 3)], 5)
    cards += [seen(TILTED, (lane, 0), turn=5, station=1.0) for lane in (5, 6)]  # seven in a row
    found = best(cards)
    assert found.lanes <= 6
    assert found.lattice.places(seen(TILTED, (2, 3)).middle) == pytest.approx([2, 3], abs=0.05)


def test_no_table_without_both_columns() -> None:
    cards = [seen(TILTED, (lane, row), station=1.0) for lane in range(4) for row in (0, 1)]
    assert not list(station_row_grids(Detections(cards)))
    rails = [seen(TILTED, (lane, row)) for lane in range(4) for row in range(6)]
    assert not list(station_row_grids(Detections(rails)))
    assert not list(station_row_grids(Detections([])))


def tags(lanes: int) -> list[tuple[int, Places]]:
    return [(number, 2.0 * np.array(quad) + 50) for number, quad in tag_quads(lanes).items()]


def test_a_mat_by_three_of_its_tags() -> None:
    (mat,) = find_mats(tags(4)[:3])
    assert mat.lanes == 4
    assert mat.lattice.pixels(np.array([1.0, 0.0])) - mat.lattice.pixels(np.zeros(2)) == pytest.approx(
        [128, 0]
    )
    card = seen(mat.lattice.matrix, (2, 3), turn=4, aside=(0.05, -0.04))
    off = seen(mat.lattice.matrix, (2, 3), aside=(0.5, 0))
    lattice, left = with_cards(mat.lattice, [card, off], range(4))
    assert (list(lattice.cards), left) == ([(2, 3)], [off])


def test_no_mat_is_made_up() -> None:
    assert find_mats(tags(4)[:2]) == []
    assert (
        find_mats([(tag_number("railroad-ink/challenge", 1, n), quad) for n, (_, quad) in enumerate(tags(4))])
        == []
    )
    strewn = [(number, np.roll(quad, n, axis=0) + 97 * n) for n, (number, quad) in enumerate(tags(4))]
    assert find_mats(strewn) == []
