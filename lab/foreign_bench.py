"""What every reader says of foreign and damaged pictures: a clear answer in time, and nothing made up."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any

from companion.games.kit.evidence import PhotoReading
from lab.foreign import BOARDLESS, foreign_picture
from lab.reading_tables import tell
from vision.errors import PictureError

_OTHERS_TURN = 5  # every so many pictures are of another game
_TOLD = 20  # of what went wrong
_AT_ONCE = 50  # pictures that a process is given


@dataclass(frozen=True)
class Strangers:
    """What is shown to a reader: good photographs to damage, of its own game and of others.

    ``nothing_in`` are the kinds of damage in which nothing may be found; ``slowest`` is in seconds.
    """

    read: Callable[[bytes], PhotoReading[Any]]
    own: Sequence[bytes]
    others: Sequence[bytes]
    nothing_in: Collection[str] = BOARDLESS
    slowest: float = 8.0


def fuzz(strangers: Strangers, pictures: int, workers: int, first: int = 0) -> None:
    """Show so many pictures from the ``first``, and tell which had no clear answer.

    Ten thousand can be read in slices.
    """
    numbers = range(first, first + pictures)
    with ProcessPoolExecutor(workers, get_context("fork")) as pool:
        said = pool.map(partial(fault_of, strangers), numbers, chunksize=_AT_ONCE)
        faults = [fault for fault in said if fault]
    tell(f"\n{pictures} foreign pictures from number {first}, {len(faults)} without a clear answer")
    for fault in faults[:_TOLD]:
        tell(fault)


def fault_of(strangers: Strangers, number: int) -> str | None:
    """What is wrong with the answer to a picture; nothing when it is clear."""
    strange = bool(strangers.others) and number % _OTHERS_TURN == 0
    name, data = foreign_picture(number, strangers.others if strange else strangers.own)
    started = time.perf_counter()
    try:
        reading = strangers.read(data)
    except PictureError:
        return None
    except Exception as error:  # noqa: BLE001 - whatever a reader fails with is what is looked for
        return f"{number} ({name}): {error!r}"
    took = time.perf_counter() - started
    if reading.sheets and (strange or name in strangers.nothing_in):
        return f"{number} ({name}): invented {len(reading.sheets)} sheets"
    if not reading.sheets and not reading.notes:
        return f"{number} ({name}): nothing said"
    return f"{number} ({name}): {took:.1f} s" if took > strangers.slowest else None
