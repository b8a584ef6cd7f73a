"""The real board: an RP2040 or RP2350 with MicroPython. The hardware's own modules are imported here only."""

import gc
import os
import select
import sys
import time

from . import settings
from .app import Roller
from .fair import Pool, to_hex
from .seams import Board, GuardedScreen, NoScreen, Screen

LEAVE_MS = 5000  # the button held for so long at power-up leaves the board to its owner
BACK_MS = 600_000  # and after so long it is a roller again, in case it was only a bag that pressed it
MOST_BYTES_A_TURN = 64


class PicoBoard(Board):
    """USB serial on standard input and output, a button to ground, the chip's own generator and watchdog."""

    extras = ("pool",)

    def __init__(self) -> None:
        import machine

        self._uid = to_hex(machine.unique_id())
        self._button = machine.Pin(settings.BUTTON_PIN, machine.Pin.IN, machine.Pin.PULL_UP)
        self._watchdog = None
        self._machine = machine
        self._last = time.ticks_ms()  # type: ignore[attr-defined]
        moment = getattr(time, "ticks_us", time.ticks_ms)  # type: ignore[attr-defined]
        self._pool = Pool(os.urandom, moment)
        self._input = sys.stdin.buffer
        self._waiting = select.poll()
        self._waiting.register(self._input, select.POLLIN)

    def start_watchdog(self) -> None:
        """From now on the loop must turn, or the board restarts."""
        if settings.WATCHDOG_MS:
            self._watchdog = self._machine.WDT(timeout=settings.WATCHDOG_MS)

    def lap_ms(self) -> int:
        """Milliseconds since the last call; the board's counter wraps, the difference does not."""
        now = time.ticks_ms()  # type: ignore[attr-defined]
        passed: int = time.ticks_diff(now, self._last)  # type: ignore[attr-defined]
        self._last = now
        return passed

    def read(self) -> bytes:
        """What has arrived. One byte at a time: read(n) would wait for all n on this port."""
        data = b""
        wait_ms = 1
        while len(data) < MOST_BYTES_A_TURN and self._waiting.poll(wait_ms):
            data += self._input.read(1)
            wait_ms = 0
        return data

    def write(self, data: bytes) -> None:
        """Send; with nobody reading, MicroPython gives up after half a second and the host asks again."""
        sys.stdout.buffer.write(data)

    def random(self, count: int) -> bytes:
        """From the chip's ring oscillator, whitened: see `Pool`."""
        return self._pool.take(count)

    def uid(self) -> str:
        """The flash chip's serial number."""
        return self._uid

    def button_down(self) -> bool:
        """Pressed pulls the pin to ground."""
        return not self._button.value()

    def feed_watchdog(self) -> None:
        """The loop turns."""
        if self._watchdog is not None:
            self._watchdog.feed()


def make_screen() -> Screen:
    """The screen that the settings name."""
    import machine

    if settings.SCREEN == "matrix":
        import neopixel

        from .matrix import MatrixScreen

        pixels = neopixel.NeoPixel(machine.Pin(settings.MATRIX_PIN), 64 * settings.DICE_PLACES)
        return MatrixScreen(pixels, settings.DICE_PLACES, settings.BRIGHTNESS, settings.MATRIX_ZIGZAG)
    if settings.SCREEN in ("oled", "sh1106"):
        return GuardedScreen(_make_oled, 8, True)
    return NoScreen()


def _make_oled() -> Screen:
    """A display on the I2C bus; an OSError when none answers there."""
    import machine

    from .oled import OledScreen, Sh1106Screen

    sda, scl = machine.Pin(settings.OLED_SDA_PIN), machine.Pin(settings.OLED_SCL_PIN)
    bus = machine.I2C(settings.OLED_BUS, sda=sda, scl=scl, freq=400_000)
    kind = Sh1106Screen if settings.SCREEN == "sh1106" else OledScreen
    return kind(bus, settings.OLED_ADDRESS)


def run() -> None:
    """Roll for ever; with the button held at power-up leave the board to its owner instead."""
    import micropython

    board = PicoBoard()
    if _held(board):
        _come_back()
        return
    micropython.kbd_intr(-1)  # a stray 0x03 on the wire is noise, not Ctrl-C
    roller = Roller(board, make_screen())
    board.start_watchdog()
    while True:
        try:
            roller.step()
        except Exception as fault:  # noqa: BLE001 - the dice go on; what keeps failing ends with the watchdog
            gc.collect()
            roller.survive(fault)


def _held(board: PicoBoard) -> bool:
    """Is the button held at power-up, and long enough to be meant?"""
    for _ in range(LEAVE_MS // 50):
        if not board.button_down():
            return False
        time.sleep(0.05)
    return True


def _come_back() -> None:
    """Restart after a while, unless the owner has put in something else or pulled the plug."""
    import machine

    if hasattr(machine, "Timer"):
        machine.Timer(-1, mode=machine.Timer.ONE_SHOT, period=BACK_MS, callback=lambda _: machine.reset())
