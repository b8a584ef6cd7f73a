"""Things that lie on a table, over or under the sheets: pens, dice, cards, cups, coins, paper, hands.

All are flat outlines on the table, in mm, each with a shadow; that is enough to hide what is under them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from lab.studio.habits import one_of
from lab.studio.strokes import Points, as_points

Colour = tuple[float, float, float]  # linear light reflected, red first
_SKINS = ((0.62, 0.38, 0.28), (0.5, 0.28, 0.19), (0.3, 0.16, 0.1), (0.16, 0.08, 0.05), (0.7, 0.46, 0.37))


@dataclass(frozen=True)
class Surface:
    """A flat outline of one colour."""

    outline: Points
    colour: Colour


@dataclass(frozen=True)
class Thing:
    """An object on the table: its surfaces from bottom to top, and its shadow's offset and blur in mm."""

    surfaces: list[Surface]
    over: bool
    shadow: Points = field(default_factory=lambda: np.zeros(2))
    softness: float = 2.0


def _any_colour(rng: np.random.Generator) -> Colour:
    r, g, b = np.clip(rng.uniform(0.02, 0.8) + rng.normal(0, 0.2, 3), 0.01, 0.9)
    return float(r), float(g), float(b)


def _placed(outline: Points, at: Points, turn: float) -> Points:
    c, s = np.cos(turn), np.sin(turn)
    placed: Points = outline @ np.array([[c, s], [-s, c]]) + at
    return placed


def _beyond(outline: Points, x: float, y: float = 0.0) -> Points:
    moved: Points = outline + np.array([x, y])
    return moved


def _box(width: float, height: float) -> Points:
    return as_points([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * [width / 2, height / 2]


def _round(radius: float, squash: float = 1.0) -> Points:
    turn = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    return np.stack([np.cos(turn) * radius, np.sin(turn) * radius * squash], axis=1)


def _capsule(length: float, width: float) -> Points:
    """A finger or a pen: a bar with round ends, from 0 to ``length`` along x."""
    turn = np.linspace(-np.pi / 2, np.pi / 2, 9)
    cap = np.stack([np.cos(turn), np.sin(turn)], axis=1) * width / 2
    return np.concatenate([_beyond(cap, length - width / 2), _beyond(-cap, width / 2)])


def pen(rng: np.random.Generator, at: Points, over: bool = True) -> Thing:
    """A dry-erase marker with its cap."""
    turn, length, width = rng.uniform(0, 2 * np.pi), rng.uniform(95, 140), rng.uniform(8, 17)
    barrel = one_of(rng, ((0.75, 0.75, 0.73), (0.03, 0.03, 0.035), _any_colour(rng)))
    cap = one_of(rng, ((0.02, 0.02, 0.025), (0.02, 0.06, 0.35), (0.5, 0.02, 0.03), (0.02, 0.25, 0.1)))
    parts = [
        Surface(_capsule(length, width), barrel),
        Surface(_capsule(length * rng.uniform(0.25, 0.4), width), cap),
        Surface(_beyond(_capsule(length, width * 0.2), 0, -width * 0.2), _lighter(barrel)),
    ]
    return _thing(rng, parts, at - _placed(as_points([(length / 2, 0)]), np.zeros(2), turn)[0], turn, over, 5)


def crayon(rng: np.random.Generator, at: Points, wax: Colour) -> Thing:
    """A crayon that was put down: wax with a pointed end, in a paper sleeve of much the same colour."""
    turn, length, width = rng.uniform(0, 2 * np.pi), rng.uniform(45, 95), rng.uniform(7, 12)
    half, tip, sleeve = width / 2, rng.uniform(5, 9), rng.uniform(0.6, 0.85) * length
    point = as_points([(0, 0), (tip, -half), (length, -half), (length, half), (tip, half)])
    paper = _beyond(_box(sleeve, width), length - sleeve / 2 - 3)
    parts = [Surface(point, wax), Surface(paper, _lighter(wax) if rng.random() < 0.7 else _any_colour(rng))]
    return _thing(rng, parts, at, turn, True, width)


def _lighter(colour: Colour) -> Colour:
    r, g, b = (min(0.9, value * 1.4 + 0.08) for value in colour)
    return r, g, b


def _thing(
    rng: np.random.Generator, parts: list[Surface], at: Points, turn: float, over: bool, height: float
) -> Thing:
    surfaces = [Surface(_placed(part.outline, at, turn), part.colour) for part in parts]
    return Thing(surfaces, over, rng.normal(0, 0.5 * height, 2), float(rng.uniform(0.5, 1 + height)))


def small_thing(rng: np.random.Generator, at: Points, over: bool) -> Thing:
    """A die, a coin, a card, a cube, a cup, the cloth for wiping, or a sheet of paper."""
    make, height = one_of(
        rng,
        ((_die, 8.0), (_coin, 1.0), (_card, 0.5), (_cube, 8.0), (_cup, 20.0), (_cloth, 3.0), (_page, 0.4)),
    )
    return _thing(rng, make(rng), at, float(rng.uniform(0, 2 * np.pi)), over, height)


def _coin(rng: np.random.Generator) -> list[Surface]:
    return [Surface(_round(rng.uniform(8, 13)), _any_colour(rng))]


def _cube(rng: np.random.Generator) -> list[Surface]:
    size = rng.uniform(7, 12)
    return [Surface(_box(size, size), _any_colour(rng))]


def _cup(rng: np.random.Generator) -> list[Surface]:
    radius = rng.uniform(30, 48)
    return [Surface(_round(radius * share), _any_colour(rng)) for share in (1, 0.9)]


def _cloth(rng: np.random.Generator) -> list[Surface]:
    return [Surface(_blob(rng, rng.uniform(25, 60)), _any_colour(rng))]


def _page(rng: np.random.Generator) -> list[Surface]:
    return [Surface(_box(rng.uniform(40, 210), rng.uniform(40, 290)), _any_colour(rng))]


def _die(rng: np.random.Generator) -> list[Surface]:
    """A white die with a line or two on it, as the route dice have."""
    size = rng.uniform(13, 17)
    ink = (0.02, 0.02, 0.02)
    lines = [Surface(_box(size, 0.12 * size), ink), Surface(_box(0.12 * size, size), ink)]
    return [Surface(_box(size, size), (0.8, 0.8, 0.78)), *lines[: int(rng.integers(1, 3))]]


def _card(rng: np.random.Generator) -> list[Surface]:
    inner = [
        Surface(_box(rng.uniform(5, 40), rng.uniform(5, 20)) + rng.normal(0, 10, 2), _any_colour(rng))
        for _ in range(int(rng.integers(0, 5)))
    ]
    return [Surface(_box(57, 87), _any_colour(rng)), *inner]


def _blob(rng: np.random.Generator, radius: float) -> Points:
    """A crumpled cloth: a circle with waves."""
    circle = _round(radius)
    turn = np.arctan2(circle[:, 1], circle[:, 0])
    waves = sum(rng.normal(0, 0.12 / n) * np.sin(n * turn + rng.uniform(0, 6)) for n in range(2, 7))
    blob: Points = circle * (1 + np.asarray(waves)[:, None])
    return blob


def hand_over(rng: np.random.Generator, tip: Points, from_where: Points) -> Thing:
    """A hand that reaches from outside the picture to a place, with a sleeve."""
    reach = from_where - tip
    turn = float(np.arctan2(reach[1], reach[0]))
    skin = np.asarray(one_of(rng, _SKINS)) * rng.uniform(0.8, 1.2)
    colour: Colour = (float(skin[0]), float(skin[1]), float(skin[2]))
    shade: Colour = (colour[0] * 0.85, colour[1] * 0.8, colour[2] * 0.8)
    spread = rng.uniform(0.05, 0.22)
    parts = [
        Surface(_beyond(_capsule(420, 62), 110), colour),
        Surface(_beyond(_blob(rng, 44) * [1.1, 0.95], 105), colour),
    ]
    for number, length in enumerate((62, 72, 68, 54)):
        finger = _placed(
            _capsule(length + 40, 17), as_points([(72 - length, 0)])[0], (number - 1.5) * spread * 0.5
        )
        parts.append(Surface(_beyond(finger, 0, (number - 1.5) * 19), shade if number % 2 else colour))
    thumb = _placed(_capsule(75, 20), np.array([60.0, -48.0]), rng.uniform(0.2, 0.6))
    parts.append(Surface(thumb, colour))
    parts.append(Surface(_beyond(_capsule(420, 95), 220), _any_colour(rng)))
    return _thing(rng, parts, tip, turn, True, 18)


def tablewide_shadow(rng: np.random.Generator, middle: Points, reach: float) -> Points:
    """The outline of a shadow from somebody or something above: a head, a phone, an arm, a window bar."""
    at = middle + rng.normal(0, 0.5 * reach, 2)
    turn = float(rng.uniform(0, 2 * np.pi))
    kind = int(rng.integers(0, 3))
    if kind == 0:
        return _placed(_blob(rng, float(rng.uniform(0.25, 0.9)) * reach), at, turn)
    if kind == 1:
        return _placed(_box(float(rng.uniform(0.15, 0.6)) * reach, 4 * reach), at, turn)
    return _placed(_beyond(_box(8 * reach, 8 * reach), 4 * reach), at, turn)
