"""Which machines this runs on: asked before anything that only exists for those is imported."""

from __future__ import annotations

import platform
import struct
import sys

_FIT = ("x86_64", "amd64", "aarch64", "arm64")


def machine_fault(bits: int | None = None, machine: str | None = None) -> str:
    """Why this machine cannot run it; empty when it can.

    A Raspberry Pi OS of 32 bits says ``aarch64``, too, where its kernel has 64: the size of addresses counts.

    >>> machine_fault(64, "aarch64"), machine_fault(32, "aarch64")
    ('', 'Stationmaster needs a 64-bit system: install the 64-bit Raspberry Pi OS')
    """
    bits = bits or struct.calcsize("P") * 8
    machine = (machine or platform.machine()).lower()
    if bits != 64:
        return "Stationmaster needs a 64-bit system: install the 64-bit Raspberry Pi OS"
    if sys.platform == "linux" and machine not in _FIT:
        return f"Stationmaster runs on x86-64 and 64-bit ARM, and this machine is {machine}"
    return ""


if __name__ == "__main__":
    raise SystemExit(machine_fault() or 0)
