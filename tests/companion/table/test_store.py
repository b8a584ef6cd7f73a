"""The store: what goes in comes out, whole, in order, once, and for many threads at a time."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.table.database import open_reader
from companion.table.events import FIRST_HASH, Actor, Device, Event, chain_fault, sealed
from companion.table.exc import (
    ConflictError,
    StorageError,
)
from companion.table.folder import DATABASE
from companion.table.journal import journal_path, line_of
from companion.table.store import READERS_KEPT, SNAPSHOTS_KEPT, Answer, Snapshot, Store
from tests.companion.table.chains import begun, chain, edit, following, stored, told


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "table") as opened:
        yield opened


# Events


def test_what_is_appended_is_read_back_in_order(store: Store) -> None:
    events = chain(count=7)
    stored(store, events)
    assert store.events("m1") == events
    assert store.events("m1", after=5) == events[5:]
    assert store.last("m1") == events[-1]
    assert store.events("elsewhere") == []
    assert store.last("elsewhere") is None


def test_everything_is_still_there_after_closing(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        stored(store, chain())
    with Store(tmp_path) as store:
        assert store.events("m1") == chain()
    assert not (tmp_path / f"{DATABASE}-wal").exists()


def test_nobody_else_looks_into_the_folder(tmp_path: Path) -> None:
    with Store(tmp_path / "table"):
        assert (tmp_path / "table").stat().st_mode & 0o777 == 0o700


def test_commits_wait_for_the_disk(store: Store) -> None:
    with store._writing() as writer:
        assert writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert writer.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert writer.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_events_are_counted_over_all_matches_in_the_order_of_storing(store: Store) -> None:
    one, other = chain("m1", 3), chain("m2", 3)
    mixed = [one[0], other[0], other[1], one[1], other[2], one[2]]
    stored(store, mixed)
    assert store.stored() == 6
    assert store.stored_after(0, 100) == mixed
    assert store.stored_after(2, 3) == mixed[2:5]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"seq": 4}, "event 4 of match m1 cannot follow event 2"),  # a gap
        ({"seq": 2}, "event 2 of match m1 cannot follow event 2"),  # twice
        ({"prev": FIRST_HASH}, "was made for another past"),
    ],
)
def test_an_event_that_does_not_follow_is_refused_and_changes_nothing(
    store: Store, changes: dict[str, Any], says: str
) -> None:
    stored(store, chain(count=2))
    with pytest.raises(ConflictError, match=says):
        store.append(following(chain(count=2)[-1], **changes))
    assert store.events("m1") == chain(count=2)


@pytest.mark.parametrize("name", ["", "../m1", "a/b", ".hidden", "m" * 81, "m\n"])
def test_a_match_whose_name_is_no_file_name_is_refused(store: Store, name: str) -> None:
    with pytest.raises(ConflictError, match="a match's name"):
        store.append(begun(name))
    assert store.stored() == 0


def test_a_first_event_has_to_name_game_and_mode(store: Store) -> None:
    nameless = sealed(msgspec.structs.replace(begun(), data={}))
    with pytest.raises(ConflictError, match="has to name its game and mode"):
        store.append(nameless)
    assert store.matches() == []


def test_a_number_too_large_for_the_database_is_one_sentence(store: Store) -> None:
    stored(store, chain(count=1))
    with pytest.raises(StorageError, match="a number is too large"):
        store.append(following(begun(), device=Device("u", "b", 2**63)))
    assert store.stored() == 1


# Devices and answers: everything once


def test_a_roll_is_stored_once_whatever_match_it_is_for(store: Store) -> None:
    roll = Device("roller", "boot", 7)
    first = following(begun("m1"), device=roll)
    stored(store, [begun("m1"), first, begun("m2")])
    assert store.by_device(roll) == first
    assert store.by_device(Device("roller", "boot", 8)) is None
    with pytest.raises(ConflictError, match="this roll is already event 2 of match m1"):
        store.append(following(begun("m2"), device=roll))
    assert store.events("m2") == [begun("m2")]


def test_an_answer_is_stored_with_its_event(store: Store) -> None:
    answer = Answer("player:1", "key", "digest", "m1", 1)
    store.append(begun(), answer)
    assert store.answer("player:1", "key") == answer
    assert store.answer("player:2", "key") is None
    assert store.answer("player:1", "other") is None


def test_the_same_key_again_stores_neither_event_nor_answer(store: Store) -> None:
    store.append(begun(), Answer("player:1", "key", "digest", "m1", 1))
    with pytest.raises(ConflictError, match="already event 1 of match m1"):
        store.append(following(begun()), Answer("player:1", "key", "other", "m1", 2))
    assert store.events("m1") == [begun()]
    assert store.answer("player:1", "key") == Answer("player:1", "key", "digest", "m1", 1)


def test_an_answer_about_an_event_that_is_not_there_is_refused_whole(store: Store) -> None:
    with pytest.raises(StorageError):
        store.append(begun(), Answer("player:1", "key", "digest", "m1", 99))
    assert store.stored() == 0


# Matches, snapshots, seats, settings


def test_matches_are_listed_as_they_were_begun_whatever_the_clock_said(store: Store) -> None:
    ahead = sealed(msgspec.structs.replace(begun("a"), at="2026-05-02T10:00:00.000+00:00"))
    stored(store, [ahead, begun("b")])
    assert [match.id for match in store.matches()] == ["a", "b"]
    over = following(begun("b"))
    store.append(over, finished=True)
    found = store.match("b")
    assert found is not None
    assert (found.game, found.mode, found.finished) == ("railroad-ink", "umpire", over.at)
    store.append(following(over))  # an undo: it goes on
    assert [match.finished for match in store.matches()] == [None, None]
    assert store.match("c") is None


def test_only_the_newest_snapshots_stay(store: Store) -> None:
    events = chain(count=8)
    stored(store, events)
    for event in events:
        store.put_snapshot(Snapshot("m1", event.seq, event.hash, f'{{"seq":{event.seq}}}'))
    assert store.latest_snapshot("m1") == Snapshot("m1", 8, events[-1].hash, '{"seq":8}')
    assert store.latest_snapshot("m2") is None
    (kept,) = store._rows("SELECT count(*) FROM snapshots")
    assert kept == (SNAPSHOTS_KEPT,)


def test_a_snapshot_that_does_not_fit_its_event_is_passed_over(store: Store) -> None:
    events = chain(count=3)
    stored(store, events)
    store.put_snapshot(Snapshot("m1", 2, events[1].hash, "{}"))
    store.put_snapshot(Snapshot("m1", 3, "another hash", "{}"))
    assert store.latest_snapshot("m1") == Snapshot("m1", 2, events[1].hash, "{}")


def test_a_new_secret_replaces_the_old_one(store: Store) -> None:
    stored(store, [begun("m1"), begun("m2")])
    store.put_token("m1", 1, "one")
    store.put_token("m1", 2, "two")
    assert store.seat_of_token("m1", "one") == 1
    assert store.seat_of_token("m1", "two") == 2
    assert store.seat_of_token("m2", "one") is None
    store.put_token("m1", 1, "new")
    assert store.seat_of_token("m1", "one") is None
    assert store.seat_of_token("m1", "new") == 1


def test_settings_are_kept(store: Store) -> None:
    assert store.setting("language") is None
    store.put_setting("language", "en")
    store.put_setting("language", "de")
    assert store.setting("language") == "de"


# Properties

names = st.text(st.characters(codec="utf-8"), max_size=20)
numbers = st.integers(-(2**63), 2**63 - 1)
plain = st.recursive(
    st.none() | st.booleans() | numbers | st.floats(allow_nan=False, allow_infinity=False) | names,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)
actors = st.builds(
    Actor,
    st.sampled_from(["watcher", "player", "host", "device", "service"]),
    st.none() | st.integers(0, 9),
    names,
)
contents = st.fixed_dictionaries(
    {
        "kind": names,
        "at": names,
        "data": st.dictionaries(names, plain, max_size=5),
        "seat": st.none() | st.integers(1, 12),
        "actor": actors,
        "device": st.none() | st.builds(Device, names, names, st.integers(0, 2**63 - 1)),
    }
)


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One store for all examples of a property: each uses a match of its own."""
    with Store(tmp_path_factory.mktemp("shared")) as opened:
        yield opened


@settings(deadline=None, max_examples=100)
@given(st.lists(contents, min_size=1, max_size=3, unique_by=lambda content: str(content["device"])))
def test_append_then_read_is_identity(shared_store: Store, content: list[dict[str, Any]]) -> None:
    match = f"m{len(shared_store.matches())}"
    events = [begun(match)]
    for changes in content:
        known = changes["device"] and shared_store.by_device(changes["device"])  # by an earlier example
        events.append(following(events[-1], **{**changes, "device": None if known else changes["device"]}))
    stored(shared_store, events)
    assert shared_store.events(match) == events
    assert chain_fault(shared_store.events(match)) is None
    assert journal_path(shared_store.folder, match).read_bytes() == b"".join(map(line_of, events))


FIELDS: dict[str, list[Any]] = {
    "at": ["never"],
    "kind": ["start", "rolled"],
    "data": ["{}", '{"n":3}', '{"n":2,"m":null}'],
    "seat": [0, 3],
    "actor": ['{"name":"","role":"host","seat":1}', '{"name":"","role":"player","seat":null}'],
    "device_uid": ["another"],
    "device_boot": ["another"],
    "device_n": [99],
    "prev": [FIRST_HASH],
    "hash": ["f" * 64],
}


@pytest.mark.parametrize(("field", "value"), [(field, value) for field in FIELDS for value in FIELDS[field]])
def test_a_single_edited_field_is_found_by_the_chain(tmp_path: Path, field: str, value: Any) -> None:
    with Store(tmp_path) as store:
        stored(store, chain(count=4))
    edit(tmp_path, f"UPDATE events SET {field} = ? WHERE seq = 3", value)
    with Store(tmp_path) as store:
        assert chain_fault(store.events("m1")) is not None


@pytest.mark.parametrize(
    ("edited", "says"),
    [
        ("UPDATE events SET seq = 9 WHERE seq = 3", "event 3 is missing"),
        ("DELETE FROM events WHERE seq = 2", "event 2 is missing"),
        ("UPDATE events SET match = 'm2' WHERE seq = 2", "event 2 is missing"),
    ],
)
def test_a_missing_or_moved_event_is_found_by_the_chain(tmp_path: Path, edited: str, says: str) -> None:
    with Store(tmp_path) as store:
        stored(store, [*chain(count=4), begun("m2")])
    edit(tmp_path, edited)
    with Store(tmp_path) as store:
        assert says in str(chain_fault(store.events("m1")))


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_any_single_edited_byte_is_found_or_changes_no_meaning(data: st.DataObject) -> None:
    events = chain(count=4)
    index = data.draw(st.integers(0, 3))
    text = bytearray(line_of(events[index]))
    text[data.draw(st.integers(0, len(text) - 2))] = data.draw(st.integers(0, 255))
    try:
        edited = msgspec.json.decode(bytes(text), type=Event)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return  # it cannot even be read
    after = [*events[:index], edited, *events[index + 1 :]]
    assert after == events or chain_fault(after) is not None


# Threads


def test_many_threads_write_their_matches_and_read_everything(store: Store) -> None:
    matches = [f"m{number}" for number in range(6)]

    def play(match: str) -> None:
        for event in chain(match, 8):
            store.append(event)
            assert chain_fault(store.events(match)) is None
            assert store.last(match) == event

    with ThreadPoolExecutor(len(matches)) as threads:
        list(threads.map(play, matches))
    assert told(store) == {match: chain(match, 8) for match in matches}
    assert len(store.stored_after(0, 1000)) == store.stored() == 48


def test_of_two_writers_with_the_same_event_one_is_refused(store: Store) -> None:
    stored(store, [begun()])
    both = threading.Barrier(2)

    def race(number: int) -> str:
        both.wait(timeout=10)
        try:
            store.append(following(begun(), data={"by": number}))
        except ConflictError as problem:
            return problem.code
        return "stored"

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(race, [1, 2])) == ["not-next", "stored"]


def test_a_reader_in_the_middle_of_reading_stops_nobody(store: Store) -> None:
    stored(store, chain(count=3))
    with store._reading() as slow:
        rows = slow.execute("SELECT seq FROM events")
        assert rows.fetchone() is not None
        store.append(following(chain(count=3)[-1]))
        assert len(store.events("m1")) == 4
        assert len(rows.fetchall()) == 2  # the slow one goes on with what it began


def test_a_writer_in_the_middle_of_writing_stops_no_reader(store: Store) -> None:
    stored(store, chain(count=3))
    with store._writing() as writer:
        writer.execute("INSERT INTO settings VALUES ('half', 'done')")
        assert store.events("m1") == chain(count=3)
        assert store.setting("half") is None


def is_open(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("SELECT 1")
    except sqlite3.ProgrammingError:
        return False
    return True


def test_after_a_rush_of_readers_only_a_few_connections_stay_open(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(store, chain())
    opened: list[sqlite3.Connection] = []

    def counted(path: Path) -> sqlite3.Connection:
        connection = open_reader(path)
        opened.append(connection)
        return connection

    monkeypatch.setattr("companion.table.store.open_reader", counted)
    crowd = threading.Barrier(9)

    def read(_: int) -> int:
        with store._reading() as reader:
            crowd.wait(60)  # all of them are in the middle of reading
            found = reader.execute("SELECT count(*) FROM events").fetchone()[0]
        return int(found)

    with ThreadPoolExecutor(9) as threads:
        assert set(threads.map(read, range(9))) == {len(chain())}
    assert len(opened) >= 9 - READERS_KEPT
    assert sum(map(is_open, opened)) <= READERS_KEPT
    assert store.events("m1") == chain()
