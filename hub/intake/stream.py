"""Batches via NATS JetStream: replicated before the box gets its answer, then stored.

Every hub process publishes what its boxes send to one replicated stream of the club, under a message id made
from the records, so that JetStream itself drops what comes twice. Every process also takes batches out of it,
by one durable consumer that all share, checks the signature again (whoever can write to the stream is no box)
and stores them. So PostgreSQL may be away for a while, any hub may be killed at any moment, and boxes do not
notice. A batch that comes before the one it continues waits its turn.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from companion.club.messages import Batch, Receipt
from companion.core.jsontext import json_of
from companion.table.exc import TableError
from hub.house import HubHouse
from hub.intake.api import BATCHES, known_boxes, take_space
from hub.intake.batch_queue import answer_from_memory, is_known
from hub.intake.storing import RefusedError
from hub.storage.database import AwayError

log = logging.getLogger(__name__)

DAY = 86_400.0
_CONSUMER = "ledger"
# Seconds in which JetStream itself drops a message that comes twice. A few tries of a box, no more: a batch
# that was given up, because one before it did not come, must be taken when its box sends it again.
DOUBLES = 5.0
PATIENCE = 5.0  # seconds for the stream to take a batch
TOGETHER = 32  # batches that one process has in hand
_AGAIN = 1.0  # seconds after which a batch that could not be stored is tried again
_WAITS_FOR_ITS_TURN = 0.2
_LOOKS_EVERY = 2.0  # seconds between two looks whether the stream and its consumer are still there
_TURNS = 25  # tries of a batch whose predecessor does not come; its box sends that again, and this one, too


class ClubStream:
    """One process's connection to the stream. It is opened in a thread of its own, and opened again."""

    def __init__(self, servers: str, house: HubHouse, stopping: threading.Event) -> None:
        if find_spec("nats") is None:
            raise TableError(
                "no-nats", "a stream needs nats-py, an extra of the hub: in a checkout, make hub"
            )
        self._servers = [one.strip() for one in servers.split(",") if one.strip()]
        self._house = house
        self._stopping = stopping
        self._subject = f"club.{house.club.id}.batches"
        self._name = f"CLUB-{house.club.id}"
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="stream", daemon=True)
        self._jetstream: Any = None
        self._trouble = ""  # what was logged last
        self.ready = False
        self.taken = 0  # batches stored by this process

    def start(self) -> None:
        """Connect, and begin to take batches out."""
        self._thread.start()

    def join(self) -> None:
        """Wait until the thread has ended, which it does once the hub is stopping."""
        self._thread.join()

    def inbox(self, box: str, signed: str, body: bytes) -> Receipt:
        """Check a batch, put it into the stream, and answer; it is stored a moment later."""
        house = self._house
        batch = house.ledger.checked(box, signed, body, known=known_boxes(house))
        house.limiter.take("batch", f"box {box}", BATCHES)
        house.hear(box, batch.untold)
        if not is_known(house.state, box, batch):
            take_space(house, box, batch)
            message = {"Nats-Msg-Id": message_id(box, batch), "Box": box, "Signature": signed}
            self._publish(body, message)
        # Heads of what was just taken are provisional: the box asks again whether they hold.
        return answer_from_memory(house.ledger, house.state, box, batch, settled=not batch.records)

    def _publish(self, body: bytes, headers: dict[str, str]) -> None:
        if self._jetstream is None:
            raise AwayError("no-stream", "the hub's stream does not answer")
        request = self._jetstream.publish(self._subject, body, timeout=PATIENCE, headers=headers)
        try:
            asyncio.run_coroutine_threadsafe(request, self._loop).result(2 * PATIENCE)
        except Exception as problem:
            raise AwayError("no-stream", f"the hub's stream does not answer: {problem!r}") from problem

    # The thread

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._live())
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    async def _live(self) -> None:
        while not self._stopping.is_set():
            try:
                await self._connected()
            except Exception as problem:  # noqa: BLE001 - whatever the library says: wait, and connect anew
                self._tell(stream_trouble(problem))
            self._jetstream = None
            await asyncio.sleep(0 if self._stopping.is_set() else _AGAIN)

    def _tell(self, trouble: str) -> None:
        """Log what is wrong with the stream, once; empty: nothing any more."""
        if trouble != self._trouble:
            log.warning("%s", trouble or "The stream is there again")
        self._trouble = trouble

    async def _connected(self) -> None:
        import nats

        connection = await nats.connect(
            self._servers,
            connect_timeout=2,
            max_reconnect_attempts=-1,
            reconnect_time_wait=0.5,
            error_cb=_ignored,
        )
        try:
            jetstream = connection.jetstream(timeout=PATIENCE)
            pull = await self._prepared(jetstream)
            self._jetstream, self.ready = jetstream, True
            self._tell("")
            seen = self._loop.time()
            while not self._stopping.is_set():
                if self._loop.time() >= seen + _LOOKS_EVERY:
                    pull = await self._made_again(jetstream, pull)
                    seen = self._loop.time()
                await self._some(pull)
        finally:
            await connection.close()

    async def _made_again(self, jetstream: Any, pull: Any) -> Any:
        """The consumer; a new one where it, or the whole stream, has gone: boxes send again what was lost."""
        from nats.js.errors import NotFoundError

        try:
            await jetstream.consumer_info(self._name, _CONSUMER)
        except NotFoundError:
            log.warning("The stream or its consumer is gone, and is made again")
            return await self._prepared(jetstream)
        return pull

    async def _prepared(self, jetstream: Any) -> Any:
        """The stream and its one durable consumer; whoever starts first makes them."""
        from nats.js.api import AckPolicy, ConsumerConfig, StreamConfig
        from nats.js.errors import NotFoundError

        try:
            await jetstream.stream_info(self._name)
        except NotFoundError:
            await jetstream.add_stream(
                StreamConfig(
                    name=self._name,
                    subjects=[self._subject],
                    num_replicas=min(3, len(self._servers)),
                    duplicate_window=DOUBLES,
                    max_age=7 * DAY,
                )
            )
        consumer = ConsumerConfig(ack_policy=AckPolicy.EXPLICIT, ack_wait=15, max_ack_pending=8 * TOGETHER)
        return await jetstream.pull_subscribe(self._subject, _CONSUMER, stream=self._name, config=consumer)

    async def _some(self, pull: Any) -> None:
        """Take the next batches out, in their order."""
        from nats.errors import TimeoutError as NothingThere

        try:
            messages = await pull.fetch(TOGETHER, timeout=1)
        except (TimeoutError, NothingThere):
            return
        answers = await self._loop.run_in_executor(None, self._stored, messages)
        for message, (done, wait) in zip(messages, answers, strict=True):
            await (message.ack() if done else message.nak(delay=wait))

    def _stored(self, messages: Sequence[Any]) -> list[tuple[bool, float]]:
        """Store batches; of each whether that is done, else after how many seconds it is to come again."""
        answers = dict.fromkeys(range(len(messages)), (True, 0.0))
        checked: dict[int, tuple[str, Batch]] = {}
        for at, message in enumerate(messages):
            box = (message.headers or {}).get("Box", "")
            try:
                checked[at] = box, self._checked(box, message)
            except RefusedError as problem:
                log.warning("A batch in the stream does not count: %s", problem.message)
            except AwayError as problem:
                log.warning("A batch waits for the database: %s", problem.message)
                answers[at] = False, _AGAIN
            except Exception:  # a message that breaks the check is no batch, and keeps nobody waiting
                log.exception("A message in the stream cannot be read")
        try:
            receipts = self._house.ledger.take_all(list(checked.values()))
        except AwayError as problem:
            log.warning("%s batches wait for the database: %s", len(checked), problem.message)
            return list((answers | dict.fromkeys(checked, (False, _AGAIN))).values())
        self._house.news.set()
        for at, receipt in zip(checked, receipts, strict=True):
            if isinstance(receipt, RefusedError):
                log.warning("A batch in the stream does not count: %s", receipt.message)
                continue
            self.taken += 1
            tries = messages[at].metadata.num_delivered or 1
            answers[at] = (not has_gap(checked[at][1], receipt)) or tries > _TURNS, _WAITS_FOR_ITS_TURN
        return list(answers.values())

    def _checked(self, box: str, message: Any) -> Batch:
        """What comes out of the stream is checked as if it came from anywhere."""
        signed = (message.headers or {}).get("Signature", "")
        return self._house.ledger.checked(box, signed, message.data, known=known_boxes(self._house))


def stream_trouble(problem: Exception) -> str:
    """What is wrong with a stream, as a sentence with what to do about it."""
    from nats.errors import AuthorizationError, Error, NoServersError
    from nats.js.errors import ServiceUnavailableError

    if isinstance(problem, ServiceUnavailableError):
        return "the NATS server runs without JetStream: put jetstream { } into its configuration"
    if isinstance(problem, AuthorizationError) or "authorization" in str(problem).casefold():
        return "the NATS server refuses the name or password"
    if isinstance(problem, OSError | TimeoutError | NoServersError):
        return "the NATS server cannot be reached: is it running, and does it listen at that address?"
    return f"the stream does not answer: {problem if isinstance(problem, Error) else repr(problem)}"


async def _ignored(problem: Exception) -> None:
    log.info("The stream: %r", problem)


def message_id(box: str, batch: Batch) -> str:
    """Return an id that is the same for the same records of a box, in whatever batch they are sent.

    A table's state that came later is another message: nobody should miss that a match is over.
    """
    records = [(one.match, one.seq, one.hash) for one in batch.records]
    told = json_of([box, records, batch.number if not records else 0])
    return hashlib.sha256(told).hexdigest()


def has_gap(batch: Batch, receipt: Receipt) -> bool:
    """Return True if a record was not stored because an earlier one of its match is still missing."""
    return any(
        one.seq > receipt.heads[one.match].seq and one.match not in receipt.faults for one in batch.records
    )
