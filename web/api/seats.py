"""Seats: sitting down, moving to another browser, getting up."""

from __future__ import annotations

from flask import Response, request

from companion.table.match import Match
from companion.table.seats import Player
from web.api.operations import Answer, operation
from web.api.shapes import Code, CodeEntry, Empty, MoveCode, Said, Seated, SitDown
from web.exc import WebError
from web.joining import is_join_code
from web.limits import GUESSES
from web.people import forget_seat, person, set_seat
from web.site import find_match, site


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
    """A free seat of the current match."""
    match = find_match(None)
    check_join_code(match, body.code)
    token = site().joining.sit_down(match.id, body.seat, Player(body.name.strip(), body.colour, body.shape))
    return _seated(match.id, body.seat, token)


def check_join_code(match: Match, code: Code) -> None:
    """Refuse a wrong code, and too many wrong codes."""
    address = request.remote_addr or ""
    site().limiter.check("code", address, GUESSES)
    if not is_join_code(site().house, match, code):
        site().limiter.count("code", address)
        raise WebError(403, "bad-code", "that is not this match's code: it stands on the table's screen")


def _seated(match_id: str, seat: int, token: str) -> Answer:
    match = find_match(match_id)
    return Answer(
        Seated(match.id, seat, match.players[seat]), mark=lambda answer: set_seat(answer, match.id, token)
    )


@operation(
    "POST",
    "/seats/move",
    "A code that moves your seat to another browser",
    MoveCode,
    body=Empty,
    problems=(403,),
)
def offer_move() -> MoveCode:
    """Good once, for five minutes."""
    who = person()
    if who.seat is None or who.match is None:
        raise WebError(403, "no-seat", "take a seat first")
    return MoveCode(site().joining.offer_move(who.match, who.seat), 300)


@operation(
    "POST",
    "/seats/arrive",
    "Take over your seat in this browser",
    Seated,
    body=CodeEntry,
    problems=(403, 429),
)
def arrive(body: CodeEntry) -> Answer:
    """With the code that the other browser shows; that one is a watcher's from now on."""
    address = request.remote_addr or ""
    site().limiter.check("code", address, GUESSES)
    moved = site().joining.take_move(body.code)
    if moved is None:
        site().limiter.count("code", address)
        raise WebError(
            403, "bad-code", "that code is unknown or no longer good: ask the other browser for a new one"
        )
    match_id, token = moved
    seat = site().house.table.seat_of_token(match_id, token)
    if seat is None:
        raise WebError(409, "moved-again", "somebody else has just moved this seat: ask for a new code")
    return _seated(match_id, seat, token)


@operation("POST", "/seats/follow", "Your seat in the rematch", Seated, body=Empty, problems=(403, 404, 409))
def follow() -> Answer:
    """When the same people play again, nobody has to scan anything."""
    who, new = person(), find_match(None)
    if who.seat is None or who.match is None:
        raise WebError(403, "no-seat", "take a seat first")
    if who.match == new.id:
        raise WebError(409, "same-match", "you already sit in the match being played")
    token = site().joining.follow(find_match(who.match), who.seat, new)
    if token is None:
        raise WebError(409, "other-people", "the new match has other people: sit down with its code")
    return _seated(new.id, who.seat, token)


@operation("DELETE", "/seats", "This browser is a watcher's again", Said)
def get_up() -> Answer:
    """The seat stays yours on every other browser that has it; the host can free it."""

    def mark(answer: Response) -> None:
        forget_seat(answer)

    return Answer(Said("this browser only watches now"), mark=mark)
