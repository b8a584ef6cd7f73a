"""Looks at the cells of a board as costs: what the rules weigh. See :mod:`companion.games.kit.evidence`.

Marks are numbered here: a route by its place in the vocabulary, the empty cell by :data:`NOTHING`. As a mark
a route is a ``Route``, the empty cell is None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from companion.games.kit import evidence
from companion.games.kit.evidence import EMPTY, Look, Looks
from companion.games.railroad_ink.rules.routes import VOCABULARY, Cells, Route, parse_route
from companion.games.railroad_ink.rules.rulebook import GRID

# By cell and number of the mark, in nats; None where nothing was seen.
Costs: TypeAlias = Sequence[Sequence[float] | None]

NOTHING = len(VOCABULARY)  # the number of the empty cell
MARKS: tuple[Route | None, ...] = (*VOCABULARY, None)


def costs_of(looks: Looks) -> Costs:
    """The cost of every mark in every cell.

    >>> costs = costs_of({"b1": {"NS": 0.9, "": 0.1}})[1]
    >>> round(costs[NOTHING], 1), round(max(costs), 1), costs_of({})[0]
    (2.2, 11.1, None)
    """
    return [_cell_costs(looks.get(name)) for name in GRID.names]


def _cell_costs(look: Look) -> Sequence[float] | None:
    if not look:
        return None
    numbered: dict[int, float] = {}
    for text, p in look.items():
        number = mark_number(text)
        numbered[number] = numbered.get(number, 0.0) + p  # "NS" and "SN" are one mark
    for number in range(len(MARKS)):
        numbered.setdefault(number, 0.0)
    costs = evidence.costs_of(numbered, len(MARKS))
    return [costs[number] for number in range(len(MARKS))]


def mark_number(text: str) -> int:
    """The number of a route, or of the empty cell."""
    return parse_route(text).number if text else NOTHING


def mark_text(mark: Route | None) -> str:
    """How a mark is written in a look."""
    return mark.text if mark is not None else EMPTY


def cheapest(costs: Sequence[float]) -> Route | None:
    """The mark that the picture shows best."""
    return MARKS[min(range(len(costs)), key=costs.__getitem__)]


def cost_of(costs: Sequence[float] | None, mark: Route | None) -> float:
    """The cost of a mark in a cell; 0 where nothing was seen, and of routes that only expansions draw."""
    if costs is None or (mark is not None and mark.number >= NOTHING):
        return 0.0
    return costs[NOTHING if mark is None else mark.number]


def cells_as_seen(costs: Costs, before: Cells) -> Cells:
    """What the picture shows by itself; unseen cells are as they were."""
    seen: Cells = {}
    for cell, own in enumerate(costs):
        mark = before.get(cell) if own is None else cheapest(own)
        if mark is not None:
            seen[cell] = mark
    return seen


def with_answers(looks: Looks, answers: Mapping[str, str]) -> dict[str, Look]:
    """The looks with some cells settled by people; what is no cell or no route is a NotationError.

    >>> with_answers({"a1": None}, {"a1": "EN"})
    {'a1': {'NE': 1.0}}
    """
    return evidence.with_answers(
        looks,
        answers,
        lambda name: GRID.names[GRID.cell(name)],
        lambda text: mark_text(MARKS[mark_number(text)]),
    )
