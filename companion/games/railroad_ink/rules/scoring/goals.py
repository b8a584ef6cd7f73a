"""The twelve basic goals: whether a board achieves one, and by which cells.

The numbers and texts are in ``goals.toml``; what a goal is worth, and when, is in
:mod:`~companion.games.railroad_ink.rules.match.race`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.messages import m, table_text
from companion.games.railroad_ink.rules.boards.layouts import Exit, Layout
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import HIGHWAY, RAILWAY
from companion.games.railroad_ink.rules.expansions.frame import Shown
from companion.games.railroad_ink.rules.expansions.registry import rules_of
from companion.games.railroad_ink.rules.expansions.tables import EXPANSION_GOALS
from companion.games.railroad_ink.rules.rulebook import COLUMN, NAMES, ROW
from companion.games.railroad_ink.rules.scoring.longest import longest_route
from companion.games.railroad_ink.rules.scoring.network import (
    Links,
    Network,
    Node,
    Tracks,
    all_networks,
    cell_of,
    exit_networks,
    lay_tracks,
    links_of,
    piece_of,
)
from companion.sheets.grid import opposite


class _Constants(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    central_spaces: int
    villages: int
    corners: int
    block: int
    exits: int
    stations: int
    highway: int
    railway: int
    loop_may_change_type: bool


class _Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    constants: _Constants
    boxes: dict[str, str]
    goals: dict[str, str]


def _load() -> _Tables:
    text = files(__package__).joinpath("goals.toml").read_bytes()
    return msgspec.toml.decode(text, type=_Tables)


_TABLES = _load()
NUMBERS = _TABLES.constants
BOXES = _TABLES.boxes  # the codes of the cards in each box


@dataclass(frozen=True)
class Goal:
    """One card: its code, what it asks for, and the function that finds it on a board."""

    code: str
    text: str
    shown: Callable[[Position], Shown]


def achieved(position: Position, code: str) -> bool:
    """Return True if the board achieves the goal.

    >>> from companion.games.railroad_ink.rules.boards.position import read_position
    >>> achieved(read_position({"cells": {"a1": "NS", "g1": "NS", "a7": "NS"}}), "D")
    True
    """
    return witness(position, code) is not None


def witness(position: Position, code: str) -> list[str] | None:
    """The names of the cells that show the goal is achieved, or nothing when it is not.

    >>> from companion.games.railroad_ink.rules.boards.position import read_position
    >>> witness(read_position({"cells": {"e1": "NS", "a1": "NS", "g1": "NS", "a7": "NS"}}), "D")
    ['a1', 'g1', 'a7']
    """
    own = rules_of(position.expansion).goals if position.expansion else {}
    if code in own:
        shown = own[code](position)
    elif code in GOALS:
        shown = GOALS[code].shown(position)
    else:
        codes = ", ".join((*GOALS, *own))
        raise NotationError(
            "unknown-goal",
            m("there is no goal {code}: the codes are {codes}", code=quoted(code), codes=codes),
        )
    return None if shown is None else [NAMES[cell] for cell in shown]


def goal_text(code: str) -> str:
    """What a card asks for, one of an expansion's or a basic one.

    >>> goal_text("FA")
    'Have 5 separate forests at once'
    """
    return GOALS[code].text if code in GOALS else table_text(EXPANSION_GOALS[code])


# --- what is drawn where ---


def _central_spaces(position: Position) -> Shown:
    return _enough(_drawn(position, position.edition.centre), NUMBERS.central_spaces)


def _villages(position: Position) -> Shown:
    cells = position.cells
    active = [cell for cell in sorted(position.edition.village) if cell in cells and cells[cell].station]
    return _enough(active, NUMBERS.villages)


def _corners(position: Position) -> Shown:
    return _enough(_drawn(position, _corner_cells(position.layout)), NUMBERS.corners)


def _line(position: Position) -> Shown:
    return _first_filled(position, _lines(position.layout))


def _block(position: Position) -> Shown:
    return _first_filled(position, _blocks(position.layout))


def _drawn(position: Position, cells: Iterable[int]) -> list[int]:
    return sorted(set(cells) & position.drawn_in)


def _enough(cells: list[int], number: int) -> Shown:
    return cells if len(cells) >= number else None


def _first_filled(position: Position, areas: Iterable[list[int]]) -> Shown:
    drawn = position.drawn_in
    return next((area for area in areas if all(cell in drawn for cell in area)), None)


def _rectangle(layout: Layout, column: int, row: int, width: int, height: int) -> list[int]:
    return [layout.at(x, y) for y in range(row, row + height) for x in range(column, column + width)]


@lru_cache(maxsize=8)
def _corner_cells(layout: Layout) -> list[int]:
    last = layout.side - 1
    return [layout.at(x, y) for y in (0, last) for x in (0, last)]


@lru_cache(maxsize=8)
def _lines(layout: Layout) -> list[list[int]]:
    rows = [_rectangle(layout, 0, row, layout.side, 1) for row in range(layout.side)]
    return rows + [_rectangle(layout, column, 0, 1, layout.side) for column in range(layout.side)]


@lru_cache(maxsize=8)
def _blocks(layout: Layout) -> list[list[int]]:
    starts = range(layout.side - NUMBERS.block + 1)
    return [
        _rectangle(layout, column, row, NUMBERS.block, NUMBERS.block) for row in starts for column in starts
    ]


# --- what is joined ---


def _exits(position: Position) -> Shown:
    networks = exit_networks(lay_tracks(position))
    best = max(networks, key=lambda network: len(network.exits), default=None)
    return _cells(best.nodes) if best and len(best.exits) >= NUMBERS.exits else None


def _stations(position: Position) -> Shown:
    for network in all_networks(lay_tracks(position)):
        drawn = [node for node in network.nodes if cell_of(node) in position.cells]
        stations = [node for node in drawn if piece_of(node, position).station]
        if len(stations) >= NUMBERS.stations:
            return _cells(stations)
    return None


def _cells(nodes: Iterable[Node]) -> list[int]:
    return sorted({cell_of(node) for node in nodes})


def _highway(position: Position) -> Shown:
    return _long_route(position, HIGHWAY, NUMBERS.highway)


def _railway(position: Position) -> Shown:
    return _long_route(position, RAILWAY, NUMBERS.railway)


def _long_route(position: Position, kind: int, length: int) -> Shown:
    route = longest_route(lay_tracks(position).links[kind], position.longest)
    return _walked(route.nodes) if route.length >= length else None


def _walked(nodes: Iterable[Node]) -> list[int]:
    """The cells in walking order, each once."""
    return list(dict.fromkeys(cell_of(node) for node in nodes))


def _opposite_exits(position: Position) -> Shown:
    return _joined_exits(position, lambda one, other: one.direction == opposite(other.direction))


def _mid_side_exits(position: Position) -> Shown:
    return _joined_exits(position, lambda one, other: {one.cell, other.cell} <= _mid_sides(position.layout))


@lru_cache(maxsize=8)
def _mid_sides(layout: Layout) -> frozenset[int]:
    """The cells of the exits that are nearest to the middle of their side."""
    middle = layout.side // 2
    off = {
        exit.cell: abs((ROW if exit.direction % 2 else COLUMN)[exit.cell] - middle) for exit in layout.exits
    }
    return frozenset(cell for cell, steps in off.items() if steps == min(off.values()))


def _joined_exits(position: Position, wanted: Callable[[Exit, Exit], bool]) -> Shown:
    """A way between two exits that suit each other."""
    tracks = lay_tracks(position)
    for network in exit_networks(tracks):
        for one, other in _pairs(tracks, network):
            if wanted(tracks.exits[one], tracks.exits[other]):
                return _walked(_way(links_of(*tracks.links, tracks.joins), one, other))
    return None


def _pairs(tracks: Tracks, network: Network) -> Iterator[tuple[Node, Node]]:
    ends = [node for node in network.nodes if node in tracks.exits]
    return ((one, other) for at, one in enumerate(ends) for other in ends[at + 1 :])


def _way(links: Links, start: Node, goal: Node) -> list[Node]:
    """A shortest path between two pieces of one network, by breadth-first search."""
    came_from = {start: start}
    for node in (nodes := [start]):
        for other in links[node]:
            if other not in came_from:
                came_from[other] = node
                nodes.append(other)
    way = [goal]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]


# --- loops ---


def _loop(position: Position) -> Shown:
    tracks = lay_tracks(position)
    kinds = (links_of(*tracks.links),) if NUMBERS.loop_may_change_type else tracks.links
    found = next((loop for links in kinds if (loop := find_loop(links))), None)
    return None if found is None else _walked(found)


def find_loop(links: Links) -> list[Node] | None:
    """The pieces of a cycle in walking order, if there is a cycle.

    The search grows a spanning tree of each component; a link outside the tree closes a cycle.
    """
    came_from: dict[Node, Node] = {}
    for start in links:
        if start in came_from:
            continue
        came_from[start] = start
        waiting = [start]
        while waiting:
            node = waiting.pop()
            for other in links[node]:
                if other in came_from and other != came_from[node]:
                    return _ring(came_from, node, other)
                if other not in came_from:
                    came_from[other] = node
                    waiting.append(other)
    return None


def _ring(came_from: dict[Node, Node], one: Node, other: Node) -> list[Node]:
    """The cycle closed by a link: the tree paths from its two pieces back to where they meet."""
    back, forth = _back(came_from, one), _back(came_from, other)
    while len(back) > 1 and len(forth) > 1 and back[-2] == forth[-2]:
        back.pop()
        forth.pop()
    return back + forth[-2::-1]


def _back(came_from: dict[Node, Node], node: Node) -> list[Node]:
    way = [node]
    while came_from[way[-1]] != way[-1]:
        way.append(came_from[way[-1]])
    return way


_SHOWN: dict[str, Callable[[Position], Shown]] = {
    "A": _central_spaces,
    "B": _villages,
    "C": _line,
    "D": _corners,
    "E": _block,
    "F": _loop,
    "G": _exits,
    "H": _stations,
    "I": _highway,
    "J": _railway,
    "K": _opposite_exits,
    "L": _mid_side_exits,
}
GOALS: dict[str, Goal] = {
    code: Goal(code, table_text(text, **msgspec.structs.asdict(NUMBERS)), _SHOWN[code])
    for code, text in _TABLES.goals.items()
}
