"""``studio``: synthetic photographs with their ground truth."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.cli.output import FINE, print_json
from companion.game.packages import packages


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``studio``."""
    having = ", ".join(package.name for package in packages().values() if package.studio)
    command.add_argument("game", metavar="GAME", help=f"one of {having}")
    command.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to write them")
    command.add_argument("--count", type=int, default=10, metavar="N")
    command.add_argument("--seed", type=int, default=1, metavar="S")
    command.add_argument("--level", default="table", help="how hard they are: clean, table or hard")
    command.add_argument("--json", action="store_true", help="the files written, as JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the pictures and tell each path, or all of them at the end."""
    from companion.game.registry import find_studio

    done = 0

    def tell(path: Path) -> None:
        nonlocal done
        done += 1
        if sys.stderr.isatty():  # a line that is written over, for somebody who is looking
            print(f"\r\x1b[K{done} of {options.count}: {path}", end="", file=sys.stderr, flush=True)
        if not options.json:
            print(path, flush=True)

    paths = find_studio(options.game).write(options.out, options.count, options.seed, options.level, tell)
    if options.json:
        print_json({"written": [str(path) for path in paths]})
    return FINE
