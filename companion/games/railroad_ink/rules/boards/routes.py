"""The routes of Railroad Ink and how they are written.

A route is written by its ends, clockwise from the top: ``N E S W`` for a highway end, ``n e s w`` for a
railway end. Ends that are joined stand together, separate pieces are divided by ``|`` and ``*`` marks a
station: ``NS`` is a straight highway, ``NS|ew`` an overpass, ``Ns*`` a station between the two types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from companion.core.errors import NotationError, quoted
from companion.core.messages import m
from companion.core.remembering import remembered
from companion.sheets.grid import DIRECTIONS, SYMMETRIES, Symmetry

HIGHWAY, RAILWAY = 0, 1
TYPES = (HIGHWAY, RAILWAY)
TYPE_NAMES = ("highway", "railway")
_LETTERS = ("NESW", "nesw")


@dataclass(frozen=True, slots=True)
class Piece:
    """Ends that are joined with each other: a bit mask of directions for each type (bit 0 is the top)."""

    highway: int
    railway: int
    station: bool

    @property
    def ends(self) -> tuple[int, int]:
        """The masks of a piece's ends by type."""
        return self.highway, self.railway


@dataclass(frozen=True, slots=True)
class Route:
    """What can be drawn in one cell. ``number`` is its place in :data:`EVERY_ROUTE`."""

    text: str
    pieces: tuple[Piece, ...]
    number: int
    highway: int
    railway: int
    station: bool

    @property
    def ends(self) -> tuple[int, int]:
        """The masks of all its ends, by type."""
        return self.highway, self.railway

    def __str__(self) -> str:
        return self.text


Cells: TypeAlias = dict[int, Route]  # what is drawn where

# One drawing of each kind; every way to turn or mirror it belongs to the vocabulary.
SHAPES: tuple[str, ...] = (
    "NS", "NE", "NES", "NESW", "ns", "ne", "nes", "nesw",
    "NS|ew", "NE|SW", "ne|sw",
    "N*", "n*", "Ns*", "Ne*", "NSe*", "nsE*", "NEsw*", "NeSw*", "NESw*", "Nesw*",
)  # fmt: skip


def _read_piece(text: str, station: bool) -> Piece:
    masks = [sum(1 << d for d in DIRECTIONS if letters[d] in text) for letters in _LETTERS]
    return Piece(masks[HIGHWAY], masks[RAILWAY], station)


def _ends_text(piece: Piece) -> str:
    return "".join(_LETTERS[kind][d] for d in DIRECTIONS for kind in TYPES if piece.ends[kind] >> d & 1)


def _route_text(pieces: Iterable[Piece]) -> str:
    """Highway pieces first, then by the first end clockwise from the top."""
    ordered = sorted(pieces, key=lambda piece: (piece.highway == 0, _low_bit(piece.highway | piece.railway)))
    return "|".join(_ends_text(piece) + "*" * piece.station for piece in ordered)


def _low_bit(mask: int) -> int:
    return mask & -mask


def _pieces(text: str) -> tuple[Piece, ...]:
    return tuple(_read_piece(part.removesuffix("*"), part.endswith("*")) for part in text.split("|"))


def _turn_mask(mask: int, symmetry: Symmetry) -> int:
    return sum(1 << symmetry.direction(d) for d in DIRECTIONS if mask >> d & 1)


def _turned_text(text: str, symmetry: Symmetry) -> str:
    return _route_text(
        Piece(_turn_mask(piece.highway, symmetry), _turn_mask(piece.railway, symmetry), piece.station)
        for piece in _pieces(text)
    )


def _turnings(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_turned_text(text, symmetry) for symmetry in SYMMETRIES))


def _route(text: str, number: int) -> Route:
    pieces = _pieces(text)
    highway = sum(piece.highway for piece in pieces)
    railway = sum(piece.railway for piece in pieces)
    return Route(text, pieces, number, highway, railway, any(piece.station for piece in pieces))


def _routes(shapes: Iterable[str], first: int) -> tuple[Route, ...]:
    """Every turning of these shapes, numbered from ``first``."""
    texts = (turned for shape in shapes for turned in _turnings(shape))
    return tuple(_route(text, number) for number, text in enumerate(texts, first))


VOCABULARY: tuple[Route, ...] = _routes(SHAPES, 0)
ROUTES: dict[str, Route] = {route.text: route for route in VOCABULARY}


def parse_route(text: str) -> Route:
    """The route written as ``text``; the ends may stand in any order.

    >>> parse_route("NS|ew").text, parse_route("WE").text, parse_route("s*N").text
    ('NS|ew', 'EW', 'Ns*')
    >>> parse_route("Ns")
    Traceback (most recent call last):
    ...
    companion.core.errors.NotationError: 'Ns' joins highway and railway without a station: write 'Ns*'
    """
    return ROUTES[text] if text in ROUTES else _parse_loosely(text)


def _parse_loosely(text: str) -> Route:
    route = ROUTES.get(_sorted_text(text)) if 0 < len(text) <= 9 else None
    if route is None:
        raise NotationError("unknown-route", _complaint(text))
    return route


def _sorted_text(text: str) -> str:
    """The usual spelling of the same ends, or something that is in no vocabulary."""
    bare = text.replace("*", "", 1)
    parts = bare.split("|")
    ends = "".join(parts)
    if len(set(ends.upper())) != len(ends) or not set(ends) <= set("NESWnesw") or "" in parts:
        return ""
    station = bare != text
    return _route_text(_read_piece(part, station) for part in parts)


def _complaint(text: str) -> str:
    readable = _sorted_text(text) if 0 < len(text) <= 9 else ""
    if len(readable) == 1:
        return m(
            "{text} is not a route: a single end is a terminal station, write {text2}",
            text=quoted(text),
            text2=quoted(text + "*"),
        )
    if readable and _sorted_text(text + "*") in ROUTES:
        return m(
            "{text} joins highway and railway without a station: write {text2}",
            text=quoted(text),
            text2=quoted(text + "*"),
        )
    if readable:
        return m("{text} can be written, but no die and no special route looks like that", text=quoted(text))
    return (
        f"{quoted(text)} is no route: write its ends clockwise from the top, N E S W for highway, "
        "n e s w for railway, '|' between separate pieces, '*' for a station"
    )


# --- what only expansions draw ---

# Two pieces of unlike kinds in one space; in these, `*` belongs to its own piece.
_PAIRS = (
    "N", "n", "NE|sw", "Ne*|Sw*", "Ne*|Ws*", "NES|W", "nes|w", "EW|S", "ew|s", "NS|EW", "ns|ew",
    "NE*|sw", "W*|nes", "NES|w",
)  # fmt: skip


def _other_stations() -> Iterator[str]:
    """Every station that no ordinary die shows, once for all its turnings."""
    seen = set(ROUTES)
    for ends in product((HIGHWAY, RAILWAY, None), repeat=4):
        letters = "".join(_LETTERS[kind][way] for way, kind in enumerate(ends) if kind is not None)
        if letters and f"{letters}*" not in seen:
            seen.update(_turnings(f"{letters}*"))
            yield f"{letters}*"


EXTRA_SHAPES: tuple[str, ...] = (*_PAIRS, *_other_stations())
EXTRA_ROUTES: dict[str, Route] = {route.text: route for route in _routes(EXTRA_SHAPES, first=len(VOCABULARY))}


# --- everything that can be drawn ---

# By number: what the route dice show, then what only expansions draw.
EVERY_SHAPE: tuple[str, ...] = (*SHAPES, *EXTRA_SHAPES)
EVERY_ROUTE: tuple[Route, ...] = (*VOCABULARY, *EXTRA_ROUTES.values())
_BY_TEXT: dict[str, Route] = {route.text: route for route in EVERY_ROUTE}
_TURNINGS: dict[str, tuple[Route, ...]] = {
    shape: tuple(_BY_TEXT[text] for text in _turnings(shape)) for shape in EVERY_SHAPE
}
_SHAPE_OF: dict[str, str] = {route.text: shape for shape, routes in _TURNINGS.items() for route in routes}


def any_route(text: str) -> Route:
    """The route written as ``text``, which may be one that only an expansion draws.

    >>> any_route("NE|sw").text, any_route("NS").text
    ('NE|sw', 'NS')
    """
    if text in _BY_TEXT:
        return _BY_TEXT[text]
    ends = text.replace("|", "").replace("*", "")
    if ends and len(set(ends.upper())) == len(ends) and set(ends) <= set("NESWnesw"):
        usual = _route_text(_pieces(text))
        if usual in EXTRA_ROUTES:
            return EXTRA_ROUTES[usual]
    return parse_route(text)


@remembered(1024)
def is_shape(text: str) -> bool:
    """Return True if the text is a route, its ends in any order."""
    try:
        any_route(text)
    except NotationError:
        return False
    return True


def turned(route: Route, symmetry: Symmetry) -> Route:
    """The route turned or mirrored.

    >>> turned(ROUTES["NS|ew"], Symmetry(1, False)).text
    'EW|ns'
    """
    return _BY_TEXT[_turned_text(route.text, symmetry)]


def shape_of(route: Route) -> str:
    """The kind of drawing, however it is turned: one of :data:`EVERY_SHAPE`.

    >>> shape_of(ROUTES["nW*"])
    'Ne*'
    """
    return _SHAPE_OF[route.text]


def turnings(shape: str) -> tuple[Route, ...]:
    """Every way to draw a shape (any route of the shape may be given).

    >>> [route.text for route in turnings("NS|ew")]
    ['NS|ew', 'EW|ns']
    """
    return _TURNINGS[_SHAPE_OF[any_route(shape).text]]
