"""The set-up of docs/club-night.md on a bare Debian, command by command: ``python -m lab.club bare``.

A system that debootstrap makes in a folder, with nothing but the base and ``sudo``. In it every command of
the document is run as it stands there, passwords are typed where they are asked for, and the configuration is
written word by word. Nothing starts services there as a booted machine would, so they are started as their
packages' units say. Then a hub of this checkout is checked and started on them, and a page is fetched. Takes
root, debootstrap and the network for Debian's packages, and two minutes or so for each Debian.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

SUITES = {"12": "bookworm", "13": "trixie"}
MIRROR = "http://deb.debian.org/debian"
PASSWORD = "a-long-password"  # noqa: S105 - of the document's configuration
_DOCUMENT = Path(__file__).parents[2] / "docs/club-night.md"
_BEGINS, _ENDS = "PostgreSQL needs a role", "**What is not encrypted**"
_OWN_NETWORK = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]


def lacking() -> str:
    """Why this machine cannot try it; empty when it can."""
    if os.geteuid() != 0:
        return "root"
    return next((one for one in ("debootstrap", "unshare", "chroot", "ip") if not shutil.which(one)), "")


def bare(debian: str, folder: Path, mirror: str = MIRROR) -> Iterator[str]:
    """Try it on this Debian; the last line says how long it took."""
    begun = time.monotonic()
    root = folder / f"debian-{debian}"
    if not (root / ".made").exists():
        shutil.rmtree(root, ignore_errors=True)
        command = ["debootstrap", "--variant=minbase", "--include=sudo,ca-certificates"]
        subprocess.run([*command, SUITES[debian], root, mirror], check=True, stdout=subprocess.DEVNULL)
        (root / ".made").touch()
    yield f"Debian {debian}: a bare system after {time.monotonic() - begun:.0f} s"
    _keep_services_quiet(root)
    install, *commands = documented_commands()
    _inside(root, f"export DEBIAN_FRONTEND=noninteractive; {install.replace('install', 'install -y -q')}")
    yield f"{install}: after {time.monotonic() - begun:.0f} s"
    (root / "etc/nats-server.conf").write_text(_block("conf"))
    (root / "commands.json").write_text(json.dumps(commands))
    # In a network of its own: the ports of the distribution are perhaps this machine's, too
    here = [sys.executable, "-m", "lab.club", "bare-inside", str(root)]
    done = subprocess.run([*_OWN_NETWORK, *here], text=True, stdout=subprocess.PIPE, check=False)
    yield from done.stdout.splitlines()
    if done.returncode:
        raise subprocess.SubprocessError(f"the set-up of {_DOCUMENT.name} does not work on Debian {debian}")
    yield f"Debian {debian}: everything works as documented, after {time.monotonic() - begun:.0f} s"


def bare_inside(root: Path) -> Iterator[str]:
    """The rest of it, in a network and with processes of its own."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    for kind, place in (("proc", "proc"), ("tmpfs", "run"), ("tmpfs", "dev/shm")):
        subprocess.run(["mount", "-t", kind, kind, root / place], check=True)
    _inside(root, "mkdir -p /run/postgresql && chown postgres: /run/postgresql && service postgresql start")
    for command in json.loads((root / "commands.json").read_text()):
        yield f"$ {command}"
        if restarted := re.search(r"systemctl restart (\S+)", command):
            _start_as_its_unit_says(root, restarted[1])
        elif not command.startswith(("stationmaster", "install")):
            _inside(root, command, typed=f"{PASSWORD}\n{PASSWORD}\n")
    yield from _hub(root)


def documented_commands() -> list[str]:
    """The commands of the set-up, in their order."""
    text = _DOCUMENT.read_text(encoding="utf-8")
    part = text[text.index(_BEGINS) : text.index(_ENDS)]
    blocks: list[str] = re.findall(r"^```sh\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line]


def _block(kind: str) -> str:
    text = _DOCUMENT.read_text(encoding="utf-8")
    found = re.search(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found is not None, kind
    return found[1]


def _inside(root: Path, command: str, typed: str = "") -> None:
    subprocess.run(
        ["chroot", root, "bash", "-c", command],
        input=typed,
        text=True,
        check=True,
        start_new_session=True,  # nobody is asked at a terminal
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"},
        stdout=sys.stderr,
    )


def _keep_services_quiet(root: Path) -> None:
    """Packages start nothing while they are installed: that would be a process of this machine."""
    policy = root / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)


def _start_as_its_unit_says(root: Path, service: str) -> None:
    places = [root / "lib/systemd/system", root / "usr/lib/systemd/system"]
    unit = next(place / f"{service}.service" for place in places if (place / f"{service}.service").exists())
    told = dict(re.findall(r"^(\w+)=(.*)$", unit.read_text(), re.MULTILINE))
    user, program = told.get("User", "root"), shlex.split(told["ExecStart"])
    command = ["chroot", f"--userspec={user}:{told.get('Group', user)}", str(root), *program]
    subprocess.Popen(command, stdout=sys.stderr, stderr=sys.stderr)


def _hub(root: Path) -> Iterator[str]:
    """A hub of this checkout, with its addresses in files, as the document's table says."""
    folder = root / "hub"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    rows = re.findall(r"^\| `(club-\w+)` \| `([^`]+)`", _DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    for name, address in rows:
        told = address.partition(",")[0].replace("PASSWORD", PASSWORD).replace("n1.lan", "127.0.0.1")
        (folder / name).write_text(f"{told}\n")
    options = [f"--{name.removeprefix('club-')}=@{folder}/{name}" for name, _ in rows]
    hub = [sys.executable, "-m", "companion", "hub", *options, "--folder", str(folder), "--json"]
    for _ in range(20):  # what was just started may not answer yet
        done = subprocess.run([*hub, "--check"], text=True, stdout=subprocess.PIPE, check=False)
        parts = {one["part"]: one for one in json.loads(done.stdout)}
        if all(one["state"] == "ok" or name == "database" for name, one in parts.items()):
            break
        time.sleep(1)
    for name, one in parts.items():
        yield f"check: {name}: {one['state']}, {one['says']}"
    running = subprocess.Popen(
        [*hub, "--host", "127.0.0.1", "--port", "0"], text=True, stdout=subprocess.PIPE
    )
    try:
        assert running.stdout is not None
        link = json.loads(running.stdout.readline())["links"][0]
        with urlopen(link, timeout=20) as page:
            yield f"hub: {link} answers {page.status}"
    finally:
        running.terminate()
        running.wait(30)
    if any(one["state"] == "bad" for one in parts.values()):
        raise subprocess.SubprocessError("the check finds something that the document did not set up")
