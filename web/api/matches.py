"""Matches: the list, the state, legal actions, submitting them, events, results and exports."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Response, request

from companion.core.jsontext import JsonObject, builtins_of
from companion.core.messages import m
from companion.game.base import Action, Refusal
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.seats import Player, default_player
from companion.table.standings import seen_match, standings
from companion.table.table import Accepted, Refused
from web.access.joining import join_code
from web.access.limits import WORK
from web.access.people import host_only, person
from web.access.room import with_free_mark
from web.api.operations import Answer, operation
from web.api.shapes import (
    ActionRequest,
    Begun,
    Done,
    Empty,
    ExportQuery,
    MatchLine,
    NewMatch,
    OpenAction,
    PageQuery,
    PieceAnswer,
    Results,
    RollRequest,
    Since,
    State,
)
from web.exc import WebError
from web.pages.lobby import room_pieces
from web.pages.owners import keep_deal
from web.pages.rematch import seats_again, waiting_guests, with_waiting
from web.site import find_match, known_match, pieces_of, playing, site
from web.ui import presenter_of
from web.ui.progress import progress
from web.ui.speaking import language
from web.ui.timeline import EventLine, event_line

EXPORT_KINDS = ("text/csv", "application/json", "application/xml", "application/jsonl")
_FORBIDDEN = ("watching", "no-seat", "not-your-seat", "host-only", "device")
_BROKEN = ("disk-full", "read-only", "storage", "damaged", "in-use", "closed")


def accepted_or_problem(answer: Accepted | Refused) -> Accepted:
    """What was accepted; a refusal becomes an error answer with the same code and sentence."""
    if isinstance(answer, Accepted):
        return answer
    raise problem_of(answer)


def problem_of(answer: Refused | Refusal) -> WebError:
    """A refusal as an error answer."""
    status = 403 if answer.code in _FORBIDDEN else 503 if answer.code in _BROKEN else 409
    return WebError(404 if answer.code == "no-match" else status, answer.code, answer.message, answer.detail)


def done(answer: Accepted) -> Done:
    """Return the answer to an accepted action, without what its sender may not see (a shuffled deck)."""
    match = find_match(answer.event.match)
    line = event_line(match, answer.event, person().seat_in(match))
    return Done(match.id, line.seq, line.kind, line.seat, line.data, answer.version, answer.again)


def idempotency_key() -> str | None:
    """The key of this request."""
    return request.headers.get("Idempotency-Key") or None


@operation("GET", "/matches", "Every match, newest first", list[MatchLine])
def list_matches() -> list[MatchLine]:
    """List all stored matches, newest first."""
    stored = site().service.history.matches()
    return [MatchLine(one.id, one.game, one.mode, one.began, one.finished) for one in reversed(stored)]


@operation(
    "POST",
    "/matches",
    "Begin a match (host)",
    Begun,
    body=NewMatch,
    status=201,
    problems=(403, 409, 503),
    allowed=host_only,
)
def begin(body: NewMatch) -> Begun:
    """Begin a match with guests, people without a phone, and bots, as the host says."""
    players = _players(body)
    if not players:
        raise WebError(422, "bad-shape", m("nobody is there to play: join first, or name somebody"))
    game = site().service.games.get(body.game)
    if body.bots and game is not None and (fault := game.bots_fault(body.options)):
        raise WebError(409, fault.code, fault.message)
    data: JsonObject = {"game": body.game, "players": players, "mode": body.mode, "options": body.options}
    data["fair"] = site().service.fair if body.fair is None else body.fair
    data["timer"] = body.timer
    dice = site().service.club.dice_of(body.round) if body.round else None
    if dice is not None:  # their seed is the club's: the roller commits to none of its own
        data |= {"duplicate": dice, "fair": False}
    answer = site().service.table.submit(Action("start", data=data), Actor("host"), idempotency_key())
    match = find_match(accepted_or_problem(answer).event.match)
    keep_deal(site().service.store, body.game, body.options)
    _seat_bots(match, range(len(players) - body.bots + 1, len(players) + 1), Actor("host"))
    return Begun(match.id, join_code(site().service.store, match))


def _seat_bots(match: Match, seats: Iterable[int], asker: Actor) -> None:
    """Bots play these seats from the beginning; a request that comes again changes nothing."""
    held = {event.seat for event in match.events if event.kind == "hold"}
    for seat in seats:
        if seat not in held:
            by_bot = Action("hold", seat, {"by": "bot", "free": True})
            accepted_or_problem(site().service.table.submit(by_bot, asker, match=match.id))


def _players(body: NewMatch) -> list[Any]:
    """Everybody in the order of the seats; those who brought no colour get one that is free."""
    if not body.guests and not body.bots:
        return list(body.players)
    there = {guest.number: guest for guest in site().room.guests}
    missing = next((number for number in body.guests if number not in there), None)
    if missing is not None:
        raise WebError(409, "no-guest", m("somebody has gone meanwhile: look who is there, and begin again"))
    players = [there[number].player for number in dict.fromkeys(body.guests)]
    bots = [f"Bot {number}" for number in range(1, body.bots + 1)]
    for name in (*body.players, *bots):
        usual = default_player(len(players) + 1)
        players.append(with_free_mark(Player(name or usual.name, usual.colour, usual.shape), players))
    return [builtins_of(player) for player in players]


@operation("GET", "/matches/<match>", "A match as you may see it", State, problems=(404,))
def state(match: str) -> Answer:
    """Return the match as you may see it, with an ETag (304 if unchanged)."""
    found = find_match(match)
    seat = person().seat_in(found)
    body = State(
        match=found.id,
        version=found.version,
        game=found.game.name,
        title=found.game.title,
        mode=found.opening["mode"],
        began=found.events[0].at,
        finished=found.finished,
        ended=found.ended,
        you=seat,
        players={str(number): player for number, player in found.players.items()},
        dice=found.game.dice(found.state),
        view=seen_match(found, seat),
    )
    return Answer(body, tag=f"{found.id}.{found.version}.{seat or 0}")


@operation(
    "GET", "/matches/<match>/legal", "Your legal actions (a seat)", list[OpenAction], problems=(403, 404)
)
def legal(match: str) -> list[OpenAction]:
    """List every legal action of the seat that asks."""
    found = find_match(match)
    seat = person().seat_in(found)
    if seat is None:
        raise WebError(403, "no-seat", m("take a seat first"))
    if found.finished:
        return []
    return [OpenAction(one.kind, one.seat, one.data) for one in found.game.legal(found.state, seat)]


@operation(
    "POST",
    "/matches/<match>/actions",
    "Perform an action (a seat, or the host)",
    Done,
    body=ActionRequest,
    problems=(403, 404, 409, 503),
)
def act(match: str, body: ActionRequest) -> Done:
    """Submit an action: the only way to change a match."""
    found = find_match(match)
    actor = person().actor(found, acting_as_host=body.as_host)
    action = Action(body.kind, body.seat, body.data)
    if action.kind == "sit" and actor.role == "player":
        raise WebError(403, "host-only", m("names are changed by the host"))
    if action.kind == "roll" and not action.data.get("faces"):  # dice to throw, not dice that lie there
        return done(accepted_or_problem(site().service.dice.roll(found, actor, idempotency_key(), body.seen)))
    answered = site().service.moved(found, action, actor, idempotency_key())
    return done(accepted_or_problem(answered))


@operation(
    "POST",
    "/matches/<match>/roll",
    "Throw the dice that are due (a seat, or the host)",
    Done,
    body=RollRequest,
    problems=(403, 404, 409, 503),
)
def roll(match: str, body: RollRequest) -> Done:
    """Roll with the dice roller if there is one, else with the box's virtual dice.

    If somebody else has rolled meanwhile the answer is that roll, with ``again``.
    """
    found = find_match(match)
    actor = person().actor(found)
    if actor.role == "watcher":
        raise WebError(403, "watching", m("you are watching: take a seat to play"))
    return done(accepted_or_problem(site().service.dice.roll(found, actor, idempotency_key(), body.seen)))


@operation(
    "POST",
    "/matches/<match>/rematch",
    "Play again with the same people (a seat of it, or the host)",
    Begun,
    body=Empty,
    status=201,
    problems=(403, 404, 409, 503),
)
def rematch(match: str) -> Begun:
    """Begin a rematch with the same game and options.

    Bots play again, guests who came late are included, also those who had to wait for the next match, and
    players who have left are not seated.
    """
    found = find_match(match)
    seat = person().seat_in(found)
    if seat is None and not person().host:
        raise WebError(403, "no-seat", m("only those who played, or the host, can ask for a rematch"))
    current = site().service.table.current
    if current is not None and not current.finished:
        raise WebError(
            409, "still-playing", m("the table is in the middle of a match: finish or end that first")
        )
    again = seats_again(found, site().joining.got_up(found), site().room.gone)
    waited = waiting_guests(found, site().room.guests)
    again = with_waiting(again, waited, found.game.seats[1])
    if not again:
        raise WebError(409, "bad-seats", m("everybody has left: the host begins a new match"))
    setup = found.opening["setup"]
    bots = [place for place, one in enumerate(again, start=1) if one.bot]
    if bots and (fault := found.game.bots_fault(setup.get("options", {}))):
        raise WebError(409, fault.code, fault.message)
    rows = {row["seat"]: row for row in standings(found)}
    scores = [
        {**rows[one.seat], "seat": place, "was": one.seat}
        for place, one in enumerate(again, start=1)
        if one.seat
    ]
    data: JsonObject = {
        "game": found.game.name,
        "mode": found.opening["mode"],
        "players": [builtins_of(one.player) for one in again],
        "options": presenter_of(found.game).rematch_options(setup, scores),
        "fair": found.opening.get("fair", False),
        "timer": found.opening.get("timer", 0),
    }
    asker = Actor("service", name=f"rematch for seat {seat}" if seat else "rematch for the host")
    answer = site().service.table.submit(Action("start", data=data), asker, idempotency_key())
    begun = find_match(accepted_or_problem(answer).event.match)
    _seat_bots(begun, bots, asker)
    return Begun(begun.id, join_code(site().service.store, begun))


@operation(
    "GET", "/matches/<match>/events", "The events, in order", list[EventLine], query=Since, problems=(404,)
)
def events(match: str, query: Since) -> list[EventLine]:
    """Return the match's events as far as this seat may see them."""
    found = find_match(match)
    seat = person().seat_in(found)
    return [event_line(found, event, seat) for event in found.events[query.after :]]


@operation("GET", "/matches/<match>/results", "Scores, round by round", Results, problems=(404,))
def results(match: str) -> Results:
    """Return the scores, best first, and the totals after every round."""
    found = find_match(match)
    rounds = [
        {"label": one.label, "totals": {str(k): v for k, v in one.totals.items()}} for one in progress(found)
    ]
    return Results(
        found.id,
        seen_match(found, person().seat_in(found))["scores"],
        rounds,
        site().service.export.bgstats_link(found),
    )


@operation(
    "GET",
    "/matches/<match>/export",
    "A match for other programs",
    None,
    query=ExportQuery,
    problems=(403, 404),
    kinds=EXPORT_KINDS,
)
def export(match: str, query: ExportQuery) -> Response:
    """``rows``: every part of the scores; ``bgg``: as BoardGameGeek has plays; a journal at the end."""
    found = find_match(match)
    if query.form == "journal" and not found.finished:  # not even to the host, who may be playing along
        message = m("the journal holds every shuffled deck: it is given out when the match is over")
        raise WebError(403, "not-finished", message)
    return _file([found], query, f"stationmaster-{found.id}")


@operation(
    "GET",
    "/export",
    "The results of all matches",
    None,
    query=ExportQuery,
    kinds=EXPORT_KINDS,
    problems=(429,),
)
def export_all(query: ExportQuery) -> Response:
    """Export the results of all matches as CSV or JSON."""
    site().limiter.take("work", request.remote_addr or "", WORK)
    if query.form == "journal":
        raise WebError(422, "bad-query", m("journals are given out match by match"))
    stored = [find_match(one.id) for one in site().service.history.matches()]
    return _file(stored, query, "stationmaster")


_CSV, _JSON, _XML, _LINES = EXPORT_KINDS
_KINDS = {"csv": _CSV, "rows": _CSV, "json": _JSON, "bgg": _XML, "journal": _LINES}
_ENDINGS = {_CSV: "csv", _JSON: "json", _XML: "xml", _LINES: "jsonl"}


def _file(found: list[Match], query: ExportQuery, name: str) -> Response:
    answer = Response(site().service.export.write(found, query.form), mimetype=_KINDS[query.form])
    ending = _ENDINGS[_KINDS[query.form]]
    parts = "-parts" if query.form == "rows" else ""  # two files of one match lie beside each other
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}{parts}.{ending}"'
    return answer


@operation(
    "GET",
    "/pieces",
    "The changing parts of a page, as HTML",
    PieceAnswer,
    query=PageQuery,
    problems=(403, 404),
)
def pieces(query: PageQuery) -> Answer:
    """Return the changing parts of a page, with an ETag (304 if unchanged)."""
    who, room = person(), site().room.version
    if query.page in ("lobby", "guest"):
        match = playing()
        tag = f"{site().boot}.room.{room}.{match.id if match else 0}.{match.version if match else 0}"
        told = PieceAnswer("", match.id if match else "none", 0, room_pieces(query.page, None), language())
        return Answer(told, tag=f"{tag}.{query.page}.{who.guest.number if who.guest else 0}.{who.host}")
    if query.page in ("host", "box"):
        host_only()
        match = known_match(None)
        tag = f"{site().boot}.{query.page}.{room}.{match.id if match else 0}.{match.version if match else 0}"
        told = PieceAnswer("", match.id if match else "none", 0, room_pieces(query.page, match), language())
        return Answer(told, tag=tag)
    found = find_match(query.match)
    if query.page == "report":
        new = find_match(None)
        tag = f"{site().boot}.report.{found.id}.{new.id}.{new.finished}.{room}"
        told = PieceAnswer(found.id, new.id, found.version, room_pieces("report", found), language())
        return Answer(told, tag=f"{tag}.{who.guest is not None}.{who.seat_in(found) or 0}")
    seat = who.seat_in(found) if query.page == "play" else None
    if query.page == "play" and seat is None:
        raise WebError(403, "no-seat", m("take a seat first"))
    made = pieces_of(found, query.page, seat)
    current = find_match(None).id
    tag = f"{site().boot}.{current}.{made.match}.{made.version}.{query.page}.{seat or 0}.{room}.{who.host}"
    html = {**made.html, **room_pieces(query.page, found)}
    return Answer(PieceAnswer(made.match, current, made.version, html, language()), tag=f"{tag}.{who.screen}")
