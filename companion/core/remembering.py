"""Remembering what was computed, within bounds, also where strangers choose what it is computed from."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

LONGEST = 1000  # letters of a text that is remembered; names, notations and sentences are shorter


def remembered(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """An LRU cache for functions of short texts: a longer text is answered and forgotten at once.

    A bound on entries alone would not do: four thousand texts of a request's full length are gigabytes.

    >>> @remembered(100)
    ... def shouted(words: str) -> list[str]:
    ...     return [words.upper()]
    >>> shouted("all aboard") is shouted("all aboard"), shouted("a" * 1001) is shouted("a" * 1001)
    (True, False)
    """

    def decorated(function: Callable[P, T]) -> Callable[P, T]:
        kept = lru_cache(maxsize=most)(function)

        @wraps(function)
        def asked(*given: P.args, **named: P.kwargs) -> T:
            for one in (*given, *named.values()):
                if isinstance(one, str | bytes) and len(one) > LONGEST:
                    return function(*given, **named)
            return kept(*given, **named)  # type: ignore[arg-type]

        return asked

    return decorated
