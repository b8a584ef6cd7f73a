"""The settings as a form: what each is for, and how it is entered.

The shapes say which settings there are and of which kind; the words for people stand here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import msgspec

from companion.core.messages import m
from companion.languages import LANGUAGES as SPOKEN
from companion.service.system.settings import IN_THE_FILE_ALONE, Settings, plain_of

Kind: TypeAlias = Literal["text", "number", "yes-no", "list", "pin"]


class SettingField(msgspec.Struct, frozen=True):
    """One setting, with the value it has and the usual one."""

    name: str
    kind: Kind
    says: str
    value: Any
    usual: Any
    choices: dict[Any, str] = {}  # what may be chosen, with words for people; none: anything


class SettingsSection(msgspec.Struct, frozen=True):
    """The settings of one part. ``at_once``: they count without a restart."""

    name: str
    title: str
    at_once: bool
    fields: tuple[SettingField, ...]


@dataclass(frozen=True)
class _Words:
    title: str
    says: dict[str, str]


LANGUAGES = {"": m("Each phone's own"), **SPOKEN}
TURNS: dict[int, str] = {
    0: m("not at all"),
    90: m("a quarter right"),
    180: m("upside down"),
    270: m("a quarter left"),
}
CHOICES: dict[str, dict[Any, str]] = {"box.language": LANGUAGES, "camera.rotation": TURNS}
AT_ONCE = frozenset({"box", "camera", "updates"})  # all others count from the next start on

WORDS: dict[str, _Words] = {
    "box": _Words(
        m("The box"),
        {
            "name": m("What the box is called on its pages"),
            "language": m(
                "Language of pages for people who have not chosen one, such as de or fr; empty: the browser's"
            ),
            "time_zone": m(
                "Time zone of the times on pages, such as Europe/Berlin; empty: the machine's own"
            ),
            "names": m("More names under which the pages may be opened, such as trains.home"),
        },
    ),
    "roller": _Words(
        m("Dice roller"),
        {
            "ports": m("Ports to try besides the USB ports that are found anyway, such as /dev/ttyACM1"),
            "ignore": m("Other devices to leave alone: a port, a part of a description, or 10c4:ea60"),
            "virtual": m("The box throws virtual dice while no dice roller answers"),
            "bluetooth": m("Look for Bluetooth dice that people own: Pixels and GoDice"),
        },
    ),
    "panel": _Words(
        m("Buttons and lamps"),
        {
            "on": m("A panel is wired to this Pi's pins; without it no pin is touched"),
            "shutter": m("GPIO of the shutter button"),
            "roll": m("GPIO of the roll button"),
            "undo": m("GPIO of the undo button"),
            "power": m("GPIO of the power button"),
            "status_lamp": m("GPIO of the status lamp"),
            "left_lamp": m("GPIO of the left work lamp"),
            "right_lamp": m("GPIO of the right work lamp"),
            "buzzer": m("GPIO of the buzzer"),
            "settle_seconds": m("A button counts once it has been still for so many seconds"),
            "hold_seconds": m("The power button counts once it has been held for so many seconds"),
        },
    ),
    "camera": _Words(
        m("Camera"),
        {
            "name": m(
                "pi, usb, usb:part of a name, phone (its page: /camera), http://... or rtsp://...; "
                "empty: phones only"
            ),
            "rotation": m("By how many degrees its pictures are turned clockwise"),
            "crop": m("What counts of the picture: left, top, right, bottom in percent; empty: all of it"),
            "watch": m(
                "Watch the table: what was drawn is read when hands are away, without pressing anything"
            ),
            "rolls_after": m(
                "With a watching camera, throw the dice so many seconds after everybody is done; 0: never"
            ),
            "record": m("With a watching camera, keep a small picture of each board every round"),
            "focus": m("auto, or dioptres (1 divided by metres); only the Pi's own camera can be told"),
        },
    ),
    "network": _Words(
        m("The box's own Wi-Fi"),
        {
            "access_point": m("Open it after two minutes without any network (needs NetworkManager)"),
            "name": m("Its name"),
            "password": m("Its password, eight letters or more"),
        },
    ),
    "updates": _Words(
        m("Updates"),
        {
            "address": m(
                "Where new versions are, such as https://example.org/stationmaster/; asked only when you tap"
            )
        },
    ),
}


def settings_form(settings: Settings) -> list[SettingsSection]:
    """Every setting that a page may show and change, in the order of the file."""
    usual = plain_of(Settings())
    form = []
    for section, values in plain_of(settings).items():
        if section in IN_THE_FILE_ALONE:
            continue
        words = WORDS[section]
        entered = tuple(
            SettingField(
                name,
                _kind(usual[section][name], section),
                words.says[name],
                value,
                usual[section][name],
                CHOICES.get(f"{section}.{name}", {}),
            )
            for name, value in values.items()
        )
        form.append(SettingsSection(section, words.title, section in AT_ONCE, entered))
    return form


def _kind(usual: Any, section: str) -> Kind:
    match usual:
        case bool():
            return "yes-no"
        case list() | tuple():
            return "list"
        case float():
            return "number"
        case int() | None if section == "panel":
            return "pin"
        case int():
            return "number"
        case _:
            return "text"
