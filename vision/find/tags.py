"""Finds corner tags: their outlines in a small copy of a picture, their numbers in the picture itself.

Most of the time that it takes to find tags goes into outlines, and there are a million of them in the grain
of a big picture. So outlines of four corners are looked for in a small copy, where little grain is left.
Each becomes a tile of one size and full contrast, cut out of the picture as it is, and what these tiles show
is deciphered in one go: small tags are enlarged, dark and pale ones become black and white. Tiles that tell
nothing are sharpened and deciphered again: a tag out of focus has lost its edges, and not yet its squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.sheet import Sheet
from vision.register.rectify import Image, Places

# Pixels of the copy in which outlines are looked for; soft ones are plainest in a coarse copy, sharpened.
COARSE, QUICK, THOROUGH = 0.2e6, 0.8e6, 3.2e6
_ABOUT = 0.15
_LEAST_SIDE = 7  # pixels of a tag in that copy
_TILE = 64  # pixels of a tile
_ROOM = 1.5  # how much more than an outline its tile shows
_LEAST_IN_TILE = 20  # pixels of a tag in its tile, which is small if it stands on a corner
_SQUARES = 8  # along the side of a tag, with its black frame
_LEAST_LIKE, _MOST_TILES = 0.3, 150  # what is hardly like a tag is not deciphered
_WORTH_SHARPENING = 0.6
_SKIPPING = 1.6  # pixels of the picture to one of a tile from which it is made smaller first
# Of the tags' 36 squares 5 could be misread without mistaking one tag for another: this share of them may be.
_MISREAD = 0.8
# Unsharp masking: sigma in pixels of a tile, and strength; the same for the coarse copy.
_AS_IT_IS = (1.0, 0.0)
_SHARPENING = (_AS_IT_IS, (2.5, 2.0), (4.0, 3.5))
_SHARPENED_COPY = (2.0, 2.0)


@dataclass(frozen=True, eq=False)
class FoundTag:
    """A corner tag: its sheet, its number, and its corners in pixels, clockwise from its own top left."""

    sheet: Sheet
    number: int
    pixels: Places
    sticker: bool = False  # stuck around a genuine board: where its area lies must be taught


def shortest_side(quad: Places) -> float:
    """The length of the shortest side of a quadrilateral (4, 2)."""
    return float(np.hypot(*(np.roll(quad, -1, 0) - quad).T).min())


@dataclass(frozen=True, eq=False)
class SeenTags:
    """The tags in a picture, and the outlines that only look like tags, most likely first.

    ``likeness``: the score of each outline; ``others``: the numbers of other sheets' tags, which are not
    among the outlines.
    """

    tags: tuple[FoundTag, ...]
    outlines: Places
    likeness: NDArray[np.float64]
    others: frozenset[int] = frozenset()

    def joined(self, other: SeenTags) -> SeenTags:
        """The tags and outlines of two passes over one picture, without duplicates."""
        new = _apart_from(other.outlines, [*self.outlines])
        likeness = np.concatenate([self.likeness, other.likeness[new]])
        order = np.argsort(-likeness, kind="stable")
        outlines = np.concatenate([self.outlines, other.outlines[new]])
        tags, others = tuple(every_tag(self.tags, other.tags)), self.others | other.others
        return SeenTags(tags, outlines[order], likeness[order], others)


def find_tags(image: Image, sheets: Iterable[Sheet], effort: float = QUICK) -> list[FoundTag]:
    """All corner tags of these sheets in a picture; ``effort`` is :data:`QUICK` or :data:`THOROUGH`."""
    return [*seen_tags(grey_of(image), sheets, effort).tags]


def seen_tags(grey: Image, sheets: Iterable[Sheet], effort: float) -> SeenTags:
    """The tags in a grey picture, and the outlines that only look like tags."""
    carriers = _carriers(sheets)
    outlines = _outlines(grey, effort)
    numbered = deciphered(grey, outlines)
    outlines = outlines[_apart_from(outlines, [quad for number, quad in numbered if number not in carriers])]
    tags = [
        FoundTag(carrier[0], number, pixels, sticker=carrier[1])
        for number, pixels in numbered
        if (carrier := carriers.get(number)) is not None
    ]
    others = frozenset(number for number, _ in numbered if number not in carriers)
    return SeenTags(tuple(every_tag(tags)), outlines, _likeness(grey, outlines), others)


def grey_of(image: Image) -> Image:
    """Convert a picture to grey."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _carriers(sheets: Iterable[Sheet]) -> dict[int, tuple[Sheet, bool]]:
    """By tag number, the sheet that carries the tag, and whether it is a sticker."""
    carriers: dict[int, tuple[Sheet, bool]] = {}
    for sheet in sheets:
        for numbers, sticker in ((sheet.tags, False), (sheet.stickers, True)):
            for number in numbers:
                other, _ = carriers.setdefault(number, (sheet, sticker))
                if other is not sheet:
                    raise ValueError(f"{other.key} and {sheet.key} carry the same tag: look for one of them")
    return carriers


def numbered_quads(image: Image, effort: float = QUICK) -> list[tuple[int, Places]]:
    """The numbers and corners of tags of any sheet, possibly with duplicates."""
    grey = grey_of(image)
    return deciphered(grey, _outlines(grey, effort))


def _outlines(grey: Image, effort: float) -> Places:
    """The quadrilaterals in the picture that may be tags, (n, 4, 2)."""
    small, share = _small_copy(grey, effort)
    if effort == COARSE:
        small = _sharpened(small, *_SHARPENED_COPY)
    # OpenCV counts in shares of the longer side; rounded, so that few detectors are made.
    longest = -(-max(small.shape) // 256) * 256
    known, _, others = _outliner(longest).detectMarkers(small)
    # OpenCV counts from the middle of the first pixel.
    quads = (np.array([*known, *others], np.float64).reshape(-1, 4, 2) + 0.5) / share
    likeness = _likeness(grey, quads)
    order = np.argsort(-likeness, kind="stable")[:_MOST_TILES]
    return np.asarray(quads[order][likeness[order] > _LEAST_LIKE], np.float64)


def _small_copy(grey: Image, effort: float) -> tuple[Image, float]:
    """A copy reduced to about ``effort`` pixels, and its scale factor."""
    share = min(1.0, (effort / grey.size) ** 0.5)
    step = round(1 / share)
    if step % 2 == 0 and abs(step * share - 1) < _ABOUT:  # halving is far quicker than any other way
        share = 1 / step
        grey = grey[: grey.shape[0] // step * step, : grey.shape[1] // step * step]
    if share == 1:
        return grey, 1.0
    size = (round(grey.shape[1] * share), round(grey.shape[0] * share))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8), share


def _likeness(grey: Image, quads: Places) -> NDArray[np.float64]:
    """A score (n,) of how much each outline looks like a tag: a dark frame, light around it, both inside."""
    if not len(quads):
        return np.zeros(0)
    places = np.einsum("sc,ncd->nsd", _samples()[0], quads).astype(np.float32) - np.float32(0.5)
    nothing = np.empty(0, np.float32)
    seen = cv2.remap(grey, places, nothing, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values, (_, frame, around) = seen.astype(np.float64), _samples()
    contrast = values[:, around].mean(axis=1) - values[:, frame].mean(axis=1)
    mixture = 2 * values[:, ~(frame | around)].std(axis=1) / np.maximum(contrast, 1)
    return np.asarray(contrast / (values.std(axis=1) + 4) * np.minimum(mixture, 1))


@cache
def _samples() -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
    """The modules of a tag and one ring around it.

    By module: the bilinear weights of the tag's four corners, whether it is of the frame, and of the ring.
    """
    along = (np.arange(-1, _SQUARES + 1) + 0.5) / _SQUARES
    x, y = (half.ravel() for half in np.meshgrid(along, along))
    shares = np.stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y], axis=1)
    rings = np.abs(np.stack([x, y]) - 0.5).max(axis=0) * _SQUARES
    return shares, (rings > _SQUARES / 2 - 1) & (rings < _SQUARES / 2), rings > _SQUARES / 2


def deciphered(grey: Image, outlines: Places) -> list[tuple[int, Places]]:
    """The numbers and corners of the tags that these outlines belong to."""
    found: list[tuple[int, Places]] = []
    for sharpening in _SHARPENING:
        found += _deciphered(grey, outlines, sharpening) if len(outlines) else []
        left = outlines[_apart_from(outlines, [quad for _, quad in found])]
        outlines = left[_likeness(grey, left) > _WORTH_SHARPENING]
    return found


def _apart_from(outlines: Places, quads: Sequence[Places]) -> NDArray[np.bool_]:
    """Mask (n,) of outlines that belong to none of these tags; a tag has an outer and an inner one."""
    apart = np.ones(len(outlines), np.bool_)
    middles = outlines.mean(axis=1)
    for quad in quads:
        apart &= np.hypot(*(middles - quad.mean(axis=0)).T) > 0.5 * shortest_side(quad)
    return apart


def _deciphered(grey: Image, outlines: Places, sharpening: tuple[float, float]) -> list[tuple[int, Places]]:
    """The numbers and corners of tags, all tiles sharpened alike: radius in tile pixels, and strength."""
    frames = np.array([_frame(outline) for outline in outlines])
    across = int(np.ceil(len(frames) ** 0.5))
    sheet = np.full((-(-len(frames) // across) * _TILE, across * _TILE), 255, np.uint8)
    for n, frame in enumerate(frames):
        row, column = n // across * _TILE, n % across * _TILE
        sheet[row : row + _TILE, column : column + _TILE] = _sharpened(_tile(grey, frame), *sharpening)
    quads, numbers, _ = _decipherer(max(sheet.shape)).detectMarkers(sheet)
    found = []
    for number, quad in zip(np.ravel(numbers if numbers is not None else []), quads, strict=True):
        inside = np.asarray(quad, np.float64).reshape(4, 2) + 0.5
        column, row = (inside.mean(axis=0) // _TILE).astype(int)
        left, top, scale = frames[min(row * across + column, len(frames) - 1)]
        pixels = (inside - np.array([column, row]) * _TILE) * scale + np.array([left, top])
        found.append((int(number), pixels))
    return found


def _sharpened(grey: Image, sigma: float, strength: float) -> Image:
    if not strength:
        return grey
    coarse = cv2.GaussianBlur(grey, (0, 0), sigma)
    return np.asarray(cv2.addWeighted(grey, 1 + strength, coarse, -strength, 0), np.uint8)


def every_tag(*lists: Sequence[FoundTag]) -> list[FoundTag]:
    """The tags of all lists without duplicates."""
    found: list[FoundTag] = []
    for tag in chain(*lists):
        if not any(_same(tag, other) for other in found):
            found.append(tag)
    return found


def _frame(outline: Places) -> tuple[float, float, float]:
    """The tile for an outline: its left and top in the picture, and its picture pixels per tile pixel."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    left, top = (low + high) / 2 - (half := 0.5 * _ROOM * float((high - low).max()) + 2)
    return float(left), float(top), 2 * half / _TILE


def _tile(grey: Image, frame: NDArray[np.float64]) -> Image:
    """A tile cut out of the picture, with its contrast stretched to the whole range."""
    left, top, scale = frame
    if scale > _SKIPPING:
        x, y = max(int(left), 0), max(int(top), 0)
        side = int(np.ceil(scale * _TILE)) + 1
        grey = np.asarray(
            cv2.resize(
                grey[y : y + side, x : x + side],
                None,
                fx=1 / scale,
                fy=1 / scale,
                interpolation=cv2.INTER_AREA,
            ),
            np.uint8,
        )
        left, top, scale = (left - x) / scale, (top - y) / scale, 1.0
    half = 0.5 * scale - 0.5
    matrix = np.array([[scale, 0, left + half], [0, scale, top + half]])
    flags = cv2.WARP_INVERSE_MAP | (cv2.INTER_CUBIC if scale < 1 else cv2.INTER_LINEAR)
    tile = cv2.warpAffine(grey, matrix, (_TILE, _TILE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.normalize(tile, tile, 0, 255, cv2.NORM_MINMAX), np.uint8)


def _same(one: FoundTag, other: FoundTag) -> bool:
    """Return True if this is one tag seen twice, by its outer and its inner outline."""
    away = float(np.hypot(*(one.pixels.mean(axis=0) - other.pixels.mean(axis=0))))
    return one.number == other.number and away < shortest_side(one.pixels)


# --- OpenCV's detector ---


@lru_cache(maxsize=32)
def _outliner(longest: int) -> cv2.aruco.ArucoDetector:
    """A detector of outlines in pictures of this length, tolerant of soft or slightly covered corners."""
    settings = cv2.aruco.DetectorParameters()
    settings.minMarkerPerimeterRate = 4 * _LEAST_SIDE / longest
    settings.polygonalApproxAccuracyRate = 0.045
    settings.adaptiveThreshWinSizeMin = 7
    settings.adaptiveThreshWinSizeMax = 23
    settings.adaptiveThreshWinSizeStep = 16
    return _detector(settings)


@lru_cache(maxsize=32)
def _decipherer(longest: int) -> cv2.aruco.ArucoDetector:
    """A detector that reads the tags in a mosaic of tiles of this length."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 4
    settings.relativeCornerRefinmentWinSize = 0.6  # of a tag's square; its usual 0.3 moves next to nothing
    settings.minMarkerPerimeterRate = 4 * _LEAST_IN_TILE / longest
    settings.maxMarkerPerimeterRate = 4 * _TILE / longest
    settings.adaptiveThreshWinSizeMin = 11
    settings.adaptiveThreshWinSizeMax = 23
    settings.adaptiveThreshWinSizeStep = 12
    settings.errorCorrectionRate = _MISREAD
    return _detector(settings)


def _detector(settings: cv2.aruco.DetectorParameters) -> cv2.aruco.ArucoDetector:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36H11)
    return cv2.aruco.ArucoDetector(dictionary, settings)
