from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sheets.lattice import (
    Lattice,
    are_neighbours,
    distance,
    edge,
    from_doubled,
    neighbours,
    to_doubled,
    within,
)

PLACES = st.tuples(st.integers(-40, 40), st.integers(-40, 40))
LATTICES = st.builds(
    Lattice,
    st.floats(1, 40),
    st.tuples(st.floats(-100, 100), st.floats(-100, 100)),
    st.booleans(),
)


@given(LATTICES, PLACES)
def test_neighbours_are_one_pitch_apart_and_turn_clockwise(lattice: Lattice, place: tuple[int, int]) -> None:
    here = lattice.at(place)
    around = [lattice.at(near) for near in neighbours(place)]
    assert all(dist(here, near) == pytest.approx(lattice.pitch, abs=1e-6) for near in around)
    for one, other in zip(around, [*around[1:], around[0]], strict=True):
        turn = (one[0] - here[0]) * (other[1] - here[1]) - (one[1] - here[1]) * (other[0] - here[0])
        assert turn > 0  # clockwise where y grows downwards


@given(PLACES, PLACES)
def test_distance_is_the_length_of_the_shortest_walk(one: tuple[int, int], other: tuple[int, int]) -> None:
    steps = distance(one, other)
    assert steps == distance(other, one)
    assert (steps == 0) == (one == other)
    if steps:
        assert min(distance(near, other) for near in neighbours(one)) == steps - 1


@given(PLACES, st.integers(0, 5))
def test_within_holds_exactly_what_is_near(centre: tuple[int, int], radius: int) -> None:
    found = list(within(centre, radius))
    assert len(found) == len(set(found)) == 3 * radius * (radius + 1) + 1
    assert all(distance(centre, place) <= radius for place in found)


@given(LATTICES, PLACES, st.floats(0, 0.49), st.floats(0, 360))
def test_the_nearest_point_is_found_again(
    lattice: Lattice, place: tuple[int, int], off: float, angle: float
) -> None:
    x, y = lattice.at(place)
    shifted = (x + off * lattice.pitch * (angle / 360), y + off * lattice.pitch * (1 - angle / 360) / 2)
    near = lattice.nearest(shifted)
    assert dist(lattice.at(near), shifted) <= dist((x, y), shifted) + 1e-6


def test_an_edge_is_the_same_from_both_ends_and_joins_neighbours_only() -> None:
    assert edge((0, 0), (0, 1)) == edge((0, 1), (0, 0))
    assert not are_neighbours((0, 0), (1, 1))
    with pytest.raises(ValueError, match="2 steps apart"):
        edge((0, 0), (1, 1))


@given(PLACES)
def test_doubled_coordinates_go_there_and_back(place: tuple[int, int]) -> None:
    assert from_doubled(*to_doubled(place)) == place
    with pytest.raises(ValueError, match="must be even"):
        from_doubled(0, 1)
