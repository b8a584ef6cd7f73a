"""``python -m vision.training``: makes the material, teaches both networks, writes ``vision/models``."""

from __future__ import annotations

import argparse
import sys
import warnings
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.readers.cells import CLASSES, EMPTY_CLASS, UNSEEN
from vision.readers.cells import MODEL as CELL_MODEL
from vision.readers.nets import as_input
from vision.readers.paper import on_white_paper
from vision.readers.signs import MODEL as SIGN_MODEL
from vision.readers.signs import SIGN_SIZE, SIGNS, evened_signs
from vision.training.learning import Batch, Course, teach
from vision.training.material import Material, make_material
from vision.training.nets import CellNet, SignNet
from vision.training.variety import classes_of, plain_board, varied_board, varied_colours

MODELS = Path(__file__).parents[1] / "models"
LEARN_FROM, CHECK_FROM = 0, 950_000  # the first seed of each series; a board a seed
BOARDS_A_STEP, SIGNS_A_STEP = 8, 192
CELL_COURSE, SIGN_COURSE = Course(8000, seed=1), Course(1500, seed=2)


def main() -> None:
    """Teach, and say how well it went."""
    options = _options()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    torch.use_deterministic_algorithms(True)
    learn = make_material(options.folder / "learn", LEARN_FROM, options.boards)
    check = make_material(options.folder / "check", CHECK_FROM, 160)
    if options.only != "cells":
        _teach_signs(options, learn, check)
    if options.only != "signs":
        _teach_cells(options, learn, check)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/training"), help="where material is kept")
    parser.add_argument("--models", type=Path, default=MODELS, help="where the networks are written")
    parser.add_argument("--boards", type=int, default=6000, help="boards to learn from")
    parser.add_argument("--only", choices=("cells", "signs"), help="one of the two networks")
    parser.add_argument("--threads", type=int, default=1, help="more help on an idle machine only")
    return parser.parse_args()


def say(line: str) -> None:
    """Tell how far it is."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


# --- cells ---


def _teach_cells(options: argparse.Namespace, learn: Material, check: Material) -> None:
    torch.manual_seed(1)
    course = replace(CELL_COURSE, kept=options.folder / "cells.pt")
    net = teach(CellNet(CLASSES), course, partial(_boards, learn), say)
    _finish_cells(net, options.models, check)


def _boards(learn: Material, rng: np.random.Generator) -> Batch:
    """Some boards, each as somebody else might have photographed it."""
    chosen = rng.integers(len(learn.grids), size=BOARDS_A_STEP)
    boards = [varied_board(rng, learn.grids[n], learn.labels[n], learn.unseen[n]) for n in chosen]
    pictures = np.stack([on_white_paper(picture) for picture, _ in boards])
    labels = np.stack([labels for _, labels in boards]).reshape(-1, 7, 7)
    return torch.from_numpy(as_input(pictures)), torch.from_numpy(labels)


def _finish_cells(net: CellNet, models: Path, check: Material) -> None:
    """Calibrate on boards that were not learnt from, write, and tell."""
    inputs, labels = _check_boards(check)
    with torch.no_grad():
        parts = np.array_split(inputs, max(1, len(inputs) // 16))
        logits = torch.cat([net(torch.from_numpy(part)) for part in parts])
    flat = logits.permute(0, 2, 3, 1).reshape(-1, CLASSES).numpy()
    _calibrate(net.score[-1], flat, labels.ravel())
    _write(net, (3, *inputs.shape[2:]), models / CELL_MODEL)
    kept = (labels.ravel() >= 0) & (labels.ravel() != UNSEEN)
    right = (flat[:, : EMPTY_CLASS + 1].argmax(axis=1) == labels.ravel())[kept]
    say(f"cells right: {right.mean():.4%} of {right.size}")


def _check_boards(check: Material) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    pictures = np.stack([on_white_paper(plain_board(grid)) for grid in check.grids])
    labels = classes_of(check.labels.astype(np.int64), check.unseen)
    return as_input(pictures), labels


# --- signs ---


def _teach_signs(options: argparse.Namespace, learn: Material, check: Material) -> None:
    sheets, places = np.nonzero(learn.sign_labels >= 0)
    labels = learn.sign_labels[sheets, places].astype(np.int64)
    # Half of what is seen is blank; the rest is every sign equally often.
    weights = 1 / np.maximum(np.bincount(labels, minlength=len(SIGNS)), 1)[labels]
    weights[labels == 0] *= len(SIGNS)
    weights = weights / weights.sum()

    def batch(rng: np.random.Generator) -> Batch:
        chosen = rng.choice(len(labels), SIGNS_A_STEP, p=weights)
        views = [learn.signs[sheets[n], places[n]] for n in chosen]
        varied = evened_signs(np.stack([varied_colours(rng, _moved(rng, view)) for view in views]))
        return torch.from_numpy(as_input(varied)), torch.from_numpy(labels[chosen])

    torch.manual_seed(2)
    net = teach(SignNet(len(SIGNS)), SIGN_COURSE, batch, say)
    sheets, places = np.nonzero(check.sign_labels >= 0)
    truth = check.sign_labels[sheets, places].astype(np.int64)
    inputs = as_input(evened_signs(check.signs[sheets, places]))
    with torch.no_grad():
        logits = net(torch.from_numpy(inputs)).numpy()
    _calibrate(net.score[-1], logits, truth)
    _write(net, (3, SIGN_SIZE, SIGN_SIZE), options.models / SIGN_MODEL)
    say(f"signs right: {(logits.argmax(axis=1) == truth).mean():.4%} of {len(truth)}")


def _moved(rng: np.random.Generator, view: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Found a little wrong, turned a little."""
    turn, size = rng.normal(0, 4), np.exp(rng.normal(0, 0.06))
    matrix = np.asarray(cv2.getRotationMatrix2D((SIGN_SIZE / 2, SIGN_SIZE / 2), turn, size))
    matrix[:, 2] = matrix[:, 2] + rng.normal(0, 1.1, 2)
    return np.asarray(
        cv2.warpAffine(view, matrix, (SIGN_SIZE, SIGN_SIZE), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


# --- both ---


def _calibrate(last: nn.Module, logits: NDArray[np.float32], labels: NDArray[np.int64]) -> None:
    """Divide the scores so that probabilities hold: of what is said with 0.9, nine in ten shall be so."""
    known = labels >= 0
    scores, truth = torch.from_numpy(logits[known]), torch.from_numpy(labels[known])
    heats = np.exp(np.linspace(np.log(0.4), np.log(3), 60))
    losses = [float(nn.functional.cross_entropy(scores / float(heat), truth)) for heat in heats]
    heat = float(heats[int(np.argmin(losses))])
    say(f"temperature {heat:.3f}, loss {min(losses):.5f}")
    with torch.no_grad():
        for weights in last.parameters():
            weights.div_(heat)


def _write(net: nn.Module, shape: tuple[int, ...], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the exporter that needs fewer packages
        axes = {"pictures": {0: "n"}, "scores": {0: "n"}}
        torch.onnx.export(
            net.eval(), (torch.zeros(1, *shape),), str(path), dynamo=False,
            input_names=["pictures"], output_names=["scores"], dynamic_axes=axes,
        )  # fmt: skip
    say(f"{path.name}: {path.stat().st_size} bytes, OpenCV differs by {_difference(net, shape, path):.1e}")


@torch.no_grad()
def _difference(net: nn.Module, shape: tuple[int, ...], path: Path) -> float:
    """How far OpenCV's scores are from those of the network that was taught."""
    inputs = np.random.default_rng(1).normal(size=(3, *shape)).astype(np.float32)
    reader = cv2.dnn.readNetFromONNX(str(path))
    reader.setInput(inputs)
    return float(np.abs(np.asarray(reader.forward()) - net(torch.from_numpy(inputs)).numpy()).max())


if __name__ == "__main__":
    main()
