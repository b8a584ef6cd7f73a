"""The package: what is in it, and its whole life in a copy of this machine that is thrown away afterwards.

The libraries in it are those of this environment, so that nothing is fetched; `make arm64` tries the one that
is given to people.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest

from companion.cli import main
from companion.machine import machine_fault
from lab.locking import PACKAGE_LOCK
from lab.package import rooms, switched_on, trial
from lab.package.__main__ import _CONTROL, FILES, HOME, _documents, _pythons, _size, build
from lab.package.archive import Entry, write_deb
from lab.package.signing import made_key
from lab.package.wheels import UNUSED, is_wanted

ROOT = Path(__file__).parents[3]
HERE = f"cp{sys.version_info.major}{sys.version_info.minor}"
ARCH = {"x86_64": "amd64", "aarch64": "arm64"}


@dataclass(frozen=True)
class Installed:
    """A library as it is installed here."""

    known: Distribution

    @property
    def python(self) -> str:
        return HERE

    def files(self) -> Iterator[tuple[str, bytes]]:
        for file in self.known.files or ():
            name = str(file)
            if not name.startswith("..") and "__pycache__" not in name and is_wanted(name):
                place = Path(str(file.locate()))
                if place.is_file():
                    yield name, place.read_bytes()


def libraries() -> list[Installed]:
    names = [line.split("==")[0] for line in (ROOT / PACKAGE_LOCK).read_text().splitlines() if "==" in line]
    return [Installed(distribution(name)) for name in names if name not in UNUSED]


def test_a_package_is_the_same_byte_for_byte_and_dpkg_reads_it(tmp_path: Path) -> None:
    control = {
        "control": Entry(b"Package: x\nVersion: 1\nArchitecture: all\nMaintainer: x <x@y>\nDescription: x\n")
    }
    files = {"usr/bin/x": Entry(b"#!/bin/sh\n", 0o755), "usr/bin/y": Entry(link="x"), "etc/z": Entry(b"odd")}
    files |= {"lib/cp311/same": Entry(b"same" * 9), "lib/cp313/same": Entry(b"same" * 9)}
    made = []
    for number, preset in enumerate((6, 6, 0)):
        path = tmp_path / f"{number}.deb"
        write_deb(path, control, files, 1_700_000_000, preset)
        made.append(path)
    assert made[0].read_bytes() == made[1].read_bytes()
    for path in made[1:]:
        told = subprocess.run(["dpkg-deb", "-c", path], capture_output=True, text=True, check=True).stdout
        assert "-rwxr-xr-x root/root        10 2023-11-14" in told
        assert "./usr/bin/y -> x" in told
        assert "-rw-r--r-- root/root         3" in told
        assert "./lib/cp313/same link to ./lib/cp311/same" in told, "equal files are one"


def test_the_unit_is_closed_and_names_only_what_is_there() -> None:
    settings = {line.partition("=")[0] for line in (FILES / "stationmaster.service").read_text().splitlines()}
    assert {"WatchdogSec", "StateDirectory", "Restart", "AmbientCapabilities"} <= settings
    groups = (FILES / "stationmaster.sysusers").read_text()
    for group in ("gpio", "i2c", "dialout", "video"):
        assert f"m stationmaster {group}" in groups
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=25", FILES / "stationmaster.service"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-200:] + done.stderr


def test_scripts_are_scripts() -> None:
    for name in ("preinst", "postinst", "prerm", "postrm", "boot-wishes", "safe-to-unplug"):
        subprocess.run(["sh", "-n", FILES / name], check=True)
    compile((FILES / "stationmaster").read_text(), "stationmaster", "exec")


def test_a_32_bit_system_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert machine_fault() == ""
    assert "armv6l" in machine_fault(64, "armv6l")
    monkeypatch.setattr("struct.calcsize", lambda _: 4)
    assert main(["games"]) == 2
    assert (
        capsys.readouterr().err
        == "stationmaster: Stationmaster needs a 64-bit system: install the 64-bit Raspberry Pi OS\n"
    )


def test_the_cards_stage_installs_the_package_and_leaves_nothing_of_it(tmp_path: Path) -> None:
    """Its scripts, called as pi-gen calls them; what would be done in the card's system is noted instead."""
    programs = {"mountpoint": "exit 0", "chroot": 'cat >>"$ROOTFS_DIR/asked"'}
    for name, line in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / name).chmod(0o755)
    before, root, stage = (tmp_path / name for name in ("before", "root", "stage"))
    (before / "tmp").mkdir(parents=True)
    shutil.copytree(switched_on.STAGE, stage)
    (stage / "00-package/files/stationmaster_1.2.3_arm64.deb").write_bytes(b"package")
    command = ["bash", "-c", switched_on.RUN_STAGE, "stage", *map(str, (root, before, stage))]
    subprocess.run(command, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, check=True)
    assert (root / "tmp/stationmaster_1.2.3_arm64.deb").read_bytes() == b"package"
    asked = (root / "asked").read_text().splitlines()
    assert asked[-3:] == [
        "apt-get install -y --install-recommends /tmp/stationmaster_*_arm64.deb",
        "rm /tmp/stationmaster_*_arm64.deb",
        "apt-get clean",
    ]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_package_lives_its_whole_life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reason = rooms.missing() or not_the_systems_python()
    if reason:
        pytest.skip(f"no place to install it in: {reason}")
    arch = subprocess.run(
        ["dpkg", "--print-architecture"], capture_output=True, text=True, check=True
    ).stdout.strip()
    found = libraries()
    pageless = [one for one in found if one.known.name.lower() != "flask"]  # is installed, and does not start
    key = made_key(tmp_path / "key.pem")
    made = [
        build(tmp_path, arch, version, brought, 0, [key])
        for version, brought in (("0.9.1", found), ("0.9.2", found), ("0.9.3", pageless))
    ]
    assert (
        main(["studio", "railroad-ink", "--out", str(tmp_path / "photos"), "--count", "1", "--seed", "91"])
        == 0
    )
    photo = next((tmp_path / "photos").rglob("*.jpg"))
    (tmp_path / "photo.jpg").write_bytes(photo.read_bytes())
    (tmp_path / "trial.py").write_bytes(Path(trial.__file__).read_bytes())
    monkeypatch.setenv("TRIAL_SHORT", "1")
    inside = [f"/trial/{name}" for name in ("trial.py", *(path.name for path in made))]
    done = rooms.overlaid(tmp_path, "/usr/bin/python3", *inside, "railroad-ink", "/trial/photo.jpg")
    assert done.returncode == 0, done.stdout + done.stderr
    told = done.stdout
    for step in (
        "installed",
        "ready and alive",
        "page answers",
        "it signs",
        "photograph read",
        "updated from the page to 0.9.2",
        "0.9.3 is installed, and its service does not start",
        "taken back by itself",
        "0.9.1 installed by hand",
        "removed",
    ):
        assert step in told, told
    assert "exposure level" in told or "skipped" in told
    assert not Path("/usr/lib/stationmaster").exists(), "this machine itself is as it was"


def not_the_systems_python() -> str:
    done = subprocess.run(
        ["/usr/bin/python3", "-c", "import sys; print('cp%d%d' % sys.version_info[:2])"],
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if done.stdout.strip() == HERE else "the system's Python is another one than that of the tests"


def test_the_size_is_told_as_it_is_with_the_libraries_of_one_python() -> None:
    names = {"common/a": b"1234", "common/b": b"1234", "cp311/c": b"56", "cp313/c": b"56", "cp313/d": b"789"}
    files = {f"{HOME}/{name}": Entry(content) for name, content in names.items()}
    assert [_size(files, python) for python in ("cp311", "cp313")] == [4 + 2, 4 + 2 + 3]


def test_its_copyright_file_tells_of_the_libraries_that_it_ships() -> None:
    told = dict(_documents())["usr/share/doc/stationmaster/copyright"].content.decode()
    assert told.startswith((ROOT / "LICENSE").read_text())
    assert "| libheif | pi-heif | LGPL-3.0-or-later |" in told


@pytest.mark.parametrize(("version", "code"), [("3, 11", 0), ("3, 13", 0), ("3, 12", 1)])
def test_a_python_without_libraries_is_refused_before_anything_is_installed(
    tmp_path: Path, version: str, code: int
) -> None:
    """As that of Ubuntu 24.04 is: every start would say so, and the service would be started for ever."""
    arch = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout
    script = (
        (FILES / "preinst").read_text().replace("@ARCH@", arch.strip()).replace("@PYTHONS@", "cp311 cp313")
    )
    python = tmp_path / "python3"
    told = f"import sys; sys.version_info = ({version}); exec(sys.argv[1])"
    python.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{told}' \"$2\"\n")
    python.chmod(0o755)
    done = subprocess.run(
        ["sh", "-c", script, "preinst", "install"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
    )
    assert done.returncode == code, done.stderr
    assert ("not made for the Python of this system (cp312), but for: cp311 cp313." in done.stderr) == bool(
        code
    )


def test_a_package_names_its_pythons_and_what_its_scripts_call() -> None:
    names = [f"usr/lib/stationmaster/{one}/x.py" for one in ("cp311", "cp313", "common")]
    assert _pythons(names) == ["cp311", "cp313"]
    assert "systemd | systemd-standalone-sysusers" in _CONTROL
    for name in ("postinst", "prerm"):
        asked, inside = False, []
        for line in (FILES / name).read_text().splitlines():
            asked = (
                asked or "command -v systemctl" in line or "/run/systemd/system" in line
            ) and line != "fi"
            inside += [line] if "systemctl" in line and not asked else []
        assert inside == [], "a system without systemd has no systemctl"
