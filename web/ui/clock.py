"""Times of events as people at this table read them."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def local_time(at: str, zone: str) -> str:
    """A stored time in the box's time zone, in the same form; without a zone in the machine's own.

    >>> local_time("2026-05-01T19:30:05+00:00", "Europe/Berlin")
    '2026-05-01T21:30:05+02:00'
    >>> local_time("soon", "Europe/Berlin")
    'soon'
    """
    try:
        return datetime.fromisoformat(at).astimezone(_zone(zone)).isoformat()
    except (ValueError, OverflowError):
        return at


@lru_cache(maxsize=8)
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return None
