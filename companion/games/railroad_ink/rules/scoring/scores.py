"""The score of a board, with everything that it is made of, so that people can check it with a finger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.core.errors import NotationError, quoted
from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.games.railroad_ink.rules.boards.position import GoalClaim, Longest, Position
from companion.games.railroad_ink.rules.boards.routes import HIGHWAY, RAILWAY
from companion.games.railroad_ink.rules.boards.walls import Walls
from companion.games.railroad_ink.rules.expansions.frame import END_NAMES, StarLine
from companion.games.railroad_ink.rules.expansions.registry import star_lines
from companion.games.railroad_ink.rules.rulebook import (
    GOAL_RACE,
    NAMES,
    NEIGHBOURS,
    NETWORK_VALUES,
    VILLAGE_VALUES,
)
from companion.games.railroad_ink.rules.scoring.goals import witness
from companion.games.railroad_ink.rules.scoring.longest import LongestRoute, longest_route
from companion.games.railroad_ink.rules.scoring.network import (
    End,
    Network,
    Node,
    cell_of,
    exit_networks,
    lay_tracks,
)
from companion.sheets.grid import DIRECTION_NAMES

Cell = str  # its name


@dataclass(frozen=True, slots=True)
class NetworkScore:
    """Exits joined with each other, the cells that join them, and what that is worth."""

    exits: tuple[Cell, ...]
    cells: tuple[Cell, ...]
    value: int


@dataclass(frozen=True, slots=True)
class PassedAgain:
    """A cell that a longest route passes a second time."""

    cell: Cell
    counts: bool  # a second time, too
    other_curve: bool  # the second curve of a double curve, which is another space


@dataclass(frozen=True, slots=True)
class LongestScore:
    """The longest route of a type: what it counts, its cells in walking order, and which come again."""

    length: int
    cells: tuple[Cell, ...]
    again: tuple[PassedAgain, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrorEnd:
    """An end of a route that leads to nothing, or to a wall."""

    cell: Cell
    side: str
    type: str
    wall: bool = False
    behind: str = ""  # the cell behind the wall


@dataclass(frozen=True, slots=True)
class GoalScore:
    """A goal, what it brought, the cells that achieve it (none: it is not achieved), and why so much."""

    goal: str
    points: int
    cells: tuple[Cell, ...] = ()
    why: str = ""  # known in a match only


@dataclass(frozen=True, slots=True)
class Score:
    """A whole board's score; every total can be followed to its parts."""

    networks: tuple[NetworkScore, ...]
    highway: LongestScore
    railway: LongestScore
    centre: tuple[Cell, ...]
    villages: tuple[Cell, ...]
    goals: tuple[GoalScore, ...]
    errors: tuple[ErrorEnd, ...]
    expansion: int
    stars: tuple[StarLine, ...] = ()  # what the points of an expansion are made of

    @property
    def by_hand(self) -> int:
        """Points for the star box that were counted by hand."""
        return self.expansion - sum([line.points for line in self.stars])

    @property
    def exit_points(self) -> int:
        """The points of all networks together."""
        return sum([network.value for network in self.networks])

    @property
    def village_points(self) -> int:
        """The last marked circle of the village track."""
        return VILLAGE_VALUES[len(self.villages)]

    @property
    def goal_points(self) -> int:
        """The points of all goals together."""
        return sum([goal.points for goal in self.goals])

    @property
    def total(self) -> int:
        """The number under the line."""
        return (
            self.exit_points
            + self.highway.length
            + self.railway.length
            + len(self.centre)
            + self.village_points
            + self.goal_points
            - len(self.errors)
            + self.expansion
        )


def score(position: Position) -> Score:
    """The score of a board, finished or not.

    >>> from companion.games.railroad_ink.rules.boards.position import read_position
    >>> score(read_position({"cells": {"b1": "NS", "b2": "NW", "a2": "Ew*"}})).total
    8
    """
    tracks = lay_tracks(position)
    cells = sorted(position.cells)
    edition = position.edition
    stars = star_lines(position)
    return Score(
        tuple([_network(network) for network in exit_networks(tracks)]),
        _longest(longest_route(tracks.links[HIGHWAY], position.longest), position.longest),
        _longest(longest_route(tracks.links[RAILWAY], position.longest), position.longest),
        tuple([_NAMES[cell] for cell in sorted(position.drawn_in & edition.centre)]),
        tuple([_NAMES[cell] for cell in cells if cell in edition.village and position.cells[cell].station]),
        _goals(position) if position.goals else (),
        _errors(sorted(tracks.loose), position.walls),
        position.expansion_points + sum([line.points for line in stars]),
        stars,
    )


def _errors(loose: Sequence[End], walls: Walls) -> tuple[ErrorEnd, ...]:
    if not walls:  # a call for each is a thirtieth of the time that a board takes
        return tuple(
            [ErrorEnd(_NAMES[cell], DIRECTION_NAMES[way], END_NAMES[kind]) for cell, way, kind in loose]
        )
    return tuple([_error(*end, walls) for end in loose])


def _error(cell: int, way: int, kind: int, walls: Walls) -> ErrorEnd:
    wall = (cell, way) in walls
    behind = _NAMES[NEIGHBOURS[cell][way]] if wall else ""
    return ErrorEnd(_NAMES[cell], DIRECTION_NAMES[way], END_NAMES[kind], wall, behind)


def _network(network: Network) -> NetworkScore:
    return NetworkScore(
        tuple([exit.name for exit in network.exits]),
        _names(sorted(network.nodes)),
        NETWORK_VALUES[len(network.exits)],
    )


def _longest(found: LongestRoute, reading: Longest) -> LongestScore:
    cells = tuple([_NAMES[cell_of(node)] for node in found.nodes])
    again = () if len(set(cells)) == len(cells) else _passed_again(found.nodes, reading)
    return LongestScore(found.length, cells, again)


def _passed_again(nodes: Sequence[Node], reading: Longest) -> tuple[PassedAgain, ...]:
    found: dict[Node, PassedAgain] = {}
    passed: set[Node] = set()
    for node in nodes:
        if node in passed:
            found[node] = PassedAgain(_NAMES[cell_of(node)], reading == "visits", other_curve=False)
        elif node ^ 1 in passed:
            found[node] = PassedAgain(_NAMES[cell_of(node)], counts=True, other_curve=True)
        passed.add(node)
    return tuple(found.values())


def _names(nodes: Sequence[Node]) -> tuple[Cell, ...]:
    """Each cell once, even if two pieces lie in it."""
    return tuple(dict.fromkeys([_NAMES[cell_of(node)] for node in nodes]))


def _goals(position: Position) -> tuple[GoalScore, ...]:
    if not position.edition.goals:
        raise NotationError(
            "no-goals", m("the {name} edition has no goals: leave them out", name=position.edition.name)
        )
    codes = [claim.goal for claim in position.goals]
    twice = next((code for code in codes if codes.count(code) > 1), None)
    if twice is not None:
        raise NotationError("duplicate", m("goal {twice} is given twice", twice=quoted(twice)))
    if len(codes) > GOAL_RACE.drawn:
        message = m("{codes} goals are given: a match has {drawn}", codes=len(codes), drawn=GOAL_RACE.drawn)
        raise NotationError("too-many-goals", message)
    return tuple([_goal(position, claim) for claim in position.goals])


def _goal(position: Position, claim: GoalClaim) -> GoalScore:
    """What is written on the board; of a goal without that, the first value if the board achieves it."""
    cells = tuple(witness(position, claim.goal) or ())  # refuses a code that no card has
    if claim.points not in (None, 0, *GOAL_RACE.values):
        values = ", ".join(map(str, GOAL_RACE.values))
        message = m(
            "goal {goal} cannot bring {points} points: it brings {values} or 0",
            goal=claim.goal,
            points=claim.points,
            values=values,
        )
        raise NotationError("bad-goal-points", message)
    if claim.points is not None:
        return GoalScore(claim.goal, claim.points, cells)
    return GoalScore(claim.goal, GOAL_RACE.values[0] if cells else 0, cells)


def score_json(score: Score, impossible: Sequence[str] = ()) -> JsonObject:
    """The score as it stands in JSON: errors count downwards, networks are named by their exits' cells.

    Goals that bring points although the board does not achieve them are remarked upon, and what on the
    board is ``impossible``.
    """
    unearned = [
        m(
            "goal {goal} brings {points}, but is not achieved on this board",
            goal=goal.goal,
            points=goal.points,
        )
        for goal in score.goals
        if goal.points and not goal.cells
    ]
    remarks = [*unearned, *impossible]
    return {
        "exits": score.exit_points,
        "highway": score.highway.length,
        "railway": score.railway.length,
        "centre": len(score.centre),
        "villages": score.village_points,
        "goals": score.goal_points,
        "errors": -len(score.errors),
        "expansion": score.expansion,
        "total": score.total,
        "networks": [list(network.exits) for network in score.networks],
        **({"remarks": remarks} if remarks else {}),
    }


def ranking(scores: Sequence[Score]) -> list[int]:
    """The place of each score: most points first, then fewest errors; equal in both is a shared place.

    >>> few, many = score(Position({})), score(Position({}, expansion_points=5))
    >>> ranking([few, many, few])
    [2, 1, 2]
    """
    keys = [(-score.total, len(score.errors)) for score in scores]
    return [1 + sum(other < key for other in keys) for key in keys]


_NAMES = NAMES
