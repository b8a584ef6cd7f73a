"""Backups: one file that brings everything back, and files that must not be trusted."""

from __future__ import annotations

import contextlib
import io
import shutil
import sqlite3
import threading
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.jsontext import json_of
from companion.table import archive
from companion.table import backup as backup_module
from companion.table.archive import MANIFEST, Manifest
from companion.table.backup import (
    automatic_backup,
    automatic_backups,
    backup,
    check_backup,
    finish_restore,
    restore,
)
from companion.table.exc import BackupError, BusyError, NewerVersionError, StorageError, TableError
from companion.table.folder import ASIDE, BACKUPS, BOX_KEY, DATABASE, JOURNAL, PHOTOS, STAGED
from companion.table.journal import journal_path, read_journal
from companion.table.recovery import open_store
from companion.table.store import Answer, Snapshot, Store
from tests.companion.table.chains import begun, chain, filled, following, stored, told

NOW = datetime(2026, 5, 1, 22, 0, tzinfo=UTC)
PLAYED = {"m1": chain("m1", 20), "m2": chain("m2", 3)}
PHOTO = bytes(range(256)) * 10


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A table with matches, a seat, a setting, an answer, a snapshot and photographs."""
    table = tmp_path / "table"
    with Store(table) as store:
        store.append(PLAYED["m1"][0], Answer("host:", "key", "digest", "m1", 1))
        for events in (PLAYED["m1"][1:], PLAYED["m2"]):
            filled(store, events)
        store.put_token("m1", 1, "secret")
        store.put_setting("language", "en")
        store.put_snapshot(Snapshot("m1", 3, PLAYED["m1"][2].hash, "{}"))
    (table / PHOTOS / "ab").mkdir(parents=True)
    (table / PHOTOS / "ab" / "abcd.jpg").write_bytes(PHOTO)
    return table


@pytest.fixture
def made(folder: Path, tmp_path: Path) -> Path:
    """Its backup."""
    with Store(folder) as store:
        return backup(store, tmp_path / "everything.zip", NOW)


def content(folder: Path) -> dict[str, Any]:
    """Everything a folder holds, opened the way the service does."""
    store, _ = open_store(folder, NOW)
    with store:
        photos = {path.name: path.read_bytes() for path in (folder / PHOTOS).rglob("*.jpg")}
        journals = {path.name: path.read_bytes() for path in (folder / JOURNAL).iterdir()}
        tables = {
            table: store._rows(f"SELECT * FROM {table} ORDER BY 1, 2")
            for table in ("matches", "events", "answers", "seats", "settings", "snapshots")
        }
    return {"photos": photos, "journals": journals, **tables}


# Making


def test_a_backup_brings_everything_back_into_an_empty_folder(
    folder: Path, made: Path, tmp_path: Path
) -> None:
    (tmp_path / "new").mkdir()
    shutil.copy(folder / BOX_KEY, tmp_path / "new")  # it is the same box: see test_provenance for another one
    notes = restore(made, tmp_path / "new", NOW)
    assert notes == ["The backup was restored; nothing was here before."]
    assert content(tmp_path / "new") == content(folder)
    assert content(folder)["photos"] == {"abcd.jpg": PHOTO}


def test_a_person_can_look_inside(made: Path) -> None:
    with zipfile.ZipFile(made) as parts:
        assert sorted(parts.namelist()) == [
            "backup.json", "journal/m1.jsonl", "journal/m2.jsonl", "photos/ab/abcd.jpg", "stationmaster.db"
        ]  # fmt: skip
        assert msgspec.json.decode(parts.read(MANIFEST))["made"] == "2026-05-01T22:00:00+00:00"
        (made.parent / "m1.jsonl").write_bytes(parts.read("journal/m1.jsonl"))
    assert read_journal(made.parent / "m1.jsonl") == PLAYED["m1"]


def test_the_table_goes_on_while_it_is_backed_up(folder: Path, tmp_path: Path) -> None:
    last, stop = [PLAYED["m2"][-1]], threading.Event()

    def play(store: Store) -> None:
        while not stop.is_set():
            store.append(following(last[-1]))
            last.append(following(last[-1]))

    with Store(folder) as store:
        player = threading.Thread(target=play, args=(store,))
        player.start()
        try:
            made = backup(store, tmp_path / "live.zip", NOW)
        finally:
            stop.set()
            player.join(timeout=10)
        complete = store.events("m2")
    restore(made, tmp_path / "new", NOW)
    back = content(tmp_path / "new")
    with Store(tmp_path / "new") as copy:
        events = copy.events("m2")
    assert back["events"]
    assert events == complete[: len(events)]


def test_a_running_service_is_backed_up_by_a_command(folder: Path, tmp_path: Path) -> None:
    with Store(folder), Store(folder, read_only=True) as command:
        made = backup(command, tmp_path, NOW)
    assert made == tmp_path / "stationmaster-20260501-220000.zip"
    manifest = check_backup(made)
    when = "2026-05-01T22:00:00+00:00"
    assert manifest == Manifest(archive.FORMAT, archive.VERSION, when, True, manifest.seal)


def test_no_file_is_overwritten_and_nothing_half_made_is_left(
    folder: Path, made: Path, tmp_path: Path
) -> None:
    before = made.read_bytes()
    with Store(folder) as store:
        with pytest.raises(BackupError, match="already there: choose another name"):
            backup(store, made, NOW)
        with pytest.raises(StorageError, match="there is no"):
            backup(store, tmp_path / "nowhere" / "b.zip", NOW)
    assert made.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["everything.zip", "table"]


def test_a_backup_that_fails_its_check_gets_no_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def badly_packed(file: Path, *rest: Any) -> None:
        archive.pack(file, *rest)
        text = bytearray(file.read_bytes())
        text[len(text) // 3] ^= 1
        file.write_bytes(text)

    monkeypatch.setattr(backup_module, "pack", badly_packed)
    with Store(folder) as store, pytest.raises(BackupError, match="cannot be used as a backup"):
        backup(store, tmp_path / "bad.zip", NOW)
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


def test_only_the_newest_automatic_backups_stay(folder: Path) -> None:
    (folder / BACKUPS).mkdir()
    own = folder / BACKUPS / "before the big match.zip"
    own.write_bytes(b"the owner's own file")
    (folder / BACKUPS / ".stationmaster-killed").mkdir()
    with Store(folder) as store:
        files = [automatic_backup(store, NOW + timedelta(days=day), kept=3) for day in range(5)]
        again = automatic_backup(store, NOW + timedelta(days=4), kept=3)
    assert again.name == "stationmaster-20260505-220000-2.zip"
    assert automatic_backups(folder) == [again, files[4], files[3]]
    assert sorted(path.name for path in (folder / BACKUPS).iterdir()) == sorted(
        [again.name, files[4].name, files[3].name, own.name]
    )


# The way back


@pytest.mark.parametrize("clock", ["stands still", "goes back", "jumps"])
def test_the_ten_that_were_made_last_stay_whatever_the_clock_says(folder: Path, clock: str) -> None:
    jumps = [0, 5, 5, -3, 400, 400, 7, -900, 2, 2, 9999, 1, -1, 30]
    seconds = {"stands still": [0] * 14, "goes back": list(range(0, -14, -1)), "jumps": jumps}[clock]
    made: list[Path] = []
    with Store(folder) as store:
        for n, second in enumerate(seconds):
            store.put_setting("number", str(n))
            made.append(automatic_backup(store, NOW + timedelta(seconds=second)))
            assert automatic_backups(folder) == made[::-1][:10]
    assert len(set(made)) == len(made)
    check_backup(made[-10])


def test_backups_that_are_asked_for_at_once_are_all_made(folder: Path) -> None:
    """By the host, and by the service itself after a match."""
    with Store(folder) as store, ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: automatic_backup(store, NOW), range(8)))
    assert sorted(automatic_backups(folder)) == sorted(set(made)) == sorted(made)
    for file in made:
        check_backup(file)


def test_a_restore_replaces_everything_and_keeps_what_was_there(folder: Path, made: Path) -> None:
    before = content(folder)
    with Store(folder) as store:
        store.append(following(PLAYED["m2"][-1]))
        store.append(begun("m3"))
    (folder / PHOTOS / "later.jpg").write_bytes(b"later")
    later = content(folder)
    restore(made, folder, NOW)
    assert content(folder) == before
    place = folder / ASIDE / "20260501-220000"
    assert (place / PHOTOS / "later.jpg").read_bytes() == b"later"
    assert content(place) == later


def test_photographs_stay_when_the_backup_has_none(folder: Path) -> None:
    with Store(folder) as store:
        made = automatic_backup(store, NOW)
    (folder / PHOTOS / "later.jpg").write_bytes(b"later")
    restore(made, folder, NOW)
    assert content(folder)["photos"] == {"abcd.jpg": PHOTO, "later.jpg": b"later"}


def test_a_restore_waits_until_the_service_has_stopped(folder: Path, made: Path) -> None:
    with Store(folder) as service, pytest.raises(BusyError, match="another Stationmaster works in"):
        restore(made, service.folder, NOW)


@pytest.mark.parametrize("renames", range(12))
def test_a_restore_cut_off_anywhere_is_finished_at_the_next_start(
    folder: Path, made: Path, renames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(folder)
    with Store(folder) as store:
        store.append(begun("m3"))
    done: list[Path] = []
    rename = Path.rename

    def power_cut(self: Path, target: Path) -> Path:
        if len(done) == renames:
            raise KeyboardInterrupt
        done.append(self)
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", power_cut)
    with contextlib.suppress(KeyboardInterrupt):
        restore(made, folder, NOW)
    monkeypatch.undo()
    found = content(folder)
    if renames == 0:  # not even checked: the table is as it was
        assert "m3" in [row[0] for row in found["matches"]]
    else:
        assert found == before
    assert not (folder / STAGED).exists()


def test_with_no_restore_pending_there_is_nothing_to_finish(folder: Path) -> None:
    assert finish_restore(folder, NOW) == []
    assert not (folder / ASIDE).exists()


# Files that must not be trusted


def rewritten(made: Path, **parts: bytes | None) -> Path:
    """The backup with parts replaced, added or (None) left out."""
    target = made.with_name("rewritten.zip")
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        changed = {name.replace("__", "/"): text for name, text in parts.items()}
        for name in [*old.namelist(), *(name for name in changed if name not in old.namelist())]:
            text = changed[name] if name in changed else old.read(name)
            if text is not None:
                new.writestr(name, text)
    return target


def refused(file: Path, folder: Path, says: str, kind: type[TableError] = BackupError) -> None:
    """The file is refused with a sentence, and nothing in the folder has changed."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(kind) as caught:
        restore(file, folder, NOW)
    assert says in caught.value.message
    assert "\n" not in caught.value.message
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def database_with(made: Path, statement: str) -> bytes:
    """The backup's database after an edit."""
    place = made.with_name("edited.db")
    with zipfile.ZipFile(made) as parts:
        place.write_bytes(parts.read(DATABASE))
    connection = sqlite3.connect(place, isolation_level=None)
    connection.execute(statement)
    connection.close()
    return place.read_bytes()


def test_files_that_are_no_backups_are_refused(folder: Path, made: Path, tmp_path: Path) -> None:
    text = tmp_path / "letter.zip"
    text.write_text("Dear diary")
    refused(text, folder, "cannot be unpacked")
    with zipfile.ZipFile(tmp_path / "holiday.zip", "w") as parts:
        parts.writestr("beach.jpg", b"")
    refused(tmp_path / "holiday.zip", folder, "it was not made by Stationmaster")
    refused(rewritten(made, **{DATABASE: None}), folder, "it was not made by Stationmaster")
    other = json_of(Manifest("other", 1, "", True))
    refused(rewritten(made, **{MANIFEST: other}), folder, "it was not made by Stationmaster")
    refused(rewritten(made, **{MANIFEST: b"[]"}), folder, "cannot be unpacked")
    refused(tmp_path / "missing.zip", folder, "there is no", StorageError)


def test_newer_backups_and_newer_databases_are_refused(folder: Path, made: Path) -> None:
    newer = json_of(Manifest(archive.FORMAT, archive.VERSION + 1, "", True))
    refused(rewritten(made, **{MANIFEST: newer}), folder, "made by a newer Stationmaster", NewerVersionError)
    database = database_with(made, "PRAGMA user_version = 9")
    refused(rewritten(made, **{DATABASE: database}), folder, "written by a newer", NewerVersionError)


def test_damaged_and_foreign_databases_inside_are_refused(folder: Path, made: Path) -> None:
    refused(rewritten(made, **{DATABASE: b"rubbish" * 999}), folder, "its database is damaged")
    refused(rewritten(made, **{DATABASE: b""}), folder, "cannot be used as a backup: no matches are stored")
    edited = database_with(made, "UPDATE events SET kind = 'edited' WHERE seq = 2")
    refused(
        rewritten(made, **{DATABASE: edited}),
        folder,
        "its database is damaged (in match m1 event 2 was changed",
    )
    foreign = database_with(made, "PRAGMA application_id = 1")
    refused(
        rewritten(made, **{DATABASE: foreign}), folder, "its database is damaged (the mark of Stationmaster"
    )


@pytest.mark.parametrize(
    "name",
    [
        "../escaped", "/etc/escaped", "journal/../../escaped.jsonl", "photos/../../escaped.jpg",
        "photos/.hidden", "journal\\..\\escaped.jsonl", "photos", "photos/", "restoring/x", "lock",
        "stationmaster.db-wal",
    ],
)  # fmt: skip
def test_parts_that_do_not_belong_are_refused(folder: Path, made: Path, name: str) -> None:
    refused(rewritten(made, **{name: b"evil"}), folder, "does not belong in a backup")


def test_links_doubles_and_locked_parts_are_refused(folder: Path, made: Path) -> None:
    def with_part(change: Callable[[zipfile.ZipInfo], None]) -> Path:
        target = made.with_name("part.zip")
        shutil.copy(made, target)
        info = zipfile.ZipInfo("photos/evil.jpg")
        change(info)
        with zipfile.ZipFile(target, "a") as parts:
            parts.writestr(info, b"/etc/passwd")
        return target

    def link(info: zipfile.ZipInfo) -> None:
        info.external_attr = 0o120777 << 16

    refused(with_part(link), folder, "'photos/evil.jpg' is not a regular file")
    locked = with_part(lambda info: None)
    text = locked.read_bytes()
    directory = text.rindex(b"PK\x01\x02")
    locked.write_bytes(text[: directory + 8] + b"\x01" + text[directory + 9 :])
    refused(locked, folder, "is encrypted")
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(made, "a") as parts:
        parts.writestr(MANIFEST, b"{}")
    refused(made, folder, "two of the same name")


def test_a_bomb_is_refused_before_it_is_unpacked(folder: Path, made: Path) -> None:
    bomb = rewritten(made, photos__bomb=bytes(archive.HARMLESS + 1))
    refused(bomb, folder, "'photos/bomb' would be enormous when unpacked")
    many = rewritten(made, **{f"photos__{number}": bytes(archive.HARMLESS // 2) for number in range(3)})
    refused(many, folder, "it would be enormous when unpacked")


def test_what_does_not_fit_on_the_disk_is_refused(
    folder: Path, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(100, 90, 10))
    refused(made, folder, "and the disk has 10 left")


def test_too_many_parts_are_refused(folder: Path, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_PARTS", 4)
    refused(made, folder, "it has too many parts")


@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_a_backup_with_changed_bytes_is_refused_or_still_says_the_same(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    text = bytearray(_small_backup(tmp_path_factory))
    for _ in range(data.draw(st.integers(1, 3))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    place = tmp_path_factory.mktemp("flipped")
    (place / "b.zip").write_bytes(text)
    says = "restored"
    try:
        restore(place / "b.zip", place / "table", NOW)
    except TableError as problem:
        says = problem.message
    assert "\n" not in says
    if says != "restored":
        assert not (place / "table" / DATABASE).exists()
    else:
        with Store(place / "table") as store:
            assert told(store) == {"m2": PLAYED["m2"]}


_SMALL: list[bytes] = []


def _small_backup(factory: pytest.TempPathFactory) -> bytes:
    """One match's backup, made once."""
    if not _SMALL:
        place = factory.mktemp("small")
        with Store(place) as store:
            stored(store, PLAYED["m2"])
            _SMALL.append(backup(store, place / "b.zip", NOW).read_bytes())
    return _SMALL[0]


def test_journals_of_the_live_folder_are_not_needed(folder: Path, tmp_path: Path) -> None:
    journal_path(folder, "m1").unlink()
    with Store(folder) as store:
        made = backup(store, tmp_path / "b.zip", NOW)
    with zipfile.ZipFile(made) as parts:
        lines = io.BytesIO(parts.read("journal/m1.jsonl")).readlines()
    assert len(lines) == len(PLAYED["m1"])


# What else is in it, and under which name


def test_settings_taught_boards_and_the_rollers_log_go_along_to_another_machine(
    folder: Path, tmp_path: Path
) -> None:
    own = {"settings.toml": "[camera]\nrotation = 90\n", "rolls.jsonl": "{}\n", "taught/my board.json": "[]"}
    for name, text in own.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    with Store(folder) as store:
        file = backup(store, tmp_path / "all.zip", NOW)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "settings.toml").write_text("[power]\n")
    restore(file, elsewhere, NOW)
    brought = {name: (elsewhere / name).read_text() for name in own}
    assert brought.pop("settings.toml").endswith(own.pop("settings.toml"))
    assert brought == own
    (kept,) = (elsewhere / ASIDE).rglob("settings.toml")
    assert kept.read_text() == "[power]\n"


def test_a_clock_that_jumps_back_spoils_no_backup(folder: Path) -> None:
    with Store(folder) as store:
        for day in range(28, 16, -1):
            newest = automatic_backup(store, datetime(2026, 4, day, tzinfo=UTC))
            assert newest.is_file()
            assert automatic_backups(folder)[0] == newest
    assert len(automatic_backups(folder)) == 10
    with Store(folder) as store:
        assert automatic_backup(store, NOW) == automatic_backups(folder)[0]


def test_a_trigger_inside_and_a_name_with_a_nul_are_refused(folder: Path, made: Path) -> None:
    trigger = "CREATE TRIGGER evil AFTER INSERT ON events BEGIN DELETE FROM seats; END"
    refused(
        rewritten(made, **{DATABASE: database_with(made, trigger)}), folder, "a trigger of somebody else's"
    )
    target = made.with_name("nul.zip")
    shutil.copy(made, target)
    with zipfile.ZipFile(target, "a") as parts:
        parts.writestr("photos/goodXevil.jpg", b"evil")
    target.write_bytes(target.read_bytes().replace(b"photos/goodXevil.jpg", b"photos/good\0evil.jpg"))
    refused(target, folder, "cannot be used as a backup")
