"""The queue of batches: those that arrive during a transaction are stored together in the next.

A transaction costs a few exchanges with the server and a write to the disk, whether it stores one batch or
fifty. So requests put their batches into a queue, take turns, and whose turn it is stores the whole queue.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from companion.club.messages import Batch, Head, Receipt
from hub.intake.ledger import Ledger
from hub.state import HubState

MOST_TOGETHER = 64


@dataclass(eq=False)
class _Waiting:
    box: str
    batch: Batch
    answer: Receipt | Exception | None = None


class BatchQueue:
    """One queue of batches for a ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._queue: list[_Waiting] = []
        self._lock = threading.Lock()
        self._turn = threading.Lock()

    def take(self, box: str, batch: Batch) -> Receipt:
        """Store a checked batch together with all that wait."""
        mine = _Waiting(box, batch)
        with self._lock:
            self._queue.append(mine)
        while mine.answer is None:
            with self._turn:
                if mine.answer is None:
                    self._store(self._next())
        if isinstance(mine.answer, Exception):
            raise mine.answer
        return mine.answer

    def _next(self) -> list[_Waiting]:
        with self._lock:
            found, self._queue = self._queue[:MOST_TOGETHER], self._queue[MOST_TOGETHER:]
        return found

    def _store(self, group: list[_Waiting]) -> None:
        try:
            answers = self._ledger.take_all([(one.box, one.batch) for one in group])
        except Exception as problem:  # noqa: BLE001 - every one of them is told, in its own thread
            for one in group:
                one.answer = problem
            return
        for one, answer in zip(group, answers, strict=True):
            one.answer = answer


def is_known(hub_state: HubState, box: str, batch: Batch) -> bool:
    """True if all that a batch says about its table is shown already, so nothing has to be stored."""
    here, state = hub_state.boxes[box], batch.table
    if batch.records or batch.help != here.help or (state is not None and state.match != here.match):
        return False
    shown = hub_state.playing(here)
    return state is None or (
        shown is not None
        and shown.state is not None
        and state.seq <= shown.state.seq
        and (state.view is None or state.seq <= shown.view_seq)
    )


def answer_from_memory(
    ledger: Ledger, hub_state: HubState, box: str, batch: Batch, *, settled: bool = True
) -> Receipt:
    """The answer to a batch that is not stored now; of what is asked the database says how far it is."""
    asked = ledger.heads(box, batch.asks) if batch.asks else {}
    sent = {one.match: Head(one.seq, one.hash) for one in batch.records}
    here, state = hub_state.boxes[box], batch.table
    shown = hub_state.matches.get((box, state.match)) if state is not None else None
    wanted = shown is not None and state is not None and state.finished and shown.view_seq < state.seq
    return Receipt(
        ledger.club.name,
        here.number,
        batch.number,
        asked | sent,
        hub_state.faults_of(box),
        wanted or ledger.is_watched(box),
        ledger.seating(here.number),
        ledger.opened(batch.sealed),
        messages=True,
        wants=ledger.wanted(box),
        settled=settled,
    )
