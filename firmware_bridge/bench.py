"""Measures what the bridge promises; `python -m firmware_bridge.bench` does all of it and takes some minutes.

python -m firmware_bridge.bench latency            request to answer over a pseudo-terminal
python -m firmware_bridge.bench garble --rolls N   so many rolls with 5 % of all bytes garbled
python -m firmware_bridge.bench mixed              the same with duplicates, reordering and restarts
python -m firmware_bridge.bench unplug --times N   unplug in mid-roll, plug in under another name
python -m firmware_bridge.bench fuzz --lines N     random and mutated lines
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import threading
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.asks import Answered, RollHeard
from firmware_bridge.conversation import Conversation
from firmware_bridge.dice import AnyDie, Roll
from firmware_bridge.ledger import Ledger
from firmware_bridge.ports import ports_like, with_standby
from firmware_bridge.protocol import (
    PROTOCOL,
    Beat,
    Hello,
    HelloAnswer,
    Kept,
    Nak,
    Ok,
    Refusal,
    RollMessage,
    State,
    encode,
    parse_from_host,
)
from firmware_bridge.roller import DiceRoller, RollerState
from firmware_bridge.simulator import VirtualPort, VirtualRoller

FOUR: list[AnyDie] = [("A", 6), ("B", 6), ("C", 6), ("D", 6)]
PATIENCE = 120.0
REAL, STANDBY = "cafe00d1ce", "feed00d1ce"


@dataclass(frozen=True)
class Latency:
    """Milliseconds from asking for four dice to having them."""

    median: float
    p99: float
    worst: float


def latency(rolls: int = 2000) -> Latency:
    """Ask again and again over a pseudo-terminal."""
    heard: list[Roll] = []
    with VirtualPort() as port:
        roller = DiceRoller(ports_like(port.name))
        roller.start(heard.append)
        roller.roll(FOUR)
        times = sorted(_milliseconds(lambda: roller.roll(FOUR)) for _ in range(rolls))
        roller.stop()
    return Latency(statistics.median(times), times[int(rolls * 0.99)], times[-1])


def _milliseconds(do: Callable[[], object]) -> float:
    began = time.perf_counter()
    do()
    return 1000 * (time.perf_counter() - began)


@dataclass(frozen=True)
class BadWire:
    """What became of rolls asked for over a bad wire."""

    asked: int
    distinct: int
    in_order: bool
    dropped_lines: int
    retries: int
    restarts: int
    seconds: float


def garbled(
    rolls: int = 2000, share: float = 0.05, *, mixed: bool = False, seed: int = 1, dice: int = 1
) -> BadWire:
    """Ask for rolls while a share of all bytes is garbled, both ways, perhaps with other faults."""
    heard: list[Roll] = []
    with VirtualPort(VirtualRoller(seed=seed)) as port:
        roller = DiceRoller(ports_like(port.name))
        roller.start(heard.append)
        roller.roll(FOUR[:dice], "first")
        faults, began = port.roller.faults, time.perf_counter()
        faults.garble = share
        if mixed:
            faults.duplicate = faults.reorder = faults.drop = 0.05
        for k in range(rolls):
            future = roller.request(FOUR[:dice], f"{k}", seconds=PATIENCE)
            if mixed and k % 50 == 25:
                port.roller.reboot()
            future.result()
        seconds, health = time.perf_counter() - began, roller.health()
        roller.stop()
    asked = [roll.request_id for roll in heard[1:]]
    return BadWire(
        asked=rolls,
        distinct=len({roll.key for roll in heard[1:]}),
        in_order=asked == [f"{k}" for k in range(rolls)],
        dropped_lines=sum(health.dropped_lines.values()) + health.lines_the_roller_dropped,
        retries=health.counters["retries"],
        restarts=health.counters["restarts"],
        seconds=seconds,
    )


@dataclass(frozen=True)
class Unplugged:
    """What became of rolls whose cable was pulled."""

    times: int
    before_the_answer: int  # how often the cable was pulled while the answer was still to come
    with_power: int  # how often the roller lost its power and memory too
    rolls_heard: int
    distinct: int
    lost: int
    slowest_notice: float
    slowest_recovery: float


class Watch:
    """Waits for the table to notice which roller it has: the real one, or the one that stands by."""

    def __init__(self) -> None:
        self.rolls: list[Roll] = []
        self._uid = ""
        self._news = threading.Condition()

    def state(self, state: RollerState) -> None:
        """A listener for the roller."""
        with self._news:
            self._uid = state.uid
            self._news.notify_all()

    def seconds_until(self, uid: str, wanted: bool = True) -> float:
        """How long it took until this roller was at the table, or no longer was."""
        began = time.perf_counter()
        with self._news:
            if not self._news.wait_for(lambda: (self._uid == uid) == wanted, 30):
                raise AssertionError(f"the roller {uid} at the table: not {wanted} within 30 seconds")
        return time.perf_counter() - began


def unplugged(times: int = 200, seed: int = 1) -> Unplugged:
    """Pull the cable at a random moment of a roll and plug it in under another name, over and over.

    As at a table, a virtual roller stands by: it answers what the other could not, and hands back.
    """
    chance, watch = random.Random(seed), Watch()
    notices, recoveries, unanswered = [], [], 0
    with tempfile.TemporaryDirectory() as folder, VirtualPort(VirtualRoller(uid=STANDBY)) as standby:
        port = VirtualPort(VirtualRoller(uid=REAL, seed=seed))
        port.plug(Path(folder) / "tty0")
        roller = DiceRoller(with_standby(ports_like(f"{folder}/tty*"), standby.name))
        roller.start(watch.rolls.append, watch.state)
        watch.seconds_until(REAL)
        for k in range(times):
            future = roller.request(FOUR, f"{k}", seconds=PATIENCE)
            time.sleep(chance.uniform(0, 0.0002))  # an undisturbed roll takes about as long
            port.unplug()
            unanswered += not future.done()
            if k % 2:
                port.roller.reboot()
            notices.append(watch.seconds_until(REAL, wanted=False))
            port.plug(Path(folder) / f"tty{k + 1}")
            recoveries.append(watch.seconds_until(REAL))
            future.result(PATIENCE)
        roller.stop()
        port.unplug()
    return Unplugged(
        times=times,
        before_the_answer=unanswered,
        with_power=times // 2,
        rolls_heard=len(watch.rolls),
        distinct=len({roll.key for roll in watch.rolls}),
        lost=len({f"{k}" for k in range(times)} - {roll.request_id for roll in watch.rolls}),
        slowest_notice=max(notices),
        slowest_recovery=max(recoveries),
    )


@dataclass(frozen=True)
class Fuzzed:
    """What became of random lines."""

    lines: int
    dropped: int
    rolls: int
    most_kept_bytes: int
    memory_growth_kb: float
    seconds: float


def fuzz(lines: int = 1_000_000, seed: int = 1) -> Fuzzed:
    """Feed random lines, half of them mutated valid ones, to a connected conversation."""
    chance = random.Random(seed)
    target, began = FuzzTarget(), time.perf_counter()
    for line in range(lines):
        target.hear(mutated_line(chance) if line % 2 else random_line(chance))
        if line == lines // 10:
            target.start_measuring_memory()
    growth = target.memory_growth_kb()
    seconds = time.perf_counter() - began
    return Fuzzed(
        lines, target.talk.reader.drops.total, target.rolls, target.most_kept_bytes, growth, seconds
    )


class FuzzTarget:
    """A conversation in the middle of an evening."""

    def __init__(self) -> None:
        self.talk = Conversation(Ledger())
        self.rolls = self.most_kept_bytes = self._lines = 0
        self._memory = 0
        self.talk.opened("fuzz", 0.0)
        self.talk.tick(0.0)
        hello = parse_from_host(self.talk.take_outgoing().rstrip())
        assert isinstance(hello, Hello)
        answer = HelloAnswer(hello.nonce, PROTOCOL, "feed00d1ce", "9f3c2a11", "1.0.0")
        self.talk.receive(encode(answer), 0.0)
        assert self.talk.roller

    def hear(self, line: bytes) -> None:
        """Receive one line, 0.1 ms after the last one, and now and then a true heartbeat."""
        self._lines += 1
        now = self._lines / 10_000
        self.talk.receive(line[: len(line) // 2], now)
        self.most_kept_bytes = max(self.most_kept_bytes, self.talk.reader.kept_bytes)
        self.talk.receive(line[len(line) // 2 :], now)
        if self._lines % 10_000 == 0:
            self.talk.receive(encode(Beat("9f3c2a11", 0)), now)
        self.talk.tick(now)
        self.talk.take_outgoing()
        self.rolls += sum(isinstance(event, RollHeard | Answered) for event in self.talk.take_events())
        assert self.talk.failure is None

    def start_measuring_memory(self) -> None:
        """Note the traced memory; from here on it may not grow."""
        tracemalloc.start()
        self._memory = tracemalloc.get_traced_memory()[0]

    def memory_growth_kb(self) -> float:
        """By how much the traced memory has grown since the measurement began, in kB."""
        growth = tracemalloc.get_traced_memory()[0] - self._memory
        tracemalloc.stop()
        return growth / 1024


TRUE_LINES = [
    encode(message)[:-1]
    for message in (
        RollMessage("9f3c2a11", 1, (("A", 6, 3), ("B", 6, 0)), id="r1"),
        RollMessage("9f3c2a11", 2, (("A", 6, 5),)),
        Beat("9f3c2a11", 7, up=1234),
        Kept("s1", "9f3c2a11", 1, 7),
        State("rolling", 7),
        Ok("d1"),
        Nak(),
        Refusal("set", "no", id="r1"),
    )
]

STILL_TRUE = {line.lower() for line in TRUE_LINES}  # capitals in the checksum do not make it wrong


def random_line(chance: random.Random) -> bytes:
    """Up to 700 bytes of anything but newlines, and one newline."""
    return chance.randbytes(int(700 * chance.random() ** 3)).replace(b"\n", b"\r") + b"\n"


def mutated_line(chance: random.Random) -> bytes:
    """A true line with bytes changed, cut out or put in, or two of them glued together."""
    line = bytearray(chance.choice(TRUE_LINES))
    while bytes(line).lower() in STILL_TRUE:
        at = chance.randrange(len(line))
        kind = chance.randrange(4)
        if kind == 0:
            line[at] = chance.randrange(11, 256)
        elif kind == 1:
            del line[at : at + chance.randint(1, 20)]
        elif kind == 2:
            line[at:at] = chance.randbytes(chance.randint(1, 5)).replace(b"\n", b"0")
        else:
            line[at:] = chance.choice(TRUE_LINES)[chance.randrange(10) :]
        line = line or bytearray(b"*")
    return bytes(line) + b"\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the measurements that were asked for and print their lines."""
    parser = argparse.ArgumentParser(prog="python -m firmware_bridge.bench", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("what", nargs="?", default="all", choices=["all", *MEASUREMENTS])
    parser.add_argument("--rolls", type=int, default=2000)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--lines", type=int, default=1_000_000)
    chosen = parser.parse_args(arguments)
    for name, measure in MEASUREMENTS.items():
        if chosen.what in ("all", name):
            sys.stdout.write(f"{name}: {measure(chosen)}\n")
            sys.stdout.flush()


MEASUREMENTS: dict[str, Callable[[argparse.Namespace], object]] = {
    "latency": lambda chosen: latency(chosen.rolls),
    "garble": lambda chosen: garbled(chosen.rolls),
    "mixed": lambda chosen: garbled(chosen.rolls, mixed=True),
    "unplug": lambda chosen: unplugged(chosen.times),
    "fuzz": lambda chosen: fuzz(chosen.lines),
}


if __name__ == "__main__":
    main()
