"""What a network is shown next: chosen from the material and varied."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.reader.signs import POSSIBLE, SIGN_SIZE, SIGNS, evened_signs
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.training.digits import digit_in_box
from lab.railroad_ink.training.material import SHEET_EVERY, Material, open_material
from lab.railroad_ink.training.painting import EmptyBoards, open_empty, painted_board
from lab.railroad_ink.training.variety import varied_board, varied_colours
from vision.register.rectify import Image
from vision.white_paper import on_white_paper

Rng = np.random.Generator
BOARDS_A_STEP, SIGNS_A_STEP = 12, 192
_PAINTED = 0.65  # share of boards that are painted into photographs of empty ones
_STUDIOS_OWN = 0.3  # share of round numbers that stay as the studio wrote them
_ROUNDS_AS_OFTEN = 3  # times as often as another sign, as everybody writes them and in most shapes
_BLANK = 0.4  # share of places with nothing in them
_ROUNDS = tuple(sign for sign in POSSIBLE["round"] if sign)


@dataclass(frozen=True)
class Choice:
    """Material in a folder: all of it, or without what is held out."""

    folder: Path
    hold_out: bool = False
    empty: Path | None = None  # photographs of empty boards, to paint others' boards into
    painted: int = 7000  # boards that are painted, each when it is first chosen


@lru_cache(maxsize=1)
def _material(choice: Choice) -> Material:
    cv2.setNumThreads(1)
    return open_material(choice.folder)


@lru_cache(maxsize=1)
def _shown(choice: Choice) -> NDArray[np.intp]:
    """The boards that may be seen."""
    return np.flatnonzero(~(_material(choice).held_out & choice.hold_out))


def board_batch(choice: Choice, rng: Rng) -> tuple[Image, NDArray[np.int64]]:
    """A batch of augmented boards and their labels by cell."""
    learn = _material(choice)
    chosen = rng.choice(_shown(choice), BOARDS_A_STEP)
    painted = rng.integers(choice.painted, size=BOARDS_A_STEP)
    by_hand = rng.random(BOARDS_A_STEP) < (0.0 if choice.empty is None else _PAINTED)
    boards = [
        varied_board(rng, *_painted(choice, int(other)))
        if new
        else varied_board(rng, learn.grids[n], learn.labels[n], learn.unseen[n])
        for n, other, new in zip(chosen, painted, by_hand, strict=True)
    ]
    pictures = np.stack([on_white_paper(picture) for picture, _ in boards])
    return pictures, np.stack([labels for _, labels in boards]).reshape(-1, 7, 7)


@lru_cache(maxsize=8000)
def _painted(choice: Choice, number: int) -> tuple[Image, NDArray[np.int16], NDArray[np.float32]]:
    """One of the painted boards; the same whenever it is chosen."""
    return painted_board(np.random.default_rng([number, 80]), _empty(choice), choice.hold_out)


@lru_cache(maxsize=1)
def _empty(choice: Choice) -> EmptyBoards:
    assert choice.empty is not None
    return open_empty(choice.empty)


@dataclass(frozen=True)
class _Signs:
    sheets: NDArray[np.intp]
    places: NDArray[np.intp]
    labels: NDArray[np.int64]
    weights: NDArray[np.float64]
    boxes: NDArray[np.intp]  # those that are boxes for round numbers with nothing written in them


@lru_cache(maxsize=1)
def _signs(choice: Choice) -> _Signs:
    learn, shown = _material(choice), _shown(choice)
    labelled = learn.sign_labels >= 0
    labelled &= np.isin(np.arange(len(labelled)) * SHEET_EVERY, shown)[:, None]
    # In a folder that is still being filled, sheets are black that were not photographed yet.
    labelled &= (learn.signs[:, 0].max(axis=(1, 2, 3)) > 0)[:, None]
    sheets, places = np.nonzero(labelled)
    labels = learn.sign_labels[sheets, places].astype(np.int64)
    # Two fifths of what is seen are blank; the rest is every sign of a kind equally often.
    often = np.array([_ROUNDS_AS_OFTEN if sign in _ROUNDS else 1 for sign in SIGNS], np.float64)
    often[0] = _BLANK / (1 - _BLANK) * often[1:].sum()
    weights = (often / np.maximum(np.bincount(labels, minlength=len(SIGNS)), 1))[labels]
    boxes = np.flatnonzero((labels == 0) & (places < GRID.size))
    return _Signs(sheets, places, labels, np.cumsum(weights / weights.sum()), boxes)


def sign_batch(choice: Choice, rng: Rng) -> tuple[Image, NDArray[np.int64]]:
    """A batch of augmented signs and their labels."""
    learn, signs = _material(choice), _signs(choice)
    chosen = np.minimum(np.searchsorted(signs.weights, rng.random(SIGNS_A_STEP)), len(signs.labels) - 1)
    views = [_view(rng, learn, signs, n) for n in chosen]
    varied = evened_signs(np.stack([varied_colours(rng, _moved(rng, view)) for view in views]))
    return varied, signs.labels[chosen]


def _view(rng: Rng, learn: Material, signs: _Signs, number: int) -> Image:
    """A sign as the studio wrote it; most digits are written again into an empty box."""
    sign = SIGNS[signs.labels[number]]
    if sign not in _ROUNDS or rng.random() < _STUDIOS_OWN:
        return np.asarray(learn.signs[signs.sheets[number], signs.places[number]], np.uint8)
    empty = int(rng.choice(signs.boxes))
    return digit_in_box(rng, learn.signs[signs.sheets[empty], signs.places[empty]], sign)


def _moved(rng: Rng, view: Image) -> Image:
    """Rotate and shift a sign a little, as if found not quite right."""
    turn, size = rng.normal(0, 4), np.exp(rng.normal(0, 0.06))
    matrix = np.asarray(cv2.getRotationMatrix2D((SIGN_SIZE / 2, SIGN_SIZE / 2), turn, size))
    matrix[:, 2] = matrix[:, 2] + rng.normal(0, 1.1, 2)
    return np.asarray(
        cv2.warpAffine(view, matrix, (SIGN_SIZE, SIGN_SIZE), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
