"""Rollers without a cable: a Pico W in the same network, paired over USB when its firmware was written.

The box answers only who proves a key that it knows, and takes only datagrams with a fresh number and a right
seal (:mod:`firmware_bridge.firmware.roller.wireless` is the other end). An open session is a wire like a
serial port: the same lines, the same protocol, so every roll counts once also where datagrams are lost.
"""

from __future__ import annotations

import errno
import hashlib
import hmac
import json
import logging
import os
import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from firmware_bridge.exc import PortBroken, PortMissing
from firmware_bridge.firmware.roller.wireless import HEAD, PORT, SEAL, in_datagrams
from firmware_bridge.ports import Opener, Port, PortProvider, SerialWire, Wire

logger = logging.getLogger(__name__)

PAIRED = "rollers.json"  # in the table's folder: keys by the rollers' ids
DEVICE = "wifi:"  # what such a port is called
_LIKE_A_PICO = 2  # the score of its port
_MOST_QUESTIONS = 64  # taken at one look, so that a flood keeps nobody waiting
_KEY = re.compile(r"[0-9a-f]{64}")
_HELLO = re.compile(rb"hello ([0-9A-Za-z_.+:-]{1,40}) ([0-9a-f]{16}) ([0-9a-f]{32})")
_DATA = re.compile(rb"([0-9a-f]{8}) ([0-9a-f]{32}) (.*)", re.DOTALL)


# Who is paired


def read_pairings(path: Path) -> dict[str, bytes]:
    """Read the rollers' keys by id; an unreadable file means no pairings."""
    try:
        told = json.loads(path.read_bytes())
        return {str(uid): bytes.fromhex(key) for uid, key in told.items() if _KEY.fullmatch(key)}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError, TypeError, RecursionError) as problem:
        logger.warning("No roller is paired for Wi-Fi: %s cannot be read (%s)", path, problem)
        return {}


def keep_pairing(path: Path, uid: str, key: bytes | None) -> None:
    """Remember a roller's key, or forget the roller; the file belongs to whom its folder belongs."""
    kept = {name: one.hex() for name, one in read_pairings(path).items() if name != uid}
    if key is not None:
        kept[uid] = key.hex()
    half = path.with_name(f"{path.name}.half")
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(kept, file)
        file.flush()
        os.fsync(file.fileno())
    owner = path.parent.stat()
    if os.geteuid() == 0:
        os.chown(half, owner.st_uid, owner.st_gid)
    half.replace(path)


# One session


def _seal(key: bytes, text: bytes) -> bytes:
    return hmac.new(key, text, hashlib.sha256).hexdigest()[:SEAL].encode()


@dataclass
class AirWire:
    """A session, as a wire. It is open once the roller has proved that it has the session's key."""

    device: str
    session: bytes
    line: socket.socket
    is_open: bool = False
    dropped: int = 0
    _sent: int = 0
    _seen: int = 0
    _arrived: bytes = b""
    _unsent: bytes = b""
    _broken: OSError | None = field(default=None, repr=False)

    def fileno(self) -> int:
        """The file descriptor to wait for with ``select``."""
        return self.line.fileno()

    def read(self) -> bytes:
        """The lines that have arrived."""
        self.take_in()
        arrived, self._arrived = self._arrived, b""
        if self._broken is not None and not arrived:
            raise PortBroken(self.device, self._broken) from self._broken
        return arrived

    def write(self, data: bytes) -> None:
        """Send the complete lines."""
        *lines, self._unsent = (self._unsent + data).split(b"\n")
        for part in in_datagrams(lines) if lines else ():
            self._send(part)

    def close(self) -> None:
        """End it; the roller asks for the box again."""
        self.line.close()

    def take_in(self) -> None:
        """Receive all pending datagrams; forged, duplicate or late ones are dropped."""
        while self._broken is None:
            try:
                data = self.line.recv(2048)
            except BlockingIOError:
                return
            except OSError as fault:
                self._broken = fault
                return
            self._take(data)

    def _take(self, data: bytes) -> None:
        found = _DATA.fullmatch(data)
        if found is None or not self._is_sealed(found[1], found[2], found[3]):
            self.dropped += 1
            return
        number = int(found[1], 16)
        if number <= self._seen:
            self.dropped += 1
            return
        self._seen, self.is_open = number, True
        self._arrived += found[3]

    def _is_sealed(self, number: bytes, sealed: bytes, lines: bytes) -> bool:
        return hmac.compare_digest(_seal(self.session, b"roller " + number + b" " + lines), sealed)

    def _send(self, lines: bytes) -> None:
        self._sent += 1
        number = b"%08x" % self._sent
        sealed = _seal(self.session, b"box " + number + b" " + lines)
        try:
            self.line.send(number + b" " + sealed + b" " + lines)
        except BlockingIOError:
            return  # lost, as it may be on its way
        except OSError as fault:
            if fault.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENOBUFS):
                return
            raise PortBroken(self.device, fault) from fault


# All of them


class Air:
    """Answers rollers that ask for their box. Everything happens when somebody looks for ports: no thread.

    ``ports`` and ``open`` are for one link at a time; ``close`` gives the door back.
    """

    def __init__(
        self,
        pairings: Mapping[str, bytes],
        *,
        place: tuple[str, int] = ("0.0.0.0", PORT),  # noqa: S104 - the way to the box is not known before
        random: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._pairings = dict(pairings)
        self._random = random
        self._waiting: dict[str, AirWire] = {}  # sessions that nobody has taken yet
        self._addresses: dict[str, str] = {}
        self.dropped = 0
        self._door = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._door.setblocking(False)
        try:
            self._door.bind(place)
        except OSError:
            self._door.close()
            raise

    @property
    def port(self) -> int:
        """The UDP port on which rollers ask for the box."""
        return int(self._door.getsockname()[1])

    @property
    def addresses(self) -> frozenset[str]:
        """Where in the network the rollers are, or were last."""
        return frozenset(self._addresses.values())

    def ports(self, others: PortProvider) -> PortProvider:
        """Return a provider of the other ports and the rollers connected by radio."""
        return lambda: [*others(), *self._look()]

    def opener(self, others: Opener = SerialWire) -> Opener:
        """A function that opens wireless rollers itself and leaves other ports to ``others``."""
        return lambda device: self._taken(device) if device.startswith(DEVICE) else others(device)

    def close(self) -> None:
        """Close the socket and stop answering rollers."""
        self._door.close()
        for wire in self._waiting.values():
            wire.close()
        self._waiting.clear()

    def _look(self) -> list[Port]:
        self._answer_questions()
        for wire in self._waiting.values():
            wire.take_in()
            if wire.is_open:
                self._addresses[wire.device] = str(wire.line.getpeername()[0])
        return [Port(wire.device, _LIKE_A_PICO) for wire in self._waiting.values() if wire.is_open]

    def _taken(self, device: str) -> Wire:
        wire = self._waiting.pop(device.removeprefix(DEVICE), None)
        if wire is None:
            raise PortMissing(device)
        return wire

    def _answer_questions(self) -> None:
        """Answer the latest question of each roller; earlier ones are obsolete."""
        asked: dict[str, tuple[bytes, tuple[str, int]]] = {}
        for _ in range(_MOST_QUESTIONS):
            try:
                data, address = self._door.recvfrom(2048)
            except OSError:
                break
            found = _HELLO.fullmatch(data.removeprefix(HEAD)) if data.startswith(HEAD) else None
            uid = found[1].decode() if found else ""
            if found is None or not self._is_paired(uid, found[2], found[3]):
                self.dropped += 1
                continue
            asked[uid] = found[2], address
        for uid, (nonce, address) in asked.items():
            self._answer(uid, nonce, address)

    def _is_paired(self, uid: str, nonce: bytes, sealed: bytes) -> bool:
        key = self._pairings.get(uid)
        return key is not None and hmac.compare_digest(
            _seal(key, b"hello " + uid.encode() + b" " + nonce), sealed
        )

    def _answer(self, uid: str, nonce: bytes, address: tuple[str, int]) -> None:
        """Open our side of a session, on a line of its own that only this address can write to."""
        own = self._random(8).hex().encode()
        about = uid.encode() + b" " + nonce + b" " + own
        key = self._pairings[uid]
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        line.setblocking(False)
        try:
            line.connect(address)
            line.send(HEAD + b"here " + nonce + b" " + own + b" " + _seal(key, b"here " + about))
        except OSError as problem:
            logger.info("The roller %s cannot be answered: %s", uid, problem)
            line.close()
            return
        before = self._waiting.pop(uid, None)
        if before is not None:
            before.close()
        session = hmac.new(key, b"session " + about, hashlib.sha256).digest()
        self._waiting[uid] = AirWire(DEVICE + uid, session, line)
