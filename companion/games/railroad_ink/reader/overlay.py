"""Draws the reading on a picture of the board, for people to see at a glance and to find faults."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from companion.games.railroad_ink.printing.linework import Bend, length_of, spines, walk
from companion.games.railroad_ink.printing.printed import PRINTED, cell_corner
from companion.games.railroad_ink.rules.boards.position import read_cells
from companion.games.railroad_ink.rules.boards.routes import RAILWAY, Route
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.annotation import GREEN, MAGENTA, WHITE, Annotations, Pencil, Points, blended
from companion.sheets.drawing import Quad, rectangle

_ORANGE, _BLUE, _VIOLET = (0, 128, 255), (225, 80, 0), (190, 0, 140)  # stations are between the other two
# Of highways and railways: colours, and thickness in mm.
_COLOURS, _THICK = (_ORANGE, _BLUE), (0.7, 0.45)
_STATION = 0.6  # mm: the thickness of stations
_HALO = 0.5  # mm: how much broader the light line is that lets a coloured one stand out from dark ink
_HALO_COVERS = 0.5  # how much the light lines cover of what lies under them


def draw_board(pencil: Pencil, marked: Annotations) -> None:
    """Routes over their light lines, and which cells are new, in doubt or unseen."""
    routes = read_cells(dict(marked.labels), extra=True)
    under = pencil.image.copy()
    for cell, route in routes.items():
        for piece in route.pieces:
            for spine in spines(piece, Bend(1.0)):
                pencil.line(_in_cell(cell, spine.points), WHITE, _THICK[spine.kind] + _HALO)
        if route.station:
            pencil.line(_station(cell), WHITE, _STATION + _HALO)
    pencil.image[:] = blended(pencil.image, under, _HALO_COVERS)
    for cell, route in routes.items():
        _draw_route(pencil, cell, route)
    for cell, name in enumerate(GRID.names):
        pencil.signs(name, _quad(cell), marked)
    if marked.title:
        # Above the grid, where every board has its margin.
        left, top = PRINTED.grid.corner
        pencil.text(marked.title, (left, top - 7.0), MAGENTA if marked.refused else GREEN, 6.0)


def _draw_route(pencil: Pencil, cell: int, route: Route) -> None:
    for piece in reversed(route.pieces):  # the highway of an overpass is above
        for spine in spines(piece, Bend(1.0)):
            pencil.line(_in_cell(cell, spine.points), _COLOURS[spine.kind], _THICK[spine.kind])
            if spine.kind == RAILWAY:
                _draw_ties(pencil, cell, spine.points)
    if route.station:
        pencil.line(_station(cell), _VIOLET, _STATION)


def _draw_ties(pencil: Pencil, cell: int, path: Sequence[tuple[float, float]]) -> None:
    length = length_of(tuple(path))
    count = max(2, round(length / 0.25))
    for (x, y), (dx, dy) in walk(tuple(path), [length * (n + 0.5) / count for n in range(count)]):
        ends = [(x - 0.07 * dy, y + 0.07 * dx), (x + 0.07 * dy, y - 0.07 * dx)]
        pencil.line(_in_cell(cell, ends), _BLUE, _THICK[RAILWAY])


def _station(cell: int) -> Points:
    """A closed square around the centre."""
    low, high = 0.35, 0.65
    return _in_cell(cell, [(low, low), (high, low), (high, high), (low, high), (low, low)])


def _in_cell(cell: int, places: Iterable[tuple[float, float]]) -> Points:
    """Convert points in shares of a cell's side to mm on the sheet."""
    return np.asarray(cell_corner(cell)) + np.array(list(places), np.float64) * PRINTED.grid.cell


def _quad(cell: int) -> Quad:
    return rectangle(cell_corner(cell), (PRINTED.grid.cell, PRINTED.grid.cell))
