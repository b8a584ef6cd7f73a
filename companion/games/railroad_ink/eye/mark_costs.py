"""What a picture says of routes and marks together, as costs: see :mod:`companion.games.kit.evidence`.

The network of routes never saw rivers or trees: where everything in a cell is a mark's (``trees``), it is not
asked, and where a route has a mark beside it (``+trees``), it is trusted less, and not on whether there is a
route at all.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import inf, log
from types import MappingProxyType

from companion.core.messages import m
from companion.games.kit import evidence
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import EMPTY, REACH, Look, Looks
from companion.games.kit.grid import quoted
from companion.games.railroad_ink.eye.costs import MARKS, NOTHING, Costs, costs_of, mark_number
from companion.games.railroad_ink.eye.hints import NO_HINTS, Hints
from companion.games.railroad_ink.eye.mark_classes import (
    CLASSES_OF,
    NONE,
    class_at,
    is_alone,
    told_mark,
)
from companion.games.railroad_ink.eye.readings import SheetReading
from companion.games.railroad_ink.rules.expansions.marks import Marks, directions_of
from companion.games.railroad_ink.rules.routes import VOCABULARY, Cells, Route
from companion.games.railroad_ink.rules.rulebook import GRID

CROSSED_OFF = "crossed-off"  # the slot in which one asks which special route was crossed off
_CRATER = "crater"
# Marks that run to sides of their cell, where they look like ends of routes.
_OPEN = ("river", "lake", "lava")
_LEAST = 1e-6  # a share that is never undercut
ANSWERED = "+"  # behind the name of a cell: the slot of its mark, where routes and marks are asked about
_WIPED = 5.3  # nats: one known sign in two hundred was wiped, faded or drowned in light
_FOOLED = 0.05  # how often a mark beside a route makes the network of routes see another one
_BARRED = REACH + 20.0  # nats: more than any board may cost
_ONLY_EMPTY = [*([_BARRED] * len(MARKS))]
_ONLY_EMPTY[NOTHING] = 0.0


@dataclass(frozen=True)
class MarkedLooks:
    """What a picture shows of a board with an expansion: routes by cell, classes of marks by place."""

    expansion: str
    routes: Looks
    marks: Looks
    hints: Hints = NO_HINTS
    mark_glimpses: Looks = field(default_factory=dict)  # guesses at places that cannot be seen well
    crossed_for: str | None = None  # what people say was crossed off for a die; "" is nothing

    @classmethod
    def of(cls, sheet: SheetReading, routes: Looks | None = None) -> MarkedLooks:
        """What was read from a sheet; other ``routes`` where people settled some of them."""
        return cls(
            sheet.expansion,
            sheet.looks if routes is None else routes,
            sheet.mark_looks,
            sheet.hints,
            sheet.mark_glimpses,
        )

    def guessed(self, known: Container[str]) -> MarkedLooks:
        """With the guesses at places that cannot be seen well, but for those ``known`` from before."""
        routes = {
            name: look
            for name, look in self.hints.glimpses.items()
            if not self.routes.get(name) and name not in known
        }
        marks = {
            place: look
            for place, look in self.mark_glimpses.items()
            if not self.marks.get(place) and place not in known
        }
        return replace(self, routes={**self.routes, **routes}, marks={**self.marks, **marks})

    def settled(self, answers: Mapping[str, str]) -> MarkedLooks:
        """With some marks settled by people, by their slots; "" is nothing.

        >>> MarkedLooks("forest", {}, {"c3": {"trees": 0.6, "": 0.4}}).settled({"c3+": ""}).marks
        {'c3': {'': 1.0}}
        """
        found, crossed_for = dict(self.marks), self.crossed_for
        for slot, text in answers.items():
            if slot == CROSSED_OFF:
                crossed_for = text
                continue
            place = slot.removesuffix(ANSWERED)
            names = CLASSES_OF.get(self.expansion, ()) if place in GRID.names else ("canyon", NONE)
            fitting = [name for name in names if told_mark(name) == _unnumbered(text)]
            if not fitting or place not in found:
                raise NotationError(
                    "unknown-mark",
                    m("{text} cannot be the mark of {slot}", text=quoted(text), slot=quoted(slot)),
                )
            seen = found[place] or {}
            shares = {name: max(seen.get(name, 0.0), _LEAST) for name in fitting}
            found[place] = {name: p / sum(shares.values()) for name, p in shares.items()}
        return replace(self, marks=found, crossed_for=crossed_for)


def _unnumbered(text: str) -> str:
    """A crater's number is no part of its picture."""
    return _CRATER if text.startswith(_CRATER) else text


class MarkCosts:
    """The costs of routes and marks, cell by cell and border by border.

    ``known``: by place, the class that was there before; a sign may have been wiped, and cannot be seen then.
    """

    def __init__(self, looks: MarkedLooks, known: Mapping[str, str] = MappingProxyType({})) -> None:
        self.looks, self.expansion = looks, looks.expansion
        self.plain: Costs = costs_of(looks.routes)
        self._routed: dict[tuple[int, int], list[float] | None] = {}
        possible = len(CLASSES_OF[looks.expansion])
        self.marks: dict[str, dict[str, float]] = {
            place: evidence.costs_of(look, possible) for place, look in looks.marks.items() if look
        }
        for place, name in known.items():
            own = self.marks.get(place)
            if own is not None and NONE in own and name in own:
                own[name] = min(own[name], own[NONE] + _WIPED)

    def mark(self, place: str, name: str) -> float:
        """The cost of a class in a place; 0 where nothing was seen."""
        own = self.marks.get(place)
        return 0.0 if own is None else own.get(name, _BARRED)

    def class_cost(self, marks: Marks, cell: int, route: Route | None) -> float:
        """The cost of what stands in a cell besides its route."""
        if self.expansion == "canyon":
            return 0.0
        name = class_at(marks, cell, route)
        # Whether a crater still shows depends on what is drawn over it: see below.
        return 0.0 if name is None or name == _CRATER else self.mark(GRID.names[cell], name)

    def route(self, marks: Marks, cell: int, route: Route | None) -> float:
        """The cost of a route, or of none, in a cell with these marks."""
        own = self._beside(marks, cell, route)
        if self.expansion == "meteor":  # a route may be drawn over the crater in the same round
            return 0.0
        if own is None or own is _ONLY_EMPTY:
            return 0.0 if route is None or own is None else inf
        return own[NOTHING if route is None else route.number]

    def borders(self, marks: Marks) -> float:
        """The cost of all canyons."""
        if self.expansion != "canyon":
            return 0.0
        return sum(self.mark(place, "canyon" if place in marks else NONE) for place in self.marks)

    def all_marks(self, marks: Marks, cells: Cells) -> float:
        """The cost of all marks of a board."""
        each = (self.class_cost(marks, cell, cells.get(cell)) for cell in range(GRID.size))
        return self.borders(marks) + sum(each)

    def routes_beside(self, marks: Marks, cells: Cells) -> Costs:
        """The costs of routes in every cell of a board with these marks: none fits where a mark fills it."""
        return [self._beside(marks, cell, cells.get(cell)) for cell in range(GRID.size)]

    def _beside(self, marks: Marks, cell: int, route: Route | None) -> Sequence[float] | None:
        name = NONE if self.expansion == "canyon" else class_at(marks, cell, route)
        if name == _CRATER:
            return self._over_crater(cell)
        if name is not None and is_alone(name):
            return _ONLY_EMPTY
        return self.plain[cell] if name == NONE or name is None else self._routed_beside(cell, name)

    def _routed_beside(self, cell: int, name: str) -> list[float] | None:
        """The costs of routes in a cell where there is one, and a mark of this class beside it."""
        key = cell, _sides(name)
        if key not in self._routed:
            self._routed[key] = _routed(self.looks.routes.get(GRID.names[cell]), _sides(name))
        return self._routed[key]

    def _over_crater(self, cell: int) -> Sequence[float] | None:
        """A crater may stay, or go under a route."""
        own, place = self.plain[cell], GRID.names[cell]
        if own is None or place not in self.marks:
            return own
        gone = self.mark(place, NONE)
        return [*(gone + cost for cost in own[:NOTHING]), self.mark(place, _CRATER)]

    def surely_not(self, place: str, text: str) -> bool:
        """True if the picture clearly shows something else than this mark."""
        own = self.marks.get(place)
        if own is None:
            return False
        return (
            min((cost for name, cost in own.items() if told_mark(name) == text), default=_BARRED) > REACH / 2
        )

    def by_itself(self) -> tuple[Marks, Costs]:
        """The most probable marks by the picture alone, and the costs of routes beside them."""
        seen = {place: _best(look) for place, look in self.looks.marks.items() if look}
        marks = {place: told_mark(name) for place, name in seen.items() if name != NONE}
        costs: list[Sequence[float] | None] = []
        for cell, place in enumerate(GRID.names):
            name = seen.get(place, NONE)
            beside = self.plain[cell] if name == NONE else self._routed_beside(cell, name)
            costs.append(_ONLY_EMPTY if is_alone(name) else beside)
        return marks, costs


def _best(look: Mapping[str, float]) -> str:
    return max(look, key=lambda name: look[name])


def _sides(name: str) -> int:
    """The sides of its cell to which a mark beside a route is open, as a mask."""
    sign, _, detail = name.removeprefix("+").partition(":")
    return sum(1 << way for way in directions_of(detail)) if sign in _OPEN else 0


@lru_cache(maxsize=16)
def _alike(sides: int) -> tuple[tuple[int, ...], ...]:
    """By route, those that have the same ends but for some sides: with a river across it looks like each."""
    kept = [tuple(ends & ~sides for ends in route.ends) for route in VOCABULARY]
    return tuple(
        tuple(other for other in range(NOTHING) if kept[other] == kept[number]) for number in range(NOTHING)
    )


def _routed(look: Look, sides: int) -> list[float] | None:
    """The costs of routes where there is one, and a mark beside it, open to some sides."""
    if not look:
        return None
    drawn = {mark_number(text): p for text, p in look.items() if text != EMPTY}
    total = sum(drawn.values()) or 1.0
    seen = [
        sum(drawn.get(other, 0.0) for other in same) if sides else drawn.get(number, 0.0)
        for number, same in enumerate(_alike(sides))
    ]
    shares = [_FOOLED / NOTHING + (1 - _FOOLED) * p / total for p in seen]
    best = max(shares)
    return [*(log(best / share) for share in shares), _BARRED]


def mark_slot(place: str) -> str:
    """The slot in which a mark is asked about: that of a cell's route has the cell's name alone.

    >>> mark_slot("c3"), mark_slot("c3-d3")
    ('c3+', 'c3-d3')
    """
    return f"{place}{ANSWERED}" if place in GRID.names else place


def is_mark_slot(slot: str) -> bool:
    """Is a mark asked about, and not a route?"""
    return slot.endswith(ANSWERED) or "-" in slot


def split_answers(answers: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Answers about routes, and those about marks."""
    routes = {slot: text for slot, text in answers.items() if not is_mark_slot(slot)}
    return routes, {slot: text for slot, text in answers.items() if is_mark_slot(slot)}
