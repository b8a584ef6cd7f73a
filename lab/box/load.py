"""Many phones for some minutes while matches go on, and the box is started again in the middle."""

from __future__ import annotations

import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from statistics import median

from lab.bench import at_share
from lab.box.boxes import BoxProcess, served
from lab.box.phones import Client, Phone
from lab.box.players import Players

_PROBE_EVERY = 0.1  # seconds
_WEIGH_EVERY = 2.0
_RECOVER_WITHIN = 60.0


@dataclass
class Prober:
    """Asks for the state of the match again and again, and notes how long each answer takes."""

    port: int
    times: list[float] = field(default_factory=list)  # milliseconds
    failures: int = 0
    _ended: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        """Start sending requests in a thread of its own."""
        self._client = Client(self.port)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop sending and wait for the thread."""
        self._ended.set()
        self._thread.join()
        self._client.close()

    def _run(self) -> None:
        while not self._ended.wait(_PROBE_EVERY):
            began = time.perf_counter()
            try:
                self._client.get("/api/v1/matches/current")
            except (HTTPException, OSError):
                self.failures += 1
                continue
            self.times.append(1000 * (time.perf_counter() - began))


def report(minutes: float, count: int) -> Iterator[str]:
    """Every figure in one line."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), streams=count) as box:
        players = Players(box.port, box.pin)
        players.start()
        phones = [Phone(box.port) for _ in range(count)]
        for phone in phones:
            phone.start()
        _wait_until(lambda: all(phone.state == "live" for phone in phones), _RECOVER_WITHIN)
        phones.append(Phone(box.port))  # one more than there are streams
        phones[-1].start()
        try:
            yield from _measured(box, phones, 60 * minutes)
        finally:
            players.stop()
            for phone in phones:
                phone.stop()
    yield f"meanwhile: {players.matches} matches begun, {players.actions} actions"


def _measured(box: BoxProcess, phones: list[Phone], seconds: float) -> Iterator[str]:
    prober = Prober(box.port)
    prober.start()
    first, last = _weighed(box, seconds / 2)
    yield f"memory of the service in the first half: {first:.1f} MB, at its end {last:.1f} MB"
    yield f"before the restart: {_states(phones)}"
    yield _restarted(box, phones)
    first, last = _weighed(box, seconds / 2)
    yield f"memory of the service in the second half: {first:.1f} MB, at its end {last:.1f} MB"
    prober.stop()
    yield _answered(prober, len(phones))
    settled = _wait_until(lambda: len({phone.version for phone in phones}) == 1, 10)
    same = "all show the same version" if settled is not None else "they do not show the same version"
    yield f"at the end: {_states(phones)}; {same}"


def _states(phones: list[Phone]) -> str:
    """How many have a stream, how many poll, how many have neither."""
    counts = Counter(phone.state for phone in phones)
    return f"{counts['live']} phones live, {counts['polling']} polling, {counts['away']} without the box"


def _answered(prober: Prober, count: int) -> str:
    ordered = sorted(prober.times)
    at = [at_share(ordered, share) for share in (0.95, 0.99)]
    return (
        f"/state with {count} phones, {len(ordered)} answers: median {median(ordered):.1f} ms, "
        f"95 % under {at[0]:.1f} ms, 99 % under {at[1]:.1f} ms, slowest {ordered[-1]:.1f} ms; "
        f"{prober.failures} unanswered while the box was away"
    )


def _weighed(box: BoxProcess, seconds: float) -> tuple[float, float]:
    """The service's resident megabytes after a tenth of the time, and in the end."""
    weights: list[float] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(min(_WEIGH_EVERY, seconds / 10))
        weights.append(next(iter(box.resident().values())))
    return weights[len(weights) // 10], weights[-1]


def _restarted(box: BoxProcess, phones: list[Phone]) -> str:
    before = [phone.answers for phone in phones]
    box.stop()
    stopped = time.monotonic()
    box.start()
    ready = time.monotonic() - stopped
    back = _wait_until(lambda: _count_back(phones, before) == len(phones), _RECOVER_WITHIN)
    found = f"all {len(phones)}" if back is not None else f"only {_count_back(phones, before)}"
    took = time.monotonic() - stopped - ready
    return f"started again after {ready:.1f} s; {found} phones found it {took:.1f} s later: {_states(phones)}"


def _count_back(phones: list[Phone], before: list[int]) -> int:
    """Those that were given a stream since then, or told that there is none."""
    return sum(phone.answers > count for phone, count in zip(phones, before, strict=True))


def _wait_until(true: Callable[[], bool], seconds: float) -> float | None:
    """How long it took until something was so; None when it was not within this time."""
    began = time.monotonic()
    while not true():
        if time.monotonic() - began > seconds:
            return None
        time.sleep(0.02)
    return time.monotonic() - began
