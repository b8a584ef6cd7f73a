"""A second copy of what the journals lack: PIN, sessions, guests, seats, the order of matches.

``seats-and-settings.json`` is written anew after each change and read only when the database was lost, or
lost what was newest; of secrets it has the same digests as the database and nothing more. A checksum tells
whether it can be believed, and the number of changes, a setting like others, which of the two is newer.
"""

from __future__ import annotations

import hashlib
import logging
import os
from pathlib import Path

import msgspec

from companion.core.jsontext import json_of
from companion.table.exc import StorageError, translated
from companion.table.folder import SECOND_COPY, sync_folder

_log = logging.getLogger(__name__)
CHANGES = "changes-of-seats-and-settings"  # the setting that counts them
MATCHES_KEPT = 40  # the newest: whoever comes back to an older one takes the seat again


class SecondCopy(msgspec.Struct, frozen=True):
    """Everything that people would miss and the events do not hold."""

    settings: dict[str, str] = {}
    seats: list[tuple[str, int, str]] = []  # match, seat, digest of its secret
    order: list[str] = []  # the newest matches, in the order in which they were begun

    @property
    def changes(self) -> int:
        """The number of the last change that the copy holds; 0 where an older version wrote it."""
        return int(self.settings.get(CHANGES) or 0)


class _Sealed(msgspec.Struct, frozen=True):
    sha256: str
    copy: msgspec.Raw


def write_second_copy(folder: Path, copy: SecondCopy) -> None:
    """Replace the second copy atomically; on a full disk the one before stays and nobody is refused."""
    text = json_of(copy)
    sealed = json_of(_Sealed(hashlib.sha256(text).hexdigest(), msgspec.Raw(text)))
    path = folder / SECOND_COPY
    half = path.with_suffix(".half")
    try:
        with translated(path):
            if path.exists() and path.read_bytes() == sealed:
                return
            with half.open("wb") as file:
                file.write(sealed)
                file.flush()
                os.fsync(file.fileno())
            half.rename(path)
            sync_folder(folder)
    except StorageError as problem:
        _log.warning("Seats and settings have no second copy just now: %s", problem)


def read_second_copy(folder: Path) -> SecondCopy | None:
    """The second copy; None when there is none that can be trusted."""
    path = folder / SECOND_COPY
    try:
        with translated(path):
            sealed = msgspec.json.decode(path.read_bytes(), type=_Sealed)
        text = bytes(sealed.copy)
        if hashlib.sha256(text).hexdigest() != sealed.sha256:
            return None
        return msgspec.json.decode(text, type=SecondCopy)
    except (StorageError, msgspec.DecodeError, UnicodeDecodeError):
        return None
