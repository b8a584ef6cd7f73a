"""Makes the photographs, teaches the network, writes it: see ``__main__`` for the options."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch

from companion.games.empire_builder.eye.places import VIEW
from lab.empire_builder.studio.crayons import KEPT_APART
from lab.empire_builder.studio.face import Wish, take_map_picture
from lab.empire_builder.training.batches import Choice, edge_batch
from lab.empire_builder.training.material import EMPTY, LINE, Material, folder_material
from lab.empire_builder.training.network import CHANNELS, EdgeNet
from lab.studio.habits import one_of
from lab.training.calibration import calibrate
from lab.training.learning import Course, teach
from lab.training.writing import write_network
from vision.nets import as_input

COURSES = (Course(6000, seed=1, rate=3e-3), Course(4000, seed=2, rate=1e-3))
_LEVELS, _SHARES = ("clean", "table", "hard"), (0.2, 0.4, 0.4)
_FIRST_SEED = 1000  # benches use seeds from seven million
_APART = 8  # one photograph in so many is kept for the calibration


def say(line: str) -> None:
    """One line of progress."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def make_pictures(folder: Path, count: int) -> list[str]:
    """The photographs by their seeds; those that are there already stay."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = []
    for seed in range(_FIRST_SEED, _FIRST_SEED + count):
        rng = np.random.default_rng([seed, 77])
        level = str(rng.choice(_LEVELS, p=_SHARES))
        wish = Wish(held_out=KEPT_APART, megapixels=float(one_of(rng, (6, 8, 12))))
        path = folder / f"{seed}.json"
        if not path.exists():
            photo, truth = take_map_picture(seed, level, f"{seed}.jpg", wish)
            path.with_suffix(".jpg").write_bytes(photo)
            path.write_text(json.dumps(truth))
        numbers.append(str(seed))
    return numbers


def run(options: argparse.Namespace) -> None:
    """Make the photographs, teach, calibrate on those kept apart, write the network."""
    cv2.setNumThreads(1)
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    numbers = make_pictures(options.folder, options.pictures)
    apart = folder_material(options.folder, numbers[::_APART])
    choice = Choice(options.folder, tuple(one for n, one in enumerate(numbers) if n % _APART))
    net = EdgeNet()
    for course in COURSES:
        steps = min(course.steps, options.steps or course.steps)
        net = teach(net, replace(course, steps=steps), partial(edge_batch, choice), say)
    logits = _scores(net, apart)
    say(calibrate(net.score[-1], logits, apart.labels))
    say(write_network(net, (CHANNELS, VIEW[1], VIEW[0]), options.out))
    _tell(apart, logits)


@torch.no_grad()
def _scores(net: EdgeNet, material: Material) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    parts = np.array_split(material.views, max(1, len(material.views) // 2048))
    return np.concatenate([net(torch.from_numpy(as_input(part))).numpy() for part in parts])


def _tell(material: Material, logits: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> None:
    """How many lines were missed and how many invented."""
    said, labels = logits.argmax(axis=1), material.labels
    missed, invented = ((labels == LINE) & (said != LINE)), ((labels == EMPTY) & (said == LINE))
    say(f"missed {int(missed.sum())} of {int((labels == LINE).sum())} lines, invented {int(invented.sum())}")
