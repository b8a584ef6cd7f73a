"""``python -m lab.railroad_ink.same_dice_bench FILE``: what the bot makes of dice that people had.

The file has a match a line: ``{"id": "m1", "dice": [["NS", "es", ..], ..], "moves": [{"cell": "a4", "route":
"NS", "from": "die", "round": 1}, ..]}``, and ``"all_dice_known": false`` where some are missing. Every match
is played several times, alone, by the level that is told; each time other dice to come are imagined.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, pstdev

from companion.core.jsontext import JsonObject
from companion.games.railroad_ink.bot.engines import engine, prepare
from companion.games.railroad_ink.bot.levels import LEVELS
from companion.games.railroad_ink.bot.question import Question, Seat
from companion.games.railroad_ink.bot.thinking import thoughts
from companion.games.railroad_ink.rules.boards.board import Board, Drawing, Rules, rolled
from companion.games.railroad_ink.rules.match.state import BotLevel
from companion.games.railroad_ink.rules.rulebook import EDITION
from companion.games.railroad_ink.rules.scoring.scores import score
from lab.bench import say


def seat_of(match: JsonObject, drawings: Sequence[Drawing], number: int) -> Seat:
    """A board of the match with the dice of a round."""
    rules = Rules(EDITION[match.get("edition", "classic")])
    return Seat(rules, Board(tuple(drawings)), rolled(number, match["dice"][number - 1]), "trail", "error")


def played(match: JsonObject, level: BotLevel, play: int) -> int:
    """The points that a bot makes of the dice of a match; every play is another one."""
    drawings: tuple[Drawing, ...] = ()
    rounds = len(match["dice"])
    for number in range(1, rounds + 1):
        question = Question(seat_of(match, drawings, number), number, rounds, player=play)
        drawings += thoughts(question, LEVELS[level], engine())[0].drawings
    return points_of(match, drawings)


def points_of(match: JsonObject, drawings: Sequence[Drawing]) -> int:
    """The points of a finished board."""
    seat = seat_of(match, drawings, len(match["dice"]))
    return score(seat.position(seat.board)).total


def made(match: JsonObject) -> tuple[Drawing, ...]:
    """What was drawn in the match itself."""
    return tuple(Drawing(one["cell"], one["route"], one["from"], one["round"]) for one in match["moves"])


def main() -> int:
    """Print a line for each match, and the means."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--plays", type=int, default=10, help="of each match")
    parser.add_argument("--level", choices=tuple(LEVELS), default="best")
    asked = parser.parse_args()
    matches = [json.loads(line) for line in asked.file.read_text().splitlines()]
    known = [match for match in matches if match.get("all_dice_known", True)]
    prepare(wait=True)
    people, bots = [], []
    for match in known:
        people.append(points_of(match, made(match)))
        bots.append([played(match, asked.level, play) for play in range(1, asked.plays + 1)])
        say(f"{match['id']}: {people[-1]}; the bot {mean(bots[-1]):.1f} ({min(bots[-1])} to {max(bots[-1])})")
    means = [mean(one) for one in bots]
    error = (sum(pstdev(one) ** 2 / len(one) for one in bots) ** 0.5) / len(bots)
    say(
        f"{len(known)} matches: {mean(people):.1f}; the bot, {asked.plays} plays of each: "
        f"{mean(means):.2f} +- {error:.2f}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
