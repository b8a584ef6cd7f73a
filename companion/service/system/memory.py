"""Returning unused memory to the operating system."""

from __future__ import annotations

import ctypes
import gc

_MMAP_THRESHOLD, _ARENA_MAX = -3, -8  # as malloc.h numbers them
_LARGE = 256 * 1024  # bytes
_YOUNG_COLLECTIONS = 2  # between two of everything that was not there at the start


def give_memory_back() -> bool:
    """Have the C library return what a photograph took, instead of keeping it for the next one.

    With a hundred threads glibc otherwise keeps many pools, and lets large pieces stay in them. False where
    the C library is another one, which needs no such advice.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return bool(mallopt(_MMAP_THRESHOLD, _LARGE)) and bool(mallopt(_ARENA_MAX, 2))


def begin_collecting() -> None:
    """Leave what the program consists of out of every later collection, and make these more frequent.

    Python collects its oldest objects after seventy thousand new ones, and only when they are a quarter of
    all: until then the remains of requests that refer to each other lie about, for many matches.
    """
    gc.collect()
    gc.freeze()
    gc.collect()  # the old ones are counted anew: there are hardly any now
    gc.set_threshold(*gc.get_threshold()[:2], _YOUNG_COLLECTIONS)
