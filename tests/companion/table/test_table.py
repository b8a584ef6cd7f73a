"""The one way in: what is accepted, what is refused, and that nobody is lost, doubled or delayed."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.table.authority import as_asked
from companion.table.chance import SeededChance
from companion.table.events import Actor, Device, chain_fault
from companion.table.exc import FullError
from companion.table.match import folded
from companion.table.replay import verified
from companion.table.requests import to_take_back
from companion.table.snapshots import EVERY, fitting_state
from companion.table.store import Snapshot, Store
from companion.table.table import REMEMBERED, Accepted, Refused, Table
from tests.companion.table.toygame import ToyGame

HOST = Actor("host")
WATCHER = Actor("watcher")
ROLLER = Actor("device", name="roller")
GAMES: dict[str, Any] = {"toy": ToyGame()}
STARTING = Action("start", data={"game": "toy", "players": ["North", ""]})


def player(seat: int) -> Actor:
    return Actor("player", seat)


def ticking() -> Any:
    moments = (datetime(2026, 5, 1, 19, tzinfo=UTC) + timedelta(seconds=n) for n in range(10**6))
    return lambda: next(moments)


def made(store: Store, seed: int = 1) -> Table:
    ids = (f"match-{n}" for n in range(1000))
    return Table(store, GAMES, chance=SeededChance(seed), clock=ticking(), new_id=lambda: next(ids))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    table = made(store)
    assert isinstance(table.submit(STARTING, HOST), Accepted)
    return table


def play(table: Table, seat: int, card: int | None = None, key: str | None = None) -> Accepted | Refused:
    match = table.current
    assert match is not None
    chosen = card if card is not None else match.state.hands[seat][0]
    return table.submit(Action("play", seat, {"card": chosen}), player(seat), key)


def accepted(answer: Accepted | Refused) -> Accepted:
    assert isinstance(answer, Accepted), answer
    return answer


def refused(answer: Accepted | Refused, code: str) -> Refused:
    assert isinstance(answer, Refused), answer
    assert answer.code == code, answer
    assert answer.message.strip()
    return answer


def state(table: Table) -> Any:
    assert table.current is not None
    return table.current.state


# --- accepted and refused ---


def test_an_accepted_action_is_an_event_with_a_new_version(table: Table, store: Store) -> None:
    answer = accepted(play(table, 1))
    assert (answer.event.seq, answer.version, answer.again) == (2, 2, False)
    assert store.events(answer.event.match)[-1] == answer.event


@pytest.mark.parametrize(
    ("action", "actor", "code"),
    [
        (Action("play", 2, {"card": 1}), player(2), "not-your-turn"),
        (Action("play", 1, {"card": 99}), player(1), "not-in-hand"),
        (Action("play", 1, {"card": 1}), player(2), "not-your-seat"),
        (Action("play", 9, {"card": 1}), HOST, "no-seat"),
        (Action("play", 1, {"card": 1}), WATCHER, "watching"),
        (Action("play", None, {"card": 1}), Actor("player"), "no-seat"),
        (Action("dance", 1), player(1), "unknown-action"),
        (Action("start", data={}), player(1), "host-only"),
        (Action("undo"), ROLLER, "device"),
        (Action("start", data={"game": "toy", "players": ["A"] * 5}), HOST, "bad-seats"),
        (Action("start", data={"game": "chess", "players": ["A"]}), HOST, "unknown-game"),
        (Action("start", data={"game": "toy"}), HOST, "bad-shape"),
        (Action("start", data={"game": "toy", "players": ["North", "north"]}), HOST, "taken"),
        (Action("start", data={"game": "toy", "players": ["x" * 99]}), HOST, "bad-name"),
        (Action("start", data={"game": "toy", "players": ["A"], "options": {"x": 1}}), HOST, "bad-option"),
        (Action("undo", 1), player(1), "nothing-to-undo"),
        (Action("undo", 1, {"seq": "two"}), player(1), "bad-shape"),
        (Action("correct", 1, {"seq": 44, "data": {}}), player(1), "nothing-to-correct"),
        (Action("sit", 1, {"name": "North"}), player(1), "bad-shape"),
        (Action("sit", 1, {"name": "A", "colour": "mauve", "shape": "star"}), player(1), "bad-colour"),
        (Action("sit", 1, {"name": "A", "colour": "blue", "shape": "star"}), player(1), "taken"),
        (Action("sit", 7, {"name": "A", "colour": "green", "shape": "star"}), HOST, "no-seat"),
    ],
)
def test_a_refused_action_changes_nothing(
    table: Table, store: Store, action: Action, actor: Actor, code: str
) -> None:
    before, stored = table.current, store.stored()
    refused(table.submit(action, actor), code)
    assert table.current is before
    assert store.stored() == stored


def test_without_a_match_there_is_nothing_to_do(store: Store) -> None:
    refused(made(store).submit(Action("play", 1, {"card": 1}), player(1)), "no-match")


def test_a_finished_match_takes_no_more_moves_but_an_undo(table: Table) -> None:
    while not table.current or not table.current.finished:
        accepted(play(table, state(table).turn, max(state(table).hands[state(table).turn])))
    refused(play(table, state(table).turn), "finished")
    accepted(table.submit(Action("undo"), HOST))
    assert table.current
    assert not table.current.finished


def test_the_host_can_end_a_match(table: Table) -> None:
    accepted(table.submit(Action("end"), HOST))
    assert table.current
    assert table.current.finished
    refused(table.submit(Action("end"), HOST), "finished")
    refused(play(table, 1), "finished")


def test_a_player_needs_not_say_the_own_seat(table: Table) -> None:
    card = state(table).hands[1][0]
    assert accepted(table.submit(Action("play", data={"card": card}), player(1))).event.seat == 1


def test_a_seat_gets_a_name_a_colour_and_a_shape(table: Table) -> None:
    north = {"name": "North", "colour": "orange", "shape": "star"}
    accepted(table.submit(Action("sit", 1, north), player(1)))
    assert table.current
    assert table.current.players[1].colour == "orange"


def test_a_player_cannot_claim_where_a_number_came_from(table: Table) -> None:
    answer = table.submit(Action("roll", 1, {"face": 6, "source": {"kind": "roller"}}), player(1))
    assert accepted(answer).event.data["source"] != {"kind": "roller"}
    answer = table.submit(Action("roll", None, {"face": 6, "source": {"kind": "roller"}}), ROLLER)
    assert accepted(answer).event.data["source"] == {"kind": "roller"}


def test_a_player_cannot_choose_the_order_of_a_shuffle() -> None:
    action = Action("shuffle", 1, {"chance": {"order": [8, 7]}, "cards": 2})
    assert as_asked(action, player(1)).data == {"cards": 2}
    assert as_asked(action, Actor("service")).data == action.data


# --- once and only once ---


def test_the_same_key_counts_once(table: Table) -> None:
    first = accepted(play(table, 1, key="k"))
    card = first.event.data["card"]
    again = accepted(play(table, 1, card, key="k"))
    assert again.event == first.event
    assert again.again


def test_the_same_key_still_counts_once_after_a_restart(table: Table, store: Store) -> None:
    first = accepted(play(table, 1, key="k"))
    again = made(store).submit(Action("play", 1, first.event.data), player(1), "k")
    assert accepted(again).again


def test_a_key_is_not_for_another_request(table: Table) -> None:
    accepted(play(table, 1, key="k"))
    refused(table.submit(Action("undo", 1), player(1), "k"), "key-used")


def test_two_players_may_choose_the_same_key(table: Table) -> None:
    accepted(play(table, 1, key="k"))
    assert not accepted(play(table, 2, key="k")).again


def test_a_device_roll_counts_once(table: Table) -> None:
    throw = Device("uid-1", "boot-1", 1)
    first = accepted(table.submit(Action("roll", None, {"face": 3}), ROLLER, device=throw))
    again = accepted(table.submit(Action("roll", None, {"face": 3}), ROLLER, device=throw))
    assert again.again
    assert again.event == first.event
    other = accepted(
        table.submit(Action("roll", None, {"face": 3}), ROLLER, device=Device("uid-1", "boot-1", 2))
    )
    assert not other.again


# --- undo and correction ---


def test_undo_takes_back_ones_own_last_move(table: Table) -> None:
    before = state(table)
    accepted(play(table, 1))
    accepted(table.submit(Action("undo", 1), player(1)))
    assert state(table) == before
    accepted(play(table, 1, before.hands[1][1]))


def test_undo_does_not_pull_the_rug_from_under_later_moves(table: Table) -> None:
    accepted(play(table, 1))
    accepted(play(table, 2))
    refused(table.submit(Action("undo", 1), player(1)), "not-your-turn")
    refused(table.submit(Action("undo", 1, {"seq": 3}), player(1)), "not-your-seat")
    accepted(table.submit(Action("undo"), HOST))
    accepted(table.submit(Action("undo", 1), player(1)))


def test_undo_never_crosses_a_roll(table: Table) -> None:
    played = accepted(play(table, 1))
    assert table.current
    assert to_take_back(table.current, 1) == played.event.seq
    roll = accepted(table.submit(Action("roll"), HOST))
    refused(table.submit(Action("undo", 1), player(1)), "behind-a-roll")
    refused(table.submit(Action("undo", None, {"seq": roll.event.seq}), HOST), "behind-a-roll")
    assert to_take_back(table.current, 1) is None, "no page offers what can only be refused"


def test_a_correction_names_what_it_corrects(table: Table) -> None:
    first, second = state(table).hands[1]
    wrong = accepted(play(table, 1, first))
    right = Action("correct", 1, {"seq": wrong.event.seq, "data": {"card": second}})
    answer = accepted(table.submit(right, player(1)))
    assert answer.event.data == {"seq": wrong.event.seq, "data": {"card": second}}
    assert state(table).money[1] == second


def test_a_correction_has_to_be_legal_and_to_leave_the_rest_standing(table: Table) -> None:
    first, second = state(table).hands[1]
    accepted(play(table, 1, first))
    accepted(play(table, 2))
    accepted(play(table, 1, second))
    refused(table.submit(Action("correct", 1, {"seq": 2, "data": {"card": 77}}), player(1)), "not-in-hand")
    refused(
        table.submit(Action("correct", 2, {"seq": 2, "data": {"card": second}}), player(2)), "not-your-seat"
    )
    if first != second:
        refused(table.submit(Action("correct", 1, {"seq": 2, "data": {"card": second}}), HOST), "not-in-hand")


def test_a_thrown_die_stays_as_it_was_thrown_but_a_typed_one_can_be_put_right(table: Table) -> None:
    thrown = accepted(table.submit(Action("roll"), HOST))
    correction = {"seq": thrown.event.seq, "data": {"face": 6}}
    refused(table.submit(Action("correct", None, correction), HOST), "not-correctable")
    by_hand = Action("roll", None, {"face": 2, "source": {"kind": "hand"}})
    typed = accepted(table.submit(by_hand, Actor("service")))
    accepted(table.submit(Action("correct", None, {"seq": typed.event.seq, "data": {"face": 6}}), HOST))
    assert state(table).rolled == 6


# --- telling everyone ---


def test_every_subscriber_gets_every_event_in_order(table: Table) -> None:
    early, late = table.subscribe(), table.subscribe()
    for _ in range(3):
        accepted(play(table, state(table).turn))
    assert [event.seq for event in early.read(timeout=0)] == [2, 3, 4]
    accepted(play(table, state(table).turn))
    assert [event.seq for event in early.read(timeout=0)] == [5]
    assert [event.seq for event in late.read(timeout=0)] == [2, 3, 4, 5]
    assert late.read(timeout=0) == []


def test_a_subscriber_that_slept_through_everything_misses_nothing(store: Store) -> None:
    table = made(store)
    asleep = table.subscribe()
    table._feed._recent = type(table._feed._recent)(maxlen=4)  # as after a very long night
    table.submit(STARTING, HOST)
    for _ in range(20):
        accepted(table.submit(Action("roll"), HOST))
    seen = [event.seq for _ in range(5) for event in asleep.read(timeout=0)]
    assert seen == list(range(1, 22))


def test_a_waiting_subscriber_is_woken(table: Table) -> None:
    subscription = table.subscribe()
    got: list[int] = []
    reader = threading.Thread(target=lambda: got.extend(e.seq for e in subscription.read(timeout=20)))
    reader.start()
    accepted(play(table, 1))
    reader.join(timeout=20)
    assert got == [2]


def test_a_closed_subscription_comes_back_at_once(table: Table) -> None:
    subscription = table.subscribe()
    reader = threading.Thread(target=lambda: list(subscription))
    reader.start()
    subscription.close()
    reader.join(timeout=20)
    assert not reader.is_alive()


def test_a_refused_action_is_not_told(table: Table) -> None:
    subscription = table.subscribe()
    refused(play(table, 2, 1), "not-your-turn")
    assert subscription.read(timeout=0) == []


# --- many at once, storage that fails, restart ---


def test_many_writers_make_one_order(table: Table, store: Store) -> None:
    match = accepted(table.submit(Action("roll"), HOST)).event.match

    def roll(name: int) -> None:
        for n in range(10):
            accepted(table.submit(Action("roll"), ROLLER, device=Device(f"roller-{name}", "b", n)))

    threads = [threading.Thread(target=roll, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    events = store.events(match)
    assert len(events) == 82
    assert chain_fault(events) is None


def test_a_full_disk_is_a_refusal_and_nothing_is_half_done(
    table: Table, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(table)

    def full(*_: object, **__: object) -> None:
        raise FullError("full", "the disk is full: make room, then try again")

    with monkeypatch.context() as patch:
        patch.setattr(store, "append", full)
        refused(play(table, 1), "full")
    assert state(table) == before
    accepted(play(table, 1))


def test_after_a_restart_the_match_goes_on(table: Table, store: Store) -> None:
    accepted(play(table, 1))
    again = made(store)
    assert again.current == table.current
    accepted(play(again, 2))


def test_snapshots_are_only_a_cache(table: Table, store: Store) -> None:
    for _ in range(EVERY - 1):
        accepted(table.submit(Action("roll"), HOST))
    assert table.current
    match = table.current.id
    snapshot = store.latest_snapshot(match)
    assert snapshot
    assert made(store).current == folded(store.events(match), GAMES["toy"]) == table.current
    assert fitting_state(store.events(match), GAMES["toy"], snapshot) == state(table)
    accepted(play(table, 1))
    accepted(table.submit(Action("undo", 1), player(1)))
    assert made(store).current == table.current
    old = '{"rules": "from long ago", "state": 1}'
    store.put_snapshot(Snapshot(match, snapshot.seq, snapshot.hash, old))
    assert made(store).current == table.current


def test_a_seats_token_opens_that_seat_until_a_new_one_is_issued(table: Table) -> None:
    assert table.current
    match = table.current.id
    first = table.issue_token(match, 1)
    assert table.seat_of_token(match, first) == 1
    second = table.issue_token(match, 1)
    assert (table.seat_of_token(match, first), table.seat_of_token(match, second)) == (None, 1)
    assert table.seat_of_token(match, "guess") is None


ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("play"), st.integers(1, 2), st.integers(0, 9)),
        st.tuples(st.just("undo"), st.integers(1, 2), st.just(0)),
        st.tuples(st.just("roll"), st.just(0), st.integers(1, 6)),
        st.tuples(st.just("shuffle"), st.just(0), st.just(0)),
    ),
    max_size=40,
)


def as_action(kind: str, seat: int, number: int) -> Action:
    data: JsonObject = {"card": number} if kind == "play" else {"face": number} if kind == "roll" else {}
    return Action(kind, seat or None, data)


@settings(max_examples=25, deadline=None)
@given(wanted=ACTIONS)
def test_whatever_is_asked_the_record_can_be_replayed_strictly(
    tmp_path_factory: pytest.TempPathFactory, wanted: list[tuple[str, int, int]]
) -> None:
    with Store(tmp_path_factory.mktemp("any")) as store:
        table = made(store)
        match = accepted(table.submit(STARTING, HOST)).event.match
        for kind, seat, number in wanted:
            table.submit(as_action(kind, seat, number), player(seat) if seat else HOST)
        events = store.events(match)
        assert verified(events, GAMES).fault is None
        assert folded(events, GAMES["toy"]) == table.current


def test_matches_that_nobody_asks_for_leave_the_memory_and_come_back_as_they_were(table: Table) -> None:
    accepted(play(table, 1))
    first = table.current
    assert first is not None
    known, forgotten = (first.id, first.version, first.state, first.players), weakref.ref(first)
    del first
    for _ in range(REMEMBERED):
        accepted(table.submit(STARTING, HOST))
    gc.collect()
    assert forgotten() is None
    again = table.match(known[0])
    assert again is not None
    assert (again.id, again.version, again.state, again.players) == known


def test_the_match_being_played_and_those_being_watched_stay_in_memory(table: Table) -> None:
    others = [accepted(table.submit(STARTING, HOST)).event.match for _ in range(3 * REMEMBERED)]
    watched = table.match(others[0])
    for other in others[1:]:
        table.match(other)
        assert table.match(others[0]) is watched
    assert table.current is table.match(others[-1])


def test_a_match_that_was_forgotten_is_played_on(table: Table) -> None:
    first = table.current
    assert first is not None
    for _ in range(2 * REMEMBERED):
        accepted(table.submit(STARTING, HOST))
    card = first.state.hands[1][0]
    answer = accepted(table.submit(Action("play", 1, {"card": card}), player(1), match=first.id))
    assert answer.version == first.version + 1
    after = table.match(first.id)
    assert after is not None
    assert after.state == folded(after.events, first.game).state


# --- keys belong to a match ---


def renamed(table: Table, name: str, key: str, match: str | None = None) -> Accepted:
    request = Action("sit", 1, {"name": name, "colour": "red", "shape": "circle"})
    return accepted(table.submit(request, HOST, key, match=match))


def test_a_key_used_in_one_match_is_new_in_another(table: Table) -> None:
    told = renamed(table, "West", "1")
    first, second = told.event.match, accepted(table.submit(STARTING, HOST)).event.match
    answer = renamed(table, "West", "1", second)
    assert (answer.event.match, answer.again) == (second, False)
    other = renamed(table, "East", "2", first)
    assert (other.event.match, other.again) == (first, False)
    again = renamed(table, "West", "1", first)
    assert (again.event, again.again) == (told.event, True)


def test_a_snapshot_that_cannot_be_stored_refuses_nobody(
    table: Table, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fills up between an event and the cache behind it: it is stored, and everybody hears."""
    told = table.subscribe()

    def full(_: object) -> None:
        raise FullError("disk-full", "no room left")

    monkeypatch.setattr(store, "put_snapshot", full)
    for k in range(2, EVERY + 2):
        answer = renamed(table, f"N{k}", f"{k}")
        assert [event.seq for event in told.read(0)] == [answer.event.seq] == [k]
    assert store.latest_snapshot(answer.event.match) is None


@pytest.mark.parametrize("room", range(0, 30, 3))
def test_at_whatever_write_the_disk_is_full_an_action_is_stored_and_told_or_refused(
    table: Table, store: Store, room: int
) -> None:
    told = table.subscribe()
    with store._writing() as writer:
        (pages,) = writer.execute("PRAGMA page_count").fetchone()
        writer.execute(f"PRAGMA max_page_count = {pages + room}")
    acknowledged: list[int] = []
    for k in range(120):
        request = Action("sit", 1, {"name": f"N{k}", "colour": "red", "shape": "circle"})
        answer = table.submit(request, HOST, f"{k}")
        if isinstance(answer, Accepted):
            acknowledged.append(answer.event.seq)
        else:
            assert answer.code == "disk-full"
            assert "free some space" in answer.message
    current = table.current
    assert current is not None
    assert [event.seq for event in store.events(current.id)] == [1, *acknowledged]
    assert [event.seq for event in told.read(0)] == acknowledged
    with store._writing() as writer:
        writer.execute(f"PRAGMA max_page_count = {pages + 10_000}")
    renamed(table, "Room again", "room again")
    assert Table(store, GAMES).current == table.current
