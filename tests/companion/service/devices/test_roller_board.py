"""The roller's display between matches: a code that leads to the pages, the address, the PIN's state."""

from __future__ import annotations

import threading
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.service.devices.roller_board import RollerBoard, board_lines, board_picture, folded
from firmware_bridge.firmware.roller.oled import OledScreen, Sh1106Screen
from firmware_bridge.ports import ports_like
from firmware_bridge.roller import DiceRoller
from firmware_bridge.simulator import VirtualPort, VirtualRoller
from tests.companion.service.waiting import until


def seen(dots: bytes) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    pages = np.frombuffer(dots, np.uint8).reshape(8, 1, 128)
    rows = (pages >> np.arange(8).reshape(1, 8, 1)) & 1
    return np.asarray(255 * rows.reshape(64, 128), np.uint8)


@pytest.mark.parametrize(
    "link", ["http://192.168.1.20/", "http://192.168.100.200:8080/", "http://10.42.0.1/"]
)
@pytest.mark.parametrize("setup", ["open", "done"])
def test_a_phone_reads_the_code(link: str, setup: str) -> None:
    address, *lines = board_lines([link], setup, "The attic")
    big = cv2.resize(seen(board_picture(address, lines)), None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
    assert cv2.QRCodeDetector().detectAndDecode(big)[0] == address
    assert address == (f"{link}setup" if setup == "open" else link)


def test_without_a_network_it_says_so() -> None:
    assert board_lines([], "done", "Box") == ("", "no network", "Box")
    assert seen(board_picture("", ["no network"]))[:12].any()


@given(st.text(max_size=60), st.text(max_size=80))
def test_any_name_and_address_is_drawn(name: str, address: str) -> None:
    assert len(board_picture(address, [name])) == 1024


@given(st.text(max_size=60), st.integers(4, 21))
def test_lines_fit(line: str, letters: int) -> None:
    assert all(0 < len(part) <= letters for part in folded(line, letters))


def test_only_what_is_new_is_told() -> None:
    wanted: list[tuple[str, ...]] = [()]
    shown: list[bytes] = []
    board = RollerBoard(lambda: wanted[0], shown.append, threading.Event())
    told = []
    for wanted[0] in ((), ("http://a/", "a"), ("http://a/", "a"), (), ("http://a/", "a"), ("http://b/", "b")):
        told.append(board.look())
    assert told == [False, True, False, False, True, True]
    assert len(shown) == 3


def test_it_is_on_the_rollers_display_until_dice_are_and_comes_back_after_a_restart(tmp_path: Path) -> None:
    virtual = VirtualRoller(seed=3)
    port = VirtualPort(virtual)
    port.plug(tmp_path / "dice")
    roller = DiceRoller(ports_like(str(tmp_path / "dice")))
    roller.start(lambda _: None)
    screen = virtual.screen
    first, second = bytes(range(256)) * 4, bytes(1024)
    try:
        roller.picture(first)
        until(lambda: b"".join(screen.pages[page] for page in sorted(screen.pages)) == first)
        roller.picture(second)
        until(lambda: screen.pages[7] == second[-128:])
        roller.show([("A", 6)])
        until(lambda: virtual.firmware.dice == [("A", 6)])
        roller.picture(first)
        until(lambda: screen.pages[7] == first[-128:])
        frames = screen.frames
        roller.show([("A", 6)])
        until(lambda: screen.frames > frames)  # the same dice, drawn again over the picture
        assert roller.roll([("A", 6)]).faces["A"] < 6
        roller.picture(second)
        until(lambda: screen.pages[7] == second[-128:])
        screen.pages.clear()
        virtual.reboot()
        until(lambda: len(screen.pages) == 8)
    finally:
        roller.stop()
        port.unplug()


class Bus:
    """Takes what a display is told."""

    def __init__(self) -> None:
        self.memory = b""

    def writeto(self, address: int, data: bytes) -> None:
        pass

    def writevto(self, address: int, parts: tuple[bytes, bytes]) -> None:
        self.memory += bytes(parts[1])


@pytest.mark.parametrize("kind", [OledScreen, Sh1106Screen])
def test_both_displays_show_it_dot_by_dot(kind: type[OledScreen]) -> None:
    bus = Bus()
    screen = kind(bus, 0x3C)
    dots = board_picture("http://192.168.1.20/", ["192.168.1.20"])
    for page in range(8):
        screen.page(page, dots[128 * page : 128 * page + 128])
    bus.memory = b""
    screen.flush()
    assert bus.memory == dots
