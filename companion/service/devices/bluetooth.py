"""Bluetooth dice, as the service sees them: a separate process that serves a port, and its state."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from companion.core.messages import m, sentence
from companion.service.parts import Part, PartState

log = logging.getLogger(__name__)
AGAIN = 30.0  # seconds after which a process that ended is started anew
_LINK = "bluetooth-dice"


class BluetoothDice:
    """Runs the process and restarts it when it ends; it ends with the service, which closes its input."""

    def __init__(
        self, command: tuple[str, ...] = (sys.executable, "-m", "firmware_bridge.bluetooth")
    ) -> None:
        runtime = os.environ.get("RUNTIME_DIRECTORY")
        self._own = None if runtime else tempfile.TemporaryDirectory(prefix="stationmaster-")
        self.port = str(Path(runtime or (self._own.name if self._own else "")) / _LINK)
        self._command = command
        self._sentence = ""
        self._spoken = threading.Event()
        self._stopped = threading.Event()
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="bluetooth-dice", daemon=True)

    def start(self) -> None:
        """Start the process, which looks for dice from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the process and release the dice."""
        with self._lock:
            self._stopped.set()
            process = self._process
        if process is not None and process.stdin is not None:
            process.stdin.close()
        if self._thread.is_alive():
            self._thread.join(10.0)
        if self._own is not None:
            self._own.cleanup()

    def heard_from(self, seconds: float) -> bool:
        """Wait until the process has reported on the dice; False if it has not within ``seconds``."""
        return self._spoken.wait(seconds)

    def part(self) -> Part:
        """Return the state of the dice, as the process reports it."""
        says = self._sentence or m("looking for Bluetooth dice")
        state: PartState = "ok" if says.startswith(m("Bluetooth dice:")) else "missing"
        return Part(m("Bluetooth dice"), state, sentence(says), "docs/bluetooth-dice.md")

    def _run(self) -> None:
        while not self._stopped.is_set():
            with self._lock:
                if self._stopped.is_set():
                    return
                self._process = subprocess.Popen(
                    [*self._command, self.port],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    errors="replace",
                )
            with self._process as process:
                for line in process.stdout or ():
                    self._sentence = line.strip()
                    self._spoken.set()
                    log.info("%s", self._sentence)
            self._stopped.wait(AGAIN)
