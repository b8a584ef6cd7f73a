"""A thread of the service that looks after something every so often, until the service stops."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod


class Periodic(ABC):
    """Looks every so many seconds; once the box is stopping, it does what is left to do and ends."""

    def __init__(self, name: str, seconds: float, stopping: threading.Event) -> None:
        self._seconds = seconds
        self._stopping = stopping
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended, with what it does last."""
        self._thread.join()

    @abstractmethod
    def look(self) -> object:
        """Do one round of the periodic work."""

    def finish(self) -> object:
        """What is left to do when the box stops: nothing, as a rule."""
        return None

    def _run(self) -> None:
        while not self._stopping.wait(self._seconds):
            self.look()
        self.finish()
