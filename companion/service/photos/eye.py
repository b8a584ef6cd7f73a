"""The camera and the reader of photographs, in a process of their own.

Pictures come from strangers' phones and go through decoders written in C. Whatever a picture does there, and
however long it takes, the table, its dice and its pages go on: the process is confined, watched, and started
again when it dies. :meth:`Eye.call` has a function called there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

from companion.core.messages import m
from companion.core.spawned import SpawnedProcess
from companion.service.photos.plain import LARGEST, StrangeAnswerError, promised, unpacked
from companion.service.photos.turns import Turns
from companion.table.exc import TableError

if TYPE_CHECKING:
    from companion.service.photos.worker import Worker

PATIENCE = 30.0  # seconds; the first picture also waits for the reader to be loaded
Given = TypeVarTuple("Given")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Call:
    """A function of a module for the reader's process; the worker there is its first argument."""

    function: Callable[..., Any]
    given: tuple[Any, ...]


@dataclass(frozen=True)
class LampRequest:
    """What the reader's process asks for while it takes a picture: light from there; neither: as before."""

    left: bool
    right: bool


@dataclass(frozen=True)
class Failed:
    """A call's error: a message for people."""

    code: str
    message: str


# Every answer begins with what it is: one of these, or what the called function promises.
ANSWER, FAILED, LAMPS = b"a", b"f", b"l"


class Eye:
    """The reader's process, which does one call at a time."""

    def __init__(self, patience: float | None = None, taught: Path | None = None) -> None:
        self._taught = taught  # the one folder of the table's in which it writes
        self._patience = PATIENCE if patience is None else patience
        self._lock = threading.Lock()
        self._turns = Turns()
        self._process = SpawnedProcess("eye")
        self._first = ""
        self.light: Callable[[LampRequest], None] = lambda _: None  # lights the table for a picture

    def start(self, game: str = "") -> None:
        """Load a game's reader now, so that its first photograph need not wait; others load when asked."""
        with self._lock:
            self._first = game
            self._started()

    def stop(self) -> None:
        """End the process and release its resources; may be called more than once."""
        with self._lock:
            self._process.end()

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
                answer = self._answer(pipe, promised(function))
            except (EOFError, OSError, StrangeAnswerError) as problem:
                self._process.end()
                slow = isinstance(problem, TimeoutError)
                message = m("that took too long") if slow else m("the reader failed at that picture")
                raise TableError("bad-photo", m("{message}: take another one", message=message)) from problem
        if isinstance(answer, Failed):
            raise TableError(answer.code, answer.message)
        made: Answer = answer
        return made

    def _answer(self, pipe: Connection[Any, Any], kind: Any) -> Any:
        """Wait for a call's result, which is plain data, switching lamps meanwhile as it asks."""
        until = monotonic() + self._patience
        lit = False
        try:
            while True:
                if not pipe.poll(max(0.0, until - monotonic())):
                    raise TimeoutError
                told = pipe.recv_bytes(LARGEST)
                if told[:1] != LAMPS:
                    return unpacked(told[1:], kind if told[:1] == ANSWER else Failed)
                lit = True
                self.light(unpacked(told[1:], LampRequest))
                pipe.send(None)  # it is lit
        finally:
            if lit:
                self.light(LampRequest(False, False))

    def _started(self) -> Connection[Call, Any]:
        from companion.service.photos.eye_process import work

        return self._process.pipe or self._process.start(work, self._first, self._taught)
