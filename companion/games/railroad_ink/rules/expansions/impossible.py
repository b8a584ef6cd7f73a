"""Marks that cannot stand where they are written: what the dice do not show, and what rules forbid."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.messages import m
from companion.core.remembering import remembered
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import any_route, is_shape, shape_of
from companion.games.railroad_ink.rules.boards.words import route_words
from companion.games.railroad_ink.rules.expansions.marks import signs_in
from companion.games.railroad_ink.rules.expansions.registry import RULES
from companion.games.railroad_ink.rules.expansions.tables import TABLES, parts_of
from companion.games.railroad_ink.rules.rulebook import NAMES, SPECIAL_SHAPES


def marks_reasons(position: Position) -> Iterator[str]:
    """A sentence for each mark that cannot be, and what the expansion's own rules forbid of a whole board."""
    numbers = position.layout.numbers
    for part in parts_of(position.expansion):
        for place, text in position.marks.items():
            for sign, detail in signs_in(text):
                if sign not in TABLES[part].marks:
                    continue
                shown = _details(part)[sign]
                if detail and shown and TABLES[part].marks[sign] == "cell number" and detail not in shown:
                    yield m(
                        "{sign}:{detail} at {place}: the dice show {shown}",
                        sign=sign,
                        detail=detail,
                        place=place,
                        shown=", ".join(sorted(shown)),
                    )
                if place in numbers:
                    # Why the sign cannot stand there: with a route it never comes with, or without
                    # one it needs
                    cell = numbers[place]
                    table, route, shapes = (
                        TABLES[part],
                        position.cells.get(cell),
                        _shapes(part).get(sign, frozenset()),
                    )
                    name, full = NAMES[cell], {*table.fills} - {*table.beneath}
                    if route is not None and sign in full and shape_of(route) not in shapes:
                        yield m(
                            "{sign} at {name}: never in one space with a {route}",
                            sign=sign,
                            name=name,
                            route=route_words(route),
                        )
                    elif route is None and sign in table.on_routes and part == position.expansion:
                        yield m("{sign} at {name}: nothing is drawn there", sign=sign, name=name)
        yield from RULES[part].faults(position)
        yield from RULES[part].impossible(position)


def specials_are_open(expansion: str) -> bool:
    """Return True if the number of special routes is not limited.

    Dice may show some, or what is drawn may not stay.
    """
    shapes = {one for part in parts_of(expansion) for shown in _shapes(part).values() for one in shown}
    return any(TABLES[part].alters for part in parts_of(expansion)) or not shapes.isdisjoint(SPECIAL_SHAPES)


@remembered(64)
def _words_of_faces(part: str) -> tuple[tuple[str, ...], ...]:
    """Every face of the expansion's dice, taken apart: "NE+trees" is a route and a sign."""
    table = TABLES[part]
    return tuple(tuple(face.split("+")) for name in table.roll for face in table.dice[name])


@remembered(64)
def _details(part: str) -> dict[str, frozenset[str]]:
    """What stands behind the colon of each sign on the dice."""
    shown: dict[str, set[str]] = {sign: set() for sign in TABLES[part].marks}
    for word in (word for words in _words_of_faces(part) for word in words):
        sign, colon, detail = word.partition(":")
        if colon and sign in shown:
            shown[sign].add(detail)
    return {sign: frozenset(found) for sign, found in shown.items()}


@remembered(64)
def _shapes(part: str) -> dict[str, frozenset[str]]:
    """The shapes of route with which each sign comes on a die."""
    found: dict[str, set[str]] = {}
    for words in _words_of_faces(part):
        shapes = {shape_of(any_route(word)) for word in words if is_shape(word)}
        for word in words:
            found.setdefault(word.partition(":")[0], set()).update(shapes)
    return {sign: frozenset(shapes) for sign, shapes in found.items()}
