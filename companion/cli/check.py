"""``check``: moves in; legal, or the first illegal one and why."""

from __future__ import annotations

import argparse

from companion.cli.options import add_positions


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``check``."""
    add_positions(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check the moves of every entry of the input."""
    from companion.cli.judging import answer_stream
    from companion.game.registry import find_game

    return answer_stream(options.file, find_game(options.game).check_moves)
