"""The panel on gpiozero's mock pins, with a clock that is turned by hand."""

import importlib.util
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from firmware_bridge.panel import Button, Debouncer, Lamp, Panel, PanelSettings, open_panel
from firmware_bridge.pin_holders import holder_of
from firmware_bridge.pin_library import let_lgpio_in

PINS = PanelSettings()


@pytest.fixture
def pins() -> Iterator[Any]:
    before, factory = gpiozero.Device.pin_factory, MockFactory()
    gpiozero.Device.pin_factory = factory
    yield factory
    factory.close()
    gpiozero.Device.pin_factory = before


class Table:
    """A panel, and what its buttons did."""

    def __init__(self, pins: Any) -> None:
        self.pins = pins
        self.now = 100.0
        self.done: list[Button] = []
        handlers = {button: lambda button=button: self.done.append(button) for button in Button}
        self.panel = Panel(PINS, handlers, clock=lambda: self.now)

    def level(self, button: Button, down: bool) -> None:
        pin = self.pins.pin(PINS.pin_of(button))
        if down:
            pin.drive_low()
        else:
            pin.drive_high()

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 100)):
            self.panel.poll()
            self.now += 0.01


@pytest.fixture
def table(pins: Any) -> Iterator[Table]:
    table = Table(pins)
    yield table
    table.panel.stop()


@pytest.mark.parametrize("button", [Button.SHUTTER, Button.ROLL, Button.UNDO])
def test_a_press_counts_once_however_long(table: Table, button: Button) -> None:
    table.level(button, down=True)
    table.wait(2.0)
    assert table.done == [button]
    table.level(button, down=False)
    table.wait(0.1)
    table.level(button, down=True)
    table.wait(0.1)
    assert table.done == [button, button]


def test_bounces_count_once(table: Table) -> None:
    for _ in range(5):
        table.level(Button.ROLL, down=True)
        table.wait(0.01)
        table.level(Button.ROLL, down=False)
        table.wait(0.01)
    assert table.done == []
    table.level(Button.ROLL, down=True)
    table.wait(0.1)
    assert table.done == [Button.ROLL]


def test_power_needs_three_seconds(table: Table) -> None:
    table.level(Button.POWER, down=True)
    table.wait(2.9)
    table.level(Button.POWER, down=False)
    table.wait(1.0)
    assert table.done == []
    table.level(Button.POWER, down=True)
    table.wait(3.1)
    assert table.done == [Button.POWER]
    table.wait(10)
    assert table.done == [Button.POWER]


def test_two_buttons_at_once(table: Table) -> None:
    table.level(Button.SHUTTER, down=True)
    table.level(Button.ROLL, down=True)
    table.wait(0.1)
    assert set(table.done) == {Button.SHUTTER, Button.ROLL}


def lit(pins: Any, number: int | None) -> bool:
    return bool(pins.pin(number).state)


def soon(true: Callable[[], bool]) -> None:
    for _ in range(5000):
        if true():
            return
        threading.Event().wait(0.001)
    raise AssertionError("not within five seconds")


def test_the_work_lamps_are_lit_one_by_one_and_go_out_after_an_error(table: Table) -> None:
    lamps = (PINS.left_lamp, PINS.right_lamp)
    assert table.panel.has_two_lamps
    with table.panel.lit(left=True):
        assert [lit(table.pins, pin) for pin in lamps] == [True, False]
    with pytest.raises(ValueError, match=r"\[True, True\]"), table.panel.lit(left=True, right=True):
        raise ValueError([lit(table.pins, pin) for pin in lamps])
    assert [lit(table.pins, pin) for pin in lamps] == [False, False]


def test_lamps_that_are_kept_lit_give_way_to_a_picture_and_come_back(table: Table) -> None:
    lamps = (PINS.left_lamp, PINS.right_lamp)
    assert table.panel.work_lamps == ("left", "right")
    assert not table.panel.kept_lit
    table.panel.keep_lit(left=True, right=True)
    assert table.panel.kept_lit == ("left", "right")
    with table.panel.lit(right=True):
        assert [lit(table.pins, pin) for pin in lamps] == [False, True]
    assert [lit(table.pins, pin) for pin in lamps] == [True, True]
    table.panel.keep_lit(left=False, right=False)
    assert [lit(table.pins, pin) for pin in lamps] == [False, False]
    assert not table.panel.kept_lit


def test_the_status_lamp_shows_each_state(table: Table) -> None:
    table.panel.lamp(Lamp.READY)
    assert lit(table.pins, PINS.status_lamp)
    table.panel.lamp(Lamp.OFF)
    assert not lit(table.pins, PINS.status_lamp)
    for state in (Lamp.BUSY, Lamp.TROUBLE, Lamp.SAFE_TO_UNPLUG):
        table.panel.lamp(state)
        soon(lambda: lit(table.pins, PINS.status_lamp))  # gpiozero blinks from a thread
        table.panel.lamp(Lamp.OFF)
        assert not lit(table.pins, PINS.status_lamp)


def test_the_buzzer_beeps_without_waiting(table: Table) -> None:
    table.panel.beep(2, 0.001)
    table.panel._outputs["buzzer"]._blink_thread.join(5)
    states = [bool(state.state) for state in table.pins.pin(PINS.buzzer).states]
    assert states == [False, True, False, True, False]


def test_a_button_whose_action_fails_does_not_silence_the_others(
    pins: Any, caplog: pytest.LogCaptureFixture
) -> None:
    done: list[str] = []
    now = [0.0]

    def broken() -> None:
        raise OSError("no camera")

    panel = Panel(
        PINS, {Button.SHUTTER: broken, Button.ROLL: lambda: done.append("roll")}, clock=lambda: now[0]
    )
    for pin in (PINS.shutter, PINS.roll):
        pins.pin(pin).drive_low()
    for _ in range(10):
        panel.poll()
        now[0] += 0.01
    panel.stop()
    assert done == ["roll"]
    assert "What a panel button started has failed" in caplog.text


def test_its_own_thread_watches_the_buttons(pins: Any) -> None:
    pressed = threading.Event()
    panel = open_panel(PINS, {Button.ROLL: pressed.set})
    panel.start(period=0.001)
    pins.pin(PINS.roll).drive_low()
    assert pressed.wait(5)
    panel.stop()
    panel.stop()


def test_pins_are_given_back(pins: Any) -> None:
    for _ in range(2):
        Panel(PINS, {Button.ROLL: bool}).stop()


def test_without_gpio_there_is_one_line_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "")
    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", no_factory)
    with caplog.at_level(logging.INFO):
        panel = open_panel(PINS, {Button.ROLL: bool})
    assert [record.getMessage() for record in caplog.records] == [
        "The panel is switched off: this machine has no GPIO pins."
    ]
    assert panel.faults == ["this machine has no GPIO pins"]
    panel.start()
    panel.poll()
    panel.lamp(Lamp.BUSY)
    panel.beep()
    with panel.lit(left=True, right=True):
        assert not panel.has_two_lamps
    panel.stop()


def no_factory() -> None:
    raise gpiozero.exc.BadPinFactory("Unable to load any default pin factory!")


def test_a_pin_that_somebody_holds_is_told_of_and_the_others_work(
    pins: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    class BusyError(Exception):
        """As lgpio's own error, which is none of gpiozero's."""

    real = gpiozero.LED

    def led(pin: int) -> Any:
        if pin == PINS.left_lamp:
            raise BusyError("GPIO busy")
        return real(pin)

    monkeypatch.setattr(gpiozero, "LED", led)
    monkeypatch.setattr("firmware_bridge.panel.holder_of", lambda pin: "i2s")
    panel = open_panel(PINS, {Button.ROLL: bool})
    assert panel.faults == ["the left lamp at GPIO 20 cannot be used: i2s holds that pin"]
    assert "i2s holds that pin" in caplog.text
    assert panel.work_lamps == ("right",)
    panel.stop()
    monkeypatch.setattr("firmware_bridge.panel.holder_of", lambda pin: "")
    panel = open_panel(PINS, {})
    assert panel.faults == ["the left lamp at GPIO 20 cannot be used: GPIO busy"]
    panel.stop()


def test_a_panel_that_is_off_touches_no_pin(pins: Any) -> None:
    panel = open_panel(PanelSettings(on=False), {Button.ROLL: bool})
    assert not panel.is_there
    assert panel.faults == []
    assert not pins.pins
    panel.stop()


def test_on_a_pi_without_its_library_the_cure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", no_factory)
    monkeypatch.setattr("firmware_bridge.panel.is_raspberry", lambda: True)
    panel = open_panel(PINS, {})
    assert panel.faults == ["this Pi's pins cannot be used: sudo apt install python3-lgpio"]


def test_the_systems_library_is_let_into_a_virtual_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert let_lgpio_in(tmp_path) is (importlib.util.find_spec("lgpio") is not None)
    (tmp_path / "lgpio.py").write_text("raise ImportError('of another Python')\n")
    assert not let_lgpio_in(tmp_path)
    (tmp_path / "lgpio.py").write_text("SBC = 5\n")
    before = list(sys.path)
    try:
        assert let_lgpio_in(tmp_path)
        assert sys.modules["lgpio"].SBC == 5
    finally:
        sys.modules.pop("lgpio", None)
    assert sys.path == before


def test_a_machine_that_tells_nothing_of_its_pins(tmp_path: Path) -> None:
    assert holder_of(20, tmp_path) == ""
    (tmp_path / "gpiochip0").write_text("no device")
    assert holder_of(20, tmp_path) == ""


def test_parts_that_are_not_there_are_left_out(pins: Any) -> None:
    panel = Panel(PanelSettings(buzzer=None, roll=None), {Button.ROLL: bool, Button.UNDO: bool})
    panel.beep()
    assert len(panel._keys) == 1
    panel.stop()


def test_a_level_must_hold_to_be_believed() -> None:
    debouncer = Debouncer(0.03)
    levels = [0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    seen = [(t, debouncer.see(bool(level), t / 100)) for t, level in enumerate(levels)]
    assert [t for t, changed in seen if changed] == [6, 11]
