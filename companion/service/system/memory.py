"""Returning unused memory to the operating system."""

from __future__ import annotations

import ctypes

_MMAP_THRESHOLD, _ARENA_MAX = -3, -8  # as malloc.h numbers them
_LARGE = 256 * 1024  # bytes


def give_memory_back() -> bool:
    """Have the C library return what a photograph took, instead of keeping it for the next one.

    With a hundred threads glibc otherwise keeps many pools, and lets large pieces stay in them. False where
    the C library is another one, which needs no such advice.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return bool(mallopt(_MMAP_THRESHOLD, _LARGE)) and bool(mallopt(_ARENA_MAX, 2))
