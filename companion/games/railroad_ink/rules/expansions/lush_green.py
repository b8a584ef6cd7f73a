"""The rules of Lush Green: forests and trails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from companion.core.messages import m
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import Route
from companion.games.railroad_ink.rules.expansions.frame import (
    Placement,
    Rules,
    Shown,
    StarLine,
    Turn,
    free_spots,
    groups,
    lines_of,
    named,
    network_value,
    signed_routes,
    simple,
    split_face,
    spots,
)
from companion.games.railroad_ink.rules.rulebook import COLUMN, ROW

# --- Forest ---


def _forest_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    for face in dict.fromkeys(turn.left):
        yield from simple(position, face)


def _forests(position: Position) -> list[list[int]]:
    return groups(position.having("trees"))


def _forest_points(position: Position) -> Iterator[StarLine]:
    for forest, each in zip(_forests(position), (2, 1), strict=False):
        yield StarLine(
            (
                (
                    m("Forest of {forest} space, {each} point each", forest=len(forest), each=each)
                    if each == 1
                    else m("Forest of {forest} space, {each} points each", forest=len(forest), each=each)
                )
                if len(forest) == 1
                else (
                    m("Forest of {forest} spaces, {each} point each", forest=len(forest), each=each)
                    if each == 1
                    else m("Forest of {forest} spaces, {each} points each", forest=len(forest), each=each)
                )
            ),
            each * len(forest),
            named(forest),
        )


def _five_forests(position: Position) -> Shown:
    found = _forests(position)
    return [cell for forest in found for cell in forest] if len(found) >= 5 else None


def _diagonal(position: Position) -> Shown:
    layout, trees = position.layout, position.having("trees")
    for cell in sorted(trees):
        for aside in (1, -1):
            row = [(COLUMN[cell] + aside * step, ROW[cell] + step) for step in range(4)]
            cells = [layout.at(x, y) for x, y in row if 0 <= x < layout.side and y < layout.side]
            if len(cells) == 4 and all(one in trees for one in cells):
                return cells
    return None


def _trees_at_exits(position: Position) -> Shown:
    found = sorted(set(position.having("trees")) & {exit.cell for exit in position.layout.exits})
    return found if len(found) >= 4 else None


FOREST = Rules(
    _forest_placements,
    _forest_points,
    goals={"FA": _five_forests, "FB": _diagonal, "FC": _trees_at_exits},
)


# --- Trail ---

Point: TypeAlias = tuple[int, int]  # a crossing of the grid's lines: column and row, from 0 to 7
# The corners of a space, and the corners at the two ends of each of its sides.
_NW, _NE, _SE, _SW = (0, 0), (1, 0), (1, 1), (0, 1)
_SIDE_CORNERS = ((_NW, _NE), (_NE, _SE), (_SE, _SW), (_SW, _NW))
WAYS = {"nw-se": (_NW, _SE), "ne-sw": (_NE, _SW)}


def _at(cell: int, corners: Iterable[Point]) -> frozenset[Point]:
    return frozenset((COLUMN[cell] + x, ROW[cell] + y) for x, y in corners)


def trail_corners(cell: int, route: Route | None, way: str) -> frozenset[Point]:
    """The crossings that a trail joins: those that its route does not lie between.

    Beside a T the two corners of its blank side, around a curve the three outside, under a straight route two
    opposite ones.
    """
    ends = [direction for direction in range(4) if route and (route.highway | route.railway) >> direction & 1]
    if len(ends) == 3:
        blank = next(direction for direction in range(4) if direction not in ends)
        return _at(cell, _SIDE_CORNERS[blank])
    if len(ends) == 2 and (ends[0] - ends[1]) % 2:
        inside = set(_SIDE_CORNERS[ends[0]]) & set(_SIDE_CORNERS[ends[1]])
        return _at(cell, {_NW, _NE, _SE, _SW} - inside)
    return _at(cell, WAYS.get(way, WAYS["nw-se"]))


def _trails(position: Position) -> dict[int, frozenset[Point]]:
    return {
        cell: trail_corners(cell, position.cells.get(cell), way)
        for cell, way in position.having("trail").items()
    }


def _stations(position: Position) -> dict[int, frozenset[Point]]:
    every = (_NW, _NE, _SE, _SW)
    return {cell: _at(cell, every) for cell, route in position.cells.items() if route.station}


def _trail_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    touched = frozenset[Point]().union(*_trails(position).values())
    for face in dict.fromkeys(turn.left):
        shape, _, _ = split_face(face)
        straight = shape in ("NS", "ns")
        joined = set(spots(position, shape))
        for cell, route in free_spots(position, shape):
            for way in WAYS if straight else ("",):
                if (cell, route) in joined or trail_corners(cell, route, way) & touched:
                    word = f"trail:{way}" if way else "trail"
                    yield from signed_routes(face, [(cell, route)], word)


def trail_sets(position: Position) -> list[list[int]]:
    """The stations that trails connect with each other, two or more."""
    stations = _stations(position)
    parts: list[tuple[set[Point], list[int]]] = [(set(points), []) for points in _trails(position).values()]
    touched = set[Point]().union(*(points for points, _ in parts))
    parts += [({*points} & touched, [cell]) for cell, points in stations.items() if points & touched]
    joined: list[tuple[set[Point], list[int]]] = []
    for points, cells in parts:
        touching = [one for one in joined if one[0] & points]
        together = points.union(*(other for other, _ in touching)), sum((more for _, more in touching), cells)
        joined = [*(one for one in joined if one not in touching), together]
    return sorted(sorted(cells) for _, cells in joined if len(cells) > 1)


def _trail_points(position: Position) -> Iterator[StarLine]:
    for cells in trail_sets(position):
        points = network_value(position, len(cells)) // 2
        yield StarLine(m("{cells} stations joined by trails", cells=len(cells)), points, named(cells))


def _five_in_line(position: Position) -> Shown:
    trails = _trails(position)
    return next((line for line in lines_of(position.layout, 5) if all(cell in trails for cell in line)), None)


def _three_trails(position: Position) -> Shown:
    trails = _trails(position)
    touched = set[Point]().union(*trails.values())
    for cell, points in sorted(_stations(position).items()):
        if len(points & touched) >= 3:
            return [cell, *(other for other, ends in sorted(trails.items()) if ends & points)]
    return None


def _central_trails(position: Position) -> Shown:
    found = sorted(set(_trails(position)) & position.edition.centre)
    return found if len(found) >= 5 else None


TRAIL = Rules(
    _trail_placements,
    _trail_points,
    goals={"TA": _five_in_line, "TB": _three_trails, "TC": _central_trails},
)
