"""The graph of a board: its pieces, the links between them, and the networks (connected components).

The unit is the *piece*, not the cell: an overpass and a double curve are two pieces that know nothing of each
other, a station is one piece with all its ends. A piece is known by a number, its :data:`Node`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from companion.games.railroad_ink.rules.boards.layouts import Exit
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import EVERY_ROUTE, TYPES, Piece, Route
from companion.games.railroad_ink.rules.rulebook import EXIT_AT, LAYOUTS, NEIGHBOURS
from companion.sheets.grid import DIRECTIONS, EAST, NORTH, opposite

Node: TypeAlias = int  # twice the cell, plus one for the second piece in it
Links: TypeAlias = dict[Node, list[Node]]
End: TypeAlias = tuple[int, int, int]  # cell, direction, type


def cell_of(node: Node) -> int:
    """The cell a piece lies in."""
    return node >> 1


def piece_of(node: Node, position: Position) -> Piece:
    """The piece of route that a node stands for."""
    return position.cells[node >> 1].pieces[node & 1]


@dataclass(frozen=True, slots=True)
class Tracks:
    """All pieces of a board. ``links[type]`` has every piece with an end of that type, linked or not."""

    links: tuple[Links, Links]
    exits: dict[Node, Exit]
    loose: list[End]
    joins: Links = field(default_factory=dict)  # of one network, but no longest route goes on there


@dataclass(frozen=True, slots=True)
class Network:
    """Pieces that are joined, and the exits they reach, clockwise from the top left."""

    nodes: tuple[Node, ...]
    exits: tuple[Exit, ...]


def lay_tracks(position: Position) -> Tracks:
    """Follow every end on the board: to another piece, to an exit, over the border, or to nowhere.

    >>> from companion.games.railroad_ink.rules.boards.position import read_cells
    >>> tracks = lay_tracks(Position(read_cells({"b1": "NS", "b2": "NE"})))
    >>> tracks.links[0], [exit.name for exit in tracks.exits.values()], tracks.loose
    ({2: [16], 16: [2]}, ['b1'], [(8, 1, 0)])
    """
    cells, walls = position.cells, position.walls
    links: tuple[Links, Links] = ({}, {})
    exits: dict[Node, Exit] = {}
    loose: list[End] = []
    for cell, route in cells.items():
        around = _AROUND[cell]
        for direction, kind, piece, back in _ENDS[route.number]:
            node = 2 * cell + piece
            linked = links[kind].setdefault(node, [])
            neighbour, exit = around[direction]
            if neighbour < 0:
                if exit is not None and exit.type == kind:
                    exits[node] = exit
            elif walls and (cell, direction) in walls:
                if position.wall_ends == "error":
                    loose.append((cell, direction, kind))
            elif neighbour in cells and (other := _PIECE_AT[cells[neighbour].number][kind][back]) >= 0:
                linked.append(2 * neighbour + other)
            else:
                loose.append((cell, direction, kind))
    if position.expansion:  # imported here, for the expansions' own rules lay tracks, too
        from companion.games.railroad_ink.rules.expansions.registry import with_expansion

        return with_expansion(position, Tracks(links, exits, loose))
    return Tracks(links, exits, loose)


def links_of(*kinds: Links) -> Links:
    """Links of several kinds together: of both types of route, say, and what expansions join."""
    found: Links = {}
    for links in kinds:
        for node, others in links.items():
            found.setdefault(node, []).extend(others)
    return found


def all_networks(tracks: Tracks) -> list[Network]:
    """Every network of the board, each piece in exactly one."""
    nodes = tracks.links[0].keys() | tracks.links[1].keys() | tracks.joins.keys()
    return _networks_from(tracks, sorted(nodes))


def exit_networks(tracks: Tracks) -> list[Network]:
    """The networks that join two exits or more, the one with most exits first."""
    found = [network for network in _networks_from(tracks, tracks.exits) if len(network.exits) > 1]
    found.sort(key=lambda network: -len(network.exits))
    return found


def _networks_from(tracks: Tracks, starts: Iterable[Node]) -> list[Network]:
    seen: set[Node] = set()
    found = []
    for start in starts:
        if start not in seen:
            nodes = _reached(tracks, start, seen)
            exits = sorted((tracks.exits[node] for node in nodes if node in tracks.exits), key=_clockwise)
            found.append(Network(tuple(nodes), tuple(exits)))
    return found


def _reached(tracks: Tracks, start: Node, seen: set[Node]) -> list[Node]:
    """Everything connected with ``start`` by breadth-first search; added to ``seen``."""
    highways, railways = tracks.links
    if tracks.joins:
        railways = links_of(railways, tracks.joins)
    nodes = [start]
    seen.add(start)
    for node in nodes:
        for other in (*highways.get(node, ()), *railways.get(node, ())):
            if other not in seen:
                seen.add(other)
                nodes.append(other)
    return nodes


def _clockwise(exit: Exit) -> int:
    return CLOCKWISE[exit.cell]


def _ends(route: Route) -> tuple[tuple[int, int, int, int], ...]:
    """Each end of a route: direction, type, number of its piece, and the direction back to it."""
    return tuple(
        (direction, kind, number, opposite(direction))
        for number, piece in enumerate(route.pieces)
        for kind in TYPES
        for direction in DIRECTIONS
        if piece.ends[kind] >> direction & 1
    )


def _piece_at(route: Route) -> tuple[tuple[int, ...], ...]:
    """By type and direction, the number of the piece whose end is there, or -1."""
    found = [[-1] * 4, [-1] * 4]
    for direction, kind, number, _ in _ends(route):
        found[kind][direction] = number
    return tuple(tuple(row) for row in found)


_ENDS = tuple(_ends(route) for route in EVERY_ROUTE)
_PIECE_AT = tuple(_piece_at(route) for route in EVERY_ROUTE)
_AROUND = tuple(
    tuple((NEIGHBOURS[cell][direction], EXIT_AT.get((cell, direction))) for direction in DIRECTIONS)
    for cell in range(len(NEIGHBOURS))
)
# Along the top to the right, down the right side, along the bottom to the left, up the left side.
CLOCKWISE = {
    exit.cell: 1000 * exit.direction + (exit.cell if exit.direction in {NORTH, EAST} else -exit.cell)
    for layout in LAYOUTS.values()
    for exit in layout.exits
}
