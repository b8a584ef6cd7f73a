"""Finds the most probable board, with everything joined to an exit, from a picture alone.

Dynamic programming along a frontier (a broken profile with connectivity), pruned to a beam. Cells are taken
row by row, a stage each. What may follow depends only on what crosses the frontier between the cells that
are chosen and those that are not: the sides that the seven cells above and the cell to the left show to the
next ones, and which of these ends are joined to each other but to no exit yet. That is a *state*. Each state
keeps the nll of the best path to it (Viterbi) and the summed weight of all paths (forward-backward), from
which the probability of every label in every cell follows.

The beam leaves out labels, states and steps that cost much more than the best (:class:`_Beam`). The board
found is the best of those that it kept; it is the best of all if the beam left nothing out. Probabilities are
shares of the boards that it kept.

A side is coded as in :mod:`companion.games.railroad_ink.reader.likely` (vacant, blank, highway, railway); a
highway or railway end coded so is joined to an exit. From 4 on the code is that of an end of group
``(code - 4) // 2``, which is not joined to any exit yet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from math import exp, inf
from typing import TypeAlias

from companion.games.railroad_ink.reader.labels import LABELS, NOTHING
from companion.games.railroad_ink.reader.likely import (
    AT_EXIT,
    BESIDE,
    BLANK,
    HIGHWAY_END,
    UNSEEN,
    VACANT,
    side_of,
)
from companion.games.railroad_ink.reader.ruling.answer import Alternative, Shares
from companion.games.railroad_ink.reader.ruling.likelihood import Nlls, board_nll
from companion.games.railroad_ink.rules.boards.routes import Cells
from companion.games.railroad_ink.rules.boards.walls import Walls
from companion.games.railroad_ink.rules.rulebook import EXIT_AT, GRID
from companion.reading.evidence import MAX_NLL
from companion.sheets.grid import EAST, NORTH, SOUTH, WEST

_Sides: TypeAlias = tuple[int, int, int, int]
_State: TypeAlias = tuple[int, ...]  # south sides by column, then the east side of the cell before
_LEFT = GRID.columns  # where that last one stands
_GROUPS = 4  # the first code of an end that hangs on no exit
_START: _State = (VACANT,) * (GRID.columns + 1)


@dataclass(frozen=True)
class _Beam:
    """Beam limits, in nats: keep labels within ``labels`` of their cell's best, states within ``states`` of
    their stage's best, and no more than about ``crowd`` states a stage.
    """

    labels: float
    states: float
    crowd: int


# The second is tried only where the first finds no board within MAX_NLL of the picture.
_BEAMS = (_Beam(6.0, 9.0, 500), _Beam(MAX_NLL, MAX_NLL + 8.0, 150))
_SPARE = 2.5  # nats beyond the beam within which a step still adds to the weight of the state it leads to
_NO_NLL = (0.0,) * 4
_SIDES: tuple[_Sides, ...] = tuple(
    (side_of(label, NORTH), side_of(label, EAST), side_of(label, SOUTH), side_of(label, WEST))
    for label in LABELS
)

Excluded: TypeAlias = Collection[tuple[int, int]]  # (cell, number of the label)


@dataclass(frozen=True)
class BestBoard:
    """The best board found and its nll in nats, with its alternatives.

    Also the probability of each label for every cell, and the best boards with another label in some cell.
    """

    cells: Cells
    nll: float
    shares: dict[int, Shares]
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class _Option:
    """A label that a cell may hold: its nll, what it shows on its sides, and whether it meets an exit."""

    number: int
    nll: float
    sides: _Sides
    grounded: bool


@dataclass(slots=True)
class _Place:
    """One state of the trellis: the nll of the best path to it and the summed weight of all paths to it.

    After the backward pass also both for the paths from it to the end.
    """

    best: float
    weight: float
    onwards: float = 0.0
    onwards_weight: float = 0.0


@dataclass(slots=True)
class _Step:
    """One label in one cell, from a state before the cell to a state behind it."""

    source: _State
    number: int
    target: _State
    nll: float


@dataclass
class Patience:
    """A budget of steps for one ruling: counted, not timed, so that every machine gives the same answer."""

    left: int = 180_000

    @property
    def lost(self) -> bool:
        """True if the budget is used up: then the search was not finished."""
        return self.left < 0


@dataclass
class _Lattice:
    """The trellis of the forward-backward pass: the states before each cell, and the steps over it."""

    places: list[dict[_State, _Place]] = field(default_factory=list)
    steps: list[list[_Step]] = field(default_factory=list)


def best_board(
    nlls: Nlls, walls: Walls, excluded: Excluded = (), patience: Patience | None = None
) -> BestBoard | None:
    """The most probable board on which everything is joined to an exit and no highway meets a railway.

    None if the beam holds no such board, or if the budget of steps is used up. ``excluded`` labels are not
    considered.
    """
    patience = patience or Patience()
    found = None
    for beam in _BEAMS:
        found = _Search(nlls, walls, excluded, beam, patience).result()
        if patience.lost or (found is not None and board_nll(nlls, found.cells) <= MAX_NLL):
            break
    return found


class _Search:
    """One beam search through all cells."""

    def __init__(self, nlls: Nlls, walls: Walls, excluded: Excluded, beam: _Beam, patience: Patience) -> None:
        self.nlls, self.walls, self.excluded = nlls, walls, excluded
        self.beam, self.patience = beam, patience

    def result(self) -> BestBoard | None:
        """The best board in the beam; None when no state is left, or no patience."""
        lattice = _Lattice([{_START: _Place(0.0, 1.0)}])
        for cell in range(GRID.size):
            steps = self._steps(lattice.places[-1], cell)
            reached = self._reached(lattice.places[-1], steps)
            if not reached or self.patience.lost:
                return None
            lattice.steps.append([step for step in steps if step.target in reached])
            lattice.places.append(reached)
        _look_back(lattice)
        return _result(lattice)

    def _options(self, cell: int) -> Iterator[_Option]:
        own = self.nlls[cell]
        base = UNSEEN if own is None else own
        least = min(base)
        for number, nll in enumerate(base):
            if nll - least > self.beam.labels or (cell, number) in self.excluded:
                continue
            extra, grounded = _at_exits(cell, _SIDES[number])
            if extra + nll - least <= self.beam.states:
                yield _Option(number, nll - least + extra, self._walled(cell, _SIDES[number]), grounded)

    def _walled(self, cell: int, sides: _Sides) -> _Sides:
        """The sides as their neighbours see them: an end at a wall meets nothing, like a blank side."""
        north, east, south, west = (
            BLANK if (cell, direction) in self.walls and side >= HIGHWAY_END else side
            for direction, side in enumerate(sides)
        )
        return north, east, south, west

    def _steps(self, places: dict[_State, _Place], cell: int) -> list[_Step]:
        """The steps over one cell that end inside the beam, or little outside it."""
        column, row = cell % GRID.columns, cell // GRID.columns
        above = row > 0 and (cell, NORTH) not in self.walls
        beside = column > 0 and (cell, WEST) not in self.walls
        borders = (column == GRID.columns - 1, row == GRID.rows - 1)
        meetings = _Meetings(list(self._options(cell)), (above, beside))
        best, steps = inf, []
        # Cheapest states and options first: at the first that is too dear the rest is skipped.
        for state, place in sorted(places.items(), key=lambda pair: pair[1].best):
            for option, nll, joins in meetings.behind(state[column], state[_LEFT]):
                self.patience.left -= 1
                if place.best + nll > best + self.beam.states + _SPARE:
                    break
                target = _after(state, column, option, joins, borders)
                if target is not None:
                    best = min(best, place.best + nll)
                    steps.append(_Step(state, option.number, target, nll))
            if self.patience.lost:
                break
        return steps

    def _reached(self, places: dict[_State, _Place], steps: list[_Step]) -> dict[_State, _Place]:
        """The forward pass over one cell: the states behind it that are inside the beam."""
        found: dict[_State, _Place] = {}
        for step in steps:
            source = places[step.source]
            best, weight = source.best + step.nll, source.weight * exp(-step.nll)
            place = found.get(step.target)
            if place is None:
                found[step.target] = _Place(best, weight)
            else:
                place.best = min(place.best, best)
                place.weight += weight
        limit = min((place.best for place in found.values()), default=0.0) + self.beam.states
        if len(found) > self.beam.crowd:
            limit = min(limit, sorted(place.best for place in found.values())[self.beam.crowd])
        return {state: place for state, place in found.items() if place.best <= limit}


# --- over one cell ---


def _at_exits(cell: int, sides: _Sides) -> tuple[float, bool]:
    """The nll of these sides at the exits of a cell, and whether an end meets one of the exits."""
    extra, grounded = 0.0, False
    for direction, side in enumerate(sides):
        exit_ = EXIT_AT.get((cell, direction))
        if exit_ is not None:
            extra += AT_EXIT[exit_.type][side]
            grounded |= side == HIGHWAY_END + exit_.type
    return extra, grounded


class _Meetings:
    """The options of one cell, cheapest first, for what a state shows above it and to its left.

    Many states show the same two sides, so the lists are kept.
    """

    def __init__(self, options: list[_Option], open_: tuple[bool, bool]) -> None:
        self.options, self.open = options, open_
        self._known: dict[tuple[int, int], list[tuple[_Option, float, tuple[int, ...]]]] = {}

    def behind(self, north: int, west: int) -> list[tuple[_Option, float, tuple[int, ...]]]:
        """Each option with its nll beside these two sides, and the codes of the ends it joins there."""
        found = self._known.get((north, west))
        if found is None:
            found = self._known[north, west] = sorted(self._behind((north, west)), key=lambda one: one[1])
        return found

    def _behind(self, shown: tuple[int, int]) -> Iterator[tuple[_Option, float, tuple[int, ...]]]:
        above, beside = (
            BESIDE[_side(code)] if free else _NO_NLL for code, free in zip(shown, self.open, strict=True)
        )
        codes = [code if free else VACANT for code, free in zip(shown, self.open, strict=True)]
        for option in self.options:
            ends = option.sides[NORTH], option.sides[WEST]
            nll = option.nll + above[ends[0]] + beside[ends[1]]
            if nll == inf:  # an end against the other type: two ends that are left are joined
                continue
            joined = (code for code, end in zip(codes, ends, strict=True) if code >= HIGHWAY_END <= end)
            yield option, nll, tuple(joined)


def _side(code: int) -> int:
    """The side that a code stands for, joined to an exit or not."""
    return code if code < _GROUPS else HIGHWAY_END + (code & 1)


def _after(
    state: _State, column: int, option: _Option, joined: tuple[int, ...], borders: tuple[bool, bool]
) -> _State | None:
    """The state behind a cell; None if a group of ends left the frontier without reaching an exit."""
    east = BLANK if borders[0] and option.sides[EAST] >= HIGHWAY_END else option.sides[EAST]
    south = BLANK if borders[1] and option.sides[SOUTH] >= HIGHWAY_END else option.sides[SOUTH]
    grounded = option.grounded or any(code < _GROUPS for code in joined)
    drawn = option.number != NOTHING
    if (grounded or not drawn) and max(state) < _GROUPS:
        return (*state[:column], south, *state[column + 1 : _LEFT], east)
    groups = {(code - _GROUPS) // 2 for code in joined if code >= _GROUPS}
    own = min(groups, default=GRID.columns)  # a number no other group has
    codes = [_regrouped(code, groups, own, grounded) for code in state]
    codes[column] = _coded(south, own, grounded)
    codes[_LEFT] = _coded(east, own, grounded)
    if not grounded and drawn and not _hangs(codes, own):
        return None
    return _numbered(codes) if _all_alive(state, codes, groups) else None


def _regrouped(code: int, groups: set[int], own: int, grounded: bool) -> int:
    """A code after the groups that meet in a cell have been merged."""
    if code < _GROUPS or (code - _GROUPS) // 2 not in groups:
        return code
    return _coded(_side(code), own, grounded)


def _coded(side: int, group: int, grounded: bool) -> int:
    return side if grounded or side < HIGHWAY_END else _GROUPS + 2 * group + side - HIGHWAY_END


def _hangs(codes: list[int], group: int) -> bool:
    return any(code >= _GROUPS and (code - _GROUPS) // 2 == group for code in codes)


def _all_alive(before: _State, after: list[int], joined: set[int]) -> bool:
    """True if every group that was not merged in this cell still has an end on the frontier."""
    groups = {(code - _GROUPS) // 2 for code in before if code >= _GROUPS} - joined
    return all(_hangs(after, group) for group in groups)


def _numbered(codes: list[int]) -> _State:
    """The canonical form of a state: groups numbered in the order in which they appear."""
    numbers: dict[int, int] = {}
    return tuple(
        code
        if code < _GROUPS
        else _GROUPS + 2 * numbers.setdefault((code - _GROUPS) // 2, len(numbers)) + (code & 1)
        for code in codes
    )


# --- backwards ---


def _look_back(lattice: _Lattice) -> None:
    """The backward pass: from each state to the end, nll of the best path and weight of all paths."""
    for place in lattice.places[-1].values():
        place.onwards_weight = 1.0
    for cell in range(GRID.size - 1, -1, -1):
        here, behind = lattice.places[cell], lattice.places[cell + 1]
        for place in here.values():
            place.onwards = float("inf")
        for step in lattice.steps[cell]:
            place, target = here[step.source], behind[step.target]
            place.onwards = min(place.onwards, step.nll + target.onwards)
            place.onwards_weight += exp(-step.nll) * target.onwards_weight


def _result(lattice: _Lattice) -> BestBoard:
    start = lattice.places[0][_START]
    best = _through(lattice, None)
    shares = {cell: _shares(lattice, cell, start.onwards_weight) for cell in range(GRID.size)}
    others = [
        (cell, number, p)
        for cell, own in shares.items()
        for number, p in own.items()
        if p >= _WORTH_TELLING and LABELS[number] != best.get(cell)
    ]
    others.sort(key=lambda other: -other[2])
    alternatives = tuple(
        Alternative(_through(lattice, (cell, number)), p) for cell, number, p in others[:_MOST_ALTERNATIVES]
    )
    return BestBoard(best, start.onwards, shares, alternatives)


_WORTH_TELLING = 0.002
_MOST_ALTERNATIVES = 5


def _shares(lattice: _Lattice, cell: int, total: float) -> Shares:
    """The posterior probability of each label in a cell: forward weight times step times backward weight."""
    here, behind = lattice.places[cell], lattice.places[cell + 1]
    shares: Shares = {}
    for step in lattice.steps[cell]:
        weight = here[step.source].weight * exp(-step.nll) * behind[step.target].onwards_weight
        shares[step.number] = shares.get(step.number, 0.0) + weight / total
    return shares


def _through(lattice: _Lattice, given: tuple[int, int] | None) -> Cells:
    """The best path through the trellis as a board, or the best one with a given label in a given cell."""
    meeting = 0 if given is None else given[0]
    here, behind = lattice.places[meeting], lattice.places[meeting + 1]
    step = min(
        (step for step in lattice.steps[meeting] if given is None or step.number == given[1]),
        key=lambda step: here[step.source].best + step.nll + behind[step.target].onwards,
    )
    chosen = {meeting: step.number}
    state = step.source
    for cell in range(meeting - 1, -1, -1):
        places = lattice.places[cell]
        back = min(
            (one for one in lattice.steps[cell] if one.target == state),
            key=lambda one: places[one.source].best + one.nll,
        )
        chosen[cell], state = back.number, back.source
    state = step.target
    for cell in range(meeting + 1, GRID.size):
        places = lattice.places[cell + 1]
        on = min(
            (one for one in lattice.steps[cell] if one.source == state),
            key=lambda one: one.nll + places[one.target].onwards,
        )
        chosen[cell], state = on.number, on.target
    return {cell: label for cell in range(GRID.size) if (label := LABELS[chosen[cell]]) is not None}
