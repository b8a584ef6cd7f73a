"""``export``: what was played, for other programs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.options import add_folder
from companion.cli.output import FINE
from companion.table.exc import TableError

if TYPE_CHECKING:
    from companion.table.match import Match


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``export``."""
    command.add_argument("--format", choices=("csv", "rows", "json", "bgstats", "bgg"), default="csv")
    command.add_argument("--match", help="only this match")
    add_folder(command)
    command.add_argument("--json", action="store_true", help="machine-readable")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Results of all matches (or one), oldest first."""
    from companion.service.export.elsewhere import elsewhere_of
    from companion.service.export.results import bgg_plays, bgstats_link, results_csv, results_json, rows_csv
    from companion.table.store import Store

    matches = _matches(options.folder, options.match)
    with Store(options.folder, read_only=True) as store:
        known = {match.id: elsewhere_of(match, store.setting) for match in matches}
    if options.format == "bgstats":
        for match in matches:
            print(bgstats_link(match, known[match.id]))
        return FINE
    forms = {
        "json": lambda: results_json(matches),
        "csv": lambda: results_csv(matches),
        "rows": lambda: rows_csv(matches),
        "bgg": lambda: bgg_plays(matches, lambda match: known[match.id]),
    }
    sys.stdout.write(forms[options.format]())
    return FINE


def _matches(folder: Path, only: str | None) -> list[Match]:
    from companion.core.messages import listed
    from companion.game.registry import GAMES
    from companion.table.replay import replayed
    from companion.table.store import Store

    with Store(folder, read_only=True) as store:
        stored = [match for match in store.matches() if only in (None, match.id)]
        if only is not None and not stored:
            raise TableError("no-match", f"there is no match {only!r} in {folder}")
        known = [match for match in stored if only is not None or match.game in GAMES]
        if left_out := [match.id for match in stored if match not in known]:
            print(f"Left out, as their games are not here: {listed(left_out)}", file=sys.stderr)
        return [replayed(store.events(match.id), GAMES) for match in known]
