"""``python -m lab.railroad_ink.bot_training EDITION``: learn what a board promises, from the bot's matches.

In every pass the bot plays solo matches with the weights that there are, now and then choosing a turn that is
not quite the best. Ridge regression of all final scores so far on the features of boards after each round,
towards the weights of the beginning, gives the next ones. They are written where the bot reads them.

Seeds begin at 1,000,000, so that nothing is measured on what was learnt from.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from random import Random
from statistics import mean
from typing import TypeAlias, get_args

import numpy as np

from companion.core.chance import SeededChance
from companion.game.base import Action, MatchRequest, Refusal
from companion.games.railroad_ink.bot.model import FEATURES, Weights, learnt
from companion.games.railroad_ink.bot.player import judge_of, seat_of
from companion.games.railroad_ink.bot.search import SearchEffort, turns
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.rulebook import ROUNDS, EditionName
from lab.bench import say

GAME = RailroadInk()
SEED = 1_000_000
EFFORT = SearchEffort(beam=10, exact=60, extras=6)
# How strongly the regression is held to the first weights: final scores scatter by 8 points whatever
# the board, and weights are taken to be right within half a point.
TRUST = (8 / 0.5) ** 2
OF_THE_LAST_ROUND = {
    **dict.fromkeys(("exit points", "highway", "railway", "centre", "villages", "goals"), 1.0),
    **dict.fromkeys(("end lost", "end open"), -1.0),
}
Sample: TypeAlias = tuple[
    list[Sequence[float]], int
]  # features after every round but the last; the final score


def played(edition: EditionName, weights: Weights, seed: int, noise: float) -> Sample:
    """One solo match: what the board was after every round, and what it came to."""
    random = Random(seed)
    chance = SeededChance(random)
    data = GAME.setup(MatchRequest(1, "umpire", {"edition": edition}), chance)
    assert not isinstance(data, Refusal), data
    state = GAME.start(data)
    rows: list[Sequence[float]] = []
    while not state.finished:
        rolled = GAME.decide(state, Action("roll"), chance)
        assert not isinstance(rolled, Refusal), rolled
        state = GAME.apply(state, rolled)
        judge = judge_of(state, 1, weights)
        found = turns(seat_of(state, 1), judge, EFFORT)
        doubt = noise if state.round < ROUNDS else 0.0
        turn = max(found, key=lambda one: one.judged.worth + random.gauss(0, doubt))
        rows.append(turn.judged.features)
        for drawing in turn.drawings:
            data = {"cell": drawing.cell, "route": drawing.route, "from": drawing.source}
            drawn = GAME.decide(state, Action("draw", 1, data), chance)
            assert not isinstance(drawn, Refusal), drawn
            state = GAME.apply(state, drawn)
        state = GAME.apply(state, Action("done", 1))
    total: int = GAME.score(state)[0]["total"]
    return rows[:-1], total


def regressed(samples: Sequence[Sample], number: int, prior: Sequence[float]) -> list[float]:
    """The weights of one round by ridge regression towards ``prior``; the constant is free."""
    x = np.array([rows[number - 1] for rows, _ in samples], float)
    y = np.array([total for _, total in samples], float)
    trust = TRUST * np.eye(len(FEATURES))
    trust[-1, -1] = 1e-6
    found: list[float] = np.linalg.solve(x.T @ x + trust, x.T @ y + trust @ np.array(prior)).tolist()
    return found


def written(weights: Mapping[str, Weights]) -> str:
    """The weights of all editions as a file."""
    lines = [
        "# Points that a feature of a board is worth at the end of a round: lab.railroad_ink.bot_training.",
        "# Of the last round only the score counts; there the beam goes by these before that is known.",
    ]
    for edition, rounds in weights.items():
        for number, row in rounds.items():
            lines += ["", f"[{edition}.{number}]"]
            lines += [f'"{name}" = {round(value, 3)}' for name, value in zip(FEATURES, row, strict=True)]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Learn, and write after every pass."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("edition", choices=get_args(EditionName))
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--matches", type=int, default=150, help="in every pass")
    parser.add_argument("--first", type=int, default=SEED, help="the seed of the first match")
    parser.add_argument("--noise", type=float, default=1.0, help="points by which a turn may seem better")
    parser.add_argument(
        "--to", type=Path, default=Path(str(files("companion.games.railroad_ink.bot"))) / "weights.toml"
    )
    request = parser.parse_args()
    weights = {edition: dict(rounds) for edition, rounds in learnt().items()}
    prior = weights[request.edition]
    last = [OF_THE_LAST_ROUND.get(name, 0.0) for name in FEATURES]
    samples: list[Sample] = []
    for number in range(request.passes):
        first = request.first + number * request.matches
        seeds = range(first, first + request.matches)
        latest = [played(request.edition, weights[request.edition], seed, request.noise) for seed in seeds]
        samples += latest
        after = {one: regressed(samples, one, prior[one]) for one in range(1, ROUNDS)}
        weights[request.edition] = {**after, ROUNDS: last}
        request.to.write_text(written(weights))
        say(f"pass {number + 1}: mean {mean(total for _, total in latest):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
