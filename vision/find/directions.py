"""The table's plane as the camera sees it, and the directions in which things lie on it, from straight lines.

Print has right angles, and so have tables, cloths and sheets of paper; all lie in one plane. So the plane's
tilt is the one from above which neighbouring lines enclose angles of 0 or 90 degrees most often.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.register.rectify import Image, Matrix, Places

_FOCAL = 0.9  # focal length of a usual camera, of the longer side of its pictures
_MOST_LINES = 260  # from which the tilt is estimated: the longest of every place and direction
_PLACES, _DIRECTIONS = 8, 12  # into which the picture's longer side and all angles are cut for that
_NEIGHBOURS = 0.25  # of the picture's longer side: lines so near belong together
_STEEPEST, _STEP = 55.0, 6.0  # degrees of tilt
_COARSE, _FINE = 2.0, 1.2  # degrees by which a right angle may be off
_SHORTEST = 4.0  # pixels of a line
_FEWER_LINES = 120  # of them, to see which tilts are worth refining
_STARTS = 6  # tilts that are refined
_TILES = 4  # into which the picture's longer side is cut, to see what lies turned differently
_TOLD = 0.15  # lines of a direction, as a share of the picture's longer side, that tell it
_PEAKS = 3  # directions of one tile
_SAME = 2.0  # degrees


@dataclass(frozen=True)
class Directions:
    """The plane as a homography from pixels to itself seen from above, in pixels of the picture's middle.

    ``turns``: the directions that lines have in it, in degrees from 0 to 90, the most frequent first, each
    with the box, (low, high), in the plane turned back by it, in which such lines lie.
    """

    plane: Matrix
    turns: list[tuple[float, Places]]


def directions_in(grey: Image) -> Directions | None:
    """The plane and the directions of what lies in it; None for a picture without lines."""
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE).detect(grey)[0]
    if found is None or len(found) < 8:
        return None
    lines = found.reshape(-1, 2, 2).astype(np.float64) + 0.5
    size = (grey.shape[1], grey.shape[0])
    plane = _plane_of(lines, size)
    return Directions(plane, _turns_of(lines, plane, max(size)))


def mapped(matrix: Matrix, points: Places) -> Places:
    """Map points through a homography."""
    points = np.asarray(points, np.float64)
    there = points @ matrix[:, :2].T + matrix[:, 2]
    result: Places = there[..., :2] / there[..., 2:]
    return result


def _plane_of(lines: Places, size: tuple[int, int]) -> Matrix:
    order = _spread(lines, max(size))
    rough, fine = (_Squareness(lines[order[:most]], size) for most in (_FEWER_LINES, _MOST_LINES))
    tried = np.argsort([-rough.of(lean, _COARSE) for lean in _LEANS])[:_STARTS]
    climbed = [_climbed(lambda lean: fine.of(lean, _FINE), _LEANS[n]) for n in tried]
    return from_above(max(climbed, key=lambda one: one[0])[1], size)


def _spread(lines: Places, longest: int) -> NDArray[np.intp]:
    """An order of lines in which those of all places and directions take turns, the longest of each first.

    Else the grain of a wooden table would outvote what lies on it.
    """
    steps = lines[:, 1] - lines[:, 0]
    lengths = np.hypot(*steps.T)
    places = (lines.mean(axis=1) * _PLACES / longest).astype(int)
    turns = (np.arctan2(steps[:, 1], steps[:, 0]) / np.pi * _DIRECTIONS).astype(int) % _DIRECTIONS
    keys = (places[:, 0] * (_PLACES + 1) + places[:, 1]) * _DIRECTIONS + turns
    order = np.lexsort((-lengths, keys))
    begins = np.searchsorted(keys[order], keys[order])
    rank = np.arange(len(order)) - begins
    return np.asarray(order[np.lexsort((-lengths[order], rank))], np.intp)


class _Squareness:
    """How often neighbouring lines enclose angles of 0 or 90 degrees, seen from above a tilted plane."""

    def __init__(self, lines: Places, size: tuple[int, int]) -> None:
        self._ends, self._size = lines.reshape(-1, 2), size
        lengths, middles = np.hypot(*(lines[:, 1] - lines[:, 0]).T), lines.mean(axis=1)
        away = np.hypot(*(middles[:, None] - middles).transpose(2, 0, 1))
        self._one, self._other = np.nonzero(np.triu(away < _NEIGHBOURS * max(size), 1))
        self._weights = np.minimum(lengths[self._one], lengths[self._other])

    def of(self, lean: NDArray[np.float64], width: float) -> float:
        """The weight of the pairs of lines that do so, but for about so many degrees."""
        ends = mapped(from_above(lean, self._size), self._ends).reshape(-1, 2, 2)
        angles = np.arctan2(*(ends[:, 1] - ends[:, 0]).T[::-1])
        off = np.abs((angles[self._one] - angles[self._other] + np.pi / 4) % (np.pi / 2) - np.pi / 4)
        return float((self._weights * np.exp(-0.5 * (off / np.radians(width)) ** 2)).sum())


def _all_leans() -> NDArray[np.float64]:
    """Tilts from all sides, in radians towards x and y."""
    leans = [np.zeros(2)]
    for tilt in np.radians(np.arange(_STEP, _STEEPEST, _STEP)):
        ways = max(6, round(2 * np.pi * np.sin(tilt) / np.radians(1.7 * _STEP)))
        angles = np.arange(ways) * 2 * np.pi / ways
        leans += list(tilt * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    return np.array(leans)


_LEANS = _all_leans()


def _climbed(
    value: Callable[[NDArray[np.float64]], float], lean: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """The local maximum of a function of a tilt, and where it is."""
    best, step = value(lean), np.radians(_STEP) / 2
    while step > np.radians(0.6):
        tried = [lean + step * np.array(way) for way in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        values = [value(one) if np.hypot(*one) < 1.05 else 0.0 for one in tried]
        if max(values) > best:
            best, lean = max(values), tried[int(np.argmax(values))]
        else:
            step /= 2
    return best, lean


def from_above(lean: NDArray[np.float64], size: tuple[int, int]) -> Matrix:
    """The homography that turns the camera upright over a plane, with scale 1 in the picture's middle."""
    tilt, side = float(np.hypot(*lean)), float(np.arctan2(lean[1], lean[0]))
    normal = np.array([np.sin(tilt) * np.cos(side), np.sin(tilt) * np.sin(side), np.cos(tilt)])
    x, y = -normal[1], normal[0]  # the axis about which it turns
    across = np.array([[0, 0, -normal[0]], [0, 0, -normal[1]], [normal[0], normal[1], 0]])
    turn = np.eye(3) + across + across @ across / (1 + normal[2])
    assert np.hypot(x, y) <= 1.0
    focal = _FOCAL * max(size)
    rays = np.array([[1 / focal, 0, -size[0] / 2 / focal], [0, 1 / focal, -size[1] / 2 / focal], [0, 0, 1]])
    plane = np.diag([focal, focal, 1.0]) @ turn @ rays
    middle = np.array(size) / 2 + np.array([[0, 0], [1, 0], [0, 1]])
    here = mapped(plane, middle)
    area = abs(np.linalg.det(here[1:] - here[0]))
    return np.asarray(np.diag([area**-0.5, area**-0.5, 1.0]) @ plane, np.float64)


def _turns_of(lines: Places, plane: Matrix, longest: int) -> list[tuple[float, Places]]:
    ends = mapped(plane, lines)
    steps = ends[:, 1] - ends[:, 0]
    lengths, middles = np.hypot(*steps.T), ends.mean(axis=1)
    angles = np.degrees(np.arctan2(steps[:, 1], steps[:, 0])) % 90
    tile = longest / _TILES
    kept = (lengths > _SHORTEST) & (np.abs(middles) < 4 * longest).all(axis=1)
    lengths, angles, middles = np.minimum(lengths[kept], tile / 2), angles[kept], middles[kept]
    found: list[tuple[float, float]] = []
    places = np.floor((middles - middles.min(axis=0)) / (tile / 2)).astype(int)
    for across, down in np.ndindex(2, 2):
        keys = (places[:, 0] + across) // 2 * 1000 + (places[:, 1] + down) // 2
        for key in np.unique(keys):
            found += _peaks_of(angles[keys == key], lengths[keys == key], _TOLD * longest)
    turns: list[list[float]] = []
    for weight, angle in sorted(found, reverse=True):
        same = next((turn for turn in turns if abs((angle - turn[0] + 45) % 90 - 45) < _SAME), None)
        if same is None:
            turns.append([angle, weight])
        else:
            away = (angle - same[0] + 45) % 90 - 45
            same[1] += weight
            same[0] = (same[0] + away * weight / same[1]) % 90
    turns.sort(key=lambda turn: -turn[1])
    return [(turn, _box_of(turn, angles, middles)) for turn, _ in turns]


def _peaks_of(
    angles: NDArray[np.float64], lengths: NDArray[np.float64], least: float
) -> list[tuple[float, float]]:
    """The directions that most of these lines have, as (length of lines, angle)."""
    counts = np.bincount((2 * angles).astype(int) % 180, lengths, 180)
    around = ((-2, 0.5), (-1, 0.8), (0, 1.0), (1, 0.8), (2, 0.5))
    smooth = np.stack([np.roll(counts, step) * share for step, share in around]).sum(axis=0)
    found = []
    for _ in range(_PEAKS):
        best = int(np.argmax(smooth))
        if smooth[best] < least:
            break
        found.append((float(smooth[best]), (best + 0.5) / 2))
        smooth[np.arange(best - 8, best + 9) % 180] = 0
    return found


def _box_of(turn: float, angles: NDArray[np.float64], middles: Places) -> Places:
    """The box in the plane, turned back, in which the lines of a direction lie."""
    near = np.abs((angles - turn + 45) % 90 - 45) < 1.5 * _SAME
    there = mapped(turned_back(turn), middles[near])
    return np.stack([there.min(axis=0), there.max(axis=0)])


def turned_back(degrees: float) -> Matrix:
    """The rotation that makes lines of this direction level and upright."""
    angle = np.radians(degrees)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
