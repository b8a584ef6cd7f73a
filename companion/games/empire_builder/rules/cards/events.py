"""The event cards, and what those in force forbid: milepost by milepost and edge by edge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import TypeAlias

import msgspec

from companion.core.messages import table_text
from companion.core.records import replaced
from companion.games.empire_builder.rules.boards.board import Board


class _Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """What stands on every event card."""

    card: str
    title: str
    text: str


class Flood(_Card, frozen=True, tag="flood"):
    """Destroys the bridges over a river; nobody crosses or builds over it while it lasts."""

    river: str


class Derailment(_Card, frozen=True, tag="derailment"):
    """Trains near these cities lose a load, their owners a turn."""

    cities: tuple[str, ...]
    radius: int


class Strike(_Card, frozen=True, tag="strike"):
    """No pickup and no delivery near the coast, or near a country's border."""

    where: str
    radius: int


class Tax(_Card, frozen=True, tag="tax"):
    """A tax on all players by their cash, in ascending pairs (from so much cash, so much tax)."""

    brackets: tuple[tuple[int, int], ...]

    def due(self, cash: int) -> int:
        """What somebody with so much cash pays."""
        return max((tax for least, tax in self.brackets if cash >= least), default=0)


class Snow(_Card, frozen=True, tag="snow"):
    """Half rate around a city; its mountains are closed to trains and builders."""

    city: str
    radius: int


class Fog(_Card, frozen=True, tag="fog"):
    """Half rate and no building around a city."""

    city: str
    radius: int


class Gale(_Card, frozen=True, tag="gale"):
    """Half rate and no building along a sea."""

    sea: str
    radius: int


EventCard: TypeAlias = Flood | Derailment | Strike | Tax | Snow | Fog | Gale


class _Events(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    events: tuple[EventCard, ...]


def _load() -> dict[str, EventCard]:
    raw = files(__package__).joinpath("events.toml").read_bytes()
    events = msgspec.toml.decode(raw, type=_Events).events
    return {
        event.card: replaced(event, title=table_text(event.title), text=table_text(event.text))
        for event in events
    }


EVENTS: dict[str, EventCard] = _load()
PREFIX = "event-"  # what every event's card is called by, an owner's, too
INSTANT = (Tax, Derailment)  # done as soon as they are drawn; the others stay in force


@dataclass(frozen=True)
class Effects:
    """What the events in force forbid; each place names the card that says so."""

    half_rate: dict[int, str] = field(default_factory=dict)  # mileposts
    no_entry: dict[int, str] = field(default_factory=dict)  # mileposts that no train enters or leaves
    no_building: dict[int, str] = field(default_factory=dict)  # mileposts
    flooded: dict[int, str] = field(default_factory=dict)  # edges
    strikes: dict[int, str] = field(default_factory=dict)  # mileposts


@lru_cache(maxsize=256)
def effects(board: Board, cards: tuple[EventCard | str, ...]) -> Effects:
    """What these cards do together."""
    found = Effects()
    for card in cards:
        _add(found, board, EVENTS[card] if isinstance(card, str) else card)
    return found


def _add(found: Effects, board: Board, event: EventCard) -> None:
    match event:
        case Flood():
            found.flooded.update(dict.fromkeys(board.river_edges.get(event.river, ()), event.card))
        case Strike():
            found.strikes.update(dict.fromkeys(strike_area(board, event), event.card))
        case Snow():
            area = board.around(board.cities[event.city].middle, event.radius)
            mountains = [milepost for milepost in area if board.terrain[milepost] == "mountain"]
            found.half_rate.update(dict.fromkeys(area, event.card))
            found.no_entry.update(dict.fromkeys(mountains, event.card))
            found.no_building.update(dict.fromkeys(mountains, event.card))
        case Fog() | Gale():
            area = weather_area(board, event)
            found.half_rate.update(dict.fromkeys(area, event.card))
            found.no_building.update(dict.fromkeys(area, event.card))
        case Derailment() | Tax():
            pass  # over as soon as they are done


def strike_area(board: Board, event: Strike) -> frozenset[int]:
    """The mileposts where a strike stops loading."""
    if event.where == "coast":
        return board.near((place for coast in board.coasts.values() for place in coast), event.radius)
    return board.near(board.border(event.where), event.radius)


def weather_area(board: Board, event: Fog | Gale) -> frozenset[int]:
    """The mileposts under a fog or a gale."""
    if isinstance(event, Fog):
        return board.around(board.cities[event.city].middle, event.radius)
    return board.near(board.coasts.get(event.sea, ()), event.radius)


def derailed_area(board: Board, event: Derailment) -> frozenset[int]:
    """The mileposts where trains derail: near any milepost of the cities named."""
    mileposts: Iterable[int] = (
        milepost for name in event.cities for milepost in board.cities[name].mileposts
    )
    return board.near(mileposts, event.radius)
