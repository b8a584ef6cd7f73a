"""What a game says that it does, it does: an attribute beside methods that have a default."""

from __future__ import annotations

import pytest

from companion.game.base import Game, Refusal
from companion.game.registry import GAMES
from tests.companion.table.toygame import State, ToyGame

SAID_BY = {
    "skips_empty_seats": ("leave", "come_back"),
    "judges_end": ("close",),
    "duplicable": ("settled", "rolls"),
    "answers_questions": ("ask",),
    "scores_lines": ("line_scorer",),
    "lists_turns": ("complete_turns",),
    "file_options": ("option_faults",),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("attribute", SAID_BY)
def test_methods_are_there_exactly_where_it_is_said(name: str, attribute: str) -> None:
    game = GAMES[name]
    own = {getattr(type(game), method) is not getattr(Game, method) for method in SAID_BY[attribute]}
    assert own == {bool(getattr(game, attribute))}


@pytest.mark.parametrize("name", GAMES)
def test_options_that_are_files_are_options_without_choices(name: str) -> None:
    text = [option.name for option in GAMES[name].options if option.default == "" and not option.choices]
    assert [option for option in text if option in GAMES[name].file_options] == [*GAMES[name].file_options]


def test_a_game_that_says_nothing_more_goes_on_as_it_is() -> None:
    game, state = ToyGame(), State({1: (1, 2)}, (), money={1: 0})
    assert [game.leave(state, 1), game.come_back(state, 1), game.admit(state, 2), game.close(state)] == [
        state
    ] * 4
    late = game.admit_fault(state)
    assert late == Refusal("too-late", "nobody can join a match of Toy that has begun")
    assert game.bots_fault({}) is None
    assert game.readable(state)
