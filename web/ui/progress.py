"""The progress of the scores: the totals at the end of every round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.table.events import is_move
from companion.table.match import Match, in_effect, with_fact
from companion.table.standings import told_total


@dataclass(frozen=True)
class Step:
    """The totals by seat at the end of a round, or as they are now."""

    label: str
    totals: dict[int, int]


def progress(match: Match) -> list[Step]:
    """Return the totals after each round, the last step being the present."""
    game = match.game
    state = game.start(match.opening["setup"])
    steps = []
    for fact in in_effect(match.events).values():
        after = with_fact(game, state, fact)
        if _round(after) != _round(state):
            # What ended the round counts in it, unless it is the next roll that began another.
            ended = state if is_move(fact) and game.lasting(fact) else after
            steps.append(_step(match, ended, _round(state)))
        state = after
    return [*steps, _step(match, state, _round(state))]


def _round(state: Any) -> int:
    """Return the round; games without rounds have a single one."""
    return int(getattr(state, "round", 1))


def _step(match: Match, state: Any, number: int) -> Step:
    totals = {int(row["seat"]): told_total(row) for row in match.game.score(state)}
    return Step(str(number), {**dict.fromkeys(match.players, 0), **totals})
