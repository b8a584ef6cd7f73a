"""A placement made exact on what is printed in the grid: lines, ticks and the bold centre.

The corner tags lie outside the grid; between them a lens bends the picture and paper is not flat. The printed
grid is looked for, patch by patch, where the placement expects it; what was found then bends the placement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.kit.printing.png import picture
from companion.games.railroad_ink.paper.printed import PRINTED
from companion.games.railroad_ink.paper.printed_art import sheet_drawing
from companion.games.railroad_ink.rules.rulebook import GRID, EditionName
from vision.placing import ROUNDS, UNKNOWN_LENS, Bend, Match, fitted
from vision.rectify import Image, Placement, Places, grid_picture

_SIZE, _MARGIN = 40, 16  # pixels a cell, and around the grid
_HALF = 11  # pixels: half of a patch
REACH, FAR = 6, 13  # pixels: how far a patch is looked for, behind good corner tags and behind poor ones
_ALIKE = 0.45  # correlation from which a patch counts as found
_LEAST_CONTRAST = 1.0  # of 255: standard deviation around a crossing that shows anything at all
_LEAST_FOUND = 20
_GROWING = (10, 18, 31, 46, 64)  # crossings that are looked for from tags outwards, the nearest first
_LEAST_GROWN = 4
_ONE_LENS = 1 / 0.02**2  # how surely one sheet is bent as all the others are: paper is not flat
_MM = PRINTED.grid.cell / _SIZE


@dataclass(frozen=True)
class Expected:
    """A sheet before a look at its print: how far from there the print may be, and what else must fit."""

    placement: Placement
    edition: EditionName
    tags: Match | None = None
    reach: int = REACH


@dataclass(frozen=True)
class GridCheck:
    """A placement after a look at the printed grid, and how much of the grid was found there, 0 to 1."""

    placement: Placement
    alike: float
    seen: Match | None = None  # what the placement was fitted to; nothing where too little was seen
    bend: Bend = UNKNOWN_LENS  # as this sheet alone has it


def on_printed_grid(image: Image, expected: Expected, lens: Bend = UNKNOWN_LENS) -> GridCheck:
    """The placement moved and bent onto the printed grid; as it was where too little of it is seen."""
    found, alike = _found_nodes(image, expected)
    before = GridCheck(expected.placement, alike)
    if len(found.places) < _LEAST_FOUND:
        return before
    seen = found if expected.tags is None else _weighted(found, expected.tags)
    return _refitted(replace(before, seen=seen), (image.shape[1], image.shape[0]), lens, expected.reach)


def grown_grid(image: Image, expected: Expected, lens: Bend = UNKNOWN_LENS) -> GridCheck | None:
    """A sheet of which little is known but one tag or two, placed on its print from there outwards.

    Near the tags the print cannot be far from where they have it. What is found there says where to look a
    little farther on.
    """
    assert expected.tags is not None
    size = image.shape[1], image.shape[0]
    away = _away(_nodes(), expected.tags)
    for count in _GROWING:
        found, _ = _found_nodes(image, replace(expected, reach=FAR))
        near = found.only(_away(found.places, expected.tags) <= np.sort(away)[count - 1])
        if len(near.places) < _LEAST_GROWN:
            return None
        fit = fitted(_weighted(near, expected.tags, 0.5), expected.placement, size, lens)
        if fit is None or not np.isfinite(fit[0].homography).all():
            return None
        expected = replace(expected, placement=fit[0])
    return _twice(image, expected, REACH, lens)


def far_grid(image: Image, expected: Expected, lens: Bend = UNKNOWN_LENS) -> GridCheck:
    """A sheet that may be some millimetres from where it is expected, looked for everywhere at once."""
    return _twice(image, expected, FAR, lens)


def _twice(image: Image, expected: Expected, reach: int, lens: Bend) -> GridCheck:
    check = on_printed_grid(image, replace(expected, reach=reach), lens)
    return on_printed_grid(image, replace(expected, placement=check.placement, reach=REACH), lens)


def _away(places: Places, tags: Match) -> NDArray[np.float64]:
    """How far places are from the nearest tag, in mm."""
    middles = tags.places.reshape(-1, 4, 2).mean(axis=1)
    return np.asarray(np.hypot(*(places[:, None] - middles).transpose(2, 0, 1)).min(axis=1), np.float64)


def _refitted(
    check: GridCheck, size: tuple[int, int], lens: Bend, reach: int = REACH, rounds: int = ROUNDS
) -> GridCheck:
    assert check.seen is not None
    found = fitted(check.seen, check.placement, size, lens, rounds)
    if found is None or _moved(check.placement, found[0]) > reach * _MM * 1.5:
        return replace(check, seen=None)
    return replace(check, placement=found[0], bend=found[1])


def with_one_lens(checks: Sequence[GridCheck], size: tuple[int, int]) -> list[GridCheck]:
    """The same sheets, now that all of them have told how the lens bends: one picture has one lens."""
    told = [check.bend for check in checks if check.seen is not None]
    if len(told) < 2:
        return list(checks)
    sureness = sum(bend.sureness for bend in told)
    lens = Bend(sum(bend.value * bend.sureness for bend in told) / max(sureness, 1e-9), _ONE_LENS)
    return [check if check.seen is None else _refitted(check, size, lens, rounds=2) for check in checks]


def _weighted(found: Match, tags: Match, part: float = 0.33) -> Match:
    """The tags hold what is outside the grid; all together they count as much as a part of the grid."""
    share = part * len(found.places) / max(len(tags.places), 1)
    return found.joined(Match(tags.places, tags.pixels, np.full(len(tags.places), share)))


def _moved(before: Placement, after: Placement) -> float:
    """How far the grid moved at most, in mm."""
    places = _nodes()
    return float(np.hypot(*(before.pixels(places) - after.pixels(places)).T).max()) / before.scale


@lru_cache(maxsize=1)
def _nodes() -> Places:
    """The crossings of the grid's lines in mm."""
    columns, rows = np.meshgrid(np.arange(GRID.columns + 1.0), np.arange(GRID.rows + 1.0))
    nodes: Places = np.asarray(PRINTED.grid.corner) + PRINTED.grid.cell * np.stack(
        [columns.ravel(), rows.ravel()], axis=1
    )
    return nodes


@lru_cache(maxsize=1)
def _crossings() -> NDArray[np.int64]:
    """The crossings in pixels of a grid picture."""
    pixels: NDArray[np.int64] = np.rint((_nodes() - np.asarray(PRINTED.grid.corner)) / _MM + _MARGIN).astype(
        np.int64
    )
    return pixels


@lru_cache(maxsize=4)
def _blank(edition: EditionName) -> Image:
    """The empty grid as it is printed, in grey, as a reader would straighten it."""
    dpi = 150
    sheet = np.ascontiguousarray(np.asarray(picture(sheet_drawing(1, edition), dpi))[:, :, ::-1])
    scale = dpi / 25.4
    return _grey(grid_picture(sheet, Placement(np.diag([scale, scale, 1.0])), _SIZE, _MARGIN))


def _grey(grid: Image) -> Image:
    return np.asarray(cv2.cvtColor(grid, cv2.COLOR_BGR2GRAY), np.uint8)


@lru_cache(maxsize=4)
def _patches(edition: EditionName, reach: int) -> list[tuple[Image, tuple[slice, slice]]]:
    """The print around every crossing, and where in a grid picture it is looked for."""
    blank, found = _blank(edition), []
    side = blank.shape[0]
    for x, y in _crossings().tolist():
        left, top = max(x - _HALF, reach), max(y - _HALF, reach)
        right, bottom = min(x + _HALF, side - reach), min(y + _HALF, side - reach)
        around = slice(top - reach, bottom + reach), slice(left - reach, right + reach)
        found.append((blank[top:bottom, left:right], around))
    return found


def _found_nodes(image: Image, expected: Expected) -> tuple[Match, float]:
    """Where the crossings of the printed grid are in the picture, and the share of them that was found."""
    seen = _grey(grid_picture(image, expected.placement, _SIZE, _MARGIN))
    likeness = np.stack(
        [
            cv2.matchTemplate(seen[around], patch, cv2.TM_CCOEFF_NORMED)
            for patch, around in _patches(expected.edition, expected.reach)
        ]
    ).astype(np.float32, copy=False)
    moves, alike = _peaks(likeness)
    kept = (alike > _ALIKE) & (_contrast(seen) > _LEAST_CONTRAST)
    nodes = _nodes()[kept]
    return Match(nodes, expected.placement.pixels(nodes + moves[kept] * _MM), alike[kept] ** 2), float(
        kept.mean()
    )


def _contrast(seen: Image) -> NDArray[np.float64]:
    """How much the values around every crossing differ: where all are equal, anything is alike."""
    side = (2 * _HALF + 1, 2 * _HALF + 1)
    mean, square = cv2.blur(seen.astype(np.float32), side), cv2.sqrBoxFilter(seen, cv2.CV_32F, side)
    across, down = _crossings().T
    return np.asarray(np.sqrt(np.maximum(square - mean**2, 0))[down, across], np.float64)


def _peaks(likeness: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far each patch has moved, (n, 2) in pixels, and how alike it looks there; nil at the rim."""
    reach = likeness.shape[1] // 2
    every = np.arange(len(likeness))
    rows, columns = np.divmod(likeness.reshape(len(likeness), -1).argmax(axis=1), likeness.shape[2])
    # At the rim of what was searched it may be anything.
    inside = (rows > 0) & (rows < 2 * reach) & (columns > 0) & (columns < 2 * reach)
    middle_rows, middle_columns = rows.clip(1, 2 * reach - 1), columns.clip(1, 2 * reach - 1)
    across = [likeness[every, middle_rows, middle_columns + step] for step in (-1, 0, 1)]
    down = [likeness[every, middle_rows + step, middle_columns] for step in (-1, 0, 1)]
    moves = np.stack([columns - reach + _peak(*across), rows - reach + _peak(*down)], axis=1)
    return moves, np.where(inside, across[1], 0.0).astype(np.float64)


def _peak(
    before: NDArray[np.float32], middle: NDArray[np.float32], after: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Where between its neighbours the highest of three values really is."""
    curve = np.minimum(before - 2.0 * middle + after, -1e-9)
    return np.asarray(np.clip(0.5 * (before - after) / curve, -0.5, 0.5), np.float64)
