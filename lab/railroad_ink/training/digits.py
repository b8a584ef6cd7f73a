"""Round numbers in anybody's writing: digits of many shapes, drawn into pictures of empty boxes.

The studio's glyphs are one person's idea of a digit. Here every digit has several topologies (a four open or
closed, a seven with or without a bar), each built from arcs and lines whose every measure is random, then
slanted, warped and put anywhere in the box, touching its frame or crossing it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import log
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.printing.printed import round_quad
from companion.games.railroad_ink.reader.signs import SIGN_RIM, SIGN_SIZE, sign_quads
from vision.register.rectify import Image

Rng = np.random.Generator
Line: TypeAlias = NDArray[np.float64]  # (n, 2) in a box from 0 to 1, y downwards
_FINE = 4  # times as fine as the picture of a sign is what is drawn
_HEIGHTS = (1.7, 4.2)  # mm
_WIDTHS = (0.22, 1.3)  # mm, of the pen
_STOUTEST, _STOUTEST_ONE = 0.3, 0.5  # shares of the height: how broad the pen may be, and for a plain stroke


def _arc(middle: tuple[float, float], radii: tuple[float, float], first: float, last: float) -> Line:
    """An arc between two angles, in degrees clockwise from the right, since y points down."""
    turn = np.radians(np.linspace(first, last, 14))
    arc: Line = np.array(middle) + np.array(radii) * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return arc


def _line(*points: tuple[float, float]) -> Line:
    return np.array(points, np.float64)


def _joined(*lines: Line) -> Line:
    return np.concatenate(lines)


def _one(rng: Rng) -> list[Line]:
    bow, kind = rng.normal(0, 0.1), rng.random()
    if kind < 0.25:  # nothing but a stroke, perhaps bowed
        lean = rng.uniform(-0.2, 0.3)
        return [_line((0.5 + lean, 0.0), (0.5 + lean / 2 + bow, 0.5), (0.5, 1.0))]
    top, low = (rng.uniform(0.4, 0.7), 0.0), (rng.uniform(0.4, 0.6), 1.0)
    stem = _line(top, ((top[0] + low[0]) / 2 + 0.5 * bow, 0.5), low)
    flag, base = rng.random() < 0.7, rng.random() < 0.4
    if flag:
        stem = _joined(_line((top[0] - rng.uniform(0.08, 0.55), rng.uniform(0.05, 0.55))), stem)
    if flag and not base:
        return [stem]
    if not flag and rng.random() < 0.4:  # the foot in one go with the stroke, to either side
        end = (low[0] + rng.choice([-1, 1]) * rng.uniform(0.15, 0.6), low[1] + rng.uniform(-0.15, 0.05))
        return [_joined(stem, _line(end))]
    left = (rng.uniform(-0.05, 0.4), rng.uniform(0.93, 1.05))
    right = (rng.uniform(0.6, 1.1), rng.uniform(0.9, 1.05))
    return [stem, _line(left, right)]


def _two(rng: Rng) -> list[Line]:
    high = rng.uniform(0.16, 0.4)
    top = _arc((0.5, high), (rng.uniform(0.25, 0.5), high), rng.uniform(110, 250), rng.uniform(350, 420))
    low = (rng.uniform(-0.1, 0.3), rng.uniform(0.8, 1.0))
    end = (rng.uniform(0.7, 1.6), rng.uniform(0.72, 1.15))
    waist = _line(((top[-1][0] + low[0]) / 2 + rng.uniform(-0.05, 0.14), rng.uniform(0.58, 0.72)))
    kind = rng.random()
    if kind < 0.5:  # a loop where the line turns, its tail perhaps far below it, perhaps bowed
        wide, high = rng.uniform(0.05, 0.3), rng.uniform(0.04, 0.2)
        low = (low[0], rng.uniform(0.62, 1.0))
        middle = (low[0] + wide, low[1] - rng.uniform(0.2, 1.0) * high)
        loop = _arc(middle, (wide, high), rng.uniform(20, 110), rng.uniform(290, 400))
        end = (end[0], low[1] + rng.uniform(-0.1, 0.35))
        through = ((loop[-1][0] + end[0]) / 2, (loop[-1][1] + end[1]) / 2 + rng.uniform(-0.08, 0.08))
        return [_joined(top, waist, loop, _line(through, end))]
    if kind < 0.6:  # a wave for a base
        wave = _line((0.3, low[1] - rng.uniform(0.02, 0.12)), (0.6, rng.uniform(0.92, 1.05)), end)
        return [_joined(top, waist, _line(low), wave)]
    return [_joined(top, waist, _line(low, end))]


def _three(rng: Rng) -> list[Line]:
    waist = rng.uniform(0.34, 0.56)
    right = rng.uniform(0.35, 0.58)
    middle = (rng.uniform(0.3, 0.48), (1 + waist) / 2)
    bottom = _arc(middle, (right, (1 - waist) / 2), rng.uniform(-95, -55), rng.uniform(95, 190))
    if rng.random() < 0.25:  # flat on top
        top = _line(
            (rng.uniform(0, 0.15), rng.uniform(0, 0.06)), (rng.uniform(0.75, 1.0), rng.uniform(-0.05, 0.08))
        )
        return [_joined(top, _line((rng.uniform(0.25, 0.55), waist)), bottom)]
    wide, end = rng.uniform(0.28, 0.5), rng.uniform(400, 465)
    top = _arc((rng.uniform(0.35, 0.5), waist / 2), (wide, waist / 2), rng.uniform(170, 240), end)
    if rng.random() < 0.3:  # a loop in the middle
        knot = _arc(
            (rng.uniform(0.25, 0.4), waist), (rng.uniform(0.05, 0.12), rng.uniform(0.04, 0.08)), 20, 340
        )
        return [_joined(top, knot, bottom)]
    return [_joined(top, _line((rng.uniform(0.1, 0.5), waist)), bottom)]


def _four(rng: Rng) -> list[Line]:
    cross = rng.uniform(0.5, 0.78)
    stem = rng.uniform(0.5, 0.85)
    end = (rng.uniform(0.85, 1.2), cross + rng.uniform(-0.1, 0.06))
    kind = rng.integers(3)
    if kind == 0:  # closed, in one go
        return [_line((stem + rng.uniform(-0.1, 0.08), 1.0), (stem, 0.0), (0.0, cross), end)]
    if kind == 1:  # closed, the stem by itself
        top = (stem + rng.uniform(-0.2, 0.05), rng.uniform(0.0, 0.05))
        stroke = _line((stem, rng.uniform(0.0, 0.4)), (stem + rng.uniform(-0.15, 0.08), 1.0))
        return [_line(top, (0.0, cross), end), stroke]
    left = rng.uniform(0.0, 0.25)  # open
    bend = _line((left + rng.uniform(-0.03, 0.2), rng.uniform(0.0, 0.15)), (left, cross), end)
    if rng.random() < 0.4:
        turn = _arc((left + 0.12, cross - 0.12), (0.14, 0.12), 180, 90)
        bend = _joined(_line((left + 0.1, 0.0)), turn, _line(end))
    return [bend, _line((stem, rng.uniform(-0.05, 0.4)), (stem + rng.uniform(-0.18, 0.08), 1.0))]


def _five(rng: Rng) -> list[Line]:
    neck = rng.uniform(0.3, 0.54)
    left = rng.uniform(0.05, 0.25)
    middle, radii = (rng.uniform(0.3, 0.5), (1 + neck) / 2), (rng.uniform(0.3, 0.55), (1 - neck) / 2)
    belly = _arc(middle, radii, rng.uniform(-130, -75), rng.uniform(85, 215))
    start = (left + rng.uniform(-0.08, 0.2), rng.uniform(-0.08, 0.1))
    bar = _line(start, (start[0] + rng.uniform(0.4, 0.95), start[1] + rng.uniform(-0.16, 0.08)))
    down = _line((left + rng.uniform(0.0, 0.15), 0.02), (left, neck + rng.uniform(-0.05, 0.1)))
    kind = rng.random()
    if kind < 0.45:
        return [_joined(down, belly), bar]
    if kind < 0.65:  # in one go, as an S
        return [_joined(_arc((0.55, neck / 2), (rng.uniform(0.35, 0.5), neck / 2), 300, 150), belly)]
    return [_joined(bar[::-1], down, belly)]


def _six(rng: Rng) -> list[Line]:
    high = rng.uniform(0.34, 0.72)
    middle, radius = (0.5, (1 + high) / 2), (rng.uniform(0.18, 0.5), (1 - high) / 2)
    back = _arc((rng.uniform(0.7, 1.0), 0.6), (rng.uniform(0.65, 0.95), rng.uniform(0.55, 0.65)), 262, 180)
    if rng.random() < 0.35:  # nearly straight
        back = _line((rng.uniform(0.35, 0.95), 0.0), (middle[0] - radius[0], middle[1]))
    loop = _arc(middle, radius, 180, 180 - rng.uniform(260, 430))
    return [_joined(back, loop)]


def _seven(rng: Rng) -> list[Line]:
    top, foot = (rng.uniform(0.8, 1.05), rng.uniform(-0.08, 0.1)), (rng.uniform(0.1, 0.75), 1.0)
    bend = ((top[0] + foot[0]) / 2 + rng.uniform(-0.2, 0.06), rng.uniform(0.4, 0.6))
    start = (rng.uniform(-0.05, 0.15), rng.uniform(-0.02, 0.14))
    roof = _line(start, ((start[0] + top[0]) / 2, (start[1] + top[1]) / 2 + rng.normal(0, 0.05)), top)
    if rng.random() < 0.4:  # begins with a stroke downwards
        roof = _joined(_line((start[0] + rng.uniform(-0.12, 0.05), start[1] + rng.uniform(0.08, 0.4))), roof)
    lines = [_joined(roof, _line(bend, foot))]
    if rng.random() < 0.4:
        at, left = rng.uniform(0.35, 0.65), rng.uniform(0.05, 0.35)
        lines.append(_line((left, at), (left + rng.uniform(0.4, 0.75), at + rng.uniform(-0.15, 0.08))))
    return lines


_SHAPES: dict[str, Callable[[Rng], list[Line]]] = {
    "1": _one, "2": _two, "3": _three, "4": _four, "5": _five, "6": _six, "7": _seven,
}  # fmt: skip


def digit_in_box(rng: Rng, box: Image, digit: str) -> Image:
    """The picture of an empty box with a digit written into it."""
    size, per_mm, middle = _geometry()
    height = float(rng.uniform(*_HEIGHTS))
    lines = _placed(rng, [_rounded(line) for line in _SHAPES[digit](rng)], height)
    reach = np.concatenate(lines)
    half = np.ptp(reach, axis=0) / 2
    # Anywhere in the box, now and then a little beyond.
    room = np.maximum(np.asarray(size) / 2 - half, 0.0) + rng.uniform(0.0, 0.45)
    offset = rng.uniform(-room, room) - (reach.min(axis=0) + half)
    # Nobody could read what a pen leaves no paper in.
    narrow = height if digit == "1" else min(height, 1.5 * 2 * float(half[0]))
    broadest = max(1.2 * _WIDTHS[0], min(_WIDTHS[1], (_STOUTEST_ONE if digit == "1" else _STOUTEST) * narrow))
    width = float(np.exp(rng.uniform(log(_WIDTHS[0]), log(broadest))))
    if digit == "1" and rng.random() < 0.5:  # with a pen as broad as nobody could write the others
        width = float(rng.uniform(0.5, 1.0)) * broadest
    canvas = np.zeros((SIGN_SIZE * _FINE, SIGN_SIZE * _FINE), np.uint8)
    for line in lines:
        pixels = ((line + offset) * per_mm + middle) * _FINE
        _draw(rng, canvas, pixels, width * float(per_mm.mean()) * _FINE)
    ink = cv2.resize(canvas, (SIGN_SIZE, SIGN_SIZE), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    if rng.random() < 0.5:
        ink = np.asarray(cv2.GaussianBlur(ink, (0, 0), float(rng.uniform(0.3, 0.9))), np.float32)
    through = _ink(rng)
    share = 1 - ink[..., None] * (1 - through) * float(rng.uniform(0.55, 1.0))
    return np.clip(box * share, 0, 255).astype(np.uint8)


def _geometry() -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Of the printed box: its size in mm; pixels per mm of a sign's picture, and its middle there."""
    printed, seen = np.array(round_quad(0)), np.array(sign_quads("challenge")["a1-round"])
    whole = (seen[2] - seen[0]) * (1 + 2 * SIGN_RIM)
    return printed[2] - printed[0], SIGN_SIZE / whole, np.full(2, SIGN_SIZE / 2)


def _rounded(line: Line) -> Line:
    """Round corners by one step of Chaikin's algorithm, ends kept: no pen turns on the spot."""
    near, far = line[:-1] * 0.8 + line[1:] * 0.2, line[:-1] * 0.2 + line[1:] * 0.8
    return np.concatenate([line[:1], np.stack([near, far], axis=1).reshape(-1, 2), line[-1:]])


def _placed(rng: Rng, lines: list[Line], height: float) -> list[Line]:
    """Place lines in mm around the middle: narrow or wide, slanted, rotated, a little distorted."""
    wide, slant, turn = rng.uniform(0.38, 1.15), rng.normal(0.12, 0.28), rng.normal(0, 0.16)
    leaning = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    leaning = leaning @ np.array([[wide, -slant], [0, 1]]) * height
    bends = rng.normal(0, rng.uniform(0, 0.075), (3, 2, 2))
    found = []
    for line in lines:
        moved = line.copy()
        for order, (across, down) in enumerate(bends, 1):
            moved += across * np.sin(order * np.pi * line[:, :1]) + down * np.sin(order * np.pi * line[:, 1:])
        moved += rng.normal(0, 0.02, 2)
        found.append((moved - 0.5) @ leaning.T)
    return found


def _draw(rng: Rng, canvas: Image, pixels: Line, width: float) -> None:
    press = np.clip(1 + np.linspace(rng.normal(0, 0.15), rng.normal(0, 0.15), len(pixels) - 1), 0.5, 1.5)
    fixed = np.rint(pixels * 16).astype(np.int32)
    for (start, end), pressed in zip(pairwise(fixed.tolist()), press, strict=True):
        cv2.line(canvas, start, end, 255, max(1, round(width * float(pressed))), cv2.LINE_AA, 4)


def _ink(rng: Rng) -> NDArray[np.float32]:
    """What share of each colour the ink lets through: black, or any colour that is not too bright."""
    if rng.random() < 0.5:
        return np.full(3, rng.uniform(0.05, 0.35), np.float32)
    colour = rng.uniform(0.05, 0.9, 3)
    return np.asarray(colour * min(1.0, 1.5 / colour.sum()), np.float32)
