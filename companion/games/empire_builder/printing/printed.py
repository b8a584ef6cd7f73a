"""Where everything is on our printed map: the numbers that printing, reading and the page share."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from math import hypot
from typing import TypeAlias

import msgspec

from companion.games.empire_builder.rules.boards.board import Board
from companion.sheets.drawing import Point, Quad, rectangle
from companion.sheets.lattice import Lattice, from_doubled
from companion.sheets.layouts import corner_tags

KIND = "empire-builder"
Lines: TypeAlias = list[list[Point]]


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unknown key in the file is an error."""


class _Map(_Strict, frozen=True):
    pitch: float
    margin: float
    tag: float
    tag_margin: float
    dot: float
    mountain: float
    city: float
    slot_milepost: float
    slot_edge: float
    slot_rim: float
    name: float
    major_name: float
    loads: float


class _Card(_Strict, frozen=True):
    size: Point
    radius: float
    loco: Point
    chip: float
    chip_cell: float


class _Printed(_Strict, frozen=True):
    map: _Map
    card: _Card
    ink: dict[str, str]
    loads: dict[str, str]


class RiverLines(_Strict, frozen=True):
    """A river as it is drawn."""

    name: str
    lines: Lines


class Outlines(_Strict, frozen=True):
    """What is drawn under the mileposts, in mileposts."""

    made: dict[str, object]
    frame: tuple[float, float, float, float]
    land: Lines
    lakes: Lines
    rivers: tuple[RiverLines, ...]
    borders: Lines
    states: Lines


PRINTED = msgspec.toml.decode(files(__package__).joinpath("printed.toml").read_bytes(), type=_Printed)


@lru_cache(maxsize=1)
def outlines() -> Outlines:
    """The coasts, rivers and borders under our map."""
    raw = files(__package__).joinpath("data/north_america_outlines.json").read_bytes()
    return msgspec.json.decode(raw, type=Outlines)


def map_size() -> Point:
    """Width and height of the whole sheet."""
    left, top, right, bottom = outlines().frame
    pitch, margin = PRINTED.map.pitch, PRINTED.map.margin
    return round((right - left) * pitch + 2 * margin, 2), round((bottom - top) * pitch + 2 * margin, 2)


def frame_corner() -> Point:
    """The upper left corner of the drawing on the sheet, in mm."""
    return PRINTED.map.margin, PRINTED.map.margin


def on_sheet(point: Point) -> Point:
    """A point of the plane, which is measured in mileposts, on the sheet."""
    left, top, _, _ = outlines().frame
    pitch, (x, y) = PRINTED.map.pitch, frame_corner()
    return x + (point[0] - left) * pitch, y + (point[1] - top) * pitch


@lru_cache(maxsize=1)
def lattice() -> Lattice:
    """The lattice of mileposts in mm."""
    return Lattice(PRINTED.map.pitch, on_sheet((0.0, 0.0)), upright=True)


def spot(on: Board, milepost: int) -> Point:
    """The position of a milepost on the sheet, in mm."""
    return lattice().at(on.places[milepost])


def edge_line(on: Board, edge: int) -> tuple[Point, Point]:
    """The line of track over an edge, between the rims of its mileposts."""
    one, other = (spot(on, end) for end in on.edges[edge])
    length = hypot(other[0] - one[0], other[1] - one[1])
    share = PRINTED.map.slot_rim / length
    dx, dy = (other[0] - one[0]) * share, (other[1] - one[1]) * share
    return (one[0] + dx, one[1] + dy), (other[0] - dx, other[1] - dy)


def edge_quad(on: Board, edge: int) -> Quad:
    """The slot of an edge: a strip along it."""
    (x1, y1), (x2, y2) = edge_line(on, edge)
    half = PRINTED.map.slot_edge / 2 / hypot(x2 - x1, y2 - y1)
    dx, dy = -(y2 - y1) * half, (x2 - x1) * half
    return (x1 - dx, y1 - dy), (x2 - dx, y2 - dy), (x2 + dx, y2 + dy), (x1 + dx, y1 + dy)


def milepost_quad(on: Board, milepost: int) -> Quad:
    """The slot of a milepost: a square around it."""
    (x, y), side = spot(on, milepost), PRINTED.map.slot_milepost
    return rectangle((x - side / 2, y - side / 2), (side, side))


def slot_quads(on: Board) -> dict[str, Quad]:
    """Every milepost (``ao38``) and every edge (``ao38-ap39``) on which track may lie."""
    slots = {on.names[milepost]: milepost_quad(on, milepost) for milepost in range(len(on.places))}
    edges = (edge for edge in range(len(on.edges)) if not on.red[edge])
    return slots | {on.edge_names[edge]: edge_quad(on, edge) for edge in edges}


def tag_quads() -> dict[int, Quad]:
    """The four corner tags: the map is one sheet that all share."""
    return corner_tags(KIND, 1, map_size(), PRINTED.map.tag, PRINTED.map.tag_margin)


def column_x(column: int) -> float:
    """The x coordinate of a column of mileposts, for the letters along the edge."""
    return lattice().at(from_doubled(column, column % 2))[0]
