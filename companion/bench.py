"""How long a roll takes from the request to everybody who listens: ``python -m companion.bench [ROLLS]``.

The virtual roller runs the real firmware behind a pseudo-terminal; the table writes every event to the disk.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from companion.devices import Devices
from companion.games.contract import Action
from companion.games.registry import GAMES
from companion.settings import Settings
from companion.table.events import Actor
from companion.table.store import Store
from companion.table.table import Table

HOST = Actor("host")


def measured(rolls: int, folder: Path) -> list[float]:
    """Milliseconds from asking for a roll to a subscriber that has it."""
    with Store(folder) as store:
        table = Table(store, GAMES)
        devices = Devices(table, folder, Settings(), ports=lambda: [])
        devices.start()
        try:
            _wait_until_connected(devices)
            return [one_roll(table, devices) for _ in range(rolls)]
        finally:
            devices.stop()


def _wait_until_connected(devices: Devices) -> None:
    pause = threading.Event()
    while not devices.dice.roller.state().connected:
        pause.wait(0.01)


def one_roll(table: Table, devices: Devices) -> float:
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


def main(rolls: int) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        times = sorted(measured(rolls, Path(folder)))
    print(
        f"{len(times)} rolls, from the request to a subscriber of the table: "
        f"median {statistics.median(times):.1f} ms, 99 % under {times[int(len(times) * 0.99)]:.1f} ms"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
