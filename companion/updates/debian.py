"""What the installer asks of a machine with Debian: packages, the service, a page, backups."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from companion.core.messages import m
from companion.updates.signed import UpdateError

NAME = "stationmaster"
TABLE = Path("/var/lib/stationmaster")
_USER = ["runuser", "-u", NAME, "--"]
_QUIET = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
_LONGEST = 1200  # seconds for a package on a slow memory card
_ROOM = 2.5  # times what is installed: packed, and unpacked beside it
# Asked of the version that is installed, as the table's user.
_IS_NEWER = """
import sys
from pathlib import Path
sys.path.insert(0, "/usr/lib/stationmaster/common")
from companion.table.database import version_of
from companion.table.exc import NewerVersionError
try:
    version_of(Path(sys.argv[1]))
except NewerVersionError:
    sys.exit(3)
"""


class Debian:
    """The system on which this runs, as root."""

    def arch(self) -> str:
        """The architecture, from dpkg."""
        return _output("dpkg", "--print-architecture").strip()

    def installed(self) -> str:
        """The installed version, from dpkg."""
        told = _output("dpkg-query", "-W", "-f", "${Version} ${db:Status-Status}", NAME).split()
        return told[0] if told[1:] == ["installed"] else ""

    def version_in(self, package: Path) -> str:
        """The version in the package file, from dpkg-deb."""
        return _output("dpkg-deb", "-f", package, "Version").strip()

    def repack(self, target: Path) -> None:
        """Make a package of what is installed from dpkg's own lists: files, scripts, fields."""
        files = [Path(line) for line in _output("dpkg-query", "-L", NAME).splitlines() if line != "/."]
        plain = [path for path in files if path.is_file() and not path.is_symlink()]
        needed = _ROOM / 2**20 * sum(path.stat().st_size for path in plain)
        free = shutil.disk_usage(target.parent).free / 2**20
        if free < needed:
            message = m(
                "an update needs {needed} MB of free space, and there are {free}",
                needed=f"{needed:.0f}",
                free=f"{free:.0f}",
            )
            raise UpdateError("no-room", message)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix="packing-") as name:
            root = Path(name) / "root"
            for path in files:
                _copied(path, root / path.relative_to("/"))
            control = root / "DEBIAN"
            control.mkdir()
            fields = _output("dpkg-query", "-s", NAME).splitlines(keepends=True)
            (control / "control").write_text("".join(_control(fields)))
            for path in Path("/var/lib/dpkg/info").glob(f"{NAME}.*"):
                if path.suffix != ".list":
                    shutil.copy(path, control / path.suffix[1:])
            root.chmod(0o755)
            control.chmod(0o755)
            _run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", root, target)
        _synced(target)

    def install(self, package: Path, *, taking_back: bool = False) -> str:
        """Install with ``apt-get``, which brings dependencies; go back with ``dpkg`` alone."""
        if _output("dpkg", "--audit").strip():
            _tried("dpkg", "--force-confold", "--configure", "-a")  # a power cut left something half done
        if taking_back:
            os.environ["STATIONMASTER_TAKING_BACK"] = "1"
            command: list[str | Path] = ["dpkg", "--force-confold", "-i", package]
        else:
            options = ["-y", "-q", "--allow-downgrades", "--no-install-recommends", "--no-remove"]
            options += ["-o", "Dpkg::Options::=--force-confold", "-o", "DPkg::Lock::Timeout=300"]
            command = ["apt-get", *options, "install", package]
        for _ in range(4):
            fault = _tried(*command)
            if "lock" not in fault:
                return fault
            time.sleep(30)  # another program installs something
        return fault

    def restart(self) -> None:
        """Restart the service through systemd."""
        _tried("systemctl", "restart", "--no-block", f"{NAME}.service")

    def answers(self, version: str, port: int) -> bool:
        """True if the service answers on its port with this version."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        try:
            connection.request("GET", "/api/v1/me", headers={"Connection": "close"})
            answer = connection.getresponse()
            return answer.status == 200 and json.loads(answer.read(10_000)).get("version") == version
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            return False
        finally:
            connection.close()

    def restore_older(self) -> str:
        """Only where a newer version has brought the database up; what was there is kept aside."""
        database = TABLE / "stationmaster.db"
        asked = subprocess.run([*_USER, "python3", "-c", _IS_NEWER, database], check=False)
        if asked.returncode != 3:
            return ""
        _tried("systemctl", "stop", f"{NAME}.service")
        # The journals are the same in every version: nothing that was played is lost.
        if not _tried(*_USER, "/usr/bin/stationmaster", "restore", "--journals", "--folder", TABLE):
            return "journals"
        found = [*TABLE.glob("backups/versions/*.zip"), *TABLE.glob("backups/*.zip")]
        for backup in sorted(found, key=lambda one: one.stat().st_mtime, reverse=True):
            if not _tried(*_USER, "/usr/bin/stationmaster", "restore", backup, "--folder", TABLE):
                return backup.name
        return ""

    def clock(self) -> float:
        """The monotonic clock, in seconds."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Sleep so many seconds."""
        time.sleep(seconds)


def _control(fields: list[str]) -> list[str]:
    """The fields of an installed package as a package has them: without its state and its files' digests.

    >>> _control(["Package: x\\n", "Status: installed\\n", "Conffiles:\\n", " /etc/x 1\\n", "Version: 1\\n"])
    ['Package: x\\n', 'Version: 1\\n']
    """
    kept, keeping = [], True
    for line in fields:
        if not line.startswith(" "):
            keeping = not line.startswith(("Status:", "Conffiles:", "Config-Version:"))
        if keeping:
            kept.append(line)
    return kept


def _copied(source: Path, target: Path) -> None:
    if source.is_symlink():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(source.readlink())
    elif source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    elif source.exists():  # a file of /etc may have been removed by the owner
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def _synced(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _output(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def _run(*command: str | Path) -> None:
    fault = _tried(*command)
    if fault:
        raise UpdateError("no-way-back", m("the installed version could not be saved: {fault}", fault=fault))


def _tried(*command: str | Path) -> str:
    """Run a command; empty when it worked, else the last lines of its output."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=_LONGEST,
            env={**os.environ, **_QUIET},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return str(problem)
    last = [line.strip() for line in done.stdout.splitlines() if line.strip()][-4:]
    return (
        "; ".join(last)[-500:] or m("it ended with {returncode}", returncode=done.returncode)
        if done.returncode
        else ""
    )
