"""``python -m lab.railroad_ink.training.marks``: makes the boards, trains the network of marks."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.reader.cells import GRID_SIDE
from companion.games.railroad_ink.reader.mark_classes import (
    CLASS_NUMBER,
    CLASSES_OF,
    MARK_CLASSES,
    MARK_TURNED,
    READ_EXPANSIONS,
)
from companion.games.railroad_ink.reader.marks import MODEL
from companion.games.railroad_ink.reader.turning import by_place, turned_picture
from lab.bench import say
from lab.railroad_ink.training.mark_material import (
    MARK_SEEDS,
    PAINT_SEEDS,
    MarkMaterial,
    make_marks,
    open_marks,
    paint_marks,
)
from lab.railroad_ink.training.painting import EMPTY_BOARDS, EMPTY_FROM, make_empty
from lab.railroad_ink.training.variety import covered, plain_board, shifted, varied_colours
from lab.training import IGNORED
from lab.training.starting import start, training_parser
from vision.nets import as_input
from vision.register.rectify import Image
from vision.white_paper import on_white_paper

if TYPE_CHECKING:
    from lab.railroad_ink.training.nets import MarkNet

Rng = np.random.Generator
CHECK_FROM, CHECKED = 960_000, 180  # the first seed and the number of boards that are not learnt from
BOARDS_A_STEP = 12
_UNSEEN_SHARE = 0.3  # of a cell: with more of it hidden nothing is to be said
_PHOTOGRAPHED = 0.2  # share of boards that are photographs as they are
_COURSE = (9000, 3e-3)  # steps, rate
_GO_ON = (3000, 1.5e-3)  # with --go-on: from the network that is there
_OTHERS = -1e4  # a score for classes of other expansions


@dataclass(frozen=True)
class MarkChoice:
    """Folders of material: boards that were painted, and boards that were photographed."""

    painted: Path
    photographed: Path


@lru_cache(maxsize=1)
def _material(choice: MarkChoice) -> tuple[MarkMaterial, MarkMaterial]:
    cv2.setNumThreads(1)
    return open_marks(choice.painted), open_marks(choice.photographed)


def mark_batch(choice: MarkChoice, rng: Rng) -> tuple[Image, NDArray[np.int64]]:
    """A batch of augmented boards with marks and their labels by cell."""
    boards = []
    for taken in rng.random(BOARDS_A_STEP) < _PHOTOGRAPHED:
        part = _material(choice)[int(taken)]
        n = int(rng.integers(len(part.labels)))
        boards.append(_varied(rng, part.grids[n], part.labels[n], part.unseen[n]))
    pictures = np.stack([on_white_paper(picture) for picture, _ in boards])
    return pictures, np.stack([labels for _, labels in boards]).reshape(-1, 7, 7)


def _varied(
    rng: Rng, grid: Image, labels: NDArray[np.int16], unseen: NDArray[np.float32]
) -> tuple[Image, NDArray[np.int64]]:
    """A board turned, shifted, covered and lit in another way, and its labels by cell."""
    way = int(rng.integers(len(MARK_TURNED)))
    picture, unseen = turned_picture(grid, way), by_place(unseen, way)
    old = by_place(labels, way).astype(np.int64)
    targets = np.where(old < 0, IGNORED, MARK_TURNED[way][np.maximum(old, 0)])
    if rng.random() < 0.1:
        picture, hidden = covered(rng, picture)
        unseen = np.maximum(unseen, hidden)
    picture = varied_colours(rng, shifted(rng, picture))
    return picture, np.where(unseen > _UNSEEN_SHARE, IGNORED, targets)


def _checked(check: MarkMaterial) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.bool_]]:
    """Pictures and labels of boards that were not learnt from, and which classes each cell may have."""
    pictures = np.stack([on_white_paper(plain_board(grid)) for grid in check.grids])
    labels = np.where(check.unseen > _UNSEEN_SHARE, IGNORED, check.labels.astype(np.int64))
    possible = np.zeros((len(READ_EXPANSIONS), len(MARK_CLASSES)), np.bool_)
    for number, name in enumerate(READ_EXPANSIONS):
        possible[number, [CLASS_NUMBER[one] for one in CLASSES_OF[name]]] = True
    return as_input(pictures), labels, possible[check.expansions]


def run(options: argparse.Namespace) -> None:
    """Train, calibrate, write, and say how well it went."""
    import torch

    from lab.railroad_ink.training.nets import MarkNet
    from lab.training.learning import Course, go_on_from, train

    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    make_empty(options.folder / "empty", EMPTY_FROM, EMPTY_BOARDS)
    choice = MarkChoice(options.folder / "painted", options.folder / "photographed")
    paint_marks(choice.painted, options.folder / "empty", PAINT_SEEDS, options.boards)
    make_marks(choice.photographed, MARK_SEEDS, options.boards // 10)
    check = make_marks(options.folder / "check", CHECK_FROM, CHECKED)
    torch.manual_seed(4)
    net, batch = MarkNet(len(MARK_CLASSES)), partial(mark_batch, choice)
    if options.go_on:
        go_on_from(net, MODEL, batch)
    steps, rate = _GO_ON if options.go_on else _COURSE
    course = Course(options.steps or steps, seed=7, rate=rate, kept=options.folder / "last.pt")
    net = train(net, course, batch)
    finish(net, check, options.models / MODEL.name)


def finish(net: MarkNet, check: MarkMaterial, path: Path) -> None:
    """Calibrate on boards that were not learnt from, write, and say how well it went."""
    from lab.training.calibration import calibrate
    from lab.training.learning import scores_of
    from lab.training.writing import write_network

    inputs, labels, possible = _checked(check)
    logits = scores_of(net, inputs, 16).transpose(0, 2, 3, 1)
    masked = np.where(possible[:, None, None], logits, np.float32(_OTHERS)).reshape(-1, len(MARK_CLASSES))
    say(calibrate(net.score, masked, labels.ravel()))
    say(write_network(net, (3, GRID_SIDE, GRID_SIDE), path))
    right = masked.argmax(axis=1).reshape(labels.shape) == labels
    for number, name in enumerate(READ_EXPANSIONS):
        kept = (check.expansions == number)[:, None] & (labels >= 0)
        drawn = kept & (labels > 0)
        say(f"{name}: cells right {right[kept].mean():.4%}, those with marks {right[drawn].mean():.4%}")


def main() -> None:
    """Read the options and train."""
    parser = training_parser("lab.railroad_ink.training.marks", __doc__, "build/marks", threads=1)
    parser.add_argument("--models", type=Path, default=MODEL.parent, help="where the network is written")
    parser.add_argument("--boards", type=int, default=6000, help="boards that are painted")
    parser.add_argument("--steps", type=int, help="not the course's")
    parser.add_argument("--go-on", action="store_true", help="from the network that is there, gently")
    start(parser, "lab.railroad_ink.training.marks")


if __name__ == "__main__":
    main()
