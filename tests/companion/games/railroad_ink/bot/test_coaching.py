"""The coach: what a drawing cost, how surely, and why."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.chance import SeededChance
from companion.game.base import Action, Fact
from companion.games.railroad_ink.bot import coaching, player
from companion.games.railroad_ink.bot.coaching import PARTS, networks_of, parts_of
from companion.games.railroad_ink.bot.engines import Engine, MachineCode, warmed_up
from companion.games.railroad_ink.bot.player import RailroadInkBot
from companion.games.railroad_ink.bot.tables import HEAD
from companion.games.railroad_ink.bot.thinking import Effort
from lab.bots_bench import Match

BOT = RailroadInkBot()


def test_the_parts_of_a_score_are_read_off_heads() -> None:
    heads = np.zeros((2, 3), HEAD)
    heads["bank"], heads["live"] = 8, 0b101
    heads["exits"][..., 0], heads["exits"][..., 1] = 0b111, 0b11111  # the second network is no more
    heads["ends"][..., 2], heads["lost"] = 2, 1
    heads["longest"][..., 0], heads["villages"] = 5, 2
    assert dict(zip(PARTS, parts_of(heads)[1, 2], strict=True)) == {
        "exits": 16,
        "highway": 5,
        "railway": 0,
        "centre": 9,
        "errors": -3,
        "villages": 4,
        "goals": 0,
    }


def test_networks_that_stay_apart_are_counted_with_and_without_ends() -> None:
    head = np.zeros(1, HEAD)
    head["live"], head["closed"] = 0b1011, 2
    head["exits"][0, :4] = [1, 6, 8, 0]  # the third is no more, the fourth has no exit
    assert networks_of(head[0]) == 2 + 2


def test_without_numba_a_drawing_has_its_price_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rougher, and it says how much."""
    monkeypatch.setattr(coaching, "EFFORT", Effort(8, 8, playouts=30))
    monkeypatch.setattr(coaching, "MOST", 50)
    monkeypatch.setattr(coaching, "BLOCK", 50)
    match = Match.begun("railroad-ink", 1, {"edition": "classic"}, seed=3)
    match.do(Action("roll", data={"faces": ["NS", "NS", "ns", "NS|ew"]}))
    told = BOT.coach(match.state, Fact("done", 1, {}))
    assert told is not None
    assert told["cost"] > 5, "nothing was drawn"
    assert 0 < told["error"] < 2
    assert len(told["best"]) >= 4
    assert told["why"][0].startswith("all of it is right, but ")


@pytest.fixture(scope="module")
def machine_code() -> Engine:
    pytest.importorskip("numba", reason="machine code needs numba")
    return warmed_up(MachineCode())


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("edition", ["classic", "challenge"])
def test_a_careless_drawing_costs_points_and_the_best_one_none(
    machine_code: Engine, monkeypatch: pytest.MonkeyPatch, edition: str
) -> None:
    monkeypatch.setattr(player, "engine", lambda: machine_code)
    match = Match.begun("railroad-ink", 1, {"edition": edition}, seed=3)
    costs = []
    while not match.over:
        match.do(Action("roll"))
        while (legal := [one for one in match.game.legal(match.state, 1) if one.kind == "draw"]) and (
            len(match.state.boards[1].in_round(match.state.round)) < 4
        ):
            dice = [one for one in legal if one.data["from"] == "die"]
            if not dice:
                break
            match.do(dice[-1])
        told = BOT.coach(match.state, Fact("done", 1, {}))
        assert told is not None
        assert told["error"] <= 0.7
        assert told["cost"] >= 0
        assert bool(told["why"]) == (told["cost"] > 0) or told["cost"] < 1
        costs.append(told["cost"])
        fresh = {move["cell"] for move in told["best"]}
        assert len(fresh) == len(told["best"])
        match.do(Action("done", 1))
    assert sum(costs) > 10


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_what_the_bot_draws_costs_next_to_nothing(
    machine_code: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player, "engine", lambda: machine_code)
    match = Match.begun("railroad-ink", 1, {"edition": "classic", "bots": "best"}, seed=3)
    match.step()
    while (action := BOT.decide(match.state, 1, SeededChance(1))) is not None and action.kind != "done":
        match.do(action)
    told = BOT.coach(match.state, Fact("done", 1, {}))
    assert told is not None
    assert told["cost"] < 2
