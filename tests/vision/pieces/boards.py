"""A small board of coloured segments that no game has, and pictures of it with pieces."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

import cv2
import numpy as np

from companion.sheets.drawing import Quad
from vision.pieces.finding import PieceBoard
from vision.register.rectify import Image

SCALE = 2.4
PAINTS: Mapping[str, tuple[int, int, int]] = {  # blue first
    "red": (45, 45, 205),
    "blue": (165, 90, 40),
    "yellow": (45, 205, 238),
    "white": (232, 236, 238),
}
_SIZE = (360.0, 260.0)


@cache
def small_board() -> PieceBoard:
    rng = np.random.default_rng(5)
    blank = np.full((round(_SIZE[1] * SCALE), round(_SIZE[0] * SCALE), 3), (217, 236, 243), np.uint8)
    quads: dict[str, Quad] = {}
    for row in range(8):
        for column in range(9):
            middle = np.array([36.0 * column + 36, 30.0 * row + 25])
            angle = rng.uniform(0, np.pi)
            along = np.array([np.cos(angle), np.sin(angle)]) * 9
            across = np.array([-along[1], along[0]]) / 9 * 2.8
            corners = [middle - along - across, middle + along - across, middle + along + across]
            corners.append(middle - along + across)
            a, b, c, d = ((float(x), float(y)) for x, y in corners)
            quads[f"{'abcdefgh'[row]}{column + 1}"] = (a, b, c, d)
            printed = rng.integers(30, 220, 3).tolist()
            cv2.line(blank, _pixel(middle - along), _pixel(middle + along), printed, 8, cv2.LINE_AA)
    return PieceBoard(blank, quads, SCALE)


def _pixel(place: np.ndarray) -> tuple[int, int]:
    return int(place[0] * SCALE), int(place[1] * SCALE)


def with_pieces(
    board: PieceBoard, pieces: Mapping[str, str], seed: int = 1, pushed: Collection[str] = ()
) -> Image:
    """The board with pieces on it, in light from one side that is warm, and a grainy camera.

    Those on the segments ``pushed`` lie beside them by their own width.
    """
    rng, seen = np.random.default_rng(seed), board.blank.copy()
    for name, colour in pieces.items():
        corners = np.asarray(board.quads[name]) * SCALE
        if name in pushed:
            corners = corners + (corners[3] - corners[0])
        cv2.fillPoly(seen, [np.rint(corners * 16).astype(np.int32)], PAINTS[colour], cv2.LINE_AA, 4)
    light = np.linspace(0.5, 0.95, seen.shape[1])[None, :, None] * [0.75, 0.9, 1.0]
    return np.clip(seen * light + rng.normal(0, 3, seen.shape), 0, 255).astype(np.uint8)
