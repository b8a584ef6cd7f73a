"""``make arm64``: the package's whole life in clean Debian 12 and 13 of a Raspberry Pi, emulated.

Takes root, ``debootstrap`` and ``qemu-user-static``, the network for Debian's packages, and half an hour or
more: an emulated machine is some thirty times slower. Not part of the gate::

    python -m lab.package.emulated [--debian 12] [--arch amd64] [--folder ROOTS]
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from companion import __version__
from companion.game.packages import packages
from lab.package import rooms, trial
from lab.package.__main__ import MACHINES, PYTHONS, build
from lab.package.signing import made_key
from lab.package.wheels import fetched

SUITES = {"12": "bookworm", "13": "trixie"}
# Not in the checkout: whatever looks through its folders (pip does) would walk through whole systems.
ROOTS = Path.home() / ".cache/stationmaster/roots"
NEEDED = ("python3", "systemd", "tzdata", "libcap2-bin", "openssl")
_BINFMT = Path("/proc/sys/fs/binfmt_misc")
# An AArch64 ELF program, whatever its ABI: the kernel hands it to qemu (kept open: it works in any chroot).
_REGISTER = (
    r":qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
    r":\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:POCF"
)


def main() -> int:
    """Make a root folder for each Debian, and try the package in it."""
    parser = argparse.ArgumentParser(prog="python -m lab.package.emulated", description=__doc__)
    parser.add_argument("--debian", action="append", choices=sorted(SUITES), help="usually both")
    parser.add_argument("--arch", choices=sorted(MACHINES), default="arm64", help="amd64 needs no emulation")
    parser.add_argument("--folder", type=Path, default=ROOTS, help="where the roots go")
    parser.add_argument("--cache", type=Path, default=Path("build/wheels"), help="where wheels are kept")
    parser.add_argument("--mirror", default="http://deb.debian.org/debian")
    options = parser.parse_args()
    folder: Path = options.folder.resolve()
    problem = lacking(options.arch)
    if problem:
        print(f"make arm64 needs {problem}", file=sys.stderr)  # noqa: T201
        return 2
    shared = folder / "shared"
    shared.mkdir(parents=True, exist_ok=True)
    wheels = [one for python in PYTHONS for one in fetched(options.cache, python, MACHINES[options.arch])]
    key = made_key(folder / "signing-key.pem")
    pageless = [one for one in wheels if one.name != "flask"]  # is installed, and does not start
    made = [  # the first as boxes get it; the others, which it is updated to, are quicker without packing
        build(shared, options.arch, f"{__version__}{more}", libraries, preset, [key])
        for more, libraries, preset in (("", wheels, 1), ("+1", wheels, 0), ("+2", pageless, 0))
    ]
    shutil.copy(trial.__file__, shared / "trial.py")
    # One from the studio, taken on this machine: the game, and where it lies
    game = next(name for name, package in packages().items() if package.studio)
    photos = shared / "photos"
    command = [sys.executable, "-m", "companion", "studio", game, "--out", str(photos)]
    subprocess.run([*command, "--count", "1", "--seed", "91"], check=True)
    shutil.copy(next(photos.rglob("*.jpg")), shared / "photo.jpg")
    reads = [game, "/trial/photo.jpg"]
    failed = []
    for number in options.debian or sorted(SUITES):
        suite = SUITES[number]
        print(f"--- Debian {number} ({suite}), {options.arch}", flush=True)  # noqa: T201
        root = clean_root(folder / f"{suite}-{options.arch}", suite, options.arch, options.mirror)
        inside = [f"/trial/{path.name}" for path in made]
        os.environ["TRIAL_PATIENCE"] = "900"
        if rooms.in_folder(root, shared, "/usr/bin/python3", "/trial/trial.py", *inside, *reads).returncode:
            failed.append(number)
    return 1 if failed else 0


def lacking(arch: str) -> str:
    """What this machine lacks to run systems for ``arch``; empty when it can."""
    if os.geteuid() != 0:
        return "root"
    if shutil.which("debootstrap") is None:
        return "debootstrap (apt install debootstrap)"
    if MACHINES[arch] == platform.machine():
        return ""
    if not Path("/usr/bin/qemu-aarch64-static").exists():
        return "qemu-user-static (apt install qemu-user-static)"
    if not (_BINFMT / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", str(_BINFMT)], check=False)
    if not (_BINFMT / "qemu-aarch64").exists() and (_BINFMT / "register").exists():
        (_BINFMT / "register").write_text(_REGISTER)
    return "" if (_BINFMT / "qemu-aarch64").exists() else "binfmt_misc in the kernel"


def clean_root(root: Path, suite: str, arch: str, mirror: str, wanted: Sequence[str] = NEEDED) -> Path:
    """A clean system, made once; the trial changes it and leaves it as it was but for what is kept."""
    done = root / ".made"
    if not done.exists():
        shutil.rmtree(root, ignore_errors=True)
        # In namespaces of its own: what it mounts there goes with it, whatever ends it.
        command = ["unshare", "--mount", "debootstrap", "--variant=minbase"]
        command += [f"--arch={arch}", f"--include={','.join(wanted)}"]
        subprocess.run([*command, suite, str(root), mirror], check=True)
        done.touch()
    subprocess.run(["chroot", root, "dpkg", "--purge", "stationmaster"], check=True)  # of a trial cut short
    shutil.rmtree(root / "var/lib/stationmaster", ignore_errors=True)
    return root


if __name__ == "__main__":
    sys.exit(main())
