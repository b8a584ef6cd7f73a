"""How the player's kernels are compiled: by numba, once for a machine, and kept on disk.

Numba looks at the file of a function alone to see whether its compiled form is still good, but these call
each other from file to file. So the folder they are kept in is named after what all of them say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite import ir
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])

_numba: Any = numba  # whose types know neither its configuration nor all of its options
_config = _numba.config

_SOURCES = ("worth.py", "tables.py", "kernels.py", "worth_kernels.py", "turn_kernels.py")


def _folder() -> str:
    here = Path(__file__).parent
    said = hashlib.sha256(b"".join((here / name).read_bytes() for name in _SOURCES)).hexdigest()[:16]
    if _config.CACHE_DIR:
        return str(Path(_config.CACHE_DIR) / said)
    beside = here / "__pycache__" / f"kernels-{said}"
    try:
        beside.mkdir(parents=True, exist_ok=True)
    except OSError:
        return str(Path.home() / ".cache" / "stationmaster" / f"kernels-{said}")
    return str(beside)


def compiled(function: F, *, inner: bool = False) -> F:
    """Compile to machine code, cached on disk; it runs without the interpreter's lock."""
    before = _config.CACHE_DIR
    _config.CACHE_DIR = _folder()
    try:
        made = _numba.njit(
            cache=True, nogil=True, error_model="numpy", no_cpython_wrapper=inner, no_cfunc_wrapper=True
        )
        return cast(F, made(function))
    finally:
        _config.CACHE_DIR = before


def within(function: F) -> F:
    """Compile a function that is called by compiled ones alone."""
    return compiled(function, inner=True)


def _instruction(build: Callable[[Any, Any], Any]) -> Callable[[int], int]:
    """A processor's instruction on a mask."""

    def described(_typing: Any, _mask: Any) -> Any:
        def code(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return build(builder, values[0])

        return numba.int64(numba.int64), code

    return cast(Callable[[int], int], intrinsic(described))


# How many bits are set, and which is the lowest one.
count = _instruction(lambda builder, mask: builder.ctpop(mask))
low = _instruction(lambda builder, mask: builder.cttz(mask, ir.Constant(ir.IntType(1), 0)))
