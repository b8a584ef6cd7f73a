"""A hub of the next version that opens a database: ``python -m tests.hub.opening ADDRESS FOLDER [killed]``.

It says when it is ready, and goes on when it is told to. ``killed``: in the middle of its step.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from hub.storage import schema
from hub.storage.migrations import opened_database

ADDED = 1000  # to the clock, by the step


class Step(tuple[str, ...]):
    """The statements of a step that can be seen to have happened twice."""

    killed = False

    def __iter__(self) -> Iterator[str]:
        yield "CREATE TABLE remarks (text TEXT NOT NULL)"
        yield f"UPDATE clock SET version = version + {ADDED}"
        if self.killed:
            os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    Step.killed = sys.argv[3:] == ["killed"]
    schema.STEPS[schema.VERSION] = Step()
    schema.VERSION += 1
    print("ready", flush=True)
    sys.stdin.readline()
    opened_database(sys.argv[1], Path(sys.argv[2])).close()
