#!/usr/bin/python3
"""The life of the package in a root folder of its own: installed, served, updated, set back, removed.

Run by the system's Python inside a chroot (see :mod:`lab.package.rooms`); it needs nothing else and starts
the service as the unit says, with a socket of its own in the place of systemd::

    trial.py FIRST.deb SECOND.deb [GAME PHOTO.jpg]
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

STATE = Path("/var/lib/stationmaster")
UNIT = Path("/usr/lib/systemd/system/stationmaster.service")
SLOW = float(os.environ.get("TRIAL_PATIENCE", "120"))  # seconds; an emulated machine needs more
PIN = "481206"


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
            yield process
        finally:
            process.terminate()
            if process.wait(SLOW):
                raise SystemExit(f"FAILED: the service ended with {process.returncode}")


OPENER = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())


def asked(path: str, body: object = None) -> Any:
    """The API's answer at port 80."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1/api/v1{path}", data, {"Content-Type": "application/json"}
    )
    with OPENER.open(request, timeout=SLOW) as answer:
        return json.load(answer)


def first_evening(reads: list[str]) -> str:
    """A new box is set up, a match begun, a photograph read; the match."""
    with served():
        with urllib.request.urlopen("http://127.0.0.1/", timeout=SLOW) as page:
            if page.status != 200 or b"Join" not in page.read():
                raise SystemExit("FAILED: the first page")
        said("the page answers at port 80")
        asked("/setup", {"pin": PIN, "name": "Trial"})
        game = asked("/games")[0]["game"]
        match = asked("/matches", {"game": game, "players": ["North", "East"]})["match"]
        said(f"set up by the first phone, match {match} begun")
    if reads:
        line = json.loads(run("stationmaster", "read", *reads, "--json").splitlines()[0])
        if not line["sheets"]:
            raise SystemExit(f"FAILED: no sheet in the photograph: {line}")
        said(f"a photograph read, {len(line['sheets'])} sheets")
    return str(match)


def still_there(match: str) -> None:
    """The service with the version that is installed now has the match and the host."""
    with served():
        asked("/host", {"pin": PIN})
        if match not in [one["match"] for one in asked("/matches")]:
            raise SystemExit(f"FAILED: match {match} is gone")


def main() -> None:
    """One life."""
    first, second = map(Path, sys.argv[1:3])
    install(first)
    said(f"{first.name} installed")
    version = run("stationmaster", "--version").strip()
    check_unit()
    match = first_evening(sys.argv[3:])
    install(second)
    still_there(match)
    backups = sorted((STATE / "backups/versions").glob("*.zip"))
    if len(backups) != 1 or run("stationmaster", "--version").strip() == version:
        raise SystemExit(f"FAILED: the update, backups {backups}")
    said(f"updated with {backups[0].name} before")
    install(first)
    still_there(match)
    if len(list((STATE / "backups/versions").glob("*.zip"))) != 2:
        raise SystemExit("FAILED: no backup before going back")
    said("set back to the version of before, with a backup")
    run("dpkg", "-r", "stationmaster")
    run("dpkg", "-P", "stationmaster")
    if Path("/usr/lib/stationmaster").exists() or not (STATE / "stationmaster.db").exists():
        raise SystemExit("FAILED: removed too much or too little")
    said("removed; what was played is kept")


if __name__ == "__main__":
    main()
