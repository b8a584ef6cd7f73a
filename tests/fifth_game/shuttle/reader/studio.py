"""Photographs that nobody took: printed sheets on a table, crossed with a pen, seen by a tilted camera."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.core.errors import NotationError
from companion.core.jsontext import json_of
from companion.game.parts import Studio
from companion.sheets.drawing import Drawing, Line, stroked
from companion.sheets.printing.png import picture
from vision.register.rectify import Image, Places

from ..printing.prints import SIZE, seat_sheet, stop_quad
from ..rules.game import State
from ..rules.line import ROUNDS, STOPS

_DPI = 110
_SCALE = _DPI / 25.4  # pixels per mm
_PEN = stroked("#1d2f6f", 0.9)
_AROUND, _GAP = 25.0, 12.0  # mm of table around the sheets, and between them
_TABLE = (96, 118, 142)  # blue first
# By level: how far a corner of the picture is moved by tilting, blur in pixels, noise of 255, light of 1.
_LEVELS: Mapping[str, tuple[float, float, float, tuple[float, float]]] = {
    "clean": (0.02, 0.6, 2.0, (0.95, 1.0)),
    "table": (0.07, 0.9, 5.0, (0.7, 1.0)),
    "hard": (0.12, 1.4, 9.0, (0.45, 0.9)),
}
Lines = Mapping[int, Sequence[int]]  # by seat, the stops that are crossed


class ShuttleStudio(Studio[State]):
    """Sheets of a match, or of lines that are crossed at random."""

    def write(
        self, out: Path, count: int, seed: int, level: str, tell: Callable[[Path], None]
    ) -> Sequence[Path]:
        out.mkdir(parents=True, exist_ok=True)
        written = []
        for number in range(count):
            random = np.random.default_rng((seed, number))
            seats = sorted(random.choice(6, int(random.integers(1, 4)), replace=False) + 1)
            lines = {
                int(seat): sorted(
                    random.choice(STOPS, int(random.integers(0, ROUNDS + 1)), replace=False) + 1
                )
                for seat in seats
            }
            image, corners = photograph(lines, level, random)
            path = out / f"shuttle-{level}-{seed}-{number}.jpg"
            path.write_bytes(_packed(image))
            truth = {
                "sheets": [
                    {"seat": seat, "stops": [int(stop) for stop in stops], "corners": corners[seat].tolist()}
                    for seat, stops in lines.items()
                ]
            }
            path.with_suffix(".json").write_bytes(json_of(truth))
            written.append(path)
            tell(path)
        return written

    def picture(self, state: State, number: int) -> bytes:
        """The sheets of a match as they lie on the table."""
        return _packed(photograph(state.served, "clean", np.random.default_rng(number))[0])


def photograph(lines: Lines, level: str, random: np.random.Generator) -> tuple[Image, dict[int, Places]]:
    """The picture, and the corners of every sheet in it by seat."""
    if level not in _LEVELS:
        raise NotationError("unknown-level", f"there is no level {level}: choose {', '.join(_LEVELS)}")
    tilt, blur, noise, light = _LEVELS[level]
    width, height = SIZE[0] + 2 * _AROUND, len(lines) * (SIZE[1] + _GAP) + 2 * _AROUND
    table = np.full((int(height * _SCALE), int(width * _SCALE), 3), _TABLE, np.uint8)
    outlines = {}
    for place, (seat, stops) in enumerate(lines.items()):
        sheet = np.asarray(picture(_crossed(seat, stops, random), _DPI))[:, :, ::-1]
        top, left = int((_AROUND + place * (SIZE[1] + _GAP)) * _SCALE), int(_AROUND * _SCALE)
        table[top : top + sheet.shape[0], left : left + sheet.shape[1]] = sheet
        outlines[seat] = np.array(seat_sheet(seat).outline) * _SCALE + (left, top)
    size = (table.shape[1], table.shape[0])
    square = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    moved = square + random.uniform(-tilt, tilt, (4, 2)) * size
    tilted = cv2.getPerspectiveTransform(square, moved.astype(np.float32))
    seen = cv2.warpPerspective(table, tilted, size, borderMode=cv2.BORDER_REPLICATE)
    seen = cv2.GaussianBlur(seen, (0, 0), blur)
    values = seen * random.uniform(*light) + random.normal(0, noise, seen.shape)
    corners = {
        seat: cv2.perspectiveTransform(outline[None].astype(np.float64), tilted)[0]
        for seat, outline in outlines.items()
    }
    return np.clip(values, 0, 255).astype(np.uint8), corners


def _crossed(seat: int, stops: Sequence[int], random: np.random.Generator) -> Drawing:
    """The sheet with crosses as people make them: not quite in the middle, not quite straight."""
    blank, crosses = seat_sheet(seat).blank, []
    for stop in stops:
        (left, top), _, (right, bottom), _ = stop_quad(int(stop))
        inset = random.uniform(1.5, 3.0, 8)
        ends = (
            ((left + inset[0], top + inset[1]), (right - inset[2], bottom - inset[3])),
            ((right - inset[4], top + inset[5]), (left + inset[6], bottom - inset[7])),
        )
        crosses += [Line(end, _PEN) for end in ends]
    return Drawing(blank.size, (*blank.shapes, *crosses))


def _packed(image: Image) -> bytes:
    done, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    assert done
    return bytes(packed)
