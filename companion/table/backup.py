"""Backups: one file with everything (see :mod:`companion.table.archive`), and the way back.

A backup is read back and checked before it gets its name. A restore checks everything before it touches
anything, and keeps what was there. SQLite itself copies the database, so the table goes on meanwhile.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from companion.core.messages import Message, m, replaced
from companion.table.archive import FORMAT, VERSION, Manifest, pack, unpack, unpack_database, verify
from companion.table.checking import check_database
from companion.table.exc import BackupError, DamagedError, StorageError, translated
from companion.table.folder import (
    BACKUPS,
    DATABASE,
    JOURNAL,
    OWNERS_FILES,
    PHOTOS,
    SECOND_COPY,
    SETTINGS,
    STAGED,
    TAUGHT,
    UNPACKING,
    FolderLock,
    database_files,
    free_name,
    move_aside,
    stamp,
    sync_folder,
)
from companion.table.journal import line_of
from companion.table.provenance import content_of, is_sealed, leave_outside, seal_of
from companion.table.store import Store

KEPT = 10  # automatic backups
FROM_ELSEWHERE = m(
    "That backup was not made by this box: its PIN, sessions, seats and commands were left out."
    " Phones take their seats anew; a box without a PIN of its own waits to be set up."
)
_ELSEWHERE = "elsewhere"  # a mark beside what is on its way in
_HALF_MADE = ".stationmaster-"
# Two made at once would take one name, and clear away each other's scratch as a killed process's.
_ROTATING = threading.Lock()
_AUTOMATIC = re.compile(r"stationmaster-(\d{8}-\d{6})(?:-(\d+))?\.zip")


# Making one


def backup(store: Store, target: Path, now: datetime | None = None, *, photos: bool = True) -> Path:
    """Write a backup of ``store`` to the file ``target``, or to a new file in the folder ``target``."""
    now = now or datetime.now(UTC)
    file = free_name(target / f"stationmaster-{stamp(now)}.zip") if target.is_dir() else target
    if file.exists():
        raise BackupError("exists", m("{file} is already there: choose another name", file=file))
    with translated(file.parent), _scratch(file.parent) as scratch:
        store.copy_to(scratch / DATABASE)
        settings = content_of(store.folder / SETTINGS)
        seal = seal_of(store.folder, scratch / DATABASE, settings)
        manifest = Manifest(FORMAT, VERSION, now.isoformat(timespec="seconds"), photos, seal)
        made = scratch / "backup.zip"
        pack(made, manifest, scratch / DATABASE, settings, _journals(scratch), store.folder)
        check_backup(made)
        made.rename(file)
        sync_folder(file.parent)
    return file


def check_backup(file: Path) -> Manifest:
    """What a backup says of itself, if everything could be brought back from it."""
    with translated(file), _scratch(file.parent) as scratch:
        manifest = verify(file)
        unpack_database(file, scratch / DATABASE)
        _check_copy(scratch / DATABASE, file)
    return manifest


def automatic_backup(store: Store, now: datetime | None = None, kept: int = KEPT) -> Path:
    """Add a backup to the table's folder; once it is checked, delete the oldest beyond ``kept``.

    Without photographs: they lie on the same disk, and a copy beside them would make nothing safer.
    """
    return rotating_backup(store, store.folder / BACKUPS, now, kept=kept, photos=False)


def rotating_backup(
    store: Store, place: Path, now: datetime | None = None, *, kept: int, photos: bool
) -> Path:
    """Add a backup to a folder of backups; once it is checked, delete the oldest beyond ``kept``."""
    with _ROTATING, translated(place):
        place.mkdir(exist_ok=True)
        for left_by_a_killed_process in place.glob(f"{_HALF_MADE}*"):
            shutil.rmtree(left_by_a_killed_process)
        file = backup(store, place / _next_name(place, now or datetime.now(UTC)), now, photos=photos)
        for old in automatic_backups_in(place)[kept:]:
            old.unlink()
    return file


def _next_name(place: Path, now: datetime) -> str:
    """Return a name that sorts after all existing ones, even if the clock has been set back."""
    newest = max(map(_made, automatic_backups_in(place)), default=("", 0))
    if stamp(now) > newest[0]:
        return f"stationmaster-{stamp(now)}.zip"
    return f"stationmaster-{newest[0]}-{newest[1] + 1}.zip"


def _made(file: Path) -> tuple[str, int]:
    found = _AUTOMATIC.fullmatch(file.name)
    return (found[1], int(found[2] or 1)) if found else ("", 0)


def automatic_backups(folder: Path) -> list[Path]:
    """The table's own backups, newest first."""
    return automatic_backups_in(folder / BACKUPS)


def automatic_backups_in(place: Path) -> list[Path]:
    """Return the automatic backups in a folder, newest first by their names, not by file times."""
    found = [path for path in place.glob("*.zip") if _AUTOMATIC.fullmatch(path.name)]
    return sorted(found, key=_made, reverse=True)


def newest_good_backup(folder: Path) -> tuple[Path | None, list[str]]:
    """The newest automatic backup that passes its check, and a sentence for each one that does not."""
    notes: list[str] = []
    for file in automatic_backups(folder):
        try:
            check_backup(file)
        except (BackupError, StorageError) as problem:
            notes.append(m("The backup {file} was passed over: {why}.", file=file.name, why=problem.message))
        else:
            return file, notes
    return None, notes


def _journals(copied: Path) -> Iterator[tuple[str, bytes]]:
    with Store(copied, read_only=True) as copy:
        for match in copy.matches():
            yield match.id, b"".join(map(line_of, copy.events(match.id)))


def _check_copy(database: Path, file: Path) -> None:
    try:
        check_database(database)
    except StorageError as problem:
        if problem.code not in ("damaged", "foreign", "nothing-stored"):
            raise
        finding = problem.finding if isinstance(problem, DamagedError) else problem.message
        why = (
            replaced(finding, lambda it: m("its database") if it == database else None)
            if isinstance(finding, Message)
            else finding
        )
        raise BackupError(
            "bad-backup", m("{file} cannot be used as a backup: {why}", file=file, why=why)
        ) from problem


# The way back


def restore(file: Path, folder: Path, now: datetime | None = None) -> list[str]:
    """Put everything in ``folder`` back to what ``file`` says; what was there is kept aside.

    Photographs, taught boards, settings and the roller's log stay as they are when the backup has none.
    """
    with _locked(folder), translated(file):
        stage(file, folder)
        return finish_restore(folder, now or datetime.now(UTC))


@dataclass(frozen=True)
class Staged:
    """A backup that lies ready: when it was made, and whether this box made it."""

    made: str
    own: bool


def stage(file: Path, folder: Path) -> Staged:
    """Check a backup and lay it ready in a folder that this process works in: the next start swaps it in.

    Of one that another box made only what is harmless: see `companion.table.provenance`.
    """
    with translated(file), _unpacking(folder) as unpacked:
        manifest = unpack(file, unpacked)
        _check_copy(unpacked / DATABASE, file)
        here = file.resolve().is_relative_to((folder / BACKUPS).resolve())
        own = here or is_sealed(folder, unpacked, manifest.seal)
        if not own:
            leave_outside(unpacked, folder)
            (unpacked / _ELSEWHERE).touch()
        _clear(folder / STAGED)
        unpacked.rename(folder / STAGED)
        sync_folder(folder)
    return Staged(manifest.made, own)


def finish_restore(folder: Path, now: datetime) -> list[str]:
    """Swap a checked and unpacked backup in, or go on where a power cut interrupted that.

    What is still in the staging folder has not been swapped yet, so this can be interrupted anywhere.
    """
    staged = folder / STAGED
    if not staged.exists():
        return []
    with translated(folder):
        replaced = {DATABASE: [*database_files(folder), folder / SECOND_COPY]}
        replaced |= {name: [folder / name] for name in (JOURNAL, PHOTOS, TAUGHT, *OWNERS_FILES)}
        waiting = [name for name in replaced if (staged / name).exists()]
        place = move_aside(folder, [old for name in waiting for old in replaced[name]], now)
        for name in waiting:
            (staged / name).rename(folder / name)
        sync_folder(folder)
        notes = [FROM_ELSEWHERE] if (staged / _ELSEWHERE).exists() else []
        shutil.rmtree(staged)
    kept = m("The backup was restored; what was here before is in {place}.", place=place)
    return [kept if place else m("The backup was restored; nothing was here before."), *notes]


def take_database(file: Path, folder: Path) -> None:
    """Unpack only the database of a checked backup, into a folder that has none."""
    with translated(folder), _unpacking(folder) as unpacked:
        unpack_database(file, unpacked / DATABASE)
        (unpacked / DATABASE).rename(folder / DATABASE)
        sync_folder(folder)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    lock = FolderLock(folder)
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder on the same disk as the final files, so that they can be renamed."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=_HALF_MADE) as name:
        yield Path(name)


@contextmanager
def _unpacking(folder: Path) -> Iterator[Path]:
    """Yield a scratch folder in a locked folder, clearing what a killed process left in it."""
    place = folder / UNPACKING
    _clear(place)
    try:
        yield place
    finally:
        _clear(place)


def _clear(place: Path) -> None:
    if place.exists():
        shutil.rmtree(place)
