from __future__ import annotations

from random import Random

from hypothesis import given

from companion.games.railroad_ink.rules.boards.board import Rules
from companion.games.railroad_ink.rules.boards.position import Position, refuse_meeting_types
from companion.games.railroad_ink.rules.match.check import check_moves
from companion.games.railroad_ink.rules.rulebook import EDITION
from lab.railroad_ink.random_play import random_board, random_turns
from tests.companion.games.railroad_ink.rules.boards import any_positions, legal_positions


@given(legal_positions())
def test_random_play_never_lets_a_highway_meet_a_railway(position: Position) -> None:
    refuse_meeting_types(position.cells, position.walls)


@given(any_positions())
def test_arbitrary_boards_for_tests_are_positions(position: Position) -> None:
    refuse_meeting_types(position.cells, position.walls)


def test_random_play_draws_most_of_its_dice() -> None:
    drawn = [len(random_board(Random(seed)).cells) for seed in range(50)]
    assert all(20 <= count <= 31 for count in drawn)
    assert max(drawn) == 31


def test_random_turns_are_legal_matches() -> None:
    sources = set()
    for seed in range(12):
        edition = "classic" if seed % 3 == 0 else "challenge"
        turns = list(random_turns(Random(seed), Rules(EDITION[edition])))
        drawings = turns[-1][2].drawings
        sources |= {drawing.source for drawing in drawings}
        moves = [
            {"round": one.round, "cell": one.cell, "route": one.route, "from": one.source} for one in drawings
        ]
        dice = [list(roll.faces or ()) for _, roll, _ in turns]
        answer = check_moves({"edition": edition, "moves": moves, "dice": dice, "finished": True})
        assert answer == {"valid": True}
    assert sources == {"die", "factory", "special", "university"}
