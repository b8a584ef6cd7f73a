"""Searches for the legal turns that explain a picture: depth-first branch and bound.

Every free cell has a few labels within :data:`MAX_NLL` of what the picture shows. The search goes through the
cells, the surest first, and takes their labels from the likeliest on. A branch ends when its lower bound
exceeds the limit, two routes clash, or the round's dice, duplicates and special routes are used up. At the
end of a branch the rules judge the turn as they judge drawings at the table.

Complete up to its limits: it finds every legal turn that costs at most ``MAX_NLL`` by the picture alone and,
with the surprise of what nobody has to draw, at most :data:`WINDOW` more than the cheapest. Only where its
budget of steps does not suffice is ``Turns.complete`` False. How well ends meet (``agreement``) is weighed
afterwards and is no part of the bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

from companion.game.base import Refusal
from companion.games.railroad_ink.reader.labels import NOTHING, number_of
from companion.games.railroad_ink.reader.likely import agreement
from companion.games.railroad_ink.reader.ruling.likelihood import Nlls
from companion.games.railroad_ink.reader.ruling.order import Move
from companion.games.railroad_ink.rules.boards.board import (
    Board,
    Roll,
    Rules,
    dice_left,
    duplicates_left,
    free_special_refusal,
    special_refusal,
    specials_left,
    universities,
)
from companion.games.railroad_ink.rules.boards.difference import explain_turn
from companion.games.railroad_ink.rules.boards.facing import SENT, arriving, open_sides
from companion.games.railroad_ink.rules.boards.placement import fits, legal_routes
from companion.games.railroad_ink.rules.boards.routes import Cells, Route, shape_of, turnings
from companion.games.railroad_ink.rules.expansions.marks import Marks
from companion.games.railroad_ink.rules.match.turn import try_done
from companion.games.railroad_ink.rules.rulebook import (
    DICE,
    GRID,
    SPECIAL_SHAPES,
    UNIVERSITY_CIRCLES,
)
from companion.reading.evidence import MAX_NLL


@dataclass(frozen=True)
class Surprise:
    """Prior nlls of drawing in a given cell what nobody has to draw."""

    special: float
    duplicate: float


# A special route is drawn in about two rounds of five, in one of some forty places; a duplicate rather more
# often, where there is a Factory for it. A reader who sees a cell knows most of that already.
UNSEEN_SURPRISE = Surprise(4.0, 3.0)
SEEN_SURPRISE = Surprise(1.0, 0.5)
WINDOW = 7.0  # nats: turns that cost so much more than the best are left out
# A hand over half of the board leaves more turns than anybody can go through.
_MOST_STEPS = 40_000
_JUDGING = 50  # steps that judging a whole turn counts for


@dataclass(frozen=True)
class Turn:
    """A legal turn: the board after it, its nll by the picture alone, and with all priors; with an expansion
    its moves in their order, and all marks.
    """

    board: Board
    nll: float
    total: float
    moves: tuple[Move, ...] = ()
    marks: Marks = field(default_factory=dict)


@dataclass(frozen=True)
class Turns:
    """Legal turns, best first; ``complete`` unless the search ran out of steps."""

    found: tuple[Turn, ...]
    complete: bool


def legal_turns(rules: Rules, board: Board, roll: Roll, nlls: Nlls, finished: bool) -> Turns:
    """The turns that explain the free cells of a picture; ``finished`` rounds have no die left that fits.

    Where the budget runs out, a second search considers only rolled dice in hidden cells, no duplicates and
    no special routes.
    """
    search = _Search(rules, board, roll, finished)
    search.go(_choices(search, nlls, hidden_extras=True))
    complete = search.steps < _MOST_STEPS
    if not complete:
        search = _Search(rules, board, roll, finished)
        search.go(_choices(search, nlls, hidden_extras=False))
    best = min((turn.total for turn in search.found), default=0.0)
    kept = [turn for turn in search.found if turn.total <= best + WINDOW]
    return Turns(tuple(sorted(kept, key=lambda turn: turn.total)), complete)


# --- what may be in a cell ---


@dataclass(frozen=True)
class _Choice:
    """One cell and its labels within reach, the likeliest first."""

    cell: int
    labels: tuple[tuple[float, Route | None], ...]
    surprise: Surprise

    @property
    def cheapest(self) -> float:
        return self.labels[0][0] if self.labels else inf

    @property
    def gap(self) -> float:
        """The difference in nll between the two likeliest labels: the certainty of the cell."""
        return self.labels[1][0] - self.labels[0][0] if len(self.labels) > 1 else inf


def _choices(search: _Search, nlls: Nlls, *, hidden_extras: bool) -> list[_Choice]:
    """The free cells, most certain first, without those that can only be empty."""
    routes = [route for route in search.supply.routes() if route.number < NOTHING]  # others nobody can read
    hidden = [route for route in routes if hidden_extras or search.supply.surprise(shape_of(route)) == 0.0]
    choices = []
    for cell in range(GRID.size):
        own, facing = nlls[cell], search.facing[cell]
        possible = [route for route in (hidden if own is None else routes) if not _clash(facing, route)]
        if own is None:
            labels = [(0.0, label) for label in (None, *possible)]
        else:
            seen = [(own[number_of(label)], label) for label in (None, *possible)]
            labels = sorted((pair for pair in seen if pair[0] <= MAX_NLL), key=lambda pair: pair[0])
        if cell not in search.before and labels != [(0.0, None)]:
            surprise = UNSEEN_SURPRISE if own is None else SEEN_SURPRISE
            choices.append(_Choice(cell, tuple(labels), surprise))
    return sorted(choices, key=lambda choice: -choice.gap)


def _clash(facing: int, route: Route) -> bool:
    return bool(facing & 15 & route.railway or facing >> 4 & route.highway)


# --- what there is to draw ---


@dataclass
class _Supply:
    """Dice, duplicates and special routes of one turn, and how many of them a branch has used."""

    dice: Counter[str] | None  # nothing when nobody knows what was rolled
    die_count: int
    duplicable: tuple[str, ...]
    duplicates_now: int
    duplicates: int  # with all Factories that could still be drawn on
    specials_now: int
    specials: int  # with the one of the third University
    special_shapes: tuple[str, ...]
    used: Counter[str] = field(default_factory=Counter)

    def routes(self) -> list[Route]:
        """Every route that this turn could draw."""
        shapes = dict.fromkeys(self.dice if self.dice is not None else self.duplicable)
        if self.duplicates:
            shapes |= dict.fromkeys(self.duplicable)
        if self.specials:
            shapes |= dict.fromkeys(self.special_shapes)
        return [route for shape in shapes for route in turnings(shape)]

    def surprise(self, shape: str, usual: Surprise = SEEN_SURPRISE) -> float | None:
        """The prior nll of drawing one more of the shape; None when the turn cannot have it."""
        if shape in SPECIAL_SHAPES:
            count = self.used[shape] + 1
            if self._crossed(shape, count) == 0:
                return 0.0
            free = self.needed_specials() < self.specials and shape in self.special_shapes
            return usual.special if free and self._crossed(shape, count) == 1 else None
        duplicates = self.needed_duplicates(shape)
        if duplicates == self.needed_duplicates():
            return 0.0
        return usual.duplicate if duplicates <= self.duplicates else None

    def needed_specials(self) -> int:
        """The number of special routes that the branch has drawn."""
        specials = ((shape, count) for shape, count in self.used.items() if shape in SPECIAL_SHAPES)
        return sum(self._crossed(shape, count) for shape, count in specials)

    def _crossed(self, shape: str, count: int) -> int:
        """The number of these that are crossed off above the board because no die shows them."""
        return max(0, count - (self.dice[shape] if self.dice is not None else 0))

    def needed_duplicates(self, more: str | None = None) -> int:
        """The number of duplicates that the branch needs, with one more of a shape."""
        counts = {shape: count + (shape == more) for shape, count in ({more: 0} | self.used).items() if shape}
        drawn = {shape: count for shape, count in counts.items() if shape not in SPECIAL_SHAPES}
        if self.dice is None:
            return max(0, sum(drawn.values()) - self.die_count)
        return sum(max(0, count - self.dice[shape]) for shape, count in drawn.items())


def _supply(rules: Rules, board: Board, roll: Roll) -> _Supply:
    taken, edition = board.cells(), rules.edition
    every_face = (face for die in edition.dice for face in DICE[die])
    duplicates, specials = duplicates_left(rules, board, roll), int(special_refusal(board, roll) is None)
    # Could the third University bring a special route this round?
    free = free_special_refusal(rules, board, roll) is None
    if not free and not any(drawing.source == "university" for drawing in board.drawings):
        circles = len(universities(rules, board)) + sum(cell not in taken for cell in edition.university)
        free = circles >= UNIVERSITY_CIRCLES
    return _Supply(
        dice=Counter(dice_left(board, roll)) if roll.faces is not None else None,
        die_count=len(edition.dice) - sum(one.source == "die" for one in board.in_round(roll.round)),
        duplicable=tuple(dict.fromkeys(every_face if roll.faces is None else roll.faces)),
        duplicates_now=duplicates,
        duplicates=duplicates + sum(cell not in taken for cell in edition.factory),
        specials_now=specials,
        specials=specials + free,
        special_shapes=specials_left(board),
    )


# --- the search ---


class _Search:
    """One branch-and-bound search: what is fixed, the branch it is in, and the turns found."""

    def __init__(self, rules: Rules, board: Board, roll: Roll, finished: bool) -> None:
        self.rules, self.board, self.roll, self.finished = rules, board, roll, finished
        self.before = board.cells()
        self.fixed = arriving(self.before, rules.walls)
        self.facing = list(self.fixed)
        self.sides = open_sides(rules.walls)
        self.supply = _supply(rules, board, roll)
        self.chosen: Cells = {}
        self.found: list[Turn] = []
        self.steps = 0
        self._limit = inf
        self._marked = len(universities(rules, board))

    def go(self, choices: Sequence[_Choice]) -> None:
        """Find every turn within reach of the picture."""
        # By cell the least nll of it and all cells behind it: the lower bound of what is still to come.
        rest = [0.0]
        for choice in reversed(choices):
            rest.append(rest[-1] + choice.cheapest)
        self._choices, self._rest = choices, rest[::-1]
        self._turn_of = {choice.cell: at for at, choice in enumerate(choices)}
        factories = [choice.cell in self.rules.edition.factory for choice in choices]
        self._factories_from = [sum(factories[at:]) for at in range(len(choices) + 1)]
        if self._rest[0] <= MAX_NLL:
            self._walk(0, 0.0, 0.0)

    def _walk(self, at: int, nll: float, surprise: float) -> None:
        """Branch on the cell at this index with every label that is not too unlikely."""
        if at == len(self._choices):
            self._judge(nll, surprise)
            return
        choice = self._choices[at]
        cell = choice.cell
        for own, route in choice.labels:
            reached = nll + own
            least = reached + self._rest[at + 1]
            if least > MAX_NLL or least + surprise > self._limit or self.steps >= _MOST_STEPS:
                return
            self.steps += 1
            if route is None:
                self._walk(at + 1, reached, surprise)
                continue
            more = self._surprise(at, choice, route)
            if more is None or least + surprise + more > self._limit:
                continue
            # Draw it, go on, and take it back.
            ends, shape = SENT[cell][route.number], shape_of(route)
            kept = [(neighbour, self.facing[neighbour]) for neighbour, _ in ends]
            self.chosen[cell] = route
            self.supply.used[shape] += 1
            for neighbour, bit in ends:
                self.facing[neighbour] |= bit & self.sides[neighbour]
            self._walk(at + 1, reached, surprise + more)
            for neighbour, facing in kept:
                self.facing[neighbour] = facing
            self.supply.used[shape] -= 1
            del self.chosen[cell]

    def _surprise(self, at: int, choice: _Choice, route: Route) -> float | None:
        """The prior nll of drawing the route; None when the branch cannot have it."""
        # No end may meet the other type, and some end has to meet a drawing or a cell still to come.
        cell, shape = choice.cell, shape_of(route)
        if _clash(self.facing[cell], route):
            return None
        if not fits(self.facing[cell], route) and not any(
            self._turn_of.get(neighbour, -1) > at for neighbour, _ in SENT[cell][route.number]
        ):
            return None
        more = self.supply.surprise(shape, choice.surprise)
        if not more or shape in SPECIAL_SHAPES:
            return more
        # There have to be enough Factories, drawn on so far, here or in cells to come, for duplicates.
        drawn = sum(other in self.rules.edition.factory for other in (*self.chosen, cell))
        most = self.supply.duplicates_now + drawn + self._factories_from[at + 1]
        return more if self.supply.needed_duplicates(shape) <= most else None

    def _judge(self, nll: float, surprise: float) -> None:
        """Record the branch if it is a legal turn."""
        # Cheap to check: the buildings drawn on bring what was used beyond the dice; all routes are joined.
        edition, supply = self.rules.edition, self.supply
        duplicates = supply.duplicates_now + sum(cell in edition.factory for cell in self.chosen)
        circles = self._marked + sum(cell in edition.university for cell in self.chosen)
        specials = supply.specials if circles >= UNIVERSITY_CIRCLES else supply.specials_now
        if nll + surprise > self._limit or supply.needed_duplicates() > duplicates:
            return
        if supply.needed_specials() > specials or not self._all_joined():
            return
        self.steps += _JUDGING
        after = explain_turn(self.rules, self.board, self.roll, {**self.before, **self.chosen})
        if isinstance(after, Refusal) or (self.finished and not self._may_stop(after)):
            return
        agreeing = agreement(self.before, self.chosen, self.rules.walls)
        self.found.append(Turn(after, nll, nll + surprise + agreeing))
        self._limit = min(self._limit, nll + surprise + WINDOW)

    def _may_stop(self, after: Board) -> bool:
        """True if the round may end here: as the slower ``try_done``, which looks at marks, too."""
        if self.rules.must_draw == "most" or self.rules.expansion:
            return not isinstance(try_done(self.rules, after, self.roll), Refusal)
        cells = after.cells()
        return not any(
            legal_routes(cells, self.rules.walls, shape) for shape in set(dice_left(after, self.roll))
        )

    def _all_joined(self) -> bool:
        """True if every new route is joined, perhaps through others, to the board."""
        facing, left = list(self.fixed), dict(self.chosen)
        while joined := [cell for cell in left if fits(facing[cell], left[cell])]:
            for cell in joined:
                for neighbour, bit in SENT[cell][left.pop(cell).number]:
                    facing[neighbour] |= bit & self.sides[neighbour]
        return not left
