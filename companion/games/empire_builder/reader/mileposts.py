"""Where the mileposts of a genuine map lie in a photograph of it.

Mileposts are a triangular lattice. Some of them whose places people told, or the corners of the map, say
roughly how it lies in the photograph. Then the printed marks themselves pull: in every part of the map the
surroundings of all its mileposts are laid on top of each other. What repeats there are the marks; names,
rivers and borders vanish.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.messages import m
from companion.games.empire_builder.printing.printed import PRINTED
from companion.sheets.lattice import Lattice, within
from companion.sheets.sheet import Sheet
from vision.errors import PlacementError
from vision.register.placing import weighted_homography
from vision.register.rectify import Image, Placement, Places, Sag, straightened
from vision.taught.finding import smooth_moves

LEAST_SPOTS = 4  # mileposts whose places have to be told, where no corners are
_FINE = 3.0  # pixels per mm of the picture in which marks are looked for
_MARK = (1.0, 2.2)  # mm: deviations of the Gaussians whose difference answers to a mark
_LOUDEST = 3.0  # deviations of that answer: names and borders are louder than marks, and do not count more
_PARTS = (1, 3, 4, 7)  # parts of the map each way, step by step
_LEAST_IN_PART = 10  # mileposts that say where the marks of a part are
_CLEAR = 4.0  # deviations of the other places by which marks stand out in a part
_STEPS = 2  # whole steps of the lattice by which marked corners may be off
_BETTER = 0.05  # of the marks found: another step of the lattice must fit better by so much
_OFF = 0.45  # steps of the lattice by which the place of a milepost may be off what the others say
_MISSED = 0.05  # steps: parts farther off what their neighbours say hardly count


@dataclass(frozen=True)
class Fit:
    """Where a map lies in a photograph; ``marks``: how much oftener marks are printed at its mileposts than
    elsewhere, as a difference of shares.
    """

    placement: Placement
    marks: float


def by_spots(sheet: Sheet, spots: Mapping[str, Places], told: Mapping[str, tuple[float, float]]) -> Placement:
    """The placement by the places, in pixels, of some mileposts; ``spots`` are those of all in mm."""
    if len(told) < LEAST_SPOTS:
        raise PlacementError(
            m("say where at least {number} mileposts are, far apart from each other", number=LEAST_SPOTS)
        )
    places, pixels = np.array([spots[name] for name in told]), np.array(list(told.values()), np.float64)
    homography = weighted_homography(places, pixels)
    if homography is None:
        raise PlacementError(m("the mileposts lie on one line: name some that are farther apart"))
    flat = Placement(homography)
    off = pixels - flat.pixels(places)
    step = PRINTED.map.pitch * flat.scale_at(sheet.middle)
    far = np.hypot(*off.T)
    if far.max() > _OFF * step:
        # The one without which the others agree best
        worst = max(
            range(len(places)), key=lambda n: _agreement(np.delete(places, n, 0), np.delete(pixels, n, 0))
        )
        name = list(told)[worst]
        raise PlacementError(
            m("milepost {name} does not lie where the others say: is it called otherwise?", name=name)
        )
    moves = smooth_moves(places, off, np.ones(len(places)), _low_and_high(sheet), _OFF * step)
    return replace(flat, sag=Sag(*_low_and_high(sheet), moves))


def _agreement(places: Places, pixels: Places) -> float:
    """How well a homography explains the places: the negative of the farthest residual."""
    homography = weighted_homography(places, pixels)
    return (
        -np.inf
        if homography is None
        else -float(np.hypot(*(pixels - Placement(homography).pixels(places)).T).max())
    )


def _low_and_high(sheet: Sheet) -> tuple[tuple[float, float], tuple[float, float]]:
    return sheet.area[0], sheet.area[2]


def on_marks(
    image: Image, sheet: Sheet, spots: Places, elsewhere: Places, start: Placement, *, whole_steps: bool
) -> Fit:
    """Pull a placement onto the printed marks.

    ``elsewhere``: places, in mm as the mileposts' ``spots``, at which there are none; ``whole_steps``: the
    placement may be off by steps of the lattice.
    """
    placement = start
    for parts in _PARTS:
        answer = _answer(image, placement, sheet)
        moves, clear, middles = _moves_of(answer, spots, parts)
        seen = clear > _CLEAR
        if not seen.any():
            return Fit(start, 0.0)
        placement = _moved(placement, sheet, middles[seen], moves[seen])
    if whole_steps:
        placement = _stepped(_answer(image, placement, sheet), spots, placement)
    answer = _answer(image, placement, sheet)
    return Fit(placement, _on_marks(answer, spots) - _on_marks(answer, elsewhere))


def _answer(image: Image, placement: Placement, sheet: Sheet) -> NDArray[np.float32]:
    """The straightened picture's answer to small marks, positive whether they are dark or light."""
    straight = straightened(image, placement, sheet, _FINE, 0, sheet.outline)
    grey = np.asarray(cv2.cvtColor(straight, cv2.COLOR_BGR2GRAY), np.float32)
    fine, coarse = (cv2.GaussianBlur(grey, (0, 0), size * _FINE) for size in _MARK)
    answer = np.asarray(coarse - fine, np.float32)
    usual = float(np.median(np.abs(answer))) * 1.5 + 1e-3
    return np.asarray(np.clip(answer / usual, -_LOUDEST, _LOUDEST), np.float32)


def _moves_of(
    answer: NDArray[np.float32], spots: Places, parts: int
) -> tuple[Places, NDArray[np.float64], Places]:
    """How far the marks are off in the parts of the map, in mm; how clear that is; the parts' middles."""
    reach = round(0.5 * PRINTED.map.pitch * _FINE)
    around = np.arange(-reach, reach + 1)
    low, high = spots.min(axis=0), spots.max(axis=0) + 1e-6
    cells = np.minimum((parts * (spots - low) / (high - low)).astype(int), parts - 1)
    padded = cv2.copyMakeBorder(answer, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0.0)
    pixels = np.rint(spots * _FINE - 0.5).astype(int) + reach
    found = []
    for part in np.unique(cells, axis=0):
        own = pixels[(cells == part).all(axis=1)]
        if len(own) < _LEAST_IN_PART:
            continue
        rows, columns = own[:, 1, None, None] + around[:, None], own[:, 0, None, None] + around
        laid = cv2.GaussianBlur(padded[rows, columns].mean(axis=0), (0, 0), 0.5 * _FINE)
        sign = 1.0 if laid.max() > -laid.min() else -1.0
        _, peak, _, (x, y) = cv2.minMaxLoc(sign * laid)
        clear = (peak - float(np.median(sign * laid))) / (
            1.48 * float(np.median(np.abs(laid - np.median(laid)))) + 1e-6
        )
        middle = spots[(cells == part).all(axis=1)].mean(axis=0)
        dx, dy = (
            _vertex(sign * laid[y, max(x - 1, 0) : x + 2]),
            _vertex(sign * laid[max(y - 1, 0) : y + 2, x]),
        )
        found.append((((x + dx - reach) / _FINE, (y + dy - reach) / _FINE), clear, middle))
    if not found:
        return np.zeros((1, 2)), np.zeros(1), spots.mean(axis=0, keepdims=True)
    moves, seen, middles = (np.array(values, np.float64) for values in zip(*found, strict=True))
    return moves, seen, middles


def _vertex(three: NDArray[np.float32]) -> float:
    """How far the top of a parabola through three values is from the middle one."""
    if len(three) < 3:
        return 0.0
    before, middle, after = map(float, three)
    curve = before - 2 * middle + after
    return 0.0 if curve > -1e-9 else 0.5 * (before - after) / curve


def _moved(placement: Placement, sheet: Sheet, middles: Places, moves: Places) -> Placement:
    """The placement with the marks of some parts where they were found."""
    low, high = _low_and_high(sheet)
    step = PRINTED.map.pitch * placement.scale_at(sheet.middle)
    flat = replace(placement, sag=None)
    if len(middles) < LEAST_SPOTS:  # all of it is off alike
        shift = np.eye(3)
        shift[:2, 2] = moves.mean(axis=0)
        return replace(placement, homography=placement.homography @ shift)
    off = placement.pixels(middles + moves) - flat.pixels(middles)
    field = smooth_moves(middles, off, np.ones(len(middles)), (low, high), _MISSED * step)
    return replace(flat, sag=Sag(low, high, field))


def _stepped(answer: NDArray[np.float32], spots: Places, placement: Placement) -> Placement:
    """The placement moved by whole steps of the lattice where that puts more mileposts onto marks."""
    lattice = Lattice(PRINTED.map.pitch, upright=True)
    shares = {steps: _on_marks(answer, spots + lattice.at(steps)) for steps in within((0, 0), _STEPS)}
    best = max(shares, key=shares.__getitem__)
    if shares[best] < shares[0, 0] * (1 + _BETTER):
        return placement
    shift = np.eye(3)
    shift[:2, 2] = lattice.at(best)
    return replace(placement, homography=placement.homography @ shift)


def _on_marks(answer: NDArray[np.float32], spots: Places) -> float:
    """The share of these places, in mm, at which a mark is printed."""
    loud = cv2.dilate(np.abs(answer), np.ones((5, 5), np.uint8))
    pixels = np.rint(spots * _FINE - 0.5).astype(int)
    inside = ((pixels >= 0) & (pixels < np.array(answer.shape[::-1]))).all(axis=1)
    marks = np.zeros(len(spots))
    marks[inside] = loud[pixels[inside, 1], pixels[inside, 0]]
    return float((marks > 0.5 * _LOUDEST).mean())
