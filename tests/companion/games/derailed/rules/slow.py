"""A slow, obvious search for paths, written from the notation alone: it shares no code with the rules.

Every track of every card is a string such as ``b2:LT``; every walk of a train is tried, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

OTHER_SIDE = {"L": "R", "R": "L", "T": "B", "B": "T", "U": "U"}
ROWS = 4


def joined(face: str, port: str) -> set[str]:
    """The ports that a train can leave by."""
    return {end for piece in face.split("|") if piece.isupper() and port in piece for end in piece} - {port}


def next_place(cells: Mapping[str, str], lanes: int, cell: str, port: str) -> tuple[str, str] | None:
    """The cell and the port on the other side; None outside the lanes."""
    column, row = ord(cell[0]) - 97, int(cell[1])
    if port == "U":
        others = [other for other, face in cells.items() if "U" in face and other != cell]
        return (others[0], "U") if others else None
    column += {"L": -1, "R": 1}.get(port, 0)
    row += {"T": -1, "B": 1}.get(port, 0)
    inside = 0 <= column < lanes and 1 <= row <= ROWS
    return (f"{chr(97 + column)}{row}", OTHER_SIDE[port]) if inside else None


def walks(cells: Mapping[str, str], lanes: int, start: int) -> Iterator[list[tuple[str, str]]]:
    """Every walk from a start, as the places come into; a walk ends where it would come in twice."""
    waiting = [[(f"{chr(97 + start)}1", "T")]]
    while waiting:
        walk = waiting.pop()
        yield walk
        cell, port = walk[-1]
        for end in joined(cells.get(cell, ""), port):
            place = next_place(cells, lanes, cell, end)
            if place is not None and place not in walk:
                waiting.append([*walk, place])


def arrives(cells: Mapping[str, str], lanes: int, start: int, destination: int) -> bool:
    """Is there a walk that leaves the area at the destination?"""
    goal = f"{chr(97 + destination)}{ROWS}"
    return any(
        walk[-1][0] == goal and "B" in joined(cells.get(goal, ""), walk[-1][1])
        for walk in walks(cells, lanes, start)
    )


def may_lay(
    cells: Mapping[str, str], lanes: int, start: int, cell: str, face: str, dead_ends: str = "stop"
) -> bool:
    """With the card laid, does some walk from the start come into it by a port that counts?"""
    there = {**cells, cell: face}
    counting = {port for piece in face.split("|") if piece.isupper() for port in piece}
    if dead_ends == "connect":
        counting |= {port.upper() for port in face if port.islower()}
    # Up to the first time that the walk comes in: what it does on the new card proves nothing.
    return any(
        walk[-1][0] == cell and walk[-1][1] in counting and all(place != cell for place, _ in walk[:-1])
        for walk in walks(there, lanes, start)
    )


def is_walk(cells: Mapping[str, str], lanes: int, path: list[str], start: int, destination: int) -> bool:
    """Do these steps (``b2:LT``: in by L, out by T) lead from the start to the destination?"""
    steps = [(step.split(":")[0], *step.split(":")[1]) for step in path]
    if not steps or steps[0][:2] != (f"{chr(97 + start)}1", "T"):
        return False
    for (cell, came, left), following in zip(steps, [*steps[1:], None], strict=True):
        if left not in joined(cells[cell], came):
            return False
        beyond = next_place(cells, lanes, cell, left)
        if following is not None and beyond != following[:2]:
            return False
    return (steps[-1][0], steps[-1][2]) == (f"{chr(97 + destination)}{ROWS}", "B")
