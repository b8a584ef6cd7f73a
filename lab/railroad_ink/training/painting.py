"""Boards painted into photographs of empty ones: anybody's hand, anew in every batch.

What a network has seen too few of are hands, not tables and lamps. So empty boards are photographed once,
each twice: as it is, and with black paper; between the two lies what ink of any strength leaves of the light
at every pixel, under reflections, shadows and things. Somebody new's board is then a third of the work.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from companion.games.railroad_ink.printing.printed import PRINTED
from companion.games.railroad_ink.reader.boards import grid_picture
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.studio.boards import BoardKind, DrawnSheet, SheetMarks, draw_sheet
from lab.railroad_ink.studio.crops import EMPTY, CropRecipe, exposed_empty
from lab.railroad_ink.training.arrays import Mode, Shapes, make_arrays, open_arrays
from lab.railroad_ink.training.material import MARGIN, RECIPE, SIDE, SIZE, is_held_out
from lab.studio.ink import InkLayer, Window, inked
from lab.studio.levels import LEVELS, Level
from vision.register.rectify import Image

Rng = np.random.Generator
EMPTY_FROM, EMPTY_BOARDS = 600_000, 600  # first seed and number of the photographs of empty boards
_SCALE = SIZE / PRINTED.grid.cell  # pixels per mm of a stored picture
_FINENESS = 2  # times as fine as it is what is painted
_LEVELS = tuple(LEVELS)
_SOFT = 0.4  # pixels: what straightening alone blurs


@dataclass(frozen=True)
class EmptyBoards:
    """Photographs of empty boards, straightened."""

    white: NDArray[np.uint8]  # (boards, SIDE, SIDE, 3)
    black: NDArray[np.uint8]  # the same, had its paper been black
    unseen: NDArray[np.float32]  # (boards, 49)
    blur: NDArray[np.float32]  # (boards,): deviation in pixels
    level: NDArray[np.int8]  # (boards,): number in the table of levels


def _shapes(boards: int) -> Shapes:
    return {
        "white": ((boards, SIDE, SIDE, 3), "uint8"),
        "black": ((boards, SIDE, SIDE, 3), "uint8"),
        "unseen": ((boards, GRID.size), "float32"),
        "blur": ((boards,), "float32"),
        "level": ((boards,), "int8"),
    }


def open_empty(folder: Path, mode: Mode = "r") -> EmptyBoards:
    """Photographs that were taken before."""
    return EmptyBoards(**open_arrays(folder, _shapes(0), mode))


def make_empty(folder: Path, first_seed: int, boards: int, workers: int = 2) -> EmptyBoards:
    """Photograph so many empty boards, or take what is there."""
    make_arrays(folder, _shapes(boards), boards, partial(_photograph, folder, first_seed), workers)
    return open_empty(folder)


def _photograph(folder: Path, first_seed: int, numbers: Iterable[int]) -> None:
    empty = open_empty(folder, "r+")
    for number in numbers:
        board = exposed_empty(first_seed + number, RECIPE)
        empty.white[number] = grid_picture(board.white, board.placement, SIZE, MARGIN)
        empty.black[number] = grid_picture(board.black, board.placement, SIZE, MARGIN)
        empty.unseen[number] = board.unseen
        empty.blur[number] = board.blur * _SCALE
        empty.level[number] = _LEVELS.index(board.level)


def painted_board(
    rng: Rng, empty: EmptyBoards, hold_out: bool = False
) -> tuple[Image, NDArray[np.int16], NDArray[np.float32]]:
    """A board somebody new has drawn: its picture, its labels, and how much of each cell is unseen."""
    photo, drawn, unseen = painted_sheet(rng, empty, hold_out)
    return photo, route_labels(drawn.marks), unseen


def painted_sheet(
    rng: Rng, empty: EmptyBoards, hold_out: bool = False, recipe: CropRecipe = RECIPE, expansion: str = ""
) -> tuple[Image, DrawnSheet, NDArray[np.float32]]:
    """The same with all that is known of the sheet; with the marks of an expansion, by the same hand."""
    number = int(rng.integers(len(empty.white)))
    level = LEVELS[_LEVELS[empty.level[number]]]
    if recipe.careless is not None:
        level = structs.replace(level, careless=recipe.careless)
    drawn = _drawn(rng, level, recipe, expansion)
    while hold_out and is_held_out(drawn.hand):
        drawn = _drawn(rng, level, recipe, expansion)
    photo = inked_photograph(drawn.layers, empty.white[number], empty.black[number], empty.blur[number])
    return photo, drawn, empty.unseen[number]


def route_labels(marks: SheetMarks) -> NDArray[np.int16]:
    """By cell, the number of its route."""
    cells = marks.cells
    return np.array([cells[n].number if n in cells else EMPTY for n in range(GRID.size)], np.int16)


def inked_photograph(layers: Iterable[InkLayer], white: Image, black: Image, blur: float) -> Image:
    """The photograph of an empty board, straightened, as it were with these layers of ink on the board."""
    share = light_left(layers, float(np.hypot(blur, _SOFT)))
    lit = white.astype(np.float32) - black
    return np.clip(black + lit * share + 0.5, 0, 255).astype(np.uint8)


def light_left(layers: Iterable[InkLayer], blur: float) -> NDArray[np.float32]:
    """What ink leaves of the light of a straightened board's paper, 0 to 1, blurred by so many pixels."""
    rim, side = MARGIN / _SCALE, SIDE * _FINENESS
    corner = PRINTED.grid.corner[0] - rim, PRINTED.grid.corner[1] - rim
    paper = np.full((side, side, 3), 255, np.uint8)
    through = inked(paper, layers, Window(corner, _SCALE * _FINENESS, (side, side)))[..., ::-1]
    share = cv2.resize(through, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(share / 255, (0, 0), blur), np.float32)


def _drawn(rng: Rng, level: Level, recipe: CropRecipe, expansion: str) -> DrawnSheet:
    kind: BoardKind = "scattered" if rng.random() < recipe.scattered else "legal"
    people = "" if rng.random() < recipe.anybody else None
    return draw_sheet(rng, 1, level, kind, people=people, expansion=expansion)
