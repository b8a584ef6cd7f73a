"""Who throws the dice is policy: phones, the panel's button and the roller's own button obey it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from gpiozero import Device as GpioDevice
from gpiozero.pins.mock import MockFactory, MockPin

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.devices.devices import ROLL_LOG, Devices
from companion.service.devices.dice_policy import DICE_SETTING, DicePolicy
from companion.service.service import Service
from companion.service.system.settings import RollerSettings, Settings
from companion.table.events import Actor, Event
from companion.table.feed import Subscription
from companion.table.store import Store
from companion.table.table import Accepted, Refused, Table
from firmware_bridge.log import RollLog
from firmware_bridge.panel import PanelSettings
from firmware_bridge.ports import Port
from firmware_bridge.simulator import VirtualPort, VirtualRoller

WAIT = 20.0


@dataclass
class Box:
    """A service with a match that waits for a roll, a roller and a panel, both pressed by the test."""

    service: Service
    devices: Devices
    port: VirtualPort
    pins: MockFactory
    told: Subscription
    beeps: list[int] = field(default_factory=list)
    beeped: threading.Event = field(default_factory=threading.Event)

    def choose(self, source: str) -> None:
        self.service.store.put_setting(DICE_SETTING, source)

    def roll_on_a_phone(self) -> Accepted | Refused:
        match = self.service.table.current
        assert match is not None
        return self.service.dice.roll(match, Actor("player", 1), "key")

    def press_roll_on_the_panel(self) -> None:
        pin = self.pins.pin(self.devices.panel._settings.roll)
        assert isinstance(pin, MockPin)
        pin.drive_low()

    def press_the_rollers_own_button(self) -> None:
        pause = threading.Event()
        for _ in range(int(WAIT * 20)):
            if self.port.roller.firmware.dice:
                return self.port.roller.press()
            pause.wait(0.05)
        raise AssertionError("the roller was told no dice")

    def next_event(self) -> Event:
        events = list(self.told.read(WAIT))
        assert len(events) == 1, events
        return events[0]

    def nothing_rolled_but_beeped(self) -> bool:
        assert self.beeped.wait(WAIT)
        match = self.service.table.current
        assert match is not None
        return self.beeps == [3] and [event.kind for event in match.events] == ["start"]

    def logged(self) -> int:
        """How many rolls the log keeps; it is written after the table was told."""
        pause = threading.Event()
        for _ in range(int(WAIT * 20)):
            if rolls := list(RollLog(self.service.store.folder / ROLL_LOG).read()):
                return len(rolls)
            pause.wait(0.05)
        return 0


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    factory = MockFactory()
    monkeypatch.setattr(GpioDevice, "pin_factory", factory)
    with VirtualPort(VirtualRoller(seed=5)) as port, Store(tmp_path) as store:
        service = Service(store, Table(store, GAMES))
        settings = Settings(roller=RollerSettings(virtual=False), panel=PanelSettings())
        devices = Devices(
            service.table, tmp_path, settings, service.dice.policy, ports=lambda: [Port(port.name)]
        )
        service.attach(devices)
        data = {"game": "railroad-ink", "players": ["", ""]}
        assert isinstance(service.table.submit(Action("start", data=data), Actor("host")), Accepted)
        made = Box(service, devices, port, factory, service.table.subscribe())

        def beep(times: int = 1) -> None:
            made.beeps.append(times)
            made.beeped.set()

        monkeypatch.setattr(devices.panel, "beep", beep)
        devices.start()
        try:
            pause = threading.Event()
            for _ in range(int(WAIT * 20)):
                if devices.dice.roller.state().connected:
                    break
                pause.wait(0.05)
            yield made
        finally:
            devices.stop()
            service.eye.stop()
    factory.reset()


def by(event: Event) -> str | None:
    """Who made the roller throw; None for the box's own virtual dice."""
    assert event.kind == "roll"
    thrown_by: str | None = event.data["source"].get("by")
    return thrown_by


def test_the_roller_throws_for_everybody(box: Box) -> None:
    answer = box.roll_on_a_phone()
    assert isinstance(answer, Accepted)
    assert by(answer.event) == by(box.next_event()) == "request"


def test_the_roller_throws_for_the_panels_button(box: Box) -> None:
    box.press_roll_on_the_panel()
    assert by(box.next_event()) == "request"
    assert box.beeped.wait(WAIT)
    assert box.beeps == [1]


def test_the_rollers_own_button_is_a_roll(box: Box) -> None:
    box.press_the_rollers_own_button()
    assert by(box.next_event()) == "button"


def test_with_virtual_dice_the_box_throws_for_a_phone(box: Box) -> None:
    box.choose("virtual")
    answer = box.roll_on_a_phone()
    assert isinstance(answer, Accepted)
    assert answer.event.data["source"] == {"kind": "virtual"}


def test_with_virtual_dice_the_box_throws_for_the_panels_button(box: Box) -> None:
    box.choose("virtual")
    box.press_roll_on_the_panel()
    assert box.next_event().data["source"] == {"kind": "virtual"}


@pytest.mark.parametrize("source", ["virtual", "hand"])
def test_a_press_on_the_rollers_own_button_is_no_roll_where_the_roller_does_not_throw(
    box: Box, source: str
) -> None:
    box.choose(source)
    box.press_the_rollers_own_button()
    assert box.nothing_rolled_but_beeped()
    assert box.logged() == 1


def test_at_a_table_that_throws_by_hand_a_phone_is_refused(box: Box) -> None:
    box.choose("hand")
    answer = box.roll_on_a_phone()
    assert isinstance(answer, Refused)
    assert (answer.code, "by hand" in answer.message) == ("hand-dice", True)


def test_at_a_table_that_throws_by_hand_the_panels_button_is_refused(box: Box) -> None:
    box.choose("hand")
    box.press_roll_on_the_panel()
    assert box.nothing_rolled_but_beeped()


def test_dice_thrown_by_hand_are_entered(box: Box) -> None:
    box.choose("hand")
    faces = {"faces": ["NS", "NS", "N*", "NES"]}
    answer = box.service.table.submit(Action("roll", 1, faces), Actor("player", 1))
    assert isinstance(answer, Accepted), answer


def test_the_match_meant_is_the_one_that_rolls(box: Box) -> None:
    first = box.service.table.current
    assert first is not None
    data = {"game": "railroad-ink", "players": [""]}
    box.service.table.submit(Action("start", data=data), Actor("host"))
    answer = box.service.dice.roll(first, Actor("player", 1), None)
    assert isinstance(answer, Accepted)
    assert (answer.event.match, answer.event.data["source"]) == (first.id, {"kind": "virtual"})


def test_an_unknown_choice_in_an_old_database_is_the_usual_one() -> None:
    assert DicePolicy(lambda _: "magic").source == "roller"


def test_one_question_reads_the_hosts_choice_once() -> None:
    """It lies in the database; and whoever asks twice might get two answers."""
    read: list[str] = []

    def setting(key: str) -> str:
        read.append(key)
        return "virtual"

    assert DicePolicy(setting).refusal("roller")
    assert DicePolicy(setting).refusal("box") is None
    assert read == [DICE_SETTING] * 2
