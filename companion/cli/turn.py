"""``turn``: positions and dice in, every complete turn out, best first."""

from __future__ import annotations

import argparse

from companion.cli.options import add_positions


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``turn``."""
    command.add_argument(
        "--best", metavar="N", type=int, help="only the N best turns: there is always an answer"
    )
    command.add_argument(
        "--by", choices=("score", "worth"), help="best by the points now (usual), or by what the bot expects"
    )
    add_positions(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """List the turns of every position of the input."""
    from companion.cli.judging import answer_stream, turns_of
    from companion.game.registry import find_game

    wanted = {name: value for name in ("best", "by") if (value := getattr(options, name)) is not None}
    return answer_stream(options.file, turns_of(find_game(options.game), wanted))
