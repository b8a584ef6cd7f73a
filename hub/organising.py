"""What organisers and helpers do: everything becomes an entry of the log, and nothing is ever edited."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from typing import Annotated, Any, TypeVar, get_args

import msgspec
from flask import Blueprint, Response, request

from companion.club.messages import Seating
from companion.core.errors import GameError, NotationError, quoted
from companion.core.jsontext import JsonObject, builtins_of, read_object, shaped
from companion.core.messages import m, nm, pm
from companion.game.base import Game, MatchRequest, Mode, Refusal
from companion.game.registry import find_game
from companion.table.chance import SystemChance
from companion.table.seats import LONGEST_NAME
from hub import people
from hub.duplicate import dice_for, new_commitment, seed_of
from hub.evening import Round
from hub.house import HubHouse
from hub.intake.api import as_json, house
from hub.intake.ledger import CODE, new_code, now
from hub.intake.setting_aside import take_again
from hub.people import Role, close_session, need, open_session, role_of_key, role_of_pin
from hub.seating import seated
from hub.standings import Scheme, scheme_fault
from hub.state import Box
from hub.storage.database import next_version
from hub.storage.log import append
from web.access.limits import GUESSES, PINS_TOGETHER
from web.exc import WebError
from web.ui.speaking import spoken

organising = Blueprint("organising", __name__, url_prefix="/api/v1/organiser")
T = TypeVar("T")
Short = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Reason = Annotated[str, msgspec.Meta(min_length=3, max_length=300)]
PersonName = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body with which an organiser signs in."""

    pin: Annotated[str, msgspec.Meta(max_length=40)]


class Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that names people who come."""

    names: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=300)]], msgspec.Meta(min_length=1, max_length=600)
    ]


class Here(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that says that somebody goes home or is back."""

    person: PersonName
    here: bool


class Draw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that draws the next round: what is played, and how many sit at a table."""

    game: Short
    least: Annotated[int, msgspec.Meta(ge=2, le=6)] = 2
    most: Annotated[int, msgspec.Meta(ge=2, le=6)] = 4
    mode: Short = "umpire"
    options: JsonObject = {}
    duplicate: bool = False  # the same dice at all tables


class Begin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that begins a round, with a word from the hall for the dice of all tables."""

    word: Annotated[str, msgspec.Meta(max_length=80)] = ""


class Correct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that corrects a result: totals by seat that count instead."""

    box: Short
    match: Short
    totals: dict[str, Annotated[int, msgspec.Meta(ge=-10_000, le=100_000)]]
    reason: Reason


class Count(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that says whether a match counts."""

    box: Short
    match: Short
    counts: bool
    reason: Reason


class Again(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that has a batch of a match taken again; no match: one that had no events."""

    box: Short
    match: Annotated[str, msgspec.Meta(max_length=80)] = ""


class Replace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another box takes the place of a table's; ``by`` is the number it has now. 0: nobody does."""

    table: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    by: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 0


class Season(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that begins a new season."""

    name: Short


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request that says nothing more."""


def _body(shape: type[T]) -> T:
    if request.mimetype != "application/json":
        raise WebError(415, "not-json", m("send JSON, and say so: Content-Type: application/json"))
    try:
        return shaped(read_object(request.get_data() or b"{}"), shape)
    except NotationError as problem:
        raise WebError(422, problem.code, problem.message) from None


def _once(make: Callable[[], Response]) -> Response:
    """Carry out a request once: a repeated idempotency key gets the first answer."""
    key = request.headers.get("Idempotency-Key", "")[:64]
    if not key:
        return make()
    asker = request.cookies.get(people.COOKIE, request.remote_addr or "")
    place = hashlib.sha256(f"{request.path}\n{asker}\n{key}".encode()).hexdigest()
    return house().replays.once(place, hashlib.sha256(request.get_data()).digest(), make)


def _said(words: str, status: int = 200) -> Response:
    return as_json({"message": spoken(words)}, status)


def _enter(who: Role, kind: str, data: JsonObject) -> None:
    with house().database.writing() as change:
        append(change, now(), who, kind, data)
    house().state.refresh()


@organising.post("/session")
def enter() -> Response:
    """Enter a PIN or key: the organiser's, or that of the helpers."""
    body, place = _body(Entry), request.remote_addr or ""
    found = role_of_key(body.pin)
    if found is None:
        own = people.known_browser()
        house().limiter.take("pin", own or place, GUESSES, () if own else PINS_TOGETHER)
        found = role_of_pin(body.pin.strip())
        if found is None:
            message = m("that is not the PIN: the hub printed it when it was first started")
            raise WebError(403, "bad-pin", message)
        house().limiter.forgive("pin", own or place, together=not own)
    answer = _said(m("welcome"))
    open_session(answer, found)
    return answer


@organising.delete("/session")
def leave() -> Response:
    """Sign out: the browser is a watcher's again."""
    answer = _said(m("this browser is a watcher's again"))
    close_session(answer)
    return answer


@organising.post("/people")
def come() -> Response:
    """Add people who come; those who are known are back."""
    who, body = need("helper"), _body(Names)
    wanted = {name.casefold(): name for name in (" ".join(one.split()) for one in reversed(body.names))}
    for name in wanted.values():  # as a box will ask of its players
        if len(name) > LONGEST_NAME or not name.isprintable():
            message = m(
                "{name} cannot be a name here: write it with up to {longest_name} letters",
                name=quoted(name),
                longest_name=LONGEST_NAME,
            )
            raise WebError(422, "bad-name", message)
    known = {name.casefold(): name for name in house().state.evening.people}

    def make() -> Response:
        with house().database.writing() as change:
            for name in reversed(wanted.values()):
                if name.casefold() in known:
                    append(change, now(), who, "here", {"person": known[name.casefold()], "here": True})
                elif name:
                    append(change, now(), who, "person", {"person": name})
        house().state.refresh()
        return _said(m("they are here"), 201)

    return _once(make)


@organising.post("/here")
def be_here() -> Response:
    """Note that somebody goes home or is back."""
    who, body = need("helper"), _body(Here)
    if body.person not in house().state.evening.people:
        raise WebError(404, "no-person", m("nobody here has that name"))
    _enter(who, "here", {"person": body.person, "here": body.here})
    return _said(m("saved"))


@organising.post("/rounds")
def draw() -> Response:
    """Draw the next round; one that has not begun yet is drawn again."""
    who, body = need("organiser"), _body(Draw)
    game = find_game(body.game)
    bounds = (max(body.least, game.seats[0]), min(body.most, game.seats[1]))
    if bounds[0] > bounds[1]:
        raise WebError(
            409,
            "bad-size",
            m(
                "{title} is played by {seats} to {seats2}",
                title=game.title,
                seats=game.seats[0],
                seats2=game.seats[1],
            ),
        )
    mode = next((one for one in get_args(Mode) if one == body.mode), None)
    if mode is None:
        raise WebError(422, "bad-mode", m("a round is played as umpire or scorekeeper"))
    if body.duplicate and not game.duplicable:
        raise WebError(
            409, "no-duplicate", m("tables apart cannot play the same match of {title}", title=game.title)
        )

    def make() -> Response:
        evening, tables = house().state.evening, [box.number for box in house().state.tables()]
        drawn = [one for one in evening.rounds if not one.begun]
        number = drawn[0].number if drawn else 1 + max((one.number for one in evening.rounds), default=0)
        plan = seated(evening.here, len(tables), bounds, evening.met(), evening.byes(), secrets.randbits(32))
        if not plan.tables:
            raise WebError(409, "nobody", m("there are not enough people, or no tables, for a round"))
        told: JsonObject = {
            "round": number,
            "game": body.game,
            "mode": mode,
            "options": body.options,
            "tables": {str(tables[at]): members for at, members in enumerate(plan.tables)},
            "byes": plan.byes,
        }
        if body.duplicate:
            told["options"] = _settled(game, MatchRequest(bounds[1], mode, body.options))
            told["commitment"] = new_commitment(house().database)
        _enter(who, "round", told)
        return as_json(told, 201)

    return _once(make)


def _settled(game: Game[Any], asked: MatchRequest) -> JsonObject:
    """Options with which every table begins in the same way."""
    try:
        settled = game.settled(asked, SystemChance())
    except GameError as problem:
        raise WebError(422, problem.code, problem.message) from None
    if isinstance(settled, Refusal):
        raise WebError(422, settled.code, settled.message)
    return settled


def _round(number: int) -> Round:
    found = house().state.evening.round(number)
    if found is None:
        raise WebError(404, "no-round", m("there is no such round"))
    return found


@organising.post("/rounds/<int:number>/begin")
def begin(number: int) -> Response:
    """Begin a round: every table is told who plays."""
    who, body = need("organiser"), _body(Begin)
    found = _round(number)
    if not found.begun:
        said = {"word": " ".join(body.word.split())} if found.commitment else {}
        _enter(who, "begin", {"round": number, **said})
    return _said(m("the round begins: every table is told"))


@organising.post("/rounds/<int:number>/open")
def open_dice(number: int) -> Response:
    """Open the dice of a round that everybody has played: from then on all boards are shown."""
    who = need("organiser")
    _body(Nothing)
    found = _round(number)
    if not found.commitment or not found.begun:
        raise WebError(409, "not-sealed", m("this round has no sealed dice, or has not begun"))
    if not found.seed:
        with house().database.reading() as look:
            seed = seed_of(look, found.commitment)
        _enter(who, "open", {"round": number, "seed": seed})
    return _said(m("the dice are open: everybody can compute them, and sees all boards"))


@organising.post("/corrections")
def correct() -> Response:
    """Correct a result, with a reason that everybody can read."""
    who, body = need("helper"), _body(Correct)
    played = house().state.matches.get((body.box, body.match))
    seats = {str(one.seat) for one in played.results} if played else set()
    if not seats:
        raise WebError(404, "no-match", m("there is no such match that is over"))
    if not body.totals or not set(body.totals) <= seats:
        raise WebError(422, "no-seat", m("a correction names seats of that match, and their totals"))
    return _once(lambda: _logged(who, "correct", builtins_of(body), pm("result", "corrected")))


@organising.post("/counts")
def count() -> Response:
    """Count a match, or do not, with a reason."""
    who, body = need("organiser"), _body(Count)
    if (body.box, body.match) not in house().state.matches:
        raise WebError(404, "no-match", m("there is no such match"))
    return _once(lambda: _logged(who, "count", builtins_of(body), m("saved")))


def _logged(who: Role, kind: str, data: Any, words: str) -> Response:
    _enter(who, kind, data)
    return _said(words)


@organising.post("/again")
def again() -> Response:
    """Have a batch that was put aside taken again: its box sends it anew."""
    need("organiser")
    body = _body(Again)
    with house().database.writing() as change:
        take_again(change, body.box, body.match)
    house().state.refresh()
    return _said(m("its box is asked for it again"))


@organising.post("/scheme")
def choose_scheme() -> Response:
    """Choose how matches are counted from now on."""
    who, body = need("organiser"), _body(Scheme)
    fault = scheme_fault(body)
    if fault is not None:
        raise WebError(422, "bad-scheme", fault)
    return _logged(who, "scheme", builtins_of(body), m("counted so from now on"))


@organising.post("/season")
def begin_season() -> Response:
    """Begin a new season."""
    who, body = need("organiser"), _body(Season)
    return _once(lambda: _logged(who, "season", {"name": body.name}, m("the new season has begun")))


@organising.post("/replace")
def replace_box() -> Response:
    """Replace a box in mid-evening, or send one away; what it has told stays."""
    who, body = need("organiser"), _body(Replace)
    before, after = house().state.table(body.table), house().state.table(body.by)
    if before is None or (body.by and after is None) or body.by == body.table:
        raise WebError(404, "no-table", m("there is no such table here"))
    with house().database.writing() as change:
        version = next_version(change)
        gone = "UPDATE boxes SET left_at = ?, help = '', version = ? WHERE box = ?"
        change.run(gone, (now(), version, before.key))
        if after is not None:
            moved = "UPDATE boxes SET number = ?, version = ? WHERE box = ?"
            change.run(moved, (before.number, version, after.key))
        told = {"table": body.table, "box": after.key if after else "", "before": before.key}
        append(change, now(), who, "replace", told)
    house().state.refresh()
    return _said(m("the other box stands for this table now") if after else m("the box was sent away"))


@organising.post("/idle")
def send_idle_away() -> Response:
    """Send all boxes away at which nothing was ever played; those who belong here join again."""
    who = need("organiser")
    _body(Nothing)
    with house().database.writing() as change:
        version = next_version(change)
        idle = change.rows(
            "SELECT number, box FROM boxes b WHERE left_at = ''"
            " AND NOT EXISTS (SELECT 1 FROM matches m WHERE m.box = b.box)"
        )
        for number, box in idle:
            gone = "UPDATE boxes SET left_at = ?, help = '', version = ? WHERE box = ?"
            change.run(gone, (now(), version, box))
            append(change, now(), who, "replace", {"table": number, "box": "", "before": box})
    house().state.refresh()
    return _said(nm("{n} box was sent away", "{n} boxes were sent away", len(idle)))


@organising.post("/code")
def renew_code() -> Response:
    """Make a new code for boxes to join with; the old one stops working."""
    need("organiser")
    _body(Nothing)
    house().put_setting(CODE, new_code())
    return _said(m("boxes join with the new code now"))


@organising.post("/helpers")
def helpers_pin() -> Response:
    """Make a new PIN and key for helpers, told once; sessions with the old ones end."""
    need("organiser")
    _body(Nothing)
    with house().database.writing() as change:
        made = people.made_secrets(change, "helper")
    people.end_sessions("helper")
    words = m("the helpers' PIN is {pin}, their key is {key}: write them down", pin=made.pin, key=made.key)
    return _said(words)


def seating_of(hub: HubHouse, box: Box | None) -> Seating | None:
    """What a table is told to play next: the round that was begun last, until its match has begun."""
    hub_state = hub.state
    current = hub_state.evening.current
    if box is None or current is None or box.number not in current.tables:
        return None
    players = current.tables[box.number]
    played = hub_state.playing(box)
    fresh = played is not None and played.entries >= current.entry
    state = played.state if played is not None and fresh else None
    if state is not None and {seat.name for seat in state.seats} == set(players):
        return None
    dice = dice_for(hub.database, hub.club.id, current, box.key)
    return Seating(current.number, current.game, players, current.options, current.mode, dice)
