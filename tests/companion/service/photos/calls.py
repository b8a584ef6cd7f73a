"""Functions for the reader's process: they can be called there because they stand in a module."""

from __future__ import annotations

import os
import socket
import subprocess
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from companion.core.errors import NotationError
from companion.core.messages import m
from companion.service.photos.camera_process import LAMPS, LampRequest
from companion.service.photos.plain import packed
from companion.service.photos.queries import Shot
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


def makes(_: Worker, kind: str, place: str) -> bool:
    """Can it make something else than a file, which leads its reader elsewhere, or to wait for ever?"""
    try:
        Path(place).symlink_to("/etc/passwd") if kind == "symlink" else getattr(os, kind)(place)
    except OSError:
        return False
    return True


def reads(_: Worker, place: str) -> bool:
    """Can the process read a file, or see what is in a folder?"""
    try:
        list(Path(place).iterdir()) if Path(place).is_dir() else Path(place).read_bytes()
    except OSError:
        return False
    return True


def connects(_: Worker, address: tuple[str, int]) -> bool:
    """Can it reach another program, here or elsewhere?"""
    try:
        socket.create_connection(address, timeout=5).close()
    except OSError:
        return False
    return True


def starts(_: Worker) -> bool:
    """Can it start a program?"""
    try:
        subprocess.run(["/bin/true"], check=True)
    except OSError:
        return False
    return True


def glances(worker: Worker, shot: Shot) -> tuple[int, ...]:
    """The size of a picture of the box's camera."""
    return worker.camera.glance(shot).shape


def glances_elsewhere(worker: Worker, shot: Shot, name: str) -> tuple[int, ...]:
    """A picture of another camera than the one that this is about."""
    del shot
    return worker.camera.glance(Shot(name, 1)).shape


def frames(worker: Worker, shot: Shot) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The sizes of a frame as it is followed, and of all of it."""
    frame = worker.camera.frame(shot)
    return frame.small.shape, frame.whole.shape


def follows(worker: Worker, shot: Shot) -> list[tuple[int, ...]]:
    """The sizes of a frame, small and whole."""
    frame = worker.camera.frame(shot)
    return [frame.small.shape, frame.whole.shape]


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


def hangs(pipe: Connection[Any, Any]) -> None:
    """A camera whose driver never answers, until its process is ended."""
    pipe.recv()
    pipe.poll(None)


def lights_and_dies(pipe: Connection[Any, Any]) -> None:
    """A camera that has the table lit, and then is pulled out."""
    pipe.recv()
    pipe.send_bytes(LAMPS + packed(LampRequest(True, False)))
    pipe.recv()
    os.abort()
