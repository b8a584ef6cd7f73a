"""A thread of the service that looks after something every so often, until the service stops."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod


class Periodic(ABC):
    """A thread that calls :meth:`look` periodically, and :meth:`finish` once when the box stops.

    ``between``: seconds between two rounds.
    """

    def __init__(self, name: str, seconds: float, stopping: threading.Event) -> None:
        self.between = seconds
        self._stopping = stopping
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread's periodic work."""
        self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended, with what it does last."""
        self._thread.join()

    @abstractmethod
    def look(self) -> object:
        """Do one round of the periodic work."""

    def finish(self) -> object:
        """Do what is left to do when the box stops; by default nothing."""
        return None

    def _run(self) -> None:
        while not self._stopping.wait(self.between):
            self.look()
        self.finish()
