"""Finds sheets in a picture by their corner tags."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations, product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.sheet import Sheet
from companion.sheets.tags import tag_place
from vision.find.blurred_tags import deciphered_together
from vision.find.tags import (
    COARSE,
    QUICK,
    THOROUGH,
    FoundTag,
    SeenTags,
    every_tag,
    find_tags,
    grey_of,
    seen_tags,
    shortest_side,
)
from vision.register.placing import UNKNOWN_LENS, Match, by_tags, fitted, is_sensible, misses
from vision.register.rectify import Image, Placement, Places

_MOST_MISS = 1.6 / 196  # of a sheet's longer side: how far off where the others have it a tag may be
_QUICKLY_SEEN = 10.0  # pixels of a tag in the small copy: smaller ones may have been missed there
# How many tags shall fit together, and whether with a bent lens: in this order.
_ATTEMPTS = ((4, False), (3, False), (4, True), (2, False))
_MUCH_LIKE = 0.8  # likeness of an outline to a tag: little else reaches it, and every blurred tag
_ABOUT_AS_LARGE = 0.5
_LEAST_OF_OTHERS = 2
_MOST_OF_ONE = 8  # tags of one number that are looked at in one picture


@dataclass(frozen=True, eq=False)
class FoundSheet:
    """A sheet found in a picture; ``sure`` if its tags alone prove it, without a check of its print."""

    sheet: Sheet
    placement: Placement
    match: Match
    sure: bool
    found_by: str = "tags"

    @property
    def corners(self) -> Places:
        """The corners of the sheet in pixels, clockwise from its own top left."""
        return self.placement.pixels(np.array(self.sheet.outline))

    @property
    def scale(self) -> float:
        """Pixels per mm at the centre of the sheet's area."""
        return self.placement.scale_at(self.sheet.middle)


@dataclass(frozen=True)
class Found:
    """The sheets of a picture, and the tags of no sheet that could be placed.

    ``blurred``: the number of further sheets too blurred to be identified. ``others``: the kinds of sheets
    that were not looked for but whose tags are there.
    """

    sheets: tuple[FoundSheet, ...]
    lonely: tuple[FoundTag, ...] = ()
    stickers: tuple[FoundTag, ...] = ()
    blurred: int = 0
    others: tuple[str, ...] = ()


def shows_mirrored_tags(image: Image, sheets: Sequence[Sheet]) -> bool:
    """Return True if the tags can be read only mirrored: a mirror image, or sheets printed mirrored."""
    return len(find_tags(np.ascontiguousarray(image[:, ::-1]), sheets, THOROUGH)) >= 3


def find_sheets(image: Image, sheets: Sequence[Sheet]) -> Found:
    """Find sheets in a picture by their tags; one placed by only two tags is not sure."""
    size = image.shape[1], image.shape[0]
    grey = grey_of(image)
    quick = seen_tags(grey, sheets, QUICK)
    found = sheets_with(quick.tags, size)
    shrunk = min(1.0, (QUICK / (size[0] * size[1])) ** 0.5)
    if not is_settled(found) or smallest_tag(found) * shrunk < _QUICKLY_SEEN:
        efforts = [THOROUGH, COARSE]
    elif _left_over(found, quick).any():
        efforts = [COARSE]
    else:
        return found
    every = reduce(SeenTags.joined, (seen_tags(grey, sheets, effort) for effort in efforts), quick)
    found = sheets_with(every.tags, size)
    tags, unread = deciphered_together(grey, every.outlines[_left_over(found, every)], sheets)
    if tags:
        found = sheets_with(every_tag(every.tags, tags), size)
    return replace(found, blurred=len(unread), others=_kinds(every.others))


def _kinds(numbers: Iterable[int]) -> tuple[str, ...]:
    """The kinds of sheets of which at least two tags are seen: a single one may be a misreading."""
    seen = Counter((place.kind, place.seat) for number in numbers if (place := tag_place(number)))
    return tuple(sorted({kind for (kind, _), count in seen.items() if count >= _LEAST_OF_OTHERS}))


def _left_over(found: Found, seen: SeenTags) -> NDArray[np.bool_]:
    """Mask (n,) of outlines much like tags, about as large as those found, that lie on no sure sheet."""
    papers = [sheet.corners.astype(np.float32) for sheet in found.sheets if sheet.sure]
    least = _ABOUT_AS_LARGE * smallest_tag(found)
    return np.array(
        [
            like > _MUCH_LIKE
            and shortest_side(outline) > least
            and all(cv2.pointPolygonTest(paper, outline.mean(axis=0), False) < 0 for paper in papers)
            for outline, like in zip(seen.outlines, seen.likeness, strict=True)
        ],
        np.bool_,
    )


def is_settled(found: Found) -> bool:
    """Return True if sheets were found, all of them are sure, and every tag belongs to one of them."""
    left = found.lonely or found.blurred
    return bool(found.sheets) and not left and all(sheet.sure for sheet in found.sheets)


def sheets_with(tags: Sequence[FoundTag], size: tuple[int, int]) -> Found:
    """The sheets that carry these tags, in a picture of this size."""
    by_sheet: dict[Sheet, list[FoundTag]] = defaultdict(list)
    for tag in tags:
        if not tag.sticker:
            by_sheet[tag.sheet].append(tag)
    sheets: list[FoundSheet] = []
    lonely: list[FoundTag] = []
    for sheet in in_order(by_sheet):
        here, left = _copies_of(sheet, by_sheet[sheet], size)
        sheets += here
        lonely += left
    return Found(tuple(sheets), tuple(lonely), tuple(tag for tag in tags if tag.sticker))


def in_order(sheets: Iterable[Sheet]) -> list[Sheet]:
    """Sheets by seat, then by edition."""
    return sorted(sheets, key=lambda sheet: (sheet.seat, sheet.edition, sheet.name))


def _copies_of(
    sheet: Sheet, tags: list[FoundTag], size: tuple[int, int]
) -> tuple[list[FoundSheet], list[FoundTag]]:
    """Place a sheet, once or for every printed copy, and return the tags left over."""
    found: list[FoundSheet] = []
    left = tags
    while copy_and_tags := _best_copy(sheet, left, size):
        copy, used = copy_and_tags
        found.append(copy)
        left = [tag for tag in left if tag not in used]
    return found, left


def _best_copy(
    sheet: Sheet, tags: list[FoundTag], size: tuple[int, int]
) -> tuple[FoundSheet, list[FoundTag]] | None:
    """The placement on which most tags agree, and among those the most exact (exhaustive search)."""
    by_corner = [[tag for tag in tags if tag.number == number][:_MOST_OF_ONE] for number in sheet.tags]
    for count, bent in _ATTEMPTS:
        tried = [
            (*placed, list(chosen))
            for corners in combinations([tags for tags in by_corner if tags], count)
            for chosen in product(*corners)
            if (placed := _placed(sheet, chosen, size, bent=bent)) is not None
        ]
        if tried:
            _, found, used = min(tried, key=lambda entry: entry[0])
            return found, used
    return None


def _placed(
    sheet: Sheet, tags: tuple[FoundTag, ...], size: tuple[int, int], *, bent: bool
) -> tuple[float, FoundSheet] | None:
    """The placement of a sheet by these tags if they agree, and its reprojection error in mm.

    If the lens may have ``bent`` the picture, its bend is estimated with the homography.
    """
    match = tags_match(tags)
    placement = by_tags(match, size)
    if bent and placement is not None:
        fit = fitted(match, placement, size, UNKNOWN_LENS)
        placement = fit[0] if fit is not None and np.isfinite(fit[0].homography).all() else None
    if placement is None or not is_sensible(placement, np.array(sheet.outline), size):
        return None
    miss = float(misses(placement, match).max()) / placement.scale_at(sheet.middle)
    sure = len(tags) >= 3
    # Two tags can be placed in one way only, so they always fit fairly well.
    if miss > (1.0 if sure else 0.6) * _MOST_MISS * max(sheet.size):
        return None
    return miss, FoundSheet(sheet, placement, match, sure)


def tags_match(tags: Sequence[FoundTag]) -> Match:
    """The corners of these tags in mm on their sheet, matched with their pixels."""
    places = np.concatenate([np.array(tag.sheet.tags[tag.number], np.float64) for tag in tags])
    pixels = np.concatenate([tag.pixels for tag in tags])
    return Match(places, pixels, np.ones(len(places)))


def too_little_seen(found: Found, checked: Sequence[FoundSheet]) -> list[Sheet]:
    """The sheets with some tags found, but too few to place them and verify them by their print."""
    named = {tag.sheet for tag in found.lonely} | {one.sheet for one in found.sheets}
    return in_order(named - {one.sheet for one in checked})


def smallest_tag(found: Found) -> float:
    """The shortest side of any tag in pixels, or 0 without tags."""
    tagged = [sheet for sheet in found.sheets if sheet.found_by == "tags"]
    sides = [shortest_side(quad) for sheet in tagged for quad in sheet.match.pixels.reshape(-1, 4, 2)]
    return min(sides + [shortest_side(tag.pixels) for tag in found.lonely], default=0.0)
