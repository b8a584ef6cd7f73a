"""An application on the box's own server, at a port of this machine, for as long as a test wants it."""

from __future__ import annotations

import socket
import threading

from flask import Flask

from web.server import CONNECTIONS, FairServer, made_server


class Serving:
    """Serves at once, in a thread of its own."""

    def __init__(
        self, app: Flask, port: int = 0, *, threads: int = 12, connections: int = CONNECTIONS
    ) -> None:
        listening = socket.create_server(("127.0.0.1", port))
        self.port: int = listening.getsockname()[1]
        self.server: FairServer = made_server(
            app,
            listening,
            threads=threads,
            largest_body=app.config["MAX_CONTENT_LENGTH"],
            connections=connections,
        )
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="serving")
        self._thread.start()

    @property
    def link(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        """Like a box that is switched off: every connection ends, and every answer that was on its way.

        Threads that answer wake the server's loop when they are done. What they write to for that is given
        back after the last of them: its number may belong to any file by then.
        """
        self._ended.set()
        self.server.pull_trigger()
        self._thread.join()
        self.server.task_dispatcher.shutdown()
        self.server.close()

    def _run(self) -> None:
        while not self._ended.is_set():
            self.server.asyncore.loop(map=self.server._map, use_poll=True, count=1)
        for channel in list(self.server.active_channels.values()):
            channel.handle_close()
