"""Weighs all segments of a picture jointly: colours are few, and routes are taken as a whole.

Single looks are unsure where a piece has the colour of its print. But the pieces in one picture have a few
colours, and on most boards a group of segments (a route) is taken as a whole.
How much each of that holds is learnt from the picture itself, by expectation maximisation, so that a board
whose groups mean something else is not bent into shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Shares = NDArray[np.float64]  # (segments, marks): the first mark is nothing
_ROUNDS = 12
_FLOOR = 2e-4  # nothing that a look says is surer than this
_LOOKED_AT = 0.4  # share of empty segments among those that looks were calibrated on
_FEW = 2.0  # pieces of every colour that are taken for granted before any is seen
_WHOLE, _WEIGHT = 0.8, 4.0  # how often a group is of one mark, and how many groups that guess counts for
_ALIKE = 0.3  # looks of one group err together: each counts for so much


@dataclass(frozen=True, eq=False)
class Weighed:
    """The probabilities of every segment and of every group, and how often groups have one mark."""

    segments: Shares
    groups: Shares
    whole: float


def weighed_together(
    shares: Shares,
    seen: NDArray[np.bool_],
    groups: Sequence[NDArray[np.int64]],
) -> Weighed:
    """Weigh all segments jointly; one not ``seen`` is inferred from its group alone."""
    count, marks = shares.shape
    usual = np.full(marks, (1 - _LOOKED_AT) / (marks - 1))
    usual[0] = _LOOKED_AT
    # Likelihoods: what a look says beyond what is usual.
    likely = np.where(seen[:, None], (shares * (1 - _FLOOR * marks) + _FLOOR) / usual, 1.0)
    lone = np.setdiff1d(np.arange(count), np.concatenate([*groups, np.empty(0, np.int64)]))
    rows = [*groups, *(np.array([one]) for one in lone)]
    mix, whole = usual.copy(), _WHOLE
    result = shares.copy()
    for _ in range(_ROUNDS):
        together = np.zeros(len(rows))
        for n, members in enumerate(rows):
            result[members], together[n] = _group(likely[members], mix, whole)
        total = result[seen].sum(axis=0) + _FEW
        mix = total / total.sum()
        several = np.array([len(members) > 1 for members in rows], bool)
        whole = (together[several].sum() + _WHOLE * _WEIGHT) / (several.sum() + _WEIGHT)
    of_groups = np.array([result[members].mean(axis=0) for members in groups]).reshape(len(groups), marks)
    return Weighed(result, of_groups, float(whole))


def _group(likely: Shares, mix: NDArray[np.float64], whole: float) -> tuple[Shares, float]:
    """The probabilities of a group's segments, and that all of them have the same mark."""
    alone = likely * mix
    apart = alone / alone.sum(axis=1, keepdims=True)
    if len(likely) == 1:
        return apart, 0.0
    one_mark = _ALIKE * np.log(likely).sum(axis=0) + np.log(mix)
    highest = one_mark.max()
    every = np.log(whole) + highest + np.log(np.exp(one_mark - highest).sum())
    each = np.log(max(1 - whole, 1e-6)) + _ALIKE * np.log(alone.sum(axis=1)).sum()
    together = 1 / (1 + np.exp(np.clip(each - every, -50, 50)))
    as_one = np.exp(one_mark - highest)
    return together * as_one / as_one.sum() + (1 - together) * apart, float(together)
