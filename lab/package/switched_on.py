"""``make card``: the memory card's stage on a system of a Raspberry Pi's kind, which is then switched on.

pi-gen puts ``image/stage-stationmaster`` onto Raspberry Pi OS. Here the stage's scripts are called as pi-gen
calls them, on a Debian 13 for 64-bit ARM with Debian's kernel, and QEMU switches the result on: two cores of
a Pi 3, 1 GB. systemd starts the service, a first phone sets the box up and begins a match, the page switches
the box off; switched on again, it has the match. Raspberry Pi's firmware, its kernel, its Wi-Fi and its
cameras are not in it.

Takes root, ``debootstrap``, ``qemu-user-static``, ``qemu-system-arm``, the network for Debian's packages,
4 GB of disk and half an hour::

    python -m lab.package.switched_on [--folder ROOTS] [--again]
"""

from __future__ import annotations

import argparse
import http.client
import shutil
import subprocess
import sys
import time
import urllib.error
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion import __version__
from lab.package import trial
from lab.package.__main__ import MACHINES, build
from lab.package.emulated import NEEDED, ROOTS, SUITES, clean_root, lacking
from lab.package.signing import made_key
from lab.package.wheels import fetched

STAGE = Path(__file__).parent / "image/stage-stationmaster"
_PORT = 18080
_PATIENCE = 3600.0  # seconds: an emulated machine is some thirty times slower, and others work beside it
# What Raspberry Pi OS Lite has of Debian, and the kernel instead of its own.
_SYSTEM = (*NEEDED, "ca-certificates", "dbus", "linux-image-arm64", "network-manager", "systemd-sysv", "udev")
# As pi-gen's build.sh runs a stage: the one before is copied, then each part's scripts run in their folder.
RUN_STAGE = """
set -e
export ROOTFS_DIR=$1 PREV_ROOTFS_DIR=$2
copy_previous() { cp -a "$PREV_ROOTFS_DIR" "$ROOTFS_DIR"; }
on_chroot() {
    for place in proc sys dev; do
        mountpoint -q "$ROOTFS_DIR/$place" || mount --rbind "/$place" "$ROOTFS_DIR/$place"
    done
    DEBIAN_FRONTEND=noninteractive chroot "$ROOTFS_DIR" bash -e
}
export -f copy_previous on_chroot
cd "$3"
./prerun.sh
echo 'apt-get update -qq' | on_chroot
for part in [0-9]*/; do
    (cd "$part" && for script in [0-9]*-run.sh; do "./$script"; done)
done
"""


def main() -> int:
    """Make the card, switch it on, off, and on again."""
    parser = argparse.ArgumentParser(prog="python -m lab.package.switched_on", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOTS, help="where roots and card go")
    parser.add_argument("--cache", type=Path, default=Path("build/wheels"), help="where wheels are kept")
    parser.add_argument("--mirror", default="http://deb.debian.org/debian")
    parser.add_argument("--again", action="store_true", help="switch on the card that was made last time")
    options = parser.parse_args()
    folder: Path = options.folder.resolve()
    problem = lacking("arm64")
    if not problem and shutil.which("qemu-system-aarch64") is None:
        problem = "qemu-system-aarch64 (apt install qemu-system-arm)"
    if problem:
        sys.stderr.write(f"make card needs {problem}\n")
        return 2
    card = folder / "card"
    if not options.again:
        card.mkdir(parents=True, exist_ok=True)
        debian = SUITES["13"]
        wheels = fetched(options.cache, "3.13", MACHINES["arm64"])
        package = build(card, "arm64", __version__, wheels, 0, [made_key(folder / "signing-key.pem")])
        before = clean_root(folder / f"{debian}-arm64-whole", debian, "arm64", options.mirror, _SYSTEM)
        make_card(card, before, package)
    live(card)
    return 0


def make_card(card: Path, before: Path, package: Path) -> None:
    """Run the stage over the system ``before``; its disk, kernel and initial file system go into ``card``."""
    stage, root = card / "stage", card / "root"
    for old in (stage, root):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(STAGE, stage)
    shutil.copy(package, stage / "00-package/files")
    subprocess.run(["unshare", "--mount", "bash", "-c", RUN_STAGE, "stage", root, before, stage], check=True)
    if list((root / "var/cache").rglob("stationmaster*.deb")):
        raise SystemExit("FAILED: the package itself is left on the card")
    for name, pattern in (("vmlinuz", "vmlinuz-*"), ("initrd", "initrd.img-*")):
        (found,) = (root / "boot").glob(pattern)
        shutil.copy(found, card / name)
    (root / "etc/fstab").write_text("/dev/vda / ext4 defaults,noatime 0 1\n")
    disk = card / "disk"
    disk.unlink(missing_ok=True)
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", root, disk, "4G"], check=True)
    taken = subprocess.run(["du", "-s", "-BMB", root], check=True, capture_output=True, text=True).stdout
    trial.said(f"the stage ran on Debian's system: {taken.split()[0]} altogether")


def live(card: Path) -> None:
    """Its first evening, and what is left of it when it is switched on again."""
    trial.BOX, trial.SLOW = f"http://127.0.0.1:{_PORT}", 600.0
    with switched_on(card) as machine:
        trial.asked("/setup", {"pin": trial.PIN, "name": "Trial"})
        game = trial.asked("/games")[0]["game"]
        match = trial.asked("/matches", {"game": game, "players": ["North", "East"]})["match"]
        trial.said(f"set up by the first phone, match {match} begun")
        trial.asked("/host/shutdown", {})
        machine.wait(_PATIENCE)
        trial.said("switched off from its page")
    with switched_on(card):
        trial.asked("/host", {"pin": trial.PIN})
        if match not in [one["match"] for one in trial.asked("/matches")]:
            raise SystemExit(f"FAILED: match {match} is gone")
        trial.said("switched on again: the match is there")


@contextmanager
def switched_on(card: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The emulated machine, as soon as its first page is there."""
    told = card / "console.txt"
    command = ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53", "-smp", "2", "-m", "1024"]
    command += ["-kernel", str(card / "vmlinuz"), "-initrd", str(card / "initrd")]
    command += ["-append", "root=/dev/vda rw console=ttyAMA0 systemd.show_status=1"]
    command += ["-drive", f"if=virtio,format=raw,file={card / 'disk'}", "-device", "virtio-rng-device"]
    command += ["-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{_PORT}-:80"]
    command += ["-device", "virtio-net-device,netdev=net"]
    command += ["-display", "none", "-monitor", "none", "-serial", f"file:{told}"]
    began = time.monotonic()
    with subprocess.Popen(command) as machine:
        try:
            while not _first_page():
                if machine.poll() is not None or time.monotonic() - began > _PATIENCE:
                    raise SystemExit(
                        f"FAILED: no page; the console:\n{told.read_text(errors='replace')[-3000:]}"
                    )
                time.sleep(2)
            trial.said(f"switched on; the page answers after {time.monotonic() - began:.0f} s")
            failed = [line for line in told.read_text(errors="replace").splitlines() if "FAILED" in line]
            if any("tationmaster" in line for line in failed):
                raise SystemExit("FAILED: " + "\n".join(failed))
            yield machine
        finally:
            machine.terminate()


def _first_page() -> bool:
    try:
        with trial.OPENER.open(f"{trial.BOX}/", timeout=60) as page:
            return bool(page.status == 200)
    except (urllib.error.URLError, http.client.HTTPException, OSError):
        return False


if __name__ == "__main__":
    sys.exit(main())
