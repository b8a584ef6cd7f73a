"""``python -m lab.railroad_ink.referee``: a second, slow and obvious referee beside the engine.

Its rules (:mod:`lab.railroad_ink.referee_rules`) are written from the rules text alone. Compared are the
score of random boards, what ``check`` says of move lists with and without a mistake, and in whole matches
everything a seat may do after every event, the race for goals and the result.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from random import Random

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject
from companion.game.base import Action, Fact, MatchRequest, Refusal
from companion.games.railroad_ink.rules.boards.board import Rules
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.state import State
from lab.bench import say
from lab.railroad_ink.random_play import random_turns
from lab.railroad_ink.referee_rules import (
    BOOK,
    CELLS,
    READINGS,
    SHAPE_OF,
    SHAPES,
    Drawn,
    Seat,
    Walls,
    beyond,
    can_show,
    goals_of,
    moves_are_legal,
    places,
    score_of,
    usual,
    walls_of,
)

GAME = RailroadInk()
SEED = 77


class Referee:
    """A match, told by its facts."""

    def __init__(self, setup: JsonObject) -> None:
        self.options = setup["options"]
        self.edition = BOOK["editions"][self.options["edition"]]
        self.walls = walls_of(self.options["blueprint"])
        self.seats = {
            seat: Seat(self.edition, self.walls, self.options["free_special"])
            for seat in range(1, setup["seats"] + 1)
        }
        self.round, self.dice, self.done = 1, list[str](), set[int]()
        self.goals: dict[str, dict[int, int]] = {goal: {} for goal in self.options["goals"]}
        self.finished = False

    def follow(self, kind: str, seat: int | None, data: JsonObject) -> list[str]:
        """Do what a fact says; everything in it that the rules do not allow."""
        if kind == "roll":
            self.dice = [usual(face) for face in data["faces"]]
            return [] if can_show(self.edition["dice"], self.dice) else ["an impossible roll"]
        own = self.seats[seat or 0]
        if kind == "done":
            die_fits = any(source == "die" for _, _, source in own.open(self.round, self.dice))
            self.done.add(seat or 0)
            if len(self.done) == len(self.seats):
                self._round_over()
            return ["a die still fits"] if die_fits else []
        said = (data["cell"], usual(data["route"]), data["from"])
        wrong = [] if said in own.open(self.round, self.dice) else [f"{said} cannot be drawn"]
        own.drawn.append(Drawn(*said, self.round))
        return wrong

    def _round_over(self) -> None:
        for goal, when in self.goals.items():
            for seat, own in self.seats.items():
                has_it = goals_of(own.cells, self.walls, self.options["longest"])[goal]
                if has_it and seat not in when:
                    when[seat] = self.round
        self.finished = self.round == BOOK["layouts"]["usual"]["rounds"]
        if not self.finished:
            self.round, self.dice, self.done = self.round + 1, [], set()

    def goal_points(self, seat: int) -> int:
        """What the race has brought: 4 in the first round in which anybody had it, 2 in the next, then 1."""
        total, race = 0, BOOK["goal_race"]
        for number, when in enumerate(self.goals.values()):
            if seat not in when:
                continue
            if len(self.seats) == 1:
                in_time = when[seat] <= race["solo_deadlines"][number]
                total += race["solo_in_time"] if in_time else race["solo_late"]
            else:
                earlier = len({one for one in when.values() if one < when[seat]})
                total += race["values"][min(earlier, 2)]
        return total

    def differences(self, state: State) -> Iterator[str]:
        """Where the engine has another list of what may be done, or another score."""
        for seat, own in self.seats.items():
            legal = GAME.legal(state, seat)
            theirs = {
                (one.data["cell"], usual(one.data["route"]), one.data["from"])
                for one in legal
                if one.kind == "draw"
            }
            waiting = self.dice and seat not in self.done and not self.finished
            mine = own.open(self.round, self.dice) if waiting else set()
            if mine != theirs:
                yield f"seat {seat} may draw {sorted(mine ^ theirs)[:3]} by only one of the two"
            ready = bool(waiting) and all(source != "die" for _, _, source in mine)
            if ready != any(one.kind == "done" for one in legal):
                yield f"seat {seat} may be done by only one of the two"

    def results(self, state: State) -> Iterator[str]:
        """Where the result is another one."""
        totals: dict[int, tuple[int, int]] = {}
        rows = {row["seat"]: row for row in GAME.score(state)}
        for seat, own in self.seats.items():
            mine = score_of(own.cells, self.walls, self.options["longest"], self.options["wall_ends"])
            if not self.edition["village"]:
                mine["villages"] = 0
            mine["goals"] = self.goal_points(seat)
            yield from _unequal(f"score of seat {seat}", mine, _told(rows[seat], mine))
            total = sum(points for key, points in mine.items() if key != "networks")
            totals[seat] = (-total, -mine["errors"])
            yield from _unequal(f"total of seat {seat}", total, rows[seat]["total"])
        for seat, mine_too in totals.items():
            place = 1 + sum(other < mine_too for other in totals.values())
            yield from _unequal(f"place of seat {seat}", place, rows[seat]["place"])


def _told(score: JsonObject, wanted: JsonObject) -> JsonObject:
    """Of the engine's score what the referee has, networks in its order."""
    told = {**score, "networks": sorted(sorted(group) for group in score["networks"])}
    return {key: told[key] for key in wanted}


def _unequal(what: str, mine: object, theirs: object) -> list[str]:
    return [] if mine == theirs else [f"{what}: by the rules {mine!r:.200}, by the engine {theirs!r:.200}"]


def wrong_in(setup: JsonObject, facts: Sequence[Fact], state: State) -> Iterator[str]:
    """Everything in a whole match that the rules do not allow, and where its result is another one."""
    referee = Referee(setup)
    for fact in facts:
        yield from referee.follow(fact.kind, fact.seat, fact.data)
    yield from referee.results(state)


# --- beside the engine ---


def random_walls(random: Random) -> list[str]:
    """Up to twelve walls between neighbours."""
    borders = sorted(
        f"{cell}-{there}" for cell in CELLS for side in "ES" if (there := beyond(cell, side)) is not None
    )
    return random.sample(borders, random.randrange(13))


def random_cells(random: Random, walls: Walls, count: int) -> dict[str, str]:
    """A board of any kinds of route, each in a legal place: denser than one of a match."""
    cells: dict[str, str] = {}
    for _ in range(count):
        spots = sorted(places(cells, walls, random.choice(sorted(SHAPES))))
        if spots:
            cell, route = random.choice(spots)
            cells[cell] = route
    return cells


def scores_differ(seed: int) -> list[str]:
    """One random board, with and without walls, in every reading, scored by both."""
    random = Random(seed)
    blueprint = random_walls(random) if seed % 2 else []
    walls = walls_of(blueprint)
    cells = random_cells(random, walls, 8 + seed % 24)
    wall_ends = random.choice(("error", "free"))
    wrong = []
    for reading in READINGS:
        position = {"cells": cells, "blueprint": blueprint, "wall_ends": wall_ends, "longest": reading}
        mine, theirs = score_of(cells, walls, reading, wall_ends), GAME.score_position(position)
        wrong += _unequal(f"board {seed}, {reading}", mine, _told(theirs, mine))
    for goal, mine_too in goals_of(cells, walls, "trail").items():
        claimed = GAME.score_position({"cells": cells, "blueprint": blueprint, "goals": [goal]})["goals"] > 0
        wrong += _unequal(f"board {seed}, goal {goal}", mine_too, claimed)
    return wrong


def checks_differ(seed: int) -> list[str]:
    """The moves of a random match with their rounds, and the same with a mistake, checked by both."""
    random = Random(seed)
    *_, (_, _, board) = random_turns(random, Rules())
    moves = [{"cell": one.cell, "route": one.route, "round": one.round} for one in board.drawings]
    wrong = _unequal(f"moves {seed}", {"valid": True}, GAME.check_moves({"moves": moves}))
    number = random.randrange(len(moves))
    mistakes = [
        [*moves[:number], {**moves[number], "route": random.choice(sorted(SHAPE_OF))}, *moves[number + 1 :]],
        [*moves[:number], *moves[number + 1 :]],
        [*moves[:number], {**moves[number], "round": random.randint(1, 7)}, *moves[number + 1 :]],
    ]
    for changed in mistakes:
        legal = moves_are_legal(changed, BOOK["editions"]["challenge"])
        wrong += _unequal(f"changed moves {seed}", legal, GAME.check_moves({"moves": changed})["valid"])
    return wrong


def match_differs(seed: int) -> Iterator[list[str]]:
    """A whole match of random legal play; what differs after every event."""
    random = Random(seed)
    chance = SeededChance(random)
    options: JsonObject = {
        "edition": ("challenge", "challenge", "classic")[seed % 3],
        "blueprint": random_walls(random) if seed % 2 else "",
        "longest": random.choice(READINGS),
        "wall_ends": random.choice(("error", "free")),
        "free_special": random.choice(("round", "match")),
    }
    setup = GAME.setup(MatchRequest(1 + seed % 4, "umpire", options), chance)
    assert not isinstance(setup, Refusal), setup
    state, referee = GAME.start(setup), Referee(setup)
    while not state.finished:
        seat = random.choice([one for one in state.boards if one not in state.done])
        legal = GAME.legal(state, seat)
        kinds = {one.data.get("from", one.kind) for one in legal}
        wanted = random.choice(
            sorted(kinds - ({"special"} if random.random() < 0.7 and len(kinds) > 1 else set()))
        )
        action: Action = random.choice([one for one in legal if one.data.get("from", one.kind) == wanted])
        fact = GAME.decide(state, action, chance)
        assert not isinstance(fact, Refusal), fact
        state = GAME.apply(state, fact)
        yield [*referee.follow(fact.kind, fact.seat, fact.data), *referee.differences(state)]
    yield list(referee.results(state))


def report(boards: int, moves: int, matches: int) -> Iterator[str]:
    """Every figure in one line; a line of its own for the first differences."""
    differ = [wrong for seed in range(SEED, SEED + boards) for wrong in scores_differ(seed)]
    yield f"{boards:,} boards refereed in every reading, with 12 goals each: {len(differ)} differ"
    yield from differ[:3]
    differ = [wrong for seed in range(SEED, SEED + moves) for wrong in checks_differ(seed)]
    yield (
        f"{moves:,} legal move lists with rounds and without sources, and {3 * moves:,} changed ones: "
        f"{len(differ)} differ"
    )
    yield from differ[:3]
    events = [wrong for seed in range(SEED, SEED + matches) for wrong in match_differs(seed)]
    differ = [one for wrong in events for one in wrong]
    told = f"{matches:,} matches refereed, {len(events):,} events and what is legal after each"
    yield f"{told}: {len(differ)} differ"
    yield from differ[:3]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=400)
    parser.add_argument("--moves", type=int, default=400)
    parser.add_argument("--matches", type=int, default=8)
    asked = parser.parse_args(arguments)
    agreed = True
    for line in report(asked.boards, asked.moves, asked.matches):
        say(line)
        agreed &= not line.endswith(" differ") or line.endswith(" 0 differ")
    return 0 if agreed else 1


if __name__ == "__main__":
    raise SystemExit(main())
