"""Where the pages are served, and under which addresses people reach them."""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass

from companion.table.exc import TableError

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - compared with, not bound


@dataclass(frozen=True)
class Address:
    """What is listened at."""

    host: str
    port: int

    @property
    def links(self) -> list[str]:
        """The best one first: that is the one for the QR code, so it has an address, not a name.

        >>> Address("192.168.1.20", 8080).links
        ['http://192.168.1.20:8080/']
        """
        return [f"http://{_bracketed(name)}:{self.port}/" for name in self._reachable()]

    def _reachable(self) -> list[str]:
        if self.host not in EVERYWHERE:
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
    short = name.partition(".")[0]
    return frozenset({"localhost", name, short, f"{short}.local", host.lower()})


def open_socket(address: Address) -> socket.socket:
    """Listen there, or say in one sentence why not."""
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
