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
from .wireless import PORT, Radio, TwoWires, Wireless, key_of

LEAVE_MS = 5000  # the button held for so long at power-up leaves the board to its owner
BACK_MS = 600_000  # and after so long it is a roller again, in case it was only a bag that pressed it
MOST_BYTES_A_TURN = 64
NETWORK_MS = 15_000  # for joining one, before the next is tried
BROADCAST = 0x20  # the option of sockets, which older MicroPythons do not name
ALWAYS_AWAKE = 0xA11140  # for the radio's power: asleep it would answer a tenth of a second late


class PicoBoard(Board):
    """USB serial on standard input and output, a button to ground, the chip's own generator and watchdog."""

    extras: "tuple[str, ...]" = ("pool",)

    def __init__(self) -> None:
        import machine

        self._uid = to_hex(machine.unique_id())
        self._button = machine.Pin(settings.BUTTON_PIN, machine.Pin.IN, machine.Pin.PULL_UP)
        self._watchdog = None
        self._machine = machine
        self._last = time.ticks_ms()  # type: ignore[attr-defined]
        self._now = 0
        moment = getattr(time, "ticks_us", time.ticks_ms)  # type: ignore[attr-defined]
        self._pool = Pool(os.urandom, moment)
        self._input = sys.stdin.buffer
        self._waiting = select.poll()
        self._waiting.register(self._input, select.POLLIN)
        self._wires = _two_wires(self)
        if self._wires is not None:
            self.extras = ("pool", "wifi")

    def start_watchdog(self) -> None:
        """From now on the loop must turn, or the board restarts."""
        if settings.WATCHDOG_MS:
            self._watchdog = self._machine.WDT(timeout=settings.WATCHDOG_MS)

    def lap_ms(self) -> int:
        """Milliseconds since the last call; the board's counter wraps, the difference does not."""
        now = time.ticks_ms()  # type: ignore[attr-defined]
        passed: int = time.ticks_diff(now, self._last)  # type: ignore[attr-defined]
        self._last = now
        self._now += passed
        return passed

    def read(self) -> bytes:
        """What has arrived. One byte at a time: read(n) would wait for all n on this port."""
        data = b""
        wait_ms = 1
        while len(data) < MOST_BYTES_A_TURN and self._waiting.poll(wait_ms):
            data += self._input.read(1)
            wait_ms = 0
        return data if self._wires is None else self._wires.read(data, self._now)

    def write(self, data: bytes) -> None:
        """Send; with nobody reading, MicroPython gives up after half a second and the host asks again."""
        if self._wires is None or not self._wires.take(data):
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
        """Tell the watchdog that the main loop still runs."""
        if self._watchdog is not None:
            self._watchdog.feed()


class PicoRadio(Radio):
    """The radio of a Pico W."""

    def __init__(self) -> None:
        """An ImportError on a board that has none."""
        import socket

        import network  # type: ignore[import-not-found]

        self._kind = socket
        self._socket = self._new_socket()  # type: ignore[no-untyped-call]
        self._joined = False
        self._wlan = network.WLAN(network.STA_IF)
        self._wlan.active(True)
        self._wlan.config(pm=getattr(network.WLAN, "PM_NONE", ALWAYS_AWAKE))
        self._next = 0
        self._join_at = 0

    def is_up(self, now: int) -> bool:
        """In a network? If not, the next one is tried."""
        if self._wlan.isconnected():
            self._joined = True
            return True
        if self._joined:  # a socket keeps the address of the network that is gone
            self._joined = False
            self._socket.close()
            self._socket = self._new_socket()  # type: ignore[no-untyped-call]
        if now >= self._join_at:
            name, password = settings.WIFI[self._next % len(settings.WIFI)]
            self._next, self._join_at = self._next + 1, now + NETWORK_MS
            self._wlan.disconnect()
            self._wlan.connect(name, password or None)  # none: an open network
        return False

    def _new_socket(self):  # type: ignore[no-untyped-def]
        kind = self._kind
        made = kind.socket(kind.AF_INET, kind.SOCK_DGRAM)
        made.setsockopt(kind.SOL_SOCKET, getattr(kind, "SO_BROADCAST", BROADCAST), 1)
        made.setblocking(False)
        return made

    def send(self, data: bytes, address: object) -> None:
        """What cannot be sent is lost, as it may be on its way: the lines are asked for again."""
        try:
            self._socket.sendto(data, address or (settings.WIFI_BOX, PORT))
        except OSError:
            return

    def hear(self) -> "tuple[bytes, object] | None":
        """The next datagram; None when there is none."""
        try:
            heard: tuple[bytes, object] = self._socket.recvfrom(1500)
        except OSError:
            return None
        return heard


def _two_wires(board: "PicoBoard") -> "TwoWires | None":
    """With Wi-Fi in the settings, and a board that has it."""
    if not settings.WIFI or not settings.WIFI_KEY:
        return None
    try:
        radio = PicoRadio()
    except ImportError:
        return None
    return TwoWires(Wireless(radio, key_of(settings.WIFI_KEY), board.uid(), board.random))


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
    """Return True if the button is held at power-up for long enough to be deliberate."""
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
