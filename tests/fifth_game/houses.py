"""The house as a process of its own that knows where the fifth game lies, and nothing else of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
WITHOUT = {name: value for name, value in os.environ.items() if name != "STATIONMASTER_GAMES"}
ENVIRONMENT = {**WITHOUT, "STATIONMASTER_GAMES": str(HERE)}


def run(
    *arguments: object, fed: str = "", environment: Mapping[str, str] = ENVIRONMENT
) -> tuple[int, str, str]:
    """One ``stationmaster`` command: its exit code, what it printed and what it complained."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", *map(str, arguments)],
        input=fed,
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout, done.stderr


@dataclass
class Served:
    """A box that serves, and its host's browser."""

    link: str
    host: OpenerDirector

    def get(self, path: str) -> Any:
        """What the API answers the host."""
        with self.host.open(f"{self.link}api/v1{path}", timeout=20) as answer:
            return json.load(answer)

    def post(self, path: str, body: object) -> Any:
        """The same for a request that changes something."""
        data, kind = json.dumps(body).encode(), {"Content-Type": "application/json"}
        with self.host.open(Request(f"{self.link}api/v1{path}", data, kind), timeout=60) as answer:
            return json.load(answer)


@contextmanager
def served(
    folder: Path, *options: str, environment: Mapping[str, str] = ENVIRONMENT, notes: str = ""
) -> Iterator[Served]:
    """``stationmaster serve`` on its own port, the host's PIN entered; ``notes`` is what it complains."""
    command = [sys.executable, "-m", "companion", "serve", "--json", "--port", "0", "--host", "127.0.0.1"]
    process = subprocess.Popen(
        [*command, "--folder", str(folder), *options],
        env=environment,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.stderr.read() if process.stderr else ""
        told = json.loads(line)
        box = Served(told["links"][0], build_opener(HTTPCookieProcessor()))
        box.post("/host", {"pin": told["pin"]})
        yield box
    finally:
        process.terminate()
        _, complaints = process.communicate(timeout=20)
    assert complaints == notes, complaints
