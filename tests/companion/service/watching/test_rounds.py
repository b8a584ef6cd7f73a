"""Rounds that nobody has to enter: people draw, lift their pens, and the camera sees who is done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.game.base import Action
from companion.service.watching.looks import TableState
from companion.table.events import Actor
from companion.table.exc import TableError
from companion.table.table import Accepted
from tests.companion.service.watching.filmed import FilmedTable
from tests.web.houses import accepted, begin, small_house

FACES = ["NS", "ne", "N*", "NS|ew"]
ANNA = {"b1": "NS", "d1": "ne", "f1": "N*", "b2": "NS|ew"}
BEN = {"b1": "NS", "d1": "nw", "f1": "N*", "b2": "NS|ew"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[FilmedTable]:
    """Anna and Ben, the dice of the first round on the table, and a phone over it."""
    with small_house(tmp_path) as house:
        begin(house, "Anna", "Ben", options={"goals": "none"})
        accepted(house, Action("roll", data={"faces": FACES}))
        yield FilmedTable(house)


def kinds(table: FilmedTable) -> list[tuple[str, int | None]]:
    return [(event.kind, event.seat) for event in table.match.events[2:]]


def test_a_round_is_played_without_touching_anything(table: FilmedTable) -> None:
    table.filmed({})
    assert (table.state(1), table.match.version) == ("drawing", 2)
    table.filmed({1: {"b1": "NS"}, 2: {"d1": "nw"}})
    assert kinds(table) == [], "nobody is asked about a round under way"
    table.filmed({1: ANNA, 2: {"d1": "nw"}})
    assert (table.state(1), table.state(2), table.match.state.done) == ("done", "drawing", (1,))
    table.filmed({1: ANNA, 2: BEN})
    assert kinds(table) == [("turn", 1), ("done", 1), ("turn", 2), ("done", 2)]
    assert (table.match.state.round, table.state(1), table.state(2)) == (2, "done", "done")
    turn = table.match.events[2]
    assert turn.actor.role == "device"
    assert table.house.photos.find(turn.data["picture"]["photo"]) is not None
    # The next roll settles it, and the boards are read as they are now
    accepted(table.house, Action("roll", data={"faces": FACES}))
    table.filmed({1: ANNA, 2: BEN}, 2)
    assert (table.state(1), table.state(2)) == ("drawing", "drawing")


def test_what_is_wiped_or_changed_is_taken_back_until_the_next_roll(table: FilmedTable) -> None:
    table.filmed({1: ANNA, 2: BEN}, 8)
    assert table.match.state.round == 2
    # Anna wipes a route: her round is not over any more
    wiped = {cell: route for cell, route in ANNA.items() if cell != "d1"}
    table.filmed({1: wiped, 2: BEN})
    assert (table.state(1), table.state(2)) == ("drawing", "done")
    assert (table.match.state.round, table.match.state.done) == (1, (2,))
    # and draws it elsewhere; Ben turns his
    table.filmed({1: {**wiped, "d1": "nw"}, 2: {**BEN, "d1": "ne"}})
    assert table.match.state.round == 2
    boards = table.match.state.boards
    assert {one.cell: one.route for one in boards[1].drawings}["d1"] == "nw"
    assert {one.cell: one.route for one in boards[2].drawings}["d1"] == "ne"
    assert kinds(table)[-1][0] == "correct" or ("correct", 2) in kinds(table)


def test_what_somebody_took_back_is_left_to_people(table: FilmedTable) -> None:
    table.filmed({1: ANNA}, 8)
    for _ in range(2):  # that she is done, and what was read
        assert isinstance(table.house.table.submit(Action("undo", 1), Actor("player", 1)), Accepted)
    table.filmed({1: ANNA})
    table.restarted()
    table.filmed({1: ANNA})
    assert [kind for kind, _ in kinds(table)] == ["turn", "done", "undo", "undo"]
    # but what she draws then is seen again
    table.filmed({1: {**ANNA, "d1": "nw"}})
    assert table.match.state.done == (1,)


def test_what_is_against_the_rules_is_said_in_one_sentence(table: FilmedTable) -> None:
    table.filmed({1: {**ANNA, "d1": "ew"}})
    told = table.news(1)
    assert told is not None
    assert told.state == "against"
    assert kinds(table) == []
    table.filmed({1: ANNA})
    assert table.state(1) == "done"


def test_a_doubt_is_asked_once_two_looks_agree_and_an_answer_settles_it(table: FilmedTable) -> None:
    unclear = {1: {**ANNA, "d1": "ne nw"}}
    table.filmed(unclear, 3)
    assert table.state(1) == "drawing", "one look is no reason to ask"
    table.filmed(unclear)
    told = table.news(1)
    assert told is not None
    assert (told.state, list(told.questions)) == ("unclear", ["d1"])
    assert not table.watch.answer(table.match, 1, "0" * 64, "d1", "ne"), "another photograph"
    assert not table.watch.answer(table.match, 1, told.photo, "d1", "NESW"), "nobody offered that"
    assert not table.watch.answer(table.match, 2, told.photo, "d1", "ne"), "another board"
    assert table.watch.answer(table.match, 1, told.photo, "d1", "ne")
    assert (table.state(1), table.match.state.done) == ("done", (1,))
    assert table.match.events[2].data["picture"]["settled"] == {"d1": "ne"}


def test_a_doubt_goes_when_somebody_draws_more_clearly(table: FilmedTable) -> None:
    table.filmed({1: {**ANNA, "d1": "ne nw"}}, 8)
    assert table.state(1) == "unclear"
    table.filmed({1: ANNA})
    assert table.state(1) == "done"


def test_a_bots_board_is_left_alone(table: FilmedTable) -> None:
    accepted(table.house, Action("hold", 2, {"by": "bot", "free": True}))
    table.filmed({1: ANNA, 2: BEN})
    assert (table.state(1), table.state(2), table.match.state.done) == ("done", "", (1,))


@pytest.mark.parametrize("after", [0, 3])
def test_dice_are_thrown_by_themselves_only_if_the_owner_wants_it(table: FilmedTable, after: int) -> None:
    table.house.settings.change({"camera": {"rolls_after": after}})
    table.filmed({1: ANNA, 2: BEN}, 16)
    assert bool(table.match.state.dice) == bool(after)


# --- faults: nothing is lost, it is said in one sentence, and goes on by itself ---


def test_a_camera_that_is_gone_comes_back_by_itself(table: FilmedTable) -> None:
    table.filmed({1: ANNA})
    table.silent(30)
    assert "sends no pictures" in table.watch.news.trouble
    assert table.state(1) == "done"
    table.silent(12)
    table.filmed({1: ANNA, 2: BEN}, 50)
    assert (table.watch.news.trouble, table.match.state.round) == ("", 2)


@pytest.mark.parametrize(
    ("state", "words"),
    [("dark", "too dark"), ("covered", "right before the camera"), ("moved", "sees no board")],
)
def test_lights_out_something_before_the_lens_or_another_table(
    table: FilmedTable, state: TableState, words: str
) -> None:
    table.filmed({1: ANNA, 2: {"d1": "nw"}})
    table.eye.table = state
    table.filmed({1: ANNA, 2: {"d1": "nw"}}, 12)
    assert words in table.watch.news.trouble
    assert table.state(1) == "done", "what was settled stays settled"
    table.eye.table = "seen"
    table.filmed({1: ANNA, 2: BEN}, 8)
    assert (table.watch.news.trouble, table.match.state.round) == ("", 2)


def test_the_reader_may_die_and_the_box_be_killed(table: FilmedTable) -> None:
    table.filmed({1: ANNA, 2: {"d1": "nw"}})
    assert table.match.state.done == (1,)
    table.eye.fails = TableError("bad-photo", "the reader failed at that picture: take another one")
    table.filmed({1: ANNA}, 10)
    assert "the reader failed" in table.watch.news.trouble
    table.eye.fails = None
    table.now += 30
    table.restarted()
    version = table.match.version
    table.filmed({1: ANNA, 2: {"d1": "nw"}})
    assert (table.match.version, table.state(1)) == (version, "done"), "nothing is entered twice"
    table.filmed({1: ANNA, 2: BEN})
    assert table.match.state.round == 2


def test_a_camera_that_is_not_wanted_is_not_asked(table: FilmedTable) -> None:
    table.house.settings.change({"camera": {"watch": False}})
    table.filmed({1: ANNA}, 3)
    assert table.eye.calls == []
    table.house.settings.change({"camera": {"watch": True}})
    table.filmed({1: ANNA}, 1)
    accepted(table.house, Action("end"))
    table.filmed({1: ANNA}, 2)
    assert table.eye.calls[-1] == "unfollowed"
    assert table.watch.news.seats == ()


def test_who_lies_on_the_board_is_asked_to_go_before_anything_else(table: FilmedTable) -> None:
    table.eye.hidden = ("d1",)
    table.filmed({1: {**ANNA, "d1": ""}}, 8)
    told = table.news(1)
    assert told is not None
    assert (told.state, told.questions) == ("covered", {})
    table.eye.hidden = ()
    table.filmed({1: ANNA})
    assert table.state(1) == "done"


def test_boards_without_tags_are_known_by_what_is_drawn_on_them(table: FilmedTable) -> None:
    table.eye.tagged = False
    table.filmed({1: ANNA, 2: BEN}, 12)
    assert (kinds(table), table.state(1)) == ([], "")
    assert "whose these boards are" in table.watch.news.trouble
    for seat, cells in ((1, ANNA), (2, BEN)):
        moves = [{"cell": cell, "route": route} for cell, route in cells.items()]
        accepted(table.house, Action("turn", seat, {"moves": moves}))
        accepted(table.house, Action("done", seat))
    accepted(table.house, Action("roll", data={"faces": FACES}))
    table.filmed({1: BEN, 2: ANNA}, 8)  # they lie the other way round
    assert (table.state(1), table.state(2), table.watch.news.trouble) == ("drawing", "drawing", "")
    boards = table.watch._boards
    assert boards is not None
    assert {key[2]: set(sheet.meant) for key, sheet in boards.sheets.items()} == {-1: {2}, -2: {1}}


def test_nobodys_last_route_comes_too_late(table: FilmedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(table.match.game), "finished", lambda self, state: state.round > 1)
    table.filmed({1: ANNA, 2: BEN})
    assert (table.state(1), table.state(2), table.match.finished) == ("done", "done", False)
    more = {**BEN, "d7": "NESW"}
    table.filmed({1: ANNA, 2: more})
    assert not table.match.finished
    table.filmed({1: ANNA, 2: BEN}, 20)
    assert table.match.finished


def test_who_takes_done_back_is_not_done_again_by_itself(table: FilmedTable) -> None:
    table.filmed({1: ANNA}, 8)
    done = next(event.seq for event in table.match.events if event.kind == "done")
    assert isinstance(
        table.house.table.submit(Action("undo", 1, {"seq": done}), Actor("player", 1)), Accepted
    )
    table.filmed({1: ANNA}, 20)
    assert table.match.state.done == ()
