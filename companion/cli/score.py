"""``score``: positions in, scores out, one JSON line each, in order."""

from __future__ import annotations

import argparse

from companion.cli import bulk
from companion.cli.options import add_positions
from companion.core.errors import NotationError


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``score``."""
    command.add_argument("--explain", action="store_true", help="readable lines instead of JSON")
    bulk.add_options(command)
    add_positions(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score the input, or a whole folder."""
    from companion.cli import judging
    from companion.game.registry import find_game

    game = find_game(options.game)
    request = bulk.wished(options)
    if request is not None:
        if options.explain or options.file != "-":
            raise NotationError(
                "bad-options", "--all-in scores a folder as JSON: leave out --explain and FILE"
            )
        return bulk.score_all(options.game, request)
    if options.explain:
        return judging.explain_stream(options.file, game.explain_position)
    return judging.score_stream(options.file, game)
