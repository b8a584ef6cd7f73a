"""Marks under a finger where whole boards are entered: every sign of an expansion as a button.

The Score page and a scorekeeper's match ask for them once an expansion or another board is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from flask import request

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, m
from companion.games.railroad_ink.rules.boards.routes import (
    EXTRA_ROUTES,
    EXTRA_SHAPES,
    any_route,
    is_shape,
    shape_of,
    turnings,
)
from companion.games.railroad_ink.rules.boards.words import SHAPE_NAMES, route_words, side_words
from companion.games.railroad_ink.rules.expansions.frame import face_words, split_face
from companion.games.railroad_ink.rules.expansions.tables import (
    Table,
    begins_with,
    known_expansion,
    table_of,
    title_words,
)
from companion.games.railroad_ink.rules.rulebook import EDITIONS, LAYOUTS
from companion.games.railroad_ink.ui import art, signs
from companion.games.railroad_ink.ui.tapped_walls import walls
from companion.sheets.grid import DIRECTION_NAMES
from web.exc import WebError
from web.ui.speaking import Markup, spoken

__all__ = ["ADDRESS", "walls"]
ADDRESS = "/pieces/railroad-ink"
_ENDS = "NESW"
_MOST = 6  # of the numbers that may stand behind a sign


@walls.get(ADDRESS)
def pieces() -> JsonObject:
    """An empty board of a size, an expansion's signs, and the routes that only it draws."""
    size, name = request.args.get("size", "usual"), request.args.get("expansion", "")
    edition = request.args.get("edition", "challenge")
    if size not in LAYOUTS or edition not in EDITIONS or (name and not known_expansion(name)):
        raise WebError(404, "not-found", m("there is no such board or expansion"))
    empty = {
        "boards": {"1": {"cells": {}, "rounds": {}}},
        "options": {"edition": edition, "blueprint": [], "size": size, "expansion": name},
    }
    table = table_of(name) if name else None
    return {
        "board": str(art.board(empty, 1, m("The board to be scored"))),
        "title": spoken(title_words(name)) if table else "",
        "house": bool(table and table.by_house_rules),
        "start": begins_with(name, LAYOUTS[size].spread) if name else {},
        "signs": str(_signs(table)) if table else "",
        "shapes": str(_shapes(table)) if table else "",
        "sprite": str(_sprite(table)) if table else "",
    }


def _signs(table: Table) -> Markup:
    """A button for every mark that can be made in one place."""
    button = Markup(
        '<button type="button" class="fit" data-kind="{}" data-side="{}" data-word="{}" aria-pressed="false" '
        'aria-label="{}"><svg class="die" viewBox="0 0 100 100" aria-hidden="true">{}</svg></button>'
    )
    found = [
        button.format(kind, side, word, _sign_words(word, side), picture)
        for kind, side, word, picture in _choices(table)
    ]
    return Markup('<div class="sign-choices">{}</div>').format(Markup("").join(found))


def _sign_words(word: str, side: str) -> str:
    return joined(" ", [face_words(word), side_words(side)] if side else [face_words(word)])


def _choices(table: Table) -> Iterator[tuple[str, str, str, Markup]]:
    """Kind of place, side of the cell, word and picture."""
    for sign, told in table.marks.items():
        kind, *detail = told.split()
        if kind == "cell":
            for word in _words(table, sign, detail[0] if detail else ""):
                yield "cell", "", word, signs.sign(word)
            continue
        for way, side in enumerate(DIRECTION_NAMES):
            picture = signs.border_line(way) if kind == "border" else signs.outside_word(side, sign)
            yield kind, side, sign, picture


def _words(table: Table, sign: str, detail: str) -> list[str]:
    """Every way in which a sign can be written in a cell."""
    match detail:
        case "ends":
            ends = ["".join(some) for count in (2, 1, 3, 4) for some in combinations(_ENDS, count)]
            return [f"{sign}:{some}" for some in ends]
        case "number":
            return [sign, *(f"{sign}:{number}" for number in range(1, _MOST + 1))]
        case "letter":
            return [f"{sign}:{letter}" for letter in "ABC"]
        case "way":
            return [f"{sign}:nw-se", f"{sign}:ne-sw"]
        case "route":
            return [f"{sign}:{route.text}" for shape in _drawn_shapes(table) for route in turnings(shape)]
        case _:
            return [sign]


def _drawn_shapes(table: Table) -> list[str]:
    """The kinds of route on an expansion's dice, each once."""
    routes = [split_face(face)[0] for faces in table.dice.values() for face in faces]
    return list(dict.fromkeys(shape_of(any_route(route)) for route in routes if is_shape(route)))


def _extra_shapes(table: Table) -> list[str]:
    """The kinds of route that nothing but this expansion draws; what is added to others makes all of them."""
    if any(face.startswith("renew:") for faces in table.dice.values() for face in faces):
        return list(EXTRA_SHAPES)
    return (
        [shape for shape in _drawn_shapes(table) if shape in EXTRA_SHAPES] if not table.second_board else []
    )


def _shapes(table: Table) -> Markup:
    button = Markup('<button type="button" class="choice" data-shape="{}" aria-label="{}">{}</button>')
    found = [
        button.format(shape, SHAPE_NAMES[shape], art.face(shape, SHAPE_NAMES[shape]))
        for shape in _extra_shapes(table)
    ]
    return Markup("").join(found)


def _sprite(table: Table) -> Markup:
    symbol = Markup(
        '<symbol id="turn-{}" overflow="visible" data-mark="{}" data-shape="{}" data-words="{}">{}</symbol>'
    )
    return Markup("").join(
        symbol.format(
            EXTRA_ROUTES[route.text].number,
            route.text,
            shape,
            route_words(route),
            art.route_use(route.text),
        )
        for shape in _extra_shapes(table)
        for route in turnings(shape)
    )
