"""The longest walk where there are too many walks to try: exact dynamic programming along a frontier.

A set of links can be walked in one go, each link once, exactly when it is connected and at most two pieces
have an odd number of them (Euler). So instead of walks we look for the best such *set*. The pieces are taken
in the order of their cells. Which choices may still follow depends only on the chosen links that cross the
frontier, on which of them are connected behind it, and on how many odd pieces there are so far: that is a
*state*, and of all choices with the same state only the best is kept. A 7 by 7 board has at most eight links
across its frontier, so there are thousands of states, not billions of walks. States that cannot beat the best
walk found so far, and dominated ones, are dropped.

Under ``path`` every piece has at most two links and a cell with two curves uses one of them; a ring is
allowed then, for it counts as much as the path that is left without one of its links.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain, combinations
from typing import TypeAlias

from companion.games.railroad_ink.rules.boards.position import Longest
from companion.games.railroad_ink.rules.scoring.network import Links, Node

Link: TypeAlias = tuple[Node, Node]  # the earlier piece first
# For each link across the frontier: 0 if not chosen, else the number of its connected component.
_Labels: TypeAlias = tuple[int, ...]
# Labels, odd pieces so far, and (under ``path``) is the first curve of this cell used.
_State: TypeAlias = tuple[_Labels, int, bool]
_Chosen: TypeAlias = tuple[int, int]  # what it counts, and the set of links, a bit for each
_States: TypeAlias = dict[_State, _Chosen]

_OWN_LABEL = 99  # of a new component, until the components are numbered again
_CROWD = 50  # with fewer states than this, finding the dominated ones costs more than it saves


@dataclass(frozen=True, slots=True)
class _Choice:
    """A subset of the links that lead on from a piece: how many, which of them, and their bits."""

    count: int
    marks: tuple[bool, ...]
    bits: int


@dataclass(frozen=True, slots=True)
class _Stage:
    """The transition at one piece: which labels belong to links that end there, which stay, the choices."""

    second_in_cell: bool
    first_of_two: bool
    arriving: tuple[int, ...]
    staying: tuple[int, ...]
    choices: tuple[_Choice, ...]
    to_come: int  # upper bound of what all later pieces add


def best_links(links: Links, reading: Longest, beat: int) -> list[Link]:
    """The links of a longest walk if it counts more than ``beat``; none otherwise.

    >>> best_links({2: [16], 16: [2, 30], 30: [16]}, "trail", 2)
    [(2, 16), (16, 30)]
    """
    order = sorted((node, other) for node, others in links.items() for other in others if node < other)
    frontier = _Frontier(reading, beat)
    states: _States = {((), 0, False): (int(reading == "visits"), 0)}
    for stage in _stages(links, order, reading):
        states = frontier.advance(states, stage)
        if len(states) > _CROWD:
            # Drop dominated states (another state counts at least as much and allows every
            # continuation)
            rivals: dict[tuple[tuple[bool, ...], bool], list[_State]] = defaultdict(list)
            for state in states:
                rivals[tuple([label > 0 for label in state[0]]), state[2]].append(state)
            kept: _States = {}
            for group in rivals.values():
                winners: list[_State] = []
                for state in sorted(
                    group, key=lambda state: (-states[state][0], state[1], max(state[0], default=0))
                ):
                    if not any(winner[1] <= state[1] and _coarser(winner[0], state[0]) for winner in winners):
                        winners.append(state)
                        kept[state] = states[state]
            states = kept
    return [link for number, link in enumerate(order) if frontier.best_bits >> number & 1]


def _stages(links: Links, order: list[Link], reading: Longest) -> list[_Stage]:
    crossing: list[Link] = []
    stages = []
    nodes_left, links_left = len(links), len(order)
    for node in sorted(links):
        onwards = [link for link in order if link[0] == node]
        nodes_left, links_left = nodes_left - 1, links_left - len(onwards)
        stages.append(
            _Stage(
                second_in_cell=bool(node & 1),
                first_of_two=reading == "path" and not node & 1 and node + 1 in links,
                arriving=tuple(place for place, link in enumerate(crossing) if link[1] == node),
                staying=tuple(place for place, link in enumerate(crossing) if link[1] != node),
                choices=tuple(_choices(onwards, order)),
                to_come=links_left if reading == "visits" else nodes_left,
            )
        )
        crossing = [link for link in crossing if link[1] != node] + onwards
    return stages


def _choices(onwards: list[Link], order: list[Link]) -> list[_Choice]:
    subsets = chain.from_iterable(combinations(onwards, count) for count in range(len(onwards) + 1))
    return [
        _Choice(
            len(chosen),
            tuple(link in chosen for link in onwards),
            sum(1 << order.index(link) for link in chosen),
        )
        for chosen in subsets
    ]


class _Frontier:
    """The search: how it counts, and the best complete set of links found so far."""

    def __init__(self, reading: Longest, beat: int) -> None:
        self.reading = reading
        self.best = beat
        self.best_bits = 0

    def advance(self, states: _States, stage: _Stage) -> _States:
        """The states after a piece, each from a state before it and a choice of links."""
        found: _States = {}
        for state, (count, bits) in states.items():
            arriving = [state[0][place] for place in stage.arriving if state[0][place]]
            staying = [state[0][place] for place in stage.staying]
            for choice in stage.choices:
                degree = len(arriving) + choice.count
                if not self._allowed(degree, state, stage):
                    continue
                counted = count + (choice.count if self.reading == "visits" else degree > 0)
                labels = _joined(arriving, staying, choice)
                if labels is None:
                    self._finish(staying, counted, bits | choice.bits)
                elif counted + stage.to_come > self.best:
                    after = (labels, state[1] + (degree & 1), stage.first_of_two and degree > 0)
                    if after not in found or found[after][0] < counted:
                        found[after] = (counted, bits | choice.bits)
        return found

    def _allowed(self, degree: int, state: _State, stage: _Stage) -> bool:
        if self.reading == "path" and (degree > 2 or (stage.second_in_cell and degree and state[2])):
            return False
        return state[1] + (degree & 1) <= 2

    def _finish(self, elsewhere: list[int], count: int, bits: int) -> None:
        """A component ends here: the set is complete unless another component crosses the frontier."""
        if count > self.best and not any(elsewhere):
            self.best, self.best_bits = count, bits


def _joined(arriving: list[int], staying: list[int], choice: _Choice) -> _Labels | None:
    """The labels after a piece that merges the components arriving at it; None if their component ends."""
    label = arriving[0] if arriving else _OWN_LABEL
    for other in arriving[1:]:
        if other != label:
            staying = [label if found == other else found for found in staying]
    if arriving and not choice.count and label not in staying:
        return None
    numbers = {0: 0}
    labels = staying + [label * mark for mark in choice.marks]
    return tuple([numbers.setdefault(found, len(numbers)) for found in labels])


def _coarser(one: _Labels, other: _Labels) -> bool:
    """Return True if all links connected in ``other`` are connected in ``one`` as well."""
    numbers: dict[int, int] = {}
    return all(numbers.setdefault(there, here) == here for here, there in zip(one, other, strict=True))


def walk_along(links: list[Link]) -> list[Node]:
    """One walk that uses each of the links once (Hierholzer's algorithm).

    >>> walk_along([(2, 16), (16, 30)])
    [2, 16, 30]
    """
    left: dict[Node, list[Node]] = defaultdict(list)
    for one, other in links:
        left[one].append(other)
        left[other].append(one)
    odd = [node for node, others in left.items() if len(others) & 1]
    ahead, walk = [min(odd, default=links[0][0])], []
    while ahead:
        if left[ahead[-1]]:
            other = left[ahead[-1]].pop()
            left[other].remove(ahead[-1])
            ahead.append(other)
        else:
            walk.append(ahead.pop())
    return walk[::-1]
