"""Serial ports: which there are, which to try first, opening one, and what to say when that fails."""

from __future__ import annotations

import errno
import glob
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cached_property
from typing import Any, Protocol

import serial
from serial.tools import list_ports

from firmware_bridge.exc import PortBroken, PortBusy, PortError, PortForbidden, PortMissing

BAUD = 115200
WRITE_SECONDS = 0.5  # with nobody reading at the other end a write would wait for ever
PICO_BOARD = (0x2E8A, 0x0005)  # USB vendor and product of MicroPython on an RP2040 or RP2350
UDEV_NAMES = "/dev/raildice-*"  # the links that the rule in docs/hardware.md makes


@dataclass(frozen=True)
class Port:
    """A port that may lead to the roller; the name is only a hint, the greeting decides."""

    device: str
    score: int = 0  # the highest is tried first
    standby: bool = False  # a virtual roller: left as soon as another port appears

    @cached_property
    def identity(self) -> tuple[str, str]:
        """The name and what it stands for: a link that points elsewhere is another port."""
        return self.device, real_name(self.device)


def real_name(device: str) -> str:
    """What a link stands for; a port may be unplugged at this very moment."""
    try:
        return os.path.realpath(device)
    except OSError:
        return device


PortProvider = Callable[[], Sequence[Port]]


class Wire(Protocol):
    """A port that is open for reading and writing."""

    def fileno(self) -> int:
        """The file descriptor to wait for with ``select``."""

    def read(self) -> bytes:
        """What has arrived; never waits."""

    def write(self, data: bytes) -> None:
        """Send; waits half a second at most."""

    def close(self) -> None:
        """Give the port back."""


Opener = Callable[[str], Wire]


def usb_ports(configured: Iterable[str] = (), ignored: Iterable[str] = ()) -> PortProvider:
    """All USB serial ports of this machine, and those that the settings name (with * if need be).

    ``ignored`` are other devices that are to be left alone: names of ports, parts of descriptions, or
    ``10c4:ea60``, each with * if need be.
    """
    patterns, others = tuple(configured), tuple(ignored)

    def find() -> list[Port]:
        named = [Port(name, score=4) for pattern in patterns for name in existing(pattern)]
        linked = [Port(name, score=3) for name in existing(UDEV_NAMES)]
        attached = [
            Port(info.device, score=score_of(info))
            for info in list_ports.comports()
            if not is_ignored(info, others)
        ]
        return without_second_names([*named, *linked, *(port for port in attached if port.score)])

    return find


def existing(pattern: str) -> list[str]:
    """The files that fit a pattern, as the owner wrote it."""
    return sorted(glob.glob(pattern))  # noqa: PTH207 - absolute and relative patterns alike


def is_ignored(info: Any, patterns: Iterable[str]) -> bool:
    """Return True if one of the owner's patterns says to leave this port alone.

    >>> from types import SimpleNamespace as Info
    >>> stick = Info(device="/dev/ttyUSB0", vid=0x10C4, pid=0xEA60, description="Sonoff Zigbee Dongle")
    >>> [is_ignored(stick, [name]) for name in ("zigbee", "10c4:ea60", "/dev/ttyUSB*", "printer", "")]
    [True, True, True, False, False]
    """
    number = "" if info.vid is None else f"{info.vid:04x}:{info.pid:04x}"
    words = str(info.description or "").lower()
    return any(
        pattern
        and (fnmatch(info.device, pattern) or fnmatch(number, pattern.lower()) or pattern.lower() in words)
        for pattern in patterns
    )


def score_of(info: Any) -> int:
    """Rate how likely a roller is at this port: 2 for a Pico, 1 for any USB device, 0 without USB."""
    if (info.vid, info.pid) == PICO_BOARD:
        return 2
    return 1 if info.vid is not None else 0


def ports_like(pattern: str) -> PortProvider:
    """Return a provider of ports whose file names match a pattern, such as a folder of links."""
    return lambda: [Port(name) for name in existing(pattern)]


def with_standby(provider: PortProvider, device: str) -> PortProvider:
    """Append a stand-by virtual roller to the ports, used only if no other leads to a roller."""
    return lambda: [*provider(), Port(device, score=-1, standby=True)]


def without_second_names(ports: Iterable[Port]) -> list[Port]:
    """Each device once, under its best name, the likeliest first."""
    best: dict[str, Port] = {}
    for port in sorted(ports, key=lambda port: -port.score):
        best.setdefault(port.identity[1], port)
    return list(best.values())


class SerialWire:
    """A serial port through pyserial; every failure comes out as a `PortError`."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._port = serial.Serial(timeout=0, write_timeout=WRITE_SECONDS, exclusive=True)
        self._port.port, self._port.baudrate = device, BAUD
        # Preset: some drivers would reset the board if it changed after opening, and on a pty it cannot.
        self._port.dtr = True
        try:
            self._port.open()
        except OSError as fault:
            raise port_error(device, fault) from fault

    def fileno(self) -> int:
        """The file descriptor to wait for with ``select``."""
        return int(self._port.fileno())

    def read(self) -> bytes:
        """What has arrived. pyserial raises plain OSError as well as its own kind of it."""
        try:
            return bytes(self._port.read(4096))
        except OSError as fault:
            raise PortBroken(self._device, fault) from fault

    def write(self, data: bytes) -> None:
        """Send all of it."""
        try:
            self._port.write(data)
        except OSError as fault:
            raise PortBroken(self._device, fault) from fault

    def close(self) -> None:
        """Give the port back at once, so that a board plugged in again can have its old name."""
        self._port.close()


def port_error(device: str, fault: OSError) -> PortError:
    """The sentence for what went wrong while opening."""
    kinds: dict[int | None, type[PortMissing | PortForbidden | PortBusy]] = {
        errno.ENOENT: PortMissing,
        errno.ENODEV: PortMissing,
        errno.ENXIO: PortMissing,
        errno.EACCES: PortForbidden,
        errno.EPERM: PortForbidden,
        errno.EAGAIN: PortBusy,
        errno.EBUSY: PortBusy,
    }
    kind = kinds.get(fault.errno)
    return kind(device) if kind else PortBroken(device, fault)
