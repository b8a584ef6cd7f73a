"""The board: mileposts and edges by number, what they cost, and what lies where.

Everything the rules ask a thousand times a turn is worked out once here and lies in tuples by number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import msgspec

from companion.core.errors import NotationError, RulesDataError, quoted
from companion.core.messages import Message, m
from companion.games.empire_builder.rules.boards.boardfile import (
    BoardData,
    board_fault,
    corrected,
    correction_faults,
)
from companion.games.empire_builder.rules.boards.names import place_name
from companion.games.empire_builder.rules.boards.spots import divided_spots
from companion.games.empire_builder.rules.boards.wholemap import divided, is_whole, map_faults, read_map
from companion.games.empire_builder.rules.rulebook import RULES, CitySize
from companion.sheets.lattice import Edge, Place, edge, neighbours, within

OWN_MAP = "data/north_america.json"
IN_CITY = "{city} ({milepost})"


@dataclass(frozen=True)
class City:
    """A city: a major one has seven mileposts, its middle first."""

    name: str
    size: CitySize
    mileposts: tuple[int, ...]
    loads: tuple[str, ...]

    @property
    def middle(self) -> int:
        """The milepost it is measured from."""
        return self.mileposts[0]


@dataclass(frozen=True, eq=False)
class Board:
    """A board. ``ways`` has for each milepost its neighbours, each with the edge that leads there."""

    data: BoardData
    places: tuple[Place, ...]
    edges: tuple[tuple[int, int], ...]
    cities: dict[str, City]

    # --- mileposts ---

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each milepost is called."""
        return tuple(place_name(place) for place in self.places)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def place_numbers(self) -> dict[Place, int]:
        """The number of each place."""
        return {place: number for number, place in enumerate(self.places)}

    @cached_property
    def city_at(self) -> tuple[City | None, ...]:
        """The city at each milepost."""
        found: list[City | None] = [None] * len(self.places)
        for city in self.cities.values():
            for milepost in city.mileposts:
                found[milepost] = city
        return tuple(found)

    @cached_property
    def major_at(self) -> tuple[City | None, ...]:
        """The major city at each milepost."""
        return tuple(city if city and city.size == "major" else None for city in self.city_at)

    @cached_property
    def hub(self) -> tuple[int, ...]:
        """For each milepost the one that stands for its place: the seven of a major city are one place."""
        return tuple(city.middle if city else number for number, city in enumerate(self.major_at))

    @cached_property
    def majors(self) -> tuple[City, ...]:
        """The major cities, in the order of the board."""
        return tuple(city for city in self.cities.values() if city.size == "major")

    @cached_property
    def major_hubs(self) -> frozenset[int]:
        """The mileposts that stand for the major cities."""
        return frozenset(city.middle for city in self.majors)

    @cached_property
    def major_mileposts(self) -> tuple[int, ...]:
        """Every milepost of every major city."""
        return tuple(milepost for city in self.majors for milepost in city.mileposts)

    @cached_property
    def terrain(self) -> tuple[str, ...]:
        """``clear`` or ``mountain``; a city is never a mountain."""
        terrain = {name: kind for name, kind, _ in self.data.mileposts}
        return tuple(terrain[name] for name in self.names)

    @cached_property
    def country(self) -> tuple[str, ...]:
        """The country of each milepost."""
        country = {name: country for name, _, country in self.data.mileposts}
        return tuple(country[name] for name in self.names)

    @cached_property
    def price(self) -> tuple[int, ...]:
        """What a segment into each milepost costs, without the water it crosses."""
        return tuple(
            RULES.building.price(city.size if city else self.terrain[number])  # type: ignore[arg-type]
            for number, city in enumerate(self.city_at)
        )

    def milepost(self, name: Any) -> int:
        """The milepost of that name; a city's name means its middle."""
        if name in self.cities:
            return self.cities[name].middle
        if name not in self.numbers:
            message = m(
                "there is no milepost {name} on this map: mileposts are like ao38", name=quoted(str(name))
            )
            raise NotationError("unknown-milepost", message)
        return self.numbers[name]

    def path(self, names: Sequence[Any]) -> tuple[int, ...]:
        """The mileposts of a path. A city's name means the one of its mileposts that is beside the next.

        Where none of them is, or the path goes through the city, it is the middle, as anywhere.
        """
        found = [self.milepost(name) for name in names]
        for at, name in enumerate(names):
            if name in self.cities:
                beside = [found[other] for other in (at - 1, at + 1) if 0 <= other < len(found)]
                fitting = [
                    one
                    for one in self.cities[name].mileposts
                    if beside and all(self.edge_between(one, other) is not None for other in beside)
                ]
                found[at] = fitting[0] if fitting else found[at]
        return tuple(found)

    def spoken(self, milepost: int) -> str:
        """A milepost as a sentence may call it; a page needs the city's name only, see :data:`IN_CITY`."""
        city, name = self.city_at[milepost], self.names[milepost]
        return Message(IN_CITY, {"city": city.name, "milepost": name}) if city else name

    # --- edges ---

    @cached_property
    def ways(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each milepost (neighbour, edge) of every edge that is not closed."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.places]
        for number, (one, other) in enumerate(self.edges):
            found[one].append((other, number))
            found[other].append((one, number))
        return tuple(map(tuple, found))

    @cached_property
    def edge_names(self) -> tuple[str, ...]:
        """What each edge is called."""
        return tuple(f"{self.names[one]}-{self.names[other]}" for one, other in self.edges)

    @cached_property
    def edge_numbers(self) -> dict[tuple[int, int], int]:
        """The edge between two mileposts, in either order."""
        both = {pair: number for number, pair in enumerate(self.edges)}
        return both | {(other, one): number for (one, other), number in both.items()}

    @cached_property
    def edges_called(self) -> dict[str, int]:
        """The number of each edge's name."""
        return {name: number for number, name in enumerate(self.edge_names)}

    @cached_property
    def rivers(self) -> tuple[tuple[str, ...], ...]:
        """The rivers that each edge crosses."""
        found: list[list[str]] = [[] for _ in self.edges]
        for river in self.data.rivers:
            for name in river.edges:
                found[self.edges_called[name]].append(river.name)
        return tuple(map(tuple, found))

    @cached_property
    def river_edges(self) -> dict[str, tuple[int, ...]]:
        """The edges across each river."""
        return {
            river.name: tuple(self.edges_called[name] for name in river.edges) for river in self.data.rivers
        }

    @cached_property
    def channels(self) -> dict[int, str]:
        """The edges across narrow water between the lakes."""
        return {self.edges_called[channel.edge]: channel.name for channel in self.data.channels}

    @cached_property
    def surcharge(self) -> tuple[int, ...]:
        """What the water under each edge adds to its price."""
        return tuple(
            RULES.building.river
            if self.rivers[number]
            else RULES.building.channel
            if number in self.channels
            else 0
            for number in range(len(self.edges))
        )

    @cached_property
    def red(self) -> tuple[bool, ...]:
        """The edges inside a major city, which everybody uses and nobody builds."""
        hub = self.hub
        return tuple(hub[one] == hub[other] for one, other in self.edges)

    @cached_property
    def closed(self) -> frozenset[Edge]:
        """Neighbours with too much water between them."""
        return frozenset(_edge_of(self.data, name) for name in self.data.closed)

    def edge_between(self, one: int, other: int) -> int | None:
        """The edge that joins two mileposts, if there is one."""
        return self.edge_numbers.get((one, other))

    # --- distances ---

    def around(self, milepost: int, radius: int) -> frozenset[int]:
        """Every milepost at most so many steps away on the lattice, whatever lies between."""
        numbers = self.place_numbers
        return frozenset(
            numbers[place] for place in within(self.places[milepost], radius) if place in numbers
        )

    def near(self, mileposts: Iterable[int], radius: int) -> frozenset[int]:
        """Every milepost at most so many steps from one of these."""
        return frozenset(near for milepost in mileposts for near in self.around(milepost, radius))

    @cached_property
    def coasts(self) -> dict[str, tuple[int, ...]]:
        """The mileposts on each sea."""
        return {
            coast.sea: tuple(self.numbers[name] for name in coast.mileposts if name in self.numbers)
            for coast in self.data.coasts
        }

    def border(self, country: str) -> tuple[int, ...]:
        """The mileposts that have a neighbour across the border of a country."""
        return tuple(
            number
            for number, ways in enumerate(self.ways)
            if any(
                country in (self.country[number], self.country[other])
                and self.country[number] != self.country[other]
                for other, _ in ways
            )
        )


def _edge_of(data: BoardData, name: str) -> Edge:
    one, _, other = name.partition("-")
    return edge(data.places[one], data.places[other])


def built(data: BoardData) -> Board:
    """The board of checked data."""
    places = tuple(sorted(data.places.values()))
    numbers = {place: number for number, place in enumerate(places)}
    closed = {_edge_of(data, name) for name in data.closed}
    edges = sorted(
        {
            edge(place, other)
            for place in places
            for other in neighbours(place)
            if other in numbers and edge(place, other) not in closed
        }
    )
    cities = {
        city.name: City(
            city.name,
            city.size,
            tuple(numbers[place] for place in data.mileposts_of(city)),
            city.loads,
        )
        for city in data.cities
    }
    return Board(data, places, tuple((numbers[one], numbers[other]) for one, other in edges), cities)


@lru_cache(maxsize=8)
def board(text: str = "") -> Board:
    """Our map, or an owner's whole one (:mod:`.wholemap`), with corrections (:mod:`.boardfile`)."""
    data, corrections = _started(text)
    return built(corrected(data, corrections)) if corrections.strip() else built(data)


def owners_map_faults(text: str) -> list[str]:
    """Everything that is wrong with an owner's map or corrections."""
    text = divided_spots(text)[0]
    if not is_whole(text):
        return correction_faults(own_map(), text)
    whole, corrections = divided(text)
    return map_faults(whole) or correction_faults(read_map(whole), corrections)


def _started(text: str) -> tuple[BoardData, str]:
    """The map that corrections are made to, and the corrections."""
    text = divided_spots(text)[0]
    if not is_whole(text):
        return own_map(), text
    whole, corrections = divided(text)
    return read_map(whole), corrections


_TEXT_OF: dict[str, str] = {"": ""}


@lru_cache(maxsize=16)
def map_mark(text: str) -> str:
    """A short name for an owner's map, which a view says instead of the whole text."""
    mark = sha256(text.encode()).hexdigest()[:12] if text.strip() else ""
    _TEXT_OF.setdefault(mark, text)
    return mark


def marked_board(mark: str) -> Board:
    """The board that a view names by its mark."""
    return board(_TEXT_OF[mark])


@lru_cache(maxsize=1)
def own_map() -> BoardData:
    """The map that comes with the program."""
    raw = files("companion.games.empire_builder.rules").joinpath(OWN_MAP).read_bytes()
    data = msgspec.json.decode(raw, type=BoardData)
    fault = board_fault(data)
    if fault is not None:
        raise RulesDataError("bad-map", f"{OWN_MAP}: {fault}")
    return data
