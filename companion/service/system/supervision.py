"""Notifications to systemd: the service is ready, alive, or stopping.

Without systemd (no ``NOTIFY_SOCKET``) nothing is said. Alive means that a page is answered: the service asks
itself for one, through its own port, every third of the time that systemd waits (``WATCHDOG_USEC``).
"""

from __future__ import annotations

import http.client
import logging
import os
import socket
import threading
from collections.abc import Callable

from companion.service.periodic import Periodic
from companion.service.system.addresses import EVERYWHERE, Address

log = logging.getLogger(__name__)
_HEARD_WITHIN = 1.0  # seconds
_PATIENCE = 20.0  # seconds for a page, while a hundred phones ask for theirs


def tell_systemd(words: str) -> bool:
    """Send one notification to systemd, such as ``READY=1``; False if there is no socket."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if not place:
        return False
    address = f"\0{place[1:]}" if place.startswith("@") else place
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            out.settimeout(_HEARD_WITHIN)  # one that no longer reads must not keep the service from stopping
            out.sendto(words.encode(), address)
    except OSError as problem:
        log.warning("systemd does not hear: %s", problem)
        return False
    return True


def answers(address: Address) -> bool:
    """Return True if the service at this address answers a request in time."""
    host = "127.0.0.1" if address.host in EVERYWHERE else address.host
    connection = http.client.HTTPConnection(host, address.port, timeout=_PATIENCE)
    try:
        connection.request("GET", "/api/v1/setup", headers={"Connection": "close"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def watchdog_period() -> float | None:
    """How often systemd wants to hear, in seconds; None when it does not watch this process."""
    wanted, process = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    if not wanted.isdigit() or int(wanted) == 0 or (process and process != str(os.getpid())):
        return None
    return int(wanted) / 3e6


class Watchdog(Periodic):
    """A thread that tells systemd that the service is alive, as long as it is."""

    def __init__(self, alive: Callable[[], bool], period: float, stopping: threading.Event) -> None:
        super().__init__("watchdog", period, stopping)
        self._alive = alive

    def look(self) -> bool:
        """Notify systemd if the service answers; without notification systemd restarts it."""
        if self._alive():
            return tell_systemd("WATCHDOG=1")
        log.error("The service does not answer its own page.")
        return False
