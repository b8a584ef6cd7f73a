"""What an expansion has people write besides routes, and how that is told.

Marks stand by their place: a cell ``c3``, the border of two cells ``c3-d3``, a place outside the border of
the board ``b1-top``, or a box beside the board such as ``coins``. A mark is a sign, with ends, a number or a
letter behind a colon where the sign has some: ``trees``, ``river:NE``, ``tower:3``. Several in one place are
divided by a space: ``volcano lava:NESW``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from companion.core.errors import NotationError, quoted
from companion.core.messages import Message, m
from companion.core.remembering import remembered
from companion.games.railroad_ink.rules.boards.layouts import Layout
from companion.games.railroad_ink.rules.boards.routes import any_route
from companion.games.railroad_ink.rules.expansions.tables import Table, table_of
from companion.games.railroad_ink.rules.rulebook import NAMES, NEIGHBOURS, USUAL
from companion.sheets.grid import DIRECTION_NAMES, DIRECTIONS

Marks: TypeAlias = dict[str, str]  # place -> what is written there
NO_MARKS: Marks = {}
_ENDS = "NESW"
_WAYS = ("nw-se", "ne-sw")
_LETTERS = "ABC"
# How a mark is written, by what may stand behind its colon.
_HOW = {
    "ends": m("{sign}: and its sides, such as {sign}:NE"),
    "number": m("{sign}, or {sign}:2 with a number from 1 to 99"),
    "letter": m("{sign}:A, {sign}:B or {sign}:C"),
    "way": m("{sign}, {sign}:nw-se or {sign}:ne-sw"),
    "route": m("{sign}: and a route, such as {sign}:NS"),
}


def read_marks(name: str, texts: Mapping[str, str], layout: Layout = USUAL) -> Marks:
    """The marks of an expansion as they are usually written; what cannot be is a :class:`NotationError`.

    >>> read_marks("river", {"c3": "river:WN"}), read_marks("canyon", {"d3-c3": "canyon"})
    ({'c3': 'river:NW'}, {'c3-d3': 'canyon'})
    """
    table = table_of(name)
    found: Marks = {}
    for place, text in texts.items():
        usual, kind = _place(table, place, layout)
        if usual in found:
            raise NotationError("duplicate", m("the marks of {usual} are given twice", usual=quoted(usual)))
        if kind == "box":
            if not text.isdecimal() or len(text) > 3:
                raise NotationError(
                    "bad-mark",
                    m("{place} holds a number, not {text}", place=quoted(place), text=quoted(text)),
                )
            found[usual] = str(int(text))
        else:
            words = text.split()
            if not words:
                raise NotationError(
                    "bad-mark", m("nothing is written in {place}: leave it out", place=quoted(place))
                )
            found[usual] = " ".join(_usual(name, table, word, kind) for word in words)
    return found


def _place(table: Table, place: str, layout: Layout) -> tuple[str, str]:
    if place in table.boxes:
        return place, "box"
    first, dash, second = place.partition("-")
    if not dash:
        return NAMES[layout.cell(first)], "cell"
    one = layout.cell(first)
    if second in DIRECTION_NAMES:
        if NEIGHBOURS[one][DIRECTION_NAMES.index(second)] >= 0:
            raise NotationError(
                "bad-place", m("{place} is not outside the border of the board", place=quoted(place))
            )
        return place, "edge"
    other = layout.cell(second)
    if other not in NEIGHBOURS[one]:
        raise NotationError(
            "bad-place",
            m(
                "{place} is not a border: {first} and {second} are not side by side",
                place=quoted(place),
                first=first,
                second=second,
            ),
        )
    return border_name(one, other), "border"


def border_name(one: int, other: int) -> str:
    """The border of two neighbouring cells, the first cell first."""
    return f"{NAMES[min(one, other)]}-{NAMES[max(one, other)]}"


def edge_name(cell: int, direction: int) -> str:
    """The place outside the board at a side of a border cell."""
    return f"{NAMES[cell]}-{DIRECTION_NAMES[direction]}"


def _usual(name: str, table: Table, word: str, kind: str) -> str:
    sign, colon, detail = word.partition(":")
    rule = table.marks.get(sign, "").split()
    if not rule or rule[0] != kind:
        here = [one for one, told in table.marks.items() if told.split()[0] == kind]
        signs = ", ".join(here) or "none"
        raise NotationError(
            "unknown-mark",
            m(
                "{word} is not a mark of the expansion {name} there: its marks are {signs}",
                word=quoted(word),
                name=name,
                signs=signs,
            ),
        )
    usual = _detail(rule[1] if len(rule) > 1 else "", detail)
    if usual is None or (colon and not detail):
        known = _HOW.get(rule[1]) if len(rule) > 1 else None
        how = sign if known is None else Message(known.id, {"sign": sign})
        raise NotationError(
            "bad-mark", m("{word} is not how this mark is written: write {how}", word=quoted(word), how=how)
        )
    return f"{sign}:{usual}" if usual else sign


def _detail(kind: str, text: str) -> str | None:
    """What stands behind the colon as it is usually written; None if it cannot stand there."""
    match kind:
        case "ends":
            right = text and set(text) <= set(_ENDS) and len(set(text)) == len(text)
            return "".join(end for end in _ENDS if end in text) if right else None
        case "number":
            return text if not text or (text.isdecimal() and 1 <= int(text) <= 99) else None
        case "letter":
            return text if text in _LETTERS and len(text) == 1 else None
        case "way":
            return text if not text or text in _WAYS else None
        case "route":
            return any_route(text).text
        case _:
            return None if text else ""


@remembered(4096)
def signs_in(text: str) -> tuple[tuple[str, str], ...]:
    """The signs written in one place, each with what stands behind its colon.

    >>> signs_in("volcano lava:NESW")
    (('volcano', ''), ('lava', 'NESW'))
    """
    return tuple((sign, detail) for sign, _, detail in (word.partition(":") for word in text.split()))


def cells_with(marks: Marks, *signs: str, layout: Layout = USUAL) -> dict[int, str]:
    """The cells in which one of these signs is written, with what stands behind its colon."""
    numbers = layout.numbers
    return {
        numbers[place]: detail
        for place, text in marks.items()
        if place in numbers
        for sign, detail in signs_in(text)
        if sign in signs
    }


def places_with(marks: Marks, sign: str) -> list[str]:
    """The places of any kind in which a sign is written."""
    return [place for place, text in marks.items() if any(one == sign for one, _ in signs_in(text))]


def number_in(marks: Marks, box: str) -> int:
    """The number in a box beside the board; 0 while nothing is written there."""
    return int(marks.get(box, "0"))


def next_number(marks: Marks, sign: str) -> int:
    """The number that comes next behind a sign in a cell; a sign without one stands for the first."""
    numbers = (number for text in marks.values() for one, number in signs_in(text) if one == sign)
    return 1 + max((int(number or 1) for number in numbers), default=0)


def with_sign(marks: Marks, place: str, word: str) -> Marks:
    """The marks with one more in a place."""
    return {**marks, place: f"{marks[place]} {word}" if place in marks else word}


def without_sign(marks: Marks, place: str, sign: str) -> Marks:
    """The marks without a sign in a place (every sign, if it is empty)."""
    left = [word for word in marks.get(place, "").split() if sign and word.partition(":")[0] != sign]
    rest = {other: text for other, text in marks.items() if other != place}
    return {**rest, place: " ".join(left)} if left else rest


def directions_of(ends: str) -> list[int]:
    """The directions of ends written as letters.

    >>> directions_of("NW")
    [0, 3]
    """
    return [direction for direction in DIRECTIONS if _ENDS[direction] in ends]


def ends_text(directions: Iterable[int]) -> str:
    """The letters of these directions."""
    return "".join(_ENDS[direction] for direction in sorted(set(directions)))
