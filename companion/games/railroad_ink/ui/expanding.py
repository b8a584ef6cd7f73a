"""An expansion under a finger: its dice, every placement by the cell that is tapped, points by hand."""

from __future__ import annotations

from urllib.parse import urlencode

from companion.core.jsontext import JsonObject
from companion.games.railroad_ink.rules.expansions.actions import place_actions
from companion.games.railroad_ink.rules.expansions.frame import face_words
from companion.games.railroad_ink.rules.expansions.playing import faces_left
from companion.games.railroad_ink.rules.expansions.tables import title_words
from companion.games.railroad_ink.rules.expansions.words import sign_words
from companion.games.railroad_ink.rules.match.state import NO_EXPANSION, State, marks_of
from companion.games.railroad_ink.ui import art, signs
from companion.games.railroad_ink.ui.marking import ADDRESS
from web.ui.speaking import Markup


def expansion_controls(state: State, seat: int) -> JsonObject | None:
    """What the template shows of an expansion; nothing without one."""
    if state.options.expansion == NO_EXPANSION:
        return None
    table = state.options.table
    known = bool(table) and state.mode == "umpire"
    playing = known and state.lies and seat not in state.done and not state.finished
    actions = [one.data for one in place_actions(state, seat)] if playing else []
    left = faces_left(state.boards[seat], state.round, state.extra) if playing else ()
    return {
        "title": title_words(state.options.expansion) if table else "",
        "house": bool(table and table.by_house_rules),
        "faces": [{"face": one, "picture": signs.face(one, ""), "words": face_words(one)} for one in left],
        "marks": _boxes(state, seat),
        "places": actions,
        "signs": _symbols(actions),
        "by_hand": not known and not state.finished,
        "entered": _entered(state, seat) if state.mode == "scorekeeper" and state.options.known else None,
        "stars": state.stars.get(seat, 0),
    }


def _entered(state: State, seat: int) -> JsonObject:
    """What is needed to enter marks on a reported board: where the signs are found, and what is there."""
    request = urlencode({"size": state.options.size, "expansion": state.options.known})
    return {"pieces": f"{ADDRESS}?{request}", "marks": marks_of(state, state.boards[seat])}


def _boxes(state: State, seat: int) -> list[tuple[str, str]]:
    """The boxes beside the board, such as coins; what may be drawn twice is told with what is left."""
    table = state.options.table
    if table is not None and table.copies:
        return []
    marks = marks_of(state, state.boards[seat])
    return [(sign_words(place), text) for place, text in marks.items() if not signs.place_cell(place)]


def _symbols(actions: list[JsonObject]) -> Markup:
    """Each different mark of the placements once, and the routes that only expansions draw."""
    words: dict[str, tuple[str, str]] = {}
    for data in actions:
        for place, text in data.get("marks", {}).items():
            if signs.place_cell(place):
                words.setdefault(mark_key(place, text), (place, text))
    routes = [data["route"] for data in actions if "route" in data]
    drawn = signs.symbols((key, place, text) for key, (place, text) in words.items())
    return drawn + art.own_symbols(routes)


def mark_key(place: str, text: str) -> str:
    """The symbol's name: signs look alike in every cell, borders and places outside by their side."""
    first, dash, second = place.partition("-")
    if not dash:
        side = ""
    elif second.isalpha():
        side = second
    else:
        side = "right" if first[1:] == second[1:] else "bottom"
    return f"sign-{side}-{text}".replace(" ", "_")
