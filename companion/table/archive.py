"""The backup file format, and opening such files safely whoever made them.

A zip, because every computer opens it, so its owner can look inside without Stationmaster; it holds
photographs as well as the database; and each part carries a checksum::

    backup.json            what this is
    stationmaster.db       the database
    journal/<match>.jsonl  every match for people to read
    photos/...             the photographs
    taught/...             boards of the owner's own
    settings.toml          what the owner set
    rolls.jsonl            every throw of the dice roller
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from companion.core.jsontext import json_of
from companion.core.messages import m
from companion.table.exc import BackupError, NewerVersionError
from companion.table.folder import (
    DATABASE,
    JOURNAL,
    OWNERS_FILES,
    PHOTOS,
    SETTINGS,
    TAUGHT,
    sync_folder,
    taught_files,
)

FORMAT = "stationmaster-backup"
VERSION = 1
MANIFEST = "backup.json"
MOST_PARTS = 100_000
MOST_SHRUNK = 200  # times; real databases and journals shrink 5 to 20 times
MOST_SHRUNK_TOGETHER = 60  # times, of all parts
HARMLESS = 16_000_000  # bytes; up to here it does not matter how much a part had shrunk
_PART = re.compile(
    rf"{'|'.join(map(re.escape, (MANIFEST, DATABASE, *OWNERS_FILES)))}|{JOURNAL}/[\w][\w.-]*\.jsonl"
    rf"|{PHOTOS}(/[\w][\w.-]*)+|{TAUGHT}/[\w][\w .+-]*\.json",
    re.ASCII,
)
_UNREADABLE = (
    zipfile.BadZipFile,
    msgspec.DecodeError,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
)


class Manifest(msgspec.Struct, frozen=True):
    """What a backup says of itself."""

    format: str
    version: int
    made: str
    photos: bool
    seal: str = ""  # of the box that made it: see `companion.table.provenance`


def pack(
    file: Path,
    manifest: Manifest,
    database: Path,
    settings: bytes | None,
    journals: Iterator[tuple[str, bytes]],
    folder: Path,
) -> None:
    """Write a backup and see it onto the disk.

    ``settings`` are what the manifest's seal is over; ``journals`` are matches and their lines; everything
    else lies in ``folder``.
    """
    with zipfile.ZipFile(file, "x", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr(MANIFEST, json_of(manifest))
        parts.write(database, DATABASE)
        for match, lines in journals:
            parts.writestr(f"{JOURNAL}/{match}.jsonl", lines)
        if settings is not None:
            parts.writestr(SETTINGS, settings)
        others = [folder / name for name in OWNERS_FILES if name != SETTINGS]
        for path in (*others, *taught_files(folder)):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and _PART.fullmatch(name):
                parts.write(path, name)
        for photo in _files_below(folder / PHOTOS) if manifest.photos else []:
            parts.write(photo, photo.relative_to(folder).as_posix(), zipfile.ZIP_STORED)  # it does not shrink
    sync_file(file)


def verify(file: Path) -> Manifest:
    """What a backup says of itself, if all of it can be unpacked and nothing in it is a trap."""
    with _opened(file) as parts:
        broken = parts.testzip()
        if broken is not None:
            raise _unusable(file, m("its part {broken} is damaged", broken=broken))
        return _manifest(parts, file)


def unpack_database(file: Path, target: Path) -> None:
    """Unpack only the database, into the new file ``target``."""
    with _opened(file) as parts:
        _unpack(parts, parts.getinfo(DATABASE), target)


def unpack(file: Path, folder: Path) -> Manifest:
    """Unpack a whole backup into the new ``folder`` and sync it to the disk."""
    with _opened(file) as parts:
        manifest = _manifest(parts, file)
        for name in (JOURNAL, PHOTOS) if manifest.photos else (JOURNAL,):
            (folder / name).mkdir(parents=True)
        for part in parts.infolist():
            _unpack(parts, part, folder / part.filename)
    for place in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        sync_folder(place)
    return manifest


def sync_file(path: Path) -> None:
    """Make a file's content survive a power cut."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


@contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(file) as parts:
            _check_parts(parts, file)
            yield parts
    except BackupError:
        raise
    except _UNREADABLE as problem:
        raise _unusable(file, m("it cannot be unpacked ({problem})", problem=problem)) from problem
    except OSError as problem:
        if problem.errno != errno.EINVAL:  # a nonsensical position, not the disk
            raise
        raise _unusable(file, m("it cannot be unpacked (its table of contents is wrong)")) from problem


def _check_parts(parts: zipfile.ZipFile, file: Path) -> None:
    """Refuse parts that would land outside the folder, overwrite each other or fill the disk."""
    infos = parts.infolist()
    names = [info.filename for info in infos]
    if MANIFEST not in names or DATABASE not in names:
        raise _unusable(file, m("it was not made by Stationmaster"))
    if len(infos) > MOST_PARTS or len(set(names)) != len(names):
        raise _unusable(file, m("it has too many parts, or two of the same name"))
    for info in infos:
        fault = _part_fault(info)
        if fault is not None:
            raise _unusable(file, m("its part {name} {fault}", name=repr(info.filename[:80]), fault=fault))
    room = shutil.disk_usage(file.parent).free
    size = sum(info.file_size for info in infos)
    if size > HARMLESS and size > MOST_SHRUNK_TOGETHER * file.stat().st_size:
        raise _unusable(file, m("it would be enormous when unpacked"))
    if size > room:
        raise _unusable(
            file,
            m(
                "unpacked it needs {size} bytes, and the disk has {room} left",
                size=f"{size:,}",
                room=f"{room:,}",
            ),
        )


def _part_fault(info: zipfile.ZipInfo) -> str | None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if not _PART.fullmatch(info.filename) or info.orig_filename != info.filename:  # a NUL ends a name
        return m("does not belong in a backup")
    if kind not in (0, stat.S_IFREG):
        return m("is not a regular file")
    if info.flag_bits & 1:
        return m("is encrypted")
    if info.file_size > HARMLESS and info.file_size > MOST_SHRUNK * info.compress_size:
        return m("would be enormous when unpacked")
    return None


def _manifest(parts: zipfile.ZipFile, file: Path) -> Manifest:
    manifest = msgspec.json.decode(parts.read(MANIFEST), type=Manifest)
    if manifest.format != FORMAT:
        raise _unusable(file, m("it was not made by Stationmaster"))
    if manifest.version > VERSION:
        raise NewerVersionError(
            "newer-version", m("{file} was made by a newer Stationmaster: update this one first", file=file)
        )
    return manifest


def _unpack(parts: zipfile.ZipFile, part: zipfile.ZipInfo, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with parts.open(part) as source, target.open("xb") as copy:
        shutil.copyfileobj(source, copy)
        copy.flush()
        os.fsync(copy.fileno())


def _files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _unusable(file: Path, why: str) -> BackupError:
    return BackupError("bad-backup", m("{file} cannot be used as a backup: {why}", file=file, why=why))
