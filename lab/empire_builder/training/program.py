"""Makes the photographs, trains the networks, writes them: see ``__main__`` for the options."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from companion.games.empire_builder.reader import edges, looking, posts, whose
from lab.bench import say
from lab.empire_builder.studio.crayons import KEPT_APART
from lab.empire_builder.studio.studio import PictureSpec, take_map_picture
from lab.empire_builder.training.batches import Choice, view_batch
from lab.empire_builder.training.material import (
    EMPTY,
    LINE,
    Kind,
    Material,
    folder_material,
    make_material,
)
from lab.empire_builder.training.network import GlanceNet, ViewNet, crayon_net, edge_net, glance_net, post_net
from lab.studio.habits import one_of
from lab.training.learning import Course, finish, train

_LEVELS, _SHARES = ("clean", "table", "hard"), (0.2, 0.4, 0.4)
_USUAL, _CROWDED = (10_000, 1), (30_000, 5)  # first seeds, and times as much as usual stands on the map
_CROWDED_SHARE = 1 / 20  # of the photographs
_APART = 8  # one photograph in so many is kept for the calibration


@dataclass(frozen=True)
class Lesson:
    """How one of the networks is trained."""

    kind: Kind
    net: Callable[[], ViewNet | GlanceNet]
    steps: int
    network: Path


LESSONS = (  # each after those before, which choose what it sees
    Lesson("glance", glance_net, 3000, looking.GLANCE),
    Lesson("edges", edge_net, 3500, edges.NETWORK),
    Lesson("crayons", crayon_net, 3000, whose.NETWORK),
    Lesson("posts", post_net, 1200, posts.NETWORK),
)


def make_pictures(folder: Path, count: int, workers: int) -> list[str]:
    """The photographs by their seeds; those that are there already stay."""
    folder.mkdir(parents=True, exist_ok=True)
    crowded = round(count * _CROWDED_SHARE)
    wanted = [
        (seed, crowd)
        for (first, crowd), share in ((_USUAL, count - crowded), (_CROWDED, crowded))
        for seed in range(first, first + share)
    ]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        list(pool.map(partial(_make_picture, folder), *zip(*wanted, strict=True)))
    return [str(seed) for seed, _ in wanted]


def _make_picture(folder: Path, seed: int, crowd: int) -> None:
    cv2.setNumThreads(1)
    path = folder / f"{seed}.json"
    rng = np.random.default_rng([seed, 77])
    level = str(rng.choice(_LEVELS, p=_SHARES))
    spec = PictureSpec(held_out=KEPT_APART, megapixels=float(one_of(rng, (4, 6, 8, 12))), crowd=crowd)
    if not path.exists():
        photo, truth = take_map_picture(seed, level, f"{seed}.jpg", spec)
        path.with_suffix(".jpg").write_bytes(photo)
        path.write_text(json.dumps(truth))


def run(options: argparse.Namespace) -> None:
    """Make the photographs, train one network after the other."""
    cv2.setNumThreads(1)
    torch.set_num_threads(options.threads)
    numbers = make_pictures(options.folder, options.pictures, options.threads)
    for lesson in LESSONS:
        if lesson.kind in options.networks:
            _train(options, lesson, numbers)


def _train(options: argparse.Namespace, lesson: Lesson, numbers: Sequence[str]) -> None:
    """Train a network, calibrate it on photographs kept apart, write it."""
    make_material(options.folder, numbers, lesson.kind, options.threads)
    torch.manual_seed(1)
    apart = folder_material(options.folder, numbers[::_APART], lesson.kind)
    learnt = tuple(one for n, one in enumerate(numbers) if n % _APART)
    choice = Choice(options.folder, learnt, lesson.kind)
    kept = options.folder / f"{lesson.kind}.pt"
    course = Course(options.steps or lesson.steps, seed=1, rate=3e-3, kept=kept)
    net = train(lesson.net(), course, partial(view_batch, choice))
    path = lesson.network if options.out is None else options.out / lesson.network.name
    _tell(apart, finish(net, net.score[-1], apart.views, apart.labels, path, lesson.kind))


def _tell(material: Material, logits: NDArray[np.float32]) -> None:
    """How many lines, or yeses, were missed and how many invented."""
    said, labels = logits.argmax(axis=1), material.labels
    missed, invented = ((labels == LINE) & (said != LINE)), ((labels == EMPTY) & (said == LINE))
    say(f"missed {int(missed.sum())} of {int((labels == LINE).sum())}, invented {int(invented.sum())}")
