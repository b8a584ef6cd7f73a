"""A Pico made of software: a drive that takes a UF2 file, then MicroPython's raw prompt, then a roller.

The source that comes over the line really runs (in this Python, with the board's files in a folder). After a
restart the board is a roller only if every file of the firmware is there as it should be.
"""

from __future__ import annotations

import builtins
import contextlib
import hashlib
import io
import os
import struct
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from firmware_bridge.loading.loader import FIRMWARE
from firmware_bridge.loading.uf2 import BLOCK
from firmware_bridge.ports import Port
from firmware_bridge.simulator import PseudoPort, VirtualRoller

UID = "e6614c311b7e2c2f"
FAMILIES = {"RP2040": 0xE48BFF56, "RP2350": 0xE48BFF59}
BOARDS = {"RP2040": "RPI-RP2", "RP2350": "RP2350"}


def uf2(chip: str = "RP2040", blocks: int = 4, family: int | None = None) -> bytes:
    """A UF2 file of as many blocks."""
    made = b""
    for number in range(blocks):
        place = 0x10000000 + 256 * number
        kind = FAMILIES[chip] if family is None else family
        head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, place, 256, number, blocks, kind)
        made += head + bytes(476) + struct.pack("<I", 0x0AB16F30)
    return made


class Reset(Exception):  # noqa: N818
    """The board starts again."""


class Prompt:
    """The raw REPL of a board whose files lie in a folder."""

    idle = True

    def __init__(self, pico: Pico) -> None:
        self._pico = pico
        self._raw = False
        self._source = b""
        self._names: dict[str, Any] = {}
        self._names["__builtins__"] = {**vars(builtins), "open": self._open, "__import__": self._import}

    def power_off(self) -> None:
        """What was open is lost."""
        left = self._names.pop("file", None)
        if left is not None:
            left.close()

    def exchange(self, data: bytes = b"") -> bytes:
        """What the host typed; what the board says."""
        said = b""
        for number in data:
            byte = bytes([number])
            if byte == b"\x01" and not self._raw:
                self._raw, self._source = True, b""
                said += b"\r\n>>> \r\nraw REPL; CTRL-B to exit\r\n>"
            elif byte == b"\x01":
                self._source = b""
                said += b"raw REPL; CTRL-B to exit\r\n>"
            elif byte == b"\x03":
                self._source = b""
            elif byte == b"\x04" and self._raw:
                said += self._run()
            elif self._raw:
                self._source += byte
            else:
                said += byte  # the friendly prompt echoes
        return said

    def _run(self) -> bytes:
        source, self._source = self._source.replace(b"\r", b""), b""
        output, error = io.StringIO(), ""
        try:
            with contextlib.redirect_stdout(output):
                exec(compile(source, "<stdin>", "exec"), self._names)
        except Reset:
            self._pico.restarting.set()
            return b"OK"
        except Exception as problem:  # noqa: BLE001 - whatever a program does, the prompt stays
            error = f"Traceback (most recent call last):\r\n{type(problem).__name__}: {problem}\r\n"
        if self._pico.deaf_after and len(self._pico.statements) >= self._pico.deaf_after:
            return b""
        self._pico.statements.append(source)
        return b"OK" + output.getvalue().encode() + b"\x04" + error.encode() + b"\x04>"

    def _open(self, name: str, mode: str = "r") -> Any:
        if self._pico.full and "w" in mode:
            raise OSError(28, "ENOSPC")
        return (self._pico.files / name).open(mode)

    def _import(self, name: str, *more: Any) -> Any:
        root = self._pico.files
        if name == "os":
            return SimpleNamespace(
                mkdir=lambda place: os.mkdir(root / place),  # noqa: PTH102
                listdir=lambda place: os.listdir(root / place),  # noqa: PTH208
                remove=lambda place: os.remove(root / place),  # noqa: PTH107
            )
        if name == "machine":
            return SimpleNamespace(reset=self._reset, unique_id=lambda: bytes.fromhex(UID))
        if name == "network":
            if not self._pico.radio:
                raise ImportError("no module named 'network'")
            return SimpleNamespace()
        if name == "sys":
            return SimpleNamespace(implementation=("micropython", self._pico.version))
        return builtins.__import__(name, *more)

    def _reset(self) -> None:
        raise Reset


class Pico:
    """``with pico:`` it is plugged in, as a drive when its button was held."""

    def __init__(self, folder: Path, chip: str = "RP2040", *, held: bool = True) -> None:
        self.chip, self.held = chip, held
        self.drive, self.files = folder / "RPI RP2", folder / "flash"
        self.mounts = folder / "mounts"
        self.files.mkdir()
        self.mounts.write_text("proc /proc proc rw 0 0\n")
        self.version: Sequence[int] = (1, 24, 1)
        self.full = False
        self.radio = False  # is it a Pico W?
        self.takes = True  # the drive's file
        self.deaf_after = 0
        self.statements: list[bytes] = []
        self.restarting = threading.Event()
        self._port: PseudoPort | None = None
        self._prompt: Prompt | None = None
        self._gone, self._started = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._live, daemon=True)

    def __enter__(self) -> Pico:
        if self.held:
            self.drive.mkdir()
            (self.drive / "INFO_UF2.TXT").write_text(
                f"UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: {BOARDS[self.chip]}\r\n"
            )
            place = str(self.drive).replace(" ", "\\040")
            self.mounts.write_text(f"{self.mounts.read_text()}/dev/sda1 {place} vfat rw 0 0\n")
        else:
            self._start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._gone.set()
        self._thread.join()
        if self._port is not None:
            self._port.unplug()
        if self._prompt is not None:
            self._prompt.power_off()

    def plug_in_again(self) -> None:
        """After a power cut."""
        self._started.clear()
        self.restarting.set()
        assert self._started.wait(20)

    def ports(self) -> list[Port]:
        """The ports of boards, as the machine would list them."""
        return [Port(self._port.name)] if self._port is not None else []

    def _live(self) -> None:
        while not self._gone.wait(0.01):
            if self.held and self.takes and self._has_program():
                self.held = False
                self.mounts.write_text("")
                for path in self.drive.iterdir():
                    path.unlink()
                self.drive.rmdir()
                self._start()
            if self.restarting.is_set():
                self.restarting.clear()
                self._start()

    def _has_program(self) -> bool:
        found = list(self.drive.glob("*.uf2"))
        return bool(found) and found[0].stat().st_size >= BLOCK and found[0].stat().st_size % BLOCK == 0

    def _start(self) -> None:
        before, self._port = self._port, None
        if before is not None:
            before.unplug()
        if self._prompt is not None:
            self._prompt.power_off()
            self._prompt = None
        if not self.is_roller():
            self._prompt = Prompt(self)
        port = PseudoPort(self._prompt or VirtualRoller(uid=UID))
        port.plug()
        self._port = port
        self._started.set()

    def is_roller(self) -> bool:
        """Does it find the whole firmware at its start?"""
        return self._sums(self.files) == {**self._sums(FIRMWARE), **self._own()}

    def _own(self) -> Mapping[str, str]:
        """The settings may be its owner's."""
        path = self.files / "roller/settings.py"
        return {"roller/settings.py": hashlib.sha256(path.read_bytes()).hexdigest()} if path.exists() else {}

    def _sums(self, root: Path) -> dict[str, str]:
        found = [path for path in root.rglob("*.py") if path != FIRMWARE / "__init__.py"]
        return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}
