"""The box, served for real on a port of this machine, and stopped and started at will."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from waitress.server import create_server

from companion.box.service import Service
from companion.games.registry import GAMES
from companion.table.chance import SeededChance
from companion.table.store import Store
from companion.table.table import Table
from web.app import WebSettings, create_app
from web.people import new_pin
from web.site import site_of


class Box:
    """A house and its server."""

    def __init__(self, folder: Path, streams: int = 20, *, demonstration: bool = False) -> None:
        self.folder = folder
        self.settings = WebSettings(streams=streams, demonstration=demonstration)
        self.port = 0
        self.start()
        self.pin = new_pin(self.house)

    @property
    def link(self) -> str:
        """Where it is served."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Serve, at the same port as before."""
        self.store = Store(self.folder)
        table = Table(self.store, GAMES, chance=SeededChance(11))
        listening = socket.create_server(("127.0.0.1", self.port))
        self.port = listening.getsockname()[1]
        self.house = Service(self.store, table, links=[f"{self.link}/"])
        self._stopping = threading.Event()
        self.app = create_app(self.house, self.settings, self._stopping)
        site_of(self.app).live.start()
        self._server: Any = create_server(
            self.app, sockets=[listening], threads=self.settings.streams + 8, channel_request_lookahead=1
        )
        self._thread = threading.Thread(target=self._server.run, name="box")
        self._thread.start()

    def stop(self) -> None:
        """Like a box that is switched off: every connection ends."""
        self._stopping.set()
        live = site_of(self.app).live
        live.join()
        while live.open:  # every stream ends by itself now
            self._thread.join(0.01)
        self._server.trigger.pull_trigger(self._end)
        self._thread.join()
        self._server.task_dispatcher.shutdown()
        self.house.eye.stop()
        self.store.close()

    def _end(self) -> None:
        """In the server's own thread: close every connection, and with the last one its loop ends."""
        for channel in list(self._server._map.values()):
            channel.close()


@contextmanager
def served_box(folder: Path, *, demonstration: bool = False) -> Iterator[Box]:
    """A box for a test."""
    box = Box(folder, demonstration=demonstration)
    try:
        yield box
    finally:
        box.stop()
