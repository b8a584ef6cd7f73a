"""The store: what goes in comes out, whole, in order, once, and for many threads at a time."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.table.events import FIRST_HASH, Actor, Device, Event, chain_fault, sealed
from companion.table.exc import (
    BusyError,
    ConflictError,
    DamagedError,
    ForeignError,
    FullError,
    NewerVersionError,
    ReadOnlyError,
    StorageError,
)
from companion.table.folder import DATABASE, JOURNAL
from companion.table.journal import journal_path, line_of
from companion.table.store import SNAPSHOTS_KEPT, Answer, Snapshot, Store
from tests.companion.table.chains import begun, chain, following, stored, told


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


def test_matches_are_listed_oldest_first_with_their_end(store: Store) -> None:
    later = sealed(msgspec.structs.replace(begun("a"), at="2026-05-02T10:00:00.000+00:00"))
    stored(store, [later, begun("b")])
    assert [match.id for match in store.matches()] == ["b", "a"]
    over = following(begun("b"))
    store.append(over, finished=True)
    found = store.match("b")
    assert found is not None
    assert (found.game, found.mode, found.finished) == ("railroad-ink", "umpire", over.at)
    store.append(following(over))  # an undo: it goes on
    assert [match.finished for match in store.matches()] == [None, None]
    store.set_finished("a", "now")
    assert [match.finished for match in store.matches()] == [None, "now"]
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


def edit(folder: Path, statement: str, *values: Any) -> None:
    """What somebody with the sqlite3 shell could do."""
    with sqlite3.connect(folder / DATABASE) as connection:
        connection.execute(statement, values)
    connection.close()


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


# Refusals of the disk and the folder


def test_a_second_service_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with Store(tmp_path) as first:
        with pytest.raises(BusyError, match="another Stationmaster works in"):
            Store(tmp_path)
        stored(first, chain())
    with Store(tmp_path) as again:
        assert again.events("m1") == chain()


def test_another_process_is_refused_as_well(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib\n"
        "from companion.table.exc import BusyError\n"
        "from companion.table.store import Store\n"
        "try: Store(pathlib.Path(sys.argv[1]))\n"
        "except BusyError as problem: print(problem.code)\n"
    )
    with Store(tmp_path):
        found = subprocess.run(
            [sys.executable, "-c", script, tmp_path], capture_output=True, text=True, check=True
        )
    assert found.stdout == "in-use\n"


def test_commands_may_read_beside_a_running_service(tmp_path: Path) -> None:
    with Store(tmp_path) as service, Store(tmp_path, read_only=True) as command:
        stored(service, chain())
        assert command.events("m1") == chain()
        with pytest.raises(ReadOnlyError, match="opened for reading only"):
            command.append(following(chain()[-1]))


def test_a_database_held_by_a_shell_is_one_sentence(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with store._writing() as writer:
        writer.execute("PRAGMA busy_timeout = 1")
    shell = sqlite3.connect(store.path, isolation_level=None)
    shell.execute("BEGIN IMMEDIATE")
    with pytest.raises(BusyError, match="held by another program"):
        store.append(begun())
    shell.execute("ROLLBACK")
    shell.close()
    store.append(begun())
    assert store.stored() == 1


def test_nothing_stored_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="no matches are stored in"):
        Store(tmp_path, read_only=True)


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.close()
    store.close()
    with pytest.raises(StorageError, match="was closed"):
        store.events("m1")
    with pytest.raises(StorageError, match="was closed"):
        store.append(begun())


def test_a_database_from_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        stored(store, chain())
    edit(tmp_path, "PRAGMA user_version = 2")
    before = (tmp_path / DATABASE).read_bytes()
    for read_only in (False, True):
        with pytest.raises(NewerVersionError, match="written by a newer Stationmaster: update"):
            Store(tmp_path, read_only=read_only)
    assert (tmp_path / DATABASE).read_bytes() == before


def test_an_sqlite_that_is_too_old_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    with pytest.raises(StorageError, match=r"is too old: 3\.37 or later is needed"):
        Store(tmp_path)


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    edit(tmp_path, "CREATE TABLE recipes (name)")
    before = (tmp_path / DATABASE).read_bytes()
    with pytest.raises(ForeignError, match="another program's database"):
        Store(tmp_path)
    assert (tmp_path / DATABASE).read_bytes() == before


def test_a_file_that_is_no_database_is_called_damaged(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"Dear diary, " * 500)
    with pytest.raises(DamagedError, match="is damaged"):
        Store(tmp_path)


@pytest.mark.parametrize("rubbish", ["no json", '{"n":', "[1]", '"text"'])
def test_an_event_that_cannot_be_read_is_called_damage(tmp_path: Path, rubbish: str) -> None:
    with Store(tmp_path) as store:
        stored(store, chain())
    edit(tmp_path, "UPDATE events SET data = ? WHERE seq = 2", rubbish)
    with Store(tmp_path) as store, pytest.raises(DamagedError, match="an event cannot be read"):
        store.events("m1")


def test_text_that_is_no_utf8_is_called_damage(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        stored(store, chain())
    edit(tmp_path, "UPDATE events SET kind = CAST(x'ff' AS TEXT) WHERE seq = 2")
    with Store(tmp_path) as store, pytest.raises(DamagedError, match="UTF-8"):
        store.events("m1")


def test_a_full_database_refuses_and_goes_on_when_there_is_room(store: Store) -> None:
    events = chain(count=40)
    stored(store, events[:2])
    with store._writing() as writer:
        (pages,) = writer.execute("PRAGMA page_count").fetchone()
        writer.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(FullError, match="no room left"):
        stored(store, events[2:])
    kept = store.events("m1")
    assert kept == events[: len(kept)]
    with store._writing() as writer:
        writer.execute(f"PRAGMA max_page_count = {pages + 100}")
    stored(store, events[len(kept) :])
    assert store.events("m1") == events


FILLS_A_SMALL_DISK = """
import pathlib, resource, sys
from companion.table.exc import StorageError
from companion.table.store import Store
from tests.companion.table.chains import chain
store, kept = Store(pathlib.Path(sys.argv[1])), 0
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
try:
    for event in chain(count=2000):
        store.append(event)
        kept += 1
except StorageError as problem:
    print(kept, problem)
"""


def test_when_the_system_refuses_to_write_nothing_accepted_is_lost(tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-c", FILLS_A_SMALL_DISK, tmp_path],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    kept, says = found.stdout.strip().split(" ", 1)
    assert "\n" not in says
    assert str(tmp_path) in says
    assert 10 < int(kept) < 2000
    with Store(tmp_path) as store:
        assert store.events("m1") == chain(count=int(kept))


ON_A_READ_ONLY_DISK = """
import pathlib, sys
from companion.table.exc import ReadOnlyError
from companion.table.recovery import open_store
from companion.table.store import Store
folder = pathlib.Path(sys.argv[1])
try:
    open_store(folder)
except ReadOnlyError as problem:
    print(problem)
with Store(folder, read_only=True) as store:
    print(len(store.events("m1")))
"""


def test_a_folder_that_became_read_only_is_one_sentence_and_can_be_read(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        stored(store, chain())
    with Store(tmp_path, read_only=True):
        pass  # leaves an empty log behind: no hindrance either
    mounted = f'mount --bind "{tmp_path}" "{tmp_path}" && mount -o remount,ro,bind "{tmp_path}"'
    if (
        not shutil.which("unshare")
        or subprocess.run(["unshare", "-rm", "sh", "-c", mounted], check=False).returncode
    ):
        pytest.skip("this machine lets nobody mount a folder read-only in a namespace of its own")
    found = subprocess.run(
        [
            "unshare",
            "-rm",
            "sh",
            "-c",
            f'{mounted} && exec "$0" -c "$1" "{tmp_path}"',
            sys.executable,
            ON_A_READ_ONLY_DISK,
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    sentence, count = found.stdout.splitlines()
    assert "cannot be written" in sentence
    assert int(count) == 5


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="cannot be read or written"):
        Store(tmp_path / "file" / "table")


def test_a_journal_that_cannot_be_written_refuses_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / JOURNAL).write_text("a file where the folder should be")
    events = chain(count=4)
    with Store(tmp_path) as store:
        stored(store, events[:2])
        assert store.journals_behind == {"m1"}
        assert "The journal of match m1 lags behind" in caplog.text
        (tmp_path / JOURNAL).unlink()
        stored(store, events[2:])
        assert store.journals_behind == frozenset()
    assert journal_path(tmp_path, "m1").read_bytes() == b"".join(map(line_of, events))


def test_a_lagging_journal_that_somebody_changed_is_left_for_the_next_start(tmp_path: Path) -> None:
    events = chain(count=4)
    with Store(tmp_path) as store:
        stored(store, events[:2])
        path = journal_path(tmp_path, "m1")
        store._journals.behind.add("m1")
        path.write_bytes(b"rubbish\nrubbish\n")
        stored(store, events[2:])
        assert store.journals_behind == {"m1"}
        assert path.read_bytes() == b"rubbish\nrubbish\n"
        assert store.events("m1") == events


def test_nothing_is_left_open(tmp_path: Path) -> None:
    descriptors = Path("/proc/self/fd")
    before = len(list(descriptors.iterdir()))
    for _ in range(5):
        with Store(tmp_path) as store:
            store.matches()
        with pytest.raises(StorageError):
            Store(tmp_path / "nothing", read_only=True)
    assert len(list(descriptors.iterdir())) == before
    assert os.path.lexists(tmp_path / DATABASE)
