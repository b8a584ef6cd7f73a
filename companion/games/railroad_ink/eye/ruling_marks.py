"""One round more with an expansion: the most probable routes and marks that its dice allow.

What the expansion's dice did comes first: every way to use them that the picture may show (:func:`_ways`),
each judged by all marks of the board. With each of the likeliest, the search of :mod:`.ruling_turn` finds the
round's routes as if its placements had been made first; then an order of routes and placements is looked for
in which the rules allow every one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp

from companion.core.messages import m
from companion.games.contract import Plain
from companion.games.kit.evidence import REACH, Doubt, Outcome, ranked, stray_share
from companion.games.railroad_ink.eye.costs import cells_as_seen
from companion.games.railroad_ink.eye.crossings import crossing_cost
from companion.games.railroad_ink.eye.habits import with_habits
from companion.games.railroad_ink.eye.mark_classes import class_at, told_looks
from companion.games.railroad_ink.eye.mark_costs import (
    CROSSED_OFF,
    MarkCosts,
    MarkedLooks,
    mark_slot,
)
from companion.games.railroad_ink.eye.mark_habits import with_mark_habits
from companion.games.railroad_ink.eye.ruling import UNCLEAR, rule_costs, ruled_turn
from companion.games.railroad_ink.eye.ruling_order import Move, RoundBefore, Throw, in_order, move_json
from companion.games.railroad_ink.eye.ruling_reasons import turn_reasons
from companion.games.railroad_ink.eye.ruling_turn import WINDOW, Turn, Turns, legal_turns
from companion.games.railroad_ink.eye.verdict import SURE_ENOUGH, WORTH_TELLING, BoardRuling, refused
from companion.games.railroad_ink.eye.written import NumberCosts
from companion.games.railroad_ink.rules.board import Board, Placed, Rules
from companion.games.railroad_ink.rules.expansions.actions import compared
from companion.games.railroad_ink.rules.expansions.frame import (
    Placement,
    fences,
    free_spots,
    signed_routes,
    simple,
    split_face,
)
from companion.games.railroad_ink.rules.expansions.lush_green import WAYS
from companion.games.railroad_ink.rules.expansions.marks import Marks
from companion.games.railroad_ink.rules.expansions.playing import (
    crossing,
    faces_left,
    position_on,
    turn_of,
    with_placement,
)
from companion.games.railroad_ink.rules.expansions.registry import placements
from companion.games.railroad_ink.rules.position import Position
from companion.games.railroad_ink.rules.routes import VOCABULARY, Cells, shape_of
from companion.games.railroad_ink.rules.rulebook import EDITION, GRID, SPECIALS, Edition
from companion.games.railroad_ink.rules.walls import NO_WALLS, Walls

# Prior costs in nats: of leaving a die of the expansion out that need not be used, of crossing off a special
# route for it, and of a placement where nothing can be seen.
_LEFT_OUT, _CROSSED, _UNSEEN = 1.5, 3.0, 3.0
_MOST_WAYS = 16  # that routes are searched for
_BREADTH = 60  # placements that are gone on from
_HARDLY = 0.8  # a share of turns without one above which nobody is asked for a crossed off special route
_FAR = REACH + 4.0  # nats: a picture may be so far from the marks of any legal turn
_SURE_ROUND = 0.98  # a whole round that is so probable is not asked about
_MANY_ALTERED = 2 * REACH  # nats: all known marks together may be so far from the picture
# Faces with a route that is joined like any other: to what, the search for routes has to find out first.
_JOINED = ("forest", "trail", "desert")

_CRATER = "crater"
_SPECIAL_TEXT = {shape_of(route): route.text for route in SPECIALS}


@dataclass(frozen=True)
class _Way:
    """Placements, the board with them, and what it costs by the marks and routes in their places."""

    placements: tuple[Placement, ...]
    board: Board
    marks: Marks
    cost: float  # beyond that of what is known from before
    surprise: float


@dataclass(frozen=True)
class _MarkedTurn:
    """A legal round: the board after it, its moves in their order, its costs."""

    board: Board
    moves: tuple[Move, ...]
    marks: Marks
    evidence: float
    total: float


def rule_marked_turn(
    looks: MarkedLooks,
    rules: Rules,
    board: Board,
    throw: Throw,
    *,
    finished: bool = True,
) -> BoardRuling:
    """The most probable legal round on a known board.

    Guesses at what is half hidden help where a legal round fits them.
    """
    known = {GRID.names[cell] for cell in board.cells()} | {*position_on(rules, board).marks}
    guessed = looks.guessed(known)
    if finished and guessed != looks:
        ruling = _most_probable(guessed, rules, board, throw, finished=True, enough=SURE_ENOUGH)
        if ruling.outcome != "refused":
            return ruling
    return _most_probable(looks, rules, board, throw, finished=finished, enough=_SURE_ROUND)


def _most_probable(
    looks: MarkedLooks, rules: Rules, board: Board, throw: Throw, *, finished: bool, enough: float
) -> BoardRuling:
    game = RoundBefore(rules, board, throw)
    marked = position_on(rules, board).marks
    plain = {cell: route for cell, route in board.cells().items() if GRID.names[cell] not in marked}
    known = settled_classes(game)
    marks = with_mark_habits(looks.marks, looks.expansion, known)
    costs = MarkCosts(replace(looks, routes=with_habits(looks.routes, plain), marks=marks), known)
    search = _Search(costs, game, known)
    ways = search.ways()
    if search.altered():
        return _refused(search, ways, finished=finished)
    turns: list[_MarkedTurn] = []
    complete = len(ways) <= _MOST_WAYS
    for way in ways[:_MOST_WAYS]:
        found, whole = search.turns(way, finished=finished)
        turns += found
        complete &= whole
    turns = _distinct(turns)
    if not turns:
        return _refused(search, ways, finished=finished)
    return _ruled(search, turns, looks, complete=complete, enough=enough)


def _distinct(turns: Iterable[_MarkedTurn]) -> list[_MarkedTurn]:
    """The cheapest way to each outcome, likeliest first: which of two dice drew a sign does not matter."""
    found: dict[object, _MarkedTurn] = {}
    for turn in sorted(turns, key=lambda turn: turn.total):
        drawn = frozenset(turn.board.cells().items()), frozenset(turn.marks.items())
        found.setdefault((*drawn, _crossed_for(turn.moves)), turn)
    return list(found.values())


def rule_marked_board(
    looks: MarkedLooks, edition: Edition = EDITION["challenge"], walls: Walls = NO_WALLS
) -> BoardRuling:
    """The most probable board by itself: routes as without an expansion, beside the marks that are seen."""
    marks, costs = MarkCosts(looks).by_itself()
    told = told_looks(looks.marks)
    ruling = rule_costs(costs, edition, walls)
    kept = {place: text for place, text in marks.items() if _is_told(place, text, ruling.cells)}
    return with_marks(ruling, kept, {}, told)


def _is_told(place: str, text: str, cells: Cells) -> bool:
    """A trail is one of a route; how it goes under a straight one is told, else it follows from the route."""
    return not text.startswith("trail") or GRID.cell(place) in cells


def settled_classes(game: RoundBefore) -> dict[str, str]:
    """By place, the class of what is known from before and stays: marks, and no mark beside a known route."""
    position = position_on(game.rules, game.board)
    left, _ = _faces(game)
    turn = replace(turn_of(game.rules, game.board, game.throw.roll, left), left=left)
    changing = {
        place
        for one in placements(position, turn)
        for place in (*one.destroy, *dict(one.erase), *dict(one.marks))
    }
    if position.expansion == "canyon":
        return {place: "canyon" for place in position.marks if place not in changing}
    classes = {
        place: class_at(position.marks, cell, position.cells.get(cell))
        for cell, place in enumerate(GRID.names)
        if (cell in position.cells or place in position.marks) and place not in changing
    }
    return {place: name for place, name in classes.items() if name not in (None, _CRATER)}


def _faces(game: RoundBefore) -> tuple[tuple[str, ...], int]:
    """The faces of the expansion's dice that may be used, and how many of them."""
    table, rolled = game.table, game.throw.faces
    if rolled is None:
        return tuple(sorted({face for name in table.roll for face in table.dice[name]})), len(table.roll)
    left = faces_left(game.board, game.throw.roll.round, rolled)
    return left, len(left)


class _Search:
    """What is known of a round: the picture's costs, the board before, the dice.

    ``known``: by place, the cost of what was there before and stays. It is no part of what a round costs.
    """

    def __init__(self, costs: MarkCosts, game: RoundBefore, known: Mapping[str, str]) -> None:
        self.costs, self.game = costs, game
        self.rules, self.board, self.throw = game.rules, game.board, game.throw
        self.table = game.table
        self.left, self.most = _faces(game)
        self.seen_cells = self._seen_routes()
        self.numbers = NumberCosts(costs.looks.routes, game.board, costs.looks.hints.written)
        self.known = {place: costs.mark(place, name) for place, name in known.items()}

    def altered(self) -> bool:
        """Does the picture clearly show other marks than those from before, in one place or in many?"""
        costs = self.known.values()
        return max(costs, default=0.0) > REACH or sum(costs) > _MANY_ALTERED

    def _seen_routes(self) -> Position:
        """The position before with the new routes that the picture shows best: lava looks for room there."""
        position = position_on(self.rules, self.board)
        cells = dict(position.cells)
        _, costs = self.costs.by_itself()
        for cell, own in enumerate(costs):
            if own is not None and cell not in position.drawn_in and min(own[:-1]) == 0.0:
                cells[cell] = VOCABULARY[own.index(0.0)]
        return replace(position, cells=cells)

    # --- what the expansion's dice did ---

    def ways(self) -> list[_Way]:
        """Every way to use the dice that the picture may show, the likeliest first."""
        found: dict[frozenset[object], _Way] = {}
        said = self.costs.looks.crossed_for
        for way in self._ways(self.board, self.left, ()):
            if said is not None and said != (_crossed_for(way.placements) or ""):
                continue
            key = frozenset(map(compared, way.placements))
            if key not in found or way.cost < found[key].cost:
                found[key] = way
        ordered = sorted(found.values(), key=lambda way: way.cost + way.surprise)
        best = ordered[0].cost + ordered[0].surprise if ordered else 0.0
        return [way for way in ordered if way.cost + way.surprise <= best + WINDOW and way.cost <= _FAR]

    def _ways(self, board: Board, left: tuple[str, ...], made: tuple[Placement, ...]) -> Iterator[_Way]:
        marks = position_on(self.rules, board).marks
        cells, touched = board.cells(), {cell for one in made for cell in _touched(one)}
        cost = self.costs.all_marks(marks, cells) - sum(self.known.values())
        cost += sum(self._route(board, marks, cell) for cell in touched)
        yield _Way(made, board, marks, cost, self._surprise(made, left))
        if len(made) < self.most:
            for placement in self._likely(board, left, marks, begun=bool(made)):
                crossed = crossing(board, self.throw.roll) if placement.special else ""
                after = with_placement(board, Placed(placement, self.throw.roll.round, crossed))
                used = tuple((Counter(left) - Counter(placement.uses)).elements())
                yield from self._ways(
                    after, used if self.throw.faces is not None else left, (*made, placement)
                )

    def _likely(self, board: Board, left: tuple[str, ...], marks: Marks, *, begun: bool) -> list[Placement]:
        """The placements that the picture may show, the likeliest first.

        Measured by what they change: one that explains what is seen costs less than nothing.
        """
        found = []
        for placement in dict.fromkeys(self._possible(board, left, begun=begun)):
            after = with_placement(board, Placed(placement, self.throw.roll.round))
            then = position_on(self.rules, after).marks
            cost = self.costs.borders(then) - self.costs.borders(marks)
            for cell in _touched(placement):
                cost += self._at(after, then, cell) - self._at(board, marks, cell)
            found.append((cost + self._surprise((placement,), ()), placement))
        found.sort(key=lambda pair: pair[0])
        least = min([0.0, *(cost for cost, _ in found[:1])])
        return [placement for cost, placement in found[:_BREADTH] if cost <= least + WINDOW]

    def _possible(self, board: Board, left: tuple[str, ...], *, begun: bool) -> Iterator[Placement]:
        """Placements that are legal now, or may be once the round's routes are drawn."""
        position = position_on(self.rules, board)
        turn = replace(turn_of(self.rules, board, self.throw.roll, left), left=left)
        first = [face for face in left if face in self.table.first]
        if first and not begun:
            yield from placements(position, turn)
            if self.throw.faces is not None:
                return
        rest = tuple(face for face in left if face not in first)
        if self.rules.expansion in _JOINED:
            for face in dict.fromkeys(rest):
                yield from _anywhere(self.rules.expansion, position, face)
            return
        turn = replace(turn, left=rest)
        yield from placements(position, turn)
        seen = {**self.seen_cells.cells, **position.cells}
        drawn = {cell: route for cell, route in seen.items() if cell not in position.filled}
        yield from placements(replace(position, cells=drawn), turn)

    def _at(self, board: Board, marks: Marks, cell: int) -> float:
        route = board.cells().get(cell)
        return self.costs.class_cost(marks, cell, route) + self._route(board, marks, cell)

    def _route(self, board: Board, marks: Marks, cell: int) -> float:
        """The cost of a cell's route; in one that is free what the other dice draw comes later."""
        route = board.cells().get(cell)
        return 0.0 if route is None else self.costs.route(marks, cell, route)

    def _surprise(self, made: Sequence[Placement], left: Sequence[str]) -> float:
        found = _LEFT_OUT * len(left) if self.throw.faces is not None else 0.0
        for one in made:
            if one.special:
                found += _CROSSED
            elif any(GRID.names[cell] not in self.costs.marks for cell in _touched(one)):
                found += _UNSEEN if self.rules.expansion != "canyon" else 0.0
        return found

    # --- the round's routes, and an order ---

    def turns(self, way: _Way, *, finished: bool) -> tuple[list[_MarkedTurn], bool]:
        """The legal rounds with these placements, and whether the search went through all of them."""
        position = position_on(self.rules, way.board)
        rules = replace(self.rules, walls=self.rules.walls | fences(position))
        costs = self.costs.routes_beside(way.marks, position.cells)
        found = legal_turns(rules, way.board, self.throw.roll, costs, finished)
        turns = []
        for turn in found.found:
            new = turn.board.drawings[len(way.board.drawings) :]
            ordered = in_order(self.game, (*way.placements, *new), finished=finished)
            if ordered is not None:
                evidence = way.cost + turn.evidence
                total = evidence + way.surprise + turn.total - turn.evidence
                total += crossing_cost(self.board, ordered[0], self.costs.looks.hints.crossed)
                total += self.numbers.of(ordered[0])
                turns.append(_MarkedTurn(*ordered, way.marks, evidence, total))
        return turns, found.complete


def _anywhere(expansion: str, position: Position, face: str) -> Iterator[Placement]:
    """A face in every place that is free, joined or not."""
    if expansion != "trail":
        yield from simple(position, face, joined=False)
        return
    shape, _, _ = split_face(face)
    for way in WAYS if shape in ("NS", "ns") else ("",):
        yield from signed_routes(face, free_spots(position, shape), f"trail:{way}" if way else "trail")


def _touched(placement: Placement) -> list[int]:
    """The cells in which a placement changes something."""
    places = [placement.cell, *placement.destroy, *dict(placement.marks), *dict(placement.erase)]
    return [GRID.names.index(place) for place in dict.fromkeys(places) if place in GRID.names]


# --- the answer ---


def _ruled(
    search: _Search, turns: Sequence[_MarkedTurn], looks: MarkedLooks, *, complete: bool, enough: float
) -> BoardRuling:
    """The likeliest round, and how sure its routes and marks are; one sure ``enough`` is not asked about."""
    best, before = turns[0], search.board.cells()
    costs = search.costs.routes_beside(best.marks, best.board.cells())
    plain = tuple(Turn(turn.board, turn.evidence, turn.total) for turn in turns)
    stray = stray_share(best.evidence, _FAR)
    weights = [exp(best.total - turn.total) for turn in turns]
    chances = [weight / sum(weights) * (1 - stray) for weight in weights]
    each = enough if chances[0] >= enough else SURE_ENOUGH
    ruling = ruled_turn(Turns(plain, complete), costs, before, each)
    shares: dict[str, dict[str, float]] = {}
    for place, told in told_looks(looks.marks).items():
        own = shares.setdefault(place, {})
        # Earlier ink is judged by its place alone, not by the round.
        strays = stray_share(search.known[place]) if place in search.known else stray
        for turn, chance in zip(turns, chances, strict=True):
            text = turn.marks.get(place, "")
            own[text] = own.get(text, 0.0) + chance / (1 - stray) * (1 - strays)
        seen = next(iter(told), best.marks.get(place, ""))
        own[seen] = own.get(seen, 0.0) + strays
    old = position_on(search.rules, search.board).marks
    answer = with_marks(ruling, best.marks, old, shares, tuple(map(move_json, best.moves)), each)
    return _asking_what_was_crossed_off(answer, turns, chances, each)


def _asking_what_was_crossed_off(
    ruling: BoardRuling, turns: Sequence[_MarkedTurn], chances: Sequence[float], enough: float
) -> BoardRuling:
    """With a doubt where a special route was crossed off for a die and the row beside the grid is silent."""
    shares: dict[str | None, float] = {}
    for turn, chance in zip(turns, chances, strict=True):
        text = _crossed_for(turn.moves)
        shares[text] = shares.get(text, 0.0) + chance
    best = _crossed_for(turns[0].moves)
    # That one was crossed off for nothing is hardly worth a question.
    if shares[best] >= (enough if best else _HARDLY):
        return ruling
    # All of them: nothing in the picture makes one likelier than another.
    doubt = Doubt(CROSSED_OFF, tuple(sorted(shares.items(), key=lambda pair: -pair[1])))
    outcome: Outcome = "ask" if ruling.outcome == "accepted" else ruling.outcome
    return replace(ruling, outcome=outcome, mark_doubts=(*ruling.mark_doubts, doubt))


def _crossed_for(moves: Sequence[Move]) -> str | None:
    """The special route that was crossed off for a die of the expansion."""
    found = (one.special for one in moves if isinstance(one, Placement) and one.special)
    return next((_SPECIAL_TEXT[special] for special in found), None)


def with_marks(
    ruling: BoardRuling,
    marks: Marks,
    before: Marks,
    shares: Mapping[str, Mapping[str, float]],
    moves: tuple[Plain, ...] | None = None,
    enough: float = SURE_ENOUGH,
) -> BoardRuling:
    """A ruling on routes with the marks, and doubts where one is not sure enough."""
    doubts = [
        Doubt(mark_slot(place), ranked({text or None: p for text, p in own.items()}, WORTH_TELLING))
        for place, own in shares.items()
        if own and own.get(marks.get(place, ""), 0.0) < enough
    ]
    changed = [place for place in {**before, **marks} if before.get(place) != marks.get(place)]
    return replace(
        ruling,
        outcome="ask" if doubts and ruling.outcome == "accepted" else ruling.outcome,
        marks=marks,
        marked={mark_slot(place): marks.get(place, "") for place in sorted(changed) if place in shares},
        mark_doubts=tuple(doubts),
        moves=moves,
    )


def _refused(search: _Search, ways: Sequence[_Way], *, finished: bool) -> BoardRuling:
    """What the picture shows, and what is against the rules about it."""
    marks, costs = search.costs.by_itself()
    before = search.board.cells()
    seen = cells_as_seen(costs, before)
    old = position_on(search.rules, search.board).marks
    reasons: list[str] = []
    for place in sorted({*marks, *old}):
        new, was = marks.get(place, ""), old.get(place, "")
        if new != was and search.costs.surely_not(place, was):
            gone = m("drawn earlier and gone now: {was} in {place}", was=was, place=place)
            rolled = ", ".join(search.throw.faces or ()) or m("none that is known")
            reasons.append(
                gone
                if not new
                else m(
                    "{place}: {new} is no legal use of the dice rolled: {rolled}",
                    place=place,
                    new=new,
                    rolled=rolled,
                )
            )
    if not reasons:
        way = ways[0] if ways else None
        board = way.board if way is not None else search.board
        rules = replace(search.rules, walls=search.rules.walls | fences(position_on(search.rules, board)))
        after = {cell: route for cell, route in seen.items() if cell not in before} | board.cells()
        reasons = turn_reasons(rules, board, search.throw.roll, after, finished)
    return replace(refused(seen, before, reasons or [UNCLEAR], costs), marks=marks)
