"""The owner's settings: ``settings.toml`` in the table's folder. No file: everything is as usual.

They are changed on the host's page (``/host/settings``) or in the file, some in the file alone; what each
one means is in ``docs/settings.md``::

    [box]
    name = "The attic"
    time_zone = "Europe/Berlin"

    [panel]                       # pins are the Pi's GPIO numbers (BCM)
    shutter = 5

    [camera]
    name = "pi"
"""

from __future__ import annotations

import json
import os
import re
import zoneinfo
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import msgspec

from companion.core.jsontext import JsonObject, builtins_of
from companion.core.messages import m
from companion.service.system.mqtt import broker_at
from companion.table.exc import TableError, translated
from companion.table.folder import SETTINGS, sync_folder
from companion.table.provenance import is_folder
from firmware_bridge.panel import PanelSettings

FILE = SETTINGS
# Programs that the box starts, and a password with the machine to which the box tells everything by itself.
IN_THE_FILE_ALONE = frozenset({"power", "mqtt"})
BEFORE = "settings-before.toml"  # as it was before the last change on the host's page
USUAL_NAME = "Stationmaster"
_NO_PIN = -1  # TOML has no word for nothing
_LAST_PIN = 27
_HOST_NAME = re.compile(r"(?=.{1,253}\Z)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*\.?", re.IGNORECASE)


class BoxSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the box is called, and where it stands."""

    name: str = USUAL_NAME
    language: str = ""  # of pages whose reader has chosen none; none: the browser's
    time_zone: str = ""  # as in the tz database; none: the machine's
    names: tuple[str, ...] = ()  # more names under which the pages may be opened

    def __post_init__(self) -> None:
        if not 1 <= len(self.name.strip()) <= 40 or not self.name.isprintable():
            raise ValueError(m("the name of the box has 1 to 40 characters"))
        if not re.fullmatch(r"([a-z]{2,3}(-[A-Za-z]{2,4})?)?", self.language):
            raise ValueError(m("the language is written in two letters, as en or de"))
        for name in self.names:
            if not _HOST_NAME.fullmatch(name):
                raise ValueError(
                    m("{name} is no name for a machine: write it as trains.home", name=repr(name))
                )
        if self.time_zone:
            try:
                zoneinfo.ZoneInfo(self.time_zone)
            except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError) as problem:
                message = m(
                    "there is no time zone {time_zone}: write it as Europe/Berlin",
                    time_zone=repr(self.time_zone),
                )
                raise ValueError(message) from problem


class RollerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where to look for the dice roller, and what to do without one."""

    ports: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()  # other serial devices that are left alone
    virtual: bool = True
    bluetooth: bool = False  # dice that people own: Pixels, GoDice


class CameraSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The box's own camera, and how it is used."""

    name: str = ""
    rotation: int = 0  # degrees clockwise that make its pictures upright
    crop: str = ""  # left, top, right, bottom of what counts, in percent; empty: all
    focus: str = "auto"  # or dioptres
    watch: bool = False  # a drawn turn is seen without pressing anything
    rolls_after: int = 0  # seconds until dice are thrown by themselves once everybody is done; 0: never
    record: bool = False  # a small picture of each board a round is kept

    def __post_init__(self) -> None:
        if self.rotation not in (0, 90, 180, 270):
            raise ValueError(m("the camera is turned by 0, 90, 180 or 270 degrees"))
        if not 0 <= self.rolls_after <= 120:
            raise ValueError(m("dice are thrown by themselves after 1 to 120 seconds, or 0 for never"))
        if self.focus != "auto" and not re.fullmatch(r"\d{1,2}(\.\d{1,3})?", self.focus, re.ASCII):
            raise ValueError(m("the focus is auto, or a distance in dioptres (1 divided by metres) as 2.5"))
        if self.crop and not self.part:
            raise ValueError(m("the crop is left, top, right and bottom in percent, as 10 0 90 100"))

    @property
    def part(self) -> tuple[float, ...]:
        """The crop as numbers; empty: all of the picture, or nothing sensible."""
        words = self.crop.split()
        if len(words) != 4 or not all(re.fullmatch(r"\d{1,3}(\.\d+)?", one, re.ASCII) for one in words):
            return ()
        left, top, right, bottom = map(float, words)
        fits = left < right <= 100 and top < bottom <= 100
        return (left, top, right, bottom) if fits else ()


class PowerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The command that switches the box off once the service has stopped; none: only the service stops.

    Usually what the one who installed the box says (the package: ``systemctl poweroff``).
    """

    off: tuple[str, ...] = msgspec.field(
        default_factory=lambda: tuple(os.environ.get("STATIONMASTER_OFF", "").split())
    )


class NetworkSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The box's own Wi-Fi for where there is no network; usually on where the installer says so."""

    access_point: bool = msgspec.field(default_factory=lambda: bool(os.environ.get("STATIONMASTER_OWN_WIFI")))
    name: str = "Stationmaster"
    password: str = "stationmaster"  # noqa: S105 - known from the guide; changing anything takes code or PIN

    def __post_init__(self) -> None:
        if not 1 <= len(self.name.encode()) <= 32 or not self.name.isprintable():
            raise ValueError(m("the name of the box's Wi-Fi has 1 to 32 letters"))
        if not 8 <= len(self.password) <= 63 or not (self.password.isascii() and self.password.isprintable()):
            raise ValueError(m("the password of the box's Wi-Fi has 8 to 63 plain letters or digits"))


class UpdatesSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where new versions of the program are; it is asked only when the host taps."""

    address: str = ""

    def __post_init__(self) -> None:
        if self.address and not re.fullmatch(r"https?://[^\s/]+\S*", self.address):
            raise ValueError(m("the address for updates begins with http:// or https://"))


class MqttSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The broker that is told how matches stand, for Home Assistant; none: nobody is."""

    broker: str = ""

    def __post_init__(self) -> None:
        if self.broker:
            try:
                broker_at(self.broker)
            except TableError as problem:
                raise ValueError(problem.message) from problem


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be set."""

    box: BoxSettings = BoxSettings()
    roller: RollerSettings = RollerSettings()
    panel: PanelSettings = msgspec.field(default_factory=lambda: PanelSettings(on=False))
    camera: CameraSettings = CameraSettings()
    power: PowerSettings = PowerSettings()
    network: NetworkSettings = NetworkSettings()
    updates: UpdatesSettings = UpdatesSettings()
    mqtt: MqttSettings = MqttSettings()


def read_settings(folder: Path) -> Settings:
    """Read the owner's settings; raise a TableError that names an unknown or wrong entry."""
    path = folder / FILE
    if not path.exists():
        return Settings()
    with translated(path):
        text = path.read_bytes()
    try:
        return _settings_of(msgspec.toml.decode(text))
    except (msgspec.DecodeError, ValueError, RecursionError) as problem:
        raise TableError("bad-settings", f"{path}: {problem}") from problem


def settings_or_usual(folder: Path) -> tuple[Settings, list[str]]:
    """Read the owner's settings, falling back to the defaults (and a note) if the file is unreadable."""
    try:
        return read_settings(folder), []
    except TableError as problem:
        note = m(
            "{message}. The defaults apply until that file is corrected; backups have a copy of it.",
            message=problem.message,
        )
        return Settings(), [note]


def _settings_of(plain: JsonObject) -> Settings:
    """The settings, or a ValueError. A panel that has a section is wired, whatever else stands there."""
    panel = plain.get("panel")
    if isinstance(panel, dict):
        _refuse_unknown_pins(panel)
        pins = {name: None if value == _NO_PIN else value for name, value in panel.items()}
        plain = {**plain, "panel": {"on": True, **pins}}
    settings = msgspec.convert(plain, Settings)
    _check_panel(settings.panel)
    return settings


def _refuse_unknown_pins(panel: JsonObject) -> None:
    """Refuse unknown entries of the panel, which the bridge's dataclass would silently ignore."""
    known = {field.name for field in fields(PanelSettings)}
    unknown = next((name for name in panel if name not in known), None)
    if unknown is not None:
        settings = ", ".join(sorted(known))
        raise ValueError(
            m("the panel has no {unknown}: it has {settings}", unknown=repr(unknown), settings=settings)
        )


def _check_panel(panel: PanelSettings) -> None:
    pins = {name: pin for name, pin in panel.pins().items() if pin is not None}
    for name, pin in pins.items():
        if not 0 <= pin <= _LAST_PIN:
            message = m(
                "the panel's {name} cannot be at GPIO {pin}: the Pi has GPIO 0 to {last}",
                name=name,
                pin=pin,
                last=_LAST_PIN,
            )
            raise ValueError(message)
        other = next((one for one in pins if one != name and pins[one] == pin), None)
        if other is not None:
            message = m(
                "the panel's {name} and {other} are both at GPIO {pin}: give each its own",
                name=name,
                other=other,
                pin=pin,
            )
            raise ValueError(message)
    if not (0 <= panel.settle_seconds <= 1 and 0 < panel.hold_seconds <= 30):
        raise ValueError(m("a button settles within 1 second and is held for 30 at most"))


def plain_of(settings: Settings) -> dict[str, dict[str, Any]]:
    """Every setting by section and name, as JSON has it."""
    told: dict[str, dict[str, Any]] = builtins_of(settings)
    return {**told, "panel": asdict(settings.panel)}  # msgspec leaves out what a dataclass has by itself


def changed(settings: Settings, changes: JsonObject) -> Settings:
    """The settings with some of them changed: ``{"camera": {"name": "pi"}}``; a wrong one is one sentence.

    What is run as a command is not among those that a page may change: the host's PIN would be a shell. Nor
    is a broker, to which the box connects by itself, nor a folder of pictures: it would show every picture of
    the machine.
    """
    plain: JsonObject = dict(plain_of(settings))
    for section, values in changes.items():
        if section in IN_THE_FILE_ALONE:
            message = m(
                "the settings of {section} are changed only in the file {file}",
                section=repr(section),
                file=FILE,
            )
            raise TableError("bad-settings", message)
        if section not in plain or not isinstance(values, dict):
            raise TableError(
                "bad-settings", m("there are no settings called {section}", section=repr(section))
            )
        plain[section] = {**plain[section], **values}
    try:
        made = _settings_of(plain)
    except (msgspec.ValidationError, ValueError) as problem:
        raise TableError("bad-settings", _sentence(problem)) from problem
    if made.camera.name != settings.camera.name and is_folder(made.camera.name):
        message = m(
            "a camera is pi, usb, phone or an address in the network; a folder of pictures is named only in"
            " the file {file}",
            file=FILE,
        )
        raise TableError("bad-settings", message)
    return made


def _sentence(problem: Exception) -> str:
    """What the settings themselves said is wrong; msgspec only hands on its text, with a place behind it."""
    said = problem.__cause__ if isinstance(problem.__cause__, ValueError) else problem
    return said.args[0] if said.args and isinstance(said.args[0], str) else str(problem)


def write_settings(folder: Path, settings: Settings) -> None:
    """Write the settings without those at their defaults; the previous file is kept beside it."""
    path = folder / FILE
    half = path.with_suffix(".half")
    with translated(path):
        with half.open("w", encoding="utf-8") as file:
            file.write(as_toml(settings))
            file.flush()
            os.fsync(file.fileno())
        if path.is_file():
            before = path.read_bytes()
            (folder / BEFORE).write_bytes(before)
        half.replace(path)
        sync_folder(folder)


def as_toml(settings: Settings) -> str:
    """The text of the file.

    >>> print(as_toml(Settings(camera=CameraSettings(name="pi"))), end="")
    # Written by the host's page; docs/settings.md says what each setting means.
    [camera]
    name = "pi"
    """
    lines = ["# Written by the host's page; docs/settings.md says what each setting means."]
    usual = plain_of(Settings())
    for section, values in plain_of(settings).items():
        own = {name: value for name, value in values.items() if value != usual[section][name]}
        if own and section == "panel":
            own = {"on": values["on"], **own}  # unsaid it would be on
        if own:
            lines += [f"[{section}]", *(f"{name} = {_toml(value)}" for name, value in own.items()), ""]
    return "\n".join(lines).rstrip() + "\n"


def _toml(value: Any) -> str:
    if value is None:
        return str(_NO_PIN)
    return json.dumps(value, ensure_ascii=True).replace("\x7f", "\\u007f")
