"""A round as it stands, written as JSON: read strictly, judged, explained."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.jsontext import JsonObject, shaped
from companion.core.records import replaced
from companion.game.base import Refusal
from companion.games.derailed.rules.columns import in_conflict
from companion.games.derailed.rules.placement import DeadEnds
from companion.games.derailed.rules.reports import copies_fault, read_cells
from companion.games.derailed.rules.results import arrival_lines
from companion.games.derailed.rules.rounds import arrival_points, totals, with_arrivals
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, COMPANIES
from companion.games.derailed.rules.setup import columns_fault
from companion.games.derailed.rules.state import Arrival, Options, State, Together

Column: TypeAlias = str | tuple[str, ...]


class ArrivedText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a company that had arrived before."""

    first: bool = False
    turns: int = 0


class PositionText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position as it is written."""

    starts: Column
    destinations: Column
    grid: dict[str, str] = {}
    arrived: dict[str, ArrivedText] = {}
    dead_ends: DeadEnds = "stop"
    first_together: Together = "all"
    tunnels: bool = False
    id: str | int | None = None


def read_position(value: JsonObject, order: str = "") -> State:
    """The position as a state of paper hands; ``order``: the companies clockwise, else by the alphabet."""
    text = shaped(value, PositionText)
    starts, destinations = tuple(text.starts), tuple(text.destinations)
    _refuse(_columns_refusal(starts, destinations))
    cells = read_cells(len(starts), text.grid)
    _refuse(copies_fault(cells, text.tunnels))
    if order and sorted(order) != sorted(starts):
        raise NotationError("bad-order", f"the order {quoted(order)} does not name every company once")
    options = Options(
        companies=order or "".join(sorted(starts)),
        deal="table",
        dead_ends=text.dead_ends,
        first_together=text.first_together,
        tunnels=text.tunnels,
    )
    state = State("umpire", options, starts, destinations, (), {}, (), 1)
    state = replaced(state, grid={cell: (face,) for cell, face in cells.items()})
    found = []
    for letter, known in text.arrived.items():
        if letter not in state.options.companies:
            raise NotationError("unknown-company", f"{quoted(letter)} has no station in this position")
        if known.turns < 0:
            raise NotationError("bad-count", f"{letter} cannot have had {known.turns} turns")
        seat = state.options.companies.index(letter) + 1
        found.append(Arrival(seat, 1, (), first=known.first, turns=known.turns))
    if found and not any(arrival.first for arrival in found):
        if len(found) > 1:
            raise NotationError("no-first", "several have arrived: say which was the first")
        found = [replaced(found[0], first=True)]
    if len(found) >= state.needed and all(arrival.turns for arrival in found):
        message = f"arrival {state.needed} ends the round: the last company has had no turn since"
        raise NotationError("bad-count", message)
    state = replaced(state, arrivals=tuple(found))
    return state if state.enough_arrived else with_arrivals(state, "", None)


def _refuse(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise NotationError(refusal.code, refusal.message)


def _columns_refusal(starts: tuple[str, ...], destinations: tuple[str, ...]) -> Refusal | None:
    unknown = next((letter for letter in starts if letter not in COMPANIES), None)
    if unknown is not None:
        message = f"there is no company {quoted(unknown)}: the letters are {', '.join(COMPANIES)}"
        return Refusal("unknown-company", message)
    if len(starts) not in ARRIVALS_TO_END or len(set(starts)) != len(starts):
        return Refusal("bad-columns", "the starting column has 2 to 6 different companies")
    fault = columns_fault(starts, destinations, "".join(starts))
    conflicts = [] if fault else in_conflict(starts, destinations)
    if conflicts:
        message = (
            f"lane {conflicts[0]} leads a company to itself: swap its destination with the next company's"
        )
        return Refusal("conflict", message)
    return fault


def score_position(value: JsonObject) -> JsonObject:
    """The points of a round as it stands, and the paths that prove the arrivals.

    >>> score_position({"starts": "AB", "destinations": "BA", "grid": {"a1": "TB"}})["points"]
    {'A': 0, 'B': 0}
    """
    state = read_position(value)
    points = totals(state)
    return {
        "points": {state.company(seat).letter: points[seat] for seat in state.seats},
        "arrived": [_letter(state, arrival) for arrival in state.arrivals],
        "first": [_letter(state, arrival) for arrival in state.arrivals if arrival.first],
        "paths": {_letter(state, one): list(one.path) for one in state.arrivals if one.path},
        "round_over": state.enough_arrived,
    }


def _letter(state: State, arrival: Arrival) -> str:
    return state.company(arrival.seat).letter


def explain_position(value: JsonObject) -> list[str]:
    """The score of a position as lines that people can follow."""
    state = read_position(value)
    lines = []
    for arrival in state.arrivals:
        points = arrival_points(arrival)
        lines += arrival_lines(state.company(arrival.seat), list(arrival.path), points, arrival.turns)
    waiting = [state.company(seat).name for seat in state.seats if not state.has_arrived(seat)]
    lines += [f"{name} has not arrived: 0" for name in waiting]
    over = state.enough_arrived
    return [
        *lines,
        f"{len(state.arrived)} of {state.needed} arrivals that end the round{': it is over' if over else ''}",
    ]
