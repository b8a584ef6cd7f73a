"""The addresses that this machine has at this moment, by network interface.

Asked anew each time: a box is switched on before the Wi-Fi is there, is given another address by the router,
or opens a network of its own.
"""

from __future__ import annotations

import fcntl
import socket
import struct
from array import array
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path

_SIOCGIFCONF = 0x8912  # the kernel's list of interfaces with IPv4 addresses; needs no netlink socket
_SIOCGIFFLAGS, _UP_AND_RUNNING = 0x8913, 0x41
_ENTRY = struct.Struct("16s4x4s16x")  # ifreq on 64-bit machines: the name, then a sockaddr_in
_MOST = 128  # addresses


@dataclass(frozen=True)
class OwnAddress:
    """An IPv4 address of this machine. ``virtual``: of a bridge or container, which phones do not reach."""

    interface: str
    address: str
    virtual: bool = False


def own_addresses() -> list[OwnAddress]:
    """Every IPv4 address but the loopback's, as the kernel lists them."""
    names = array("B", bytes(_MOST * _ENTRY.size))
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        place, length = names.buffer_info()
        answer = fcntl.ioctl(asked.fileno(), _SIOCGIFCONF, struct.pack("iL", length, place))
        used = struct.unpack("iL", answer)[0]
        for at in range(0, used - used % _ENTRY.size, _ENTRY.size):
            name, packed = _ENTRY.unpack_from(names, at)
            address = IPv4Address(packed)
            if address.is_loopback or not int(address) or not _is_connected(asked, name):
                continue
            interface = name.split(b"\0", 1)[0].decode(errors="replace")
            found.append(OwnAddress(interface, str(address), _is_virtual(interface)))
    return found


def _is_connected(asked: socket.socket, name: bytes) -> bool:
    """Return True if the interface is up and has a link; one without keeps its address all the same."""
    try:
        answer = fcntl.ioctl(asked.fileno(), _SIOCGIFFLAGS, name.ljust(40, b"\0"))
    except OSError:  # gone meanwhile, or an alias
        return False
    flags: int = struct.unpack_from("16sH", answer)[1]
    return flags & _UP_AND_RUNNING == _UP_AND_RUNNING


def _is_virtual(interface: str) -> bool:
    """Return True if this interface belongs to containers or virtual machines.

    >>> _is_virtual("docker0"), _is_virtual("br-1f2e"), _is_virtual("wlan0")
    (True, True, False)
    """
    made = ("docker", "veth", "virbr", "br-", "lxc", "cni", "podman", "vnet")
    return interface.startswith(made) or Path("/sys/class/net", interface, "bridge").is_dir()


def best_first(found: list[OwnAddress], default: str | None) -> list[str]:
    """The address that most phones reach first: of the default route, then others, then those of bridges.

    >>> best_first([OwnAddress("docker0", "172.17.0.1", True), OwnAddress("ap0", "10.42.0.1"),
    ...             OwnAddress("wlan0", "192.168.1.20")], "192.168.1.20")
    ['192.168.1.20', '10.42.0.1', '172.17.0.1']
    """

    def rank(one: OwnAddress) -> tuple[bool, bool, bool]:
        return one.address != default, one.virtual, IPv4Address(one.address).is_link_local

    return list(dict.fromkeys(one.address for one in sorted(found, key=rank)))


def address_towards(other: str) -> str | None:
    """The own address from which ``other`` would be answered; nothing is sent to find out."""
    family = socket.AF_INET6 if ":" in other else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((other, 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") or address in ("::1", "0.0.0.0", "::") else address  # noqa: S104
