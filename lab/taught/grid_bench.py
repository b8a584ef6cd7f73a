"""Are boards drawn on found again without tags: ``python -m lab.taught.grid_bench [--boards 4]``.

Prints of a square grid, from plain white to busy, are taught from one photograph and looked for in others,
with ink on them, on tables of every kind. Found means: no place of the grid is off by a seventh of a cell.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sheets.drawing import Drawing, rectangle
from companion.sheets.sheet import Sheet
from lab.bench import say
from lab.studio.strokes import Points
from lab.taught.studio.art import ground_for
from lab.taught.studio.lighting import lighting_for
from lab.taught.studio.shots import Print, Shot, bow_for, camera_for, photograph
from vision.decoding import decoded
from vision.errors import PlacementError
from vision.taught.boards import teach
from vision.taught.finding import find_taught
from vision.taught.trial import trial

PRINTS, TABLES = ("plain", "lettered", "tinted", "busy"), ("wood", "plain", "cloth", "checks", "mottled")
_SIZE, _CELLS, _CELL = (216.0, 216.0), 7, 28.0
_CORNER = (10.0, 10.0)
_SCALE = 7.0  # pixels per mm in which prints are drawn


def main() -> int:
    """Teach the boards, look for them in photographs, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=4)
    parser.add_argument("--shots", type=int, default=3)
    parser.add_argument("--first", type=int, default=8_000_000)
    options = parser.parse_args()
    tally: dict[str, list[bool]] = defaultdict(list)
    warned: dict[str, list[bool]] = defaultdict(list)
    wrong = 0
    for number in range(options.boards):
        for kind in PRINTS:
            found, wrongly, says = _one(options.first + number, kind, options.shots)
            wrong += wrongly
            warned[kind].append(bool(says))
            for table, right in found:
                tally[f"{kind:9} print"].append(right)
                tally[f"on {table:9}"].append(right)
                tally["warned" if says else "not warned"].append(right)
    for name, tried in sorted(tally.items()):
        say(f"{name:16} found {sum(tried):3} of {len(tried):3}")
    for print_kind, told in warned.items():
        say(f"{print_kind:9} print: warned at teaching {sum(told)} of {len(told)}")
    say(f"placed wrongly: {wrong}")
    return 0


def _one(seed: int, kind: str, shots: int) -> tuple[list[tuple[str, bool]], int, str]:
    rng = np.random.default_rng([seed, PRINTS.index(kind)])
    raster = _raster(rng, kind)
    sheet = grid_sheet()
    table = str(rng.choice(TABLES))
    blank = _shot(rng, raster, table)
    corners = [(float(x), float(y)) for x, y in blank.pixels(np.array(sheet.area))]
    image = decoded(blank.jpeg, 1).image
    try:
        board = teach("grid", image, corners, sheet)
    except PlacementError:
        return [], 0, "refused"
    says = trial(board, sheet).says
    found, wrong = [], 0
    for _ in range(shots):
        table = str(rng.choice(TABLES))
        shot = _shot(rng, _inked(rng, raster), table)
        seen = find_taught(decoded(shot.jpeg, 1).image, board, sheet)
        right = False
        if seen is not None:
            places = _places()
            off = np.hypot(*(seen.placement.pixels(places) - shot.pixels(places)).T)
            right = bool(off.max() < _CELL / 7 * seen.scale)
            wrong += not right
        found.append((table, right))
    return found, wrong, says


def grid_sheet() -> Sheet:
    """The print as a sheet: its area is the grid."""
    area = rectangle(_CORNER, (_CELLS * _CELL, _CELLS * _CELL))
    return Sheet("grid", "", 1, _SIZE, {}, {}, area, lambda: Drawing(_SIZE, ()))


def _places() -> Points:
    steps = np.arange(_CELLS + 1) * _CELL
    places: Points = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) + np.array(_CORNER)
    return places


def _shot(rng: np.random.Generator, raster: NDArray[np.uint8], table: str) -> Shot:
    camera = camera_for(rng, _SIZE, 2.0, 30)
    light = lighting_for(rng, _SIZE, str(rng.choice(["day", "evening", "mixed"])))
    light = replace(light, exposure=max(light.exposure, -1.2))
    return photograph(rng, Print(raster, _SCALE, _SIZE, bow_for(rng, 1.0)), [], camera, light, 0.15, table)


def _raster(rng: np.random.Generator, kind: str) -> NDArray[np.uint8]:
    size = round(_SIZE[0] * _SCALE), round(_SIZE[1] * _SCALE)
    ground = {
        "plain": "white",
        "lettered": "white",
        "tinted": "flat",
        "busy": str(rng.choice(["photo", "map"])),
    }[kind]
    paper = ground_for(rng, size, _SCALE, ground)
    ink = float(rng.uniform(20, 150)) if paper.mean() > 110 else 230.0
    line = max(1, round(float(rng.uniform(0.2, 0.6)) * _SCALE))
    low, high = _CORNER[0] * _SCALE, (_CORNER[0] + _CELLS * _CELL) * _SCALE
    for n in range(_CELLS + 1):
        at = round((_CORNER[0] + n * _CELL) * _SCALE)
        cv2.line(paper, (at, round(low)), (at, round(high)), (ink, ink, ink), line)
        cv2.line(paper, (round(low), at), (round(high), at), (ink, ink, ink), line)
    for n in (1, 3, 5):  # the ways out, different from side to side
        out = (_CORNER[0] + (n + 0.5) * _CELL) * _SCALE
        for side, thick in (
            ((out, low), 2),
            ((low, out), 5),
            ((out, high), 5 if n == 3 else 2),
            ((high, out), 2),
        ):
            middle = np.array(side)
            cv2.circle(
                paper, (round(middle[0]), round(middle[1])), round(2.2 * _SCALE), (ink, ink, ink), thick
            )
    if kind != "plain":
        for n in range(_CELLS):
            where = (round((_CORNER[0] + (n + 0.4) * _CELL) * _SCALE), round(0.9 * low))
            cv2.putText(
                paper, "abcdefg"[n], where, cv2.FONT_HERSHEY_SIMPLEX, 1.4, (ink, ink, ink), 3, cv2.LINE_AA
            )
            where = (round(0.25 * low), round((_CORNER[0] + (n + 0.6) * _CELL) * _SCALE))
            cv2.putText(
                paper, str(n + 1), where, cv2.FONT_HERSHEY_SIMPLEX, 1.4, (ink, ink, ink), 3, cv2.LINE_AA
            )
    return np.clip(paper, 0, 255).astype(np.uint8)


def _inked(rng: np.random.Generator, raster: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Routes drawn in a good half of the cells."""
    drawn = raster.copy()
    ink = [int(value) for value in rng.integers(0, 120, 3)]
    for row in range(_CELLS):
        for column in range(_CELLS):
            if rng.random() < 0.55:
                middle = (np.array(_CORNER) + (np.array([column, row]) + 0.5) * _CELL) * _SCALE
                for turn in rng.choice(4, int(rng.integers(2, 4)), replace=False) * np.pi / 2:
                    end = middle + np.array([np.cos(turn), np.sin(turn)]) * _CELL / 2 * _SCALE
                    end = end + rng.normal(0, 4, 2)
                    a, b = (tuple(int(value) for value in point) for point in (middle, end))
                    cv2.line(drawn, a, b, ink, round(float(rng.uniform(0.6, 1.6)) * _SCALE), cv2.LINE_AA)
    return drawn


if __name__ == "__main__":
    sys.exit(main())
