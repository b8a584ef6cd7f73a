"""The roller and the panel, real code on mock pins and a virtual port, wired to a table."""

from __future__ import annotations

import errno
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import Device as GpioDevice
from gpiozero.pins.mock import MockFactory, MockPin

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.devices.devices import ROLL_LOG, Devices
from companion.service.devices.dice_policy import DicePolicy
from companion.service.system.settings import Settings, read_settings
from companion.table.events import Actor
from companion.table.exc import TableError
from companion.table.store import Store
from companion.table.table import Accepted, Table
from firmware_bridge.exc import NoPseudoPort
from firmware_bridge.panel import PanelSettings
from firmware_bridge.ports import Port
from firmware_bridge.simulator import AirRoller, SocketRadio, VirtualPort, VirtualRoller
from firmware_bridge.wireless import PAIRED, Air, keep_pairing
from tests.companion.service.devices.test_dice import WAIT
from tests.companion.service.waiting import until

HOST = Actor("host")
PINS = PanelSettings()
USUAL = DicePolicy(lambda _: None)


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    before = GpioDevice.pin_factory
    GpioDevice.pin_factory = factory = MockFactory()
    yield factory
    factory.reset()
    GpioDevice.pin_factory = before


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Store(tmp_path) as store:
        table = Table(store, GAMES)
        table.submit(Action("start", data={"game": "railroad-ink", "players": [""]}), HOST)
        yield table


def press(pins: MockFactory, number: int | None) -> MockPin:
    pin = pins.pin(number)
    assert isinstance(pin, MockPin)
    pin.drive_low()
    return pin


def connected(devices: Devices) -> None:
    pause = threading.Event()
    for _ in range(int(WAIT * 20)):
        if devices.dice.roller.state().connected:
            return
        pause.wait(0.05)
    raise AssertionError("the virtual roller was not found")


def test_without_any_hardware_there_are_virtual_dice_and_everything_says_so(
    table: Table, tmp_path: Path
) -> None:
    devices = Devices(table, tmp_path, Settings(), USUAL, ports=lambda: [])
    devices.start()
    try:
        connected(devices)
        assert [(part.name, part.state) for part in devices.parts()] == [
            ("roller", "missing"),
            ("panel", "missing"),
        ]
        assert "Virtual dice" in devices.parts()[0].says
        answer = devices.dice.roll(HOST)
        assert isinstance(answer, Accepted)
        assert answer.event.data["source"]["kind"] == "virtual"
    finally:
        devices.stop()
        devices.stop()
    assert (tmp_path / ROLL_LOG).read_text().count("\n") == 1


def test_a_roller_at_a_port_is_there_though_it_is_the_simulator(table: Table, tmp_path: Path) -> None:
    with VirtualPort() as plugged:
        devices = Devices(table, tmp_path, Settings(), USUAL, ports=lambda: [Port(str(plugged.name))])
        devices.start()
        try:
            until(lambda: devices.parts()[0].state == "ok")
            assert "Virtual dice" not in devices.parts()[0].says
        finally:
            devices.stop()


def test_without_a_pseudo_terminal_the_box_starts_without_a_virtual_roller_and_says_so(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> tuple[int, int]:
        raise OSError(errno.ENODEV, "No such device")

    monkeypatch.setattr("os.openpty", none)
    devices = Devices(table, tmp_path, Settings(), USUAL, ports=lambda: [])
    devices.start()
    try:
        roller = devices.parts()[0]
        assert roller.state == "missing"
        assert "There is no pseudo-terminal for the virtual dice (No such device)." in roller.says
        answer = devices.dice.roll(HOST)
        assert isinstance(answer, Accepted)
        assert answer.event.data["source"]["kind"] == "virtual"
    finally:
        devices.stop()
    with pytest.raises(NoPseudoPort, match="no pseudo-terminal for the virtual dice"):
        VirtualPort().plug()


def test_a_roller_that_is_paired_comes_by_radio_and_others_find_no_door(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Air] = []

    def air(keys: dict[str, bytes]) -> Air:
        made.append(air_of(keys))
        return made[-1]

    monkeypatch.setattr("companion.service.devices.devices.Air", air)
    Devices(table, tmp_path, Settings(), USUAL, ports=lambda: []).stop()
    assert made == [], "nobody is paired"
    keep_pairing(tmp_path / PAIRED, "e6614c311b7e2c2f", bytes(32))
    devices = Devices(table, tmp_path, Settings(), USUAL, ports=lambda: [])
    roller = VirtualRoller(uid="e6614c311b7e2c2f")
    roller.board.extras = ()
    devices.start()
    try:
        with AirRoller(roller, bytes(32), SocketRadio(("127.0.0.1", made[0].port))):
            until(lambda: not devices.dice.roller.state().virtual and devices.dice.roller.state().connected)
            answer = devices.dice.roll(HOST)
            assert isinstance(answer, Accepted)
            assert answer.event.data["source"]["kind"] == "roller"
    finally:
        devices.stop()


def air_of(keys: dict[str, bytes]) -> Air:
    return Air(keys, place=("127.0.0.1", 0))


def test_the_panels_buttons_roll_and_undo(table: Table, tmp_path: Path, pins: MockFactory) -> None:
    subscription = table.subscribe()
    devices = Devices(table, tmp_path, Settings(panel=PINS), USUAL, ports=lambda: [])
    devices.start()
    try:
        connected(devices)
        assert [part.state for part in devices.parts()] == ["missing", "ok"]
        press(pins, PINS.roll)
        assert [event.kind for event in subscription.read(WAIT)] == ["roll"]
        assert table.current
        legal = table.current.game.legal(table.current.state, 1)
        table.submit(legal[0], Actor("player", 1))
        subscription.read(WAIT)
        press(pins, PINS.undo)
        assert [event.kind for event in subscription.read(WAIT)] == ["undo"]
    finally:
        devices.stop()


def test_the_shutter_and_the_power_button_do_what_the_service_gave_them(
    table: Table, tmp_path: Path, pins: MockFactory
) -> None:
    taken, switched_off = threading.Event(), threading.Event()
    quick = Settings(panel=PanelSettings(hold_seconds=0.05))
    devices = Devices(
        table, tmp_path, quick, USUAL, shutter=taken.set, power=switched_off.set, ports=lambda: []
    )
    devices.start()
    try:
        press(pins, PINS.shutter)
        assert taken.wait(WAIT)
        press(pins, PINS.power)
        assert switched_off.wait(WAIT)
    finally:
        devices.stop()


def test_the_shutter_without_a_camera_only_beeps(
    table: Table, tmp_path: Path, pins: MockFactory, caplog: pytest.LogCaptureFixture
) -> None:
    devices = Devices(table, tmp_path, Settings(panel=PINS), USUAL, ports=lambda: [])
    with caplog.at_level("INFO"):
        devices._shutter_pressed()
    devices.stop()
    assert "no camera" in caplog.text


# --- settings ---


def test_no_file_means_everything_is_as_usual(tmp_path: Path) -> None:
    assert read_settings(tmp_path) == Settings()


def test_settings_are_read(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('[roller]\nports = ["/dev/x"]\n[panel]\nshutter = 7\n')
    settings = read_settings(tmp_path)
    assert (settings.roller.ports, settings.panel.shutter, settings.panel.roll) == (("/dev/x",), 7, PINS.roll)


@pytest.mark.parametrize(
    "text", ["[roler]\n", "[roller]\nports = 5\n", "[panel]\nhandle = 3\n", "not toml", "\x00"]
)
def test_a_wrong_setting_is_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.toml").write_text(text)
    with pytest.raises(TableError, match=r"settings\.toml: ."):
        read_settings(tmp_path)
