"""``python -m lab.spike.rules_bench [MATCHES]``: whole matches, and how fast legal builds are listed.

Players choose at random; half as many matches are played by players who plan, because random ones hardly ever
deliver. Every match is played by legal moves alone to its end by the rules, and the invariants are checked
after every event. A listing is every way of tracks that the hand can pay, with every payment that wastes
nothing.

Timed is the computing of this program alone, with clearing up what listings leave behind. Only going through
all that was loaded before the matches is left out of that: it would now and then fall into some listing.
"""

from __future__ import annotations

import gc
import random
import sys
from collections import Counter
from collections.abc import Iterator
from time import perf_counter, thread_time

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject
from companion.game.base import MatchRequest
from companion.games.spike.rules.match.results import faults
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.moves.build_search import priced_builds
from companion.games.spike.rules.moves.builds import ground_of
from companion.games.spike.rules.moves.payment import Counts
from companion.games.spike.rules.rulebook import BOOK
from lab.bench import at_share, quantiles_told, say
from lab.spike.planplay import planned_match
from lab.spike.randomplay import random_match, random_start

MATCHES = 200
SEED = 2014
HAND = 12  # cards of the big hands that are dealt only to be timed
EVERY = 7  # of so many events in whose place a build could be made one is timed
TOLD = {
    "deliver": "deliveries",
    "dump": "dumpings",
    "upgrade": "upgrades",
}  # what random play hardly comes to
TIMED = 24  # matches with the usual options for building; they come first


class Tally:
    """What was seen in all matches."""

    def __init__(self) -> None:
        self.events = 0
        self.ends: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()  # events of each kind
        self.played: list[tuple[float, int]] = []  # seconds and builds of a hand as it came
        self.big: list[tuple[float, int]] = []
        self.faults: list[str] = []


def wishes(number: int) -> MatchRequest:
    """Two to four players, and every option in turn."""
    options: JsonObject = {
        "play": ("basic", "advanced")[number // 3 % 2],
        "segments": ("exclusive", "shared")[number // 6 % 2],
        "skipped_city": ("free", "counts")[number // 12 % 2],
        "reach": ("one", "several")[number // 24 % 2],
        "rejoin": ("no", "yes")[number // 48 % 2],
    }
    return MatchRequest(2 + number % 3, "umpire", options)


def play(number: int, tally: Tally, planned: bool = False) -> None:
    """One match to its end, by players who choose at random or who plan."""
    chance = SeededChance(SEED + number)
    state = random_start(wishes(number), chance)
    for fact, now in (planned_match if planned else random_match)(state, chance):
        tally.events += 1
        tally.kinds[fact.kind] += 1
        tally.faults += faults(now)
        turn_begins = now.phase == "play" and not now.acted
        if number < TIMED and turn_begins and not planned and tally.events % EVERY == 0:
            tally.played.append(timed_listing(now, now.player.hand))
            tally.big.append(timed_listing(now, _big_hand(number + tally.events)))
        state = now
    assert state.finished
    tally.ends["third time card" if state.times == BOOK.time_cards else "nothing left to do"] += 1


def _big_hand(seed: int) -> Counts:
    dice = random.Random(seed)
    suits = [dice.randrange(6) for _ in range(HAND)]
    return tuple(suits.count(suit) for suit in range(6))


def timed_listing(state: State, hand: Counts) -> tuple[float, int]:
    """Seconds of computing to list the builds of a hand with all their payments, and their number."""
    started = thread_time()
    listed = priced_builds(ground_of(state, state.turn), hand)
    return thread_time() - started, len(listed)


def report(matches: int) -> Iterator[str]:
    """Every figure in one line."""
    tally = Tally()
    yield _matches_line(matches, "random", tally)
    yield _listing_line("hands as they come", tally.played)
    yield _listing_line(f"hands of {HAND} random cards", tally.big)
    yield _matches_line(max(1, matches // 2), "planned", Tally())


def _matches_line(matches: int, how: str, tally: Tally) -> str:
    """So many matches, what came up in them, and how they ended."""
    started = perf_counter()
    for number in range(matches):
        play(number, tally, planned=how == "planned")
    seconds = perf_counter() - started
    told = ", ".join(f"{plural} {tally.kinds[kind]:,}" for kind, plural in TOLD.items())
    return (
        f"{matches:,} {how} matches, {tally.events:,} events, faults: {len(tally.faults)}; {told}; "
        f"ended by: {', '.join(f'{end} {count:,}' for end, count in tally.ends.items())}; {seconds:.0f} s"
    )


def _listing_line(words: str, timed: list[tuple[float, int]]) -> str:
    millis = sorted(seconds * 1e3 for seconds, _ in timed)
    counts = sorted(count for _, count in timed)
    shares = quantiles_told(millis, (0.5, 0.95, 0.99), 2)
    builds = f"median {at_share(counts, 0.5)}, most {counts[-1]}"
    return f"legal builds with payments, {words}: {shares}; builds: {builds} ({len(timed):,} timed)"


def main() -> int:
    """Print the report; 1 if anything impossible was seen."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    gc.collect()
    gc.freeze()
    for line in report(matches):
        say(line)
        if "faults: 0;" not in line and "faults:" in line:
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
