"""The negative log-likelihood of a board's labels given the picture, in nats.

Each is against the slot's most probable label, which has 0; see :mod:`companion.reading.evidence`. The
network of routes never saw rivers or trees: where everything in a cell is a mark's (``trees``), it is not
asked, and where a route has a mark beside it (``+trees``), it is trusted less, and not on whether there is a
route at all. Signs that nobody reads are slots about which nothing is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf, log, prod
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.core.remembering import remembered
from companion.games.railroad_ink.reader.labels import LABELS, NOTHING, label_number
from companion.games.railroad_ink.reader.mark_classes import CLASSES_OF, NONE, class_at, is_alone, told_mark
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.rules.boards.routes import ROUTES, VOCABULARY, Cells, Route, any_route
from companion.games.railroad_ink.rules.expansions.frame import Placement
from companion.games.railroad_ink.rules.expansions.marks import Marks, directions_of
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading import evidence
from companion.reading.evidence import EMPTY, MAX_NLL, Look, Looks
from companion.sheets.grid import DIRECTIONS

# By cell and number of the label; None where nothing was seen.
Nlls: TypeAlias = Sequence[Sequence[float] | None]

CRATER = "crater"
# Marks that run to sides of their cell, where they look like ends of routes.
_OPEN = ("river", "lake", "lava")
_WIPED = 5.3  # nats: one known sign in two hundred was wiped, faded or drowned in light
_OUTLIER_RATE = 0.05  # how often a mark beside a route makes the network of routes see another one
_BARRED = MAX_NLL + 20.0  # nats: more than any board may cost
_ONLY_EMPTY = [*([_BARRED] * NOTHING), 0.0]
_DRAWN = 0.5  # a space that is more probably empty holds no route that the reader has no name for
_LEAST_END = 0.003  # the probability of any end at any side, whatever was read


# --- routes ---


def route_nlls(looks: Looks) -> Nlls:
    """The nll of every label in every cell.

    >>> nlls = route_nlls({"b1": {"NS": 0.9, "": 0.1}})[1]
    >>> round(nlls[NOTHING], 1), round(max(nlls), 1), route_nlls({})[0]
    (2.2, 11.1, None)
    """
    return [_cell_nlls(looks.get(name)) for name in GRID.names]


def _cell_nlls(look: Look) -> Sequence[float] | None:
    if not look:
        return None
    numbered = dict.fromkeys(range(len(LABELS)), 0.0)
    for text, p in look.items():
        numbered[label_number(text)] += p  # "NS" and "SN" are one label
    return [*evidence.costs_of(numbered, len(LABELS)).values()]


def likeliest(own: Sequence[float]) -> Route | None:
    """The label that the picture shows best."""
    return LABELS[min(range(len(own)), key=own.__getitem__)]


def nll_of(own: Sequence[float] | None, label: Route | None) -> float:
    """The nll of a label in a cell; 0 where nothing was seen, and of routes that only expansions draw."""
    if own is None or (label is not None and label.number >= NOTHING):
        return 0.0
    return own[NOTHING if label is None else label.number]


def board_nll(nlls: Nlls, cells: Cells) -> float:
    """The nll of all routes of a board."""
    return sum(nll_of(own, cells.get(cell)) for cell, own in enumerate(nlls))


def cells_as_seen(nlls: Nlls, before: Cells) -> Cells:
    """The board as the picture shows it by itself; unseen cells stay as they were."""
    seen: Cells = {}
    for cell, own in enumerate(nlls):
        label = before.get(cell) if own is None else likeliest(own)
        if label is not None:
            seen[cell] = label
    return seen


def ends_share(look: Mapping[str, float], route: Route) -> float:
    """The probability that a space shows a route with these ends, whatever its label."""
    ends = _ends_shown(tuple(look.items()))
    return prod(float(ends[way, _end(route, way)]) for way in DIRECTIONS)


@remembered(256)
def _ends_shown(look: tuple[tuple[str, float], ...]) -> NDArray[np.float64]:
    """The probability of no end, a highway and a railway on each side."""
    shown = np.full((len(DIRECTIONS), 3), _LEAST_END)
    for text, p in look:
        route = ROUTES.get(text)
        for way in DIRECTIONS if route is not None else ():
            shown[way, _end(route, way)] += p
    return np.asarray(shown / shown.sum(axis=1, keepdims=True), np.float64)


def _end(route: Route | None, way: int) -> int:
    if route is None:
        return 0
    return 1 if route.highway >> way & 1 else 2 if route.railway >> way & 1 else 0


def shown(placement: Placement, looks: Looks) -> float:
    """The probability that the picture shows what a placement does to routes."""
    elsewhere = [place for place in placement.destroy if place != placement.cell]  # else it is drawn on
    gone = prod((looks.get(place) or {}).get(EMPTY, 0.0) for place in elsewhere)
    if not placement.cell:
        return gone
    look = looks.get(placement.cell) or {}
    return gone * (
        look.get(placement.route, 0.0) if placement.route in ROUTES else unnamed(look, placement.route)
    )


def unnamed(look: Look, text: str) -> float:
    """The probability that a space shows a route for which the reader has no label."""
    return ends_share(look, any_route(text)) if look and look.get(EMPTY, 0.0) <= _DRAWN else 0.0


# --- routes and marks ---


class Likelihood:
    """The nll of routes and marks, cell by cell and border by border.

    ``known``: by place, the class that was there before; a sign may have been wiped, and cannot be seen then.
    """

    def __init__(self, slots: SlotProbabilities, known: Mapping[str, str] = MappingProxyType({})) -> None:
        self.slots, self.expansion = slots, slots.expansion
        self.plain = route_nlls(slots.routes)
        self._routed: dict[tuple[int, int], list[float] | None] = {}
        possible = len(CLASSES_OF.get(slots.expansion, (NONE,)))
        self.marks: dict[str, dict[str, float]] = {
            place: evidence.costs_of(look, possible) for place, look in slots.marks.items() if look
        }
        for place, name in known.items():
            own = self.marks.get(place)
            if own is not None and NONE in own and name in own:
                own[name] = min(own[name], own[NONE] + _WIPED)

    def mark(self, place: str, name: str) -> float:
        """The nll of a class in a place; 0 where nothing was seen."""
        own = self.marks.get(place)
        return 0.0 if own is None else own.get(name, _BARRED)

    def mark_at(self, marks: Marks, cell: int, route: Route | None) -> float:
        """The nll of what stands in a cell besides its route."""
        name = self._class_at(marks, cell, route)
        # Whether a crater still shows depends on what is drawn over it: see below.
        return 0.0 if name is None or name == CRATER else self.mark(GRID.names[cell], name)

    def route_at(self, marks: Marks, cell: int, route: Route | None) -> float:
        """The nll of a route, or of none, in a cell with these marks."""
        if self.expansion == "meteor":  # a route may be drawn over the crater in the same round
            return 0.0
        own = self._beside(marks, cell, route)
        if own is _ONLY_EMPTY:
            return 0.0 if route is None else inf
        return nll_of(own, route)

    def borders(self, marks: Marks) -> float:
        """The nll of all canyons."""
        if self.expansion != "canyon":
            return 0.0
        return sum(self.mark(place, "canyon" if place in marks else NONE) for place in self.marks)

    def all_marks(self, marks: Marks, cells: Cells) -> float:
        """The nll of all marks of a board."""
        if not self.marks:
            return 0.0
        each = (self.mark_at(marks, cell, cells.get(cell)) for cell in range(GRID.size))
        return self.borders(marks) + sum(each)

    def routes_beside(self, marks: Marks, cells: Cells) -> Nlls:
        """The nlls of routes in every cell of a board with these marks: none fits where a mark fills it."""
        if not self.expansion:
            return self.plain
        return [self._beside(marks, cell, cells.get(cell)) for cell in range(GRID.size)]

    def _class_at(self, marks: Marks, cell: int, route: Route | None) -> str | None:
        """The class in a cell; None if undetermined, or if only borders are read."""
        return None if self.expansion in ("", "canyon") else class_at(marks, cell, route)

    def _beside(self, marks: Marks, cell: int, route: Route | None) -> Sequence[float] | None:
        name = self._class_at(marks, cell, route)
        if name == CRATER:
            return self._over_crater(cell)
        return self.plain[cell] if name is None else self._beside_class(cell, name)

    def _beside_class(self, cell: int, name: str) -> Sequence[float] | None:
        """The nlls of routes in a cell with such a mark."""
        if name == NONE:
            return self.plain[cell]
        if is_alone(name):
            return _ONLY_EMPTY
        sign, _, detail = name.removeprefix("+").partition(":")
        # A mark looks like ends of routes on the sides of its cell to which it is open.
        sides = sum(1 << way for way in directions_of(detail)) if sign in _OPEN else 0
        if (cell, sides) not in self._routed:
            self._routed[cell, sides] = _routed(self.slots.routes.get(GRID.names[cell]), sides)
        return self._routed[cell, sides]

    def _over_crater(self, cell: int) -> Sequence[float] | None:
        """A crater may stay, or go under a route."""
        own, place = self.plain[cell], GRID.names[cell]
        if own is None or place not in self.marks:
            return own
        gone = self.mark(place, NONE)
        return [*(gone + nll for nll in own[:NOTHING]), self.mark(place, CRATER)]

    def surely_not(self, place: str, text: str) -> bool:
        """True if the picture clearly shows something else than this mark."""
        own = self.marks.get(place)
        if own is None:
            return False
        return (
            min((nll for name, nll in own.items() if told_mark(name) == text), default=_BARRED) > MAX_NLL / 2
        )

    def by_itself(self) -> tuple[Marks, Nlls]:
        """The most probable marks by the picture alone, and the nlls of routes beside them."""
        seen = {place: max(look, key=look.__getitem__) for place, look in self.slots.marks.items() if look}
        marks = {place: told_mark(name) for place, name in seen.items() if name != NONE}
        return marks, [
            self._beside_class(cell, seen.get(place, NONE)) for cell, place in enumerate(GRID.names)
        ]


@lru_cache(maxsize=16)
def _alike(sides: int) -> tuple[tuple[int, ...], ...]:
    """By route, all routes with the same ends apart from these sides, which a river across them may hide."""
    kept = [tuple(ends & ~sides for ends in route.ends) for route in VOCABULARY]
    return tuple(
        tuple(other for other in range(NOTHING) if kept[other] == kept[number]) for number in range(NOTHING)
    )


def _routed(look: Look, sides: int) -> list[float] | None:
    """The nlls of routes where there is one, and a mark beside it, open to some sides."""
    if not look:
        return None
    drawn = {label_number(text): p for text, p in look.items() if text != EMPTY}
    total = sum(drawn.values()) or 1.0
    seen = [
        sum(drawn.get(other, 0.0) for other in same) if sides else drawn.get(number, 0.0)
        for number, same in enumerate(_alike(sides))
    ]
    shares = [_OUTLIER_RATE / NOTHING + (1 - _OUTLIER_RATE) * p / total for p in seen]
    best = max(shares)
    return [*(log(best / share) for share in shares), _BARRED]
