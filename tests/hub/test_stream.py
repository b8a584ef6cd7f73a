"""A hub on JetStream and PostgreSQL, with real servers: nothing is lost or doubled when they are killed."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.club.hub_client import HubError
from companion.club.keys import new_key, public_key, signature
from companion.club.messages import Batch, batch_text
from companion.club.outbox import Outbox
from companion.service.service import Service
from companion.table.events import canonical
from hub.intake.ledger import chain_fault, stored_records
from hub.storage.database import AwayError
from hub.storage.migrations import opened_database
from lab.club.engines import Nats, Postgres, running
from tests.hub.houses import Night, Streaming, needs_signing, until
from tests.hub.test_outbox import the_box
from tests.web.houses import begin, play_rounds

pytestmark = needs_signing
_NUMBERS = count(1)


@pytest.fixture
def address(postgres: Postgres) -> str:
    return postgres.database(f"s{next(_NUMBERS)}")


@pytest.fixture
def streaming(address: str, nats: Nats) -> Iterator[Streaming]:
    made = Streaming(address, nats)
    yield made
    made.stop()


@pytest.fixture
def box(streaming: Streaming, house: Service, monkeypatch: pytest.MonkeyPatch) -> Outbox:
    return streaming.joined(house, streaming.wire(), monkeypatch)


def delivered(streaming: Streaming, outbox: Outbox) -> None:
    """Send until the hub has confirmed everything."""

    def all_there() -> bool:
        streaming.house.state.refresh()
        try:
            outbox.send()
        except HubError as problem:
            outbox._note_trouble(problem)
            return False
        return not outbox.waiting and not outbox.unsettled

    until(all_there)


def assert_whole(streaming: Streaming, outbox: Outbox, house: Service, match: str) -> None:
    played = house.table.match(match)
    assert played is not None
    with streaming.database.reading() as look:
        stored = stored_records(look, the_box(outbox), match)
    assert [one.seq for one in stored] == list(range(1, played.version + 1))
    assert chain_fault(stored) is None


def test_batches_go_through_the_stream_and_are_stored_once(
    streaming: Streaming, box: Outbox, house: Service
) -> None:
    match = begin(house)
    play_rounds(house, 2)
    delivered(streaming, box)
    assert_whole(streaming, box, house, match)
    assert streaming.stream.taken > 0


def test_what_comes_twice_is_one_message(streaming: Streaming, box: Outbox, house: Service) -> None:
    match = begin(house)
    play_rounds(house, 1)
    delivered(streaming, box)
    box._note_trouble(HubError(0, "hub-away", "started anew"))
    delivered(streaming, box)
    assert_whole(streaming, box, house, match)


def test_a_batch_that_was_given_up_is_taken_when_it_is_sent_again(
    streaming: Streaming, box: Outbox, house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One before it was in the hands of a hub that was killed, and comes only after it was given up."""
    monkeypatch.setattr("hub.intake.stream._TURNS", 2)
    monkeypatch.setattr("hub.intake.stream._WAITS_FOR_ITS_TURN", 0.05)
    match = begin(house)
    delivered(streaming, box)
    publish, held = streaming.stream._publish, []
    monkeypatch.setattr(streaming.stream, "_publish", lambda *message: held.append(message))
    play_rounds(house, 1)
    box.send()
    monkeypatch.setattr(streaming.stream, "_publish", publish)
    play_rounds(house, 1)
    taken = streaming.stream.taken
    box.send()
    until(lambda: streaming.stream.taken > taken + 2)
    for message in held:
        publish(*message)
    delivered(streaming, box)
    assert_whole(streaming, box, house, match)


def test_the_database_may_be_away_while_people_play(
    streaming: Streaming, box: Outbox, house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(house)
    delivered(streaming, box)
    take_all, away, tried = streaming.house.ledger.take_all, threading.Event(), threading.Event()
    away.set()

    def taking(batches: Sequence[tuple[str, Batch]]) -> object:
        if away.is_set():
            tried.set()
            raise AwayError("hub-storage", "the hub's database does not answer")
        return take_all(batches)

    monkeypatch.setattr(streaming.house.ledger, "take_all", taking)
    play_rounds(house, 1)
    while box.send():
        pass
    assert box.waiting == 0  # the stream has it, and that is enough
    assert tried.wait(30)
    assert streaming.rows("SELECT seq FROM matches") == [(1,)]
    away.clear()
    delivered(streaming, box)
    assert_whole(streaming, box, house, match)


def test_two_hubs_serve_one_club(
    streaming: Streaming, box: Outbox, house: Service, address: str, nats: Nats
) -> None:
    other = Streaming(address, nats)
    match = begin(house)
    for number in range(4):
        play_rounds(house, 1)
        box._client = (streaming, other)[number % 2].wire()
        delivered(streaming, box)
    other.stop()
    assert_whole(streaming, box, house, match)


def test_whoever_writes_into_the_stream_is_no_box(streaming: Streaming, box: Outbox, house: Service) -> None:
    match = begin(house)
    delivered(streaming, box)
    key = new_key()
    body = canonical(Batch(streaming.house.club.id, 99))
    text = batch_text(streaming.house.club.id, body)
    told = {"Box": public_key(key), "Signature": signature(key, text), "Nats-Msg-Id": "forged"}
    streaming.stream._publish(body, told)
    streaming.stream._publish(
        b"nonsense", {"Box": the_box(box), "Signature": "00", "Nats-Msg-Id": "forged 2"}
    )
    play_rounds(house, 1)
    delivered(streaming, box)
    assert_whole(streaming, box, house, match)


def called(streaming: Streaming, wish: Any) -> None:
    """Do something with JetStream by the hub's own connection."""
    asyncio.run_coroutine_threadsafe(wish, streaming.stream._loop).result(20)


@pytest.mark.parametrize("gone", ["consumer", "stream"])
def test_what_disappears_is_noticed_and_made_again(
    streaming: Streaming, box: Outbox, house: Service, gone: str
) -> None:
    """Somebody deletes it, or it was on a disk that was replaced."""
    match = begin(house)
    play_rounds(house, 1)
    delivered(streaming, box)
    stream, jetstream = streaming.stream, streaming.stream._jetstream
    if gone == "consumer":
        called(streaming, jetstream.delete_consumer(stream._name, "ledger"))
    else:
        called(streaming, jetstream.delete_stream(stream._name))
    play_rounds(house, 1)
    delivered(streaming, box)
    assert_whole(streaming, box, house, match)


def test_a_server_that_comes_back_empty_gets_everything_again(
    address: str, house: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Nats(tmp_path / "own")
    with running(server):
        server.wait()
        streaming = Streaming(address, server)
        outbox = streaming.joined(house, streaming.wire(), monkeypatch)
        match = begin(house)
        delivered(streaming, outbox)
        server.kill()
        shutil.rmtree(tmp_path / "own" / "store")
        server.start()
        server.wait()
        play_rounds(house, 1)
        delivered(streaming, outbox)
        assert_whole(streaming, outbox, house, match)
        streaming.stop()


def test_a_message_that_nobody_can_read_keeps_nobody_waiting(
    streaming: Streaming, box: Outbox, house: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(house)
    delivered(streaming, box)
    checked = streaming.stream._checked

    def breaking(name: str, message: Any) -> Batch:
        if message.data == b"poison":
            raise RecursionError("too deep")
        return checked(name, message)

    monkeypatch.setattr(streaming.stream, "_checked", breaking)
    streaming.stream._publish(b"poison", {"Box": the_box(box), "Nats-Msg-Id": "poison"})
    play_rounds(house, 1)
    delivered(streaming, box)
    assert_whole(streaming, box, house, match)


def test_a_killed_stream_server_loses_nothing(
    address: str, house: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nats: Nats
) -> None:
    server = Nats(tmp_path / "own")
    with running(server):
        server.wait()
        streaming = Streaming(address, server)
        outbox = streaming.joined(house, streaming.wire(), monkeypatch)
        match = begin(house)
        for _ in range(3):
            play_rounds(house, 1)
            while outbox.send():
                pass
            server.kill()
            server.start()
            server.wait()
            delivered(streaming, outbox)
        streaming.stop()
        with pytest.raises(AssertionError):
            assert_whole(streaming, outbox, house, "m99")
    reopened = Night(opened_database(address, Path()))
    with reopened.database.reading() as look:
        stored = stored_records(look, the_box(outbox), match)
    assert house.table.current is not None
    assert len(stored) == house.table.current.version
    assert chain_fault(stored) is None
    reopened.database.close()
