"""Quantiles of ordered values, for benches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def at_share(ranked: Sequence[T], share: float) -> T:
    """The value behind this share of the ordered values: a quantile.

    >>> at_share([1, 2, 3, 4], 0.5), at_share([1, 2, 3, 4], 0.99), at_share([7], 1.0)
    (3, 4, 7)
    """
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]
