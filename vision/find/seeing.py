"""Finds the sheets in a photograph and places them on their print: the first step of every reader.

A picture is looked at from coarse to fine: a finer one is decoded only where tags may have been missed, or
where a millimetre has too few pixels to read what is on the sheets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.core.messages import listed, m
from companion.sheets.drawing import Quad
from companion.sheets.sheet import Sheet
from companion.sheets.tags import tag_place
from vision.decoding import Picture, decodings, pyramid
from vision.find.by_tags import (
    Found,
    FoundSheet,
    find_sheets,
    is_settled,
    shows_mirrored_tags,
    smallest_tag,
)
from vision.find.first_sight import on_own_lines, sheets_at_first_sight
from vision.find.lattices import Ring
from vision.find.one_table import placed_on_print
from vision.quality import why_unclear
from vision.register.placing import Match
from vision.register.rectify import Image
from vision.taught.boards import TaughtBoard, placed_by_corners
from vision.taught.finding import find_taught

_CLEAR_TAG = 24.0  # pixels: what cannot be deciphered at this size is covered, not small


@dataclass(frozen=True)
class Search:
    """What to look for in a photograph.

    ``enough``: pixels per mm at which the sheets are read well. ``taught``: boards of the owner's own that
    may be in the picture, each with our own sheet for which it stands. ``marked``: the one sheet in the
    picture and the corners of its area in pixels, clockwise from its own top left, as somebody dragged them;
    if it was taught, it is placed on its own print from there. ``unknown``: how boards of no known print are
    told at first sight, if nothing else is found, and our own sheet for which each of them stands.
    """

    sheets: Sequence[Sheet]
    enough: float
    taught: Sequence[tuple[TaughtBoard, Sheet]] = ()
    marked: tuple[Sheet, Sequence[tuple[float, float]]] | None = None
    unknown: tuple[Ring, Sheet] | None = None


@dataclass(frozen=True)
class Seen:
    """The coarsest decoding that is fine enough, what was found in it, and the placed sheets."""

    picture: Picture
    found: Found
    sheets: tuple[FoundSheet, ...]

    def corners_of(self, found: FoundSheet) -> Quad:
        """The corners of a sheet in pixels of the whole photograph, clockwise from its own top left."""
        corners = found.corners * np.array(self.picture.enlarging)
        first, second, third, fourth = ((float(x), float(y)) for x, y in corners)
        return first, second, third, fourth


def see(photo: bytes | Image, search: Search) -> Seen:
    """Find the sheets in a photograph: packed bytes, or pixels (blue first).

    Raises :class:`~vision.errors.PictureError` for what is no picture.
    """
    found: Found | None = None
    last: Picture | None = None
    for picture in decodings(photo) if isinstance(photo, bytes) else pyramid(photo):
        if found is None or last is None or (search.sheets and _may_show_more(found)):
            found = _found(picture, search)
        else:
            found = _scaled(found, last, picture)
        last = picture
        fine = found.sheets and min(sheet.scale for sheet in found.sheets) >= search.enough
        if (fine and not _may_show_more(found)) or not (search.sheets or found.sheets):
            break
    assert found is not None  # there is always one picture
    assert last is not None
    if search.unknown is not None and not (found.sheets or found.lonely or found.blurred or found.others):
        unknown = sheets_at_first_sight(last.image, *search.unknown)
        if unknown and not shows_mirrored_tags(last.image, search.sheets):
            found = replace(found, sheets=tuple(unknown))
    return Seen(last, found, placed_on_print(last.image, found))


def _may_show_more(found: Found) -> bool:
    """Return True if a finer decoding might show tags that are too small in this one."""
    if found.sheets and found.sheets[0].found_by != "tags":
        return False
    return not (is_settled(found) or smallest_tag(found) >= _CLEAR_TAG)


def _scaled(found: Found, before: Picture, after: Picture) -> Found:
    share = (after.size[0] / before.size[0], after.size[1] / before.size[1])
    lonely, stickers = (
        tuple(replace(tag, pixels=tag.pixels * share) for tag in tags)
        for tags in (found.lonely, found.stickers)
    )
    sheets = tuple(scaled_sheet(sheet, share) for sheet in found.sheets)
    return replace(found, sheets=sheets, lonely=lonely, stickers=stickers)


def scaled_sheet(sheet: FoundSheet, share: tuple[float, float]) -> FoundSheet:
    """The sheet in a picture resized by these factors, across and down."""
    match = replace(sheet.match, pixels=sheet.match.pixels * share)
    return replace(sheet, placement=sheet.placement.scaled(share), match=match)


def _found(picture: Picture, search: Search) -> Found:
    if search.marked is not None:
        marked = _marked(picture, *search.marked)
        if search.unknown is not None:
            marked = on_own_lines(picture.image, marked, search.unknown[0])
        own = [
            find_taught(picture.image, board, sheet, marked=marked.placement)
            for board, sheet in search.taught
            if sheet.key == marked.sheet.key
        ]
        return Found((next((one for one in own if one is not None), marked),))
    found = find_sheets(picture.image, search.sheets) if search.sheets else Found(())
    if found.sheets or not search.taught:
        return found
    taught = [find_taught(picture.image, *known, found.stickers) for known in search.taught]
    return replace(found, sheets=tuple(sheet for sheet in taught if sheet is not None))


def _marked(picture: Picture, sheet: Sheet, corners: Sequence[tuple[float, float]]) -> FoundSheet:
    """Place the sheet whose area was marked by hand."""
    across, down = picture.enlarging
    here = [(x / across, y / down) for x, y in corners]
    placement = placed_by_corners(here, sheet, picture.size)
    return FoundSheet(
        sheet, placement, Match(np.array(sheet.area), np.array(here), np.ones(4)), True, "corners"
    )


def why_nothing(
    seen: Seen,
    sheets: Sequence[Sheet],
    taught: Sequence[TaughtBoard] = (),
    title_of: Callable[[str], str] = str,
) -> str:
    """A sentence for people about a picture without a sheet; ``taught`` boards were looked for as well.

    ``title_of`` gives the title of the game to which a kind of sheet belongs.
    """
    if shows_mirrored_tags(seen.picture.image, sheets):
        return m("The picture is a mirror image, or the sheet was printed mirrored: print it as it is.")
    if seen.found.blurred:
        return m(
            "There is a board in the picture, but it is too blurred to be read: hold still and take it again."
        )
    own = {title_of(place.kind) for sheet in sheets for tag in sheet.tags if (place := tag_place(tag))}
    others = {title_of(kind) for kind in seen.found.others} - own
    reason = ""
    if others:
        title = listed(sorted(others))
        reason = m("The picture shows a sheet of {title}, and none of this game.", title=title)
    elif not (seen.found.lonely or seen.found.stickers):
        reason = why_unclear(seen.picture.image)
    if reason:
        return reason
    if seen.found.stickers:
        return m("There are stickers of a genuine board: teach that board once, and name it when reading.")
    if taught:
        names = listed([board.name for board in taught], "or")
        return m(
            "The board {names} was not found: show all of it with the stickers around it, from above, "
            "sharp and well lit, or give its four corners."
            if any(board.tags for board in taught)
            else "The board {names} was not found: show all of it, from above, sharp and well lit, or give "
            "its four corners.",
            names=names,
        )
    return m("No board was found: its corner tags must be in the picture, uncovered and not too small.")
