"""The engines as the document sets them up: each sentence of it is tried, on servers of the tests' own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.cli import main
from companion.table.exc import TableError
from hub.engines import engine_address
from lab.club.engines import Nats, Postgres, Server, free_port, nats_program, postgres_programs, running
from tests.hub.houses import needs_signing

pytestmark = needs_signing
DOCUMENT = (Path(__file__).parents[2] / "docs/club-night.md").read_text(encoding="utf-8")
PASSWORD = "a-long-password"  # of the document's configuration


# --- addresses ---


def test_an_address_comes_from_a_file_or_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "club-stream"
    file.write_text("nats://club:p%40ss@n1.lan:4222\n")
    assert engine_address("stream", f"@{file}", {}) == "nats://club:p%40ss@n1.lan:4222"
    told = {"STATIONMASTER_STREAM": f"@{file}"}
    assert engine_address("stream", "", told) == "nats://club:p%40ss@n1.lan:4222"
    assert engine_address("stream", "nats://n1.lan", told) == "nats://n1.lan"
    assert engine_address("mqtt", "", {}) == ""
    with pytest.raises(TableError, match="cannot be read"):
        engine_address("stream", f"@{tmp_path}/nowhere", {})


@pytest.mark.parametrize(
    ("option", "given"),
    [
        ("database", "postgresql://club:secret@db.lan/club"),
        ("database", "postgresql:///club?password=secret"),
        ("database", "postgresql://club:a/b[?@db.lan/club"),
        ("stream", "nats://n1.lan,nats://club:secret@n2.lan"),
        ("mqtt", "mqtt://name:secret@broker"),
    ],
)
def test_a_password_on_the_command_line_is_refused(
    option: str, given: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["hub", "--folder", str(tmp_path), f"--{option}", given]) == 2
    said = capsys.readouterr().err
    assert "would see the password" in said
    assert "secret" not in said


def test_a_password_that_breaks_the_address_is_not_printed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pytest.importorskip("psycopg", reason="psycopg (the extra postgres of the hub) is not installed")
    file = tmp_path / "club-database"
    file.write_text("postgresql://club:se=cret/ ?@x@db.lan/club")
    assert main(["hub", "--folder", str(tmp_path), "--database", f"@{file}"]) == 2
    said = capsys.readouterr().err
    assert "two hex digits" in said
    assert "cret" not in said


# --- the document's own set-up ---


class Configured(Nats):
    """A NATS server with a configuration file and nothing else."""

    def __init__(self, folder: Path, text: str) -> None:
        super().__init__(folder)
        file = folder / "nats-server.conf"
        file.write_text(text)
        self.command = [self.command[0], "-c", str(file)]


def block(kind: str, containing: str) -> str:
    """The block of the document with this in it."""
    found: list[str] = re.findall(rf"^```{kind}\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    return next(text for text in found if containing in text)


@contextmanager
def documented_nats(folder: Path) -> Iterator[Nats]:
    """The configuration word by word, but for the port and the folder."""
    if nats_program() is None:
        pytest.skip("nats-server is not installed: apt-get install nats-server")
    port = free_port()
    text = block("conf", "jetstream").replace("/var/lib/nats", str(folder / "store"))
    assert PASSWORD in text
    server = Configured(folder, text.replace("0.0.0.0", "127.0.0.1").replace("4222", str(port)))
    server.port = port
    with running(server):
        server.wait()
        yield server


@contextmanager
def documented_postgres() -> Iterator[Postgres]:
    """A server with passwords, and role and database as the document makes them."""
    pytest.importorskip("psycopg", reason="psycopg (the extra postgres of the hub) is not installed")
    programs = postgres_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with tempfile.TemporaryDirectory(prefix="club-documented-", dir="/tmp") as name:
        server = Postgres(Path(name), port=free_port())
        with running(server):
            server.wait()
            for command in re.findall(r"^sudo -u postgres (create\w+ .*)$", DOCUMENT, re.MULTILINE):
                program, *options = command.split()
                place = ["-h", name, "-p", str(server.port), "-U", "postgres"]
                subprocess.run(
                    [programs / program, *place, *options],
                    input=f"{PASSWORD}\n{PASSWORD}\n",
                    text=True,
                    check=True,
                    capture_output=True,
                    start_new_session=True,  # nobody is asked at a terminal
                )
            yield server


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Postgres, Nats]]:
    """Both engines of the document."""
    with documented_postgres() as database, documented_nats(tmp_path_factory.mktemp("nats")) as stream:
        yield database, stream


def files(folder: Path, database: str, stream: str) -> list[str]:
    """The options of a hub whose addresses are in files, as the document's table says."""
    told = {"database": database, "stream": stream}
    for name, address in told.items():
        (folder / f"club-{name}").write_text(f"{address}\n")
    return [
        "hub",
        "--folder",
        str(folder),
        *(word for name in told for word in (f"--{name}", f"@{folder}/club-{name}")),
    ]


def addresses(engines: tuple[Postgres, Nats], password: str = PASSWORD) -> tuple[str, str]:
    """As the document's table writes them."""
    database, stream = engines
    rows = re.findall(r"^\| `club-\w+` \| `([^`]+)`", DOCUMENT, re.MULTILINE)
    first = rows[0].replace("PASSWORD", password).replace("localhost", f"localhost:{database.port}")
    second = (
        rows[1].split(",")[0].replace("PASSWORD", password).replace("n1.lan:4222", f"127.0.0.1:{stream.port}")
    )
    return first, second


def checked(options: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, str]]:
    """What the check says of each part."""
    words = [*options, "--check", "--json", "--host", "127.0.0.1", "--port", str(free_port())]
    with ThreadPoolExecutor(1) as pool:  # the browser's tests leave an event loop running in this thread
        pool.submit(main, words).result()
    return {one["part"]: one for one in json.loads(capsys.readouterr().out)}


def test_the_check_finds_everything_that_the_document_set_up(
    engines: tuple[Postgres, Nats], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = checked(files(tmp_path, *addresses(engines)), capsys)
    assert {name: one["state"] for name, one in found.items()} == {
        "signatures": "ok",
        "libraries": "ok",
        "database": "missing",  # empty: the hub makes its tables
        "stream": "ok",
        "port": "ok",
    }


def test_the_check_says_in_words_what_is_missing(
    engines: tuple[Postgres, Nats], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = checked(files(tmp_path, *addresses(engines, "wrong")), capsys)
    assert "password authentication failed" in found["database"]["says"]
    assert found["database"]["do"].startswith("docs/club-night.md")
    assert found["stream"]["says"] == "the NATS server refuses the name or password"
    database, _ = addresses(engines)
    found = checked(files(tmp_path, f"{database}s", "nats://127.0.0.1:9"), capsys)
    assert "does not exist" in found["database"]["says"]
    assert "cannot be reached" in found["stream"]["says"]


def test_a_server_as_debian_starts_it_lacks_jetstream(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if nats_program() is None:
        pytest.skip("nats-server is not installed: apt-get install nats-server")
    port = free_port()
    server = Configured(tmp_path / "debian", f"host: 127.0.0.1\nport: {port}\n")
    server.port = port
    with running(server):
        server.wait()
        found = checked(["hub", "--folder", str(tmp_path), "--stream", f"nats://127.0.0.1:{port}"], capsys)
    assert "runs without JetStream" in found["stream"]["says"]
    assert found["stream"]["state"] == "bad"


@pytest.mark.parametrize(
    ("more", "named", "says"),
    [
        ("max_payload: 64KB", 1, "takes messages of up to 65,536 bytes"),
        ("", 3, "3 servers are named, and the one that answers belongs to no cluster"),
    ],
)
def test_a_server_that_would_take_no_batch_is_found(
    more: str, named: int, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if nats_program() is None:
        pytest.skip("nats-server is not installed: apt-get install nats-server")
    port = free_port()
    text = f'host: 127.0.0.1\nport: {port}\njetstream {{ store_dir: "{tmp_path}/store" }}\n{more}\n'
    server = Configured(tmp_path / "own", text)
    server.port = port
    with running(server):
        server.wait()
        servers = ",".join([f"nats://127.0.0.1:{port}"] * named)
        found = checked(["hub", "--folder", str(tmp_path), "--stream", servers], capsys)
    assert says in found["stream"]["says"]
    assert found["stream"]["state"] == "bad"


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    found = checked(["hub", "--folder", str(tmp_path / "file" / "hub")], capsys)
    assert found["database"]["state"] == "bad"
    assert "file" in found["database"]["says"]


def test_a_port_that_is_taken_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        main(["hub", "--folder", str(tmp_path), "--check", "--host", "127.0.0.1", "--port", port])
    assert f"port {port} cannot be had now" in capsys.readouterr().out


def test_a_hub_runs_on_them_and_shows_no_password(engines: tuple[Postgres, Nats], tmp_path: Path) -> None:
    options = [*files(tmp_path, *addresses(engines)), "--host", "127.0.0.1", "--port", "0", "--json"]
    hub = Server([sys.executable, "-m", "companion", *options], tmp_path)
    process = subprocess.Popen(hub.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["key"]
        shown = Path(f"/proc/{process.pid}/cmdline").read_bytes()
        assert b"club-database" in shown
        assert PASSWORD.encode() not in shown
    finally:
        process.terminate()
        _, complaints = process.communicate(timeout=30)
    assert process.returncode in (0, 130)  # or stopped while it was still starting
    assert complaints == ""
