"""Decides which end of a bare table is the start: rule both ways round and keep the likelier.

Without a mat nothing in a picture names the starting column. What is known does: the companies of both
columns, and the cards that lay there before. With two companies, or mirrored columns of four or six, the
stations look the same from both ends; then the cards decide, and where they could lie either way, nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import lgamma, log
from typing import TypeAlias

from companion.core.messages import m
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.readings import (
    CardReading,
    Columns,
    PlaceReading,
    seen_from_the_other_end,
)
from companion.games.derailed.reader.ruling import AreaRuling
from companion.reading.evidence import EMPTY

_C = CONSTANTS.facing

Faced: TypeAlias = tuple[CardReading, AreaRuling]
EITHER_WAY = m(
    "the table looks the same from both ends, and its cards could lie either way "
    "round: mark its corners in the picture, beginning beside the first lane's "
    "start, or play on the mat"
)


@dataclass(frozen=True)
class EndsContext:
    """What is known of a table before the picture: the companies of both columns, and the uppermost cards.

    ``columns``: without destinations if these were shuffled since. ``unlikely``: nats by which this is less
    probable than the alternative.
    """

    columns: Columns
    cells: Mapping[str, str] = field(default_factory=dict)
    unlikely: float = 0.0


def likeliest_ends(sheet: CardReading, possible: Sequence[EndsContext]) -> EndsContext:
    """The known ends that fit the reading best, in either orientation if the reading does not tell which."""
    ways = [sheet, seen_from_the_other_end(sheet)] if sheet.either_way else [sheet]
    return max(possible, key=lambda known: max(fit_of(way, known) for way in ways) - known.unlikely)


def ruled_facing(
    sheet: CardReading, known: EndsContext | None, rule: Callable[[CardReading], AreaRuling]
) -> Faced:
    """Choose the more probable orientation of a reading, and rule on it.

    Where nothing is known, and no cards tell, a table stays as it was read.
    """
    if not sheet.either_way:
        return sheet, rule(sheet)
    ways = [sheet, seen_from_the_other_end(sheet)]
    if known is None:
        # If nothing is known, turn the table only if fewer cards are then cut off from the starts
        stays, turned = [(way, rule(way)) for way in ways]
        legal = turned[1].outcome != "refused"
        return turned if legal and turned[1].cost < stays[1].cost - _C.likelier / 2 else stays
    (fit, first), (less, second) = sorted(
        ((fit_of(way, known), way) for way in ways), key=lambda one: -one[0]
    )
    if fit - less > _C.clear:
        return first, rule(first)
    return _likelier((first, rule(first)), (second, rule(second)), fit - less)


def _likelier(first: Faced, second: Faced, gap: float) -> Faced:
    """The orientation that the rules make more probable; ``gap``: nats by which the first fits better.

    If neither is clearly more probable, the reading is refused, unless nothing is new.
    """
    legal = [one for one in (first, second) if one[1].outcome != "refused"]
    if len(legal) == 2:
        apart = gap + second[1].cost - first[1].cost
        best = first if apart >= 0 else second
        nothing_new = not (first[1].changed or second[1].changed)
        return best if abs(apart) > _C.likelier or nothing_new else _undecided(best)
    if not legal:
        return first
    (only,) = legal
    sure = (only is first and gap > 1) or len(only[1].changed) <= _C.few
    return only if sure else _undecided(only)


def _undecided(one: Faced) -> Faced:
    return one[0], AreaRuling.refused_outright(EITHER_WAY, one[1].cells)


def fit_of(sheet: CardReading, known: EndsContext) -> float:
    """The log-likelihood of what is known: the stations and the cards that lay there before."""
    starts, destinations = known.columns
    fit = 0.0
    if not destinations:  # any order of the companies, which is read for what it is
        destinations = sheet.columns[1]
        fit -= lgamma(len(destinations) + 1)
    for places, letters in zip((sheet.starts, sheet.destinations), (starts, destinations), strict=True):
        fit += sum(
            _log(place, letter, log(_C.station_floor)) for place, letter in zip(places, letters, strict=True)
        )
    return fit + sum(
        _log(place, known.cells.get(name, EMPTY), log(_C.cell_floor)) for name, place in sheet.cells.items()
    )


def _log(place: PlaceReading, mark: str, floor: float) -> float:
    """Log P(mark) in a place, or 0 where nothing can be seen."""
    if place.cannot_see is not None:
        return 0.0
    return max(log(max(place.probabilities.get(mark, 0.0), 1e-12)), floor)
