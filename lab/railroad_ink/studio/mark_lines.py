"""Lines and surfaces in the ways in which people draw rivers, shores, trails and canyons. Units are cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import cv2
import numpy as np

from lab.railroad_ink.studio.mark_hands import FillStyle, LineStyle
from lab.railroad_ink.studio.writing import GlyphLine
from lab.studio.strokes import Points, distances, resampled

_FINE = 0.02  # between the points of a line that is changed
_DAB = 0.03  # half the length of a dab


def styled(
    rng: np.random.Generator, path: Points, style: LineStyle, apart: float, wave: float
) -> list[GlyphLine]:
    """A line in a style; ``apart``: how far its two lines lie apart, or its waves go; ``wave``: how long."""
    fine = resampled(path, _FINE)
    found: Iterable[Points] = [path]
    match style:
        case "wavy" | "zigzag":
            found = [_waved(rng, fine, apart, wave, style == "zigzag")]
        case "dashed":
            found = _dashes(rng, fine, 0.55 * wave, 0.4 * wave)
        case "dotted":
            found = _dashes(rng, fine, 0.02, 0.35 * wave + 0.03)
        case "double" | "triple":
            sides = (-0.5, 0.5) if style == "double" else (-0.5, 0.0, 0.5)
            found = [aside(fine, side * apart) for side in sides]
        case "double-wavy":
            waved = _waved(rng, fine, 0.18 * apart, wave, False)
            found = [aside(waved, side * apart) for side in (-0.5, 0.5)]
        case "cliff" | "ticks":
            found = [path, *_ticks(rng, fine, 0.0 if style == "cliff" else -apart, apart, 0.6 * wave)]
        case "dabs":
            found = _dabs(rng, fine, apart, 0.5 * wave)
        case "band":
            found = [np.concatenate([aside(fine, 0.5 * apart)[::4], aside(fine, -0.5 * apart)[::-4]])]
    return [GlyphLine(line, filled=style == "band") for line in found]


def aside(path: Points, far: float) -> Points:
    """The line shifted so far to its right, seen along it."""
    along = np.gradient(path, axis=0)
    along /= np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    moved: Points = path + far * np.stack([-along[:, 1], along[:, 0]], axis=1)
    return moved


def _waved(rng: np.random.Generator, path: Points, far: float, wave: float, sharp: bool) -> Points:
    turns = distances(path) / wave + rng.uniform(0, 1)
    swing = 4 * np.abs(turns % 1 - 0.5) - 1 if sharp else np.sin(2 * np.pi * turns)
    across = aside(path, 1.0) - path
    waved: Points = path + far * swing[:, None] * across
    return waved


def _dashes(rng: np.random.Generator, path: Points, ink: float, gap: float) -> Iterator[Points]:
    along = distances(path)
    place = float(rng.uniform(0, 0.5)) * (ink + gap)
    while place < along[-1]:
        end = min(place + ink * float(rng.uniform(0.8, 1.2)), along[-1])
        run = np.linspace(place, max(end, place + 0.01), 6)
        yield np.stack([np.interp(run, along, path[:, axis]) for axis in (0, 1)], axis=1)
        place = end + gap * float(rng.uniform(0.75, 1.3))


def _ticks(
    rng: np.random.Generator, path: Points, inner: float, outer: float, step: float
) -> Iterator[Points]:
    along = distances(path)
    near, far = aside(path, inner), aside(path, outer)
    for place in np.arange(0.3 * step, along[-1], step) + rng.normal(0, 0.06 * step):
        at = int(np.searchsorted(along, place).clip(0, len(path) - 1))
        yield np.stack([near[at], far[at]])


def _dabs(rng: np.random.Generator, path: Points, apart: float, step: float) -> Iterator[Points]:
    """Short dabs along the line, left and right in turn, like footprints."""
    along = distances(path)
    sides = [aside(path, 0.5 * apart), aside(path, -0.5 * apart)]
    for number, place in enumerate(np.arange(0.4 * step, along[-1], step)):
        line = sides[number % 2]
        ends = [np.interp(place + end, along, line[:, axis]) for end in (-_DAB, _DAB) for axis in (0, 1)]
        yield np.asarray(ends).reshape(2, 2) + rng.normal(0, 0.005, 2)


# --- surfaces ---


def filled(
    rng: np.random.Generator, outline: Points, shores: list[Points], style: FillStyle, step: float
) -> list[GlyphLine]:
    """The lines that fill an outline with these shores."""
    found: list[GlyphLine] = []
    match style:
        case "solid":
            found = [GlyphLine(outline, True)]
        case "hatch" | "cross":
            turn = float(rng.uniform(0, np.pi))
            turns = (turn,) if style == "hatch" else (turn, turn + np.pi / 2)
            found = [line for one in turns for line in _hatching(outline, one, 0.7 * step)]
        case "echo":
            middle = outline.mean(axis=0)
            found = [GlyphLine(middle + (shore - middle) * 0.72) for shore in shores]
        case "waves" | "dots" | "drops":
            # Random places inside an outline, not too near to each other
            low, high = outline.min(axis=0), outline.max(axis=0)
            most = int(rng.integers(2, 7))
            places: list[Points] = []
            for _ in range(60):
                place = rng.uniform(low, high)
                apart = all(float(np.hypot(*(place - other))) > 0.8 * step for other in places)
                if apart and _inside(outline, place) and len(places) < most:
                    places.append(place)
            found = [GlyphLine(at + _small(rng, style, step)) for at in places]
    return found


def _inside(outline: Points, place: Points) -> bool:
    return cv2.pointPolygonTest(outline.astype(np.float32), (float(place[0]), float(place[1])), True) > 0.03


def _small(rng: np.random.Generator, style: FillStyle, step: float) -> Points:
    """A small wave, dot or drop."""
    if style == "dots":
        return np.array([(-0.008, 0), (0.008, 0.004)])
    if style == "drops":
        turn = np.linspace(-0.5 * np.pi, 1.5 * np.pi, 10)
        ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * 0.28 * step
        ring[0] = ring[-1] = (0.0, -0.5 * step)
        return ring
    x = np.linspace(-0.5, 0.5, 12)
    bows = float(rng.uniform(0.12, 0.25)) * step * np.sin(x * 2 * np.pi * float(rng.choice([1.0, 1.5])))
    return np.stack([x * step, bows], axis=1)


def _hatching(outline: Points, turn: float, step: float) -> Iterator[GlyphLine]:
    """Parallel lines across a surface."""
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    middle = outline.mean(axis=0)
    for far in np.arange(-0.9, 0.9, step):
        places = middle + across * far + along * np.linspace(-0.9, 0.9, 60)[:, None]
        within = np.flatnonzero([_inside(outline, place) for place in places])
        for run in np.split(within, np.flatnonzero(np.diff(within) > 1) + 1):
            if len(run) > 3:
                yield GlyphLine(places[[run[0], run[-1]]])
