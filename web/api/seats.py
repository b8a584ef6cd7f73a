"""Seats: sitting down, looking after several, moving to another browser, getting up."""

from __future__ import annotations

import logging
import secrets

import msgspec
from flask import Response, request

from companion.core.messages import m
from companion.table.match import Match
from companion.table.seats import Player, default_player
from companion.table.sitting import taken_seats
from web.access.guessing import guessed
from web.access.people import (
    GUEST_COOKIE,
    Person,
    drop_seat,
    forget_seat,
    person,
    set_guest,
    set_seat,
    set_seats,
    turn_to_seat,
)
from web.access.room import person_of, with_free_mark
from web.api.operations import Answer, operation
from web.api.room import check_code, seats_kept
from web.api.shapes import CodeEntry, Empty, GetUp, MoveCode, Said, Seated, SeatEntry, SitDown
from web.exc import WebError
from web.site import find_match, site

log = logging.getLogger(__name__)


@operation(
    "POST",
    "/seats",
    "Sit down (with the join code)",
    Seated,
    body=SitDown,
    status=201,
    problems=(403, 404, 409, 429),
)
def sit_down(body: SitDown) -> Answer:
    """Take a seat of the current match that is free, was left, or was handed to a bot."""
    match, who = find_match(None), person()
    if body.seat is None and site().demonstration:
        body = msgspec.structs.replace(body, seat=_bots_seat(match))
    if body.code or (who.guest is None and who.seat_in(match) is None):
        check_code(body.code)
    _refuse_kept(match, body.seat)
    device = body.device or secrets.token_urlsafe(16)
    wanted = _as_wished(match, body, who, device)
    if body.seat is None:
        seat, token = site().joining.come_late(match.id, wanted)
    else:
        seat, token = body.seat, site().joining.sit_down(match.id, body.seat, wanted)
    # Whoever sits here is there for the next match, too; a second seat of the same phone is nobody new.
    secret = _as_guest(wanted, device) if who.seat_in(match) is None else None
    return _seated(match.id, seat, token, secret)


def _bots_seat(match: Match) -> int | None:
    """The first seat that a bot of the demonstration plays: visitors choose none."""
    held = taken_seats(match) | seats_kept(match) | site().joining.looked_after(match)
    return next((seat for seat in match.players if seat not in held), None)


def _refuse_kept(match: Match, seat: int | None) -> None:
    """A guest's seat waits for the guest's phone, which comes by itself."""
    if seat is not None and seat in seats_kept(match):
        raise WebError(
            409, "kept", m("that seat is kept for {name}, who is here", name=match.players[seat].name)
        )


def _as_wished(match: Match, body: SitDown, who: Person, device: str) -> Player:
    """The player; what is not said is as the guest joined, or as the seat has it."""
    usual = default_player(body.seat or len(match.players) + 1)
    usual = match.players.get(body.seat or 0, usual)
    guest = who.guest.player if who.guest is not None and who.seat_in(match) is None else None
    person = guest.person if guest else "" if who.seat_in(match) is not None else person_of(device)
    if guest is None or body.name:
        colour, shape = body.colour or usual.colour, body.shape or usual.shape
        name = body.name.strip() if body.name else (guest or usual).name
        return Player(name, colour, shape, person)
    others = [one for seat, one in match.players.items() if seat != body.seat]
    return with_free_mark(guest, others)


def _as_guest(player: Player, device: str) -> str | None:
    """The secret of the guest who sits there; none where the room is full."""
    try:
        cookie = request.cookies.get(GUEST_COOKIE, "")
        return site().room.join(player, device=device, secret=cookie, match=find_match(None))[1]
    except WebError as problem:
        log.info("%s sits at the table and is no guest: %s", player.name, problem.message)
        return None


def _seated(match_id: str, seat: int, token: str, guest: str | None = None) -> Answer:
    match = find_match(match_id)

    def mark(answer: Response) -> None:
        set_seat(answer, match.id, token)
        if guest is not None:
            set_guest(answer, guest)

    return Answer(Seated(match.id, seat, match.players[seat]), mark=mark)


@operation(
    "POST",
    "/seats/move",
    "A code that moves your seat to another browser",
    MoveCode,
    body=Empty,
    problems=(403,),
)
def offer_move() -> MoveCode:
    """Return a code that moves the seat to another browser; valid once, for five minutes."""
    who = person()
    if who.seat is None or who.match is None:
        raise WebError(403, "no-seat", m("take a seat first"))
    return MoveCode(site().joining.offer_move(who.match, who.seat), 300)


@operation(
    "POST",
    "/seats/arrive",
    "Move your seat to this browser",
    Seated,
    body=CodeEntry,
    problems=(403, 429),
)
def arrive(body: CodeEntry) -> Answer:
    """Take over a seat with the code shown by the other browser, which becomes a watcher's."""
    moved = guessed("code", lambda: site().joining.take_move(body.code))
    if moved is None:
        raise WebError(
            403, "bad-code", m("that code is unknown or has expired: get a new one from the other browser")
        )
    match_id, token = moved
    seat = site().service.table.seat_of_token(match_id, token)
    if seat is None:
        raise WebError(409, "moved-again", m("somebody else has just moved this seat: ask for a new code"))
    site().room.touch()  # the page that had the seat finds out at once
    return _seated(match_id, seat, token)


@operation(
    "POST", "/seats/follow", "Take your seat in the rematch", Seated, body=Empty, problems=(403, 404, 409)
)
def follow() -> Answer:
    """Take one's seat in a new match without scanning, as a guest or as a player of the last match."""
    who, new = person(), find_match(None)
    if who.guest is None and (who.seat is None or who.match is None):
        raise WebError(403, "no-seat", m("take a seat first"))
    if who.match == new.id:
        raise WebError(409, "same-match", m("you already sit in the match being played"))
    found = _followed(who, new)
    if not found:
        raise WebError(409, "other-people", m("the new match has other people: sit down with its code"))
    seat = next(iter(found))
    player = find_match(new.id).players[seat]

    def mark(answer: Response) -> None:
        set_seats(answer, new.id, list(found.values()))

    return Answer(Seated(new.id, seat, player), mark=mark)


def _followed(who: Person, new: Match) -> dict[int, str]:
    """The secrets of the seats in a new match that are this browser's, by seat: its guest's first."""
    joining, found = site().joining, {}
    own = joining.seat_for(new, who.guest.person) if who.guest is not None else None
    if own is not None:
        found[own] = joining.sit_down(new.id, own, new.players[own])
    if who.match is not None:
        old = find_match(who.match)
        for seat in (who.seat or 0, *who.seats):
            place = joining.seat_again(old, seat, new)
            if place is not None and place not in found:
                found[place] = joining.sit_down(new.id, place, new.players[place])
    return found


@operation(
    "POST",
    "/seats/look-after",
    "Also play for somebody without a phone (a seat, or a guest)",
    Seated,
    body=SeatEntry,
    problems=(403, 404, 409),
)
def look_after(body: SeatEntry) -> Answer:
    """Look after a seat without a phone; this browser switches between its seats."""
    match, who = find_match(None), person()
    if who.seat_in(match) is None and who.guest is None and not who.host:
        raise WebError(403, "no-seat", m("take a seat first"))
    _refuse_kept(match, body.seat)
    return _seated(match.id, body.seat, site().joining.look_after(match.id, body.seat))


@operation(
    "POST",
    "/seats/turn",
    "Switch to another seat that this browser controls",
    Seated,
    body=SeatEntry,
    problems=(403, 404),
)
def turn_to(body: SeatEntry) -> Answer:
    """Switch this browser to another of its seats, to which later requests apply."""
    who = person()
    if who.match is None or body.seat not in who.seats:
        raise WebError(403, "not-your-seat", m("this browser does not control that seat"))
    match = find_match(who.match)

    def mark(answer: Response) -> None:
        turn_to_seat(answer, body.seat)

    return Answer(Seated(match.id, body.seat, match.players[body.seat]), mark=mark)


@operation(
    "POST",
    "/seats/leave",
    "Leave your seat to a bot, or free",
    Said,
    body=GetUp,
    problems=(403, 404, 409),
)
def leave_seat(body: GetUp) -> Answer:
    """Give up a seat; it keeps its name, is not waited for, and can be taken with the code."""
    who = person()
    if who.seat is None or who.match is None:
        raise WebError(403, "no-seat", m("take a seat first"))
    seat = who.seat
    site().joining.get_up(who.match, seat, body.then)
    site().joining.look_away(who.match, who.seats)
    return Answer(Said(m("the seat is free now")), mark=lambda answer: drop_seat(answer, seat))


@operation("DELETE", "/seats", "Give up the seat in this browser and watch", Said)
def get_up() -> Answer:
    """Remove the seat from this browser only; the host can free it."""
    who = person()
    if who.match is not None:
        site().joining.look_away(who.match, who.seats)

    def mark(answer: Response) -> None:
        forget_seat(answer)

    return Answer(Said(m("this browser only watches now")), mark=mark)
