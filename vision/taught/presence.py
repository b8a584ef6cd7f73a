"""Whether a piece lies on a segment: every segment compared with the surely empty ones of its picture.

How far an empty segment differs from its blank depends on the picture: on its light and noise, on gloss, on
how flat the board lies, on the printed colour. A network that sees one segment at a time cannot know that. So
its verdict is judged again (logistic regression) with how unusual the segment's difference from the blank is
among the surely empty ones, most of all those with a print like its own, and with what its group shows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.pieces.trained import TrainedLooks

Floats = NDArray[np.float64]
# Of 1, then of a segment's evidence (see :func:`evidence`), then of its group's mean; found by
# ``python -m lab.taught.training.presence``.
WEIGHTS = np.array([-0.951, 0.304, 0.17, 0.207, 0.066, 0.248, 0.041, -0.092, -0.037])
USUAL_EMPTY = 0.4  # share of empty segments among those that the network was calibrated on
_REFERENCES = 400  # surely empty segments that are compared with, at most
_LEAST_REFERENCES = 5.0  # fewer say nothing
_ALIKE, _OTHERS = 12.0, 0.02  # how near printed colours are alike (CIE L*a*b*), and what the others count
_LIGHTNESS = 0.5  # of a difference beside a* and b*
_LEAST_SPREAD = np.array([1.5, 1.0, 1.0, 0.02])  # of differences: L*, a*, b*, correlation
_MOST, _PLAIN = 8.0, 3.0  # deviations that count, and up to which they count twice
_SUREST = 12.0  # nats


def presence(
    looks: TrainedLooks, seen: NDArray[np.bool_], groups: Sequence[NDArray[np.int64]]
) -> Floats | None:
    """The log-odds (segments,) of a piece by the whole picture; None where that says nothing."""
    found = evidence(looks, seen, groups)
    if found is None:
        return None
    return np.asarray(np.clip(np.column_stack([np.ones(len(found)), found]) @ WEIGHTS, -_SUREST, _SUREST))


def evidence(
    looks: TrainedLooks, seen: NDArray[np.bool_], groups: Sequence[NDArray[np.int64]]
) -> Floats | None:
    """The regressors of every segment, (segments, 8), by which the presence of a piece is decided.

    The network's verdict in nats, how unusual the colour is, the same capped, and how unusually low the
    correlation with the blank is; then the means of all four over the segment's group. None if no segment is
    surely empty.
    """
    odds = looks.shares[:, 1:].sum(axis=1) * USUAL_EMPTY / (1 - USUAL_EMPTY)
    empty = looks.shares[:, 0] / (looks.shares[:, 0] + odds)
    unusual = _unusual(looks, np.where(seen, empty**2, 0.0), groups)
    if unusual is None:
        return None
    nats = np.log(1 - empty + 1e-4) - np.log(empty + 1e-4)
    colour = np.sqrt((np.clip(unusual[:, :3], -_MOST, _MOST) ** 2).sum(axis=1))
    structure = np.clip(unusual[:, 3], -_MOST / 2, _MOST)
    alone = np.column_stack([nats, colour, np.minimum(colour, _PLAIN), structure])
    together = alone.copy()
    for members in groups:
        together[members] = alone[members].mean(axis=0)
    return np.concatenate([alone, together], axis=1)


def _unusual(looks: TrainedLooks, empty: Floats, groups: Sequence[NDArray[np.int64]]) -> Floats | None:
    """How many standard deviations each segment differs from empty segments of other groups."""
    chosen = np.argsort(-empty, kind="stable")[:_REFERENCES]
    if empty[chosen].sum() < _LEAST_REFERENCES:
        return None
    away = looks.print_colours[:, None] - looks.print_colours[chosen][None]
    square = (away**2 * [_LIGHTNESS**2, 1.0, 1.0]).sum(axis=2)
    weights = (np.exp(-square / (2 * _ALIKE**2)) + _OTHERS) * empty[chosen]
    group = np.full(len(empty), -1)
    for number, members in enumerate(groups):
        group[members] = number
    own = (group[:, None] == group[chosen][None]) & (group[:, None] >= 0)
    own |= np.arange(len(empty))[:, None] == chosen[None]
    weights[own] = 0.0
    found = np.empty_like(looks.differences)
    for n, least in enumerate(_LEAST_SPREAD):
        values = looks.differences[:, n]
        usual = _weighted_medians(np.broadcast_to(values[chosen], weights.shape), weights)
        spread = 1.48 * _weighted_medians(np.abs(values[chosen][None] - usual[:, None]), weights)
        found[:, n] = (values - usual) / np.hypot(spread, least)
    return found


def _weighted_medians(values: Floats, weights: Floats) -> Floats:
    """The weighted median of every row."""
    order = np.argsort(values, axis=1)
    rising = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    middle = (rising >= 0.5 * rising[:, -1:]).argmax(axis=1)
    at = np.take_along_axis(order, middle[:, None], axis=1)
    return np.asarray(np.take_along_axis(values, at, axis=1)[:, 0], np.float64)
