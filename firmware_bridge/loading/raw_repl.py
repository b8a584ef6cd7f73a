"""MicroPython's prompt for programs: source in, output and errors out, files written piece by piece.

The raw REPL: Ctrl-A enters it, Ctrl-D runs what was sent, and the answer is ``OK``, the output, 0x04, the
error, 0x04 and a prompt.
"""

from __future__ import annotations

import base64
import hashlib
import select
import time
from collections.abc import Callable, Iterable

from firmware_bridge.exc import LoadingError
from firmware_bridge.ports import Wire

_ENTER, _LEAVE, _STOP, _RUN = b"\x01", b"\x02", b"\x03", b"\x04"
_READY = b"raw REPL; CTRL-B to exit\r\n>"
_PIECE = 256  # bytes a write: more would overrun the input of older versions
_DATA = 384  # bytes of a file in one statement
ANSWER_SECONDS = 10.0
_DIGEST = """
def digest(name):
    import hashlib, binascii
    made = hashlib.sha256()
    try:
        with open(name, 'rb') as file:
            while True:
                part = file.read(512)
                if not part:
                    break
                made.update(part)
    except OSError:
        return ''
    return binascii.hexlify(made.digest()).decode()
"""


class RawRepl:
    """The raw prompt of one board that runs MicroPython."""

    def __init__(self, wire: Wire, clock: Callable[[], float] = time.monotonic) -> None:
        self._wire = wire
        self._clock = clock
        self._heard = b""

    def enter(self) -> None:
        """Stop what runs, and take over the prompt."""
        for _ in range(3):
            self._heard = b""
            self._send(b"\r" + _STOP + _STOP + b"\r" + _ENTER)
            try:
                self._until(_READY, 2.0)
            except LoadingError:
                continue
            self.run(_DIGEST)
            return
        raise LoadingError(
            "That board has no MicroPython prompt. One that is a roller already: hold its button for five "
            "seconds while plugging it in. A new one: hold BOOTSEL while plugging it in."
        )

    def run(self, source: str) -> str:
        """Run a piece of source and return what it prints; its error becomes a LoadingError."""
        self._send(source.encode() + _RUN)
        self._until(b"OK", ANSWER_SECONDS)
        output = self._until(b"\x04", ANSWER_SECONDS)
        error = self._until(b"\x04>", ANSWER_SECONDS).decode(errors="replace").strip()
        if error:
            raise LoadingError(f"The board could not do that: {error.splitlines()[-1]}")
        return output.decode(errors="replace").strip()

    def reset(self) -> None:
        """Start the board again; it does not answer that."""
        self._send(b"import machine\nmachine.reset()\n" + _RUN)

    def version(self) -> str:
        """The version of MicroPython, such as 1.22.0."""
        return self.run("import sys; print('.'.join(str(one) for one in sys.implementation[1][:3]))")

    def uid(self) -> str:
        """The board's own serial number, as its firmware tells it."""
        return self.run("import binascii, machine; print(binascii.hexlify(machine.unique_id()).decode())")

    def has_wifi(self) -> bool:
        """True if the board has a radio and its MicroPython is the one for it."""
        return self.run("try:\n    import network\n    print(1)\nexcept ImportError:\n    print(0)") == "1"

    def folders(self, names: Iterable[str]) -> None:
        """Make these folders where they are not there."""
        for name in names:
            self.run(f"import os\ntry:\n    os.mkdir({name!r})\nexcept OSError:\n    pass")

    def listing(self, folder: str) -> list[str]:
        """The files in a folder."""
        return self.run(f"import os; print(' '.join(os.listdir({folder!r})))").split()

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""
        self.run(f"import os\ntry:\n    os.remove({name!r})\nexcept OSError:\n    pass")

    def put(self, name: str, content: bytes) -> bool:
        """Write a file, and read it back; False when the board had just that already."""
        wanted = hashlib.sha256(content).hexdigest()
        if self.run(f"print(digest({name!r}))") == wanted:
            return False
        self.run(f"import binascii; file = open({name!r}, 'wb')")
        for place in range(0, len(content), _DATA):
            part = base64.b64encode(content[place : place + _DATA]).decode()
            self.run(f"file.write(binascii.a2b_base64('{part}'))")
        self.run("file.close()")
        if self.run(f"print(digest({name!r}))") != wanted:
            raise LoadingError(f"{name} did not arrive whole on the board: try again.")
        return True

    def _send(self, data: bytes) -> None:
        for place in range(0, len(data), _PIECE):
            self._wire.write(data[place : place + _PIECE])

    def _until(self, end: bytes, seconds: float) -> bytes:
        """Read up to these bytes and return what came before them."""
        deadline = self._clock() + seconds
        while end not in self._heard:
            left = deadline - self._clock()
            if left <= 0:
                raise LoadingError("The board does not answer any more: pull its plug and begin again.")
            if select.select([self._wire.fileno()], [], [], min(left, 0.2))[0]:
                self._heard += self._wire.read()
        before, _, self._heard = self._heard.partition(end)
        return before
