"""Material for a training: a file for each seed, made by several processes, once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np

Arrays: TypeAlias = dict[str, Any]  # by name


def make_files(
    folder: Path, seeds: Iterable[int], make: Callable[[int], Arrays | None], workers: int
) -> list[Path]:
    """The files of these seeds, with what ``make`` makes of each; those that are there already stay.

    ``make`` is called in other processes, so it has to be picklable; where it makes nothing there is no file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{seed}.npz" for seed in seeds]
    missing = [path for path in paths if not path.exists()]
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for _ in pool.map(partial(_make_file, make), missing):
            pass
    return [path for path in paths if path.exists()]


def _make_file(make: Callable[[int], Arrays | None], path: Path) -> None:
    cv2.setNumThreads(1)
    arrays = make(int(path.stem))
    if arrays is not None:
        half = path.with_suffix(".half.npz")  # one that was only begun is never taken for whole
        np.savez(half, **arrays)
        half.rename(path)
