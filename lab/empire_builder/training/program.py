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

COURSE = Course(4500, seed=1, rate=3e-3)
_LEVELS, _SHARES = ("clean", "table", "hard"), (0.2, 0.4, 0.4)
_USUAL, _CROWDED = (1000, 1), (3000, 5)  # first seeds, and times as much as usual stands on the map
_CROWDED_SHARE = 3 / 11  # of the photographs
_APART = 8  # one photograph in so many is kept for the calibration


def say(line: str) -> None:
    """One line of progress."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def make_pictures(folder: Path, count: int) -> list[str]:
    """The photographs by their seeds; those that are there already stay."""
    folder.mkdir(parents=True, exist_ok=True)
    crowded = round(count * _CROWDED_SHARE)
    numbers = []
    for (first, crowd), share in ((_USUAL, count - crowded), (_CROWDED, crowded)):
        for seed in range(first, first + share):
            _make_picture(folder / f"{seed}.json", seed, crowd)
            numbers.append(str(seed))
    return numbers


def _make_picture(path: Path, seed: int, crowd: int) -> None:
    rng = np.random.default_rng([seed, 77])
    level = str(rng.choice(_LEVELS, p=_SHARES))
    wish = Wish(held_out=KEPT_APART, megapixels=float(one_of(rng, (6, 8, 12))), crowd=crowd)
    if not path.exists():
        photo, truth = take_map_picture(seed, level, f"{seed}.jpg", wish)
        path.with_suffix(".jpg").write_bytes(photo)
        path.write_text(json.dumps(truth))


def run(options: argparse.Namespace) -> None:
    """Make the photographs, teach, calibrate on those kept apart, write the network."""
    cv2.setNumThreads(1)
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    numbers = make_pictures(options.folder, options.pictures)
    apart = folder_material(options.folder, numbers[::_APART])
    choice = Choice(options.folder, tuple(one for n, one in enumerate(numbers) if n % _APART))
    course = replace(COURSE, steps=options.steps or COURSE.steps, kept=options.folder / "last.pt")
    net = teach(EdgeNet(), course, partial(edge_batch, choice), say)
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
