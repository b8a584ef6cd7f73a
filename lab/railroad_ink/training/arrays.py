"""Arrays on disk that several processes fill: what boards to learn from are kept in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal, TypeAlias

import cv2
import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

Mode: TypeAlias = Literal["r", "r+"]
Shapes: TypeAlias = Mapping[str, tuple[tuple[int, ...], str]]  # by the array's name: its shape and type
_PARTS = 4  # for each process: who is ready first makes another part


def open_arrays(folder: Path, names: Iterable[str], mode: Mode = "r") -> dict[str, NDArray[Any]]:
    """Arrays that were made before, by name."""
    return {name: np.load(folder / f"{name}.npy", mmap_mode=mode) for name in names}


def make_arrays(
    folder: Path, shapes: Shapes, boards: int, fill: Callable[[Iterable[int]], None], workers: int
) -> None:
    """Make the arrays of so many boards in a folder, unless they are there.

    ``fill`` writes the boards of some numbers; it is called in other processes, so it has to be picklable.
    """
    if (folder / "done").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, (shape, kind) in shapes.items():
        open_memmap(folder / f"{name}.npy", "w+", kind, shape).flush()
    count = _PARTS * workers
    parts = [range(n, boards, count) for n in range(count)]
    # Not forked: a child of a process whose libraries run threads may wait for one that it does not have.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        list(pool.map(partial(_fill_part, fill), parts))
    (folder / "done").touch()


def _fill_part(fill: Callable[[Iterable[int]], None], numbers: Iterable[int]) -> None:
    cv2.setNumThreads(1)
    fill(numbers)
