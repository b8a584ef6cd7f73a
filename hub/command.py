"""``stationmaster hub``: the hub of a club, until somebody stops it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion import __version__
from companion.cli.options import default_folder, number
from companion.cli.output import FINE, print_json
from companion.table.exc import TableError

if TYPE_CHECKING:
    from companion.service.system.addresses import Address
    from hub.people import Secrets


def declare(command: argparse.ArgumentParser) -> None:
    """Add the options of the command to its parser."""
    command.add_argument("--host", default="0.0.0.0", help="the address to listen at (usually all)")  # noqa: S104
    command.add_argument("--port", type=number(0, 65535), default=8090)
    command.add_argument(
        "--folder", type=Path, default=default_folder() / "hub", help="where the hub keeps all"
    )
    command.add_argument(
        "--database", default="", metavar="ADDRESS", help="postgresql://..., instead; or @FILE"
    )
    command.add_argument(
        "--stream",
        default="",
        metavar="SERVERS",
        help="nats://...,nats://..., or @FILE: batches go by JetStream",
    )
    command.add_argument(
        "--mqtt", default="", metavar="BROKER", help="mqtt://..., or @FILE: tell it every table's state"
    )
    command.add_argument("--name", default="", help="what the club is called")
    command.add_argument(
        "--names", action="append", default=[], metavar="NAME", help="a name under which pages may be opened"
    )
    command.add_argument("--streams", type=number(1, 500), default=100, help="live connections; others poll")
    command.add_argument("--new-pin", action="store_true", help="make and print a new PIN and key, and end")
    command.add_argument(
        "--check",
        action="store_true",
        help="whether everything it needs is there, and whether a migration is due; start nothing",
    )
    command.add_argument(
        "--json", action="store_true", help="the addresses, or the check, as one line of JSON"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serve until stopped; or only look whether that would do."""
    from companion.club.keys import can_sign
    from hub.engines import engine_address

    for engine in ("database", "stream", "mqtt"):
        setattr(options, engine, engine_address(engine, getattr(options, engine)))
    if options.check:
        return _check(options)

    if not can_sign():
        raise TableError(
            "no-signing", "a hub needs the library PyNaCl, which is missing: in a checkout, make hub"
        )
    from companion.service.system.addresses import Address
    from hub.people import first_secrets
    from hub.serving import HubOptions, serve
    from web.server import begin_log

    os.umask(0o077)
    begin_log()
    request = HubOptions(
        options.folder,
        options.database,
        options.stream,
        options.mqtt,
        options.name,
        tuple(options.names),
        options.streams,
    )
    made = first_secrets(request.database, request.folder, anew=options.new_pin)
    if options.new_pin and made is not None:
        print_json({"pin": made.pin, "key": made.key}) if options.json else print(_secrets_said(made))
        return FINE

    def ready(address: Address) -> None:
        if options.json:
            told = {"pin": made.pin, "key": made.key} if made else {"pin": None, "key": None}
            print_json({"links": address.links, "folder": str(options.folder), **told})
        else:
            _say_ready(address, made)
        sys.stdout.flush()

    serve(request, Address(options.host, options.port), ready)
    return FINE


def _check(options: argparse.Namespace) -> int:
    from companion.cli.parts import print_parts
    from companion.club.keys import can_sign
    from companion.service.parts import Part
    from companion.service.system.mqtt import broker_part
    from hub.engines import libraries_part, port_part, stream_part
    from hub.storage.migrations import database_part

    signatures = Part("signatures", "ok", "PyNaCl is installed")
    if not can_sign():
        signatures = Part("signatures", "bad", "PyNaCl is missing", "in a checkout: make hub")
    parts = [signatures, libraries_part(), database_part(options.database, options.folder)]
    if options.stream:
        parts.append(stream_part(options.stream))
    if options.mqtt:
        parts.append(broker_part(options.mqtt, options.folder))
    parts.append(port_part(options.host, options.port))
    return print_parts(parts, as_json=options.json)


def _secrets_said(made: Secrets) -> str:
    return (
        f"The organiser's PIN is {made.pin}, the key is {made.key}: write them down, they are not shown again"
        " (--new-pin makes others). The key opens the page also where others tried too often."
    )


def _say_ready(address: Address, made: Secrets | None) -> None:
    lines = [f"Stationmaster {__version__}, the hub of a club. Open this page:", ""]
    lines += [f"    {link}" for link in address.links]
    if made is not None:
        lines.append(_secrets_said(made))
    lines.append("Boxes join with the code on the organiser's page. Ctrl-C stops it.")
    print("\n".join(lines))
