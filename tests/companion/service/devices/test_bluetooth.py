"""Bluetooth dice at the table: the process behind them, and what a phone that taps Roll is told."""

from __future__ import annotations

import sys
from pathlib import Path

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.languages import said
from companion.service.devices.bluetooth import BluetoothDice
from companion.service.devices.dice import TableDice
from companion.service.devices.dice_policy import DicePolicy
from companion.table.events import Actor
from companion.table.store import Store
from companion.table.table import Refused, Table
from firmware_bridge.bluetooth.hand_roller import HandRoller
from firmware_bridge.ports import ports_like
from firmware_bridge.roller import DiceRoller
from firmware_bridge.simulator import PseudoPort
from tests.companion.service.waiting import until

HOST = Actor("host")


def test_what_is_thrown_by_hand_is_the_roll_of_the_match_and_a_tap_on_roll_says_so(tmp_path: Path) -> None:
    pixels = {"aa": 6, "bb": 6, "cc": 6, "dd": 6}
    hand = HandRoller(pixels)
    port = PseudoPort(hand)
    port.plug(tmp_path / "dice")
    with Store(tmp_path / "table") as store:
        table = Table(store, GAMES)
        table.submit(Action("start", data={"game": "railroad-ink", "players": ["East"]}), HOST)
        dice = TableDice(table, DiceRoller(ports_like(str(tmp_path / "dice"))), DicePolicy(lambda _: None))
        dice.start()
        try:
            until(lambda: dice.roller.state().connected)
            until(lambda: len(hand._firmware.dice) == 4)
            answer = dice.roll(Actor("player", 1))
            assert isinstance(answer, Refused)
            assert answer.message == "these dice are thrown by hand: throw them"
            assert table.current is not None
            names = table.current.game.dice(table.current.state)
            for face, die in enumerate(pixels):
                hand.heard(die, "moving")
                hand.heard(die, face)
            port.wake()
            until(lambda: table.current is not None and table.current.events[-1].kind == "roll")
            event = table.current.events[-1]
            match = table.current
            faces = [match.game.die_faces[name][number] for number, name in enumerate(names)]
            assert event.data["faces"] == faces
            assert event.data["source"]["by"] == "button"
        finally:
            dice.stop()
            port.unplug()


def test_its_last_line_is_how_the_dice_are_and_it_ends_with_the_service() -> None:
    program = (
        "import sys; print('Bluetooth dice: two', flush=True); sys.stdin.read(); print('gone', flush=True)"
    )
    dice = BluetoothDice((sys.executable, "-c", program))
    assert dice.part().state == "missing"
    assert dice.part().says == "Looking for Bluetooth dice"
    assert said(dice.part().says, "de") == "Suche Bluetooth-Würfel"
    dice.start()
    until(lambda: dice.part().state == "ok")
    assert dice.part().says == "Bluetooth dice: two"
    dice.stop()
    assert dice.part().says == "Gone"
    assert not Path(dice.port).parent.exists()
