"""A board as it is written down, and an owner's corrections to it.

The board itself is JSON (``data/north_america.json``). Corrections are lines of text, so that a map can be
made to agree with the one in the box milepost by milepost::

    terrain ao38 mountain          clear, mountain, or none: no milepost there
    river ao38-ap39 Missouri       the edge crosses that river; none: it crosses no river
    channel ao38-ap39 Soo Locks    the edge crosses narrow water; none: it does not
    closed ao38-ap39               nothing may be built there; open: it may
    city ao38 small Omaha          where a city lies, and how big it is
    loads Omaha: oats, wheat       what a city supplies

Empty lines and what follows a ``#`` mean nothing. Every fault is one sentence with its line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import get_args

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.messages import m
from companion.core.records import replaced
from companion.games.empire_builder.rules.boards.names import edge_called, edge_name, place_called, place_name
from companion.games.empire_builder.rules.rulebook import CITY_SIZES, LOADS, TERRAINS, CitySize, Terrain
from companion.sheets.lattice import Place, neighbours, within

Milepost = tuple[str, Terrain, str]
_MOST = 5000  # corrections; a map has two thousand mileposts


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unknown key in the file is an error."""


class CityData(_Strict, frozen=True):
    """A city as written: its middle, and what it supplies."""

    name: str
    size: CitySize
    at: str
    loads: tuple[str, ...] = ()


class RiverData(_Strict, frozen=True):
    """The edges that cross a river."""

    name: str
    edges: tuple[str, ...]


class ChannelData(_Strict, frozen=True):
    """An edge across narrow water."""

    name: str
    edge: str


class CoastData(_Strict, frozen=True):
    """The mileposts on a sea."""

    sea: str
    mileposts: tuple[str, ...]


class BoardData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A board as its file describes it: mileposts, cities, rivers and channels."""

    name: str
    columns: int
    rows: int
    mileposts: tuple[Milepost, ...]
    cities: tuple[CityData, ...]
    rivers: tuple[RiverData, ...] = ()
    channels: tuple[ChannelData, ...] = ()
    closed: tuple[str, ...] = ()
    coasts: tuple[CoastData, ...] = ()
    made: dict[str, object] = {}

    @cached_property
    def places(self) -> dict[str, Place]:
        """The position of each milepost."""
        return {name: place_called(name) for name, _, _ in self.mileposts}

    @staticmethod
    def mileposts_of(city: CityData) -> tuple[Place, ...]:
        """A city's own places, the middle first."""
        middle = place_called(city.at)
        if city.size != "major":
            return (middle,)
        return (middle, *(place for place in within(middle, 1) if place != middle))


# --- what can be wrong with a board ---


def board_fault(data: BoardData) -> str | None:
    """The first thing that is wrong with a board, as a sentence."""
    return next(board_faults(data), None)


def board_faults(data: BoardData) -> Iterator[str]:
    """Everything that is wrong with a board, as sentences."""
    known = {name for name, _, _ in data.mileposts}
    if len(known) != len(data.mileposts):
        twice = Counter(name for name, _, _ in data.mileposts).most_common(1)[0][0]
        yield m("the milepost {twice} is given twice", twice=twice)
    for city in data.cities:
        missing = [
            place_name(place) for place in BoardData.mileposts_of(city) if place_name(place) not in known
        ]
        if missing:
            yield m(
                "{name} lies on {missing}, where there is no milepost", name=city.name, missing=missing[0]
            )
        unknown = [load for load in city.loads if load not in LOADS]
        if unknown:
            yield m(
                "{name} supplies {unknown}, which is none of the loads: {loads}",
                name=city.name,
                unknown=quoted(unknown[0]),
                loads=", ".join(LOADS),
            )
    yield from _crowded(data.cities)
    yield from _water_faults(data, known)


def _crowded(cities: tuple[CityData, ...]) -> Iterator[str]:
    taken: dict[Place, str] = {}
    for city in cities:
        for place in BoardData.mileposts_of(city):
            if place in taken:
                yield m(
                    "two cities in one place: {place} and {name} at {place2}",
                    place=taken[place],
                    name=city.name,
                    place2=place_name(place),
                )
            taken[place] = city.name


def _water_faults(data: BoardData, known: set[str]) -> Iterator[str]:
    closed = set(data.closed)
    crossed = [
        (m("the river {name}", name=river.name), name) for river in data.rivers for name in river.edges
    ]
    crossed += [(m("the channel {name}", name=channel.name), channel.edge) for channel in data.channels]
    for what, name in crossed:
        one, _, other = edge_name(edge_called(name)).partition("-")
        if one not in known or other not in known or name in closed:
            yield m("{what} touches nothing at {name}: no track can be built there", what=what, name=name)
    for name in data.closed:
        if not known.issuperset(name.split("-")):
            yield m("{name} cannot be closed: there are no two mileposts", name=name)


# --- corrections ---


def corrected(data: BoardData, text: str) -> BoardData:
    """The board with the corrections made, or the first fault with its line."""
    after, faults = _corrected(data, text)
    if faults:
        raise NotationError("bad-map", faults[0])
    return after


def correction_faults(data: BoardData, text: str) -> list[str]:
    """Everything that is wrong with corrections, each fault with its line."""
    return _corrected(data, text)[1]


def _corrected(data: BoardData, text: str) -> tuple[BoardData, list[str]]:
    """The board after every line that can be applied, and what is wrong with the lines and the board."""
    before, unreadable = data, list[str]()
    applied: list[tuple[int, list[str]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if words:
            try:
                if len(applied) == _MOST:
                    raise NotationError("bad-map", m("a map has at most {most} corrections", most=_MOST))
                change = _CHANGES.get(words[0])
                if change is None or len(words) < (2 if words[0] in ("closed", "open") else 3):
                    message = m(
                        "{words} cannot be understood: a line begins with {changes}",
                        words=quoted(" ".join(words)),
                        changes=", ".join(_CHANGES),
                    )
                    raise NotationError("bad-map", message)
                data = change(data, words[1:])
                applied.append((number, words))
            except NotationError as problem:
                unreadable.append(m("line {number}: {message}", number=number, message=problem.message))
                if len(applied) == _MOST:
                    break
    # Two cities may change places in two lines, so only what is wrong in the end counts.
    wrong = list(board_faults(data)) if applied else []
    blamed = _blamed(before, applied, set(wrong)) if wrong else {}
    return data, [
        *unreadable,
        *(m("line {fault}: {fault2}", fault=blamed[fault], fault2=fault) for fault in wrong),
    ]


def _blamed(data: BoardData, applied: list[tuple[int, list[str]]], faults: set[str]) -> dict[str, int]:
    """The number of the first line after which the board has each of these faults."""
    found: dict[str, int] = {}
    for number, words in applied:
        data = _CHANGES[words[0]](data, words[1:])
        found |= dict.fromkeys(faults.intersection(board_faults(data)) - found.keys(), number)
        if len(found) == len(faults):
            break
    return found


def _terrain(data: BoardData, words: list[str]) -> BoardData:
    name, kind = place_name(place_called(words[0])), words[1]
    if kind == "none":
        return _without_milepost(data, name)
    if kind not in TERRAINS:
        raise NotationError(
            "bad-map", m("{kind} is not a terrain: clear, mountain or none", kind=quoted(kind))
        )
    country = _country(data, name)
    others = tuple(milepost for milepost in data.mileposts if milepost[0] != name)
    terrain: Terrain = "mountain" if kind == "mountain" else "clear"
    return replaced(data, mileposts=(*others, (name, terrain, country)))


def _country(data: BoardData, name: str) -> str:
    """The country of a milepost; a new one belongs to the country of its neighbours."""
    known = {milepost: country for milepost, _, country in data.mileposts}
    if name in known:
        return known[name]
    around = [
        known[place_name(place)] for place in neighbours(place_called(name)) if place_name(place) in known
    ]
    if not around:
        raise NotationError("bad-map", m("{name} touches no other milepost", name=name))
    return Counter(around).most_common(1)[0][0]


def _without_milepost(data: BoardData, name: str) -> BoardData:
    """The board without a milepost and without everything that is said of its edges."""

    def left(edges: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one for one in edges if name not in one.split("-"))

    return replaced(
        data,
        mileposts=tuple(milepost for milepost in data.mileposts if milepost[0] != name),
        rivers=tuple(RiverData(river.name, left(river.edges)) for river in data.rivers),
        channels=tuple(channel for channel in data.channels if left((channel.edge,))),
        closed=left(data.closed),
        coasts=tuple(
            CoastData(coast.sea, tuple(one for one in coast.mileposts if one != name))
            for coast in data.coasts
        ),
    )


def _river(data: BoardData, words: list[str]) -> BoardData:
    name, river = edge_name(edge_called(words[0])), " ".join(words[1:])
    known = {one.name: one.edges for one in data.rivers}
    if river == "none":
        rivers = {other: tuple(one for one in edges if one != name) for other, edges in known.items()}
    else:
        rivers = {**known, river: (*(one for one in known.get(river, ()) if one != name), name)}
    return replaced(data, rivers=tuple(RiverData(river, edges) for river, edges in rivers.items()))


def _channel(data: BoardData, words: list[str]) -> BoardData:
    name, channel = edge_name(edge_called(words[0])), " ".join(words[1:])
    others = tuple(one for one in data.channels if one.edge != name)
    added = () if channel == "none" else (ChannelData(channel, name),)
    return replaced(data, channels=(*others, *added))


def _closed(data: BoardData, words: list[str]) -> BoardData:
    name = edge_name(edge_called(words[0]))
    return replaced(data, closed=(*(one for one in data.closed if one != name), name))


def _open(data: BoardData, words: list[str]) -> BoardData:
    name = edge_name(edge_called(words[0]))
    if name not in data.closed:
        raise NotationError("bad-map", m("{name} is not closed", name=name))
    return replaced(data, closed=tuple(one for one in data.closed if one != name))


def _city(data: BoardData, words: list[str]) -> BoardData:
    at, size, name = place_name(place_called(words[0])), words[1], " ".join(words[2:])
    if size not in CITY_SIZES:
        raise NotationError(
            "bad-map",
            m(
                "{size} is not a size of a city: {citysize}",
                size=quoted(size),
                citysize=", ".join(get_args(CitySize)),
            ),
        )
    return _with_city(data, name, at=at, size=size)


def _loads(data: BoardData, words: list[str]) -> BoardData:
    name, colon, loads = " ".join(words).partition(":")
    if not colon:
        raise NotationError("bad-map", m("write the city, a colon, and its loads with commas between them"))
    supplied = tuple(load.strip() for load in loads.split(",") if load.strip())
    return _with_city(data, name.strip(), loads=supplied)


def _with_city(data: BoardData, name: str, **changes: object) -> BoardData:
    if all(city.name != name for city in data.cities):
        raise NotationError(
            "bad-map", m("there is no city {name}: the cities are those of the game", name=quoted(name))
        )
    return replaced(
        data,
        cities=tuple(replaced(city, **changes) if city.name == name else city for city in data.cities),
    )


_CHANGES: dict[str, Callable[[BoardData, list[str]], BoardData]] = {
    "terrain": _terrain,
    "river": _river,
    "channel": _channel,
    "closed": _closed,
    "open": _open,
    "city": _city,
    "loads": _loads,
}
