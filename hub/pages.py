"""The hub's pages for everybody: all tables, one table, standings, the big screen, a person's own."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, Response, render_template, request

from companion.club.dice import club_word
from companion.club.messages import Standing
from companion.core.errors import GameError
from companion.core.jsontext import json_of
from companion.core.messages import m
from companion.game.packages import packages
from companion.game.registry import GAMES
from hub import people
from hub.api import as_json, house
from hub.database import Transaction
from hub.duplicate import Board, boards_of, can_be_duplicate, is_sealed, round_rolls
from hub.evening import Round
from hub.people import PINS, need
from hub.rating import can_rate
from hub.response_cache import FOR_PROGRAMS, Key
from hub.results import Result, result_of, results, season, table_of
from hub.standings import tables as choices
from hub.state import ROUND_DIGITS, SEASON_DIGITS, TABLE_DIGITS, Box, HubState, Played, number_in, view_of
from hub.watching import WatchScene, watch_scene
from web.exc import WebError
from web.live.stream_answer import stream_answer
from web.pages.addresses import qr
from web.ui import presenter_of
from web.ui.scene import SeatScene
from web.ui.speaking import language

pages = Blueprint("hub", __name__)
PAGES = ("tables", "table", "standings", "screen", "organise", "round")
_MOST_BOARDS = 6  # of a round, side by side
_NEWEST_RESULTS = 20  # to be corrected on the organiser's page, and a way to all others
ALL = "all"
_FIRST_LINES = 12  # of the standings on the big screen


@dataclass(frozen=True)
class TableLine:
    """A table as the first page shows it."""

    box: Box
    played: Played | None
    title: str
    leaders: list[Standing]
    result: Result | None
    sealed: bool = False  # other tables have the same dice before them: no boards are shown yet


def titles() -> dict[str, str]:
    """The titles of all games by name."""
    return {name: package.title for name, package in packages().items()}


def table_line(box: Box) -> TableLine:
    """Return the summary of a table."""
    hub_state = house().state
    played = hub_state.playing(box)
    if played is None or played.state is None:
        return TableLine(box, None, "", [], None)
    result = result_of(hub_state.evening, played) if played.results else None
    seats = list(result.seats if result else played.state.seats)
    seats.sort(key=lambda one: (one.place is None, -one.total if not result else one.place or 0))
    sealed = is_sealed(hub_state.evening, box, played)
    return TableLine(box, played, titles().get(played.game, played.game), seats, result, sealed)


# --- pieces ---


def _tables() -> dict[str, str]:
    hub_state = house().state
    lines = [table_line(box) for box in hub_state.tables()]
    told = {f"table-{line.box.number}": _card(line) for line in lines}
    return {"summary": render_template("hub/summary.html", lines=lines, evening=hub_state.evening), **told}


def _card(line: TableLine) -> str:
    """A table's card, drawn again only when something about it has changed."""
    cards, version = house().cards, house().state.version_of(line.box)
    key = (line.box.number, language())
    found = cards.get(key)
    if found is None or found[0] != version:
        found = cards[key] = (version, render_template("hub/card.html", line=line))
    return found[1]


def _standings(number: int | None = None) -> dict[str, str]:
    hub_state = house().state
    told = {
        "lines": table_of(hub_state, number),
        "results": list(reversed(results(hub_state, *season(hub_state.evening, number)[1:])))[:200],
        "evening": hub_state.evening,
        "tables": {box.key: box for box in hub_state.boxes.values()},
        "titles": titles(),
        "rated": can_rate(),
    }
    return {"standings": render_template("hub/standing.html", **told)}


def _screen() -> dict[str, str]:
    hub_state = house().state
    lines = table_of(hub_state)[:_FIRST_LINES]
    return {
        **_tables(),
        "standings": render_template("hub/first.html", lines=lines),
        "seating": render_template("hub/seating.html", round=next_round(), titles=titles()),
    }


def next_round() -> Round | None:
    """The newest round, drawn or begun."""
    rounds = house().state.evening.rounds
    return max(rounds, key=lambda one: one.number) if rounds else None


def _table(number: str) -> dict[str, str]:
    box = _box(number)
    line = table_line(box)
    scene = _scene(box, line)
    told = {"headline": render_template("hub/headline.html", line=line, scene=scene)}
    if scene is None:
        return told
    told["dice"] = render_template("pieces/dice.html", scene=scene)
    told["asides"] = render_template("pieces/asides.html", scene=scene)
    if scene.ground:
        told["shared"] = render_template("pieces/over-ground.html", scene=scene)
        told["beside-shared"] = render_template("pieces/beside-shared.html", scene=scene)
    elif scene.shared_board:
        told["shared"] = render_template("pieces/shared.html", scene=scene)
    for seat in scene.seats:
        told[f"seat-{seat.number}"] = render_template("pieces/seat.html", scene=scene, seat=seat)
    return told


def _box(number: str) -> Box:
    table = number_in(number, TABLE_DIGITS)
    found = None if table is None else house().state.table(table)
    if found is None:
        raise WebError(404, "no-table", m("there is no such table here"))
    return found


def _scene(box: Box, line: TableLine) -> WatchScene | None:
    """The position of a table, once its box, which is asked for it, has sent it."""
    if line.sealed or line.played is None:
        return None
    house().watch(box.key)
    with house().database.reading() as look:
        return _drawn(look, line.played)


def _drawn(look: Transaction, played: Played) -> WatchScene | None:
    """The position that was sent last, drawn."""
    state = played.state
    if state is None or state.game not in titles():
        return None
    found = view_of(look, played.box, played.match)
    try:
        return watch_scene(state, found[1]) if found is not None else None
    except (GameError, KeyError, TypeError, ValueError):  # of a box with another version
        return None


def _organise(which: str = "") -> dict[str, str]:
    """The organiser's page, with the newest results, or ``all`` of them."""
    need("helper")
    hub_state = house().state
    listed = [one for one in hub_state.matches.values() if one.results or one.fault]
    found = [result_of(hub_state.evening, one) for one in listed]
    found.sort(key=lambda one: one.played.began, reverse=True)
    told: dict[str, Any] = {
        "lines": [table_line(box) for box in hub_state.tables()],
        "evening": hub_state.evening,
        "round": next_round(),
        "titles": titles(),
        "results": found if which == ALL else found[:_NEWEST_RESULTS],
        "more": 0 if which == ALL else len(found[_NEWEST_RESULTS:]),
        "tables": {box.key: box for box in hub_state.boxes.values()},
        "role": people.role(),
        "choices": choices(),
        "duplicates": [name for name in titles() if can_be_duplicate(name)],
        "code": house().setting("pairing-code") or "",
        "helpers": bool(house().setting(PINS["helper"])),
    }
    names = ("calls", "rounds", "people", "corrections", "boxes", "counting")
    return {name: render_template(f"hub/organise/{name}.html", **told) for name in names}


def _round(number: str) -> dict[str, str]:
    """A round; when its dice are open also how they fell, and the boards of all tables side by side."""
    one = _round_of(number)
    hub_state, club = house().state, house().club.id
    told: dict[str, Any] = {"round": one, "titles": titles(), "boards": [], "shown": [], "rolls": []}
    told["over"] = _over(hub_state, one) if one.begun else 0
    told["mixed"] = club_word(club, one.number, one.word)
    if one.seed:
        presenter = presenter_of(GAMES[one.game])
        told["rolls"] = [[presenter.face(face) for face in faces] for faces in round_rolls(club, one)]
        with house().database.reading() as look:
            told["boards"] = boards_of(look, hub_state, club, one)
            told["shown"] = _side_by_side(look, told["boards"])
    return {"round": render_template("hub/round_boards.html", **told)}


def _over(hub_state: HubState, one: Round) -> int:
    """The number of tables that have finished the round."""
    found = {
        hub_state.boxes[played.box].number
        for played in hub_state.matches.values()
        if played.results and played.began >= one.begun and played.game == one.game
    }
    return len(found & set(one.tables))


def _round_of(number: str) -> Round:
    wanted = number_in(number, ROUND_DIGITS)
    found = None if wanted is None else house().state.evening.round(wanted)
    if found is None:
        raise WebError(404, "no-round", m("there is no such round"))
    return found


def _side_by_side(look: Transaction, boards: list[Board]) -> list[tuple[Board, WatchScene, SeatScene]]:
    """The best boards as the watch page draws them, as far as they were sent."""
    found = []
    for board in boards:
        scene = _drawn(look, board.played) if board.place is not None else None
        seat = next((one for one in scene.seats if one.number == board.seat.seat), None) if scene else None
        if scene is not None and seat is not None:
            found.append((board, scene, seat))
        if len(found) == _MOST_BOARDS:
            break
    return found


_MAKERS: Mapping[str, Callable[[str], dict[str, str]]] = {
    "tables": lambda _: _tables(),
    "standings": lambda number: _standings(number_in(number, SEASON_DIGITS)),
    "screen": lambda _: _screen(),
    "table": _table,
    "organise": _organise,
    "round": _round,
}


@pages.get("/api/v1/pieces")
def pieces() -> Response:
    """The changing parts of a page as HTML, by name."""
    page, table = request.args.get("page", ""), request.args.get("match", "")
    if page not in PAGES:
        raise WebError(404, "not-found", m("there is no such page: go back to the tables"))
    if page == "table" and not table_line(_box(table)).sealed:
        house().watch(_box(table).key)

    def make() -> bytes:
        told = _MAKERS[page](table)
        return json_of({"current": "", "version": 0, "language": language(), "pieces": told})

    if page == "organise":
        return Response(make(), mimetype="application/json")
    return _kept_answer((page, table, language()), make)


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
    return render_template("hub/tables.html", pieces=_tables(), page="tables")


@pages.get("/table/<number>")
def table(number: str) -> str:
    """One table, as its own watch page."""
    box = _box(number)
    line = table_line(box)
    scene = _scene(box, line)
    presenter = presenter_of_line(line)
    return render_template(
        "hub/table.html",
        pieces=_table(number),
        box=box,
        scene=scene,
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
        pieces=_standings(number),
        page="standings",
        match="" if number is None else str(number),
        season=name,
        seasons=[("", ""), *house().state.evening.seasons],
        duplicates=[one for one in house().state.evening.rounds if one.seed][-12:],
    )


@pages.get("/round/<number>")
def one_round(number: str) -> str:
    """A round; with the same dice at all tables their seal, and once they are open all boards."""
    one = _round_of(number)
    hub_state, chosen = house().state, []
    if one.seed and "board" in request.args:
        with house().database.reading() as look:
            boards = boards_of(look, hub_state, house().club.id, one)
            wanted = [board for board in boards if board.name == request.args["board"]]
            chosen = _side_by_side(look, [replace(board, place=board.place or 0) for board in wanted])
    return render_template(
        "hub/round.html",
        pieces=_round(number),
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
    one, club = _round_of(number), house().club.id
    with house().database.reading() as look:
        boards = boards_of(look, house().state, club, one) if one.seed else []
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
        "rolls": round_rolls(club, one),
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
    return render_template("hub/screen.html", pieces=_screen(), page="screen")


@pages.get("/organise")
def organise() -> str:
    """The organiser's page, or the form for the PIN."""
    if people.role() is None:
        return render_template("hub/pin.html", page="")
    which = ALL if request.args.get("results") == ALL else ""
    told = _organise(which)
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
