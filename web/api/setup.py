"""The first switch-on, and the owner's settings."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec
from flask import request

from companion.core.jsontext import JsonObject
from companion.core.messages import Message, m, replaced
from companion.service.system.settings_form import SettingsSection, settings_form
from companion.table.exc import BackupError, TableError
from web.access.limits import WORK
from web.access.people import host_only, open_session, person, pin_fault, set_pin
from web.access.setup import State
from web.api.operations import Answer, operation
from web.api.shapes import Empty, Said
from web.exc import WebError
from web.site import site


class SetupEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the first phone says: a PIN of its own choice, and what the box is called."""

    pin: Annotated[str, msgspec.Meta(max_length=40)]
    name: Annotated[str, msgspec.Meta(max_length=40)] = ""
    language: Annotated[str, msgspec.Meta(max_length=8)] = ""
    time_zone: Annotated[str, msgspec.Meta(max_length=60)] = ""
    now: Annotated[float, msgspec.Meta(ge=0, le=1e14)] = 0.0  # the phone's time, in milliseconds since 1970


class PhoneTime(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What time it is, in milliseconds since 1970, as browsers count."""

    now: Annotated[float, msgspec.Meta(ge=0, le=1e14)]


class BackupChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A backup of those that the box has listed: one of its own, or one on a stick."""

    name: Annotated[str, msgspec.Meta(max_length=300)]


class SetupView(msgspec.Struct, frozen=True):
    """Whether the box waits for its owner; ``closed``: the time for that is over until its next start."""

    state: State
    minutes_left: int


class SettingsRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some settings by section and name: ``{"camera": {"name": "pi"}}``; all others stay."""

    settings: Annotated[dict[str, JsonObject], msgspec.Meta(min_length=1, max_length=20)]


class SettingsView(msgspec.Struct, frozen=True):
    """Every setting; ``restart``: something was changed that counts only from the next start on."""

    sections: list[SettingsSection]
    restart: bool


@operation("GET", "/setup", "Whether the box is waiting to be set up", SetupView)
def setup_state() -> SetupView:
    """Tell whether the first phone can set up the box, which ends ten minutes after its start."""
    return SetupView(site().setup.state, site().setup.minutes_left)


@operation("POST", "/setup", "Set a new box up", Said, body=SetupEntry, problems=(403,))
def set_up(body: SetupEntry) -> Answer:
    """Set up the box, once; this browser becomes the host's. An invalid entry changes nothing."""
    if site().setup.state != "open":
        raise WebError(403, "setup-closed", _CLOSED)
    fault = pin_fault(body.pin)
    if fault:
        raise WebError(422, "bad-pin", fault)
    told = {"language": body.language, "time_zone": body.time_zone}
    box = {**told, **({"name": body.name.strip()} if body.name.strip() else {})}
    service = site().service
    _checked(lambda: service.settings.check({"box": box}))
    if not site().setup.take():
        raise WebError(403, "setup-closed", _CLOSED)
    set_pin(service.store, body.pin)
    _checked(lambda: service.settings.change({"box": box}))
    if body.now:
        service.clock.tell(body.now / 1000)
    site().room.touch()  # screens no longer ask to be set up
    return Answer(Said(m("the box is yours")), mark=lambda answer: open_session(answer, "host"))


_CLOSED = m(
    "this box is set up already, or the ten minutes for it are over: "
    "pull its plug and put it back to begin again, if it was never set up"
)


def _owner_or_first() -> None:
    """The host; and on a box that waits to be set up, whoever comes first."""
    if not person().host and site().setup.state != "open":
        host_only()


def listed_backups() -> dict[str, Path]:
    """Every backup that can be brought back here, by what it is called on the page: the stick's first."""
    service = site().service
    on_sticks = {
        m("USB stick, {name}: {name2}", name=one.parent.name, name2=one.name): one
        for one in service.backups.on_sticks()
    }
    return on_sticks | {one.name: one for one in service.backups.here()}


@operation(
    "POST",
    "/setup/restore",
    "Restore a listed backup (host, or the first phone on a new box)",
    Said,
    body=BackupChoice,
    problems=(403, 404, 409, 429, 503),
    allowed=_owner_or_first,
)
def restore_listed(body: BackupChoice) -> Said:
    """Everything is as it was then, the PIN too; what is here now is kept aside. The service starts again.

    Of a backup that this box did not make come neither the PIN nor sessions, seats and commands: the box
    keeps its own, or waits to be set up.
    """
    site().limiter.take("work", request.remote_addr or "", WORK)
    path = listed_backups().get(body.name)
    if path is None:
        raise WebError(404, "no-backup", m("there is no such backup"))
    return _brought_back(path)


@operation(
    "POST",
    "/setup/upload",
    "Restore a backup from the request (host, or the first phone on a new box)",
    Said,
    sent=("application/zip", "application/octet-stream", "application/x-zip-compressed"),
    problems=(403, 409, 429, 503),
    allowed=_owner_or_first,
)
def restore_sent(content: bytes) -> Said:
    """Restore a backup uploaded from the phone.

    A backup with many photographs is too large to upload: bring it on a USB stick instead.
    """
    site().limiter.take("work", request.remote_addr or "", WORK)
    with tempfile.NamedTemporaryFile(suffix=".zip") as file:
        file.write(content)
        file.flush()
        return _brought_back(Path(file.name))


def _brought_back(path: Path) -> Said:
    try:
        staged = site().service.backups.bring_back(path)
    except BackupError as problem:
        message = problem.message
        if isinstance(message, Message):  # nobody knows where the box keeps what was sent to it
            message = replaced(message, lambda it: m("this file") if it == path else None)
        raise WebError(422, problem.code, message) from None
    when = staged.made[:16].replace("T", " ")
    if staged.own:
        return Said(m("the backup of {when} comes back: the box starts again", when=when))
    return Said(
        m(
            "the backup of {when} comes back: the box starts again, without that backup's PIN, seats and"
            " commands, for another box made it",
            when=when,
        )
    )


@operation(
    "POST",
    "/host/clock",
    "Tell the box what time it is (host)",
    Said,
    body=PhoneTime,
    problems=(403,),
    allowed=host_only,
)
def tell_time(body: PhoneTime) -> Said:
    """Set the time; ignored once the network or a hardware clock has set it."""
    believed = site().service.clock.tell(body.now / 1000)
    return Said(m("the box goes by this phone's time") if believed else m("the box knows what time it is"))


@operation(
    "GET", "/host/settings", "The owner's settings (host)", SettingsView, problems=(403,), allowed=host_only
)
def view_settings() -> SettingsView:
    """Return every setting with its purpose, value and default."""
    service = site().service
    return SettingsView(settings_form(service.settings.now), service.settings.waits_for_restart)


@operation(
    "POST",
    "/host/settings",
    "Change settings (host)",
    Said,
    body=SettingsRequest,
    problems=(403, 503),
    allowed=host_only,
)
def change_settings(body: SettingsRequest) -> Said:
    """Change settings; if one is wrong, none is changed."""
    service = site().service
    _checked(lambda: service.settings.change(body.settings))
    site().room.touch()
    return Said(
        m("saved; it takes effect when the box is started again")
        if service.settings.waits_for_restart
        else m("saved")
    )


def _checked(work: Callable[[], None]) -> None:
    """A wrong setting is the sender's fault."""
    try:
        work()
    except TableError as problem:
        if problem.code != "bad-settings":
            raise
        raise WebError(422, problem.code, problem.message) from None


@operation(
    "POST",
    "/host/restart",
    "Restart the box's service (host)",
    Said,
    body=Empty,
    problems=(403, 409),
    allowed=host_only,
)
def restart() -> Said:
    """Restart the service; matches continue where they were, and pages reconnect by themselves."""
    problem = site().service.power.restart()
    if problem is not None:
        raise WebError(409, "cannot-restart", problem)
    return Said(m("the box starts again: this page comes back in a few seconds"))
