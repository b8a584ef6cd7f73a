"""Pieces painted straight onto views of empty segments: other light and other shapes than the studio's.

A studio has one way of lighting pieces. What is painted here follows none: sides, shadows, rims, gaps and
gloss are drawn at random, so that nothing is learnt of how one renderer does them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.against_blank import WHITE
from vision.pieces.network import NOTHING, UNSEEN
from vision.pieces.views import LENGTH
from vision.register.rectify import Image

Floats = NDArray[np.float32]
Points = NDArray[np.float64]
_FINER = 4  # pixels of the canvas for one of the view
_LEAN_HEIGHT = 0.25  # of a segment: the height for which the lean is told
_CORE = 12, 4  # half of the part of a view that is the segment's own
# Share of a segment that pawns, hands, others' pieces may hide of what lies there, of what does not; and from
# which it is unseen. Between these nobody could say.
PIECE_TOLD, NOTHING_TOLD, HIDDEN = 0.2, 0.4, 0.5
_COUNTS, _OFTEN = (0, 1, 2), (0.45, 0.45, 0.1)  # pieces on a view, and how often there are so many
_LEAST_APART = 45.0  # in codes: two players' colours


@dataclass(frozen=True, eq=False)
class _Manner:
    """How the pieces of one view look: lengths in pixels of a view."""

    shape: str
    length: float
    width: float
    height: float
    colours: Floats  # (pieces, 3), in codes of even pictures
    shades: Floats  # of sides, by direction
    shadow: Points  # way that the shadow is thrown, for the whole height
    dark: float
    soft: float
    gloss: float


def painted(
    rng: np.random.Generator, even: Image, blank: Image, lean: NDArray[np.float32]
) -> tuple[Image, Image, int] | None:
    """Paint pieces on or beside a view: the view, a mask of their tops, the class.

    None where those beside it hide so much of it that nobody could say.
    """
    height, width = even.shape[:2]
    count = int(rng.choice(_COUNTS, p=_OFTEN))
    beside = int(rng.integers(0 if rng.random() < 0.2 else 1, 3)) if count == 0 or rng.random() < 0.3 else 0
    manner = _manner(rng, blank, count + beside)
    canvas = cv2.resize(even, None, fx=_FINER, fy=_FINER, interpolation=cv2.INTER_LINEAR).astype(np.float32)
    tops = np.zeros(canvas.shape[:2], np.uint8)
    hidden, middle = np.zeros_like(tops), np.array([width, height]) / 2
    for n, (at, turn) in enumerate(_own_places(rng, manner, count)):
        tops |= _piece(rng, canvas, manner, n, middle + at, turn, lean)
    for n, (other, at, turn) in enumerate(_beside(rng, manner, beside), start=count):
        mask = _piece(rng, canvas, other, n, middle + at, turn, lean)
        tops &= ~mask
        hidden |= mask
    share = float(_core(hidden).mean()) / 255
    if (PIECE_TOLD if count else NOTHING_TOLD) < share and (count or share < HIDDEN):
        return None
    small = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.25, 0.9)))
    # The blurred piece keeps the grain that the rest of the picture has.
    small += rng.normal(0, rng.gamma(1.5, 1.2), small.shape[:2])[..., None]
    seen = cv2.resize(tops, (width, height), interpolation=cv2.INTER_AREA)
    label = UNSEEN if share > NOTHING_TOLD else NOTHING + count
    return np.asarray(np.clip(small, 0, 255), np.uint8), np.asarray(seen, np.uint8), label


def _core(mask: Image) -> Image:
    y, x = mask.shape[0] // 2, mask.shape[1] // 2
    long, wide = (half * _FINER for half in _CORE)
    return mask[y - wide : y + wide, x - long : x + long]


def _manner(rng: np.random.Generator, blank: Image, pieces: int) -> _Manner:
    segment = _segment(blank)
    shape = str(rng.choice(["bar", "bar", "round", "rails", "ladder", "bone", "plate"]))
    length, width = segment * rng.uniform(0.4, 1.35), segment * rng.uniform(0.1, 0.5)
    if shape == "round" or rng.random() < 0.2:
        length = width = segment * rng.uniform(0.25, 0.7)
    height = segment * (rng.uniform(0.0, 0.08) if rng.random() < 0.25 else rng.uniform(0.08, 0.7))
    angle = rng.uniform(0, 2 * np.pi)
    thrown = height * rng.uniform(0, 1.5) * np.array([np.cos(angle), np.sin(angle)])
    core = blank[blank.shape[0] // 2 - 2 : blank.shape[0] // 2 + 3, blank.shape[1] // 2 - 8 :][:, :16]
    printed = np.median(core.reshape(-1, 3), axis=0)
    colours = _colours(rng, printed, max(pieces, 1))
    shades = np.exp(rng.normal(-0.25, 0.3, 12))
    return _Manner(
        shape, length, width, height, colours.astype(np.float32), shades.astype(np.float32), thrown,
        float(rng.uniform(0.05, 0.75)), float(rng.uniform(0.3, 3.0)), float(max(0.0, rng.normal(-0.1, 0.5))),
    )  # fmt: skip


def _segment(blank: Image) -> float:
    """The length of a segment, in pixels, in a view that may be wider than the network's."""
    return 40 / LENGTH * min(1.0, blank.shape[1] / 40)


def _colours(rng: np.random.Generator, printed: Floats, count: int) -> Floats:
    """Paints of pieces: the first two, which may lie on one segment, are those of two players."""
    found = [_colour(rng, printed) for _ in range(count)]
    while count > 1 and float(np.linalg.norm(found[0] - found[1])) < _LEAST_APART:
        found[1] = _colour(rng, printed)
    return np.stack(found)


def _colour(rng: np.random.Generator, printed: Floats) -> Floats:
    """A random paint; often close to the print below it, or close to white or black."""
    kind = rng.random()
    if kind < 0.3:
        colour = printed * np.exp(rng.normal(0, 0.18, 3)) + rng.normal(0, 6, 3)
    elif kind < 0.45:
        colour = np.full(3, rng.uniform(165, 215)) * np.exp(rng.normal(0, 0.03, 3))
    elif kind < 0.55:
        colour = np.full(3, rng.uniform(6, 50)) * np.exp(rng.normal(0, 0.1, 3))
    else:
        code = np.array([[[rng.uniform(0, 179), rng.uniform(60, 255), rng.uniform(40, 230)]]], np.uint8)
        colour = np.asarray(cv2.cvtColor(code, cv2.COLOR_HSV2BGR), np.float64)[0, 0] * WHITE / 255
    return np.asarray(np.clip(colour, 2, 250), np.float32)


def _own_places(rng: np.random.Generator, manner: _Manner, count: int) -> list[tuple[Points, float]]:
    """Where the segment's own pieces lie: one about its middle, two side by side or one behind the other."""
    places = []
    in_line = manner.length < 14 and rng.random() < 0.7
    apart = rng.uniform(1.0, 1.6)
    for n in range(count):
        side = (n - (count - 1) / 2) * apart
        off = np.array([side * manner.length, 0.0]) if in_line else np.array([0.0, side * manner.width])
        careless = rng.random() < 0.25
        strayed = rng.normal(0, (1.6, 2.2 if careless else 0.9))
        places.append((off + strayed, float(rng.normal(0, 15 if careless else 5))))
    return places


def _beside(rng: np.random.Generator, manner: _Manner, count: int) -> list[tuple[_Manner, Points, float]]:
    """Pieces that stand clear of the segment, whatever leans over it, and pawns at its ends."""
    places = []
    for _ in range(count):
        kind, side = rng.random(), float(rng.choice([-1, 1]))
        if kind < 0.35:
            width, height = rng.uniform(7, 15), rng.uniform(6, 22)
            pawn = replace(manner, shape="round", length=width, width=width, height=height)
            at = np.array([side * (15.5 + rng.normal(0, 1.5)), rng.normal(0, 2.5)])
            if rng.random() < 0.3:  # it stands over the segment itself, or leans over it
                at = rng.normal(0, (9.0, 6.0))
            places.append((pawn, at, 0.0))
        elif kind < 0.75:
            clear = 0.5 * manner.width + 4.5
            at = np.array([rng.normal(0, 7), side * (clear + rng.exponential(2.5))])
            places.append((manner, at, float(rng.normal(0, 12))))
        else:
            reach = 12.5 + 0.5 * manner.length + rng.exponential(2.0)
            places.append((manner, np.array([side * reach, rng.normal(0, 5)]), float(rng.uniform(0, 180))))
    return places


def _piece(
    rng: np.random.Generator,
    canvas: Floats,
    manner: _Manner,
    number: int,
    at: Points,
    turn: float,
    lean: NDArray[np.float32],
) -> Image:
    """Paint a piece with its shadow; the mask of its top comes back."""
    outline = _turned(_outline(manner), turn) + at
    raised = outline + np.asarray(lean, np.float64) * manner.height / (_LEAN_HEIGHT * 40 / LENGTH)
    _shade(canvas, np.concatenate([outline, outline + manner.shadow]), manner.dark, manner.soft)
    _shade(canvas, at + (outline - at) * 1.05, manner.dark * 0.6, 0.4 + 0.1 * manner.height)
    colour = manner.colours[number] * np.float32(rng.uniform(0.92, 1.08))
    for here in range(len(outline)):
        there = (here + 1) % len(outline)
        side = np.stack([outline[here], outline[there], raised[there], raised[here]])
        _fill(canvas, side, colour * manner.shades[here * 12 // len(outline)])
    _top(rng, canvas, manner, colour, raised, turn)
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillPoly(mask, [_cells(raised)], 255, cv2.LINE_AA, 4)
    return mask


def _outline(manner: _Manner) -> Points:
    if manner.shape == "round":
        angle = np.linspace(0, 2 * np.pi, 14, endpoint=False)
        return np.stack([np.cos(angle), np.sin(angle)], axis=1) * manner.width / 2
    half = np.array([manner.length, manner.width]) / 2
    if manner.shape == "plate":  # corners cut off
        x, y = half
        cut = 0.3 * y
        ring = [(-x, -y + cut), (-x + cut, -y), (x - cut, -y), (x, -y + cut),
                (x, y - cut), (x - cut, y), (-x + cut, y), (-x, y - cut)]  # fmt: skip
        return np.array(ring)
    return np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half


def _top(
    rng: np.random.Generator, canvas: Floats, manner: _Manner, colour: Floats, raised: Points, turn: float
) -> None:
    """Paint the top with what is on it: a rim, a ridge, rails, sleepers with gaps, marks, gloss."""
    top = _Top(raised.mean(axis=0), turn, manner.length, manner.width)
    below = canvas.copy() if manner.shape == "ladder" else canvas
    _fill(canvas, raised, colour)
    if manner.shape == "bar" and rng.random() < 0.6:
        _fill(canvas, raised, colour * np.float32(rng.uniform(0.7, 1.35)))
        _fill(canvas, top.bar(0, 0, 0.9, 0.8), colour)
    if manner.shape == "bone":
        tilt = rng.uniform(-0.4, 0.4)
        for n in range(5):
            side = (n - 2) / 2.5
            shade = np.float32(1 + tilt * side - rng.uniform(0, 0.3) * side**2)
            _fill(canvas, top.bar(0, side / 2, 1, 0.2), colour * shade)
    if manner.shape in ("rails", "ladder"):
        _rails(rng, canvas, below, top, colour)
    if rng.random() < 0.15:  # printed marks
        mark = np.full(3, rng.choice([15.0, 180.0]), np.float32)
        for _ in range(int(rng.integers(1, 4))):
            _fill(canvas, top.bar(*rng.uniform(-0.35, 0.35, 2), *rng.uniform(0.1, (0.5, 0.3))), mark)
    if manner.gloss > 0:
        spot = top.bar(*rng.uniform(-0.4, 0.4, 2), *rng.uniform(0.1, (0.6, 0.5)))
        _shade(canvas, spot, -manner.gloss, rng.uniform(0.3, 1.5))


@dataclass(frozen=True, eq=False)
class _Top:
    """The upper side of a piece in a view."""

    middle: Points
    turn: float
    length: float
    width: float

    def bar(self, x: float, y: float, long: float, wide: float) -> Points:
        """A bar on it; all measures are shares of its own."""
        half = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * [long, wide] + [x, y]
        return _turned(half * [self.length, self.width], self.turn) + self.middle


def _rails(rng: np.random.Generator, canvas: Floats, below: Floats, top: _Top, colour: Floats) -> None:
    """Two rails on sleepers; between them lies a darker base, or (of a ladder) the print is seen."""
    between = top.bar(0, 0, 1, 0.95)
    if below is not canvas:
        hole = np.zeros(canvas.shape[:2], np.uint8)
        cv2.fillPoly(hole, [_cells(between)], 255, cv2.LINE_AA, 4)
        share = hole[..., None] / np.float32(255)
        canvas[:] = canvas * (1 - share) + below * share * np.float32(rng.uniform(0.5, 1.0))
    else:
        _fill(canvas, between, colour * np.float32(rng.uniform(0.3, 0.9)))
    count = int(rng.integers(3, 8))
    for n in range(count):
        _fill(canvas, top.bar((n + 0.5) / count - 0.5, 0, rng.uniform(0.3, 0.6) / count, 1), colour)
    for side in (-1, 1):
        rail = colour * np.float32(rng.uniform(0.9, 1.3))
        _fill(canvas, top.bar(0, side * rng.uniform(0.2, 0.4), 1, 0.2), rail)


def _turned(points: Points, angle: float) -> Points:
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    turned: Points = points @ np.array([[c, s], [-s, c]])
    return turned


def _cells(outline: Points) -> NDArray[np.int32]:
    return np.rint(np.clip(outline * _FINER - 0.5, -2000, 2000) * 16).astype(np.int32)


def _fill(canvas: Floats, outline: Points, colour: Floats) -> None:
    hull = cv2.convexHull(_cells(outline))
    cv2.fillConvexPoly(canvas, hull, tuple(float(one) for one in colour), cv2.LINE_8, 4)


def _shade(canvas: Floats, outline: Points, dark: float, soft: float) -> None:
    """Darken a soft-edged region, or lighten it where ``dark`` is below 0."""
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull(_cells(outline)), 255, cv2.LINE_AA, 4)
    share = cv2.GaussianBlur(mask, (0, 0), soft * _FINER).astype(np.float32)[..., None] / 255
    canvas *= 1 - share * np.float32(max(dark, 0.0))
    canvas += share * np.float32(120 * max(-dark, 0.0))
