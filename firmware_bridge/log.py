"""The complete roll log: every roll of every roller, one JSON line each, nothing left out or changed.

The table keeps the rolls of its matches; this file keeps them all, also those thrown while no match was on,
so that histograms can be trusted. It tells a restarted program which rolls it has seen.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from firmware_bridge.dice import Roll

_decoder = msgspec.json.Decoder(Roll)


class RollLog:
    """An append-only file of rolls."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last: dict[tuple[str, str], int] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        for roll in self.read():
            self._note(roll)
        self._end_broken_line()

    def append(self, roll: Roll) -> None:
        """Write a roll through to the disk."""
        self._write(msgspec.json.encode(roll) + b"\n")
        self._note(roll)

    def last_seen(self, uid: str, boot: str) -> int:
        """The highest number of this power-up in the log; 0 when there is none."""
        return self._last.get((uid, boot), 0)

    def read(self) -> Iterator[Roll]:
        """All rolls, oldest first; a line that a power cut left unfinished is passed over."""
        if not self.path.exists():
            return
        with self.path.open("rb") as lines:
            for line in lines:
                roll = _roll_in(line)
                if roll:
                    yield roll

    def _note(self, roll: Roll) -> None:
        key = (roll.uid, roll.boot)
        self._last[key] = max(self._last.get(key, 0), roll.n)

    def _end_broken_line(self) -> None:
        """End a half-written line after a power cut, so that the next roll does not continue it."""
        if not self.path.exists() or not self.path.stat().st_size:
            return
        with self.path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            is_whole = file.read(1) == b"\n"
        if not is_whole:
            self._write(b"\n")

    def _write(self, data: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())


def _roll_in(line: bytes) -> Roll | None:
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
