"""UF2: the file that a board in its loader takes. Blocks of 512 bytes, each with where its bytes go.

A file that is damaged, or for another chip, would leave the board without a program: it is looked at before.
"""

from __future__ import annotations

import struct
from pathlib import Path

from firmware_bridge.exc import LoadingError

BLOCK = 512
_FIRST, _SECOND, _LAST = 0x0A324655, 0x9E5D5157, 0x0AB16F30
_HAS_FAMILY, _NOT_MAIN_FLASH = 0x2000, 0x0001
RP2040, RP2350 = "RP2040", "RP2350"
_FAMILIES = {0xE48BFF56: RP2040, 0xE48BFF59: RP2350, 0xE48BFF5A: RP2350}
_ABSOLUTE = 0xE48BFF57  # a block that works around a fault of the first RP2350


def chip_of(path: Path) -> str:
    """The chip that a file is for; a LoadingError when it is no whole UF2 file for a Pico."""
    content = path.read_bytes()
    if not content or len(content) % BLOCK:
        raise LoadingError(f"{path.name} is no whole UF2 file: fetch it again.")
    chips = set()
    for place in range(0, len(content), BLOCK):
        first, second, flags, _, size, _, _, family = struct.unpack_from("<8I", content, place)
        (last,) = struct.unpack_from("<I", content, place + BLOCK - 4)
        if (first, second, last) != (_FIRST, _SECOND, _LAST) or size > BLOCK - 36:
            raise LoadingError(f"{path.name} is no UF2 file, or damaged: fetch it again.")
        if flags & _NOT_MAIN_FLASH or family == _ABSOLUTE:
            continue
        chips.add(_FAMILIES.get(family, "") if flags & _HAS_FAMILY else "")
    if len(chips) != 1 or "" in chips:
        raise LoadingError(f"{path.name} is not for a Raspberry Pi Pico.")
    return str(chips.pop())
