"""Learns the colours of the pieces on a table by clustering, and names them.

No colour is fixed: pieces are put together in CIE L*a*b* until the groups are farther apart than pieces of
one set are. Names only come afterwards, to all groups at once, with how sure each is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.reading.evidence import EMPTY, SlotReading
from vision.pieces.finding import Lab, PieceLook

# Weights of L*, and of a* and b* as shares of it: shade changes lightness, paint the others.
_LIGHTNESS, _SATURATION, _DARK = 0.45, 125.0, 75.0
# In what dark paint reflects, colours of the print around it are mixed: they count by lightness, and so
# much at least.
_DARK_COUNTS = (45.0, 0.3)
_APART = 15.0  # weighted distance from which two groups are two colours, if nothing else is known
_FINE = 6.0  # and up to which pieces are surely of one colour
_TWO_COLOURS, _COUNTS = 15.0, 6  # nats that a colour more has to explain; pieces of a group that count for it
_WITHIN = (4.5, 5.5)  # deviation of pieces from their colour's middle in each direction, at least and at most
# Groups that people call alike are one colour up to this distance; far more if hues (degrees) agree.
_ALIKE, _ONE_HUE, _CALLED_ALIKE = 12.0, 22.0, 0.35
_ONE_SHADE = 12.0  # degrees of hue: what differs less is a lit and a dark side as likely as two paints
_SCATTER = (3.5, 8.0)  # of pieces of one colour around their middle, at least and at most
_STRANGE = 4.0  # deviations: what is farther from every colour than that is none of them
_COUNTED = 0.6  # probability from which a piece helps to learn the colours
# Halves of what is seen are of two known colours: so near, at least such a share, and how much that says.
_KNOWN_HALF, _MINOR, _TWO_HALVES, _SAME_HALVES = 9.0, 0.2, 200.0, 0.2
_OFTEN, _AS_MANY = 0.03, 10.0  # two on a segment: share of pieces, and how many pieces that guess counts for
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
}
COLOUR_NAMES = tuple(_LOOKS)
_OTHER_WORDS = {"violet": "purple", "lilac": "purple", "gray": "grey"}
# Words that people use less often than the others for what lies between these, in nats.
_RARE = {"turquoise": 0.9, "grey": 1.2, "pink": 0.7, "brown": 0.7, "orange": 0.2, "purple": 0.2}
_COLOURLESS = 10.0  # saturation of white, grey and black
# How far paints of one name are from each other in Oklab: lightness; the logarithm of saturation (and so much
# more of it), paler (gloss and white marks take it away) and stronger; hue, at least and as a share of the
# saturation. Its hues are those that people see, those of CIE L*a*b* bend in the blues.
_PAINTS_LIGHT, _PAINTS_PALE, _PAINTS_HUE = 0.12, (0.04, 0.45, 0.32), (0.015, 0.07)
_STRAYS = (2, 0.1)  # pieces, and share of all: so few may be strays of another group
_STRANGER = 1e-9  # density of what no name fits
_NAMELESS = 60.0  # nats: to have no name is worse than any
_NAMES_TRIED, _MOST_WAYS = 4, 20_000  # of a group; of giving names to all groups
_SPOKEN_OF = 3.0  # nats for names of which somebody said that they are there
_LEAST_NAME = 0.01  # what is less probable is left out
_MISNAMED = 9.0  # nats: how much worse than its nearest name the name may be that a group has to take
_MIDDLING, _MOST_CHANGES = 50.0, 40


@dataclass(frozen=True)
class Palette:
    """The colours on the table by their usual names, and the scatter of pieces of one colour.

    ``also``: the probabilities of other names where a colour's own is not certain; the rest is its own.
    """

    colours: Mapping[str, Lab]
    scatter: float
    also: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def shares(self, colour: Lab) -> dict[str, float]:
        """The probability of each colour for a piece that looks so; uniform for a strange one."""
        return self.all_shares([colour])[0]

    def all_shares(self, colours: Sequence[Lab]) -> list[dict[str, float]]:
        """For each of many pieces, the probability of every colour in the palette."""
        if not self.colours or not colours:
            return [{} for _ in colours]
        away = distances(colours, list(self.colours.values())) / self.scatter
        nearest = away.min(axis=1, keepdims=True)
        rising = np.exp(-0.5 * (away**2 - nearest**2))
        shares = rising / rising.sum(axis=1, keepdims=True)
        known_well = np.exp(-np.maximum(0.0, nearest - _STRANGE))
        shares = known_well * shares + (1 - known_well) / len(self.colours)
        return [dict(zip(self.colours, row, strict=True)) for row in shares.tolist()]

    def in_words(self, slot: SlotReading) -> SlotReading:
        """Rename a reading's marks to the palette's names; an uncertain name makes the mark uncertain."""
        marks = slot.probabilities
        if not self.also or not any(
            part in self.also for mark in marks if mark for part in mark.split(JOINT)
        ):
            return slot
        told: dict[str, float] = {}
        for mark, p in marks.items():
            ways = [("", p)] if not mark else self._worded(mark.split(JOINT), p)
            for word, share in ways:
                told[word] = told.get(word, 0.0) + share
        ordered = sorted(told.items(), key=lambda one: -one[1])
        return SlotReading(
            {mark: p for mark, p in ordered if p > 1e-5 or mark == EMPTY}, slot.cannot_see, slot.corners
        )

    def _worded(self, parts: Sequence[str], p: float) -> list[tuple[str, float]]:
        ways: list[tuple[tuple[str, ...], float]] = [((), p)]
        for part in parts:
            also = self.also.get(part, {})
            names = {part: 1.0 - sum(also.values()), **also}
            ways = [((*some, name), q * one) for some, q in ways for name, one in names.items()]
        return [(JOINT.join(sorted(set(some))), q) for some, q in ways]


def distances(colours: Sequence[Lab] | NDArray[np.float64], others: Sequence[Lab]) -> NDArray[np.float64]:
    """The distances between two sets of colours, (n, m), in which lightness counts little."""
    one, other = (_scaled(np.array(some, np.float64).reshape(-1, 3)) for some in (colours, others))
    away: NDArray[np.float64] = np.sqrt(((one[:, None] - other) ** 2).sum(axis=2))
    return away


def _scaled(colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rescale colours so that shading hardly moves them: less lightness, and chroma relative to it."""
    light = colours[..., :1]
    whole, least = _DARK_COUNTS
    paint = _SATURATION * np.clip(light / whole, least, 1.0) / (light + _DARK)
    return np.concatenate([_LIGHTNESS * light, paint * colours[..., 1:]], axis=-1)


def _distance(one: Lab, other: Lab) -> float:
    return float(distances([one], [other])[0, 0])


def learn_colours(
    looks: Sequence[PieceLook],
    legend: Sequence[Lab] = (),
    names: Sequence[str] = (),
    most_colours: int | None = None,
) -> Palette:
    """Cluster the colours of clearly seen pieces; ``legend`` holds pieces beside the board.

    ``names``: the colours that people named, which others may join; ``most_colours``: how many players can
    have pieces.
    """
    sure = [
        look.colours[0] for look in looks if look.cannot_see is None and look.one > _COUNTED and look.colours
    ]
    colours = np.asarray([*legend, *sure], np.float64).reshape(-1, 3)
    return palette_of(colours, names, most_colours)


def palette_of(
    colours: NDArray[np.float64], names: Sequence[str] = (), most_colours: int | None = None
) -> Palette:
    """Cluster pieces of these colours, (n, 3), into a palette of at most ``most_colours``."""
    groups = _one_for_each_name(colours, _few_groups(_scaled(colours)))
    if names:  # whoever said so may have left some out
        groups = _at_most(colours, groups, len(names), leave_out=False)
    if most_colours is not None:
        groups = _at_most(colours, groups, most_colours)
    middles = [_as_lab(np.median(colours[group], axis=0)) for group in groups]
    away = [distances(colours[group], [middle])[:, 0] for group, middle in zip(groups, middles, strict=True)]
    usual = float(np.median(np.concatenate(away))) if away else 0.0
    named = named_colours(middles, weights=[len(group) ** 0.5 for group in groups], likely=names)
    scatter = float(np.clip(usual * 0.85, *_SCATTER))
    # If somebody said which colours there are, a few that are left over are strays of those.
    few = max(_STRAYS[0], _STRAYS[1] * len(colours)) if len(groups) > len(names) > 0 else 0
    kept = [n for n, (name, _) in enumerate(named) if name in names or len(groups[n]) > few]
    also = {named[n][0]: named[n][1] for n in kept if named[n][1]}
    return Palette({named[n][0]: middles[n] for n in kept}, scatter, also)


def _few_groups(points: NDArray[np.float64]) -> list[list[int]]:
    """Cluster points (n, 3) into as few groups as the Bayesian information criterion allows.

    Pieces of one group share their lighting, so their errors are correlated and only a few of them count.
    """
    groups = _groups(points, _FINE)
    within = [
        ((points[group] - points[group].mean(axis=0)) ** 2).mean() for group in groups if len(group) > 2
    ]
    spread = float(np.clip(np.sqrt(np.mean(within)) if within else 0.0, *_WITHIN))
    middles = [np.median(points[group], axis=0) for group in groups]
    while len(groups) > 1:
        counts = np.minimum([len(group) for group in groups], _COUNTS)
        apart = np.sum((np.array(middles)[:, None] - np.array(middles)) ** 2, axis=2)
        loss = counts[:, None] * counts / (counts[:, None] + counts) * apart / (2 * spread**2)
        np.fill_diagonal(loss, np.inf)
        one, other = sorted(divmod(int(loss.argmin()), len(groups)))
        if loss[one, other] > _TWO_COLOURS:
            break
        groups[one] += groups.pop(other)
        middles.pop(other)
        middles[one] = np.median(points[groups[one]], axis=0)
    return sorted(groups, key=len, reverse=True)


def _one_for_each_name(colours: NDArray[np.float64], groups: list[list[int]]) -> list[list[int]]:
    """Merge groups that fit the same name and lie close: one colour in two lights."""
    found: list[list[int]] = []
    names: list[NDArray[np.float64]] = []
    for group in groups:
        middle = _as_lab(np.median(colours[group], axis=0))
        scores = _name_scores([middle])[0]
        likely = np.exp(scores - scores.max())
        likely /= likely.sum()
        for known, others in zip(found, names, strict=True):
            alike = others.argmax() == likely.argmax()
            if len(group) <= max(_STRAYS[0], _STRAYS[1] * len(colours)):
                alike = alike or likely @ others > _CALLED_ALIKE
            if alike and _one_paint(_as_lab(np.median(colours[known], axis=0)), middle):
                known.extend(group)
                break
        else:
            found.append(list(group))
            names.append(likely)
    return sorted(found, key=len, reverse=True)


def _at_most(
    colours: NDArray[np.float64], groups: list[list[int]], most: int, leave_out: bool = True
) -> list[list[int]]:
    """Reduce the groups to at most so many: drop strays, and merge those that differ in lighting alone.

    The pair with the lowest cost by Ward's criterion is merged first.
    """
    groups = sorted((list(group) for group in groups), key=len, reverse=True)
    while len(groups) > most:
        middles = [_as_lab(np.median(colours[group], axis=0)) for group in groups]
        counts = np.array([len(group) for group in groups], np.float64)
        costs = distances(middles, middles) ** 2 / (1 / counts[:, None] + 1 / counts)
        away = np.where(_shades(middles), costs, np.inf)
        np.fill_diagonal(away, np.inf)
        one, other = sorted(divmod(int(away.argmin()), len(groups)))
        none_alike = not np.isfinite(away[one, other])
        if leave_out and (none_alike or len(groups[-1]) <= _STRAYS[0]):
            groups.pop()
        elif none_alike:
            break
        else:
            groups[one] += groups.pop(other)
            groups.sort(key=len, reverse=True)
    return groups


def _one_paint(one: Lab, other: Lab) -> bool:
    """Return True if two colours could be one paint in different light.

    Light changes lightness and saturation, but hardly the hue.
    """
    saturated = [float(np.hypot(a, b)) for _, a, b in (one, other)]
    if min(saturated) < 1.5 * _COLOURLESS:
        return _distance(one, other) < _ALIKE
    turned = np.degrees(np.arctan2(one[2], one[1]) - np.arctan2(other[2], other[1]))
    return abs((turned + 180) % 360 - 180) < _ONE_HUE and _distance(one, other) < 4.5 * _ALIKE


def _as_lab(colour: NDArray[np.float64]) -> Lab:
    return float(colour[0]), float(colour[1]), float(colour[2])


def weighted(colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """Colours (CIE L*a*b*) weighted for comparison: chroma counts more than lightness."""
    return _scaled(colours)


def colour_groups(looks: NDArray[np.float64], apart: float = _APART) -> list[list[int]]:
    """Cluster :func:`weighted` colours, one or several side by side; largest cluster first."""
    return _groups(looks, apart)


def name_scores(colours: NDArray[np.float64], names: Sequence[str]) -> NDArray[np.float64]:
    """The log-likelihood of these names for colours (CIE L*a*b*), (colours, names), in nats."""
    scores = _name_scores([_as_lab(colour) for colour in colours])
    return scores[:, [COLOUR_NAMES.index(name) for name in names]]


def name_shares(colours: Mapping[str, Lab], names: Sequence[str] = COLOUR_NAMES) -> dict[str, float]:
    """The probability of each colour's own name among these names, by its looks alone."""
    usual = [name for name in colours if name in names]
    scores = name_scores(np.array([colours[name] for name in usual], np.float64).reshape(-1, 3), names)
    rising = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-1e9))
    shares = rising / rising.sum(axis=1, keepdims=True)
    return {name: float(row[names.index(name)]) for name, row in zip(usual, shares, strict=True)}


def _groups(points: NDArray[np.float64], enough: float = _APART) -> list[list[int]]:
    """Agglomerative clustering with average linkage; largest cluster first."""
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


# --- names ---


def usual_name(word: str) -> str:
    """The name used here for a colour that people may call otherwise.

    >>> usual_name("Violet"), usual_name("red")
    ('purple', 'red')
    """
    return _OTHER_WORDS.get(word.lower(), word.lower())


def name_colours(
    colours: Sequence[Lab],
    names: Sequence[str] = (),
    weights: Sequence[float] = (),
    likely: Sequence[str] = (),
) -> list[str]:
    """Usual names for colours, no name twice: together as near as can be, of ``names`` only if given.

    ``weights`` say how much each colour counts; ``likely`` are names of which people have spoken. A colour
    for which no fitting name is left is called light or dark, or by its number.
    """
    return [name for name, _ in named_colours(colours, names, weights, likely)]


def named_colours(
    colours: Sequence[Lab],
    names: Sequence[str] = (),
    weights: Sequence[float] = (),
    likely: Sequence[str] = (),
) -> list[tuple[str, dict[str, float]]]:
    """Each colour's name, and the probabilities of other names."""
    possible = [name for name in names if name in _LOOKS] or list(_LOOKS)
    if not len(colours):
        return []
    scores = _name_scores(colours)[:, [COLOUR_NAMES.index(name) for name in possible]]
    scores[:, [n for n, name in enumerate(possible) if name in likely]] += _SPOKEN_OF
    given = _assigned(-scores, np.asarray(weights or [1.0] * len(colours), np.float64))
    shares = _together(scores, given)
    found: list[tuple[str, dict[str, float]]] = []
    for n, (colour, place) in enumerate(zip(colours, given, strict=True)):
        nearest, taken = int(scores[n].argmax()), {name for name, _ in found}
        if place is None:
            name = f"colour {n + 1}"
        elif scores[n, nearest] - scores[n, place] < _MISNAMED:
            name = possible[place]
        else:
            name = f"{'light' if colour[0] > _MIDDLING else 'dark'} {possible[nearest]}"
        if name in taken:
            name = f"colour {n + 1}"
        others = {
            possible[other]: float(p)
            for other, p in enumerate(shares[n])
            if p > _LEAST_NAME and possible[other] != name and name in possible
        }
        found.append((name, others))
    return found


def _together(scores: NDArray[np.float64], given: Sequence[int | None]) -> NDArray[np.float64]:
    """The probability of each name for each colour if no name is used twice, (colours, names)."""
    tried = [
        sorted({*np.argsort(-row)[:_NAMES_TRIED].tolist(), *([] if place is None else [place])})
        for row, place in zip(scores, given, strict=True)
    ]
    likely = np.zeros_like(scores)
    if np.prod([float(len(some)) for some in tried]) > _MOST_WAYS:
        tried = [[] if place is None else [place] for place in given]
    ways = [way for way in product(*tried) if len(set(way)) == len(way)]
    if not ways:
        return likely
    places = np.array(ways, np.int64)
    worth = scores[np.arange(len(scores)), places].sum(axis=1)
    shares = np.exp(worth - worth.max())
    shares /= shares.sum()
    for n in range(len(scores)):
        np.add.at(likely[n], places[:, n], shares)
    return likely


def _assigned(nats: NDArray[np.float64], weights: NDArray[np.float64]) -> list[int | None]:
    """Assign a different column to each row: greedily at first, then improved by exchanges.

    Where there are more rows than columns, those of the least weight get none.
    """
    costs = nats * weights[:, None]
    rows, columns = costs.shape
    taken: list[int | None] = []
    for row in range(rows):
        free = [column for column in range(columns) if column not in taken]
        taken.append(min(free, key=costs[row].__getitem__) if free else None)

    def cost(row: int, column: int | None) -> float:
        return _NAMELESS * float(weights[row]) if column is None else float(costs[row, column])

    for _ in range(_MOST_CHANGES):
        now = [cost(row, column) for row, column in enumerate(taken)]
        left: list[int | None] = [column for column in range(columns) if column not in taken]
        changes: list[tuple[float, dict[int, int | None]]] = [
            (cost(row, column) - now[row], {row: column}) for row in range(rows) for column in left
        ]
        for row, other in product(range(rows), repeat=2):
            if row != other and taken[other] is not None:  # take another's, who moves to what is left
                for column in (*left, taken[row]):
                    change = cost(row, taken[other]) + cost(other, column) - now[row] - now[other]
                    changes.append((change, {row: taken[other], other: column}))
        least, moved = min(changes, key=lambda change: change[0], default=(0.0, {}))
        if least > -1e-9:
            break
        for row, column in moved.items():
            taken[row] = column
    return taken


def _name_scores(colours: Sequence[Lab]) -> NDArray[np.float64]:
    """The log-likelihood of every name for every colour, (colours, names), in nats."""
    light, a, b = _oklab(np.array(colours, np.float64).reshape(-1, 3)).T[..., None]
    found = np.empty((len(colours), len(_LOOKS)))
    for n, name in enumerate(_LOOKS):
        paint = _oklab(_looks_of(name))
        saturated, other = np.hypot(a, b), np.hypot(paint[:, 1], paint[:, 2])
        hue = (a - paint[:, 1]) ** 2 + (b - paint[:, 2]) ** 2 - (saturated - other) ** 2
        paler = np.log((saturated + _PAINTS_PALE[0]) / (other + _PAINTS_PALE[0]))
        away = ((light - paint[:, 0]) / _PAINTS_LIGHT) ** 2
        away += (paler / np.where(paler < 0, _PAINTS_PALE[1], _PAINTS_PALE[2])) ** 2
        away += np.maximum(hue, 0.0) / (_PAINTS_HUE[0] + _PAINTS_HUE[1] * np.sqrt(saturated * other)) ** 2
        fits = np.exp(-0.5 * away).sum(axis=1)
        found[:, n] = np.log(fits + _STRANGER) - 1e-3 * np.sqrt(away.min(axis=1)) - _RARE.get(name, 0.0)
    return found


@lru_cache(maxsize=64)
def _looks_of(name: str) -> NDArray[np.float64]:
    """The colours of pieces in CIE L*a*b*, (n, 3)."""
    codes = np.array(_LOOKS[name], np.float32)[None, :, ::-1] / np.float32(255)
    labs: NDArray[np.float64] = np.asarray(cv2.cvtColor(codes, cv2.COLOR_BGR2Lab), np.float64)[0]
    return labs


# Oklab (B. Ottosson, 2020): cone responses from linear sRGB, and the space from their cube roots.
_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def _oklab(labs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Convert CIE L*a*b* colours (n, 3) to Oklab; OpenCV does not convert empty arrays."""
    if not len(labs):
        return np.empty((0, 3))
    linear = np.asarray(cv2.cvtColor(labs[None].astype(np.float32), cv2.COLOR_Lab2LRGB), np.float64)[0]
    result: NDArray[np.float64] = np.cbrt(np.clip(linear, 0, None) @ _CONES.T) @ _OKLAB.T
    return result


def slot_readings(looks: Mapping[str, PieceLook], palette: Palette) -> dict[str, SlotReading]:
    """The mark of every segment: a colour, two colours joined by ``+``, or nothing."""
    every = [colour for look in looks.values() for colour in look.colours]
    shares = iter(palette.all_shares(every))
    twos = _twos(looks, palette)
    return {
        name: _reading(look, twos.get(name, look.two), [next(shares) for _ in look.colours])
        for name, look in looks.items()
    }


def _twos(looks: Mapping[str, PieceLook], palette: Palette) -> dict[str, float]:
    """The probability of two pieces on a segment, given the colours on the table.

    Two halves in two of these colours are evidence for two pieces, but only if pairs are frequent in this
    picture; their frequency is estimated by expectation maximisation.
    """
    names = [name for name, look in looks.items() if len(look.colours) > 1]
    if not names or not palette.colours:
        return {}
    known = list(palette.colours.values())
    halves = [distances([looks[name].colours[n] for name in names], known) for n in (-2, -1)]
    apart = ~_shades(known)[halves[0].argmin(axis=1), halves[1].argmin(axis=1)]
    far = np.maximum(halves[0].min(axis=1), halves[1].min(axis=1))
    minor = np.array([looks[name].minor for name in names])
    fits = apart * np.exp(-np.maximum(far - _KNOWN_HALF, 0) / 3) / (1 + np.exp((_MINOR - minor) / 0.03))
    one, two = (np.array([getattr(looks[name], what) for name in names]) for what in ("one", "two"))
    odds = two / np.maximum(one, 1e-6) * (_SAME_HALVES + _TWO_HALVES * fits)
    pieces = sum(look.one + look.two for look in looks.values())
    usual = _OFTEN
    for _ in range(3):
        shares = odds * usual / _OFTEN / (1 + odds * usual / _OFTEN)
        usual = (float((shares * (one + two)).sum()) + _OFTEN * _AS_MANY) / (pieces + _AS_MANY)
    return dict(zip(names, (shares * (one + two)).tolist(), strict=True))


def _shades(colours: Sequence[Lab]) -> NDArray[np.bool_]:
    """Mask (n, n) of colours that may be the lit and the dark side of one piece."""
    _, a, b = np.array(colours, np.float64).T
    pale = np.hypot(a, b) < 1.5 * _COLOURLESS
    turned = np.degrees(np.arctan2(b, a)[:, None] - np.arctan2(b, a))
    one_hue = np.abs((turned + 180) % 360 - 180) < _ONE_SHADE
    return np.asarray((pale[:, None] & pale) | (~pale[:, None] & ~pale & one_hue), np.bool_)


def _reading(look: PieceLook, two: float, shares: Sequence[Mapping[str, float]]) -> SlotReading:
    if not shares:
        return SlotReading({EMPTY: 1.0}, look.cannot_see)
    one = 1.0 - look.empty - two if len(shares) > 1 else 1.0 - look.empty
    marks = {EMPTY: look.empty} | {name: one * share for name, share in shares[0].items()}
    if len(shares) > 1:
        for half, p in shares[-2].items():
            for other, q in shares[-1].items():
                mark = JOINT.join(sorted((half, other))) if half != other else half
                marks[mark] = marks.get(mark, 0.0) + two * p * q
    ordered = sorted(marks.items(), key=lambda one: -one[1])
    return SlotReading({mark: p for mark, p in ordered if p > 1e-5 or mark == EMPTY}, look.cannot_see)
