"""What a board is judged by: the weights, and where they are kept.

The weights (``strategy.toml``, by edition and round) are the best that an evolution strategy came to, judged
by the points of whole matches: ``python -m lab.railroad_ink.bot_strategy``. Of the last round only the score
counts.
"""

from __future__ import annotations

from enum import IntEnum, auto
from functools import lru_cache
from importlib.resources import files

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.rules.rulebook import ROUNDS


class Weight(IntEnum):
    """What counts for a board's worth: the places of the weights."""

    EXITS = 0  # points of networks
    # Steps from the ends of the best network to an exit that is free, or to another network with an exit.
    AT_1 = auto()
    AT_2 = auto()
    AT_3 = auto()
    AT_4 = auto()
    AT_5 = auto()
    BEYOND = auto()  # farther away
    SHUT = auto()  # an exit that can no longer be joined
    DONE = auto()  # a network without ends
    LOST = auto()  # an end to which nothing can be joined any more
    H_END = auto()  # open highway ends
    R_END = auto()
    MAIN_END = auto()  # ends of the best network, six at most
    CLASH = auto()  # both types arrive at one space
    MEETING = auto()  # two ends of one type do
    CROWDED = auto()  # an end that leads to a space with no empty one beside it
    SPECIAL = auto()  # special routes that are left
    HIGHWAY = auto()  # the longest one
    RAILWAY = auto()
    CENTRE = auto()
    H_DEPTH = auto()  # the longest highway that comes to an open end
    R_DEPTH = auto()
    VILLAGE = auto()
    UNIVERSITY = auto()
    GOALS = auto()
    NEARLY = auto()  # goals of which a part is achieved
    H_NEXT = auto()  # the longest highway that comes to an end elsewhere
    R_NEXT = auto()
    MAIN_H = auto()  # spaces at which a highway of the best network ends, three at most
    MAIN_R = auto()
    REACHED = auto()  # spaces reached in five steps from the best network


# What the last round is judged by: the score.
SCORE = {
    **dict.fromkeys((Weight.EXITS, Weight.HIGHWAY, Weight.RAILWAY, Weight.CENTRE), 1),
    **dict.fromkeys((Weight.VILLAGE, Weight.GOALS), 1),
    **dict.fromkeys((Weight.LOST, Weight.H_END, Weight.R_END), -1),
}

Weights = NDArray[np.float64]  # [round, weight]


@lru_cache(maxsize=4)
def strategy(edition: str) -> Weights:
    """The weights of an edition by round, the score being those of the last one."""
    text = files(__package__).joinpath("strategy.toml").read_bytes()
    rows = msgspec.toml.decode(text, type=dict[str, dict[str, list[float]]])[edition]
    return with_score(np.array([rows[weight.name.lower()] for weight in Weight]).T)


def with_score(weights: Weights) -> Weights:
    """These weights of the rounds but the last one, and the score."""
    last = np.zeros((1, len(Weight)))
    for place, value in SCORE.items():
        last[0, place] = value
    return np.concatenate([weights[: ROUNDS - 1], last])


def written(weights: dict[str, Weights], how: str) -> str:
    """The file of the weights: by edition, of each weight its value in every round but the last one."""
    lines = [f"# {line}" for line in how.splitlines()]
    for edition, rows in weights.items():
        lines += ["", f"[{edition}]"]
        for weight in Weight:
            values = ", ".join(f"{value:.3f}" for value in rows[: ROUNDS - 1, weight])
            lines.append(f"{weight.name.lower()} = [{values}]")
    return "\n".join(lines) + "\n"
