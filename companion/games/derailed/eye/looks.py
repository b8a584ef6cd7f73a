"""What a picture says about the cells of the railway area, as numbers the rules can weigh.

A *look* at a cell is a probability for every face and for no card (``""``), or nothing where the cell could
not be seen. Probabilities become *costs*: how much less likely than the cell's best a card is, in nats.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import TypeAlias

from companion.games.derailed.rules.cards import parse_face
from companion.games.derailed.rules.network import cell_number, grid_of

Look: TypeAlias = Mapping[str, float] | None
Looks: TypeAlias = Mapping[str, Look]  # by the cell's name; a cell that is left out was not seen
Cells: TypeAlias = dict[str, str]  # the uppermost faces

EMPTY = ""
# How often a picture fools the reader altogether, so that its probabilities mean nothing. No cell can be
# surer than this leaves it: about 10 nats.
FOOLED = 1e-3
_FACES = 45  # that there are, and none
REACH = 9.0  # nats: what costs more than this is not what the picture shows


@dataclass(frozen=True)
class Choice:
    """A cell and what may lie in it, the cheapest first."""

    cell: str
    options: tuple[tuple[float, str], ...]


def costs_of(look: Mapping[str, float]) -> dict[str, float]:
    """The cost of everything that a look names.

    >>> {face: round(cost, 1) for face, cost in costs_of({"TB": 0.9, "": 0.1}).items()}
    {'TB': 0.0, '': 2.2}
    """
    total = sum(look.values())
    shares = {face: FOOLED / _FACES + (1 - FOOLED) * p / total for face, p in look.items()}
    best = max(shares.values())
    return {face: log(best / share) for face, share in shares.items()}


def cost_in(costs: Mapping[str, float], face: str) -> float:
    """What a face costs; one that was not named costs the most."""
    most = log((1 - FOOLED) * _FACES / FOOLED)
    return costs.get(face, most)


def as_seen(looks: Looks, before: Cells) -> Cells:
    """What the picture shows by itself; unseen cells are as they were."""
    seen: Cells = {}
    for cell, look in looks.items():
        face = before.get(cell, EMPTY) if look is None else max(look, key=lambda one: look[one])
        if face:
            seen[cell] = face
    return {**{cell: face for cell, face in before.items() if cell not in looks}, **seen}


def with_answers(looks: Looks, lanes: int, answers: Mapping[str, str]) -> dict[str, Look]:
    """The looks with some cells settled by people.

    >>> with_answers({"a1": None}, 2, {"a1": "BT"})
    {'a1': {'TB': 1.0}}
    """
    names = grid_of(lanes).names
    settled = {
        names[cell_number(lanes, cell)]: {parse_face(text).text if text else EMPTY: 1.0}
        for cell, text in answers.items()
    }
    return {**looks, **settled}


def cheapest_first(choices: Sequence[Choice], most: int) -> Iterator[tuple[float, tuple[str, ...]]]:
    """Every way to choose one option for each cell, the cheapest whole first, at most so many.

    >>> list(cheapest_first([Choice("a1", ((0.0, "TB"), (1.0, "")))], 5))
    [(0.0, ('TB',)), (1.0, ('',))]
    """
    start = (0,) * len(choices)
    waiting = [(sum(choice.options[0][0] for choice in choices), start)]
    known = {start}
    for _ in range(most):
        if not waiting:
            return
        cost, picked = heapq.heappop(waiting)
        yield cost, tuple(choice.options[n][1] for choice, n in zip(choices, picked, strict=True))
        for at, choice in enumerate(choices):
            n = picked[at] + 1
            following = (*picked[:at], n, *picked[at + 1 :])
            if n < len(choice.options) and following not in known:
                known.add(following)
                heapq.heappush(waiting, (cost + choice.options[n][0] - choice.options[n - 1][0], following))
