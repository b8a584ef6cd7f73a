"""Runs programs that may hang, crash or write without end, with limits on time and output."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

_COMPLAINTS = 20_000  # bytes of standard error that are read


@dataclass(frozen=True)
class Done:
    """The outcome of a program that ran to its end."""

    code: int
    output: bytes
    complaint: str


class TooSlowError(Exception):
    """The program was stopped because it took too long."""


class TooMuchError(Exception):
    """The program was stopped because it wrote too much."""


def run_bounded(command: Sequence[str], seconds: float, most: int) -> Done:
    """Run a program and return its output; after the timeout stop it and all that it started."""
    until = monotonic() + seconds
    with tempfile.TemporaryFile() as complaints:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            start_new_session=True,
            bufsize=0,
        )
        try:
            output = _read(child, until, most)
            code = child.wait(max(0.05, until - monotonic()))
        except subprocess.TimeoutExpired:
            raise TooSlowError from None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            assert child.stdout is not None
            child.stdout.close()
        complaints.seek(0, os.SEEK_END)
        complaints.seek(max(0, complaints.tell() - _COMPLAINTS))
        return Done(code, output, complaints.read().decode(errors="replace"))


def _read(child: subprocess.Popen[bytes], until: float, most: int) -> bytes:
    assert child.stdout is not None
    data = bytearray()
    while True:
        left = until - monotonic()
        if left <= 0 or not select.select([child.stdout], [], [], left)[0]:
            raise TooSlowError
        part = os.read(child.stdout.fileno(), 1 << 20)
        if not part:
            return bytes(data)
        data += part
        if len(data) > most:
            raise TooMuchError
