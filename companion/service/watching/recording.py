"""A recording for those who want it: one small picture of each board a round, beside the match.

It lies in the table's folder and nowhere else, in no backup; it is bounded, and goes with the match when that
is deleted from the history.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.table.exc import translated
from companion.table.folder import RECORDINGS

MOST_MATCHES = 50  # the oldest recording goes first
MOST_PICTURES = 120  # of a match
LARGEST = 150_000  # bytes of a picture
_PICTURE = re.compile(r"(\d{1,4})-(\d{1,2})\.jpg")
_MATCH = re.compile(r"[0-9a-zA-Z]{1,40}")


@dataclass(frozen=True)
class RecordedBoard:
    """A seat's board at the end of a round."""

    round: int
    seat: int
    path: Path


class Recording:
    """The recordings of a table. ``wanted``: does its owner want one?"""

    def __init__(self, folder: Path, wanted: Callable[[], bool]) -> None:
        self._folder = folder / RECORDINGS
        self._wanted = wanted

    @property
    def wanted(self) -> bool:
        """Return True if a recording is kept."""
        return self._wanted()

    def keep(self, match_id: str, number: int, seat: int, small: bytes) -> None:
        """Keep a board as it was entered in a round, in the place of the same round's one before."""
        place = self._of(match_id)
        if place is None or not small or len(small) > LARGEST:
            return
        with translated(place):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = place / f"{number}-{seat}.jpg"
            if path.exists() or len(self.boards(match_id)) < MOST_PICTURES:
                half = path.with_suffix(".half")
                half.write_bytes(small)
                half.replace(path)
            known = sorted(self._folder.iterdir(), key=lambda one: one.stat().st_mtime_ns)
            for old in known[:-MOST_MATCHES]:
                shutil.rmtree(old)

    def boards(self, match_id: str) -> list[RecordedBoard]:
        """What is recorded of a match, in order."""
        place = self._of(match_id)
        if place is None or not place.is_dir():
            return []
        found = [(path, _PICTURE.fullmatch(path.name)) for path in place.iterdir()]
        boards = [RecordedBoard(int(told[1]), int(told[2]), path) for path, told in found if told]
        return sorted(boards, key=lambda one: (one.round, one.seat))

    def find(self, match_id: str, number: int, seat: int) -> Path | None:
        """The picture of a seat's board in a round."""
        wanted = (number, seat)
        return next((one.path for one in self.boards(match_id) if (one.round, one.seat) == wanted), None)

    def forget(self, match_id: str) -> None:
        """Delete the recording of a match."""
        place = self._of(match_id)
        if place is not None and place.is_dir():
            shutil.rmtree(place)

    def _of(self, match_id: str) -> Path | None:
        return self._folder / match_id if _MATCH.fullmatch(match_id) else None


def round_of(state: Any) -> int:
    """The round; games without rounds have a single one."""
    return int(getattr(state, "round", 1))
