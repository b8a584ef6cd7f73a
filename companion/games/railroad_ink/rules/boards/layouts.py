"""The boards of each size, and the cells of all of them in one row of numbers.

Cells 0 to 48 are those of the usual board, then come those of the giant and of the epic board. So a cell's
number says on which board it lies: whatever goes from cell to cell needs to know nothing else, and the usual
board is counted as if there were no other. Only a *name* (``c3``) needs the board it is meant on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, get_args

import msgspec

from companion.games.railroad_ink.rules.boards.routes import TYPE_NAMES
from companion.sheets.grid import DIRECTION_NAMES, DIRECTIONS, Grid

Size: TypeAlias = Literal["usual", "giant", "epic"]
SIZES: tuple[Size, ...] = get_args(Size)
_USUAL = Grid(7, 7)


class LayoutTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board as it stands in ``rulebook.toml``."""

    side: int
    rounds: int
    spread: tuple[int, ...]
    exits: dict[str, dict[str, str]]
    dice: dict[str, tuple[str, ...]] = {}


@dataclass(frozen=True)
class Exit:
    """Where the network may leave the board. No cell has two exits, so ``name`` is the cell's name."""

    cell: int
    direction: int
    type: int
    name: str
    side: str


@dataclass(frozen=True, eq=False)  # there is one of each size
class Layout:
    """A board of one size: its cells are numbered from ``first`` on, row by row from the top left."""

    size: Size
    grid: Grid
    first: int
    table: LayoutTable

    @property
    def side(self) -> int:
        """How many rows and columns it has."""
        return self.grid.columns

    @property
    def rounds(self) -> int:
        """How many rounds are played on it."""
        return self.table.rounds

    @cached_property
    def cells(self) -> range:
        """The numbers of all its cells."""
        return range(self.first, self.first + self.grid.size)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of every cell by its name; of a name that no cell has it is a :class:`NotationError`."""
        return _Numbers(self)

    def cell(self, name: str) -> int:
        """The number of the cell called ``name``."""
        return self.numbers[name]

    def at(self, column: int, row: int) -> int:
        """The cell in a column and a row, which are counted from 0."""
        return self.first + self.grid.columns * row + column

    def spread(self, name: str) -> str:
        """The name of the cell that has the place of one of the usual board."""
        row, column = divmod(_USUAL.cell(name), _USUAL.columns)
        spread = self.table.spread
        return self.grid.names[self.grid.columns * spread[row] + spread[column]]

    @cached_property
    def exits(self) -> tuple[Exit, ...]:
        """The exits: along the top, down the right side, along the bottom, down the left side."""
        return tuple(
            Exit(self.cell(cell), direction, TYPE_NAMES.index(kind), cell, DIRECTION_NAMES[direction])
            for direction in DIRECTIONS
            for cell, kind in self.table.exits[DIRECTION_NAMES[direction]].items()
        )


class _Numbers(dict[str, int]):
    def __init__(self, layout: Layout) -> None:
        super().__init__({name: number for number, name in enumerate(layout.grid.names, layout.first)})
        self._layout = layout

    def __missing__(self, name: str) -> int:
        return self._layout.first + self._layout.grid.cell(name)  # which says what is wrong with it


def lay_out(tables: Mapping[str, LayoutTable]) -> dict[Size, Layout]:
    """The layouts by size, each with numbers of its own for its cells."""
    found: dict[Size, Layout] = {}
    first = 0
    for size in SIZES:
        grid = Grid(tables[size].side, tables[size].side)
        found[size] = Layout(size, grid, first, tables[size])
        first += grid.size
    return found
