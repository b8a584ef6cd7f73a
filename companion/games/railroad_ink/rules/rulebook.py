"""The tables of ``rulebook.toml``, read once, checked, and turned into cell numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from companion.games.kit.dots import read_dots
from companion.games.kit.grid import DIRECTION_NAMES, DIRECTIONS, Grid
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.routes import TYPE_NAMES, Route, parse_route, shape_of

GRID = Grid(7, 7)
EditionName = Literal["challenge", "classic"]
EDITIONS: tuple[EditionName, ...] = ("challenge", "classic")


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
    rounds: int
    network_values: tuple[int, ...]
    village_values: tuple[int, ...]
    specials: tuple[str, ...]
    specials_a_match: int
    specials_a_round: int
    university_circles: int
    goal_race: GoalRace
    research: Research
    exits: dict[str, dict[str, str]]
    dice: dict[str, tuple[str, ...]]
    editions: dict[str, _Edition]


@dataclass(frozen=True)
class Exit:
    """Where the network may leave the board. No cell has two exits, so ``name`` is the cell's name."""

    cell: int
    direction: int
    type: int
    name: str
    side: str


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

ROUNDS = _TABLES.rounds
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
}
DIE_PICTURES: dict[str, str] = read_dots(
    files(__package__).joinpath("dice_pictures.txt").read_text(), "dice_pictures.txt"
)


def _edition(name: EditionName) -> Edition:
    table = _TABLES.editions[name]
    centre, factory, village, university = (
        frozenset(GRID.cell(cell) for cell in cells)
        for cells in (table.centre, table.factory, table.village, table.university)
    )
    return Edition(name, table.dice, centre, factory, village, university, table.goals)


EDITION: dict[str, Edition] = {name: _edition(name) for name in EDITIONS}


@cache
def edition_with(name: EditionName, expansion: str) -> Edition:
    """An edition with the route die that an expansion puts in the place of another."""
    edition, table = EDITION[name], TABLES.get(expansion)
    if table is None or not table.route_die:
        return edition
    dice = list(edition.dice)
    dice[dice.index(table.replaces)] = table.route_die
    return replace(edition, dice=tuple(dice))


EXITS: tuple[Exit, ...] = tuple(
    Exit(GRID.cell(cell), direction, TYPE_NAMES.index(kind), cell, DIRECTION_NAMES[direction])
    for direction in DIRECTIONS
    for cell, kind in _TABLES.exits[DIRECTION_NAMES[direction]].items()
)
EXIT_AT: dict[tuple[int, int], Exit] = {(exit.cell, exit.direction): exit for exit in EXITS}
