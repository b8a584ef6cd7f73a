"""The connected components of a player's track, kept up to date edge by edge; made anew after a flood only.

``linked`` has for every place on a player's track its component, called its *group*. A major city is one
place (its red area joins its seven mileposts), so a group with six of the seven has connected six cities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from companion.games.empire_builder.rules.boards.board import Board, City

Linked = dict[int, int]


def linked_with(board: Board, linked: Linked, edge: int) -> Linked:
    """The groups after one more edge."""
    one, other = (board.hub[end] for end in board.edges[edge])
    first, second = linked.get(one), linked.get(other)
    if first is None and second is None:
        return {**linked, one: one, other: one}
    if first is None or second is None:
        group = second if first is None else first
        return {**linked, one: group, other: group}  # type: ignore[dict-item]
    if first == second:
        return linked
    return {place: first if group == second else group for place, group in linked.items()}


def linked_from(board: Board, edges: Iterable[int]) -> Linked:
    """The groups of a whole network, made edge by edge."""
    linked: Linked = {}
    for edge in edges:
        linked = linked_with(board, linked, edge)
    return linked


def groups(linked: Linked) -> set[frozenset[int]]:
    """The groups as sets of places."""
    found: dict[int, set[int]] = {}
    for place, group in linked.items():
        found.setdefault(group, set()).add(place)
    return {frozenset(places) for places in found.values()}


def searched_groups(board: Board, edges: Iterable[int]) -> set[frozenset[int]]:
    """Find the groups of a network by graph search, to check :func:`linked_with`."""
    ways: dict[int, list[int]] = {}
    for edge in edges:
        one, other = (board.hub[end] for end in board.edges[edge])
        ways.setdefault(one, []).append(other)
        ways.setdefault(other, []).append(one)
    found: set[frozenset[int]] = set()
    left = set(ways)
    while left:
        reached = {left.pop()}
        waiting = list(reached)
        while waiting:
            fresh = [place for place in ways[waiting.pop()] if place not in reached]
            reached.update(fresh)
            waiting.extend(fresh)
        left -= reached
        found.add(frozenset(reached))
    return found


def connected_majors(board: Board, linked: Linked) -> tuple[City, ...]:
    """The major cities in that group of a player which has most of them; one alone counts, too."""
    reached = Counter(linked[hub] for hub in board.major_hubs if hub in linked)
    if not reached:
        return ()
    best = max(reached, key=lambda group: (reached[group], -group))
    return tuple(city for city in board.majors if linked.get(city.middle) == best)


def edges_of(track: Mapping[int, int], seat: int) -> list[int]:
    """A seat's edges in the order they were built."""
    return [edge for edge, owner in track.items() if owner == seat]


def builders(board: Board, track: Mapping[int, int], city: City) -> set[int]:
    """The seats whose track reaches a city."""
    found = (track.get(edge) for milepost in city.mileposts for _, edge in board.ways[milepost])
    return {seat for seat in found if seat is not None}
