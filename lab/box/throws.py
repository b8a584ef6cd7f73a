"""From the dice roller to the numbers on many phones.

The roller is the virtual one: its real firmware behind a pseudo-terminal, found by the service as any other.
Its button is pressed; the clock runs from the line in which it says what it threw.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware_bridge.simulator import VirtualPort, VirtualRoller
from lab.box.boxes import BoxProcess, served
from lab.box.phones import Client, Phone
from lab.box.players import the_host
from lab.box.rolls import spread

_ROLL_WITHIN = 2.0
_TRIES = 20
_MATCH = "/api/v1/matches/current"


class TimedRoller(VirtualRoller):
    """Notes when it said what it threw."""

    said_at = 0.0

    def exchange(self, data: bytes = b"") -> bytes:
        """As always; a pseudo-terminal hands it on at once."""
        said = super().exchange(data)
        if b'"roll"' in said:
            self.said_at = time.perf_counter()
        return said


class Arrivals:
    """When the dice of a roll were on each phone."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._at: dict[tuple[str, int], list[float]] = {}
        self._changed = threading.Condition()

    def heard(self, told: dict[str, Any], at: float) -> None:
        """A message on one of the phones; the dice are drawn in it."""
        if told.get("kind") != "roll" or "dice" not in told.get("pieces", {}):
            return
        with self._changed:
            self._at.setdefault((told["match"], told["version"]), []).append(at)
            self._changed.notify_all()

    def forget(self) -> None:
        """Before the next throw."""
        with self._changed:
            self._at.clear()

    def everywhere(self, patience: float) -> list[float]:
        """Those of a roll that everybody has; none when there is no such roll in this time."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._complete()), patience)
            return self._complete()

    def _complete(self) -> list[float]:
        return next((at for at in self._at.values() if len(at) >= self._count), [])


def report(count: int, phones: int) -> str:
    """Measure so many throws and return the line of the report."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        roller = TimedRoller()
        port = VirtualPort(roller)
        port.plug(folder / "roller")
        try:
            with served(folder, streams=max(phones, 1), roller_port=folder / "roller") as box:
                times = list(measured(box, roller, count, phones))
        finally:
            port.unplug()
    middle = [each[len(each) // 2] for each in times]
    last = [each[-1] for each in times]
    return (
        f"{len(times)} throws, {phones} phones connected, from the roller's line to the dice on a phone: "
        f"{spread(middle)}; to the last of them: {spread(last)}"
    )


def measured(box: BoxProcess, roller: TimedRoller, count: int, phones: int) -> Iterator[list[float]]:
    """For each roll the milliseconds to each phone, the first one first."""
    host, arrivals = the_host(box.port, box.pin), Arrivals(phones)
    opened = [Phone(box.port, arrivals.heard) for _ in range(phones)]
    for phone in opened:
        phone.start()
    while any(phone.state != "live" for phone in opened):
        time.sleep(0.02)
    for _ in range(count):
        at = _thrown(host, roller, arrivals)
        yield sorted(1000 * (moment - roller.said_at) for moment in at)
    for phone in opened:
        phone.stop()
    host.close()


def _thrown(host: Client, roller: TimedRoller, arrivals: Arrivals) -> list[float]:
    """Press until a roll counts: at first the service may not have told the roller yet what to throw."""
    for _ in range(_TRIES):
        # A scorekeeper's match waits for nothing but rolls, and then for nothing
        if host.get(_MATCH)[0] == 404 or not host.told(_MATCH)["dice"]:
            host.post("/api/v1/matches", {"game": "railroad-ink", "players": [""], "mode": "scorekeeper"})
        arrivals.forget()
        roller.press()
        if at := arrivals.everywhere(_ROLL_WITHIN):
            return at
    raise RuntimeError(f"the button was pressed {_TRIES} times and no roll was on every phone")
