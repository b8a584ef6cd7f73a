"""The machine's health: supply, temperature, memory, card, groups, clock, addresses, service.

Everything is read from what the kernel and systemd tell; what a machine does not have is left out.
"""

from __future__ import annotations

import grp
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.core.messages import joined, m
from companion.service.parts import Part
from companion.service.system.addresses import lan_address
from companion.service.system.clock import system_clock_is_set
from companion.service.system.interfaces import best_first, own_addresses
from companion.table.folder import SERVICE_FOLDER

HOT = 80.0  # degrees: a Pi then slows down
LITTLE_MEMORY = 150 * 2**20
GROUPS = {"dialout": m("the dice roller"), "gpio": m("buttons and lamps"), "video": m("cameras")}
# Bits of the firmware's report; those from 16 on: it has happened since the start.
_THROTTLING = {
    0: m("the power supply is too weak now"),
    16: m("the power supply was too weak"),
    2: m("slowed down now"),
    18: m("was slowed down"),
}


def _output(command: list[str]) -> str:
    if shutil.which(command[0]) is None:
        return ""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


@dataclass(frozen=True)
class Machine:
    """Where a machine tells of itself; tests have their own."""

    root: Path = Path("/")
    run: Callable[[list[str]], str] = _output

    def text(self, place: str) -> str:
        """A file of the kernel's; empty where there is none."""
        try:
            return (self.root / place).read_text(errors="replace").strip("\0\n ")
        except OSError:
            return ""


def health(machine: Machine | None = None) -> list[Part]:
    """Report on the parts about which this machine has information."""
    machine = machine or Machine()
    looks = (_model, _supply, _temperature, _memory, _card, _service)
    return [*(part for look in looks for part in look(machine)), *_groups(), _clock(), _addresses()]


def _model(machine: Machine) -> Iterator[Part]:
    model = machine.text("proc/device-tree/model")
    if model:
        yield Part(m("machine"), "ok", model)


def _supply(machine: Machine) -> Iterator[Part]:
    told = machine.run(["vcgencmd", "get_throttled"]).strip().rpartition("=")[2]
    try:
        bits = int(told, 16)
    except ValueError:
        return
    found = [words for bit, words in _THROTTLING.items() if bits >> bit & 1]
    if found:
        do = m("take a supply made for this Pi (5 V, 3 A; Pi 5: 5 A), and a short cable")
        yield Part(m("power supply"), "bad", m("since the start {found}", found=joined(", ", found)), do)
    else:
        yield Part(m("power supply"), "ok", m("strong enough since the start"))


def _temperature(machine: Machine) -> Iterator[Part]:
    told = machine.text("sys/class/thermal/thermal_zone0/temp")
    if not told.isdigit():
        return
    degrees = int(told) / 1000
    if degrees >= HOT:
        yield Part(
            m("temperature"), "bad", f"{degrees:.0f} °C", m("give it air, or a heat sink: it slows down")
        )
    else:
        yield Part(m("temperature"), "ok", f"{degrees:.0f} °C")


def _memory(machine: Machine) -> Iterator[Part]:
    lines = [line.split() for line in machine.text("proc/meminfo").splitlines()]
    told = {words[0].rstrip(":"): int(words[1]) * 1024 for words in lines if len(words) > 1}
    if "MemAvailable" not in told:
        return
    says = m(
        "{told} of {get} MB available",
        told=f"{told['MemAvailable'] / 2**20:.0f}",
        get=f"{told.get('MemTotal', 0) / 2**20:.0f}",
    )
    if told["MemAvailable"] < LITTLE_MEMORY:
        yield Part(m("memory"), "bad", says, m("photographs may fail: stop other programs on this machine"))
    else:
        yield Part(m("memory"), "ok", says)


def _card(machine: Machine) -> Iterator[Part]:
    """Report on the memory card by the errors that its file systems have counted."""
    counts = {
        place.parent.name: int(told)
        for place in sorted((machine.root / "sys/fs/ext4").glob("*/errors_count"))
        if (told := machine.text(str(place.relative_to(machine.root)))).isdigit()
    }
    broken = {name: count for name, count in counts.items() if count}
    if broken:
        told = ", ".join(f"{name}: {count}" for name, count in broken.items())
        do = m("make a backup on a USB stick now, and take a new memory card")
        yield Part(m("memory card"), "bad", m("errors were found ({told})", told=told), do)
    elif counts:
        yield Part(m("memory card"), "ok", m("no errors were found"))


def _groups() -> Iterator[Part]:
    """Report the groups of this machine that give access to devices and that this user is not in."""
    if os.geteuid() == 0:
        return
    own = {*os.getgroups(), os.getegid()}
    lacking = []
    for name, what in GROUPS.items():
        try:
            if grp.getgrnam(name).gr_gid not in own:
                lacking.append((name, what))
        except KeyError:
            continue
    if lacking:
        groups = joined(", ", (m("{name} ({what})", name=name, what=what) for name, what in lacking))
        says = m("this user is not in {groups}", groups=groups)
        names = ",".join(name for name, _ in lacking)
        yield Part(
            m("groups"), "missing", says, m("sudo usermod -aG {names} $USER, then log in again", names=names)
        )


def _clock() -> Part:
    if system_clock_is_set():
        return Part(m("clock"), "ok", m("set"))
    do = m("connect it to a network, or open the host's page: the phone tells the time")
    return Part(m("clock"), "missing", m("this machine does not know what time it is"), do)


def _addresses() -> Part:
    found = best_first(own_addresses(), lan_address())
    if found:
        return Part(m("network"), "ok", m("reached at {found}", found=", ".join(found)))
    return Part(
        m("network"), "missing", m("in no network: no phone reaches it"), m("connect it by cable or Wi-Fi")
    )


def _service(machine: Machine) -> Iterator[Part]:
    """Report on the package's service, if it is installed."""
    state = machine.run(["systemctl", "is-active", "stationmaster.service"]).strip()
    if state == "active":
        how = f"sudo -u stationmaster stationmaster doctor --folder {SERVICE_FOLDER}"
        yield Part(
            m("service"),
            "ok",
            m("runs, with its matches in {service_folder}", service_folder=SERVICE_FOLDER),
            how,
        )
    elif state in ("failed", "activating"):
        yield Part(
            m("service"),
            "bad",
            m("does not run ({state})", state=state),
            m("journalctl -u stationmaster says why"),
        )
