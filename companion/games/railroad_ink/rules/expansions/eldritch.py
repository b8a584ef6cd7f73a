"""Portal, Ritual, Tentacle, Investigation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from companion.core.messages import m
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import HIGHWAY, RAILWAY, TYPES
from companion.games.railroad_ink.rules.expansions.frame import (
    Placement,
    Rules,
    Shown,
    StarLine,
    Turn,
    Wiring,
    groups,
    named,
    network_value,
    simple,
)
from companion.games.railroad_ink.rules.expansions.marks import (
    edge_name,
    ends_text,
    number_in,
    places_with,
)
from companion.games.railroad_ink.rules.rulebook import EXIT_AT, NAMES, NEIGHBOURS
from companion.games.railroad_ink.rules.scoring.network import (
    Network,
    Node,
    Tracks,
    all_networks,
    cell_of,
    lay_tracks,
    links_of,
)
from companion.sheets.grid import DIRECTIONS, opposite

# --- Portal ---


def _pairs(position: Position) -> list[tuple[int, int]]:
    """The cells of matching portals."""
    by_letter: dict[str, list[int]] = {}
    for cell, letter in sorted(position.having("portal").items()):
        by_letter.setdefault(letter, []).append(cell)
    return [(cells[0], cells[1]) for _, cells in sorted(by_letter.items()) if len(cells) == 2]


def _portal_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    letters = list(position.having("portal").values())
    for face in dict.fromkeys(turn.left):
        if letters.count(face[-1]) < 2:
            yield from simple(position, face)


def _portal_tracks(position: Position, tracks: Tracks) -> Tracks:
    """A pair is one way: a longest route goes on through two portals of its type."""
    wiring = Wiring(tracks)
    for one, other in _pairs(position):
        if one not in position.cells or other not in position.cells:
            continue
        kinds = [
            kind for kind in TYPES if position.cells[one].ends[kind] and position.cells[other].ends[kind]
        ]
        for kind in kinds:
            wiring.link(kind, 2 * one, 2 * other)
        if not kinds:
            wiring.join((2 * one, 2 * other))
    return wiring.done()


def _portals_on_universities(position: Position) -> Shown:
    found = sorted(set(position.having("portal")) & position.edition.university)
    return found if len(found) >= 3 else None


def _loop_through_portals(position: Position) -> Shown:
    """The two portals of a pair are joined without their own link, too."""
    tracks = lay_tracks(position)
    links = links_of(*tracks.links, tracks.joins)
    for one, other in _pairs(position):
        seen = [2 * one]
        for node in seen:
            for step in links.get(node, []):
                direct = node == 2 * one and step == 2 * other
                if not direct and step not in seen:
                    seen.append(step)
        if 2 * other in seen:
            return sorted({cell_of(node) for node in seen})
    return None


def _three_portals(position: Position) -> Shown:
    found = groups(position.having("portal"))
    return found[0] if found and len(found[0]) >= 3 else None


PORTAL = Rules(
    _portal_placements,
    tracks=_portal_tracks,
    goals={"PA": _portals_on_universities, "PB": _loop_through_portals, "PC": _three_portals},
)


# --- Ritual ---


def _ritual_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    for face in dict.fromkeys(turn.left):
        yield from simple(position, face, joined=False)
    if not turn.dice and number_in(position.marks, "opened") < turn.round:
        for cell, way in _border_ends(position):
            if edge_name(cell, way) not in position.marks:
                yield Placement((), marks=((edge_name(cell, way), "gate"), ("opened", str(turn.round))))


def _border_ends(position: Position) -> list[tuple[int, int]]:
    """The ends at the border of the board where there is no exit."""
    return [
        (cell, way)
        for cell, route in sorted(position.cells.items())
        for way in DIRECTIONS
        if (route.highway | route.railway) >> way & 1
        and NEIGHBOURS[cell][way] < 0
        and (cell, way) not in EXIT_AT
    ]


def _madness(position: Position, tracks: Tracks) -> tuple[Network | None, int, int]:
    """The network with most rituals and gates, and how many of each."""
    rituals = position.having("ritual")
    gates = set(places_with(position.marks, "gate"))
    best: tuple[Network | None, int, int] = (None, 0, 0)
    for network in all_networks(tracks):
        cells = {cell_of(node) for node in network.nodes}
        inside = len(cells & {*rituals})
        opened = sum(edge_name(cell, way) in gates and cell in cells for cell, way in _border_ends(position))
        if inside and inside + opened > best[1] + best[2]:
            best = (network, inside, opened)
    return best


def _ritual_tracks(position: Position, tracks: Tracks) -> Tracks:
    """The exits of the madness network do not count."""
    network, _, _ = _madness(position, tracks)
    if network is None:
        return tracks
    kept = {node: exit for node, exit in tracks.exits.items() if node not in network.nodes}
    return replace(tracks, exits=kept)


def _ritual_points(position: Position) -> Iterator[StarLine]:
    network, rituals, opened = _madness(position, lay_tracks(position))
    if network is not None and rituals + opened > 1:
        cells = named({cell_of(node) for node in network.nodes})
        yield StarLine(
            m("Madness network, {rituals} rituals and {opened} gates", rituals=rituals, opened=opened),
            network_value(position, rituals + opened),
            cells,
        )


RITUAL = Rules(_ritual_placements, _ritual_points, _ritual_tracks)


# --- Tentacle ---


def _tentacle_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    for face in dict.fromkeys(turn.left):
        length = int(face.partition(":")[2])
        for cell in position.layout.cells:
            for way in DIRECTIONS:
                if NEIGHBOURS[cell][way] < 0 and (cell, way) not in EXIT_AT:
                    for path in _reaching(position, cell, way, length, ()):
                        marks = tuple((NAMES[one], f"tentacle:{ends_text(ends)}") for one, ends in path)
                        yield Placement((face,), marks=marks)


_Path: TypeAlias = tuple[tuple[int, tuple[int, ...]], ...]  # cells and the sides that the tentacle passes


def _reaching(position: Position, cell: int, entered: int, length: int, before: _Path) -> Iterator[_Path]:
    if any(cell == one for one, _ in before) or cell in position.filled:
        return
    route = position.cells.get(cell)
    taken = 0 if route is None else route.highway | route.railway
    if taken >> entered & 1 or taken.bit_count() > 2 or (route is not None and route.station):
        return
    if length == 1:
        if route is None:
            yield (*before, (cell, (entered,)))
        return
    for way in DIRECTIONS:
        other = NEIGHBOURS[cell][way]
        if way != entered and other >= 0 and not taken >> way & 1:
            yield from _reaching(
                position, other, opposite(way), length - 1, (*before, (cell, (entered, way)))
            )


def _tentacle_points(position: Position) -> Iterator[StarLine]:
    cells = position.having("tentacle")
    starts = [
        cell for cell, ends in cells.items() if any(NEIGHBOURS[cell]["NESW".index(end)] < 0 for end in ends)
    ]
    shared = [cell for cell in cells if cell in position.cells]
    if starts:
        yield StarLine(m("{starts} tentacles", starts=len(starts)), 2 * len(starts), named(starts))
    if shared:
        yield StarLine(m("Spaces that a tentacle shares with a route"), len(shared), named(shared))


TENTACLE = Rules(_tentacle_placements, _tentacle_points)


# --- Investigation ---


def _investigation_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    """A route with a clue, which lets the investigator walk: at most so many steps."""
    for face in dict.fromkeys(turn.left):
        if not face.startswith("step:"):
            for one in simple(position, face):
                steps = face[-1]
                marks = tuple((place, "clue") for place, _ in one.marks)
                yield Placement((face,), one.cell, one.route, marks, gives=(f"step:{steps}",))
        else:
            tracks = lay_tracks(position)
            here = position.having("investigator")
            clues = set(position.having("clue")) - set(position.having("found"))
            starts = [node for cell in here for node in (2 * cell, 2 * cell + 1)] or list(tracks.exits)
            erase = tuple((NAMES[cell], "investigator") for cell in here)
            reached: dict[tuple[Node, frozenset[int]], None] = {}
            waiting = [(start, frozenset({cell_of(start)} & clues), int(face[-1])) for start in starts]
            for node, seen, left in waiting:
                if (node, seen) not in reached:
                    reached[node, seen] = None
                for step in _steps(position, tracks, node) if left else ():
                    after = (step, seen | ({cell_of(step)} & clues), left - 1)
                    if after not in waiting:
                        waiting.append(after)
            for end, seen in dict.fromkeys((cell_of(node), seen) for node, seen in reached):
                words = {NAMES[cell]: "found" for cell in sorted(seen)}
                name = NAMES[end]
                words[name] = " ".join([*([words[name]] if name in words else []), "investigator"])
                yield Placement((face,), marks=tuple(words.items()), erase=erase)


def _steps(position: Position, tracks: Tracks, node: Node) -> list[Node]:
    """A space along a highway, or a ride along a railway to the next station."""
    found = list(tracks.links[HIGHWAY].get(node, []))
    rails = tracks.links[RAILWAY]
    riding, seen = list(rails.get(node, [])), {node}
    for one in riding:
        if one in seen:
            continue
        seen.add(one)
        route = position.cells.get(cell_of(one))  # a space of another expansion has none
        if route is not None and route.pieces[one & 1].station:
            found.append(one)
        else:
            riding += [other for other in rails.get(one, []) if other not in seen]
    return found


def _investigation_points(position: Position) -> Iterator[StarLine]:
    clues, found = position.having("clue"), position.having("found")
    if found:
        yield StarLine(m("{found} clues found", found=len(found)), len(found), named(found))
    if clues and set(clues) <= set(found):
        yield StarLine(m("All clues found"), 4, named(clues))


INVESTIGATION = Rules(_investigation_placements, _investigation_points)
