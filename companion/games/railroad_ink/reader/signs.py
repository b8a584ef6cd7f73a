"""Reads small signs beside the routes: round numbers, marked boxes and circles, codes of goals."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.printing.sheets import board_sheet, slot_kind
from companion.games.railroad_ink.rules.rulebook import EditionName
from companion.sheets.drawing import Quad, rectangle
from vision.nets import scores, shares
from vision.register.rectify import Image

SignKind = Literal["round", "mark", "goal"]
Shares = NDArray[np.float64]
MODEL = Path(__file__).with_name("signs.onnx")
MARKED = "+"
SIGNS: tuple[str, ...] = ("", *"1234567", MARKED, *"ABCDEFGHIJKL")
SIGN_NUMBER = {sign: number for number, sign in enumerate(SIGNS)}
SIGN_SIZE = 28  # pixels of the picture of a sign
SIGN_RIM = 0.12
_BESIDE = 0.08  # of the box: so far beside it round numbers are looked for on each side
_EVERY = 3  # pixels: so many are enough to know paper and ink by
_SURE = 0.7  # a round number less probable than this is looked at again
# How: degrees, times as big, pixels across and down.
_AGAIN = ((7, 1.06, 1, 1), (-7, 0.94, -1, -1), (7, 0.94, 1, -1), (-7, 1.06, -1, 1))
_LEAST = 1e-9

# What can stand in a place of each kind.
POSSIBLE: dict[SignKind, tuple[str, ...]] = {
    "round": ("", *"1234567"),
    "mark": ("", MARKED),
    "goal": ("", *"ABCDEFGHIJKL"),
}


@lru_cache(maxsize=8)
def sign_quads(edition: EditionName) -> dict[str, Quad]:
    """Every place of a sheet where a small sign may stand; round numbers may stand beside their box, too."""
    slots = board_sheet(edition, 1).slots
    return {
        name: _wider(slot.quad) if slot.kind == "round" else slot.quad
        for name, slot in slots.items()
        if slot.kind in POSSIBLE
    }


def _wider(quad: Quad) -> Quad:
    """A place enlarged by its surroundings."""
    (left, top), _, (right, bottom), _ = quad
    width, height = right - left, bottom - top
    corner = (left - _BESIDE * width, top - _BESIDE * height)
    return rectangle(corner, (width * (1 + 2 * _BESIDE), height * (1 + 2 * _BESIDE)))


def sign_kind(name: str) -> SignKind:
    """The kind of sign that belongs in a slot.

    >>> [sign_kind(name) for name in ("a1-round", "goal-2", "goal-2-4", "village-1", "special-nesw-picture")]
    ['round', 'goal', 'mark', 'mark', 'mark']
    """
    return next(kind for kind in POSSIBLE if kind == slot_kind(name))


def evened_signs(views: Image) -> Image:
    """Normalise pictures of signs one by one: paper and ink stretched to the full range."""
    pixels = views.reshape(len(views), -1, 3)
    some = pixels[:, ::_EVERY]
    low, high = (int(share * some.shape[1]) for share in (0.01, 0.9))
    ordered = np.partition(some, (low, high), axis=1)
    dark, paper = ordered[:, low].astype(np.float32), ordered[:, high, None].astype(np.float32)
    # A blank place must not become a picture of its own noise.
    spread = np.maximum(paper - dark.min(axis=1)[:, None, None], 60)
    gain = 200 / spread
    even = np.clip(pixels * gain + (225 - paper * gain), 0, 255)
    return np.asarray(even.reshape(views.shape), np.uint8)


def read_signs(views: Image, kinds: list[SignKind]) -> list[dict[str, float]]:
    """The probabilities of all signs that can stand in such a place, for each picture.

    Test-time augmentation where a round number is not sure: it is looked at again, moved and turned a little.
    """
    if not len(views):
        return []
    logits = scores(MODEL, evened_signs(views))
    found: list[dict[str, float]] = [{} for _ in kinds]
    for kind, possible in POSSIBLE.items():
        own = [n for n, other in enumerate(kinds) if other == kind]
        numbers = [SIGN_NUMBER[sign] for sign in possible]
        chances = shares(logits[own][:, numbers])
        unsure = np.flatnonzero(chances.max(axis=1, initial=0) < _SURE)
        if kind == "round" and len(unsure):
            chances[unsure] = _looked_at_again(views[own][unsure], chances[unsure], numbers)
        for n, row, order in zip(own, chances.tolist(), np.argsort(-chances, kind="stable"), strict=True):
            found[n] = {possible[place]: row[place] for place in order}
    return found


def _looked_at_again(views: Image, chances: Shares, numbers: list[int]) -> Shares:
    """The normalised geometric mean of the first look and of those at each view as in :data:`_AGAIN`."""
    said = np.log(np.maximum(chances, _LEAST))
    moved = [
        cv2.warpAffine(view, way, (SIGN_SIZE, SIGN_SIZE), borderMode=cv2.BORDER_REPLICATE)
        for way in _ways()
        for view in views
    ]
    again = shares(scores(MODEL, evened_signs(np.stack(moved)))[:, numbers])
    logs = np.log(np.maximum(again, _LEAST)).reshape(len(_AGAIN), len(views), len(numbers))
    return shares((said + logs.sum(axis=0)) / (1 + len(_AGAIN)))


@cache
def _ways() -> tuple[Shares, ...]:
    found = []
    for turn, size, across, down in _AGAIN:
        matrix = cv2.getRotationMatrix2D((SIGN_SIZE / 2, SIGN_SIZE / 2), turn, size)
        matrix[:, 2] += (across, down)
        found.append(np.asarray(matrix, np.float64))
    return tuple(found)
