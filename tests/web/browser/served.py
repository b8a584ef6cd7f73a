"""The box, served for real on a port of this machine, and stopped and started at will."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.game.registry import GAMES
from companion.service.service import Service
from companion.table.chance import SeededChance
from companion.table.store import Store
from companion.table.table import Table
from tests.serving import Serving
from web.access.people import new_pin
from web.app import WebSettings, create_app
from web.site import site_of


class Box:
    """A house and its server."""

    def __init__(self, folder: Path, streams: int = 20, *, demonstration: bool = False) -> None:
        self.folder = folder
        self.settings = WebSettings(streams=streams, demonstration=demonstration)
        self.port = 0
        self.start()
        self.pin = new_pin(self.house.store)

    @property
    def link(self) -> str:
        """Where it is served."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Serve, at the same port as before."""
        self.store = Store(self.folder)
        table = Table(self.store, GAMES, chance=SeededChance(11))
        self._stopping = threading.Event()
        self.house = Service(self.store, table)
        self.app = create_app(self.house, self.settings, self._stopping)
        self._serving = Serving(self.app, self.port, threads=self.settings.streams + 8)
        self.port = self._serving.port
        self.house.links = [f"{self.link}/"]
        site_of(self.app).live.start()

    def stop(self) -> None:
        """Like a box that is switched off: every connection ends."""
        live = site_of(self.app).live
        self._stopping.set()
        live.join()
        self._serving.stop()
        self.house.eye.stop()
        self.store.close()
        assert live.open == 0, "a stream has ended and keeps its place"


@contextmanager
def served_box(folder: Path, *, demonstration: bool = False) -> Iterator[Box]:
    """A box for a test."""
    box = Box(folder, demonstration=demonstration)
    try:
        yield box
    finally:
        box.stop()
