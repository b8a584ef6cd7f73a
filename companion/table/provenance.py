"""The origin of backups: only one made on this box may restore access and commands.

Whoever makes a backup knows what opens it: the host's PIN, the cookies of sessions and seats. On another box
they would open that one, and what stands in its settings as a command would be run there. So a box seals what
decides about such things (HMAC-SHA256) with a key that is in no backup; a backup that bears another seal, or
none, brings matches, photographs and harmless settings. What opens the box stays as it was before; a box that
had no owner waits to be set up.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
import sqlite3
from contextlib import closing
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec

from companion.table.archive import sync_file
from companion.table.exc import StorageError, translated
from companion.table.folder import BOX_KEY, DATABASE, SETTINGS
from companion.table.store import Store

# What is kept beside the matches and lets somebody in, by the names of settings and how they begin.
ACCESS = frozenset({"host-pin", "host-key", "host-sessions", "host-phones", "setup", "room"})
ACCESS_OF_MATCHES = "join-code:"
# Settings that only this box's owner chooses, by section (None: all of it): a command, what opens its Wi-Fi,
# where versions of the program lie, who is told how matches stand, and names under which a page of the
# Internet could reach the box.
_CAMERA = re.compile(
    r"|phone|pi(:.*)?|usb(:.*)?|\w+://.*|/dev/video\d+|/dev/v4l/by-(id|path)/\w[\w.:+-]*", re.ASCII
)
OWNERS_ALONE: dict[str, str | None] = {
    "power": None,
    "network": None,
    "updates": None,
    "mqtt": None,
    "box": "names",
}
_BARE_NAME = re.compile(r"[A-Za-z0-9_-]+")


def box_key(folder: Path) -> bytes:
    """Return the key of this folder's box, generating it if there is none."""
    path = folder / BOX_KEY
    with translated(path):
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return path.read_bytes()
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_hex(32).encode())
            file.flush()
            os.fsync(file.fileno())
        return path.read_bytes()


def seal_of(folder: Path, database: Path, settings: bytes | None) -> str:
    """What says that this box made a backup with this database and these settings; nothing without a key."""
    if not (folder / BOX_KEY).exists() and not os.access(folder, os.W_OK):
        return ""  # somebody else's folder, or a read-only disk
    with database.open("rb") as content:
        digests = hashlib.file_digest(content, "sha256").digest()
    digests += b"" if settings is None else hashlib.sha256(settings).digest()
    return hmac.new(box_key(folder), digests, hashlib.sha256).hexdigest()


def is_sealed(folder: Path, unpacked: Path, seal: str) -> bool:
    """True if this box made the backup that was unpacked there."""
    own = seal_of(folder, unpacked / DATABASE, content_of(unpacked / SETTINGS))
    return bool(own) and hmac.compare_digest(own.encode(), seal.encode())


def content_of(path: Path) -> bytes | None:
    """The bytes of a file; None where there is none."""
    return path.read_bytes() if path.is_file() else None


def leave_outside(unpacked: Path, folder: Path) -> None:
    """Replace, in an unpacked backup, what must not come from another box by this box's own."""
    access = _access(folder)
    with closing(sqlite3.connect(unpacked / DATABASE, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        names = [str(name) for (name,) in database.execute("SELECT key FROM settings")]
        foreign = [name for name in names if name in ACCESS or name.startswith(ACCESS_OF_MATCHES)]
        database.executemany("DELETE FROM settings WHERE key = ?", [(name,) for name in foreign])
        database.executemany("INSERT INTO settings VALUES (?, ?)", access.items())
        database.execute("DELETE FROM seats")
        database.execute("DELETE FROM snapshots")  # they are made again from the events
        database.execute("COMMIT")
    theirs, own = content_of(unpacked / SETTINGS), content_of(folder / SETTINGS)
    if theirs is not None:
        (unpacked / SETTINGS).write_text(
            _settings(_sections(theirs), _sections(own or b"")), encoding="utf-8"
        )
        sync_file(unpacked / SETTINGS)


def _access(folder: Path) -> dict[str, str]:
    """The settings that let people in here; empty where no table can be read."""
    try:
        with Store(folder, read_only=True) as store:
            found = {name: store.setting(name) for name in ACCESS}
    except StorageError:
        return {}
    return {name: value for name, value in found.items() if value is not None}


def _sections(content: bytes) -> dict[str, dict[str, Any]]:
    """The sections of a file of settings; none of one that cannot be read."""
    try:
        plain = msgspec.toml.decode(content)
    except (msgspec.DecodeError, RecursionError):
        return {}
    found = plain.items() if isinstance(plain, dict) else ()
    return {name: values for name, values in found if isinstance(values, dict)}


def is_folder(camera: object) -> bool:
    """True if what should be the name of a camera is a folder, of which the box would show every picture.

    >>> is_folder("/home/anna/pictures"), is_folder("pi"), is_folder("usb:Logi"), is_folder("/dev/video2")
    (True, False, False, False)
    """
    return isinstance(camera, str) and not _CAMERA.fullmatch(camera)


def _settings(theirs: dict[str, dict[str, Any]], own: dict[str, dict[str, Any]]) -> str:
    """A file with their settings, and with ours where only this box's owner chooses."""
    for section, name in OWNERS_ALONE.items():
        if name is None:
            theirs[section] = own.get(section, {})
        else:
            theirs.get(section, {}).pop(name, None)
            if name in own.get(section, {}):
                theirs.setdefault(section, {})[name] = own[section][name]
    if is_folder(theirs.get("camera", {}).get("name")):
        del theirs["camera"]["name"]
    lines = ["# From a backup of another box; docs/settings.md says what each setting means."]
    for section, values in theirs.items():
        if values and _BARE_NAME.fullmatch(section):
            said = {name: _toml(value) for name, value in values.items() if _BARE_NAME.fullmatch(name)}
            lines += [f"[{section}]", *(f"{name} = {text}" for name, text in said.items() if text), ""]
    return "\n".join(lines).rstrip() + "\n"


def _toml(value: Any) -> str:
    """Write a text, number, truth or list of texts as TOML; empty for what is no setting."""
    plain = isinstance(value, str | bool | int) or (isinstance(value, float) and isfinite(value))
    if plain or (isinstance(value, list) and all(isinstance(one, str) for one in value)):
        return json.dumps(value, ensure_ascii=True).replace("\x7f", "\\u007f")
    return ""
