"""Random legal matches with expansions: for tests, and a bench over all of them.

``python -m lab.railroad_ink.expansion_play 10000`` plays so many matches, as many of each expansion, and
decides every fact a second time as a strict replay does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from time import perf_counter

from companion.games.contract import Action, Fact, NoChance, Plain, Refusal, Wishes
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.game import RailroadInk
from companion.games.railroad_ink.rules.state import State

_GAME = RailroadInk()
_STOPS = 0.6  # how often somebody who may finish a round does
_PLACES = 0.4  # how often an expansion's die comes before the route dice


class _Chance:
    """Numbers of a seeded generator, as the table would draw them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.source: Plain = {"kind": "service"}

    def below(self, bound: int) -> int:
        """A number from 0."""
        return self.random.randrange(bound)


def random_match(
    name: str, random: Random, seats: int = 2, options: Plain | None = None
) -> Iterator[tuple[State, Fact | None]]:
    """Every state of a match with the fact that follows; nothing follows the last."""
    chance = _Chance(random)
    begun = _GAME.setup(Wishes(seats, "umpire", {"expansion": name, **(options or {})}), chance)
    if isinstance(begun, Refusal):
        raise ValueError(begun.message)
    state = _GAME.start(begun)
    while not state.finished:
        action = _chosen(state, random)
        fact = _GAME.decide(state, action, chance)
        if isinstance(fact, Refusal):
            raise ValueError(f"{action} was offered and refused: {fact.message}")
        yield state, fact
        state = _GAME.apply(state, fact)
    yield state, None


def _chosen(state: State, random: Random) -> Action:
    for seat in state.boards:
        offered = _GAME.legal(state, seat)
        done = [one for one in offered if one.kind == "done"]
        places = [one for one in offered if one.kind == "place"]
        if done and random.random() < _STOPS:
            return done[0]
        if places and random.random() < _PLACES:
            return random.choice(places)
        if offered:
            return random.choice(offered)
    raise ValueError(f"nobody can do anything in round {state.round}")


def main() -> None:
    """Play, and print a line for every expansion."""
    each = max(1, int(sys.argv[1]) // len(TABLES)) if len(sys.argv) > 1 else 1
    for name in TABLES:
        began = perf_counter()
        facts = 0
        for seed in range(each):
            for state, fact in random_match(name, Random(f"{name} {seed}"), seats=1 + seed % 2):
                if fact is not None and _GAME.decide(state, fact, NoChance()) != fact:
                    raise ValueError(f"{name}, match {seed}: {fact} is decided otherwise the second time")
                facts += 1
            found = _GAME.faults(state)
            if found:
                raise ValueError(f"{name}, match {seed}: {found}")
        seconds = perf_counter() - began
        sys.stdout.write(f"{name}: {each} matches, {facts} facts, no fault, {seconds:.1f} s\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
