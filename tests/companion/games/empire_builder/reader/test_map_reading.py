"""From photographs of the studio to builds: seeds that nothing was ever taught or tuned on."""

from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np
import pytest

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject
from companion.core.records import replaced
from companion.game.base import NoChance, Refusal
from companion.games.empire_builder.reader.overlay import standing_on
from companion.games.empire_builder.reader.reader import EmpireBuilderReader
from companion.games.empire_builder.reader.reading import MapPhoto, MapReading
from companion.games.empire_builder.rules.boards.board import board
from companion.games.empire_builder.rules.boards.position import read_track
from companion.games.empire_builder.rules.match.game import EmpireBuilder
from companion.games.empire_builder.rules.match.state import Ledger, State
from companion.reading.answer import SeatQuery
from companion.reading.evidence import EMPTY
from companion.reading.types import ReadHints
from lab.empire_builder.studio.networks import Played
from lab.empire_builder.studio.studio import PictureSpec, made_up_match, take_map_picture
from vision.decoding import decoded
from vision.register.rectify import Image

SEED = 9_400_003
PHOTO = "0" * 64
READER, GAME = EmpireBuilderReader(), EmpireBuilder()


@cache
def match() -> Played:
    return made_up_match(np.random.default_rng([SEED, 1]))


@cache
def taken() -> tuple[bytes, JsonObject]:
    return take_map_picture(SEED, "table", wish=PictureSpec(match=match(), megapixels=7.0))


@cache
def read() -> MapPhoto:
    return READER.read(taken()[0], ReadHints(players=tuple(truth()["players"].items())))


def truth() -> JsonObject:
    sheet: JsonObject = taken()[1]["sheets"][0]
    return sheet


def marks(reading: MapReading) -> dict[str, str]:
    seen = {name: slot for name, slot in reading.slots.items() if slot.cannot_see is None}
    return {name: slot.best for name, slot in seen.items() if slot.best != EMPTY}


def visible(true: JsonObject) -> dict[str, str]:
    """The marks of the edges that are free to be seen."""
    return {
        name: slot["mark"]
        for name, slot in true["slots"].items()
        if "-" in name and slot.get("hidden", 0) + slot.get("glare", 0) <= 0.2
    }


def test_lines_and_their_colours_are_read() -> None:
    (sheet,) = read().sheets
    expected = {name: mark for name, mark in visible(truth()).items() if mark}
    found = marks(sheet)
    assert len(expected) > 100
    wrong = {name for name, mark in expected.items() if found.get(name) != mark}
    assert len(wrong) <= 2
    assert len(wrong - set(sheet.doubtful)) <= 1
    invented = [name for name in found if name in visible(truth()) and name not in expected]
    assert set(invented) <= set(sheet.doubtful)
    assert len(invented) <= 1


def test_two_halves_make_a_map() -> None:
    image = decoded(taken()[0], 1).image
    height, width = image.shape[:2]
    cut = int(0.72 * max(width, height))
    parts = (image[:, :cut], image[:, -cut:]) if width > height else (image[:cut], image[-cut:])
    wish = ReadHints(players=tuple(truth()["players"].items()))
    halves = [READER.read(np.ascontiguousarray(part, np.uint8), wish) for part in parts]
    assert all(half.sheets for half in halves)
    (joined,) = READER.joined(halves).sheets
    whole = marks(read().sheets[0])
    found = marks(joined)
    alike = [found.get(name) == mark for name, mark in whole.items()]
    assert np.mean(alike) > 0.97
    assert len(found) < 1.05 * len(whole)


def test_the_line_of_json_leaves_out_what_is_surely_empty() -> None:
    line = READER.report(read(), READER.known(ReadHints(), None)).to_json("photo.jpg")
    (sheet,) = line["sheets"]
    assert sheet["sheet"] == "empire-builder"
    assert len(sheet["slots"]) < 1500
    assert set(sheet["colours"]) == set(truth()["players"])
    told = next(slot for slot in sheet["slots"].values() if slot.get("mark"))
    assert told["mark"] == str(truth()["players"][told["colour"]])
    assert set(sheet["doubtful"]) <= set(sheet["slots"])


def test_the_position_before_makes_it_a_turn() -> None:
    before = {"track": truth()["before"], "turn": truth()["seat_to_move"]}
    known = READER.known(ReadHints(players=tuple(truth()["players"].items())), None).after(before)
    report = READER.report(read(), known)
    on = board()
    old, new = (read_track(on, {int(k): v for k, v in truth()[name].items()}) for name in ("before", "after"))
    ruling = report.to_json("photo.jpg")["sheets"][0]["ruling"]
    assert not report.refused
    assert set(ruling["changed"]) == {on.edge_names[edge] for edge in new if edge not in old}
    assert any("for" in line for line in report.lines("photo.jpg"))
    image = decoded(taken()[0], 2).image
    assert (report.annotated(image) != image).any()


def playing(mode: str = "umpire") -> State:
    """The match of the photograph before its last turn, with money for it."""
    state = match().before
    players = {seat: replaced(player, ledger=Ledger(60)) for seat, player in state.players.items()}
    return replaced(state, mode=mode, players=players)


def played_on(state: State, settled: Mapping[str, str]) -> State:
    answer = READER.answer(SeatQuery(read(), state, state.seat, settled, PHOTO))
    assert answer.action is not None, answer.says
    fact = GAME.decide(state, answer.action, NoChance())
    assert not isinstance(fact, Refusal), fact
    assert fact.data["picture"]["photo"] == PHOTO
    return GAME.apply(state, fact)


def answers(state: State) -> dict[str, str]:
    """What people say about what is asked: the truth."""
    ruling = READER.answer(SeatQuery(read(), state, state.seat, {}, PHOTO)).ruling
    assert ruling is not None
    assert ruling.outcome in ("accepted", "ask")
    track = match().after.track
    numbers = board().edges_called
    return {name: str(track.get(numbers[name], "")) for name in ruling.uncertain}


def test_an_umpire_gets_the_turns_builds_as_one_action() -> None:
    state = playing()
    after = played_on(state, answers(state))
    assert after.track == match().after.track
    assert after.turn.spent == state.players[state.seat].cash - after.players[state.seat].cash


def test_a_scorekeeper_gets_a_report() -> None:
    state = playing("scorekeeper")
    after = played_on(state, answers(state))
    assert after.track == match().after.track


def test_others_are_told_whose_turn_it_is() -> None:
    state = playing()
    other = next(seat for seat in state.players if seat != state.seat)
    answer = READER.answer(SeatQuery(read(), state, other, {}, PHOTO))
    assert answer.action is None
    assert f"it is the turn of seat {state.seat}" in answer.says
    assert READER.seats(state) == (state.seat,)
    with pytest.raises(NotationError):
        READER.answer(SeatQuery(read(), state, state.seat, {"zz1-zz3": "1"}, PHOTO))


def test_the_map_is_shown_from_above() -> None:
    (sheet,) = read().sheets
    above = READER.above(decoded(taken()[0], 1).image, sheet)
    state = playing()
    ruling = READER.answer(SeatQuery(read(), state, state.seat, {}, PHOTO)).ruling
    assert above.shape == READER.drawn(above, sheet, ruling).shape
    (seen,) = READER.view(read()).sheets
    assert len(seen.corners) == 4


def test_half_a_map_says_nothing_about_the_other_half() -> None:
    image: Image = decoded(taken()[0], 1).image
    (whole,) = read().sheets
    middle = int(np.mean([x for x, _ in whole.corners_px]))
    half = READER.read(np.ascontiguousarray(image[:, : middle + 150]), ReadHints(players=read_players()))
    if not half.sheets:
        pytest.skip("two tags and the print did not suffice for half of this map")
    (sheet,) = half.sheets
    outside = [name for name, slot in sheet.slots.items() if slot.cannot_see == "outside the picture"]
    assert len(outside) > 500
    expected, found = visible(truth()), marks(sheet)
    wrong = [n for n, mark in expected.items() if n not in sheet.doubtful and found.get(n, "") != mark]
    assert len(wrong) <= 2


def read_players() -> tuple[tuple[str, int], ...]:
    return tuple(truth()["players"].items())


def test_pawns_and_chips_are_seen_as_such() -> None:
    photo, told = take_map_picture(SEED + 2, "clean", wish=PictureSpec(megapixels=7.0, crowd=5))
    slots = told["sheets"][0]["slots"]
    expected = {name: slot["mark"] for name, slot in slots.items() if slot["mark"] in ("pawn", "chip")}
    (sheet,) = READER.read(photo, ReadHints()).sheets
    found = standing_on(sheet)
    assert set(expected.values()) == {"pawn", "chip"}
    assert len(found.items() - expected.items()) <= 1
    assert len(found.items() & expected.items()) >= 0.7 * len(expected)
    (line,) = READER.report(READER.read(photo, ReadHints()), READER.known(ReadHints(), None)).to_json(
        "photo.jpg"
    )["sheets"]
    assert {name: line["slots"][name]["mark"] for name in found} == found


def test_a_grey_picture_says_where_lines_are_and_not_whose() -> None:
    grey = cv2.cvtColor(decoded(taken()[0], 1).image, cv2.COLOR_BGR2GRAY)
    reading = READER.read(
        np.ascontiguousarray(cv2.merge([grey] * 3), np.uint8), ReadHints(players=read_players())
    )
    (note,) = reading.notes
    assert "no colour" in note
    (sheet,) = reading.sheets
    lines = [name for name, mark in visible(truth()).items() if mark]
    told = set(marks(sheet)).union(sheet.doubtful)
    assert len(told.intersection(lines)) > 0.6 * len(lines)
    assert all(sheet.slots[name].doubtful for name in marks(sheet) if "-" in name)
    assert read().notes == ()


def test_pictures_without_a_map_are_told_in_one_sentence() -> None:
    nothing = READER.read(np.full((400, 500, 3), 90, np.uint8), ReadHints())
    assert nothing.sheets == ()
    assert len(nothing.notes) == 1
    assert READER.answer(SeatQuery(nothing, playing(), playing().seat, {}, PHOTO)).says == nothing.notes
    with pytest.raises(NotationError):
        READER.known(ReadHints(), "NS,NS")


def test_the_mirror_image_is_no_map() -> None:
    mirrored = np.asarray(cv2.flip(decoded(taken()[0], 2).image, 1), np.uint8)
    assert READER.read(mirrored, ReadHints()).sheets == ()
