"""A genuine map as a test has one: an invented print, flat on a table, seen a little from the side."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import cv2
import numpy as np

from companion.games.empire_builder.printing.printed import spot
from companion.games.empire_builder.rules.boards.board import board
from companion.games.empire_builder.rules.boards.position import path_edges
from companion.sheets.printing.png import MM_PER_INCH, picture
from lab.empire_builder.studio.prints import invented_print
from vision.register.rectify import Image, Matrix

SEED = 2
SIZE = (1500, 1340)
CORNERS = {  # of the sheet, in pixels of a photograph
    "taught": ((95, 70), (1410, 55), (1450, 1275), (55, 1260)),
    "read": ((50, 150), (1340, 50), (1460, 1230), (150, 1290)),
}
WAX = {"red": (52, 48, 196), "blue": (168, 84, 40)}  # blue first
_FINE = 1.8  # pixels per mm of the print
_LINE = 2.0  # mm


@lru_cache(maxsize=1)
def _print() -> Image:
    painted = np.asarray(picture(invented_print(SEED).blank, _FINE * MM_PER_INCH))
    return np.ascontiguousarray(painted[:, :, ::-1], np.uint8)


def to_photo(view: str) -> Matrix:
    """From mm of the sheet to pixels of the photograph."""
    outline = np.array(invented_print(SEED).outline, np.float32)
    matrix = cv2.getPerspectiveTransform(outline, np.array(CORNERS[view], np.float32))
    return np.asarray(matrix, np.float64)


def in_photo(view: str, places: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """Places in mm as pixels of a photograph."""
    flat = np.array([list(places.values())], np.float64)
    seen = cv2.perspectiveTransform(flat, to_photo(view))[0]
    return {name: (round(float(x), 1), round(float(y), 1)) for name, (x, y) in zip(places, seen, strict=True)}


def mileposts(names: list[str]) -> dict[str, tuple[float, float]]:
    """Where mileposts are on the sheet, in mm."""
    on = board()
    return {name: spot(on, on.numbers[name]) for name in names}


def photograph(view: str, lines: Mapping[str, str] = {}) -> Image:
    """The map in that view with a line of mileposts in each of these colours, as JPEG would have it."""
    on, drawn = board(), _print().astype(np.float64)
    for colour, path in lines.items():
        wax = np.zeros(drawn.shape[:2], np.uint8)
        for edge in path_edges(on, path):
            one, other = (np.rint(np.array(spot(on, end)) * _FINE * 16).astype(int) for end in on.edges[edge])
            cv2.line(wax, one.tolist(), other.tolist(), 255, round(_LINE * _FINE), cv2.LINE_AA, 4)
        share = wax[..., None] / 255 * 0.85
        drawn = drawn * (1 - share) + drawn * (np.array(WAX[colour]) / 255) * share
    fine = np.diag([1 / _FINE, 1 / _FINE, 1.0])
    table = np.full((SIZE[1], SIZE[0], 3), (70, 96, 120), np.uint8)
    seen = cv2.warpPerspective(
        drawn.astype(np.uint8), to_photo(view) @ fine, SIZE, table, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT
    )
    noise = np.random.default_rng(3).normal(0, 2.5, seen.shape)
    lamp = np.linspace(0.82, 1.0, SIZE[0])[None, :, None] * (0.95, 0.98, 1.0)
    return np.clip(cv2.GaussianBlur(seen, (0, 0), 0.6) * lamp + noise, 0, 255).astype(np.uint8)
