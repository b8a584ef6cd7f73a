"""Straightened cells to learn from, tens of thousands a minute, by the very code that takes whole pictures.

A board is laid out, lit and photographed like any other, but only the frame around its grid is exposed, and
that at the moderate resolution at which cells are read. Finding the sheet is imitated by a homography that is
a little wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from companion.games.railroad_ink.printing.printed import PRINTED
from companion.games.railroad_ink.reader.boards import cell_views
from companion.games.railroad_ink.rules.boards.routes import VOCABULARY
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.studio.boards import NOTHING_HELD_OUT, DrawnSheet, HeldOut, SheetMarks
from lab.railroad_ink.studio.hands import Hand
from lab.railroad_ink.studio.photographs import sheet_darkroom
from lab.railroad_ink.studio.scenes import SHEET_OUTLINE, PlacedSheet, Scene, SceneSpec, make_scene
from lab.railroad_ink.studio.truths import glare_shares, hidden_shares
from lab.studio.cameras import Frame, shift, transformed
from lab.studio.darkroom import Darkroom, packed
from lab.studio.levels import level_named
from lab.studio.strokes import Points
from vision.register.rectify import Placement

EMPTY = len(VOCABULARY)  # the label of an empty cell; routes have their number in the vocabulary


@dataclass(frozen=True)
class CropRecipe:
    """What crops are made of: pixels a cell, rim around it, shares of levels, names held out."""

    size: int = 40
    margin: int = 8
    levels: tuple[tuple[str, float], ...] = (("clean", 0.15), ("table", 0.5), ("hard", 0.35))
    scattered: float = 0.6  # share of boards with every route equally frequent, instead of legal play
    careless: float | None = None  # share of hands that are hard to tell, if not the level's
    held_out: HeldOut = NOTHING_HELD_OUT
    anybody: float = 0.0  # share of hands of no known style, in the widest ranges
    stranger: str = ""  # a stranger by name draws all boards
    expansions: tuple[str, ...] = ()  # whose marks stand on the boards, one expansion a board
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


@dataclass(frozen=True)
class EmptyBoard:
    """An empty board in a picture of its own, and the same with black paper."""

    white: NDArray[np.uint8]  # blue first
    black: NDArray[np.uint8]
    placement: Placement
    unseen: NDArray[np.float64]
    blur: float  # mm: deviation of what lens and hand blur
    level: str
    drawn: DrawnSheet  # what is not on it yet


@dataclass(frozen=True)
class ExposedBoard:
    """A board in a picture of its own: where it lies, what is on it, how much of each cell is unseen."""

    image: NDArray[np.uint8]  # blue first
    placement: Placement  # a little wrong, as a found one would be
    marks: SheetMarks
    hand: Hand
    unseen: NDArray[np.float64]
    level: str

    @property
    def labels(self) -> NDArray[np.int64]:
        """By cell, the number of its route; :data:`EMPTY` for none."""
        cells = self.marks.cells
        return np.array([cells[n].number if n in cells else EMPTY for n in range(GRID.size)])

    @property
    def rounds(self) -> NDArray[np.int64]:
        """By cell, the number written in it; 0 for none."""
        return np.array([self.marks.rounds.get(n, 0) * self.marks.rounds_written for n in range(GRID.size)])


def exposed_board(seed: int, recipe: CropRecipe, whole: bool = False) -> ExposedBoard:
    """Photograph the board of a seed: its grid only, or the whole sheet."""
    rng, level, scene = _scene_of(seed, recipe)
    sheet = scene.sheets[0]
    image, corner = _exposed(scene, sheet_darkroom(scene), SHEET_OUTLINE if whole else _around_grid())
    homography = shift(-corner) @ _found_homography(rng, scene, sheet, recipe.misplaced)
    unseen = hidden_shares(scene, sheet) + glare_shares(scene, sheet)
    return ExposedBoard(image, Placement(homography), sheet.drawn.marks, sheet.drawn.hand, unseen, level)


def exposed_empty(seed: int, recipe: CropRecipe) -> EmptyBoard:
    """Photograph the grid of a seed's board before anybody drew on it."""
    rng, level, scene = _scene_of(seed, recipe)
    (sheet,) = scene.sheets
    empty = replace(scene, sheets=[replace(sheet, drawn=replace(sheet.drawn, layers=()))])
    darkroom = sheet_darkroom(empty)
    white, corner = _exposed(scene, darkroom, _around_grid())
    black, _ = _exposed(scene, darkroom.with_black_prints(), _around_grid())
    homography = shift(-corner) @ _found_homography(rng, scene, sheet, recipe.misplaced)
    unseen = hidden_shares(scene, sheet) + glare_shares(scene, sheet)
    middle = transformed(sheet.to_table, _around_grid()).mean(axis=0)
    blurred = np.hypot(scene.sensor.focus, scene.sensor.motion / 12**0.5) / scene.camera.scale_at(middle)
    return EmptyBoard(white, black, Placement(homography), unseen, float(blurred), level, sheet.drawn)


def board_crops(seed: int, recipe: CropRecipe | None = None) -> Crops:
    """The crops that belong to a seed."""
    recipe = recipe or CropRecipe()
    board = exposed_board(seed, recipe)
    return Crops(
        images=cell_views(board.image, board.placement, recipe.size, recipe.margin),
        labels=board.labels,
        rounds=board.rounds,
        usable=board.unseen <= recipe.most_hidden,
        seed=seed,
        level=board.level,
        style=board.hand.style,
        pen=board.hand.pen,
    )


def many_crops(first_seed: int, boards: int, recipe: CropRecipe | None = None) -> Iterator[Crops]:
    """The crops of many boards, one board a seed."""
    return (board_crops(seed, recipe) for seed in range(first_seed, first_seed + boards))


def _scene_of(seed: int, recipe: CropRecipe) -> tuple[np.random.Generator, str, Scene]:
    rng = np.random.default_rng([seed, 77])
    names, shares = zip(*recipe.levels, strict=True)
    level = str(rng.choice(names, p=np.asarray(shares) / sum(shares)))
    return rng, level, _close_scene(rng, seed, level, recipe)


def _close_scene(rng: np.random.Generator, seed: int, level: str, recipe: CropRecipe) -> Scene:
    wish = SceneSpec(
        kind="scattered" if rng.random() < recipe.scattered else "legal",
        held_out=recipe.held_out,
        expansion=recipe.expansions[seed % len(recipe.expansions)] if recipe.expansions else "",
        people=_people(seed, recipe),
        careless=recipe.careless,
        sheets=1,
        megapixels=float(np.exp(rng.uniform(*np.log(recipe.megapixels)))),
        table_pixels=96,
    )
    # Nearly nothing of the table is seen, so nothing is laid on it; and the sheet is close.
    near = structs.replace(level_named(level), clutter=(0, 1), margin=(1.0, 1.2))
    return make_scene(seed, near, wish)


def _people(seed: int, recipe: CropRecipe) -> str | None:
    """Choose who draws a seed's board: a stranger, anybody (""), or a hand of a known style (None)."""
    if recipe.stranger:
        return recipe.stranger
    return "" if np.random.default_rng([seed, 78]).random() < recipe.anybody else None


def _around_grid() -> Points:
    cell = PRINTED.grid.cell
    low = np.asarray(PRINTED.grid.corner) - cell / 2
    high = low + (GRID.columns + 1) * cell
    return np.array([low, (high[0], low[1]), high, (low[0], high[1])])


def _exposed(scene: Scene, darkroom: Darkroom, rim: Points) -> tuple[NDArray[np.uint8], Points]:
    """The frame around a part of the sheet, out of the JPEG, and where its corner lies in the picture."""
    pixels = scene.camera.project(transformed(scene.sheets[0].to_table, rim))
    # Whole blocks of the JPEG, as they would be in the whole picture.
    first = np.floor(pixels.min(axis=0) / 16).astype(int) * 16
    size = np.ceil(pixels.max(axis=0)).astype(int) - first
    frame = Frame(int(first[0]), int(first[1]), (int(size[0]), int(size[1])))
    data = packed(darkroom.expose(frame), scene.sensor.jpeg)
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8), first


def _found_homography(
    rng: np.random.Generator, scene: Scene, sheet: PlacedSheet, misplaced: float
) -> NDArray[np.float64]:
    """The homography of the grid with an error in its corners, as finding the sheet would make."""
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
