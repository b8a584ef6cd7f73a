"""Makes the material, trains both networks, writes them: see ``__main__`` for the options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from companion.games.railroad_ink.reader.cells import CLASSES, EMPTY_CLASS, UNSEEN
from companion.games.railroad_ink.reader.cells import MODEL as CELL_MODEL
from companion.games.railroad_ink.reader.signs import MODEL as SIGN_MODEL
from companion.games.railroad_ink.reader.signs import SIGNS, evened_signs
from lab.bench import say
from lab.railroad_ink.training.batches import Choice, board_batch, sign_batch
from lab.railroad_ink.training.material import Material, make_material
from lab.railroad_ink.training.nets import CellNet, SignNet
from lab.railroad_ink.training.painting import EMPTY_BOARDS, EMPTY_FROM, make_empty
from lab.railroad_ink.training.variety import classes_of, plain_board
from lab.training.calibration import calibrate, temperature_of
from lab.training.learning import BatchMaker, Course, Net, finish, go_on_from, scores_of, train
from lab.training.mixing import mix, scale_scores
from lab.training.writing import write_network
from vision.nets import as_input
from vision.white_paper import on_white_paper

LEARN_FROM, CHECK_FROM = 0, 950_000  # the first seed of each series; a board a seed
CHECKED = 320  # boards that are not learnt from
# The second course starts from what the first one learnt, more gently: a tenth fewer errors.
CELL_COURSES = (Course(13_000, seed=1), Course(8000, seed=3, rate=1.5e-3))
SIGN_COURSES = (Course(15_000, seed=2, rate=4e-3),)
# With --go-on: from the networks that are there, on what they have not seen yet.
CELLS_GO_ON, SIGNS_GO_ON = (Course(4500, seed=5, rate=1.2e-3),), (Course(9000, seed=6, rate=2.5e-3),)
_TRAINED_ON = 0.7  # share of the network that went on learning, in the mixture with the one it came from


def run(options: argparse.Namespace) -> None:
    """Train, and say how well it went."""
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    torch.use_deterministic_algorithms(True)
    torch.utils.deterministic.fill_uninitialized_memory = False  # a tenth of the time, and nothing reads it
    make_material(options.folder / "learn", LEARN_FROM, options.boards)
    check = make_material(options.folder / "check", CHECK_FROM, CHECKED)
    empty = options.folder / "empty"
    make_empty(empty, EMPTY_FROM, EMPTY_BOARDS)
    learn = Choice(options.folder / "learn", options.hold_out, empty)
    if options.only != "cells":
        _train_signs(options, learn, check)
    if options.only != "signs":
        torch.manual_seed(1)
        net, batch = CellNet(CLASSES), partial(board_batch, learn)
        if options.go_on:
            go_on_from(net, CELL_MODEL, batch)
        net = _trained(net, CELLS_GO_ON if options.go_on else CELL_COURSES, batch, options)
        # Calibrate on boards that were not learnt from, write, mix with the network of `before`, and
        # tell
        path = options.models / CELL_MODEL.name
        before = CELL_MODEL if options.go_on else None
        inputs, labels = _check_boards(check)
        flat = scores_of(net, inputs, 16).transpose(0, 2, 3, 1).reshape(-1, CLASSES)
        say(calibrate(net.score, flat, labels.ravel()))
        say(write_network(net, (3, *inputs.shape[2:]), path))
        if before is not None:
            say(_mixed(path, before, inputs, labels.ravel()))
        kept = (labels.ravel() >= 0) & (labels.ravel() != UNSEEN)
        right = (flat[:, : EMPTY_CLASS + 1].argmax(axis=1) == labels.ravel())[kept]
        say(f"cells right: {right.mean():.4%} of {right.size}")


def _trained(net: Net, courses: Sequence[Course], batch: BatchMaker, options: argparse.Namespace) -> Net:
    """The network after its courses, or after the first so many steps of each."""
    for course in courses:
        steps = min(course.steps, options.steps or course.steps)
        net = train(net, replace(course, steps=steps, kept=options.folder / "last.pt"), batch)
    return net


# --- cells ---


def _mixed(path: Path, before: Path, inputs: NDArray[np.float32], labels: NDArray[np.int64]) -> str:
    """Mix what was trained further with what it came from, lest it has forgotten, and calibrate that."""
    earlier = before.read_bytes()  # perhaps the very file that is written
    with NamedTemporaryFile(suffix=".onnx") as kept:
        kept.write(earlier)
        kept.flush()
        mix([path, Path(kept.name)], [_TRAINED_ON, 1 - _TRAINED_ON], path)
    reader = cv2.dnn.readNetFromONNX(str(path))
    found = []
    for part in np.array_split(inputs, max(1, len(inputs) // 16)):
        reader.setInput(part)
        found.append(np.asarray(reader.forward()).transpose(0, 2, 3, 1).reshape(-1, CLASSES))
    temperature = temperature_of(np.concatenate(found), labels)
    scale_scores(path, 1 / temperature)
    return f"mixed; temperature {temperature:.3f}"


def _check_boards(check: Material) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    pictures = np.stack([on_white_paper(plain_board(grid)) for grid in check.grids])
    labels = classes_of(check.labels.astype(np.int64), check.unseen)
    return as_input(pictures), labels


# --- signs ---


def _train_signs(options: argparse.Namespace, learn: Choice, check: Material) -> None:
    torch.manual_seed(2)
    net, batch = SignNet(len(SIGNS)), partial(sign_batch, learn)
    if options.go_on:
        go_on_from(net, SIGN_MODEL, batch)
    net = _trained(net, SIGNS_GO_ON if options.go_on else SIGN_COURSES, batch, options)
    sheets, places = np.nonzero(check.sign_labels >= 0)
    truth = check.sign_labels[sheets, places].astype(np.int64)
    pictures = evened_signs(check.signs[sheets, places])
    finish(net, net.score[-1], pictures, truth, options.models / SIGN_MODEL.name, "signs")
