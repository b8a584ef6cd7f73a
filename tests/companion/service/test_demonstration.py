"""The bots of the demonstration."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.demonstration import Demonstration, Pace
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.sitting import taken_seats
from companion.table.store import Store
from companion.table.table import Accepted, Table

AT_ONCE = Pace(roll=0, move=0, look=0, between_matches=0)
GAME = GAMES["railroad-ink"]


def test_bots_play_a_whole_match_and_begin_the_next(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table = Table(store, GAMES, chance=SeededChance(1))
        bots = Demonstration(
            table,
            threading.Event(),
            GAME,
            pace=AT_ONCE,
            chance=SeededChance(2),
            players=("East", "North"),
        )
        while len(store.matches()) < 2:
            request = bots.next_request()
            assert request is not None
            answer = table.submit(*request)
            assert isinstance(answer, Accepted), answer
        first = table.match(store.matches()[0].id)
        assert first is not None
        assert first.finished
        assert first.game.faults(first.state) == []
        assert all(first.state.boards[seat].drawings for seat in first.players)


@pytest.mark.parametrize("name", GAMES)
def test_bots_can_begin_and_play_every_game(tmp_path: Path, name: str) -> None:
    with Store(tmp_path) as store:
        table = Table(store, GAMES, chance=SeededChance(1))
        bots = Demonstration(table, threading.Event(), GAMES[name], pace=AT_ONCE, chance=SeededChance(2))
        for _ in range(60):
            request = bots.next_request()
            assert request is not None
            answer = table.submit(*request)
            assert isinstance(answer, Accepted), answer
        match = table.current
        assert match is not None
        assert (match.game.name, len(match.players)) == (name, 4)


def test_bots_leave_the_seats_of_people_alone(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table = Table(store, GAMES, chance=SeededChance(1))
        bots = Demonstration(
            table,
            threading.Event(),
            GAME,
            pace=AT_ONCE,
            chance=SeededChance(2),
            taken=lambda match: frozenset({1}),
        )
        while (request := bots.next_request()) is not None:
            assert isinstance(table.submit(*request), Accepted)
        match = table.current
        assert match is not None
        assert match.state.round == 1
        assert match.state.done == (2, 3, 4), "everybody waits for seat 1"


def test_the_bots_stop_when_the_box_stops(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table = Table(store, GAMES, chance=SeededChance(1))
        stopping = threading.Event()
        events = table.subscribe()
        bots = Demonstration(table, stopping, GAME, pace=Pace(roll=60, move=60), chance=SeededChance(2))
        bots.start()
        assert events.read(timeout=10)
        stopping.set()
        bots.join()


def visited(table: Table, seat: int, name: str) -> Match:
    """Somebody has sat down at a seat of the current match."""
    match = table.current
    assert match is not None
    player = match.players[seat]
    wanted = {"name": name, "colour": player.colour, "shape": player.shape, "person": "ada"}
    assert isinstance(table.submit(Action("sit", seat, wanted), Actor("player", seat)), Accepted)
    now = table.current
    assert now is not None
    return now


def test_visitors_sit_where_they_sat_in_the_next_match(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table = Table(store, GAMES, chance=SeededChance(1))
        bots = Demonstration(table, threading.Event(), GAME, pace=AT_ONCE, taken=taken_seats)
        assert (first := bots.next_request()) is not None
        assert isinstance(table.submit(*first), Accepted)
        visited(table, 1, "Ada")
        visited(table, 2, "North")
        assert isinstance(table.submit(Action("end"), Actor("host")), Accepted)
        assert (again := bots.next_request()) is not None
        assert isinstance(table.submit(*again), Accepted)
        match = table.current
        assert match is not None
        assert [one.name for one in match.players.values()] == ["Ada", "North", "South", "West"]
        assert match.players[1].person == "ada"


def test_a_bot_goes_on_for_a_visitor_who_has_left_without_a_word(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table = Table(store, GAMES, chance=SeededChance(1))
        now = 0.0
        bots = Demonstration(
            table, threading.Event(), GAME, pace=AT_ONCE, taken=taken_seats, clock=lambda: now
        )
        assert (first := bots.next_request()) is not None
        assert isinstance(table.submit(*first), Accepted)
        visited(table, 3, "Ada")
        while (request := bots.next_request()) is not None:
            assert isinstance(table.submit(*request), Accepted)
        now = AT_ONCE.patience - 1
        assert bots.next_request() is None, "people think before they draw"
        now = AT_ONCE.patience + 1
        assert (request := bots.next_request()) is not None
        assert isinstance(table.submit(*request), Accepted)
        match = table.current
        assert match is not None
        assert (match.holder(3).by, taken_seats(match)) == ("bot", frozenset())


def after_a_round(store: Store, pace: Pace, clock: Callable[[], float]) -> tuple[Table, Demonstration]:
    """Bots of a demonstration at the end of a round of Derailed!"""
    table = Table(store, GAMES, chance=SeededChance(1))
    bots = Demonstration(
        table, threading.Event(), GAMES["derailed"], pace=pace, taken=taken_seats, clock=clock,
        chance=SeededChance(2),
    )  # fmt: skip
    while table.current is None or table.current.state.phase != "between":
        assert (request := bots.next_request()) is not None
        assert isinstance(table.submit(*request), Accepted)
    return table, bots


def test_the_end_of_a_round_is_looked_at_before_the_bots_begin_the_next(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        now = 0.0
        table, bots = after_a_round(store, Pace(look=12), lambda: now)
        assert bots.next_request() is None
        now = 12.0
        assert (request := bots.next_request()) is not None
        assert request[0].kind == "round"
        assert isinstance(table.submit(*request), Accepted)


def test_the_end_of_a_round_is_left_to_a_visitor(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        now = 0.0
        table, bots = after_a_round(store, AT_ONCE, lambda: now)
        visited(table, 3, "Ada")
        assert bots.next_request() is None
        now = AT_ONCE.patience + 1
        assert (request := bots.next_request()) is not None
        assert (request[0].kind, request[0].seat) == ("hold", 3), "who is gone keeps nobody waiting"
