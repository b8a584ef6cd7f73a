"""Demand cards, event cards, loco cards and load chips as drawings."""

from __future__ import annotations

from companion.core.messages import joined, m, table_text, vocabulary
from companion.games.empire_builder.printing.printed import PRINTED
from companion.games.empire_builder.rules.cards.demands import Demand, DemandCard
from companion.games.empire_builder.rules.cards.events import EventCard
from companion.games.empire_builder.rules.rulebook import LOAD_WORDS, RULES, TrainKind
from companion.sheets.drawing import (
    Circle,
    Drawing,
    Line,
    Paragraph,
    Point,
    Polygon,
    Prose,
    RoundedRect,
    Shape,
    Style,
    Text,
    filled,
    rectangle,
    stroked,
)

_INK = PRINTED.ink
_CARD = PRINTED.card
_LETTER = 0.56  # mean width of a letter, in heights of its font


def demand_drawing(card: DemandCard) -> Drawing:
    """Three demands: the load, the city, the payout."""
    width, height = _CARD.size
    shapes = _blank(_CARD.size, _INK["major_line"])
    for number, demand in enumerate(card.demands):
        shapes += _demand((4.0, 5.0 + number * 12.2), width - 8.0, demand)
    shapes.append(Text((width - 4.5, height - 2.2), card.card, 2.2, _INK["middle"], "end"))
    return Drawing(_CARD.size, tuple(shapes))


_SHORT = vocabulary(
    "load, in three letters",
    *("BAU", "CAR", "CAT", "COA", "COF", "COP", "COR", "COT", "FIS", "FRU", "IMP", "IRO", "LEA", "MAC"),
    *(
        "NIC",
        "OAT",
        "OIL",
        "RIC",
        "SHE",
        "SIL",
        "STE",
        "SUG",
        "SWI",
        "TEX",
        "TOB",
        "TOU",
        "URA",
        "WHE",
        "WOO",
    ),
)


def _demand(at: Point, width: float, demand: Demand) -> list[Shape]:
    x, y = at
    colour = PRINTED.loads[demand.load]
    return [
        RoundedRect((x, y - 1.2), (width, 10.4), 2.0, Style("#ffffff", _INK["state"], 0.25)),
        Circle((x + 5.4, y + 4.0), 3.7, filled(colour)),
        Text((x + 5.4, y + 4.9), _SHORT[demand.load[:3].upper()], 2.4, _readable_on(colour), bold=True),
        Text((x + 11.2, y + 3.2), demand.city, _fitting(demand.city), _INK["dark"], "start", bold=True),
        Text((x + 11.2, y + 7.5), LOAD_WORDS[demand.load], 3.1, _INK["dark"], "start", room=30.0),
        Text((x + width - 2.5, y + 6.0), str(demand.payout), 6.2, _INK["gold"], "end", bold=True),
    ]


def _readable_on(colour: str) -> str:
    """White or dark letters, whichever stand out more (the contrast of WCAG 2)."""
    return max("#ffffff", _INK["dark"], key=lambda ink: contrast(ink, colour))


def contrast(one: str, other: str) -> float:
    """How much lighter one of two colours is, from 1 to 21.

    >>> contrast("#ffffff", "#000000"), contrast("#777777", "#777777")
    (21.0, 1.0)
    """
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _fitting(name: str) -> float:
    """The letter height at which a city's name fits beside its payout."""
    return min(3.8, 30.0 / (len(name) * _LETTER * 1.2))


def event_drawing(event: EventCard) -> Drawing:
    """A title and what happens."""
    width, height = _CARD.size
    words = (
        Paragraph(table_text(event.title), 4.2, _INK["event"], bold=True),
        Paragraph(table_text(event.text), 2.9, _INK["dark"], gap=0.8),
    )
    prose = Prose((5.5, 4.8), (width - 10.0, height - 9.6), words)
    return Drawing(_CARD.size, (*_blank(_CARD.size, _INK["event"]), prose))


def _blank(size: Point, colour: str) -> list[Shape]:
    inner = (size[0] - 3.0, size[1] - 3.0)
    return [
        RoundedRect((0, 0), size, _CARD.radius, filled("#ffffff")),
        RoundedRect((1.5, 1.5), inner, _CARD.radius - 1, Style(_INK["paper"], colour, 0.8)),
    ]


# --- loco cards ---


def loco_drawing(kind: TrainKind) -> Drawing:
    """One side of a loco card, with places for the loads it carries."""
    train, (width, height) = RULES.trains[kind], _CARD.loco
    shapes = _blank(_CARD.loco, _INK["dark"])
    carries = m("{speed} mileposts a turn, {loads} loads", speed=train.speed, loads=train.loads)
    shapes += [
        Text((7, 12), table_text(train.title), 7.0, _INK["dark"], "start", bold=True, room=width - 14),
        Text((7, 18), carries, 3.8, _INK["middle"], "start", room=width - 14),
        *_engine((width - 40, 24.5), 30.0, fast=train.speed > RULES.trains["freight"].speed),
    ]
    for place in range(train.loads):
        centre = (7 + _CARD.chip / 2 + place * (_CARD.chip + 4), height - 6.5 - _CARD.chip / 2)
        shapes.append(Circle(centre, _CARD.chip / 2 + 0.6, stroked(_INK["middle"], 0.4, (1.5, 1.2))))
    offers = [
        joined(": ", [table_text(RULES.trains[other].title), price])
        for other, price in train.upgrades.items()
    ]
    if offers:
        says = m("upgrade:")
        shapes.append(Text((7, 27), says, 3.2, _INK["gold"], "start", bold=True, room=width - 50))
    shapes += [
        Text((7, 31.2 + 4.2 * number), offer, 3.2, _INK["gold"], "start", room=width - 50)
        for number, offer in enumerate(offers)
    ]
    return Drawing(_CARD.loco, tuple(shapes))


def _engine(at: Point, width: float, *, fast: bool) -> list[Shape]:
    """An engine seen from the side; the fast ones have bigger wheels."""
    x, y = at
    unit = width / 30
    body = _INK["major_line"] if fast else _INK["dark"]
    wheel = 2.9 if fast else 2.2
    rail = y + 15.5 * unit

    def block(left: float, top: float, right: float, bottom: float, colour: str) -> Shape:
        corner, size = (x + left * unit, y + top * unit), ((right - left) * unit, (bottom - top) * unit)
        return Polygon(rectangle(corner, size), filled(colour))

    wheels: list[Shape] = []
    for place in (5.0, 12.0, 19.0, 26.0):
        centre = (x + place * unit, rail - wheel * unit)
        wheels += [
            Circle(centre, wheel * unit, filled(_INK["middle"])),
            Circle(centre, wheel * unit * 0.45, filled(_INK["paper"])),
        ]
    return [
        block(1, 1, 9, 11, body),
        block(9, 5, 28, 11, body),
        block(2.5, 2.6, 6.5, 5.6, _INK["paper"]),
        block(22.5, 0.5, 25.0, 5, body),
        block(14.5, 3.4, 17.5, 5, _INK["gold"]),
        *wheels,
        Line(((x - unit, rail), (x + 31 * unit, rail)), stroked(_INK["dark"], 0.6)),
    ]


# --- load chips ---


def chip_drawing(load: str) -> Drawing:
    """A round chip in the load's colour with its name."""
    side, radius = _CARD.chip_cell, _CARD.chip / 2
    middle, colour = (side / 2, side / 2), PRINTED.loads[load]
    letters = _readable_on(colour)
    size = min(3.4, 1.62 * radius / (len(load) * _LETTER))
    return Drawing(
        (side, side),
        (
            Circle(middle, radius, filled(colour)),
            Circle(middle, radius * 0.9, stroked(letters, 0.35)),
            Text((middle[0], middle[1] - 0.4), _SHORT[load[:3].upper()], 4.4, letters, bold=True),
            Text((middle[0], middle[1] + 4.2), LOAD_WORDS[load], size, letters, room=1.62 * radius),
        ),
    )
