"""What a picture says about the cells of a board, as numbers the rules can weigh.

A *look* at a cell is a probability for every route in question and for the empty cell (``""``), or nothing
where the cell could not be seen. Probabilities become *costs*: how much less likely than the cell's best a
mark is, in nats. A cost of 0 is what the picture shows, 7 is a thousand times less likely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import TypeAlias

from companion.games.railroad_ink.rules.routes import VOCABULARY, Cells, Route, parse_route
from companion.games.railroad_ink.rules.rulebook import GRID

Look: TypeAlias = Mapping[str, float] | None
Looks: TypeAlias = Mapping[str, Look]  # by the cell's name; a cell that is left out was not seen
# By the number of the route, the empty cell last; ``None`` where nothing was seen.
Costs: TypeAlias = Sequence[Sequence[float] | None]

EMPTY = ""
NOTHING = len(VOCABULARY)  # the number of the empty cell
MARKS: tuple[Route | None, ...] = (*VOCABULARY, None)
# How often a picture fools the reader altogether, so that its probabilities mean nothing. No cell can be
# surer than this leaves it: about 11 nats.
FOOLED = 1e-3


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
    shares = [FOOLED / len(MARKS)] * len(MARKS)
    total = sum(look.values())
    for text, probability in look.items():
        shares[mark_number(text)] += (1 - FOOLED) * probability / total
    best = max(shares)
    return [log(best / share) for share in shares]


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
    """What a mark costs; nothing where nothing was seen."""
    return 0.0 if costs is None else costs[NOTHING if mark is None else mark.number]


def cells_as_seen(costs: Costs, before: Cells) -> Cells:
    """What the picture shows by itself; unseen cells are as they were."""
    seen: Cells = {}
    for cell, own in enumerate(costs):
        mark = before.get(cell) if own is None else cheapest(own)
        if mark is not None:
            seen[cell] = mark
    return seen


def with_answers(looks: Looks, answers: Mapping[str, str]) -> dict[str, Look]:
    """The looks with some cells settled by people.

    >>> with_answers({"a1": None}, {"a1": "NE"})
    {'a1': {'NE': 1.0}}
    """
    settled = {GRID.names[GRID.cell(name)]: {mark_name(text): 1.0} for name, text in answers.items()}
    return {**looks, **settled}


def mark_name(text: str) -> str:
    """A mark as it is usually written; an unknown one is a NotationError."""
    return mark_text(MARKS[mark_number(text)])
