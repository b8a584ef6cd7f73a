"""Functions for the reader's process: they can be called there because they stand in a module."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from companion.core.errors import NotationError
from companion.core.messages import m
from companion.service.photos.worker import Worker
from vision.errors import PictureError


def process_and_readings(worker: Worker, given: str) -> tuple[int, int, str]:
    """Where it runs, which memory of readings it sees, and what it was given."""
    return os.getpid(), id(worker.readings), given


def dies(_: Worker) -> None:
    """As a decoder does that was written in C."""
    os.abort()


def has_a_fault(_: Worker) -> None:
    raise ZeroDivisionError


def needs_too_much_memory(_: Worker) -> int:
    """More than the process may have, far less than the machine."""
    return len(bytearray(4 * 2**30))


def refuses(_: Worker, why: str) -> None:
    raise NotationError("not-this", why)


def sees_no_picture(_: Worker) -> None:
    raise PictureError(m("the picture is damaged: take or send it again"))


def strange(_: Worker) -> int:
    """What a decoder that somebody took over might answer: not what is promised."""
    return "no number"  # type: ignore[return-value]


def writes(_: Worker, file: str) -> bool:
    """Can the process write there?"""
    try:
        Path(file).write_text("x")
    except OSError:
        return False
    return True


def signals(_: Worker, process: int) -> bool:
    """Can it end another process?"""
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return True


def listens(_: Worker) -> bool:
    """Can it open a port?"""
    try:
        socket.create_server(("127.0.0.1", 0)).close()
    except OSError:
        return False
    return True
