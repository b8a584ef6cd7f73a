"""The progress of the scores: the totals at the end of every round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.game.base import Fact
from companion.table.events import is_move
from companion.table.match import Match, in_effect, with_fact
from companion.table.standings import told_total


@dataclass(frozen=True)
class Step:
    """The totals by seat at the end of a round, or as they are now."""

    label: str
    totals: dict[int, int]


@dataclass(frozen=True)
class PlayedRound:
    """A round, or the present one: the state at its end, and the facts of it by the events' numbers."""

    label: str
    state: Any
    facts: dict[int, Fact]


def progress(match: Match) -> list[Step]:
    """Return the totals after each round, the last step being the present."""
    return [step_of(match, one) for one in rounds(match)]


def rounds(match: Match) -> Iterator[PlayedRound]:
    """Every round of a match, the last one being the present; an empty one before an early end is none."""
    game = match.game
    state = game.start(match.opening["setup"])
    facts: dict[int, Fact] = {}
    last: PlayedRound | None = None
    for seq, fact in in_effect(match.events).items():
        after = with_fact(game, state, fact)
        facts[seq] = fact
        if _round(after) != _round(state):
            # What ended the round counts in it, unless it is the next roll that began another.
            ended = state if is_move(fact) and game.lasting(fact) else after
            if last is not None:
                yield last
            last = PlayedRound(str(_round(state)), ended, facts)
            facts = {}
        state = after
    if (
        last is not None
        and match.ended
        and all(game.lasting(one) or not is_move(one) for one in facts.values())
    ):
        yield PlayedRound(last.label, state, {**last.facts, **facts})
        return
    if last is not None:
        yield last
    yield PlayedRound(str(_round(state)), state, facts)


def _round(state: Any) -> int:
    """Return the round; games without rounds have a single one."""
    return int(getattr(state, "round", 1))


def step_of(match: Match, played: PlayedRound) -> Step:
    """The totals at the end of a round."""
    totals = {int(row["seat"]): told_total(row) for row in match.game.score(played.state)}
    return Step(played.label, {**dict.fromkeys(match.players, 0), **totals})
