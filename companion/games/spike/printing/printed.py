"""Where everything is on our printed board: the numbers that printing, reading and the page share."""

from __future__ import annotations

from importlib.resources import files
from math import dist

import msgspec

from companion.games.spike.rules.boards.board import Board
from companion.sheets.drawing import Point, Quad, rectangle
from companion.sheets.layouts import corner_tags

KIND = "spike"


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unknown key in the file is an error."""


class _Tag(_Strict, frozen=True):
    side: float
    margin: float


class _Board(_Strict, frozen=True):
    city: float
    point: float
    track: float
    slot: float
    clear: float
    chip: float
    time: Point
    space_depth: float
    name: float
    title: float


class _Card(_Strict, frozen=True):
    size: Point
    radius: float
    border: float


class _Tile(_Strict, frozen=True):
    train: Point
    chip: float
    token: float
    marker: float
    high_score: Point
    track: Point


class _Ink(_Strict, frozen=True):
    dark: str
    middle: str
    grid: str
    sea: str
    shore: str
    land: str
    state: str
    river: str
    paper: str
    gold: str


class _Printed(_Strict, frozen=True):
    tag: _Tag
    board: _Board
    card: _Card
    tile: _Tile
    ink: _Ink
    goods: dict[str, str]


PRINTED = msgspec.toml.decode(files(__package__).joinpath("printed.toml").read_bytes(), type=_Printed)


def track_line(board: Board, name: str) -> tuple[Point, Point]:
    """The middle line of a track, from rim to rim of what it joins."""
    one, other = board.tracks[name].track
    line = line_between(
        (board.places[one], one in board.cities), (board.places[other], other in board.cities)
    )
    return beside(line, board.aside.get(name, 0) * PRINTED.board.slot)


def beside(line: tuple[Point, Point], aside: float) -> tuple[Point, Point]:
    """A line moved to its side by so many millimetres."""
    (x1, y1), (x2, y2) = line
    length = dist((x1, y1), (x2, y2)) or 1.0
    dx, dy = -(y2 - y1) / length * aside, (x2 - x1) / length * aside
    return (x1 + dx, y1 + dy), (x2 + dx, y2 + dy)


def line_between(one: tuple[Point, bool], other: tuple[Point, bool]) -> tuple[Point, Point]:
    """The middle line between two places, each with whether it is a city: cities are larger than points."""
    (a, a_city), (b, b_city) = one, other
    return _towards(a, b, _rim(a_city)), _towards(b, a, _rim(b_city))


def _rim(city: bool) -> float:
    return (PRINTED.board.city if city else PRINTED.board.point) + PRINTED.board.clear


def _towards(a: Point, b: Point, length: float) -> Point:
    share = length / dist(a, b)
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def track_quad(board: Board, name: str) -> Quad:
    """The slot of a track: a rectangle along it."""
    (x1, y1), (x2, y2) = track_line(board, name)
    length = dist((x1, y1), (x2, y2))
    half = PRINTED.board.slot / 2
    dx, dy = -(y2 - y1) / length * half, (x2 - x1) / length * half
    return (x1 - dx, y1 - dy), (x2 - dx, y2 - dy), (x2 + dx, y2 + dy), (x1 + dx, y1 + dy)


def centred(at: Point, size: Point) -> Quad:
    """An upright rectangle around its middle."""
    return rectangle((at[0] - size[0] / 2, at[1] - size[1] / 2), size)


def space_size(board: Board, number: int) -> Point:
    """Width and height of a space of the score track: as wide as the distance to the next one."""
    spaces = board.spaces
    here = spaces[number]
    beside = [spaces[other] for other in (number + 1, number - 1) if other in spaces]
    neighbour = min(beside, key=lambda at: dist(at, here), default=(here[0] + 1, here[1]))
    flat = abs(neighbour[0] - here[0]) > abs(neighbour[1] - here[1])
    step = _space_step(board, here, flat)
    return (step, PRINTED.board.space_depth) if flat else (PRINTED.board.space_depth, step)


def _space_step(board: Board, here: Point, flat: bool) -> float:
    """The distance to the nearest space in the same row or column."""
    axis = 0 if flat else 1
    same = [at for at in board.spaces.values() if at != here and abs(at[1 - axis] - here[1 - axis]) < 1]
    return min((abs(at[axis] - here[axis]) for at in same), default=PRINTED.board.space_depth)


def slot_quads(board: Board) -> dict[str, Quad]:
    """Every place where something can lie: tracks by their names, and cities, market, spaces, time cards."""
    city, chip = 2 * PRINTED.board.city, PRINTED.board.chip
    slots = {name: track_quad(board, name) for name in board.tracks}
    slots |= {f"city:{name}": centred(one.at, (city, city)) for name, one in board.cities.items()}
    slots |= {
        f"market:{column}-{price}": centred(at, (chip, chip)) for (column, price), at in board.market.items()
    }
    slots |= {f"space:{n}": centred(at, space_size(board, n)) for n, at in board.spaces.items()}
    return slots | {f"time:{n}": centred(at, PRINTED.board.time) for n, at in board.times.items()}


def tag_quads(board: Board) -> dict[int, Quad]:
    """The black squares of the four corner tags by number."""
    return corner_tags(KIND, 1, board.heading.size, PRINTED.tag.side, PRINTED.tag.margin)
