"""Draws grids that are no boards: puzzles, calendars, other games, keyboards, floors, windows.

Some are as like a board as a grid of another game may be: clues around a square, arrows at rows.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from lab.railroad_ink.studio.other_grid_pages import (
    OUT,
    SIDE,
    Grid,
    Page,
    arrows,
    chequered,
    discs,
    grid_on,
    labels,
    ruled,
    some,
    tinted,
    written,
)

_LETTERS = "ABCDEFGHIKLMNOPRSTUVWZ"
_DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
_NUMBERS = tuple(str(n) for n in range(1, 32))


def _sudoku(page: Page) -> None:
    side = int(page.rng.choice([4, 6, 9, 9, 9, 16]))
    grid = grid_on(page.rng, side, side)
    ruled(page, grid, {4: 2, 6: 3, 9: 3, 16: 4}[side])
    written(page, grid, _NUMBERS[:9], float(page.rng.uniform(0.2, 0.9)))


def _crossword(page: Page) -> None:
    side = int(page.rng.integers(5, 18))
    grid = grid_on(page.rng, side, side)
    dark = some(page, grid, float(page.rng.uniform(0.1, 0.3)))
    tinted(page, grid, dark | dark[::-1, ::-1], page.between(float(page.rng.uniform(0.6, 1))))
    ruled(page, grid)
    written(page, grid, _NUMBERS, 0.25, 0.22)
    written(page, grid, _LETTERS, float(page.rng.choice([0.0, 0.5])))


def _kakuro(page: Page) -> None:
    grid = grid_on(page.rng, int(page.rng.integers(6, 11)), int(page.rng.integers(6, 11)))
    dark = some(page, grid, 0.2)
    dark[0], dark[:, 0] = True, True
    tinted(page, grid, dark, page.between(0.4))
    ruled(page, grid)
    for row, column in np.argwhere(dark):
        x, y = (round(one) for one in grid.middle(column - 0.5, row - 0.5))
        far = (round(x + grid.step[0]), round(y + grid.step[1]))
        page.line((x, y), far, page.ink, 1)


def _skyscrapers(page: Page) -> None:
    """A puzzle with clues around a square, the nearest to a ring that numbers come."""
    side = int(page.rng.choice([5, 6, 7, 7, 7, 8]))
    grid = grid_on(page.rng, side, side)
    ruled(page, grid)
    labels(
        page, grid, [str(n) for n in page.rng.integers(1, side + 1, side)], float(page.rng.uniform(0.3, 1))
    )
    written(page, grid, _NUMBERS[:side], float(page.rng.uniform(0, 0.6)))


def _arrowed(page: Page) -> None:
    """A square of another game, with arrows beside some rows and columns, or all, or every other."""
    side = int(page.rng.choice([4, 5, 6, 7, 7, 8, 9]))
    grid = grid_on(page.rng, side, side)
    ruled(page, grid)
    arrows(page, grid, float(page.rng.choice([0.3, 0.6, 1.0])))
    discs(page, grid, some(page, grid, 0.15), page.colour())


_OTHER_RINGS = (
    (7, (0, 2, 4, 6)), (7, (0, 3, 6)), (6, (1, 4)), (8, (1, 3, 5)), (5, (1, 3)), (7, (2, 4)), (9, (1, 4, 7)),
    (7, (0, 6)), (7, (3,)), (7, tuple(range(7))),
)  # fmt: skip


def _other_ring(page: Page) -> None:
    """A square with bars at some places of all four sides, but not those of a board."""
    side, places = _OTHER_RINGS[int(page.rng.integers(len(_OTHER_RINGS)))]
    grid = grid_on(page.rng, side, side)
    ruled(page, grid)
    half, deep = 0.2 * grid.step[0], float(page.rng.uniform(0.15, 0.35)) * grid.step[0]
    low, high = np.array([grid.left, grid.top]), grid.step[0] * side
    for place in places:
        along = (place + 0.5) * grid.step[0]
        for way, near in enumerate(((along, -4.0), (high + 4, along), (along, high + 4), (-4.0, along))):
            across = half * np.abs(OUT[way][::-1])
            ends = (low + near - across, low + near + deep * OUT[way] + across)
            (left, top), (right, foot) = (tuple(map(int, np.rint(end))) for end in ends)
            cv2.rectangle(page.pixels, (left, top), (right, foot), page.ink, -1 if place % 2 else 2)


def _nonogram(page: Page) -> None:
    side = int(page.rng.choice([5, 7, 10, 15]))
    grid = grid_on(page.rng, side, side)
    tinted(page, grid, some(page, grid, float(page.rng.uniform(0, 0.6))), page.ink, 0.05)
    ruled(page, grid, 5)
    size = 0.3 * grid.step[0]
    for n in range(side):
        for k in range(int(page.rng.integers(1, 4))):
            x, y = grid.middle(n, -1 - 0.5 * k)
            page.text(_NUMBERS[int(page.rng.integers(7))], (x - size / 2, y + size), size)
            x, y = grid.middle(-1 - 0.5 * k, n)
            page.text(_NUMBERS[int(page.rng.integers(7))], (x, y + size / 2), size)


def _calendar(page: Page) -> None:
    rows = int(page.rng.integers(4, 8))
    grid = grid_on(page.rng, 7, rows, square=page.rng.random() < 0.5)
    if page.rng.random() < 0.5:
        weekend = np.zeros((rows, 7), np.bool_)
        weekend[:, 5:] = True
        tinted(page, grid, weekend, page.between(0.15))
    if page.rng.random() < 0.8:
        ruled(page, grid)
    size = 0.3 * min(grid.step)
    first = int(page.rng.integers(7))
    for n in range(31):
        row, column = divmod(n + first, 7)
        if row < rows:
            x, y = grid.middle(column, row)
            page.text(str(n + 1), (x - 0.4 * grid.step[0], y), size)
    for column, day in enumerate(_DAYS):
        x, y = grid.middle(column, -1)
        page.text(day, (x - 0.3 * grid.step[0], y + 0.3 * grid.step[1]), size)
    discs(page, grid, some(page, grid, 0.06), page.colour(), 0.2)


def _chess(page: Page) -> None:
    side = int(page.rng.choice([8, 8, 8, 10, 7]))
    grid = grid_on(page.rng, side, side)
    tinted(page, grid, chequered(grid), page.between(float(page.rng.uniform(0.3, 1))))
    if page.rng.random() < 0.7:
        ruled(page, grid)
    if page.rng.random() < 0.6:
        labels(page, grid, _LETTERS if page.rng.random() < 0.5 else _NUMBERS, 1.0)
    men = chequered(grid) if page.rng.random() < 0.4 else np.ones((side, side), np.bool_)
    discs(page, grid, men & some(page, grid, float(page.rng.uniform(0, 0.5))), page.colour(), 0.35)


def _go(page: Page) -> None:
    side = int(page.rng.choice([8, 12, 18]))
    page.pixels[:] = np.array((214, 172, 104)) + page.rng.integers(-25, 20)
    grid = grid_on(page.rng, side, side)
    ruled(page, grid)
    stones = Grid(grid.left - grid.step[0] / 2, grid.top - grid.step[1] / 2, grid.step, side + 1, side + 1)
    for shade in ((25, 25, 28), (240, 240, 236)):
        discs(page, stones, some(page, stones, float(page.rng.uniform(0, 0.25))), shade, 0.47)


def _squared(page: Page) -> None:
    """Squared paper, with something written or drawn on it."""
    step = float(page.rng.uniform(16, 70))
    count = int(SIDE / step)
    page.ink = page.between(float(page.rng.uniform(0.15, 0.6)))
    grid = Grid(0.0, 0.0, (step, step), count, count)
    ruled(page, grid, int(page.rng.choice([0, 0, 5, 10])))
    ink = page.colour()
    for _ in range(int(page.rng.integers(0, 12))):
        path = np.cumsum(page.rng.normal(0, 40, (6, 2)), axis=0) + page.rng.uniform(100, SIDE - 100, 2)
        cv2.polylines(page.pixels, [np.rint(path).astype(np.int32)], False, ink, 3, cv2.LINE_AA)
    for _ in range(int(page.rng.integers(0, 9))):
        place = (float(page.rng.uniform(20, 600)), float(page.rng.uniform(40, SIDE)))
        page.text("".join(page.rng.choice([*_LETTERS], 6)), place, float(page.rng.uniform(14, 40)), ink)


def _dotted(page: Page) -> None:
    side = int(page.rng.integers(6, 26))
    grid = grid_on(page.rng, side, side)
    size = int(page.rng.integers(1, 5))
    for x in grid.xs():
        for y in grid.ys():
            cv2.circle(page.pixels, (int(x), int(y)), size, page.ink, -1, cv2.LINE_AA)
    for _ in range(int(page.rng.integers(0, 25))):  # boxes that players have begun
        n, m = page.rng.integers(0, side, 2)
        way = int(page.rng.integers(2))
        start = (int(grid.xs()[n]), int(grid.ys()[m]))
        end = (int(grid.xs()[n + way]), int(grid.ys()[m + 1 - way]))
        page.line(start, end, page.colour(), 3)


def _spreadsheet(page: Page) -> None:
    columns, rows = int(page.rng.integers(3, 11)), int(page.rng.integers(6, 24))
    grid = grid_on(page.rng, columns, rows, square=False)
    if page.rng.random() < 0.5:
        band = np.zeros((rows, columns), np.bool_)
        band[::2] = True
        tinted(page, grid, band, page.between(0.12))
    head = np.zeros((rows, columns), np.bool_)
    head[0] = True
    tinted(page, grid, head, page.colour())
    ruled(page, grid)
    written(page, grid, ("12.50", "Total", "7", "0.3 %", "March", "104"), 0.8, 0.4)
    labels(page, grid, _LETTERS, 1.0)


def _tiles(page: Page) -> None:
    """A tiled floor or wall: joints, and tiles of somewhat different shades, whole to the rim or in bond."""
    step = float(page.rng.uniform(50, 190))
    count = int(SIDE / step) + 1
    grid = Grid(0.0, 0.0, (step, step * float(page.rng.choice([1.0, 1.0, 0.5]))), count, 2 * count)
    shade = np.array(page.colour(), np.float32)
    small = page.rng.normal(0, float(page.rng.uniform(0, 14)), (2 * count, count, 1)) + shade
    if page.rng.random() < 0.3:
        small[chequered(grid)] = page.colour()
    rows = np.clip((np.arange(SIDE) / grid.step[1]).astype(int), 0, 2 * count - 1)
    bond = (np.arange(2 * count) % 2) * (step / 2 if page.rng.random() < 0.3 else 0)
    columns = ((np.arange(SIDE) + bond[rows][:, None]) / step).astype(int) % count
    page.pixels[:] = np.clip(small[rows[:, None], columns], 0, 255).astype(np.uint8)
    joint = int(page.rng.integers(2, 8))
    down = (np.arange(SIDE) % grid.step[1] < joint)[:, None]
    across = (np.arange(SIDE) + bond[rows][:, None]) % step < joint
    page.pixels[down | across] = page.colour()


def _keyboard(page: Page) -> None:
    """Keys in rows that are shifted, or buttons in columns."""
    rows, columns = int(page.rng.integers(4, 8)), int(page.rng.integers(4, 15))
    grid = grid_on(page.rng, columns, rows)
    cap, shifted = page.colour(), page.rng.random() < 0.6
    words = _LETTERS if shifted else _NUMBERS
    for row in range(rows):
        push = 0.25 * row if shifted else 0.0
        for column in range(columns):
            x, y = grid.middle(column - 0.5 + push, row - 0.5)
            gap = 0.06 * grid.step[0]
            far = (round(x + grid.step[0] - gap), round(y + grid.step[1] - gap))
            cv2.rectangle(page.pixels, (round(x + gap), round(y + gap)), far, cap, -1)
            cv2.rectangle(page.pixels, (round(x + gap), round(y + gap)), far, page.ink, 1)
            word = words[int(page.rng.integers(len(words)))]
            page.text(
                word, (x + 0.25 * grid.step[0], y + 0.6 * grid.step[1]), 0.3 * grid.step[0], (245, 245, 245)
            )


def _windows(page: Page) -> None:
    """The front of a house: windows in rows, with bars, some lit, with sills."""
    columns, rows = int(page.rng.integers(3, 10)), int(page.rng.integers(3, 10))
    grid = Grid(0.0, 0.0, (SIDE / columns, SIDE / rows), columns, rows)
    page.pixels[:] = page.colour()
    wide, high = page.rng.uniform(0.15, 0.32, 2)
    inset = 0.5 - min(wide, high)
    tinted(page, grid, np.ones((rows, columns), np.bool_), page.paper, inset - 0.03)
    tinted(page, grid, np.ones((rows, columns), np.bool_), (40, 50, 66), inset)
    tinted(page, grid, some(page, grid, 0.3), (235, 220, 160), inset)
    for x in grid.xs()[:-1] + round(grid.step[0] / 2):
        page.line((x, 0), (x, SIDE), page.paper, 3)


def _word_game(page: Page) -> None:
    """A board for laying words: coloured squares in a pattern, tiles with letters."""
    side = int(page.rng.choice([7, 9, 11, 15]))
    grid = grid_on(page.rng, side, side)
    for _ in range(3):
        part = some(page, grid, 0.06)
        tinted(page, grid, part | part[::-1] | part[:, ::-1] | part.T, page.colour(), 0.03)
    ruled(page, grid)
    laid = some(page, grid, 0.2)
    tinted(page, grid, laid, (232, 214, 170), 0.06)
    written(page, grid, _LETTERS, 0.2)
    if page.rng.random() < 0.4:
        labels(page, grid, _LETTERS, 1.0)


def _sea_battle(page: Page) -> None:
    side = int(page.rng.choice([7, 8, 10]))
    grid = grid_on(page.rng, side, side)
    ruled(page, grid)
    labels(page, grid, _LETTERS if page.rng.random() < 0.5 else _NUMBERS, 1.0)
    tinted(page, grid, some(page, grid, 0.15), page.colour(), 0.1)
    discs(page, grid, some(page, grid, 0.15), page.colour(), 0.12)


def _track(page: Page) -> None:
    """Numbered squares, some of them coloured, as of snakes and ladders."""
    side = int(page.rng.choice([6, 7, 8, 10]))
    grid = grid_on(page.rng, side, side)
    for _ in range(4):
        tinted(page, grid, some(page, grid, 0.3), page.colour())
    ruled(page, grid)
    written(page, grid, _NUMBERS, 1.0, 0.25)
    for _ in range(int(page.rng.integers(2, 8))):
        ends = page.rng.uniform(grid.left, grid.left + side * grid.step[0], (2, 2))
        page.line(ends[0], ends[1], page.colour(), 9)


def _cards(page: Page) -> None:
    """Cards or tiles laid out in rows, face up or not, with gaps."""
    columns, rows = int(page.rng.integers(4, 9)), int(page.rng.integers(4, 9))
    grid = grid_on(page.rng, columns, rows, square=page.rng.random() < 0.5)
    page.pixels[:] = page.colour()
    inset = float(page.rng.uniform(0.03, 0.12))
    tinted(page, grid, np.ones((rows, columns), np.bool_), page.paper, inset)
    for _ in range(3):
        tinted(page, grid, some(page, grid, 0.25), page.colour(), inset + 0.08)
    discs(page, grid, some(page, grid, 0.4), page.colour(), 0.25)


def _matrix_code(page: Page) -> None:
    side = int(page.rng.choice([21, 25, 29]))
    grid = grid_on(page.rng, side, side)
    dark = some(page, grid, 0.5)
    for row, column in ((0, 0), (0, side - 7), (side - 7, 0)):
        dark[row : row + 7, column : column + 7] = True
        dark[row + 1 : row + 6, column + 1 : column + 6] = False
        dark[row + 2 : row + 5, column + 2 : column + 5] = True
    tinted(page, grid, dark, page.ink)


def _rings(page: Page) -> None:
    """Nested squares with places at their corners and middles, as of mills, and squares in a cross."""
    for n in range(int(page.rng.integers(2, 5))):
        low, far = 90 + 90 * n, SIDE - 90 - 90 * n
        cv2.rectangle(page.pixels, (low, low), (far, far), page.ink, 4)
        for x in (low, SIDE // 2, far):
            for y in (low, SIDE // 2, far):
                if (x, y) != (SIDE // 2, SIDE // 2):
                    cv2.circle(page.pixels, (x, y), 14, page.colour(), -1, cv2.LINE_AA)
    page.line((SIDE // 2, 90), (SIDE // 2, SIDE - 90), page.ink, 3)
    page.line((90, SIDE // 2), (SIDE - 90, SIDE // 2), page.ink, 3)


def _score_pad(page: Page) -> None:
    columns, rows = int(page.rng.integers(2, 8)), int(page.rng.integers(6, 16))
    grid = grid_on(page.rng, columns, rows, square=False)
    ruled(page, grid, int(page.rng.choice([0, 3])))
    written(page, grid, _NUMBERS, 0.5, 0.5)
    for row in range(rows):
        x, y = grid.middle(-0.5, row)
        page.text("".join(page.rng.choice([*_LETTERS], 5)), (max(x - 90, 4), y), 0.35 * grid.step[1])


KINDS: dict[str, Callable[[Page], None]] = {
    "sudoku": _sudoku,
    "crossword": _crossword,
    "kakuro": _kakuro,
    "skyscrapers": _skyscrapers,
    "arrowed": _arrowed,
    "other ring": _other_ring,
    "nonogram": _nonogram,
    "calendar": _calendar,
    "chess": _chess,
    "go": _go,
    "squared paper": _squared,
    "dots": _dotted,
    "spreadsheet": _spreadsheet,
    "tiles": _tiles,
    "keyboard": _keyboard,
    "windows": _windows,
    "word game": _word_game,
    "sea battle": _sea_battle,
    "track": _track,
    "cards": _cards,
    "matrix code": _matrix_code,
    "rings": _rings,
    "score pad": _score_pad,
}
