"""What is learnt from: boards of the studio as straightened pictures, in arrays on disk.

Every board belongs to a number, so the same command makes the same arrays whoever makes which part.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.reader.boards import grid_picture
from companion.games.railroad_ink.reader.signs import MARKED, SIGN_NUMBER, SIGN_RIM, SIGN_SIZE, sign_quads
from companion.games.railroad_ink.rules.rulebook import GRID, SPECIALS
from lab.railroad_ink.studio.boards import SheetMarks
from lab.railroad_ink.studio.crops import CropRecipe, ExposedBoard, exposed_board
from lab.railroad_ink.studio.hands import Hand
from lab.railroad_ink.training.arrays import Mode, Shapes, make_arrays, open_arrays
from vision.register.rectify import slot_views

SIZE, MARGIN = 40, 12  # pixels a cell, and around the grid
SIDE = GRID.columns * SIZE + 2 * MARGIN
# What a network trained with ``--hold-out`` never sees, however it is called in the studio's styles.
HELD_OUT_RAILWAY, HELD_OUT_PENS = "crosses", ("brown-medium", "blue-fine")
RECIPE = CropRecipe(
    size=SIZE,
    margin=MARGIN,
    levels=(("clean", 0.2), ("table", 0.45), ("hard", 0.35)),
    scattered=0.35,
    misplaced=0.2,
    megapixels=(0.22, 0.9),
    careless=0.15,
    anybody=0.7,
)
SHEET_EVERY = 5  # boards: how often the whole sheet is exposed, for the signs on it
SIGNS_A_SHEET = 49 + 12 + 7 + 12


@dataclass(frozen=True)
class Material:
    """The arrays; signs belong to every fifth board, and a label of -1 means nothing is to be learnt."""

    grids: NDArray[np.uint8]  # (boards, SIDE, SIDE, 3)
    labels: NDArray[np.int16]  # (boards, 49)
    unseen: NDArray[np.float32]  # (boards, 49)
    held_out: NDArray[np.bool_]  # (boards,): drawn in a way that --hold-out leaves out
    signs: NDArray[np.uint8]  # (sheets, SIGNS_A_SHEET, SIGN_SIZE, SIGN_SIZE, 3)
    sign_labels: NDArray[np.int16]  # (sheets, SIGNS_A_SHEET)


def _shapes(boards: int) -> Shapes:
    sheets = -(-boards // SHEET_EVERY)
    return {
        "grids": ((boards, SIDE, SIDE, 3), "uint8"),
        "labels": ((boards, GRID.size), "int16"),
        "unseen": ((boards, GRID.size), "float32"),
        "held_out": ((boards,), "bool"),
        "signs": ((sheets, SIGNS_A_SHEET, SIGN_SIZE, SIGN_SIZE, 3), "uint8"),
        "sign_labels": ((sheets, SIGNS_A_SHEET), "int16"),
    }


def open_material(folder: Path, mode: Mode = "r") -> Material:
    """Material that was made before."""
    return Material(**open_arrays(folder, _shapes(0), mode))


def make_material(folder: Path, first_seed: int, boards: int, workers: int = 2) -> Material:
    """Make the material of so many boards in a folder, or take what is there."""
    make_arrays(folder, _shapes(boards), boards, partial(_make_boards, folder, first_seed), workers)
    return open_material(folder)


def _make_boards(folder: Path, first_seed: int, numbers: Iterable[int]) -> None:
    material = open_material(folder, "r+")
    for number in numbers:
        _make_board(material, first_seed, number)


def _make_board(material: Material, first_seed: int, number: int) -> None:
    whole = number % SHEET_EVERY == 0
    board = exposed_board(first_seed + number, RECIPE, whole)
    material.grids[number] = grid_picture(board.image, board.placement, SIZE, MARGIN)
    material.unseen[number] = board.unseen
    material.labels[number] = board.labels
    material.held_out[number] = is_held_out(board.hand)
    if whole:
        images, labels = board_signs(board)
        material.signs[number // SHEET_EVERY, : len(images)] = images
        material.sign_labels[number // SHEET_EVERY] = -1
        material.sign_labels[number // SHEET_EVERY, : len(images)] = labels


def is_held_out(hand: Hand) -> bool:
    """True if the hand draws in a style or with a pen that ``--hold-out`` leaves out."""
    return hand.railway == HELD_OUT_RAILWAY or hand.pen in HELD_OUT_PENS or hand.rail_pen in HELD_OUT_PENS


def board_signs(board: ExposedBoard) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """The pictures of the small signs of a sheet and what they are."""
    quads = sign_quads(board.marks.edition)
    images = slot_views(board.image, board.placement, list(quads.values()), SIGN_SIZE, SIGN_RIM)
    truth = sign_truth(board.marks)
    labels = np.array([SIGN_NUMBER[truth.get(name, "")] for name in quads], np.int16)
    for cell, name in enumerate(GRID.names):
        if board.unseen[cell] > 0.1:
            labels[list(quads).index(f"{name}-round")] = -1
    return images, labels


def sign_truth(marks: SheetMarks) -> dict[str, str]:
    """By place, the sign that stands there; places without one are left out."""
    found = {f"{GRID.names[cell]}-round": str(n) for cell, n in marks.rounds.items() if marks.rounds_written}
    suffix = "-picture" if marks.pictures_crossed else ""
    found |= {f"special-{route.text}{suffix}": MARKED for route in SPECIALS if route.text in marks.specials}
    found |= {f"village-{n + 1}": MARKED for n in range(marks.villages)}
    found |= {f"university-{n + 1}": MARKED for n in range(marks.universities)}
    for n, (code, value) in enumerate(marks.goals, 1):
        found[f"goal-{n}"] = code
        if value is not None:
            found[f"goal-{n}-{value}"] = MARKED
    return found
