"""Finds which program uses a pin of the Raspberry Pi, by asking the kernel."""

from __future__ import annotations

import fcntl
import os
import struct
from pathlib import Path

_CHIP_INFO = 0x8044B401  # GPIO_GET_CHIPINFO_IOCTL: name, label, number of lines
_LINE_INFO = 0xC100B405  # GPIO_V2_GET_LINEINFO_IOCTL
_CHIP = struct.Struct("32s32sI")
_LINE = struct.Struct("32s32sII184x")  # name, consumer, offset, attributes, and what is not looked at


def holder_of(pin: int, devices: Path = Path("/dev")) -> str:
    """The name that whoever uses the pin goes by, as ``i2s`` or ``spi0 CS0``; empty when nobody tells."""
    for chip in sorted(devices.glob("gpiochip*")):
        try:
            descriptor = os.open(chip, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            found = _holder(descriptor, pin)
        except OSError:
            found = None
        finally:
            os.close(descriptor)
        if found is not None:
            return found
    return ""


def _holder(chip: int, pin: int) -> str | None:
    """None when this chip has no such pin: those of the header are called GPIO0, GPIO1, ..."""
    _, _, lines = _CHIP.unpack(fcntl.ioctl(chip, _CHIP_INFO, bytes(_CHIP.size)))
    for offset in range(lines):
        asked = _LINE.pack(b"", b"", offset, 0)
        name, consumer, *_ = _LINE.unpack(fcntl.ioctl(chip, _LINE_INFO, asked))
        if name.split(b"\0")[0] == b"GPIO%d" % pin:
            return str(consumer.split(b"\0")[0].decode(errors="replace"))
    return None
