"""What Pixels and GoDice say by radio, as bytes; the facts are those of their makers' documents.

Both serve a GATT service of the kind that carries serial data: notifications come from one characteristic,
requests go to another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

_NORDIC = "6e40000{}-b5a3-f393-e0a9-e50e24dcca9e"
_PIXELS = "a6b9000{}-7a5a-43f2-a962-350c8edc9b5b"
_PIXELS_MAKER = 0xFFFF  # in the manufacturer's data of their advertisements
_LIGHTS = {4: 4, 6: 6, 8: 8, 10: 10, 12: 12, 20: 20, 21: 6}  # of Pixels; the one with pips has 21 of them
_WHO_ARE_YOU, _I_AM_A_DIE, _ROLL_STATE = 1, 2, 3
_ROLLED, _HANDLED, _ROLLING = 1, 2, 3
# Where gravity points in a GoDice when a face lies up, in 64ths of g.
_UP = {(-1, 0, 0): 1, (0, 0, 1): 2, (0, 1, 0): 3, (0, -1, 0): 4, (0, 0, -1): 5, (1, 0, 0): 6}

Moving: TypeAlias = Literal["moving"]
Heard: TypeAlias = int | Moving | None  # a face, from 0; that the die moves; nothing that matters


@dataclass(frozen=True)
class DieKind:
    """How to talk with one die."""

    maker: Literal["Pixels", "GoDice"]
    faces: int
    notifies: str  # the characteristic that tells
    takes: str  # the characteristic that is told
    greeting: bytes = b""

    def heard(self, data: bytes) -> Heard:
        """What a notification means."""
        return _pixels(data, self.faces) if self.maker == "Pixels" else _godice(data)


def die_of(name: str, services: Iterable[str], maker_data: Mapping[int, bytes]) -> DieKind | None:
    """What an advertisement shows: a die of a kind that is known, or something else.

    >>> die_of("GoDice_1A2B3C_R_v03", [], {}).maker, die_of("TV", [], {})
    ('GoDice', None)
    """
    known = {service.lower() for service in services}
    if name.startswith("GoDice_"):
        return DieKind("GoDice", 6, _NORDIC.format(3), _NORDIC.format(2))
    told = maker_data.get(_PIXELS_MAKER, b"")
    faces = _LIGHTS.get(told[0]) if len(told) == 5 else None
    if faces is None:
        return None
    greeting = bytes([_WHO_ARE_YOU])
    if _PIXELS.format(1) in known:
        return DieKind("Pixels", faces, _PIXELS.format(2), _PIXELS.format(3), greeting)
    if _NORDIC.format(1) in known:
        return DieKind("Pixels", faces, _NORDIC.format(1), _NORDIC.format(2), greeting)
    return None


def _pixels(data: bytes, faces: int) -> Heard:
    """Only a throw that ended counts: not a die that was set down, nor one that leans on something.

    >>> _pixels(bytes([3, 1, 5]), 6), _pixels(bytes([3, 3, 0]), 6), _pixels(bytes([3, 4, 2]), 6)
    (5, 'moving', None)
    """
    if len(data) < 3 or data[0] != _ROLL_STATE:
        return None
    state, face = data[1], data[2]
    if state == _ROLLED and face < faces:
        return face
    return "moving" if state in (_ROLLING, _HANDLED) else None


def _godice(data: bytes) -> Heard:
    """``R``: it rolls; ``S`` with three signed bytes: it lies still after a throw. All else is no throw.

    >>> _godice(b"S" + bytes([64, 1, 254])), _godice(b"R"), _godice(b"FS" + bytes([64, 0, 0]))
    (5, 'moving', None)
    """
    if data[:1] == b"R":
        return "moving"
    if data[:1] != b"S" or len(data) < 4:
        return None
    x, y, z = (byte - 256 if byte > 127 else byte for byte in data[1:4])
    best = max(_UP, key=lambda up: x * up[0] + y * up[1] + z * up[2])
    return _UP[best] - 1
