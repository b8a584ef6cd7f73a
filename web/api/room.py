"""The room around the table: joining, listing guests, and answering requests to be let in."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, request

from companion.core.messages import m
from companion.game.base import Action
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.seats import Player
from companion.table.sitting import kept_seats
from web.access.guessing import guessed
from web.access.joining import is_join_code, join_code
from web.access.knocking import Knock
from web.access.people import (
    GUEST_COOKIE,
    forget_guest,
    host_only,
    open_session,
    person,
    set_guest,
    set_seat,
)
from web.access.room import Guest
from web.api.operations import Answer, operation
from web.api.shapes import (
    Empty,
    Entered,
    GuestLine,
    Joined,
    JoinRoom,
    KnockAnswer,
    Knocked,
    KnockLine,
    KnockRequest,
    KnockState,
    RoomView,
    Said,
)
from web.exc import WebError
from web.pages.addresses import join_link
from web.site import find_match, playing, site

KNOCKS = ((6, 60.0), (40, 3600.0))  # an address may ask to be let in so often


def code_here() -> str:
    """The code that lets people in now: of the match being played, else of the room."""
    match = playing()
    return join_code(site().service.store, match) if match else site().room.code


def is_code_here(code: str) -> bool:
    """Return True if this is the code of the room or of the match being played."""
    match, store = playing(), site().service.store
    return site().room.is_code(code) or (match is not None and is_join_code(store, match, code))


def may_see_code() -> bool:
    """Before a match and in a demonstration everybody may.

    In a match those may who belong to it, the table's screen and the host.
    """
    who, match = person(), playing()
    if match is None or site().demonstration:
        return True
    return who.host or who.screen or who.guest is not None or who.seat_in(match) is not None


def check_code(code: str) -> None:
    """Refuse a wrong code, and too many wrong codes."""
    if guessed("code", lambda: is_code_here(code) or None) is None:
        raise WebError(403, "bad-code", m("that is not this table's code: it stands on the table's screen"))


def seats_kept(match: Match) -> frozenset[int]:
    """The seats with which the host began for guests who are there, and whose phones have not come yet.

    One's own is none of them.
    """
    mine = person().guest
    there = {guest.person for guest in site().room.guests if mine is None or guest.person != mine.person}
    return frozenset(seat for seat, waited in kept_seats(match).items() if waited in there)


@operation("GET", "/room", "Who is there, and how one joins", RoomView)
def view_room() -> RoomView:
    """Return who is there; the code is told to everybody before a match, to participants during one."""
    seen, match = may_see_code(), playing()
    return RoomView(
        code=code_here() if seen else None,
        link=join_link(code_here()) if seen else None,
        match=match.id if match else None,
        guests=[_line(one, match) for one in site().room.guests],
        knocks=[_knock_line(one) for one in answerable()],
    )


def _line(guest: Guest, match: Match | None) -> GuestLine:
    mine = person().guest
    seat = _seat_of(guest, match)
    return GuestLine(guest.number, guest.name, guest.colour, guest.shape, mine == guest, seat)


def _seat_of(guest: Guest, match: Match | None) -> int | None:
    if match is None:
        return None
    return next((seat for seat, one in match.players.items() if one.person == guest.person), None)


def _knock_line(knock: Knock) -> KnockLine:
    return KnockLine(knock.number, knock.what, knock.name, knock.seat or None)


@operation(
    "POST",
    "/room",
    "Join (with the code): before a match, between two, or to watch one",
    Joined,
    body=JoinRoom,
    status=201,
    problems=(403, 409, 429),
)
def join_room(body: JoinRoom) -> Answer:
    """Join as a guest, or rename oneself by cookie; a colour that is taken is replaced by a free one."""
    if person().guest is None:
        check_code(body.code)
    wanted = Player(body.name.strip(), body.colour, body.shape)
    secret = request.cookies.get(GUEST_COOKIE, "")
    guest, secret = site().room.join(wanted, device=body.device, secret=secret, match=playing())
    told = Joined(guest.number, guest.name, guest.colour, guest.shape)
    return Answer(told, mark=lambda answer: set_guest(answer, secret))


@operation("DELETE", "/room", "Leave the room", Said)
def leave_room() -> Answer:
    """Leave the room; a seat is kept, unless given up first."""
    guest = person().guest
    if guest is not None:
        site().room.leave(guest.number)
    return Answer(Said(m("goodbye")), mark=forget_guest)


@operation(
    "DELETE",
    "/room/guests/<int:guest>",
    "Send a guest away (host)",
    Said,
    problems=(403, 404),
    allowed=host_only,
)
def send_away(guest: int) -> Said:
    """Remove a guest from the room."""
    if not site().room.leave(guest):
        raise WebError(404, "no-guest", m("nobody with that number is here"))
    return Said(m("sent away"))


# --- asking to be let in ---


@operation(
    "POST",
    "/room/knocks",
    "Ask to be let in: as the table's screen, back to a seat, or without the code",
    Knocked,
    body=KnockRequest,
    status=201,
    problems=(403, 404, 409, 429),
)
def knock(body: KnockRequest) -> Knocked:
    """Ask to be let in; those who may agree see a number to compare. Expires after ten minutes."""
    address = request.remote_addr or ""
    match, name = "", body.name.strip()
    if body.what == "seat":
        match, name = _asked_seat(body)
    site().limiter.take("knock", address, KNOCKS)
    made = site().door.knock(body.what, match=match, seat=body.seat or 0, name=name)
    site().room.touch()
    return Knocked(made.secret, made.number)


def _asked_seat(body: KnockRequest) -> tuple[str, str]:
    """The match and the name that go with a seat that somebody wants back."""
    if person().guest is None:
        check_code(body.code)
    found = find_match(None)
    player = found.players.get(body.seat or 0)
    if player is None:
        raise WebError(404, "no-seat", m("there is no such seat in this match"))
    return found.id, player.name


def answerable() -> list[Knock]:
    """Those whom this person may let in."""
    return [one for one in site().door.waiting() if _may_answer(one)]


def _may_answer(one: Knock) -> bool:
    """Screens are let in by the host; everything else by the host or any other player."""
    who, match = person(), playing()
    if who.host:
        return True
    if one.what == "screen" or match is None:
        return False
    seats = who.seats if who.match == match.id else ()
    return any(seat != one.seat for seat in seats)


@operation(
    "POST",
    "/room/knocks/answers",
    "Let somebody in, or not (the host, or another player)",
    Said,
    body=KnockAnswer,
    problems=(403, 404),
)
def answer_knock(body: KnockAnswer) -> Said:
    """Grant or refuse a request, by the number shown on the other screen."""
    found = next((one for one in site().door.waiting() if one.number == body.number), None)
    if found is None:
        raise WebError(404, "no-knock", m("nobody with that number waits any more"))
    if not _may_answer(found):
        raise WebError(403, "not-yours", m("only the host, or another player, can say yes to that"))
    site().door.answer(body.number, body.yes)
    site().room.touch()
    return Said(m("let in") if body.yes else m("not let in"))


@operation(
    "GET", "/room/knocks/<knock>", "The answer to your request to be let in", KnockState, problems=(404,)
)
def knock_state(knock: str) -> KnockState:
    """Return the state of a request, by the secret known only to its sender."""
    found = site().door.find(knock)
    if found is None:
        raise WebError(404, "no-knock", m("that was too long ago: ask again"))
    return KnockState(found.state, found.number)


@operation(
    "POST",
    "/room/knocks/<knock>/enter",
    "Enter after somebody has agreed",
    Entered,
    body=Empty,
    problems=(403, 404, 409),
)
def enter_room(knock: str) -> Answer:
    """Use a granted request: become the table's screen, get the seat back, or join."""
    found = site().door.enter(knock)
    if found is None:
        raise WebError(403, "not-let-in", m("nobody has said yes to that"))
    site().room.touch()
    if found.what == "screen":
        return Answer(Entered("/tv"), mark=lambda answer: open_session(answer, "screen"))
    if found.what == "join":
        return Answer(Entered(f"/j/{code_here()}"))
    return Answer(Entered("/play"), mark=_seat_again(found))


def _seat_again(found: Knock) -> Callable[[Response], None]:
    """The seat's new secret for this browser; the one on the lost phone opens nothing any more."""
    table, match = site().service.table, find_match(found.match)
    if match.holder(found.seat).by != "person" and not match.finished:
        table.submit(
            Action("hold", found.seat, {"by": "person"}), Actor("player", found.seat), match=match.id
        )
    site().joining.come_back(match.id, found.seat)
    token = table.issue_token(match.id, found.seat)
    secret = site().room.again(match.players[found.seat].person)

    def mark(answer: Response) -> None:
        set_seat(answer, match.id, token)
        if secret is not None:
            set_guest(answer, secret)

    return mark
