"""What plays boards on: machine code where numba is installed, else many boards in step, in NumPy.

Compiling takes a minute the first time on a machine, so that is done beside everything else
(:func:`prepare`), and until then NumPy does it. Machine code is some seven times faster.
"""

from __future__ import annotations

import logging
import os
from abc import ABC, abstractmethod
from functools import cache
from importlib.util import find_spec
from threading import Event, Thread

import numpy as np

from companion.games.railroad_ink.bot.tables import (
    BODY,
    HEAD,
    LOCKSTEP_BODY,
    MOST_ROUNDS,
    Array,
    start,
    tables_of,
)
from companion.games.railroad_ink.rules.rulebook import EDITION

# An environment variable: "1" where a minute of processor is too much, as for the hundred boxes of the tests.
AT_ONCE = 128  # boards that are played on in step: their arrays stay in the processor's cache
NOT_COMPILED = "STATIONMASTER_BOTS_NOT_COMPILED"
GREEDY = np.zeros(MOST_ROUNDS, np.int64)  # one route after the other in every round
log = logging.getLogger(__name__)


class Engine(ABC):
    """Boards are arrays of heads and of bodies, rounds count from 0, dice are numbers: see ``tables.py``."""

    body: np.dtype[np.void] = BODY
    most_playouts = 10**6  # for one turn: more would make people wait
    cut = 2  # of so many candidates one is played on: few boards in step cost as much as many

    @abstractmethod
    def begin(self, head: Array, body: Array, dice: int, table: Array) -> None:
        """Put the dice of a round on the table of one board."""

    @abstractmethod
    def draw(self, head: Array, body: Array, move: int, table: Array) -> None:
        """Draw a move on one board."""

    @abstractmethod
    def promise(self, head: Array, number: int, table: Array) -> float:
        """What one board is worth in a round by the table's weights."""

    @abstractmethod
    def complete(
        self, head: Array, body: Array, width: int, keep: int, number: int, table: Array
    ) -> tuple[Array, Array]:
        """The complete turns of one board that promise most, found by a beam; the best one first."""

    def play_outs(
        self, heads: Array, bodies: Array, widths: Array, rolls: Array, first: int, table: Array
    ) -> Array:
        """Play the rest of the match from every board, on the same dice: points ``[board, roll]``.

        ``widths`` are those of the beam by which turns are found, by round; 0: one route after the other.
        """
        return self.matches(heads, bodies, widths, rolls, first, table)[1]

    @abstractmethod
    def matches(
        self, heads: Array, bodies: Array, widths: Array, rolls: Array, first: int, table: Array
    ) -> tuple[Array, Array]:
        """The same, with the heads of the boards at the end of each match."""


class MachineCode(Engine):
    """The kernels, compiled by numba."""

    def __init__(self) -> None:
        from companion.games.railroad_ink.bot import kernels, turn_kernels, worth_kernels

        self.kernels, self.worth, self.turns = kernels, worth_kernels, turn_kernels

    def begin(self, head: Array, body: Array, dice: int, table: Array) -> None:
        self.turns.begin_round(head[0], body[0], dice, table[0])

    def draw(self, head: Array, body: Array, move: int, table: Array) -> None:
        self.kernels.draw(head[0], body[0], move, table[0])

    def promise(self, head: Array, number: int, table: Array) -> float:
        return float(self.worth.promise(head[0], number, table[0]))

    def complete(
        self, head: Array, body: Array, width: int, keep: int, number: int, table: Array
    ) -> tuple[Array, Array]:
        room = 60 * max(width, keep) + 2
        heads, bodies = np.empty(room, head.dtype), np.empty(room, body.dtype)
        heads[0], bodies[0] = head[0], body[0]
        found = self.turns.beam(heads, bodies, width, keep, number, table[0])
        return heads[:found].copy(), bodies[:found].copy()

    def matches(
        self, heads: Array, bodies: Array, widths: Array, rolls: Array, first: int, table: Array
    ) -> tuple[Array, Array]:
        points = np.zeros((len(heads), len(rolls)))
        finals = np.empty(points.shape, heads.dtype)
        self.turns.play_outs(heads, bodies, widths, rolls, first, table, finals, points)
        return finals, points


class Lockstep(Engine):
    """Many boards at once, in NumPy; playouts draw one route after the other in every round."""

    body = LOCKSTEP_BODY
    most_playouts = 300
    cut = 4

    def __init__(self) -> None:
        from companion.games.railroad_ink.bot import lockstep, lockstep_turns, lockstep_worth

        self.boards, self.turns, self.worth = lockstep, lockstep_turns, lockstep_worth

    def begin(self, head: Array, body: Array, dice: int, table: Array) -> None:
        heads, bodies = self.boards.fields_of(head), self.boards.fields_of(body)
        self.turns.begin_round(heads, bodies, np.array([dice]), table[0])
        body[:] = self.boards.records_of(bodies, LOCKSTEP_BODY)

    def draw(self, head: Array, body: Array, move: int, table: Array) -> None:
        heads, bodies = self.boards.fields_of(head), self.boards.fields_of(body)
        moves, first = np.array([move]), np.array([0])
        drawn = self.boards.Drawn(heads, bodies, first, moves, table[0])
        heads, bodies = self.boards.settled(drawn, first, moves, heads)
        head[:], body[:] = self.boards.records_of(heads, HEAD), self.boards.records_of(bodies, LOCKSTEP_BODY)

    def promise(self, head: Array, number: int, table: Array) -> float:
        return float(self.worth.promises(self.boards.fields_of(head), number, table[0])[0])

    def complete(
        self, head: Array, body: Array, width: int, keep: int, number: int, table: Array
    ) -> tuple[Array, Array]:
        heads, bodies = self.boards.fields_of(head), self.boards.fields_of(body)
        heads, bodies = self.turns.beam(heads, bodies, width, keep, number, table[0])
        return self.boards.records_of(heads, HEAD), self.boards.records_of(bodies, LOCKSTEP_BODY)

    def matches(
        self, heads: Array, bodies: Array, widths: Array, rolls: Array, first: int, table: Array
    ) -> tuple[Array, Array]:
        points = np.zeros(len(heads) * len(rolls))
        finals = np.empty(len(points), heads.dtype)
        for since in range(0, len(points), AT_ONCE):
            some = np.arange(since, min(since + AT_ONCE, len(points)))
            head = self.boards.fields_of(heads[some // len(rolls)])
            body = self.boards.fields_of(bodies[some // len(rolls)])
            points[some] = self.turns.play_on(head, body, rolls[some % len(rolls)], first, table[0])
            finals[some] = self.boards.records_of(head, HEAD)
        return finals.reshape(len(heads), -1), points.reshape(len(heads), -1)


def warmed_up(engine: Engine) -> Engine:
    """Play a little with an engine, so that everything in it is compiled."""
    head, body = start()
    table = tables_of(EDITION["classic"])
    rolls = np.array([[0b1001] * 7])
    engine.begin(head, body, 0b1001, table)
    heads, bodies = engine.complete(head, body, 2, 2, 5, table)
    engine.play_outs(heads, bodies, GREEDY, rolls, 6, table)
    return engine


_known = Event()  # whether there is machine code
_compiled: list[Engine] = []


def _compile() -> None:
    try:
        _compiled.append(warmed_up(MachineCode()))
    except Exception:  # numba that does not suit this NumPy, a folder that cannot be written, no memory
        log.exception("The bot's machine code cannot be used here: it plays without.")
    _known.set()


@cache
def _begin_to_compile() -> None:
    if find_spec("numba") is None or os.environ.get(NOT_COMPILED) == "1":
        _known.set()
    else:
        Thread(target=_compile, name="bot-kernels", daemon=True).start()


def prepare(*, wait: bool = False) -> None:
    """Begin to compile beside everything else, if that was not done yet; ``wait`` until it is done."""
    _begin_to_compile()
    if wait:
        _known.wait()


@cache
def _lockstep() -> Engine:
    return Lockstep()


def engine() -> Engine:
    """Machine code, if it is there by now; else NumPy."""
    return _compiled[0] if _compiled else _lockstep()
