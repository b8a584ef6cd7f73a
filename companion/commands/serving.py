"""``serve``: the table with its pages, until somebody stops it."""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import segno

from companion import __version__
from companion.commands.exits import FINE
from companion.commands.records import print_json
from companion.service import Address, opened_service, serve


def add(commands: Any, default_folder: Path) -> None:
    """The subcommand and its options."""
    parser = commands.add_parser("serve", help="the table with its pages")
    parser.add_argument("--demo", action="store_true", help="bots play with virtual dice; nothing is kept")
    parser.add_argument("--host", default="0.0.0.0", help="the address to listen at (usually all)")  # noqa: S104
    parser.add_argument("--port", type=_number(0, 65535), default=8080)
    parser.add_argument(
        "--streams", type=_number(1, 500), default=100, help="live connections at most; others poll"
    )
    parser.add_argument("--folder", type=Path, default=default_folder, help="where matches are kept")
    parser.add_argument("--json", action="store_true", help="the addresses as one line of JSON")
    parser.set_defaults(run=run)


def _number(lowest: int, highest: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not lowest <= int(text[:9]) <= highest:
            raise argparse.ArgumentTypeError(f"choose a number from {lowest} to {highest}")
        return int(text)

    return read


def run(options: argparse.Namespace) -> int:
    """Serve until stopped."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    with _folder(options) as folder, opened_service(folder) as service:
        for note in service.notes:
            print(f"Note: {note}", file=sys.stderr)

        def ready(address: Address) -> None:
            if options.json:
                print_json({"links": address.links, "folder": str(folder), "demo": options.demo})
            else:
                _say_ready(address, options.demo, sys.stdout)
            sys.stdout.flush()

        serve(
            service,
            Address(options.host, options.port),
            demo=options.demo,
            ready=ready,
            streams=options.streams,
        )
    return FINE


@contextmanager
def _folder(options: argparse.Namespace) -> Iterator[Path]:
    """A demonstration never touches the matches of a real table."""
    if not options.demo:
        yield options.folder
        return
    with tempfile.TemporaryDirectory(prefix="stationmaster-demo-") as name:
        yield Path(name)


def _say_ready(address: Address, demo: bool, out: TextIO) -> None:
    lines = [
        f"Stationmaster {__version__}{', a demonstration' if demo else ''}. Open this page, or scan:",
        "",
    ]
    lines += [f"    {link}" for link in address.links]
    print("\n".join(lines), file=out)
    if _can_print_blocks(out):
        segno.make(address.links[0]).terminal(out, compact=True, border=2)
    print("Ctrl-C stops it.", file=out)


def _can_print_blocks(out: TextIO) -> bool:
    try:
        "▀▄█".encode(out.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
