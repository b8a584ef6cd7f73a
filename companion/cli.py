"""The command line: ``stationmaster`` and ``python -m companion`` are the same.

Every command exits 0 on success, 1 when the thing asked about is not so, and 2 with one line on standard
error when the input is wrong.

Here are the options. What does the work is imported when a command runs, so that none waits for the libraries
of another.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from companion import __version__
from companion.commands import bulk, hubbing, reading, rollers, serving, sheets, studio
from companion.commands.exits import BAD_INPUT, FINE
from companion.core.errors import StationmasterError
from companion.games.kit.errors import NotationError
from companion.games.packages import packages
from companion.machine import machine_fault


class _Parser(argparse.ArgumentParser):
    """Complains in one line, like every other part."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (try --help)", file=sys.stderr)  # noqa: T201
        raise SystemExit(BAD_INPUT)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    if fault := machine_fault():
        return _complain(fault)
    try:
        options = parsed(arguments)
        code: int = options.run(options)
        sys.stdout.flush()
    except StationmasterError as problem:
        return _complain(str(problem))
    except BrokenPipeError:
        _silence_stdout()
        return FINE
    except OSError as problem:
        return _complain(f"{problem.filename or 'output'}: {problem.strerror or problem}")
    except KeyboardInterrupt:
        return 130
    return code


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options; files may also come last, after them, which argparse by itself does not understand."""
    parser = _parser()
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
    print(f"stationmaster: {message}", file=sys.stderr)  # noqa: T201
    return BAD_INPUT


def _silence_stdout() -> None:
    """Whoever read our output has left; Python would complain once more when it flushes at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def default_folder() -> Path:
    """Where matches are kept unless ``--folder`` or STATIONMASTER_FOLDER says otherwise."""
    named = os.environ.get("STATIONMASTER_FOLDER") or os.environ.get("STATE_DIRECTORY")
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(named) if named else Path(data) / "stationmaster"


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="stationmaster", description=__doc__.split("\n\n")[1] if __doc__ else None)
    parser.add_argument("--version", action="version", version=f"stationmaster {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)
    serving.add(commands, default_folder())
    _add_games(commands)
    _add_judging(commands)
    _add_replay(commands)
    sheets.add(commands)
    reading.add(commands, default_folder())
    studio.add(commands)
    rollers.add(commands, default_folder())
    hubbing.add(commands, default_folder())
    _add_upkeep(commands)
    return parser


def _add_games(commands: argparse._SubParsersAction[_Parser]) -> None:
    games = commands.add_parser("games", help="the games, players and options")
    games.add_argument("--json", action="store_true", help="machine-readable")
    games.set_defaults(run=_games)


def _games(options: argparse.Namespace) -> int:
    from companion.commands import records
    from companion.games.registry import GAMES

    return records.list_games(GAMES, as_json=options.json)


def _add_judging(commands: argparse._SubParsersAction[_Parser]) -> None:
    score = commands.add_parser("score", help="positions in, scores out, one JSON line each, in order")
    score.add_argument("--explain", action="store_true", help="readable lines instead of JSON")
    bulk.add_options(score)
    score.set_defaults(run=_score)
    check = commands.add_parser("check", help="moves in: legal, or the first illegal one and why")
    check.set_defaults(run=_check)
    turn = commands.add_parser("turn", help="positions and dice in: every complete turn, best first")
    turn.add_argument(
        "--best", metavar="N", type=int, help="only the N best turns: there is always an answer"
    )
    turn.add_argument(
        "--by", choices=("score", "worth"), help="best by the points now (usual), or by what the bot expects"
    )
    turn.set_defaults(run=_turn)
    for command in (score, check, turn):
        command.add_argument("game", metavar="GAME", help=f"one of {', '.join(packages())}")
        command.add_argument(
            "file", metavar="FILE", nargs="?", default="-", help="input; - is standard input"
        )
        command.add_argument("--json", action="store_true", help="JSON lines, which is what it prints anyway")


def _score(options: argparse.Namespace) -> int:
    from companion.commands import judging
    from companion.games.registry import find_game

    game = find_game(options.game)
    wish = bulk.wished(options)
    if wish is not None:
        if options.explain or options.file != "-":
            raise NotationError(
                "bad-options", "--all-in scores a folder as JSON: leave out --explain and FILE"
            )
        return bulk.score_all(options.game, wish)
    if options.explain:
        return judging.explain_stream(options.file, game.explain_position)
    return judging.score_stream(options.file, game)


def _check(options: argparse.Namespace) -> int:
    from companion.commands import judging
    from companion.games.registry import find_game

    return judging.answer_stream(options.file, find_game(options.game).check_moves)


def _turn(options: argparse.Namespace) -> int:
    from companion.commands import judging
    from companion.games.registry import find_game

    wishes = {name: value for name in ("best", "by") if (value := getattr(options, name)) is not None}
    return judging.answer_stream(options.file, judging.turns_of(find_game(options.game), wishes))


def _add_replay(commands: argparse._SubParsersAction[_Parser]) -> None:
    replay = commands.add_parser("replay", help="a recorded match: final scores and state")
    replay.add_argument("file", metavar="FILE", help="a file of the journal folder")
    replay.add_argument("--verify", action="store_true", help="recompute everything and the hash chain")
    replay.add_argument("--json", action="store_true", help="machine-readable")
    replay.set_defaults(run=_replay)


def _replay(options: argparse.Namespace) -> int:
    from companion.commands import records

    return records.replay(options.file, options.verify, options.json)


def _export(options: argparse.Namespace) -> int:
    from companion.commands import records

    return records.export(options.folder, options.format, options.match)


def _add_upkeep(commands: argparse._SubParsersAction[_Parser]) -> None:
    backup = commands.add_parser("backup", help="one file with everything")
    backup.add_argument("file", metavar="FILE", nargs="?", type=Path, help="default: in the folder's backups")
    backup.set_defaults(run=_backup)
    restore = commands.add_parser("restore", help="bring a backup back; what is there now is kept aside")
    source = restore.add_mutually_exclusive_group(required=True)
    source.add_argument("file", metavar="FILE", nargs="?", type=Path)
    source.add_argument(
        "--journals", action="store_true", help="the newest good backup, and all that the journals tell since"
    )
    restore.set_defaults(run=_restore)
    export = commands.add_parser(
        "export",
        help="results as CSV (rows: every part of the scores) or JSON, for Board Game Stats or BoardGameGeek",
    )
    export.add_argument("--format", choices=("csv", "rows", "json", "bgstats", "bgg"), default="csv")
    export.add_argument("--match", help="only this match")
    export.set_defaults(run=_export)
    doctor = commands.add_parser("doctor", help="each part found or missing and what to do about it")
    doctor.set_defaults(run=_doctor)
    for command in (backup, restore, export, doctor):
        command.add_argument("--folder", type=Path, default=default_folder(), help="where matches are kept")
        command.add_argument("--json", action="store_true", help="machine-readable")


def _backup(options: argparse.Namespace) -> int:
    from companion.commands import upkeep

    return upkeep.make_backup(options.folder, options.file, options.json)


def _restore(options: argparse.Namespace) -> int:
    from companion.commands import upkeep

    return upkeep.bring_back(options.folder, options.file, options.json)


def _doctor(options: argparse.Namespace) -> int:
    from companion.commands import upkeep

    return upkeep.doctor(options.folder, as_json=options.json)
