"""The reader of photographs, in a process of its own.

Pictures come from strangers' phones and go through decoders written in C. Whatever a picture does there, and
however long it takes, the table, its dice and its pages go on: the process is confined, watched, and started
again when it dies. :meth:`Eye.call` has a function called there. The box's camera is in another process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

from companion.core.messages import m
from companion.core.spawned import SpawnedProcess
from companion.service.photos.camera_process import (
    ANSWER,
    SHOT,
    CameraProcess,
    Failed,
    ShotRequest,
    shots_in,
)
from companion.service.photos.plain import LARGEST, StrangeAnswerError, promised, unpacked
from companion.service.photos.queries import Shot
from companion.service.photos.turns import Turns
from companion.table.exc import TableError

if TYPE_CHECKING:
    from companion.service.photos.worker import Worker

_HANDS_ON = 2.0  # seconds before the end in which the camera has failed, and the reader can still say so
PATIENCE = 30.0  # seconds; the first picture also waits for the reader to be loaded
Given = TypeVarTuple("Given")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Call:
    """A function of a module for the reader's process; the worker there is its first argument."""

    function: Callable[..., Any]
    given: tuple[Any, ...]


class Eye:
    """The reader's process, which does one call at a time."""

    def __init__(self, folder: Path | None = None, patience: float | None = None) -> None:
        self._folder = folder  # of the table
        self._patience = PATIENCE if patience is None else patience
        self._lock = threading.Lock()
        self._turns = Turns()
        self._process = SpawnedProcess("eye")
        self._first = ""
        self.camera = CameraProcess()

    def start(self, game: str = "") -> None:
        """Load a game's reader now, so that its first photograph need not wait; others load when asked."""
        with self._lock:
            self._first = game
            self._started()

    def stop(self) -> None:
        """End the process and release its resources; may be called more than once."""
        with self._lock:
            self._process.end()
            self.camera.stop()

    def call(
        self, function: Callable[[Worker, *Given], Answer], *given: *Given, plays: bool = True
    ) -> Answer:
        """Call a function of a module in the reader's process, with its worker and what is ``given``.

        A :class:`TableError` says what is wrong with a photograph. Those who play go before everybody else.
        """
        with self._turns.turn(plays=plays), self._lock:
            pipe = self._started()
            try:
                pipe.send(Call(function, given))
                answer = self._answer(pipe, promised(function), tuple(shots_in(given)))
            except (EOFError, OSError, StrangeAnswerError) as problem:
                self._process.end()
                slow = isinstance(problem, TimeoutError)
                message = m("that took too long") if slow else m("the reader failed at that picture")
                raise TableError("bad-photo", m("{message}: take another one", message=message)) from problem
        if isinstance(answer, Failed):
            raise TableError(answer.code, answer.message)
        made: Answer = answer
        return made

    def _answer(self, pipe: Connection[Any, Any], kind: Any, shots: Sequence[Shot]) -> Any:
        """Wait for a call's result, which is plain data, taking the pictures that it asks for meanwhile."""
        until = monotonic() + self._patience
        while True:
            if not pipe.poll(max(0.0, until - monotonic())):
                raise TimeoutError
            told = pipe.recv_bytes(LARGEST)
            if told[:1] != SHOT:
                return unpacked(told[1:], kind if told[:1] == ANSWER else Failed)
            request: ShotRequest = unpacked(told[1:], ShotRequest)
            if request.shot not in shots:
                raise StrangeAnswerError("a picture that nobody asked for")
            pipe.send_bytes(self.camera.take(request, until - _HANDS_ON))

    def _started(self) -> Connection[Call, Any]:
        from companion.service.photos.eye_process import work

        return self._process.pipe or self._process.start(work, self._first, self._folder)
