"""The stand-by hands back: whatever went wrong at a real port, its roller is back within three seconds.

The link is run step by step in made-up time, over wires in memory with the simulator behind them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from firmware_bridge.asks import Ask, Event
from firmware_bridge.conversation import Conversation
from firmware_bridge.dice import checked_dice
from firmware_bridge.exc import PortBroken, PortBusy, PortMissing
from firmware_bridge.ledger import Ledger
from firmware_bridge.link import Link
from firmware_bridge.ports import Port
from firmware_bridge.simulator import VirtualRoller

STEP = 0.02
PROMISED = 3.0
REAL, STANDBY = "/dev/ttyACM0", "/dev/pts/9"


class MemoryWire:
    """A port in memory; there is always something to look at, so nobody waits for it."""

    def __init__(self, cable: Cable) -> None:
        self.cable = cable
        self.is_open = True
        self._ready, self._end = os.pipe()
        os.write(self._end, b"!")

    def fileno(self) -> int:
        return self._ready

    def read(self) -> bytes:
        if not self.cable.plugged:
            raise PortBroken(self.cable.name, OSError("unplugged"))
        return self.cable.say(b"")

    def write(self, data: bytes) -> None:
        if not self.cable.plugged:
            raise PortBroken(self.cable.name, OSError("unplugged"))
        self.cable.heard(data)

    def close(self) -> None:
        assert self.is_open, "closed twice"
        self.is_open = False
        self.cable.wire = None
        os.close(self._ready)
        os.close(self._end)


class Cable:
    """A port's name with a virtual roller at its other end, and what can be wrong with it."""

    def __init__(self, name: str, uid: str, clock: Callable[[], float]) -> None:
        self.name = name
        self.roller = VirtualRoller(uid=uid, seed=3, clock=clock)
        self.plugged = True
        self.busy = False
        self.noise = False
        self.deaf = False
        self.opened = 0
        self.wire: MemoryWire | None = None
        self._to_host = b""

    def open(self) -> MemoryWire:
        if not self.plugged:
            raise PortMissing(self.name)
        if self.busy:
            raise PortBusy(self.name)
        assert self.wire is None, f"{self.name} is opened twice"
        self.opened += 1
        self.wire = MemoryWire(self)
        return self.wire

    def heard(self, data: bytes) -> None:
        if not self.deaf:
            self._to_host += self.roller.exchange(data)

    def say(self, data: bytes) -> bytes:
        if self.noise:
            self.heard(data)
            self._to_host = b""
            return b"\x8f~garbage\n"
        self.heard(data)
        said, self._to_host = self._to_host, b""
        return said


class Bench:
    """A link as `serve` has it: with a virtual roller that stands by."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.real = Cable(REAL, "cafe", lambda: self.now)
        self.standby = Cable(STANDBY, "5eed", lambda: self.now)
        self.others: list[Cable] = []
        self.events: list[Event] = []
        self.link = Link(
            Conversation(Ledger()), self._ports, self.events.append, opener=self._open, clock=lambda: self.now
        )

    def _cables(self) -> list[Cable]:
        return [*self.others, self.real, self.standby]

    def _ports(self) -> list[Port]:
        return [
            Port(cable.name, score=-1 if cable is self.standby else 2, standby=cable is self.standby)
            for cable in self._cables()
            if cable.plugged
        ]

    def _open(self, name: str) -> MemoryWire:
        return next(cable for cable in self._cables() if cable.name == name).open()

    def run(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            self.now += STEP
            self.link.step()

    @property
    def uid(self) -> str:
        roller = self.link.conversation.roller
        return roller.uid if roller else ""

    def seconds_until(self, uid: str, patience: float = 60.0) -> float:
        began = self.now
        while self.uid != uid:
            assert self.now - began < patience, f"{uid} is not at the table after {patience} s"
            self.run(STEP)
        return self.now - began


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.link.stop()
    assert all(cable.wire is None for cable in (bench.real, bench.standby, *bench.others))


def silent_for_four_seconds(bench: Bench) -> None:
    bench.seconds_until("cafe")
    bench.real.roller.stall(4)
    bench.run(4)


def busy_when_plugged_in(bench: Bench) -> None:
    bench.real.plugged = False
    bench.run(5)
    bench.real.plugged = bench.real.busy = True
    bench.run(3)
    bench.real.busy = False


def busy_for_a_minute(bench: Bench) -> None:
    bench.real.busy = True
    bench.run(60)
    bench.real.busy = False


def slow_to_start(bench: Bench) -> None:
    bench.real.deaf = True
    bench.run(4)
    bench.real.deaf = False


def an_hour_without_an_answer(bench: Bench) -> None:
    bench.real.deaf = True
    bench.run(400)
    bench.real.deaf = False


def twelve_seconds_of_noise(bench: Bench) -> None:
    bench.seconds_until("cafe")
    bench.real.noise = True
    bench.run(12)
    bench.real.noise = False


def pulled_and_plugged_after_trouble(bench: Bench) -> None:
    silent_for_four_seconds(bench)
    bench.real.plugged = False
    bench.run(7)
    assert bench.uid == "5eed"
    bench.real.plugged = True


TROUBLES = [
    silent_for_four_seconds,
    busy_when_plugged_in,
    busy_for_a_minute,
    slow_to_start,
    an_hour_without_an_answer,
    twelve_seconds_of_noise,
    pulled_and_plugged_after_trouble,
]


@pytest.mark.parametrize("trouble", TROUBLES)
def test_the_standby_hands_back_within_three_seconds(bench: Bench, trouble: Callable[[Bench], None]) -> None:
    trouble(bench)
    assert bench.seconds_until("cafe") <= PROMISED
    assert bench.link.sentence == "The dice roller is connected."
    assert bench.standby.wire is None


@pytest.mark.parametrize("step", range(12))
def test_at_whatever_moment_it_comes_back(bench: Bench, step: int) -> None:
    bench.real.deaf = True
    bench.run(30 + step * 0.41)
    bench.real.deaf = False
    assert bench.seconds_until("cafe") <= PROMISED


def test_the_standby_serves_without_a_break_while_another_device_stays_plugged_in(bench: Bench) -> None:
    """A USB device that is no roller is greeted beside it; nobody's dice stop for that."""
    bench.real.deaf = True
    bench.seconds_until("5eed")
    for _ in range(600):
        bench.run(0.1)
        assert bench.uid == "5eed"
    assert bench.standby.opened == 1
    assert "does not answer as a dice roller" in bench.link.trouble


def test_several_other_devices_do_not_make_the_roller_wait(bench: Bench) -> None:
    bench.others = [Cable(f"/dev/ttyUSB{k}", "dead", lambda: bench.now) for k in range(3)]
    for other in bench.others:
        other.deaf = True
    silent_for_four_seconds(bench)
    assert bench.seconds_until("cafe") <= PROMISED


def test_a_real_roller_that_answers_while_the_standby_is_asked_is_waited_for_asleep(bench: Bench) -> None:
    """It has the table as soon as the answer is there; until then nobody looks at it over and over."""
    bench.real.plugged = False
    bench.run(5)
    assert bench.uid == "5eed"
    bench.standby.deaf = bench.real.plugged = True
    bench.link.submit(Ask("1", bench.now + 60, checked_dice([("d6", 6)])))
    bench.run(0.6)
    waits = []
    while bench.uid == "5eed":
        waits.append(bench.link.seconds_to_wait())
        bench.run(STEP)
    assert waits.count(0) < 20, "it would spin"
    assert bench.seconds_until("cafe") <= PROMISED
