"""Drawing the next seating: tables of two to six with the fewest repeated opponents.

Minimises the sum over all pairs at a table of ``(m + 1)**2 - 1``, ``m`` being how often the two have met: a
first meeting costs nothing, a third one more than two second ones. This social-golfer problem is searched by
large neighbourhoods: one person of each table stands up, and SciPy's linear assignment solver seats them in
the cheapest way that there is. No step makes things worse.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
import numpy.typing as npt

from companion.core.messages import m
from companion.table.exc import TableError

_WITHOUT_GAIN = 150  # steps after which a search is at its end
_STEPS_TOGETHER = 2400  # so small evenings are searched from many beginnings, large ones from a few


@dataclass(frozen=True)
class Plan:
    """The people at each table, and those who have no place in this round."""

    tables: list[list[str]]
    byes: list[str]


def sizes(people: int, tables: int, least: int, most: int) -> list[int]:
    """Return table sizes that seat as many people as possible, as evenly and at as few tables as possible.

    >>> sizes(13, 10, 2, 4), sizes(5, 2, 3, 4), sizes(50, 3, 2, 6), sizes(1, 3, 2, 4)
    ([4, 3, 3, 3], [4], [6, 6, 6], [])
    """
    best: list[int] = []
    for count in range(1, tables + 1):
        seated = min(people, count * most)
        if seated < count * least:
            break
        if seated > sum(best):
            best = [seated // count + (at < seated % count) for at in range(count)]
    return best


def seated(
    people: Sequence[str],
    tables: int,
    bounds: tuple[int, int],
    met: Mapping[frozenset[str], int],
    byes: Mapping[str, int],
    seed: int,
) -> Plan:
    """Seat the next round; those with the fewest byes sit out first, ``seed`` makes it repeatable."""
    if find_spec("scipy") is None:
        raise TableError("no-solver", m("seatings need SciPy: install Stationmaster with the extra hub"))
    chance = random.Random(seed)
    shape = sizes(len(people), tables, *bounds)
    order = sorted(people)
    chance.shuffle(order)
    order.sort(key=lambda person: byes.get(person, 0))
    out = len(order) - sum(shape)
    resting, playing = order[:out], order[out:]
    if not playing:
        return Plan([], sorted(resting))
    cost = _costs(playing, met)
    starts = max(3, _STEPS_TOGETHER // (_WITHOUT_GAIN // 10 * len(playing)))
    found = _search(cost, shape, chance)
    for _ in range(starts):
        if _price(cost, found) == 0:
            break
        found = min(found, _search(cost, shape, chance), key=lambda one: _price(cost, one))
    return Plan([sorted(playing[at] for at in table) for table in found], sorted(resting))


def _costs(people: Sequence[str], met: Mapping[frozenset[str], int]) -> npt.NDArray[np.float64]:
    """The cost of seating each two people at one table."""
    number = {person: at for at, person in enumerate(people)}
    found = np.zeros((len(people), len(people)))
    for pair, times in met.items():
        one, other = (number.get(person, -1) for person in pair)
        if one >= 0 and other >= 0:
            found[one, other] = found[other, one] = (times + 1) ** 2 - 1
    return found


def _price(cost: npt.NDArray[np.float64], tables: list[list[int]]) -> float:
    return float(sum(cost[np.ix_(table, table)].sum() for table in tables)) / 2


def _search(cost: npt.NDArray[np.float64], shape: Sequence[int], chance: random.Random) -> list[list[int]]:
    """Large neighbourhood search from one random seating."""
    from scipy.optimize import linear_sum_assignment

    order = list(range(len(cost)))
    chance.shuffle(order)
    noise = np.random.default_rng(chance.getrandbits(32))
    at, tables = 0, []
    for size in shape:
        tables.append(order[at : at + size])
        at += size
    sits = np.zeros((len(cost), len(shape)))
    for table, members in enumerate(tables):
        sits[members, table] = 1
    price, idle = _price(cost, tables), 0
    while price > 0 and idle < _WITHOUT_GAIN and len(shape) > 1:
        up = [chance.randrange(len(members)) for members in tables]
        risen = [members[place] for members, place in zip(tables, up, strict=True)]
        sits[risen, range(len(shape))] = 0
        # A little noise chooses among seatings that cost the same, so that plateaus are walked over.
        wanted = cost[risen] @ sits + noise.random((len(risen), len(shape))) * 1e-6
        _, places = linear_sum_assignment(wanted)
        for person, table in zip(risen, places, strict=True):
            tables[table][up[table]] = person
            sits[person, table] = 1
        after = _price(cost, tables)
        idle = 0 if after < price else idle + 1
        price = after
    return tables
