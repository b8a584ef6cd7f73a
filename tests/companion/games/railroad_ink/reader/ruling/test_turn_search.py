"""The search for legal turns against trying every one of them."""

from __future__ import annotations

from random import Random

import pytest

from companion.game.base import Refusal
from companion.games.railroad_ink.reader.likely import agreement
from companion.games.railroad_ink.reader.ruling.likelihood import Nlls, nll_of, route_nlls
from companion.games.railroad_ink.reader.ruling.turn_search import SEEN_SURPRISE, WINDOW, legal_turns
from companion.games.railroad_ink.rules.boards.board import Board, Roll, Rules
from companion.games.railroad_ink.rules.boards.routes import Cells
from companion.games.railroad_ink.rules.boards.walls import parse_walls
from companion.games.railroad_ink.rules.match.turn import open_draws, try_done
from companion.games.railroad_ink.rules.rulebook import EDITION, GRID, SPECIAL_SHAPES
from companion.reading.evidence import MAX_NLL
from lab.railroad_ink.random_play import random_turns

from ..unclear import probabilities_of


def every_turn(rules: Rules, board: Board, roll: Roll, nlls: Nlls) -> dict[frozenset[tuple[int, str]], Board]:
    """Every board that the round can end with and the picture does not rule out, drawing by drawing."""
    reached = {_key(board): board}
    waiting = [board]
    while waiting:
        before = waiting.pop()
        for drawing in open_draws(rules, before, roll):
            after = before.with_drawing(drawing)
            dice = (one.source for one in after.in_round(roll.round))
            key = frozenset({*_key(after), (-1, " ".join(sorted(dice)))})
            if nll_of(nlls[GRID.cell(drawing.cell)], drawing.drawn) <= MAX_NLL and key not in reached:
                reached[key] = after
                waiting.append(after)
    return {
        key: after for key, after in reached.items() if not isinstance(try_done(rules, after, roll), Refusal)
    }


def _key(board: Board) -> frozenset[tuple[int, str]]:
    return frozenset((cell, route.text) for cell, route in board.cells().items())


def slow_totals(
    rules: Rules, board: Board, roll: Roll, nlls: Nlls
) -> dict[frozenset[tuple[int, str]], float]:
    """What every turn nlls, by the board after it."""
    before = board.cells()
    totals: dict[frozenset[tuple[int, str]], float] = {}
    for after in every_turn(rules, board, roll, nlls).values():
        cells = after.cells()
        evidence = sum(nll_of(nlls[cell], cells.get(cell)) for cell in range(GRID.size) if cell not in before)
        if evidence > MAX_NLL:
            continue
        new = {cell: route for cell, route in cells.items() if cell not in before}
        total = evidence + _surprise(after, roll) + agreement(before, new, rules.walls)
        totals[_key(after)] = min(total, totals.get(_key(after), total))
    return totals


def _surprise(after: Board, roll: Roll) -> float:
    drawn = after.in_round(roll.round)
    special = sum(one.shape in SPECIAL_SHAPES for one in drawn)
    duplicates = sum(one.source == "factory" for one in drawn)
    return SEEN_SURPRISE.special * special + SEEN_SURPRISE.duplicate * duplicates


@pytest.mark.parametrize("seed", range(24))
def test_the_best_turn_is_the_best_of_all(seed: int) -> None:
    random = Random(seed)
    walls = parse_walls(["c3-d3", "b1-b2"]) if seed % 4 == 0 else Rules().walls
    rules = Rules(EDITION["classic" if seed % 5 == 0 else "challenge"], walls)
    for board, roll, after in random_turns(random, rules):
        nlls = route_nlls(probabilities_of(after.cells(), random, 0.3))
        slow = slow_totals(rules, board, roll, nlls)
        turns = legal_turns(rules, board, roll, nlls, finished=True)
        assert turns.complete
        found = {_key(turn.board): turn.total for turn in turns.found}
        assert set(found) <= set(slow)
        for key, total in found.items():
            assert total == pytest.approx(slow[key])
        best = min(slow.values(), default=None)
        assert (turns.found[0].total if turns.found else None) == (
            best if best is None else pytest.approx(best)
        )
        missed = [total for key, total in slow.items() if key not in found]
        assert all(total > turns.found[0].total + WINDOW - 5 for total in missed), "only what hardly counts"


@pytest.mark.parametrize(
    "seed", [0, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 3, 4, 5))]
)
def test_under_a_hand_every_turn_of_dice_alone_is_found(seed: int) -> None:
    """Branches are left early only where nothing legal can come of them."""
    random = Random(100 + seed)
    rules = Rules()
    cut_short = 0
    for board, roll, after in random_turns(random, rules):
        drawn = [GRID.cell(one.cell) for one in after.in_round(roll.round)]
        free = [cell for cell in range(GRID.size) if cell not in after.cells()]
        hidden = {*random.sample(drawn, min(2, len(drawn))), *random.sample(free, min(1, len(free)))}
        nlls = route_nlls(probabilities_of(after.cells(), random, 0.15, hidden))
        slow = slow_totals(rules, board, roll, nlls)
        turns = legal_turns(rules, board, roll, nlls, finished=True)
        found = {_key(turn.board) for turn in turns.found}
        assert found <= set(slow)
        cut_short += not turns.complete
        if not turns.complete:
            continue
        dice = {_key(turn) for turn in every_turn(rules, board, roll, nlls).values() if _of_dice(turn, roll)}
        near = {key for key in dice & set(slow) if slow[key] < turns.found[0].total + WINDOW - 5}
        assert near <= found
    assert cut_short <= 1


def _of_dice(board: Board, roll: Roll) -> bool:
    return all(one.source == "die" for one in board.in_round(roll.round))


def test_without_the_roll_the_dice_could_have_shown_it() -> None:
    random = Random(2)
    rules = Rules()
    for board, roll, after in random_turns(random, rules):
        nlls = route_nlls(probabilities_of(after.cells(), random, 0.15))
        turns = legal_turns(rules, board, Roll(roll.round, None), nlls, finished=False)
        assert turns.found[0].board.cells() == after.cells()


def test_the_order_and_the_sources_are_those_of_a_legal_round() -> None:
    random = Random(3)
    rules = Rules()
    for board, roll, after in random_turns(random, rules):
        best = legal_turns(
            rules, board, roll, route_nlls(probabilities_of(after.cells(), random, 0.1)), True
        ).found[0]
        assert best.board.drawings[: len(board.drawings)] == board.drawings
        assert best.board.cells() == after.cells()
        assert not isinstance(try_done(rules, best.board, roll), Refusal)


def test_far_too_many_turns_are_said_not_guessed() -> None:
    nothing: Cells = {}
    unseen = range(GRID.size)
    probabilities = probabilities_of(nothing, Random(1), 0.1, unseen)
    turns = legal_turns(
        Rules(), Board(), Roll(1, ("NS", "ns", "NE", "Ns*")), route_nlls(probabilities), finished=True
    )
    assert not turns.complete
