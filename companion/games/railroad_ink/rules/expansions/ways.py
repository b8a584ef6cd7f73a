"""Searches for two disjoint ways from a space to two exits."""

from __future__ import annotations

from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.scoring.network import (
    Links,
    Node,
    cell_of,
    exit_networks,
    lay_tracks,
    links_of,
)


def joined_by(position: Position, cells: set[int]) -> list[int] | None:
    """The cells of a network in which a way between two exits leads through one of these cells."""
    tracks = lay_tracks(position)
    links = links_of(*tracks.links, tracks.joins)
    for network in exit_networks(tracks):
        exits = {node for node in network.nodes if node in tracks.exits}
        if any(cell_of(node) in cells and two_ways(links, node, exits) for node in network.nodes):
            return sorted({cell_of(node) for node in network.nodes})
    return None


def two_ways(links: Links, middle: Node, exits: set[Node]) -> bool:
    """Return True if two disjoint ways lead from ``middle`` to two of the exits.

    Suurballe's idea for two disjoint paths: find one by breadth-first search; then search again, where a
    piece of the first way may be entered only to follow that way back.
    """
    if middle in exits:
        return len(exits) > 1
    came_from = _search(links, middle, exits)
    if came_from is None:
        return False
    (goal,) = exits & came_from.keys()
    before = {goal: came_from[goal]}  # the first way: a piece -> the piece before it
    while before[next(reversed(before))] != middle:
        last = before[next(reversed(before))]
        before[last] = came_from[last]
    seen = {(middle, False)}
    waiting = [(middle, False)]  # a piece, and whether only the first way may be followed back from it
    for node, back_only in waiting:
        steps = [(before[node], False)] if node in before else []
        if not back_only:
            after = {piece for piece, earlier in before.items() if earlier == node}
            steps += [(other, other in before) for other in links.get(node, []) if other not in after]
        for step in steps:
            if step[0] in exits and step[0] != goal:
                return True
            if step not in seen and step[0] != middle:
                seen.add(step)
                waiting.append(step)
    return False


def _search(links: Links, start: Node, goals: set[Node]) -> dict[Node, Node] | None:
    """Where each piece was reached from, up to the first goal; it is the only goal in there."""
    came_from = {start: start}
    waiting = [start]
    for node in waiting:
        for other in links.get(node, []):
            if other not in came_from:
                came_from[other] = node
                if other in goals:
                    return came_from
                waiting.append(other)
    return None
