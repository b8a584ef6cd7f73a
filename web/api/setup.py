"""The first switch-on, and the owner's settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec

from companion.box.settings_form import SettingsSection, settings_form
from companion.games.contract import Plain
from companion.table.exc import TableError
from web.api.operations import Answer, operation
from web.api.shapes import Empty, Said
from web.exc import WebError
from web.people import host_only, open_session, pin_fault, set_pin
from web.setup import State
from web.site import site


class SetupEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the first phone says: a PIN of its own choice, and what the box is called."""

    pin: Annotated[str, msgspec.Meta(max_length=40)]
    name: Annotated[str, msgspec.Meta(max_length=40)] = ""
    language: Annotated[str, msgspec.Meta(max_length=8)] = ""
    time_zone: Annotated[str, msgspec.Meta(max_length=60)] = ""


class SetupView(msgspec.Struct, frozen=True):
    """Whether the box waits for its owner; ``closed``: the time for that is over until its next start."""

    state: State
    minutes_left: int


class SettingsWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some settings by section and name: ``{"camera": {"name": "pi"}}``; all others stay."""

    settings: Annotated[dict[str, Plain], msgspec.Meta(min_length=1, max_length=20)]


class SettingsView(msgspec.Struct, frozen=True):
    """Every setting; ``restart``: something was changed that counts only from the next start on."""

    sections: list[SettingsSection]
    restart: bool


@operation("GET", "/setup", "Does the box wait to be set up?", SetupView)
def setup_state() -> SetupView:
    """By the first phone, within ten minutes of its start."""
    return SetupView(site().setup.state, site().setup.minutes_left)


@operation("POST", "/setup", "Set a new box up", Said, body=SetupEntry, problems=(403,))
def set_up(body: SetupEntry) -> Answer:
    """Once, by whoever comes first; that browser is the host's then. Nothing is kept of a faulty entry."""
    if site().setup.state != "open":
        raise WebError(403, "setup-closed", _CLOSED)
    fault = pin_fault(body.pin)
    if fault:
        raise WebError(422, "bad-pin", fault)
    told = {"language": body.language, "time_zone": body.time_zone}
    box = {**told, **({"name": body.name.strip()} if body.name.strip() else {})}
    house = site().house
    _checked(lambda: house.check_settings({"box": box}))
    if not site().setup.take():
        raise WebError(403, "setup-closed", _CLOSED)
    set_pin(house, body.pin)
    _checked(lambda: house.change_settings({"box": box}))
    site().room.touch()  # screens no longer ask to be set up
    return Answer(Said("the box is yours"), mark=lambda answer: open_session(answer, "host"))


_CLOSED = (
    "this box is set up already, or the ten minutes for it are over: "
    "pull its plug and put it back to begin again, if it was never set up"
)


@operation("GET", "/host/settings", "The owner's settings (host)", SettingsView, problems=(403,))
def view_settings() -> SettingsView:
    """With what each is for, its value and the usual one."""
    host_only()
    house = site().house
    return SettingsView(settings_form(house.settings), house.waits_for_restart)


@operation("POST", "/host/settings", "Change settings (host)", Said, body=SettingsWish, problems=(403, 503))
def change_settings(body: SettingsWish) -> Said:
    """All of them or none."""
    host_only()
    house = site().house
    _checked(lambda: house.change_settings(body.settings))
    site().room.touch()
    return Said("kept; it counts from the next start on" if house.waits_for_restart else "kept")


def _checked(work: Callable[[], None]) -> None:
    """A wrong setting is the sender's fault."""
    try:
        work()
    except TableError as problem:
        if problem.code != "bad-settings":
            raise
        raise WebError(422, problem.code, problem.message) from None


@operation(
    "POST", "/host/restart", "Start the box's service again (host)", Said, body=Empty, problems=(403, 409)
)
def restart() -> Said:
    """Matches go on where they are; pages come back by themselves."""
    host_only()
    problem = site().house.restart()
    if problem is not None:
        raise WebError(409, "cannot-restart", problem)
    return Said("the box starts again: this page comes back in a few seconds")
