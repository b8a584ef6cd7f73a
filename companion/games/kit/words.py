"""Words for sentences."""

from __future__ import annotations

from collections.abc import Iterable


def listed(words: Iterable[str], last: str = "and") -> str:
    """An enumeration, with ``last`` before the last of several words.

    >>> listed(["East"]), listed(["East", "North", "South"]), listed(["a1", "b2"], "or")
    ('East', 'East, North and South', 'a1 or b2')
    """
    found = list(words)
    return f"{', '.join(found[:-1])} {last} {found[-1]}" if len(found) > 1 else "".join(found)
