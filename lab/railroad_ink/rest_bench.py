"""How many taps photographed rounds take with expansions whose signs nobody reads.

``python -m lab.railroad_ink.rest_bench [--matches 1] [NAME ..]``: the box's own player plays matches; what is
drawn in a round is told as a reader would tell it (routes clearly, signs as something that is no route), and
ruled on. It says how many rounds were entered without a tap, by one tap on the first option, and so on.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from time import process_time

from companion.core.chance import SeededChance
from companion.game.base import Action, Fact, MatchRequest, NoChance, Refusal
from companion.games.railroad_ink.bot.player import RailroadInkBot
from companion.games.railroad_ink.reader.mark_classes import READ_EXPANSIONS
from companion.games.railroad_ink.reader.reader import RailroadInkReader
from companion.games.railroad_ink.reader.readings import CellReading, PhotoReading, SheetQuality, SheetReading
from companion.games.railroad_ink.reader.ruling.remaining import REST
from companion.games.railroad_ink.rules.boards.routes import ROUTES
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.state import State, marks_of
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.answer import SeatQuery
from companion.reading.evidence import Look
from lab.bench import say

UNREAD = tuple(name for name, one in TABLES.items() if name not in READ_EXPANSIONS and not one.own_dice)
_GAME, _BOT = RailroadInk(), RailroadInkBot()
_SIGN = 0.3  # how empty a space looks in which a sign stands
_SURE = 0.9999
_QUALITY = SheetQuality("tags", 3.0, 0.8, 0.6, 0.6, 0.0)
_PHOTO = "0" * 64
_READER = RailroadInkReader()


def played_rounds(name: str, seed: int) -> Iterator[tuple[State, State]]:
    """Of every round in which routes are drawn: the match after the roll, and when the seat is done."""
    chance = SeededChance(Random(f"{name} {seed}"))
    setup = _GAME.setup(MatchRequest(1, "umpire", {"expansion": name}), chance)
    assert not isinstance(setup, Refusal)
    state = begun = _GAME.start(setup)
    while not state.finished:
        action = _BOT.decide(state, 1, chance) if state.lies else Action("roll", 1)
        assert action is not None
        fact = _GAME.decide(state, action, chance)
        assert isinstance(fact, Fact), fact
        if fact.kind == "done" and not state.only_extra:
            yield begun, state
        state = _GAME.apply(state, fact)
        begun = state if fact.kind == "roll" else begun


def told(after: State) -> PhotoReading:
    """A photograph of the seat's board, as the reader would tell it."""
    board = after.boards[1]
    routes = {GRID.names[cell]: route.text for cell, route in board.cells().items()}
    signs = marks_of(after, board)

    def look(name: str) -> Look:
        text = routes.get(name)
        if text in ROUTES:
            return {text: _SURE, "": 1 - _SURE}
        if text is not None:  # what only the expansion draws looks like many things
            return {"NeSw*": 0.7, "NESW": 0.29, "": 0.01}
        empty = _SIGN if name in signs else _SURE
        return {"": empty, "NS": 1 - empty}

    slots = {name: CellReading(look(name) or {}, None) for name in GRID.names}
    corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    sheet = SheetReading("railroad-ink", "challenge", 1, corners, slots, _QUALITY)
    return PhotoReading(1, 1, (sheet,), ())


def outcome(begun: State, after: State) -> str:
    """What a photographed round takes until it is entered as it was drawn."""
    reading = told(after)
    answer = _READER.answer(SeatQuery(reading, begun, 1, {}, _PHOTO))
    if answer.action is not None:
        if _as_drawn(begun, after, answer.action):
            return "without a tap"
        wrong = isinstance(_GAME.decide(begun, answer.action, NoChance()), Fact)
        return "not as drawn" if wrong else "otherwise"
    questions = answer.ruling.questions if answer.ruling else {}
    if REST not in questions:
        return "otherwise"
    for number, (text, _) in enumerate(questions[REST]):
        if text:
            again = _READER.answer(SeatQuery(reading, begun, 1, {REST: text}, _PHOTO))
            if again.action is not None and _as_drawn(begun, after, again.action):
                return "by the first option" if number == 0 else "by another option"
    return "otherwise"


def _as_drawn(begun: State, after: State, action: Action) -> bool:
    fact = _GAME.decide(begun, action, NoChance())
    if isinstance(fact, Refusal):
        return False
    entered = _GAME.apply(begun, fact)
    same = entered.boards[1].cells() == after.boards[1].cells()
    return same and marks_of(entered, entered.boards[1]) == marks_of(after, after.boards[1])


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, rule on every round, and print the table."""
    parser = argparse.ArgumentParser(prog="rest_bench", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="of expansions: usually all")
    parser.add_argument("--matches", type=int, default=1, help="of each expansion")
    options = parser.parse_args(arguments)
    kinds = ("without a tap", "by the first option", "by another option", "otherwise", "not as drawn")
    say(f"\n| expansion | rounds | {' | '.join(kinds)} | a round |\n" + "|---" * (len(kinds) + 3) + "|")
    every: Counter[str] = Counter()
    for name in options.names or UNREAD:
        rounds = [one for seed in range(options.matches) for one in played_rounds(name, seed)]
        played = process_time()
        counts = Counter(outcome(*one) for one in rounds)
        every += counts
        took = (process_time() - played) / len(rounds)
        numbers = " | ".join(str(counts[kind]) for kind in kinds)
        say(f"| {name} | {len(rounds)} | {numbers} | {1e3 * took:.0f} ms |")
    say(f"| all | {every.total()} | {' | '.join(str(every[kind]) for kind in kinds)} | |")


if __name__ == "__main__":
    main()
