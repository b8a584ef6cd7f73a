"""Finds boards at first sight: square lattices with a ring of signs around them, of no known print.

    lines -> the table's plane -> lattices of every size and place -> fitted to their own lines -> proven

What proves a board is its ring: the places that have signs differ from those that have none, here and not one
cell farther, and the signs resemble each other, turned from side to side. Squared paper, a crossword,
a chessboard have no such ring.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.sheet import Sheet
from vision.find.by_tags import FoundSheet
from vision.find.directions import mapped
from vision.find.equals import FAR, equals_of
from vision.find.lattices import Map, Ring, candidates, edges
from vision.register.lattice_fit import (
    CELL,
    combed_lattice,
    fitted_lattice,
    lattice_view,
    pyramid_of,
    side_profiles,
)
from vision.register.placing import Match, is_sensible
from vision.register.rectify import Image, Matrix, Placement, Places
from vision.register.sign_fit import fitted_on_signs, kinds_of, sign_strips

_PIXELS = 1.0e6  # of the picture in which boards are looked for
_FURTHER_IN = 3  # cells in which nothing may look like the signs
_TRIED = 56  # candidates that are looked at closely
_TRIED_FURTHER = 16  # the same once a board was found, and with it all that are equal to it
_AS_GOOD = 0.75  # of the score of a board that was found: others are hardly worse
_RIM = 2 * CELL + CELL // 2
_PART = slice(_RIM - 20, -(_RIM - 20))
_BESIDE = 5  # pixels outside the lattice where signs are
_ROUND = (9, 9)
# Cells by which a ring is moved to see that it is nowhere else
_ELSEWHERE = tuple(
    (step * down, step * across)
    for step in (1, 2)
    for down in (-1, 0, 1)
    for across in (-1, 0, 1)
    if down or across
)
_OFF_LINE = 0.12  # by how much more edge there must be where a line is seen
_LEAST_RING, _LEAST_ALIKE, _LEAST_LINES, _MARGIN, _PROVEN = 0.8, 0.45, 0.15, 0.15, 1.9
_CLEARLY = 2.3  # of all that speaks for a board: enough not to ask further
_MOST_INSIDE = 0.7  # how much signs may be like anything inside: a chessboard's squares go on
_LESS_INSIDE = 0.12  # than like each other, for signs so plain (discs, bars) that much resembles them
# One of these: lines that cross others by chance reach none
_SURE_RING, _SURE_LINES, _SURE_ALIKE = 0.95, 0.45, 0.6
_MOST_ASKEW = 4.0  # degrees
_LEAST_ROUGH, _LEAST_BEGUN = 0.6, 0.7  # of a ring, where a lattice does not fit exactly yet; from a start
_ROUGHLY = 0.03  # by how much such a ring is better than elsewhere, at least
_MUCH_ALIKE = 0.5  # of signs: then they tell the place
_ROUGHLY_INSIDE, _LIKELY = 0.85, 1.45
_BETTER = 0.02  # of lines and signs: more than chance
_OVERLAP = 0.3  # of a board: two that share more are one


@dataclass(frozen=True)
class Proof:
    """What speaks for a board, each 0 to 1.

    ``ring``: how often a place with a sign has more edges than one without; ``elsewhere``: the same one cell
    or two farther, at most; ``lines``: the share of the cells' sides that are seen; ``alike``: how much signs
    of one kind resemble each other; ``inside``: how much they resemble anything further in;
    ``askew``: by how many degrees most edges are turned against the lattice.
    """

    ring: float
    elsewhere: float
    lines: float
    alike: float
    inside: float
    askew: float

    @property
    def total(self) -> float:
        """All that speaks for it."""
        return self.ring + self.lines + self.alike

    @property
    def is_likely(self) -> bool:
        """Return True if it may hold once the lattice fits better."""
        return (
            self.ring >= _LEAST_ROUGH
            and self.ring > self.elsewhere
            and self.inside <= max(_ROUGHLY_INSIDE, self.alike - _LESS_INSIDE)
            and self.total >= _LIKELY
        )

    @property
    def holds(self) -> bool:
        """Return True if nothing but a board looks like this."""
        return (
            self.ring >= _LEAST_RING
            and self.alike >= _LEAST_ALIKE
            and self.lines >= _LEAST_LINES
            and self.ring - self.elsewhere >= _MARGIN
            and self.inside <= max(_MOST_INSIDE, self.alike - _LESS_INSIDE)
            and (self.ring >= _SURE_RING or self.lines >= _SURE_LINES or self.alike >= _SURE_ALIKE)
            and (self.askew <= _MOST_ASKEW or self.alike >= _SURE_ALIKE)
            and self.total >= _PROVEN
        )

    @property
    def holds_beside_equal(self) -> bool:
        """Return True if it is a board where others with such signs are known to lie."""
        return (
            self.is_likely
            and self.ring - self.elsewhere >= _ROUGHLY
            and self.alike >= _SURE_ALIKE
            and self.lines >= _LEAST_LINES
            and self.total >= _PROVEN
        )


_NOTHING = Proof(0.0, 1.0, 0.0, 0.0, 1.0, 45.0)


@dataclass(frozen=True)
class SeenLattice:
    """A board: the homography from cells to pixels, what proves it, and if its signs stand upright."""

    homography: Matrix
    proof: Proof
    upright: bool = False


def find_lattices(image: Image, ring: Ring) -> list[SeenLattice]:
    """All boards of a picture whose lattice has this ring, turned as they happen to be found."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    levels = pyramid_of(grey)
    share = min(1.0, (_PIXELS / grey.size) ** 0.5)
    size = (round(grey.shape[1] * share), round(grey.shape[0] * share))
    small = grey if share == 1 else np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    enlarging = np.diag([grey.shape[1] / size[0], grey.shape[0] / size[1], 1.0])
    seen: list[SeenLattice] = []
    for likely in candidates(small, ring):
        best = 0.0
        for number, one in enumerate(likely[:_TRIED]):
            if seen and (number >= _TRIED_FURTHER or one.score < _AS_GOOD * best):
                break
            start = enlarging @ one.homography
            if not _free(start, seen, ring):
                continue
            fitted = _fitted(levels, start, ring)
            if fitted.proof.holds and _free(fitted.homography, seen, ring):
                seen.append(fitted)
                _add_equals(levels, seen, ring)
                best = max(best, one.score)
        if seen:
            break
    return seen


def _add_equals(levels: Sequence[Image], seen: list[SeenLattice], ring: Ring) -> None:
    """Add boards equal to the last one that was seen: those of one game are. Then those beyond them."""
    middle = np.full((1, 2), ring.side / 2)
    looked: list[Matrix] = []
    number = len(seen) - 1
    while number < len(seen):
        here = seen[number].homography
        away = [np.hypot(*(mapped(np.linalg.inv(one) @ here, middle) - middle)[0]) for one in looked]
        if min(away, default=np.inf) > FAR:
            looked.append(here)
            for start in equals_of(levels, here, ring, upright=seen[number].upright):
                if _free(start, seen, ring):
                    best = _fitted(levels, start, ring, likely=True)
                    if best.proof.holds_beside_equal and _free(best.homography, seen, ring):
                        seen.append(best)
        number += 1


def sheets_at_first_sight(image: Image, ring: Ring, sheet: Sheet) -> list[FoundSheet]:
    """All boards of a picture with this ring, each standing for ``sheet``, from left to right.

    They are as upright as the picture has them: which of their sides is the upper one is not known yet.
    """
    found = [_as_sheet(one.homography, sheet, ring, "sight") for one in find_lattices(image, ring)]
    size = image.shape[1], image.shape[0]
    outline = np.array(sheet.area)
    sensible = [one for one in found if is_sensible(one.placement, outline, size)]
    return sorted(sensible, key=lambda one: float(one.placement.pixels(outline)[:, 0].mean()))


def on_own_lines(image: Image, marked: FoundSheet, ring: Ring) -> FoundSheet:
    """A board whose corners somebody marked, moved onto the lines of its own print where these are seen."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    levels = pyramid_of(grey)
    start = marked.placement.homography @ _to_sheet(marked.sheet, ring)
    signs = fitted_on_signs(levels, start, ring)
    before, on_signs = (_proven(levels, one, ring, signs.upright) for one in (start, signs.homography))
    best = max((on_signs, *(_on_lines(levels, one, ring) for one in (before, on_signs))), key=_told)
    if best.proof.lines + best.proof.alike < before.proof.lines + before.proof.alike + _BETTER:
        return marked
    return _as_sheet(best.homography, marked.sheet, ring, marked.found_by)


def _to_sheet(sheet: Sheet, ring: Ring) -> Matrix:
    """From cells to mm on a sheet whose area is the lattice."""
    (left, top), _, (right, bottom), _ = sheet.area
    across, down = (right - left) / ring.side, (bottom - top) / ring.side
    return np.array([[across, 0, left], [0, down, top], [0, 0, 1.0]])


def _as_sheet(homography: Matrix, sheet: Sheet, ring: Ring, found_by: str) -> FoundSheet:
    """A lattice as a sheet, with that corner first which is nearest to the picture's top left."""
    corners = mapped(homography, ring.corners)
    if found_by == "sight":
        first = int(np.argmin(corners.sum(axis=1)))
        homography = homography @ _turned(ring, first)
        corners = np.roll(corners, -first, axis=0)
    placed = homography @ np.linalg.inv(_to_sheet(sheet, ring))
    match = Match(np.array(sheet.area), corners, np.ones(4))
    return FoundSheet(sheet, Placement(np.asarray(placed / placed[2, 2], np.float64)), match, True, found_by)


def begun_at(found: FoundSheet, ring: Ring, corner: int) -> FoundSheet:
    """The sheet with another corner of its area, counted clockwise from the first, as its top left."""
    to_sheet = _to_sheet(found.sheet, ring)
    turn = to_sheet @ _turned(ring, corner) @ np.linalg.inv(to_sheet)
    homography = found.placement.homography @ turn
    placement = replace(found.placement, homography=homography / homography[2, 2])
    return replace(found, placement=placement)


def _turned(ring: Ring, corner: int) -> Matrix:
    """The lattice turned so that its corner of this number comes first."""
    end = float(ring.side)
    quarter = np.array([[0.0, -1.0, end], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(np.linalg.matrix_power(quarter, corner), np.float64)


def _fitted(levels: Sequence[Image], start: Matrix, ring: Ring, *, likely: bool = False) -> SeenLattice:
    """A lattice fitted from a start to its signs, and to its lines where they tell it better.

    ``likely``: signs as they should be were seen around the start already.
    """
    for begin in (start, combed_lattice(levels, start, ring.side)):
        if not (likely or _may_be_ring(levels, begin, ring)):
            continue
        on_signs = fitted_on_signs(levels, begin, ring)
        if on_signs.alike < _MUCH_ALIKE:
            continue
        seen = _proven(levels, on_signs.homography, ring, on_signs.upright)
        if not seen.proof.is_likely:
            return seen
        best = max(seen, _on_lines(levels, seen, ring), key=_told)
        if best.proof.total >= _CLEARLY:
            return best
        # What lies beside blurred signs may be as alike as they are: lines are asked from both places.
        begun = _proven(levels, begin, ring, on_signs.upright)
        return max(best, _on_lines(levels, begun, ring), key=_told) if begun.proof.is_likely else best
    return SeenLattice(start, _NOTHING)


def _told(lattice: SeenLattice) -> float:
    return lattice.proof.total


def _proven(levels: Sequence[Image], homography: Matrix, ring: Ring, upright: bool) -> SeenLattice:
    return SeenLattice(homography, prove(levels, homography, ring, upright=upright), upright)


def _on_lines(levels: Sequence[Image], lattice: SeenLattice, ring: Ring) -> SeenLattice:
    """The lattice fitted to its lines, if that does not carry it away."""
    homography = fitted_lattice(levels, lattice.homography, ring.side)
    before, after = mapped(lattice.homography, ring.corners), mapped(homography, ring.corners)
    cell = float(np.hypot(*(before[1] - before[0]))) / ring.side
    if not np.hypot(*(after - before).T).max() < cell:
        return lattice
    return _proven(levels, homography, ring, lattice.upright)


def _free(homography: Matrix, seen: Sequence[SeenLattice], ring: Ring) -> bool:
    """Return True if no board was seen at a place."""
    here = mapped(homography, ring.corners).astype(np.float32)
    return all(_shared(here, mapped(other.homography, ring.corners)) < _OVERLAP for other in seen)


def _shared(one: NDArray[np.float32], other: Places) -> float:
    """The part of the smaller of two boards that both cover."""
    both = cv2.intersectConvexConvex(one, other.astype(np.float32))[0]
    smaller = min(cv2.contourArea(one), cv2.contourArea(other.astype(np.float32)))
    return float(both / max(smaller, 1e-6))


# --- the proof ---


def prove(levels: Sequence[Image], homography: Matrix, ring: Ring, *, upright: bool = False) -> Proof:
    """What speaks for a board with this ring at a place, its signs turned with their sides or ``upright``."""
    view = lattice_view(levels, homography, ring.side, _RIM)
    any_, *along = edges(view)
    around = np.asarray(cv2.blur(any_, _ROUND), np.float32)
    (told, *elsewhere), lines = _rings_told(around, ring), _lines_seen(along[0], along[1], ring.side)
    return Proof(told, max(elsewhere), lines, *_signs_alike(view, ring, upright), _askew(view))


def _may_be_ring(levels: Sequence[Image], homography: Matrix, ring: Ring) -> bool:
    """Return True if the ring of a board is seen at a place, roughly, and less elsewhere."""
    any_, _, _ = edges(lattice_view(levels, homography, ring.side, _RIM))
    around = np.asarray(cv2.blur(any_, _ROUND), np.float32)
    told, *elsewhere = _rings_told(around, ring)
    return told >= _LEAST_BEGUN and told > max(elsewhere) + _ROUGHLY


def _askew(view: Image) -> float:
    """By how many degrees, of 45, the edges of a view are turned on the whole; quarters do not count."""
    values = cv2.GaussianBlur(view[_PART, _PART].astype(np.float32), (0, 0), 0.8)
    across, down = cv2.Scharr(values, cv2.CV_32F, 1, 0), cv2.Scharr(values, cv2.CV_32F, 0, 1)
    steps = across + 1j * down
    fourfold = (steps**4 / np.maximum(np.abs(steps) ** 3, 1.0)).sum()
    return float(abs(np.degrees(np.angle(fourfold))) / 4)


def _rings_told(around: Map, ring: Ring) -> list[float]:
    """How often a place of the ring has more edges than one between (AUC): here, and :data:`_ELSEWHERE`."""
    marked, free = (around[rows, columns] for rows, columns in _ring_pixels(ring))
    difference = marked[:, :, None] - free[:, None]
    told = (difference > 0).mean(axis=(1, 2)) + 0.5 * (difference == 0).mean(axis=(1, 2))
    return [float(one) for one in told]


@lru_cache(maxsize=4)
def _ring_pixels(ring: Ring) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Rows and columns, (here and elsewhere, places), of the ring's places and of those between."""
    end = ring.side * CELL
    found = []
    for places in (ring.places, ring.others):
        along = np.array(places) * CELL + CELL // 2
        beyond = np.repeat([-_BESIDE, end + _BESIDE - 1], len(along))
        both = np.tile(along, 2)
        rows, columns = np.concatenate([beyond, both]), np.concatenate([both, beyond])
        moved = np.array([(0, 0), *_ELSEWHERE]) * CELL + _RIM
        found.append((rows + moved[:, :1], columns + moved[:, 1:]))
    return found


def _lines_seen(upright: Map, level: Map, side: int) -> float:
    """The share of all sides of cells along which there is an edge that is not beside them."""
    upright, level = (np.ascontiguousarray(one[_PART, _PART]) for one in (upright, level))
    turned = np.ascontiguousarray(level.T), np.ascontiguousarray(upright.T)
    both = side_profiles(upright, level, side, 20), side_profiles(*turned, side, 20)
    profiles = np.concatenate([one.reshape(-1, CELL) for one in both])
    middle = CELL // 2
    on = profiles[:, middle - 2 : middle + 2].max(axis=1)
    off = (profiles[:, 2:4].mean(axis=1) + profiles[:, -4:-2].mean(axis=1)) / 2
    return float((on > off + _OFF_LINE).mean())


def _signs_alike(view: Image, ring: Ring, upright: bool) -> tuple[float, float]:
    """How much signs of one kind resemble each other, and anything further in (median correlations).

    Kinds alternate around the board.
    """
    signs = sign_strips(view, ring, 0, upright=upright).reshape(4 * len(ring.places), -1)
    signs = signs - signs.mean(axis=1, keepdims=True)
    signs /= np.linalg.norm(signs, axis=1, keepdims=True) + 1e-3
    kind = kinds_of(ring)
    same = (kind[:, None] == kind) & ~np.eye(len(kind), dtype=bool)
    inside = []
    for quarter in range(4):
        turned = cv2.GaussianBlur(np.rot90(view, quarter).astype(np.float32), (0, 0), 0.8)
        for place in ring.places:
            left, right = _RIM + place * CELL, _RIM + (place + 1) * CELL
            strip = turned[_RIM + 2 : _RIM + _FURTHER_IN * CELL, left - 2 : right + 2]
            alone = turned[_RIM - CELL + 1 : _RIM - 2, left:right]
            inside.append(cv2.matchTemplate(strip, alone, cv2.TM_CCOEFF_NORMED).max())
    return float(np.median((signs @ signs.T)[same])), float(np.median(inside))
