"""Where the box can be reached: worked out whenever it is asked, in whatever networks it is just then."""

from __future__ import annotations

import socket
import threading

import pytest

from companion.service.system import addresses
from companion.service.system.address_watch import AddressWatch
from companion.service.system.addresses import Address, LinksNow, own_names
from companion.service.system.interfaces import OwnAddress, address_towards, best_first, own_addresses


class Networks:
    """The networks of a machine, changed at will."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.found: list[OwnAddress] = []
        self.default: str | None = None
        patch.setattr(addresses, "own_addresses", lambda: self.found)
        patch.setattr(addresses, "lan_address", lambda: self.default)


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> Networks:
    return Networks(monkeypatch)


def test_links_follow_the_networks(networks: Networks) -> None:
    links = LinksNow(Address("0.0.0.0", 8080))
    assert not links
    networks.found = [OwnAddress("wlan0", "10.42.0.1")]  # its own access point: no default route
    assert list(links) == ["http://10.42.0.1:8080/"]
    networks.found.append(OwnAddress("eth0", "192.168.1.20"))
    networks.default = "192.168.1.20"
    assert links[0] == "http://192.168.1.20:8080/"
    assert len(links) == 2
    networks.found[1:] = [OwnAddress("eth0", "192.168.7.3")]
    networks.default = "192.168.7.3"
    assert links[0] == "http://192.168.7.3:8080/"


def test_others_are_never_told_localhost_and_this_machine_is(networks: Networks) -> None:
    everywhere = Address("0.0.0.0", 80)
    assert everywhere.links_for_others() == []
    assert everywhere.links == ["http://localhost/"]


def test_bridges_of_containers_come_last_even_before_the_network_is_there(networks: Networks) -> None:
    found = [OwnAddress("docker0", "172.17.0.1", True), OwnAddress("eth0", "169.254.3.4")]
    assert best_first(found, None) == ["169.254.3.4", "172.17.0.1"]
    assert best_first([*found, OwnAddress("wlan0", "192.168.4.7")], None)[0] == "192.168.4.7"


def test_this_machine_lists_its_own_addresses() -> None:
    found = [one.address for one in own_addresses()]
    assert "127.0.0.1" not in found
    towards = [address_towards(one) for one in found]
    assert towards == found
    assert address_towards("127.0.0.1") is None


def test_pages_are_told_of_a_new_address_once(networks: Networks) -> None:
    told: list[str] = []
    watch = AddressWatch(LinksNow(Address("0.0.0.0", 1)), lambda: told.append("changed"), threading.Event())
    watch.look()
    assert told == []
    networks.found = [OwnAddress("wlan0", "192.168.1.20")]
    watch.look()
    watch.look()
    assert told == ["changed"]


def test_names_are_those_of_the_machine_of_the_network_and_of_the_owner() -> None:
    short = socket.gethostname().partition(".")[0].lower()
    assert {f"{short}.local", f"{short}-2.local", "trains.home"} < own_names("0.0.0.0", ["Trains.home."])
