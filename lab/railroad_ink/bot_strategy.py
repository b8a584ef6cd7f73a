"""``python -m lab.railroad_ink.bot_strategy EDITION``: what the bot judges boards by, from whole matches.

An evolution strategy with mirrored samples and Adam's steps: the weights are changed at random to both sides,
matches are played greedily with both, on the same dice, and what made more points pulls. Of Challenge every
group of matches has goals of its own. Every twenty steps the moving average is tried on matches that are used
for nothing else; the best one is written where the bot reads it.
"""

from __future__ import annotations

import argparse
import sys
from importlib.resources import files
from pathlib import Path
from time import monotonic
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.bot.engines import GREEDY, Engine, MachineCode
from companion.games.railroad_ink.bot.tables import rolls, start, tables_of
from companion.games.railroad_ink.bot.worth import Weight, Weights, strategy, with_score, written
from companion.games.railroad_ink.rules.match.race import solo_value
from companion.games.railroad_ink.rules.rulebook import EDITION, GOAL_RACE, ROUNDS, EditionName
from lab.bench import say

PAIRS, MATCHES = 24, 150  # of a step; and of each weights in it
SPREAD, PACE = 0.3, 0.1  # of the samples, and of a step, in units of what a weight usually is
GROUPS = 10  # of goals
TRIED = 3000  # matches on which the average is tried
TRIED_SEED = 777
HOW = """What a board is judged by (names: worth.py), by edition, in rounds 1 to 6: made by
`python -m lab.railroad_ink.bot_strategy EDITION`."""


def units(edition: EditionName) -> NDArray[np.float64]:
    """How large weights are, about; 0: not to be changed."""
    found = np.ones((ROUNDS, len(Weight)))
    found[
        :, [Weight.HIGHWAY, Weight.RAILWAY, Weight.H_DEPTH, Weight.R_DEPTH, Weight.H_NEXT, Weight.R_NEXT]
    ] = 0.5
    found[:, Weight.EXITS], found[:, Weight.BEYOND], found[:, Weight.REACHED] = 0.3, 0.7, 0.15
    found[-1] = 0
    if edition == "classic":
        found[:, Weight.VILLAGE : Weight.GOALS + 2] = 0
    return found


def mean_points(
    engine: Engine, edition: EditionName, weights: Weights, dice: NDArray[np.int64], seed: int
) -> float:
    """The mean of greedy solo matches."""
    head, body = start()
    table = tables_of(EDITION[edition]).copy()
    table["weights"][0, :ROUNDS] = weights
    if not EDITION[edition].goals:
        return float(engine.play_outs(head, body, GREEDY, dice, 0, table).mean())
    random = np.random.default_rng(seed)
    table["goal_count"] = GOAL_RACE.drawn
    for place, deadline in enumerate(GOAL_RACE.solo_deadlines):
        values = [solo_value(deadline, number + 1) for number in range(ROUNDS + 1)]
        table["prize"][0, : ROUNDS + 1, place] = values
    points = []
    for group in np.array_split(dice, GROUPS):
        table["goal"][0] = random.permutation(12)[: GOAL_RACE.drawn]
        points.append(engine.play_outs(head, body, GREEDY, group, 0, table).mean())
    return float(np.mean(points))


class Adam:
    """Steps along a noisy gradient, as long in every direction as its signal is clear."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.mean, self.square, self.steps = np.zeros(shape), np.zeros(shape), 0

    def step(self, gradient: NDArray[np.float64]) -> NDArray[np.float64]:
        """The direction of the next step."""
        self.steps += 1
        self.mean = 0.9 * self.mean + 0.1 * gradient
        self.square = 0.98 * self.square + 0.02 * gradient**2
        mean = self.mean / (1 - 0.9**self.steps)
        found: NDArray[np.float64] = mean / (np.sqrt(self.square / (1 - 0.98**self.steps)) + 1e-8)
        return found


def main() -> int:
    """Improve the weights of an edition, and write them whenever they have become better."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("edition", choices=get_args(EditionName))
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    folder = Path(str(files("companion.games.railroad_ink.bot")))
    parser.add_argument("--to", type=Path, default=folder / "strategy.toml")
    wish = parser.parse_args()
    engine, random = MachineCode(), np.random.default_rng(wish.seed)
    edition, unit = EDITION[wish.edition], units(wish.edition)
    weights = strategy(wish.edition)
    average, adam = weights, Adam(weights.shape)
    tried = rolls(edition, TRIED, ROUNDS, TRIED_SEED)
    best = mean_points(engine, wish.edition, weights, tried, TRIED_SEED)
    say(f"begun with {best:.2f}")
    end = monotonic() + 60 * wish.minutes
    while monotonic() < end:
        seed = int(random.integers(10**7, 10**9))
        dice = rolls(edition, MATCHES, ROUNDS, seed)
        changes = [SPREAD * unit * random.standard_normal(weights.shape) for _ in range(PAIRS)]
        gains = np.array(
            [
                mean_points(engine, wish.edition, weights + change, dice, seed)
                - mean_points(engine, wish.edition, weights - change, dice, seed)
                for change in changes
            ]
        )
        gradient = np.tensordot(gains / (gains.std() + 1e-9), changes, 1) / (SPREAD * PAIRS)
        weights = weights + PACE * 0.8 ** (adam.steps // 100) * unit * adam.step(gradient)
        average = 0.95 * average + 0.05 * weights
        if adam.steps % 20 == 0:
            found = mean_points(engine, wish.edition, average, tried, TRIED_SEED)
            say(f"step {adam.steps}: {found:.2f}")
            if found > best:
                best = found
                everything = {name: strategy(name) for name in get_args(EditionName)}
                wish.to.write_text(written({**everything, wish.edition: with_score(average)}, HOW))
    return 0


if __name__ == "__main__":
    sys.exit(main())
