"""The strategy that finds the bot's weights: its steps, and what it leaves as it is."""

from __future__ import annotations

import numpy as np

from companion.games.railroad_ink.bot.engines import Engine
from companion.games.railroad_ink.bot.tables import Array, rolls
from companion.games.railroad_ink.bot.worth import Weight, strategy
from companion.games.railroad_ink.rules.rulebook import EDITION
from lab.railroad_ink.bot_strategy import Adam, mean_points, units


def test_steps_go_where_the_gradient_does_and_are_as_long_in_every_direction() -> None:
    adam = Adam((3,))
    for _ in range(50):
        step = adam.step(np.array([1.0, -10.0, 0.0]))
    assert np.allclose(step, [1, -1, 0], atol=1e-6)


def test_the_last_round_and_what_an_edition_has_not_stay_as_they_are() -> None:
    assert not units("classic")[6].any()
    assert not units("classic")[:, Weight.VILLAGE : Weight.GOALS + 2].any()
    assert units("challenge")[:6, Weight.VILLAGE : Weight.GOALS + 2].all()


class _Counting(Engine):
    """Every match is worth the number of goals, and what the first one brings in the fourth round."""

    begin = draw = promise = complete = matches = None  # type: ignore[assignment]

    def play_outs(
        self, heads: Array, bodies: Array, widths: Array, rolls: Array, first: int, table: Array
    ) -> Array:
        return np.full((1, len(rolls)), table["goal_count"][0] + table["prize"][0, 3, 0])


def test_goals_have_the_deadlines_of_a_solo_match() -> None:
    for edition, points in (("classic", 0), ("challenge", 3 + 1)):
        dice = rolls(EDITION[edition], 20, 7, seed=1)
        engine = _Counting()
        assert mean_points(engine, edition, strategy(edition), dice, 1) == points  # type: ignore[arg-type]
