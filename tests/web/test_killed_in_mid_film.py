"""A box as a process, over whose table a phone films: killed, its reader killed, the camera blinded or gone.

Nothing is lost, one sentence says what is wrong, and all goes on by itself.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.chance import SeededChance
from companion.game.base import Fact, MatchRequest, NoChance, Refusal
from companion.game.registry import GAMES
from lab.railroad_ink.film import FilmedRailroadInk
from tests.companion.service.test_service import served
from vision.register.rectify import Image

pytestmark = pytest.mark.slow
GAME = GAMES["railroad-ink"]
SEED = 500_000
BETWEEN = 0.55  # seconds between two pictures, as a phone sends them
PATIENCE = 120.0  # seconds until something must have happened


class Phone:
    """The host's phone on its stand, over a table of two people who draw."""

    def __init__(self, port: int) -> None:
        self.link = f"http://127.0.0.1:{port}/api/v1"
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        self._sent_at = 0.0
        self.match = ""

    def ask(self, path: str, body: object = None) -> Any:
        sent = None if body is None else json.dumps(body).encode()
        return self._asked(path, sent, "application/json")

    def _asked(self, path: str, sent: bytes | None, kind: str) -> Any:
        request = urllib.request.Request(self.link + path, sent, {"Content-Type": kind})
        with self._opener.open(request, timeout=30) as answer:
            return json.load(answer)

    def send(self, picture: Image) -> None:
        """Send a picture, no sooner than a phone does."""
        data = bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1])
        time.sleep(max(0.0, self._sent_at + BETWEEN - time.monotonic()))
        self._sent_at = time.monotonic()
        self._asked("/host/camera/pictures?sender=stand-phone", data, "image/jpeg")

    def told(self) -> tuple[str, dict[int, str]]:
        """What is wrong, and how every seat's board stands."""
        watch = self.ask(f"/matches/{self.match}/watch")
        return watch["trouble"], {one["seat"]: one["state"] for one in watch["seats"]}

    def until(self, happened: Callable[[], bool], show: Callable[[], Image] | None) -> None:
        """Go on, with pictures or without, until something has happened."""
        begun = time.monotonic()
        while not happened():
            assert time.monotonic() < begun + PATIENCE, self.told()
            if show is None:
                time.sleep(BETWEEN)
            else:
                self.send(show())


def kill_readers(process: int) -> int:
    """Kill -9 every process that a service has spawned; how many there were."""
    killed = 0
    for found in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(found.read_text().rsplit(")", 1)[1].split()[1])
            spawned = b"spawn_main" in (found.parent / "cmdline").read_bytes()
        except OSError:  # it has ended meanwhile
            continue
        if parent == process and spawned:
            os.kill(int(found.parent.name), signal.SIGKILL)
            killed += 1
    return killed


def test_nothing_is_lost_whatever_happens_to_box_and_camera(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    phone, filmed = Phone(port), FilmedRailroadInk("calm", SEED, seats=2)
    with served(tmp_path, "--port", str(port)) as (process, _):
        phone.ask("/setup", {"pin": "481206", "name": "The attic"})
        phone.ask("/host/settings", {"settings": {"camera": {"name": "phone", "watch": True}}})
        options = {"goals": "none"}  # so that nothing is left to chance
        asked = {"game": filmed.game, "players": ["Anna", "Ben"], "options": options}
        phone.match = phone.ask("/matches", asked)["match"]
        setup = GAME.setup(MatchRequest(2, "umpire", options), SeededChance(1))
        assert not isinstance(setup, Refusal)
        state: Any = GAME.start(setup)
        filmed.lay_out(state)
        rolled = filmed.before(state)
        assert rolled is not None
        phone.ask(f"/matches/{phone.match}/actions", {"kind": "roll", "data": rolled.data, "as_host": True})
        fact = GAME.decide(state, rolled, NoChance())
        assert isinstance(fact, Fact)
        filmed.begin(GAME.apply(state, fact))
        film = filmed.film

        def next_frame() -> Image:
            for _ in range(2):  # two thirds of a second, about as much as passes
                frame = film.next()
            return frame.whole()

        first = min(film.last_line(1), film.last_line(2))
        phone.until(lambda: film.at > first / 2, next_frame)
        assert kill_readers(process.pid) > 0
        phone.until(lambda: "done" in phone.told()[1].values(), next_frame)
        process.kill()
    events = None
    with served(tmp_path, "--port", str(port)):
        phone.until(lambda: phone.told()[1] == {1: "done", 2: "done"}, next_frame)
        events = phone.ask(f"/matches/{phone.match}/events")
        still = film.next().whole()
        grey = np.full_like(still, 128)
        texture = np.random.default_rng(1).integers(40, 200, (60, 80, 3), np.uint8)
        elsewhere = cv2.resize(texture, still.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        for picture, says in (
            ((still // 16), "too dark over the table"),
            (grey, "right before the camera"),
            (np.asarray(elsewhere, np.uint8), "sees no board"),
            (None, "gives no picture"),
        ):
            show = None if picture is None else (lambda one=picture: one)
            phone.until(lambda says=says: says in phone.told()[0], show)  # type: ignore[misc]
            phone.until(lambda: phone.told() == ("", {1: "done", 2: "done"}), lambda: still)
        assert phone.ask(f"/matches/{phone.match}/events") == events
