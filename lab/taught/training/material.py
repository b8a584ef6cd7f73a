"""What the network learns from: views of segments as reading sees them, with the truth beside them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.studio.settings import outline_of
from lab.studio.strokes import Points
from lab.taught.studio.scenes import Match, Scene, make_scene
from lab.training.files import Arrays, make_files
from vision.decoding import decoded
from vision.pieces.against_blank import compared
from vision.pieces.trained import COLOURS, EMPTY_CLASS, UNSEEN_CLASS, network_views
from vision.register.rectify import Image, Placement, straightened
from vision.taught.boards import segment_sheet, teach_segments
from vision.taught.finding import on_taught_print
from vision.taught.reading import board_for

SHOTS = 3  # of each board
_KEPT = 110  # segments of each shot
_MOST_HIDDEN = 0.35  # of a segment: beyond, nobody can say what is there


def make_material(folder: Path, first: int, count: int, workers: int, held_out: bool = False) -> Path:
    """The views of so many boards, one file each; those that are there already are kept."""
    make_files(folder, range(first, first + count), partial(_made, held_out), workers)
    return folder


def _made(held_out: bool, seed: int) -> Arrays | None:
    scene = make_scene(seed, SHOTS, held_out)
    parts = [part for match in scene.matches if (part := views_of(scene, match)) is not None]
    if not parts:
        return None
    rng = np.random.default_rng(seed)
    views, labels = (
        np.concatenate(arrays) for arrays in zip(*(_some(rng, *part) for part in parts), strict=True)
    )
    return {"views": views, "labels": labels}


def _some(
    rng: np.random.Generator, views: Image, labels: NDArray[np.int64]
) -> tuple[Image, NDArray[np.int64]]:
    """Some of a photograph's segments, half of them empty: many boards teach more than many segments."""
    order = rng.permutation(len(labels))
    empty = labels[order] == EMPTY_CLASS
    kept = np.concatenate([order[empty][: _KEPT // 2], order[~empty][: _KEPT - _KEPT // 2]])
    return views[kept], labels[kept]


def load_material(folder: Path) -> tuple[Image, NDArray[np.int64]]:
    """All views and their classes."""
    parts = [np.load(file) for file in sorted(folder.glob("*.npz"))]
    return np.concatenate([part["views"] for part in parts]), np.concatenate(
        [part["labels"] for part in parts]
    )


def views_of(scene: Scene, match: Match) -> tuple[Image, NDArray[np.int64]] | None:
    """Views of a photograph's segments and their classes; nothing where its board is not found."""
    blank = decoded(scene.blank.jpeg, 1).image
    corners = [(float(x), float(y)) for x, y in scene.corners]
    taught = teach_segments("board", blank, corners, scene.board)
    sheet = segment_sheet("board", scene.board)
    image = decoded(match.shot.jpeg, 1).image
    rough = cv2.getPerspectiveTransform(
        np.array(sheet.area, np.float32), match.shot.pixels(outline_of(scene.plan.size)).astype(np.float32)
    )
    found = on_taught_print(image, taught, sheet, Placement(np.asarray(rough, np.float64)))
    if found is None:
        return None
    board = board_for(taught, sheet)
    picture = straightened(image, found.placement, sheet, board.scale)
    size = image.shape[1], image.shape[0]
    views = network_views(picture, compared(picture, board.blank), board, found.placement, size)
    marks = [match.marks.get(name, "") for name in scene.plan.slots]
    labels = np.array([COLOURS.index(mark) + 1 if mark else EMPTY_CLASS for mark in marks])
    hidden = hidden_shares(match, np.array(list(scene.plan.slots.values())))
    labels[hidden > _MOST_HIDDEN] = UNSEEN_CLASS
    half = (hidden > 0.1) & (hidden <= _MOST_HIDDEN)  # neither the one nor the other
    return views[~half], labels[~half].astype(np.int64)


def hidden_shares(match: Match, quads: Points) -> NDArray[np.float64]:
    """How much of every segment is covered by things or drowned in a reflection."""
    x, y = np.meshgrid((np.arange(6) + 0.5) / 6, (np.arange(3) + 0.5) / 3)
    right, down = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    places = quads[:, None, 0] + x.reshape(1, -1, 1) * right[:, None] + y.reshape(1, -1, 1) * down[:, None]
    pixels = match.shot.pixels(places)
    width, height = match.shot.camera.size
    outside = ((pixels < 0) | (pixels > [width, height])).any(axis=-1)
    at = np.clip(pixels, 0, [width - 1, height - 1]).astype(int)
    covered = match.shot.unseen[at[..., 1], at[..., 0]] > 127
    return np.asarray((covered | outside).mean(axis=1), np.float64)
