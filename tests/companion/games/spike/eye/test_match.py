"""Photographs in a match: what an answer proposes is what the rules take, with the picture kept beside it."""

from __future__ import annotations

import pytest

from companion.games.contract import Action, Fact, NoChance
from companion.games.kit.drawing import Quad
from companion.games.kit.evidence import EMPTY, PhotoReading, Quality, SlotReading
from companion.games.kit.records import replaced
from companion.games.spike.eye.readings import BoardReading
from companion.games.spike.eye.seats import answer_for_seat
from companion.games.spike.rules.actions import apply, decide
from companion.games.spike.rules.state import State
from tests.companion.games.spike.eye.boards import BOARD, TO_TULSA, position
from vision.pieces.colours import Palette

PHOTO = "a" * 64
CORNERS: Quad = ((0.0, 0.0), (500.0, 0.0), (500.0, 560.0), (0.0, 560.0))


def photo(colours: dict[str, tuple[str, ...]], shaky: str = "") -> PhotoReading[BoardReading]:
    """A photograph that shows these tracks, one of them hardly."""
    slots = {name: SlotReading({EMPTY: 1.0}) for name in BOARD.tracks}
    for colour, names in colours.items():
        for name in names:
            p = 0.04 if name == shaky else 0.99
            marks = sorted({colour: p, EMPTY: 1 - p}.items(), key=lambda one: -one[1])
            slots[name] = SlotReading(dict(marks))
    palette = Palette({colour: (40.0, 60.0, 20.0 * n) for n, colour in enumerate(colours)}, 4.0)
    sheet = BoardReading("spike", "", 1, CORNERS, slots, Quality("tags", 2.0, 0.9), palette)
    return PhotoReading(500, 560, (sheet,))


def scorekeeper(state: State) -> State:
    return replaced(state, mode="scorekeeper", waiting=(1, 2))


def test_the_umpire_gets_the_build_with_its_picture() -> None:
    state = position({1: (), 2: ()})
    answer = answer_for_seat(photo({"red": TO_TULSA}), state, 1, {}, PHOTO)
    assert answer.action is not None
    fact = decide(state, answer.action, NoChance())
    assert isinstance(fact, Fact)
    assert fact.data["picture"] == {"photo": PHOTO, "settled": {}}
    again = decide(state, Action(fact.kind, fact.seat, fact.data), NoChance())
    assert again == fact  # as replay decides it
    assert set(apply(state, fact).players[1].tracks) == set(TO_TULSA)


def test_one_tap_settles_a_doubt() -> None:
    state, read = position({1: (), 2: ()}), photo({"red": TO_TULSA}, shaky=TO_TULSA[1])
    asked = answer_for_seat(read, state, 1, {}, PHOTO)
    assert asked.action is None
    assert asked.ruling is not None
    assert asked.ruling["doubtful"] == [TO_TULSA[1]]
    assert ["1", pytest.approx(0.04, abs=0.02)] in asked.ruling["questions"][TO_TULSA[1]]
    settled = answer_for_seat(read, state, 1, {TO_TULSA[1]: "1"}, PHOTO)
    assert settled.action is not None
    assert settled.action.data["picture"]["settled"] == {TO_TULSA[1]: "1"}


def test_nothing_new_is_said() -> None:
    state = position({1: TO_TULSA, 2: ()})
    answer = answer_for_seat(photo({"red": TO_TULSA}), state, 1, {}, PHOTO)
    assert answer.action is None
    assert "no new track is seen" in answer.says[0]


def test_for_the_scorekeeper_the_photograph_is_the_report() -> None:
    state = scorekeeper(position({1: (), 2: ()}))
    answer = answer_for_seat(photo({"red": TO_TULSA}), state, 1, {}, PHOTO)
    assert answer.action is not None
    fact = decide(state, answer.action, NoChance())
    assert isinstance(fact, Fact)
    assert fact.data["tracks"] == {"1": sorted(TO_TULSA), "2": []}
    assert fact.data["picture"]["photo"] == PHOTO


def test_whose_colour_it_is_gets_asked_where_nobody_can_know() -> None:
    state = scorekeeper(position({1: (), 2: ()}))
    read = photo({"pink": TO_TULSA})
    asked = answer_for_seat(read, state, 1, {}, PHOTO)
    assert asked.action is None
    assert asked.ruling is not None
    assert "colour:pink" in asked.ruling["doubtful"]
    answer = answer_for_seat(read, state, 1, {"colour:pink": "2"}, PHOTO)
    assert answer.action is not None
    assert answer.action.data["tracks"] == {"1": [], "2": sorted(TO_TULSA)}


@pytest.mark.parametrize("count", [0, 2])
def test_one_board_has_to_be_in_the_picture(count: int) -> None:
    (sheet,) = photo({}).sheets
    answer = answer_for_seat(PhotoReading(500, 560, (sheet,) * count), position({1: (), 2: ()}), 1, {}, PHOTO)
    assert (answer.action, answer.ruling) == (None, None)
    assert answer.says
