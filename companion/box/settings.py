"""The owner's settings: ``settings.toml`` in the table's folder. No file: everything is as usual.

::

    [roller]
    ports = ["/dev/ttyACM1"]      # beside the USB ports that are found anyway
    virtual = true                # virtual dice when no roller answers

    [panel]                       # pins are the Pi's GPIO numbers (BCM)
    shutter = 5

    [camera]
    name = "pi"                   # or "usb", "usb:1", "/dev/video2", a folder; none: only phones photograph

    [power]
    off = ["systemctl", "poweroff"]
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import msgspec

from companion.games.contract import Plain
from companion.table.exc import TableError, translated
from firmware_bridge.panel import PanelSettings

FILE = "settings.toml"


class RollerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where to look for the dice roller, and what to do without one."""

    ports: tuple[str, ...] = ()
    virtual: bool = True


class CameraSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The box's own camera."""

    name: str = ""


class PowerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The command that switches the box off once the service has stopped; none: only the service stops."""

    off: tuple[str, ...] = ()


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be set."""

    roller: RollerSettings = RollerSettings()
    panel: PanelSettings = msgspec.field(default_factory=PanelSettings)
    camera: CameraSettings = CameraSettings()
    power: PowerSettings = PowerSettings()


def read_settings(folder: Path) -> Settings:
    """What the owner has set; an unknown or wrong entry is one sentence, not a guess."""
    path = folder / FILE
    if not path.exists():
        return Settings()
    with translated(path):
        text = path.read_bytes()
    try:
        settings = msgspec.toml.decode(text, type=Settings)
        _refuse_unknown_pins(msgspec.toml.decode(text))
    except (msgspec.DecodeError, ValueError) as problem:
        raise TableError("bad-settings", f"{path}: {problem}") from problem
    return settings


def settings_or_usual(folder: Path) -> tuple[Settings, list[str]]:
    """The same for a table that has to go on: with a file that cannot be read everything is as usual."""
    try:
        return read_settings(folder), []
    except TableError as problem:
        note = (
            f"{problem.message}. Everything is as usual until that file is mended; backups have a copy of it."
        )
        return Settings(), [note]


def _refuse_unknown_pins(text: Plain) -> None:
    """The bridge's settings are a dataclass, which by itself would pass over what it does not know."""
    known = {field.name for field in fields(PanelSettings)}
    unknown = next((name for name in text.get("panel", {}) if name not in known), None)
    if unknown is not None:
        raise ValueError(f"the panel has no {unknown!r}: it has {', '.join(sorted(known))}")
