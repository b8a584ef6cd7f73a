"""Whose lines are whose on the map of a match: colours that people chose, and others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from companion.core.records import replaced
from companion.game.base import Fact, MatchRequest, NoChance, Refusal
from companion.games.empire_builder.reader.overlay import laid_over
from companion.games.empire_builder.reader.owners import of_the_builder
from companion.games.empire_builder.reader.reader import EmpireBuilderReader
from companion.games.empire_builder.reader.reading import MapPhoto, MapReading
from companion.games.empire_builder.reader.ruling import MapRuling
from companion.games.empire_builder.rules.boards.board import board
from companion.games.empire_builder.rules.match.game import EmpireBuilder
from companion.games.empire_builder.rules.match.state import State
from companion.reading.evidence import (
    EMPTY,
    OF_ANOTHER_BOARD,
    PhotoReading,
    Quality,
    Questions,
    SlotReading,
)
from companion.reading.types import Scope, SeatAnswer
from companion.table.chance import SeededChance
from lab.empire_builder.studio.networks import played
from tests.companion.games.asking import PEOPLE, all_answered, answering
from vision.register.rectify import Placement

answer_for_seat = answering(EmpireBuilderReader())

GAME, ON, PHOTO = EmpireBuilder(), board(), "a" * 64
# Lines that may stand on one map: what two seats have built in a made-up match.
_TRACK = played(np.random.default_rng(5), 2, 8).after.track
LINES = {seat: {ON.edge_names[edge] for edge, one in _TRACK.items() if one == seat} for seat in (1, 2)}


def photo(lines: Mapping[str, set[str]], chosen: Mapping[str, int]) -> MapPhoto:
    """A photograph that shows these lines."""
    slots = {name: SlotReading({colour: 0.999, EMPTY: 0.001}) for colour in lines for name in lines[colour]}
    sheet = MapReading(
        sheet="empire-builder",
        edition="map",
        seat=1,
        corners_px=((0.0, 0.0), (500.0, 0.0), (500.0, 500.0), (0.0, 500.0)),
        slots=slots,
        quality=Quality("tags", 2.0, 0.9),
        crayons=dict.fromkeys(lines, "#804020"),
        players=chosen,
        seats=chosen,
        placement=Placement(np.eye(3)),
    )
    return PhotoReading(500, 500, (sheet,))


def scorekeeper(seats: int, first: int = 0) -> State:
    setup = GAME.setup(MatchRequest(seats, "scorekeeper", {"first": first} if first else {}), SeededChance(1))
    assert not isinstance(setup, Refusal)
    return GAME.start(setup)


def reported(state: State, answer: SeatAnswer[MapReading, MapRuling]) -> State:
    assert answer.action is not None, answer
    fact = GAME.decide(state, answer.action, NoChance())
    assert isinstance(fact, Fact)
    return GAME.apply(state, fact)


def of(state: State, seat: int) -> set[str]:
    return {ON.edge_names[edge] for edge, one in state.track.items() if one == seat}


def asked(answer: SeatAnswer[MapReading, MapRuling]) -> Questions:
    assert answer.ruling is not None
    return answer.ruling.questions


@pytest.mark.parametrize("first", [1, 2])
def test_a_line_is_of_whoever_chose_its_colour_whoever_has_the_turn(first: int) -> None:
    state = scorekeeper(2, first)
    answer = answer_for_seat(photo({"red": LINES[1]}, {"red": 1, "blue": 2}), state, 2, {}, PHOTO)
    assert of(reported(state, answer), 1) == LINES[1]
    answer = answer_for_seat(photo({"red": LINES[2]}, {"yellow": 1, "red": 2}), state, 1, {}, PHOTO)
    assert of(reported(state, answer), 2) == LINES[2]


def test_nobody_need_play_the_colour_that_is_printed_for_the_seat() -> None:
    state = scorekeeper(3)
    read = photo({"purple": LINES[1], "blue": LINES[2]}, {"purple": 1, "green": 2, "blue": 3})
    after = reported(state, answer_for_seat(read, state, 1, {}, PHOTO))
    assert (of(after, 1), of(after, 2), of(after, 3)) == (LINES[1], set(), LINES[2])


@pytest.mark.parametrize("colour", ["purple", "brown", "black"])
def test_lines_in_a_colour_that_nobody_chose_are_asked_about(colour: str) -> None:
    state = scorekeeper(2)
    read = photo({colour: LINES[1], "blue": LINES[2]}, {"red": 1, "blue": 2})
    answer = answer_for_seat(read, state, 1, {}, PHOTO)
    assert answer.action is None
    assert answer.ruling is not None
    assert answer.ruling.outcome == "ask"
    slot = f"colour:{colour}"
    assert list(asked(answer)) == [slot]
    assert [mark for mark, _ in asked(answer)[slot]] == ["1", "2", None]
    assert laid_over(read.sheets[0], answer.ruling).slots[slot].says == f"the {colour} lines"
    after = reported(state, answer_for_seat(read, state, 1, {slot: "1"}, PHOTO))
    assert (of(after, 1), of(after, 2)) == (LINES[1], LINES[2])
    again = answer_for_seat(read, after, 1, {}, PHOTO)  # from now on its lines say it
    assert (again.action, asked(again)) == (None, {})
    assert "nothing has changed on the map since the last report" in again.says


def test_a_colour_of_nobody_is_left_out_and_that_is_said() -> None:
    state = scorekeeper(2)
    read = photo({"pink": LINES[1], "blue": LINES[2]}, {"red": 1, "blue": 2})
    answer = answer_for_seat(read, state, 1, {"colour:pink": ""}, PHOTO)
    assert "nobody is known to draw in pink" in answer.says
    after = reported(state, answer)
    assert (of(after, 1), of(after, 2)) == (set(), LINES[2])


def test_the_lines_of_the_turn_are_of_whose_turn_it_is() -> None:
    setup = GAME.setup(MatchRequest(2, "umpire", {}), SeededChance(1))
    assert not isinstance(setup, Refusal)
    state = GAME.start(setup)
    majors = set(ON.major_mileposts)
    line = next(name for name in sorted(LINES[1]) if majors & set(ON.edges[ON.edges_called[name]]))
    answer = answer_for_seat(photo({"brown": {line}}, {"red": 1, "blue": 2}), state, state.seat, {}, PHOTO)
    assert answer.ruling is not None
    assert asked(answer) == {}
    assert answer.ruling.labels == {line: str(state.seat)}


def test_a_grey_picture_of_the_turn_is_enough() -> None:
    edge, other = (ON.edges_called[name] for name in sorted(LINES[1])[:2])
    looks = {edge: {"1": 0.495, "2": 0.495, EMPTY: 0.01}, other: {"1": 0.495, "2": 0.495, EMPTY: 0.01}}
    found = of_the_builder(looks, {other: 1}, 2)
    assert found == {edge: {"2": pytest.approx(0.99), EMPTY: 0.01}, other: looks[other]}


# Seat 2's line begins beside Chicago, and nothing is drawn between.
_BESIDE = {"ao40-ao42", "ao42-ao44", "ao44-ao46"}


def beside_chicago(first: str, second: str) -> MapPhoto:
    return photo({first: {"an39-ao38", "am40-an39"}, second: _BESIDE}, {"green": 1, "yellow": 2})


def test_that_nothing_is_drawn_in_a_gap_is_an_answer() -> None:
    state = scorekeeper(2)
    read = beside_chicago("green", "yellow")
    assert list(asked(answer_for_seat(read, state, 1, {}, PHOTO)))[:1] == ["ao38-ao40"]
    told = all_answered(partial(answer_for_seat, read, state, 1, photo=PHOTO), "nothing")
    assert told.action is None
    assert told.says[0].startswith("joined to no major city and to no track of seat 2: ao40-ao42, ")


@pytest.mark.parametrize("person", PEOPLE)
@pytest.mark.parametrize("mode", ["umpire", "scorekeeper"])
@pytest.mark.parametrize("scope", ["turn", "whole"])
def test_nothing_is_asked_twice(person: str, mode: str, scope: Scope) -> None:
    """Whatever people answer, about colours and about lines: gaps, crumbs, faint and vanished lines."""
    empty = replaced(scorekeeper(2, 1), mode=mode)
    before = replaced(empty, track={ON.edges_called[name]: 2 for name in ("al47-am46", "am46-am48")})
    shaky = photo({"red": {"an39-ao38", "z61-z63"}, "blue": {"am40-an39"}}, {"red": 1, "blue": 2})
    (sheet,) = shaky.sheets
    faint = {"am40-an41": SlotReading({"red": 0.6, EMPTY: 0.4}), "al47-am46": SlotReading({EMPTY: 1.0})}
    shaky = replace(shaky, sheets=(replace(sheet, slots={**sheet.slots, **faint}),))
    for state in (empty, before):
        for read in (beside_chicago("green", "yellow"), beside_chicago("brown", "pink"), shaky):
            all_answered(partial(answer_for_seat, read, state, 1, photo=PHOTO, scope=scope), person)


def test_a_map_of_another_match_is_refused_rather_than_asked_about() -> None:
    """Nearly nothing is to be seen of what the match has."""
    state = replaced(scorekeeper(2), track={ON.edges_called[name]: 1 for name in LINES[1]})
    few = set(sorted(LINES[1])[:2])
    assert len(LINES[1] - few) > 12
    read = photo({"red": few}, {"red": 1, "blue": 2})
    answer = answer_for_seat(read, state, 1, {}, PHOTO)
    assert answer.ruling is not None
    assert (answer.ruling.outcome, asked(answer), answer.action) == ("refused", {}, None)
    assert answer.says == (OF_ANOTHER_BOARD,)


def test_nobody_is_told_to_draw_again_what_they_said_is_not_there() -> None:
    state = replaced(scorekeeper(2), track={ON.edges_called[name]: 1 for name in LINES[1]})
    gone = max(LINES[1])
    read = photo({"red": LINES[1] - {gone}}, {"red": 1, "blue": 2})
    answer = answer_for_seat(read, state, 1, {}, PHOTO)
    assert set(asked(answer)) == {gone}
    assert any("Draw it again" in sentence for sentence in answer.says)
    told = answer_for_seat(read, state, 1, {gone: ""}, PHOTO)
    assert told.says == ()
    assert of(reported(state, told), 1) == LINES[1] - {gone}
