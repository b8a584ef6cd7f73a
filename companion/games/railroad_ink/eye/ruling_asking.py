"""Rounds with an expansion whose marks nobody reads: the routes, and questions about the rest.

Routes on the expansion's dice (a station with a sheep beside it) are read as any other; signs without one are
left to :mod:`.ruling_rest`. Those that were entered are known to fill their spaces; where the picture shows
something in a free space that no die explains, one asks whether it is a route at all, and a tap on "empty"
leaves it to the expansion. Of a route die with a drawing that the reader has no name for (two curves of
unlike type) the ends are looked at, side by side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import log, prod

import numpy as np
from numpy.typing import NDArray

from companion.core.messages import m
from companion.games.contract import Plain
from companion.games.kit.evidence import EMPTY, Doubt, Looks, changed_slots, ranked
from companion.games.kit.grid import DIRECTIONS
from companion.games.railroad_ink.eye.costs import MARKS, cost_of, costs_of, mark_number
from companion.games.railroad_ink.eye.hints import Hints
from companion.games.railroad_ink.eye.mark_costs import MarkedLooks
from companion.games.railroad_ink.eye.ruling import rule_turn
from companion.games.railroad_ink.eye.ruling_order import Move, RoundBefore, Throw, in_order, move_json
from companion.games.railroad_ink.eye.verdict import WORTH_TELLING, BoardRuling, moves_json
from companion.games.railroad_ink.rules.board import Board, Drawing, Placed, Rules, dice_left
from companion.games.railroad_ink.rules.expansions.frame import Placement, fences
from companion.games.railroad_ink.rules.expansions.playing import (
    faces_left,
    position_on,
    turn_of,
    with_placement,
)
from companion.games.railroad_ink.rules.expansions.registry import placements
from companion.games.railroad_ink.rules.routes import ROUTES, Route, any_route, turnings
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.games.railroad_ink.rules.scoring import score

_MOST_TRIALS = 24
_ALIKE = 3.0  # nats between explanations of a picture of which nobody can say which is right
# Nats for a die drawn twice or a special route, as one of the dice left is the likelier, and for an open end.
_MORE, _OPEN = 2.0, 0.3
_UNSURE = 6.0  # the same where a route is known by its ends alone
_EMPTY = 0.5  # a space that is as surely empty holds no route
_LEAST = 0.003  # of what may be at a side of a space, whatever was read
_LIKELY = 0.05  # a route of the expansion's dice that the picture shows less surely is not tried


def rule_beside_unread(seen: MarkedLooks, rules: Rules, board: Board, throw: Throw) -> BoardRuling:
    """The routes of the round; what may be the expansion's is asked about, cell by cell."""
    game = RoundBefore(rules, board, throw)
    looks = _without_signs(seen.routes, game)
    ruling = _ruled(game, looks, (), seen)
    trials: list[tuple[float, tuple[Move, ...]]] = [(0.0, some) for some in _drawn_by_dice(game, looks)]
    trials += _unnamed(game, looks)
    tried = [(0.0, ruling), *((cost, _ruled(game, looks, some, seen)) for cost, some in trials)]
    legal = [
        (cost + _against(one, looks) + _unlikely(one, game), one)
        for cost, one in tried
        if one and one.outcome != "refused"
    ]
    legal.sort(key=lambda one: one[0])
    if legal:
        reach = legal[0][0] + (_ALIKE if _used(legal[0][1], unnamed=False) else _UNSURE)
        likely = [one for cost, one in legal if cost <= reach]
        likely.sort(
            key=lambda one: one.outcome != "accepted"
        )  # of the others cells would be asked about, too
        return replace(likely[0], others=tuple(_differing(likely[0], likely[1:])))
    for names in _strange(looks, board, len(game.table.roll)):
        without = {**looks, **{name: {EMPTY: 1.0} for name in names}}
        again = _ruled(game, without, (), seen)
        if again is not None and again.outcome != "refused":
            asked = tuple(_question(name, looks) for name in names)
            signs = () if again.doubts else tuple(names)
            return replace(again, outcome="ask", doubts=(*asked, *again.doubts), signs=signs)
    return ruling if ruling is not None else BoardRuling.refused_outright(m("no route is drawn"))


def _against(ruling: BoardRuling, looks: Looks) -> float:
    """How much less likely than the picture itself the routes are, in nats."""
    return sum(
        cost_of(own, ruling.cells.get(cell)) for cell, own in enumerate(costs_of(looks)) if own is not None
    )


def _unlikely(ruling: BoardRuling, game: RoundBefore) -> float:
    """What people seldom do, in nats: draw more than the dice show, and leave ends open."""
    more = sum(1 for move in moves_json(ruling) if move.get("from") in ("factory", "special", "university"))
    ends = len(score(position_on(game.rules, ruling.board)).errors) if ruling.board is not None else 0
    return _MORE * more + _OPEN * ends


def _differing(first: BoardRuling, others: Sequence[BoardRuling]) -> Iterator[BoardRuling]:
    """Those that use the expansion's dice in another way, each once."""
    known = [_used(first)]
    for one in others:
        if _used(one) not in known:
            known.append(_used(one))
            yield one


def _used(ruling: BoardRuling, *, unnamed: bool = True) -> list[Plain]:
    """What was done with the expansion's dice, and routes that the reader has no name for."""
    moves = moves_json(ruling)
    return [move for move in moves if "uses" in move or (unnamed and move["route"] not in ROUTES)]


def _without_signs(looks: Looks, game: RoundBefore) -> Looks:
    """The looks without routes where signs that were entered fill a space."""
    position = position_on(game.rules, game.board)
    filled = {GRID.names[cell] for cell in position.filled if cell not in position.cells}
    return {**looks, **{name: {EMPTY: 1.0} for name in filled}}


def _ruled(game: RoundBefore, looks: Looks, made: tuple[Move, ...], seen: MarkedLooks) -> BoardRuling | None:
    """The round with these moves; nothing where the rules allow them in no order."""
    after = game.board
    for one in made:
        if isinstance(one, Drawing):
            after = after.with_drawing(one)
        else:
            after = with_placement(after, Placed(one, game.throw.roll.round))
    fenced = replace(game.rules, walls=game.rules.walls | fences(position_on(game.rules, after)))
    ruling = rule_turn(looks, fenced, after, game.throw.roll, hints=Hints(seen.hints.crossed))
    if ruling.outcome == "refused" or not made or ruling.board is None:
        return ruling
    new = ruling.board.drawings[len(after.drawings) :]
    ordered = in_order(game, (*made, *new), finished=False)  # signs are entered afterwards
    if ordered is None:
        return None
    return replace(
        ruling,
        board=ordered[0],
        moves=tuple(map(move_json, ordered[1])),
        changed=changed_slots(game.board.cells(), ruling.cells),
    )


# --- routes that the expansion's dice show ---


def _drawn_by_dice(game: RoundBefore, looks: Looks) -> list[tuple[Placement, ...]]:
    """What the expansion's dice may have drawn of the routes that are seen: the likeliest first."""
    found = list(_routed(game, looks))
    left = Counter(faces_left(game.board, game.throw.roll.round, game.throw.faces or ()))
    trials = []
    for count in range(1, len(game.table.roll) + 1):
        for some in combinations(found, count):
            used = Counter(face for _, one in some for face in one.uses)
            if used <= left and len({one.cell for _, one in some}) == count:
                trials.append((prod(p for p, _ in some), tuple(one for _, one in some)))
    trials.sort(key=lambda trial: (len(trial[1]), -trial[0]))
    return [some for _, some in trials[:_MOST_TRIALS]]


def _routed(game: RoundBefore, looks: Looks) -> Iterator[tuple[float, Placement]]:
    """Placements whose routes are seen, or no longer seen, and how surely."""
    position = position_on(game.rules, game.board)
    turn = turn_of(game.rules, game.board, game.throw.roll, game.throw.faces or ())
    seen = {
        GRID.cell(name): MARKS[mark_number(max(look, key=lambda text: look[text]))]
        for name, look in looks.items()
        if look
    }
    new = {cell: route for cell, route in seen.items() if route and cell not in position.filled}
    for cell in (None, *new):
        beside = {other: route for other, route in new.items() if other != cell}
        around = replace(position, cells={**beside, **position.cells})
        for one in dict.fromkeys(placements(around, turn)):
            here = one.cell == ("" if cell is None else GRID.names[cell])
            if here and (one.cell or one.destroy) and not one.neighbour:
                p = shown(one, looks)
                if p >= _LIKELY:
                    yield p, one


def shown(one: Placement, looks: Looks) -> float:
    """How surely the picture shows what a placement does to routes."""
    elsewhere = [place for place in one.destroy if place != one.cell]  # else it is drawn on
    gone = prod((looks.get(place) or {}).get(EMPTY, 0.0) for place in elsewhere)
    if not one.cell:
        return gone
    look = looks.get(one.cell) or {}
    if one.route in ROUTES:
        return gone * look.get(one.route, 0.0)
    empty = look.get(EMPTY, 0.0)
    return gone * _ends_share(look, any_route(one.route)) if look and empty <= _EMPTY else 0.0


# --- routes that the reader has no name for ---


def _unnamed(game: RoundBefore, looks: Looks) -> list[tuple[float, tuple[Drawing, ...]]]:
    """Where a route die may be drawn whose face no mark of the reader's is, and what its ends cost."""
    number = game.throw.roll.round
    faces = [face for face in dict.fromkeys(dice_left(game.board, game.throw.roll)) if face not in ROUTES]
    position = position_on(game.rules, game.board)
    found: list[tuple[float, tuple[Drawing, ...]]] = []
    for name, look in looks.items():
        cell = GRID.cell(name)
        if not look or cell in position.drawn_in or look.get(EMPTY, 0.0) > _EMPTY:
            continue
        for route in (turned for face in faces for turned in turnings(face)):
            share = _ends_share(look, route)
            found.append((-log(share), (Drawing(name, route.text, "die", number),)))
    found.sort(key=lambda one: one[0])
    return found[:_MOST_TRIALS]


def _ends_share(look: Mapping[str, float], route: Route) -> float:
    """How surely a space shows a route by its ends alone."""
    ends = _ends_shown(look)
    return prod(float(ends[way, _end(route, way)]) for way in DIRECTIONS)


def _ends_shown(look: Mapping[str, float]) -> NDArray[np.float64]:
    """By side, how surely no end, a highway, a railway is seen there, whatever the routes are called."""
    shown = np.full((len(DIRECTIONS), 3), _LEAST)
    for text, p in look.items():
        route = ROUTES.get(text)
        for way in DIRECTIONS if route is not None else ():
            shown[way, _end(route, way)] += p
    return np.asarray(shown / shown.sum(axis=1, keepdims=True), np.float64)


def _end(route: Route | None, way: int) -> int:
    if route is None:
        return 0
    return 1 if route.highway >> way & 1 else 2 if route.railway >> way & 1 else 0


# --- what no die explains ---


def _strange(looks: Looks, board: Board, most: int) -> Iterator[Sequence[str]]:
    """Cells that may hold no route but a sign, the likeliest first: one, then several at once."""
    before = {GRID.names[cell] for cell in board.cells()}
    drawn = [
        (look.get(EMPTY, 0.0), name)
        for name, look in looks.items()
        if look and len(look) > 1 and name not in before and look.get(EMPTY, 0.0) < 0.5
    ]
    names = [name for _, name in sorted(drawn, reverse=True)]
    trials = [some for count in range(1, most + 1) for some in combinations(names, count)]
    yield from trials[:_MOST_TRIALS]


def _question(name: str, looks: Looks) -> Doubt[int, Route]:
    """No route, or one of those that the picture shows best."""
    shares = {MARKS[mark_number(text)]: p for text, p in (looks[name] or {}).items() if text != EMPTY}
    routes = ranked(shares, WORTH_TELLING)
    return Doubt(GRID.cell(name), ((None, max(0.5, 1 - sum(p for _, p in routes))), *routes))
