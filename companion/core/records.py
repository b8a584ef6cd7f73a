"""Immutable records, such as the states of a match: a changed one is a copy."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


def replaced(record: S, **changes: Any) -> S:
    """A copy of the record with some fields changed.

    >>> class Train(msgspec.Struct, frozen=True):
    ...     at: str
    ...     speed: int = 1
    >>> replaced(Train("topeka"), speed=2)
    Train(at='topeka', speed=2)
    """
    return msgspec.structs.replace(record, **changes)
