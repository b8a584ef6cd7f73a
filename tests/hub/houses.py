"""A hub for tests, and boxes that send to it through its application, without a network."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.club.desk import ClubDesk
from companion.club.hub_client import HubClient, HubError
from companion.club.keys import can_sign
from companion.club.outbox import Outbox
from companion.core.jsontext import json_of
from companion.game.registry import GAMES
from companion.service.service import Service
from hub.app import create_app, made_house
from hub.house import HubHouse
from hub.intake.ledger import CODE
from hub.intake.stream import ClubStream
from hub.storage.database import Database, Transaction, setting
from hub.storage.migrations import opened_database
from lab.club.engines import Nats
from web.live.club_night import table_state

needs_signing = pytest.mark.skipif(
    not can_sign(),
    reason="PyNaCl (the extra club) is not installed",
)


class Wire(HubClient):
    """A hub reached through its test client; ``down`` pulls the cable, ``lost`` loses answers."""

    def __init__(self, client: FlaskClient, settled: Callable[[], None] = lambda: None) -> None:
        super().__init__("http://hub")
        self._flask = client
        self._settled = settled
        self.down = False
        self.lost = False
        self.sent: list[tuple[bytes, dict[str, str]]] = []

    def post(self, path: str, body: bytes, headers: dict[str, str] | None = None) -> bytes:
        """As over a network."""
        if self.down:
            raise HubError(0, "hub-away", "the club's hub cannot be reached")
        self.sent.append((body, headers or {}))
        answer = self._flask.post(
            path, data=body, headers={"Content-Type": "application/json", **(headers or {})}
        )
        self._settled()
        if self.lost:
            raise HubError(0, "hub-away", "the club's hub cannot be reached")
        if answer.status_code >= 300:
            error = answer.json["error"] if answer.json else {"code": "strange", "message": "strange"}
            raise HubError(answer.status_code, error["code"], error["message"])
        return answer.get_data()


class Night:
    """A hub on a database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.stopping = threading.Event()
        self.house: HubHouse = made_house(database, self.stopping, name="The Roundhouse")
        self.app: Flask = create_app(self.house)

    @property
    def client(self) -> FlaskClient:
        """Somebody's browser."""
        return self.app.test_client()

    @property
    def code(self) -> str:
        """The code for pairing boxes."""
        with self.database.reading() as look:
            return setting(look, CODE) or ""

    def wire(self) -> Wire:
        """A connection to it."""
        return Wire(self.client)

    def joined(self, box: Service, wire: Wire, monkeypatch: pytest.MonkeyPatch) -> Outbox:
        """The outbox of a box that has just been paired; its thread is not started."""
        monkeypatch.setattr("companion.club.desk.HubClient", lambda _: wire)
        outbox = Outbox(box.store, box.table, GAMES, table_state, threading.Event(), connect=lambda _: wire)
        ClubDesk(box.store, outbox).pair("http://hub", self.code, "Table by the window")
        return outbox

    def stop(self) -> None:
        """Let everything go."""
        self.stopping.set()
        self.database.close()

    def rows(self, question: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the database says."""
        with self.database.reading() as look:
            found: list[tuple[Any, ...]] = look.rows(question, values)
            return found


class Streaming(Night):
    """A hub whose inbox is a stream."""

    def __init__(self, address: str, nats: Nats) -> None:
        super().__init__(opened_database(address, Path()))
        self.stream = ClubStream(nats.address, self.house, self.stopping)
        self.house.inbox = self.stream.inbox
        self.stream.start()
        until(lambda: self.stream.ready)

    def stop(self) -> None:
        """See :class:`Night`."""
        self.stopping.set()
        self.stream.join()
        self.database.close()


class Settling(Streaming):
    """One of which tests can ask right after each batch what has come of it."""

    def wire(self) -> Wire:
        """A connection whose answers come when the stream is empty."""
        return Wire(self.client, self._settled)

    def _settled(self) -> None:
        stream = self.stream

        async def left() -> int:
            told = await stream._jetstream.consumer_info(stream._name, "ledger")
            return int(told.num_pending + told.num_ack_pending)

        until(lambda: asyncio.run_coroutine_threadsafe(left(), stream._loop).result(10) == 0)
        self.house.state.refresh()


def put_box(change: Transaction, box: str, number: int, version: int) -> None:
    """A box that belongs to the club, without having been paired."""
    change.run(
        "INSERT INTO boxes (box, name, number, paired, left_at, batch, seen, help, match, version)"
        " VALUES (?, 'x', ?, '', '', 0, '', '', '', ?)",
        (box, number, version),
    )


def until(holds: Callable[[], bool], within: float = 30.0) -> None:
    """Wait for another process or thread; a deadline, no stop-watch."""
    end, pause = time.monotonic() + within, threading.Event()
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"
        pause.wait(0.02)


def embedded(folder: Path) -> Night:
    """On SQLite."""
    return Night(opened_database("", folder))


def sent_all(outbox: Outbox) -> None:
    """Send until nothing is left."""
    while outbox.send():
        pass


def body_of(told: Any) -> bytes:
    """As JSON."""
    return json_of(told)
