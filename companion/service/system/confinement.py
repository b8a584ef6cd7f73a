"""Taking rights from a process that handles what strangers sent, as far as its kernel can (Landlock).

From then on it, and whatever it starts, writes nowhere but below some folders, opens no port for others,
debugs and signals no process but its own, and gains no rights by starting programs. It can still read, and
reach cameras in the network.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the numbers are the same on all machines
_NO_NEW_PRIVILEGES = 38
_ASK_VERSION = 1
_BELOW_PATH = 1

_WRITE_FILE = 1 << 1
_CHANGES = _WRITE_FILE | sum(1 << bit for bit in range(4, 13))  # remove and make whatever kind there is
_MOVE, _TRUNCATE = 1 << 13, 1 << 14  # since versions 2 and 3
_LISTEN = 1 << 0  # on a TCP port, since version 4
_SIGNAL_OTHERS = 1 << 1  # since version 6


def confine_writing(folders: Iterable[Path]) -> bool:
    """Let this thread, and what it starts, write below these folders only; False where nobody can say so."""
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE, None, 0, _ASK_VERSION)
    if version < 1:
        return False
    files = _CHANGES | (_MOVE if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    ruleset = struct.pack("=Q", files)
    if version >= 4:
        ruleset += struct.pack("=Q", _LISTEN)
    if version >= 6:
        ruleset += struct.pack("=Q", _SIGNAL_OTHERS)
    rules = _done(libc.syscall(_CREATE, ruleset, len(ruleset), 0))
    try:
        for folder in folders:
            _allow(libc, rules, folder, files)
        _done(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
        _done(libc.syscall(_RESTRICT, rules, 0))
    finally:
        os.close(rules)
    return True


def _allow(libc: ctypes.CDLL, rules: int, folder: Path, files: int) -> None:
    place = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    try:
        told = struct.pack("=Qi", files, place)
        _done(libc.syscall(_ADD, rules, _BELOW_PATH, told, 0))
    finally:
        os.close(place)


def _done(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "the kernel did not take rights away")  # not said
    return result
