"""A hub for tests, and boxes that send to it through its application, without a network."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.box.club_night import table_state
from companion.box.service import Service
from companion.club.desk import ClubDesk
from companion.club.hub_client import HubClient, HubError
from companion.club.keys import can_sign
from companion.club.outbox import Outbox
from companion.games.registry import GAMES
from hub.app import create_app, made_house
from hub.database import Database, SqliteDatabase, setting
from hub.house import HubHouse
from hub.ledger import CODE

needs_signing = pytest.mark.skipif(
    not can_sign(),
    reason="PyNaCl (the extra club) is not installed",
)


class Wire(HubClient):
    """A hub reached through its test client; ``down`` pulls the cable, ``lost`` loses answers."""

    def __init__(self, client: FlaskClient) -> None:
        super().__init__("http://hub")
        self._flask = client
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

    def rows(self, question: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the database says."""
        with self.database.reading() as look:
            found: list[tuple[Any, ...]] = look.rows(question, values)
            return found


def embedded(folder: Path) -> Night:
    """On SQLite."""
    return Night(SqliteDatabase(folder))


def sent_all(outbox: Outbox) -> None:
    """Send until nothing is left."""
    while outbox.send():
        pass


def body_of(told: Any) -> bytes:
    """As JSON."""
    return msgspec.json.encode(told)
