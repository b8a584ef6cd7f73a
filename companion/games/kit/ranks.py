"""Where in a ranking something lies, for those who measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def at_share(ranked: Sequence[T], share: float) -> T:
    """What stands behind this share of a ranking.

    >>> at_share([1, 2, 3, 4], 0.5), at_share([1, 2, 3, 4], 0.99), at_share([7], 1.0)
    (3, 4, 7)
    """
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]
