"""What all benches share: lines as they come, quantiles and clocks, and what second referees say.

:mod:`lab.reading_bench` has what those share that read pictures.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from companion.game.base import Fact

T = TypeVar("T")


def say(line: str) -> None:
    """Print one line of the result at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def at_share(ranked: Sequence[T], share: float) -> T:
    """The value behind this share of the ordered values: a quantile.

    >>> at_share([1, 2, 3, 4], 0.5), at_share([1, 2, 3, 4], 0.99), at_share([7], 1.0)
    (3, 4, 7)
    """
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]


def quantiles_told(ranked: Sequence[float], shares: Sequence[float], digits: int = 1) -> str:
    """Quantiles of ordered milliseconds, as a part of a line.

    >>> quantiles_told([1.0, 2.0, 3.0], (0.5, 0.99))
    '50% 2.0 ms, 99% 3.0 ms'
    """
    return ", ".join(f"{share:.0%} {at_share(ranked, share):.{digits}f} ms" for share in shares)


def fastest(work: Callable[[], object], times: int) -> float:
    """Seconds of the best of several times: the one that the rest of the machine disturbed least."""
    seconds = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def say_refereed(matches: int, events: Sequence[tuple[Fact, Sequence[str]]]) -> int:
    """Print what was seen of refereed matches and the first differences; 1 where there are any."""
    differ = [wrong for _, found in events for wrong in found]
    kinds = ", ".join(
        f"{kind} {count:,}" for kind, count in Counter(fact.kind for fact, _ in events).most_common()
    )
    say(f"{matches:,} matches refereed, {len(differ)} differ ({len(events):,} events: {kinds})")
    for wrong in differ[:3]:
        say(wrong)
    return 1 if differ else 0
