"""Buttons, lamps and buzzer on the box, through gpiozero.

    panel = open_panel(PanelSettings(), {Button.ROLL: roll, Button.SHUTTER: take_picture})
    panel.start()
    panel.lamp(Lamp.READY)
    with panel.lit(left=True):
        ...                      # one picture with the light from the left
    panel.stop()

Debouncing is done here and not by gpiozero, whose pin drivers each do it differently or not at all. Without
GPIO the panel is there all the same and does nothing.
"""

from __future__ import annotations

import logging
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Any

import gpiozero

from companion.core.messages import m
from firmware_bridge.pin_holders import holder_of
from firmware_bridge.pin_library import ADVICE, is_raspberry, let_lgpio_in

logger = logging.getLogger(__name__)
SIDES = ("left", "right")


_PARTS = {
    "shutter_button": m("shutter button"),
    "roll_button": m("roll button"),
    "undo_button": m("undo button"),
    "power_button": m("power button"),
    "status_lamp": m("status lamp"),
    "left_lamp": m("left lamp"),
    "right_lamp": m("right lamp"),
    "buzzer": m("buzzer"),
}


class Button(Enum):
    """What can be pressed; the power button counts when it was held for three seconds."""

    SHUTTER = "shutter"
    ROLL = "roll"
    UNDO = "undo"
    POWER = "power"


class Lamp(Enum):
    """What the status lamp says, as seconds lit and seconds dark; None is always."""

    OFF = (0.0, None)
    READY = (None, 0.0)
    BUSY = (0.5, 0.5)
    TROUBLE = (0.1, 0.1)
    SAFE_TO_UNPLUG = (0.05, 2.0)


@dataclass(frozen=True)
class PanelSettings:
    """Pins are the Pi's GPIO numbers (BCM); None for a part that is not there. Buttons pull to ground."""

    shutter: int | None = 5
    roll: int | None = 6
    undo: int | None = 13
    power: int | None = 19
    status_lamp: int | None = 16
    left_lamp: int | None = 20
    right_lamp: int | None = 21
    buzzer: int | None = 26
    settle_seconds: float = 0.03
    hold_seconds: float = 3.0
    on: bool = True  # False: nothing is wired, so no pin is touched

    def pins(self) -> dict[str, int | None]:
        """The pin of each part."""
        names = ("shutter", "roll", "undo", "power", "status_lamp", "left_lamp", "right_lamp", "buzzer")
        return {name: getattr(self, name) for name in names}

    def pin_of(self, button: Button) -> int | None:
        """The pin of a button."""
        pin: int | None = getattr(self, button.value)
        return pin


Handlers = Mapping[Button, Callable[[], object]]


class Debouncer:
    """Believes a level once it has held for a while."""

    def __init__(self, settle_seconds: float) -> None:
        self.pressed = False
        self.since = 0.0  # when the believed level began
        self._settle = settle_seconds
        self._level = False
        self._level_since = 0.0

    def see(self, level: bool, now: float) -> bool:
        """Take a look at the level; True when the believed one just changed."""
        if level != self._level:
            self._level, self._level_since = level, now
        if self._level == self.pressed or now - self._level_since < self._settle:
            return False
        self.pressed, self.since = self._level, now
        return True


class Key:
    """One button with what to do when it is pressed, or has been held."""

    def __init__(self, device: Any, action: Callable[[], object], settle: float, hold: float | None) -> None:
        self._device = device
        self._action = action
        self._debouncer = Debouncer(settle)
        self._hold = hold
        self._armed = False

    @property
    def held(self) -> bool:
        """True while the button is down but not yet held long enough."""
        return self._armed

    def poll(self, now: float) -> bool:
        """Look at the button; True when its action is due."""
        if self._debouncer.see(bool(self._device.is_active), now):
            self._armed = self._debouncer.pressed
        if not self._armed or now - self._debouncer.since < (self._hold or 0.0):
            return False
        self._armed = False
        return True

    def act(self) -> None:
        """Do what the button is for."""
        self._action()

    def close(self) -> None:
        """Release the button's GPIO pin."""
        self._device.close()


class Panel:
    """The panel; every method works without hardware too, and then does nothing."""

    def __init__(
        self, settings: PanelSettings, handlers: Handlers, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._settings = settings
        self._outputs: dict[str, Any] = {}
        self._keys: list[Key] = []
        self._kept_lit = dict.fromkeys(SIDES, False)
        self.faults: list[str] = []  # a sentence for each part whose pin cannot be used
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        try:
            self._open(handlers)
        except BaseException:
            self.close()
            raise

    def start(self, period: float = 0.01) -> None:
        """Watch the buttons from a thread of its own."""
        if not self._keys:
            return
        self._thread = threading.Thread(target=self._watch, args=(period,), name="panel", daemon=True)
        self._thread.start()

    def poll(self) -> None:
        """Look at all buttons once and do what is due."""
        now = self._clock()
        for key in self._keys:
            if key.poll(now):
                self._act(key)

    def stop(self) -> None:
        """Switch everything off and release all pins."""
        self._stop.set()
        if self._thread and self._thread is not threading.current_thread():
            self._thread.join(1.0)
        self.close()

    def close(self) -> None:
        """Give the pins back."""
        for device in [*self._keys, *self._outputs.values()]:
            device.close()
        self._keys, self._outputs = [], {}

    # Lamps and buzzer

    def lamp(self, shows: Lamp) -> None:
        """Set the status lamp."""
        lamp = self._outputs.get("status_lamp")
        if lamp is None:
            return
        lit, dark = shows.value
        if lit is None:
            lamp.on()
        elif dark is None:
            lamp.off()
        else:
            lamp.blink(lit, dark)

    @contextmanager
    def lit(self, *, left: bool = False, right: bool = False) -> Iterator[None]:
        """Light the table from these sides for one picture, then as before.

        Pictures lit from two sides have no glare in common.
        """
        self._shine({"left": left, "right": right})
        try:
            yield
        finally:
            self._shine(self._kept_lit)

    def shine(self, *, left: bool, right: bool) -> None:
        """Light one picture from these sides; from neither: as it was kept before."""
        wanted = {"left": left, "right": right}
        self._shine(wanted if left or right else self._kept_lit)

    def keep_lit(self, *, left: bool, right: bool) -> None:
        """Light the table from these sides until told otherwise."""
        self._kept_lit = {"left": left, "right": right}
        self._shine(self._kept_lit)

    @property
    def kept_lit(self) -> tuple[str, ...]:
        """The sides from which the table is lit, of the lamps that are there."""
        return tuple(side for side in self.work_lamps if self._kept_lit[side])

    @property
    def work_lamps(self) -> tuple[str, ...]:
        """The sides on which there is a lamp."""
        return tuple(side for side in SIDES if f"{side}_lamp" in self._outputs)

    def _shine(self, wanted: Mapping[str, bool]) -> None:
        for side in self.work_lamps:
            self._outputs[f"{side}_lamp"].value = wanted[side]

    @property
    def is_there(self) -> bool:
        """True if any button or lamp is connected."""
        return bool(self._keys or self._outputs)

    @property
    def has_two_lamps(self) -> bool:
        """Return True if both work lamps are there, so that two differently lit pictures can be taken."""
        return self.work_lamps == SIDES

    def beep(self, times: int = 1, seconds: float = 0.08) -> None:
        """Buzz shortly, so often, without waiting for it."""
        buzzer = self._outputs.get("buzzer")
        if buzzer is not None:
            buzzer.beep(seconds, seconds, times, background=True)

    # Inside

    def _open(self, handlers: Handlers) -> None:
        settings = self._settings
        outputs = {"status_lamp": gpiozero.LED, "left_lamp": gpiozero.LED, "right_lamp": gpiozero.LED}
        for name, kind in {**outputs, "buzzer": gpiozero.Buzzer}.items():
            pin = getattr(settings, name)
            device = self._part(name, pin, kind) if pin is not None else None
            if device is not None:
                self._outputs[name] = device
        for button, action in handlers.items():
            pin = settings.pin_of(button)
            device = self._part(f"{button.value}_button", pin, _button) if pin is not None else None
            if device is not None:
                hold = settings.hold_seconds if button is Button.POWER else None
                self._keys.append(Key(device, action, settings.settle_seconds, hold))

    def _part(self, name: str, pin: int, kind: Callable[[int], Any]) -> Any | None:
        """One part at its pin. One that cannot be had is told of, and the others work all the same."""
        try:
            return kind(pin)
        except gpiozero.exc.BadPinFactory:
            raise
        except Exception as fault:  # noqa: BLE001 - the libraries for pins throw errors of their own
            holder = holder_of(pin)
            why = (
                m("{holder} holds that pin", holder=holder) if holder else str(fault) or type(fault).__name__
            )
            says = m("the {part} at GPIO {pin} cannot be used: {why}", part=_PARTS[name], pin=pin, why=why)
            logger.warning("On the panel, %s.", says)
            self.faults.append(says)
            return None

    def _act(self, key: Key) -> None:
        try:
            key.act()
        except Exception:
            logger.exception("What a panel button started has failed")

    def _watch(self, period: float) -> None:
        while not self._stop.wait(period):
            self.poll()


def open_panel(
    settings: PanelSettings, handlers: Handlers, *, clock: Callable[[], float] = time.monotonic
) -> Panel:
    """The panel of this machine; without GPIO one that does nothing, and one line in the log."""
    if not settings.on:
        return Panel(NO_PINS, {}, clock=clock)
    raspberry = is_raspberry()
    if raspberry:
        let_lgpio_in()
    fault = (
        m("this Pi's pins cannot be used: {advice}", advice=ADVICE)
        if raspberry
        else m("this machine has no GPIO pins")
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", gpiozero.exc.PinFactoryFallback)  # one line is enough
            return Panel(settings, handlers, clock=clock)
    except gpiozero.exc.BadPinFactory:
        logger.warning("The panel is switched off: %s.", fault)
    panel = Panel(NO_PINS, {}, clock=clock)
    panel.faults.append(fault)
    return panel


def _button(pin: int) -> Any:
    return gpiozero.InputDevice(pin, pull_up=True)


NO_PINS = PanelSettings(
    shutter=None,
    roll=None,
    undo=None,
    power=None,
    status_lamp=None,
    left_lamp=None,
    right_lamp=None,
    buzzer=None,
)
