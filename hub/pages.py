"""The hub's pages for everybody: all tables, one table, standings, the big screen, a person's own."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, render_template, request

from companion.club.dice import club_word
from companion.core.jsontext import json_of
from companion.core.messages import m
from companion.game.registry import GAMES
from hub import people
from hub.duplicate import boards_of, round_rolls
from hub.intake.api import as_json, house
from hub.people import need
from hub.pieces import (
    ALL,
    TableLine,
    box_of,
    headline,
    next_round,
    organise_pieces,
    round_of,
    round_pieces,
    screen_pieces,
    side_by_side,
    standings_pieces,
    table_drawing,
    table_line,
    table_pieces,
    tables_pieces,
    titles,
)
from hub.response_cache import FOR_PROGRAMS, Key
from hub.results import results, season, table_of
from hub.state import SEASON_DIGITS, number_in
from web.exc import WebError
from web.live.stream_answer import stream_answer
from web.pages.addresses import qr
from web.ui import presenter_of
from web.ui.speaking import language

pages = Blueprint("hub", __name__)
PAGES = ("tables", "table", "standings", "screen", "organise", "round")


_MAKERS: Mapping[str, Callable[[str], dict[str, str]]] = {
    "tables": lambda _: tables_pieces(),
    "standings": lambda number: standings_pieces(number_in(number, SEASON_DIGITS)),
    "screen": lambda _: screen_pieces(),
    "table": table_pieces,
    "organise": organise_pieces,
    "round": round_pieces,
}


@pages.get("/api/v1/pieces")
def pieces() -> Response:
    """The changing parts of a page as HTML, by name."""
    page, table = request.args.get("page", ""), request.args.get("match", "")
    if page not in PAGES:
        raise _no_such_page()
    table = _about(page, table)
    if page == "table" and not table_line(box_of(table)).sealed:
        house().watch(box_of(table).key)

    def make() -> bytes:
        told = _MAKERS[page](table)
        return json_of({"current": "", "version": 0, "language": language(), "pieces": told})

    if page == "organise":
        return Response(make(), mimetype="application/json")
    return _kept_answer((page, table, language()), make)


def _about(page: str, match: str) -> str:
    """What of a page is asked for, written in one way only, so that every answer is kept once."""
    if page == "table":
        return str(box_of(match).number)
    if page == "round":
        return str(round_of(match).number)
    if page == "standings" and match:
        number = number_in(match, SEASON_DIGITS)
        if number is not None and number <= len(house().state.evening.seasons):
            return str(number)
    elif match in ("", ALL if page == "organise" else ""):
        return match
    raise _no_such_page()


def _no_such_page() -> WebError:
    return WebError(404, "not-found", m("there is no such page: go back to the tables"))


@pages.get("/api/v1/tables")
def tables_json() -> Response:
    """All tables, for programs: who plays what, how it stands, after which event."""
    return _kept_answer(FOR_PROGRAMS, lambda: json_of(_for_programs()))


def _kept_answer(key: Key, make: Callable[[], bytes]) -> Response:
    answer = house().response_cache.answer(key, make)
    response = Response(answer.body, mimetype="application/json")
    response.headers["ETag"] = answer.tag
    response.make_conditional(request)
    return response


def _for_programs() -> dict[str, Any]:
    hub_state = house().state
    version = hub_state.version  # before the tables: what changes meanwhile is another version
    told = [
        {
            "table": box.number,
            "name": box.name,
            "help": box.help,
            "match": played.match if played else "",
            "game": played.game if played else "",
            "seq": played.state.seq if played and played.state else 0,
            "headline": played.state.headline if played and played.state else "",
            "finished": bool(played and played.results),
            "counts": bool(played and not played.fault),
            "seats": list(played.results or (played.state.seats if played.state else ())) if played else [],
        }
        for box in hub_state.tables()
        for played in (hub_state.playing(box),)
    ]
    return {"version": version, "tables": told}


@pages.get("/api/v1/stream")
def stream() -> Response:
    """Server-sent events; 503 when all streams are taken, and then the page polls."""
    return stream_answer(house().live, belongs=people.role() is not None)


# --- pages ---


@pages.get("/")
def tables() -> str:
    """All tables at a glance."""
    return render_template("hub/tables.html", pieces=tables_pieces(), page="tables")


@pages.get("/table/<number>")
def table(number: str) -> str:
    """One table, as its own watch page."""
    box = box_of(number)
    line = table_line(box)
    drawing = table_drawing(box, line)
    presenter = presenter_of_line(line)
    return render_template(
        "hub/table.html",
        pieces={"headline": headline(line, drawing)},
        box=box,
        drawing=drawing,
        presenter=presenter,
        page="table",
        match=number,
    )


def presenter_of_line(line: TableLine) -> Any:
    """The presenter of the game that is played at a table."""
    return presenter_of(GAMES[line.played.game]) if line.played and line.played.game in titles() else None


@pages.get("/standings")
def standings() -> str:
    """The page of the standings."""
    number = number_in(request.args.get("season", ""), SEASON_DIGITS)
    name = season(house().state.evening, number)[0]
    return render_template(
        "hub/standings.html",
        pieces=standings_pieces(number),
        page="standings",
        match="" if number is None else str(number),
        season=name,
        seasons=[(0, ""), *house().state.evening.seasons],
        duplicates=[one for one in house().state.evening.rounds if one.seed][-12:],
    )


@pages.get("/round/<number>")
def one_round(number: str) -> str:
    """A round; with the same dice at all tables their seal, and once they are open all boards."""
    one = round_of(number)
    hub_state, chosen = house().state, []
    if one.seed and "board" in request.args:
        with house().database.reading() as look:
            boards = boards_of(look, hub_state, house().club.id, one)
        wanted = [board for board in boards if board.name == request.args["board"]]
        chosen = side_by_side([replace(board, place=board.place or 0) for board in wanted])
    return render_template(
        "hub/round.html",
        pieces=round_pieces(number),
        round=one,
        chosen=chosen,
        titles=titles(),
        presenter=presenter_of(GAMES[one.game]) if one.game in titles() else None,
        page="round",
        match=number,
    )


@pages.get("/api/v1/rounds/<number>")
def round_json(number: str) -> Response:
    """A round for programs: what proves its dice, and how all boards rank."""
    one, club = round_of(number), house().club.id
    with house().database.reading() as look:
        boards = boards_of(look, house().state, club, one) if one.seed else []
    rolls = round_rolls(club, one)
    told = {
        "round": one.number,
        "game": one.game,
        "options": one.options,
        "tables": {str(table): people for table, people in one.tables.items()},
        "begun": one.begun,
        "commitment": one.commitment,
        "word": one.word,
        "mixed": club_word(club, one.number, one.word) if one.commitment and one.begun else "",
        "seed": one.seed,
        "rolls": rolls,
        "box": house().box_player.points(one, rolls),
        "boards": [
            {"place": board.place, "name": board.seat.name, "total": board.total, "table": board.table}
            | ({"why": board.why} if board.why else {})
            for board in boards
        ],
    }
    return as_json(told)


@pages.get("/screen")
def screen() -> str:
    """The page for the big screen of the club room."""
    return render_template("hub/screen.html", pieces=screen_pieces(), page="screen")


@pages.get("/organise")
def organise() -> str:
    """The organiser's page, or the form for the PIN."""
    if people.role() is None:
        return render_template("hub/pin.html", page="")
    which = ALL if request.args.get("results") == ALL else ""
    told = organise_pieces(which)
    return render_template("hub/organise.html", pieces=told, page="organise", match=which, role=people.role())


@pages.get("/c/<card>")
def own(card: str) -> str:
    """A person's own page: where to sit next, and how it went."""
    name = person_of(card)
    if name is None:
        raise WebError(404, "no-card", m("nobody here has that card"))
    hub_state = house().state
    coming = next_round()
    seat = next((number for number, who in coming.tables.items() if name in who), None) if coming else None
    mine = [one for one in results(hub_state) if any(seat.name == name for seat in one.seats)]
    line = next((one for one in table_of(hub_state) if one.person == name), None)
    told = {"name": name, "round": coming, "table": seat, "results": mine, "line": line}
    return render_template("hub/own.html", page="", titles=titles(), **told)


def person_of(card: str) -> str | None:
    """The person whose card has this code; None where nobody's has."""
    return next((name for name in house().state.evening.people if card_of(name) == card.upper()[:12]), None)


def card_of(name: str) -> str:
    """The code of somebody's card: always the same, and known only to this hub."""
    made = hmac.new(house().secret, name.encode(), hashlib.sha256).digest()
    return base64.b32encode(made)[:12].decode()


@pages.get("/print/<what>")
def print_out(what: str) -> str:
    """Paper for the evening: where everybody sits, the standings, a card for everybody."""
    if what not in ("seating", "standings", "cards"):
        raise WebError(404, "not-found", m("there is no such page: go back to the tables"))
    if what == "cards":
        need("helper")
    links = {name: f"{request.host_url}c/{card_of(name)}" for name in house().state.evening.people}
    cards = [(name, link, qr(link)) for name, link in links.items()] if what == "cards" else []
    lines = table_of(house().state) if what == "standings" else []
    told = {"round": next_round(), "titles": titles(), "lines": lines, "what": what, "cards": cards}
    return render_template("hub/print.html", page="", **told)
