"""The service as a process of its own, and what its processes use."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lab.processes import children_of, kilobytes

_TICKS = os.sysconf("SC_CLK_TCK")
_STOPS_WITHIN = 20.0  # seconds
_LOOKS_EVERY = 0.02


@dataclass
class Peak:
    """The most that was seen."""

    mb: float = 0.0


@dataclass
class BoxProcess:
    """A box that serves; ``pin`` is the host's."""

    folder: Path
    streams: int = 100
    port: int = 0
    pin: str = ""

    def start(self) -> None:
        """Serve, at the same port as before; what was printed comes back."""
        options = ["--json", "--host", "127.0.0.1", "--port", str(self.port), "--streams", str(self.streams)]
        command = [sys.executable, "-m", "companion", "serve", *options, "--folder", str(self.folder)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        told = json.loads(self._process.stdout.readline())
        self.port = int(told["links"][0].rsplit(":", 1)[1].strip("/"))
        self.pin = told["pin"] or self.pin

    def stop(self) -> None:
        """As the system stops it."""
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate(timeout=_STOPS_WITHIN)

    def kill(self) -> None:
        """As a power cut: nothing is said before, and the process is gone at once."""
        self._process.kill()
        self._process.communicate(timeout=_STOPS_WITHIN)

    @property
    def link(self) -> str:
        """Where it is served."""
        return f"http://127.0.0.1:{self.port}"

    def pids(self) -> list[int]:
        """The service and its children."""
        return _with_children(self._process.pid)

    def resident(self) -> dict[str, float]:
        """Megabytes of each process, the service's first; memory that processes share is counted in each."""
        return {f"{_name(pid)} {pid}": kilobytes(pid, "VmRSS") / 1024 for pid in self.pids()}

    def cpu_share(self, seconds: float) -> float:
        """How much of one core all processes use while nothing is asked of them, in percent."""
        before = sum(map(_cpu_ticks, self.pids()))
        began = time.monotonic()
        time.sleep(seconds)
        used = sum(map(_cpu_ticks, self.pids())) - before
        return 100 * used / _TICKS / (time.monotonic() - began)

    def processor(self) -> float:
        """Seconds of a core that the service itself has used so far, without its reader."""
        return _cpu_ticks(self._process.pid) / _TICKS

    def idle(self, seconds: float) -> tuple[float, float, int]:
        """While nothing is asked of it: percent of a core, wake-ups a second, bytes written to the disk."""
        wakes, written = sum(map(_wake_ups, self.pids())), sum(map(_written, self.pids()))
        share = self.cpu_share(seconds)
        more = sum(map(_wake_ups, self.pids())) - wakes
        return share, more / seconds, sum(map(_written, self.pids())) - written

    @contextmanager
    def peak(self) -> Iterator[Peak]:
        """The most memory of all its processes while something is done; what they share counts once."""
        peak, done = Peak(), threading.Event()

        def watch() -> None:
            while not done.wait(_LOOKS_EVERY):
                peak.mb = max(peak.mb, sum(map(_proportional, self.pids())) / 1024)

        thread = threading.Thread(target=watch)
        thread.start()
        try:
            yield peak
        finally:
            done.set()
            thread.join()


@contextmanager
def served(folder: Path, *, streams: int = 100, roller_port: Path | None = None) -> Iterator[BoxProcess]:
    """A box on this folder, with a dice roller at that port."""
    if roller_port is not None:
        settings = f'[roller]\nports = ["{roller_port}"]\nvirtual = false\n'
        (folder / "settings.toml").write_text(settings, encoding="utf-8")
    box = BoxProcess(folder, streams)
    box.start()
    try:
        yield box
    finally:
        box.stop()


def _with_children(pid: int) -> list[int]:
    return [pid, *(one for child in children_of(pid) for one in _with_children(child))]


def _name(pid: int) -> str:
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    if b"serve" in words:
        return "service"
    return "reader" if b"--multiprocessing-fork" in words else "helper"


def _proportional(pid: int) -> int:
    """Kilobytes in use; of pages that several processes share each has its part. 0 for one that has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return int(next((line for line in lines if line.startswith("Pss:")), "Pss: 0").split()[1])


def _wake_ups(pid: int) -> int:
    """How often its threads have waited for something so far."""
    texts = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/status")]
    return sum(
        int(number) for text in texts for number in re.findall(r"\nvoluntary_ctxt_switches:\s*(\d+)", text)
    )


def _written(pid: int) -> int:
    found = re.search(r"^write_bytes: (\d+)", Path(f"/proc/{pid}/io").read_text(), re.MULTILINE)
    return int(found[1]) if found else 0


def _cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
