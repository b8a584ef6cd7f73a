"""A process of its own with a pipe to it, for work that may crash, hang or be taken over by what it reads."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any


class SpawnedProcess:
    """At most one process at a time. It is spawned: no threads, files or connections of this one go along."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._process: BaseProcess | None = None
        self._pipe: Connection[Any, Any] | None = None

    @property
    def pipe(self) -> Connection[Any, Any] | None:
        """The pipe to the process; None while there is none that lives."""
        return self._pipe if self._process is not None and self._process.is_alive() else None

    def start(self, work: Callable[..., None], *given: object) -> Connection[Any, Any]:
        """Start it, after the end of the one before, with its end of the pipe and what is ``given``."""
        self.end()
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs, *given), name=self._name, daemon=True)
        self._process.start()
        theirs.close()
        return self._pipe

    def end(self) -> None:
        """End the process and release its resources; may be called more than once."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._process = None
