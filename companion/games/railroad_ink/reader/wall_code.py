"""Decodes a board's walls from the rows of boxes printed by the paper's ``wall_code``."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.printing.printed import PRINTED
from companion.games.railroad_ink.printing.wall_code import (
    BOXES,
    COLUMNS,
    KNOWN_COLUMNS,
    box_corner,
    walls_of,
)
from companion.games.railroad_ink.rules.boards.walls import Walls
from vision.register.rectify import Image, Placement

_LEAST_CONTRAST = 30.0  # grey levels between white and black boxes; less is bare paper
_INSIDE = (0.3, 0.5, 0.7)  # where in a box it is looked at
_UNSURE = 8  # boxes that may have been read wrong, two of them at most: a checksum of 16 bits bears no more
_WRONG = 2


def read_walls(image: Image, placement: Placement) -> Walls | None:
    """Decode the walls from the boxes printed on a sheet, with error correction; None if unreadable."""
    grey = _boxes(image, placement)
    if grey is None:
        return None
    known = np.array(KNOWN_COLUMNS)
    columns = np.arange(COLUMNS)
    white, black = (np.interp(columns, known, grey[row, known]) for row in (0, 1))
    if float((white - black).min()) < _LEAST_CONTRAST:
        return None
    darkness = (white - grey) / (white - black)  # 0 is white, 1 is black
    seen = np.array([darkness[box] for box in BOXES])
    bits = seen > 0.5
    doubtful = np.argsort(np.abs(seen - 0.5))[:_UNSURE]
    for count in range(_WRONG + 1):
        for some in combinations(doubtful, count):
            tried = bits.copy()
            tried[list(some)] ^= True
            walls = walls_of(tried.tolist())
            if walls is not None:
                return walls
    return None


def _boxes(image: Image, placement: Placement) -> NDArray[np.float64] | None:
    """The brightness of every box, (2, columns); None if they are not all in the picture."""
    width, height = PRINTED.walls.box
    corners = np.array([[box_corner(row, column) for column in range(COLUMNS)] for row in (0, 1)])
    inside = np.array([(x * width, y * height) for y in _INSIDE for x in _INSIDE])
    places = placement.pixels(corners[:, :, None] + inside)
    if (places < 1).any() or (places > np.array([image.shape[1] - 1, image.shape[0] - 1])).any():
        return None
    at = (places - 0.5).astype(np.float32).reshape(2, -1, 2)  # pixels count from the middle of the first
    (left, top), (right, bottom) = at.min(axis=(0, 1)).astype(int), at.max(axis=(0, 1)).astype(int) + 2
    part = cv2.cvtColor(np.ascontiguousarray(image[top:bottom, left:right]), cv2.COLOR_BGR2GRAY)
    in_part = (at - np.array([left, top])).astype(np.float32)
    seen = cv2.remap(part, in_part[..., 0], in_part[..., 1], cv2.INTER_LINEAR)
    return np.asarray(seen.reshape(2, COLUMNS, -1).mean(axis=2), np.float64)
