"""Names the colours of all pieces in a picture jointly.

A look at one segment is often unsure between neighbours: orange or yellow, black or grey. But the pieces on a
board are of a few paints, each has one name, and hardly ever do two paints that differ have the same. So
pieces are put together by how they look (average linkage), and the paints are named together: by what the
looks say, by how near each paint is to what people call so, and each name once if paints are far apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.pieces.colours import colour_groups, name_scores, weighted
from vision.pieces.trained import COLOURS

_ONE_PAINT = 10.0  # how far apart pieces of one paint look (see :func:`~vision.pieces.colours.weighted`)
_OWN = 0.6  # weight of the photograph's own colours beside the even ones
_FLOOR = 1e-3  # nothing that a look says of a name is surer than this
_TABLE, _FARTHEST = 3.0, 9.0  # how much the usual colours of names count, in nats at most
_WITNESSES, _ALIKE = 6, 0.7  # pieces of a paint that count, and how they add up: they err together
_SAME_NAME, _APART, _MOST_APART = 0.3, 18.0, 4.0  # cost of one name for two paints, by how far they are apart
_SAME_CHOSEN = 3.0  # that cost where people said which colours they have
_POOLED = 0.7  # how much of a piece's name its paint says
# How often people have pieces of a colour; every colour more on the table is a little less likely.
_USUAL = np.log([1, 1, 1, 0.9, 0.9, 0.5, 0.5, 0.4, 0.35, 0.3, 0.25]) - 0.5
_ROUNDS = 6

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Paints:
    """The paints in a picture: the evidence for each name, and the similarity of each pair."""

    says: Floats  # (paints, names), logarithms
    weights: Floats
    same_name: Floats  # (paints, paints): what it costs to call two alike
    usual: Floats  # (names,): what a name more on the table is worth

    def cost(self, names: NDArray[np.int64]) -> float:
        alike = np.triu(names[:, None] == names[None], 1)
        said = self.says[np.arange(len(names)), names].sum()
        return float(self.same_name[alike].sum() - said - self.usual[np.unique(names)].sum())


def named_together(
    shares: Floats, pieces: NDArray[np.bool_], colours: tuple[Floats, Floats], names: Sequence[str] = COLOURS
) -> Floats:
    """The probabilities (segments, marks), nothing first, after the pieces' names were decided jointly.

    ``colours``: those of the segments' centres in even light, and as the camera saw them (CIE L*a*b*).
    ``names`` are those of the marks after nothing: all, or the colours that people said they have.
    """
    places = np.flatnonzero(pieces)
    if not len(places):
        return shares
    even, own = (one[places] for one in colours)
    looks = np.concatenate([weighted(even), _OWN * weighted(own)], axis=1)
    groups = colour_groups(looks, _ONE_PAINT)
    named = np.log(shares[places, 1:] + _FLOOR)
    named -= np.log(np.exp(named).sum(axis=1, keepdims=True))
    paints = _paints(groups, named, looks, (even, own), names)
    result = shares.copy()
    for group, name, weight in zip(groups, _names(paints), paints.weights, strict=True):
        pooled = named[group]
        pooled[:, name] += _POOLED * weight
        likely = np.exp(pooled - pooled.max(axis=1, keepdims=True))
        of_pieces = shares[places[group], 1:].sum(axis=1, keepdims=True)
        result[places[group], 1:] = of_pieces * likely / likely.sum(axis=1, keepdims=True)
    return result


def _paints(
    groups: list[list[int]],
    named: Floats,
    looks: Floats,
    colours: tuple[Floats, Floats],
    names: Sequence[str],
) -> _Paints:
    weights = np.array([min(len(group), _WITNESSES) for group in groups]) ** _ALIKE
    usual = [
        name_scores(np.array([np.median(one[group], axis=0) for group in groups]), names) for one in colours
    ]
    fits = np.asarray(np.mean(usual, axis=0), np.float64)
    fits = _TABLE * np.maximum(fits - fits.max(axis=1, keepdims=True), -_FARTHEST)
    says = weights[:, None] * np.array([named[group].mean(axis=0) for group in groups]) + fits
    middles = np.array([np.median(looks[group], axis=0) for group in groups])
    apart = ((middles[:, None] - middles[None]) ** 2).sum(axis=2) / _APART**2
    lesser = np.minimum(weights[:, None], weights[None])
    is_chosen = len(names) < len(COLOURS)
    same_name = (_SAME_CHOSEN if is_chosen else _SAME_NAME) * np.minimum(apart, _MOST_APART) * lesser
    return _Paints(says, weights, same_name, np.zeros(len(names)) if is_chosen else _USUAL)


def _names(paints: _Paints) -> NDArray[np.int64]:
    """The cheapest names by local search: from everybody's favourites, changing one or exchanging two."""
    names = np.asarray(paints.says.argmax(axis=1), np.int64)
    least = paints.cost(names)
    for _ in range(_ROUNDS):
        before = least
        for paint in range(len(names)):
            for other in _changed(names, paint, paints.says.shape[1]):
                cost = paints.cost(other)
                if cost < least - 1e-9:
                    names, least = other, cost
        if least == before:
            break
    return names


def _changed(names: NDArray[np.int64], paint: int, count: int) -> list[NDArray[np.int64]]:
    """Yield names with one paint's replaced, or exchanged with that of an earlier paint."""
    found = []
    for name in range(count):
        found.append(names.copy())
        found[-1][paint] = name
    for other in range(paint):
        found.append(names.copy())
        found[-1][[paint, other]] = names[[other, paint]]
    return found
