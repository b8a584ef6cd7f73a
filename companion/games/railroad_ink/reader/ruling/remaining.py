"""Infers what an expansion's dice drew where no reader knows the signs.

One question asks about all of it. Its options are whole ways to use the dice that are left, found by a beam
search, die after die, and compared by the ink that no route explains and by the points they bring: people
draw where it counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp, log

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.core.records import replaced
from companion.game.base import Fact, Refusal
from companion.games.railroad_ink.reader.ruling.likelihood import shown
from companion.games.railroad_ink.rules.boards.board import Board, Placed
from companion.games.railroad_ink.rules.boards.routes import ROUTES
from companion.games.railroad_ink.rules.expansions.actions import (
    after_place,
    decide_placement,
    open_to,
    placement_json,
    unplaced_refusal,
    unsettled_first,
)
from companion.games.railroad_ink.rules.expansions.frame import Placement
from companion.games.railroad_ink.rules.expansions.playing import position_on, with_placement
from companion.games.railroad_ink.rules.match.photographed import after_turn, decide_turn
from companion.games.railroad_ink.rules.match.state import State, marks_of
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.games.railroad_ink.rules.scoring.scores import score
from companion.reading.evidence import EMPTY, Looks

REST = "rest+"  # the slot that the question is about
_OPTIONS = 5
_BEAM = 6
_STEPS = 4  # dice, and what they leave to be done
_COMPARED = 60  # placements of a board whose points are counted
# In nats: the most that ink says about a sign in a cell, what a point is worth, and a die that is used.
_INK, _POINT, _USED = 4.0, 0.35, 1.0
_SEEN = 0.5  # nats of ink that make one think of what needs no die, such as a sign for a special route
NOTHING_MORE = m("nothing more")


@dataclass(frozen=True)
class Way:
    """One way to use the remaining dice: moves, words, the spaces it writes in, and its probability."""

    moves: tuple[JsonObject, ...]
    says: str
    cells: frozenset[str]
    worth: float  # in nats
    share: float = 0.0  # of all that are asked about


@dataclass(frozen=True)
class _Seen:
    """The evidence in the picture for a sign in each space, in nats."""

    looks: Looks
    ink: dict[str, float]

    def of(self, one: Placement) -> float:
        """The evidence for a placement, in nats."""
        signs = sum(self.ink.get(cell, 0.0) for cell in _written(one))
        hidden = [cell for cell in (one.cell, *one.destroy) if cell and not self.looks.get(cell)]
        return signs if hidden else signs + max(log(max(shown(one, self.looks), 1e-9)), -_INK)


@dataclass(frozen=True)
class _Branch:
    state: State
    made: tuple[Placement, ...]
    worth: float


def ways_left(
    state: State, seat: int, moves: Sequence[JsonObject], looks: Looks, inked: Iterable[str] = ()
) -> list[Way]:
    """The likeliest ways to use the dice that the round's ``moves`` leave, all of which write in ``inked``.

    What is settled before anything is drawn comes before the moves, everything else after them.
    """
    first = unsettled_first(state, seat) is not None
    begun = state if first else _after(state, seat, moves)
    if begun is None:
        return []
    ink = _unexplained(state, seat, moves, looks)
    needed = frozenset(inked)
    found: dict[str, Way] = {}
    for branch in sorted(_ended(begun, seat, _Seen(looks, ink)), key=lambda one: -one.worth):
        placed = tuple(map(placement_json, branch.made))
        cells = frozenset(cell for one in branch.made for cell in _written(one))
        known = [move for move in moves if "uses" in move or move["route"] not in ROUTES]
        says = "; ".join([*map(_move_words, known), *map(_words, branch.made)]) or NOTHING_MORE
        whole = (*placed, *moves) if first else (*moves, *placed)
        if len(found) == _OPTIONS or says in found or not needed <= cells:
            continue
        if whole and not isinstance(decide_turn(state, seat, {"moves": list(whole)}), Refusal):
            found[says] = Way(whole, says, cells, branch.worth + _USED * len(known))
    return list(found.values())


def likeliest(ways: Sequence[Way]) -> list[Way]:
    """The most likely ways without duplicates, and their probabilities."""
    by_words = {way.says: way for way in sorted(ways, key=lambda one: one.worth)}
    best = sorted(by_words.values(), key=lambda one: -one.worth)[:_OPTIONS]
    total = sum(exp(way.worth) for way in best)
    return [replace(way, share=round(exp(way.worth) / total, 4)) for way in best]


def _unexplained(state: State, seat: int, moves: Sequence[JsonObject], looks: Looks) -> dict[str, float]:
    """By space without a route or an earlier sign: the evidence in the picture for ink in it, in nats."""
    drawn = {*_names(state.boards[seat]), *marks_of(state, state.boards[seat])}
    drawn |= {move["cell"] for move in moves if "route" in move}
    return {name: _ink(look.get(EMPTY, 0.0)) for name, look in looks.items() if look and name not in drawn}


def _after(state: State, seat: int, moves: Sequence[JsonObject]) -> State | None:
    if not moves:
        return state
    fact = decide_turn(state, seat, {"moves": list(moves)})
    return after_turn(state, fact) if isinstance(fact, Fact) else None


def _names(board: Board) -> list[str]:
    return [drawing.cell for drawing in board.drawings if not drawing.erased]


def _ink(empty: float) -> float:
    """The evidence for ink in a space, in nats."""
    p = min(max(empty, 1e-9), 1 - 1e-9)
    return min(max(log((1 - p) / p), -_INK), _INK)


# --- the search ---


def _ended(begun: State, seat: int, seen: _Seen) -> list[_Branch]:
    """Branches in which no die has to be used any more; of those with the same board the likeliest."""
    ended: list[_Branch] = []
    beam = [_Branch(begun, (), 0.0)]
    for _ in range(_STEPS):
        grown: list[_Branch] = []
        for branch in beam:
            grown += _grown(branch, seat, seen)
            if unplaced_refusal(branch.state, seat) is None:
                ended.append(branch)
        grown.sort(key=lambda one: -one.worth)
        alike: dict[object, _Branch] = {}
        for branch in grown:
            alike.setdefault(_key(branch), branch)
        beam = list(alike.values())[:_BEAM]
    return ended + beam


def _key(branch: _Branch) -> object:
    """A key that is equal for the same moves in a different order."""
    return tuple(sorted(_words(one) for one in branch.made))


def _grown(branch: _Branch, seat: int, picture: _Seen) -> list[_Branch]:
    """The branch with one placement more, in each way that the picture does not speak against."""
    state, board = branch.state, branch.state.boards[seat]
    now = score(position_on(state.rules, board)).total
    seen = [(picture.of(one), one) for one in open_to(state, seat)]
    seen.sort(key=lambda one: -one[0])
    found = []
    for evidence, one in seen[:_COMPARED]:
        after = _placed(state, seat, one)
        if after is not None:
            gained = score(position_on(state.rules, after.boards[seat])).total - now
            if (one.special or not one.uses) and evidence < _SEEN and (one.special or gained <= 0):
                continue  # nobody has to do this, and nothing shows that somebody did
            worth = branch.worth + evidence + _POINT * gained + _USED * len(one.uses)
            found.append(_Branch(after, (*branch.made, one), worth))
    return found


def _placed(state: State, seat: int, one: Placement) -> State | None:
    if not one.neighbour:
        board = with_placement(state.boards[seat], Placed(one, state.round))
        return replaced(state, boards={**state.boards, seat: board})
    fact = decide_placement(state, seat, placement_json(one))
    return after_place(state, fact) if isinstance(fact, Fact) else None


def _written(one: Placement) -> set[str]:
    """The spaces of this board in which a placement writes or draws something."""
    if one.neighbour:
        return set()
    return {place for place in (one.cell, *dict(one.marks)) if place in GRID.names}


def _words(one: Placement) -> str:
    """A placement in few words.

    >>> _words(Placement(("ufo",), marks=(("c3", "ufo"),))), _words(Placement((), destroy=("a1",)))
    ('c3 ufo', 'a1 ×')
    """
    return _move_words(placement_json(one))


def _move_words(move: JsonObject) -> str:
    """A move in words: routes, marks, and what it removes."""
    parts = [f"{move['cell']} {move['route']}"] if "cell" in move else []
    parts += [f"{place} {text}" for place, text in move.get("marks", {}).items()]
    gone = (*move.get("destroy", ()), *move.get("erase", {}))
    parts += [f"{place} ×" for place in gone if place != move.get("cell")]
    return ", ".join(parts) or ", ".join(move.get("uses", ()))
