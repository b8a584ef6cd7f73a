"""``backup``: one file with everything."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.options import add_folder
from companion.cli.output import FINE, print_json


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``backup``."""
    command.add_argument(
        "file", metavar="FILE", nargs="?", type=Path, help="default: in the folder's backups"
    )
    add_folder(command)
    command.add_argument("--json", action="store_true", help="machine-readable")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Make a backup and verify it by reading it back."""
    from companion.table.backup import backup
    from companion.table.folder import BACKUPS
    from companion.table.store import Store

    with Store(options.folder, read_only=True) as store:  # works beside a running service
        if options.file is None:
            (options.folder / BACKUPS).mkdir(exist_ok=True)
        made = backup(store, options.file or options.folder / BACKUPS)
    if options.json:
        print_json({"backup": str(made), "bytes": made.stat().st_size})
    else:
        print(f"{made} ({made.stat().st_size / 1024:.0f} kB), read back and checked")
    return FINE
