"""``python -m lab.bots_bench [GAME ...]``: how well bots play, and how much computing they take.

Every line is one game with one number of seats: what the bots came to (with the standard error of the mean),
how long the matches were, and the milliseconds of computing for one decision and for a seat's round. Matches
are numbered from ``--first``; these seeds are used for nothing else. ``--option bots=best`` plays with that
option. ``--verify`` has a second referee judge all that was done, and the result, by the rules text alone.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from statistics import mean, median, pstdev
from time import monotonic, thread_time
from typing import Any

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject
from companion.game.base import Action, Chance, Fact, Game, MatchRequest, Refusal
from companion.game.bots import best_action, greedy_action, own_bot
from companion.game.registry import GAMES
from lab.bench import at_share, quantiles_told, say
from lab.railroad_ink import referee as railroad_ink_referee

FIRST = 70_000  # the number of the first match
LONGEST = 20_000  # actions, after which a match is broken off

Think = Callable[[Game[Any], Any, int, Chance], Action | None]


@dataclass
class Match:
    """One match between bots. ``thinkers`` are those of single seats that are not played by the usual bot."""

    game: Game[Any]
    seats: int
    chance: SeededChance
    state: Any
    thinkers: Mapping[int, Think] = field(default_factory=dict)
    setup: JsonObject = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    took: list[float] = field(default_factory=list)  # seconds of computing for each decision,
    # and for each round of a seat
    rounds: defaultdict[tuple[int, int], float] = field(default_factory=lambda: defaultdict(float))

    @classmethod
    def begun(
        cls,
        name: str,
        seats: int,
        options: JsonObject,
        seed: int,
        thinkers: Mapping[int, Think] | None = None,
    ) -> Match:
        """Set up a match of a game with these options."""
        game, chance = GAMES[name], SeededChance(seed)
        data = game.setup(MatchRequest(seats, "umpire", options), chance)
        if isinstance(data, Refusal):
            raise ValueError(data.message)
        return cls(game, seats, chance, game.start(data), thinkers or {}, data)

    @property
    def over(self) -> bool:
        """Is it over, or so long that nobody waits for its end?"""
        return self.game.finished(self.state) or len(self.facts) >= LONGEST

    @property
    def totals(self) -> dict[int, int]:
        """The points by seat."""
        return {row["seat"]: row["total"] for row in self.game.score(self.state)}

    @property
    def winners(self) -> list[int]:
        """The seats in the first place."""
        return [row["seat"] for row in self.game.score(self.state) if row["place"] == 1]

    def step(self) -> Action:
        """The next action: a roll, or that of the first seat whose bot has something to do."""
        if self.game.dice(self.state):
            return self.do(Action("roll"))
        for seat in range(1, self.seats + 1):
            think = self.thinkers.get(seat, best_action)
            begun = thread_time()
            action = think(self.game, self.state, seat, self.chance)
            if action is not None:
                self.took.append(thread_time() - begun)
                self.rounds[self.state.round, seat] += self.took[-1]
                return self.do(action)
        raise RuntimeError(f"no bot of {self.game.name} has anything to do: {self.game.view(self.state, 1)}")

    def do(self, action: Action) -> Action:
        """Play one action, which has to be legal."""
        fact = self.game.decide(self.state, action, self.chance)
        if isinstance(fact, Refusal):
            raise RuntimeError(f"a bot of {self.game.name} was refused {action}: {fact.message}")
        self.state = self.game.apply(self.state, fact)
        self.facts.append(fact)
        return fact


def played(
    name: str, seats: int, options: JsonObject, seed: int, thinkers: Mapping[int, Think] | None = None
) -> Match:
    """Play a whole match, one bot a seat."""
    match = Match.begun(name, seats, options, seed, thinkers)
    while not match.over:
        match.step()
    return match


def against_greedy(name: str, seats: int, options: JsonObject, seed: int) -> Match:
    """A match of one bot, at a seat that goes round, against greedy ones; its seat is the only thinker's."""
    bot = own_bot(GAMES[name])
    assert bot is not None, name
    at = 1 + seed % seats
    return played(
        name, seats, options, seed, {seat: greedy_action for seat in range(1, seats + 1) if seat != at}
    )


# --- the lines of the report ---


def report(name: str, asked: argparse.Namespace) -> Iterator[str]:
    """Every figure of one game."""
    game = GAMES[name]
    bot = own_bot(game)
    assert bot is not None, name
    bot.prepare(wait=True)
    wished: JsonObject = dict(wish.split("=", 1) for wish in asked.option)
    for seats in asked.seats or range(game.seats[0], game.seats[1] + 1):
        usual_ones = [*OPTIONS.get(name, ({},)), *(LEVELS.get(name, ()) if seats == 1 else ())]
        chosen = [{**usual, **wished} for usual in usual_ones]
        for options in (one for at, one in enumerate(chosen) if one not in chosen[:at]):
            end = monotonic() + 60 * asked.minutes
            found = [played(name, seats, options, asked.first)]
            while len(found) < asked.matches and monotonic() < end:
                found.append(played(name, seats, options, asked.first + len(found)))
            line = f"{_title(name, seats, options)}: {_points(found)}{_length(found)}; {_timing(found)}"
            yield line + (_verified(found) if asked.verify else "")


OPTIONS: Mapping[str, Sequence[JsonObject]] = {
    "railroad-ink": ({"edition": "classic"}, {"edition": "challenge"})
}
# Of solo matches: how well bots play that are to play worse or better than usual.
LEVELS: Mapping[str, Sequence[JsonObject]] = {
    "railroad-ink": tuple({"edition": "classic", "bots": level} for level in ("child", "casual", "best"))
}


def _title(name: str, seats: int, options: JsonObject) -> str:
    chosen = "".join(f", {value}" for value in options.values())
    return f"{name}, {seats} seat{'s' if seats > 1 else ''}{chosen}"


def _points(found: Sequence[Match]) -> str:
    totals = sorted(total for match in found for total in match.totals.values())
    best = mean(max(match.totals.values()) for match in found)
    spread = f"from {totals[0]} to {totals[-1]}, winners {best:.1f}"
    error = pstdev(totals) / len(totals) ** 0.5
    return f"{len(found)} matches, mean {mean(totals):.2f} +- {error:.2f} ({spread})"


def _length(found: Sequence[Match]) -> str:
    rounds = sorted(match.state.round for match in found)
    ended = sum(match.game.finished(match.state) for match in found)
    shares = ", ".join(f"{share:.0%} within {at_share(rounds, share)}" for share in (0.5, 0.95))
    return f"; {ended} ended, rounds: {shares}, {rounds[-1]} at most"


def _timing(found: Sequence[Match]) -> str:
    took = sorted(1e3 * one for match in found for one in match.took)
    rounds = [1e3 * one for match in found for one in match.rounds.values()]
    return (
        f"a decision: {quantiles_told(took, (0.5, 0.99))}, most {took[-1]:.0f} ms; a round of a seat: mean "
        f"{mean(rounds):.0f}, median {median(rounds):.0f}, most {max(rounds):.0f} ms of processor"
    )


def _verified(found: Sequence[Match]) -> str:
    wrong = [list(islice(wrong_in(match), 1)) for match in found]
    told = [what for one in wrong for what in one]
    return f"; {len(found) - len(told)} of {len(found)} verified by the rules {told[:3] or ''}".rstrip()


def wrong_in(match: Match) -> Iterator[str]:
    """What a second referee, who knows the rules text alone, finds in a match."""
    return REFEREES[match.game.name](match.setup, match.facts, match.state)


REFEREES: Mapping[str, Callable[[JsonObject, Sequence[Fact], Any], Iterator[str]]] = {
    "railroad-ink": railroad_ink_referee.wrong_in
}


def main() -> int:
    """Run the bench and print a line for each game and number of seats."""
    having = [name for name, game in GAMES.items() if own_bot(game)]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(having)}; usually all")
    parser.add_argument("--matches", type=int, default=2, help="for each number of seats")
    parser.add_argument("--first", type=int, default=FIRST, help="the number of the first match")
    parser.add_argument("--seats", type=int, action="append", default=[], help="usually every number")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the matches")
    parser.add_argument("--minutes", type=float, default=1e6, help="for each line: none is begun after that")
    parser.add_argument("--verify", action="store_true", help=f"of {', '.join(REFEREES)} alone")
    asked = parser.parse_args()
    games = asked.games or having
    if asked.verify and not REFEREES.keys() >= {*games}:
        parser.error(f"--verify: only {', '.join(REFEREES)} has a second referee here")
    for name in games:
        for line in report(name, asked):
            say(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
