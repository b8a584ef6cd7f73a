"""Boards of segments that no game has, so that nothing is learnt of one board's print."""

from __future__ import annotations

from functools import partial

import numpy as np

from companion.sheets.drawing import (
    Circle,
    Drawing,
    Line,
    Point,
    Polygon,
    Quad,
    RoundedRect,
    Shape,
    Style,
    Text,
    filled,
    rectangle,
    stroked,
)
from companion.sheets.sheet import Sheet, Slot
from lab.studio.habits import one_of

_TRIM = (1.2, 4.5)  # mm between a segment and its ends
_SIDE = (11.0, 19.0)  # mm: how long segments are


def invented_board(rng: np.random.Generator) -> Sheet:
    """A random board: a jittered lattice, some of whose edges are segments."""
    trim = float(rng.uniform(*_TRIM))
    pitch = float(rng.uniform(*_SIDE)) + 2 * trim
    columns, rows = int(rng.integers(10, 17)), int(rng.integers(9, 15))
    room = 1.6 * pitch
    size = ((columns - 1) * pitch + 2 * room, (rows - 1) * pitch * 0.87 + 2 * room)
    slanted = bool(rng.random() < 0.6)
    points = {
        (column, row): np.array(
            [room + (column + 0.5 * slanted * (row % 2)) * pitch, room + 0.87 * row * pitch]
        )
        + rng.normal(0, 0.05 * pitch, 2)
        for row in range(rows)
        for column in range(columns - slanted)
    }
    half = float(rng.uniform(2.3, 3.6))
    slots: dict[str, Slot] = {}
    for (column, row), place in points.items():
        for n, other in enumerate(
            ((column + 1, row), (column, row + 1), (column - 1 + 2 * (row % 2), row + 1))
        ):
            if other in points and rng.random() < 0.6:
                slots[f"{column}.{row}.{n}"] = Slot(_quad(place, points[other], trim, half), "track")
    # A random ground: land, sea, rivers, letters; mostly pale, sometimes as dark as genuine boards
    dark = rng.random() < 0.3
    low, high = (60, 190) if dark else (195, 250)
    ground: list[Shape] = [RoundedRect((0, 0), size, 0, filled(_colour(rng, low, high)))]
    for _ in range(int(rng.integers(3, 12))):
        middle, reach = rng.uniform((0, 0), size), rng.uniform(20, 140)
        angle = np.linspace(0, 2 * np.pi, 17)[:-1]
        ring = (
            middle + (np.stack([np.cos(angle), np.sin(angle)], axis=1) * rng.uniform(0.4, 1, (16, 1))) * reach
        )
        look = Style(_colour(rng, low, high), _colour(rng, low - 40, high), 0.5)
        ground.append(Polygon(tuple((float(x), float(y)) for x, y in ring), look))
    for _ in range(int(rng.integers(2, 14))):
        line = np.cumsum(rng.normal(0, 18, (8, 2)), axis=0) + rng.uniform((0, 0), size)
        pen = stroked(_colour(rng, low - 50, high), float(rng.uniform(0.3, 1.6)))
        ground.append(Line(tuple((float(x), float(y)) for x, y in line), pen))
    for _ in range(int(rng.integers(5, 40))):
        x, y = rng.uniform((0, 0), size)
        word = "".join(rng.choice(list("ABCDEFGHabcdefghijklmno"), int(rng.integers(3, 10))))
        ground.append(Text((float(x), float(y)), word, float(rng.uniform(2.5, 6)), _colour(rng, 5, 120)))
    shapes = [*ground, *_segments(rng, slots), *_points(rng, points)]
    drawing = Drawing(size, tuple(shapes))
    area = rectangle((0.0, 0.0), size)
    return Sheet("lattice", "invented", 1, size, {}, slots, area, partial(_same, drawing))


def _same(drawing: Drawing) -> Drawing:
    return drawing


def _quad(a: np.ndarray, b: np.ndarray, trim: float, half: float) -> Quad:
    way = (b - a) / np.hypot(*(b - a))
    a, b = a + way * trim, b - way * trim
    across = np.array([way[1], -way[0]]) * half
    one, two, three, four = (
        (float(x), float(y)) for x, y in (a + across, b + across, b - across, a - across)
    )
    return one, two, three, four


def _colour(rng: np.random.Generator, low: int = 10, high: int = 245) -> str:
    grey = rng.uniform(low, high)
    r, g, b = np.clip(grey + rng.normal(0, rng.choice([10, 40, 90]), 3), 5, 250).astype(int)
    return f"#{r:02x}{g:02x}{b:02x}"


def _segments(rng: np.random.Generator, slots: dict[str, Slot]) -> list[Shape]:
    """Filled or framed boxes, dots, dashes or plain lines, in a few colours, some of them those of pieces."""
    paints = [_colour(rng, 20, 250) for _ in range(int(rng.integers(1, 8)))]
    paints += ["#c8372d", "#1f63b0", "#1f8a4c", "#d9a400", "#22262a", "#f4f2ea"][: int(rng.integers(0, 7))]
    manners = [int(rng.integers(5)) for _ in paints]
    thin = float(rng.uniform(0.5, 1.0))
    shapes: list[Shape] = []
    for slot in slots.values():
        n = int(rng.integers(len(paints)))
        shapes += _segment(np.array(slot.quad), paints[n], manners[n], thin)
    return shapes


def _segment(corners: np.ndarray, paint: str, manner: int, thin: float) -> list[Shape]:
    middle, way = corners.mean(axis=0), (corners[1] - corners[0]) / 2
    across = (corners[3] - corners[0]) / 2 * thin

    def at(x: float, y: float) -> Point:
        place = middle + way * x + across * y
        return float(place[0]), float(place[1])

    def bar(left: float, right: float, high: float = 1.0) -> Polygon:
        return Polygon((at(left, -high), at(right, -high), at(right, high), at(left, high)), filled(paint))

    half = float(np.hypot(*across))
    if manner == 0:
        return [bar(-1, 1)]
    if manner == 1:
        frame = Style(None, paint, 0.5)
        return [Polygon((at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)), frame)]
    if manner == 2:
        return [Circle(at(x, 0), 0.8 * half, filled(paint)) for x in (-0.8, -0.4, 0.0, 0.4, 0.8)]
    if manner == 3:
        return [bar(x, x + 0.42, 0.8) for x in (-0.95, -0.2, 0.53)]
    return [Line((at(-1, 0), at(1, 0)), stroked(paint, 0.7 * half))]


def _points(rng: np.random.Generator, points: dict[tuple[int, int], np.ndarray]) -> list[Shape]:
    shapes: list[Shape] = []
    small, large = float(rng.uniform(0.8, 2.2)), float(rng.uniform(4, 7))
    inks = [_colour(rng) for _ in range(4)]
    for place in points.values():
        radius = large if rng.random() < 0.12 else small
        at = (float(place[0]), float(place[1]))
        shapes.append(Circle(at, radius, Style(one_of(rng, inks), "#333333", 0.3)))
    return shapes
