"""What systemd hears of the service."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from companion.service.system.addresses import Address
from companion.service.system.supervision import Watchdog, answers, tell_systemd, watchdog_period


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.settimeout(10)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield ear


def test_without_systemd_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert tell_systemd("READY=1") is False
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/at/all")
    assert tell_systemd("READY=1") is False


def test_a_supervisor_that_no_longer_reads_does_not_keep_the_service_from_stopping(
    heard: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.service.system.supervision._HEARD_WITHIN", 0.01)
    told = [tell_systemd("WATCHDOG=1") for _ in range(300)][-1]
    assert told is False


def test_a_service_that_does_not_answer_is_silent(heard: socket.socket) -> None:
    alive = [True]
    watchdog = Watchdog(lambda: alive[0], 1.0, threading.Event())
    assert watchdog.look()
    assert heard.recv(100) == b"WATCHDOG=1"
    alive[0] = False
    assert not watchdog.look()
    heard.setblocking(False)
    with pytest.raises(BlockingIOError):
        heard.recv(100)


@pytest.mark.parametrize(
    ("wanted", "process", "period"),
    [
        ("", "", None),
        ("0", "", None),
        ("nonsense", "", None),
        ("180000000", "", 60.0),
        ("3000000", "1", None),
    ],
)
def test_only_a_process_that_is_watched_says_that_it_is_alive(
    monkeypatch: pytest.MonkeyPatch, wanted: str, process: str, period: float | None
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", wanted)
    monkeypatch.setenv("WATCHDOG_PID", process)
    assert watchdog_period() == period


def test_systemd_names_the_process_that_it_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "3000000")
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
    assert watchdog_period() == 1.0


class Page(BaseHTTPRequestHandler):
    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(("status", "well"), [(200, True), (500, False)])
def test_alive_is_a_page_that_is_answered(status: int, well: bool) -> None:
    class Answer(Page):
        pass

    Answer.status = status
    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        assert answers(Address("0.0.0.0", server.server_address[1])) is well
        thread.join()
        port = server.server_address[1]
    assert answers(Address("127.0.0.1", port)) is False
