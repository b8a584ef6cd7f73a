"""What every expansion's rules are made of: placements, lines of points, and questions about a board.

An expansion is a :class:`Rules`: pure functions of a :class:`Position` (routes, marks, rounds). The engine
asks :mod:`.registry`, never a single expansion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec

from companion.core.messages import joined
from companion.core.remembering import remembered
from companion.games.railroad_ink.rules.boards.facing import facing_at
from companion.games.railroad_ink.rules.boards.layouts import Layout
from companion.games.railroad_ink.rules.boards.placement import Spot, legal_routes
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import (
    TYPES,
    Route,
    any_route,
    is_shape,
    turned,
    turnings,
)
from companion.games.railroad_ink.rules.boards.walls import Walls
from companion.games.railroad_ink.rules.expansions.marks import directions_of, ends_text
from companion.games.railroad_ink.rules.expansions.words import sign_words
from companion.games.railroad_ink.rules.rulebook import (
    COLUMN,
    LAYOUT_OF,
    NAMES,
    NEIGHBOURS,
    NETWORK_VALUES,
    ROW,
)
from companion.games.railroad_ink.rules.scoring.network import End, Links, Node, Tracks
from companion.sheets.grid import DIRECTIONS, SYMMETRIES, opposite

Pairs: TypeAlias = tuple[tuple[str, str], ...]
# The cells that show a goal is achieved (numbers, in walking order where there is a way to walk), or nothing.
Shown: TypeAlias = "list[int] | None"
Sides: TypeAlias = dict[int, list[int]]  # cell -> the directions in which its water, lava or airway is open


class Placement(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that a seat may do with its expansion dice.

    ``uses`` are the faces it uses up, ``gives`` what that leaves to be done; ``erase`` takes a sign (every
    sign, if it is empty) out of a place, ``destroy`` the routes of cells; ``special`` is a special route
    crossed off for it; with ``neighbour`` the marks stand on the board of the seat so many places further;
    ``source`` is ``die`` where the route is one of the round's route dice.
    """

    uses: tuple[str, ...]
    cell: str = ""
    route: str = ""
    marks: Pairs = ()
    erase: Pairs = ()
    destroy: tuple[str, ...] = ()
    special: str = ""
    gives: tuple[str, ...] = ()
    neighbour: int = 0
    source: str = "expansion"


@dataclass(frozen=True)
class Turn:
    """What a placement depends on besides the board."""

    round: int
    left: tuple[str, ...]  # faces of the expansion dice that are not used up
    specials: tuple[str, ...] = ()  # the special routes that may be crossed off now
    used_specials: int = 0
    rolled: tuple[str, ...] = ()  # all faces of the expansion dice
    dice: tuple[str, ...] = ()  # the route dice that are not drawn
    beside: tuple[Position, Position] | None = None  # the boards of the left and the right neighbour


@dataclass(frozen=True, slots=True)
class StarLine:
    """Points for the star box: what for, how many, and the cells."""

    says: str
    points: int
    cells: tuple[str, ...] = ()


def _unchanged(_position: Position, tracks: Tracks) -> Tracks:
    return tracks


def _nothing(_position: Position, _turn: Turn) -> Iterator[Placement]:
    return iter(())


def _no_points(_position: Position) -> Iterator[StarLine]:
    return iter(())


def no_faults(_position: Position) -> Iterator[str]:
    """No faults: for an expansion that does not limit routes."""
    return iter(())


@dataclass(frozen=True)
class Rules:
    """The rules of one expansion."""

    placements: Callable[[Position, Turn], Iterable[Placement]] = _nothing
    points: Callable[[Position], Iterable[StarLine]] = _no_points
    tracks: Callable[[Position, Tracks], Tracks] = _unchanged
    goals: dict[str, Callable[[Position], Shown]] = field(default_factory=dict)
    faults: Callable[[Position], Iterable[str]] = no_faults
    impossible: Callable[[Position], Iterable[str]] = no_faults  # of marks that nobody could have written


# What an end without a partner is called; the first two are the types of route.
END_NAMES = ("highway", "railway", "superconnection", "river", "lava", "airway")
SUPER, RIVER, LAVA, AIRWAY = range(2, 6)


# --- cells ---


def around(cell: int) -> list[int]:
    """The cells beside a cell."""
    return [other for other in NEIGHBOURS[cell] if other >= 0]


def groups(cells: Iterable[int]) -> list[list[int]]:
    """Orthogonally connected groups, the largest first; equal ones by their first cell.

    >>> groups([0, 1, 8, 20])
    [[0, 1, 8], [20]]
    """
    return _grouped(cells, around)


def _grouped(cells: Iterable[int], beside: Callable[[int], Iterable[int]]) -> list[list[int]]:
    left = set(cells)
    found = []
    while left:
        group = [left.pop()]
        for cell in group:
            for other in beside(cell):
                if other in left:
                    left.remove(other)
                    group.append(other)
        found.append(sorted(group))
    return sorted(found, key=lambda group: (-len(group), group))


def named(cells: Iterable[int]) -> tuple[str, ...]:
    """Names of cells, in the order of the board."""
    return tuple(NAMES[cell] for cell in sorted(cells))


def sides_of(position: Position, sign: str) -> Sides:
    """The open sides of each space with a sign."""
    return {cell: directions_of(ends) for cell, ends in position.having(sign).items()}


def flowing(sides: Sides) -> list[list[int]]:
    """Spaces joined through sides that are open to each other, the largest group first."""
    return _grouped(
        sides,
        lambda cell: [
            other for way in sides[cell] if opposite(way) in sides.get(other := NEIGHBOURS[cell][way], [])
        ],
    )


def unanswered_sides(sides: Sides) -> list[tuple[int, int]]:
    """The sides, not at the border of the board, that nothing of the same kind answers."""
    return [
        (cell, way)
        for cell, ways in sorted(sides.items())
        for way in ways
        if (other := NEIGHBOURS[cell][way]) >= 0 and opposite(way) not in sides.get(other, [])
    ]


def empty_cells(position: Position) -> list[int]:
    """The cells in which nothing is drawn."""
    drawn = position.drawn_in
    return [cell for cell in position.layout.cells if cell not in drawn]


def lines_of(layout: Layout, length: int) -> Iterator[list[int]]:
    """Every straight row of neighbouring cells of a length, along rows and columns."""
    for cell in layout.cells:
        if COLUMN[cell] + length <= layout.side:
            yield [cell + step for step in range(length)]
        if ROW[cell] + length <= layout.side:
            yield [cell + layout.side * step for step in range(length)]


def in_line(cells: Iterable[int]) -> Iterator[list[int]]:
    """Yield the given cells row by row and column by column."""
    known = sorted(cells)
    for number in range(LAYOUT_OF[known[0]].side if known else 0):
        yield [cell for cell in known if ROW[cell] == number]
        yield [cell for cell in known if COLUMN[cell] == number]


def network_value(position: Position, count: int) -> int:
    """The value of a network of so many exits; beyond the board's printed track it stays the last."""
    return NETWORK_VALUES[min(count, len(position.layout.exits))]


# --- routes beside marks ---


def fences(position: Position) -> Walls:
    """The sides of all spaces that a sign takes up: no route can be drawn there."""
    return frozenset(
        (cell, way) for cell in position.filled if cell not in position.cells for way in DIRECTIONS
    )


def accepting(position: Position) -> set[tuple[int, int]]:
    """The sides (cell, direction) at which an end of either type joins: superconnections and airports."""
    found = set()
    for cell, ends in position.having("super").items():
        found |= {(NEIGHBOURS[cell][way], opposite(way)) for way in directions_of(ends)}
    for cell in position.having("airport"):
        found |= {(NEIGHBOURS[cell][way], opposite(way)) for way in DIRECTIONS}
    return {side for side in found if side[0] >= 0}


def clashes(position: Position, cell: int, route: Route) -> bool:
    """Return True if a highway of the route would meet a railway, or the other way round."""
    facing = facing_at(position.cells, position.walls, cell)
    return bool(facing & 15 & route.railway or facing >> 4 & route.highway)


def spots(position: Position, shape: str) -> list[Spot]:
    """Every cell and turning in which a route may be drawn on a board with marks."""
    found = legal_routes(position.cells, position.walls | fences(position), shape, position.layout)
    sides = accepting(position)
    if sides:
        taken, known = position.drawn_in, set(found)
        found += [
            (cell, route)
            for cell, way in sorted(sides)
            if cell not in taken
            for route in turnings(shape)
            if (route.highway | route.railway) >> way & 1
            and (cell, route) not in known
            and not clashes(position, cell, route)
        ]
    return list(dict.fromkeys(found))


def free_spots(position: Position, shape: str) -> list[Spot]:
    """Every cell and turning for a route that need not be joined to anything."""
    return [
        (cell, route)
        for cell in empty_cells(position)
        for route in turnings(shape)
        if not clashes(position, cell, route)
    ]


def split_face(face: str) -> tuple[str, str, str]:
    """The route, the sign and what stands behind its colon.

    >>> split_face("NS+river:EW"), split_face("trees"), split_face("NESW")
    (('NS', 'river', 'EW'), ('', 'trees', ''), ('NESW', '', ''))
    """
    route, plus, mark = face.rpartition("+")
    if not plus and is_shape(face):
        return face, "", ""
    if not is_shape(route):
        route, mark = "", face
    sign, _, detail = mark.partition(":")
    return route, sign, detail


def face_words(face: str) -> str:
    """What a face, or a mark by itself, is called.

    >>> face_words("NE+trees"), face_words("tower:3"), face_words("build:free")
    ('NE trees', 'tower 3', 'build free')
    """
    route, sign, detail = split_face(face)
    parts = [route, *(sign_words(word) for word in (sign, detail) if word)]
    return joined(" ", [part for part in parts if part])


@remembered(256)
def turned_faces(route: str, ends: str) -> tuple[tuple[str, str], ...]:
    """A route and the ends of a sign in one space, turned and mirrored together in every way.

    >>> turned_faces("NS", "E")
    (('NS', 'E'), ('EW', 'S'), ('NS', 'W'), ('EW', 'N'))
    """
    drawn = any_route(route) if route else None
    found = [
        (
            turned(drawn, way).text if drawn is not None else "",
            ends_text(map(way.direction, directions_of(ends))),
        )
        for way in SYMMETRIES
    ]
    return tuple(dict.fromkeys(found))


def signed(face: str, cell: int, route: str, word: str) -> Placement:
    """A face that is a route (none, if it is empty) with a sign in the same space."""
    name = NAMES[cell]
    return Placement((face,), name if route else "", route, ((name, word),))


def signed_routes(face: str, found: Iterable[Spot], word: str) -> Iterator[Placement]:
    """A route of the face in each of these places, with a sign in the same space."""
    for cell, route in found:
        yield signed(face, cell, route.text, word)


def simple(position: Position, face: str, *, joined: bool = True) -> Iterator[Placement]:
    """A face that is a route with a sign, or a sign alone in any empty space."""
    route, sign, detail = split_face(face)
    word = f"{sign}:{detail}" if detail else sign
    if route:
        where = spots(position, route) if joined else free_spots(position, route)
        yield from signed_routes(face, where, word)
    else:
        for cell in empty_cells(position):
            yield signed(face, cell, "", word)


# --- networks ---


class Wiring:
    """Tracks that are being changed: new links, joins, and ends that are no longer loose."""

    def __init__(self, tracks: Tracks) -> None:
        self.links: tuple[Links, Links] = (
            {node: list(others) for node, others in tracks.links[0].items()},
            {node: list(others) for node, others in tracks.links[1].items()},
        )
        self.joins: Links = {node: list(others) for node, others in tracks.joins.items()}
        self.exits = dict(tracks.exits)
        self.loose: list[End] = list(tracks.loose)

    def link(self, kind: int, one: Node, other: Node) -> None:
        """A link of a longest route."""
        for start, end in ((one, other), (other, one)):
            self.links[kind].setdefault(start, []).append(end)

    def join(self, nodes: Iterable[Node]) -> None:
        """One network from now on; no longest route goes on there."""
        together = list(dict.fromkeys(nodes))
        for other in together[1:]:
            self.joins.setdefault(together[0], []).append(other)
            self.joins.setdefault(other, []).append(together[0])

    def met(self, end: End) -> None:
        """An end is no longer loose; beside a mark of another expansion it may not have been."""
        if end in self.loose:
            self.loose.remove(end)

    def done(self) -> Tracks:
        """The finished tracks: links, exits, loose ends and joins."""
        return Tracks(self.links, self.exits, self.loose, self.joins)


def node_at(position: Position, cell: int, direction: int, kind: int) -> Node | None:
    """The piece of a cell that has an end of a type on this side."""
    route = position.cells.get(cell)
    if route is None:
        return None
    for number, piece in enumerate(route.pieces):
        if piece.ends[kind] >> direction & 1:
            return 2 * cell + number
    return None


def ends_facing(position: Position, cell: int) -> list[tuple[Node, int, End]]:
    """The route ends around a cell that point at it: their piece, their type, and the end itself."""
    found = []
    for way in DIRECTIONS:
        other = NEIGHBOURS[cell][way]
        for kind in TYPES:
            node = node_at(position, other, opposite(way), kind) if other >= 0 else None
            if node is not None and (other, opposite(way)) not in position.walls:
                found.append((node, kind, (other, opposite(way), kind)))
    return found
