"""An owner's event cards and chip counts, as tables.

Events are one line a card, ``event,kind,where,radius,title``; radius and title may be left out::

    137,flood,Mississippi
    138,derailment,Chicago / Detroit / Buffalo,3,Derailments in the north
    139,strike,coast,3
    140,strike,Canada,2
    141,tax
    142,snow,Denver,5
    143,fog,San Francisco,4
    144,gale,Gulf of Mexico,3

Chips are one line a load, ``load,chips``; loads that are not named keep their number.
"""

from __future__ import annotations

import re
from functools import lru_cache

from companion.core.errors import NotationError, quoted
from companion.core.messages import joined, m
from companion.games.empire_builder.rules.boards.board import Board, board
from companion.games.empire_builder.rules.boards.tables import amount, grouped, meant, rows
from companion.games.empire_builder.rules.cards.events import (
    EVENTS,
    PREFIX,
    Derailment,
    EventCard,
    Flood,
    Fog,
    Gale,
    Snow,
    Strike,
    Tax,
)
from companion.games.empire_builder.rules.rulebook import LOADS, RULES

COLUMNS = ("event", "kind", "where", "radius", "title")
CHIP_COLUMNS = ("load", "chips")
KINDS = ("flood", "derailment", "strike", "tax", "snow", "fog", "gale")
MOST_CHIPS = 20
MOST_RADIUS = 30
_RADIUS = {"derailment": 3, "strike": 3, "snow": 5, "fog": 4, "gale": 4}
_COUNTRIES = {"canada": "CAN", "mexico": "MEX", "usa": "USA", "united states": "USA"}


@lru_cache(maxsize=8)
def event_cards(text: str = "", corrections: str = "") -> dict[str, EventCard]:
    """The event cards in play: our own, or an owner's as CSV."""
    on = board(corrections)
    found, faults = _read_events(text, on) if text.strip() else (EVENTS, own_event_faults(on))
    if faults:
        raise NotationError("bad-events", faults[0])
    return found


def own_event_faults(on: Board) -> list[str]:
    """Why our own events cannot happen on an owner's whole map."""
    named = {event.city for event in EVENTS.values() if isinstance(event, Snow | Fog)}
    named |= {city for event in EVENTS.values() if isinstance(event, Derailment) for city in event.cities}
    missing = sorted(named - set(on.cities))
    if not missing:
        return []
    return [
        m(
            "our events name {missing}, which is not on this map: bring your own events, too",
            missing=missing[0],
        )
    ]


def event_faults(text: str, on: Board) -> list[str]:
    """Everything that is wrong with a table of events."""
    return _read_events(text, on)[1]


def _read_events(text: str, on: Board) -> tuple[dict[str, EventCard], list[str]]:
    found: dict[str, EventCard] = {}
    faults: list[tuple[int, str]] = []
    for line, row in rows(text, COLUMNS, {"card": "event", "id": "event", "number": "event"}, faults):
        try:
            event = _event([*row, "", "", "", ""][: len(COLUMNS)], on)
            if event.card in found:
                raise NotationError("bad-events", m("the event {row} is given twice", row=quoted(row[0])))
            found[event.card] = event
        except NotationError as problem:
            faults.append((line, problem.message))
    return found, grouped(faults)


def _event(row: list[str], on: Board) -> EventCard:
    name, kind, where, radius, title = row
    if not name or len(name) > 20:
        raise NotationError(
            "bad-events", m("{name} cannot name an event: a number is best", name=quoted(name))
        )
    card = PREFIX + name.removeprefix(PREFIX)
    kind = meant(kind, KINDS, "kind of event")
    wide = amount(radius, MOST_RADIUS, "radius") if radius else _RADIUS.get(kind, 0)
    match kind:
        case "flood":
            river = meant(where, on.river_edges, "river")
            text = m(
                "Every bridge over the {river} is washed away. Nobody crosses the river or builds over it.",
                river=river,
            )
            return Flood(card, title or m("The {river} floods", river=river), text, river)
        case "derailment":
            cities = tuple(meant(one, on.cities, "city") for one in re.split(r"\s*[/|+,;]\s*", where) if one)
            if not cities:
                raise NotationError("bad-events", m("a derailment needs its cities, with / between them"))
            text = m(
                "Trains within {wide} of {cities} lose a load and a turn.",
                wide=wide,
                cities=", ".join(cities),
            )
            return Derailment(card, title or m("Derailments"), text, cities, wide)
        case "strike":
            place = _COUNTRIES.get(where.casefold(), where)
            place = meant(place, ("coast", *sorted(set(on.country))), "coast or country")
            text = m(
                "Nothing is picked up or delivered within {wide} of the {where} mileposts.",
                wide=wide,
                where=where,
            )
            return Strike(card, title or m("Strike: {where}", where=where), text, place, wide)
        case "tax":
            return _tax(card, title, where)
        case "gale":
            sea = meant(where, on.coasts, "sea")
            text = m("Half rate and no building within {wide} of the {sea}.", wide=wide, sea=sea)
            return Gale(card, title or m("Gale: {sea}", sea=sea), text, sea, wide)
        case _:
            city = meant(where, on.cities, "city")
            snow = kind == "snow"
            then = m("nobody enters its mountains") if snow else m("nobody builds there")
            text = m("Half rate within {wide} of {city}; {then}.", wide=wide, city=city, then=then)
            title = title or (m("Snow at {city}", city=city) if snow else m("Fog at {city}", city=city))
            return (Snow if snow else Fog)(card, title, text, city, wide)


def _tax(card: str, title: str, where: str) -> Tax:
    """``50:10 100:15``: from 50 million 10, from 100 million 15; our own brackets if nothing is said."""
    (own,) = [event for event in EVENTS.values() if isinstance(event, Tax)]
    if not where:
        return Tax(card, title or own.title, own.text, own.brackets)
    pairs = [re.fullmatch(r"(\d{1,4}):(\d{1,4})", part) for part in where.split()]
    brackets = tuple((int(pair[1]), int(pair[2])) for pair in pairs if pair is not None)
    if len(brackets) != len(pairs) or list(brackets) != sorted(brackets):
        raise NotationError(
            "bad-events", m("taxes are written like 50:10 100:15, not {where}", where=quoted(where))
        )
    each = [m("{tax} from {least} million", tax=tax, least=least) for least, tax in brackets]
    text = joined(", ", each)
    return Tax(card, title or own.title, m("Everybody pays: {text}.", text=text), brackets)


@lru_cache(maxsize=8)
def chip_counts(text: str = "") -> dict[str, int]:
    """How many chips there are of each load."""
    found, faults = _read_chips(text)
    if faults:
        raise NotationError("bad-chips", faults[0])
    return {**RULES.chips, **found}


def chip_faults(text: str) -> list[str]:
    """Everything that is wrong with a table of chips."""
    return _read_chips(text)[1]


def _read_chips(text: str) -> tuple[dict[str, int], list[str]]:
    found: dict[str, int] = {}
    faults: list[tuple[int, str]] = []
    for line, row in rows(text, CHIP_COLUMNS, {"goods": "load", "count": "chips", "number": "chips"}, faults):
        try:
            if len(row) != len(CHIP_COLUMNS):
                raise NotationError("bad-chips", m("{row} columns instead of 2: load, chips", row=len(row)))
            load = meant(row[0], LOADS, "load")
            if load in found:
                raise NotationError("bad-chips", m("the load {load} is given twice", load=load))
            found[load] = amount(row[1], MOST_CHIPS, m("number of chips"))
        except NotationError as problem:
            faults.append((line, problem.message))
    return found, grouped(faults)
