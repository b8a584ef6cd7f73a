from __future__ import annotations

from random import Random

from hypothesis import given

from companion.games.railroad_ink.position import Position, refuse_meeting_types
from companion.games.railroad_ink.randomboards import random_board

from .boards import any_positions, legal_positions


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
