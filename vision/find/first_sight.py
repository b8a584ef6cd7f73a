"""Finds boards at first sight: square lattices with a ring of signs around them, of no known print.

    lines -> the table's plane -> lattices of every size and place -> fitted to their own lines -> proven

What proves a board is its ring: the places that have signs differ from those that have none, here and not one
cell farther, and the signs resemble each other, turned from side to side. Squared paper, a crossword,
a chessboard have no such ring.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.sheet import Sheet
from vision.find.by_tags import FoundSheet
from vision.find.directions import mapped
from vision.find.lattices import Candidate, Map, Ring, candidates, edges, share_above
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

_PIXELS = 1.0e6  # of the picture in which boards are looked for
_FURTHER_IN = 3  # cells in which nothing may look like the signs
_TRIED = 24  # candidates of each direction that are looked at closely
_RIM = 2 * CELL + CELL // 2
_PART = slice(_RIM - 20, -(_RIM - 20))
_BESIDE = 5  # pixels outside the lattice where signs are
_ROUND = (9, 9)
# Cells by which a ring is moved to see that it is nowhere else
_ELSEWHERE = tuple((down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if down or across)
_OFF_LINE = 0.12  # by how much more edge there must be where a line is seen
_LEAST_RING, _LEAST_ALIKE, _LEAST_LINES, _MARGIN, _PROVEN = 0.8, 0.45, 0.12, 0.18, 1.95
_MOST_INSIDE = 0.7  # how much signs may be like anything inside: a chessboard's squares go on
_SURE_RING, _SURE_LINES = 0.95, 0.45  # one of both: lines that cross others by chance reach neither
_MOST_ASKEW = 4.0  # degrees
_TRIED_AGAIN, _SAME_SIZE = 60, 0.14  # the same of those as large as a board that was found; logarithm
_LEAST_ROUGH = 0.68  # of a ring, where a lattice does not fit exactly yet
_PROMISING = 1.35  # of all that speaks for a board: worth polishing
_POLISHING = (0.2, 0.1, 0.05)  # cells by which the border of a lattice is moved
_GAINED, _LEAST_GAIN = 0.15, 0.005  # after the first of these steps, and by each change
# Moves, stretches, turns, leanings: how each changes a lattice of 7 cells by about a cell at its border
_MOVES = np.zeros((7, 3, 3))
_MOVES[0, 0, 2] = _MOVES[1, 1, 2] = 1.0
_MOVES[2, 0, 0] = _MOVES[3, 1, 1] = 0.3
_MOVES[4, 0, 1], _MOVES[4, 1, 0] = 0.3, -0.3
_MOVES[5, 2, 0] = _MOVES[6, 2, 1] = 0.08
_BETTER = 0.02  # of lines and signs: more than chance
_OVERLAP = 0.3  # of a board: two that share more are one


@dataclass(frozen=True)
class Proof:
    """What speaks for a board, each 0 to 1.

    ``ring``: how often a place with a sign has more edges than one without; ``elsewhere``: the same one cell
    farther, at most; ``lines``: the share of the cells' sides that are seen; ``alike``: how much signs of one
    kind resemble each other; ``inside``: how much they resemble anything further in;
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
    def holds(self) -> bool:
        """Return True if nothing but a board looks like this."""
        return (
            self.ring >= _LEAST_RING
            and self.alike >= _LEAST_ALIKE
            and self.lines >= _LEAST_LINES
            and self.ring - self.elsewhere >= _MARGIN
            and self.inside <= _MOST_INSIDE
            and (self.ring >= _SURE_RING or self.lines >= _SURE_LINES)
            and self.askew <= _MOST_ASKEW
            and self.total >= _PROVEN
        )


_NOTHING = Proof(0.0, 1.0, 0.0, 0.0, 1.0, 45.0)


@dataclass(frozen=True)
class SeenLattice:
    """A board: the homography from cells to pixels, and what proves it."""

    homography: Matrix
    proof: Proof


def find_lattices(image: Image, ring: Ring) -> list[SeenLattice]:
    """All boards of a picture whose lattice has this ring, turned as they happen to be found."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    levels = pyramid_of(grey)
    share = min(1.0, (_PIXELS / grey.size) ** 0.5)
    size = (round(grey.shape[1] * share), round(grey.shape[0] * share))
    small = grey if share == 1 else np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    enlarging = np.diag([grey.shape[1] / size[0], grey.shape[0] / size[1], 1.0])
    likely = candidates(small, ring)
    seen: list[SeenLattice] = []
    cells: list[float] = []
    for again in (False, True):
        for one in likely:
            if not _worth_a_look(one, cells, again):
                continue
            start = enlarging @ one.homography
            if _free(start, seen, ring):
                best = _fitted(levels, start, ring)
                if best.proof.holds and _free(best.homography, seen, ring):
                    seen.append(best)
                    cells.append(one.cell)
    return seen


def _worth_a_look(one: Candidate, cells: Sequence[float], again: bool) -> bool:
    """The likeliest; once boards were found, others of their size: boards of one game are equal."""
    if not again:
        return one.rank < _TRIED
    alike = any(abs(np.log(one.cell / cell)) < _SAME_SIZE for cell in cells)
    return alike and _TRIED <= one.rank < _TRIED_AGAIN


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
    before = prove(levels, start, ring)
    best = _fitted_from(levels, start, ring)
    if best.proof.lines + best.proof.alike < before.lines + before.alike + _BETTER:
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


def _fitted(levels: Sequence[Image], start: Matrix, ring: Ring) -> SeenLattice:
    """A lattice fitted from a start, or from beside it where that is likely to end at something better."""
    start = combed_lattice(levels, start, ring.side)
    rough = prove(levels, start, ring)
    if rough.ring < _LEAST_ROUGH:
        return SeenLattice(start, _NOTHING)
    best = _fitted_from(levels, start, ring)
    if rough.total > best.proof.total:
        best = SeenLattice(start, rough)
    settled = best.proof.holds and best.proof.lines >= _SURE_LINES
    return _polished(levels, best, ring) if best.proof.total > _PROMISING and not settled else best


def _polished(levels: Sequence[Image], lattice: SeenLattice, ring: Ring) -> SeenLattice:
    """The lattice moved, stretched and turned by ever smaller steps while more speaks for it.

    Where a print has hardly any lines its signs tell best where it lies: each of them looks like the others.
    """
    best = lattice
    for step in _POLISHING:
        if best.proof.total < _PROMISING + _GAINED * (step < _POLISHING[0]):
            break
        for change in np.concatenate([_MOVES, -_MOVES]) * step:
            homography = best.homography @ _about_middle(change, ring.side)
            proof = prove(levels, homography, ring)
            if proof.total > best.proof.total + _LEAST_GAIN:
                best = SeenLattice(homography, proof)
    return best


def _about_middle(change: NDArray[np.float64], side: int) -> Matrix:
    """A homography of cells that changes little, about the middle of the lattice."""
    to_middle = np.array([[1, 0, -side / 2], [0, 1, -side / 2], [0, 0, 1.0]])
    return np.asarray(np.linalg.inv(to_middle) @ (np.eye(3) + change) @ to_middle, np.float64)


def _fitted_from(levels: Sequence[Image], start: Matrix, ring: Ring) -> SeenLattice:
    homography = fitted_lattice(levels, start, ring.side)
    before, after = mapped(start, ring.corners), mapped(homography, ring.corners)
    cell = float(np.hypot(*(before[1] - before[0]))) / ring.side
    if not np.hypot(*(after - before).T).max() < cell:
        return SeenLattice(start, _NOTHING)
    return SeenLattice(homography, prove(levels, homography, ring))


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


def prove(levels: Sequence[Image], homography: Matrix, ring: Ring) -> Proof:
    """What speaks for a board with this ring at a place."""
    view = lattice_view(levels, homography, ring.side, _RIM)
    any_, upright, level = edges(view)
    around = np.asarray(cv2.blur(any_, _ROUND), np.float32)
    elsewhere = max(_ring_told(around, ring, down, across) for down, across in _ELSEWHERE)
    told, lines = _ring_told(around, ring, 0, 0), _lines_seen(upright, level, ring.side)
    return Proof(told, elsewhere, lines, *_signs_alike(view, ring), _askew(view))


def _askew(view: Image) -> float:
    """By how many degrees, of 45, the edges of a view are turned on the whole; quarters do not count."""
    values = cv2.GaussianBlur(view[_PART, _PART].astype(np.float32), (0, 0), 0.8)
    across, down = cv2.Scharr(values, cv2.CV_32F, 1, 0), cv2.Scharr(values, cv2.CV_32F, 0, 1)
    steps = across + 1j * down
    fourfold = (steps**4 / np.maximum(np.abs(steps) ** 3, 1.0)).sum()
    return float(abs(np.degrees(np.angle(fourfold))) / 4)


def _ring_told(around: Map, ring: Ring, down: int, across: int) -> float:
    """How often a place of the ring, moved by cells, has more edges than one between (AUC)."""
    end = ring.side * CELL
    values = []
    for places in (ring.places, ring.others):
        along = np.array(places) * CELL + CELL // 2
        told = [
            around[_RIM + down * CELL + beyond, _RIM + across * CELL + along]
            for beyond in (-_BESIDE, end + _BESIDE - 1)
        ]
        told += [
            around[_RIM + down * CELL + along, _RIM + across * CELL + beyond]
            for beyond in (-_BESIDE, end + _BESIDE - 1)
        ]
        values.append(np.concatenate(told))
    return share_above(*values)


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


def _signs_alike(view: Image, ring: Ring) -> tuple[float, float]:
    """How much signs of one kind resemble each other, and anything further in (median correlations).

    Kinds alternate around the board.
    """
    signs, inside, kinds = [], [], []
    for quarter in range(4):
        turned = cv2.GaussianBlur(np.rot90(view, quarter).astype(np.float32), (0, 0), 0.8)
        for number, place in enumerate(ring.places):
            left, right = _RIM + place * CELL, _RIM + (place + 1) * CELL
            sign = turned[_RIM - CELL + 1 : _RIM + 2, left:right]
            sign = sign - sign.mean()
            signs.append((sign / (np.linalg.norm(sign) + 1e-3)).ravel())
            kinds.append((quarter + number) % 2)
            strip = turned[_RIM + 2 : _RIM + _FURTHER_IN * CELL, left - 2 : right + 2]
            alone = turned[_RIM - CELL + 1 : _RIM - 2, left:right]
            inside.append(cv2.matchTemplate(strip, alone, cv2.TM_CCOEFF_NORMED).max())
    every = np.array(signs)
    kind = np.array(kinds)
    same = (kind[:, None] == kind) & ~np.eye(len(kind), dtype=bool)
    return float(np.median((every @ every.T)[same])), float(np.median(inside))
