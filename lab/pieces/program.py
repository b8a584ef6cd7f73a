"""Makes the material, trains the network, writes it: see ``__main__`` for the options."""

from __future__ import annotations

import argparse
from functools import lru_cache, partial
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lab.bench import say
from lab.pieces.material import WIDE, Views, joined, load_material, make_material
from lab.pieces.networks import PieceNet
from lab.training.calibration import calibrate
from lab.training.learning import Batch, Course, go_on_from, scores_of, train
from lab.training.writing import write_network
from vision.pieces.network import CHANNELS, CLASSES, MODEL, UNSEEN, as_input
from vision.pieces.views import SIZE
from vision.register.rectify import Image

LEARN_FROM, CHECK_FROM = 0, 900_000  # the first seed of each series; a picture a seed
_A_STEP, _RATE = 160, 3e-3
_GENTLER = 0.3  # times that, for a network that goes on learning
# Share of views that are painted: these follow no studio, but not what people do either. Those of the studio
# come as often as reading meets them, so that what is said is as probable as it is said to be.
_PAINTED_SHARE = 0.25
_SHADOWED, _BLURRED = 0.2, 0.2  # share of views with the edge of a shadow on them, and of blurred ones
_TOPS_COUNT = 1.0  # against the classes


def run(options: argparse.Namespace) -> None:
    """Train, and say how well it went; a network that has learnt before learns more slowly."""
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    learn = make_material(options.folder / "learn", LEARN_FROM, options.pictures, options.threads)
    check = make_material(options.folder / "check", CHECK_FROM, options.checks, options.threads)
    others = joined([views for views, painting in load_material(check) if not painting])
    torch.manual_seed(1)
    net, rate, batch = PieceNet(), _RATE, partial(piece_batch, learn)
    if options.begin_with is not None:
        go_on_from(net, options.begin_with, batch)
        rate *= _GENTLER
        _tell(_scores(net.eval(), others), others)
    net = train(net, Course(options.steps, seed=1, rate=rate, averaged_over=250), batch, _loss)
    scores = _scores(net, others)
    say(calibrate(net.score[-1], scores[:, :CLASSES], others.labels.astype(np.int64)))
    say(write_network(net, (CHANNELS, SIZE[1], SIZE[0]), options.model or MODEL))
    _tell(_scores(net, others), others)


@lru_cache(maxsize=1)
def _material(folder: Path) -> tuple[Views, int]:
    """Views of the studio and painted ones, and how many come first that are not painted."""
    material = load_material(folder)
    parts = [joined([views for views, painting in material if painting == which]) for which in (False, True)]
    for part in parts:
        say(f"{len(part.labels)} views, {np.bincount(part.labels).tolist()}")
    return joined(parts), len(parts[0].labels)


def piece_batch(folder: Path, rng: np.random.Generator) -> Batch:
    """Some views with their classes and tops."""
    material, first = _material(folder)
    chosen = rng.integers(0, first, _A_STEP)
    drawn = rng.random(_A_STEP) < _PAINTED_SHARE
    chosen[drawn] = rng.integers(first, len(material.labels), int(drawn.sum()))
    inputs, tops = varied(rng, material, chosen)
    return inputs, material.labels[chosen].astype(np.int64), tops


def _loss(said: Tensor, labels: Tensor, tops: Tensor) -> Tensor:
    """Cross entropy of the classes, and of the tops where it is known what lies there."""
    classes = functional.cross_entropy(said[:, :CLASSES], labels, label_smoothing=0.003)
    known = (labels != UNSEEN).float()[:, None]
    places = functional.binary_cross_entropy_with_logits(said[:, CLASSES:], tops, reduction="none")
    return classes + _TOPS_COUNT * (places * known).mean()


# --- variety ---


def varied(
    rng: np.random.Generator, material: Views, chosen: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Augment views: shift, rotate by 180 degrees, mirror, recolour; network inputs and their tops."""
    count = len(chosen)
    even, blank = np.empty((2, count, SIZE[1], SIZE[0], 3), np.uint8)
    tops, lean = np.empty((count, SIZE[1], SIZE[0]), np.uint8), material.lean[chosen].copy()
    room = np.array([WIDE[0] - SIZE[0], WIDE[1] - SIZE[1]]) // 2
    shifts = np.clip(np.rint(rng.normal(0, (1.3, 1.0), (count, 2))), -room + 1, room - 1).astype(int) + room
    apart = np.where(rng.random((count, 1)) < 0.3, rng.integers(-1, 2, (count, 2)), 0)
    for n, (which, (x, y), (dx, dy)) in enumerate(zip(chosen, shifts, apart, strict=True)):
        there = np.s_[y : y + SIZE[1], x : x + SIZE[0]]
        pushed = np.s_[y + dy : y + dy + SIZE[1], x + dx : x + dx + SIZE[0]]
        even[n], blank[n], tops[n] = (
            material.even[which][there],
            material.blank[which][pushed],
            material.tops[which][there],
        )
    for axis, flips in ((2, rng.random(count) < 0.5), (1, rng.random(count) < 0.5)):
        even[flips] = np.flip(even[flips], axis)
        blank[flips], tops[flips] = np.flip(blank[flips], axis), np.flip(tops[flips], axis)
        lean[flips, 2 - axis] *= -1
    for channels in ((2, 1, 0), (1, 0, 2), (0, 2, 1), (1, 2, 0)):
        turned = rng.random(count) < 0.1
        even[turned], blank[turned] = even[turned][..., channels], blank[turned][..., channels]
    inputs = as_input(_relit(rng, even), blank, lean)
    halved = tops.reshape(count, SIZE[1] // 2, 2, SIZE[0] // 2, 2).mean(axis=(2, 4)) / 255
    return inputs, np.ascontiguousarray(halved.reshape(count, -1), np.float32)


def _relit(rng: np.random.Generator, even: Image) -> Image:
    """Vary light and colour, and add grain, edges of shadows, and blur."""
    gains = np.exp(rng.normal(0, 0.06, (len(even), 1, 1, 1)) + rng.normal(0, 0.025, (len(even), 1, 1, 3)))
    grain = rng.normal(0, 1, even.shape[:3]).astype(np.float32) * rng.gamma(1.0, 2.0, (len(even), 1, 1))
    lit = np.asarray(even * gains.astype(np.float32), np.float32)
    lit *= _shadows(rng, even.shape[:3])[..., None]
    for n in np.flatnonzero(rng.random(len(even)) < _BLURRED):
        lit[n] = cv2.GaussianBlur(lit[n], (0, 0), float(rng.uniform(0.3, 0.9)))
    return np.asarray(np.clip(lit + grain[..., None], 0, 255), np.uint8)


def _shadows(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Soft-edged shadows over parts of some of the views, as a share of the light, (n, height, width)."""
    count, height, width = shape
    angle, soft = rng.uniform(0, 2 * np.pi, (count, 1, 1)), rng.gamma(2.0, 1.5, (count, 1, 1)) + 0.2
    y, x = np.arange(height)[:, None] - height / 2, np.arange(width) - width / 2
    beyond = np.cos(angle) * x + np.sin(angle) * y - rng.normal(0, 8, (count, 1, 1))
    dark = rng.uniform(0.1, 0.6, (count, 1, 1)) * (rng.random((count, 1, 1)) < _SHADOWED)
    return np.asarray(1 - dark / (1 + np.exp(-np.clip(beyond / soft, -30, 30))), np.float32)


# --- checking ---


def _scores(net: PieceNet, views: Views) -> NDArray[np.float32]:
    x, y = (WIDE[0] - SIZE[0]) // 2, (WIDE[1] - SIZE[1]) // 2
    there = np.s_[:, y : y + SIZE[1], x : x + SIZE[0]]
    return scores_of(net, as_input(views.even[there], views.blank[there], views.lean))


def _tell(said: NDArray[np.float32], views: Views) -> None:
    best, truth = said[:, :CLASSES].argmax(axis=1), views.labels
    loss = float(
        functional.cross_entropy(
            torch.from_numpy(said[:, :CLASSES]), torch.from_numpy(truth.astype(np.int64))
        )
    )
    table = [
        [int(((truth == row) & (best == column)).sum()) for column in range(CLASSES)]
        for row in range(CLASSES)
    ]
    say(f"on other pictures: loss {loss:.4f}, right {(best == truth).mean():.4%}, {table}")
