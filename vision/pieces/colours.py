"""The colours of the pieces on a table, learnt from the pieces themselves, and what people call them.

No colour is fixed: pieces are put together by average linkage in CIE L*a*b* until the groups are farther
apart than pieces of one set are. Names only come afterwards, each to one group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.kit.evidence import EMPTY, SlotReading
from vision.pieces.finding import Lab, PieceLook

# Weights of L*, and of a* and b* as shares of it: shade changes lightness, paint the others.
_LIGHTNESS, _SATURATION, _DARK = 0.45, 125.0, 75.0
_APART = 15.0  # weighted distance from which two groups are two colours
# Groups that people call alike are one colour up to this distance; twice that if hues (degrees) agree.
_ALIKE, _ONE_HUE = 20.0, 17.0
_SCATTER = (3.5, 8.0)  # of pieces of one colour around their middle, at least and at most
_STRANGE = 4.0  # deviations: what is farther from every colour than that is none of them
_COUNTED = 0.6  # probability from which a piece helps to learn the colours
JOINT = "+"  # between the colours of two pieces on one segment

# How the usual colours of pieces look on white paper, red first; several where people use one word for many.
_LOOKS: Mapping[str, Sequence[tuple[int, int, int]]] = {
    "red": ((205, 40, 40), (150, 25, 35), (235, 35, 35)),
    "orange": ((235, 120, 30), (210, 95, 40), (240, 150, 70)),
    "yellow": ((242, 205, 40), (225, 185, 60), (245, 225, 110), (255, 235, 0)),
    "green": ((40, 140, 70), (20, 85, 50), (110, 180, 80), (75, 110, 60), (0, 190, 80)),
    "blue": (
        (40, 90, 170),
        (25, 40, 95),
        (60, 130, 200),
        (110, 170, 220),
        (20, 70, 225),
        (20, 35, 130),
        (30, 60, 190),
    ),
    "purple": ((110, 60, 150), (75, 40, 100), (150, 110, 190), (140, 40, 170)),
    "pink": ((230, 130, 170), (245, 175, 195), (215, 80, 140)),
    "brown": ((120, 75, 45), (85, 55, 40), (150, 100, 65)),
    "black": ((30, 30, 32), (50, 50, 54), (12, 12, 14), (60, 48, 42), (44, 46, 62), (42, 54, 46)),
    "white": ((240, 240, 235), (222, 220, 212), (255, 255, 255)),
    "grey": ((130, 130, 132), (165, 165, 168), (95, 96, 98)),
    "turquoise": ((50, 165, 170), (100, 205, 200)),
    "natural": ((214, 178, 130), (190, 150, 105)),
}
COLOUR_NAMES = tuple(_LOOKS)
# Words that people use less often than the others for what lies between these.
_RARE = {"natural": 8.0, "turquoise": 5.0, "grey": 6.0, "pink": 2.0, "brown": 1.0}
_COLOURLESS = 10.0  # saturation of white, grey and black
_MISNAMED = 25.0  # farther than its nearest name: what no colour is called by
_MIDDLING, _MOST_CHANGES = 50.0, 40


@dataclass(frozen=True)
class Palette:
    """The colours on the table by their usual names, and how far pieces of one colour scatter."""

    colours: Mapping[str, Lab]
    scatter: float

    def shares(self, colour: Lab) -> dict[str, float]:
        """How likely each colour is for a piece that looks so; all alike for one that is strange."""
        return self.all_shares([colour])[0]

    def all_shares(self, colours: Sequence[Lab]) -> list[dict[str, float]]:
        """The same for many pieces."""
        if not self.colours or not colours:
            return [{} for _ in colours]
        known = _scaled(np.array(list(self.colours.values()), np.float64))
        away = np.sqrt(((_scaled(np.array(colours, np.float64))[:, None] - known) ** 2).sum(axis=2))
        away = away / self.scatter
        nearest = away.min(axis=1, keepdims=True)
        rising = np.exp(-0.5 * (away**2 - nearest**2))
        shares = rising / rising.sum(axis=1, keepdims=True)
        known_well = np.exp(-np.maximum(0.0, nearest - _STRANGE))
        shares = known_well * shares + (1 - known_well) / len(known)
        return [dict(zip(self.colours, row, strict=True)) for row in shares.tolist()]


def _scaled(colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """Colours such that shade moves them little: lightness counts less, the rest is relative to it."""
    light = colours[..., :1]
    return np.concatenate([_LIGHTNESS * light, _SATURATION * colours[..., 1:] / (light + _DARK)], axis=-1)


def _distance(one: Lab, other: Lab) -> float:
    a, b = _scaled(np.array([one, other], np.float64))
    return float(np.sqrt(((a - b) ** 2).sum()))


def learn_colours(
    looks: Sequence[PieceLook], legend: Sequence[Lab] = (), names: Sequence[str] = ()
) -> Palette:
    """The colours of the pieces that are seen well; ``legend`` holds pieces beside the board.

    ``names``: the only ones that are possible, where somebody said so.
    """
    sure = [
        look.colours[0] for look in looks if look.cannot_see is None and look.one > _COUNTED and look.colours
    ]
    colours = np.asarray([*legend, *sure], np.float64).reshape(-1, 3)
    groups = _one_for_each_name(colours, _groups(_scaled(colours)))
    middles = [np.median(colours[group], axis=0) for group in groups]
    away = [
        np.sqrt(((_scaled(colours[group]) - _scaled(middle)) ** 2).sum(axis=1))
        for group, middle in zip(groups, middles, strict=True)
    ]
    usual = float(np.median(np.concatenate(away))) if away else 0.0
    sizes = [len(group) ** 0.5 for group in groups]
    named = name_colours([_as_lab(middle) for middle in middles], names, sizes)
    scatter = float(np.clip(usual * 0.85, *_SCATTER))
    return Palette(dict(zip(named, map(_as_lab, middles), strict=True)), scatter)


def _one_for_each_name(colours: NDArray[np.float64], groups: list[list[int]]) -> list[list[int]]:
    """Groups that people would call alike, and that are not far apart, are one colour in two lights."""
    found: list[list[int]] = []
    names: list[str] = []
    for group in groups:
        middle = _as_lab(np.median(colours[group], axis=0))
        name = min(_LOOKS, key=lambda one: _name_distance(middle, one))
        for known, called in zip(found, names, strict=True):
            if called == name and _one_paint(_as_lab(np.median(colours[known], axis=0)), middle):
                known.extend(group)
                break
        else:
            found.append(list(group))
            names.append(name)
    return sorted(found, key=len, reverse=True)


def _one_paint(one: Lab, other: Lab) -> bool:
    """Could these be one paint in two lights? Light changes lightness and saturation, and hardly the hue."""
    saturated = [float(np.hypot(a, b)) for _, a, b in (one, other)]
    if min(saturated) < 1.5 * _COLOURLESS:
        return _distance(one, other) < _ALIKE
    turned = np.degrees(np.arctan2(one[2], one[1]) - np.arctan2(other[2], other[1]))
    return abs((turned + 180) % 360 - 180) < _ONE_HUE and _distance(one, other) < 2 * _ALIKE


def _as_lab(colour: NDArray[np.float64]) -> Lab:
    return float(colour[0]), float(colour[1]), float(colour[2])


def colour_groups(colours: NDArray[np.float64], apart: float = _APART) -> list[list[int]]:
    """Which of these colours (CIE L*a*b*) are one colour of paint, the largest group first."""
    return _groups(_scaled(colours), apart)


def _groups(points: NDArray[np.float64], enough: float = _APART) -> list[list[int]]:
    """Average linkage: the two nearest groups become one until all are apart; the largest group first."""
    groups = [[n] for n in range(len(points))]
    if not groups:
        return []
    apart = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    np.fill_diagonal(apart, np.inf)
    while len(groups) > 1:
        one, other = divmod(int(apart.argmin()), len(groups))
        if apart[one, other] > enough:
            break
        one, other = min(one, other), max(one, other)
        sizes = len(groups[one]), len(groups[other])
        joined = (apart[one] * sizes[0] + apart[other] * sizes[1]) / sum(sizes)
        apart[one], apart[:, one] = joined, joined
        apart[one, one] = np.inf
        apart = np.delete(np.delete(apart, other, axis=0), other, axis=1)
        groups[one] += groups.pop(other)
    return sorted(groups, key=len, reverse=True)


def name_colours(
    colours: Sequence[Lab], names: Sequence[str] = (), weights: Sequence[float] = ()
) -> list[str]:
    """Usual names for colours, no name twice: together as near as can be, of ``names`` only if given.

    ``weights`` say how much each colour counts. A colour for which no fitting name is left is called light or
    dark, by the name that another one has; beyond the names there are, colours get a number.
    """
    possible = [name for name in names if name in _LOOKS] or list(_LOOKS)
    costs = np.array([[_name_distance(colour, name) for name in possible] for colour in colours])
    if not len(costs):
        return []
    heavy = costs * np.asarray(weights or [1.0] * len(colours))[:, None]
    given = _assigned(heavy)
    found: list[str] = []
    for n, (colour, place) in enumerate(zip(colours, given, strict=True)):
        nearest = int(costs[n].argmin())
        if place is None:
            found.append(f"colour {n + 1}")
        elif costs[n, place] - costs[n, nearest] < _MISNAMED or names:
            found.append(possible[place])
        else:
            shade = "light" if colour[0] > _MIDDLING else "dark"
            found.append(f"{shade} {possible[nearest]}")
    return [name if name not in found[:n] else f"colour {n + 1}" for n, name in enumerate(found)]


def _assigned(costs: NDArray[np.float64]) -> list[int | None]:
    """A column for each row, none twice: each takes the cheapest that is left, then moves and swaps help."""
    rows, columns = costs.shape
    taken: list[int | None] = []
    for row in range(rows):
        free = [column for column in range(columns) if column not in taken]
        taken.append(min(free, key=costs[row].__getitem__) if free else None)

    def cost(row: int, column: int | None) -> float:
        return 1e4 if column is None else float(costs[row, column])

    for _ in range(_MOST_CHANGES):
        changes: list[tuple[float, int, int, int | None]] = []
        for row in range(rows):
            for column in set(range(columns)) - set(taken):
                changes.append((cost(row, column) - cost(row, taken[row]), row, row, column))
            for other in range(row):
                before = cost(row, taken[row]) + cost(other, taken[other])
                after = cost(row, taken[other]) + cost(other, taken[row])
                changes.append((after - before, row, other, None))
        least, one, other, moved = min(changes, key=lambda change: change[0], default=(0.0, 0, 0, None))
        if least > -1e-9:
            break
        if one == other:
            taken[one] = moved
        else:
            taken[one], taken[other] = taken[other], taken[one]
    return taken


def _name_distance(colour: Lab, name: str) -> float:
    """How far a colour is from what has that name: hue counts most, lightness and saturation less."""
    return min(_away(colour, look) for look in _looks_of(name)) + _RARE.get(name, 0.0)


def _away(one: Lab, other: Lab) -> float:
    saturated = [float(np.hypot(a, b)) for _, a, b in (one, other)]
    square = (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2
    hue = max(0.0, square - (saturated[0] - saturated[1]) ** 2)
    paler = (saturated[0] - saturated[1]) * (0.9 if saturated[1] < _COLOURLESS else 0.45)
    return float(np.sqrt((0.4 * (one[0] - other[0])) ** 2 + paler**2 + 1.4 * hue))


def _looks_of(name: str) -> list[Lab]:
    codes = np.array(_LOOKS[name], np.float32)[None, :, ::-1] / np.float32(255)
    return [_as_lab(lab) for lab in np.asarray(cv2.cvtColor(codes, cv2.COLOR_BGR2Lab), np.float64)[0]]


def slot_readings(looks: Mapping[str, PieceLook], palette: Palette) -> dict[str, SlotReading]:
    """Every segment's marks: a colour, two of them joined by ``+``, or nothing."""
    every = [colour for look in looks.values() for colour in look.colours]
    shares = iter(palette.all_shares(every))
    return {name: _reading(look, [next(shares) for _ in look.colours]) for name, look in looks.items()}


def _reading(look: PieceLook, shares: Sequence[Mapping[str, float]]) -> SlotReading:
    if not shares:
        return SlotReading({EMPTY: 1.0}, look.cannot_see)
    single = 1.0 - look.empty if len(shares) == 1 else look.one
    marks = {EMPTY: look.empty} | {name: single * share for name, share in shares[0].items()}
    if len(shares) > 1:
        for one, p in shares[-2].items():
            for other, q in shares[-1].items():
                mark = JOINT.join(sorted((one, other))) if one != other else one
                marks[mark] = marks.get(mark, 0.0) + look.two * p * q
    ordered = sorted(marks.items(), key=lambda one: -one[1])
    return SlotReading({mark: p for mark, p in ordered if p > 1e-5 or mark == EMPTY}, look.cannot_see)
