"""A host and players without faces: matches that go on while something is measured."""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any

from lab.box.phones import Client

SHAPES = ("circle", "square", "triangle", "diamond")
COLOURS = ("red", "blue", "green", "yellow")
_BOX_IS_AWAY = 0.5  # seconds between tries


def the_host(port: int, pin: str) -> Client:
    """A browser that has entered the PIN."""
    host = Client(port)
    host.post("/api/v1/host", {"pin": pin})
    return host


def seat(port: int, code: str, number: int) -> Client:
    """A browser at a free seat."""
    client = Client(port)
    place = {
        "seat": number,
        "name": f"Bot {number}",
        "colour": COLOURS[number - 1],
        "shape": SHAPES[number - 1],
    }
    client.post("/api/v1/seats", {"code": code, **place})
    return client


@dataclass
class Players:
    """Four of them play match after match, one action a pause."""

    port: int
    pin: str
    pause: float = 0.7
    matches: int = 0
    actions: int = 0
    seats: list[Client] = field(default_factory=list)
    _ended: threading.Event = field(default_factory=threading.Event)
    _acted: threading.Condition = field(default_factory=threading.Condition)

    def start(self) -> None:
        """Let them play until :meth:`stop`."""
        self.host = the_host(self.port, self.pin)
        self._begin()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop playing, wait for the thread, and close all connections."""
        self._ended.set()
        self._thread.join()
        for client in (self.host, *self.seats):
            client.close()

    def play_until(self, actions: int) -> None:
        """Wait until so many actions have been done, then stop."""
        with self._acted:
            self._acted.wait_for(lambda: self.actions >= actions)
        self.stop()

    def _begin(self) -> None:
        for left in self.seats:
            left.close()
        begun = self.host.post("/api/v1/matches", {"game": "railroad-ink", "players": [""] * 4})
        self.seats = [seat(self.port, begun["join_code"], number) for number in range(1, 5)]
        self.matches += 1

    def _run(self) -> None:
        while not self._ended.wait(self.pause):
            try:
                self._act()
            except (HTTPException, OSError):  # the box is being started again
                self._ended.wait(_BOX_IS_AWAY)

    def _act(self) -> None:
        state = self.host.told("/api/v1/matches/current")
        if state["finished"]:
            self._begin()
            return
        if state["dice"]:
            self.seats[0].post("/api/v1/matches/current/roll")
            self._count()
            return
        for client in random.sample(self.seats, len(self.seats)):
            action = _choice(client.told("/api/v1/matches/current/legal"))
            if action is not None:
                client.post("/api/v1/matches/current/actions", action)
                self._count()
                return

    def _count(self) -> None:
        with self._acted:
            self.actions += 1
            self._acted.notify_all()


def _choice(legal: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Dice first, anywhere; then done."""
    drawn = [one for one in legal if one["kind"] == "draw" and one["data"]["from"] == "die"]
    done = [one for one in legal if one["kind"] == "done"]
    chosen = drawn or done
    return {key: value for key, value in random.choice(chosen).items() if key != "seat"} if chosen else None
