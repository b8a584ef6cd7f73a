"""Draws the invented prints: ground, grid, frame, exits and what stands around them."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from companion.games.railroad_ink.printing.printed import PRINTED
from companion.games.railroad_ink.rules.rulebook import EDITION, GRID
from lab.railroad_ink.studio.print_canvas import CELL, SIDE, Canvas
from lab.railroad_ink.studio.print_exits import OUT, draw_exits
from lab.railroad_ink.studio.prints import Colour, Print
from lab.studio.darkroom import Codes
from lab.studio.ink import noise
from lab.studio.strokes import Points, as_points

_FINER = 2


def print_origin(print_: Print) -> tuple[float, float]:
    """The print's top left corner, in mm as on our own sheets."""
    left, top = PRINTED.grid.corner
    return left - print_.rims[0] * CELL, top - print_.rims[1] * CELL


def print_size(print_: Print) -> tuple[float, float]:
    """Width and height of the print, in mm."""
    left, top, right, bottom = print_.rims
    return (SIDE + left + right) * CELL, (SIDE + top + bottom) * CELL


def blank_print(print_: Print, scale: float) -> Codes:
    """The empty board, with ``scale`` pixels per mm."""
    width, height = (round(side * scale) for side in print_size(print_))
    canvas = Canvas(print_, (width * _FINER, height * _FINER), scale * _FINER * CELL)
    for paint in (_ground, _cells, _grid, _frame, _centre, _furniture, _buildings, draw_exits, _around):
        paint(canvas)
    small = np.asarray(cv2.resize(canvas.pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    return _with_seams(print_, small, scale * CELL)


def _square(low: tuple[float, float], side: float) -> Points:
    x, y = low
    return as_points([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])


# --- the board ---


def _ground(canvas: Canvas) -> None:
    if canvas.look.ground == "mottled":
        rows, columns = canvas.pixels.shape[:2]
        small = noise(canvas.rng, (columns // 8 + 1, rows // 8 + 1), 6.0)
        field = cv2.resize(small.astype(np.float32), (columns, rows))
        grey = canvas.pixels.astype(np.float32) - 16 * np.abs(field)[..., None]
        canvas.pixels[:] = np.clip(grey, 0, 255).astype(np.uint8)
    if canvas.look.ground == "picture":
        _landscape(canvas)
    if canvas.look.ground == "fading":
        share = np.linspace(0, 0.3, canvas.pixels.shape[0])[:, None, None]
        canvas.pixels[:] = ((1 - share) * canvas.pixels + share * np.array(canvas.print.accent)).astype(
            np.uint8
        )
    if canvas.look.ground == "squared":
        step = canvas.rng.choice([1 / 4, 1 / 3, 1 / 2])
        left, top, right, bottom = canvas.print.rims
        pale: Colour = (188, 205, 226)
        for x in np.arange(-np.ceil(left / step), (SIDE + right) / step) * step:
            canvas.line(as_points([(x, -top), (x, SIDE + bottom)]), pale, 0.2)
        for y in np.arange(-np.ceil(top / step), (SIDE + bottom) / step) * step:
            canvas.line(as_points([(-left, y), (SIDE + right, y)]), pale, 0.2)


def _landscape(canvas: Canvas) -> None:
    """Pale hills, woods and water under the whole board, as on printed illustrations."""
    rows, columns = canvas.pixels.shape[:2]
    whole = canvas.pixels.astype(np.float32)
    for colour in ((150, 200, 130), (140, 185, 215), (215, 190, 140)):
        small = noise(canvas.rng, (13, 13), 1.6).astype(np.float32)
        field = cv2.resize(small, (columns, rows), interpolation=cv2.INTER_CUBIC)
        part = 0.5 * np.clip(4 * field / max(float(small.std()), 1e-6) - 2, 0, 1)[..., None]
        whole = (1 - part) * whole + part * np.array(colour, np.float32)
    canvas.pixels[:] = np.clip(whole, 0, 255).astype(np.uint8)


def _cells(canvas: Canvas) -> None:
    grid, line = canvas.look.grid, canvas.print.line
    pale = canvas.shade(0.12)
    for row in range(SIDE):
        for column in range(SIDE):
            if grid == "tinted":
                canvas.area(_square((column + 0.02, row + 0.02), 0.96), pale)
            elif grid == "gaps":
                canvas.area(_square((column + 0.06, row + 0.06), 0.88), canvas.shade(0.2))
            elif grid == "chequered" and (row + column) % 2:
                canvas.area(_square((column, row), 1.0), pale)
    if grid == "chequered":
        canvas.box((0, 0), (SIDE, SIDE), line, canvas.print.thin)


def _grid(canvas: Canvas) -> None:
    draw = {
        "lines": _lines,
        "dotted": _broken,
        "dashed": _broken,
        "crosses": _at_nodes,
        "dots": _at_nodes,
        "corners": _at_nodes,
        "ticks": _ticks,
    }.get(canvas.look.grid)
    if draw is not None:
        draw(canvas)


def _sides() -> Iterator[tuple[Points, Points]]:
    """Every cell side: its beginning, and one step along it."""
    for line in range(SIDE + 1):
        for place in range(SIDE):
            yield as_points([(place, line)])[0], as_points([(1, 0)])[0]
            yield as_points([(line, place)])[0], as_points([(0, 1)])[0]


def _lines(canvas: Canvas) -> None:
    for n in range(SIDE + 1):
        over = float(canvas.rng.normal(0, 0.05)) if canvas.look.by_hand else 0.0
        canvas.line(as_points([(n, -over), (n, SIDE)]), canvas.print.line, canvas.print.thin)
        canvas.line(as_points([(0, n), (SIDE + over, n)]), canvas.print.line, canvas.print.thin)


def _broken(canvas: Canvas) -> None:
    dotted = canvas.look.grid == "dotted"
    count = int(canvas.rng.integers(7, 13) if dotted else canvas.rng.integers(3, 7))
    part = 0.1 if dotted else float(canvas.rng.uniform(0.45, 0.7))
    for start, step in _sides():
        for n in range(count):
            ends = start + step * np.array([[n], [n + part]]) / count
            canvas.line(ends, canvas.print.line, canvas.print.thin * (2 if dotted else 1))


def _at_nodes(canvas: Canvas) -> None:
    arm = float(canvas.rng.uniform(0.08, 0.16))
    for x in range(SIDE + 1):
        for y in range(SIDE + 1):
            middle = as_points([(x, y)])[0]
            if canvas.look.grid == "dots":
                angle = np.linspace(0, 2 * np.pi, 16)[:, None]
                ring = np.concatenate([np.cos(angle), np.sin(angle)], axis=1)
                canvas.area(middle + 0.4 * arm * ring, canvas.print.line)
            elif canvas.look.grid == "crosses":
                for step in OUT[:2]:
                    canvas.line(
                        middle + np.stack([-arm * step, arm * step]), canvas.print.line, canvas.print.thin
                    )
            else:
                for sx, sy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                    bend = as_points([(0.05 * sx, arm * sy), (0.05 * sx, 0.05 * sy), (arm * sx, 0.05 * sy)])
                    canvas.line(middle + bend, canvas.print.line, canvas.print.thin)


def _ticks(canvas: Canvas) -> None:
    half = float(canvas.rng.uniform(0.05, 0.1))
    for start, step in _sides():
        across = step[::-1]
        for share in (0.4, 0.5, 0.6):
            middle = start + step * share
            ends = np.stack([middle - half * across, middle + half * across])
            canvas.line(ends, canvas.print.line, canvas.print.thin)


def _frame(canvas: Canvas) -> None:
    kind, strong = canvas.look.frame, canvas.print.strong
    if kind in ("thin", "double"):
        canvas.box((0, 0), (SIDE, SIDE), strong, canvas.print.thin)
    if kind == "bold":
        canvas.box((0, 0), (SIDE, SIDE), strong, canvas.print.bold)
    if kind == "rounded":
        angle = np.linspace(0, np.pi / 2, 8)[:, None]
        bend = 0.3 * np.concatenate([np.cos(angle), np.sin(angle)], axis=1)
        low, high = 0.22, SIDE - 0.22
        turned = bend @ as_points([(0, -1), (1, 0)])
        corners = as_points([(high, low), (high, high), (low, high), (low, low)])
        bows = (turned, bend, -turned, -bend)
        ring = np.concatenate([bow + corner for bow, corner in zip(bows, corners, strict=True)])
        canvas.line(np.concatenate([ring, ring[:1]]), strong, canvas.print.bold)
    if kind == "band":
        away, tint = canvas.print.reach + 0.08, canvas.shade(0.22)
        bands = (
            as_points([(-away, -away), (SIDE + away, 0)]),
            as_points([(-away, SIDE), (SIDE + away, SIDE + away)]),
            as_points([(-away, 0), (0, SIDE)]),
            as_points([(SIDE, 0), (SIDE + away, SIDE)]),
        )
        for (left, top), (right, bottom) in bands:
            canvas.area(as_points([(left, top), (right, top), (right, bottom), (left, bottom)]), tint)
    if kind in ("double", "outer"):
        away = canvas.print.reach + 0.1 if kind == "outer" else 0.12
        canvas.box((-away, -away), (SIDE + away, SIDE + away), strong, canvas.print.bold)


def _centre(canvas: Canvas) -> None:
    kind, strong = canvas.look.centre, canvas.print.accent
    if kind == "tint":
        low = np.floor((2 + np.array(canvas.print.rims[:2])) * canvas.cell).astype(int)
        high = np.ceil((5 + np.array(canvas.print.rims[:2])) * canvas.cell).astype(int)
        part = canvas.pixels[low[1] : high[1], low[0] : high[0]]
        part[:] = (0.88 * part + 0.12 * np.array(strong)).astype(np.uint8)
    if kind == "frame":
        canvas.box((2, 2), (5, 5), strong, canvas.print.bold)
    if kind == "dashed":
        for n in np.arange(2, 5, 0.25):
            for one in ((n, 2), (n, 5)):
                canvas.line(as_points([one, (one[0] + 0.14, one[1])]), strong, canvas.print.bold)
                canvas.line(as_points([one[::-1], (one[1], one[0] + 0.14)]), strong, canvas.print.bold)
    if kind == "brackets":
        for x, sx in ((2, 1), (5, -1)):
            for y, sy in ((2, 1), (5, -1)):
                bend = as_points([(x, y + 0.5 * sy), (x, y), (x + 0.5 * sx, y)])
                canvas.line(bend, strong, canvas.print.bold)


def _furniture(canvas: Canvas) -> None:
    """What repeats in every cell."""
    for row in range(SIDE):
        for column in range(SIDE):
            if canvas.look.round_boxes:
                canvas.box((column + 0.72, row + 0.04), (column + 0.96, row + 0.26), canvas.print.line, 0.25)
    if canvas.look.guides:
        _ticks(canvas)


def _buildings(canvas: Canvas) -> None:
    kind, board = canvas.look.buildings, EDITION["challenge"]
    if kind == "none" or not canvas.print.buildings:
        return
    for cell in range(GRID.size):
        name = board.building(cell)
        if name is None:
            continue
        row, column = divmod(cell, SIDE)
        colour = canvas.shade(0.55)
        number = ("factory", "village", "university").index(name)
        if kind == "letters":
            canvas.text("FVU"[number], (column + 0.06, row + 0.27), 0.2, colour)
        elif kind == "tints":
            canvas.area(_square((column + 0.08, row + 0.08), 0.3), canvas.print.accent)
        else:
            roof = [[(0.05, 0.3), (0.05, 0.12), (0.3, 0.12), (0.3, 0.3)],
                    [(0.05, 0.3), (0.05, 0.18), (0.175, 0.05), (0.3, 0.18), (0.3, 0.3)],
                    [(0.05, 0.3), (0.175, 0.05), (0.3, 0.3)]][number]  # fmt: skip
            canvas.area(as_points(roof) + as_points([(column, row)]), colour)


def _with_seams(print_: Print, pixels: Codes, cell: float) -> Codes:
    """Folds through the whole sheet: a dark crease with a light side."""
    lit = pixels.astype(np.float32)
    for way, place in print_.seams:
        rim = print_.rims[0 if way == "down" else 1]
        along = (np.arange(lit.shape[1 if way == "down" else 0]) + 0.5) / cell - rim - place
        dark = 0.45 * np.exp(-((along / 0.022) ** 2)) - 0.12 * np.exp(-(((along - 0.06) / 0.04) ** 2))
        lit *= 1 - (dark[None, :, None] if way == "down" else dark[:, None, None])
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


# --- around the board ---


def _around(canvas: Canvas) -> None:
    """Labels of rows and columns, and boxes for the score with words in them."""
    look, beyond = canvas.look, canvas.print.reach
    for n in range(SIDE):
        if look.labels == "letters":
            canvas.text("ABCDEFG"[n], (n + 0.1, -beyond - 0.05), 0.2, canvas.shade(0.7))
        if look.labels != "none":
            canvas.text(str(n + 1), (-beyond - 0.2, n + 0.35), 0.2, canvas.shade(0.7))
    left, top, right, bottom = canvas.print.rims
    spans = {
        "below": ((0.0, SIDE + beyond + 0.4), (SIDE, SIDE + bottom - 0.3)),
        "above": ((0.0, -top + 0.3), (SIDE, -beyond - 0.4)),
        "left": ((-left + 0.3, 0.0), (-beyond - 0.4, SIDE)),
        "right": ((SIDE + beyond + 0.4, 0.0), (SIDE + right - 0.3, SIDE)),
    }
    for where in look.boxes:
        _score_boxes(canvas, *spans[where])


def _score_boxes(canvas: Canvas, low: tuple[float, float], high: tuple[float, float]) -> None:
    wide = high[0] - low[0] > high[1] - low[1]
    count = int(canvas.rng.integers(4, 8))
    step = (np.array(high) - low) * (as_points([(1, 0)]) if wide else as_points([(0, 1)]))[0] / count
    size = (np.array(high) - low) * (as_points([(0, 1)]) if wide else as_points([(1, 0)]))[0] + 0.9 * step
    for n in range(count):
        corner = np.array(low) + n * step
        far = corner + size
        canvas.box((corner[0], corner[1]), (far[0], far[1]), canvas.shade(0.6), 0.3)
        word = canvas.look.words[n % len(canvas.look.words)]
        canvas.text(
            word[: max(1, int(size[0] / 0.16))], (corner[0] + 0.06, corner[1] + 0.22), 0.15, canvas.shade(0.6)
        )
