"""The photographs of a table: cleaned pictures in a folder, named by their hash."""

from __future__ import annotations

import os
import re
from pathlib import Path

from companion.table.exc import translated
from companion.table.folder import PHOTOS, sync_folder

_DIGEST = re.compile(r"[0-9a-f]{64}")


class PhotoShelf:
    """Photographs stored in the ``photos`` folder under their SHA-256."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / PHOTOS

    def keep(self, digest: str, photo: bytes) -> None:
        """Put a cleaned photograph there under its SHA-256 in hexadecimal digits."""
        if not _DIGEST.fullmatch(digest):
            raise ValueError(f"{digest!r} is no digest of a photograph")
        path = self._folder / f"{digest}.jpg"
        with translated(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                half = path.with_suffix(".half")
                with half.open("wb") as file:
                    file.write(photo)
                    file.flush()
                    os.fsync(file.fileno())
                half.rename(path)
                sync_folder(self._folder)

    def find(self, digest: str) -> Path | None:
        """Return the path of a photograph; None for any name that is not stored here."""
        path = self._folder / f"{digest}.jpg"
        return path if _DIGEST.fullmatch(digest) and path.is_file() else None

    def digests(self) -> list[str]:
        """Return the digests of all photographs, deleting files left half written by a power cut."""
        with translated(self._folder):
            for half in self._folder.glob("*.half"):
                half.unlink()
            return [path.stem for path in self._folder.glob("*.jpg") if _DIGEST.fullmatch(path.stem)]

    def forget(self, digest: str) -> None:
        """Delete a photograph to which nothing refers."""
        path = self.find(digest)
        if path is not None:
            path.unlink()
