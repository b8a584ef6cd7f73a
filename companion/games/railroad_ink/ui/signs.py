"""The signs of the expansions as SVG, in a space of 100 units: on boards, on dice, and under a finger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.core.messages import joined
from companion.games.railroad_ink.rules.boards.layouts import Layout
from companion.games.railroad_ink.rules.boards.routes import any_route
from companion.games.railroad_ink.rules.expansions.frame import split_face
from companion.games.railroad_ink.rules.expansions.lush_green import trail_corners
from companion.games.railroad_ink.rules.expansions.marks import directions_of, signs_in
from companion.games.railroad_ink.rules.expansions.words import sign_words
from companion.games.railroad_ink.rules.rulebook import COLUMN, LAYOUTS, ROW
from companion.games.railroad_ink.ui import art
from companion.sheets.grid import DIRECTION_NAMES, EAST, SOUTH, STEPS
from web.ui.speaking import Markup, cached_by_language

# Small pictures in the lower left corner of a space; signs without one are written as a word.
_PICTURES = {
    "trees": ("tree", "M8 92l12-26 12 26zM28 94l11-24 11 24zM14 74l10-20 10 20z"),
    "cactus": ("tree", "M24 94V58h8v36zM14 66h6v10h6v6H14zM36 62h6v16H32v-6h4z"),
    "cacti": ("tree", "M18 94V58h7v36zM10 68h5v8h5v5H10zM44 94V58h7v36zM53 64h5v14h-7v-5h2z"),
    "oasis": ("water", "M10 88a22 9 0 1 0 44 0a22 9 0 1 0-44 0z"),
    "volcano": ("fire", "M30 72l14-42h12l14 42z"),
    "crater": ("dark", "M26 50a24 24 0 1 0 48 0a24 24 0 1 0-48 0zm10 0a14 14 0 1 1 28 0a14 14 0 1 1-28 0z"),
    "lamp": ("dark", "M14 92V64h4v28zM8 56a8 8 0 1 0 16 0a8 8 0 1 0-16 0z"),
    "lit": ("fire", "M10 56a6 6 0 1 0 12 0a6 6 0 1 0-12 0z"),
    "power": ("fire", "M84 60l-14 18h8l-4 16 14-20h-8z"),
    "outline": ("dark", "M6 6h88v88H6zM12 12v76h76V12z"),
    "ritual": ("fire", "M20 62l5 12h13l-10 8 4 13-12-8-12 8 4-13-10-8h13z"),
    "clue": ("dark", "M10 74a12 12 0 1 0 24 0a12 12 0 1 0-24 0zm20 10l12 12 4-4-12-12z"),
    "sheep": ("water", "M10 80a12 9 0 1 0 24 0a12 9 0 1 0-24 0zM32 74a6 6 0 1 0 12 0a6 6 0 1 0-12 0z"),
    "ufo": ("dark", "M20 56a30 10 0 1 0 60 0a30 10 0 1 0-60 0zM38 48a12 10 0 0 1 24 0z"),
    "cloud": ("water", "M60 92a9 9 0 0 1 2-18a12 12 0 0 1 22 0a9 9 0 0 1 4 18z"),
    "airport": ("dark", "M46 14h8v26l34 22v8L54 58v20l10 8v6l-14-4-14 4v-6l10-8V58L12 70v-8l34-22z"),
}
_FLOWING = ("river", "lake", "lava", "super", "air", "tentacle")


@cached_by_language(1024)
def sign(word: str, route: str = "") -> Markup:
    """A sign in its space; a trail runs where the route leaves room.

    >>> "sign-tree" in sign("trees"), "UFO" in sign("ufo").upper()
    (True, True)
    """
    name, _, detail = word.partition(":")
    if name in _FLOWING:
        return _flow(name, detail)
    if name == "trail":
        return _trail(route, detail)
    if name == "below":
        return Markup('<g class="below">{}</g>').format(art.route_use(detail))
    if name in _PICTURES:
        kind, path = _PICTURES[name]
        number = _word(detail, 50, 56) if name == "crater" and detail else Markup("")
        return Markup('<path class="sign sign-{}" data-sign="{}" d="{}"/>{}').format(kind, name, path, number)
    return _word(joined(" ", [sign_words(part) for part in (name, detail) if part]), 50, 84)


def _word(text: str, x: int, y: int) -> Markup:
    return Markup('<text class="sign-word" x="{}" y="{}">{}</text>').format(x, y, text)


def _flow(name: str, ends: str) -> Markup:
    """Bands from the middle to the open sides."""
    arms = "".join(
        f"M50 50L{50 + 50 * STEPS[way][0]} {50 + 50 * STEPS[way][1]}" for way in directions_of(ends)
    )
    return Markup('<path class="flow flow-{}" d="{}M50 50h.1"/>').format(name, arms)


def _trail(route: str, way: str) -> Markup:
    corners = sorted(trail_corners(0, any_route(route) if route else None, way))
    if len(corners) == 3:  # around a curve: over the corner that the two others share
        middle = next(
            one
            for one in corners
            if all(one == two or one[0] == two[0] or one[1] == two[1] for two in corners)
        )
        corners = [*(one for one in corners if one != middle)]
        corners.insert(1, middle)
    points = " ".join(f"{6 + 88 * x},{6 + 88 * y}" for x, y in corners)
    return Markup('<polyline class="flow flow-trail" points="{}"/>').format(points)


def _canyon(place: str) -> Markup:
    """The border of two cells, on the side of the first."""
    one, other = place.split("-")
    return border_line(EAST if one[1:] == other[1:] else SOUTH)


def border_line(way: int) -> Markup:
    """A mark along one side of a cell."""
    line = ("M0 0H100", "M100 0V100", "M0 100H100", "M0 0V100")[way]
    return Markup('<path class="flow flow-canyon" d="{}"/>').format(line)


def outside_word(side: str, text: str) -> Markup:
    """What is written outside the border, at a side of a cell."""
    way = DIRECTION_NAMES.index(side)
    return _word(sign_words(text), 50 + 40 * STEPS[way][0], 56 + 40 * STEPS[way][1])


def place_cell(place: str) -> str:
    """The cell in which a mark is drawn, empty for one beside the board."""
    cell = place.partition("-")[0]
    return cell if cell in LAYOUTS["epic"].numbers else ""  # its cells have the names of all others', too


def mark(place: str, text: str, route: str = "") -> Markup:
    """What is written in one place, in the space of its cell."""
    _, dash, second = place.partition("-")
    if dash and second in DIRECTION_NAMES:
        return outside_word(second, text)
    if dash:
        return _canyon(place)
    words = [f"{name}:{detail}" if detail else name for name, detail in signs_in(text)]
    return Markup("").join(sign(word, route) for word in words)


def marks_on_board(marks: Mapping[str, str], cells: Mapping[str, str], layout: Layout) -> Markup:
    """The marks of a board, each drawn over its cell."""
    found = []
    for place, text in marks.items():
        cell = place_cell(place)
        if cell:
            number = layout.cell(cell)
            x, y = 100 * COLUMN[number], 100 * ROW[number]
            inside = mark(place, text, cells.get(cell, ""))
            found.append(Markup('<g class="mark" transform="translate({} {})">{}</g>').format(x, y, inside))
    return Markup("").join(found)


def face(text: str, words: str) -> Markup:
    """A face of an expansion's die: its route with the sign, or the sign alone."""
    route, name, detail = split_face(text)
    drawn = art.route_use(route) if route else Markup("")
    word = f"{name}:{detail}" if detail else name
    pictured = name in (*_FLOWING, *_PICTURES, "trail") and name not in ("power", "tentacle")
    shown = sign(word, route) if pictured else _face_words(word)
    told = Markup('role="img" aria-label="{}"').format(words) if words else Markup('aria-hidden="true"')
    return Markup('<svg class="die" viewBox="0 0 100 100" {}>{}{}</svg>').format(told, drawn, shown)


def _face_words(word: str) -> Markup:
    name, _, detail = word.partition(":")
    lines = [sign_words(part) for part in (name, detail) if part]
    return Markup("").join(_word(line, 50, 45 + 24 * at) for at, line in enumerate(lines))


def symbols(words: Iterable[tuple[str, str, str]]) -> Markup:
    """Each mark as a symbol named by its place's kind and text, for a script to show under a finger.

    Those in cells are also found by their text, as routes are: photographs ask about them.
    """
    found = [
        Markup('<symbol id="{}" overflow="visible"{}>{}</symbol>').format(
            key,
            Markup(' data-mark="{}"').format(text) if "-" not in place else "",
            mark(place, text),
        )
        for key, place, text in words
    ]
    return Markup('<svg class="sprite" aria-hidden="true">{}</svg>').format(Markup("").join(found))
