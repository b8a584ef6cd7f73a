"""A finished or unfinished board as people and programs hand it in: JSON in, :class:`Position` out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.jsontext import JsonObject, shaped
from companion.games.railroad_ink.rules.blueprints import blueprint_walls
from companion.games.railroad_ink.rules.boards.facing import meeting
from companion.games.railroad_ink.rules.boards.layouts import Layout, Size
from companion.games.railroad_ink.rules.boards.routes import TYPE_NAMES, TYPES, Cells, any_route, parse_route
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls, parse_walls
from companion.games.railroad_ink.rules.expansions.marks import Marks, cells_with, read_marks
from companion.games.railroad_ink.rules.expansions.tables import TABLES, known_expansion, table_of
from companion.games.railroad_ink.rules.rulebook import (
    EDITION,
    EXIT_AT,
    LAYOUTS,
    NAMES,
    NEIGHBOURS,
    USUAL,
    Edition,
    EditionName,
    edition_with,
)
from companion.sheets.grid import DIRECTIONS, opposite

# How a space passed twice is counted: see the README of this folder.
Longest: TypeAlias = Literal["trail", "path", "visits"]
LONGEST: tuple[Longest, ...] = get_args(Longest)
# Is an end that faces a wall an error? The genuine cards do not say; default: it is.
WallEnds: TypeAlias = Literal["error", "free"]


class GoalClaim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A goal in play: its code, and the value written on the board when it was scored."""

    goal: str
    points: int | None = None


class _PositionJson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position as it stands in the input."""

    cells: dict[str, str]
    edition: EditionName = "challenge"
    size: Size = "usual"
    rounds: dict[str, int] = {}
    goals: list[str | GoalClaim] = []
    expansion: dict[str, int | str | dict[str, str]] = {}
    longest: Longest = "trail"
    blueprint: str | list[str] = []
    wall_ends: WallEnds = "error"
    id: str | int | None = None


@dataclass(frozen=True)
class Position:
    """One player's board, checked: known cells, known routes, nowhere a highway against a railway."""

    cells: Cells
    edition: Edition = field(default_factory=lambda: EDITION["challenge"])
    rounds: dict[int, int] = field(default_factory=dict)
    goals: tuple[GoalClaim, ...] = ()
    expansion_points: int = 0
    longest: Longest = "trail"
    walls: Walls = NO_WALLS
    wall_ends: WallEnds = "error"
    expansion: str = ""  # its name, if the rules know it
    marks: Marks = field(default_factory=dict)

    @property
    def drawn_in(self) -> set[int]:
        """The cells with any drawing: routes, and signs of an expansion that fill a space."""
        return {*self.cells, *self.filled} if self.marks else set(self.cells)

    @property
    def filled(self) -> dict[int, str]:
        """The cells that a sign of an expansion takes up."""
        return self.having(*table_of(self.expansion).fills) if self.marks else {}

    @property
    def layout(self) -> Layout:
        """The board's size, and where its exits are."""
        return self.edition.layout

    def having(self, *signs: str) -> dict[int, str]:
        """The cells in which one of these signs is written, with what stands behind its colon."""
        return cells_with(self.marks, *signs, layout=self.edition.layout)


def read_position(value: JsonObject) -> Position:
    """The position in a JSON object; everything that is wrong with it is a :class:`NotationError`."""
    text = shaped(value, _PositionJson)
    layout = LAYOUTS[text.size]
    expansion, marks, points = _read_expansion(text.expansion, layout)
    edition = edition_with(text.edition, expansion, text.size)
    cells = read_cells(text.cells, extra=bool(expansion), layout=layout)
    named = isinstance(text.blueprint, str)
    walls = blueprint_walls(str(text.blueprint), layout) if named else parse_walls(text.blueprint, layout)
    position = Position(
        cells=cells,
        edition=edition,
        rounds=_read_rounds(text.rounds, cells, layout),
        goals=tuple(GoalClaim(goal) if isinstance(goal, str) else goal for goal in text.goals),
        expansion_points=points,
        expansion=expansion,
        marks=marks,
        longest=text.longest,
        walls=walls,
        wall_ends=text.wall_ends,
    )
    refuse_meeting_types(position.cells, position.walls)
    if marks:
        below = {cell: any_route(text) for cell, text in position.having("below").items()}
        refuse_meeting_types(below, position.walls)
    return position


def read_cells(texts: dict[str, str], *, extra: bool = False, layout: Layout = USUAL) -> Cells:
    """Cell names and routes as cell numbers and :class:`Route`; ``extra``: routes of expansions, too."""
    read = any_route if extra else parse_route
    return {layout.cell(name): read(text) for name, text in texts.items()}


def print_cells(cells: Cells) -> dict[str, str]:
    """The JSON of :func:`read_cells`, in the same order."""
    return {NAMES[cell]: route.text for cell, route in cells.items()}


def _read_rounds(rounds: dict[str, int], cells: Cells, layout: Layout) -> dict[int, int]:
    found = {layout.cell(name): number for name, number in rounds.items()}
    for cell, number in found.items():
        if cell not in cells:
            raise NotationError("round-without-route", f"{NAMES[cell]} has a round number but no route")
        if not 1 <= number <= 99:
            raise NotationError("bad-round", f"{number} is no round (in rounds of {NAMES[cell]})")
    return found


def _read_expansion(told: dict[str, int | str | dict[str, str]], layout: Layout) -> tuple[str, Marks, int]:
    """Read the expansion's name, its marks, and points counted by hand."""
    unknown = next((key for key in told if key not in ("name", "marks", "points")), None)
    if unknown is not None:
        message = f'expansion {unknown!r} is not known: give its points as {{"points": n}}'
        raise NotationError("unknown-expansion", message)
    name, marks, points = told.get("name", ""), told.get("marks", {}), told.get("points", 0)
    if not isinstance(name, str) or not isinstance(marks, dict) or not isinstance(points, int):
        message = "an expansion has a name, marks by their place, and points that you counted"
        raise NotationError("bad-expansion", message)
    if name and not known_expansion(name):
        message = f"there is no expansion {quoted(name)}: they are {', '.join(TABLES)}"
        raise NotationError("unknown-expansion", message)
    if marks and not name:
        raise NotationError("bad-expansion", "say the name of the expansion whose marks these are")
    if "+" in name and layout is USUAL:
        message = "several expansions are played together on a giant or an epic board: say its size"
        raise NotationError("bad-expansion", message)
    return name, read_marks(name, marks, layout) if name else {}, points


def refuse_meeting_types(cells: Cells, walls: Walls = NO_WALLS) -> None:
    """Highway and railway meet only in a station: refuse a position where two ends of unlike type face."""
    cell = meeting(cells, walls)
    if cell is not None:
        raise NotationError("types-meet", _meeting_sentence(cells, walls, cell))


def _meeting_sentence(cells: Cells, walls: Walls, cell: int) -> str:
    kind, place = next(
        (kind, place)
        for direction in DIRECTIONS
        for kind in TYPES
        if cells[cell].ends[kind] >> direction & 1 and (cell, direction) not in walls
        for place in _other_type_at(cells, cell, direction, 1 - kind)
    )
    return f"the {TYPE_NAMES[kind]} of {NAMES[cell]} meets {place}: they join only in a station"


def _other_type_at(cells: Cells, cell: int, direction: int, other: int) -> list[str]:
    """The exit or neighbour of the type ``other`` that an end of this cell would face."""
    exit_here = EXIT_AT.get((cell, direction))
    if exit_here is not None and exit_here.type == other:
        return [f"the {TYPE_NAMES[other]} exit on its {exit_here.side}"]
    beyond = NEIGHBOURS[cell][direction]
    if beyond in cells and cells[beyond].ends[other] >> opposite(direction) & 1:
        return [f"the {TYPE_NAMES[other]} of {NAMES[beyond]}"]
    return []
