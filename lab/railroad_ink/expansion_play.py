"""Random legal matches with expansions: for tests, and a bench over all of them.

``python -m lab.railroad_ink.expansion_play 10000`` plays so many matches: every expansion in turn on the
usual board, and after each such row some on giant and epic boards with up to three expansions. Each match is
replayed and verified as ``stationmaster replay --verify`` does it, and from the end of the second round on
the star box of every board is counted a second time (:mod:`lab.railroad_ink.slow_stars`), until each
expansion has had ``--boards``. ``--only-boards`` plays no more matches than so many boards of every expansion
take, six seats at a table, and verifies none.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from time import process_time

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject
from companion.game.base import Action, Fact, MatchRequest, Refusal
from companion.games.railroad_ink.rules.boards.position import print_cells
from companion.games.railroad_ink.rules.expansions.playing import marks_on
from companion.games.railroad_ink.rules.expansions.tables import TABLES, parts_of
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.state import State, position_of
from companion.games.railroad_ink.rules.scoring.scores import score
from companion.table.events import FIRST_HASH, Actor, Event, sealed
from companion.table.replay import replayed, verified
from lab.bench import say
from lab.railroad_ink.slow_stars import PLANS, WHOLE, PlannedBoard, TooManyWalksError, second_count

_GAME = RailroadInk()
_GAMES = {"railroad-ink": _GAME}
_STOPS = 0.6  # how often somebody who may finish a round does
_PLACES = 0.4  # how often an expansion's die comes before the route dice
_LARGER = 7  # matches on larger boards after each row of all expansions
_FIRST_ROUND = 2  # whose boards are counted twice
_SEED = 20
_COUNTING = frozenset({"pluck-man", "ritual"})
_JOINING = frozenset({"airline", "lake", "portal", "rainbow", "ritual", "superconnection"})


def random_match(
    name: str, random: Random, seats: int = 2, options: JsonObject | None = None
) -> Iterator[tuple[State, Fact | None]]:
    """Every state of a match with the fact that follows; nothing follows the last."""
    setup = _set_up(name, random, seats, options)
    yield from _played(setup, random)


def _set_up(name: str, random: Random, seats: int, options: JsonObject | None = None) -> JsonObject:
    chance = SeededChance(random)
    begun = _GAME.setup(MatchRequest(seats, "umpire", {"expansion": name, **(options or {})}), chance)
    if isinstance(begun, Refusal):
        raise ValueError(begun.message)
    return begun


def _played(setup: JsonObject, random: Random) -> Iterator[tuple[State, Fact | None]]:
    chance = SeededChance(random)
    state = _GAME.start(setup)
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


# --- the bench ---


def told(state: State, seat: int) -> PlannedBoard:
    """A seat's board as texts."""
    board = state.boards[seat]
    return PlannedBoard(print_cells(board.cells()), marks_on(state.options.known, board), PLANS[board.size])


def slow_points(state: State, seat: int) -> int:
    """The star box of a seat by the slow count: every expansion of the match by itself."""
    board = told(state, seat)
    return sum(second_count(part)(board) for part in parts_of(state.options.known))


def fast_points(state: State, seat: int) -> int:
    """What the rules say of the same: the star box, or all points of a game of its own."""
    found = score(position_of(state, seat))
    return found.total if state.options.known in WHOLE else found.expansion


def number_of(number: int) -> tuple[str, int, JsonObject]:
    """The expansions, seats and options of a match of the bench.

    >>> number_of(0), number_of(30)[2]["size"]
    (('forest', 1, {}), 'giant')
    """
    row, at = divmod(number, len(TABLES) + _LARGER)
    names = list(TABLES)
    if at < len(names):
        return names[at], 1 + (row + at) % 2, {}
    random = Random(f"{_SEED} {number}")
    size = ("giant", "epic")[number % 2]
    own_boards = [name for name in names if TABLES[name].own_board]
    if at < len(names) + len(own_boards):
        return own_boards[at - len(names)], 2, {"size": size}
    alone = [name for name in names if not TABLES[name].own_board]
    chosen = random.sample(alone, 1 + random.randrange(3))
    return "+".join(name for name in names if name in chosen), 1 + row % 2, {"size": size}


def _journal(setup: JsonObject, facts: Sequence[Fact]) -> list[Event]:
    """The match as it is kept, chained by its hashes."""
    looks = (("red", "circle"), ("blue", "square"))
    players = [
        {"name": f"Seat {seat}", "colour": colour, "shape": shape}
        for seat, (colour, shape) in enumerate(looks[: setup["seats"]], 1)
    ]
    begun = {"game": "railroad-ink", "mode": "umpire", "players": players, "setup": setup}
    events: list[Event] = []
    for seq, fact in enumerate((Fact("start", None, begun), *facts), 1):
        host = seq == 1 or fact.seat is None
        actor = Actor("host") if host else Actor("player", fact.seat)
        prev = events[-1].hash if events else FIRST_HASH
        at = "2026-01-01T19:00:00.000+00:00"
        events.append(sealed(Event("bench", seq, at, fact.kind, fact.data, fact.seat, actor, None, prev)))
    return events


def faults_of(number: int, counted: Counter[str], boards: int) -> list[str]:
    """What is wrong with a match of the bench; boards that were counted twice are added to ``counted``."""
    name, seats, options = number_of(number)
    random = Random(f"{_SEED} {name} {number}")
    setup = _set_up(name, random, seats, options)
    facts: list[Fact] = []
    found: list[str] = []
    kind = f"{name} on larger boards" if options else name
    key = "several expansions" if "+" in name else kind
    for state, fact in _played(setup, random):
        over = fact is None or (fact.kind == "roll" and state.round > _FIRST_ROUND)
        for seat in state.boards if over and counted[key] < boards else ():
            found += _star_fault(state, seat, counted, key)
        facts += [fact] if fact is not None else []
    found += _GAME.faults(state)
    events = _journal(setup, facts)
    verdict = verified(events, _GAMES)
    if verdict.fault is not None:
        found.append(f"--verify: {verdict.fault}")
    if _GAME.score(replayed(events, _GAMES).state) != _GAME.score(state):
        found.append("replayed, the match has another score")
    return [f"match {number} ({name}): {fault}" for fault in found]


def _counted_apart(state: State) -> bool:
    """Can each expansion's points be counted as if it were alone?

    Not where one counts networks or their exits and another joins networks or takes exits away.
    """
    parts = {*parts_of(state.options.known)}
    counting = parts & _COUNTING
    return not any(parts & (_JOINING - {one}) for one in counting)


def _star_fault(state: State, seat: int, counted: Counter[str], key: str) -> list[str]:
    if not _counted_apart(state):
        counted["left out, as one expansion joins what another counts"] += 1
        return []
    fast = fast_points(state, seat)
    try:
        slow = slow_points(state, seat)
    except TooManyWalksError:
        counted["left out, with too many walks to try"] += 1
        return []
    counted[key] += 1
    return [] if fast == slow else [f"seat {seat} in round {state.round}: {fast} points, slowly {slow}"]


def boards_of(name: str, wanted: int) -> tuple[int, int]:
    """How many boards of an expansion were counted twice, at least so many, and how many differ."""
    counted = differing = seed = 0
    while counted < wanted:
        for state, fact in random_match(name, Random(f"boards {name} {seed}"), seats=6):
            over = fact is None or (fact.kind == "roll" and state.round > 1)
            for seat in state.boards if over else ():
                try:
                    slow = slow_points(state, seat)
                except TooManyWalksError:
                    continue
                counted += 1
                differing += fast_points(state, seat) != slow
        seed += 1
    return counted, differing


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and print what was played and counted; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="expansion_play", description=__doc__.splitlines()[0])
    parser.add_argument("matches", type=int, nargs="?", default=len(TABLES) + _LARGER)
    parser.add_argument("--first", type=int, default=0, help="the number of the first match")
    parser.add_argument("--boards", type=int, default=2000, help="boards counted twice, of each expansion")
    parser.add_argument("--only-boards", action="store_true", help="no matches: --boards of each, quickly")
    options = parser.parse_args(arguments)
    if options.only_boards:
        return _only_boards(options.boards)
    counted: Counter[str] = Counter()
    wrong: list[str] = []
    began = process_time()
    for number in range(options.first, options.first + options.matches):
        found = faults_of(number, counted, options.boards)
        wrong += found
        for fault in found:
            say(fault)
        if (number + 1 - options.first) % 500 == 0:
            say(f"{number + 1 - options.first} matches, {process_time() - began:.0f} s")
    for name, boards in counted.items():
        say(f"{name}: {boards} boards counted twice")
    say(
        f"{options.matches} matches from number {options.first} on, replayed and verified: "
        f"{len(wrong)} faults, {process_time() - began:.0f} s"
    )
    return 1 if wrong else 0


def _only_boards(wanted: int) -> int:
    wrong = 0
    for name in TABLES:
        counted, differing = boards_of(name, wanted)
        wrong += differing
        say(f"{name}: {counted} boards counted twice, {differing} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
