"""Where the sheets lie in a picture, by their corner tags."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.kit.tags import CORNERS, tag_place
from companion.games.railroad_ink.printed import PRINTED, check_edition, tag_kind, tag_quads
from companion.games.railroad_ink.rulebook import EDITIONS, GRID, EditionName
from vision.placing import Match, fitted, is_sensible, misses
from vision.rectify import Image, Placement, Places

SHEET_OUTLINE = np.array(
    [(0, 0), (PRINTED.size[0], 0), PRINTED.size, (0, PRINTED.size[1])], np.float64
)  # clockwise from the top left
_MOST_MISS = 1.6  # mm by which a tag may be off where the others say it should be
_MOST_OF_ONE = 8  # tags of one number that are looked at in one picture
_LEAST_SIDE = 11  # pixels of a tag: below it nothing is decoded


@dataclass(frozen=True)
class SheetName:
    """Which sheet this is."""

    edition: EditionName
    seat: int


@dataclass(frozen=True, eq=False)
class FoundTag:
    """A corner tag: which corner of which sheet, and its own corners clockwise from its top left."""

    name: SheetName
    corner: int
    number: int
    pixels: Places
    sticker: bool = False  # on a genuine board: where its grid lies must be taught


@dataclass(frozen=True, eq=False)
class FoundSheet:
    """A sheet in the picture; ``sure`` when its tags alone prove it, and the grid need not."""

    name: SheetName
    placement: Placement
    match: Match
    sure: bool
    found_by: str = "tags"

    @property
    def corners(self) -> Places:
        """The corners of the sheet in pixels, clockwise from its own top left."""
        return self.placement.pixels(SHEET_OUTLINE)


@dataclass(frozen=True)
class Found:
    """The sheets of a picture, and tags that belong to no sheet that could be placed."""

    sheets: tuple[FoundSheet, ...]
    lonely: tuple[FoundTag, ...] = ()
    stickers: tuple[FoundTag, ...] = ()


_KINDS: dict[str, EditionName] = {
    tag_kind(edition) + suffix: edition for edition in EDITIONS for suffix in ("", "-stickers")
}


def grid_corners() -> Places:
    """The corners of the grid, in mm on the sheet, clockwise from the top left."""
    left, top = PRINTED.grid.corner
    right, bottom = left + GRID.columns * PRINTED.grid.cell, top + GRID.rows * PRINTED.grid.cell
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


@cache
def _detector(longest: int) -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 4
    # OpenCV counts in shares of the longer side. Without this a grainy picture has a million candidates.
    settings.minMarkerPerimeterRate = 4 * _LEAST_SIDE / longest
    settings.adaptiveThreshWinSizeMin = 5
    settings.adaptiveThreshWinSizeMax = 25
    settings.adaptiveThreshWinSizeStep = 10
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36H11), settings)


def find_tags(image: Image) -> list[FoundTag]:
    """All corner tags of our sheets in a picture."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    quads, numbers, _ = _detector(-(-max(grey.shape) // 256) * 256).detectMarkers(grey)
    if numbers is None:
        return []
    # OpenCV counts from the middle of the first pixel.
    found = [
        _tag(int(number), np.asarray(quad, np.float64).reshape(4, 2) + 0.5)
        for number, quad in zip(np.ravel(numbers), quads, strict=True)
    ]
    return [tag for tag in found if tag is not None]


def _tag(number: int, pixels: Places) -> FoundTag | None:
    place = tag_place(number)
    if place is None or place.kind not in _KINDS:
        return None
    name = SheetName(_KINDS[place.kind], place.seat)
    return FoundTag(name, place.corner, number, pixels, place.kind.endswith("-stickers"))


def shows_mirrored_tags(image: Image) -> bool:
    """Is this a mirror image, or are the sheets in it printed mirrored?"""
    return len(find_tags(np.ascontiguousarray(image[:, ::-1]))) >= 3


def find_sheets(image: Image) -> Found:
    """All sheets in a picture, by their tags; sheets with two tags only are not sure."""
    by_name: dict[SheetName, list[FoundTag]] = defaultdict(list)
    tags_seen = find_tags(image)
    for tag in tags_seen:
        if not tag.sticker:
            by_name[tag.name].append(tag)
    sheets: list[FoundSheet] = []
    lonely: list[FoundTag] = []
    size = image.shape[1], image.shape[0]
    for name, tags in sorted(by_name.items(), key=lambda pair: (pair[0].seat, pair[0].edition)):
        here, left = _sheets_of(name, tags, size)
        sheets += here
        lonely += left
    return Found(tuple(sheets), tuple(lonely), tuple(tag for tag in tags_seen if tag.sticker))


def _sheets_of(
    name: SheetName, tags: list[FoundTag], size: tuple[int, int]
) -> tuple[list[FoundSheet], list[FoundTag]]:
    """The sheets of one seat: as a rule one, but somebody may have printed a board twice."""
    found: list[FoundSheet] = []
    left = tags
    while sheet_and_tags := _best_sheet(name, left, size):
        sheet, used = sheet_and_tags
        found.append(sheet)
        left = [tag for tag in left if tag not in used]
    return found, left


def _best_sheet(
    name: SheetName, tags: list[FoundTag], size: tuple[int, int]
) -> tuple[FoundSheet, list[FoundTag]] | None:
    """The sheet on which most tags agree, and among those the most exact."""
    by_corner = [[tag for tag in tags if tag.corner == n][:_MOST_OF_ONE] for n in range(len(CORNERS))]
    for count in (4, 3, 2):
        tried = [
            (*placed, list(chosen))
            for corners in combinations([tags for tags in by_corner if tags], count)
            for chosen in product(*corners)
            if (placed := _placed(name, chosen, size)) is not None
        ]
        if tried:
            _, sheet, used = min(tried, key=lambda entry: entry[0])
            return sheet, used
    return None


def _placed(
    name: SheetName, tags: tuple[FoundTag, ...], size: tuple[int, int]
) -> tuple[float, FoundSheet] | None:
    """The sheet that carries these tags, if they fit together, and how badly, in mm."""
    match = _match(name, tags)
    placement = fitted(match, size)
    if placement is None or not is_sensible(placement, SHEET_OUTLINE, size):
        return None
    miss = float(misses(placement, match).max()) / placement.scale
    sure = len(tags) >= 3
    # Two tags can be placed in one way only, so they always fit fairly well.
    if miss > (_MOST_MISS if sure else 0.6 * _MOST_MISS):
        return None
    return miss, FoundSheet(name, placement, match, sure)


def _match(name: SheetName, tags: tuple[FoundTag, ...]) -> Match:
    quads = _quads(name)
    places = np.concatenate([quads[tag.corner] for tag in tags])
    pixels = np.concatenate([tag.pixels for tag in tags])
    return Match(places, pixels, np.ones(len(places)))


def _quads(name: SheetName) -> list[NDArray[np.float64]]:
    return [np.array(quad, np.float64) for quad in tag_quads(check_edition(name.edition), name.seat).values()]


def too_little_seen(found: Found, checked: tuple[FoundSheet, ...]) -> list[SheetName]:
    """Sheets of which something was found, but not enough to place them and prove it on their print."""
    names = {tag.name for tag in found.lonely} | {sheet.name for sheet in found.sheets}
    placed = {sheet.name for sheet in checked}
    return sorted(names - placed, key=lambda name: (name.seat, name.edition))


def smallest_tag(found: Found) -> float:
    """The shortest side of a tag in pixels; nil when there is none."""
    tagged = [sheet for sheet in found.sheets if sheet.found_by == "tags"]
    tags = [quad for sheet in tagged for quad in sheet.match.pixels.reshape(-1, 4, 2)]
    tags += [tag.pixels for tag in found.lonely]
    return min((float(np.hypot(*(np.roll(quad, -1, 0) - quad).T).min()) for quad in tags), default=0.0)
