"""Derailed! through the table: what players may take back, claim and change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.games.derailed.rules.state import State
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.store import Store
from companion.table.table import Accepted, Refused, Table

HOST = Actor("host")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Store(tmp_path) as store:
        table = Table(store, GAMES, chance=SeededChance(4))
        data = {"game": "derailed", "players": ["Asha", "Bo"]}
        assert isinstance(table.submit(Action("start", data=data), HOST), Accepted)
        yield table


def state(table: Table) -> State:
    assert table.current
    found = table.current.state
    assert isinstance(found, State)
    return found


def laying(table: Table) -> Action:
    assert table.current
    actions = table.current.game.legal(state(table), state(table).turn)
    return next(action for action in actions if action.kind == "place")


def on_turn(table: Table) -> Actor:
    return Actor("player", state(table).turn)


def test_a_card_can_be_taken_back_until_the_next_one_is_seen(table: Table) -> None:
    before, player = state(table), on_turn(table)
    table.submit(laying(table), player)
    assert state(table) != before
    assert isinstance(table.submit(Action("undo"), player), Accepted)
    assert state(table) == before
    table.submit(laying(table), player)
    assert isinstance(table.submit(Action("take"), player), Accepted)
    answer = table.submit(Action("undo"), player)
    assert isinstance(answer, Refused)
    assert answer.code == "behind-a-roll"


def test_a_card_in_the_wrong_cell_can_be_corrected(table: Table) -> None:
    player = on_turn(table)
    assert table.current
    first, *_, other = (
        action
        for action in table.current.game.legal(state(table), state(table).turn)
        if action.kind == "place"
    )
    laid = table.submit(first, player)
    assert isinstance(laid, Accepted)
    request = {"seq": laid.event.seq, "data": other.data}
    assert isinstance(table.submit(Action("correct", data=request), player), Accepted)
    assert state(table).cells == {other.data["cell"]: other.data["card"]}


def test_nobody_chooses_the_card_to_take(table: Table) -> None:
    table.submit(laying(table), on_turn(table))
    before = state(table)
    request = Action("take", data={"chance": {"deck": ["LTRB"] * 90}, "source": {"kind": "me"}})
    answer = table.submit(request, on_turn(table))
    assert isinstance(answer, Accepted)
    assert answer.event.data == {}
    assert state(table).hands[before.turn][-1] == before.deck[0]


def test_nobody_acts_for_another_hand(table: Table) -> None:
    other = Actor("player", 3 - state(table).turn)
    answer = table.submit(Action("place", state(table).turn, laying(table).data), other)
    assert isinstance(answer, Refused)
    assert answer.code == "not-your-seat"
