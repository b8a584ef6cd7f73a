"""River and Lake of the blue box, Lava and Meteor of the red one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from companion.core.messages import m
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import any_route
from companion.games.railroad_ink.rules.expansions.frame import (
    LAVA,
    RIVER,
    Placement,
    Rules,
    Shown,
    Sides,
    StarLine,
    Turn,
    Wiring,
    around,
    clashes,
    empty_cells,
    ends_facing,
    flowing,
    in_line,
    named,
    sides_of,
    signed,
    split_face,
    turned_faces,
    unanswered_sides,
)
from companion.games.railroad_ink.rules.expansions.marks import (
    directions_of,
    ends_text,
    next_number,
    number_in,
)
from companion.games.railroad_ink.rules.expansions.ways import joined_by
from companion.games.railroad_ink.rules.rulebook import COLUMN, LAYOUT_OF, NAMES, NEIGHBOURS, ROW
from companion.games.railroad_ink.rules.scoring.network import (
    Tracks,
    all_networks,
    cell_of,
    exit_networks,
    lay_tracks,
)
from companion.sheets.grid import DIRECTIONS, opposite


def _turned_into(position: Position, face: str, cells: Iterable[int]) -> Iterator[tuple[int, str, str]]:
    """Each cell, route and ends of the sign for every turning of a face that meets no other type there."""
    shape, _, ends = split_face(face)
    for cell in cells:
        for route, turned in turned_faces(shape, ends):
            if not route or not clashes(position, cell, any_route(route)):
                yield cell, route, turned


def _free_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    """Faces that need not be joined to anything, in every turning."""
    for face in dict.fromkeys(turn.left):
        sign = split_face(face)[1]
        for cell, route, turned in _turned_into(position, face, empty_cells(position)):
            yield signed(face, cell, route, f"{sign}:{turned}")


def _with_loose_sides(position: Position, tracks: Tracks, sign: str, kind: int) -> Tracks:
    """The open sides of a sign as ends without a partner, which are errors."""
    loose = [(cell, way, kind) for cell, way in unanswered_sides(sides_of(position, sign))]
    return replace(tracks, loose=tracks.loose + loose)


# --- River ---


def _river_tracks(position: Position, tracks: Tracks) -> Tracks:
    return _with_loose_sides(position, tracks, "river", RIVER)


def _river_points(position: Position) -> Iterator[StarLine]:
    sides = sides_of(position, "river")
    best = max(flowing(sides), key=lambda river: (_river_value(sides, river), river), default=None)
    if best is not None:
        whole = _river_value(sides, best) > len(best)
        says = (
            (
                m("River from edge to edge of {best} space", best=len(best))
                if len(best) == 1
                else m("River from edge to edge of {best} spaces", best=len(best))
            )
            if whole
            else (
                m("River of {best} space", best=len(best))
                if len(best) == 1
                else m("River of {best} spaces", best=len(best))
            )
        )
        yield StarLine(says, _river_value(sides, best), named(best))


def _river_value(sides: Sides, river: list[int]) -> int:
    at_border = sum(NEIGHBOURS[cell][way] < 0 for cell in river for way in sides[cell])
    return len(river) + (3 if at_border == 2 else 0)


def _bridges(position: Position) -> set[int]:
    return {cell for cell in position.having("river") if cell in position.cells}


def _crossed_twice(position: Position) -> Shown:
    over = _bridges(position)
    networks = all_networks(lay_tracks(position))
    for river in flowing(sides_of(position, "river")):
        for network in networks:
            found = sorted({cell_of(node) for node in network.nodes} & over & set(river))
            if len(found) >= 2:
                return found
    return None


def _stations_at_rivers(position: Position) -> Shown:
    rivers = position.having("river")
    found = [
        cell
        for cell, route in sorted(position.cells.items())
        if route.station and any(other in rivers for other in around(cell))
    ]
    return found if len(found) >= 3 else None


def _over_a_river(position: Position) -> Shown:
    return joined_by(position, _bridges(position))


RIVER_RULES = Rules(
    _free_placements,
    _river_points,
    _river_tracks,
    goals={"RA": _crossed_twice, "RB": _stations_at_rivers, "RC": _over_a_river},
)


# --- Lake ---


def _lake_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    """Yield lake placements that also fill every empty space with three open sides around it."""
    before, empty = sides_of(position, "lake"), set(empty_cells(position))
    for placement in _free_placements(position, turn):
        ((name, word),) = placement.marks
        cell = position.layout.cell(name)
        sides = {**before, cell: directions_of(word.partition(":")[2])}
        more = _filled_up(sides, (empty & set(around(cell))) - {cell})
        yield Placement(placement.uses, placement.cell, placement.route, (*placement.marks, *more))


def _filled_up(sides: Sides, empty: set[int]) -> list[tuple[str, str]]:
    found = []
    for cell in sorted(empty):
        facing = [
            way
            for way in DIRECTIONS
            if (other := NEIGHBOURS[cell][way]) >= 0 and opposite(way) in sides.get(other, [])
        ]
        if len(facing) >= 3:
            found.append((NAMES[cell], f"lake:{ends_text(facing)}"))
    return found


def _lake_tracks(position: Position, tracks: Tracks) -> Tracks:
    """Networks with piers at one lake are one network."""
    wiring = Wiring(tracks)
    for lake in flowing(sides_of(position, "lake")):
        wiring.join(2 * cell for cell in lake if cell in position.cells)
    return wiring.done()


def _lake_points(position: Position) -> Iterator[StarLine]:
    lakes = flowing(sides_of(position, "lake"))
    if lakes:
        smallest = lakes[-1]
        yield StarLine(
            (
                m("Smallest lake, {smallest} space", smallest=len(smallest))
                if len(smallest) == 1
                else m("Smallest lake, {smallest} spaces", smallest=len(smallest))
            ),
            len(smallest),
            named(smallest),
        )


def _exits_over_a_lake(position: Position) -> Shown:
    tracks = lay_tracks(position)
    apart = replace(tracks, joins={})
    lone = [{*network.nodes} for network in all_networks(apart) if network.exits]
    for network in exit_networks(tracks):
        if sum(bool(part & {*network.nodes}) for part in lone) > 1:
            return sorted({cell_of(node) for node in network.nodes})
    return None


def _four_in_line(position: Position) -> Shown:
    lakes = position.having("lake")
    return next((line for line in in_line(lakes) if len(line) >= 4), None)


def _closed(sides: Sides, group: list[int]) -> bool:
    """No open side; the border of the board closes a side, too."""
    return not any(cell in group for cell, _ in unanswered_sides(sides))


def _closed_lake(position: Position) -> Shown:
    sides = sides_of(position, "lake")
    return next((lake for lake in flowing(sides) if _closed(sides, lake)), None)


LAKE_RULES = Rules(
    _lake_placements,
    _lake_points,
    _lake_tracks,
    goals={"LA": _exits_over_a_lake, "LB": _four_in_line, "LC": _closed_lake},
)


# --- Lava ---


_VOLCANO = m("volcano lava:NESW")


def _lava_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    """Beside open lava; a new volcano away from all lava; and where there is no room, over a route."""
    sides = sides_of(position, "lava")
    beside = {(NEIGHBOURS[cell][way], opposite(way)) for cell, way in unanswered_sides(sides)}
    empty = set(empty_cells(position))
    lost = number_in(position.marks, "lost")
    for face in dict.fromkeys(turn.left):
        ends = split_face(face)[2]
        joined = list(_joined_lava(position, face, beside, empty))
        yield from joined
        for cell in sorted(empty):
            if not any(other in sides for other in around(cell)):
                yield Placement((face,), marks=((NAMES[cell], _VOLCANO),))
        if joined:
            continue
        for cell in sorted({cell for cell, _ in beside if cell in position.cells and cell not in sides}):
            name = NAMES[cell]
            for _, turned in turned_faces("", ends):
                if any((cell, way) in beside for way in directions_of(turned)):
                    marks = ((name, f"lava:{turned}"), ("lost", str(lost + 1)))
                    yield Placement((face,), marks=marks, destroy=(name,))


def _joined_lava(
    position: Position, face: str, beside: set[tuple[int, int]], empty: set[int]
) -> Iterator[Placement]:
    cells = sorted({cell for cell, _ in beside} & empty)
    for cell, route, turned in _turned_into(position, face, cells):
        if any((cell, way) in beside for way in directions_of(turned)):
            yield signed(face, cell, route, f"lava:{turned}")


def _lava_tracks(position: Position, tracks: Tracks) -> Tracks:
    return _with_loose_sides(position, tracks, "lava", LAVA)


def _lava_points(position: Position) -> Iterator[StarLine]:
    sides = sides_of(position, "lava")
    lakes = flowing(sides)
    for lake in lakes:
        if _closed(sides, lake):
            yield StarLine(m("Closed lava lake"), 5, named(lake))
    if lakes:
        yield StarLine(
            (
                m("Largest lava lake, {lakes} space", lakes=len(lakes[0]))
                if len(lakes[0]) == 1
                else m("Largest lava lake, {lakes} spaces", lakes=len(lakes[0]))
            ),
            len(lakes[0]),
            named(lakes[0]),
        )


def _around_a_volcano(position: Position) -> Shown:
    """A volcano from which no crossing of the grid's lines leads out without crossing one network's links."""
    tracks = lay_tracks(position)
    volcanoes = position.having("volcano")
    for network in all_networks(tracks):
        nodes = {*network.nodes}
        linked = {
            (cell_of(node), cell_of(other))
            for links in tracks.links
            for node, others in links.items()
            if node in nodes
            for other in others
        }
        for cell in sorted(volcanoes):
            if _enclosed(cell, linked):
                return sorted({cell_of(node) for node in nodes})
    return None


def _enclosed(cell: int, linked: set[tuple[int, int]]) -> bool:
    """Walk over the crossings of the grid's lines; a step crosses the middle line between two cells."""
    layout, x, y = LAYOUT_OF[cell], COLUMN[cell], ROW[cell]
    width = layout.side
    waiting = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
    seen = set(waiting)
    for column, row in waiting:
        if column in (0, width) or row in (0, width):
            return False
        inside = layout.at(column, row)  # the cell to the right and below of the crossing
        steps = (
            ((column, row - 1), (inside - width - 1, inside - width)),
            ((column + 1, row), (inside - width, inside)),
            ((column, row + 1), (inside - 1, inside)),
            ((column - 1, row), (inside - width - 1, inside - 1)),
        )
        for there, between in steps:
            if between not in linked and there not in seen:
                seen.add(there)
                waiting.append(there)
    return True


def _through_lava(position: Position) -> Shown:
    return joined_by(position, {cell for cell in position.having("lava") if cell in position.cells})


def _lost(position: Position) -> Shown:
    """Something was lost; where, the board does not show any more: all lava, all craters."""
    return sorted(position.having("lava", "crater")) if "lost" in position.marks else None


LAVA_RULES = Rules(
    _lava_placements,
    _lava_points,
    _lava_tracks,
    goals={"VA": _around_a_volcano, "VB": _through_lava, "VC": _lost},
)


# --- Meteor ---

_START = "d4"  # on the usual board


def _craters(position: Position) -> dict[int, int]:
    """The craters that no route was drawn over, by the number of the strike."""
    return {
        cell: int(number or 1)
        for cell, number in position.having("crater").items()
        if cell not in position.cells
    }


def _struck(position: Position, way: int, distance: int) -> int:
    """The cell that a meteor hits: on from the last strike, back from the edge, and on over craters."""
    every = {cell: int(number or 1) for cell, number in position.having("crater").items()}
    cell = (
        max(every, key=lambda one: every[one])
        if every
        else position.layout.cell(position.layout.spread(_START))
    )
    craters = _craters(position)
    for _ in range(distance):
        way, cell = _step(way, cell)
    for _ in range(4 * position.layout.side):
        if cell not in craters:
            break
        way, cell = _step(way, cell)
    return cell


def _step(way: int, cell: int) -> tuple[int, int]:
    if NEIGHBOURS[cell][way] < 0:
        way = opposite(way)
    return way, NEIGHBOURS[cell][way]


def _meteor_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    toward = next((face for face in turn.left if face.startswith("toward:")), None)
    distance = next((face for face in turn.left if face.startswith("distance:")), None)
    if toward is None or distance is None:
        return
    uses = (toward, distance)
    ways = list(DIRECTIONS) if toward == "toward:any" else directions_of(toward.partition(":")[2])
    number = next_number(position.marks, "crater")
    lost = number_in(position.marks, "lost")
    for cell in dict.fromkeys(_struck(position, way, int(distance[-1])) for way in ways):
        name = NAMES[cell]
        old = ((name, "crater"),) if cell in position.having("crater") else ()
        if cell in position.cells:
            marks = ((name, f"crater:{number}"), ("lost", str(lost + 1)))
            yield Placement(uses, marks=marks, erase=old, destroy=(name,))
        else:
            yield Placement(uses, marks=((name, f"crater:{number}"),), erase=old)
    for shape in turn.specials:
        yield Placement(uses, special=shape)


def _meteor_points(position: Position) -> Iterator[StarLine]:
    for cell in sorted(_craters(position)):
        facing = ends_facing(position, cell)
        if facing:
            says = m("Ends at the crater in {cell}", cell=NAMES[cell])
            yield StarLine(says, 2 * len(facing), named({cell, *(cell_of(node) for node, _, _ in facing)}))


def _surrounded(position: Position) -> Shown:
    for cell in sorted(_craters(position)):
        if sum(other in position.cells for other in around(cell)) == 4:
            return sorted(around(cell))
    return None


def _craters_joined(position: Position) -> Shown:
    facing = {cell: {node for node, _, _ in ends_facing(position, cell)} for cell in _craters(position)}
    for network in all_networks(lay_tracks(position)):
        reached = [cell for cell, nodes in facing.items() if nodes & {*network.nodes}]
        if len(reached) >= 2:
            return sorted({cell_of(node) for node in network.nodes})
    return None


METEOR_RULES = Rules(
    _meteor_placements,
    _meteor_points,
    goals={"MA": _surrounded, "MB": _craters_joined, "MC": _lost},
)
