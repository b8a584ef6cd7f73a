"""The printed grid of a board of any size: cells, buildings, guides, exits, names, walls."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.railroad_ink.printing.art import building_shapes, exit_shapes
from companion.games.railroad_ink.printing.linework import edge
from companion.games.railroad_ink.printing.printed import PRINTED, box
from companion.games.railroad_ink.rules.boards.layouts import Layout
from companion.games.railroad_ink.rules.boards.walls import Walls
from companion.games.railroad_ink.rules.rulebook import COLUMN, ROW, Edition
from companion.sheets.drawing import Line, Point, Quad, RoundedRect, Shape, Text, filled, stroked
from companion.sheets.grid import DIRECTIONS, EAST, SOUTH, STEPS

_INK = PRINTED.ink
_WALL_WIDTH = 1.2  # mm


@dataclass(frozen=True)
class PlacedGrid:
    """The position of a board's grid on its sheet, in mm; the contents of a cell scale with it."""

    layout: Layout
    corner: Point
    cell: float

    @property
    def scale(self) -> float:
        """How large a cell is beside one of the usual board."""
        return self.cell / PRINTED.grid.cell

    @property
    def side(self) -> float:
        """The side of the whole grid, in mm."""
        return self.layout.side * self.cell

    def at(self, cell: int) -> Point:
        """The top left corner of a cell."""
        return self.corner[0] + COLUMN[cell] * self.cell, self.corner[1] + ROW[cell] * self.cell

    def round_box(self, cell: int) -> Quad:
        """The box for the number of the round."""
        (x, y), (left, top, width, height) = self.at(cell), PRINTED.grid.round_box
        return box((x + left * self.scale, y + top * self.scale), (width * self.scale, height * self.scale))


def grid_shapes(grid: PlacedGrid, board: Edition) -> list[Shape]:
    """The shapes of an empty board."""
    cells = [shape for cell in grid.layout.cells for shape in _cell(grid, cell, board)]
    ticks = [shape for cell in grid.layout.cells for shape in _ticks(grid, cell)]
    border = RoundedRect(grid.corner, (grid.side, grid.side), 0, stroked(_INK.middle, 0.5))
    shapes: list[Shape] = []
    for exit in grid.layout.exits:
        (x, y), (ex, ey) = grid.at(exit.cell), edge(exit.direction)
        at = (x + ex * grid.cell, y + ey * grid.cell)
        dx, dy = STEPS[exit.direction]
        shapes += exit_shapes(exit.type, at, (dx, dy), PRINTED.grid.exit * grid.scale, grid.cell)
    return [*cells, *_lines(grid), *ticks, border, *_centre_frame(grid, board), *shapes, *_names(grid)]


def wall_shapes(
    grid: PlacedGrid, walls: Walls, colour: str = _INK.middle, width: float = _WALL_WIDTH
) -> list[Shape]:
    """Thick lines on the borders that no route crosses."""
    found: list[Shape] = []
    for cell, direction in sorted(walls):
        if direction in (EAST, SOUTH):
            x, y = grid.at(cell)
            far = (x + grid.cell, y + grid.cell)
            start = (far[0], y) if direction == EAST else (x, far[1])
            found.append(Line((start, far), stroked(colour, width)))
    return found


def outlined(quad: Quad, radius: float, colour: str = _INK.grid, width: float = 0.2) -> RoundedRect:
    """The rim of a box."""
    corner, size = corner_and_size(quad)
    return RoundedRect(corner, size, radius, stroked(colour, width))


def corner_and_size(quad: Quad) -> tuple[Point, Point]:
    """The upper left corner of an upright box, and its width and height."""
    return quad[0], (quad[2][0] - quad[0][0], quad[2][1] - quad[0][1])


def middle(quad: Quad) -> Point:
    """The centre of an upright box."""
    return (quad[0][0] + quad[2][0]) / 2, (quad[0][1] + quad[2][1]) / 2


def _cell(grid: PlacedGrid, cell: int, board: Edition) -> list[Shape]:
    x, y = grid.at(cell)
    pale = _INK.centre if cell in board.centre else _INK.cell
    shapes: list[Shape] = [RoundedRect((x, y), (grid.cell, grid.cell), 0, filled(pale))]
    building = board.building(cell)
    left, top, size = (value * grid.scale for value in PRINTED.grid.building)
    if building is not None:
        shapes += building_shapes(building, (x + left, y + top), size, _INK.building, pale)
    if building == "factory":
        below = y + top + size + 2.2 * grid.scale
        shapes.append(Text((x + left + size / 2, below), "×2", 2.1 * grid.scale, _INK.building, bold=True))
    quad = grid.round_box(cell)
    corner, size_of_box = corner_and_size(quad)
    white = RoundedRect(corner, size_of_box, 0.6, filled("#ffffff"))
    return [*shapes, white, outlined(quad, 0.6)]


def _lines(grid: PlacedGrid) -> list[Shape]:
    style = stroked(_INK.grid, 0.25)
    (x, y), side = grid.corner, grid.side
    places = [n * grid.cell for n in range(1, grid.layout.side)]
    upright = [Line(((x + at, y), (x + at, y + side)), style) for at in places]
    return [*upright, *(Line(((x, y + at), (x + side, y + at)), style) for at in places)]


def _ticks(grid: PlacedGrid, cell: int) -> list[Shape]:
    """Three short lines on every edge: the outer two for the kerbs of a highway, the inner one for a rail."""
    (x, y), long = grid.at(cell), PRINTED.grid.tick * grid.scale
    shapes: list[Shape] = []
    for direction in DIRECTIONS:
        (dx, dy) = STEPS[direction]
        for place in PRINTED.grid.ticks:
            ex, ey = edge(direction, place - 0.5)
            start = (x + ex * grid.cell, y + ey * grid.cell)
            end = (start[0] - dx * long, start[1] - dy * long)
            shapes.append(Line((start, end), stroked(_INK.tick, 0.22)))
    return shapes


def _centre_frame(grid: PlacedGrid, board: Edition) -> list[Shape]:
    columns = [COLUMN[cell] for cell in board.centre]
    side = (max(columns) - min(columns) + 1) * grid.cell
    return [RoundedRect(grid.at(min(board.centre)), (side, side), 0, stroked(_INK.dark, 0.8))]


def _names(grid: PlacedGrid) -> list[Shape]:
    """Column letters and row numbers, so that people can call a cell by its name."""
    shapes: list[Shape] = []
    for n in range(grid.layout.side):
        x, y = grid.corner[0] + (n + 0.84) * grid.cell, grid.corner[1] + (n + 0.88) * grid.cell
        shapes.append(Text((x, grid.corner[1] - 1.2), chr(97 + n), 2.6, _INK.middle, bold=True))
        shapes.append(Text((grid.corner[0] - 2.2, y), str(n + 1), 2.6, _INK.middle, bold=True))
    return shapes
