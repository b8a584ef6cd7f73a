"""Exit codes and output of all commands; with ``--json`` the output is lines of JSON."""

from __future__ import annotations

import sys
from typing import IO, Any

FINE = 0
NOT_SO = 1  # the thing asked about is not so
BAD_INPUT = 2

OUTPUT = "output"  # what a complaint about standard output names


def print_json(value: Any) -> None:
    """Print the value as one line of JSON."""
    from companion.core.jsontext import json_of

    sys.stdout.write(json_of(value).decode() + "\n")


class NamedOutput:
    """A stream whose write errors name it: the system names only files that it opens."""

    def __init__(self, stream: IO[Any]) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @property
    def buffer(self) -> NamedOutput:
        """The stream's underlying buffer for bytes, which names itself in errors, too."""
        return NamedOutput(self._stream.buffer)  # type: ignore[attr-defined]

    def write(self, data: Any) -> int:
        """Write text or bytes."""
        try:
            return self._stream.write(data)
        except OSError as problem:
            problem.filename = OUTPUT
            raise

    def flush(self) -> None:
        """Write what is held back."""
        try:
            self._stream.flush()
        except OSError as problem:
            problem.filename = OUTPUT
            raise
