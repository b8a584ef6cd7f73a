"""Enumerates the uses of an expansion's dice in a round that the picture may show.

Where the expansion's signs are read (:class:`ReadSigns`), each use is judged by all slots of the board. Signs
that nobody reads (:class:`UnreadSigns`) say nothing: there a use is a set of routes that only the expansion's
dice explain, and of route dice with a drawing that the reader has no name for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import log

from companion.games.railroad_ink.reader.mark_classes import class_at
from companion.games.railroad_ink.reader.ruling.likelihood import (
    CRATER,
    Likelihood,
    likeliest,
    shown,
    unnamed,
)
from companion.games.railroad_ink.reader.ruling.order import Move, Round
from companion.games.railroad_ink.reader.ruling.turn_search import WINDOW
from companion.games.railroad_ink.rules.boards.board import Board, Drawing, dice_left
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import ROUTES, Cells, any_route, shape_of, turnings
from companion.games.railroad_ink.rules.expansions.actions import compared
from companion.games.railroad_ink.rules.expansions.frame import (
    Placement,
    free_spots,
    signed_routes,
    simple,
    split_face,
)
from companion.games.railroad_ink.rules.expansions.lush_green import WAYS
from companion.games.railroad_ink.rules.expansions.marks import Marks
from companion.games.railroad_ink.rules.expansions.playing import position_on
from companion.games.railroad_ink.rules.expansions.registry import placements
from companion.games.railroad_ink.rules.rulebook import GRID, SPECIALS
from companion.reading.evidence import MAX_NLL

# Prior nlls: of leaving a die of the expansion out that need not be used, of crossing off a special route for
# it, and of a placement where nothing can be seen.
_LEFT_OUT, _CROSSED, _UNSEEN = 1.5, 3.0, 3.0
_BREADTH = 60  # placements that are gone on from
FAR = MAX_NLL + 4.0  # nats: a picture may be so far from the marks of any legal round
_MANY_ALTERED = 2 * MAX_NLL  # nats: all known marks together may be so far from the picture
# Faces with a route that is joined like any other: to what, the search for routes has to find out first.
_JOINED = ("forest", "trail", "desert")
_MOST_UNREAD = 24  # uses with unread signs that routes are searched for
_LIKELY = 0.05  # a route of the expansion's dice that the picture shows less surely is not tried
_SPECIAL_TEXT = {shape_of(route): route.text for route in SPECIALS}


@dataclass(frozen=True)
class Use:
    """One way to use the dice: the moves, the board after them, its nll and its prior.

    The nll is that of the changed slots, relative to what is known from before.
    """

    moves: tuple[Move, ...]
    board: Board
    marks: Marks
    nll: float
    surprise: float = 0.0


def crossed_for(moves: Sequence[Move]) -> str | None:
    """The special route that was crossed off for a die of the expansion."""
    found = (move.special for move in moves if isinstance(move, Placement) and move.special)
    return next((_SPECIAL_TEXT[special] for special in found), None)


# --- signs that are read ---


def settled_classes(round_: Round) -> dict[str, str]:
    """By place, the class of known marks that stay, and of no mark beside a known route."""
    position = round_.position
    left, _ = round_.left()
    changing = {
        place
        for placement in placements(position, round_.turn(round_.board, left))
        for place in (*placement.destroy, *dict(placement.erase), *dict(placement.marks))
    }
    if position.expansion == "canyon":
        return {place: "canyon" for place in position.marks if place not in changing}
    classes = {
        place: class_at(position.marks, cell, position.cells.get(cell))
        for cell, place in enumerate(GRID.names)
        if (cell in position.cells or place in position.marks) and place not in changing
    }
    return {place: name for place, name in classes.items() if name is not None and name != CRATER}


class ReadSigns:
    """Search for uses of the dice where the expansion's marks are read.

    ``known``: by place, the class of what was there before and stays. It is no part of what a round costs.
    """

    def __init__(self, round_: Round, likelihood: Likelihood, known: Mapping[str, str]) -> None:
        self._round, self._likelihood = round_, likelihood
        self._rules, self._expansion = round_.rules, round_.rules.expansion
        self._left, self._most = round_.left()
        self.known = {place: likelihood.mark(place, name) for place, name in known.items()}
        # The routes that the picture shows best: lava looks for room there.
        position, (_, nlls) = round_.position, likelihood.by_itself()
        self._seen_routes = {
            cell: route
            for cell, own in enumerate(nlls)
            if own is not None and cell not in position.drawn_in and (route := likeliest(own)) is not None
        }

    def altered(self) -> bool:
        """Return True if the picture clearly contradicts the earlier marks, singly or taken together."""
        nlls = self.known.values()
        return max(nlls, default=0.0) > MAX_NLL or sum(nlls) > _MANY_ALTERED

    def uses(self) -> list[Use]:
        """The uses of the dice that explain the picture, most likely first."""
        found: dict[frozenset[Placement], Use] = {}
        said = self._likelihood.slots.crossed_for
        for made, use in self._uses(self._round.board, self._left, ()):
            if said is not None and said != (crossed_for(made) or ""):
                continue
            key = frozenset(map(compared, made))
            if key not in found or use.nll < found[key].nll:
                found[key] = use
        ordered = sorted(found.values(), key=lambda use: use.nll + use.surprise)
        least = ordered[0].nll + ordered[0].surprise if ordered else 0.0
        return [use for use in ordered if use.nll + use.surprise <= least + WINDOW and use.nll <= FAR]

    def _uses(
        self, board: Board, left: tuple[str, ...], made: tuple[Placement, ...]
    ) -> Iterator[tuple[tuple[Placement, ...], Use]]:
        marks, cells = position_on(self._rules, board).marks, board.cells()
        nll = self._likelihood.all_marks(marks, cells) - sum(self.known.values())
        touched = {cell for placement in made for cell in _touched(placement)}
        nll += sum(self._route(cells, marks, cell) for cell in touched)
        yield made, Use(made, board, marks, nll, self._surprise(made, left))
        if len(made) == self._most:
            return
        for placement in self._likely(board, left, marks, begun=bool(made)):
            used = tuple((Counter(left) - Counter(placement.uses)).elements())
            after = self._round.with_move(board, placement)
            yield from self._uses(after, used if self._round.faces is not None else left, (*made, placement))

    def _likely(self, board: Board, left: tuple[str, ...], marks: Marks, *, begun: bool) -> list[Placement]:
        """The placements that the picture may show, most likely first.

        Measured by what they change: one that explains what is seen costs less than nothing.
        """
        found, cells, borders = [], board.cells(), self._likelihood.borders(marks)
        now = {cell: self._at(cells, marks, cell) for cell in range(GRID.size)}
        for placement in dict.fromkeys(self._possible(board, left, begun=begun)):
            after = self._round.with_move(board, placement)
            then, drawn = position_on(self._rules, after).marks, after.cells()
            nll = self._likelihood.borders(then) - borders
            nll += sum(self._at(drawn, then, cell) - now[cell] for cell in _touched(placement))
            found.append((nll + self._surprise((placement,), ()), placement))
        found.sort(key=lambda pair: pair[0])
        least = min([0.0, *(nll for nll, _ in found[:1])])
        return [placement for nll, placement in found[:_BREADTH] if nll <= least + WINDOW]

    def _possible(self, board: Board, left: tuple[str, ...], *, begun: bool) -> Iterator[Placement]:
        """Placements that are legal now, or may be once the round's routes are drawn."""
        position = position_on(self._rules, board)
        urgent = [face for face in left if face in self._round.table.first]
        if urgent and not begun:
            yield from placements(position, self._round.turn(board, left))
            if self._round.faces is not None:
                return
        rest = tuple(face for face in left if face not in urgent)
        if self._expansion in _JOINED:
            for face in dict.fromkeys(rest):
                yield from _anywhere(self._expansion, position, face)
            return
        turn = self._round.turn(board, rest)
        yield from placements(position, turn)
        seen = {**self._round.position.cells, **self._seen_routes, **position.cells}
        drawn = {cell: route for cell, route in seen.items() if cell not in position.filled}
        yield from placements(replace(position, cells=drawn), turn)

    def _at(self, cells: Cells, marks: Marks, cell: int) -> float:
        route = cells.get(cell)
        return self._likelihood.mark_at(marks, cell, route) + self._route(cells, marks, cell)

    def _route(self, cells: Cells, marks: Marks, cell: int) -> float:
        """The nll of a cell's route; in one that is free what the other dice draw comes later."""
        route = cells.get(cell)
        return 0.0 if route is None else self._likelihood.route_at(marks, cell, route)

    def _surprise(self, made: Sequence[Placement], left: Sequence[str]) -> float:
        found = _LEFT_OUT * len(left) if self._round.faces is not None else 0.0
        for placement in made:
            if placement.special:
                found += _CROSSED
            elif self._expansion != "canyon" and any(
                GRID.names[cell] not in self._likelihood.marks for cell in _touched(placement)
            ):
                found += _UNSEEN
        return found


def _anywhere(expansion: str, position: Position, face: str) -> Iterator[Placement]:
    """Yield a face in every free place, connected or not."""
    if expansion != "trail":
        yield from simple(position, face, joined=False)
        return
    shape, _, _ = split_face(face)
    for way in WAYS if shape in ("NS", "ns") else ("",):
        yield from signed_routes(face, free_spots(position, shape), f"trail:{way}" if way else "trail")


def _touched(placement: Placement) -> list[int]:
    """The cells that a placement changes."""
    places = [placement.cell, *placement.destroy, *dict(placement.marks), *dict(placement.erase)]
    return [GRID.names.index(place) for place in dict.fromkeys(places) if place in GRID.names]


# --- signs that nobody reads ---


def unread_uses(round_: Round, likelihood: Likelihood) -> list[Use]:
    """Uses of dice whose signs are not read: none, or routes seen beyond the round's own.

    Those with the fewest moves come first, then the likeliest. Signs without a route are left to
    :mod:`.remaining`.
    """
    if not round_.rules.expansion:
        return [Use((), round_.board, {}, 0.0)]
    drawn: list[tuple[float, Move]] = [*_drawn_by_dice(round_, likelihood), *_unnamed(round_, likelihood)]
    left = Counter(round_.left()[0]) + Counter(dice_left(round_.board, round_.roll))
    found: list[tuple[float, tuple[Move, ...]]] = [(0.0, ())]
    for count in range(1, max(1, len(round_.table.roll)) + 1):
        for some in combinations(drawn, count):
            moves = tuple(move for _, move in some)
            used = Counter(face for move in moves for face in _faces_of(move))
            if used <= left and len({move.cell for move in moves}) == count:
                found.append((sum(nll for nll, _ in some), moves))
    found.sort(key=lambda use: (len(use[1]), use[0]))
    uses = []
    for nll, moves in found[: 1 + _MOST_UNREAD]:
        board = round_.board
        for move in moves:
            board = round_.with_move(board, move)
        # What is known by its ends alone is never seen well: that is no sign of a broken rule.
        uses.append(Use(moves, board, position_on(round_.rules, board).marks, 0.0, nll))
    return uses


def _faces_of(move: Move) -> tuple[str, ...]:
    """The faces that a move uses up."""
    return move.uses if isinstance(move, Placement) else (shape_of(any_route(move.route)),)


def _drawn_by_dice(round_: Round, likelihood: Likelihood) -> Iterator[tuple[float, Placement]]:
    """Yield placements whose routes appear or disappear in the picture, with their nll."""
    position, looks = round_.position, likelihood.slots.routes
    turn = round_.turn(round_.board, round_.left()[0])
    seen = {cell: likeliest(own) for cell, own in enumerate(likelihood.plain) if own is not None}
    new = {cell: route for cell, route in seen.items() if route and cell not in position.filled}
    for cell in (None, *new):
        beside = {other: route for other, route in new.items() if other != cell}
        around = replace(position, cells={**beside, **position.cells})
        for placement in dict.fromkeys(placements(around, turn)):
            here = placement.cell == ("" if cell is None else GRID.names[cell])
            if here and (placement.cell or placement.destroy) and not placement.neighbour:
                p = shown(placement, looks)
                if p >= _LIKELY:
                    yield -log(p), placement


def _unnamed(round_: Round, likelihood: Likelihood) -> Iterator[tuple[float, Drawing]]:
    """Yield drawings of route dice whose faces have no label in the reader."""
    left = dict.fromkeys(dice_left(round_.board, round_.roll))
    routes = [route for face in left for route in turnings(face) if route.text not in ROUTES]
    drawn_in = round_.position.drawn_in
    for name, look in likelihood.slots.routes.items() if routes else ():
        for route in routes:
            p = unnamed(look, route.text) if GRID.cell(name) not in drawn_in else 0.0
            if p > 0:
                yield -log(p), Drawing(name, route.text, "die", round_.roll.round)
