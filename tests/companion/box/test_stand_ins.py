"""Bots that play for people who handed over or left, beside people."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from companion.box import stand_ins
from companion.box.stand_ins import StandIns
from companion.games.bots import any_action
from companion.games.contract import Action
from companion.games.registry import GAMES
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.replay import verified
from companion.table.store import Store
from companion.table.table import Accepted, Refused, Table
from tests.companion.table.toygame import ToyGame

HOST = Actor("host")
EVERY: dict[str, Any] = {**GAMES, "toy": ToyGame()}


def begun(store: Store, game: str, *players: str) -> tuple[Table, StandIns]:
    table = Table(store, EVERY, chance=SeededChance(3))
    do(table, Action("start", data={"game": game, "players": list(players)}))
    return table, StandIns(table, threading.Event(), pause=0, chance=SeededChance(4))


def do(table: Table, action: Action, actor: Actor = HOST) -> None:
    answer = table.submit(action, actor)
    assert isinstance(answer, Accepted), answer


def now(table: Table) -> Match:
    match = table.current
    assert match is not None
    return match


@pytest.mark.parametrize("name", ["railroad-ink", "derailed", "spike"])
def test_a_bot_plays_beside_a_person(tmp_path: Path, name: str) -> None:
    with Store(tmp_path) as store:
        table, bots = begun(store, name, "North", "East")
        assert not bots.play_one(), "nobody has handed a seat over"
        do(table, Action("hold", 2, {"by": "bot"}))
        chance = SeededChance(5)
        for _ in range(25):
            while bots.play_one():
                pass
            action = any_action(now(table).game, now(table).state, 1, chance)
            assert action is not None, "the bot has done what it could: now it is the person's turn"
            do(table, action, Actor("player", 1))
        by_bot = [event for event in now(table).events if event.actor.name == "stand-in"]
        assert by_bot
        assert all(event.seat == 2 and event.kind != "roll" for event in by_bot)
        assert verified(now(table).events, EVERY).fault is None


def test_bots_alone_throw_the_dice_and_finish(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table, bots = begun(store, "railroad-ink", "North")
        do(table, Action("hold", 1, {"by": "bot"}))
        while bots.play_one():
            pass
        assert now(table).finished


def test_where_a_game_does_not_go_on_without_a_seat_they_make_its_moves(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table, bots = begun(store, "toy", "North", "East")
        do(table, Action("roll"))
        do(table, Action("hold", 1, {"by": "nobody"}))
        assert bots.play_one()
        assert now(table).state.turn == 2
        assert not bots.play_one()


def test_they_never_throw_the_dice_of_people(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table, bots = begun(store, "railroad-ink", "North", "East")
        do(table, Action("hold", 2, {"by": "bot"}))
        assert not bots.play_one()
        assert now(table).state.dice == ()


def test_a_bot_with_a_fault_does_something_legal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: object) -> None:
        raise ArithmeticError("a fault")

    monkeypatch.setattr(stand_ins, "best_action", faulty)
    with Store(tmp_path) as store:
        table, bots = begun(store, "railroad-ink", "North", "East")
        do(table, Action("hold", 2, {"by": "bot"}))
        do(table, Action("roll"))
        assert bots.play_one()


def test_a_seat_that_is_taken_back_while_a_bot_thinks_stays_untouched(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table, bots = begun(store, "railroad-ink", "North", "East")
        do(table, Action("hold", 2, {"by": "bot"}))
        do(table, Action("roll"))
        back = Action("hold", 2, {"by": "person"})
        assert not bots.play_one(lambda _: do(table, back, Actor("player", 2)))
        assert [event.kind for event in now(table).events][-1] == "hold"


def test_they_start_and_stop(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table, _ = begun(store, "railroad-ink", "North")
        stopping = threading.Event()
        bots = StandIns(table, stopping, pause=0)
        bots.start()
        subscription = table.subscribe()
        do(table, Action("hold", 1, {"by": "bot"}))
        while not now(table).finished:
            subscription.read(timeout=20)
        stopping.set()
        bots.join()


def test_people_see_the_result_of_a_round_before_a_bot_begins_the_next(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table, bots = begun(store, "derailed", "North", "East")
        do(table, Action("hold", 2, {"by": "bot"}))
        chance = SeededChance(5)
        while now(table).state.phase != "between":
            if not bots.play_one():
                action = any_action(now(table).game, now(table).state, 1, chance)
                assert action is not None
                do(table, action, Actor("player", 1))
        waits: list[float] = []
        bots.look = 10
        for _ in range(20):  # it may change cards before; that hurries nobody
            bots.play_one(waits.append)
            if now(table).state.phase != "between":
                break
        assert sum(waits) >= 10


@pytest.mark.parametrize("name", ["derailed", "spike", "empire-builder"])
def test_no_bot_plays_with_cards_that_lie_on_the_table(tmp_path: Path, name: str) -> None:
    with Store(tmp_path) as store:
        table = Table(store, EVERY, chance=SeededChance(3))
        wishes = {"game": name, "players": ["North", "East"], "options": {"deal": "table"}}
        do(table, Action("start", data=wishes))
        answer = table.submit(Action("hold", 2, {"by": "bot"}), HOST)
        assert isinstance(answer, Refused)
        assert "no bot can play" in answer.message
