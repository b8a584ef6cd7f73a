"""``backup``, ``restore`` and ``doctor``: keeping what was played, and finding out what is wrong."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from companion import __version__
from companion.box.settings import read_settings
from companion.commands.exits import FINE, NOT_SO
from companion.commands.records import print_json
from companion.table.backup import automatic_backups, backup, restore
from companion.table.checking import check_database
from companion.table.exc import TableError
from companion.table.folder import BACKUPS, DATABASE
from companion.table.store import Store
from firmware_bridge.panel import open_panel
from firmware_bridge.ports import usb_ports
from firmware_bridge.survey import survey

LOW_DISK = 500 * 2**20
CRITICAL_DISK = 200 * 2**20


def make_backup(folder: Path, file: Path | None, as_json: bool) -> int:
    """One file with everything; it is read back before it counts."""
    with Store(folder, read_only=True) as store:  # works beside a running service
        if file is None:
            (folder / BACKUPS).mkdir(exist_ok=True)
        made = backup(store, file or folder / BACKUPS)
    if as_json:
        print_json({"backup": str(made), "bytes": made.stat().st_size})
    else:
        print(f"{made} ({made.stat().st_size / 1024:.0f} kB), read back and checked")
    return FINE


def bring_back(folder: Path, file: Path, as_json: bool) -> int:
    """Everything as the backup has it; what was there is kept aside."""
    notes = restore(file, folder)
    if as_json:
        print_json({"restored": str(file), "notes": notes})
    else:
        print("\n".join([f"{file} restored to {folder}", *notes]))
    return FINE


# --- doctor ---


@dataclass(frozen=True)
class Finding:
    """One part: how it is, and what to do about it when something is wrong. ``state``: ok, missing or bad."""

    part: str
    state: str
    says: str
    do: str = ""


def doctor(folder: Path, *, as_json: bool) -> int:
    """Look at every part. Missing parts are no fault; the exit code is 1 when one is bad."""
    findings = [look(folder) for look in (*_BESIDE_A_SERVICE, *_LOOKS)]
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            print(f"{finding.state:8} {finding.part:12} {finding.says}")
            if finding.do:
                print(f"{'':21} -> {finding.do}")
    return NOT_SO if any(finding.state == "bad" for finding in findings) else FINE


def _program(_folder: Path) -> Finding:
    says = f"Stationmaster {__version__}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    return Finding("program", "ok", f"{says} on {platform.machine()}")


def _database(folder: Path) -> Finding:
    path = folder / DATABASE
    if not path.exists():
        return Finding(
            "database", "missing", f"nothing stored yet in {folder}", "it is made at the first start"
        )
    try:
        check_database(path)
        with Store(folder, read_only=True) as store:
            count = len(store.matches())
    except TableError as problem:
        return Finding(
            "database", "bad", problem.message, "start the service: it repairs from backup and journals"
        )
    return Finding("database", "ok", f"{count} matches in {path}, every hash chain whole")


def _backups(folder: Path) -> Finding:
    made = automatic_backups(folder)
    if not made:
        return Finding("backups", "missing", "no backup yet", "stationmaster backup /media/usb-stick/")
    return Finding("backups", "ok", f"{len(made)}, the newest is {made[0].name}")


def _disk(folder: Path) -> Finding:
    place = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(place).free
    says = f"{free / 2**30:.1f} GB free"
    if free < CRITICAL_DISK:
        return Finding("disk", "bad", says, "make room now: matches can no longer be stored safely")
    if free < LOW_DISK:
        return Finding("disk", "bad", says, "make room: old photographs are the largest part")
    return Finding("disk", "ok", says)


def _batch(_folder: Path) -> Finding:
    if importlib.util.find_spec("numba") is None:
        return Finding(
            "batch", "missing", "no numba: boards are scored one by one", "pip install stationmaster[batch]"
        )
    return Finding("batch", "ok", "boards can be scored in batches")


def _roller(folder: Path) -> Finding:
    found = survey(usb_ports(read_settings(folder).roller.ports))
    answered = [port for port in found if port.roller is not None]
    if answered:
        return Finding("roller", "ok", f"{answered[0].sentence.rstrip('.')} at {answered[0].device}")
    says = found[0].sentence if found else "no USB serial port: the box throws virtual dice"
    return Finding("roller", "missing", says, "build one: docs/hardware.md")


def _panel(folder: Path) -> Finding:
    panel = open_panel(read_settings(folder).panel, {})
    try:
        if panel.is_there:
            return Finding("panel", "ok", "pins for lamps and buzzer can be used")
    finally:
        panel.close()
    return Finding("panel", "missing", "no GPIO: buttons and lamps are switched off", "docs/hardware.md")


def look_beside_a_service(folder: Path) -> list[Finding]:
    """What can be looked at while a service works in the folder and holds the devices."""
    return [look(folder) for look in _BESIDE_A_SERVICE]


_BESIDE_A_SERVICE: tuple[Callable[[Path], Finding], ...] = (_program, _backups, _disk)
_LOOKS: tuple[Callable[[Path], Finding], ...] = (
    _database,
    _roller,
    _panel,
    _batch,
)
