"""Finds taught boards in other photographs, by stickers around them or by their own print.

    SIFT features -> homography (MAGSAC) -> lens bend -> landmarks of the taught picture -> sag of the paper

Features say roughly where a board lies. What decides is the print itself: patches of the taught picture are
looked for around their landmarks, and a board whose print is not found there is not there. Landmarks on which
no piece can lie are preferred, so that a crowded board is found as well as an empty one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.sheet import Sheet
from vision.find.by_tags import FoundSheet
from vision.find.landmarks import MARGIN, Print, corners_of
from vision.find.tags import FoundTag
from vision.register.placing import Match, is_sensible, weighted_homography
from vision.register.print_register import FAR, MAX_NLL, Expected, found_landmarks, on_print
from vision.register.rectify import Image, Placement, Places, Sag
from vision.taught.boards import TaughtBoard, picture_to_sheet, taught_blank, taught_image

_LEAST_STICKERS = 2
_FEATURES, _TILES = 5000, 10  # features of a picture, spread over so many times so many tiles
# Pixels of the pictures in which features are looked for, the second only if the first shows no board. In the
# smaller one what repeats everywhere, as the marks of a lattice do, has vanished; coasts and names are left.
_LONGEST = (720, 1400)
_STRIP, _AROUND = 480, 80  # pixels of such a picture that are looked through at once, and of what lies beside
_AT_ONCE = 1000  # features of the taught picture that are compared with all of another
_UNIQUE = 0.8  # a match must be so much nearer than the next one
_LEAST_AGREEING = 12  # features that fit one homography
_BEYOND_CHANCE = 80  # features that prove a board by themselves, however badly its print is seen
_REPROJECTION = 5.0  # pixels by which they may be off it: lenses bend, paper bows
_LONGEST_PRINT = 1000  # pixels of the picture in which landmarks are looked for
_LEAST_CORNER = 2e-5  # of the smaller eigenvalue, for photographs
_PROVEN = 0.3  # of the landmarks: fewer, and the board is not there
_KNOTS = 9  # of the sag, along the longer side
_STIFF, _SMALL = 6.0, 0.02  # how much the sag's bending and its size cost beside a landmark
_MISSED = 1.2  # pixels: landmarks farther off what their neighbours say hardly count
_SAG_ROUNDS = 4

Features: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float32]]  # places in pixels, descriptors


def find_taught(
    image: Image,
    board: TaughtBoard,
    sheet: Sheet,
    stickers: Sequence[FoundTag] = (),
    marked: Placement | None = None,
) -> FoundSheet | None:
    """Find a taught board in a picture and place it on its own print; it stands for ``sheet``.

    ``marked`` is where somebody dragged its corners to, which need not be exact.
    """
    by_stickers = _by_stickers(image, board, sheet, stickers)
    if by_stickers is not None:
        return on_taught_print(image, board, sheet, by_stickers.placement) or by_stickers
    proven = None
    for longest in _LONGEST:
        by_features = _by_features(image, board, sheet, marked, longest)
        if by_features is None:
            continue
        placed = on_taught_print(image, board, sheet, by_features.placement)
        if placed is not None:
            return placed
        if len(by_features.match.places) >= _BEYOND_CHANCE:
            proven = proven or by_features
    return (None if marked is None else on_taught_print(image, board, sheet, marked)) or proven


def _by_stickers(
    image: Image, board: TaughtBoard, sheet: Sheet, stickers: Sequence[FoundTag]
) -> FoundSheet | None:
    known = [tag for tag in stickers if tag.number in board.tags]
    if len(known) < _LEAST_STICKERS:
        return None
    places = np.concatenate([np.array(board.tags[tag.number]) for tag in known])
    pixels = np.concatenate([tag.pixels for tag in known])
    homography = weighted_homography(places, pixels)
    if homography is None:
        return None
    return _found(sheet, Placement(homography), Match(places, pixels, np.ones(len(places))), image)


def _found(sheet: Sheet, placement: Placement, match: Match, image: Image) -> FoundSheet | None:
    if not is_sensible(placement, np.array(sheet.area), (image.shape[1], image.shape[0])):
        return None
    return FoundSheet(sheet, placement, match, True, "taught")


# --- roughly, by features ---


@lru_cache(maxsize=8)
def _taught_features(picture: str, longest: int) -> Features:
    return spread_features(taught_image(picture), None, longest)


def _by_features(
    image: Image, board: TaughtBoard, sheet: Sheet, marked: Placement | None, longest: int
) -> FoundSheet | None:
    """Match SIFT features with the taught picture's and fit a homography (MAGSAC)."""
    within = None if marked is None else _around(marked, sheet)
    taught, seen = _taught_features(board.picture, longest), spread_features(image, within, longest)
    pairs = _pairs(taught, seen)
    if len(pairs) < _LEAST_AGREEING:
        return None
    places = Placement(picture_to_sheet(board, sheet)).pixels(taught[0][pairs[:, 0]])
    pixels = seen[0][pairs[:, 1]]
    reach = _REPROJECTION * max(1.0, max(image.shape[:2]) / longest)
    homography, inliers = cv2.findHomography(places, pixels, cv2.USAC_MAGSAC, reach, maxIters=8000)
    if homography is None or int(inliers.sum()) < _LEAST_AGREEING:
        return None
    placement = Placement(
        np.asarray(homography, np.float64),
        (image.shape[1] / 2, image.shape[0] / 2),
        max(image.shape[:2]) / 2,
    )
    agreeing = inliers.ravel().astype(bool)
    match = Match(places[agreeing], pixels[agreeing], np.ones(int(agreeing.sum())))
    return _found(sheet, placement, match, image)


def _around(marked: Placement, sheet: Sheet) -> Places:
    """The corners in pixels of the marked board, enlarged a little."""
    corners = marked.pixels(np.array(sheet.area))
    middle = corners.mean(axis=0)
    wide: Places = middle + (corners - middle) * 1.06
    return wide


def spread_features(image: Image, within: Places | None, longest: int) -> Features:
    """SIFT features spread over the picture, at continuous pixels.

    Spreading them keeps the surroundings of a board from using up all features: a checked cloth has more
    corners than a map.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    share = min(1.0, longest / max(grey.shape))
    if share < 1:
        grey = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    mask = None
    if within is not None:
        mask = np.zeros(grey.shape, np.uint8)
        cv2.fillPoly(mask, [np.rint(np.clip(within * share, -(2**14), 2**14)).astype(np.int32)], 255)
    low, high = np.percentile(grey[::5, ::5], (1, 99))
    even = cv2.convertScaleAbs(grey, alpha=230 / max(high - low, 24), beta=-low * 230 / max(high - low, 24))
    # Strip by strip: of a whole picture all enlarged and blurred copies would take 350 MB
    sift = cv2.SIFT_create(0, contrastThreshold=0.025)  # type: ignore[attr-defined]
    places: list[NDArray[np.float64]] = []
    descriptors: list[NDArray[np.float32]] = []
    responses: list[NDArray[np.float64]] = []
    for top in range(0, even.shape[0], _STRIP):
        low_row, end = max(0, top - _AROUND), top + _STRIP
        part = slice(low_row, end + _AROUND)
        points, described = sift.detectAndCompute(even[part], None if mask is None else mask[part])
        if described is None or not len(points):
            continue
        at = np.array([point.pt for point in points]) + np.array([0.0, low_row])
        own = (at[:, 1] >= top) & (at[:, 1] < end)
        places.append(at[own])
        descriptors.append(described[own])
        responses.append(np.array([point.response for point in points])[own])
    if not sum(map(len, places)):
        return np.empty((0, 2)), np.empty((0, 128), np.float32)
    found = np.concatenate(places)
    kept = _spread(found, np.concatenate(responses), (grey.shape[1], grey.shape[0]))
    told = np.concatenate(descriptors)[kept]
    # Hellinger's kernel (RootSIFT) tells features apart better than Euclid's distance.
    roots = np.sqrt(told / np.maximum(told.sum(axis=1, keepdims=True), 1e-6))
    return (found[kept] + 0.5) / share, np.asarray(roots, np.float32)


def _spread(places: Places, responses: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.int64]:
    """The strongest features of every tile, so that they cover the picture."""
    order = np.argsort(-responses, kind="stable")
    tiles = (_TILES * places[order] / size).astype(np.int64) @ [_TILES + 1, 1]
    by_tile = np.argsort(tiles, kind="stable")  # still the strongest first
    _, first, inverse = np.unique(tiles[by_tile], return_index=True, return_inverse=True)
    rank = np.arange(len(order)) - first[inverse]
    return order[by_tile[rank < _FEATURES // len(first)]]


def _pairs(taught: Features, seen: Features) -> NDArray[np.int64]:
    """Match features, (n, 2) indices: nearest neighbours that pass Lowe's ratio test."""
    if min(len(taught[1]), len(seen[1])) < 2:
        return np.empty((0, 2), np.int64)
    pairs = []
    for start in range(0, len(taught[1]), _AT_ONCE):
        # Of unit length: the squared distance is 2 - 2 times this
        alike = taught[1][start : start + _AT_ONCE] @ seen[1].T
        best = alike.argmax(axis=1)
        every = np.arange(len(best))
        nearest = np.maximum(2 - 2 * alike[every, best], 0)
        alike[every, best] = -1
        next_ = np.maximum(2 - 2 * alike.max(axis=1), 1e-9)
        good = nearest < _UNIQUE**2 * next_
        pairs.append(np.stack([start + every[good], best[good]], axis=1))
    return np.concatenate(pairs)


# --- exactly, by the print ---


@lru_cache(maxsize=8)
def _taught_print(board_picture: str, scale: float, rim: float, sheet: Sheet) -> Print:
    board = TaughtBoard("", 0, "", board_picture, {}, scale, rim)
    (left, top), _, (right, bottom), _ = sheet.area
    fineness = min(scale, _LONGEST_PRINT / max(right - left, bottom - top))
    picture = taught_blank(board, sheet, fineness, MARGIN)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    shunned = np.zeros(grey.shape, np.uint8)
    quads = np.array([slot.quad for slot in sheet.slots.values()], np.float64).reshape(-1, 4, 2)
    pixels = np.rint((quads - (left, top)) * fineness + MARGIN).astype(np.int32)
    # A board that is slots all over (a grid) has its landmarks in them.
    cv2.fillPoly(shunned, list(pixels), 1)
    mask = shunned.astype(bool) if 0 < shunned.mean() < 0.5 else None
    chosen = corners_of(grey, mask, _LEAST_CORNER)
    places = np.asarray((chosen + 0.5 - MARGIN) / fineness + (left, top), np.float64)
    return Print(sheet.area, grey, fineness, places, chosen)


def on_taught_print(image: Image, board: TaughtBoard, sheet: Sheet, start: Placement) -> FoundSheet | None:
    """Refine the board on its print; None where the print is not found."""
    known = _taught_print(board.picture, board.scale, board.rim, sheet)
    if len(known.places) < _LEAST_AGREEING:
        return None
    if start.radius == 1.0:
        centre = image.shape[1] / 2, image.shape[0] / 2
        start = replace(start, centre=centre, radius=max(image.shape[:2]) / 2)
    expected = Expected(sheet, start, reach=FAR, print=known)
    for reach in (FAR, MAX_NLL, MAX_NLL):
        check = on_print(image, replace(expected, reach=reach))
        if check.seen is None:
            return None
        expected = replace(expected, placement=check.placement)
    sagging = replace(expected, placement=_with_sag(image, replace(expected, reach=FAR)), reach=MAX_NLL)
    match, alike = found_landmarks(image, sagging)
    if alike < _PROVEN:
        return None
    return _found(sheet, sagging.placement, match, image)


def _with_sag(image: Image, expected: Expected) -> Placement:
    """Add the landmarks' smoothed residuals to a placement as sag: boards bow, and fold at their folds."""
    match, _ = found_landmarks(image, expected)
    off = match.pixels - expected.placement.pixels(match.places)
    per_pixel = expected.placement.scale_at(expected.sheet.middle) / expected.known.scale
    low, _, high, _ = expected.sheet.area
    moves = smooth_moves(match.places, off, match.weights, (low, high), _MISSED * per_pixel)
    return replace(expected.placement, sag=Sag(low, high, moves))


def smooth_moves(
    places: Places,
    off: Places,
    weights: NDArray[np.float64],
    area: tuple[tuple[float, float], tuple[float, float]],
    missed: float,
) -> NDArray[np.float32]:
    """Fit a smooth field at the knots of a grid: reweighted least squares, penalising second differences."""
    low, high = np.asarray(area[0]), np.asarray(area[1])
    across, down = high - low
    columns = max(3, round(_KNOTS * across / max(across, down)))
    rows = max(3, round(_KNOTS * down / max(across, down)))
    base = _bilinear(np.clip((places - low) / (high - low), 0, 1), rows, columns)
    # The operator of second differences at the knots, across and down
    knots = np.arange(rows * columns).reshape(rows, columns)
    found = []
    for lines in (knots, knots.T):
        for line in lines:
            for n in range(1, len(line) - 1):
                row = np.zeros(rows * columns)
                row[line[n - 1]], row[line[n]], row[line[n + 1]] = 1, -2, 1
                found.append(row)
    stiff = np.array(found)
    penalty = _STIFF * stiff.T @ stiff + _SMALL * np.eye(rows * columns)
    trust = weights
    field = np.zeros((rows * columns, 2))
    for _ in range(_SAG_ROUNDS):
        heavy = base * trust[:, None]
        field = np.linalg.solve(heavy.T @ base + penalty, heavy.T @ off)
        left = np.hypot(*(off - base @ field).T)
        trust = weights / (1 + (left / missed) ** 2) ** 2
    return field.reshape(rows, columns, 2).astype(np.float32)


def _bilinear(shares: Places, rows: int, columns: int) -> NDArray[np.float64]:
    """The bilinear weight of each knot at each place, (n, knots)."""
    x, y = (shares * [columns - 1, rows - 1]).T
    left, top = np.minimum(x.astype(int), columns - 2), np.minimum(y.astype(int), rows - 2)
    right, below = x - left, y - top
    base = np.zeros((len(shares), rows * columns))
    every = np.arange(len(shares))
    for dy, wy in ((0, 1 - below), (1, below)):
        for dx, wx in ((0, 1 - right), (1, right)):
            base[every, (top + dy) * columns + left + dx] += wy * wx
    return base
