"""The server among rude neighbours: silent sockets, slow headers, bodies that are too large."""

from __future__ import annotations

import json
import logging
import os
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from http.client import HTTPConnection

import pytest
from waitress.task import ThreadedTaskDispatcher

from companion.service.photos.turns import BUSY, OTHERS_WAITING, Turns
from companion.service.service import Service
from companion.table.exc import TableError
from tests.serving import Serving
from tests.web.houses import begin
from web.app import create_app
from web.server import FairServer, _Dispatcher, begin_log

CONNECTIONS = 40
PATIENCE = 20.0


@contextmanager
def served(house: Service) -> Iterator[FairServer]:
    serving = Serving(create_app(house), threads=4, connections=CONNECTIONS)
    try:
        yield serving.server
    finally:
        serving.stop()


def asked(server: FairServer, path: str = "/api/v1/me", address: str = "127.0.0.1") -> int:
    connection = HTTPConnection(
        "127.0.0.1", server.effective_port, timeout=PATIENCE, source_address=(address, 0)
    )
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "], ids=["silent", "slow"])
def test_sockets_that_do_nothing_keep_nobody_out(house: Service, said: bytes) -> None:
    with served(house) as server, ExitStack() as rude:
        for _ in range(CONNECTIONS + 20):
            one = rude.enter_context(socket.create_connection(("127.0.0.1", server.effective_port)))
            if said:
                one.sendall(said)
        assert [asked(server) for _ in range(5)] == [200] * 5


def test_the_address_that_holds_the_most_makes_room(house: Service) -> None:
    """A phone keeps its connection while a stranger's idle ones are closed."""
    with served(house) as server, ExitStack() as rude:
        phone = HTTPConnection(
            "127.0.0.1", server.effective_port, timeout=PATIENCE, source_address=("127.0.0.2", 0)
        )
        rude.callback(phone.close)
        phone.request("GET", "/api/v1/me")
        assert phone.getresponse().read()
        kept = phone.sock
        for _ in range(CONNECTIONS + 20):
            rude.enter_context(socket.create_connection(("127.0.0.1", server.effective_port)))
        assert asked(server, address="127.0.0.3") == 200
        phone.request("GET", "/api/v1/me")
        assert phone.getresponse().status == 200
        assert phone.sock is kept, "the same connection"


def test_bodies_that_never_end_fill_no_disk(house: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """They cost whoever sends the most of them; what a phone sends meanwhile arrives."""
    monkeypatch.setattr("web.server.MOST_HELD", 8_000_000)
    monkeypatch.setattr("web.server._LOOKS_AGAIN", 100_000)
    head = "POST /setup/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n\r\n"
    with served(house) as server, ExitStack() as rude:
        connect = partial(socket.create_connection, ("127.0.0.1", server.effective_port), PATIENCE)
        phone = rude.enter_context(connect(source_address=("127.0.0.2", 0)))
        phone.sendall(head.format(2_000_000).encode() + bytes(1_900_000))
        for _ in range(12):
            one = rude.enter_context(connect())
            with suppress(OSError):  # it was one too many
                one.sendall(head.format(2_000_001).encode() + bytes(2_000_000))
        held = [channel.held for channel in list(server.active_channels.values()) if not channel.will_close]
        assert sum(held) <= 8_000_000 + 2_000_000
        phone.sendall(bytes(100_000))
        assert phone.recv(12).startswith(b"HTTP/1.1 4")


def test_an_upload_that_is_too_large_hears_so(house: Service) -> None:
    with served(house) as server:
        connection = HTTPConnection("127.0.0.1", server.effective_port, timeout=PATIENCE)
        connection.request("POST", "/api/v1/scores/photos", bytes(26 * 2**20), {"Content-Type": "image/jpeg"})
        answer = connection.getresponse()
        assert answer.status == 413
        assert json.loads(answer.read())["error"]["code"] == "too-large"
        connection.request("GET", "/api/v1/me")
        assert connection.getresponse().status == 200
        connection.close()


def test_a_page_that_polls_keeps_its_connection(house: Service) -> None:
    begin(house, "", "")
    with served(house) as server:
        phone = HTTPConnection("127.0.0.1", server.effective_port, timeout=PATIENCE)
        phone.request("GET", "/api/v1/matches/current")
        answer = phone.getresponse()
        tag, kept = answer.headers["ETag"], phone.sock
        assert answer.read()
        for _ in range(3):
            phone.request("GET", "/api/v1/matches/current", headers={"If-None-Match": tag})
            answer = phone.getresponse()
            assert (answer.status, answer.read()) == (304, b"")
            assert phone.sock is kept, "the same connection"
        phone.request("GET", "/api/v1/me", headers={"Connection": "close"})
        assert phone.getresponse().headers["Connection"] == "close"
        phone.close()


# --- turns at the reader ---


def test_those_who_play_come_before_everybody_else() -> None:
    turns, served_in_order = Turns(), []
    first, go_on = threading.Event(), threading.Event()

    def read(name: str, plays: bool) -> None:
        with turns.turn(plays=plays):
            served_in_order.append(name)
            if name == "first":
                first.set()
                assert go_on.wait(PATIENCE)

    threads = [threading.Thread(target=read, args=("first", False))]
    threads[0].start()
    assert first.wait(PATIENCE)
    for number in range(OTHERS_WAITING):
        threads.append(threading.Thread(target=read, args=(f"stranger {number}", False)))
    threads.append(threading.Thread(target=read, args=("player", True)))
    for expected, thread in enumerate(threads[1:], start=1):
        thread.start()
        until_waiting(turns, expected)
    with pytest.raises(TableError) as refused, turns.turn(plays=False):
        pass
    assert refused.value.code == BUSY
    go_on.set()
    for thread in threads:
        thread.join()
    assert served_in_order == ["first", "player", *(f"stranger {n}" for n in range(OTHERS_WAITING))]


def until_waiting(turns: Turns, count: int) -> None:
    pause = threading.Event()
    for _ in range(int(PATIENCE * 100)):
        if turns.waiting() == count:
            return
        pause.wait(0.01)
    raise AssertionError(f"not {count} waiting")


def test_whoever_breaks_off_gives_the_turn_back() -> None:
    turns = Turns()
    with pytest.raises(ValueError, match="broken"), turns.turn(plays=True):
        raise ValueError("broken")
    with turns.turn(plays=False):
        assert turns.waiting() == 0


def test_what_was_asked_in_the_last_moment_is_let_go_without_a_word(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("waitress", "waitress.queue"):
        monkeypatch.setattr(logging.getLogger(name), "filters", [])
    begin_log()
    let_go = []

    class Asked:
        def cancel(self) -> None:
            let_go.append(self)

    late = ThreadedTaskDispatcher()
    late.add_task(Asked())
    late.shutdown()
    assert len(let_go) == 1
    assert not caplog.records
    late.logger.warning("%d thread(s) still running", 1)  # other news is told
    assert len(caplog.records) == 1


def test_headers_without_end_are_refused(house: Service) -> None:
    with served(house) as server:
        for size, status in ((20_000, 200), (100_000, 431)):
            connection = HTTPConnection("127.0.0.1", server.effective_port, timeout=PATIENCE)
            connection.request("GET", "/api/v1/me", headers={"Cookie": f"other={'x' * size}"})
            assert connection.getresponse().status == status
            connection.close()


@pytest.mark.parametrize("version", ["1.0", "1.1"])
@pytest.mark.parametrize("first", ["Content-Length", "transfer-encoding"])
def test_a_request_with_two_lengths_is_refused_whole(house: Service, version: str, first: str) -> None:
    lengths = {"Content-Length": "6", "transfer-encoding": "chunked"}
    order = [first, *(name for name in lengths if name != first)]
    text = "".join(f"{name}: {lengths[name]}\r\n" for name in order)
    hidden = "0\r\n\r\nGET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with served(house) as server, socket.create_connection(("127.0.0.1", server.effective_port)) as line:
        line.settimeout(PATIENCE)
        line.sendall(f"POST /api/v1/host HTTP/{version}\r\nHost: localhost\r\n{text}\r\n{hidden}".encode())
        said = b""
        while part := line.recv(65536):
            said += part
    assert re.match(rb"HTTP/1\.\d 400 ", said)
    assert said.count(b"HTTP/1") == 1, "what stands behind it is no request"


class Noted:
    """A task that notes on which thread it was done."""

    def __init__(self) -> None:
        self.done, self.thread = threading.Event(), 0

    def service(self) -> None:
        self.thread = threading.get_ident()
        self.done.set()

    def cancel(self) -> None:
        raise AssertionError("it is done before the end")


def test_requests_one_after_the_other_are_not_handed_round_all_threads() -> None:
    """Each would keep memory of its own: a hundred threads are for a hundred streams."""
    dispatcher = _Dispatcher()
    dispatcher.set_thread_count(20)
    used = set()
    try:
        for _ in range(100):
            task = Noted()
            dispatcher.add_task(task)
            assert task.done.wait(10)
            used.add(task.thread)
            while dispatcher.active_count:  # its thread is not yet back among those that wait
                os.sched_yield()
    finally:
        dispatcher.shutdown()
    assert len(used) < 10
