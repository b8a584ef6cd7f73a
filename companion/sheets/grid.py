"""Square grids: four directions, cells by name, and the eight symmetries.

Cells are numbered row by row from the top left; their names are a column letter and a row number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from companion.core.errors import NotationError, quoted
from companion.core.messages import m, pm

NORTH, EAST, SOUTH, WEST = range(4)
DIRECTIONS = (NORTH, EAST, SOUTH, WEST)
DIRECTION_NAMES = ("top", "right", "bottom", "left")
# The same to people; "left" is also what remains.
SIDES = (pm("side", "top"), pm("side", "right"), pm("side", "bottom"), pm("side", "left"))
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # (column, row) for each direction


def opposite(direction: int) -> int:
    """
    >>> opposite(NORTH) == SOUTH, opposite(EAST) == WEST
    (True, True)
    """
    return (direction + 2) % 4


@dataclass(frozen=True)
class Grid:
    """A grid of ``columns`` by ``rows`` cells."""

    columns: int
    rows: int

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.columns * self.rows

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each cell, by number.

        >>> Grid(3, 2).names
        ('a1', 'b1', 'c1', 'a2', 'b2', 'c2')
        """
        return tuple(f"{chr(97 + x)}{y + 1}" for y in range(self.rows) for x in range(self.columns))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def cell(self, name: str) -> int:
        """The number of the cell called ``name``.

        >>> Grid(7, 7).cell("d4")
        24
        """
        try:
            return self._numbers[name]
        except (KeyError, TypeError):
            last = self.names[-1]
            message = m(
                "there is no cell {name}: cells are a1 to {last}, column letter then row number",
                name=quoted(str(name)),
                last=last,
            )
            raise NotationError("unknown-cell", message) from None

    @cached_property
    def neighbours(self) -> tuple[tuple[int, int, int, int], ...]:
        """For each cell the cell in each direction, -1 beyond the border.

        >>> Grid(2, 2).neighbours[0]
        (-1, 1, 2, -1)
        """
        return tuple(self._around(number) for number in range(self.size))

    def _around(self, number: int) -> tuple[int, int, int, int]:
        north, east, south, west = (self._step(number, direction) for direction in DIRECTIONS)
        return north, east, south, west

    def _step(self, number: int, direction: int) -> int:
        x = number % self.columns + STEPS[direction][0]
        y = number // self.columns + STEPS[direction][1]
        return y * self.columns + x if 0 <= x < self.columns and 0 <= y < self.rows else -1


@dataclass(frozen=True)
class Symmetry:
    """One way to turn or mirror a square: mirror left-right first, then quarter turns clockwise."""

    quarters: int
    mirrored: bool

    def direction(self, direction: int) -> int:
        """The direction after the symmetry.

        >>> Symmetry(1, False).direction(NORTH) == EAST, Symmetry(0, True).direction(EAST) == WEST
        (True, True)
        """
        return ((-direction if self.mirrored else direction) + self.quarters) % 4

    def cell(self, number: int, grid: Grid) -> int:
        """The cell of a square grid after the symmetry.

        >>> square = Grid(7, 7)
        >>> square.names[Symmetry(1, False).cell(square.cell("a1"), square)]
        'g1'
        """
        last = grid.columns - 1
        x, y = number % grid.columns, number // grid.columns
        x = last - x if self.mirrored else x
        for _ in range(self.quarters):
            x, y = last - y, x
        return y * grid.columns + x


SYMMETRIES = tuple(Symmetry(quarters, mirrored) for mirrored in (False, True) for quarters in range(4))
