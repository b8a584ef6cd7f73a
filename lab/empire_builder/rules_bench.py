"""``python -m lab.empire_builder.rules_bench``: how fast the rules answer, and random full matches.

The speeds are those of a board that six players have built on; ``--matches 2000`` plays that many full
matches of two to six players and checks after every event that money, chips, cards and track are conserved.

Timed is the computing of this program alone, so that whatever else the machine does is not in the figures.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from statistics import median
from time import perf_counter, thread_time
from typing import Any

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject
from companion.core.records import replaced
from companion.game.base import Action, Fact, MatchRequest, NoChance, Refusal
from companion.game.bots import any_action
from companion.games.empire_builder.bot.player import suggestion
from companion.games.empire_builder.rules.boards.board import Board
from companion.games.empire_builder.rules.boards.paths import cheapest_path, edge_kinds
from companion.games.empire_builder.rules.boards.tracks import (
    connected_majors,
    edges_of,
    linked_from,
    linked_with,
)
from companion.games.empire_builder.rules.cards.events import EVENTS, Tax
from companion.games.empire_builder.rules.match.game import EmpireBuilder
from companion.games.empire_builder.rules.match.results import track_faults, umpire_faults
from companion.games.empire_builder.rules.match.state import State, Turn
from companion.games.empire_builder.rules.moves.building import building_site, legal_builds, way_to
from companion.games.empire_builder.rules.moves.moving import reachable
from lab.bench import quantiles_told, say

GAME = EmpireBuilder()
SEED = 1869
LONGEST = 400  # rounds; a match that has not ended by then is broken off
ODD = 25  # one action in so many is any legal one instead of the planned one
PATHS = 300


# --- full matches ---


def begun(seats: int, chance: SeededChance, options: JsonObject) -> State:
    """Set up a match and check its setup."""
    wishes = MatchRequest(seats, options=options)
    data = GAME.setup(wishes, chance)
    assert not isinstance(data, Refusal), data
    fault = GAME.setup_fault(data, wishes)
    assert fault is None, fault
    return GAME.start(data)


def next_action(state: State, chance: SeededChance, odd: int = ODD) -> Action:
    """What the planning player would do, and now and then anything that is legal."""
    seat = next(iter(state.losing), state.seat)
    action = any_action(GAME, state, seat, chance) if odd and chance.below(odd) == 0 else None
    action = action or suggestion(state, seat)
    assert action is not None, "somebody can always do something"
    return action


def played(seats: int, seed: int, odd: int = ODD, **options: Any) -> Iterator[tuple[State, Fact, State]]:
    """A whole match: the state before, the fact, the state after."""
    chance = SeededChance(seed)
    state = begun(seats, chance, options)
    while not state.finished and state.round < LONGEST:
        fact = GAME.decide(state, next_action(state, chance, odd), chance)
        assert not isinstance(fact, Refusal), fact
        after = GAME.apply(state, fact)
        yield state, fact, after
        state = after


def step_faults(before: State, fact: Fact, after: State) -> list[str]:
    """What is wrong after an event: the invariants, and the money that the fact speaks of."""
    found = list(umpire_faults(after))
    if before.track is not after.track:
        found += track_faults(after)
    if money(after) - money(before) != money_of(before, fact):
        found.append(f"{fact.kind}: the money does not add up")
    again = GAME.decide(before, fact, NoChance())
    if again != fact:
        found.append(f"{fact.kind}: decided again it is {again}")
    return found


def money(state: State) -> int:
    """The sum of all players' cash."""
    return sum(player.cash for player in state.players.values())


def money_of(before: State, fact: Fact) -> int:
    """What an event brings to the table from the bank, told from the fact and the taxes in force alone."""
    if fact.kind in ("build", "upgrade"):
        return -int(fact.data["price"])
    if fact.kind in ("borrow", "repay"):
        return int(fact.data["amount"]) * (1 if fact.kind == "borrow" else -1)
    if fact.kind != "deliver":
        return 0
    cash = {seat: player.cash for seat, player in before.players.items()}
    got = int(fact.data["payout"]) - int(fact.data.get("repaid", 0))
    cash[fact.seat or 0] += got
    had = sum(cash.values())
    for card in fact.data["drew"]:
        event = EVENTS.get(card)
        if isinstance(event, Tax):
            cash = {seat: amount - event.due(amount) for seat, amount in cash.items()}
    return sum(cash.values()) - had + got


class Tally:
    """What was seen in all matches."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.rounds: list[int] = []  # of the matches that ended
        self.not_ended = 0  # breaks no rule: nobody got to the victory in time
        self.faults = 0


def matches(count: int, seed: int, tell: Callable[[str], None]) -> Tally:
    """Play so many matches, and say what goes wrong."""
    tally = Tally()
    started = perf_counter()
    for number in range(count):
        _play(2 + number % 5, seed + number, tally, tell)
        if (number + 1) % 100 == 0 or number + 1 == count:
            tell(_progress(number + 1, tally, perf_counter() - started))
    return tally


def _play(seats: int, seed: int, tally: Tally, tell: Callable[[str], None]) -> None:
    state: State | None = None
    for before, fact, after in played(seats, seed):
        tally.kinds[fact.kind] += 1
        tally.kinds.update(_event_kinds(fact))
        for fault in step_faults(before, fact, after):
            tally.faults += 1
            tell(f"match {seed} of {seats}: {fault}")
        state = after
    if state is not None and state.finished:
        tally.rounds.append(state.round)
    else:
        tally.not_ended += 1
        tell(f"match {seed} of {seats}: not ended in {LONGEST} rounds")


def _event_kinds(fact: Fact) -> list[str]:
    """The kinds of the events that were drawn."""
    return ["-".join(card.split("-")[:2]) for card in fact.data.get("drew", ()) if card in EVENTS]


def _progress(count: int, tally: Tally, seconds: float) -> str:
    events = sum(number for kind, number in tally.kinds.items() if not kind.startswith("event"))
    deals = ", ".join(f"{kind} {number:,}" for kind, number in sorted(tally.kinds.items()))
    middle = f"{median(tally.rounds) if tally.rounds else 0:.0f} rounds"
    wrong = f"{tally.faults} faults, {tally.not_ended} not ended in {LONGEST} rounds"
    return f"{count:,} matches, {events:,} events, {middle}, {wrong}, {seconds:.0f} s ({deals})"


# --- speeds ---


def crowded(seats: int = 6, seed: int = SEED, round_number: int = 50) -> State:
    """A board that so many players have built on for so many rounds."""
    state = None
    for _, _, state in played(seats, seed, odd=0):
        if state.round >= round_number:
            break
    assert state is not None
    return state


def speeds() -> Iterator[str]:
    """Every figure in one line."""
    state = crowded()
    board, free = state.board, replaced(state, turn=Turn())
    mileposts, edges, laid = len(board.places), len(board.edges), len(state.track)
    yield f"{mileposts:,} mileposts, {edges:,} edges, {laid:,} of them built on by six players"
    seats = list(state.players)
    yield _line("legal builds", _times(lambda seat: legal_builds(free, seat), seats * 20), 10)
    yield _line("reachable mileposts", _times(lambda seat: reachable(free, seat), seats * 20), 10)
    yield _line("all legal actions", _times(lambda seat: GAME.legal(_turn_of(free, seat), seat), seats * 20))
    yield _line("cheapest path, empty board", _times(_path_finder(board), range(PATHS)), 20)
    yield _line("cheapest way to build there", _times(_way_finder(free), range(PATHS)), 20)
    yield from _connection_speeds(state)
    yield _line("the whole view", _times(lambda seat: GAME.view(state, seat), seats * 5))
    yield _line("the invariants", _times(lambda _: GAME.faults(state), range(20)))


def _turn_of(state: State, seat: int) -> State:
    return replaced(state, place=state.order.index(seat))


def _path_finder(board: Board) -> Callable[[int], object]:
    random, kinds = Random(SEED), edge_kinds(board)
    pairs = [(random.randrange(len(board.places)), random.randrange(len(board.places))) for _ in range(PATHS)]
    return lambda number: cheapest_path(board, [pairs[number][0]], {pairs[number][1]}, kinds)


def _way_finder(state: State) -> Callable[[int], object]:
    random = Random(SEED)
    goals = [random.randrange(len(state.board.places)) for _ in range(PATHS)]
    seats = list(state.players)

    def find(number: int) -> object:
        return way_to(building_site(state, seats[number % len(seats)]), goals[number])

    return find


def _connection_speeds(state: State) -> Iterator[str]:
    board = state.board
    edges = {seat: edges_of(state.track, seat) for seat in state.players}
    linked = {seat: player.linked for seat, player in state.players.items()}
    seats = list(edges) * 20
    one_more = _times(lambda seat: linked_with(board, linked[seat], edges[seat][-1]), seats)
    yield _line("connections, one segment more", one_more)
    yield _line("connections, made anew", _times(lambda seat: linked_from(board, edges[seat]), seats))
    yield _line("connected majors", _times(lambda seat: connected_majors(board, linked[seat]), seats))


def _times(work: Callable[[int], object], inputs: Iterable[int]) -> list[float]:
    return sorted(_once(work, value) for value in inputs)


def _once(work: Callable[[int], object], value: int) -> float:
    started = thread_time()
    work(value)
    return (thread_time() - started) * 1e3


def _line(what: str, times: list[float], limit: float | None = None) -> str:
    wanted = "" if limit is None else f" (wanted: under {limit:g} ms)"
    shares = quantiles_told(times, (0.5, 0.95, 0.99), 3)
    return f"{what}: {shares}, worst {times[-1]:.3f} ms{wanted} ({len(times):,} timed)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report; 1 if a match went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=25, help="full matches to play (0: only the speeds)")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(arguments)
    for line in speeds():
        say(line)
    return 1 if matches(options.matches, options.seed, say).faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
