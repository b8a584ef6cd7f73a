"""How track is drawn: strokes over several mileposts that bow, miss dots, are drawn twice or in dashes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import cv2
import numpy as np

from companion.games.empire_builder.printing.printed import spot
from companion.games.empire_builder.rules.boards.board import Board
from lab.empire_builder.studio.crayons import CrayonHand
from lab.studio.strokes import Points, Stroke, as_points, resampled

_BESIDE, _FARTHEST = 0.75, 2.3  # mm: how far beside a dot a line passes usually, and at most
_BOW_MEDIAN, _BOW_SPREAD = 0.013, 0.915  # of a leg's length, lognormal
_MOST_BOW = 3.0  # mm: people see the dots
_WOBBLE = 0.3  # mm
_BEND = 4.0  # mm over which a bend is rounded
_BEGUN = (0.25, 0.48)  # of an edge: how far somebody drew who stopped
_GAP = (0.12, 0.3)  # share of a dash's room that stays free
_STEP = 0.7  # mm between the points of a stroke


def drawn(rng: np.random.Generator, on: Board, hand: CrayonHand, path: Sequence[int]) -> list[Stroke]:
    """The strokes for a line of new edges."""
    strokes: list[Stroke] = []
    for part in _parts(rng, path, hand.style.reach):
        places = as_points([spot(on, milepost) for milepost in part])
        for line in _lines(rng, hand, places):
            strokes.append(_stroke(rng, hand, line))
            if rng.random() < hand.style.twice:
                again = line + rng.normal(0, 0.35 * hand.width, 2)
                strokes.append(_stroke(rng, hand, again))
    return strokes


def begun(rng: np.random.Generator, on: Board, hand: CrayonHand, edge: tuple[int, int]) -> list[Stroke]:
    """The stroke of somebody who begins an edge and stops before half of it."""
    one, other = as_points([spot(on, milepost) for milepost in edge])
    share = float(rng.uniform(*_BEGUN))
    line = resampled(np.stack([one, one + share * (other - one)]), _STEP)
    return [_stroke(rng, hand, line + rng.normal(0, 0.3 * hand.sloppy, 2))]


def _parts(rng: np.random.Generator, path: Sequence[int], reach: tuple[int, int]) -> Iterator[Sequence[int]]:
    first = 0
    while first < len(path) - 1:
        last = min(first + int(rng.integers(reach[0], reach[1] + 1)), len(path) - 1)
        yield path[first : last + 1]
        first = last


def _lines(rng: np.random.Generator, hand: CrayonHand, places: Points) -> list[Points]:
    """One line over these mileposts, or its dashes."""
    beside = rng.normal(0, _BESIDE * hand.sloppy, places.shape)
    far = np.hypot(*beside.T)[:, None]
    aimed = places + beside * np.minimum(1, _FARTHEST / np.maximum(far, 1e-9))
    # Let a line begin and end a little before or behind its dots
    ways = np.stack([places[0] - places[1], places[-1] - places[-2]])
    ways /= np.hypot(*ways.T)[:, None]
    off: Points = ways * np.clip(rng.normal(0.2, 1.0, (2, 1)) * hand.sloppy, -1.8, 2.0)
    aimed[[0, -1]] += off
    kept = [
        0,
        *(n for n in range(1, len(places) - 1) if _is_bend(places, n) or rng.random() < hand.style.follow),
    ]
    legs = [
        _bowed(rng, aimed[one], aimed[other], hand.sloppy)
        for one, other in pairwise([*kept, len(places) - 1])
    ]
    line = np.concatenate([legs[0], *(leg[1:] for leg in legs[1:])])
    whole = _wobbling(rng, _rounded(resampled(line, _STEP)), hand.sloppy)
    if not hand.style.dashes:
        return [whole]
    count = hand.style.dashes * (len(places) - 1)
    cuts = np.linspace(0, len(whole) - 1, count + 1)
    dashes = []
    for start, end in pairwise(cuts):
        free = rng.uniform(*_GAP) * (end - start) / 2
        low, high = round(start + free), round(end - free)
        dashes.append(whole[low : max(high, low + 2) + 1])
    return [dash for dash in dashes if len(dash) > 1]


def _is_bend(places: Points, n: int) -> bool:
    before, after = places[n] - places[n - 1], places[n + 1] - places[n]
    return bool(abs(before[0] * after[1] - before[1] * after[0]) > 1.0)


def _bowed(rng: np.random.Generator, start: Points, end: Points, sloppy: float) -> Points:
    length = float(np.hypot(*(end - start)))
    sagitta = _BOW_MEDIAN * np.exp(_BOW_SPREAD * rng.normal()) * length * (0.4 + 0.6 * sloppy)
    sagitta = min(sagitta, _MOST_BOW) * float(rng.choice([-1, 1]))
    t = np.linspace(0, 1, max(3, round(length / _STEP)))[:, None]
    across = np.array([-(end - start)[1], (end - start)[0]]) / max(length, 1e-9)
    leg: Points = start + (end - start) * t + sagitta * 4 * t * (1 - t) * across
    return leg


def _rounded(line: Points) -> Points:
    """Round the bends of a line off by a moving mean; the ends stay."""
    reach = round(_BEND / _STEP / 2)
    padded = np.concatenate(
        [2 * line[:1] - line[reach:0:-1], line, 2 * line[-1:] - line[-2 : -reach - 2 : -1]]
    )
    side = len(padded) - len(line) + 1
    return np.asarray(cv2.blur(padded[:, None], (1, side))[side // 2 : side // 2 + len(line), 0], np.float64)


def _wobbling(rng: np.random.Generator, line: Points, sloppy: float) -> Points:
    along = np.arange(len(line))[:, None] * _STEP
    waves = np.zeros_like(line)
    for length in (9.0, 17.0, 31.0):
        waves += rng.normal(0, 1, 2) * np.sin(2 * np.pi * along / length + rng.uniform(0, 6.3, 2))
    wobbling: Points = line + waves * (_WOBBLE * (0.3 + 0.5 * sloppy) / 2)
    return wobbling


def _stroke(rng: np.random.Generator, hand: CrayonHand, line: Points) -> Stroke:
    t = np.linspace(0, 1, len(line))
    press = 1 + rng.normal(0, 0.06) + rng.normal(0, 0.1) * (t - 0.5)
    widths = hand.width * np.clip(press + rng.normal(0, 0.08), 0.5, 1.4)
    return Stroke(line, widths, hand.press * np.clip(press, 0.6, 1.4))
