"""``restore``: a backup, or what the journals tell, in the place of what is there."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.options import add_folder
from companion.cli.output import FINE, print_json


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``restore``."""
    source = command.add_mutually_exclusive_group(required=True)
    source.add_argument("file", metavar="FILE", nargs="?", type=Path)
    source.add_argument(
        "--journals", action="store_true", help="the newest good backup, and all that the journals tell since"
    )
    add_folder(command)
    command.add_argument("--json", action="store_true", help="machine-readable")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Restore everything from a backup, or from the journals; what was there is kept aside."""
    from companion.table.backup import restore
    from companion.table.folder import JOURNAL
    from companion.table.recovery import made_anew

    folder, file = options.folder, options.file
    notes = made_anew(folder) if file is None else restore(file, folder)
    source = file or folder / JOURNAL
    if options.json:
        print_json({"restored": str(source), "notes": notes})
    else:
        print("\n".join([f"{source} restored to {folder}", *notes]))
    return FINE
