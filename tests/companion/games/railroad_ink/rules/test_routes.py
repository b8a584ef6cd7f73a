"""The vocabulary and its notation: the whole domain, there and back."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.games.railroad_ink.rules.boards.routes import (
    EXTRA_SHAPES,
    ROUTES,
    SHAPES,
    VOCABULARY,
    parse_route,
    shape_of,
    turned,
    turnings,
)
from companion.games.railroad_ink.rules.rulebook import DICE, SPECIAL_SHAPES
from companion.sheets.grid import SYMMETRIES


def test_there_are_seventy_drawings_of_twenty_one_shapes() -> None:
    assert (len(VOCABULARY), len(ROUTES), len(SHAPES)) == (70, 70, 21)


def test_every_route_is_read_as_it_is_printed() -> None:
    for route in VOCABULARY:
        assert parse_route(str(route)) is route
        assert VOCABULARY[route.number] is route


def test_the_ends_may_stand_in_any_order() -> None:
    for route in VOCABULARY:
        bare = route.text.removesuffix("*")
        for pieces in permutations(bare.split("|")):
            for text in {"|".join("".join(ends) for ends in [permutation_of(piece) for piece in pieces])}:
                assert parse_route(text + "*" * route.station) is route


def permutation_of(piece: str) -> tuple[str, ...]:
    return tuple(reversed(piece))


def test_every_shape_is_a_die_face_or_a_special_route() -> None:
    base = {face for die in "ABCD" for face in DICE[die]}
    assert {*SPECIAL_SHAPES, *base} == set(SHAPES)
    assert {face for faces in DICE.values() for face in faces} <= {*SHAPES, *EXTRA_SHAPES}


def test_turning_stays_in_the_vocabulary_and_in_the_shape() -> None:
    for route in VOCABULARY:
        images = {turned(route, symmetry) for symmetry in SYMMETRIES}
        assert images == set(turnings(route.text))
        assert {shape_of(image) for image in images} == {shape_of(route)}


def test_no_end_is_of_both_types_and_only_stations_mix_them() -> None:
    for route in VOCABULARY:
        assert not route.highway & route.railway
        for piece in route.pieces:
            assert route.station or not (piece.highway and piece.railway)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ns", "write 'Ns*'"),
        ("NEs*", "no die and no special route looks like that"),
        ("NS*", "no die and no special route looks like that"),
        ("N", "a single end is a terminal station"),
        ("NN", "is no route"),
        ("Nn*", "is no route"),
        ("NS|NS", "is no route"),
        ("NS||ew", "is no route"),
        ("north", "is no route"),
        ("", "is no route"),
        ("N" * 100, "is no route"),
    ],
)
def test_what_is_no_route_is_said(text: str, said: str) -> None:
    with pytest.raises(NotationError, match=r"route|looks|station") as caught:
        parse_route(text)
    assert said in caught.value.message
    assert len(caught.value.message) < 250


@given(st.text(alphabet="NESWnesw|*", max_size=10))
def test_whatever_is_read_prints_as_one_of_the_seventy(text: str) -> None:
    try:
        route = parse_route(text)
    except NotationError:
        assert text not in ROUTES
    else:
        assert set(text) == set(route.text) or sorted(text) == sorted(route.text)
        assert route in VOCABULARY
