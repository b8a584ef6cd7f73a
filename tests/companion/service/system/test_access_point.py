"""The box's own Wi-Fi, in made-up time and with a NetworkManager that only writes down."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from companion.service.system.access_point import (
    ADDRESS,
    AGAIN,
    LOOKING,
    PROFILE,
    WITHOUT,
    AccessPoint,
    OwnNetwork,
    access_point_part,
    network_manager,
    profile_of,
    somebody_is_in,
)

NETWORK = OwnNetwork("Attic", "trains-and-dice")


class World:
    def __init__(self, works: bool = True) -> None:
        self.now = 0.0
        self.outside: list[str] = []
        self.used = False
        self.works = works
        self.asked: list[str] = []
        self.told = 0
        self.point = AccessPoint(
            NETWORK,
            threading.Event(),
            clock=lambda: self.now,
            manage=self.manage,
            outside=lambda: self.outside,
            used=lambda: self.used,
            changed=self.tell,
        )

    def manage(self, *words: str) -> bool:
        self.asked.append(" ".join(words[:2]))
        return self.works

    def tell(self) -> None:
        self.told += 1

    def wait(self, seconds: float) -> bool:
        until = self.now + seconds
        while self.now < until:
            self.now += 10
            self.point.look()
        return self.point.is_open


def test_two_minutes_without_a_network_open_it_and_the_home_network_closes_it() -> None:
    world = World()
    assert not world.wait(WITHOUT - 10)
    assert world.wait(10)
    assert world.asked == ["connection delete", "connection add", "connection up"]
    world.outside = ["192.168.1.20"]
    assert not world.wait(10)
    assert world.asked[-1] == "connection down"
    assert world.told == 2, "screens show the other code at once"
    assert not world.wait(3600), "and it stays closed"
    world.outside = []
    assert not world.wait(WITHOUT - 10), "a router that is started again is waited for"
    assert world.wait(20)


def test_with_nobody_in_it_the_home_network_is_looked_for_and_otherwise_it_comes_back() -> None:
    world = World()
    world.wait(WITHOUT)
    world.used = True
    assert world.wait(3 * AGAIN), "nobody who plays is thrown out"
    world.used = False
    assert not world.wait(AGAIN)
    assert world.wait(LOOKING + 10)


def test_a_machine_that_cannot_open_one_goes_on_trying() -> None:
    world = World(works=False)
    assert not world.wait(10 * WITHOUT)
    assert world.asked.count("connection add") == 10
    assert world.told == 0


def test_the_profile_is_gone_with_the_start_and_has_the_address_of_the_guide() -> None:
    words = profile_of(NETWORK)
    assert words[:5] == ["connection", "add", "save", "no", "type"]
    pairs = dict(zip(words[2::2], words[3::2], strict=True))
    assert pairs["con-name"] == PROFILE
    assert pairs["ssid"] == "Attic"
    assert pairs["wifi-sec.psk"] == "trains-and-dice"
    assert pairs["ipv4.addresses"] == f"{ADDRESS}/24"


def test_who_is_in_it_is_asked_from_the_kernel(tmp_path: Path) -> None:
    arp = tmp_path / "arp"
    assert not somebody_is_in(arp)
    arp.write_text("IP address HW type Flags\n192.168.1.1 0x1 0x2 aa wlan0\n10.42.0.7 0x1 0x0 aa wlan0\n")
    assert not somebody_is_in(arp)
    arp.write_text("IP address HW type Flags\n10.42.0.7 0x1 0x2 aa * wlan0\n")
    assert somebody_is_in(arp)


@pytest.mark.parametrize(("words", "fine"), [("exit 0", True), ("echo no >&2; exit 4", False)])
def test_nmcli_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, fine: bool) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    program = tmp_path / "nmcli"
    program.write_text(f"#!/bin/sh\n{words}\n")
    program.chmod(0o755)
    assert network_manager("connection", "up", PROFILE) is fine
    program.unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert network_manager("connection", "up", PROFILE) is False


def test_a_roller_by_radio_is_no_phone_that_keeps_it_open(tmp_path: Path) -> None:
    table = tmp_path / "arp"
    table.write_text(
        "IP address       HW type     Flags       HW address            Mask     Device\n"
        "10.42.0.17       0x1         0x2         28:cd:c1:00:00:01     *        wlan0\n"
    )
    assert somebody_is_in(table)
    assert not somebody_is_in(table, apart_from=["10.42.0.17"])


@pytest.mark.parametrize(
    ("wanted", "addresses", "devices", "state", "words"),
    [
        (False, [], None, "ok", "switched off"),
        (True, [ADDRESS], None, "ok", "has opened its own: Attic"),
        (True, ["192.168.1.7"], None, "missing", "NetworkManager does not answer"),
        (True, ["192.168.1.7"], "ethernet\nloopback\n", "missing", "no Wi-Fi"),
        (True, ["192.168.1.7"], "wifi\nwifi-p2p\n", "ok", "opens as Attic"),
        (True, [], "wifi-p2p\n", "missing", "no Wi-Fi"),
    ],
)
def test_the_doctor_says_whether_it_can_be_opened(
    wanted: bool, addresses: list[str], devices: str | None, state: str, words: str
) -> None:
    part = access_point_part(wanted, "Attic", addresses, lambda: devices)
    assert (part.name, part.state) == ("own Wi-Fi", state)
    assert words in part.says
