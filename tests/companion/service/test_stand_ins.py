"""Bots that play for people who handed over or left, beside people."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.game.base import Action, Chance, Game
from companion.game.bots import any_action
from companion.game.registry import GAMES
from companion.service import stand_ins
from companion.service.stand_ins import StandIns
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.replay import verified
from companion.table.store import Store
from companion.table.table import Accepted, Refused, Table
from tests.companion.table.toygame import ToyGame

HOST = Actor("host")
EVERY: dict[str, Any] = {**GAMES, "toy": ToyGame()}


def begun(store: Store, game: str, *players: str, **options: Any) -> tuple[Table, StandIns]:
    table = Table(store, EVERY, chance=SeededChance(3))
    do(table, Action("start", data={"game": game, "players": list(players), "options": options}))
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


def round_over(store: Store, *players: str, bots: tuple[int, ...]) -> tuple[Table, StandIns]:
    """A round of Derailed! played to its end; cards may be changed before the next one."""
    table, stand_ins = begun(store, "derailed", *players, between_discard=True)
    for seat in bots:
        do(table, Action("hold", seat, {"by": "bot"}))
    people = [seat for seat in now(table).players if seat not in bots]
    chance = SeededChance(5)
    stand_ins.look = stand_ins.glance = 0
    while now(table).state.phase != "between":
        if not stand_ins.play_one():
            seat = next(seat for seat in people if now(table).game.legal(now(table).state, seat))
            action = any_action(now(table).game, now(table).state, seat, chance)
            assert action is not None
            do(table, action, Actor("player", seat))
    stand_ins.look, stand_ins.glance = 10, 2
    return table, stand_ins


def play_until_the_next_round(table: Table, bots: StandIns, wait: Callable[[float], object]) -> None:
    for _ in range(20):  # they may change cards before; that hurries nobody
        bots.play_one(wait)
        if now(table).state.phase != "between":
            break


def test_people_see_the_result_of_a_round_before_a_bot_begins_the_next(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table, bots = round_over(store, "North", "East", bots=(2,))
        waits: list[float] = []
        play_until_the_next_round(table, bots, waits.append)
        assert sum(waits) >= 10
        assert now(table).state.round == 2


def test_whoever_still_does_something_after_a_round_is_not_hurried_by_that(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table, bots = round_over(store, "North", "East", bots=(2,))
        waits: list[float] = []

        def wait(seconds: float) -> None:
            waits.append(seconds)
            legal = now(table).game.legal(now(table).state, 1)
            change = next((one for one in legal if one.kind == "discard"), None)
            if sum(waits) >= 6 and change is not None and now(table).state.phase == "between":
                do(table, change, Actor("player", 1))

        play_until_the_next_round(table, bots, wait)
        assert "discard" in [event.kind for event in now(table).events if event.actor.seat == 1]
        assert sum(waits) >= 6 + 10, "from then on people have their time again"


def test_one_tap_of_somebody_begins_the_next_round_at_once(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table, bots = round_over(store, "North", "East", bots=(2,))

        def wait(seconds: float) -> None:
            if seconds and now(table).state.phase == "between":
                do(table, Action("round", 1), Actor("player", 1))

        play_until_the_next_round(table, bots, wait)
        assert now(table).state.round == 2
        begins = [event for event in now(table).events if event.kind == "round"]
        assert [event.actor.seat for event in begins] == [1]


def test_another_bot_changes_its_cards_before_the_first_begins_the_next_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decided(game: Game[Any], state: Any, seat: int, _: Chance) -> Action:
        legal = game.legal(state, seat)
        return legal[-1] if seat == 2 else legal[0]

    with Store(tmp_path) as store:
        table, bots = round_over(store, "North", "East", "South", bots=(2, 3))
        monkeypatch.setattr(stand_ins, "best_action", decided)
        play_until_the_next_round(table, bots, lambda _: None)
        last = [(event.kind, event.seat) for event in now(table).events[-2:]]
        assert last == [("discard", 3), ("round", 2)]


def test_bots_alone_wait_only_for_those_who_watch(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table, bots = round_over(store, "North", "East", bots=(1, 2))
        waits: list[float] = []
        play_until_the_next_round(table, bots, waits.append)
        assert 2 <= sum(waits) < 10


@pytest.mark.parametrize("name", ["derailed", "spike", "empire-builder"])
def test_no_bot_plays_with_cards_that_lie_on_the_table(tmp_path: Path, name: str) -> None:
    with Store(tmp_path) as store:
        table = Table(store, EVERY, chance=SeededChance(3))
        wanted = {"game": name, "players": ["North", "East"], "options": {"deal": "table"}}
        do(table, Action("start", data=wanted))
        answer = table.submit(Action("hold", 2, {"by": "bot"}), HOST)
        assert isinstance(answer, Refused)
        assert "no bot can play" in answer.message
