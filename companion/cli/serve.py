"""``serve``: the table with its pages, until somebody stops it."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from companion import __version__
from companion.cli.options import add_folder, number
from companion.cli.output import FINE, print_json
from companion.game.packages import packages
from companion.table.exc import TableError

FORGET_PIN = "forget-pin"  # a file in the table's folder

# The service with its web server is imported when it starts: every other command would wait for it in vain.
if TYPE_CHECKING:
    from companion.game.base import Game
    from companion.service.service import Service
    from companion.service.system.addresses import Address


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``serve``."""
    command.add_argument("--demo", action="store_true", help="bots play with virtual dice; nothing is kept")
    usual, *others = packages()
    command.add_argument("--game", help=f"what the bots play: {usual} (usually), {', '.join(others)}")
    command.add_argument("--host", default="0.0.0.0", help="the address to listen at (usually all)")  # noqa: S104
    command.add_argument("--port", type=number(0, 65535), default=8080)
    command.add_argument(
        "--streams", type=number(1, 500), default=100, help="live connections at most; others poll"
    )
    add_folder(command)
    command.add_argument(
        "--fair",
        action="store_true",
        help="the dice roller commits to a seed before each match, and opens it afterwards",
    )
    command.add_argument("--new-pin", action="store_true", help="make and print a new host PIN")
    command.add_argument("--json", action="store_true", help="the addresses as one line of JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serve until stopped; then switch the box off, if the host asked for that."""
    from companion.service.running import opened_service
    from companion.service.system.memory import give_memory_back
    from web.server import begin_log

    demo = _game_of_demonstration(options)
    os.umask(0o077)  # decks, seats and backups are nobody else's on this machine
    give_memory_back()
    begin_log()
    with _folder(options) as folder, opened_service(folder) as service:
        service.fair = options.fair
        _serve(service, options, demo)
        off = service.settings.now.power.off if service.power.switched_off else ()
        again = service.power.restarting
    if again:
        _start_again()
    if off:
        subprocess.run(off, check=False)
    return FINE


def _start_again() -> None:
    """Run the command anew in this process, so that a supervisor does not see it end."""
    arguments = [one for one in sys.orig_argv[1:] if one != "--new-pin"]
    os.execv(sys.executable, [sys.executable, *arguments])


def _game_of_demonstration(options: argparse.Namespace) -> Game[Any] | None:
    if not options.demo:
        if options.game is not None:
            raise TableError("no-demo", "--game says what the bots of --demo play: people choose on the page")
        return None
    from companion.game.registry import find_game

    return find_game(options.game or next(iter(packages())))


def _serve(service: Service, options: argparse.Namespace, demo: Game[Any] | None) -> None:
    from companion.cli.serving import serve
    from companion.service.system.addresses import Address
    from web.access.people import PIN_SETTING, new_host_key, new_pin
    from web.access.setup import NEW, SETUP_SETTING

    for note in service.notes:
        print(f"Note: {note}", file=sys.stderr)
    new = not service.store.setting(PIN_SETTING) or _forgets_pin(service.store.folder)
    if new and not options.demo:
        service.store.put_setting(SETUP_SETTING, NEW)
    pin = new_pin(service.store) if options.new_pin or new else None
    key = new_host_key(service.store) if options.new_pin else None

    def ready(address: Address) -> None:
        if options.json:
            told = {"links": address.links, "folder": str(service.store.folder), "pin": pin}
            print_json({**told, "key": key} if key else told)
        else:
            _say_ready(address, options.demo, pin, sys.stdout)
            if key:
                print(f"The key is {key}: it works also where others tried too many PINs.")
        sys.stdout.flush()

    address = Address(options.host, options.port)
    serve(service, address, demo=demo, ready=ready, streams=options.streams)


def _forgets_pin(folder: Path) -> bool:
    """Return True if the owner asked, by a file of this name, to reset the PIN; that counts once."""
    request = folder / FORGET_PIN
    if not request.exists():
        return False
    request.unlink()
    return True


@contextmanager
def _folder(options: argparse.Namespace) -> Iterator[Path]:
    """Yield the folder to serve: a temporary one for a demonstration."""
    if not options.demo:
        yield options.folder
        return
    with tempfile.TemporaryDirectory(prefix="stationmaster-demo-") as name:
        yield Path(name)


def _say_ready(address: Address, demo: bool, pin: str | None, out: TextIO) -> None:
    lines = [
        f"Stationmaster {__version__}{', a demonstration' if demo else ''}. Open this page, or scan:",
        "",
    ]
    lines += [f"    {link}" for link in address.links]
    print("\n".join(lines), file=out)
    if _can_print_blocks(out):
        import segno

        segno.make(address.links[0]).terminal(out, compact=True, border=2)
    if pin is not None:
        print(
            f"The host PIN is {pin}: write it down, it is not shown again (--new-pin makes another).",
            file=out,
        )
        if not demo:
            print(f"Or choose your own within ten minutes: {address.links[0]}setup", file=out)
    print("Ctrl-C stops it.", file=out)


def _can_print_blocks(out: TextIO) -> bool:
    try:
        "▀▄█".encode(out.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
