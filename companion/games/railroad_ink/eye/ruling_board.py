"""The most probable board that hangs together, from a picture alone: exact, along a frontier.

The cells are taken in their order. Of all that was chosen so far, what may still come depends only on what
crosses the frontier: what each of the seven cells above and the cell to the left shows on the side to the
next ones, and which of those ends hang together without having reached an exit yet. That is a *state*; for
each the best way to it is kept, and the weight of all ways, so that forwards and backwards together give the
probability of every mark in every cell.

A side is coded as in :mod:`companion.games.railroad_ink.eye.likely` (vacant, blank, highway, railway), which
for an end means that it hangs on an exit; from 4 on it is an end of group ``(code - 4) // 2`` that does not
yet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from math import exp, inf
from typing import TypeAlias

from companion.games.kit.evidence import REACH
from companion.games.kit.grid import EAST, NORTH, SOUTH, WEST
from companion.games.railroad_ink.eye.costs import MARKS, NOTHING, Costs, cost_of
from companion.games.railroad_ink.eye.likely import (
    AT_EXIT,
    BESIDE,
    BLANK,
    HIGHWAY_END,
    UNSEEN,
    VACANT,
    side_of,
)
from companion.games.railroad_ink.eye.verdict import Alternative, Shares
from companion.games.railroad_ink.rules.routes import Cells
from companion.games.railroad_ink.rules.rulebook import EXIT_AT, GRID
from companion.games.railroad_ink.rules.walls import Walls

_Sides: TypeAlias = tuple[int, int, int, int]
_State: TypeAlias = tuple[int, ...]  # south sides by column, then the east side of the cell before
_LEFT = GRID.columns  # where that last one stands
_GROUPS = 4  # the first code of an end that hangs on no exit
_START: _State = (VACANT,) * (GRID.columns + 1)


@dataclass(frozen=True)
class _Depth:
    """How widely to look: how much worse than the best of its cell a mark may be, and a state than the best
    of its stage; and how many states at most.
    """

    marks: float
    states: float
    crowd: int


# Wider only where the first finds no board that comes near to what the picture shows.
_DEPTHS = (_Depth(6.0, 9.0, 500), _Depth(REACH, REACH + 8.0, 150))
_SPARE = 2.5  # steps so much dearer still add to how probable it is where they lead
_NO_COST = (0.0,) * 4
_SIDES: tuple[_Sides, ...] = tuple(
    (side_of(mark, NORTH), side_of(mark, EAST), side_of(mark, SOUTH), side_of(mark, WEST)) for mark in MARKS
)

Excluded: TypeAlias = Collection[tuple[int, int]]  # (cell, number of the mark)


@dataclass(frozen=True)
class BestBoard:
    """The best board, its cost, every cell's shares, and the best boards that differ."""

    cells: Cells
    cost: float
    shares: dict[int, Shares]
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class _Option:
    """A mark in a cell: its cost, what it shows on its sides, and whether it meets an exit."""

    number: int
    cost: float
    sides: _Sides
    grounded: bool


@dataclass(slots=True)
class _Place:
    """A state of one stage: the best cost and the summed weight of the ways to it, and from it onwards."""

    best: float
    weight: float
    onwards: float = 0.0
    onwards_weight: float = 0.0


@dataclass(slots=True)
class _Step:
    source: _State
    number: int
    target: _State
    cost: float


@dataclass
class Patience:
    """How many steps a ruling may still take: counted, not timed, so that every machine says the same."""

    left: int = 180_000

    @property
    def lost(self) -> bool:
        """Is it used up, so that nothing that was found is certain?"""
        return self.left < 0


@dataclass
class _Lattice:
    """All stages: the states before each cell, and the steps over it."""

    places: list[dict[_State, _Place]] = field(default_factory=list)
    steps: list[list[_Step]] = field(default_factory=list)


def best_board(
    costs: Costs, walls: Walls, excluded: Excluded = (), patience: Patience | None = None
) -> BestBoard | None:
    """The most probable board on which everything hangs on an exit and no highway meets a railway.

    Nothing when there is none, and when patience is lost before it is found.
    """
    patience = patience or Patience()
    found = None
    for depth in _DEPTHS:
        found = _Search(costs, walls, excluded, depth, patience).result()
        if patience.lost or (found is not None and evidence_of(found.cells, costs) <= REACH):
            break
    return found


def evidence_of(cells: Cells, costs: Costs) -> float:
    """What a whole board costs against the picture alone."""
    return sum(cost_of(own, cells.get(cell)) for cell, own in enumerate(costs))


class _Search:
    """One way through all cells, and what comes out of it."""

    def __init__(
        self, costs: Costs, walls: Walls, excluded: Excluded, depth: _Depth, patience: Patience
    ) -> None:
        self.costs, self.walls, self.excluded = costs, walls, excluded
        self.depth, self.patience = depth, patience

    def result(self) -> BestBoard | None:
        """The best board within reach."""
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
        own = self.costs[cell]
        base = UNSEEN if own is None else own
        least = min(base)
        for number, cost in enumerate(base):
            if cost - least > self.depth.marks or (cell, number) in self.excluded:
                continue
            extra, grounded = _at_exits(cell, _SIDES[number])
            if extra + cost - least <= self.depth.states:
                yield _Option(number, cost - least + extra, self._walled(cell, _SIDES[number]), grounded)

    def _walled(self, cell: int, sides: _Sides) -> _Sides:
        """An end at a wall meets nothing: no more than a blank side does."""
        north, east, south, west = (
            BLANK if (cell, direction) in self.walls and side >= HIGHWAY_END else side
            for direction, side in enumerate(sides)
        )
        return north, east, south, west

    def _steps(self, places: dict[_State, _Place], cell: int) -> list[_Step]:
        """Every way over one cell that does not cost too much."""
        column, row = cell % GRID.columns, cell // GRID.columns
        above = row > 0 and (cell, NORTH) not in self.walls
        beside = column > 0 and (cell, WEST) not in self.walls
        borders = (column == GRID.columns - 1, row == GRID.rows - 1)
        meetings = _Meetings(list(self._options(cell)), (above, beside))
        best, steps = inf, []
        # The cheapest come first, so that little is tried that is too dear.
        for state, place in sorted(places.items(), key=lambda pair: pair[1].best):
            for option, cost, joins in meetings.behind(state[column], state[_LEFT]):
                self.patience.left -= 1
                if place.best + cost > best + self.depth.states + _SPARE:
                    break
                target = _after(state, column, option, joins, borders)
                if target is not None:
                    best = min(best, place.best + cost)
                    steps.append(_Step(state, option.number, target, cost))
            if self.patience.lost:
                break
        return steps

    def _reached(self, places: dict[_State, _Place], steps: list[_Step]) -> dict[_State, _Place]:
        """The states behind a cell with best cost and weight, without those that are too far off."""
        found: dict[_State, _Place] = {}
        for step in steps:
            source = places[step.source]
            best, weight = source.best + step.cost, source.weight * exp(-step.cost)
            place = found.get(step.target)
            if place is None:
                found[step.target] = _Place(best, weight)
            else:
                place.best = min(place.best, best)
                place.weight += weight
        limit = min((place.best for place in found.values()), default=0.0) + self.depth.states
        if len(found) > self.depth.crowd:
            limit = min(limit, sorted(place.best for place in found.values())[self.depth.crowd])
        return {state: place for state, place in found.items() if place.best <= limit}


# --- over one cell ---


def _at_exits(cell: int, sides: _Sides) -> tuple[float, bool]:
    """What the exits of a cell cost with these sides, and whether one is met."""
    extra, grounded = 0.0, False
    for direction, side in enumerate(sides):
        exit_ = EXIT_AT.get((cell, direction))
        if exit_ is not None:
            extra += AT_EXIT[exit_.type][side]
            grounded |= side == HIGHWAY_END + exit_.type
    return extra, grounded


class _Meetings:
    """What may stand in one cell beside what the states before it show, the cheapest first."""

    def __init__(self, options: list[_Option], open_: tuple[bool, bool]) -> None:
        self.options, self.open = options, open_
        self._known: dict[tuple[int, int], list[tuple[_Option, float, tuple[int, ...]]]] = {}

    def behind(self, north: int, west: int) -> list[tuple[_Option, float, tuple[int, ...]]]:
        """Each option with its cost, and the codes of the ends it joins above and beside."""
        found = self._known.get((north, west))
        if found is None:
            found = self._known[north, west] = sorted(self._behind((north, west)), key=lambda one: one[1])
        return found

    def _behind(self, shown: tuple[int, int]) -> Iterator[tuple[_Option, float, tuple[int, ...]]]:
        above, beside = (
            BESIDE[_side(code)] if free else _NO_COST for code, free in zip(shown, self.open, strict=True)
        )
        codes = [code if free else VACANT for code, free in zip(shown, self.open, strict=True)]
        for option in self.options:
            ends = option.sides[NORTH], option.sides[WEST]
            cost = option.cost + above[ends[0]] + beside[ends[1]]
            if cost == inf:  # an end against the other type: two ends that are left are joined
                continue
            joined = (code for code, end in zip(codes, ends, strict=True) if code >= HIGHWAY_END <= end)
            yield option, cost, tuple(joined)


def _side(code: int) -> int:
    """What a code shows, whatever it hangs on."""
    return code if code < _GROUPS else HIGHWAY_END + (code & 1)


def _after(
    state: _State, column: int, option: _Option, joined: tuple[int, ...], borders: tuple[bool, bool]
) -> _State | None:
    """The state behind a cell; nothing when something can reach no exit any more."""
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
    """A code after the groups that meet have become one."""
    if code < _GROUPS or (code - _GROUPS) // 2 not in groups:
        return code
    return _coded(_side(code), own, grounded)


def _coded(side: int, group: int, grounded: bool) -> int:
    return side if grounded or side < HIGHWAY_END else _GROUPS + 2 * group + side - HIGHWAY_END


def _hangs(codes: list[int], group: int) -> bool:
    return any(code >= _GROUPS and (code - _GROUPS) // 2 == group for code in codes)


def _all_alive(before: _State, after: list[int], joined: set[int]) -> bool:
    """Does every group that was there still cross the frontier, if it was not joined to this cell?"""
    groups = {(code - _GROUPS) // 2 for code in before if code >= _GROUPS} - joined
    return all(_hangs(after, group) for group in groups)


def _numbered(codes: list[int]) -> _State:
    """The same groups, numbered in the order in which they appear."""
    numbers: dict[int, int] = {}
    return tuple(
        code
        if code < _GROUPS
        else _GROUPS + 2 * numbers.setdefault((code - _GROUPS) // 2, len(numbers)) + (code & 1)
        for code in codes
    )


# --- backwards ---


def _look_back(lattice: _Lattice) -> None:
    """What it costs from each state to the end, and the weight of all ways there."""
    for place in lattice.places[-1].values():
        place.onwards_weight = 1.0
    for cell in range(GRID.size - 1, -1, -1):
        here, behind = lattice.places[cell], lattice.places[cell + 1]
        for place in here.values():
            place.onwards = float("inf")
        for step in lattice.steps[cell]:
            place, target = here[step.source], behind[step.target]
            place.onwards = min(place.onwards, step.cost + target.onwards)
            place.onwards_weight += exp(-step.cost) * target.onwards_weight


def _result(lattice: _Lattice) -> BestBoard:
    start = lattice.places[0][_START]
    best = _through(lattice, None)
    shares = {cell: _shares(lattice, cell, start.onwards_weight) for cell in range(GRID.size)}
    others = [
        (cell, number, p)
        for cell, own in shares.items()
        for number, p in own.items()
        if p >= _WORTH_TELLING and MARKS[number] != best.get(cell)
    ]
    others.sort(key=lambda other: -other[2])
    alternatives = tuple(
        Alternative(_through(lattice, (cell, number)), p) for cell, number, p in others[:_MOST_ALTERNATIVES]
    )
    return BestBoard(best, start.onwards, shares, alternatives)


_WORTH_TELLING = 0.002
_MOST_ALTERNATIVES = 5


def _shares(lattice: _Lattice, cell: int, total: float) -> Shares:
    here, behind = lattice.places[cell], lattice.places[cell + 1]
    shares: Shares = {}
    for step in lattice.steps[cell]:
        weight = here[step.source].weight * exp(-step.cost) * behind[step.target].onwards_weight
        shares[step.number] = shares.get(step.number, 0.0) + weight / total
    return shares


def _through(lattice: _Lattice, given: tuple[int, int] | None) -> Cells:
    """The best board, or the best with a given mark in a given cell."""
    meeting = 0 if given is None else given[0]
    here, behind = lattice.places[meeting], lattice.places[meeting + 1]
    step = min(
        (step for step in lattice.steps[meeting] if given is None or step.number == given[1]),
        key=lambda step: here[step.source].best + step.cost + behind[step.target].onwards,
    )
    chosen = {meeting: step.number}
    state = step.source
    for cell in range(meeting - 1, -1, -1):
        places = lattice.places[cell]
        back = min(
            (one for one in lattice.steps[cell] if one.target == state),
            key=lambda one: places[one.source].best + one.cost,
        )
        chosen[cell], state = back.number, back.source
    state = step.target
    for cell in range(meeting + 1, GRID.size):
        places = lattice.places[cell + 1]
        on = min(
            (one for one in lattice.steps[cell] if one.source == state),
            key=lambda one: one.cost + places[one.target].onwards,
        )
        chosen[cell], state = on.number, on.target
    return {cell: mark for cell in range(GRID.size) if (mark := MARKS[chosen[cell]]) is not None}
