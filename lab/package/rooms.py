"""Places in which a package can be tried without touching the machine: namespaces over a root folder.

``overlaid`` is this machine's own system with everything that is written kept in memory and forgotten;
``in_folder`` is a system that debootstrap made. Both take root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

_OVERLAY = """
set -e
room=$(mktemp -d)
mount -t tmpfs -o mode=755 room "$room"
mkdir "$room/upper" "$room/work" "$room/root"
mount -t overlay room -o lowerdir=/,upperdir="$room/upper",workdir="$room/work" "$room/root"
mount -t proc proc "$room/root/proc"
mount -t tmpfs run "$room/root/run"
mount --rbind /dev "$room/root/dev"
mkdir -p "$room/root/trial"
mount --bind "$1" "$room/root/trial"
shift
ip link set lo up 2>/dev/null || true
exec chroot "$room/root" "$@"
"""
_FOLDER = """
set -e
root=$1
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs run "$root/run"
mount --rbind /dev "$root/dev"
mkdir -p "$root/trial"
mount --bind "$2" "$root/trial"
shift 2
ip link set lo up 2>/dev/null || true
exec chroot "$root" "$@"
"""


def missing() -> str:
    """Why no such place can be made here; empty when one can."""
    if os.geteuid() != 0:
        return "not root"
    for program in ("unshare", "dpkg", "setpriv", "ip", "chroot"):
        if shutil.which(program) is None:
            return f"this machine has no {program}"
    tried = subprocess.run(_unshared(_OVERLAY, "/tmp", "true"), capture_output=True, text=True, check=False)  # noqa: S108
    return f"no namespaces with an overlay here: {tried.stderr.strip()}" if tried.returncode else ""


def overlaid(shared: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run it in a copy of this machine's system; ``shared`` is ``/trial`` there. No network but its own."""
    return subprocess.run(_unshared(_OVERLAY, shared, *command), capture_output=True, text=True, check=False)


def in_folder(root: Path, shared: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """The same in the system of a folder; what is printed is shown as it comes."""
    return subprocess.run(_unshared(_FOLDER, root, shared, *command), text=True, check=False)


def _unshared(script: str, *arguments: str | Path) -> Sequence[str]:
    inside = ["unshare", "--mount", "--net", "--pid", "--uts", "--ipc", "--fork", "--kill-child"]
    return [*inside, "bash", "-c", script, "room", *map(str, arguments)]
