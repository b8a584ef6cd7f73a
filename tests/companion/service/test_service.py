"""The service as a process: it says where it is, serves, and stops cleanly."""

from __future__ import annotations

import json
import platform
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.system.addresses import Address, own_names
from companion.table.backup import backup
from companion.table.events import Actor
from companion.table.store import Store
from companion.table.table import Accepted, Table


@contextmanager
def served(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """``stationmaster serve`` on a port of its own, and its address on this machine."""
    command = [sys.executable, "-m", "companion", "serve", "--json", "--port", "0", "--host", "127.0.0.1"]
    process = subprocess.Popen(
        [*command, "--folder", str(folder), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.stderr.read() if process.stderr else ""
        yield process, json.loads(line)["links"][0]
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_and_stops_cleanly_with_streams_open(tmp_path: Path, number: signal.Signals) -> None:
    with served(tmp_path, "--demo") as (process, link):
        with urllib.request.urlopen(link, timeout=10) as page:
            assert page.status == 200
            assert "Server" not in page.headers
        stream = urllib.request.urlopen(f"{link}api/v1/stream", timeout=10)
        assert stream.readline() == b"retry: 2000\n"
        process.send_signal(number)
        _, complaints = process.communicate(timeout=8)
        stream.close()
        assert process.returncode == 0, complaints
        assert complaints == ""
    assert not any(tmp_path.iterdir()), "a demonstration keeps nothing in the table's folder"


def test_a_phone_sets_a_new_box_up_and_has_it_start_again(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("[panel\n")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])

    def asked(path: str, body: object = None) -> Any:
        request = urllib.request.Request(
            f"{link}api/v1{path}",
            None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with phone.open(request, timeout=10) as answer:
            return json.load(answer)

    phone = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with served(tmp_path, "--port", port) as (process, link):
        assert asked("/setup")["state"] == "open"
        asked("/setup", {"pin": "481206", "name": "The attic"})
        assert any("settings.toml" in note for note in asked("/host")["notes"]), "it starts all the same"
        asked("/host/settings", {"settings": {"roller": {"virtual": False}}})
        asked("/host/restart", {})
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["pin"] is None
        assert asked("/host/settings")["restart"] is False, "the phone is still the host's"
        assert process.poll() is None
    assert "virtual = false" in (tmp_path / "settings.toml").read_text()
    assert (tmp_path / "settings-before.toml").exists()


def test_a_backup_is_brought_back_onto_a_new_box_by_its_first_phone(tmp_path: Path) -> None:
    with Store(tmp_path / "old") as store:
        match = Table(store, GAMES).submit(
            Action("start", data={"game": next(iter(GAMES)), "players": ["", ""]}), Actor("host")
        )
        assert isinstance(match, Accepted)
        store.put_setting("room", "kept")
        content = backup(store, tmp_path / "backup.zip").read_bytes()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    with served(tmp_path / "new", "--port", port) as (process, link):
        kind = {"Content-Type": "application/zip"}
        request = urllib.request.Request(f"{link}api/v1/setup/upload", content, kind)
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert "comes back" in json.load(answer)["message"]
        assert process.stdout is not None
        assert process.stdout.readline(), "it starts again"
        with urllib.request.urlopen(f"{link}api/v1/matches", timeout=10) as answer:
            assert [one["match"] for one in json.load(answer)] == [match.event.match]


def test_a_forgotten_pin_is_set_anew_with_a_file(tmp_path: Path) -> None:
    with served(tmp_path) as (_, link), urllib.request.urlopen(f"{link}api/v1/setup", timeout=10) as answer:
        assert json.load(answer)["state"] == "open"
    with Store(tmp_path) as store:
        store.put_setting("setup", "done")
    for expected in ("done", "open"):
        with (
            served(tmp_path) as (_, link),
            urllib.request.urlopen(f"{link}api/v1/setup", timeout=10) as answer,
        ):
            assert json.load(answer)["state"] == expected
        (tmp_path / "forget-pin").touch()


def test_bots_play_the_game_that_was_asked_for(tmp_path: Path) -> None:
    with served(tmp_path, "--demo", "--game", "derailed") as (_, link):
        for _ in range(100):
            with urllib.request.urlopen(f"{link}api/v1/matches", timeout=10) as answer:
                matches = json.load(answer)
            if matches:
                break
            time.sleep(0.05)
        assert [match["game"] for match in matches] == ["derailed"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--demo", "--game", "chess"], "there is no game 'chess'"),
        (["--game", "derailed"], "--game says what the bots of --demo play"),
    ],
)
def test_a_game_that_cannot_be_shown_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], sentence: str
) -> None:
    assert main(["serve", "--folder", str(tmp_path), "--port", "0", *options]) == 2
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1
    assert sentence in complaint


def test_two_services_never_work_in_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(tmp_path):
        assert main(["serve", "--folder", str(tmp_path), "--port", "0"]) == 2
    assert "another Stationmaster works in" in capsys.readouterr().err


def test_a_port_in_use_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", "--folder", str(tmp_path), "--host", "127.0.0.1", "--port", port]) == 2
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1
    assert f"port {port} is in use" in complaint


def test_an_unknown_address_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--folder", str(tmp_path), "--port", "0", "--host", "nowhere.invalid"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("port", ["99999", "-1", "http", "9" * 5000, "²"])
def test_an_impossible_port_is_one_sentence(capsys: pytest.CaptureFixture[str], port: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["serve", "--port", port])
    assert stopped.value.code == 2
    assert "choose a number from 0 to 65535" in capsys.readouterr().err


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has to be told")
def test_memory_is_given_back() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from companion.service.system.memory import give_memory_back as give; print(give())",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "True\n"


REQUESTS = """
import collections, weakref
from companion.service.system.memory import begin_collecting
lasting = [[number] for number in range(300_000)]
begin_collecting()
class Request: pass
handled, alive, most = collections.deque(maxlen=8000), weakref.WeakSet(), 0
for _ in range(50_000):
    one = Request()
    one.itself = one
    handled.append(one)
    alive.add(one)
    most = max(most, len(alive))
print(most)
"""


def test_what_requests_leave_behind_is_collected_soon() -> None:
    """Of requests that refer to themselves, 8,000 of them at once; without the measures it is 46,500."""
    done = subprocess.run([sys.executable, "-c", REQUESTS], capture_output=True, text=True, check=True)
    assert 8_000 < int(done.stdout) < 30_000


def test_the_link_for_phones_has_an_address_not_a_name() -> None:
    assert Address("192.168.1.20", 8080).links == ["http://192.168.1.20:8080/"]
    assert Address("fd00::20", 80).links == ["http://[fd00::20]:80/"]
    assert Address("0.0.0.0", 8080).links[-1] == "http://localhost:8080/"
    assert {"localhost", "table.lan"} < own_names("Table.LAN")
