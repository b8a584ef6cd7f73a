"""Two boards compared: the legal turn that leads from one to the other, or why there is none.

A photograph or a report shows what is drawn, not in which order or from which die. Which routes may follow
depends only on the set of routes drawn so far, not on their order. So the search goes over sets, each once;
a round has nine routes at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Generic, TypeAlias, TypeVar

from companion.core.messages import joined, listed, m
from companion.core.records import replaced
from companion.game.base import Refusal
from companion.games.railroad_ink.rules.boards.board import (
    Board,
    Drawing,
    Roll,
    Rules,
    Source,
    dice_left,
    duplicates_left,
)
from companion.games.railroad_ink.rules.boards.routes import Cells
from companion.games.railroad_ink.rules.match.turn import source_refusal, try_draw
from companion.games.railroad_ink.rules.rulebook import (
    NAMES,
    SPECIAL_SHAPES,
    SPECIALS_A_ROUND,
    UNIVERSITY_CIRCLES,
    Edition,
)

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")


@dataclass(frozen=True)
class Ordered(Generic[StateT, MoveT]):
    """The board after as many moves as some order allows, and the moves left over."""

    board: StateT
    left: tuple[MoveT, ...]


Draw: TypeAlias = Callable[[Rules, Board, Roll, Drawing], Board | Refusal]


def in_some_order(
    board: StateT, moves: Sequence[MoveT], make: Callable[[StateT, MoveT], StateT | Refusal]
) -> Ordered[StateT, MoveT]:
    """Make the moves of one round in an order that works, or as many of them as any order allows."""
    everything = frozenset(range(len(moves)))
    reached = {everything: board}  # by what is left to be made
    waiting = [everything]
    while waiting and frozenset() not in reached:
        left = waiting.pop()
        for at in sorted(left, reverse=True):
            if left - {at} in reached:
                continue
            after = make(reached[left], moves[at])
            if not isinstance(after, Refusal):
                reached[left - {at}] = after
                waiting.append(left - {at})
    least = min(reached, key=lambda left: (len(left), [-at for at in sorted(left)]))
    return Ordered(reached[least], tuple(moves[at] for at in sorted(least)))


def explain_turn(
    rules: Rules, board: Board, roll: Roll, after: Cells, draw: Draw = try_draw
) -> Board | Refusal:
    """The board ``after`` as a legal continuation of ``board``: the new routes with an order and sources.

    Whether the turn is complete is asked of
    :func:`~companion.games.railroad_ink.rules.match.turn.try_done`.
    """
    before = board.cells()
    added = [
        Drawing(NAMES[cell], route.text, "given", roll.round)
        for cell, route in after.items()
        if cell not in before
    ]
    return changed_ink(before, after) or explain_drawings(rules, board, roll, added, draw)


def explain_drawings(
    rules: Rules, board: Board, roll: Roll, added: Sequence[Drawing], draw: Draw = try_draw
) -> Board | Refusal:
    """The board with these drawings, each from where it said, or ("given") from wherever it may have come."""
    refusal = too_many(rules, added)
    if refusal is not None:
        return refusal
    tried = []
    choices = [
        [replaced(drawing, source=source) for source in sources_of(drawing, rules.edition)]
        if drawing.source == "given"
        else [drawing]
        for drawing in added
    ]
    for sourced in likeliest_ways(rules, board, roll, choices):
        found = in_some_order(board, sourced, lambda board, drawing: draw(rules, board, roll, drawing))
        if not found.left:
            return found.board
        tried.append((len(found.left), count_from(sourced, "university"), found))
    # What is told is why the usual sources do not do: few people think of the free special route first.
    return reason(rules, roll, min(tried, key=lambda one: one[:2])[2], draw)


def by_source(rules: Rules, board: Board, roll: Roll, drawing: Drawing) -> Board | Refusal:
    """Where a route can have come from: a :data:`Draw` that does not judge the place."""
    return source_refusal(rules, board, roll, drawing) or board.with_drawing(drawing)


def ink_remarks(before: Cells, after: Cells) -> list[str]:
    """What is drawn stays drawn: a sentence for cells that vanished, one for cells that look different."""
    vanished, changed = _altered(before, after)
    remarks = ((m("drawn earlier and gone now"), vanished), (m("drawn differently than before"), changed))
    return [joined(": ", [what, listed(names)]) for what, names in remarks if names]


def _altered(before: Cells, after: Cells) -> tuple[list[str], list[str]]:
    vanished = [NAMES[cell] for cell in before if cell not in after]
    changed = [NAMES[cell] for cell in before if cell in after and after[cell] != before[cell]]
    return vanished, changed


def changed_ink(before: Cells, after: Cells) -> Refusal | None:
    """The refusal of a board on which earlier ink is not as it was."""
    vanished, changed = _altered(before, after)
    if not vanished and not changed:
        return None
    message = joined("; ", ink_remarks(before, after))
    return Refusal("vanished" if vanished else "changed", message, {"vanished": vanished, "changed": changed})


def too_many(rules: Rules, added: Sequence[Drawing]) -> Refusal | None:
    """Refuse more routes than a round can have: dice, a duplicate for each Factory, two special routes."""
    most = len(rules.edition.dice) + len(rules.edition.factory) + SPECIALS_A_ROUND  # or a die drawn twice
    most += len(rules.edition.university) >= UNIVERSITY_CIRCLES
    if len(added) <= most:
        return None
    message = m(
        "{added} routes are new; a round has at most {most}: were rounds left out?",
        added=len(added),
        most=most,
    )
    return Refusal("too-many-routes", message, {"cells": [drawing.cell for drawing in added]})


def likeliest_ways(
    rules: Rules, board: Board, roll: Roll, choices: Sequence[Sequence[Drawing]]
) -> list[tuple[Drawing, ...]]:
    """Every way to say where a round's routes came from, out of what each of them may have come from.

    Most dice first, because a duplicate in place of a die would leave that die to be drawn; among those the
    free special route of the third University first, because it costs none of the match's three. What more
    duplicates would need than there are Factories is left out, unless nothing else is left to be refused.
    """
    possible = [way for way in product(*choices) if _dice_suffice(board, roll, way)]
    most = duplicates_left(rules, board, roll)
    most += sum(rules.edition.layout.cell(choice[0].cell) in rules.edition.factory for choice in choices)
    affordable = [way for way in possible if count_from(way, "factory") <= most]
    return sorted(
        affordable or possible, key=lambda way: (-count_from(way, "die"), -count_from(way, "university"))
    )


def count_from(way: Sequence[Drawing], source: Source) -> int:
    """How many of these routes came from there."""
    return sum(drawing.source == source for drawing in way)


def sources_of(drawing: Drawing, edition: Edition) -> tuple[Source, ...]:
    """The possible sources of such a route: hardly any die shows a special route."""
    if edition.copies:
        return ("die", "copy")
    if drawing.shape not in SPECIAL_SHAPES:
        return ("die", "factory")
    on_dice: tuple[Source, ...] = ("die", "factory") if drawing.shape in edition.specials_on_dice else ()
    return (*on_dice, "special", "university")


def _dice_suffice(board: Board, roll: Roll, way: Sequence[Drawing]) -> bool:
    """False if some shape takes more dice than show it, so that no order can work."""
    if roll.faces is None:
        return True
    claimed = Counter(drawing.shape for drawing in way if drawing.source == "die")
    return claimed <= Counter(dice_left(board, roll))


def reason(rules: Rules, roll: Roll, closest: Ordered[Board, Drawing], draw: Draw = try_draw) -> Refusal:
    """Why the first drawing left over cannot be made, from the attempt that came furthest."""
    drawing = closest.left[0]
    answer = draw(rules, closest.board, roll, drawing)
    if not isinstance(answer, Refusal):
        raise ValueError(f"{drawing} can still be made")
    if answer.code == "no-factory":  # people think of it as one die too many
        answer = source_refusal(rules, closest.board, roll, replaced(drawing, source="die")) or answer
    said_where = drawing.cell in answer.message
    message = answer.message if said_where else joined(": ", [drawing.cell, answer.message])
    return Refusal(answer.code, message, {**answer.detail, "cell": drawing.cell})
