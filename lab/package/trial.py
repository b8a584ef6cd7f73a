#!/usr/bin/python3
"""The life of the package in a root folder of its own: installed, served, updated, taken back, removed.

Run by the system's Python inside a chroot (see :mod:`lab.package.rooms`); it needs nothing else and starts
the service as the unit says, with a socket of its own in the place of systemd::

    trial.py FIRST.deb SECOND.deb BROKEN.deb [GAME PHOTO.jpg]

The third one has no libraries: its service ends at once. With TRIAL_SHORT nobody goes back by a tap.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

BOX = "http://127.0.0.1"
STATE = Path("/var/lib/stationmaster")
UNIT = Path("/usr/lib/systemd/system/stationmaster.service")
SLOW = float(os.environ.get("TRIAL_PATIENCE", "120"))  # seconds; an emulated machine needs more
WHOLE = "TRIAL_SHORT" not in os.environ
PIN = "481206"
PART = 4 * 2**20
# With what is compiled at installation. OpenCV's two libraries for PCs alone take 70 MB more than a Pi's.
MOST_MB = {"arm64": 200, "amd64": 280}


def said(words: str) -> None:
    """One line for whoever watches."""
    print(f"ok: {words}", flush=True)


def run(*command: str | Path) -> str:
    """Its output; its complaint ends the trial."""
    done = subprocess.run([str(one) for one in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"FAILED: {shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def install(package: Path) -> None:
    """As ``apt install ./FILE`` would, but for what is only recommended."""
    run("dpkg", "--force-confold", "-i", package)
    home = Path("/usr/lib/stationmaster")
    lacking = [path for path in home.glob("common/companion/**/*.py") if not _compiled(path).exists()]
    if lacking:
        raise SystemExit(f"FAILED: {len(lacking)} modules were not compiled: each start would take long")
    takes = int(run("du", "-s", "-BMB", home).partition("MB")[0])
    most = MOST_MB[run("dpkg", "--print-architecture").strip()]
    if takes > most or len(list(home.glob("cp*"))) != 1:
        raise SystemExit(f"FAILED: {home} takes {takes} MB, wanted {most}")
    said(f"{package.name} installed, {takes} MB")


def _compiled(module: Path) -> Path:
    return Path(importlib.util.cache_from_source(str(module)))


def unit() -> dict[str, list[str]]:
    """The settings of the unit's [Service] section."""
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text().splitlines():
        name, is_setting, value = line.partition("=")
        if is_setting and not line.startswith("#"):
            found.setdefault(name, []).append(value)
    return found


def check_unit() -> None:
    """systemd understands it, and finds it closed enough."""
    if shutil.which("systemd-analyze") is None:
        print("skipped: this system has no systemd-analyze", flush=True)
        return
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(UNIT)],
        capture_output=True,
        text=True,
        check=False,
    )
    about_us = [line for line in done.stderr.splitlines() if "stationmaster.service" in line]
    if about_us:
        raise SystemExit("FAILED: systemd-analyze verify\n" + "\n".join(about_us))
    level = run("systemd-analyze", "security", "--offline=true", "--threshold=25", UNIT).splitlines()[-1]
    said(f"the unit is verified; {level.removeprefix('→ ').strip()}")


def _heard_out(heard: socket.socket) -> None:
    """Go on listening, as systemd does, as long as somebody says something."""
    with heard, suppress(TimeoutError):
        while heard.recv(100):
            pass


@contextmanager
def served() -> Iterator[subprocess.Popen[bytes]]:
    """The service, as the unit has it, until the end; stopped cleanly."""
    settings = unit()
    notified = Path("/run/trial.sock")
    notified.unlink(missing_ok=True)
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
    for value in settings["Environment"]:
        environment |= dict(one.split("=", 1) for one in shlex.split(value))
    folder = Path("/run/stationmaster")
    folder.mkdir(exist_ok=True)
    shutil.chown(folder, "stationmaster", "stationmaster")
    environment = {
        name: value.replace("%t", "/run").replace("%S", "/var/lib") for name, value in environment.items()
    }
    environment |= {"STATE_DIRECTORY": str(STATE), "NOTIFY_SOCKET": str(notified), "WATCHDOG_USEC": "3000000"}
    (capability,) = settings["AmbientCapabilities"]
    name = capability.lower().removeprefix("cap_")
    as_user = ["setpriv", "--reuid=stationmaster", "--regid=stationmaster", "--init-groups"]
    as_user += [f"--inh-caps=+{name}", f"--ambient-caps=+{name}", "--no-new-privs"]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(notified))
        notified.chmod(0o777)
        heard.settimeout(SLOW)
        process = subprocess.Popen(
            [*as_user, *shlex.split(settings["ExecStart"][0])],
            env=environment,
            cwd=folder,
            stdout=subprocess.DEVNULL,
        )
        try:
            began = time.monotonic()
            for wanted in ("READY=1", "WATCHDOG=1"):
                while heard.recv(100).decode() != wanted:
                    pass
            said(f"ready and alive by itself after {time.monotonic() - began:.1f} s")
            threading.Thread(target=_heard_out, args=[heard.dup()], daemon=True).start()
            yield process
        finally:
            process.terminate()
            if process.wait(SLOW):
                raise SystemExit(f"FAILED: the service ended with {process.returncode}")


OPENER = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())


def asked(path: str, body: object = None) -> Any:
    """The API's answer at port 80."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{BOX}/api/v1{path}", data, {"Content-Type": "application/json"})
    with OPENER.open(request, timeout=SLOW) as answer:
        return json.load(answer)


def send(path: str, content: bytes) -> None:
    """Bytes instead of JSON."""
    request = urllib.request.Request(
        f"{BOX}/api/v1{path}", content, {"Content-Type": "application/octet-stream"}
    )
    with OPENER.open(request, timeout=SLOW) as answer:
        answer.read()


def first_evening(reads: list[str]) -> str:
    """A new box is set up, a match begun, a photograph read; the match."""
    with served():
        with urllib.request.urlopen(f"{BOX}/", timeout=SLOW) as page:
            if page.status != 200 or b"Join" not in page.read():
                raise SystemExit("FAILED: the first page")
        said("the page answers at port 80")
        asked("/setup", {"pin": PIN, "name": "Trial"})
        game = asked("/games")[0]["game"]
        match = asked("/matches", {"game": game, "players": ["North", "East"]})["match"]
        said(f"set up by the first phone, match {match} begun")
        ready_for_a_club()
    if reads:
        line = json.loads(run("stationmaster", "read", *reads, "--json").splitlines()[0])
        if not line["sheets"]:
            raise SystemExit(f"FAILED: no sheet in the photograph: {line}")
        said(f"a photograph read, {len(line['sheets'])} sheets")
    return str(match)


def ready_for_a_club() -> None:
    """What joining a club needs is in the package: all that is missing here is the hub."""
    try:
        asked("/host/club", {"hub": "http://127.0.0.1:9/", "code": "ABCDEF"})
    except urllib.error.HTTPError as problem:
        if problem.code == 502:
            said("it signs, and finds no hub here")
            return
        raise SystemExit(f"FAILED: joining a club: {problem.read().decode()}") from None
    raise SystemExit("FAILED: joined a club that is not there")


def still_there(match: str) -> None:
    """The service with the version that is installed now has the match and the host."""
    with served():
        asked("/host", {"pin": PIN})
        if match not in [one["match"] for one in asked("/matches")]:
            raise SystemExit(f"FAILED: match {match} is gone")


def installed() -> str:
    """The version that is wholly installed now."""
    done = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version} ${db:Status-Status}", "stationmaster"],
        capture_output=True,
        text=True,
        check=False,
    )
    version, _, status = done.stdout.partition(" ")
    return version if status == "installed" else ""


def wished(what: str, package: Path | None = None) -> None:
    """What the host does on the page: a package in parts, and a tap."""
    with served():
        asked("/host", {"pin": PIN})
        if package is not None:
            content = package.read_bytes()
            for at in range(0, len(content), PART):
                send(f"/host/update/parts?at={at}", content[at : at + PART])
            asked("/host/update/complete", {})
        asked(f"/host/update/{what}", {})


@contextmanager
def updating(patience: float) -> Iterator[subprocess.Popen[str]]:
    """Root's program, as systemd starts it when it sees the wish."""
    command = ["/usr/bin/python3", "-I", "/usr/lib/stationmaster/update"]
    environment = {**os.environ, "STATIONMASTER_PATIENCE": str(patience)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        yield process
        print(process.stdout.read() if process.stdout else "", end="", flush=True)
    if process.returncode:
        raise SystemExit(f"FAILED: the update ended with {process.returncode}")


def serve_until(process: subprocess.Popen[str], version: str) -> None:
    """As systemd would: the service runs again once its package is there, until the update is settled."""
    while process.poll() is None and installed() != version:
        time.sleep(0.2)
    if process.poll() is None:
        with served():
            process.wait(SLOW * 3)


def update_state() -> dict[str, Any]:
    """What root's program has written down."""
    state: dict[str, Any] = json.loads((STATE.with_name("stationmaster-updates") / "state.json").read_text())
    return state


def expect(phase: str, version: str, match: str) -> None:
    """How an update has to have ended."""
    state = update_state()
    if (state["phase"], installed()) != (phase, version):
        raise SystemExit(f"FAILED: {installed()} is here, and {state}")
    still_there(match)


def updates(second: Path, broken: Path, match: str) -> None:
    """From the page: to a version that works, back by a tap, to one that does not work."""
    before, after = installed(), version_of(second)
    wished("install", second)
    with updating(SLOW) as process:
        serve_until(process, after)
    expect("installed", after, match)
    said(f"updated from the page to {after}")
    before, after = after, before
    if WHOLE:
        wished("back")
        with updating(SLOW) as process:
            serve_until(process, after)
        expect("installed", after, match)
        said(f"back to {after} by one tap")
        before = after
    wished("install", broken)
    with updating(SLOW / 8) as process:
        while installed() != version_of(broken) and process.poll() is None:
            time.sleep(0.2)
        said(f"{installed()} is installed, and its service does not start")
        serve_until(process, before)
    expect("taken-back", before, match)
    said("taken back by itself: " + update_state()["says"])


def version_of(package: Path) -> str:
    """Which version a package brings."""
    return run("dpkg-deb", "-f", package, "Version").strip()


def main() -> None:
    """Put the package through one whole life: install, serve, update, remove."""
    first, second, broken = map(Path, sys.argv[1:4])
    install(first)
    check_unit()
    match = first_evening(sys.argv[4:])
    updates(second, broken, match)
    made = len(list((STATE / "backups/versions").glob("*.zip")))
    install(first if installed() != version_of(first) else second)
    still_there(match)
    if len(list((STATE / "backups/versions").glob("*.zip"))) != made + 1 or made < 2:
        raise SystemExit(f"FAILED: {made} backups before the updates")
    said(f"{installed()} installed by hand, with a backup before")
    run("dpkg", "-r", "stationmaster")
    run("dpkg", "-P", "stationmaster")
    if Path("/usr/lib/stationmaster").exists() or not (STATE / "stationmaster.db").exists():
        raise SystemExit("FAILED: removed too much or too little")
    said("removed; what was played is kept")


if __name__ == "__main__":
    main()
