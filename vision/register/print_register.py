"""Refines a placement by registering the sheet's own print.

Between and beyond the corner tags a lens bends the picture and paper is not flat. So the surroundings of the
print's landmarks (crossings of lines, corners of coasts) are looked for in the straightened picture by
normalised cross-correlation, each near where the placement expects it, and the placement is fitted to what
was found (:func:`vision.register.placing.fitted`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.sheet import Sheet
from vision.find.landmarks import HALF, MARGIN, REACH_OF_ALL, Print, print_of
from vision.register.placing import ROUNDS, UNKNOWN_LENS, Bend, Match, fitted
from vision.register.rectify import Image, Placement, Places, straightened

MAX_NLL, FAR = 6, REACH_OF_ALL  # pixels: how far a patch is looked for, behind good tags and behind poor ones
_ALIKE = 0.45  # correlation from which a patch counts as found
_LEAST_CONTRAST = 1.0  # of 255: standard deviation around a landmark that shows anything at all
_LEAST_FOUND = 20 / 64  # of the landmarks
_GROWING = (10 / 64, 18 / 64, 31 / 64, 46 / 64, 1.0)  # of the landmarks, those nearest to the tags first
_LEAST_GROWN = 4
_FITTING = 0.25 / 196  # of the sheet's longer side: how far off most landmarks may be where they are its own
_ONE_LENS = 1 / 0.02**2  # how surely one sheet is bent as all the others are: paper is not flat


@dataclass(frozen=True)
class Expected:
    """A sheet's expected placement, how far off its print may be, and what else the fit has to meet.

    ``print``: the print to look for, by default that of the sheet's own drawing.
    """

    sheet: Sheet
    placement: Placement
    tags: Match | None = None
    reach: int = MAX_NLL
    print: Print | None = None

    @property
    def known(self) -> Print:
        """The print to look for."""
        return self.print or print_of(self.sheet)


@dataclass(frozen=True)
class PrintCheck:
    """A placement refined on the print, and the share of landmarks that were found there."""

    sheet: Sheet
    placement: Placement
    alike: float
    seen: Match | None = None  # what the placement was fitted to; nothing where too little was seen
    bend: Bend = UNKNOWN_LENS  # as this sheet alone has it
    print: Print | None = None  # what was looked for, if not the sheet's own drawing

    @property
    def known(self) -> Print:
        """The print that was looked for."""
        return self.print or print_of(self.sheet)


def on_print(image: Image, expected: Expected, lens: Bend = UNKNOWN_LENS) -> PrintCheck:
    """Refine a placement on the sheet's print; unchanged if too few landmarks are seen."""
    if not len(expected.known.places):  # nothing is printed on it that could be looked for
        return PrintCheck(expected.sheet, expected.placement, 0.0, print=expected.print)
    found, alike = found_landmarks(image, expected)
    before = PrintCheck(expected.sheet, expected.placement, alike, print=expected.print)
    if len(found.places) < _LEAST_FOUND * len(expected.known.places):
        return before
    seen = found if expected.tags is None else _weighted(found, expected.tags)
    return _refitted(replace(before, seen=seen), (image.shape[1], image.shape[0]), lens, expected.reach)


def fits(image: Image, check: PrintCheck) -> bool:
    """Return True if the sheet was placed on its own print and not on another one with lines and corners.

    Landmarks are looked for again from that placement: on the right print most are where they should be; on
    any other something similar is found around each, but at random offsets.
    """
    placed = Expected(check.sheet, check.placement, print=check.print)
    if check.seen is None or not len(placed.known.places):
        return False
    found, _ = found_landmarks(image, placed)
    if len(found.places) < _LEAST_FOUND * len(placed.known.places):
        return False
    off = np.hypot(*(check.placement.pixels(found.places) - found.pixels).T)
    allowed = _FITTING * max(check.sheet.size) * check.placement.scale_at(check.sheet.middle)
    return float(np.median(off)) < allowed


def grown_print(image: Image, expected: Expected, lens: Bend = UNKNOWN_LENS) -> PrintCheck | None:
    """Place a sheet on its print outwards from the one or two tags that are known of it.

    Near the tags the print must be close to where they predict it; what is found there predicts the next
    landmarks.
    """
    assert expected.tags is not None
    size = image.shape[1], image.shape[0]
    away = np.sort(_away(expected.known.places, expected.tags))
    for share in _GROWING:
        found, _ = found_landmarks(image, replace(expected, reach=FAR))
        farthest = away[max(round(share * len(away)), 1) - 1]
        near = found.only(_away(found.places, expected.tags) <= farthest)
        if len(near.places) < _LEAST_GROWN:
            return None
        fit = fitted(_weighted(near, expected.tags, 0.5), expected.placement, size, lens)
        if fit is None or not np.isfinite(fit[0].homography).all():
            return None
        expected = replace(expected, placement=fit[0])
    return _twice(image, expected, MAX_NLL, lens)


def far_print(image: Image, expected: Expected, lens: Bend = UNKNOWN_LENS) -> PrintCheck:
    """Place a sheet that may be millimetres off, searching for all landmarks at once."""
    return _twice(image, expected, FAR, lens)


def _twice(image: Image, expected: Expected, reach: int, lens: Bend) -> PrintCheck:
    check = on_print(image, replace(expected, reach=reach), lens)
    return on_print(image, replace(expected, placement=check.placement, reach=MAX_NLL), lens)


def _away(places: Places, tags: Match) -> NDArray[np.float64]:
    """The distance of each place to the nearest tag, in mm."""
    middles = tags.places.reshape(-1, 4, 2).mean(axis=1)
    return np.asarray(np.hypot(*(places[:, None] - middles).transpose(2, 0, 1)).min(axis=1), np.float64)


def _refitted(
    check: PrintCheck, size: tuple[int, int], lens: Bend, reach: int = MAX_NLL, rounds: int = ROUNDS
) -> PrintCheck:
    assert check.seen is not None
    found = fitted(check.seen, check.placement, size, lens, rounds)
    if found is None or _moved(check, found[0]) > reach / check.known.scale * 1.5:
        return replace(check, seen=None)
    return replace(check, placement=found[0], bend=found[1])


def with_one_lens(checks: Sequence[PrintCheck], size: tuple[int, int]) -> list[PrintCheck]:
    """Fit all sheets again with one lens distortion: the mean of their own, weighted by certainty."""
    told = [check.bend for check in checks if check.seen is not None]
    if len(told) < 2:
        return list(checks)
    sureness = sum(bend.sureness for bend in told)
    lens = Bend(sum(bend.value * bend.sureness for bend in told) / max(sureness, 1e-9), _ONE_LENS)
    return [check if check.seen is None else _refitted(check, size, lens, rounds=2) for check in checks]


def _weighted(found: Match, tags: Match, part: float = 0.33) -> Match:
    """Landmarks and tags as one match; all tags together weigh ``part`` of all landmarks."""
    share = part * len(found.places) / max(len(tags.places), 1)
    return found.joined(Match(tags.places, tags.pixels, np.full(len(tags.places), share)))


def _moved(before: PrintCheck, after: Placement) -> float:
    """The largest movement of a landmark, in mm."""
    places, old = before.known.places, before.placement
    return float(np.hypot(*(old.pixels(places) - after.pixels(places)).T).max()) / old.scale_at(
        before.sheet.middle
    )


def found_landmarks(image: Image, expected: Expected) -> tuple[Match, float]:
    """Find the landmarks of the print in the picture; also the share of them that was found."""
    known = expected.known
    straight = straightened(image, expected.placement, expected.sheet, known.scale, MARGIN, known.rectangle)
    seen = np.asarray(cv2.cvtColor(straight, cv2.COLOR_BGR2GRAY), np.uint8)
    likeness = np.stack(
        [
            cv2.matchTemplate(seen[around], patch, cv2.TM_CCOEFF_NORMED)
            for patch, around in known.patches(expected.reach)
        ]
    ).astype(np.float32, copy=False)
    moves, alike = _peaks(likeness)
    kept = (alike > _ALIKE) & (_contrast(seen, known) > _LEAST_CONTRAST)
    places = known.places[kept]
    pixels = expected.placement.pixels(places + moves[kept] / known.scale)
    return Match(places, pixels, alike[kept] ** 2), float(kept.mean())


def _contrast(seen: Image, known: Print) -> NDArray[np.float64]:
    """The standard deviation around each landmark: uniform surroundings correlate with anything."""
    side = (2 * HALF + 1, 2 * HALF + 1)
    mean, square = cv2.blur(seen.astype(np.float32), side), cv2.sqrBoxFilter(seen, cv2.CV_32F, side)
    across, down = known.pixels.T
    return np.asarray(np.sqrt(np.maximum(square - mean**2, 0))[down, across], np.float64)


def _peaks(likeness: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each template's best shift, (n, 2) in pixels, and its correlation; 0 at the search window's edge."""
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
    """The vertex of the parabola through three neighbouring values (subpixel peak)."""
    curve = np.minimum(before - 2.0 * middle + after, -1e-9)
    return np.asarray(np.clip(0.5 * (before - after) / curve, -0.5, 0.5), np.float64)
