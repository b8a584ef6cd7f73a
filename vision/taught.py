"""Boards of the owner's own, taught from one photograph of each while it is empty."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.kit.sheet import Sheet
from vision.decoding import decoded
from vision.errors import PlacementError
from vision.finding import FoundSheet
from vision.placing import Match, is_sensible, weighted_homography
from vision.rectify import Image, Matrix, Placement
from vision.tags import FoundTag, find_tags

_SCALE = 4.5  # pixels per mm of the taught picture
_RIM = 18.0  # mm around the area that are kept too: what is printed there is hardly ever drawn on
_LEAST_INLIERS = 25
_LEAST_STICKERS = 2
_FEATURES = 2500
_LONGEST = 1300  # pixels of the picture in which features are looked for
_UNIQUE = 0.75  # a match must be so much nearer than the next one

Features: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float32]]  # places in pixels, descriptors


class TaughtBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board as it looks empty, straightened; its area lies in the middle of the picture."""

    name: str
    seat: int
    edition: str
    picture: str  # JPEG, base64: the area with its rim
    # Corner tags stuck around it: their numbers and, in mm as of our own sheets, their corners.
    tags: dict[int, tuple[tuple[float, float], ...]] = {}


def placed_by_corners(
    corners: Sequence[tuple[float, float]], sheet: Sheet, size: tuple[int, int]
) -> Placement:
    """Where a board lies whose area somebody marked, clockwise from the board's own top left."""
    pixels, area = np.asarray(corners, np.float64), np.array(sheet.area)
    if pixels.shape != (4, 2) or not np.isfinite(pixels).all():
        raise PlacementError("four corners are needed, each with x and y in pixels")
    homography = weighted_homography(area, pixels)
    if homography is None or not is_sensible(Placement(homography), area, size):
        raise PlacementError(
            "these corners make no board: give the corners of its grid or map clockwise from its top left"
        )
    return Placement(homography)


def teach(
    name: str,
    image: Image,
    corners: Sequence[tuple[float, float]],
    sheet: Sheet,
    sheets: Sequence[Sheet] = (),
) -> TaughtBoard:
    """Learn an empty board from a photograph and the corners of its area in it.

    ``sheet`` is our own sheet for which the board shall stand: it gives the measures. Stickers that belong to
    it, or to any of ``sheets``, may be stuck around the board.
    """
    placement = placed_by_corners(corners, sheet, (image.shape[1], image.shape[0]))
    (left, top), _, (right, bottom), _ = sheet.area
    width, height = (round((length + 2 * _RIM) * _SCALE) for length in (right - left, bottom - top))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    straight = cv2.warpPerspective(
        image,
        placement.homography @ _to_sheet(sheet),
        (width, height),
        flags=flags,
        borderMode=cv2.BORDER_REPLICATE,
    )
    _, packed = cv2.imencode(".jpg", straight, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return TaughtBoard(
        name,
        sheet.seat,
        sheet.edition,
        base64.b64encode(packed.tobytes()).decode(),
        _stickers_on_sheet(image, placement, sheets or (sheet,)),
    )


def _stickers_on_sheet(
    image: Image, placement: Placement, sheets: Sequence[Sheet]
) -> dict[int, tuple[tuple[float, float], ...]]:
    to_sheet = Placement(np.asarray(np.linalg.inv(placement.homography), np.float64))
    return {
        tag.number: tuple((float(x), float(y)) for x, y in to_sheet.pixels(tag.pixels))
        for tag in find_tags(image, sheets)
        if tag.sticker
    }


def _to_sheet(sheet: Sheet) -> Matrix:
    """From pixels of a taught picture to mm."""
    left, top = np.asarray(sheet.area[0]) - _RIM
    return np.array([[1 / _SCALE, 0, left], [0, 1 / _SCALE, top], [0, 0, 1]])


def save_taught(board: TaughtBoard, path: Path) -> None:
    """Write a taught board to a file."""
    path.write_bytes(msgspec.json.encode(board))


def load_taught(path: Path) -> TaughtBoard:
    """A taught board from its file."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=TaughtBoard)
    except (OSError, msgspec.DecodeError) as error:
        raise PlacementError(f"{path} is no taught board: teach it again") from error


# --- finding it again ---


@lru_cache(maxsize=8)
def _taught_features(picture: str) -> Features:
    return _features(decoded(base64.b64decode(picture), 1).image)


def _features(image: Image) -> Features:
    """SIFT features; their places are continuous pixels."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    share = min(1.0, _LONGEST / max(grey.shape))
    if share < 1:
        grey = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    points, descriptors = cv2.SIFT_create(_FEATURES).detectAndCompute(grey, None)  # type: ignore[attr-defined]
    if descriptors is None:
        return np.empty((0, 2)), np.empty((0, 128), np.float32)
    return (np.array([point.pt for point in points]) + 0.5) / share, np.asarray(descriptors, np.float32)


def find_taught(
    image: Image, board: TaughtBoard, sheet: Sheet, stickers: Sequence[FoundTag] = ()
) -> FoundSheet | None:
    """A taught board in a picture, by the stickers around it or by its print; it stands for ``sheet``."""
    return _by_stickers(image, board, sheet, stickers) or _by_print(image, board, sheet)


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


def _by_print(image: Image, board: TaughtBoard, sheet: Sheet) -> FoundSheet | None:
    """By SIFT features of the taught picture and a homography that most of them agree on (MAGSAC)."""
    taught, seen = _taught_features(board.picture), _features(image)
    pairs = _pairs(taught, seen)
    if len(pairs) < _LEAST_INLIERS:
        return None
    places = Placement(_to_sheet(sheet)).pixels(taught[0][pairs[:, 0]])
    pixels = seen[0][pairs[:, 1]]
    homography, inliers = cv2.findHomography(places, pixels, cv2.USAC_MAGSAC, 4.0, maxIters=5000)
    if homography is None or int(inliers.sum()) < _LEAST_INLIERS:
        return None
    placement = Placement(np.asarray(homography, np.float64))
    kept = inliers.ravel().astype(bool)
    match = Match(places[kept], pixels[kept], np.ones(int(kept.sum())))
    return _found(sheet, placement, match, image)


def _pairs(taught: Features, seen: Features) -> NDArray[np.int64]:
    """Which feature is which, (n, 2): nearest neighbours that pass Lowe's ratio test."""
    if min(len(taught[1]), len(seen[1])) < 2:
        return np.empty((0, 2), np.int64)
    near = cv2.BFMatcher(cv2.NORM_L2).knnMatch(taught[1], seen[1], k=2)
    good = [(a.queryIdx, a.trainIdx) for a, b in near if a.distance < _UNIQUE * b.distance]
    return np.array(good, np.int64).reshape(-1, 2)
