"""Boards taught by their owner, each from one photograph of it while empty."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.core.jsontext import json_of
from companion.sheets.drawing import Drawing, Quad, rectangle
from companion.sheets.sheet import Sheet, Slot
from vision.decoding import decoded
from vision.errors import PlacementError
from vision.find.tags import find_tags
from vision.register.placing import is_sensible, is_turned, weighted_homography
from vision.register.rectify import Image, Matrix, Placement, straightened

_SCALE = 4.5  # pixels per mm of the taught picture
_RIM = 18.0  # mm around the area that are kept too: what is printed there is hardly ever drawn on
_LONGEST = 2400  # pixels of a taught picture: a big board has fewer for a mm
_RIM_SHARE = 0.03  # of the longer side: what is kept around a board whose unit nobody knows


class SegmentBoard(msgspec.Struct, frozen=True):
    """Quadrilaterals for pieces on a board that belongs to no game, and their groups.

    ``size`` is that of the plane, in any unit; its corners are those that were dragged. ``colours`` are those
    of the pieces, where the owner said so.
    """

    size: tuple[float, float]
    slots: dict[str, Quad]
    groups: dict[str, tuple[str, ...]] = {}
    colours: tuple[str, ...] = ()


class TaughtBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board as it looks empty, straightened; its area lies in the middle of the picture."""

    name: str
    seat: int
    edition: str
    picture: str  # JPEG, base64: the area with its rim
    # Corner tags stuck around it: their numbers and, in mm as of our own sheets, their corners.
    tags: dict[int, tuple[tuple[float, float], ...]] = {}
    scale: float = _SCALE  # pixels of the picture per mm (or the unit of ``segments``)
    rim: float = _RIM  # around the area, in the same unit
    segments: SegmentBoard | None = None  # of a board that stands for no sheet of ours
    described: str = ""  # what is printed on it as its owner wrote that for the game, where it is not ours


def placed_by_corners(
    corners: Sequence[tuple[float, float]], sheet: Sheet, size: tuple[int, int]
) -> Placement:
    """The placement of a board by its marked corners, clockwise from its own top left."""
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
    """Teach an empty board from a photograph and the corners of its area in it.

    ``sheet`` is our own sheet for which the board shall stand: it gives the measures. Stickers that belong to
    it, or to any of ``sheets``, may be stuck around the board.
    """
    placement = placed_by_corners(corners, sheet, (image.shape[1], image.shape[0]))
    return teach_placed(name, image, placement, sheet, sheets=sheets)


def teach_placed(
    name: str,
    image: Image,
    placement: Placement,
    sheet: Sheet,
    described: str = "",
    sheets: Sequence[Sheet] = (),
) -> TaughtBoard:
    """Teach an empty board from a photograph in which it is placed already; ``described``: by its owner."""
    (left, top), _, (right, bottom), _ = sheet.area
    scale = min(_SCALE, _LONGEST / max(right - left, bottom - top))
    picture = _taught_picture(image, placement, sheet, scale, _RIM)
    stickers = _stickers_on_sheet(image, placement, sheets or (sheet,))
    return TaughtBoard(name, sheet.seat, sheet.edition, picture, stickers, scale, _RIM, described=described)


def teach_segments(
    name: str,
    image: Image,
    corners: Sequence[tuple[float, float]],
    segments: SegmentBoard,
    described: str = "",
) -> TaughtBoard:
    """Teach an empty board of segments from a photograph and the corners of its plane in it.

    ``described`` is the board as its owner wrote it for a game.
    """
    sheet = segment_sheet(name, segments)
    pixels = image.shape[1], image.shape[0]
    placement = placed_by_corners(corners, sheet, pixels)
    if is_turned(placement, segments.size, pixels):
        raise PlacementError(
            "the corners are turned by a quarter: begin at the board's own top left, and go on clockwise"
        )
    longest = max(segments.size)
    scale = min(1.25 * placement.scale_at(sheet.middle), _LONGEST / longest)
    rim = _RIM_SHARE * longest
    picture = _taught_picture(image, placement, sheet, scale, rim)
    return TaughtBoard(name, 0, "", picture, {}, scale, rim, segments, described)


def segment_sheet(name: str, segments: SegmentBoard) -> Sheet:
    """The board as a sheet; its unit takes the place of the mm."""
    outline = rectangle((0.0, 0.0), segments.size)
    slots = {slot: Slot(_around(quad), "segment") for slot, quad in segments.slots.items()}
    return Sheet(name, "", 0, segments.size, {}, slots, outline, lambda: Drawing(segments.size, ()))


def _around(quad: Quad) -> Quad:
    """Sort the corners clockwise around their centre."""
    middle = np.mean(quad, axis=0)
    a, b, c, d = sorted(
        quad, key=lambda corner: float(np.arctan2(corner[1] - middle[1], corner[0] - middle[0]))
    )
    return a, b, c, d


def _taught_picture(image: Image, placement: Placement, sheet: Sheet, scale: float, rim: float) -> str:
    straight = straightened(image, placement, sheet, scale, 0, _with_rim(sheet, rim))
    _, packed = cv2.imencode(".jpg", straight, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return base64.b64encode(packed.tobytes()).decode()


def _with_rim(sheet: Sheet, rim: float) -> Quad:
    (left, top), _, (right, bottom), _ = sheet.area
    return rectangle((left - rim, top - rim), (right - left + 2 * rim, bottom - top + 2 * rim))


def _stickers_on_sheet(
    image: Image, placement: Placement, sheets: Sequence[Sheet]
) -> dict[int, tuple[tuple[float, float], ...]]:
    to_sheet = Placement(np.asarray(np.linalg.inv(placement.homography), np.float64))
    return {
        tag.number: tuple((float(x), float(y)) for x, y in to_sheet.pixels(tag.pixels))
        for tag in find_tags(image, sheets)
        if tag.sticker
    }


# --- what was taught ---


@lru_cache(maxsize=4)
def taught_image(picture: str) -> Image:
    """The pixels of a taught picture."""
    return decoded(base64.b64decode(picture), 1).image


def picture_to_sheet(board: TaughtBoard, sheet: Sheet) -> Matrix:
    """The homography from pixels of the taught picture to mm (or units) of its sheet."""
    left, top = np.asarray(sheet.area[0]) - board.rim
    return np.array([[1 / board.scale, 0, left], [0, 1 / board.scale, top], [0, 0, 1]])


def taught_blank(board: TaughtBoard, sheet: Sheet, scale: float, margin: int = 0) -> Image:
    """The empty board straightened by :func:`vision.register.rectify.straightened`."""
    to_picture = Placement(np.asarray(np.linalg.inv(picture_to_sheet(board, sheet)), np.float64))
    return straightened(taught_image(board.picture), to_picture, sheet, scale, margin)


def save_taught(board: TaughtBoard, path: Path) -> None:
    """Write a taught board to a file."""
    path.write_bytes(json_of(board))


def load_taught(path: Path) -> TaughtBoard:
    """A taught board from its file."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=TaughtBoard)
    except (OSError, msgspec.DecodeError) as error:
        raise PlacementError(f"{path} is no taught board: teach it again") from error
