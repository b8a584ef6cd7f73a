"""A match with a second board below the first: the one that is drawn on now, and the other one beside it."""

from __future__ import annotations

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, m
from companion.games.railroad_ink.rules.boards.layouts import Layout
from companion.games.railroad_ink.rules.boards.words import route_words
from companion.games.railroad_ink.rules.expansions.marks import signs_in
from companion.games.railroad_ink.rules.expansions.tables import TABLES, known_expansion, table_of
from companion.games.railroad_ink.rules.rulebook import COLUMN, ROW
from companion.games.railroad_ink.ui import art
from web.ui.speaking import Markup

_SIGN = "below"
# The board below has exits and a central area, nothing else: as where it is a game of its own.
_ALONE = next(name for name, table in TABLES.items() if table.own_dice)


def two_levels(view: JsonObject) -> bool:
    """Return True if the match has a second board below ground."""
    name = view["options"].get("expansion", "")
    return known_expansion(name) and table_of(name).second_board


def below_now(view: JsonObject) -> bool:
    """Return True if this round is drawn below ground; a finished match is shown from above."""
    return two_levels(view) and view["round"] % 2 == 0 and not view["finished"]


def routes_below(view: JsonObject, seat: int) -> dict[str, str]:
    """What is drawn below, by cell."""
    written = view.get("marks", {}).get(str(seat), {})
    signs = {place: dict(signs_in(text)) for place, text in written.items()}
    return {place: found[_SIGN] for place, found in signs.items() if _SIGN in found}


def board_above(view: JsonObject, seat: int, label: str, marks: Markup) -> Markup:
    """The ordinary board, with what lies below as small pictures."""
    small = _small(routes_below(view, seat), art.edition_of(view).layout)
    return art.board(view, seat, label, marks + small)


def board_below(view: JsonObject, seat: int, label: str) -> Markup:
    """The second board, with what is drawn above as small pictures."""
    own = {
        "boards": {str(seat): {"cells": routes_below(view, seat), "rounds": {}}},
        "options": {**view["options"], "expansion": _ALONE},
    }
    small = _small(view["boards"][str(seat)]["cells"], art.edition_of(view).layout)
    return art.board(own, seat, label, small, kind="second")


def other_level(view: JsonObject, seat: int) -> Markup:
    """The board that is not drawn on now, to look at: its cells are no buttons."""
    if not two_levels(view):
        return Markup("")
    if below_now(view):
        title = m("Above ground")
        shown = board_above(view, seat, m("The board above ground"), Markup(""))
    else:
        title, shown = m("Below ground"), board_below(view, seat, m("The board below ground"))
    shown = Markup(str(shown).replace("data-cell=", "data-other="))  # it is markup already
    return Markup('<figure class="other-level"><figcaption>{}</figcaption>{}</figure>').format(title, shown)


def words_below(view: JsonObject, seat: int) -> list[tuple[str, str]]:
    """What is drawn below, for those who do not see it."""
    routes = [joined(": ", [cell, route_words(route)]) for cell, route in routes_below(view, seat).items()]
    return [(m("Below ground"), joined("; ", routes))] if routes else []


def copies_left(view: JsonObject, seat: int) -> int | None:
    """How many dice may still be drawn twice below; None where there is no such thing."""
    if not two_levels(view):
        return None
    written = view.get("marks", {}).get(str(seat), {})
    return table_of(view["options"]["expansion"]).copies - int(written.get("copies", "0"))


def _small(routes: dict[str, str], layout: Layout) -> Markup:
    """Small pictures of the other board's routes in the lower right corners of their cells."""
    picture = Markup('<g class="other" transform="translate({} {}) scale(.3)">{}</g>')
    found = []
    for name, route in routes.items():
        cell = layout.cell(name)
        found.append(picture.format(100 * COLUMN[cell] + 68, 100 * ROW[cell] + 68, art.route_use(route)))
    return Markup("").join(found)
