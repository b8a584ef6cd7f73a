"""Pictures of grids that are no boards: number puzzles, crosswords, calendars, chessboards, squared paper."""

from __future__ import annotations

import cv2
import numpy as np

from lab.studio.darkroom import Codes, packed
from lab.studio.tables import table_texture

KINDS = ("numbers", "crossword", "calendar", "chess", "squared", "table", "dots")
_SIDE = 900  # pixels of a sheet


def other_grid(number: int) -> tuple[str, bytes]:
    """What it is, and a photograph of it as JPEG."""
    rng = np.random.default_rng([number, 717])
    kind = KINDS[number % len(KINDS)]
    sheet = _sheet(rng, kind)
    height, width = (900, 1200) if rng.random() < 0.7 else (1200, 900)
    table = cv2.resize(np.asarray(table_texture(rng, 256, 1.0, "")), (width, height))
    middle, half = np.array([width, height]) / 2, rng.uniform(0.28, 0.46) * min(width, height)
    turn = rng.normal(0, 0.5)
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ np.array(
        [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]
    )
    corners = middle + half * corners + rng.normal(0, 0.05 * half, (4, 2))
    outline = np.array([(0, 0), (_SIDE, 0), (_SIDE, _SIDE), (0, _SIDE)], np.float32)
    matrix = cv2.getPerspectiveTransform(outline, corners.astype(np.float32))
    laid = cv2.warpPerspective(sheet, matrix, (width, height), flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.ones_like(sheet), matrix, (width, height))
    seen = np.where(mask > 0, laid, table).astype(np.float32)
    light = np.linspace(rng.uniform(0.5, 1), 1, width, dtype=np.float32)[None, :, None]
    blurred = cv2.GaussianBlur(seen * light, (0, 0), rng.uniform(0.4, 1.6))
    seen = np.asarray(blurred + rng.normal(0, rng.uniform(1, 7), seen.shape), np.float32)
    return kind, packed(np.clip(seen, 0, 255).astype(np.uint8), int(rng.integers(60, 95)))


def _sheet(rng: np.random.Generator, kind: str) -> Codes:
    sheet = np.full((_SIDE, _SIDE, 3), int(rng.integers(190, 256)), np.uint8)
    cells = int(rng.choice({"numbers": [6, 9], "chess": [8, 10]}.get(kind, [5, 6, 7, 8, 9, 11, 13, 15])))
    rim = int(rng.integers(40, 200))
    step = (_SIDE - 2 * rim) / cells
    ink = (int(rng.integers(0, 110)),) * 3
    thick = int(rng.integers(1, 4))
    places = [round(rim + n * step) for n in range(cells + 1)]
    for n, place in enumerate(places):
        if kind == "dots":
            for other in places:
                cv2.circle(sheet, (place, other), 2 + thick, ink, -1, cv2.LINE_AA)
            continue
        width = thick + 3 * (kind == "numbers" and n % 3 == 0)
        cv2.line(sheet, (place, places[0]), (place, places[-1]), ink, width, cv2.LINE_AA)
        cv2.line(sheet, (places[0], place), (places[-1], place), ink, width, cv2.LINE_AA)
    for row in range(cells):
        for column in range(cells):
            _cell(rng, kind, sheet, (places[column], places[row]), (row, column), step, ink)
    _around(rng, sheet, (rim, step, cells), ink)
    return sheet


def _cell(
    rng: np.random.Generator,
    kind: str,
    sheet: Codes,
    at: tuple[int, int],
    place: tuple[int, int],
    step: float,
    ink: tuple[int, ...],
) -> None:
    x, y = at
    far = (round(x + step), round(y + step))
    if (kind == "crossword" and rng.random() < 0.2) or (kind == "chess" and sum(place) % 2):
        cv2.rectangle(sheet, at, far, ink, -1)
    elif kind not in ("squared", "dots") and rng.random() < 0.4:
        words = str(rng.integers(1, 32)) if kind == "calendar" else chr(int(rng.integers(48, 91)))
        where = (round(x + 0.25 * step), round(y + 0.75 * step))
        cv2.putText(sheet, words, where, cv2.FONT_HERSHEY_SIMPLEX, step / 50, ink, 2, cv2.LINE_AA)


def _around(
    rng: np.random.Generator, sheet: Codes, grid: tuple[int, float, int], ink: tuple[int, ...]
) -> None:
    """Names of rows and columns, arrows beside some of them, a heading: as much as comes."""
    rim, step, cells = grid
    size = step / 60
    for n in range(cells):
        middle = round(rim + (n + 0.5) * step)
        if rng.random() < 0.3:
            cv2.putText(sheet, chr(65 + n), (middle, rim - 6), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 2)
        if rng.random() < 0.3:
            cv2.putText(sheet, str(n + 1), (max(rim - 30, 0), middle), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 2)
        if rng.random() < 0.15:
            far = _SIDE - rim
            cv2.arrowedLine(sheet, (far + 24, middle), (far + 4, middle), ink, 2, cv2.LINE_AA, tipLength=0.4)
