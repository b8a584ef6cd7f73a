"""The legend of the expansions: the faces of their dice, how many rounds, what is a house rule."""

from __future__ import annotations

from collections import Counter

from companion.core.messages import joined, m, table_text
from companion.games.railroad_ink.printing.art import route_shapes
from companion.games.railroad_ink.printing.printed import PRINTED
from companion.games.railroad_ink.rules.boards.routes import any_route
from companion.games.railroad_ink.rules.expansions.frame import split_face
from companion.games.railroad_ink.rules.expansions.marks import directions_of
from companion.games.railroad_ink.rules.expansions.tables import TABLES, Table
from companion.games.railroad_ink.rules.expansions.words import sign_words
from companion.sheets.drawing import Drawing, Line, Point, RoundedRect, Shape, Text, filled, stroked
from companion.sheets.grid import STEPS

_INK = PRINTED.ink
_MARGIN, _ROW, _FACE, _STEP = 14.0, 14.5, 11.0, 17.0
_NAMES = 56.0  # where the dice begin
_FLOWS = {
    "river": ("#2f7fb8", 1.4),
    "lake": ("#2f7fb8", 3.2),
    "lava": ("#d9601a", 3.0),
    "super": ("#8a4fb0", 1.4),
    "air": ("#5c6d79", 0.7),
}


def legend_pages(page: Point) -> list[Drawing]:
    """Every expansion with its dice, which stay together, on as many pages as that takes."""
    each = int((page[1] - 2 * _MARGIN - 10) // _ROW)
    pages: list[list[_Row]] = [[]]
    for rows in map(_rows, TABLES.values()):
        if len(pages[-1]) + len(rows) > each:
            pages.append([])
        pages[-1] += rows
    return [_page(page, rows) for rows in pages]


_Row = tuple[str, str, int, tuple[str, ...]]  # a title, what is said below it; how many dice, their faces


def _rows(table: Table) -> list[_Row]:
    """A line for each kind of die; the first has the name."""
    dice = table.own_dice or table.roll
    counts = Counter((*dice, table.route_die) if table.route_die else dice)
    found = []
    for number, (name, count) in enumerate(counts.items()):
        title = table_text(table.title) if not number else ""
        box, rounds = table_text(table.box), table.rounds
        says = (
            m("{box}, {rounds} rounds, house rule", box=box, rounds=rounds)
            if table.by_house_rules
            else m("{box}, {rounds} rounds", box=box, rounds=rounds)
        )
        faces = tuple(dict.fromkeys(table.dice[name]))
        found.append((title, "" if number else says, count, faces))
    return found


def _page(size: Point, rows: list[_Row]) -> Drawing:
    shapes: list[Shape] = [
        RoundedRect((0, 0), size, 0, filled("#ffffff")),
        Text((size[0] / 2, _MARGIN + 2), m("Dice of the expansions"), 5.0, _INK.dark, bold=True, room=120.0),
    ]
    for number, (title, says, count, faces) in enumerate(rows):
        top = _MARGIN + 9 + number * _ROW
        shapes += [
            Text((_MARGIN, top + 4.5), title, 3.6, _INK.dark, "start", bold=True, room=_NAMES - 9),
            Text((_MARGIN, top + 8.7), says, 2.4, _INK.middle, "start", room=_NAMES - 2),
        ]
        if count > 1:
            dice = f"×{count}"
            shapes.append(Text((_MARGIN + _NAMES - 3, top + 6.4), dice, 3.6, _INK.dark, "end", bold=True))
        for at, face in enumerate(faces):
            shapes += _face((_MARGIN + _NAMES + at * _STEP, top), face)
    return Drawing(size, tuple(shapes))


def _face(corner: Point, face: str) -> list[Shape]:
    """A face: its route, and the sign drawn or written."""
    route, sign, detail = split_face(face)
    x, y = corner
    shapes: list[Shape] = [
        RoundedRect(corner, (_FACE, _FACE), 1.4, filled(_INK.cell)),
        RoundedRect(corner, (_FACE, _FACE), 1.4, stroked(_INK.middle, 0.3)),
    ]
    if route:
        shapes += route_shapes(any_route(route), (x + 0.5, y + 0.5), _FACE - 1)
    if sign in _FLOWS:
        colour, width = _FLOWS[sign]
        middle, half = (x + _FACE / 2, y + _FACE / 2), (_FACE - width) / 2 - 0.3
        for way in directions_of(detail):
            end = (middle[0] + half * STEPS[way][0], middle[1] + half * STEPS[way][1])
            shapes.append(Line((middle, end), stroked(colour, width)))
    elif sign:
        words = [sign_words(word) for word in (sign, detail) if word]
        lines = [joined(" ", words)] if route else words
        top = y + _FACE + 2.2 if route else y + _FACE / 2 + 0.8 - 1.4 * (len(lines) - 1)
        room = _STEP - 1 if route else _FACE - 0.6
        for number, line in enumerate(lines):
            shapes.append(Text((x + _FACE / 2, top + 2.8 * number), line, 2.2, _INK.dark, room=room))
    return shapes
