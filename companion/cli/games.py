"""``games``: what can be played."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from companion.cli.output import FINE, print_json

if TYPE_CHECKING:
    from companion.core.jsontext import JsonObject
    from companion.game.base import Game, Option


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``games``."""
    command.add_argument("--json", action="store_true", help="machine-readable")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Every game with its players and options."""
    from companion.game.registry import GAMES

    if options.json:
        print_json([_game_json(game) for game in GAMES.values()])
        return FINE
    for game in GAMES.values():
        print(f"{game.name:14} {game.title}, {game.seats[0]} to {game.seats[1]} players")
        for option in game.options:
            told = [_choice_words(one) + _meaning(option, one) for one in option.choices]
            choices = f": {' | '.join(told)}" if told else ""
            words = "; ".join(filter(None, (option.help, option.written)))
            print(f"  {option.name:15} {words}{choices} (usually {_choice_words(option.default)})")
    return FINE


def _choice_words(choice: Any) -> str:
    """
    >>> [_choice_words(choice) for choice in ("", False, 0, "draw")]
    ['-', 'no', '0', 'draw']
    """
    if isinstance(choice, bool):
        return "yes" if choice else "no"
    return str(choice) or "-"


def _meaning(option: Option, choice: Any) -> str:
    """Explain what a numeric option stands for.

    >>> from companion.game.base import Option
    >>> _meaning(Option("first", 0, "who begins", (0, 1), words=("by chance", "seat 1")), 0)
    ' (by chance)'
    """
    return f" ({option.words_of(choice)})" if type(choice) is int else ""


def _game_json(game: Game[Any]) -> JsonObject:
    from companion.core.jsontext import builtins_of

    options = [builtins_of(option) for option in game.options]
    return {"game": game.name, "title": game.title, "players": list(game.seats), "options": options}
