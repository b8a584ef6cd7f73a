"""A grid grows from card to card where too few stations are seen as such."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.derailed.reader.cards.detection import DetectedCard
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.grids.grid import Detections, Grid
from companion.games.derailed.reader.grids.growing import grown_grids
from companion.games.derailed.reader.grids.lattice import Lattice, Node
from companion.games.derailed.reader.grids.likelihood import (
    DetectedEvidence,
    GridEvidence,
    LaneEvidence,
    in_field,
    log_likelihood,
    log_likelihood_of,
    most_likely_lanes,
)
from companion.games.derailed.reader.grids.station_rows import station_row_grids
from lab.studio.cameras import transformed
from tests.companion.games.derailed.reader.grids.test_lattice import TILTED, seen
from vision.register.rectify import Places

RAILS: list[Node] = [(0, 1), (1, 1), (0, 2), (1, 2), (1, 3)]
COMPANY = {"A": 1.0}


def half_covered_table(matrix: Places = TILTED) -> list[DetectedCard]:
    """Rail cards in two lanes; a hand lies over one column of stations."""
    return [seen(matrix, (lane, 5), station=1.0) for lane in (0, 1)] + [seen(matrix, node) for node in RAILS]


@pytest.mark.parametrize("turn", [0, 40, 160, 250])
def test_one_column_of_stations_and_the_rail_cards_are_enough(turn: int) -> None:
    angle = np.radians(turn)
    c, s = np.cos(angle), np.sin(angle)
    turned = np.array([[c, -s, 400], [s, c, 400], [0, 0, 1]]) @ TILTED
    assert not list(station_row_grids(Detections(half_covered_table(turned))))
    found = next(iter(grown_grids(Detections(half_covered_table(turned)))))
    assert found.lanes == 2
    assert sum(0 < row < 5 for _, row in found.lattice.cards) == len(RAILS)
    ends = {tuple(np.round(found.lattice.pixels(np.array(node, float)))) for node in ((0, 0), (1, 5))}
    ways = [((0, 0), (1, 5)), ((1, 5), (0, 0))]
    true = [{tuple(np.round(transformed(turned, np.array(node, float)))) for node in way} for way in ways]
    assert any(np.allclose(sorted(ends), sorted(one), atol=6) for one in true)


def test_a_card_that_lies_across_or_far_away_joins_nothing() -> None:
    others = [seen(TILTED, (4, 2), turn=90), seen(TILTED, (-3, 4), turn=45)]
    found = next(iter(grown_grids(Detections(others + half_covered_table()))))
    assert len(found.lattice.cards) == len(half_covered_table())
    assert not list(grown_grids(Detections(others)))


def test_a_lane_with_plainly_nothing_at_an_end_is_worth_less_than_one_that_is_covered() -> None:
    none = (0.0, 0.0)

    def value(
        covered: tuple[float, float] = none,
        empty: tuple[float, float] = none,
        strange: tuple[float, float] = none,
    ) -> float:
        return log_likelihood_of(
            GridEvidence([LaneEvidence((COMPANY, {}), covered, [1.0] * 4, empty, strange)])
        )

    assert value(empty=(0.0, 1.0)) < value() < value(covered=(0.0, 1.0))
    assert value() < value(strange=(0.0, 1.0))


def test_no_outermost_lane_is_made_of_strange_stations_alone() -> None:
    full = LaneEvidence(({"A": 1.0}, {"B": 1.0}), (0.0, 0.0), [1.0] * 4)
    other = LaneEvidence(({"B": 1.0}, {"A": 1.0}), (0.0, 0.0), [1.0] * 4)
    strange = LaneEvidence(({}, {}), (0.0, 0.0), [1.0] * 4, strange=(1.0, 1.0))
    found = most_likely_lanes({0: full, 1: other, 2: strange})
    assert found is not None
    assert found[1:] == (0, 2)


def test_what_is_hardly_likely_is_no_grid() -> None:
    rails = [seen(TILTED, node, station=1.0) for node in RAILS]  # stations where rail cards belong
    evidence = DetectedEvidence(rails)
    likely = [log_likelihood(grid, evidence) for grid in grown_grids(Detections(rails))]
    assert all(value > evidence.without_grid + CONSTANTS.growing.least_likely for value in likely)


def test_rail_cards_between_places_speak_against_a_grid() -> None:
    grid = Grid(Lattice(TILTED, {}), 2)
    between, beside = seen(TILTED, (0, 2), aside=(0.5, 0)), seen(TILTED, (4, 2))
    station = seen(TILTED, (1, 3), aside=(0.5, 0), station=1.0)
    assert in_field(grid.lattice, 2, [between, beside, station]) == [between]
    few, more = (DetectedEvidence(cards) for cards in ([], [between]))
    assert log_likelihood(grid, more) < log_likelihood(grid, few)


def test_a_grid_sheared_by_a_lane_is_less_likely() -> None:
    cards = half_covered_table()
    shear = np.array([[1, 1 / 5, 0], [0, 1, 0], [0, 0, 1]])
    true, sheared = (Grid(Lattice(TILTED @ one, {}), 2) for one in (np.eye(3), shear))
    assert log_likelihood(true, DetectedEvidence(cards)) > log_likelihood(sheared, DetectedEvidence(cards))
