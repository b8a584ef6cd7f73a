import pytest

from companion.games.railroad_ink.printing.art import route_shapes
from companion.games.railroad_ink.printing.linework import Bend, Path, edge, ends_of, kerbs, spines
from companion.games.railroad_ink.rules.boards.routes import TYPES, VOCABULARY, Route


def _touched(path: Path) -> set[int]:
    """The edges of the cell that a line begins or ends on."""
    places = {0: (1, 0.0), 1: (0, 1.0), 2: (1, 1.0), 3: (0, 0.0)}
    return {d for d, (axis, at) in places.items() for point in (path[0], path[-1]) if point[axis] == at}


@pytest.mark.parametrize("route", VOCABULARY, ids=str)
@pytest.mark.parametrize("bend", [Bend(0), Bend(0.6), Bend(1), Bend(1, cut=True)])
def test_axes_reach_just_the_ends_of_the_route(route: Route, bend: Bend) -> None:
    for kind in TYPES:
        reached = [
            direction
            for piece in route.pieces
            for spine in spines(piece, bend)
            if spine.kind == kind
            for direction in range(4)
            if edge(direction) in (spine.points[0], spine.points[-1])
        ]
        assert sorted(reached) == list(ends_of(route.ends[kind]))


@pytest.mark.parametrize("route", VOCABULARY, ids=str)
def test_every_highway_end_has_two_kerbs(route: Route) -> None:
    for piece in route.pieces:
        touched = [end for path in kerbs(piece.highway, 0.1, Bend(1)) for end in _touched(path)]
        assert sorted(touched) == sorted(ends_of(piece.highway) * 2)


def test_no_two_routes_are_printed_alike() -> None:
    drawings = {route_shapes(route, (0, 0), 16) for route in VOCABULARY}
    assert len(drawings) == len(VOCABULARY)
