"""A store whose folder, disk or file fails it: one sentence, and nothing accepted is lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.table.exc import (
    BusyError,
    DamagedError,
    ForeignError,
    FullError,
    NewerVersionError,
    ReadOnlyError,
    StorageError,
)
from companion.table.folder import DATABASE, JOURNAL
from companion.table.journal import journal_path, line_of
from companion.table.store import Store
from tests.companion.table.chains import begun, chain, edit, following, stored


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "table") as opened:
        yield opened


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
    sentence, count = mounted(
        tmp_path, 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"', ON_A_READ_ONLY_DISK
    ).splitlines()
    assert "cannot be written" in sentence
    assert int(count) == 5


ON_A_SMALL_DISK = """
import pathlib, sys
from companion.table.backup import automatic_backup
from companion.table.exc import FullError
from companion.table.recovery import open_store
from tests.companion.table.chains import chain
folder, events, kept = pathlib.Path(sys.argv[1]), chain(count=5000), 0
store, _ = open_store(folder)
for act in (lambda: [store.append(event) for event in events], lambda: automatic_backup(store)):
    try:
        act()
    except FullError as problem:
        print(problem)
kept = store.stored()
store.close()
store, notes = open_store(folder)  # the disk is still full: the table opens all the same
assert store.events("m1") == events[:kept]
assert all("lags behind: no room left" in note for note in notes), notes
print(kept)
"""


def test_on_a_full_disk_nothing_is_lost_and_the_table_still_opens(tmp_path: Path) -> None:
    first, second, kept = mounted(
        tmp_path, 'mount -t tmpfs -o size=1m none "$1"', ON_A_SMALL_DISK
    ).splitlines()
    assert "no room left" in first
    assert "no room left" in second
    assert int(kept) > 20


def mounted(folder: Path, mounts: str, script: str) -> str:
    """What a script prints that sees ``folder`` as ``mounts`` made it, in a namespace of its own."""
    alone = ["unshare", "-rm", "sh", "-c"]
    if not shutil.which("unshare") or subprocess.run([*alone, mounts, "sh", folder], check=False).returncode:
        pytest.skip("this machine lets nobody mount a folder in a namespace of its own")
    done = subprocess.run(
        [*alone, f'{mounts} && exec "$2" -c "$3" "$1"', "sh", folder, sys.executable, script],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[3],
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


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
        assert str(tmp_path / JOURNAL) in store.journals_behind["m1"]
        assert "The journal of match m1 lags behind" in caplog.text
        (tmp_path / JOURNAL).unlink()
        stored(store, events[2:])
        assert store.journals_behind == {}
    assert journal_path(tmp_path, "m1").read_bytes() == b"".join(map(line_of, events))


def test_a_lagging_journal_that_somebody_changed_is_left_for_the_next_start(tmp_path: Path) -> None:
    events = chain(count=4)
    with Store(tmp_path) as store:
        stored(store, events[:2])
        path = journal_path(tmp_path, "m1")
        store._journals.behind["m1"] = "the disk was full"
        path.write_bytes(b"rubbish\nrubbish\n")
        stored(store, events[2:])
        assert "was changed by somebody" in store.journals_behind["m1"]
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
