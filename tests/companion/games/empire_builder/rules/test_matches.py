"""Full matches played by the planning player, audited event by event; the bench has thousands."""

from __future__ import annotations

import pytest

from companion.core.records import replaced
from companion.game.base import Action
from companion.game.bots import best_action
from companion.games.empire_builder.bot.player import suggestion
from companion.games.empire_builder.rules.match.state import Turn
from companion.table.chance import SeededChance
from lab.empire_builder.rules_bench import crowded, main, matches, played, speeds, step_faults
from tests.companion.games.empire_builder.rules.tables import (
    BOARD,
    GAME,
    begun,
    laid,
    running,
    train_at,
    way,
    with_cash,
)


@pytest.mark.parametrize(
    ("seats", "seed"),
    [(2, 31), *(pytest.param(*match, marks=pytest.mark.slow) for match in ((4, 33), (6, 35)))],
)
def test_a_full_match_conserves_money_chips_cards_and_track_after_every_event(seats: int, seed: int) -> None:
    state = None
    for before, fact, after in played(seats, seed):
        assert step_faults(before, fact, after) == []
        state = after
    assert state is not None
    assert state.finished
    assert GAME.faults(state) == []


def test_money_that_appears_from_nowhere_is_noticed() -> None:
    _, fact, after = next(played(2, 1))
    assert fact.kind == "build"
    assert any("does not add up" in fault for fault in step_faults(after, fact, after))


def test_a_match_that_does_not_end_in_time_is_counted_apart_from_faults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lab.empire_builder.rules_bench.LONGEST", 3)
    said: list[str] = []
    tally = matches(1, 1, said.append)
    assert (tally.faults, tally.not_ended, tally.rounds) == (0, 1, [])
    assert said[0] == "match 1 of 2: not ended in 3 rounds"
    assert "0 faults, 1 not ended in 3 rounds" in said[-1]


def test_a_match_that_goes_wrong_is_counted_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.empire_builder.rules_bench.LONGEST", 3)
    monkeypatch.setattr("lab.empire_builder.rules_bench.money_of", lambda _before, _fact: 1)
    said: list[str] = []
    tally = matches(1, 1, said.append)
    assert tally.faults > 0
    assert "the money does not add up" in said[0]
    monkeypatch.setattr("lab.empire_builder.rules_bench.speeds", list)
    assert main(["--matches", "1"]) == 1


def test_the_games_own_bot_is_asked() -> None:
    state = begun(2)
    action = best_action(GAME, state, 1, SeededChance(1))
    assert action == suggestion(state, 1)
    assert best_action(GAME, state, 2, SeededChance(1)) is None


def test_a_train_cut_off_from_its_line_is_fetched() -> None:
    state = train_at(laid(running(), 1, way("Chicago", "Des Moines")), 1, "Washington DC")
    action = suggestion(state, 1)
    assert action is not None
    assert action.kind == "build"


def test_a_train_in_a_dead_end_builds_on_to_a_city() -> None:
    line = way("Chicago", "Denver")[:6]
    numbers = [BOARD.numbers[name] for name in line]
    state = train_at(laid(running(), 1, line), 1, line[-1], came=numbers[-2])
    action = suggestion(state, 1)
    assert action is not None
    assert action.kind == "build"
    assert action.data["path"][0] == line[-1]


def test_the_speeds_are_measured_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.empire_builder.rules_bench.PATHS", 10)
    state = crowded(round_number=12)
    monkeypatch.setattr("lab.empire_builder.rules_bench.crowded", lambda: state)
    lines = list(speeds())
    assert len(lines) == 11
    assert lines[0].startswith("2,123 mileposts")
    for what in ("legal builds", "reachable mileposts", "cheapest path, empty board"):
        (line,) = [line for line in lines if line.startswith(what)]
        assert float(line.split("50% ")[1].split(" ms")[0]) < 10


@pytest.mark.parametrize("seed", [5005, 5009])
def test_nobody_sits_on_money_without_a_line(seed: int) -> None:
    """Not even with cards from one major city to another, where nothing is joined before it is built."""
    for _, _, state in played(2, seed, odd=0):
        if state.round > 4:
            break
    assert all(player.linked for player in state.players.values())


def test_who_can_do_nothing_takes_a_new_hand_where_that_is_allowed() -> None:
    broke = replaced(with_cash(begun(new_hand="turn"), 1, 0), round=3, turn=Turn())
    assert suggestion(broke, 1) == Action("new_hand", 1)
    strict = replaced(with_cash(begun(), 1, 0), round=3, turn=Turn())
    assert suggestion(strict, 1) == Action("done", 1)
