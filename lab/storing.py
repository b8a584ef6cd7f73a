"""How long storing one event takes, beside the least the disk allows.

``python -m lab.storing [FOLDER]``. Three things take turns, so that a busy disk slows all of them
alike: :meth:`Store.append` (database and journal), a bare SQLite commit of the same text in the same mode
(WAL, ``synchronous=FULL``), and a bare line appended to a file and synced.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from io import FileIO
from pathlib import Path
from statistics import median, quantiles

from companion.table.events import FIRST_HASH, Actor, Event, sealed
from companion.table.journal import line_of
from companion.table.store import Store
from lab.bench import say

EVENTS = 500


def main(place: Path) -> None:
    """Measure below ``place`` and print one line each."""
    with tempfile.TemporaryDirectory(dir=place, prefix="stationmaster-bench-") as name:
        times = _measured(Path(name))
    for what, taken in times.items():
        usual, slow = median(taken) * 1e3, quantiles(taken, n=100)[98] * 1e3
        say(f"{what:12} median {usual:6.2f} ms   99 % {slow:6.2f} ms")
    bare = median(times["bare commit"])
    both = bare + median(times["bare line"])
    append = median(times["append"])
    say(f"append is {append / bare:.2f} x a bare commit, {append / both:.2f} x commit and line")


def _measured(folder: Path) -> dict[str, list[float]]:
    events = _match(EVENTS)
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("PRAGMA synchronous = FULL")
    bare.execute("CREATE TABLE lines (line BLOB)")
    times: dict[str, list[float]] = {"append": [], "bare commit": [], "bare line": []}
    with Store(folder / "table") as store, (folder / "lines").open("ab", buffering=0) as lines:
        for event in events:
            text = line_of(event)
            times["append"].append(_timed(partial(store.append, event)))
            times["bare commit"].append(
                _timed(partial(bare.execute, "INSERT INTO lines VALUES (?)", (text,)))
            )
            times["bare line"].append(_timed(partial(_write, lines, text)))
    bare.close()
    return times


def _write(file: FileIO, text: bytes) -> None:
    file.write(text)
    os.fsync(file.fileno())


def _timed(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def _match(count: int) -> list[Event]:
    """Events of the size that a turn of Railroad Ink has."""
    routes = [{"cell": f"a{row}", "route": "NESW"} for row in range(1, 5)]
    data = {"game": "railroad-ink", "mode": "umpire", "routes": routes}
    events: list[Event] = []
    before = FIRST_HASH
    for seq in range(1, count + 1):
        event = sealed(
            Event("bench", seq, "2026-05-01T19:30:00.000+00:00", "draw", data, 1, Actor("host"), None, before)
        )
        events.append(event)
        before = event.hash
    return events


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path.cwd())
