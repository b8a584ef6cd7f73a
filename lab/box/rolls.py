"""How long a roll takes inside the box, from the request to everybody who listens to the table.

The virtual roller runs the real firmware behind a pseudo-terminal; the table writes every event to the disk.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.devices.devices import Devices
from companion.service.devices.dice_policy import DicePolicy
from companion.service.system.settings import Settings
from companion.table.events import Actor
from companion.table.store import Store
from companion.table.table import Table
from lab.bench import at_share

HOST = Actor("host")


def measured(rolls: int, folder: Path) -> list[float]:
    """Milliseconds from asking for a roll to a subscriber that has it."""
    with Store(folder) as store:
        table = Table(store, GAMES)
        devices = Devices(table, folder, Settings(), DicePolicy(store.setting), ports=lambda: [])
        devices.start()
        try:
            pause = threading.Event()
            while not devices.dice.roller.state().connected:
                pause.wait(0.01)
            return [roll_deduplication(table, devices) for _ in range(rolls)]
        finally:
            devices.stop()


def roll_deduplication(table: Table, devices: Devices) -> float:
    """Ask for the next roll (of a new match, when the last one has had all of its rolls)."""
    if table.current is None or not table.current.game.dice(table.current.state):
        data = {"game": "railroad-ink", "players": [""], "mode": "scorekeeper"}
        table.submit(Action("start", data=data), HOST)
    subscription = table.subscribe()
    began = time.perf_counter()
    asking = threading.Thread(target=devices.dice.roll, args=(HOST,))
    asking.start()
    subscription.read(10)
    took = time.perf_counter() - began
    asking.join()
    return 1000 * took


def report(rolls: int) -> str:
    """Measure so many rolls and return the line of the report."""
    with tempfile.TemporaryDirectory() as folder:
        times = measured(rolls, Path(folder))
    return f"{len(times)} rolls, from the request to a subscriber of the table: {spread(times)}"


def spread(times: Sequence[float]) -> str:
    """The middle and the slow end of some milliseconds.

    >>> spread([3.0, 1.0, 2.0])
    'median 2.0 ms, 95 % under 3.0 ms, slowest 3.0 ms'
    """
    ordered = sorted(times)
    slow = at_share(ordered, 0.95)
    return f"median {median(ordered):.1f} ms, 95 % under {slow:.1f} ms, slowest {ordered[-1]:.1f} ms"
