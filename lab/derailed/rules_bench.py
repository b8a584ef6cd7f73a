"""A million random legal moves, each checked: ``python -m lab.derailed.rules_bench [MOVES]``.

Whole matches of two to six companies, with every option now and then. After each event the state must satisfy
every invariant; a stored fact decided again must be the same fact; and now and then a move that the list of
legal ones does not have must be refused.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from time import perf_counter

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject
from companion.game.base import Action, MatchRequest, NoChance, Refusal
from companion.games.derailed.rules.cards import FACES, parse_face
from companion.games.derailed.rules.game import Derailed
from companion.games.derailed.rules.state import State
from lab.bench import say

MOVES = 1_000_000
SEED = 63_88
GAME = Derailed()
NO_CHANCE = NoChance()


@dataclass
class Tally:
    """What was seen on the way."""

    moves: int = 0
    matches: int = 0
    placed: int = 0
    passed: int = 0
    arrivals: int = 0
    reshuffles: int = 0
    stalemates: int = 0
    refused: int = 0


def random_options(random: Random, seats: int) -> JsonObject:
    """Now this, now that."""
    return {
        "companies": "".join(random.sample("ABCDEFGH", seats)),
        "deal": random.choice(("box", "box", "box", "table")),
        "first": random.randint(0, seats),
        "next_start": random.choice(("clockwise", "fewest")),
        "between_discard": random.random() < 0.5,
        "dead_ends": random.choice(("stop", "connect")),
        "first_together": random.choice(("all", "placer")),
        "tunnels": random.random() < 0.5,
    }


def play(random: Random, tally: Tally, seats: int, options: JsonObject | None = None) -> State:
    """One whole match of random legal moves; an inconsistency is an AssertionError."""
    chance = SeededChance(random)
    request = MatchRequest(seats, "umpire", random_options(random, seats) if options is None else options)
    data = GAME.setup(request, chance)
    assert not isinstance(data, Refusal), data
    assert GAME.setup_fault(data, request) is None
    state = GAME.start(data)
    while not GAME.finished(state):
        state = step(state, random, chance, tally)
    tally.matches += 1
    tally.arrivals += len(state.arrivals)
    tally.stalemates += state.endings.count("stalemate")
    return state


def step(state: State, random: Random, chance: SeededChance, tally: Tally) -> State:
    """One legal move, checked in every way."""
    seat = random.randint(1, len(state.starts)) if state.phase == "between" else state.turn
    legal = GAME.legal(state, seat)
    assert legal, (state, "nothing to do")
    action = chosen_move(state, legal, random)
    fact = GAME.decide(state, action, chance)
    assert not isinstance(fact, Refusal), (action, fact)
    assert GAME.decide(state, fact, NO_CHANCE) == fact
    after = GAME.apply(state, fact)
    assert not GAME.faults(after), GAME.faults(after)
    tally.moves += 1
    tally.placed += fact.kind == "place"
    tally.passed += fact.kind == "pass"
    tally.reshuffles += fact.kind in ("take", "discard") and "chance" in fact.data
    if tally.moves % 50 == 0:
        tally.refused += _refuse_another(state, random, legal)
    return after


def chosen_move(state: State, legal: list[Action], random: Random) -> Action:
    """Seats of odd number lay anything; the others hurry, so that many rounds end by arrivals.

    With paper hands passing is always legal, but people pass only when they must.
    """
    laying = [action for action in legal if action.kind == "place"]
    if not laying or random.random() < 0.02:
        return random.choice(legal)
    if state.turn % 2:
        return random.choice(laying)
    return max(random.sample(laying, min(10, len(laying))), key=lambda action: _progress(state, action))


def _progress(state: State, action: Action) -> tuple[int, int]:
    """Does a card let its company arrive, and else how far down the lanes do the trains come?"""
    seat = action.seat or 0
    area = state.area()
    cell = area.grid.cell(action.data["cell"])
    after = area.with_face(cell, parse_face(action.data["card"]))
    lane = state.start_lane(seat)
    arrived = after.arrival(lane, state.destination_lane(seat)) is not None
    return arrived, max(after.reach(lane))


def _refuse_another(state: State, random: Random, legal: list[Action]) -> bool:
    """A random card in a random cell is refused if, and only if, it is not in the list."""
    cell = random.choice(state.area().grid.names)
    action = Action("place", state.turn, {"cell": cell, "card": random.choice(sorted(FACES))})
    refused = isinstance(GAME.decide(state, action, NO_CHANCE), Refusal)
    assert refused == (action not in legal), (state, action)
    return refused


def report(moves: int) -> Iterator[str]:
    """Play until so many moves are made."""
    random, tally = Random(SEED), Tally()
    began = perf_counter()
    while tally.moves < moves:
        play(random, tally, 2 + tally.matches % 5)
    seconds = perf_counter() - began
    yield f"{tally.moves:,} legal moves in {tally.matches:,} matches without an inconsistency"
    yield f"{tally.placed:,} cards laid, {tally.passed:,} passes, {tally.arrivals:,} arrivals"
    yield f"{tally.reshuffles:,} reshuffles, {tally.stalemates:,} rounds nobody could go on with"
    yield f"{tally.refused:,} moves tried that are not legal, each refused"
    yield f"{seconds:.0f} s, {tally.moves / seconds:,.0f} moves a second, every one checked"


def main() -> None:
    """Play so many moves and print the report."""
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else MOVES
    for line in report(moves):
        say(line)


if __name__ == "__main__":
    main()
