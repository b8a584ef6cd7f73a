"""The engines of a hub: where their addresses, with passwords, come from, and whether they answer.

A password on the command line stands in ``ps`` for every account of the machine. So an address with one comes
from a file (``@FILE``) or from the environment, and one that was typed is refused.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion.club.messages import LARGEST_BATCH
from companion.service.parts import Part
from companion.table.exc import TableError

_PATIENCE = 5  # seconds
_HEADERS = 1000  # bytes beside a batch in its message


def engine_address(option: str, given: str, environment: Mapping[str, str] = os.environ) -> str:
    """The address that an option of the command, a file or the environment says; empty for none.

    >>> engine_address("stream", "", {"STATIONMASTER_STREAM": "nats://club:secret@n1.lan"})
    'nats://club:secret@n1.lan'
    """
    name = f"STATIONMASTER_{option.upper()}"
    told = given or environment.get(name, "")
    if told.startswith("@"):
        try:
            return Path(told[1:]).expanduser().read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as problem:
            raise TableError(
                "no-address", f"--{option} cannot be read from {told[1:]}: {problem}"
            ) from problem
    if given and any(map(_has_password, given.split(","))):
        raise TableError(
            "password-shown",
            f"everybody on this machine would see the password of --{option}: put the address into a file"
            f" that only you can read, and say --{option} @FILE, or put it into the environment as {name}",
        )
    return told


def _has_password(address: str) -> bool:
    """True for name:password@host, whatever the password looks like, and for PostgreSQL's ?password=."""
    return bool(re.search(r"//[^@]*:[^@]*@", address)) or "password=" in address


def stream_part(servers: str) -> Part:
    """How the stream is, for somebody who is about to start a hub; nothing is made."""
    if find_spec("nats") is None:
        return Part("stream", "bad", "nats-py is missing", "in a checkout: make hub")
    trouble = asyncio.run(_stream_trouble([one.strip() for one in servers.split(",") if one.strip()]))
    if trouble:
        return Part("stream", "bad", trouble, "docs/club-night.md has the configuration of its server")
    return Part("stream", "ok", "the NATS server answers, with JetStream")


async def _stream_trouble(servers: list[str]) -> str:
    from nats.aio.client import Client

    from hub.intake.stream import stream_trouble

    complaints: list[Exception] = []

    async def note(problem: Exception) -> None:
        complaints.append(problem)

    client = Client()
    wish = client.connect(
        servers, connect_timeout=2, allow_reconnect=False, max_reconnect_attempts=0, error_cb=note
    )
    try:
        await asyncio.wait_for(wish, _PATIENCE)
        await client.jetstream(timeout=_PATIENCE).account_info()
        if client.max_payload < LARGEST_BATCH + _HEADERS:
            return (
                f"the NATS server takes messages of up to {client.max_payload:,} bytes, and a batch has up to"
                f" {LARGEST_BATCH:,}: put max_payload: 2MB into its configuration"
            )
        if len(servers) > 1 and not client._server_info.get("cluster"):  # which the library tells nobody
            return (
                f"{len(servers)} servers are named, and the one that answers belongs to no cluster:"
                " each needs the others in its own configuration"
            )
    except Exception as problem:  # noqa: BLE001 - whatever the library says is what is wrong
        return stream_trouble(complaints[-1] if complaints else problem)
    finally:
        await client.close()
        await asyncio.sleep(0)  # its socket is closed in the loop's next round
    return ""


def port_part(host: str, port: int) -> Part:
    """Whether the hub can have its port."""
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(kind) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as problem:
            says = f"port {port} cannot be had now: {problem.strerror or problem}"
            return Part("port", "missing", says, "is it the hub that runs? else choose another with --port")
    return Part("port", "ok", f"port {port} is free")


def libraries_part() -> Part:
    """What of the hub's own libraries is missing; seatings need one, ratings the other."""
    missing = [
        name for name, module in (("SciPy", "scipy"), ("OpenSkill", "openskill")) if not find_spec(module)
    ]
    if missing:
        return Part("libraries", "bad", f"{' and '.join(missing)} missing", "in a checkout: make hub")
    return Part("libraries", "ok", "seatings and ratings can be computed")


def checked_conninfo(address: str) -> dict[str, Any]:
    """The parts of a PostgreSQL address; an error that repeats no part of what may be a password."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        return dict(conninfo_to_dict(address))
    except (psycopg.Error, UnicodeError):
        raise TableError(
            "bad-database",
            "the address of the database cannot be read: in a password write all but letters and digits"
            " as % and two hex digits (@ is %40, / is %2F, % is %25)",
        ) from None
