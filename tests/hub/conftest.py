"""Every test of the hub runs on both back ends: SQLite, and a PostgreSQL server that is started for it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from companion.club.outbox import Outbox
from companion.service.service import Service
from hub.storage.database import Database
from hub.storage.migrations import opened_database
from lab.club.engines import Nats, Postgres, nats_program, postgres_programs, running
from tests.hub.houses import Night, Settling, Wire, embedded

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """One server for all tests; each has a database of its own."""
    pytest.importorskip("psycopg", reason="psycopg (the extra postgres of the hub) is not installed")
    if postgres_programs() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    import tempfile

    with tempfile.TemporaryDirectory(prefix="club-postgres-", dir="/tmp") as name:
        server = Postgres(Path(name))
        with running(server):
            server.wait()
            yield server


@pytest.fixture(scope="session")
def nats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nats]:
    """One server with JetStream; every club has a stream of its own."""
    pytest.importorskip("nats", reason="nats-py (the extra nats of the hub) is not installed")
    if nats_program() is None:
        pytest.skip("nats-server is not installed: apt-get install nats-server")
    server = Nats(tmp_path_factory.mktemp("nats"))
    with running(server):
        server.wait()
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest) -> str:
    """Of a new database on PostgreSQL; empty for SQLite, which needs none."""
    if request.param == "sqlite":
        return ""
    server: Postgres = request.getfixturevalue("postgres")
    return server.database(f"t{next(_NUMBERS)}")


@pytest.fixture
def database(address: str, tmp_path: Path) -> Iterator[Database]:
    """A new database of either kind."""
    made = opened_database(address, tmp_path / "hub")
    yield made
    made.close()


@pytest.fixture
def night(database: Database) -> Night:
    """A hub."""
    return Night(database)


@pytest.fixture
def wire(night: Night) -> Wire:
    """A connection to it."""
    return night.wire()


@pytest.fixture
def outbox(night: Night, house: Service, wire: Wire, monkeypatch: pytest.MonkeyPatch) -> Outbox:
    """A box that belongs to its club."""
    return night.joined(house, wire, monkeypatch)


@pytest.fixture(params=["sqlite", "postgresql", "jetstream"])
def anywhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Night]:
    """A hub on SQLite, on PostgreSQL, or on PostgreSQL with batches by way of JetStream."""
    if request.param == "sqlite":
        made = embedded(tmp_path / "hub")
    else:
        server: Postgres = request.getfixturevalue("postgres")
        address = server.database(f"attacked{next(_NUMBERS)}")
        if request.param == "postgresql":
            made = Night(opened_database(address, tmp_path))
        else:
            made = Settling(address, request.getfixturevalue("nats"))
    yield made
    made.stop()
