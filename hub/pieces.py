"""The changing parts of the hub's pages, each drawn apart: what one box told takes no page from others."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from flask import render_template

from companion.club.dice import club_word
from companion.club.messages import Standing
from companion.core.messages import m
from companion.game.packages import packages
from companion.game.registry import GAMES
from hub import people
from hub.duplicate import Board, boards_of, can_be_duplicate, is_sealed, round_rolls
from hub.evening import Round
from hub.foreign.drawing import Drawing
from hub.intake.api import house
from hub.people import PINS, need
from hub.rating import can_rate
from hub.results import Result, result_of, results, season, table_of
from hub.standings import tables as choices
from hub.state import ROUND_DIGITS, TABLE_DIGITS, Box, HubState, Played, number_in, view_of
from web.exc import WebError
from web.ui import presenter_of
from web.ui.speaking import language

log = logging.getLogger(__name__)

_MOST_BOARDS = 6  # of a round, side by side
_NEWEST_RESULTS = 20  # to be corrected on the organiser's page, and a way to all others
ALL = "all"
_MOST_LINES = 500  # of the standings; a card leads to everybody's own
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


def drawn_apart(template: str, **told: Any) -> str:
    """A part of a page; where what a box told breaks it, a sentence in its place, and the others stay."""
    try:
        return render_template(template, **told)
    except Exception:
        log.exception("%s cannot be drawn", template)
        return render_template("hub/not_drawn.html")


def tables_pieces() -> dict[str, str]:
    """The cards of all tables, and what stands above them."""
    hub_state = house().state
    lines = [table_line(box) for box in hub_state.tables()]
    told = {f"table-{line.box.number}": _card(line) for line in lines}
    return {"summary": drawn_apart("hub/summary.html", lines=lines, evening=hub_state.evening), **told}


def _card(line: TableLine) -> str:
    """A table's card, drawn again only when something about it has changed."""
    cards, version = house().cards, house().state.version_of(line.box)
    key = (line.box.number, language())
    found = cards.get(key)
    if found is None or found[0] != version:
        found = cards[key] = (version, drawn_apart("hub/card.html", line=line))
    return found[1]


def standings_pieces(number: int | None = None) -> dict[str, str]:
    """The standings of a season, and its matches."""
    hub_state = house().state
    lines = table_of(hub_state, number)
    told = {
        "lines": lines[:_MOST_LINES],
        "more": len(lines[_MOST_LINES:]),
        "results": list(reversed(results(hub_state, *season(hub_state.evening, number)[1:])))[:200],
        "evening": hub_state.evening,
        "tables": {box.key: box for box in hub_state.boxes.values()},
        "titles": titles(),
        "rated": can_rate(),
    }
    return {"standings": drawn_apart("hub/standing.html", **told)}


def screen_pieces() -> dict[str, str]:
    """The big screen's parts."""
    hub_state = house().state
    lines = table_of(hub_state)[:_FIRST_LINES]
    return {
        **tables_pieces(),
        "standings": drawn_apart("hub/first.html", lines=lines),
        "seating": drawn_apart("hub/seating.html", round=next_round(), titles=titles()),
    }


def next_round() -> Round | None:
    """The newest round, drawn or begun."""
    rounds = house().state.evening.rounds
    return max(rounds, key=lambda one: one.number) if rounds else None


def table_pieces(number: str) -> dict[str, str]:
    """A table's parts."""
    box = box_of(number)
    line = table_line(box)
    drawing = table_drawing(box, line)
    return {"headline": headline(line, drawing), **(drawing.pieces if drawing else {})}


def headline(line: TableLine, drawing: Drawing | None) -> str:
    """What stands above a table's boards."""
    came = line.played is not None and line.played.view_seq > 0
    return drawn_apart("hub/headline.html", line=line, is_drawn=drawing is not None, came=came)


def box_of(number: str) -> Box:
    """The box of the table with this number; an error where there is none."""
    table = number_in(number, TABLE_DIGITS)
    found = None if table is None else house().state.table(table)
    if found is None:
        raise WebError(404, "no-table", m("there is no such table here"))
    return found


def table_drawing(box: Box, line: TableLine) -> Drawing | None:
    """The boards of a table, once its box, which is asked for the position, has sent it."""
    if line.sealed or line.played is None:
        return None
    house().watch(box.key)
    return _drawn(box.number, line.played)


def _drawn(table: int, played: Played) -> Drawing | None:
    """The position that was sent last, drawn; None for one that this hub cannot draw."""
    state = played.state
    if state is None or state.game not in titles() or not played.view_seq:
        return None
    with house().database.reading() as look:
        view = view_of(look, played.box, played.match)
    return house().drawings.of(table, played, view, language())


def organise_pieces(which: str = "") -> dict[str, str]:
    """The organiser's page, with the newest results, or ``all`` of them."""
    need("helper")
    hub_state = house().state
    listed = [one for one in hub_state.matches.values() if one.results or one.fault]
    found = [result_of(hub_state.evening, one) for one in listed]
    found.sort(key=lambda one: one.played.order, reverse=True)
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
        "aside": hub_state.set_aside,
        "helpers": bool(house().setting(PINS["helper"])),
    }
    names = ("calls", "rounds", "people", "corrections", "boxes", "counting")
    return {name: drawn_apart(f"hub/organise/{name}.html", **told) for name in names}


def round_pieces(number: str) -> dict[str, str]:
    """A round; when its dice are open also how they fell, and the boards of all tables side by side."""
    one = round_of(number)
    hub_state, club = house().state, house().club.id
    told: dict[str, Any] = {
        "round": one,
        "titles": titles(),
        "boards": [],
        "shown": [],
        "rolls": [],
        "box": None,
    }
    told["over"] = _over(hub_state, one) if one.begun else 0
    told["mixed"] = club_word(club, one.number, one.word)
    if one.seed:
        presenter = presenter_of(GAMES[one.game])
        rolls = round_rolls(club, one)
        told["rolls"] = [[presenter.face(face) for face in faces] for faces in rolls]
        told["box"] = house().box_player.points(one, rolls)
        with house().database.reading() as look:
            told["boards"] = boards_of(look, hub_state, club, one)
        told["shown"] = side_by_side(told["boards"])
    return {"round": drawn_apart("hub/round_boards.html", **told)}


def _over(hub_state: HubState, one: Round) -> int:
    """The number of tables that have finished the round."""
    found = {
        hub_state.boxes[played.box].number
        for played in hub_state.matches.values()
        if played.results and played.entries >= one.entry and played.game == one.game
    }
    return len(found & set(one.tables))


def round_of(number: str) -> Round:
    """The round with this number; an error where there is none."""
    wanted = number_in(number, ROUND_DIGITS)
    found = None if wanted is None else house().state.evening.round(wanted)
    if found is None:
        raise WebError(404, "no-round", m("there is no such round"))
    return found


def side_by_side(boards: list[Board]) -> list[tuple[Board, str]]:
    """The best boards as the watch page draws them, as far as they were sent and can be drawn."""
    found = []
    for board in boards:
        drawing = _drawn(board.table, board.played) if board.place is not None else None
        if drawing is not None and board.seat.seat in drawing.seats:
            found.append((board, drawing.seats[board.seat.seat]))
        if len(found) == _MOST_BOARDS:
            break
    return found
