"""State of the reader's process that lasts from call to call.

What was read is kept for a while, so that answering a doubtful slot rules again and reads nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from companion.reading.evidence import PhotoReading
from companion.reading.types import ReadHints
from companion.service.photos.camera_process import DistantCamera
from companion.service.photos.from_above import SheetAbove
from companion.service.photos.match_memory import MatchMemory

if TYPE_CHECKING:
    from companion.service.watching.following import TableFollowing

KEPT_READINGS = 12
_Key: TypeAlias = tuple[str, str, ReadHints]  # the game, the photographs, and what was known about them


@dataclass
class KeptReading:
    """Photographs as they were read, and the sheet that was last cut out of them."""

    reading: PhotoReading[Any]
    above: SheetAbove | None = None
    parts: tuple[KeptReading, ...] = ()  # what it was joined from, each with its photograph


@dataclass
class ReadingCache:
    """A cache of the latest readings, dropping the least recently used."""

    _readings: OrderedDict[_Key, KeptReading] = field(default_factory=OrderedDict)

    def get(self, key: _Key, read: Callable[[], KeptReading]) -> KeptReading:
        """Return the reading cached under this key, or else the result of ``read``."""
        if key not in self._readings:
            self._readings[key] = read()
        self._readings.move_to_end(key)
        while len(self._readings) > KEPT_READINGS:
            self._readings.popitem(last=False)
        return self._readings[key]

    def clear(self) -> None:
        """Clear the cache, because a taught board or deck has changed."""
        self._readings.clear()


@dataclass
class Worker:
    """The camera, the last readings, what the last matches' photographs have settled, a watched table."""

    camera: DistantCamera = field(default_factory=DistantCamera)
    readings: ReadingCache = field(default_factory=ReadingCache)
    memory: MatchMemory = field(default_factory=MatchMemory)
    following: TableFollowing | None = None
