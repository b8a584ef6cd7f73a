"""The one place that wires the table, the devices and the pages together, and the life of the service."""

from __future__ import annotations

import errno
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

from flask import Flask
from waitress.server import create_server

from companion.demo import Demonstration
from companion.games.contract import Game
from companion.games.registry import GAMES
from companion.table.exc import TableError
from companion.table.recovery import open_store
from companion.table.store import Store
from companion.table.table import Table
from web.app import WebSettings, create_app
from web.site import site_of

_SPARE_THREADS = 16  # for requests, beside one for every stream
_CONNECTIONS = 600  # phones keep two or three open


@dataclass
class Service:
    """The real house: what the pages ask for, from the parts that this box has."""

    store: Store
    table: Table
    notes: Sequence[str] = ()
    games: Mapping[str, Game[Any]] = field(default_factory=lambda: GAMES)


@contextmanager
def opened_service(folder: Path) -> Iterator[Service]:
    """A service on a folder, repaired where necessary, closed in the end."""
    store, notes = open_store(folder)
    with store:
        yield Service(store, Table(store, GAMES), notes)


@dataclass(frozen=True)
class Address:
    """Where the pages are served, and under which addresses people reach them."""

    host: str
    port: int

    @property
    def links(self) -> list[str]:
        """The best one first: that is the one for the QR code."""
        return [f"http://{_bracketed(name)}:{self.port}/" for name in self._reachable()]

    def _reachable(self) -> list[str]:
        if self.host not in ("0.0.0.0", "::", ""):  # noqa: S104 - compared, not bound
            return [self.host]
        lan = lan_address()
        return [lan, "localhost"] if lan else ["localhost"]


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def lan_address() -> str | None:
    """This machine's address as the network sees it; nothing is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: any will do, it only picks the route
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address


def own_names(host: str) -> frozenset[str]:
    """The names this machine answers to."""
    name = socket.gethostname().lower()
    return frozenset(
        {"localhost", name, name.partition(".")[0], f"{name.partition('.')[0]}.local", host.lower()}
    )


class _Worker(Protocol):
    """A thread that ends by itself once the box is stopping."""

    def start(self) -> None: ...
    def join(self) -> None: ...


def serve(
    service: Service, address: Address, *, demo: bool, ready: Callable[[Address], None], streams: int = 100
) -> None:
    """Serve until SIGTERM or Ctrl-C. ``ready`` is told the address once the port is open."""
    stopping = threading.Event()
    app = create_app(service, WebSettings(own_names(address.host), streams), stopping)
    server = _bound(app, address, streams)
    workers: list[_Worker] = [site_of(app).live]
    if demo:
        workers.append(Demonstration(service.table, stopping))
    with _stopped_by_signals(stopping):
        for worker in workers:
            worker.start()
        try:
            ready(Address(address.host, int(server.effective_port)))
            server.run()
        finally:
            stopping.set()
            server.close()
            for worker in workers:
                worker.join()


def _bound(app: Flask, address: Address, streams: int) -> Any:
    return create_server(
        app,
        sockets=[_open_socket(address)],
        threads=streams + _SPARE_THREADS,
        connection_limit=max(_CONNECTIONS, 3 * streams),
        asyncore_use_poll=True,
        channel_request_lookahead=1,  # so that a phone that left is noticed
        max_request_body_size=app.config["MAX_CONTENT_LENGTH"],
        clear_untrusted_proxy_headers=True,
        ident=None,
    )


def _open_socket(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return socket.create_server((address.host, address.port), family=family)
    except OSError as problem:
        raise TableError("no-port", _port_problem(problem, address)) from problem


def _port_problem(problem: OSError, address: Address) -> str:
    if problem.errno == errno.EADDRINUSE:
        return (
            f"port {address.port} is in use by another program: stop that one, or choose another with --port"
        )
    if problem.errno == errno.EACCES:
        return f"port {address.port} is reserved for the system: choose one above 1023 with --port"
    return f"cannot serve at {address.host} port {address.port}: check --host and --port"


@contextmanager
def _stopped_by_signals(stopping: threading.Event) -> Iterator[None]:
    """SIGTERM and Ctrl-C end the server's loop; the event lets streams and bots go at the same moment."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        stopping.set()
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
