"""What differs between pictures beyond the studio's own ways: turned boards, other colours, lenses, noise."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.reader.cells import CLASSES, GRID_MARGIN, GRID_SIDE, UNSEEN
from companion.games.railroad_ink.reader.turning import by_place, classes_turned, turned_picture
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.sheets.grid import SYMMETRIES
from lab.railroad_ink.training.material import MARGIN, SIDE, SIZE
from lab.training import IGNORED
from vision.register.rectify import Image

Rng = np.random.Generator
_GREY = np.full((1, 3), 1 / 3, np.float32)
_SEEN_SHARE, _UNSEEN_SHARE = 0.2, 0.5  # between the two nobody can say whether a cell is to be read


def varied_board(
    rng: Rng, grid: Image, labels: NDArray[np.int16], unseen: NDArray[np.float32]
) -> tuple[Image, NDArray[np.int64]]:
    """An augmented board, as somebody else might have photographed it, and its labels by cell."""
    way = int(rng.integers(len(SYMMETRIES)))
    picture, unseen = turned_picture(grid, way), by_place(unseen, way)
    targets = classes_turned(way, CLASSES)[by_place(labels, way)]
    if rng.random() < 0.15:
        picture, hidden = covered(rng, picture)
        unseen = np.maximum(unseen, hidden)
    picture = shifted(rng, picture)
    return varied_colours(rng, picture), classes_of(targets, unseen)


def classes_of(labels: NDArray[np.int64], unseen: NDArray[np.float32]) -> NDArray[np.int64]:
    """The class that is to be predicted for every cell."""
    return np.where(unseen >= _UNSEEN_SHARE, UNSEEN, np.where(unseen > _SEEN_SHARE, IGNORED, labels))


def plain_board(grid: Image) -> Image:
    """The part of a stored picture that a reader sees."""
    cut = MARGIN - GRID_MARGIN
    return grid[cut : SIDE - cut, cut : SIDE - cut]


# --- something in the way ---


def covered(rng: Rng, grid: Image) -> tuple[Image, NDArray[np.float32]]:
    """Something lies on the board, or a lamp is mirrored in it; by cell, how much is hidden."""
    mask: NDArray[np.float32] = np.zeros((SIDE, SIDE), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        cv2.fillPoly(mask, [_blob(rng)], 1.0, cv2.LINE_AA)
    if rng.random() < 0.4:
        above = np.full_like(grid, 255)
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1.5, 6))), np.float32)
    else:
        above = _surface(rng)
    whole = mask[..., None]
    inner = mask[MARGIN : SIDE - MARGIN, MARGIN : SIDE - MARGIN]
    hidden = inner.reshape(GRID.rows, SIZE, GRID.columns, SIZE).mean(axis=(1, 3)).ravel()
    return (grid * (1 - whole) + above * whole).astype(np.uint8), hidden


def _blob(rng: Rng) -> NDArray[np.int32]:
    angle = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 14))))
    stretch = np.exp(rng.normal(0, 0.7, 2))
    radius = rng.uniform(12, 60) * rng.uniform(0.7, 1.2, len(angle))
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius[:, None] * stretch
    return (points + rng.uniform(0, SIDE, 2)).astype(np.int32)


def _surface(rng: Rng) -> Image:
    """A random surface (skin, plastic, wood): a colour, its shading and a grain."""
    small = rng.uniform(0, 255, 3) + rng.normal(0, rng.uniform(0, 40), (int(rng.integers(2, 12)), 2, 1))
    picture = cv2.resize(small.astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    return np.clip(picture + rng.normal(0, rng.uniform(0, 12), (SIDE, SIDE, 1)), 0, 255).astype(np.uint8)


# --- where it lies ---


def shifted(rng: Rng, grid: Image) -> Image:
    """Shift and warp a board a little, as if found not quite right on paper that is not flat."""
    coarse = rng.normal(0, rng.uniform(0, 0.9), (4, 4, 2)) + rng.normal(0, 0.8, 2)
    move = cv2.resize(coarse.astype(np.float32), (GRID_SIDE, GRID_SIDE), interpolation=cv2.INTER_CUBIC)
    axis = np.arange(GRID_SIDE, dtype=np.float32) + (MARGIN - GRID_MARGIN)
    places = move + np.stack(np.meshgrid(axis, axis), axis=-1)
    none = np.empty(0, np.float32)
    picture = cv2.remap(grid, places, none, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(picture, np.uint8)


# --- colours, sharpness, noise ---


def varied_colours(rng: Rng, picture: Image) -> Image:
    """Vary light, pens and camera."""
    if rng.random() < 0.15:
        picture = np.ascontiguousarray(picture[..., rng.permutation(3)])
    if rng.random() < 0.1:
        picture = _image(cv2.cvtColor(cv2.transform(picture, _GREY), cv2.COLOR_GRAY2BGR))
    if rng.random() < 0.2:
        picture = _other_pressure(rng, picture)
    if rng.random() < 0.3:
        picture = _softened(rng, picture)
    picture = _toned(rng, picture)
    if rng.random() < 0.5:
        picture = _grained(rng, picture)
    return _packed(rng, picture) if rng.random() < 0.15 else picture


def _other_pressure(rng: Rng, picture: Image) -> Image:
    """Make lines a little thicker or thinner."""
    kernel = np.ones((2, 2), np.uint8)
    changed = cv2.erode(picture, kernel) if rng.random() < 0.5 else cv2.dilate(picture, kernel)
    share = float(rng.uniform(0.3, 1.0))
    return _image(cv2.addWeighted(picture, 1 - share, changed, share, 0))


def _softened(rng: Rng, picture: Image) -> Image:
    """Blur a picture, or sharpen it as a camera does."""
    soft = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.3)))
    if rng.random() < 0.7:
        return _image(soft)
    more = float(rng.uniform(0.3, 1.5))
    return _image(cv2.addWeighted(picture, 1 + more, soft, -more, 0))


def _toned(rng: Rng, picture: Image) -> Image:
    """Vary brightness, the colour of the light, and contrast."""
    gains = rng.uniform(0.75, 1.2) * np.exp(rng.normal(0, 0.08, 3))
    steps = np.clip(np.arange(256)[:, None] * (gains / 255), 0, 1) ** float(np.exp(rng.normal(0, 0.25)))
    return _image(cv2.LUT(picture, (255 * steps).astype(np.uint8)[None]))


def _grained(rng: Rng, picture: Image) -> Image:
    channels, strength = 1 if rng.random() < 0.5 else 3, float(rng.uniform(1, 9))
    grain = np.empty((*picture.shape[:2], channels), np.int16)
    cv2.setRNGSeed(int(rng.integers(2**31)))  # several times as fast as numpy's normal numbers
    cv2.randn(grain, np.zeros(channels), np.full(channels, strength))
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


def _image(values: object) -> Image:
    return np.asarray(values, np.uint8)


def _packed(rng: Rng, picture: Image) -> Image:
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))]
    return _image(cv2.imdecode(cv2.imencode(".jpg", picture, quality)[1], cv2.IMREAD_COLOR))
