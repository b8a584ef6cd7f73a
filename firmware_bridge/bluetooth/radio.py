"""Finding dice and keeping them connected, with ``bleak``.

It looks around while nothing is being connected (many adapters cannot do both), more seldom once dice are
there. A die that sleeps or leaves disconnects; the next look finds it again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from firmware_bridge.bluetooth.dice_kinds import DieKind, Heard, die_of

LOOKS_FOR = 5.0  # seconds
PAUSE, PAUSE_WITH_DICE = 2.0, 20.0
AFTER_TROUBLE = 10.0
CONNECTS_WITHIN = 15.0


@dataclass
class Radio:
    """``bleak`` is the library, or what stands for it; ``heard`` is told what each die says."""

    bleak: Any
    heard: Callable[[str, Heard], None]
    changed: Callable[[], None]
    say: Callable[[str], None]
    pauses: tuple[float, float, float] = (PAUSE, PAUSE_WITH_DICE, AFTER_TROUBLE)
    dice: dict[str, int] = field(default_factory=dict)  # the connected ones: faces by id
    names: dict[str, str] = field(default_factory=dict)
    _clients: dict[str, Any] = field(default_factory=dict)

    async def run(self, stop: asyncio.Event) -> None:
        """Run until told to stop."""
        pause, pause_with_dice, after_trouble = self.pauses
        try:
            while not stop.is_set():
                try:
                    await self._look_around()
                    wait = pause_with_dice if self.dice else pause
                except FileNotFoundError:
                    self.say("Bluetooth does not work: this machine has none, or its service does not run")
                    wait = after_trouble
                except (self.bleak.exc.BleakError, OSError, EOFError) as problem:
                    self.say(f"Bluetooth does not work: {problem or type(problem).__name__}")
                    wait = after_trouble
                await _either(stop, wait)
        finally:
            for client in list(self._clients.values()):
                await self._let_go(client)

    async def _look_around(self) -> None:
        found = await self.bleak.BleakScanner.discover(timeout=LOOKS_FOR, return_adv=True)
        for device, shown in found.values():
            name = shown.local_name or device.name or ""
            kind = die_of(name, shown.service_uuids or [], shown.manufacturer_data or {})
            if kind is not None and device.address not in self._clients:
                await self._connect(device, name, kind)
        self.say(self.sentence)

    async def _connect(self, device: Any, name: str, kind: DieKind) -> None:
        address = device.address
        client = self.bleak.BleakClient(device, disconnected_callback=lambda _: self._gone(address))
        try:
            await asyncio.wait_for(client.connect(), CONNECTS_WITHIN)
            self._clients[address] = client
            await client.start_notify(
                kind.notifies, lambda _, data: self.heard(address, kind.heard(bytes(data)))
            )
            if kind.greeting:
                await client.write_gatt_char(kind.takes, kind.greeting, response=False)
        except (TimeoutError, self.bleak.exc.BleakError, OSError, EOFError) as problem:
            self._clients.pop(address, None)
            await self._let_go(client)
            self.say(f"{name} does not connect: {problem or 'it takes too long'}")
            return
        if address in self._clients:  # it may have left meanwhile
            self.dice[address], self.names[address] = kind.faces, f"{kind.maker} {name}".strip()
            self.changed()

    def _gone(self, address: str) -> None:
        self._clients.pop(address, None)
        self.names.pop(address, None)
        if self.dice.pop(address, None) is not None:
            self.changed()
            self.say(self.sentence)

    async def _let_go(self, client: Any) -> None:
        try:
            await client.disconnect()
        except (self.bleak.exc.BleakError, OSError, EOFError) as problem:
            self.say(f"a die could not be let go: {problem}")

    @property
    def sentence(self) -> str:
        """A sentence that says which dice are connected."""
        if not self.dice:
            return "no Bluetooth dice are awake: shake them"
        told = [f"{self.names[die]} (d{self.dice[die]})" for die in sorted(self.dice)]
        return f"Bluetooth dice: {', '.join(told)}"


async def _either(stop: asyncio.Event, seconds: float) -> None:
    """Wait for so many seconds, or until told to stop."""
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return
