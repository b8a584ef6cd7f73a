"""From a reading of a seat's board to what is submitted to the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.games.railroad_ink.reader.orienting import half_turned
from companion.games.railroad_ink.reader.reader import RailroadInkReader
from companion.games.railroad_ink.reader.readings import SheetReading
from companion.games.railroad_ink.rules.boards.board import Board
from companion.games.railroad_ink.rules.boards.position import print_cells
from companion.games.railroad_ink.rules.boards.routes import VOCABULARY
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.answer import SeatQuery
from companion.reading.types import ReadHints, SeatAnswer
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.replay import verified
from companion.table.store import Store
from companion.table.table import Accepted, Table
from lab.railroad_ink.random_play import played
from tests.companion.games.asking import answering
from tests.companion.games.railroad_ink.reader.readings import photo_of, sheet_of

answer_for_seat = answering(RailroadInkReader())

HOST = Actor("host")
DIGEST = "0" * 64
FACES = ["NS", "ne", "Ns*", "NES"]
ROUND = {"b1": "NS", "d1": "ne", "g4": "Ew*", "a4": "NSW"}


def half_hidden(sheet: SheetReading, name: str, trusted: float) -> SheetReading:
    """The sheet with a cell that cannot be seen well, and how far what is left of it may be trusted."""
    hidden = replace(sheet.cells[name], cannot_see="covered", glimpsed=trusted)
    return replace(sheet, slots={**sheet.cells, name: hidden})


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


class Camera:
    """Sees the sheets it is told to."""

    def __init__(self) -> None:
        self.reading = photo_of()

    def __call__(self, *sheets: SheetReading) -> None:
        self.reading = photo_of(*sheets)

    def answer(self, match: Match, seat: int, **answers: str) -> SeatAnswer[SheetReading, Any]:
        """What the picture means for a seat."""
        return answer_for_seat(self.reading, match.state, seat, answers, DIGEST)


@pytest.fixture
def sees() -> Camera:
    return Camera()


def test_an_umpire_accepts_a_photographed_round(table: Table, sees: Camera) -> None:
    match = begun(table, faces=FACES)
    sees(sheet_of({}, seat=2), sheet_of(ROUND, seat=1))
    answer = sees.answer(match, 1)
    assert answer.ruling is not None
    assert answer.ruling.outcome == "accepted"
    assert answer.action is not None
    assert answer.action.kind == "turn"
    assert answer.action.data["picture"]["photo"] == DIGEST
    accepted = table.submit(answer.action, Actor("player", seat=1))
    assert isinstance(accepted, Accepted), accepted
    assert print_cells(current(table).state.boards[1].cells()).items() == ROUND.items()
    assert isinstance(table.submit(Action("done", 1), Actor("player", seat=1)), Accepted)


def test_a_doubt_is_asked_and_its_answer_is_kept(table: Table, sees: Camera) -> None:
    match = begun(table, faces=FACES)
    sees(sheet_of(ROUND, unclear={"d1": {"ne": 0.5, "nw": 0.5}}))
    asked = sees.answer(match, 1)
    assert asked.ruling is not None
    assert asked.ruling.uncertain == ("d1",)
    assert asked.action is None
    settled = sees.answer(match, 1, d1="ne")
    assert settled.action is not None
    assert settled.action.data["picture"]["settled"] == {"d1": "ne"}
    assert getattr(settled.ruling, "outcome", "") == "accepted"


def test_what_is_left_to_see_of_a_cell_spares_a_question_where_the_dice_agree(
    table: Table, sees: Camera
) -> None:
    match = begun(table, faces=FACES)
    seen = sheet_of(ROUND, unclear={"b2": {"": 0.99} | {route.text: 0.01 / 70 for route in VOCABULARY}})
    sees(half_hidden(seen, "b2", 0.0))
    alone = sees.answer(match, 1)
    sees(half_hidden(seen, "b2", 0.9))
    helped = sees.answer(match, 1)
    assert alone.ruling is not None
    assert helped.ruling is not None
    assert alone.ruling.outcome == "ask"
    assert helped.ruling.outcome == "accepted"
    assert helped.ruling.labels == alone.ruling.labels == ROUND


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (ROUND | {"b1": "ES"}, "no die of round 1 shows the highway curve"),
        ({name: text for name, text in ROUND.items() if name != "b1"}, "is not drawn yet and fits"),
        (ROUND | {"e4": "NS", "b1": ""}, "would join nothing"),
    ],
)
def test_what_is_against_the_rules_is_said(
    table: Table, sees: Camera, cells: dict[str, str], said: str
) -> None:
    sees(sheet_of({name: text for name, text in cells.items() if text}))
    answer = sees.answer(begun(table, faces=FACES), 1)
    assert answer.action is None
    assert any(said in sentence for sentence in answer.says), answer.says


def test_before_the_roll_there_is_nothing_to_read(table: Table, sees: Camera) -> None:
    sees(sheet_of(ROUND))
    answer = sees.answer(begun(table), 1)
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
    table: Table, sees: Camera, sheets: list[SheetReading], said: str
) -> None:
    sees(*sheets)
    answer = sees.answer(begun(table, faces=FACES), 1)
    assert answer.ruling is None
    assert answer.says[0].startswith(said)
    assert (answer.action, answer.sheet) == (None, None)


def test_a_board_that_cannot_be_read_is_never_told_to_be_away(table: Table, sees: Camera) -> None:
    note = (
        "There is another board in the picture, but it is too blurred to be read: hold still and "
        "take it again."
    )
    sees(sheet_of({}, seat=2))
    reading = replace(sees.reading, notes=(note,), unread=True)
    answer = answer_for_seat(reading, begun(table, faces=FACES).state, 1, {}, "photo")
    assert answer.says == ("the board of seat 1 cannot be read in the picture; only that of seat 2 can", note)
    alone = answer_for_seat(replace(reading, sheets=()), begun(table, faces=FACES).state, 1, {}, "photo")
    assert alone.says[0] == "the board of seat 1 cannot be read in the picture; none can"


def without(sheet: SheetReading, names: Iterable[str]) -> SheetReading:
    """The sheet where these cells are outside the picture."""
    cut = {
        name: replace(cell, cannot_see="outside the picture") if name in names else cell
        for name, cell in sheet.cells.items()
    }
    return replace(sheet, slots=cut)


@pytest.mark.parametrize(("columns", "part"), [("defg", "the right half"), ("ab", "the left edge")])
def test_a_board_that_is_cut_off_is_said_to_be_and_nobody_is_asked_about_it(
    table: Table, sees: Camera, columns: str, part: str
) -> None:
    sees(without(sheet_of(ROUND), [name for name in GRID.names if name[0] in columns]))
    answer = sees.answer(begun(table, faces=FACES), 1)
    assert answer.ruling is not None
    assert (answer.ruling.outcome, answer.ruling.questions, answer.action) == ("refused", {}, None)
    assert (
        answer.says[0] == f"not all of the board is in the picture, {part} is missing: photograph that, too"
    )


@pytest.mark.parametrize("faces", [None, FACES])
def test_a_scorekeeper_is_not_asked_about_what_is_cut_off(
    table: Table, sees: Camera, faces: list[str] | None
) -> None:
    sees(without(sheet_of(ROUND), [name for name in GRID.names if name[0] in "defg"]))
    answer = sees.answer(begun(table, "scorekeeper", faces), 1)
    assert answer.ruling is not None
    assert (answer.ruling.questions, answer.action) == ({}, None)
    assert answer.says[0].endswith("the right half is missing: photograph that, too")


def test_what_is_known_is_not_lost_where_it_is_cut_off(table: Table, sees: Camera) -> None:
    """A scorekeeper's board without dice, once reported: what was known of it stays on it."""
    begun(table, "scorekeeper")
    sees(sheet_of(ROUND))
    report = sees.answer(current(table), 1).action
    assert report is not None
    assert isinstance(table.submit(report, Actor("player", seat=1)), Accepted)
    sees(without(sheet_of(ROUND | {"b2": "NS"}), ["g3", "g4", "g5"]))
    answer = sees.answer(current(table), 1)
    assert answer.action is None or "g4" in answer.action.data["cells"]


def test_a_round_is_entered_where_nothing_new_can_be_outside_the_picture(table: Table, sees: Camera) -> None:
    sees(without(sheet_of(ROUND), ["d4", "e4", "d5"]))  # nothing that is drawn leads there
    answer = sees.answer(begun(table, faces=FACES), 1)
    assert answer.action is not None
    assert {move["cell"] for move in answer.action.data["moves"]} == {*ROUND}


def test_a_scorekeeper_takes_the_whole_board(table: Table, sees: Camera) -> None:
    match = begun(table, "scorekeeper")
    sees(sheet_of(ROUND | {"b2": "NS"}, rounds={"b1": 1, "b2": 2}))
    answer = sees.answer(match, 1)
    assert answer.action is not None
    assert answer.action.kind == "report"
    assert answer.action.data["rounds"] == {"b1": 1, "b2": 2}
    assert isinstance(table.submit(answer.action, Actor("player", seat=1)), Accepted)
    assert current(table).state.boards[1].rounds()[GRID.cell("b2")] == 2


def test_written_numbers_change_nothing_that_is_known(table: Table, sees: Camera) -> None:
    """A known route keeps its round; new ones are not older than the last report or later than the dice."""
    begun(table, "scorekeeper", FACES)
    sees(sheet_of(ROUND))
    first = sees.answer(current(table), 1).action
    assert first is not None
    assert isinstance(table.submit(first, Actor("player", seat=1)), Accepted)
    assert set(current(table).state.boards[1].rounds().values()) == {1}
    misread = dict.fromkeys(ROUND, 5) | {"b2": 4}
    sees(sheet_of(ROUND | {"b2": "NS"}, rounds=misread))
    again = sees.answer(current(table), 1).action
    assert again is not None
    assert again.data["rounds"] == {}
    assert isinstance(table.submit(again, Actor("player", seat=1)), Accepted)
    assert set(current(table).state.boards[1].rounds().values()) == {1}


def test_a_scorekeeper_knows_the_dice_where_they_were_told(table: Table, sees: Camera) -> None:
    match = begun(table, "scorekeeper", FACES)
    sees(sheet_of(ROUND, unclear={"d1": {"nes": 0.7, "ne": 0.3}}))
    answer = sees.answer(match, 1)
    assert answer.action is not None
    assert answer.action.data["cells"]["d1"] == "ne"


def test_one_photograph_of_the_whole_table(table: Table, sees: Camera) -> None:
    match = begun(table, faces=FACES)
    sees(sheet_of(ROUND, seat=2), sheet_of(ROUND | {"b1": "ES"}, seat=1), sheet_of({}, seat=5))
    reader = RailroadInkReader()
    assert reader.seats(match.state) == (1, 2), "nobody plays at seat 5"
    assert [sees.answer(match, seat).action is None for seat in (1, 2)] == [True, False]


def test_a_whole_match_from_photographs(table: Table, sees: Camera) -> None:
    begun(table)
    random = Random(8)
    for _ in range(7):
        assert isinstance(table.submit(Action("roll"), HOST), Accepted)
        for seat in (1, 2):
            state = current(table).state
            after = played(random, state.rules, state.boards[seat], state.roll)
            sees(sheet_of(print_cells(after.cells()), seat))
            answer = sees.answer(current(table), seat)
            if answer.action is not None:
                assert isinstance(table.submit(answer.action, Actor("player", seat=seat)), Accepted)
            assert current(table).state.boards[seat].cells() == after.cells()
            assert isinstance(table.submit(Action("done", seat), Actor("player", seat=seat)), Accepted)
    assert current(table).finished
    assert verified(list(current(table).events), GAMES).fault is None


def test_a_scorekeeper_is_never_worse_off_for_misread_numbers(table: Table, sees: Camera) -> None:
    """Whatever numbers are read with certainty, every board is taken as it is, without a question."""
    begun(table, "scorekeeper")
    random = Random(8)
    board = Board()
    for _ in range(7):
        assert isinstance(table.submit(Action("roll"), HOST), Accepted)
        state = current(table).state
        board = played(random, state.rules, board, state.roll)
        cells = print_cells(board.cells())
        sees(sheet_of(cells, rounds={name: random.randint(1, 7) for name in cells}))
        action = sees.answer(current(table), 1).action
        assert action is not None
        assert isinstance(table.submit(action, Actor("player", seat=1)), Accepted)
        state = current(table).state
        assert state.boards[1].cells() == board.cells()
        assert max(state.boards[1].rounds().values()) <= state.roll.round
        assert _new_ones_are_of_this_round(state.boards[1].rounds(), board, state.roll.round)
    assert state.roll.round == 7


def _new_ones_are_of_this_round(rounds: dict[int, int], board: Board, number: int) -> bool:
    return all(rounds[GRID.cell(one.cell)] == number for one in board.in_round(number))


def test_a_taught_board_is_a_seats_own_but_nobodys_on_the_whole_table(table: Table, tmp_path: Path) -> None:
    match, reader = begun(table), RailroadInkReader()
    square = ((10.0, 10.0), (700.0, 12.0), (690.0, 710.0), (8.0, 700.0))
    picture = np.full((720, 720, 3), 200, np.uint8)
    paths = []
    for edition in ("challenge", "classic"):
        paths.append(tmp_path / f"{edition}.json")
        reader.teach(paths[-1], picture, ReadHints(edition, corners=square))
    assert reader.hints(match.state, 2, None, paths) == ReadHints("challenge", 2, None, (paths[0],))
    assert reader.hints(match.state, None, None, paths) == ReadHints("challenge")
    assert reader.hints(match.state, 2, None, []) == reader.hints(match.state, 1, None, [])


def at_first_sight(cells: dict[str, str], seat: int = 1) -> SheetReading:
    """A board of another print: nothing on it tells whose it is."""
    seen = sheet_of(cells, seat)
    return replace(seen, quality=replace(seen.quality, found_by="sight"))


def test_a_board_of_another_print_is_whose_photograph_it_is(table: Table) -> None:
    match, reader = begun(table, faces=FACES), RailroadInkReader()
    reading = photo_of(at_first_sight(ROUND))
    own = reader.answer(SeatQuery(reading, match.state, 2, photo=DIGEST, own=True))
    assert own.sheet is not None
    assert own.sheet.seat == 2
    assert own.action is not None
    nobodys = reader.answer(SeatQuery(reading, match.state, 2, photo=DIGEST))
    assert nobodys.action is None
    assert "nothing tells yet" in nobodys.says[0]


def test_among_boards_of_another_print_a_seat_knows_its_own_by_its_routes(table: Table) -> None:
    reader = RailroadInkReader()
    match = begun(table, faces=FACES)
    first = reader.answer(SeatQuery(photo_of(sheet_of(ROUND)), match.state, 1, photo=DIGEST))
    assert first.action is not None
    assert isinstance(table.submit(first.action, Actor("player", seat=1)), Accepted)
    other = {"b7": "NS", "f7": "NS"}
    reading = photo_of(at_first_sight(other, 1), half_turned(at_first_sight(ROUND, 2)))
    seen = reader.seat_sheet(SeatQuery(reading, current(table).state, 1))
    assert isinstance(seen, SheetReading)
    assert seen.seat == 1
    ruled = reader.answer(SeatQuery(reading, current(table).state, 1, photo=DIGEST))
    assert ruled.sheet is not None
    assert {name: cell.best for name, cell in ruled.sheet.cells.items() if cell.best} == ROUND


def test_which_end_of_an_empty_board_is_the_upper_one_is_asked_where_buildings_count(table: Table) -> None:
    match, reader = begun(table, faces=FACES), RailroadInkReader()
    lying = replace(half_turned(at_first_sight(ROUND)), upper_known=False)

    def ruled(**answers: str) -> SeatAnswer[SheetReading, Any]:
        return reader.answer(SeatQuery(photo_of(lying), match.state, 1, answers, DIGEST, own=True))

    asked = ruled()
    assert asked.action is None
    assert asked.ruling is not None
    ((slot, options),) = asked.ruling.questions.items()
    assert [text for text, _ in options] == ["at the bottom of the picture", "at the top of the picture"]
    turned = ruled(**{slot: "at the top of the picture"})
    assert turned.action is not None
    assert turned.sheet is not None
    assert {name: cell.best for name, cell in turned.sheet.cells.items() if cell.best} == ROUND
    as_it_lies = ruled(**{slot: "at the bottom of the picture"})
    assert as_it_lies.action is not None
    assert as_it_lies.sheet is not None
    assert as_it_lies.sheet.cells["g7"].best == half_turned(lying).cells["a1"].best


def test_a_board_without_buildings_has_no_upper_end(table: Table) -> None:
    match = begun(table, faces=FACES, edition="classic")
    lying = replace(at_first_sight(ROUND), edition="classic", upper_known=False)
    query = SeatQuery(photo_of(lying), match.state, 1, photo=DIGEST, own=True)
    assert RailroadInkReader().answer(query).action is not None
