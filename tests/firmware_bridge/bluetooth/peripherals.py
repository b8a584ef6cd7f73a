"""Dice made of software, and a radio that finds them: what ``bleak`` is asked for, and no more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

NORDIC = "6e40000{}-b5a3-f393-e0a9-e50e24dcca9e"
PIXELS = "a6b9000{}-7a5a-43f2-a962-350c8edc9b5b"
UP = {1: (-64, 0, 0), 2: (0, 0, 64), 3: (0, 64, 0), 4: (0, -64, 0), 5: (0, 0, -64), 6: (64, 0, 0)}


class BleakError(Exception):
    """As the library's own."""


class Die:
    """One peripheral: it advertises while it is awake, and tells whoever has subscribed."""

    def __init__(self, address: str, name: str, lights: int = 0, service: str = "") -> None:
        self.address, self.name = address, name
        self.shown = SimpleNamespace(
            local_name=name,
            service_uuids=[service] if service else [],
            manufacturer_data={0xFFFF: bytes([lights, 1, 1, 0, 80])} if lights else {},
        )
        self.awake = True
        self.connects = True
        self.tell: dict[str, Callable[[Any, bytearray], None]] = {}
        self.told: list[tuple[str, bytes]] = []
        self.client: Client | None = None

    def leave(self) -> None:
        """Out of reach, or asleep."""
        self.awake = False
        if self.client is not None:
            self.client.drop()

    def _notify(self, place: str, data: bytes) -> None:
        self.tell[place](None, bytearray(data))


class Pixel(Die):
    """A die by its lights; a new one has another service."""

    def __init__(self, address: str, name: str = "Alice", lights: int = 6, *, new: bool = False) -> None:
        family = PIXELS if new else NORDIC
        super().__init__(address, name, lights, family.format(1))
        self.notifies = family.format(2 if new else 1)

    def state(self, state: int, face: int) -> None:
        """A RollState message."""
        self._notify(self.notifies, bytes([3, state, face]))

    def throw(self, number: int) -> None:
        """Handled, rolling, rolled."""
        for state in (2, 3, 3, 1):
            self.state(state, number - 1)


class Go(Die):
    """A GoDice with six faces."""

    def __init__(self, address: str) -> None:
        super().__init__(address, f"GoDice_{address[-2:]}_R_v04")

    def throw(self, number: int, tilt: int = 5) -> None:
        """It rolls, then lies still on a table that is not quite level."""
        x, y, z = UP[number]
        self._notify(NORDIC.format(3), b"R")
        self._notify(NORDIC.format(3), b"S" + bytes(value & 255 for value in (x + tilt, y - tilt, z + tilt)))


class Client:
    """A connection."""

    def __init__(self, device: Die, disconnected_callback: Callable[[Any], None]) -> None:
        self.die, self._gone = device, disconnected_callback

    async def connect(self) -> None:
        if not self.die.connects or not self.die.awake:
            raise BleakError("le-connection-abort-by-local")
        self.die.client = self

    async def start_notify(self, place: str, tell: Callable[[Any, bytearray], None]) -> None:
        self.die.tell[place] = tell

    async def write_gatt_char(self, place: str, data: bytes, response: bool) -> None:
        self.die.told.append((place, data))

    async def disconnect(self) -> None:
        self.drop()

    def drop(self) -> None:
        if self.die.client is self:
            self.die.client = None
            self.die.tell = {}
            self._gone(self)


class Air:
    """Stands for the library ``bleak``."""

    def __init__(self, *dice: Die) -> None:
        self.dice = list(dice)
        self.works = True
        self.looks = 0
        self.exc = SimpleNamespace(BleakError=BleakError)
        self.BleakClient = Client
        self.BleakScanner = SimpleNamespace(discover=self._discover)

    async def _discover(self, timeout: float, return_adv: bool) -> dict[str, tuple[Die, Any]]:
        await asyncio.sleep(0)
        self.looks += 1
        if not self.works:
            raise BleakError("No Bluetooth adapters found.")
        return {die.address: (die, die.shown) for die in self.dice if die.awake and die.client is None}
