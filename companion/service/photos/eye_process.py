"""The reader's own process: confined, with a game's reader loaded, calling one function after the other.

See :mod:`companion.service.photos.eye` for its other end.
"""

from __future__ import annotations

import logging
import os
import resource
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from companion.core.errors import CodedError, StationmasterError
from companion.core.messages import m
from companion.game.registry import find_reader
from companion.reading.types import ReadHints
from companion.service.photos.camera_process import ANSWER, FAILED, DistantCamera, Failed
from companion.service.photos.eye import Call
from companion.service.photos.plain import packed
from companion.service.photos.worker import Worker
from companion.service.system.confinement import confine
from companion.service.system.memory import give_memory_back
from companion.table.folder import PHOTOS, TAUGHT

_MEMORY = 3 * 2**30  # address space, not memory in use
_LARGEST_FILE = 64 * 2**20  # bytes; a taught board has some
log = logging.getLogger(__name__)


def work(pipe: Connection[Any, Call], game: str, folder: Path | None) -> None:
    """Do one call after the other until the other end is closed; first be ready for a game's photographs.

    Of the table's ``folder`` it sees the photographs and what was taught, and changes the latter.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service, which then ends this
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    # Before NumPy is loaded: its products are small, and threads that wait for each other's share of one
    # cost many times the work on a machine that does other things besides.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    give_memory_back()
    own = [] if folder is None else [folder / TAUGHT, folder / PHOTOS]
    for place in own:
        place.mkdir(parents=True, exist_ok=True)
    confine(own[:1], own[1:])
    _load(game)
    worker = Worker(DistantCamera(pipe))
    while True:
        try:
            call = pipe.recv()
        except EOFError:
            return
        pipe.send_bytes(_answer(worker, call))


def _answer(worker: Worker, call: Call) -> bytes:
    try:
        return ANSWER + packed(call.function(worker, *call.given))
    except CodedError as problem:
        return FAILED + packed(Failed(problem.code, problem.message))
    except StationmasterError as problem:
        return FAILED + packed(Failed("bad-photo", problem.args[0]))
    except MemoryError:
        message = m("that picture needs too much memory: send a smaller one")
        return FAILED + packed(Failed("bad-photo", message))


def _load(game: str) -> None:
    """Load the game's networks before its first picture; those of other games would only take memory."""
    import cv2
    import numpy as np

    cv2.setNumThreads(2)
    if not game:
        return
    try:
        find_reader(game).read(np.full((480, 640, 3), 255, np.uint8), ReadHints())
    except Exception:  # one game's eye must not take the others' along
        log.exception("The eye of %s cannot be loaded", game)
