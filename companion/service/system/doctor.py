"""The doctor: each part of the box found or missing, and what to do about it."""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

from companion import __version__
from companion.core.messages import joined, m
from companion.game.packages import left_out, packages
from companion.service.devices.bluetooth import BluetoothDice
from companion.service.devices.devices import panel_part
from companion.service.parts import Part
from companion.service.system.access_point import access_point_part
from companion.service.system.health import health
from companion.service.system.interfaces import own_addresses
from companion.service.system.mqtt import broker_part
from companion.service.system.settings import FILE, read_settings
from companion.service.system.updates import updates_of
from companion.table.backup import automatic_backups
from companion.table.checking import check_database
from companion.table.exc import TableError, translated
from companion.table.folder import DATABASE, LOCK, SERVICE_FOLDER
from companion.table.journal import journal_path
from companion.table.store import Store
from firmware_bridge.panel import Button, open_panel
from firmware_bridge.ports import usb_ports
from firmware_bridge.survey import survey

LOW_DISK = 500 * 2**20
CRITICAL_DISK = 200 * 2**20
_BLUETOOTH_LOOKS = 12.0  # seconds


def look_at_everything(folder: Path) -> list[Part]:
    """Report on every part and the machine; devices are left to a service running on the folder."""
    try:
        read_settings(folder)
    except TableError as problem:
        wrong = Part(
            m("settings"), "bad", problem.message, m("correct that file; until then the defaults apply")
        )
        looks = (*_BESIDE_A_SERVICE, _database, _updates)
        return [wrong, *(look(folder) for look in looks), *health()]
    if is_served(folder):
        held = [
            Part(name, "ok", m("in use by the service: its host's page says how it is")) for name in _HELD
        ]
        rest = [_own_wifi(folder), _updates(folder), _mqtt(folder), *health()]
        return [*look_beside_a_service(folder), _database(folder), *held, *rest]
    return [*(look(folder) for look in (*_BESIDE_A_SERVICE, *_ALONE)), *health()]


def is_served(folder: Path) -> bool:
    """Return True if a service is running on this folder (and so holds the devices)."""
    try:
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def look_beside_a_service(folder: Path) -> list[Part]:
    """What can be looked at while a service works in the folder and holds the devices."""
    return [look(folder) for look in _BESIDE_A_SERVICE]


def _program(_folder: Path) -> Part:
    versions = (
        ("Stationmaster", __version__),
        ("Python", platform.python_version()),
        ("SQLite", sqlite3.sqlite_version),
    )
    told = (*(f"{name} {version}" for name, version in versions), platform.machine())
    return Part(m("program"), "ok", ", ".join(told))


def _games(_folder: Path) -> Part:
    if left_out():
        return Part(m("games"), "bad", joined("; ", left_out()), m("repair or remove it: docs/add-a-game.md"))
    return Part(m("games"), "ok", ", ".join(package.title for package in packages().values()))


def _database(folder: Path) -> Part:
    path = folder / DATABASE
    if not path.exists():
        return Part(
            m("database"),
            "missing",
            m("nothing stored yet in {folder}", folder=folder),
            m("it is made at the first start"),
        )
    try:
        check_database(path)
        with Store(folder, read_only=True) as store:
            count = len(store.matches())
            changed = [match.id for match in store.matches() if not _journal_fits(store, match.id)]
    except TableError as problem:
        return Part(
            m("database"), "bad", problem.message, m("start the service: it repairs from backup and journals")
        )
    if changed:
        says = m("the journal of match {changed} differs from the database", changed=changed[0])
        return Part(m("database"), "bad", says, m("start the service: it rewrites the journal"))
    return Part(
        m("database"), "ok", m("{count} matches in {path}, every hash chain intact", count=count, path=path)
    )


def _journal_fits(store: Store, match: str) -> bool:
    """A service may be adding a line at this moment; apart from that both tell the same."""
    path = journal_path(store.folder, match)
    with translated(path):
        written = path.read_bytes() if path.exists() else b""
    stored = store.lines(match)
    return stored.startswith(written) or written.startswith(stored)


def _backups(folder: Path) -> Part:
    made = automatic_backups(folder)
    if not made:
        return Part(
            m("backups"),
            "missing",
            m("no backup yet"),
            m("it makes one by itself; at once: Backups on the host's page"),
        )
    return Part(m("backups"), "ok", m("{made}, the newest is {name}", made=len(made), name=made[0].name))


def _disk(folder: Path) -> Part:
    place = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(place).free
    much = free >= 10 * 2**30  # whole numbers: decimals are written differently from language to language
    says = m("{free} GB free", free=free // 2**30) if much else m("{free} MB free", free=free // 2**20)
    if free < CRITICAL_DISK:
        return Part(m("disk"), "bad", says, m("make room now: matches can no longer be stored safely"))
    if free < LOW_DISK:
        return Part(m("disk"), "bad", says, m("make room: old photographs are the largest part"))
    return Part(m("disk"), "ok", says)


def _roller(folder: Path) -> Part:
    settings = read_settings(folder).roller
    found = survey(usb_ports(settings.ports, settings.ignore))
    answered = [port for port in found if port.roller is not None]
    if answered:
        return Part(m("roller"), "ok", f"{answered[0].sentence.rstrip('.')} ({answered[0].device})")
    says = found[0].sentence if found else m("no USB serial port: the box throws virtual dice")
    return Part(m("roller"), "missing", says, m("build one: docs/hardware.md"))


def _panel(folder: Path) -> Part:
    settings = read_settings(folder).panel
    every = dict.fromkeys(Button, lambda: None)
    panel = open_panel(settings, every)
    try:
        return panel_part(panel, settings.on)
    finally:
        panel.close()


def _camera(folder: Path) -> Part:
    from vision.cameras.network import shown_name
    from vision.cameras.sources import CameraRequest, cameras_here, opened
    from vision.errors import CameraError

    request = read_settings(folder).camera
    name = shown_name(request.name)
    if not name:
        here = ", ".join(camera.name for camera in cameras_here())
        says = (
            m("none is chosen, though there is {here}", here=here)
            if here
            else m("the box has no camera of its own: phones take the photographs")
        )
        return Part(m("camera"), "missing", says, f'in {folder / FILE}: [camera] name = "pi" or "usb"')
    try:
        camera = opened(CameraRequest(request.name, request.rotation, request.part, request.focus))
        try:
            height, width = camera.take().shape[:2]
        finally:
            camera.close()
    except CameraError as problem:
        return Part(
            m("camera"), "missing", str(problem), m("or name another one in {file}", file=folder / FILE)
        )
    return Part(
        m("camera"),
        "ok",
        m("{name} takes pictures of {width} x {height}", name=name, width=width, height=height),
    )


def _bluetooth(folder: Path) -> Part:
    if not read_settings(folder).roller.bluetooth:
        says = m("dice that people own are not looked for")
        return Part(
            m("Bluetooth dice"), "missing", says, m("All settings, Dice roller; docs/bluetooth-dice.md")
        )
    dice = BluetoothDice()
    dice.start()
    try:
        dice.heard_from(_BLUETOOTH_LOOKS)
        return dice.part()
    finally:
        dice.stop()


def _own_wifi(folder: Path) -> Part:
    if folder.absolute() == SERVICE_FOLDER:
        os.environ.setdefault("STATIONMASTER_OWN_WIFI", "1")  # as the package's unit does
    request = read_settings(folder).network
    return access_point_part(request.access_point, request.name, [one.address for one in own_addresses()])


def _updates(folder: Path) -> Part:
    return updates_of(folder).part()


def _mqtt(folder: Path) -> Part:
    return broker_part(read_settings(folder).mqtt.broker, folder)


_HELD = ("roller", "panel", "camera", m("Bluetooth dice"))
_BESIDE_A_SERVICE: tuple[Callable[[Path], Part], ...] = (_program, _games, _backups, _disk)
_ALONE: tuple[Callable[[Path], Part], ...] = (
    _database,
    _roller,
    _panel,
    _camera,
    _bluetooth,
    _own_wifi,
    _updates,
    _mqtt,
)
