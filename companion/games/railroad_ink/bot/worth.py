"""What a board is judged by: the names of the weights and their places, and where they are kept.

The weights (``strategy.toml``, by edition and round) are the best that an evolution strategy came to, judged
by the points of whole matches: ``python -m lab.railroad_ink.bot_strategy``. Of the last round only the score
counts.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.rules.rulebook import ROUNDS

(
    EXITS, AT_1, AT_2, AT_3, AT_4, AT_5, BEYOND, SHUT, DONE, LOST, H_END, R_END, MAIN_END, CLASH, MEETING,
    CROWDED, SPECIAL, HIGHWAY, RAILWAY, CENTRE, H_DEPTH, R_DEPTH, VILLAGE, UNIVERSITY, GOALS, NEARLY, H_NEXT,
    R_NEXT, MAIN_H, MAIN_R, REACHED,
) = range(31)  # fmt: skip
NAMES = (
    "exit points",
    # Steps from the ends of the best network to an exit that is free, or to another network with an exit.
    "terminal at 1", "terminal at 2", "terminal at 3", "terminal at 4", "terminal at 5", "terminal beyond",
    "exit shut",  # can no longer be joined
    "network without ends",
    "end lost",  # nothing can be joined to it any more
    "open highway end", "open railway end",
    "end of the main network",  # six at most
    "clash",  # both types arrive at one space
    "meeting",  # two ends of one type do
    "crowded end",  # leads to a space with no empty one beside it
    "special left",
    "highway", "railway",  # the longest ones
    "centre",
    "highway goes on", "railway goes on",  # the longest walk that comes to an open end
    "villages", "universities", "goals", "goals nearly",
    "another highway goes on", "another railway goes on",  # the longest to an end elsewhere
    "highway end of the main network", "railway end of the main network",  # three at most
    "space reached",  # in five steps from the main network
)  # fmt: skip
# What the last round is judged by: the score.
SCORE = {EXITS: 1, LOST: -1, H_END: -1, R_END: -1, HIGHWAY: 1, RAILWAY: 1, CENTRE: 1, VILLAGE: 1, GOALS: 1}

Weights = NDArray[np.float64]  # [round, weight]


@lru_cache(maxsize=4)
def strategy(edition: str) -> Weights:
    """The weights of an edition by round, the score being those of the last one."""
    text = files(__package__).joinpath("strategy.toml").read_bytes()
    rows = msgspec.toml.decode(text, type=dict[str, dict[str, list[float]]])[edition]
    return with_score(np.array([rows[name] for name in NAMES]).T)


def with_score(weights: Weights) -> Weights:
    """These weights of the rounds but the last one, and the score."""
    last = np.zeros((1, len(NAMES)))
    for place, value in SCORE.items():
        last[0, place] = value
    return np.concatenate([weights[: ROUNDS - 1], last])


def written(weights: dict[str, Weights], how: str) -> str:
    """The file of the weights: by edition, of each weight its value in every round but the last one."""
    lines = [f"# {line}" for line in how.splitlines()]
    for edition, rows in weights.items():
        lines += ["", f"[{edition}]"]
        for place, name in enumerate(NAMES):
            values = ", ".join(f"{value:.3f}" for value in rows[: ROUNDS - 1, place])
            lines.append(f'"{name}" = [{values}]')
    return "\n".join(lines) + "\n"
