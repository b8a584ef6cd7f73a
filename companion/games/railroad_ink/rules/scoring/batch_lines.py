"""Very many positions at once, lines of JSON in and out: what ``stationmaster score`` uses where numba is."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from companion.core.errors import NotationError
from companion.core.jsontext import LONGEST_TEXT
from companion.game.base import LineScorer
from companion.games.railroad_ink.rules.boards.position import LONGEST
from companion.games.railroad_ink.rules.boards.routes import TYPES, VOCABULARY, Route, parse_route, shape_of
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS
from companion.games.railroad_ink.rules.rulebook import (
    EDITION,
    EDITIONS,
    EXITS,
    GRID,
    SPECIAL_SHAPES,
    SPECIALS_A_MATCH,
    UNIVERSITY_CIRCLES,
)
from companion.games.railroad_ink.rules.scoring.batch import Column, rules_of
from companion.games.railroad_ink.rules.scoring.network import CLOCKWISE

if TYPE_CHECKING:
    from companion.games.railroad_ink.rules.scoring.kernels import Work
    from companion.games.railroad_ink.rules.scoring.line_kernels import Tables

_SLOTS = 8192  # of the hash table of routes, more than twice as many as there are spellings
_log = logging.getLogger(__name__)


def line_scorer() -> LineScorer | None:
    """:func:`score_lines`, ready to be called, or None where numba is missing or cannot work."""
    if find_spec("numba") is None:
        return None
    try:
        _tables()
    # A numba that does not suit this NumPy; no place that can be written, where compiled code could be kept.
    except (ImportError, RuntimeError) as problem:
        _log.warning("numba does not work here, so boards are scored one by one: %s", problem)
        return None
    return score_lines


def score_lines(lines: bytes) -> bytes:
    """For each line the line that answers it, or an empty one where the ordinary reader has to look at it."""
    from companion.games.railroad_ink.rules.scoring import kernels, line_kernels

    text = np.frombuffer(lines + bytes(line_kernels.PADDING), np.uint8)
    starts = np.concatenate([[0], np.flatnonzero(text == ord("\n")) + 1])
    if starts[-1] < len(lines):  # the last line of a file may go without
        starts = np.append(starts, len(lines))
    count = len(starts) - 1
    boards, orders = (np.zeros((count, GRID.size), np.uint8) for _ in range(2))
    facts = np.zeros((count, line_kernels.FACTS), np.int64)
    line_kernels.read_lines(text, starts, _tables(), boards, orders, facts)
    scores = np.zeros((count, line_kernels.NETWORKS + len(EXITS)), np.int64)
    facts[np.diff(starts) >= LONGEST_TEXT, line_kernels.READ] = 0
    read = facts[:, line_kernels.READ] == 1
    for number, edition in enumerate(EDITIONS):
        for reading in range(len(LONGEST)):
            asked = (facts[:, line_kernels.EDITION] == number) & (facts[:, line_kernels.LONGEST] == reading)
            some = np.flatnonzero(asked & read)
            if len(some):
                found = np.zeros((len(some), scores.shape[1]), np.int64)
                rules, work = rules_of(EDITION[edition], NO_WALLS, "error"), _work(reading)
                kernels.score_boards(boards[some], rules, work, found)
                scores[some] = found
    out = np.empty(len(text) + line_kernels.MOST_ANSWERED * count, np.uint8)
    size = line_kernels.write_lines(text, _tables(), facts, orders, scores, out)
    return out[:size].tobytes()


@lru_cache(maxsize=8)
def _work(reading: int) -> Work:
    """Room for one board at a time."""
    from companion.games.railroad_ink.rules.scoring import kernels

    return kernels.packed(kernels.Work(reading=reading))


def spellings() -> dict[str, Route]:
    """Every way to write a route that :func:`parse_route` takes: its characters in another order."""
    found: dict[str, Route] = {}
    for route in VOCABULARY:
        for text in {"".join(characters) for characters in permutations(route.text)}:
            with suppress(NotationError):  # what would be another piece, or none
                found[text] = parse_route(text)
    return found


@cache
def _tables() -> Tables:
    from companion.games.railroad_ink.rules.scoring import line_kernels
    from companion.games.railroad_ink.rules.scoring.kernels import packed

    slots, routes = np.zeros(_SLOTS, np.int64), np.zeros(_SLOTS, np.int64)
    for text, route in spellings().items():
        key = int.from_bytes(text.encode(), "big")
        slot = line_kernels.route_slot(key, _SLOTS - 1)
        while slots[slot]:
            slot = (slot + 1) % _SLOTS
        slots[slot], routes[slot] = key, route.number + 1
    against = np.zeros((len(TYPES), GRID.size), np.int64)
    for exit in EXITS:
        against[1 - exit.type, exit.cell] |= 1 << exit.direction
    numbers = {exit.cell: number for number, exit in enumerate(EXITS)}
    clockwise = sorted(range(len(EXITS)), key=lambda number: CLOCKWISE[EXITS[number].cell])
    tables = line_kernels.Tables(
        keys=_words(line_kernels.KEYS),
        editions=_words(EDITIONS),
        readings=_words(LONGEST),
        points=_words(["points"]),
        labels=_words([f'"{label}":' for label in line_kernels.LABELS]),
        slots=slots,
        routes=routes,
        ends=np.array([[0, *(route.ends[kind] for route in VOCABULARY)] for kind in TYPES], np.int64),
        specials=np.array([0, *map(_special_number, VOCABULARY)], np.int64),
        universities=np.array(
            [[cell in EDITION[name].university for cell in range(GRID.size)] for name in EDITIONS], np.int64
        ),
        limits=np.array([SPECIALS_A_MATCH, UNIVERSITY_CIRCLES], np.int64),
        against=against,
        exit_cells=np.array([exit.cell for exit in EXITS], np.int64),
        exits_at=np.array([numbers.get(cell, -1) for cell in range(GRID.size)], np.int64),
        clockwise=np.array(clockwise, np.int64),
    )
    return packed(tables)


def _special_number(route: Route) -> int:
    """Which of the special routes it is, from 1; none of them is 0."""
    shape = shape_of(route)
    return SPECIAL_SHAPES.index(shape) + 1 if shape in SPECIAL_SHAPES else 0


def _words(words: Sequence[str]) -> Column:
    """A row of bytes for each word, the first of which says how many there are."""
    rows = np.zeros((len(words), 1 + max(map(len, words))), np.int64)
    for row, word in zip(rows, words, strict=True):
        row[: 1 + len(word)] = [len(word), *word.encode()]
    return rows
