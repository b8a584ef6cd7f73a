"""The devices of the box, wired to the table: the dice roller (or a virtual one) and the panel.

Whatever is missing is reported as missing, and the table goes on without it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from companion.core.messages import joined, m
from companion.game.base import Action
from companion.service.devices.bluetooth import BluetoothDice
from companion.service.devices.dice import TableDice
from companion.service.devices.dice_policy import DicePolicy
from companion.service.parts import Part
from companion.service.system.settings import Settings
from companion.table.events import Actor
from companion.table.table import Accepted, Refused, Table
from firmware_bridge.exc import NoPseudoPort
from firmware_bridge.log import RollLog
from firmware_bridge.panel import Button, Lamp, Panel, open_panel
from firmware_bridge.ports import PortProvider, SerialWire, usb_ports, with_standby
from firmware_bridge.roller import DiceRoller, RollerState
from firmware_bridge.simulator import VirtualPort
from firmware_bridge.wireless import PAIRED, Air, read_pairings

logger = logging.getLogger(__name__)

PANEL = Actor("host", name="panel")
ROLL_LOG = "rolls.jsonl"
REFUSED_BEEPS = 3


class Devices:
    """Started with the service, stopped with it."""

    def __init__(
        self,
        table: Table,
        folder: Path,
        settings: Settings,
        policy: DicePolicy,
        *,
        shutter: Callable[[], str | None] | None = None,
        power: Callable[[], object] | None = None,
        ports: PortProvider | None = None,
    ) -> None:
        self._table = table
        self._shutter = shutter
        self._power = power
        self._virtual = VirtualPort() if settings.roller.virtual else None
        self._bluetooth = BluetoothDice() if settings.roller.bluetooth else None
        named = [*settings.roller.ports, *([self._bluetooth.port] if self._bluetooth else [])]
        provider = ports or usb_ports(named, settings.roller.ignore)
        self._air = _air(folder)
        if self._air is not None:
            provider = self._air.ports(provider)
        opener = SerialWire if self._air is None else self._air.opener()
        self._no_virtual = ""
        if self._virtual is not None:
            try:
                provider = with_standby(provider, self._virtual.plug())
            except NoPseudoPort as problem:  # no roller stands by then: the table throws by itself
                self._virtual, self._no_virtual = None, problem.message
                logger.warning("%s", problem)
        self.dice = TableDice(
            table,
            DiceRoller(provider, log=RollLog(folder / ROLL_LOG), opener=opener),
            policy,
            self._roller_changed,
            self._heard,
        )
        self._panel_on = settings.panel.on
        self.panel: Panel = open_panel(settings.panel, self._handlers())
        self._stopped = threading.Event()

    def start(self) -> None:
        """Start looking for dice and panel, and light the panel's ready lamp."""
        if self._bluetooth is not None:
            self._bluetooth.start()
        self.dice.start()
        self.panel.start()
        self.panel.lamp(Lamp.READY)

    def stop(self) -> None:
        """Release all devices; may be called more than once."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        self.dice.stop()
        if self._air is not None:
            self._air.close()
        self.panel.stop()
        if self._virtual is not None:
            self._virtual.unplug()
        if self._bluetooth is not None:
            self._bluetooth.stop()

    @property
    def addresses(self) -> frozenset[str]:
        """The network addresses of rollers by radio, which are not phones."""
        return self._air.addresses if self._air is not None else frozenset()

    def parts(self) -> list[Part]:
        """Report the state of the devices."""
        bluetooth = [self._bluetooth.part()] if self._bluetooth else []
        return [self._roller_part(self.dice.roller.state()), *bluetooth, self._panel_part()]

    # The roller

    def _roller_part(self, state: RollerState) -> Part:
        if not state.connected:
            says = joined(" ", filter(None, [state.sentence, self._no_virtual]))
            return Part(m("roller"), "missing", says, m("the box throws virtual dice meanwhile"))
        if state.standby:
            says = (
                m("Virtual dice for now. {trouble}", trouble=state.trouble)
                if state.trouble
                else m("Virtual dice: no dice roller is plugged in.")
            )
            return Part(m("roller"), "missing", says, "docs/hardware.md")
        unused = [m("Thrown, not used: {unused}.", unused=one) for one in self.dice.unused[:1]]
        return Part(m("roller"), "ok", joined(" ", [state.sentence, *unused]))

    def _roller_changed(self, state: RollerState) -> None:
        logger.info("Dice roller: %s", state.sentence)

    # The panel

    def _handlers(self) -> dict[Button, Callable[[], object]]:
        return {
            Button.ROLL: self._roll_pressed,
            Button.UNDO: self._undo_pressed,
            Button.SHUTTER: self._shutter_pressed,
            Button.POWER: self._power_held,
        }

    def _panel_part(self) -> Part:
        return panel_part(self.panel, self._panel_on)

    def _roll_pressed(self) -> None:
        self._heard(self.dice.roll(PANEL))

    def _undo_pressed(self) -> None:
        self._heard(self._table.submit(Action("undo"), PANEL))

    def _shutter_pressed(self) -> None:
        if self._shutter is None:
            problem: str = m("there is no camera")
        else:
            self.panel.lamp(Lamp.BUSY)
            problem = self._shutter() or ""
        if problem:
            logger.warning("The shutter was pressed in vain: %s", problem)
        self.panel.lamp(Lamp.TROUBLE if problem else Lamp.READY)  # trouble stays until something works
        self.panel.beep(REFUSED_BEEPS if problem else 1)

    def _power_held(self) -> None:
        self.panel.beep()
        self.panel.lamp(Lamp.BUSY)
        if self._power is not None:
            self._power()

    def _heard(self, answer: Accepted | Refused) -> None:
        """Beep once for success, three times for failure (the reason is on the screens)."""
        if isinstance(answer, Refused):
            logger.info("A button was pressed in vain: %s", answer.message)
        else:
            self.panel.lamp(Lamp.READY)
        self.panel.beep(REFUSED_BEEPS if isinstance(answer, Refused) else 1)


def _air(folder: Path) -> Air | None:
    """Listen for rollers by radio, but only if one is paired: otherwise no port is opened."""
    pairings = read_pairings(folder / PAIRED)
    if not pairings:
        return None
    try:
        return Air(pairings)
    except OSError as problem:
        logger.warning("No roller by Wi-Fi: its port is taken by another program (%s)", problem)
        return None


def panel_part(panel: Panel, on: bool) -> Part:
    """Report the state of the panel, naming each pin that another program uses."""
    if not on:
        says = m("Buttons and lamps are switched off in the settings.")
        return Part(
            m("panel"), "missing", says, m("wired? All settings, Buttons and lamps; docs/hardware.md")
        )
    if panel.faults and panel.is_there:
        return Part(m("panel"), "bad", joined("; ", panel.faults), m("choose another pin in the settings"))
    if panel.faults:
        return Part(
            m("panel"),
            "missing",
            m("No buttons or lamps: {faults}.", faults=panel.faults[0]),
            "docs/hardware.md",
        )
    return Part(m("panel"), "ok", m("Buttons and lamps are ready."))
