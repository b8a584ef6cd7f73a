"""From a reading of a seat's board to what is submitted to the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.contract import Action, Plain
from companion.games.railroad_ink.eye import answers as reading
from companion.games.railroad_ink.eye.answers import (
    Known,
    overlay_of,
    read_board,
    read_table,
    ruled_sheet,
)
from companion.games.railroad_ink.eye.readings import PhotoReading, SheetReading
from companion.games.railroad_ink.rules.position import Position, print_cells, read_cells
from companion.games.railroad_ink.rules.rulebook import EDITION, GRID
from companion.games.registry import GAMES
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.exc import TableError
from companion.table.match import Match
from companion.table.replay import verified
from companion.table.store import Store
from companion.table.table import Accepted, Table
from lab.railroad_ink.random_play import played
from tests.companion.games.railroad_ink.eye.readings import photo_of, sheet_of

HOST = Actor("host")
FACES = ["NS", "ne", "Ns*", "NES"]
ROUND = {"b1": "NS", "d1": "ne", "g4": "Ew*", "a4": "NSW"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Store(tmp_path) as store:
        yield Table(store, GAMES, chance=SeededChance(3))


def begun(table: Table, mode: str = "umpire", faces: list[str] | None = None, **options: Any) -> Match:
    data = {
        "game": "railroad-ink",
        "players": ["East", "North"],
        "mode": mode,
        "options": {"goals": "none"} | options,
    }
    assert isinstance(table.submit(Action("start", data=data), HOST), Accepted)
    if faces is not None:
        assert isinstance(table.submit(Action("roll", data={"faces": faces}), HOST), Accepted)
    return current(table)


def current(table: Table) -> Match:
    match = table.current
    assert match is not None
    return match


@pytest.fixture
def sees(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the camera see these sheets."""

    def set_(*sheets: SheetReading) -> None:
        def read_photo(photo: bytes, wish: object = None) -> PhotoReading:
            return photo_of(*sheets)

        monkeypatch.setattr(reading, "read_photo", read_photo)

    return set_


def test_an_umpire_accepts_a_photographed_round(table: Table, sees: Any) -> None:
    match = begun(table, faces=FACES)
    sees(sheet_of({}, seat=2), sheet_of(ROUND, seat=1))
    answer = read_board(b"photo", match, 1)
    assert answer.ruling is not None
    assert answer.ruling.outcome == "accepted"
    assert answer.action is not None
    assert answer.action.kind == "turn"
    assert answer.action.data["picture"]["photo"] == answer.photo
    accepted = table.submit(answer.action, Actor("player", seat=1))
    assert isinstance(accepted, Accepted), accepted
    assert print_cells(current(table).state.boards[1].cells()).items() == ROUND.items()
    assert isinstance(table.submit(Action("done", 1), Actor("player", seat=1)), Accepted)


def test_a_doubt_is_asked_and_its_answer_is_kept(table: Table, sees: Any) -> None:
    match = begun(table, faces=FACES)
    sees(sheet_of(ROUND, unclear={"d1": {"ne": 0.5, "nw": 0.5}}))
    asked = read_board(b"photo", match, 1)
    assert asked.ruling is not None
    assert [GRID.names[cell] for cell in asked.ruling.doubtful] == ["d1"]
    assert asked.action is None
    settled = read_board(b"photo", match, 1, {"d1": "ne"})
    assert settled.action is not None
    assert settled.action.data["picture"]["settled"] == {"d1": "ne"}
    assert settled.as_json()["ruling"]["outcome"] == "accepted"


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (ROUND | {"b1": "ES"}, "no die of round 1 shows the highway curve"),
        ({name: text for name, text in ROUND.items() if name != "b1"}, "is not drawn yet and fits"),
        (ROUND | {"e4": "NS", "b1": ""}, "would join nothing"),
    ],
)
def test_what_is_against_the_rules_is_said(table: Table, sees: Any, cells: dict[str, str], said: str) -> None:
    sees(sheet_of({name: text for name, text in cells.items() if text}))
    answer = read_board(b"photo", begun(table, faces=FACES), 1)
    assert answer.action is None
    assert any(said in sentence for sentence in answer.says), answer.says


def test_before_the_roll_there_is_nothing_to_read(table: Table, sees: Any) -> None:
    sees(sheet_of(ROUND))
    answer = read_board(b"photo", begun(table), 1)
    assert answer.says[0] == "first the dice of round 1 are rolled"


@pytest.mark.parametrize(
    ("sheets", "said"),
    [
        ([], "the board of seat 1 is not in the picture; none is"),
        ([sheet_of({}, seat=2)], "the board of seat 1 is not in the picture; only that of seat 2 is"),
        ([sheet_of({}), sheet_of({})], "two boards of seat 1"),
        ([sheet_of({}, edition="classic")], "this is a board of the classic edition"),
    ],
)
def test_a_picture_without_ones_own_board(
    table: Table, sees: Any, sheets: list[SheetReading], said: str
) -> None:
    sees(*sheets)
    answer = read_board(b"photo", begun(table, faces=FACES), 1)
    assert answer.ruling is None
    assert answer.says[0].startswith(said)
    assert answer.as_json() == {
        "photo": answer.photo,
        "ruling": None,
        "action": None,
        "says": list(answer.says),
    }


def test_a_scorekeeper_takes_the_whole_board(table: Table, sees: Any) -> None:
    match = begun(table, "scorekeeper")
    sees(sheet_of(ROUND | {"b2": "NS"}, rounds={"b1": 1, "b2": 2}))
    answer = read_board(b"photo", match, 1)
    assert answer.action is not None
    assert answer.action.kind == "report"
    assert answer.action.data["rounds"] == {"b1": 1, "b2": 2}
    assert isinstance(table.submit(answer.action, Actor("player", seat=1)), Accepted)
    assert current(table).state.boards[1].rounds()[GRID.cell("b2")] == 2


def test_a_scorekeeper_knows_the_dice_where_they_were_told(table: Table, sees: Any) -> None:
    match = begun(table, "scorekeeper", FACES)
    sees(sheet_of(ROUND, unclear={"d1": {"nes": 0.7, "ne": 0.3}}))
    answer = read_board(b"photo", match, 1)
    assert answer.action is not None
    assert answer.action.data["cells"]["d1"] == "ne"


def test_one_photograph_of_the_whole_table(table: Table, sees: Any) -> None:
    match = begun(table, faces=FACES)
    sees(sheet_of(ROUND, seat=2), sheet_of(ROUND | {"b1": "ES"}, seat=1), sheet_of({}, seat=5))
    answers = read_table(b"photo", match)
    assert list(answers) == [1, 2], "nobody plays at seat 5"
    assert answers[1].action is None
    assert answers[2].action is not None


def test_a_whole_match_from_photographs(table: Table, sees: Any) -> None:
    begun(table)
    random = Random(8)
    for _ in range(7):
        assert isinstance(table.submit(Action("roll"), HOST), Accepted)
        for seat in (1, 2):
            state = current(table).state
            after = played(random, state.rules, state.boards[seat], state.roll)
            sees(sheet_of(print_cells(after.cells()), seat))
            answer = read_board(b"photo", current(table), seat)
            if answer.action is not None:
                assert isinstance(table.submit(answer.action, Actor("player", seat=seat)), Accepted)
            assert current(table).state.boards[seat].cells() == after.cells()
            assert isinstance(table.submit(Action("done", seat), Actor("player", seat=seat)), Accepted)
    assert current(table).finished
    assert verified(list(current(table).events), GAMES).fault is None


def test_what_is_no_picture(table: Table) -> None:
    with pytest.raises(TableError, match="no picture"):
        read_board(b"this is no picture", begun(table, faces=FACES), 1)


def test_a_game_that_cannot_be_read(table: Table) -> None:
    data = {"game": "spike", "players": ["East", "North"]}
    assert isinstance(table.submit(Action("start", data=data), HOST), Accepted)
    with pytest.raises(TableError, match="cannot be read from photographs"):
        read_board(b"photo", current(table), 1)


# --- sheets by themselves ---


def position(cells: dict[str, str], **more: Any) -> Position:
    return Position(read_cells(cells), EDITION["challenge"], **more)


def test_an_unseen_cell_says_nothing() -> None:
    assert sheet_of(ROUND, unseen=["b1"]).looks["b1"] is None


def test_with_the_position_before_and_the_dice() -> None:
    ruling = ruled_sheet(
        sheet_of({"b1": "NS"} | {"f1": "NS"}), Known(position({"b1": "NS"}), ("NS", "ne", "Ns*", "NES"))
    )
    assert ruling.outcome == "refused"
    before = {"b1": "NS", "b2": "NE"}
    new = {"f1": "NS", "d1": "ne", "g4": "Ew*", "a4": "NSW"}
    ruling = ruled_sheet(sheet_of(before | new), Known(position(before), tuple(FACES)))
    assert (ruling.outcome, sorted(GRID.names[cell] for cell in ruling.changed)) == ("accepted", sorted(new))


def test_with_the_position_before_alone() -> None:
    ruling = ruled_sheet(sheet_of({"b1": "NS"} | {"f1": "NS"}), Known(position({"b1": "NS"})))
    assert ruling.outcome == "accepted"
    assert ruled_sheet(sheet_of({"f1": "NS"}), Known(position({"b1": "NS"}))).outcome == "refused"


def test_with_the_dice_alone_the_written_numbers_tell_what_is_new() -> None:
    before = {"b1": "NS", "b2": "NE"}
    new = {"f1": "NS", "d1": "ne", "g4": "Ew*", "a4": "NSW"}
    rounds = dict.fromkeys(before, 1) | dict.fromkeys(new, 2)
    sheet = sheet_of(before | new, rounds=rounds, unclear={"d1": {"nes": 0.6, "ne": 0.4}})
    ruling = ruled_sheet(sheet, Known(faces=tuple(FACES)))
    assert ruling.cells == read_cells(before | new)
    assert sorted(GRID.names[cell] for cell in ruling.changed) == sorted(new)


def test_in_the_first_round_no_numbers_are_needed() -> None:
    ruling = ruled_sheet(sheet_of(ROUND), Known(faces=tuple(FACES)))
    assert (ruling.outcome, len(ruling.changed)) == ("accepted", 4)


def test_dice_that_do_not_help_are_left_away() -> None:
    cells = {"b1": "NS", "b2": "NS", "b3": "NS", "b4": "NS", "b5": "NS"}
    ruling = ruled_sheet(sheet_of(cells), Known(faces=tuple(FACES)))
    assert (ruling.outcome, ruling.cells) == ("accepted", read_cells(cells))


def test_dice_that_cannot_be() -> None:
    ruling = ruled_sheet(sheet_of(ROUND), Known(faces=("NS", "NS", "NS", "NS")))
    assert "cannot show" in ruling.against[0]


def test_what_was_read_is_drawn_on_the_photograph() -> None:
    photo = np.full((1100, 800, 3), 200, np.uint8)
    sheet = sheet_of(ROUND, unseen=["c3"])
    done, packed = cv2.imencode(".png", photo)
    assert done
    ruling = ruled_sheet(sheet, Known(faces=tuple(FACES)))
    drawn = overlay_of(packed.tobytes(), [(sheet, ruling)])
    assert drawn.shape == photo.shape
    plain: Plain = {"ruled": drawn, "read": overlay_of(photo, [(sheet, None)])}
    assert all((picture != photo).any(axis=2).mean() > 0.01 for picture in plain.values())
