"""``doctor``: each part found or missing, and what to do about it."""

from __future__ import annotations

import argparse

from companion.cli.options import add_folder


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``doctor``."""
    add_folder(command)
    command.add_argument("--json", action="store_true", help="machine-readable")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Look at every part. Missing parts are no fault; the exit code is 1 when one is bad."""
    from companion.cli.parts import print_parts
    from companion.service.system.doctor import look_at_everything

    return print_parts(look_at_everything(options.folder), as_json=options.json)
