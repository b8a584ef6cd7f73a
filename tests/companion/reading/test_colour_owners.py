"""Whose colour is whose: what was said, what lay there, whose turn it is, what people chose."""

from __future__ import annotations

import pytest

from companion.core.errors import NotationError
from companion.reading.colour_owners import STRANGE, Called, Players, find_players, in_seats, told_colours
from companion.reading.evidence import SheetProbabilities

CHOSEN = {"red": 1, "blue": 2, "purple": 3}


def seen(colour: str, *places: str) -> SheetProbabilities:
    return {place: {colour: 0.99, "": 0.01} for place in places}


def test_people_play_what_they_chose() -> None:
    players = find_players({}, ["purple", "red"], {1: (), 2: (), 3: ()}, {}, chosen=CHOSEN)
    assert (players.seats, players.unsure) == ({"purple": 3, "red": 1}, {})


def test_a_colour_that_nobody_chose_is_unsure_though_one_seat_is_left() -> None:
    players = find_players({}, ["purple", "red", "black"], {1: (), 2: (), 3: ()}, {}, chosen=CHOSEN)
    assert set(players.unsure) == {"black"}
    shares = players.unsure["black"]
    assert max(shares, key=shares.__getitem__) == 2
    assert sum(shares.values()) == pytest.approx(1)


def test_what_only_looks_like_a_chosen_colour_is_asked_about_while_somebodys_colour_is_missing() -> None:
    """Turquoise is called blue where blue was chosen and turquoise was not; it may be anybody's."""
    none: dict[int, tuple[str, ...]] = {1: (), 2: (), 3: ()}
    far, near = (Called(by_looks={"red": 0.9, "blue": p}) for p in (0.004, 0.6))
    players = find_players({}, ["red", "blue"], none, {}, chosen=CHOSEN, called=far)
    assert set(players.unsure) == {"blue"}
    shares = players.unsure["blue"]
    assert max(shares, key=shares.__getitem__) == 2
    assert find_players({}, ["red", "blue"], none, {}, chosen=CHOSEN, called=near).unsure == {}
    every = find_players({}, ["red", "blue", "purple"], none, {}, chosen=CHOSEN, called=far)
    assert every.unsure == {}, "everybody's colour is there"
    built = find_players({}, ["red", "blue"], none, {}, builder=2, chosen=CHOSEN, called=far)
    assert built.unsure == {}
    there = find_players(
        seen("blue", "a"), ["red", "blue"], {**none, 2: ("a",)}, {}, chosen=CHOSEN, called=far
    )
    assert there.unsure == {}


def test_what_lay_there_says_more_than_what_was_chosen() -> None:
    probabilities = {**seen("green", "a", "b", "c"), **seen("red", "d")}
    players = find_players(
        probabilities, ["green", "red"], {1: ("a", "b", "c"), 2: ("d",)}, {}, chosen=CHOSEN
    )
    assert (players.seats, players.unsure) == ({"green": 1, "red": 2}, {})


def test_only_whose_turn_it_is_can_have_built() -> None:
    probabilities = {**seen("red", "a"), **seen("brown", "b")}
    players = find_players(probabilities, ["red", "brown"], {1: ("a",), 2: ()}, {}, builder=2, chosen=CHOSEN)
    assert (players.seats, players.unsure) == ({"red": 1, "brown": 2}, {})


def test_a_name_that_is_not_sure_makes_its_owner_unsure() -> None:
    also = {"red": {"orange": 0.45}}
    players = find_players(
        {}, ["red"], {1: (), 2: ()}, {}, chosen={"red": 1, "orange": 2}, called=Called(also)
    )
    assert set(players.unsure) == {"red"}


def test_what_was_said_counts_and_a_seat_may_have_a_second_colour() -> None:
    players = find_players({}, ["red", "black"], {1: (), 2: ()}, {"black": 1, "red": 1}, chosen=CHOSEN)
    assert (players.seats, players.unsure) == ({"black": 1, "red": 1}, {})
    probabilities = seen("purple", "a", "b")
    players = find_players(probabilities, ["purple", "black"], {1: ("a", "b"), 2: ()}, {"black": 1})
    assert (players.seats, players.unsure) == ({"black": 1, "purple": 1}, {})


def test_marks_of_nobody_are_strange() -> None:
    probabilities = {"a": {"red+black": 0.5, "black": 0.25, "": 0.25}}
    assert in_seats(probabilities, Players({"red": 1})) == {"a": {STRANGE: 0.75, "": 0.25}}
    assert in_seats(probabilities, Players({"red": 2, "black": 1})) == {
        "a": {"1+2": 0.5, "1": 0.25, "": 0.25}
    }


def test_answers_about_colours_are_told_from_the_others() -> None:
    whose, others = told_colours({"colour:red": "2", "colour:black": "", "a1": "1"}, [1, 2])
    assert (whose, others) == ({"red": 2, "black": None}, {"a1": "1"})
    with pytest.raises(NotationError, match="no seat 7"):
        told_colours({"colour:red": "7"}, [1, 2])


def test_twelve_colours_and_six_seats_are_settled_at_once() -> None:
    """Every way to give colours to seats is weighed: there must not be too many."""
    colours = [f"colour {n}" for n in range(12)]
    players = find_players({}, colours, dict.fromkeys(range(1, 7), ()), {}, chosen=CHOSEN)
    assert set(players.unsure) == set(colours)
