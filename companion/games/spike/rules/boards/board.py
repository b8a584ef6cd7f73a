"""A board: cities, points where tracks meet, tracks of six suits, and the places for chips, pawns and cards.

The format is described in the README; one JSON object a line.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Annotated, Literal, NamedTuple, TypeAlias, get_args

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.messages import Message, m
from companion.games.spike.rules.boards import board_faults
from companion.games.spike.rules.boards.entries import Entry, LineFault, of_kind, raise_first, read_entries
from companion.sheets.drawing import Point

Name: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[a-z0-9][a-z0-9-]{0,30}(?!\n)$")]
Colour: TypeAlias = Annotated[str, msgspec.Meta(pattern="^#[0-9a-f]{6}(?!\n)$")]
Pattern: TypeAlias = Literal["solid", "dashed", "dotted", "double", "ties", "studded"]
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unknown key in a line is an error."""


def on_track(name: str) -> Message:
    """The words for a place on a track by its name in files; pages name the cities at its ends.

    >>> on_track("gary-utica")
    'on the track gary-utica'
    """
    return m("on the track {track}", track=name)


ON_TRACK = on_track("").id


class Heading(_Line, frozen=True):
    """The first line: the board's title and its size in millimetres."""

    board: str
    format: Literal[1]
    size: Point
    about: str = ""


class Suit(_Line, frozen=True):
    """One of the six kinds of track and rail card, by colour and by line pattern."""

    suit: Name
    colour: Colour
    pattern: Pattern


class Good(_Line, frozen=True):
    """One of the twelve commodities."""

    good: Name
    name: str


class City(_Line, frozen=True):
    """A city and the commodity it supplies."""

    city: Name
    name: str
    good: Name
    at: Point


class Junction(_Line, frozen=True):
    """A point where tracks meet outside a city."""

    point: Name
    at: Point


class Track(_Line, frozen=True):
    """One place for one piece of track; ``number`` tells apart those that join the same two places."""

    track: tuple[Name, Name]
    suit: Name
    number: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1

    @property
    def name(self) -> str:
        """Its ends, as they stand in the file, and its number unless that is 1."""
        return f"{self.track[0]}-{self.track[1]}{self.mark}"

    @property
    def turned(self) -> str:
        """The name as it is said from the other end."""
        return f"{self.track[1]}-{self.track[0]}{self.mark}"

    @property
    def mark(self) -> str:
        """What the name of a second or third track between the same places ends with."""
        return f":{self.number}" if self.number > 1 else ""

    def other(self, end: str) -> str:
        """The end that is not this one."""
        return self.track[1] if end == self.track[0] else self.track[0]


class MarketPlace(_Line, frozen=True):
    """A place for a commodity chip: column 1 to 4 and price."""

    market: tuple[int, int]
    at: Point


class Space(_Line, frozen=True):
    """A space of the score track."""

    space: int
    at: Point


class TimePlace(_Line, frozen=True):
    """The position of a time card."""

    time: int
    at: Point


SHAPES: Mapping[str, type[_Line]] = {
    "board": Heading,
    "suit": Suit,
    "good": Good,
    "city": City,
    "point": Junction,
    "track": Track,
    "market": MarketPlace,
    "space": Space,
    "time": TimePlace,
}


class Way(NamedTuple):
    """A track as seen from one of its ends."""

    track: str
    to: str
    suit: int
    far: int  # the fewest tracks from its other end to a city; 0: that end is a city


@dataclass(frozen=True, eq=False)
class Board:
    """A board that has no fault."""

    heading: Heading
    suits: dict[str, Suit]
    goods: dict[str, Good]
    cities: dict[str, City]
    points: dict[str, Junction]
    tracks: dict[str, Track]
    market: dict[tuple[int, int], Point]
    spaces: dict[int, Point]
    times: dict[int, Point]

    @cached_property
    def places(self) -> dict[str, Point]:
        """The positions of all cities and points."""
        cities = {name: city.at for name, city in self.cities.items()}
        return cities | {name: point.at for name, point in self.points.items()}

    @cached_property
    def ways(self) -> dict[str, tuple[Way, ...]]:
        """The tracks at every city and point."""
        found: dict[str, list[Way]] = {place: [] for place in self.places}
        far = self.hops(*self.cities)
        for name, track in self.tracks.items():
            for end in track.track:
                there = track.other(end)
                found[end].append(Way(name, there, self.suit_numbers[name], far.get(there, len(self.places))))
        return {place: tuple(ways) for place, ways in found.items()}

    @cached_property
    def neighbours(self) -> dict[str, list[str]]:
        """The cities and points that one track leads to from each."""
        found: dict[str, list[str]] = {place: [] for place in self.places}
        for track in self.tracks.values():
            for end in track.track:
                found[end].append(track.other(end))
        return found

    @cached_property
    def suit_numbers(self) -> dict[str, int]:
        """The number of every track's suit."""
        numbers = {suit: number for number, suit in enumerate(self.suits)}
        return {name: numbers[track.suit] for name, track in self.tracks.items()}

    @cached_property
    def suppliers(self) -> dict[str, tuple[str, ...]]:
        """The cities that supply each good."""
        return {
            good: tuple(name for name, city in self.cities.items() if city.good == good)
            for good in self.goods
        }

    def hops(self, *starts: str) -> dict[str, int]:
        """The fewest tracks from the nearest of these places to every other, by breadth-first search."""
        found = dict.fromkeys(starts, 0)
        waiting = deque(starts)
        while waiting:
            here = waiting.popleft()
            for there in self.neighbours[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    waiting.append(there)
        return found

    def find_track(self, name: str) -> str:
        """A track by its name, whichever end is said first."""
        if name in self.tracks:
            return name
        turned = self._turned.get(name)
        if turned is None:
            raise NotationError(
                "unknown-track",
                m(
                    "there is no track {name} on the board {board}",
                    name=quoted(name),
                    board=self.heading.board,
                ),
            )
        return turned

    @cached_property
    def _turned(self) -> dict[str, str]:
        return {track.turned: name for name, track in self.tracks.items()}

    @cached_property
    def aside(self) -> dict[str, float]:
        """How far tracks that join the same two places lie beside the middle, in widths of a track."""
        abreast: dict[tuple[str, ...], list[str]] = {}
        for name, track in self.tracks.items():
            abreast.setdefault(tuple(sorted(track.track)), []).append(name)
        return {
            name: (number - (len(names) - 1) / 2) * (1 if self.tracks[name].track == ends else -1)
            for ends, names in abreast.items()
            if len(names) > 1
            for number, name in enumerate(names)
        }

    def find_city(self, name: str) -> str:
        """A city's name, if there is such a city."""
        if name not in self.cities:
            raise NotationError(
                "unknown-city",
                m(
                    "there is no city {name} on the board {board}",
                    name=quoted(name),
                    board=self.heading.board,
                ),
            )
        return name


def describe_board(text: str) -> tuple[list[Entry], list[LineFault]]:
    """What a file says line by line, and everything that is wrong with it."""
    entries, unreadable = read_entries(text, SHAPES)
    return entries, unreadable or list(_faults(entries))


def _faults(entries: list[Entry]) -> Iterator[LineFault]:
    for check in board_faults.CHECKS:
        yield from check(entries)


def read_board(text: str, file: str = m("the board file")) -> Board:
    """The board that a file describes; the first thing wrong with it is a :class:`RulesDataError`."""
    entries, faults = describe_board(text)
    raise_first(faults, file)
    says = {kind: [entry.says for entry in of_kind(entries, kind)] for kind in SHAPES}
    return Board(
        heading=says["board"][0],
        suits={suit.suit: suit for suit in says["suit"]},
        goods={good.good: good for good in says["good"]},
        cities={city.city: city for city in says["city"]},
        points={point.point: point for point in says["point"]},
        tracks={track.name: track for track in says["track"]},
        market={place.market: place.at for place in says["market"]},
        spaces={space.space: space.at for space in says["space"]},
        times={place.time: place.at for place in says["time"]},
    )


SHIPPED = ("eastern-states",)


@lru_cache(maxsize=16)
def board_called(name: str) -> Board:
    """A shipped board by its name, or the board that a whole text describes."""
    return read_board(board_text(name), name if name in SHIPPED else m("the board file"))


def board_text(name: str) -> str:
    """The text of a shipped board; a text that describes a board is its own."""
    return shipped_text(name, "board")


def shipped_text(name: str, what: str) -> str:
    """One of the shipped files, or the text itself where a whole file was given instead of a name."""
    if name in SHIPPED:
        return files("companion.games.spike.rules").joinpath("data", f"{name}.{what}.jsonl").read_text()
    if "{" in name:
        return name
    message = m(
        "there is no {what} {name}: choose {shipped}, or give a file's whole text",
        what=what,
        name=quoted(name),
        shipped=", ".join(SHIPPED),
    )
    raise NotationError(f"unknown-{what}", message)
