"""The candidate marks of each cell with their costs, and whole areas in order of total cost.

Probabilities and costs are those of :mod:`companion.reading.evidence`; a mark is a face, or ``""`` for none.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import TypeAlias

from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.rules.cards import FACES, parse_face
from companion.games.derailed.rules.network import cell_number, grid_of
from companion.reading import evidence
from companion.reading.evidence import EMPTY, OUTLIER_RATE, MarkProbabilities, SheetProbabilities

Cells: TypeAlias = dict[str, str]  # the uppermost faces

_POSSIBLE = len(FACES) + 1  # marks of a cell
MAX_NLL = 9.0  # nats: as in the kit, with fewer marks
_C = CONSTANTS.choices


@dataclass(frozen=True)
class Choice:
    """A cell and the marks that may be in it with their costs, the cheapest first."""

    cell: str
    options: tuple[tuple[float, str], ...]


def _leading_alike() -> dict[str, tuple[str, ...]]:
    """For every face, the other faces whose track continues by the same sides."""
    linked = {face: parse_face(face).linked for face in FACES}
    return {
        face: tuple(sorted(other for other in FACES if other != face and linked[other] == sides))
        for face, sides in linked.items()
    }


_ALIKE = _leading_alike()


def with_mistakes(marks: MarkProbabilities) -> MarkProbabilities:
    """Spread part of each face's probability over the faces it is easily mistaken for.

    >>> look = with_mistakes({"TB": 1.0, "": 0.0})
    >>> sorted(face for face, p in look.items() if p > 0)
    ['TB', 'TB|l', 'TB|lr', 'TB|r']
    """
    if marks is None:
        return None
    mixed = dict(marks)
    for face, p in marks.items():
        for other in _ALIKE.get(face, ()):
            moved = p * _C.mistaken / len(_ALIKE[face])
            mixed[face] -= moved
            mixed[other] = mixed.get(other, 0.0) + moved
    return dict(sorted(mixed.items(), key=lambda one: -one[1]))


def costs_of(marks: Mapping[str, float]) -> dict[str, float]:
    """The cost of everything that a look names.

    >>> {face: round(cost, 1) for face, cost in costs_of({"TB": 0.9, "": 0.1}).items()}
    {'TB': 0.0, '': 2.2}
    """
    return evidence.costs_of(marks, _POSSIBLE)


def cost_in(costs: Mapping[str, float], face: str) -> float:
    """The cost of a face in nats; a face that the look does not name has the highest."""
    return costs.get(face, log((1 - OUTLIER_RATE) * _POSSIBLE / OUTLIER_RATE))


def as_seen(probabilities: SheetProbabilities, before: Mapping[str, str]) -> Cells:
    """The area as the picture shows it by itself; unseen cells stay as they were."""
    seen: Cells = {}
    for cell, marks in probabilities.items():
        face = before.get(cell, EMPTY) if marks is None else max(marks, key=lambda one: marks[one])
        if face:
            seen[cell] = face
    return {**{cell: face for cell, face in before.items() if cell not in probabilities}, **seen}


def with_answers(
    probabilities: SheetProbabilities, lanes: int, answers: Mapping[str, str]
) -> dict[str, MarkProbabilities]:
    """The probabilities with some cells settled by people; what is no cell or no face is a NotationError.

    >>> with_answers({"a1": None}, 2, {"a1": "BT"})
    {'a1': {'TB': 1.0}}
    """
    names = grid_of(lanes).names
    return evidence.with_answers(
        probabilities,
        answers,
        lambda cell: names[cell_number(lanes, cell)],
        lambda face: parse_face(face).text if face else EMPTY,
    )


def cheapest_first(choices: Sequence[Choice], most: int) -> Iterator[tuple[float, tuple[str, ...]]]:
    """The ``most`` cheapest ways to choose one option for each cell, cheapest first (best-first enumeration).

    A heap holds the candidates; from each taken way follow those with the next option in one of the cells.

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
