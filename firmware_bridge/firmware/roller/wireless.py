"""The lines of the cable by radio: in sealed datagrams, to and from the one box that this roller belongs to.

Both know a key that was written over the cable. The roller asks for its box (everywhere, or at an address);
the answer proves the key and opens a session with a key of its own. Every datagram after that has a number
that only rises, and a seal over it. What is lost, forged, doubled or late is dropped: the protocol of the
lines asks again, as over a noisy cable. docs/serial-protocol.md has the datagrams.
"""

import binascii

from .fair import hmac_sha256, to_hex

PORT = 7427
HEAD = b"stationmaster-roller 1 "
ASK_MS = 1000
BOX_GONE_MS = 4000
CABLE_GONE_MS = 5000
MOST_BYTES = 1000  # of lines in one datagram
MOST_DATAGRAMS = 8  # heard in one turn
SEAL = 32  # hex digits


def seal(key: bytes, text: bytes) -> bytes:
    """The first half of HMAC-SHA256, in hex digits."""
    return to_hex(hmac_sha256(key, text))[:SEAL].encode()


def in_datagrams(lines: "list[bytes]") -> "list[bytes]":
    """Lines (each without its end), as many to a datagram as fit; no lines are one empty datagram."""
    parts = [b""]
    for line in lines:
        if parts[-1] and len(parts[-1]) + len(line) >= MOST_BYTES:
            parts.append(b"")
        parts[-1] += line + b"\n"
    return parts


class Radio:
    """What a board sends and hears datagrams with; nothing here ever waits."""

    def is_up(self, now: int) -> bool:
        """Is it in a network? If not, it goes on trying."""
        raise NotImplementedError

    def send(self, data: bytes, address: object) -> None:
        """To an address that was heard from; None: to where the box is asked for. It may be lost."""
        raise NotImplementedError

    def hear(self) -> "tuple[bytes, object] | None":
        """The next datagram and where it came from."""
        raise NotImplementedError


class Wireless:
    """One end of a session: the roller's."""

    def __init__(self, radio: Radio, key: bytes, uid: str, random) -> None:  # type: ignore[no-untyped-def]
        """``random`` is the board's: so many bytes."""
        self._radio = radio
        self._key = key
        self._uid = uid.encode()
        self._random = random
        self._nonce = b""  # of the question that is not answered yet
        self._ask_at = 0
        self.dropped = 0
        self._forget()

    def _forget(self) -> None:
        self._session = b""
        self._box: object = None
        self._sent = self._seen = self._heard_at = 0

    @property
    def is_open(self) -> bool:
        """True while a session is open."""
        return bool(self._session)

    def rest(self) -> None:
        """The cable is in use: no session, and no questions."""
        self._nonce = b""
        self._forget()

    def step(self, now: int) -> bytes:
        """One turn; the lines that have arrived."""
        if not self._radio.is_up(now):
            self.rest()
            return b""
        lines = b""
        for _ in range(MOST_DATAGRAMS):
            heard = self._radio.hear()
            if heard is None:
                break
            lines += self._take(heard[0], heard[1], now)
        if self._session and now - self._heard_at > BOX_GONE_MS:
            self._forget()
        if not self._session and now >= self._ask_at:
            self._ask_at = now + ASK_MS
            self._ask()
        return lines

    def write(self, data: bytes) -> None:
        """Send the whole lines of the data in as few datagrams as possible."""
        for part in in_datagrams(data.split(b"\n")[:-1]):
            self._send(part)

    def _send(self, lines: bytes) -> None:
        if self._session:
            self._sent += 1
            number = ("%08x" % self._sent).encode()  # noqa: UP031 - as MicroPython has it
            sealed = seal(self._session, b"roller " + number + b" " + lines)
            self._radio.send(number + b" " + sealed + b" " + lines, self._box)

    def _ask(self) -> None:
        self._nonce = to_hex(self._random(8)).encode()
        said = b"hello " + self._uid + b" " + self._nonce
        self._radio.send(HEAD + said + b" " + seal(self._key, said), None)

    def _take(self, data: bytes, address: object, now: int) -> bytes:
        if data.startswith(HEAD):
            self._take_answer(data[len(HEAD) :].split(b" "), address, now)
            return b""
        number, sealed, lines = data[:8], data[9 : 9 + SEAL], data[10 + SEAL :]
        counts = self._session and seal(self._session, b"box " + number + b" " + lines) == sealed
        if not counts or int(number, 16) <= self._seen:
            self.dropped += 1
            return b""
        self._seen, self._heard_at = int(number, 16), now
        return lines

    def _take_answer(self, words: "list[bytes]", address: object, now: int) -> None:
        if len(words) != 4 or words[0] != b"here" or not self._nonce or words[1] != self._nonce:
            self.dropped += 1
            return
        about = self._uid + b" " + words[1] + b" " + words[2]
        if seal(self._key, b"here " + about) != words[3]:
            self.dropped += 1
            return
        self._nonce = b""
        self._forget()
        self._session = hmac_sha256(self._key, b"session " + about)
        self._box, self._heard_at = address, now
        self._send(b"")  # this is what opens it for the box, too


class TwoWires:
    """The cable as long as something comes over it, then the radio; answers go where requests come from."""

    def __init__(self, wireless: Wireless) -> None:
        self._wireless = wireless
        self._cable_at = -CABLE_GONE_MS
        self._by_air = False

    def read(self, from_cable: bytes, now: int) -> bytes:
        """What has arrived; ``from_cable`` is what came there."""
        if from_cable:
            self._cable_at, self._by_air = now, False
        if now - self._cable_at < CABLE_GONE_MS:
            self._wireless.rest()
            return from_cable
        lines = self._wireless.step(now)
        if lines:
            self._by_air = True
        return lines

    def take(self, data: bytes) -> bool:
        """Send by radio, if the last request came so; else it goes over the cable."""
        if self._by_air:
            self._wireless.write(data)
        return self._by_air


def key_of(text: str) -> bytes:
    """The key in the settings."""
    return binascii.unhexlify(text)
