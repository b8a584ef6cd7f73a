"""The Pi's camera by its library, where there is no ``rpicam-still`` (:mod:`vision.cameras.still_program`).

In a process of its own: the library can hang for ever, and then only killing helps; and it belongs to the
system's Python, whose NumPy is another one than ours. So the child is run by that Python, with nothing of
ours in reach. It (``picamera_child.py``) waits for a byte and answers each with one frame: the four letters
``FRAM``, width and height, then the pixels, blue first; or ``SAYS``, a length and a sentence.
"""

from __future__ import annotations

import os
import select
import struct
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic

import numpy as np

from vision.errors import CameraError
from vision.register.rectify import Image

HEADER = struct.Struct(">4sII")
FRAME, SENTENCE = b"FRAM", b"SAYS"
SYSTEM_PYTHON = Path("/usr/bin/python3")
CHILD = Path(__file__).with_name("picamera_child.py")
_START_SECONDS = 20.0  # libcamera looks for sensors, and exposure settles
_FRAME_SECONDS = 8.0
_MOST_BYTES = 200_000_000


class PiCamera:
    """Frames from a child process; a silent child is killed, and the next picture starts another."""

    def __init__(
        self,
        command: Sequence[str] | None = None,
        environment: Mapping[str, str] | None = None,
        patience: tuple[float, float] = (_START_SECONDS, _FRAME_SECONDS),
        clock: Callable[[], float] = monotonic,
        number: int = 0,
    ) -> None:
        python = str(SYSTEM_PYTHON) if SYSTEM_PYTHON.exists() else sys.executable
        self._command = (*(command or (python, str(CHILD))), str(number))
        ours = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        self._environment = {**ours, **(environment or {})}
        self._start_seconds, self._frame_seconds = patience
        self._clock = clock
        self._child: subprocess.Popen[bytes] | None = None

    def take(self) -> Image:
        """Take one frame, or raise CameraError with the reason."""
        fresh = self._child is None
        child = self._child or self._started()
        until = self._clock() + (self._start_seconds if fresh else self._frame_seconds)
        try:
            return self._asked(child, until)
        except (OSError, CameraError):
            self.close()
            raise

    def _started(self) -> subprocess.Popen[bytes]:
        try:
            self._child = self._spawned()
        except OSError as problem:
            message = f"the Pi's camera cannot be started here ({problem.strerror})"
            raise CameraError(message) from problem
        return self._child

    def _spawned(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment,
            bufsize=0,
        )

    def _asked(self, child: subprocess.Popen[bytes], until: float) -> Image:
        assert child.stdin is not None
        try:
            child.stdin.write(b"\n")
        except BrokenPipeError:
            raise CameraError("the Pi's camera stopped by itself: try again") from None
        kind, width, height = HEADER.unpack(self._bytes(child, HEADER.size, until))
        if kind == SENTENCE:
            raise CameraError(self._bytes(child, width, until).decode("utf-8", "replace"))
        size = width * height * 3
        if kind != FRAME or size > _MOST_BYTES:
            raise CameraError("the Pi's camera sent something that is no picture: try again")
        return np.frombuffer(self._bytes(child, size, until), np.uint8).reshape(height, width, 3)

    def _bytes(self, child: subprocess.Popen[bytes], count: int, until: float) -> bytes:
        """Read exactly so many bytes before the deadline."""
        assert child.stdout is not None
        data = bytearray()
        while len(data) < count:
            left = until - self._clock()
            if left <= 0 or not select.select([child.stdout], [], [], left)[0]:
                raise CameraError("the Pi's camera hangs and was stopped: try again; if it stays so, restart")
            part = os.read(child.stdout.fileno(), min(count - len(data), 1 << 20))
            if not part:
                raise CameraError("the Pi's camera stopped by itself: try again")
            data += part
        return bytes(data)

    def close(self) -> None:
        """Kill the child process: it may no longer respond."""
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.wait()
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                stream.close()
