"""Photographs in a match: what an answer proposes is what the rules take, with the picture kept beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import pytest

from companion.core.records import replaced
from companion.game.base import Action, Fact, NoChance
from companion.games.spike.reader.reader import SpikeReader
from companion.games.spike.reader.readings import BoardReading
from companion.games.spike.reader.seats import of_one_seat
from companion.games.spike.reader.verdict import BoardRuling
from companion.games.spike.rules.match.actions import apply, decide
from companion.games.spike.rules.match.state import State
from companion.reading.evidence import EMPTY, OF_ANOTHER_BOARD, PhotoReading, Quality, SlotReading
from companion.reading.types import Scope, SeatAnswer
from companion.sheets.drawing import Quad
from tests.companion.games.asking import PEOPLE, all_answered, answering
from tests.companion.games.spike.reader.boards import BOARD, TO_TULSA, position
from vision.pieces.colours import Palette, learn_colours, slot_readings
from vision.pieces.finding import PieceLook

answer_for_seat = answering(SpikeReader())

PHOTO = "a" * 64
FROM_DULUTH = ("duluth-c3", "c3-d2", "d2-d3", "green-bay-d3")
TO_DALLAS = ("tulsa-k1", "k1-l1", "l1-m1", "dallas-m1")
LONG = (*TO_TULSA, *TO_DALLAS, "tulsa-l3", "l3-m3", "little-rock-m3")
CORNERS: Quad = ((0.0, 0.0), (500.0, 0.0), (500.0, 560.0), (0.0, 560.0))


def photo(
    colours: dict[str, tuple[str, ...]], shaky: str = "", chosen: Mapping[str, int] | None = None
) -> PhotoReading[BoardReading]:
    """A photograph that shows these tracks, one of them hardly, in a match with these colours."""
    slots = {name: SlotReading({EMPTY: 1.0}) for name in BOARD.tracks}
    for colour, names in colours.items():
        for name in names:
            p = 0.04 if name == shaky else 0.99
            marks = sorted({colour: p, EMPTY: 1 - p}.items(), key=lambda one: -one[1])
            slots[name] = SlotReading(dict(marks))
    palette = Palette({colour: (40.0, 60.0, 20.0 * n) for n, colour in enumerate(colours)}, 4.0)
    sheet = BoardReading(
        "spike", "", 1, CORNERS, slots, Quality("tags", 2.0, 0.9), palette, players=chosen or {}
    )
    return PhotoReading(500, 560, (sheet,))


def scorekeeper(state: State) -> State:
    return replaced(state, mode="scorekeeper", waiting=tuple(state.players))


def reported(state: State, answer: SeatAnswer[BoardReading, BoardRuling]) -> State:
    """The match after what the photograph proposes."""
    assert answer.action is not None
    fact = decide(state, answer.action, NoChance())
    assert isinstance(fact, Fact)
    return apply(state, fact)


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
    assert asked.ruling.uncertain == (TO_TULSA[1],)
    assert ("1", pytest.approx(0.04, abs=0.02)) in asked.ruling.questions[TO_TULSA[1]]
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


def test_a_board_without_a_piece_is_read_like_any_other() -> None:
    answer = answer_for_seat(photo({}), scorekeeper(position({1: (), 2: ()})), 1, {}, PHOTO)
    assert answer.ruling is not None
    assert (answer.ruling.outcome, answer.ruling.labels) == ("accepted", {})
    assert answer.action is None, "nothing to enter, and nothing to take back"
    assert answer.says == ("nothing has changed on the board since the last report",)


def test_whose_colour_it_is_gets_asked_where_nobody_can_know() -> None:
    state = scorekeeper(position({1: (), 2: ()}))
    read = photo({"pink": TO_TULSA})
    asked = answer_for_seat(read, state, 1, {}, PHOTO)
    assert asked.action is None
    assert asked.ruling is not None
    assert "colour:pink" in asked.ruling.uncertain
    answer = answer_for_seat(read, state, 1, {"colour:pink": "2"}, PHOTO)
    assert answer.action is not None
    assert answer.action.data["tracks"] == {"1": [], "2": sorted(TO_TULSA)}


def test_what_people_chose_says_whose_colour_is_whose() -> None:
    """Not the colours that are printed for their seats, nor whose turn it is."""
    state = scorekeeper(position({1: (), 2: ()}, turn=1))
    chosen = {"yellow": 1, "red": 2}
    answer = answer_for_seat(
        photo({"red": FROM_DULUTH, "yellow": TO_TULSA}, chosen=chosen), state, 1, {}, PHOTO
    )
    after = reported(state, answer)
    assert set(after.players[1].tracks) == set(TO_TULSA)
    assert set(after.players[2].tracks) == set(FROM_DULUTH)
    alone = answer_for_seat(photo({"red": FROM_DULUTH}, chosen=chosen), state, 1, {}, PHOTO)
    assert set(reported(state, alone).players[2].tracks) == set(FROM_DULUTH)


@pytest.mark.parametrize(("looks", "asked"), [((61.0, -29.0, -12.0), True), ((38.0, 10.0, -46.0), False)])
def test_turquoise_that_is_called_blue_is_asked_about(looks: tuple[float, float, float], asked: bool) -> None:
    """As where a seat chose blue and plays no piece, and others' pieces are turquoise."""
    state = scorekeeper(position({1: (), 2: ()}))
    read = photo({"blue": TO_TULSA}, chosen={"red": 2, "blue": 1})
    (sheet,) = read.sheets
    read = replace(read, sheets=(replace(sheet, palette=Palette({"blue": looks}, 4.0)),))
    answer = answer_for_seat(read, state, 1, {}, PHOTO)
    assert answer.ruling is not None
    assert ("colour:blue" in answer.ruling.questions) == asked
    if asked:
        assert [mark for mark, _ in answer.ruling.questions["colour:blue"]] == ["1", "2", None]
        after = reported(state, answer_for_seat(read, state, 1, {"colour:blue": "2"}, PHOTO))
        assert set(after.players[2].tracks) == set(TO_TULSA)


def test_a_colour_that_nobody_chose_is_a_question_with_the_likeliest_seat_first() -> None:
    state = scorekeeper(position({1: (), 2: ()}))
    read = photo({"black": TO_TULSA, "red": FROM_DULUTH}, chosen={"red": 2, "blue": 1})
    asked = answer_for_seat(read, state, 1, {}, PHOTO)
    assert asked.action is None
    assert asked.ruling is not None
    options = asked.ruling.questions["colour:black"]
    assert [mark for mark, _ in options] == ["1", "2", None]
    assert sum(p for _, p in options) == pytest.approx(1, abs=1e-3)
    after = reported(state, answer_for_seat(read, state, 1, {"colour:black": "1"}, PHOTO))
    assert set(after.players[1].tracks) == set(TO_TULSA)
    again = answer_for_seat(read, after, 1, {}, PHOTO)  # now the tracks say it
    assert again.ruling is not None
    assert (again.ruling.outcome, again.ruling.changes) == ("accepted", ())
    nobodys = answer_for_seat(read, state, 1, {"colour:black": ""}, PHOTO)
    assert set(reported(state, nobodys).players[2].tracks) == set(FROM_DULUTH)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("segments", ["exclusive", "shared"])
def test_a_board_that_was_reported_is_unchanged_in_the_same_photograph(seats: int, segments: str) -> None:
    """Some of its pieces lie in the shade, so that they look like none of the known colours."""
    pieces = {name: PieceLook(0.001, 0.0, ()) for name in BOARD.tracks}
    for n, name in enumerate(LONG):
        colour = (48.0, 60.0, 42.0) if n < len(LONG) - 2 else (14.0, 22.0, 8.0)
        pieces[name] = PieceLook(0.995, 0.0, (colour,))
    for name in FROM_DULUTH:
        pieces[name] = PieceLook(0.995, 0.0, ((40.0, 8.0, -42.0),))
    palette = learn_colours(list(pieces.values()), names=["red", "blue"])
    slots = slot_readings(pieces, palette)
    chosen = dict(zip(("red", "blue", "green", "yellow"), range(1, seats + 1), strict=False))
    sheet = BoardReading(
        "spike", "", 1, CORNERS, slots, Quality("tags", 2.0, 0.9), palette, pieces=pieces, players=chosen
    )
    read = PhotoReading(500, 560, (sheet,))
    tracks = dict.fromkeys(range(1, seats + 1), ()) | {1: LONG, 2: FROM_DULUTH}
    made = position(tracks)
    state = scorekeeper(replaced(made, options=replaced(made.options, segments=segments)))
    answer = answer_for_seat(read, state, 1, {}, PHOTO, "whole")
    assert answer.ruling is not None
    assert (answer.ruling.outcome, answer.ruling.changes) == ("accepted", ())
    assert answer.ruling.p > 0.5
    assert answer.action is None


@pytest.mark.parametrize("count", [0, 2])
def test_one_board_has_to_be_in_the_picture(count: int) -> None:
    (sheet,) = photo({}).sheets
    answer = answer_for_seat(PhotoReading(500, 560, (sheet,) * count), position({1: (), 2: ()}), 1, {}, PHOTO)
    assert (answer.action, answer.ruling) == (None, None)
    assert answer.says


@pytest.mark.parametrize("person", PEOPLE)
@pytest.mark.parametrize("mode", ["umpire", "scorekeeper"])
@pytest.mark.parametrize("scope", ["turn", "whole"])
def test_nothing_is_asked_twice(person: str, mode: str, scope: Scope) -> None:
    """Whatever people answer, about colours and about tracks: faint, vanished, and against the rules."""
    colours = {"red": 1, "blue": 2}
    read = [
        photo({"red": TO_TULSA, "blue": FROM_DULUTH}, shaky=TO_TULSA[1], chosen=colours),
        photo({"pink": TO_TULSA, "brown": FROM_DULUTH}, shaky=FROM_DULUTH[1], chosen=colours),
        photo({"red": (*TO_TULSA, *TO_DALLAS[1:])}, shaky=TO_DALLAS[1], chosen=colours),
        photo({"red": TO_DALLAS}, chosen=colours),
    ]
    (sheet,) = photo({"red": (*TO_TULSA, *TO_DALLAS), "blue": FROM_DULUTH}, chosen=colours).sheets
    away = {TO_TULSA[1]: SlotReading({EMPTY: 0.9999, "red": 1e-4})}
    read.append(replace(read[0], sheets=(replace(sheet, slots={**sheet.slots, **away}),)))
    for before in ({1: (), 2: ()}, {1: TO_TULSA, 2: FROM_DULUTH}):
        state = position(before)
        state = state if mode == "umpire" else scorekeeper(state)
        for one in read:
            all_answered(partial(answer_for_seat, one, state, 1, photo=PHOTO, scope=scope), person)


def test_a_board_of_another_match_is_refused_rather_than_asked_about() -> None:
    """Pieces that are half seen wherever the match has none: nobody answers twenty questions."""
    read = photo({"red": TO_TULSA}, chosen={"red": 1, "blue": 2})
    (sheet,) = read.sheets
    half = SlotReading({"red": 0.5, "blue": 0.5})
    away = dict.fromkeys(list(BOARD.tracks)[:20], half)
    read = replace(read, sheets=(replace(sheet, slots={**sheet.slots, **away}),))
    answer = answer_for_seat(read, scorekeeper(position({1: TO_TULSA, 2: ()})), 1, {}, PHOTO)
    assert answer.ruling is not None
    assert (answer.ruling.outcome, answer.ruling.questions, answer.action) == ("refused", {}, None)
    assert answer.says == (OF_ANOTHER_BOARD,)


def test_what_one_seat_reports_is_told_in_the_order_of_the_board() -> None:
    before = {TO_TULSA[0]: "1", FROM_DULUTH[0]: "2"}
    ruling = BoardRuling.ruled({**before, **dict.fromkeys(TO_TULSA, "1")}, 0.99, before, ())
    assert list(of_one_seat(ruling, before, 1).cells) == [TO_TULSA[0], FROM_DULUTH[0], *TO_TULSA[1:]]
