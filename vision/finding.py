"""Where the sheets lie in a picture, by their corner tags."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from companion.games.kit.tags import CORNERS
from companion.games.railroad_ink.paper.printed import PRINTED, check_edition, tag_quads
from companion.games.railroad_ink.rules.rulebook import GRID
from vision.placing import Match, by_tags, is_sensible, misses
from vision.rectify import Image, Placement, Places
from vision.tags import QUICK, THOROUGH, FoundTag, SheetName, every_tag, find_tags, shortest_side

SHEET_OUTLINE = np.array(
    [(0, 0), (PRINTED.size[0], 0), PRINTED.size, (0, PRINTED.size[1])], np.float64
)  # clockwise from the top left
_MOST_MISS = 1.6  # mm by which a tag may be off where the others say it should be
_QUICKLY_SEEN = 10.0  # pixels of a tag in the small copy: smaller ones may have been missed there
_MOST_OF_ONE = 8  # tags of one number that are looked at in one picture


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


def grid_corners() -> Places:
    """The corners of the grid, in mm on the sheet, clockwise from the top left."""
    left, top = PRINTED.grid.corner
    right, bottom = left + GRID.columns * PRINTED.grid.cell, top + GRID.rows * PRINTED.grid.cell
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def shows_mirrored_tags(image: Image) -> bool:
    """Is this a mirror image, or are the sheets in it printed mirrored?"""
    return len(find_tags(np.ascontiguousarray(image[:, ::-1]), THOROUGH)) >= 3


def find_sheets(image: Image) -> Found:
    """All sheets in a picture, by their tags; sheets with two tags only are not sure."""
    size = image.shape[1], image.shape[0]
    tags = find_tags(image)
    found = sheets_with(tags, size)
    shrunk = min(1.0, (QUICK / (size[0] * size[1])) ** 0.5)
    if is_settled(found) and smallest_tag(found) * shrunk >= _QUICKLY_SEEN:
        return found
    return sheets_with(every_tag(tags, find_tags(image, THOROUGH)), size)


def is_settled(found: Found) -> bool:
    """Are there sheets, and does every tag belong to one that is sure?"""
    return bool(found.sheets) and not found.lonely and all(sheet.sure for sheet in found.sheets)


def sheets_with(tags: Sequence[FoundTag], size: tuple[int, int]) -> Found:
    """The sheets that carry these tags, in a picture of this size."""
    by_name: dict[SheetName, list[FoundTag]] = defaultdict(list)
    for tag in tags:
        if not tag.sticker:
            by_name[tag.name].append(tag)
    sheets: list[FoundSheet] = []
    lonely: list[FoundTag] = []
    for name, own in sorted(by_name.items(), key=lambda pair: (pair[0].seat, pair[0].edition)):
        here, left = _sheets_of(name, own, size)
        sheets += here
        lonely += left
    return Found(tuple(sheets), tuple(lonely), tuple(tag for tag in tags if tag.sticker))


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
    match = tags_match(name, tags)
    placement = by_tags(match, size)
    if placement is None or not is_sensible(placement, SHEET_OUTLINE, size):
        return None
    miss = float(misses(placement, match).max()) / placement.scale
    sure = len(tags) >= 3
    # Two tags can be placed in one way only, so they always fit fairly well.
    if miss > (_MOST_MISS if sure else 0.6 * _MOST_MISS):
        return None
    return miss, FoundSheet(name, placement, match, sure)


def tags_match(name: SheetName, tags: tuple[FoundTag, ...]) -> Match:
    """The corners of these tags on the sheet and in the picture."""
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
    sides = [shortest_side(quad) for sheet in tagged for quad in sheet.match.pixels.reshape(-1, 4, 2)]
    return min(sides + [shortest_side(tag.pixels) for tag in found.lonely], default=0.0)
