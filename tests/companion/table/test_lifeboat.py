"""A disk that takes nothing: playing goes on in memory, is told so, and comes home."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.table import lifeboat
from companion.table.events import Event
from companion.table.exc import FullError, StorageError
from companion.table.folder import ASIDE, DATABASE
from companion.table.journal import journal_path, line_of
from companion.table.recovery import open_store
from companion.table.store import Answer, Store
from tests.companion.table.chains import begun, chain, following, stored
from tests.companion.table.test_disk import mounted

NOW = datetime(2026, 5, 1, 19, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def own_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "memory"
    place.mkdir()
    monkeypatch.setattr(lifeboat, "SHARED_MEMORY", place)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "table"


@pytest.fixture
def events() -> list[Event]:
    return chain(count=40)


@pytest.fixture
def full(folder: Path, events: list[Event]) -> Iterator[Store]:
    """A store whose disk took five events and takes no more."""
    with Store(folder) as store:
        stored(store, events[:5])
        limit(store, 0)
        with pytest.raises(FullError):
            store.append(begun("x" * 70), Answer("a", "k" * 9000, "d", "x" * 70, 1))
        yield store


def limit(store: Store, more: int) -> None:
    """The database may grow by so many pages, as SQLite sees a disk with little room."""
    with store._writing() as writer:
        (pages,) = writer.execute("PRAGMA page_count").fetchone()
        writer.execute(f"PRAGMA max_page_count = {pages + more}")


def test_trouble_is_told_until_something_is_stored_again(full: Store, events: list[Event]) -> None:
    assert "no room left" in full.trouble
    assert full.unsaved is None
    full.append(events[5])  # a small one still fits
    assert full.trouble == ""


def test_playing_goes_on_in_memory_and_comes_home(
    full: Store, folder: Path, events: list[Event], tmp_path: Path
) -> None:
    full.go_on_in_memory()
    full.go_on_in_memory()  # twice does no harm
    stored(full, events[5:])
    full.append(begun("m2"), Answer("seat", "key", "digest", "m2", 1), finished=True)
    full.put_token("m1", 1, "secret")
    full.put_setting("name", "ours")
    assert full.unsaved == 36
    assert full.events("m1") == events
    with Store(folder, read_only=True) as disk:
        assert disk.stored() == 5
    assert full.save_again()
    assert full.unsaved is None
    assert full.trouble == ""
    assert not lifeboat.manned(folder)
    with Store(folder, read_only=True) as disk:
        assert disk.events("m1") == events
        assert disk.answer("seat", "key") == Answer("seat", "key", "digest", "m2", 1)
        assert disk.seat_of_token("m1", "secret") == 1
        assert disk.setting("name") == "ours"
        assert [match.finished is not None for match in disk.matches()] == [False, True]
    assert journal_path(folder, "m1").read_bytes() == b"".join(map(line_of, events))
    full.append(following(events[-1]))
    assert full.save_again()  # nothing to do


def test_a_disk_that_is_still_full_is_tried_again(
    full: Store, events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    full.go_on_in_memory()
    stored(full, events[5:])

    def no_room(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr("companion.table.lifeboat.bring_home", no_room)
        patch.setattr("companion.table.exc._no_room", lambda _: True)
        assert not full.save_again()
    assert "no room left" in full.trouble
    assert full.unsaved == 35
    stored(full, [following(events[-1])])
    assert full.save_again()
    assert full.stored() == 41


def test_a_killed_service_finds_the_lifeboat_again(folder: Path, events: list[Event]) -> None:
    first = Store(folder)
    stored(first, events[:5])
    first.go_on_in_memory()
    stored(first, events[5:])
    first.close()  # as good as a kill: nothing is brought home
    store, notes = open_store(folder, NOW)
    with store:
        assert "Events that were only in memory have been stored: 35." in notes
        assert store.events("m1") == events
        assert store.unsaved is None
    assert not lifeboat.manned(folder)
    again, notes = open_store(folder, NOW)
    again.close()
    assert notes == []


def test_a_lifeboat_of_another_past_is_kept_aside(folder: Path, events: list[Event]) -> None:
    with Store(folder) as first:
        stored(first, events[:5])
        first.go_on_in_memory()
        stored(first, events[5:8])
    for path in folder.glob(f"{DATABASE}*"):
        path.unlink()
    for path in (folder / "journal").iterdir():
        path.unlink()
    with Store(folder) as other:
        stored(other, chain("m9", 3))
    store, notes = open_store(folder, NOW)
    with store:
        assert store.stored() == 3
    (note,) = notes
    assert "does not follow what is stored" in note
    (kept,) = (folder / ASIDE).iterdir()
    with sqlite3.connect(kept / DATABASE) as aside:
        assert aside.execute("SELECT count(*) FROM events").fetchone() == (8,)


def test_a_damaged_lifeboat_keeps_nobody_out(folder: Path, events: list[Event]) -> None:
    with Store(folder) as first:
        stored(first, events[:5])
        first.go_on_in_memory()
    (lifeboat.lifeboat_of(folder) / DATABASE).write_bytes(b"nonsense " * 999)
    store, notes = open_store(folder, NOW)
    with store:
        assert store.stored() == 5
    assert "was moved to" in notes[0]


def test_a_place_in_memory_that_is_somebody_elses_is_not_used(folder: Path, events: list[Event]) -> None:
    place = lifeboat.lifeboat_of(folder)
    place.mkdir()
    place.chmod(0o777)
    with Store(folder) as store:
        stored(store, events[:5])
        with pytest.raises(StorageError, match="somebody else's"):
            store.go_on_in_memory()
        assert store.unsaved is None
        store.append(events[5])


def test_without_memory_to_spare_it_says_so(
    folder: Path, events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifeboat, "LEAST_MEMORY", 2**60)
    with Store(folder) as store:
        with pytest.raises(StorageError, match="not enough memory"):
            store.go_on_in_memory()
        assert not lifeboat.manned(folder)
        stored(store, events[:2])


def test_readers_go_on_while_the_database_changes_places(folder: Path, events: list[Event]) -> None:
    """Phones read all the time: every reading is of one database, whole."""
    over = threading.Event()

    def read(store: Store) -> int:
        count = 0
        while not over.is_set():
            seen = store.events("m1")
            assert seen == events[: len(seen)]
            assert len(seen) >= 5
            count += 1
        return count

    with Store(folder) as store, ThreadPoolExecutor(4) as pool:
        stored(store, events[:5])
        readers = [pool.submit(read, store) for _ in range(4)]
        for number in range(5, 40):
            if number % 10 == 5:
                store.go_on_in_memory()
            store.append(events[number])
            if number % 10 == 9:
                assert store.save_again()
        over.set()
        assert all(reader.result() for reader in readers)


ON_A_FULL_DISK = """
import pathlib, sys
from companion.table.exc import FullError
from companion.table.recovery import open_store
from tests.companion.table.chains import chain
folder, events, kept = pathlib.Path(sys.argv[1]), chain(count=900), 0
store, _ = open_store(folder)
(folder / "film").write_bytes(b"x" * 4_000_000)
for number, event in enumerate(events):
    try:
        store.append(event)
    except FullError:
        store.go_on_in_memory()
        store.append(event)
assert store.stored() == 900 and store.unsaved > 100 and not store.save_again(), store.unsaved
store.close()
store, notes = open_store(folder)  # started again, and the disk is still full
assert store.stored() == 900 and "only in memory" in " ".join(notes), notes
(folder / "film").unlink()
assert store.save_again() and store.unsaved is None and store.journals_behind == {}
store.close()
store, notes = open_store(folder)
print(store.events("m1") == events, notes)
"""


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    said = mounted(tmp_path, 'mount -t tmpfs -o size=5m none "$1"', ON_A_FULL_DISK)
    assert said == "True []\n"
