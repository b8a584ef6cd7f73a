"""The order in which cards of an owner's deck are laid to be photographed, and the pages that show it.

One of each kind comes first, then another of each: after the photographs that are needed every kind was seen.
"""

from __future__ import annotations

from math import ceil

from companion.core.messages import m
from companion.games.derailed.printing.card_art import card_drawing, station_drawing
from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.rules.cards import DECK
from companion.games.derailed.rules.network import grid_of, lane_name
from companion.games.derailed.rules.rulebook import COMPANIES, ROWS
from companion.sheets.drawing import (
    Drawing,
    Point,
    RoundedRect,
    Shape,
    Text,
    filled,
    moved,
    scaled,
    stroked,
)

_SEQUENCE: tuple[str, ...] = tuple(
    card for copy in range(max(DECK.values())) for card, count in DECK.items() if copy < count
)
_IN_EVERY_BOX = "ABCDEF"  # companies that every edition of the game has
_TOP, _SIDE, _AIR = 40.0, 16.0, 2.2  # mm of a page: above the cards, beside them, between them
_NAME = 3.2  # mm: the height of a card's name under it
_INK = PRINTED.ink


def photographs_needed(lanes: int) -> int:
    """How many photographs of so many lanes show every kind of card.

    >>> photographs_needed(6), photographs_needed(4)
    (2, 2)
    """
    return ceil(len(DECK) / len(grid_of(lanes).names))


def deck_order(number: int, lanes: int) -> dict[str, str]:
    """What lies where in a photograph, counted from 1: by slot, a rail card or a company's letter.

    >>> order = deck_order(1, 6)
    >>> order["a-start"], order["a1"], order["f4"]
    ('A', 'LTRB', 'LR|LB|t')
    """
    names = grid_of(lanes).names
    cards = _SEQUENCE[(number - 1) * len(names) : number * len(names)]
    turn = (number - 1) * lanes
    order = {}
    for lane in range(lanes):
        letter = _IN_EVERY_BOX[(turn + lane) % len(_IN_EVERY_BOX)]
        order[f"{lane_name(lane)}-start"] = order[f"{lane_name(lane)}-destination"] = letter
    return order | dict(zip(names, cards, strict=False))


def deck_order_pages(lanes: int, size: Point) -> list[Drawing]:
    """A page for each photograph: those that are needed, and one more that makes hand-drawn decks surer."""
    numbers = range(1, photographs_needed(lanes) + 2)
    return [deck_order_page(number, lanes, size) for number in numbers]


def deck_order_page(number: int, lanes: int, size: Point) -> Drawing:
    """The cards of one photograph as they lie, in small, each with its name."""
    columns, rows = lanes, ROWS + 2
    (wide, high), (width, height) = PRINTED.card.size, size
    share = min(
        ((width - 2 * _SIDE) / columns - _AIR) / wide, ((height - _TOP - _SIDE) / rows - _AIR - _NAME) / high
    )
    step = wide * share + _AIR, high * share + _AIR + _NAME
    left = (width - columns * step[0] + _AIR) / 2
    shapes: list[Shape] = [RoundedRect((0, 0), size, 0, filled(_INK.paper)), *_heading(number, lanes, width)]
    order = deck_order(number, lanes)
    for row in range(rows):
        for lane in range(lanes):
            mark = order.get(_slot(lane, row))
            if mark is not None:
                at = left + lane * step[0], _TOP + row * step[1]
                shapes += _small_card(mark, at, share)
    return Drawing(size, tuple(shapes))


def _heading(number: int, lanes: int, width: float) -> list[Shape]:
    lines = [
        m(
            "Lay these cards of your deck in {lanes} lanes, best on the mat, and photograph them from above.",
            lanes=lanes,
        ),
        m(
            "Any of your cards of a kind will do. Stations above and below; every card the "
            "way up it has here."
        ),
    ]
    if number > photographs_needed(lanes):
        lines.insert(0, m("It may be left out; a deck drawn by hand is read more reliably with it."))
    room = width - 2 * _SIDE
    return [
        Text((width / 2, 16), m("Photograph {number}", number=number), 6.0, _INK.back, bold=True, room=room),
        *(Text((width / 2, 23 + 5 * n), line, 3.4, _INK.dark, room=room) for n, line in enumerate(lines)),
    ]


def _slot(lane: int, row: int) -> str:
    ends = {0: "start", ROWS + 1: "destination"}
    return f"{lane_name(lane)}-{ends[row]}" if row in ends else f"{lane_name(lane)}{row}"


def _small_card(mark: str, at: Point, share: float) -> list[Shape]:
    (wide, high), (x, y) = PRINTED.card.size, at
    drawing = station_drawing(mark) if mark in COMPANIES else card_drawing(mark)
    said = COMPANIES[mark].name if mark in COMPANIES else mark
    return [
        *moved(scaled(drawing.shapes, share), at),
        RoundedRect(at, (wide * share, high * share), PRINTED.card.radius * share, stroked(_INK.middle, 0.2)),
        Text((x + wide * share / 2, y + high * share + _NAME - 0.5), said, 2.4, _INK.dark),
    ]
