"""Greets every port once and reports what answers there, or that the port is in use."""

from __future__ import annotations

import select
import time
from dataclasses import dataclass

from firmware_bridge.asks import Timing
from firmware_bridge.conversation import Conversation
from firmware_bridge.exc import BridgeError, PortBusy
from firmware_bridge.ledger import Ledger
from firmware_bridge.ports import Opener, PortProvider, SerialWire, Wire
from firmware_bridge.protocol import HelloAnswer


@dataclass(frozen=True)
class Surveyed:
    """One port: the roller that answered there, or the sentence that says why none did."""

    device: str
    roller: HelloAnswer | None
    sentence: str
    busy: bool = False  # another program holds it


def survey(
    ports: PortProvider, *, opener: Opener = SerialWire, timing: Timing | None = None
) -> list[Surveyed]:
    """Greet at every port, the likeliest first; takes up to three seconds for each that does not answer."""
    found = []
    for port in sorted(ports(), key=lambda port: -port.score):
        try:
            roller = _greet(port.device, opener, timing)
            found.append(Surveyed(port.device, roller, f"Dice roller {roller.uid}, firmware {roller.fw}."))
        except BridgeError as error:
            found.append(Surveyed(port.device, None, str(error), isinstance(error, PortBusy)))
    return found


def _greet(device: str, opener: Opener, timing: Timing | None) -> HelloAnswer:
    wire = opener(device)
    try:
        return _talk(wire, Conversation(Ledger(), timing), device)
    finally:
        wire.close()


def _talk(wire: Wire, talk: Conversation, device: str) -> HelloAnswer:
    talk.opened(device, time.monotonic())
    while talk.roller is None:
        talk.tick(time.monotonic())
        wire.write(talk.take_outgoing())
        if select.select([wire.fileno()], [], [], 0.05)[0]:
            talk.receive(wire.read(), time.monotonic())
        if talk.failure:
            raise talk.failure
    return talk.roller
