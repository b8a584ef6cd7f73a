"""Lines on the wire: compact JSON, a star, the CRC-32 of the bytes before it in hex, a newline."""

import binascii
import json

LONGEST_LINE = 512  # bytes, the newline included


def encode(fields: list[tuple[str, object]]) -> bytes:
    """One line; the fields keep their order, which a MicroPython dict would not."""
    pairs = [json.dumps(key) + ":" + json.dumps(value, separators=(",", ":")) for key, value in fields]
    body = ("{" + ",".join(pairs) + "}").encode()
    return body + ("*%08x\n" % checksum(body)).encode()  # noqa: UP031 - as MicroPython's oldest would have it


def checksum(body: bytes) -> int:
    """CRC-32 as an unsigned number."""
    return binascii.crc32(body) & 0xFFFFFFFF


def decode(line: bytes) -> dict[str, object] | None:
    """The message in a line without its newline, or None when it cannot be trusted."""
    star = len(line) - 9
    if star < 0 or line[star : star + 1] != b"*":
        return None
    body = line[:star]
    if line[star + 1 :].lower() != ("%08x" % checksum(body)).encode():  # noqa: UP031
        return None
    return _object(body)


def _object(body: bytes) -> dict[str, object] | None:
    try:
        message = json.loads(body.decode())
    except (ValueError, RuntimeError, MemoryError):  # not JSON, or nested too deep for this small memory
        return None
    return message if isinstance(message, dict) else None


class Lines:
    """Cuts bytes into lines and never holds more than one."""

    def __init__(self) -> None:
        self._partial = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """Whole lines without their newline; None for one that was too long."""
        *whole, rest = data.split(b"\n")
        lines = [self._end_of_line(piece) for piece in whole]
        self._keep(rest)
        return lines

    def _keep(self, piece: bytes) -> None:
        self._partial += piece
        if len(self._partial) >= LONGEST_LINE:
            self._partial, self._skipping = b"", True

    def _end_of_line(self, piece: bytes) -> bytes | None:
        self._keep(piece)
        line = None if self._skipping else self._partial
        self._partial, self._skipping = b"", False
        return line
