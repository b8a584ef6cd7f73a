"""Reads tags too blurred to be decoded one by one: all tags of a sheet are matched together.

The outline of a black square outlives a blur that its pattern does not. Three or four outlines that lie to
each other as the tags of a sheet do tell where that sheet would be; what is seen in all of them is compared
with the blurred patterns of every sheet that has its tags there. One tag says little then, four tell surely.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.sheet import Sheet
from companion.sheets.tags import CORNERS, PATTERNS, SIDE, black_modules
from vision.find.tags import FoundTag, shortest_side
from vision.register.rectify import Image, Matrix, Places

_LEAST_TAGS = 3
_LEAST_SIDE = 7.0  # pixels of a tag, below which nothing of its pattern is left
_MOST_OUTLINES = 24  # the most like tags, that are tried with each other
_ASTRAY = 0.15  # how far from where two tags have it another may be, of the way between them
_FLATTEST = 0.5  # how much nearer to each other tags may seem, beside their size, than on the sheet
_SIZES = 1.6  # how many times larger or smaller than expected an outline may be
_MISS = 0.22  # of a tag's side: how far its corners may be from where all outlines together have them
_NEAR_MISS = 0.15  # the same where nothing else proves that these are the tags of a sheet
_BLURS = (0.3, 0.6, 0.9, 1.3)  # modules: sigma of what the patterns are blurred with, one after the other
_AROUND = 2  # modules of white around a pattern, which the blur mixes in
_FINER = 4  # places looked at along a module
# Correlations of what is seen with a sheet's patterns: where it lies 0.85 and more, other things reach 0.7.
_LIKE, _LIKER = 0.8, 0.2
_BEHIND = 1e-9  # what a homography has behind the camera is taken to be so near to its plane
_UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)


def deciphered_together(
    grey: Image, outlines: Places, sheets: Iterable[Sheet]
) -> tuple[list[FoundTag], list[Places]]:
    """The tags of the sheets identified, and the tag corners (4, 4, 2) in pixels of those that were not.

    Whole sheets are matched: their blurred tag patterns are correlated together.

    ``outlines`` are those of tags that belong to no sheet yet, the likeliest first.
    """
    large = [outline for outline in outlines if shortest_side(outline) >= _LEAST_SIDE]
    if len(large) < _LEAST_TAGS:
        return [], []
    pool = np.array(large[:_MOST_OUTLINES])
    groups = [
        (_alike(grey, group, alike), group)
        for layout, alike in _by_layout(sheets)
        for group in _groups(layout, pool)
    ]
    used: set[int] = set()
    tags: list[FoundTag] = []
    for (like, sheet), group in sorted(groups, key=lambda one: -one[0][0]):
        if like >= _LIKE and not used & group.outlines:
            used |= group.outlines
            corners = zip(sheet.tags, group.quads, group.seen, strict=True)
            tags += [FoundTag(sheet, number, quad) for number, quad, seen in corners if seen]
    unread: list[Places] = []
    for _, group in sorted(groups, key=lambda one: one[1].miss):
        if group.seen.all() and group.miss < _NEAR_MISS and not used & group.outlines:
            used |= group.outlines
            unread.append(group.quads)
    return tags, unread


def _by_layout(sheets: Iterable[Sheet]) -> Iterator[tuple[Places, list[Sheet]]]:
    """Group the sheets by their tag layout: the corners of the four tags in mm, (4, 4, 2)."""
    groups: dict[bytes, list[Sheet]] = defaultdict(list)
    for sheet in sheets:
        if len(sheet.tags) == len(CORNERS):
            groups[np.round(np.array([*sheet.tags.values()], np.float64), 2).tobytes()].append(sheet)
    for key, alike in groups.items():
        yield np.frombuffer(key).reshape(4, 4, 2), alike


# --- outlines that lie as the tags of a sheet do ---


@dataclass(frozen=True)
class _Group:
    """Three or four outlines that fit one tag layout.

    ``outlines``: their numbers; ``seen``: which of the four tags they are; ``quads``: all four tags by the
    fitted homography; ``off``: each tag's offset from there in pixels (paper and lenses bend); ``miss``: the
    largest corner error, in sides of a tag.
    """

    outlines: frozenset[int]
    seen: NDArray[np.bool_]
    quads: Places
    off: Places
    miss: float


def _groups(layout: Places, outlines: Places) -> Iterator[_Group]:
    """Yield every distinct group of three or four outlines that fits the layout."""
    middles, sides = outlines.mean(axis=1), _sides(outlines)
    tried = set()
    for pair, corners in _pairs(layout, middles, sides):
        rough = _from_two(layout[corners], outlines[pair])
        expected = _mapped(rough, layout)
        away = np.linalg.norm(middles - expected.mean(axis=1)[:, None], axis=2)
        nearest = away.argmin(axis=1)
        larger = sides[nearest] / _sides(expected)
        seen = away[np.arange(4), nearest] <= _ASTRAY * np.hypot(*(middles[pair[0]] - middles[pair[1]]))
        seen &= (larger < _SIZES) & (larger > 1 / _SIZES)
        chosen = tuple(np.where(seen, nearest, -1).tolist())
        if seen.sum() < _LEAST_TAGS or len({*nearest[seen]}) < seen.sum() or chosen in tried:
            continue
        tried.add(chosen)
        if (group := _fitted(layout, outlines[nearest], expected, seen)) is not None:
            yield _Group(frozenset(nearest[seen].tolist()), seen, *group)


def _pairs(layout: Places, middles: Places, sides: Places) -> Iterator[tuple[list[int], list[int]]]:
    """Yield pairs of outlines whose sizes and distance fit the tags of two corners."""
    away = np.linalg.norm(middles[:, None] - middles, axis=2) / np.sqrt(sides[:, None] * sides)
    alike = np.abs(np.log(sides[:, None] / sides)) < np.log(_SIZES)
    of_sheet = layout.mean(axis=1)
    for one, other in combinations(range(len(layout)), 2):
        wanted = np.hypot(*(of_sheet[one] - of_sheet[other])) / _sides(layout)[one]
        right = alike & (away > _FLATTEST * wanted) & (away < _SIZES * wanted)
        yield from (([int(first), int(second)], [one, other]) for first, second in np.argwhere(right))


def _from_two(places: Places, outlines: Places) -> Matrix:
    """Estimate how the sheet lies from two of its tags; their direction gives its rotation."""
    (here, there), (start, end) = places.mean(axis=1), outlines.mean(axis=1)
    turn = complex(*(end - start)) / complex(*(there - here))
    similar = np.array([[turn.real, -turn.imag], [turn.imag, turn.real]])
    expected = (places - here) @ similar.T + start
    corners = np.array([_turned_as(*pair) for pair in zip(outlines, expected, strict=True)])
    fit, _ = cv2.findHomography(places.reshape(-1, 2), corners.reshape(-1, 2), 0)
    return np.full((3, 3), np.nan) if fit is None else np.asarray(fit, np.float64)


def _fitted(
    layout: Places, outlines: Places, expected: Places, seen: NDArray[np.bool_]
) -> tuple[Places, Places, float] | None:
    """Fit a homography: the tags by it, their offsets in pixels, and the largest miss in tag sides."""
    found = np.array([_turned_as(*pair) for pair in zip(outlines, expected, strict=True)])
    fit, _ = cv2.findHomography(layout[seen].reshape(-1, 2), found[seen].reshape(-1, 2), 0)
    if fit is None:
        return None
    quads = _mapped(np.asarray(fit, np.float64), layout)
    off = np.where(seen[:, None, None], found - quads, 0)
    miss = float((np.linalg.norm(off, axis=2).max(axis=1) / _sides(outlines)).max())
    return (quads, off.mean(axis=1, keepdims=True), miss) if miss < _MISS else None


def _turned_as(outline: Places, expected: Places) -> Places:
    """Order an outline's corners (4, 2) as those expected are ordered."""
    turns = [np.roll(outline, -turn, axis=0) for turn in range(4)]
    away = expected - expected.mean(axis=0) + outline.mean(axis=0)
    return min(turns, key=lambda turned: float(np.square(turned - away).sum()))


def _sides(quads: Places) -> Places:
    """The mean side length of each quadrilateral."""
    return np.asarray(np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2).mean(axis=1))


def _homography(places: Places, pixels: Places) -> Matrix:
    return np.asarray(cv2.getPerspectiveTransform(places.astype(np.float32), pixels.astype(np.float32)))


def _mapped(homography: Matrix, places: Places) -> Places:
    """Map points by a homography; points behind the camera are sent far away."""
    flat = places.reshape(-1, 2) @ homography[:, :2].T + homography[:, 2]
    seen = flat[:, :2] / np.maximum(flat[:, 2:], _BEHIND)
    return np.asarray(seen.reshape(places.shape))


# --- which sheet they are of ---


def _alike(grey: Image, group: _Group, sheets: Sequence[Sheet]) -> tuple[float, Sheet]:
    """The sheet whose blurred patterns correlate best with the picture, and that correlation.

    The correlation is 0 if the second best is too close.
    """
    looks = np.array([_modules(grey, quad) for quad in (group.quads + group.off)[group.seen]])
    numbers = np.array([[*sheet.tags] for sheet in sheets])[:, group.seen]
    best = np.zeros(len(sheets))
    for blur in _BLURS:
        patterns, usual = _patterns(blur)
        seen = _beyond(looks, usual)
        seen = (seen / np.maximum(seen.std(axis=1, keepdims=True), 1)).ravel()
        wanted = patterns[numbers].reshape(len(sheets), -1)
        lengths = np.linalg.norm(wanted, axis=1) * max(float(np.linalg.norm(seen)), 1e-9)
        best = np.maximum(best, wanted @ seen / lengths)
    second, first = np.argsort(best)[-2:] if len(sheets) > 1 else (None, 0)
    clear = second is None or best[first] - best[second] >= _LIKER
    return float(best[first]) if clear else 0.0, sheets[int(first)]


def _modules(grey: Image, quad: Places) -> NDArray[np.float64]:
    """The mean brightness of each module of a tag's pattern, row by row, (modules,)."""
    along = (np.arange(_FINER * SIDE) + 0.5) / (_FINER * SIDE)
    places = _mapped(_homography(_UNIT, quad), np.stack(np.meshgrid(along, along), axis=-1)) - 0.5
    nothing = np.empty(0, np.float32)
    seen = cv2.remap(
        grey, places.astype(np.float32), nothing, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    means = seen.astype(np.float64).reshape(SIDE, _FINER, SIDE, _FINER).mean(axis=(1, 3))
    return np.asarray(means[1:-1, 1:-1].ravel())


@lru_cache(maxsize=8)
def _patterns(blur: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """All patterns blurred, (tags, modules), as residuals of what they share, and the mean pattern."""
    side = SIDE + 2 * _AROUND
    inner = slice(_AROUND + 1, -_AROUND - 1)
    blurred = []
    for number in range(len(PATTERNS)):
        tag = np.ones((side, side), np.float32)
        for x, y, length in black_modules(number):
            tag[_AROUND + y, _AROUND + x : _AROUND + x + length] = 0
        soft = cv2.GaussianBlur(tag, (0, 0), blur, borderType=cv2.BORDER_REPLICATE)
        blurred.append(soft[inner, inner].ravel())
    every = np.array(blurred, np.float64)
    usual = np.asarray(every.mean(axis=0))
    return _beyond(every, usual), usual


def _beyond(looks: NDArray[np.float64], usual: NDArray[np.float64]) -> NDArray[np.float64]:
    """The residuals of looks (n, modules) after least squares on a constant and the mean pattern."""
    known = np.stack([usual, np.ones_like(usual)], axis=1)
    fit = np.linalg.lstsq(known, looks.T, rcond=None)[0]
    return np.asarray(looks - (known @ fit).T)
