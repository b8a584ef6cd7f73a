"""Draws the invented prints: ground, grid, frame, exits and what stands around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np

from companion.games.railroad_ink.printing.printed import PRINTED
from companion.games.railroad_ink.rules.boards.routes import HIGHWAY
from companion.games.railroad_ink.rules.rulebook import EDITION, EXITS, GRID
from lab.railroad_ink.studio.prints import Colour, Print
from lab.studio.darkroom import Codes
from lab.studio.ink import noise
from lab.studio.strokes import Points, as_points

_CELL = PRINTED.grid.cell
_SIDE = GRID.columns
_SHIFT = 4  # bits of a pixel
_FINER = 2
# Outwards, and along the side from left to right as seen from inside, by direction from north clockwise
_OUT = as_points([(0, -1), (1, 0), (0, 1), (-1, 0)])
_ALONG = as_points([(1, 0), (0, 1), (-1, 0), (0, -1)])


def print_origin(print_: Print) -> tuple[float, float]:
    """The print's top left corner, in mm as on our own sheets."""
    left, top = PRINTED.grid.corner
    return left - print_.rims[0] * _CELL, top - print_.rims[1] * _CELL


def print_size(print_: Print) -> tuple[float, float]:
    """Width and height of the print, in mm."""
    left, top, right, bottom = print_.rims
    return (_SIDE + left + right) * _CELL, (_SIDE + top + bottom) * _CELL


def blank_print(print_: Print, scale: float) -> Codes:
    """The empty board, with ``scale`` pixels per mm."""
    width, height = (round(side * scale) for side in print_size(print_))
    canvas = _Canvas(print_, (width * _FINER, height * _FINER), scale * _FINER * _CELL)
    for paint in (_ground, _cells, _grid, _frame, _centre, _furniture, _buildings, _exits, _around):
        paint(canvas)
    small = np.asarray(cv2.resize(canvas.pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    return _with_seams(print_, small, scale * _CELL)


class _Canvas:
    """Pixels on which is drawn in cells, counted from the grid's top left corner."""

    def __init__(self, print_: Print, size: tuple[int, int], cell: float) -> None:
        self.print, self.look, self.cell = print_, print_.look, cell
        self.pixels = np.full((size[1], size[0], 3), print_.paper, np.uint8)
        self.rng = np.random.default_rng([print_.seed, 7])

    def at(self, points: Points) -> np.ndarray:
        """Cells as OpenCV's fixed-point pixels."""
        there = (points + self.print.rims[:2]) * self.cell - 0.5
        if self.look.by_hand:
            there = there + self.rng.normal(0, 0.008 * self.cell, there.shape)
        return np.asarray(np.rint(there * 2**_SHIFT), np.int32)

    def line(self, points: Points, colour: Colour, width: float) -> None:
        """A line so many mm wide."""
        thick = max(1, round(width / _CELL * self.cell))
        if self.look.by_hand and len(points) == 2:
            share = np.linspace(0, 1, 6)[:, None]
            points = points[0] * (1 - share) + points[1] * share
        cv2.polylines(self.pixels, [self.at(points)], False, colour, thick, cv2.LINE_AA, _SHIFT)

    def area(self, points: Points, colour: Colour) -> None:
        """A filled polygon."""
        cv2.fillPoly(self.pixels, [self.at(points)], colour, cv2.LINE_AA, _SHIFT)

    def box(self, low: tuple[float, float], high: tuple[float, float], colour: Colour, width: float) -> None:
        """The outline of an upright rectangle."""
        (left, top), (right, bottom) = low, high
        self.line(
            as_points([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]),
            colour,
            width,
        )

    def text(self, words: str, at: tuple[float, float], height: float, colour: Colour) -> None:
        """Words whose first letter begins at a place."""
        (x, y) = (np.array(at) + self.print.rims[:2]) * self.cell
        size = height * self.cell / 22
        thick = max(1, round(size * 2))
        where = (int(x), int(y))
        cv2.putText(self.pixels, words, where, cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)

    def shade(self, share: float) -> Colour:
        """Between paper and the strong colour."""
        r, g, b = (
            round((1 - share) * a + share * b)
            for a, b in zip(self.print.paper, self.print.strong, strict=True)
        )
        return r, g, b


def _square(low: tuple[float, float], side: float) -> Points:
    x, y = low
    return as_points([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])


# --- the board ---


def _ground(canvas: _Canvas) -> None:
    if canvas.look.ground == "mottled":
        rows, columns = canvas.pixels.shape[:2]
        small = noise(canvas.rng, (columns // 8 + 1, rows // 8 + 1), 6.0)
        field = cv2.resize(small.astype(np.float32), (columns, rows))
        grey = canvas.pixels.astype(np.float32) - 16 * np.abs(field)[..., None]
        canvas.pixels[:] = np.clip(grey, 0, 255).astype(np.uint8)
    if canvas.look.ground == "squared":
        step = canvas.rng.choice([1 / 4, 1 / 3, 1 / 2])
        left, top, right, bottom = canvas.print.rims
        pale: Colour = (188, 205, 226)
        for x in np.arange(-np.ceil(left / step), (_SIDE + right) / step) * step:
            canvas.line(as_points([(x, -top), (x, _SIDE + bottom)]), pale, 0.2)
        for y in np.arange(-np.ceil(top / step), (_SIDE + bottom) / step) * step:
            canvas.line(as_points([(-left, y), (_SIDE + right, y)]), pale, 0.2)


def _cells(canvas: _Canvas) -> None:
    grid, line = canvas.look.grid, canvas.print.line
    pale = canvas.shade(0.12)
    for row in range(_SIDE):
        for column in range(_SIDE):
            if grid == "tinted":
                canvas.area(_square((column + 0.02, row + 0.02), 0.96), pale)
            elif grid == "gaps":
                canvas.area(_square((column + 0.06, row + 0.06), 0.88), canvas.shade(0.2))
            elif grid == "chequered" and (row + column) % 2:
                canvas.area(_square((column, row), 1.0), pale)
    if grid == "chequered":
        canvas.box((0, 0), (_SIDE, _SIDE), line, canvas.print.thin)


def _grid(canvas: _Canvas) -> None:
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
    for line in range(_SIDE + 1):
        for place in range(_SIDE):
            yield as_points([(place, line)])[0], as_points([(1, 0)])[0]
            yield as_points([(line, place)])[0], as_points([(0, 1)])[0]


def _lines(canvas: _Canvas) -> None:
    for n in range(_SIDE + 1):
        over = float(canvas.rng.normal(0, 0.05)) if canvas.look.by_hand else 0.0
        canvas.line(as_points([(n, -over), (n, _SIDE)]), canvas.print.line, canvas.print.thin)
        canvas.line(as_points([(0, n), (_SIDE + over, n)]), canvas.print.line, canvas.print.thin)


def _broken(canvas: _Canvas) -> None:
    dotted = canvas.look.grid == "dotted"
    count = int(canvas.rng.integers(7, 13) if dotted else canvas.rng.integers(3, 7))
    part = 0.1 if dotted else float(canvas.rng.uniform(0.45, 0.7))
    for start, step in _sides():
        for n in range(count):
            ends = start + step * np.array([[n], [n + part]]) / count
            canvas.line(ends, canvas.print.line, canvas.print.thin * (2 if dotted else 1))


def _at_nodes(canvas: _Canvas) -> None:
    arm = float(canvas.rng.uniform(0.08, 0.16))
    for x in range(_SIDE + 1):
        for y in range(_SIDE + 1):
            middle = as_points([(x, y)])[0]
            if canvas.look.grid == "dots":
                angle = np.linspace(0, 2 * np.pi, 16)[:, None]
                ring = np.concatenate([np.cos(angle), np.sin(angle)], axis=1)
                canvas.area(middle + 0.4 * arm * ring, canvas.print.line)
            elif canvas.look.grid == "crosses":
                for step in _OUT[:2]:
                    canvas.line(
                        middle + np.stack([-arm * step, arm * step]), canvas.print.line, canvas.print.thin
                    )
            else:
                for sx, sy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                    bend = as_points([(0.05 * sx, arm * sy), (0.05 * sx, 0.05 * sy), (arm * sx, 0.05 * sy)])
                    canvas.line(middle + bend, canvas.print.line, canvas.print.thin)


def _ticks(canvas: _Canvas) -> None:
    half = float(canvas.rng.uniform(0.05, 0.1))
    for start, step in _sides():
        across = step[::-1]
        for share in (0.4, 0.5, 0.6):
            middle = start + step * share
            ends = np.stack([middle - half * across, middle + half * across])
            canvas.line(ends, canvas.print.line, canvas.print.thin)


def _frame(canvas: _Canvas) -> None:
    kind, strong = canvas.look.frame, canvas.print.strong
    if kind in ("thin", "double"):
        canvas.box((0, 0), (_SIDE, _SIDE), strong, canvas.print.thin)
    if kind == "bold":
        canvas.box((0, 0), (_SIDE, _SIDE), strong, canvas.print.bold)
    if kind in ("double", "outer"):
        away = canvas.print.reach + 0.1 if kind == "outer" else 0.12
        canvas.box((-away, -away), (_SIDE + away, _SIDE + away), strong, canvas.print.bold)


def _centre(canvas: _Canvas) -> None:
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


def _furniture(canvas: _Canvas) -> None:
    """What repeats in every cell."""
    for row in range(_SIDE):
        for column in range(_SIDE):
            if canvas.look.round_boxes:
                canvas.box((column + 0.72, row + 0.04), (column + 0.96, row + 0.26), canvas.print.line, 0.25)
    if canvas.look.guides:
        _ticks(canvas)


def _buildings(canvas: _Canvas) -> None:
    kind, board = canvas.look.buildings, EDITION["challenge"]
    if kind == "none" or not canvas.print.buildings:
        return
    for cell in range(GRID.size):
        name = board.building(cell)
        if name is None:
            continue
        row, column = divmod(cell, _SIDE)
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


def _exits(canvas: _Canvas) -> None:
    for exit_ in EXITS:
        row, column = divmod(exit_.cell, _SIDE)
        out, along = _OUT[exit_.direction], _ALONG[exit_.direction]
        middle = as_points([(column + 0.5, row + 0.5)])[0] + 0.5 * out

        def place(points: list[tuple[float, float]], middle=middle, out=out, along=along) -> Points:  # type: ignore[no-untyped-def]
            """From shares of the reach outwards, and cells along the side."""
            there = as_points(points)
            return np.asarray(
                middle + canvas.print.reach * there[:, :1] * out + there[:, 1:] * along, np.float64
            )

        _EXITS[canvas.look.exits](canvas, place, exit_.type == HIGHWAY)


_Place = Callable[[list[tuple[float, float]]], Points]


def _kerbs(canvas: _Canvas, place: _Place, road: bool) -> None:
    ink, wide = canvas.print.strong, canvas.print.thin * 1.6
    if road:
        for side in (-0.13, 0.13):
            canvas.line(place([(0, side), (1, side)]), ink, wide)
        canvas.line(place([(0.3, 0), (0.7, 0)]), ink, wide)
        return
    canvas.line(place([(0, 0), (1, 0)]), ink, wide)
    for share in (0.25, 0.5, 0.75):
        canvas.line(place([(share, -0.1), (share, 0.1)]), ink, wide)


def _arrows(canvas: _Canvas, place: _Place, road: bool) -> None:
    head = [(0.05, 0.0), (0.8, -0.22), (0.8, 0.22)]
    if road:
        canvas.area(place(head), canvas.print.strong)
    else:
        canvas.line(place([*head, head[0]]), canvas.print.strong, canvas.print.thin * 1.5)
        canvas.line(place([(0.8, 0.0), (1.0, 0.0)]), canvas.print.strong, canvas.print.thin * 1.5)


def _ties(canvas: _Canvas, place: _Place, road: bool) -> None:
    ink, wide = canvas.print.strong, canvas.print.thin * 1.8
    if road:
        canvas.area(place([(0.1, -0.16), (1, -0.16), (1, 0.16), (0.1, 0.16)]), canvas.shade(0.5))
        return
    for share in np.linspace(0.15, 0.95, 4):
        canvas.line(place([(share, -0.17), (share, 0.17)]), ink, wide)
    canvas.line(place([(0.1, 0), (1, 0)]), ink, wide)


def _bars(canvas: _Canvas, place: _Place, road: bool) -> None:
    half = 0.24 if road else 0.1
    canvas.area(place([(0.1, -half), (0.55, -half), (0.55, half), (0.1, half)]), canvas.print.strong)


def _locomotives(canvas: _Canvas, place: _Place, road: bool) -> None:
    ink = canvas.print.strong
    body = [(0.3, -0.26), (0.8, -0.26), (1.0, -0.1), (1.0, 0.1), (0.7, 0.26), (0.3, 0.26)]
    if road:
        body = [(0.3, -0.28), (0.65, -0.28), (0.95, -0.12), (0.95, 0.14), (0.6, 0.28), (0.3, 0.28)]
    canvas.area(place(body), ink)
    for side in (-0.16, 0.16):
        canvas.area(
            place([(0.05, side - 0.06), (0.28, side - 0.06), (0.28, side + 0.06), (0.05, side + 0.06)]), ink
        )


def _words(canvas: _Canvas, place: _Place, road: bool) -> None:
    x, y = place([(0.5, 0)])[0]
    canvas.text("H" if road else "R", (x - 0.12, y + 0.12), 0.24, canvas.print.strong)
    canvas.line(place([(0.02, -0.2), (0.02, 0.2)]), canvas.print.accent, canvas.print.bold * 1.4)


def _discs(canvas: _Canvas, place: _Place, road: bool) -> None:
    angle = np.linspace(0, 2 * np.pi, 20)
    middle = place([(0.55, 0)])
    ring = middle + 0.17 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    if road:
        canvas.area(ring, canvas.print.strong)
    else:
        canvas.line(ring, canvas.print.strong, canvas.print.thin * 1.8)


def _gates(canvas: _Canvas, place: _Place, road: bool) -> None:
    ink, wide = canvas.print.strong, canvas.print.bold
    canvas.line(place([(0, -0.28), (0.7, -0.28)]), ink, wide)
    canvas.line(place([(0, 0.28), (0.7, 0.28)]), ink, wide)
    if road:
        canvas.line(place([(0.2, 0), (0.9, 0)]), ink, wide)
    else:
        for share in (0.3, 0.6, 0.9):
            canvas.line(place([(share, -0.12), (share, 0.12)]), ink, canvas.print.thin)


_EXITS: dict[str, Callable[[_Canvas, _Place, bool], None]] = {
    "kerbs": _kerbs,
    "arrows": _arrows,
    "ties": _ties,
    "bars": _bars,
    "locomotives": _locomotives,
    "words": _words,
    "discs": _discs,
    "gates": _gates,
}


def _around(canvas: _Canvas) -> None:
    """Labels of rows and columns, and boxes for the score with words in them."""
    look, beyond = canvas.look, canvas.print.reach
    for n in range(_SIDE):
        if look.labels == "letters":
            canvas.text("ABCDEFG"[n], (n + 0.1, -beyond - 0.05), 0.2, canvas.shade(0.7))
        if look.labels != "none":
            canvas.text(str(n + 1), (-beyond - 0.2, n + 0.35), 0.2, canvas.shade(0.7))
    left, top, right, bottom = canvas.print.rims
    spans = {
        "below": ((0.0, _SIDE + beyond + 0.4), (_SIDE, _SIDE + bottom - 0.3)),
        "above": ((0.0, -top + 0.3), (_SIDE, -beyond - 0.4)),
        "left": ((-left + 0.3, 0.0), (-beyond - 0.4, _SIDE)),
        "right": ((_SIDE + beyond + 0.4, 0.0), (_SIDE + right - 0.3, _SIDE)),
    }
    for where in look.boxes:
        _score_boxes(canvas, *spans[where])


def _score_boxes(canvas: _Canvas, low: tuple[float, float], high: tuple[float, float]) -> None:
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
