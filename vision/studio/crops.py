"""Straightened cells to learn from, tens of thousands a minute, by the very code that takes whole pictures.

A board is laid out, lit and photographed like any other, but only the frame around its grid is exposed, and
that at the moderate resolution at which cells are read. Finding the sheet is imitated by a homography that is
a little wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from companion.games.railroad_ink.printed import PRINTED
from companion.games.railroad_ink.routes import VOCABULARY
from companion.games.railroad_ink.rulebook import GRID
from vision.rectify import cell_views
from vision.studio.boards import NOTHING_HELD_OUT, HeldOut
from vision.studio.cameras import Frame, shift, transformed
from vision.studio.levels import level_named
from vision.studio.photographs import Darkroom, packed
from vision.studio.scenes import PlacedSheet, Scene, Wish, make_scene
from vision.studio.strokes import Points
from vision.studio.truths import glare_shares, hidden_shares

EMPTY = len(VOCABULARY)  # the label of an empty cell; routes have their number in the vocabulary


@dataclass(frozen=True)
class CropRecipe:
    """What crops are made of: pixels a cell, rim around it, shares of levels, names held out."""

    size: int = 40
    margin: int = 8
    levels: tuple[tuple[str, float], ...] = (("clean", 0.15), ("table", 0.5), ("hard", 0.35))
    scattered: float = 0.6  # share of boards with every route equally frequent, instead of legal play
    held_out: HeldOut = NOTHING_HELD_OUT
    megapixels: tuple[float, float] = (0.22, 1.3)
    misplaced: float = 0.25  # mm: how wrong the corners of the grid are found
    most_hidden: float = 0.2  # cells hidden or drowned in glare beyond this share are not usable


@dataclass(frozen=True)
class Crops:
    """The cells of one board: pictures (49, s, s, 3), blue first as in OpenCV, labels, and who is usable."""

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]
    rounds: NDArray[np.int64]  # the number written in the cell, 0 for none
    usable: NDArray[np.bool_]
    seed: int
    level: str
    style: str
    pen: str


def board_crops(seed: int, recipe: CropRecipe | None = None) -> Crops:
    """The crops that belong to a seed."""
    recipe = recipe or CropRecipe()
    rng = np.random.default_rng([seed, 77])
    names, shares = zip(*recipe.levels, strict=True)
    level = str(rng.choice(names, p=np.asarray(shares) / sum(shares)))
    scene = _close_scene(rng, seed, level, recipe)
    image, corner = _exposed(scene)
    sheet = scene.sheets[0]
    homography = shift(-corner) @ _found_homography(rng, scene, sheet, recipe.misplaced)
    marks = sheet.drawn.marks
    unseen = hidden_shares(scene, sheet) + glare_shares(scene, sheet)
    return Crops(
        images=cell_views(image, homography, recipe.size, recipe.margin),
        labels=np.array([marks.cells[n].number if n in marks.cells else EMPTY for n in range(GRID.size)]),
        rounds=np.array([marks.rounds.get(n, 0) * marks.rounds_written for n in range(GRID.size)]),
        usable=unseen <= recipe.most_hidden,
        seed=seed,
        level=level,
        style=sheet.drawn.hand.style,
        pen=sheet.drawn.hand.pen,
    )


def many_crops(first_seed: int, boards: int, recipe: CropRecipe | None = None) -> Iterator[Crops]:
    """The crops of many boards, one board a seed."""
    return (board_crops(seed, recipe) for seed in range(first_seed, first_seed + boards))


def _close_scene(rng: np.random.Generator, seed: int, level: str, recipe: CropRecipe) -> Scene:
    wish = Wish(
        kind="scattered" if rng.random() < recipe.scattered else "legal",
        held_out=recipe.held_out,
        sheets=1,
        megapixels=float(np.exp(rng.uniform(*np.log(recipe.megapixels)))),
        table_pixels=96,
    )
    # Nearly nothing of the table is seen, so nothing is laid on it; and the sheet is close.
    near = structs.replace(level_named(level), clutter=(0, 1), margin=(1.0, 1.2))
    return make_scene(seed, near, wish)


def _exposed(scene: Scene) -> tuple[NDArray[np.uint8], Points]:
    """The frame around the grid, as it comes out of the JPEG, and where its corner lies in the picture."""
    cell = PRINTED.grid.cell
    low = np.asarray(PRINTED.grid.corner) - cell / 2
    high = low + (GRID.columns + 1) * cell
    rim = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    pixels = scene.camera.project(transformed(scene.sheets[0].to_table, rim))
    # Whole blocks of the JPEG, as they would be in the whole picture.
    first = np.floor(pixels.min(axis=0) / 16).astype(int) * 16
    size = np.ceil(pixels.max(axis=0)).astype(int) - first
    frame = Frame(int(first[0]), int(first[1]), (int(size[0]), int(size[1])))
    data = packed(Darkroom(scene).expose(frame), scene.sensor.jpeg)
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8), first


def _found_homography(
    rng: np.random.Generator, scene: Scene, sheet: PlacedSheet, misplaced: float
) -> NDArray[np.float64]:
    """What finding the sheet would say: a homography through the grid's true places, with wrong corners."""
    corner, side = np.asarray(PRINTED.grid.corner), PRINTED.grid.cell
    steps = np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0)), axis=-1).reshape(-1, 2)
    places = corner + steps * side
    wrong = rng.normal(0, misplaced, (4, 2))
    share = steps / 7
    weights = np.stack(
        [(1 - share[:, 0]) * (1 - share[:, 1]), share[:, 0] * (1 - share[:, 1]),
         share[:, 0] * share[:, 1], (1 - share[:, 0]) * share[:, 1]], axis=1,
    )  # fmt: skip
    seen = scene.camera.project(transformed(sheet.to_table, places + weights @ wrong))
    homography, _ = cv2.findHomography(places, seen)
    return np.asarray(homography, np.float64)
