"""The tables of ``rulebook.toml``, read once, checked, and turned into cell numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from typing import Literal

import msgspec

from companion.core.messages import vocabulary
from companion.core.remembering import remembered
from companion.games.railroad_ink.rules.boards.layouts import Exit, Layout, LayoutTable, Size, lay_out
from companion.games.railroad_ink.rules.boards.routes import Route, parse_route, shape_of
from companion.games.railroad_ink.rules.expansions.tables import TABLES, parts_of
from companion.sheets.dots import read_dots

EditionName = Literal["challenge", "classic"]
EDITIONS: tuple[EditionName, ...] = ("challenge", "classic")
EDITION_WORDS = vocabulary("edition", "challenge", "classic")


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unknown key in the file is an error."""


class GoalRace(_Strict, frozen=True):
    """What a goal is worth, and when."""

    values: tuple[int, ...]
    solo_deadlines: tuple[int, ...]
    solo_in_time: int
    solo_late: int
    drawn: int


class Research(_Strict, frozen=True):
    """Research points of a solo board with Research Labs."""

    start: int
    more: int


class _Edition(_Strict, frozen=True):
    dice: tuple[str, ...]
    centre: tuple[str, ...]
    factory: tuple[str, ...]
    village: tuple[str, ...]
    university: tuple[str, ...]
    goals: bool


class _Tables(_Strict, frozen=True):
    network_values: tuple[int, ...]
    village_values: tuple[int, ...]
    specials: tuple[str, ...]
    specials_a_match: int
    specials_a_round: int
    university_circles: int
    goal_race: GoalRace
    research: Research
    layouts: dict[str, LayoutTable]
    dice: dict[str, tuple[str, ...]]
    editions: dict[str, _Edition]


@dataclass(frozen=True)
class Edition:
    """One edition's board and dice."""

    name: EditionName
    dice: tuple[str, ...]
    centre: frozenset[int]
    factory: frozenset[int]
    village: frozenset[int]
    university: frozenset[int]
    goals: bool
    layout: Layout
    copies: int = 0  # how many dice may be drawn twice in a match, instead of special routes

    @cached_property
    def specials_on_dice(self) -> frozenset[str]:
        """The special routes that its dice show, too: of some expansions only."""
        return frozenset(face for die in self.dice for face in DICE[die]) & {*SPECIAL_SHAPES}

    def building(self, cell: int) -> str | None:
        """The building printed in a cell: ``factory``, ``village``, ``university`` or nothing."""
        for name in ("factory", "village", "university"):
            if cell in getattr(self, name):
                return name
        return None


def _load() -> _Tables:
    text = files(__package__).joinpath("rulebook.toml").read_bytes()
    return msgspec.toml.decode(text, type=_Tables)


_TABLES = _load()

LAYOUTS: dict[Size, Layout] = lay_out(_TABLES.layouts)
USUAL = LAYOUTS["usual"]
GRID = USUAL.grid  # of the usual board, whose cells have the first numbers
# Of every cell on every board: its name, its neighbours (-1 beyond the border), its column and row from 0.
NAMES: tuple[str, ...] = tuple(name for layout in LAYOUTS.values() for name in layout.grid.names)
NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(layout.first + other if other >= 0 else -1 for other in around)
    for layout in LAYOUTS.values()
    for around in layout.grid.neighbours
)
LAYOUT_OF: tuple[Layout, ...] = tuple(layout for layout in LAYOUTS.values() for _ in layout.cells)
COLUMN: tuple[int, ...] = tuple((cell - at.first) % at.side for cell, at in enumerate(LAYOUT_OF))
ROW: tuple[int, ...] = tuple((cell - at.first) // at.side for cell, at in enumerate(LAYOUT_OF))

ROUNDS = USUAL.rounds
NETWORK_VALUES = _TABLES.network_values
VILLAGE_VALUES = _TABLES.village_values
SPECIALS: tuple[Route, ...] = tuple(parse_route(text) for text in _TABLES.specials)
SPECIAL_SHAPES: tuple[str, ...] = tuple(shape_of(route) for route in SPECIALS)
SPECIALS_A_MATCH = _TABLES.specials_a_match
SPECIALS_A_ROUND = _TABLES.specials_a_round
UNIVERSITY_CIRCLES = _TABLES.university_circles
GOAL_RACE = _TABLES.goal_race
RESEARCH = _TABLES.research
# The route dice, and those that take the place of one in an expansion.
DICE: dict[str, tuple[str, ...]] = {
    **_TABLES.dice,
    **{table.route_die: table.dice[table.route_die] for table in TABLES.values() if table.route_die},
    **{die: table.dice[die] for table in TABLES.values() for die in table.own_dice},
}
DIE_PICTURES: dict[str, str] = read_dots(
    files(__package__).joinpath("dice_pictures.txt").read_text(), "dice_pictures.txt"
)


def _edition(name: EditionName, layout: Layout) -> Edition:
    table = _TABLES.editions[name]
    centre, factory, village, university = (
        frozenset(layout.cell(layout.spread(cell)) for cell in cells)
        for cells in (table.centre, table.factory, table.village, table.university)
    )
    dice = layout.table.dice.get(name, table.dice)
    return Edition(name, dice, centre, factory, village, university, table.goals, layout)


# By name, on the usual board; and on the board of each size.
EDITION: dict[str, Edition] = {name: _edition(name, USUAL) for name in EDITIONS}
_EDITIONS: dict[tuple[str, Size], Edition] = {
    (name, size): EDITION[name] if layout is USUAL else _edition(name, layout)
    for name in EDITIONS
    for size, layout in LAYOUTS.items()
}


@remembered(256)
def edition_with(name: EditionName, expansion: str = "", size: Size = "usual") -> Edition:
    """An edition on a board, with the route dice that expansions put in the place of others.

    A game of its own has nothing but dice, exits and the central area.
    """
    edition = _EDITIONS[name, size]
    own = next((TABLES[part] for part in parts_of(expansion) if TABLES[part].own_dice), None)
    if own is not None:
        none: frozenset[int] = frozenset()
        plain = replace(edition, factory=none, village=none, university=none, goals=False)
        return replace(plain, dice=own.own_dice, copies=own.copies)
    dice = list(edition.dice)
    for table in (TABLES[part] for part in parts_of(expansion) if TABLES[part].route_die):
        dice[dice.index(table.replaces)] = table.route_die
    return replace(edition, dice=tuple(dice)) if tuple(dice) != edition.dice else edition


def edition_on(name: EditionName, size: Size) -> Edition:
    """An edition on the board of a size."""
    return _EDITIONS[name, size]


EXITS: tuple[Exit, ...] = USUAL.exits
EXIT_AT: dict[tuple[int, int], Exit] = {
    (exit.cell, exit.direction): exit for layout in LAYOUTS.values() for exit in layout.exits
}
