"""``coach``: what each drawing of a recorded match cost against the best that is found, and why."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.output import FINE, print_json

if TYPE_CHECKING:
    from companion.core.jsontext import JsonObject
    from companion.table.events import Event


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``coach``."""
    command.add_argument("file", metavar="FILE", help="a file of the journal folder")
    command.add_argument("--seat", type=int, help="only this one")
    command.add_argument("--json", action="store_true", help="machine-readable")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print every round of every seat, and what it cost."""
    from companion.core.errors import GameError
    from companion.table.journal import read_journal

    events = read_journal(Path(options.file))
    told = coached(events, options.seat)
    if not told["rounds"]:
        raise GameError("no-coach", "no bot here can tell what the moves of this match are worth")
    if options.json:
        print_json(told)
    else:
        print("\n".join(lines(told)))
    return FINE


def coached(events: Sequence[Event], seat: int | None = None) -> JsonObject:
    """What the moves of a match cost, and the points of its seats."""
    from companion.game.bots import own_bot
    from companion.game.registry import GAMES
    from companion.table.coaching import price, prices
    from companion.table.replay import game_of, replayed
    from companion.table.standings import standings

    game, match = game_of(events, GAMES), replayed(events, GAMES)
    bot = own_bot(game)
    rounds = []
    if bot is not None:
        bot.prepare(wait=True)
        found = prices(
            events, game, lambda one, *what: price(bot, one, *what) if seat in (None, one.seat) else None
        )
        rounds = [{"seat": one.seat, **one.told} for one in found]
    players = [
        {
            "seat": row["seat"],
            "name": match.players[row["seat"]].name,
            "total": row["total"],
            "cost": round(sum(one["cost"] for one in rounds if one["seat"] == row["seat"]), 2),
        }
        for row in standings(match)
        if seat in (None, row["seat"])
    ]
    return {"match": match.id, "game": game.name, "players": players, "rounds": rounds}


def lines(told: JsonObject) -> list[str]:
    """The same as text."""
    found = []
    for player in told["players"]:
        found.append(f"{player['name']}: {player['total']} points; drawings cost {player['cost']:.1f}")
        for one in told["rounds"]:
            if one["seat"] == player["seat"]:
                found += _round_lines(one)
    return found


def _round_lines(one: JsonObject) -> list[str]:
    head = f"  round {one['round']}: "
    if one["cost"] <= 2 * one["error"] and one["cost"] < 1:
        return [f"{head}as good as the best that was found"]
    best = ", ".join(f"{move['cell']} {move['route']}" for move in one["best"])
    error = f" +- {one['error']:.1f}" if one["error"] else ""
    return [f"{head}{one['cost']:.1f}{error} points; best: {best}", *[f"    {why}" for why in one["why"]]]
