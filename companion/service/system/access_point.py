"""The box's own Wi-Fi, for where there is no network: a hut, a club, a holiday flat.

After two minutes without any network it is opened through NetworkManager, and closed again for a moment every
ten minutes in which nobody uses it, to see whether the home network is there again.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from companion.core.messages import m
from companion.service.parts import Part
from companion.service.periodic import Periodic
from companion.service.system.interfaces import own_addresses

log = logging.getLogger(__name__)
PROFILE = "stationmaster-ap"
ADDRESS = "10.42.0.1"  # the same at all times, so that it can be printed
WITHOUT = 120.0  # seconds without a network, after which it is opened
AGAIN = 600.0  # seconds that it stays open with nobody in it, before the home network is looked for
LOOKING = 40.0  # seconds in which the home network may come back
_LOOKS_EVERY = 10.0
_LEASES = Path("/proc/net/arp")


@dataclass(frozen=True)
class OwnNetwork:
    """The name and password with which a phone joins the box's own Wi-Fi."""

    name: str
    password: str

    @property
    def code(self) -> str:
        r"""The text of a QR code with which phones join this network.

        >>> OwnNetwork('The "attic"; upstairs', "station\\master").code
        'WIFI:T:WPA;S:The \\"attic\\"\\; upstairs;P:station\\\\master;;'
        """
        return f"WIFI:T:WPA;S:{_escaped(self.name)};P:{_escaped(self.password)};;"


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in '\\;,":' else letter for letter in text)


def network_manager(*arguments: str) -> bool:
    """Run ``nmcli`` with these arguments; return True if it succeeded."""
    if shutil.which("nmcli") is None:
        return False
    try:
        done = subprocess.run(
            ["nmcli", "--wait", "30", *arguments], capture_output=True, text=True, timeout=45, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        log.warning("NetworkManager does not answer: %s", problem)
        return False
    if done.returncode:
        log.info("nmcli %s: %s", arguments[0], done.stderr.strip())
    return done.returncode == 0


def profile_of(network: OwnNetwork) -> list[str]:
    """The arguments that make the profile: never by itself, and never remembered beyond this start."""
    wanted = {
        "ssid": network.name,
        "802-11-wireless.mode": "ap",
        "802-11-wireless.band": "bg",
        "ipv4.method": "shared",
        "ipv4.addresses": f"{ADDRESS}/24",
        "ipv6.method": "disabled",
        "wifi-sec.key-mgmt": "wpa-psk",
        "wifi-sec.psk": network.password,
    }
    made = ["connection", "add", "save", "no", "type", "wifi", "ifname", "*", "con-name", PROFILE]
    return [*made, "autoconnect", "no", *(word for pair in wanted.items() for word in pair)]


def somebody_is_in(leases: Path = _LEASES, *, apart_from: Collection[str] = ()) -> bool:
    """Return True if a phone was active in the box's own network lately; rollers do not count."""
    try:
        lines = leases.read_text().splitlines()[1:]
    except OSError:
        return False
    near = ADDRESS.rpartition(".")[0] + "."
    heard = [words for words in map(str.split, lines) if len(words) > 2 and words[2] != "0x0"]
    return any(words[0].startswith(near) and words[0] not in apart_from for words in heard)


def outside_addresses() -> list[str]:
    """Return the addresses in networks other than the box's own."""
    return [one.address for one in own_addresses() if not one.virtual and one.address != ADDRESS]


def opened(name: str) -> str:
    """Return the message shown while the box's own Wi-Fi is open under this name."""
    return m("there is no other network, so the box has opened its own: {name}", name=name)


def access_point_part(
    wanted: bool, name: str, addresses: Collection[str], devices: Callable[[], str | None] | None = None
) -> Part:
    """For the doctor: can the box open its own Wi-Fi, and has it? ``devices`` are NetworkManager's."""
    if not wanted:
        return Part(m("own Wi-Fi"), "ok", m("switched off in the settings"))
    if ADDRESS in addresses:
        return Part(m("own Wi-Fi"), "ok", opened(name))
    told = (devices or _wifi_devices)()
    if told is None:
        do = m("sudo apt install network-manager, or switch it off: All settings, Network")
        return Part(
            m("own Wi-Fi"), "missing", m("NetworkManager does not answer, so it could not be opened"), do
        )
    if "wifi" not in told.split():
        do = m("without one, connect the box by cable")
        return Part(m("own Wi-Fi"), "missing", m("this machine has no Wi-Fi that NetworkManager knows"), do)
    return Part(m("own Wi-Fi"), "ok", m("opens as {name} after two minutes without a network", name=name))


def _wifi_devices() -> str | None:
    """The kinds of all network devices; None where there is no NetworkManager."""
    if shutil.which("nmcli") is None:
        return None
    try:
        done = subprocess.run(
            ["nmcli", "-g", "TYPE", "device"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


class AccessPoint(Periodic):
    """A thread that opens the box's own network when there is no other, and closes it when there is."""

    def __init__(
        self,
        network: OwnNetwork,
        stopping: threading.Event,
        *,
        clock: Callable[[], float] = time.monotonic,
        manage: Callable[..., bool] = network_manager,
        outside: Callable[[], list[str]] = outside_addresses,
        used: Callable[[], bool] = somebody_is_in,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(m("access point"), _LOOKS_EVERY, stopping)
        self.network = network
        self.is_open = False
        self._clock, self._manage, self._outside, self._used = clock, manage, outside, used
        self._changed = changed
        self._since = clock()  # since when it is as it is
        self._patience = WITHOUT

    def look(self) -> None:
        """Check once, and open or close the network if need be."""
        now = self._clock()
        if self.is_open:
            if self._used() and not self._outside():
                self._since = now
            elif self._outside() or now - self._since >= AGAIN:
                # NetworkManager then looks for networks that it knows; without one it is opened again
                # soon
                self._manage("connection", "down", PROFILE)
                self.is_open, self._since, self._patience = False, now, LOOKING
                self._changed()
        elif self._outside():
            self._since, self._patience = now, WITHOUT
        elif now - self._since >= self._patience:
            self._open(now)

    def _open(self, now: float) -> None:
        self._manage("connection", "delete", PROFILE)  # with another name or password, from an earlier start
        self.is_open = self._manage(*profile_of(self.network)) and self._manage("connection", "up", PROFILE)
        self._since, self._patience = now, WITHOUT
        if self.is_open:
            self._changed()
            log.warning("No network was found: the box has opened its own, %s.", self.network.name)

    def finish(self) -> None:
        """Close the network when the service stops."""
        if self.is_open:
            self._manage("connection", "down", PROFILE)
