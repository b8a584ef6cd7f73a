"""A process for what foreign boxes told: games' code works on it there, where it can be stopped.

Plain JSON goes in and out; see :mod:`hub.foreign.confined_process` for the other end.
"""

from __future__ import annotations

import logging
import threading
import time
from multiprocessing.connection import Connection

import msgspec

from companion.core.jsontext import json_of
from companion.core.spawned import SpawnedProcess
from hub.foreign.drawing import Drawing, DrawingRequest, NotDrawnError
from hub.foreign.ruling import Ruling, RulingRequest

log = logging.getLogger(__name__)

SECONDS = 5.0  # for one position or match, on a busy machine
LARGEST = 4_000_000  # bytes of an answer
_STARTS_WITHIN = 60.0  # seconds, for the process to load all games
_IDLE = 300.0  # seconds


class Confined:
    """The process; it is started when it is first asked, and again after what it could not do."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._stopped = False
        self._used = 0.0
        self._process = SpawnedProcess("confined")

    def draw(self, request: DrawingRequest) -> Drawing:
        """Draw a position; a :class:`NotDrawnError` when that fails, or takes too long or too much."""
        answer = self._ask(request)
        try:
            return msgspec.json.decode(answer, type=Drawing)
        except msgspec.ValidationError:
            raise NotDrawnError(answer[:300].decode(errors="replace")) from None

    def rule(self, request: RulingRequest) -> Ruling:
        """Ask the rules about a match; what takes too long or too much stays what its table claims."""
        try:
            ruling: Ruling = msgspec.json.decode(self._ask(request), type=Ruling)
            return ruling
        except (NotDrawnError, msgspec.ValidationError) as problem:
            log.warning("The rules cannot be asked about match %s: %s", request.records[0].match, problem)
            return "unclear"

    def _ask(self, request: DrawingRequest | RulingRequest) -> bytes:
        with self._lock:
            pipe, self._used = self._started(), time.monotonic()
            try:
                pipe.send_bytes(json_of(request))
                if not pipe.poll(self._seconds):
                    raise TimeoutError("it takes too long")
                return pipe.recv_bytes(LARGEST)
            except (EOFError, OSError) as problem:
                self._process.end()
                self.start()  # for the next one
                raise NotDrawnError(str(problem) or "it takes too much memory") from problem

    def start(self) -> None:
        """Start the process now, in the background, so that nobody has to wait for it."""
        threading.Thread(target=self._start_quietly, name="confined", daemon=True).start()

    def _start_quietly(self) -> None:
        with self._lock:
            if self._stopped:
                return
            try:
                self._started()
            except (NotDrawnError, OSError, EOFError) as problem:
                log.warning("The process for foreign positions: %s", problem)

    def rest(self) -> None:
        """Give its memory back once it has had nothing to do for minutes; it is started when it is asked."""
        with self._lock:
            if time.monotonic() > self._used + _IDLE:
                self._process.end()

    def stop(self) -> None:
        """End the process; may be called more than once."""
        with self._lock:
            self._stopped = True
            self._process.end()

    def _started(self) -> Connection[bytes, bytes]:
        from hub.foreign.confined_process import work

        if (pipe := self._process.pipe) is not None:
            return pipe
        pipe = self._process.start(work)
        if not pipe.poll(_STARTS_WITHIN):
            self._process.end()
            raise NotDrawnError("its process does not start")
        pipe.recv_bytes(LARGEST)  # it is ready
        return pipe
