"""How a match is followed without a touch: ``python -m lab.film.bench [--level calm ..] [--matches 2]``.

Matches are filmed with hands, pens, tables and seeds that nothing was tuned on (``--tuning`` for others, to
work with). A round counts as settled when everybody was said to be done with what is really drawn, before the
patience of the table was over; people throw the dice only when nobody draws any more.
"""

from __future__ import annotations

import argparse
import resource
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lab.bench import at_share, say
from lab.film.film import FRAME_RATE
from lab.film.levels import FILM_LEVELS
from lab.film.watching import Costs, Watching
from lab.railroad_ink.film import FilmedMatch

FIRST_SEED = 9_000_000  # of matches that are for reporting only
TUNING_SEED = 500_000
HELD_OUT_STYLES, HELD_OUT_PENS = ("crosses",), ("brown-medium", "blue-fine")
_PATIENCE = 12.0  # seconds after the last line until somebody takes a phone
_LINGER = 2.0  # seconds from "all are done" to the next throw
_ALL_ROUNDS = 7


@dataclass
class Result:
    """What was counted over matches of one level."""

    rounds: int = 0
    settled: int = 0
    wrong: int = 0
    early: int = 0  # rounds in which somebody was said to be done who still drew
    kept: int = 0  # of these, those in which that was not taken back, or put right, by itself
    delays: list[float] = field(default_factory=list)
    drawing: Costs = field(default_factory=Costs)
    idle: Costs = field(default_factory=Costs)
    unsettled: list[str] = field(default_factory=list)


def watch_match(level: str, seed: int, rounds: int, result: Result, tuning: bool) -> None:
    """Film a match and watch it."""
    held_out = ((), ()) if not tuning else (HELD_OUT_STYLES, HELD_OUT_PENS)
    match = FilmedMatch(level, seed, 4, *held_out)
    watching = Watching(match.game, match.state, drawing=result.drawing, idle=result.idle)
    for number in range(1, rounds + 1):
        after = match.roll()
        watching.begin(match.state)
        film = match.film
        all_done_at: float | None = None
        until = max(film.last_line(seat) for seat in after) + _PATIENCE
        while film.at < until and (all_done_at is None or film.drawing or film.at < all_done_at + _LINGER):
            watching.look(film.next())
            all_done_at = (all_done_at or film.at) if watching.all_done else None
        result.rounds += 1
        right = {seat: _same(watching.said[seat].state, state, seat) for seat, state in after.items()}
        result.early += bool(watching.early)
        result.kept += any(not right[seat] and watching.said[seat].done_at for seat in watching.early)
        if watching.all_done:
            result.settled += all(right.values())
            result.wrong += not all(right.values())
        if not watching.all_done or not all(right.values()):
            bad = [seat for seat in after if not right[seat]]
            states = {view.key[2]: view.state for view in watching.follower.views}
            result.unsettled.append(
                f"match {seed} round {number}: "
                + ", ".join(f"seat {seat} {states.get(seat)}" for seat in bad)
            )
        for seat in after:
            done_at = watching.said[seat].done_at
            if done_at is not None and right[seat]:
                result.delays.append(done_at - film.last_line(seat))
        match.settle(after)


def _same(read: Any, truth: Any, seat: int) -> bool:
    """Return True if a board was read as it is drawn."""
    return read is not None and read.boards[seat].cells() == truth.boards[seat].cells()


def told(level: str, result: Result) -> str:
    """A row of the table."""
    delays = sorted(result.delays) or [float("nan")]
    rounds = max(result.rounds, 1)
    idle, drawing = (_share_of_core(costs) for costs in (result.idle, result.drawing))
    cells = (
        level,
        f"{result.rounds}",
        f"{result.settled / rounds:.0%}",
        f"{result.wrong}",
        f"{at_share(delays, 0.5):.1f} / {at_share(delays, 0.95):.1f} s",
        f"{result.early}, {result.kept} kept",
        idle,
        drawing,
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB",
    )
    return "| " + " | ".join(cells) + " |"


def _share_of_core(costs: Costs) -> str:
    seconds = max(costs.frames / FRAME_RATE, 1e-9)
    return f"{costs.following / seconds:.0%} + {costs.reading / seconds:.0%} reading"


def main(arguments: Sequence[str] | None = None) -> None:
    """Film, watch, and print the table."""
    parser = argparse.ArgumentParser(prog="lab.film.bench", description=__doc__.splitlines()[0])
    parser.add_argument("--level", action="append", choices=tuple(FILM_LEVELS), help="again for several")
    parser.add_argument("--matches", type=int, default=2, help="of each level")
    parser.add_argument("--rounds", type=int, default=_ALL_ROUNDS, help="of each match")
    parser.add_argument("--first", type=int, default=0, help="number of the first match")
    parser.add_argument("--tuning", action="store_true", help="matches to work with, not to report")
    options = parser.parse_args(arguments)
    say("| table | rounds | settled | wrong | done after the last line | early | idle | drawing | memory |")
    say("|---" * 9 + "|")
    seeds = TUNING_SEED if options.tuning else FIRST_SEED
    for level in options.level or FILM_LEVELS:
        result = Result()
        for number in range(options.first, options.first + options.matches):
            watch_match(level, seeds + number, options.rounds, result, options.tuning)
        say(told(level, result))
        for line in result.unsettled:
            say(f"  {line}")


if __name__ == "__main__":
    main()
