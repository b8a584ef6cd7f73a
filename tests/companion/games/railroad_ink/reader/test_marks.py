"""Photographs of boards with an expansion: marks read, ruled on, and taken by a match."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from companion.core.errors import NotationError
from companion.core.records import replaced
from companion.game.base import Action, Fact, NoChance
from companion.games.railroad_ink.reader import marks as reader_of_marks
from companion.games.railroad_ink.reader import reading as reader_of_boards
from companion.games.railroad_ink.reader.cells import GRID_SIDE
from companion.games.railroad_ink.reader.context import read_faces
from companion.games.railroad_ink.reader.mark_classes import CLASSES_OF, MARK_CLASSES, READ_EXPANSIONS
from companion.games.railroad_ink.reader.marks import MODEL, mark_shares
from companion.games.railroad_ink.reader.reader import RailroadInkReader
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.state import State, marks_of
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.answer import SeatQuery
from companion.reading.evidence import SlotReading
from companion.reading.joining import OUTSIDE
from companion.reading.types import ReadHints
from lab.railroad_ink.marks_bench import drawn_marks, end_of_a_round
from lab.railroad_ink.studio.boards import GivenBoard, SheetMarks
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import SceneSpec
from vision.nets import scores

_GAME, _READER = RailroadInk(), RailroadInkReader()


@cache
def _photo(expansion: str, seed: int) -> tuple[State, bytes]:
    """The end of a round of a match, and its photograph."""
    state = end_of_a_round(Random(seed), expansion)
    board = state.boards[1]
    signs = drawn_marks(marks_of(state, board), expansion)
    sheet = SheetMarks(state.options.edition, board.cells(), board.rounds(), expansion=expansion, signs=signs)
    wish = SceneSpec(boards=(GivenBoard(1, sheet, seed),), megapixels=1.5, table_pixels=64)
    return state, take_picture(seed, "clean", wish=wish)[0]


@pytest.mark.parametrize("expansion", ["forest", "lake"])
def test_a_round_is_photographed_into_its_match(expansion: str) -> None:
    """The match tells which expansion is played; what is read is what it then takes, route by route."""
    state, photo = _photo(expansion, 41)
    before = replaced(state, boards={1: state.boards[1].before_round(state.round)})
    reading = _READER.read(photo, _READER.wish(before, 1, None, ()))
    answer = _READER.answer(SeatQuery(reading, before, 1, {}, "ab" * 32))
    assert answer.ruling is not None
    assert answer.ruling.outcome in ("accepted", "ask"), answer.says
    assert answer.ruling.marks is not None
    wanted = drawn_marks(marks_of(state, state.boards[1]), expansion)
    assert {place: text for place, text in answer.ruling.marks.items() if place != "lost"} == wanted
    settled = {
        slot: (wanted.get(slot[:-1], "") if slot.endswith("+") else answer.ruling.labels.get(slot, ""))
        for slot in answer.ruling.questions
    }
    action = _READER.answer(SeatQuery(reading, before, 1, settled, "ab" * 32)).action
    assert isinstance(action, Action)
    fact = _GAME.decide(before, action, NoChance())
    assert isinstance(fact, Fact), fact
    assert marks_of(_GAME.apply(before, fact), _GAME.apply(before, fact).boards[1]) == marks_of(
        state, state.boards[1]
    )


def test_the_line_of_read_tells_the_marks() -> None:
    """Where an expansion is named: by their places, as they are usually written."""
    state, photo = _photo("forest", 41)
    reading = _READER.read(photo, ReadHints(expansion="forest"))
    told = _READER.report(reading, _READER.known(ReadHints(expansion="forest"), None)).to_json("x.jpg")
    sheet = told["sheets"][0]
    assert sheet["expansion"] == "forest"
    seen = {place: one["mark"] for place, one in sheet["marks"].items() if one.get("mark")}
    assert seen == drawn_marks(marks_of(state, state.boards[1]), "forest")
    plain = _READER.read(photo, ReadHints()).sheets[0]
    assert not plain.marks
    assert "marks" not in plain.as_json()


def test_a_finished_board_of_an_expansion_is_scored_with_its_marks() -> None:
    state, photo = _photo("forest", 41)
    (found,) = _READER.positions(_READER.read(photo, ReadHints(expansion="forest")))
    assert found.position["expansion"]["name"] == "forest"
    seen = {place: mark for place, mark in found.position["expansion"]["marks"].items() if place != "lost"}
    assert seen == drawn_marks(marks_of(state, state.boards[1]), "forest")
    plain = {key: value for key, value in found.position.items() if key != "expansion"}
    assert _GAME.score_position(found.position)["total"] != _GAME.score_position(plain)["total"]


def test_lava_that_fills_a_space_does_not_cover_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The network of routes knows no painted surfaces: what that of marks sees there is no thing on top."""
    state, photo = _photo("lava", 46)
    cells, signs = state.boards[1].cells(), drawn_marks(marks_of(state, state.boards[1]), "lava")
    alone = [place for place in signs if GRID.cell(place) not in cells]
    assert len(alone) > 3
    sheet = _READER.read(photo, ReadHints(expansion="lava")).sheets[0]
    assert [place for place in alone if sheet.cells[place].cannot_see] == []
    assert all(sheet.marks[place].best for place in alone)
    monkeypatch.setattr(reader_of_boards, "FILLED", 1.1)
    before = _READER.read(photo, ReadHints(expansion="lava")).sheets[0]
    assert [place for place in alone if before.cells[place].cannot_see] == ["g2"]


def test_guesses_at_hidden_marks_are_mixed_with_doubt() -> None:
    """Where one is seen more than where none is; nothing of what is outside the picture."""
    _, photo = _photo("lava", 43)
    sheet = _READER.read(photo, ReadHints(expansion="lava")).sheets[0]
    seen = {"volcano": 0.98, "": 0.02}
    marks = {
        "a1": SlotReading(seen, "covered"),
        "b1": SlotReading({"": 0.98, "volcano": 0.02}, "covered"),
        "c1": SlotReading(seen, OUTSIDE),
        "d1": SlotReading(seen),
    }
    found = replace(sheet, marks=marks).mark_glimpses
    assert set(found) == {"a1"}
    look = found["a1"]
    assert look is not None
    assert 0.9 < look["volcano"] < 0.98


def test_the_dice_of_an_expansion_are_told_along() -> None:
    """In any order among those of routes; what cannot be rolled is refused with one sentence."""
    assert read_faces("trees,NS,ne,Ns*,NES,NE+trees", "forest") == (
        ("NS", "ne", "Ns*", "NES"),
        ("trees", "NE+trees"),
    )
    with pytest.raises(NotationError, match="cannot show trees together"):
        read_faces("trees,NS,ne,Ns*,NES", "forest")
    with pytest.raises(NotationError, match="is no route"):
        read_faces("trees,NS,ne,Ns*,NES")


def test_the_network_knows_all_classes_and_is_small() -> None:
    """As many scores as there are classes; far less than a megabyte."""
    found = scores(MODEL, np.full((1, GRID_SIDE, GRID_SIDE, 3), 230, np.uint8))
    assert found.shape == (1, len(MARK_CLASSES), GRID.rows, GRID.columns)
    assert MODEL.stat().st_size < 900_000


def test_nothing_is_seen_on_empty_paper() -> None:
    """No mark of any expansion."""
    paper = np.full((GRID_SIDE, GRID_SIDE, 3), 235, np.uint8)
    for name in READ_EXPANSIONS:
        shares = mark_shares([paper], name)[0]
        assert shares.shape == (GRID.size, len(CLASSES_OF[name]))
        assert (shares.argmax(axis=1) == 0).mean() > 0.95


def test_boards_without_an_expansion_never_ask_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading the base game costs nothing more."""
    _, photo = _photo("forest", 41)
    monkeypatch.setattr(reader_of_marks, "scores", _never)
    assert _READER.read(photo, ReadHints()).sheets


def _never(*_: object) -> None:
    raise AssertionError("the network of marks was asked")
