"""Where a card may be laid, and why not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from companion.core.messages import listed, m
from companion.game.base import Refusal
from companion.games.derailed.rules.cards import PORT_NAMES, TOP, UNDER, Face, faces_of, parse_face
from companion.games.derailed.rules.network import Area, entered, stops
from companion.games.derailed.rules.rulebook import Company

# Does a dead end that meets the company's track count as a connecting path?
DeadEnds: TypeAlias = Literal["stop", "connect"]
DEAD_ENDS: tuple[DeadEnds, ...] = get_args(DeadEnds)


def open_placements(
    area: Area, lane: int, cards: Iterable[str], dead_ends: DeadEnds = "stop"
) -> list[tuple[str, str]]:
    """Every legal (cell, face) for one of these cards.

    >>> from companion.games.derailed.rules.network import area_of
    >>> open_placements(area_of(2, {}), 1, ["LT", "LR"])
    [('b1', 'LT')]
    """
    faces = [parse_face(text) for card in dict.fromkeys(cards) for text in faces_of(card)]
    tunnel = any(UNDER in face.linked for face in faces)
    return [
        (area.grid.names[cell], face.text)
        for cell, sides in _sides_reached(area, lane, tunnel)
        for face in faces
        if connects(face, sides, dead_ends)
    ]


def connects(face: Face, sides: frozenset[int], dead_ends: DeadEnds) -> bool:
    """True if a face joins track that leads up to it on one of these sides."""
    return not sides.isdisjoint(face.linked if dead_ends == "stop" else face.ports)


def _sides_reached(area: Area, lane: int, tunnel: bool) -> list[tuple[int, frozenset[int]]]:
    """Each cell that a lane's track leads up to, with the sides on which it does so.

    ``tunnel``: a tunnel card is to be laid, to which track may lead underground.
    """
    if tunnel and area.tunnels:
        return [(cell, sides_of(area.with_face(cell, None), lane, cell)) for cell in range(area.grid.size)]
    before = area.reach(lane)
    cells = sorted({entered(place)[0] for place in before})
    return [(cell, _sides_once_bare(area, lane, cell, before)) for cell in cells]


def _sides_once_bare(area: Area, lane: int, cell: int, before: Iterable[int]) -> frozenset[int]:
    """The sides on which track leads up to a cell; where a card is to be covered, without its track."""
    if area.faces[cell] is None:
        return _sides(before, cell)
    return sides_of(area.with_face(cell, None), lane, cell)


def sides_of(area: Area, lane: int, cell: int) -> frozenset[int]:
    """The sides on which a lane's track leads up to a bare cell; ``UNDER``: through the tunnel."""
    before = area.reach(lane)
    mouths = (entered(place) for place in before if entered(place)[0] in area.tunnels)
    underground = any(UNDER in _face(area, mouth).exits[port] for mouth, port in mouths)
    return _sides(before, cell) | ({UNDER} if underground else frozenset())


def _face(area: Area, cell: int) -> Face:
    face = area.faces[cell]
    assert face is not None
    return face


def _sides(before: Iterable[int], cell: int) -> frozenset[int]:
    return frozenset(port for place, port in map(entered, before) if place == cell)


def placement_refusal(
    area: Area, lane: int, company: Company, cell: int, face: Face, dead_ends: DeadEnds = "stop"
) -> Refusal | None:
    """Why a face may not be laid in a cell by the company that starts in a lane; None when it may."""
    uncovered = area.with_face(cell, None)
    sides = sides_of(uncovered, lane, cell)
    if connects(face, sides, dead_ends):
        return None
    seen = sides - {UNDER}
    why = _wrong_sides(area, cell, face, seen) if seen else _stops(uncovered, lane)
    return Refusal(
        "no-path",
        m("this card does not lead back to {short}'s station: {why}", short=company.short, why=why),
        {"cell": area.grid.names[cell], "stops": stops(uncovered, lane)},
    )


def _stops(area: Area, lane: int) -> str:
    first = area.grid.names[lane]
    ends = stops(area, lane)
    if ends:
        return m("the track stops at {ends}", ends=listed(ends))
    if area.faces[lane] is None:
        return m("no card lies at {first}, where its track begins", first=first)
    if _face(area, lane).exits[TOP]:
        return m("the track is a loop that comes back to the station")
    return m("the card at {first} has no track towards the station", first=first)


def _wrong_sides(area: Area, cell: int, face: Face, sides: frozenset[int]) -> str:
    came = listed(_coming(area, cell, side) for side in sorted(sides))
    stubs = sides & face.dead
    return (
        m("the track comes {came}, where this card has a dead end", came=came)
        if stubs
        else m("the track comes {came}, where this card has no track", came=came)
    )


def _coming(area: Area, cell: int, side: int) -> str:
    if side == TOP and cell < area.lanes:
        return m("from the station at the top")
    neighbour, _ = entered(area.beyond(cell, side))
    return m("from {neighbour} at the {side}", neighbour=area.grid.names[neighbour], side=PORT_NAMES[side])
