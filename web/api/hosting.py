"""What the host does: the PIN, seats, backups, switching off."""

from __future__ import annotations

from flask import Response, request, send_file

from companion.core.jsontext import builtins_of
from companion.core.messages import m
from companion.game.base import Action
from companion.service.devices.dice_policy import DICE_SETTING
from companion.table.events import Actor
from companion.table.seats import Player, default_player
from companion.table.sitting import taken_seats
from web.access.guessing import guessed
from web.access.joining import join_code
from web.access.limits import WORK
from web.access.people import close_session, host_only, is_host_key, is_pin, new_host_key, open_session
from web.api.matches import accepted_or_problem, done, idempotency_key
from web.api.operations import Answer, operation
from web.api.shapes import (
    BackupMade,
    DiceSource,
    Done,
    Empty,
    HostView,
    Keeping,
    Light,
    PinEntry,
    Said,
    ScreenLanguage,
    SeatChange,
    SeatLine,
)
from web.exc import WebError
from web.live.streams import ROOM
from web.site import find_match, site
from web.ui.languages import SCREEN_LANGUAGE

_MISTYPED = 3  # wrong PINs in an hour that need no note


@operation("POST", "/host", "Enter the host PIN", Said, body=PinEntry, problems=(403, 429))
def enter(body: PinEntry) -> Answer:
    """Enter the host PIN; limited to three wrong ones a minute, five in ten minutes, ten an hour.

    The key is not limited: strangers' wrong PINs keep nobody out who has it.
    """
    store = site().service.store
    if (
        not is_host_key(store, body.pin)
        and guessed("pin", lambda: is_pin(store, body.pin.strip()) or None) is None
    ):
        raise WebError(
            403, "bad-pin", m("that is not the host PIN: the box printed it when it was first started")
        )
    site().setup.done()  # whoever knows the PIN owns the box
    return Answer(Said(m("welcome")), mark=lambda answer: open_session(answer, body.role))


@operation(
    "POST",
    "/host/key",
    "Make a key for another phone of the host's (host)",
    Said,
    body=Empty,
    problems=(403,),
    allowed=host_only,
)
def make_key() -> Said:
    """Make a key with which another phone becomes the host's, whatever strangers try; the one before ends."""
    key = new_host_key(site().service.store)
    return Said(m("enter this key instead of the PIN on the other phone: {key}", key=key))


@operation("DELETE", "/host", "Stop being the host in this browser", Said)
def leave() -> Answer:
    """End this browser's session as host or as the table's screen."""
    return Answer(Said(m("this browser is a watcher's again")), mark=close_session)


@operation("GET", "/host", "Everything about the box (host)", HostView, problems=(403,), allowed=host_only)
def view() -> HostView:
    """Return the host's overview: devices, seats and backups."""
    service = site().service
    match = service.table.current
    seats = (
        []
        if match is None
        else [SeatLine(seat, player, seat in taken_seats(match)) for seat, player in match.players.items()]
    )
    return HostView(
        links=list(service.links),
        match=match.id if match else None,
        join_code=join_code(service.store, match) if match else None,
        seats=seats,
        parts=service.parts(),
        notes=[*service.notes, *_wrong_pins()],
        storage=service.storage,
        backups=[path.name for path in service.backups.here()],
        taught=service.taught.boards(),
        dice=service.dice.policy.source,
        lamps=list(service.lights.lamps),
        lit=service.lights.lit,
        streams=site().live.open,
    )


def _wrong_pins() -> list[str]:
    wrong = site().limiter.lately("pin", 3600.0)
    return [m("Wrong host PINs in the last hour: {wrong}.", wrong=wrong)] if wrong > _MISTYPED else []


@operation(
    "POST",
    "/matches/<match>/seats/<int:seat>",
    "Rename a seat or free it (host)",
    Done,
    body=SeatChange,
    problems=(403, 404, 409, 503),
    allowed=host_only,
)
def change_seat(match: str, seat: int, body: SeatChange) -> Done:
    """Rename or free a seat; the previous browser of a freed seat becomes a watcher's."""
    found = find_match(match)
    player = found.players.get(seat)
    if player is None:
        raise WebError(404, "no-seat", m("there is no such seat in this match"))
    usual = default_player(seat).name
    name = usual if body.free else (body.name or "").strip() or player.name
    if name == usual and not body.free and seat in taken_seats(found):
        message = m(
            "{usual} is what a free seat is called: choose another name, or free the seat", usual=usual
        )
        raise WebError(409, "bad-name", message)
    wanted = Action("sit", seat, builtins_of(Player(name, player.colour, player.shape)))
    answer = accepted_or_problem(
        site().service.table.submit(wanted, Actor("host"), idempotency_key(), match=found.id)
    )
    if body.free:
        site().joining.look_away(found.id, [seat])
        site().service.table.issue_token(found.id, seat)  # nobody is told: the old one opens nothing any more
    return done(answer)


@operation(
    "POST",
    "/host/backups",
    "Make a backup (host)",
    BackupMade,
    body=Empty,
    status=201,
    problems=(403, 409, 429, 503),
    allowed=host_only,
)
def make_backup() -> BackupMade:
    """Make a backup; it is read back and verified."""
    site().limiter.take("work", request.remote_addr or "", WORK)
    made = site().service.backups.make()
    return BackupMade(made.name, made.stat().st_size)


@operation(
    "GET",
    "/host/backups/<name>",
    "A backup as a file (host)",
    None,
    kinds=("application/zip",),
    problems=(403, 404),
    allowed=host_only,
)
def get_backup(name: str) -> Response:
    """Download a backup by its exact name in the box's list."""
    path = next((one for one in site().service.backups.here() if one.name == name), None)
    if path is None:
        raise WebError(404, "no-backup", m("there is no such backup"))
    return send_file(path, as_attachment=True, download_name=path.name, mimetype="application/zip")


@operation(
    "POST",
    "/host/dice",
    "Choose where rolls come from (host)",
    Said,
    body=DiceSource,
    problems=(403,),
    allowed=host_only,
)
def choose_dice(body: DiceSource) -> Said:
    """Choose the source of dice for all matches from now on."""
    site().service.store.put_setting(DICE_SETTING, body.source)
    return Said(m("rolls come from there now"))


@operation(
    "POST",
    "/host/storage",
    "Continue without saving while the disk is full, or try to save again (host)",
    Said,
    body=Keeping,
    problems=(403, 409, 503),
    allowed=host_only,
)
def choose_storage(body: Keeping) -> Said:
    """Play on in memory, or retry the disk; the box also retries by itself."""
    service = site().service
    if body.where == "memory":
        if not service.storage.trouble and service.storage.unsaved is None:
            raise WebError(409, "disk-fine", m("the disk has room: nothing has to be kept in memory"))
        service.store.go_on_in_memory()
        site().room.touch()
        return Said(m("the table plays on; nothing is stored until the disk has room again"))
    if not service.store.save_again():
        raise WebError(
            503,
            "disk-full",
            m("the disk still cannot be written to: {trouble}", trouble=service.storage.trouble),
        )
    site().room.touch()
    return Said(m("everything is stored"))


@operation(
    "POST",
    "/host/language",
    "Choose the language of the table's screen (host)",
    Said,
    body=ScreenLanguage,
    problems=(403,),
    allowed=host_only,
)
def choose_language(body: ScreenLanguage) -> Said:
    """Set the language of the table's screen, which follows by itself; empty: as its browser asks."""
    site().service.store.put_setting(SCREEN_LANGUAGE, body.language)
    site().live.send(ROOM)
    return Said(m("the table's screen speaks that language now"))


@operation(
    "POST",
    "/host/lamps",
    "Light the table with the panel's lamps (host)",
    Said,
    body=Light,
    problems=(403, 409),
    allowed=host_only,
)
def light(body: Light) -> Said:
    """Light the table until changed or switched off; 409 if there is no such lamp."""
    site().service.lights.light(body.lit)
    return Said(_LIGHT[body.lit])


_LIGHT = {
    "off": m("the lamps are off"),
    "left": m("the table is lit from the left"),
    "right": m("the table is lit from the right"),
    "both": m("the table is lit from both sides"),
}


@operation(
    "POST",
    "/host/shutdown",
    "Shut the box down safely (host)",
    Said,
    body=Empty,
    problems=(403, 409),
    allowed=host_only,
)
def shut_down() -> Said:
    """Shut down the box, or only the service where it may not; everything is stored already."""
    problem = site().service.power.shut_down()
    if problem is not None:
        raise WebError(409, "cannot-shut-down", problem)
    return Said(m("the box is stopping: wait for its lamp, then unplug it"))
