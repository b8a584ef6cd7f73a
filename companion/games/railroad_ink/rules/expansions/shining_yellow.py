"""The rules of Shining Yellow: deserts and canyons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TypeAlias

from companion.core.messages import listed, m
from companion.games.railroad_ink.rules.boards.layouts import Layout
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.expansions.frame import (
    Placement,
    Rules,
    Shown,
    StarLine,
    Turn,
    around,
    lines_of,
    named,
    simple,
)
from companion.games.railroad_ink.rules.expansions.marks import border_name, places_with
from companion.games.railroad_ink.rules.rulebook import COLUMN, LAYOUT_OF, LAYOUTS, NAMES, NEIGHBOURS, ROW
from companion.games.railroad_ink.rules.scoring.network import all_networks, cell_of, lay_tracks
from companion.sheets.grid import DIRECTIONS, EAST, SOUTH, STEPS, opposite

# --- Desert ---


def _dry(position: Position) -> tuple[tuple[str, str], ...]:
    """The cacti that an arid sun burns: those with no oasis beside them."""
    oases = position.having("oasis")
    return tuple(
        (NAMES[cell], sign)
        for sign in ("cactus", "cacti")
        for cell in sorted(position.having(sign))
        if not any(other in oases for other in around(cell))
    )


def _desert_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    suns = tuple(face for face in turn.left if face == "sun")
    if suns:
        yield Placement(suns, erase=_dry(position))
        for shape in turn.specials:
            yield Placement(suns, special=shape)
    for face in dict.fromkeys(turn.left):
        if face != "sun":
            yield from simple(position, face)


def _cacti(position: Position) -> set[int]:
    return {*position.having("cactus", "cacti")}


def _desert_points(position: Position) -> Iterator[StarLine]:
    one, two = position.having("cactus"), position.having("cacti")
    if one or two:
        count = len(one) + 2 * len(two)
        yield StarLine(
            (m("{count} cactus", count=count) if count == 1 else m("{count} cacti", count=count)),
            count,
            named({*one, *two}),
        )


def _cactus_block(position: Position) -> Shown:
    cacti = _cacti(position)
    for cell in sorted(cacti):
        side = position.layout.side
        if COLUMN[cell] + 1 < side:
            block = [cell, cell + 1, cell + side, cell + side + 1]
            if all(one in cacti for one in block):
                return block
    return None


def _cactus_line(position: Position) -> Shown:
    cacti = _cacti(position)
    return next((line for line in lines_of(position.layout, 4) if all(cell in cacti for cell in line)), None)


def _oases_in_network(position: Position) -> Shown:
    oases = position.having("oasis")
    for network in all_networks(lay_tracks(position)):
        found = sorted({cell_of(node) for node in network.nodes} & set(oases))
        if len(found) >= 3:
            return found
    return None


DESERT = Rules(
    _desert_placements,
    _desert_points,
    goals={"DA": _cactus_block, "DB": _cactus_line, "DC": _oases_in_network},
)


# --- Canyon ---

# A crossing of the grid's lines: its column, counted on from the number of the board's first cell; its row.
Point: TypeAlias = tuple[int, int]
Segment: TypeAlias = frozenset[Point]  # the line between two neighbouring crossings
# The patterns as turns between their pieces: 0 goes straight on, 1 turns right, -1 left. Both ways round.
_PATTERNS: dict[str, tuple[tuple[int, ...], ...]] = {
    "canyon:1": ((),),
    "canyon:2": ((0,),),
    "canyon:3": ((0, 0),),
    "canyon:1+1": ((1,), (-1,)),
    "canyon:2+1": ((0, 1), (0, -1), (1, 0), (-1, 0)),
    "canyon:1+1+1": ((1, -1), (-1, 1)),
}


def _on_edge(point: Point) -> bool:
    return point in _edge()


@cache
def _borders() -> dict[Segment, tuple[int, int]]:
    """The two cells on the sides of each line inside the board."""
    found = {}
    for cell, layout in enumerate(LAYOUT_OF):
        x, y = layout.first + COLUMN[cell], ROW[cell]
        if COLUMN[cell] + 1 < layout.side:
            found[frozenset(((x + 1, y), (x + 1, y + 1)))] = (cell, NEIGHBOURS[cell][EAST])
        if y + 1 < layout.side:
            found[frozenset(((x, y + 1), (x + 1, y + 1)))] = (cell, NEIGHBOURS[cell][SOUTH])
    return found


@cache
def _edge() -> frozenset[Point]:
    """The crossings on the border of every board."""
    return frozenset(
        point
        for layout in LAYOUTS.values()
        for at in range(layout.side + 1)
        for point in (
            (layout.first + at, 0),
            (layout.first + at, layout.side),
            (layout.first, at),
            (layout.first + layout.side, at),
        )
    )


@lru_cache(maxsize=8)
def _segment_of(layout: Layout) -> dict[str, Segment]:
    found = _borders().items()
    return {border_name(*cells): segment for segment, cells in found if cells[0] in layout.cells}


def segments(position: Position) -> set[Segment]:
    """The segments of all canyons."""
    named_so = _segment_of(position.layout)
    return {named_so[place] for place in places_with(position.marks, "canyon")}


def bridged(position: Position, drawn: set[Segment]) -> set[Segment]:
    """The pieces that a route reaches from either side: each costs a bridge point."""
    found = set()
    for segment in drawn:
        one, other = _borders()[segment]
        way = NEIGHBOURS[one].index(other)
        reaches = [
            route is not None and (route.highway | route.railway) >> side & 1
            for route, side in ((position.cells.get(one), way), (position.cells.get(other), opposite(way)))
        ]
        if any(reaches):
            found.add(segment)
    return found


def canyons(drawn: set[Segment]) -> list[list[Segment]]:
    """The canyons, the longest first. Pieces that touch inside the board belong together."""
    left = set(drawn)
    found = []
    while left:
        canyon = [left.pop()]
        for segment in canyon:
            inside = {point for point in segment if not _on_edge(point)}
            more = [other for other in left if other & inside]
            left.difference_update(more)
            canyon += more
        found.append(sorted(canyon, key=sorted))
    return sorted(found, key=lambda canyon: (-len(canyon), sorted(map(sorted, canyon))))


def _canyon_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    drawn = segments(position)
    layout, degree = position.layout, Counter(point for segment in drawn for point in segment)
    starts = [
        (x, y)
        for y in range(layout.side + 1)
        for x in range(layout.first, layout.first + layout.side + 1)
        if (not degree[x, y] if _on_edge((x, y)) else degree[x, y] == 1)
    ]
    for face in dict.fromkeys(turn.left):
        seen = set()
        for start in starts:
            for way in DIRECTIONS:
                for turns in _PATTERNS[face]:
                    path = _path(start, way, turns, degree)
                    if path is not None and path not in seen and _affordable(position, drawn | path):
                        seen.add(path)
                        places = sorted(border_name(*_borders()[segment]) for segment in path)
                        yield Placement((face,), marks=tuple((place, "canyon") for place in places))


def _path(
    start: Point, way: int, turns: tuple[int, ...], degree: Counter[Point]
) -> frozenset[Segment] | None:
    """The pieces of a pattern drawn from a crossing, if every one of them may be drawn."""
    found: list[Segment] = []
    here = start
    for number in range(len(turns) + 1):
        if number:
            if _on_edge(here) or degree[here]:
                return None
            way = (way + turns[number - 1]) % 4
        there = (here[0] + STEPS[way][0], here[1] + STEPS[way][1])
        segment = frozenset((here, there))
        if segment not in _borders() or segment in found:
            return None
        found.append(segment)
        here = there
    if degree[here] > (0 if _on_edge(here) else 1):
        return None
    return frozenset(found)


def _affordable(position: Position, drawn: set[Segment]) -> bool:
    return len(bridged(position, drawn)) <= len(position.layout.exits)


def _canyon_faults(position: Position) -> Iterator[str]:
    if not _affordable(position, segments(position)):
        yield m("all {exits} bridge points are spent", exits=len(position.layout.exits))


def _canyon_impossible(position: Position) -> Iterator[str]:
    """A canyon begins at the edge and goes on from its open end: no branches, and no two from one point."""
    drawn = segments(position)
    degree = Counter(point for segment in drawn for point in segment)
    for canyon in canyons(drawn):
        where = listed(_beside(canyon))
        if not _edges_of(canyon):
            yield m("a canyon begins at the edge of the board: {where}", where=where)
        if any(degree[point] > (1 if _on_edge(point) else 2) for segment in canyon for point in segment):
            yield m("a canyon has no branches: {where}", where=where)


def _edges_of(canyon: list[Segment]) -> int:
    return sum(_on_edge(point) for segment in canyon for point in segment)


def _beside(canyon: list[Segment]) -> tuple[str, ...]:
    return tuple(border_name(*_borders()[segment]) for segment in canyon)


def _canyon_points(position: Position) -> Iterator[StarLine]:
    found = canyons(segments(position))
    if found:
        yield StarLine(
            (
                m("Longest canyon, {found} piece", found=len(found[0]))
                if len(found[0]) == 1
                else m("Longest canyon, {found} pieces", found=len(found[0]))
            ),
            len(found[0]),
            _cells_of(found[0]),
        )
    for canyon in found:
        if _edges_of(canyon) == 2:
            yield StarLine(m("Canyon from edge to edge"), 2, _cells_of(canyon))


def _cells_of(canyon: list[Segment]) -> tuple[str, ...]:
    return named({cell for segment in canyon for cell in _borders()[segment]})


def _bridges(position: Position) -> Shown:
    found = bridged(position, segments(position))
    return sorted({cell for segment in found for cell in _borders()[segment]}) if len(found) >= 6 else None


def _crossed_thrice(position: Position) -> Shown:
    """A walk over three different bridges of one canyon: its stretches between bridges are contracted."""
    tracks = lay_tracks(position)
    links = {(node, other) for kind in tracks.links for node, others in kind.items() for other in others}
    for canyon in canyons(segments(position)):
        sides = {_borders()[segment] for segment in canyon}
        over = [(a, b) for a, b in links if a < b and tuple(sorted((cell_of(a), cell_of(b)))) in sides]
        plain: dict[int, int] = {}
        rest = [(a, b) for a, b in links if (min(a, b), max(a, b)) not in over]
        for node in {one for pair in links for one in pair}:
            if node not in plain:
                reached = [node]
                plain[node] = node
                for one in reached:
                    for a, b in rest:
                        if a == one and b not in plain:
                            plain[b] = node
                            reached.append(b)
        edges = [(plain[a], plain[b], number) for number, (a, b) in enumerate(over)]
        walk = _three_edges(edges)
        if walk:
            return sorted({cell_of(node) for number in walk for node in over[number]})
    return None


def _three_edges(edges: list[tuple[int, int, int]]) -> list[int] | None:
    """The numbers of three edges that one walk passes, none twice."""
    for middle in edges:
        for first in edges:
            for last in edges:
                if len({first[2], middle[2], last[2]}) == 3 and (
                    middle[0] in first[:2] and middle[1] in last[:2]
                ):
                    return [first[2], middle[2], last[2]]
    return None


def _central_canyon(position: Position) -> Shown:
    for canyon in canyons(segments(position)):
        inside = [set(_borders()[segment]) <= position.edition.centre for segment in canyon]
        if _edges_of(canyon) == 2 and any(inside):
            return sorted({cell for segment in canyon for cell in _borders()[segment]})
    return None


CANYON = Rules(
    _canyon_placements,
    _canyon_points,
    goals={"CA": _bridges, "CB": _crossed_thrice, "CD": _central_canyon},
    faults=_canyon_faults,
    impossible=_canyon_impossible,
)
