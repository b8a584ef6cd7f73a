"""The drive that a Pico in its loader is: told by its label and by INFO_UF2.TXT on it."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.exc import LoadingError
from firmware_bridge.loading.uf2 import RP2040, RP2350

INFO = "INFO_UF2.TXT"
_LABELS = ("RPI-RP2", "RP2350")
_CHIPS = {"RPI-RP2": RP2040, "RP2350": RP2350}


@dataclass(frozen=True)
class Drive:
    """The drive of a Pico that waits for its program: its mount point and its chip."""

    place: Path
    chip: str


@dataclass(frozen=True)
class Machine:
    """Where this machine tells of its drives; tests have their own."""

    mounts: Path = Path("/proc/mounts")
    labels: Path = Path("/dev/disk/by-label")


@contextmanager
def pico_drive(machine: Machine | None = None) -> Iterator[Drive | None]:
    """The one Pico that waits for its program; mounted for the while, where nobody has mounted it."""
    machine = machine or Machine()
    found = [drive for place in _mounted(machine) if (drive := drive_at(place)) is not None]
    if len(found) > 1:
        raise LoadingError("Two Picos wait for a program: leave only one plugged in.")
    if found:
        yield found[0]
        return
    device = next((machine.labels / label for label in _LABELS if (machine.labels / label).exists()), None)
    if device is None:
        yield None
        return
    if os.geteuid() != 0:
        raise LoadingError("A Pico waits for its program, but nobody has mounted it: use sudo.")
    with tempfile.TemporaryDirectory(prefix="stationmaster-pico-") as name:
        _run("mount", "-o", "flush", str(device), name)
        try:
            yield drive_at(Path(name))
        finally:
            subprocess.run(["umount", "--lazy", name], capture_output=True, check=False)


def drive_at(place: Path) -> Drive | None:
    """The drive in this folder; None where it is not that of a Pico."""
    try:
        text = (place / INFO).read_text(errors="replace")
    except OSError:
        return None
    board = re.search(r"^Board-ID:\s*(\S+)", text, re.MULTILINE)
    chip = _CHIPS.get(board[1]) if board else None
    return Drive(place, chip) if chip else None


def put(file: Path, drive: Drive) -> None:
    """Copy the file; the board then restarts and its drive disappears, which is not an error."""
    target = drive.place / file.name
    try:
        with target.open("wb") as out:
            out.write(file.read_bytes())
            out.flush()
            os.fsync(out.fileno())
    except OSError as problem:
        if drive_at(drive.place) is not None:
            message = f"The Pico took no MicroPython ({problem.strerror}): plug it in again, button held."
            raise LoadingError(message) from problem


def _mounted(machine: Machine) -> list[Path]:
    """Mount points, as the kernel writes them: a space is ``\\040``."""
    try:
        lines = machine.mounts.read_text(errors="replace").splitlines()
    except OSError:
        return []
    places = (line.split()[1] for line in lines if len(line.split()) > 2 and line.split()[2] == "vfat")
    return [Path(re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), place)) for place in places]


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LoadingError(f"The Pico's drive cannot be used: {done.stderr.strip()}")
