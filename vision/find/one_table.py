"""Places all sheets of one table on their print, even those with only one or two tags seen.

A sheet that is placed well says how the plane of the table is seen. Another sheet on it differs by a rigid
motion only, which the four corners of one tag determine well enough to begin with. Without such a neighbour
the pose is computed from one tag and a usual focal length. The print does the rest, from the tags outwards,
or refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.sheets.sheet import Sheet
from vision.find.by_tags import Found, FoundSheet, in_order, tags_match
from vision.register.placing import UNKNOWN_LENS, Bend, Match, by_pose, by_tags, misses
from vision.register.print_register import (
    FAR,
    MAX_NLL,
    Expected,
    PrintCheck,
    far_print,
    fits,
    grown_print,
    on_print,
    with_one_lens,
)
from vision.register.rectify import Image, Matrix, Placement, Places

_MOST_MISS = 2.5  # mm by which the corners of tags may be off on a table that is not quite even
_MOST_OFF = 2.5 / 196  # the same after a look at the print, of the sheet's longer side
_PROVEN = 0.35  # of the landmarks: below it a sheet of which too few tags are seen was placed wrongly
_ON_ANOTHER_PRINT = frozenset({"taught", "sight"})
_SAME_LENS = 1 / 0.01**2  # how surely such a sheet is bent as the others are


def placed_on_print(image: Image, found: Found) -> tuple[FoundSheet, ...]:
    """Refine the sheets' placements on their print; keep unsure ones only if the print proves them."""
    # A taught board lies on its own print already, and one found at first sight on its own lines.
    taught = [sheet for sheet in found.sheets if sheet.found_by in _ON_ANOTHER_PRINT]
    sure = [sheet for sheet in found.sheets if sheet.sure and sheet.found_by not in _ON_ANOTHER_PRINT]
    checks = [_on_own_print(image, sheet) for sheet in sure]
    checks = with_one_lens(checks, (image.shape[1], image.shape[0]))
    known = [check for check in checks if check.seen is not None]
    placed = [
        _again(image, sheet, known) if check.seen is None else replace(sheet, placement=check.placement)
        for sheet, check in zip(sure, checks, strict=True)
    ]
    placed += taught
    for claim in _claims(found):
        if not any(other.sheet is claim.sheet for other in placed):
            placed += [proven] if (proven := _proven(image, claim, known)) is not None else []
    return tuple(sorted(placed, key=lambda found: (found.sheet.seat, found.sheet.edition, found.sheet.name)))


def _again(image: Image, sheet: FoundSheet, known: Sequence[PrintCheck]) -> FoundSheet:
    """Look for a sheet in other ways when its print was not where its tags suggest."""
    if sheet.found_by != "tags":
        return sheet
    return _proven(image, _Claim(sheet.sheet, sheet.match, sheet.placement), known) or sheet


def _on_own_print(image: Image, sheet: FoundSheet) -> PrintCheck:
    """Refine a sheet on its print; with hand-marked corners it may be another print, and is left as it is."""
    check = on_print(image, _expected(sheet))
    if sheet.found_by == "tags" or fits(image, check):
        return check
    return PrintCheck(sheet.sheet, sheet.placement, check.alike)


def _expected(sheet: FoundSheet) -> Expected:
    ours = sheet.found_by == "tags"
    return Expected(sheet.sheet, sheet.placement, sheet.match if ours else None, MAX_NLL if ours else FAR)


@dataclass(frozen=True)
class _Claim:
    """A sheet whose tags do not place it with certainty: the tags, and the placement by two of them alone."""

    sheet: Sheet
    match: Match
    start: Placement | None


def _claims(found: Found) -> Iterator[_Claim]:
    yield from (_Claim(one.sheet, one.match, one.placement) for one in found.sheets if not one.sure)
    for sheet in in_order({tag.sheet for tag in found.lonely}):
        tags = [tag for tag in found.lonely if tag.sheet is sheet]
        if len(tags) == len({tag.number for tag in tags}) > 1:  # one sheet, of which a part is seen
            yield _Claim(sheet, tags_match(tags), None)
    yield from (_Claim(tag.sheet, tags_match((tag,)), None) for tag in found.lonely)


def _proven(image: Image, claim: _Claim, known: Sequence[PrintCheck]) -> FoundSheet | None:
    """The sheet if its print proves it, searched outwards from its tags or everywhere at once."""
    for start, lens in _starts(claim, (image.shape[1], image.shape[0]), known):
        for look in (grown_print, far_print):
            check = look(image, Expected(claim.sheet, start, claim.match), lens)
            if check is None or check.seen is None or check.alike < _PROVEN:
                continue
            allowed = _MOST_OFF * max(claim.sheet.size) * check.placement.scale_at(claim.sheet.middle)
            if misses(check.placement, claim.match).max() < allowed:
                return FoundSheet(claim.sheet, check.placement, claim.match, sure=False)
    return None


def _starts(
    claim: _Claim, size: tuple[int, int], known: Sequence[PrintCheck]
) -> Iterator[tuple[Placement, Bend]]:
    """Initial placements of the sheet, accurate near its tags, each with what is known of the lens."""
    helped = on_the_same_table(claim.match, known)
    if helped is not None:
        yield helped, Bend(helped.bend, _SAME_LENS)
    one_tag = claim.match.only(np.arange(len(claim.match.places)) < 4)
    posed = by_pose(claim.match, size) if len(claim.match.places) > 4 else None
    for start in (claim.start, posed, by_pose(one_tag, size), by_tags(one_tag, size)):
        if start is not None:
            yield start, UNKNOWN_LENS


def on_the_same_table(match: Match, known: Sequence[PrintCheck]) -> Placement | None:
    """Place a sheet with few points in the plane of the other sheets; None if it does not fit."""
    if not known:
        return None
    middle = match.pixels.mean(axis=0)
    nearest = min(known, key=lambda one: float(np.hypot(*(_middle_of(one) - middle)))).placement
    there = nearest.places(match.pixels)
    move = pushed_and_turned(match.places, there)
    reached = match.places @ move[:2, :2].T + move[:2, 2]
    if not np.isfinite(there).all() or np.hypot(*(reached - there).T).max() > _MOST_MISS:
        return None
    homography = nearest.homography @ move
    return replace(nearest, homography=homography / homography[2, 2])


def _middle_of(check: PrintCheck) -> Places:
    """The centre of a sheet in pixels."""
    return check.placement.pixels(np.asarray(check.sheet.size) / 2)


def pushed_and_turned(places: Places, there: Places) -> Matrix:
    """The rigid motion between two point sets with the least squared error (Kabsch)."""
    middle, goal = places.mean(axis=0), there.mean(axis=0)
    across = ((places - middle) * (there - goal)).sum()
    turned = (
        (places - middle)[:, 0] * (there - goal)[:, 1] - (places - middle)[:, 1] * (there - goal)[:, 0]
    ).sum()
    angle = float(np.arctan2(turned, across))
    cos, sin = np.cos(angle), np.sin(angle)
    turn = np.array([[cos, -sin], [sin, cos]])
    return np.block([[turn, (goal - turn @ middle)[:, None]], [np.zeros((1, 2)), np.ones((1, 1))]])
