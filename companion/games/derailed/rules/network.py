"""The railway area as track: where a company's trains can go.

A train is always somewhere with a direction: it has come into a card by one of its ports. It goes on to
every port that the card joins with that one, and crosses into the neighbouring card. It never turns round at
a port, so nothing leads from one arm of a points card through the shared port into the other arm.

Lanes are columns ``a``, ``b``, .. and rows are 1 (start) to 4 (destination), so cell ``c2`` is the second
card of lane c. A card lies with its top towards the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from companion.core.errors import NotationError, quoted
from companion.core.messages import m
from companion.games.derailed.rules.cards import BOTTOM, LETTERS, TOP, UNDER, Face, parse_face
from companion.games.derailed.rules.rulebook import ROWS
from companion.sheets.grid import DIRECTIONS, Grid, opposite

_PORTS = 5
# A train's place and direction: cell * _PORTS + the port by which it came in.
Entry = int
NOWHERE: Entry = -1


@lru_cache(maxsize=16)
def grid_of(lanes: int) -> Grid:
    """The cells of so many lanes."""
    return Grid(lanes, ROWS)


def lane_name(lane: int) -> str:
    """The letter of a lane in names of cells.

    >>> lane_name(0)
    'a'
    """
    return chr(97 + lane)


def entry(cell: int, port: int) -> Entry:
    """A train that has come into a cell by a port."""
    return cell * _PORTS + port


def entered(place: Entry) -> tuple[int, int]:
    """The cell and the port of an entry."""
    return divmod(place, _PORTS)


@lru_cache(maxsize=16)
def _beyond(lanes: int) -> tuple[Entry, ...]:
    """For every cell and port: the entry on the other side of it."""
    grid = grid_of(lanes)
    found = [NOWHERE] * (grid.size * _PORTS)
    for cell in range(grid.size):
        for port in DIRECTIONS:
            neighbour = grid.neighbours[cell][port]
            if neighbour >= 0:
                found[entry(cell, port)] = entry(neighbour, opposite(port))
    return tuple(found)


@dataclass(frozen=True)
class Area:
    """The uppermost card of every cell, row by row; ``None`` where no card lies."""

    lanes: int
    faces: tuple[Face | None, ...]

    @property
    def grid(self) -> Grid:
        """The grid of cells in these lanes."""
        return grid_of(self.lanes)

    @cached_property
    def tunnels(self) -> tuple[int, ...]:
        """The cells of the tunnel cards."""
        return tuple(cell for cell, face in enumerate(self.faces) if face and UNDER in face.linked)

    def start(self, lane: int) -> Entry:
        """The entry of the trains from a lane's starting station."""
        return entry(lane, TOP)

    def with_face(self, cell: int, face: Face | None) -> Area:
        """The area with another uppermost card in a cell."""
        return Area(self.lanes, (*self.faces[:cell], face, *self.faces[cell + 1 :]))

    def beyond(self, cell: int, port: int) -> Entry:
        """Where a train comes in that leaves a cell by a port; ``NOWHERE`` outside the lanes."""
        if port != UNDER:
            return _beyond(self.lanes)[entry(cell, port)]
        others = [other for other in self.tunnels if other != cell]
        return entry(others[0], UNDER) if others else NOWHERE

    def reach(self, lane: int) -> dict[Entry, Entry]:
        """Every entry in reach of a train from a lane's start, with its predecessor (breadth-first search).

        Entries to empty cells and to dead ends are among them: track leads up to them.
        """
        first = self.start(lane)
        before = {first: NOWHERE}
        waiting = [first]
        for place in waiting:
            cell, port = entered(place)
            face = self.faces[cell]
            for end in face.exits[port] if face else ():
                following = self.beyond(cell, end)
                if following != NOWHERE and following not in before:
                    before[following] = place
                    waiting.append(following)
        return before

    def arrival(self, start: int, destination: int) -> list[Entry] | None:
        """The entries of a shortest path from one lane's start to another's destination, if there is one."""
        before = self.reach(start)
        cell = (ROWS - 1) * self.lanes + destination
        face = self.faces[cell]
        if face is None:
            return None
        ends = (entry(cell, port) for port in (*DIRECTIONS, UNDER) if BOTTOM in face.exits[port])
        found = [_path(before, end) for end in ends if end in before]
        return min(found, key=len, default=None)


def _path(before: Mapping[Entry, Entry], end: Entry) -> list[Entry]:
    path = [end]
    while before[path[-1]] != NOWHERE:
        path.append(before[path[-1]])
    return path[::-1]


def area_of(lanes: int, cells: Mapping[str, str]) -> Area:
    """The area with these faces on top."""
    grid = grid_of(lanes)
    faces: list[Face | None] = [None] * grid.size
    for name, text in cells.items():
        faces[cell_number(lanes, name)] = parse_face(text)
    return Area(lanes, tuple(faces))


def cell_number(lanes: int, name: str) -> int:
    """The number of a cell; one outside the lanes is a NotationError."""
    try:
        return grid_of(lanes).cell(name)
    except NotationError as problem:
        last = grid_of(lanes).names[-1]
        message = m(
            "{name} is not in the lanes: cells are a1 to {last}, lane then row", name=quoted(name), last=last
        )
        raise NotationError("outside", message) from problem


# --- as text, for people and the page ---


def steps(area: Area, path: Iterable[Entry], last_exit: int = BOTTOM) -> list[str]:
    """A path as the tracks it runs over: cell, port in, port out.

    >>> area = area_of(2, {"a1": "TR", "b1": "LB"})
    >>> steps(area, [area.start(0), area.beyond(0, 1)])
    ['a1:TR', 'b1:LB']
    """
    places = list(path)
    found = []
    for place, following in zip(places, [*places[1:], NOWHERE], strict=True):
        cell, port = entered(place)
        out = last_exit if following == NOWHERE else _exit_towards(area, place, following)
        found.append(f"{area.grid.names[cell]}:{LETTERS[port]}{LETTERS[out]}")
    return found


def _exit_towards(area: Area, place: Entry, following: Entry) -> int:
    cell, port = entered(place)
    face = area.faces[cell]
    assert face is not None
    return next(end for end in face.exits[port] if area.beyond(cell, end) == following)


def tracks(area: Area, lane: int) -> list[str]:
    """Every track a lane's trains can run over, as ``cell:ports``, each once.

    >>> tracks(area_of(2, {"a1": "TR", "b1": "LB", "a2": "TB"}), 0)
    ['a1:TR', 'b1:LB']
    """
    found: dict[str, None] = {}
    for place in area.reach(lane):
        cell, port = entered(place)
        face = area.faces[cell]
        for end in face.exits[port] if face else ():
            pair = "".join(sorted((LETTERS[port], LETTERS[end]), key="LTRBU".index))
            found[f"{area.grid.names[cell]}:{pair}"] = None
    return list(found)


def stops(area: Area, lane: int) -> list[str]:
    """The cells where a lane's track ends: before an empty cell, at a dead end, or at the rim of the area.

    Track that comes back to its own station does not end there: it is a loop.

    >>> stops(area_of(2, {"a1": "TR", "b1": "TB|l"}), 0), stops(area_of(2, {}), 0)
    (['b1'], [])
    """
    before = area.reach(lane)
    ends: list[int] = []
    for place, came_from in before.items():
        cell, port = entered(place)
        face = area.faces[cell]
        if face is not None and port in face.dead:
            ends.append(cell)
        elif (face is None or port not in face.ports) and came_from != NOWHERE:
            ends.append(entered(came_from)[0])
        elif face is not None and any(
            area.beyond(cell, end) == NOWHERE and (cell, end) != (lane, TOP) for end in face.exits[port]
        ):
            ends.append(cell)
    return sorted({area.grid.names[cell] for cell in ends})
