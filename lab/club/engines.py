"""Real engines for tests and measurements: PostgreSQL and NATS servers in folders of their own.

Each is a process that was started here, on a port or socket of its own, and is stopped by its number.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_WITHIN = 30.0  # seconds for a server to answer


def postgres_programs() -> Path | None:
    """Where the distribution keeps them; they are on nobody's PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda one: float(one.parts[-3]))
    named = shutil.which("postgres")
    return found[-1].parent if found else Path(named).parent if named else None


def nats_program() -> str | None:
    """The path of the program nats-server; None where it is not installed."""
    return shutil.which("nats-server", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def free_port() -> int:
    """A port that nobody uses just now."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def seconds_of(process: int) -> float:
    """Processor time of a process so far, with its children that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(int(ticks) for ticks in fields[11:15]) / os.sysconf("SC_CLK_TCK")


class Server:
    """A server process that can be killed and started again."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.command = command
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None
        self.used = 0.0  # seconds of processor time of those that were killed

    def start(self) -> None:
        """Begin; whether it answers yet is another question."""
        with (self.folder / "server.log").open("ab") as told:
            self.process = subprocess.Popen(
                self.command, stdout=told, stderr=told, start_new_session=True, cwd=self.folder
            )

    @property
    def cpu(self) -> float:
        """Seconds of processor time so far, with all of its children."""
        if self.process is None:
            return 0.0
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return sum(seconds_of(int(one)) for one in (str(self.process.pid), *children))

    def kill(self, how: int = signal.SIGKILL) -> None:
        """End it, with all of its children."""
        if self.process is None:
            return
        with suppress(OSError):  # it has ended by itself
            self.used += self.cpu
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, how)
        self.process.wait(_WITHIN)
        self.process = None

    def _wait(self, ask: Callable[[], None], away: type[Exception]) -> None:
        """Ask until it is no longer ``away``; an error with the end of its log when that takes too long."""
        end = time.monotonic() + _WITHIN
        while True:
            try:
                ask()
                return
            except away:
                assert time.monotonic() < end, (self.folder / "server.log").read_text()[-2000:]
                time.sleep(0.05)


class Postgres(Server):
    """PostgreSQL on a socket in its own folder, with a ``port`` also there, with passwords.

    As root it runs as ``postgres``.
    """

    def __init__(self, folder: Path, *, safe: bool = False, port: int = 0) -> None:
        programs = postgres_programs()
        assert programs is not None, "PostgreSQL is not installed"
        self._as = (
            ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        )
        folder.mkdir(parents=True, exist_ok=True)
        self.data = folder / "data"
        if self._as:
            shutil.chown(folder, "postgres")
            folder.chmod(0o755)
        made = [str(programs / "initdb"), "-D", str(self.data), "-U", "postgres", "-E", "UTF8"]
        made += ["--auth-local=trust", "--auth-host=scram-sha-256"]
        if not self.data.exists():
            subprocess.run(
                [*self._as, *made, *(() if safe else ("--no-sync",))],
                check=True,
                capture_output=True,
                cwd=folder,
            )
        self.port = port or 5432  # of the socket, too
        listens = "127.0.0.1" if port else ""
        options = ["-k", str(folder), "-p", str(self.port), "-c", f"listen_addresses={listens}"]
        options += ["-c", "shared_buffers=32MB"]
        options += [] if safe else ["-c", "fsync=off", "-c", "synchronous_commit=off"]
        super().__init__([*self._as, str(programs / "postgres"), "-D", str(self.data), *options], folder)

    def address(self, database: str = "postgres") -> str:
        """How a hub is told where it is."""
        return f"postgresql:///{database}?host={self.folder}&port={self.port}&user=postgres"

    def kill(self, how: int = signal.SIGKILL) -> None:
        """See :class:`Server`; its shared memory goes with it."""
        super().kill(how)
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def wait(self) -> None:
        """Wait until the server answers."""
        import psycopg

        self._wait(lambda: psycopg.connect(self.address(), connect_timeout=2).close(), psycopg.Error)

    def database(self, name: str) -> str:
        """A new, empty database; its address."""
        import psycopg

        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')  # type: ignore[call-overload, unused-ignore]
        return self.address(name)


class Nats(Server):
    """One NATS server with JetStream, alone or one of a cluster."""

    def __init__(
        self, folder: Path, name: str = "n1", port: int = 0, cluster: tuple[int, ...] = (), at: int = 0
    ) -> None:
        program = nats_program()
        assert program is not None, "nats-server is not installed"
        folder.mkdir(parents=True, exist_ok=True)
        self.port = port or free_port()
        command = [
            program,
            "-a",
            "127.0.0.1",
            "-p",
            str(self.port),
            "-n",
            name,
            "-js",
            "-sd",
            str(folder / "store"),
        ]
        if cluster:
            routes = ",".join(f"nats://127.0.0.1:{one}" for number, one in enumerate(cluster) if number != at)
            command += [
                "--cluster_name",
                "club",
                "--cluster",
                f"nats://127.0.0.1:{cluster[at]}",
                "--routes",
                routes,
            ]
        super().__init__(command, folder)

    @property
    def address(self) -> str:
        """The address at which the server listens."""
        return f"nats://127.0.0.1:{self.port}"

    def wait(self) -> None:
        """Wait until the server accepts connections."""
        self._wait(lambda: socket.create_connection(("127.0.0.1", self.port), timeout=1).close(), OSError)


@contextmanager
def running(*servers: Server) -> Iterator[None]:
    """Started, and ended at the end."""
    try:
        for server in servers:
            server.start()
        yield
    finally:
        for server in servers:
            server.kill(signal.SIGINT)
