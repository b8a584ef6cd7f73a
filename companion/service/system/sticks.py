"""Backups on a USB stick: whatever is plugged in and can be written gets a whole copy, photographs too."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.table.backup import automatic_backups_in, rotating_backup
from companion.table.exc import translated
from companion.table.store import Store

PLACE = "stationmaster-backups"
KEPT = 20
_MARK = "newest-has"  # beside the backups: how many events the newest one has
_OCTAL = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True)
class Roots:
    """Where the kernel tells of mounted disks; tests have their own."""

    mounts: Path = Path("/proc/self/mountinfo")
    devices: Path = Path("/sys/dev/block")


def sticks(roots: Roots | None = None) -> list[Path]:
    """The folders of mounted USB disks that this process can write."""
    roots = roots or Roots()
    try:
        lines = roots.mounts.read_text(errors="replace").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        words = line.split(" ")
        if len(words) > 5 and words[3] == "/" and _is_usb(roots.devices / words[2]):
            place = Path(_OCTAL.sub(lambda byte: chr(int(byte[1], 8)), words[4]))
            if str(place) not in ("/", "/boot", "/boot/firmware") and os.access(place, os.W_OK | os.X_OK):
                found.append(place)
    return list(dict.fromkeys(found))


def _is_usb(device: Path) -> bool:
    return device.exists() and any(part.startswith("usb") for part in device.resolve().parts)


def stick_backups(roots: Roots | None = None) -> list[Path]:
    """The backups on all sticks, of each table the newest first."""
    tables = [table for stick in sticks(roots) for table in sorted((stick / PLACE).glob("*/"))]
    return [file for table in tables for file in automatic_backups_in(table)]


def copy_to_stick(store: Store, stick: Path, now: datetime | None = None) -> Path | None:
    """A backup on this stick, unless nothing was ever played or its newest one has everything already."""
    first = next(iter(store.matches()), None)
    if first is None:
        return None
    place = stick / PLACE / f"table-{first.id}"  # a stick may be carried from table to table
    has = str(store.stored())
    with translated(place):
        place.mkdir(parents=True, exist_ok=True)
        mark = place / _MARK
        if mark.exists() and mark.read_text(errors="replace").strip() == has and automatic_backups_in(place):
            return None
        made = rotating_backup(store, place, now, kept=KEPT, photos=True)
        mark.write_text(has + "\n")
    return made
