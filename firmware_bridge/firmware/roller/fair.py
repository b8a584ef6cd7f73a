"""Chance: faces without bias, and the seed that is shown as a hash first and opened at the end."""

import binascii
import hashlib

BLOCK = 64  # bytes, of SHA-256


class Pool:
    """Whitened chance: SHA-256 over all that was ever put in, so that no bias of the source is left.

    What MicroPython gives on this chip before version 1.28 is the raw ring oscillator, whose bits lean to one
    side and hang together; hashed, 32 bytes of them are as good as fair. Moments are put in, too.
    """

    def __init__(self, raw, moment) -> None:  # type: ignore[no-untyped-def]  # functions of the board
        self._raw = raw
        self._moment = moment
        self._state = hashlib.sha256(raw(64)).digest()
        self._left = b""

    def take(self, count: int) -> bytes:
        """So many bytes, none of which tells anything of another."""
        while len(self._left) < count:
            fresh = self._raw(32) + str(self._moment()).encode()
            self._state = hashlib.sha256(b"in" + self._state + fresh).digest()
            self._left += hashlib.sha256(b"out" + self._state).digest()
        taken, self._left = self._left[:count], self._left[count:]
        return taken


class Urandom:
    """Bytes of the board's hardware generator, one at a time."""

    def __init__(self, board) -> None:  # type: ignore[no-untyped-def]  # a Board; importing it would cost memory
        self._random = board.random

    def take(self) -> int:
        """Return the next byte of the source."""
        return int(self._random(1)[0])


class SeedBytes:
    """The bytes that belong to roll number `n`: HMAC(seed, "nonce:n"), then "nonce:n:1", "nonce:n:2", ..."""

    def __init__(self, seed: bytes, nonce: str, n: int) -> None:
        self._seed = seed
        self._label = nonce + ":" + str(n)
        self._block = hmac_sha256(seed, self._label.encode())
        self._used = 0
        self._blocks = 1

    def take(self) -> int:
        """Return the next byte of the source."""
        if self._used == len(self._block):
            self._block = hmac_sha256(self._seed, (self._label + ":" + str(self._blocks)).encode())
            self._used, self._blocks = 0, self._blocks + 1
        self._used += 1
        return self._block[self._used - 1]


def pick(faces: int, source: Urandom | SeedBytes) -> int:
    """A face from 0 on; bytes past the last whole multiple are not used, for they would favour low faces."""
    limit = 256 - 256 % faces
    byte = source.take()
    while byte >= limit:
        byte = source.take()
    return byte % faces


def sha256(data: bytes) -> bytes:
    """The SHA-256 of these bytes."""
    return hashlib.sha256(data).digest()


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """HMAC as RFC 2104 has it; MicroPython has no hmac module."""
    padded = key + bytes(BLOCK - len(key))
    inner = sha256(bytes([b ^ 0x36 for b in padded]) + message)
    return sha256(bytes([b ^ 0x5C for b in padded]) + inner)


def to_hex(data: bytes) -> str:
    """Bytes as hex digits."""
    return binascii.hexlify(data).decode()


class Secret:
    """A seed whose hash is known to all before the first throw."""

    def __init__(self, request: str, seed: bytes) -> None:
        self.request = request  # the id of the request that asked for it: asked again, it is the same seed
        self.seed = seed
        self.hash = to_hex(sha256(seed))
        self.nonce = ""  # the players' word; until they have said it nobody throws
