"""The settings as a form: what each is for, and how it is entered.

The shapes say which settings there are and of which kind; the words for people stand here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
    written: str = ""  # how it is written, where somebody writes it


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
    written: dict[str, str] = field(default_factory=dict)


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
            "language": m("Language of pages for people who have not chosen one"),
            "time_zone": m("Time zone of the times on pages"),
            "names": m("More names under which the pages may be opened"),
        },
        {
            "time_zone": m("such as {example}; empty: the machine's own", example="Europe/Berlin"),
            "names": m("such as {example}", example="trains.home"),
        },
    ),
    "roller": _Words(
        m("Dice roller"),
        {
            "ports": m("Ports to try besides the USB ports that are found anyway"),
            "ignore": m("Devices that are no dice roller, and are left alone"),
            "virtual": m("The box throws virtual dice while no dice roller answers"),
            "bluetooth": m("Look for Bluetooth dice that people own: Pixels and GoDice"),
        },
        {
            "ports": m("such as {example}", example="/dev/ttyACM1"),
            "ignore": m(
                "a port, a part of a description, or its numbers, such as {example}", example="10c4:ea60"
            ),
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
            "name": m("The camera over the table"),
            "rotation": m("By how many degrees its pictures are turned clockwise"),
            "crop": m("What counts of the picture"),
            "watch": m(
                "Watch the table: what was drawn is read when hands are away, without pressing anything"
            ),
            "rolls_after": m(
                "With a watching camera, throw the dice so many seconds after everybody is done; 0: never"
            ),
            "record": m("With a watching camera, keep a small picture of each board every round"),
            "focus": m("Focus, where the camera is the Pi's own"),
        },
        {
            "name": m(
                "{pi} is the Pi's own, {usb} the first one on USB, {named} that of a name, {phone} an old "
                "phone with the page {page}; or its address; empty: phones only",
                pi="pi",
                usb="usb",
                named="usb:Logitech",
                phone="phone",
                page="/camera",
            ),
            "crop": m("left, top, right, bottom in percent; empty: all of it"),
            "focus": m("{auto}, or dioptres (1 divided by metres)", auto="auto"),
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
            "address": m("Where new versions are; asked only when you tap"),
        },
        {"address": m("such as {example}", example="https://example.org/stationmaster/")},
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
                words.written.get(name, ""),
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
