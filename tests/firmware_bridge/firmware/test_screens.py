"""What the displays show, down to the dots."""

import runpy
from pathlib import Path

import pytest

from firmware_bridge.firmware.roller.app import Roller
from firmware_bridge.firmware.roller.button import SETTLE_MS, Button
from firmware_bridge.firmware.roller.display import FRAME_MS, MOST_GLYPH_SETS, TUMBLE_MS, Display
from firmware_bridge.firmware.roller.faces import face_rows
from firmware_bridge.firmware.roller.matrix import MatrixScreen
from firmware_bridge.firmware.roller.oled import OledScreen, Sh1106Screen
from firmware_bridge.firmware.roller.requests import Refused
from firmware_bridge.firmware.roller.seams import Board, GuardedScreen, NoScreen
from firmware_bridge.simulator import VirtualScreen

SHIM = Path(__file__).parent.parent / "shim"


def drawn(rows: bytes) -> list[str]:
    return ["".join("x" if row & (0x80 >> column) else "." for column in range(8)) for row in rows]


def test_pips_look_like_a_die() -> None:
    assert drawn(face_rows(4, 6)) == [
        "xx....xx",
        "xx....xx",
        "........",
        "...xx...",
        "...xx...",
        "........",
        "xx....xx",
        "xx....xx",
    ]


@pytest.mark.parametrize("value", range(1, 10))
def test_as_many_pips_as_the_value(value: int) -> None:
    assert "".join(drawn(face_rows(value - 1, 9))).count("x") == 4 * value


def test_large_dice_show_figures() -> None:
    assert drawn(face_rows(19, 20)) == [
        "........",
        ".xxx.xxx",
        "...x.x.x",
        ".xxx.x.x",
        ".x...x.x",
        ".xxx.xxx",
        "........",
        "........",
    ]
    assert drawn(face_rows(6, 20))[1:6] == ["...xxx..", ".....x..", ".....x..", "....x...", "....x..."]


def test_all_faces_look_different() -> None:
    for faces in (2, 6, 9, 10, 20, 99):
        assert len({face_rows(face, faces) for face in range(faces)}) == faces


def matrix(places: int, zigzag: bool = False) -> tuple[MatrixScreen, list[tuple[int, int, int]]]:
    pixels = runpy.run_path(str(SHIM / "neopixel.py"))["NeoPixel"](None, 64 * places)
    return MatrixScreen(pixels, places, 16, zigzag), pixels.dots


def test_a_matrix_lights_the_dots_dimly_in_their_colour() -> None:
    screen, dots = matrix(2)
    screen.draw(1, bytes([0x80, 0x01, 0, 0, 0, 0, 0, 0]), (255, 128, 0))
    assert [at for at, dot in enumerate(dots) if dot != (0, 0, 0)] == [64, 64 + 15]
    assert dots[64] == (16, 8, 0)


def test_a_zigzag_matrix_runs_back_in_every_second_row() -> None:
    screen, dots = matrix(1, zigzag=True)
    screen.draw(0, bytes([0x80, 0x80, 0, 0, 0, 0, 0, 0]), (255, 255, 255))
    assert [at for at, dot in enumerate(dots) if dot != (0, 0, 0)] == [0, 15]


class Bus:
    """An I2C bus that remembers."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def writeto(self, address: int, data: bytes) -> None:
        assert address == 0x3C
        self.written.append(bytes(data))

    def writevto(self, address: int, parts: tuple[bytes, ...]) -> None:
        self.writeto(address, b"".join(parts))


def test_an_oled_enlarges_four_times() -> None:
    bus = Bus()
    screen = OledScreen(bus, 0x3C)
    assert bus.written[0][:2] == b"\x00\xae"
    assert not any(bus.written[2][1:]), "cleared before it is switched on"
    assert bus.written[3] == b"\x00\xaf"
    screen.draw(5, bytes([0x80, 0, 0, 0, 0, 0, 0, 0x01]), (1, 2, 3))
    screen.flush()
    picture = bus.written[-1]
    assert (picture[0], len(picture)) == (0x40, 1025)
    lit = {(x, y) for x in range(128) for y in range(64) if picture[1 + 128 * (y // 8) + x] & (1 << y % 8)}
    upper = {(32 + x, 32 + y) for x in range(4) for y in range(4)}
    lower = {(32 + 28 + x, 32 + 28 + y) for x in range(4) for y in range(4)}
    assert lit == upper | lower


def test_an_sh1106_is_sent_page_by_page_two_columns_in() -> None:
    bus = Bus()
    screen = Sh1106Screen(bus, 0x3C)
    screen.draw(4, bytes([0x80, 0, 0, 0, 0, 0, 0, 0]), (1, 2, 3))
    bus.written.clear()
    screen.flush()
    assert bus.written[0::2] == [bytes([0, 0xB0 + page, 2, 0x10]) for page in range(8)]
    pages = bus.written[1::2]
    assert all((page[0], len(page)) == (0x40, 129) for page in pages)
    assert [at for at, page in enumerate(pages) if any(page[1:])] == [4]
    assert pages[4][1:5] == b"\x0f" * 4


class LooseBus(Bus):
    """A wire comes off, and may be put back."""

    def __init__(self) -> None:
        super().__init__()
        self.loose = True

    def writeto(self, address: int, data: bytes) -> None:
        if self.loose:
            raise OSError(5)
        super().writeto(address, data)


def test_a_screen_that_is_not_there_or_comes_loose_stops_nothing() -> None:
    bus = LooseBus()
    screen = GuardedScreen(lambda: OledScreen(bus, 0x3C), 8)
    display = Display(screen)
    assert not display.works
    display.tumble([("A", 6)], [2], now=0)
    for now in range(0, 10_000):
        display.step(now)
        if not display.moving:
            display.tumble([("A", 6)], [2], now)
        if now == 3_000:
            bus.loose = False
        if now == 8_000:
            assert display.works, "it is tried again"
            bus.loose = True
    assert not display.works


def test_a_turn_that_fails_is_survived_and_told() -> None:
    told: list[bytes] = []

    class OneBoard(Board):
        def random(self, count: int) -> bytes:
            return bytes(count)

        def write(self, data: bytes) -> None:
            told.append(data)

    roller = Roller(OneBoard(), NoScreen())
    roller.survive(MemoryError())
    assert told == [], "nobody is there to hear it"
    roller._greeted, roller._heard_at = True, 0
    roller.survive(MemoryError())
    assert b"MemoryError" in told[0]
    assert roller.faults == 2


def test_dice_tumble_and_come_to_rest_at_their_faces() -> None:
    screen = VirtualScreen()
    display = Display(screen)
    display.tumble([("A", 6), ("B", 6)], [2, 4], now=1000)
    at_rest = [now for now in range(1000, 1000 + 2 * TUMBLE_MS) if display.step(now)]
    assert at_rest == [1000 + TUMBLE_MS]
    assert screen.frames == TUMBLE_MS // FRAME_MS + 1
    assert screen.rows[0] == face_rows(2, 6)
    assert screen.rows[1] == face_rows(4, 6)
    assert screen.rows[2] == bytes(8)


def test_pictures_of_too_many_dice_are_refused() -> None:
    display = Display(VirtualScreen())
    for k in range(MOST_GLYPH_SETS):
        display.learn(f"die {k}", 0, [bytes(8)], (1, 1, 1))
    display.learn("die 0", 1, [bytes(8)], (1, 1, 1))
    with pytest.raises(Refused, match="as many as fit"):
        display.learn("one more", 0, [bytes(8)], (1, 1, 1))


def test_a_bouncing_button_counts_once() -> None:
    button, changes = Button(), []
    levels = [(0, False), (1, True), (3, False), (4, True), (100, False), (102, True), (103, False)]
    for now in range(200):
        level = [level for since, level in levels if since <= now][-1]
        changes.append((now, button.step(level, now)))
    assert [change for change in changes if change[1]] == [(4 + SETTLE_MS, "down"), (103 + SETTLE_MS, "up")]
