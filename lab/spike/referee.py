"""``python -m lab.spike.referee``: a second, slow and obvious referee over whole matches of SPIKE.

Its rules (:mod:`lab.spike.referee_rules`) are written from the rules text and know nothing of the engine but
the facts of its matches: every event is worked out anew. After each of them money, track, trains, cargo,
hands, deck, market, rounds, whose turn it is and everything that may be done next are compared; at the end
the result.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject
from companion.game.base import Fact, MatchRequest
from companion.games.spike.rules.match.dealing import setup, start
from companion.games.spike.rules.match.results import scores
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.match.turn import legal_in_turn
from lab.bench import say_refereed
from lab.spike.planplay import planned_match
from lab.spike.randomplay import random_match
from lab.spike.referee_rules import BOOK, Referee, Seat
from lab.spike.rules_bench import wishes

SEED = 36
MOST_CARDS = 13  # of a hand up to which every way of building is listed here and by the engine


def differences(referee: Referee, state: State) -> Iterator[str]:
    """Where the engine's state is another one."""
    yield from _unequal("phase", referee.phase, state.phase)
    yield from _unequal("round", (referee.round, referee.times), (state.round, state.times))
    cards = (referee.deck, sorted(referee.shown), _counts(referee, referee.discards))
    yield from _unequal("cards", cards, (list(state.deck), sorted(state.shown), state.discards))
    yield from _unequal("market", referee.market, [list(column) for column in state.market])
    for seat, own in referee.seats.items():
        player, train = state.players[seat], state.players[seat].train
        yield from _unequal(f"money of seat {seat}", own.money, player.money)
        yield from _unequal(f"tracks of seat {seat}", sorted(own.tracks), sorted(player.tracks))
        yield from _unequal(f"hand of seat {seat}", _counts(referee, own.hand), player.hand)
        theirs = {held.name: held.delivered for held in player.contracts}
        yield from _unequal(f"contracts of seat {seat}", own.contracts, theirs)
        if train is not None:
            mine = (own.at, sorted(own.aboard), [own.part(part) for part in BOOK["parts"]])
            parts = [train.speed, train.power, train.cargo]
            yield from _unequal(f"train of seat {seat}", mine, (train.at, sorted(train.aboard), parts))
    if referee.phase == "play":
        turn = (referee.turn, referee.moved, referee.acted, referee.drawing)
        yield from _unequal("turn", turn, (state.turn, state.moved, state.acted, state.drawing))
        yield from _legal_differences(referee, state)
    if referee.phase == "over":
        yield from _result_differences(referee, state)


def _counts(referee: Referee, cards: Counter[str]) -> tuple[int, ...]:
    return tuple(cards[suit] for suit in referee.land.suits)


def _legal_differences(referee: Referee, state: State) -> Iterator[str]:
    legal: dict[str, list[JsonObject]] = {}
    for action in legal_in_turn(state):
        legal.setdefault(action.kind, []).append(dict(action.data))
    for kind in ("move", "motion", "boost"):
        mine = referee.movements(kind)
        yield from _unequal(kind, sorted(mine), sorted(one["to"] for one in legal.get(kind, [])))
    for kind in ("load", "dump", "deliver"):
        theirs = sorted(one["good"] for one in legal.get(kind, []))
        yield from _unequal(kind, sorted(referee.cargo(kind)), theirs)
    yield from _unequal(
        "upgrade", sorted(referee.upgrades()), sorted(one["part"] for one in legal.get("upgrade", []))
    )
    drawing = not referee.acted or referee.drawing
    sources = {*referee.shown, *(["deck"] if referee.deck else [])} if drawing else set()
    yield from _unequal("draw", sorted(sources), sorted(one["from"] for one in legal.get("draw", [])))
    if referee.own.hand.total() <= MOST_CARDS:
        built = {frozenset(one["path"]): sum(one["cards"].values()) for one in legal.get("build", [])}
        mine_too = referee.builds()
        if built != mine_too:
            yield f"build: {len(mine_too)} by the rules, {len(built)} in the match, or other prices"
        passing = not referee.acted and not referee.something_to_do
        yield from _unequal("pass", passing, "pass" in legal)


def _result_differences(referee: Referee, state: State) -> Iterator[str]:
    ranks = {}
    rows = {row["seat"]: row for row in scores(state)}
    for seat, own in referee.seats.items():
        route = _route_value(referee, own)
        cities = len(
            {end for track in own.tracks for end in referee.land.ends[track]} & set(referee.land.supplies)
        )
        ranks[seat] = (own.money + route, cities, BOOK["tracks"] - len(own.tracks))
        told = (rows[seat]["total"], rows[seat]["cities"], rows[seat]["tracks_left"])
        yield from _unequal(f"result of seat {seat}", ranks[seat], told)
    for seat, rank in ranks.items():
        place = 1 + sum(other > rank for other in ranks.values())
        yield from _unequal(f"place of seat {seat}", place, rows[seat]["place"])


def _route_value(referee: Referee, own: Seat) -> int:
    """The most valuable city joined to the start, and a dollar for every other one."""
    (card,) = own.routes
    reached = {card}
    for _ in own.tracks:
        for track in own.tracks:
            if reached & set(referee.land.ends[track]):
                reached |= set(referee.land.ends[track])
    values = [pays for city, pays in referee.land.routes[card].items() if city in reached]
    return max(values) + len(values) - 1 if values else 0


def _unequal(what: str, mine: object, theirs: object) -> list[str]:
    return [] if mine == theirs else [f"{what}: by the rules {mine!r:.200}, in the match {theirs!r:.200}"]


def refereed(seed: int, *, planned: bool = False, board: str = "") -> Iterator[tuple[Fact, list[str]]]:
    """A whole match; what differs after every fact, up to the first difference."""
    chance = SeededChance(seed)
    wished = wishes(seed)
    dealt = setup(MatchRequest(wished.seats, wished.mode, {**wished.options, "board": board}), chance)
    assert isinstance(dealt, dict), dealt
    state, referee = start(dealt), Referee(dealt)
    for fact, after in (planned_match if planned else random_match)(state, chance):
        wrong = [*referee.follow(fact), *differences(referee, after)]
        yield fact, wrong
        if wrong:
            return


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=3, help="as many by chance as by players who plan")
    asked = parser.parse_args(arguments)
    seeds = range(SEED, SEED + asked.matches)
    events = [
        event for seed in seeds for planned in (False, True) for event in refereed(seed, planned=planned)
    ]
    return say_refereed(2 * asked.matches, events)


if __name__ == "__main__":
    raise SystemExit(main())
