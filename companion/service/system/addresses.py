"""Where the pages are served, and under which addresses people reach them."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from companion.service.system.interfaces import address_towards, best_first, own_addresses
from companion.table.exc import TableError

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - compared with, not bound


@dataclass(frozen=True)
class Address:
    """The host and port at which the service listens."""

    host: str
    port: int

    @property
    def links(self) -> list[str]:
        """For whoever reads them on this machine, the best first: that one has an address, not a name.

        >>> Address("192.168.1.20", 8080).links
        ['http://192.168.1.20:8080/']
        """
        here = [] if self.host not in EVERYWHERE else [self._link("localhost")]
        return [*self.links_for_others(), *here]

    def links_for_others(self) -> list[str]:
        """For phones, worked out at this moment from all networks; without any network none."""
        if self.host not in EVERYWHERE:
            return [f"http://{_bracketed(self.host)}:{self.port}/"]
        return [self._link(one) for one in best_first(own_addresses(), lan_address())]

    def _link(self, name: str) -> str:
        return f"http://{name}/" if self.port == 80 else f"http://{name}:{self.port}/"


class LinksNow(Sequence[str]):
    """The links for phones, worked out whenever they are read: networks come and go while the box is on."""

    def __init__(self, address: Address) -> None:
        self._address = address

    def __len__(self) -> int:
        return len(self._address.links_for_others())

    def __iter__(self) -> Iterator[str]:
        return iter(self._address.links_for_others())

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        return self._address.links_for_others()[at]


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def lan_address() -> str | None:
    """This machine's address on the way to everywhere; None without a default route."""
    return address_towards("192.0.2.1")  # a documentation address: any will do, it only picks the route


def own_names(host: str, configured: Iterable[str] = ()) -> frozenset[str]:
    """The names this machine answers to, and those that its owner has given it.

    >>> "table.example" in own_names("0.0.0.0", ["Table.Example"])
    True
    """
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    # Where the name is taken already, the network's name service (mDNS) appends a number by itself.
    numbered = {f"{short}-{number}.local" for number in range(2, 10)}
    given = {one.strip().lower().rstrip(".") for one in configured}
    return frozenset({"localhost", name, short, f"{short}.local", host.lower(), *numbered, *given})


def open_socket(address: Address) -> socket.socket:
    """Open the listening socket, or raise an error with the reason in one sentence."""
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
