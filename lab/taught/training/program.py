"""Makes the material, trains the network, calibrates and writes it: see ``__main__`` for the options."""

from __future__ import annotations

import argparse
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from lab.taught.training.material import load_material, make_material
from lab.taught.training.networks import SegmentNet
from lab.taught.training.variety import varied
from lab.training.learning import Batch, Course, finish, train
from vision.pieces.trained import CLASSES, EMPTY_CLASS, LEARNT, TURNED_MODEL
from vision.register.rectify import Image

LEARN_FROM, CHECK_FROM = 0, 900_000  # the first seeds of each series
_AT_ONCE = 96
_EMPTY_SHARE = 0.4  # of what is looked at


def run(options: argparse.Namespace) -> None:
    """Make the material, train, calibrate, write."""
    torch.set_num_threads(1 if options.threads < 4 else options.threads - 2)  # batches are made beside it
    learn = make_material(options.folder / "learn", LEARN_FROM, options.boards, options.threads)
    check = make_material(options.folder / "check", CHECK_FROM, options.checks, options.threads)
    torch.manual_seed(1)
    net = train(SegmentNet(), Course(options.steps, 1), partial(_batch, learn))
    views, labels = load_material(check)
    finish(net, net.score[-1], views[..., LEARNT], labels, options.model or TURNED_MODEL, "segments")


@lru_cache(maxsize=1)
def _material(folder: Path) -> tuple[Image, NDArray[np.int64], NDArray[np.float64]]:
    views, labels = load_material(folder)
    counts = np.bincount(labels, minlength=CLASSES).astype(float)
    wanted = np.full(CLASSES, (1 - _EMPTY_SHARE) / (CLASSES - 1))
    wanted[EMPTY_CLASS] = _EMPTY_SHARE
    weights = (wanted / np.maximum(counts, 1))[labels]
    return views, labels, weights.cumsum() / weights.sum()


def _batch(folder: Path, rng: np.random.Generator) -> Batch:
    views, labels, chances = _material(folder)
    chosen = np.searchsorted(chances, rng.random(_AT_ONCE)).clip(0, len(labels) - 1)
    return varied(rng, views[chosen])[..., LEARNT], labels[chosen]
