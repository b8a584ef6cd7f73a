"""Photographs beside the database, named by the hash that the events carry."""

from __future__ import annotations

import os
import re
from hashlib import sha256
from pathlib import Path

from companion.table.exc import translated
from companion.table.folder import PHOTOS, sync_folder

_HASH = re.compile("[0-9a-f]{64}")


def keep_photo(folder: Path, data: bytes) -> str:
    """Store a photograph (once, however often it is sent) and return its hash."""
    digest = sha256(data).hexdigest()
    path = _path(folder, digest)
    with translated(path):
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            half = path.with_suffix(".part")
            with half.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            half.replace(path)
            sync_folder(path.parent)
    return digest


def kept_photo(folder: Path, digest: str) -> bytes | None:
    """A photograph by its hash; nothing when it is not here (any more)."""
    if not _HASH.fullmatch(digest):
        return None
    path = _path(folder, digest)
    with translated(path):
        return path.read_bytes() if path.exists() else None


def _path(folder: Path, digest: str) -> Path:
    return folder / PHOTOS / f"{digest}.jpg"
