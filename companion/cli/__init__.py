"""The command line: ``stationmaster`` and ``python -m companion`` are the same.

Every command exits 0 on success, 1 when the thing asked about is not so, and 2 with one line on standard
error when the input is wrong.

Each command is a module of its name: ``declare`` adds its options to a parser, ``run`` does the work. The
module is imported when its command is named, the libraries that do the work when it runs. A command of
another distribution is such a module, too: its entry point stands in the group ``stationmaster.commands``.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib import import_module
from types import ModuleType
from typing import NoReturn, TextIO, cast

from companion import __version__
from companion.cli.output import BAD_INPUT, FINE, OUTPUT, NamedOutput
from companion.core.errors import StationmasterError
from companion.machine import machine_fault

# In the order in which they are listed.
COMMANDS = {
    "serve": "the table with its pages",
    "games": "the games, players and options",
    "score": "positions in, scores out, one JSON line each, in order",
    "check": "moves in: legal, or the first illegal one and why",
    "turn": "positions and dice in: every complete turn, best first",
    "replay": "a recorded match: final scores and state",
    "coach": "a recorded match: what each drawing cost against the best found, and why",
    "sheet": "sheets to print, or one as a picture",
    "read": "photographs in, one JSON line each: what is drawn on every board",
    "teach": "a board of your own, from one photograph of it empty",
    "teach-deck": "a deck of your own, from photographs of its cards in a printed order",
    "studio": "made-up photographs with their truth beside them",
    "roller": "the dice roller: list, monitor, roll, selftest, log, install",
    "hub": "many tables: the club's hub",
    "backup": "one file with everything",
    "restore": "bring a backup back; what is there now is kept aside",
    "export": (
        "results as CSV (rows: every part of the scores) or JSON, for Board Game Stats or BoardGameGeek"
    ),
    "doctor": "each part found or missing and what to do about it",
}
# Those that come with a distribution of their own: what to do where it is not installed.
APART = {"hub": "the hub of a club is not installed here: in a checkout, make hub (docs/club-night.md)"}


class _Parser(argparse.ArgumentParser):
    """A parser that reports errors in one line, like every other part."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (try --help)", file=sys.stderr)
        raise SystemExit(BAD_INPUT)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    if fault := machine_fault():
        return _complain(fault)
    try:
        with redirect_stdout(cast(TextIO, NamedOutput(sys.stdout))):
            options = parsed(arguments)
            code: int = options.run(options)
            sys.stdout.flush()
    except StationmasterError as problem:
        return _complain(str(problem))
    except OSError as problem:
        if isinstance(problem, BrokenPipeError) and problem.filename == OUTPUT:
            # Silence standard output after its reader has left: Python's flush at exit would fail
            # again
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return FINE
        said = problem.strerror or str(problem) or type(problem).__name__
        return _complain(f"{problem.filename}: {said}" if problem.filename else said)
    except KeyboardInterrupt:
        return 130
    return code


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the arguments; unlike with plain argparse, files may also come after the options."""
    arguments = sys.argv[1:] if arguments is None else arguments
    # Return a parser for all commands, with the options of the `named` one only
    named = next((one for one in arguments if one[:1] != "-"), None)
    parser = _Parser(prog="stationmaster", description=__doc__.split("\n\n")[1] if __doc__ else None)
    parser.add_argument("--version", action="version", version=f"stationmaster {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)
    for name, told in COMMANDS.items():
        command = commands.add_parser(name, help=told)
        if name == named:
            _module(name).declare(command)
    options, left = parser.parse_known_args(arguments)
    if hasattr(options, "photos"):
        options.photos += [one for one in left if one[:1] != "-"]
        left = [one for one in left if one[:1] == "-"]
    if len(left) == 1 and getattr(options, "file", None) == "-" and (left[0] == "-" or left[0][:1] != "-"):
        options.file = left.pop()
    if left:
        parser.error(f"unrecognized arguments: {' '.join(left)}")
    return options


def _complain(message: str) -> int:
    print(f"stationmaster: {message}", file=sys.stderr)
    return BAD_INPUT


def _module(command: str) -> ModuleType:
    """The module of a command; an error says what to do where its distribution is not installed."""
    if command not in APART:
        return import_module(f"{__name__}.{command.replace('-', '_')}")
    from importlib.metadata import entry_points  # takes longer than all the rest of the start

    for entry in entry_points(group="stationmaster.commands", name=command):
        module: ModuleType = entry.load()
        return module
    raise StationmasterError(APART[command])
