"""Greets real ports in parallel while a virtual roller stands by, so that a silent port delays no dice.

A scout opens one port and says hello as the conversation would. The port of the first that is answered is
handed on open, so that no board restarts a second time.
"""

from __future__ import annotations

import select
from collections.abc import Callable
from dataclasses import dataclass

from firmware_bridge.asks import Timing
from firmware_bridge.conversation import Conversation
from firmware_bridge.exc import BridgeError
from firmware_bridge.ledger import Ledger
from firmware_bridge.ports import Opener, Port, Wire

MOST_SCOUTS = 8


@dataclass
class Scout:
    """One port that is being greeted."""

    port: Port
    wire: Wire
    talk: Conversation

    def step(self, now: float) -> bool:
        """One turn; true when a roller has answered. A BridgeError says that none is there."""
        if select.select([self.wire.fileno()], [], [], 0)[0]:
            self.talk.receive(self.wire.read(), now)
        if self.talk.roller is not None:
            return True
        self.talk.tick(now)
        if self.talk.failure is not None:
            raise self.talk.failure
        outgoing = self.talk.take_outgoing()
        if outgoing:
            self.wire.write(outgoing)
        return False


class Scouts:
    """The ports being greeted; ``failed`` is told of those that do not work or answer."""

    def __init__(
        self,
        opener: Opener,
        failed: Callable[[Port, BridgeError], None],
        timing: Timing | None,
        uid: str | None,
    ) -> None:
        self._opener = opener
        self._failed = failed
        self._timing = timing
        self._uid = uid
        self._out: dict[tuple[str, str], Scout] = {}

    def send(self, ports: list[Port], now: float) -> None:
        """Start greeting these ports, unless that is under way."""
        for port in ports:
            if port.identity in self._out or len(self._out) >= MOST_SCOUTS:
                continue
            try:
                wire = self._opener(port.device)
            except BridgeError as error:
                self._failed(port, error)
                continue
            talk = Conversation(Ledger(), self._timing, uid=self._uid)
            talk.opened(port.device, now)
            self._out[port.identity] = Scout(port, wire, talk)

    def step(self, now: float) -> Scout | None:
        """Take one step with each; return the likeliest that has found a roller."""
        found = []
        for scout in list(self._out.values()):
            try:
                if scout.step(now):
                    found.append(scout)
            except BridgeError as error:
                self._dismiss(scout)
                self._failed(scout.port, error)
        return max(found, key=lambda scout: scout.port.score, default=None)

    def hand_over(self, scout: Scout) -> None:
        """Hand over this scout's port and close the others."""
        del self._out[scout.port.identity]
        self.recall()

    def recall(self) -> None:
        """Close every port that is still being tried."""
        for scout in list(self._out.values()):
            self._dismiss(scout)

    def wires(self) -> list[int]:
        """What to wait for. One that has its answer is only waiting for the conversation to be free."""
        return [scout.wire.fileno() for scout in self._out.values() if scout.talk.roller is None]

    def next_deadline(self) -> float:
        """When one of them has something to do; one that has its answer has nothing to do any more."""
        greeting = [scout.talk for scout in self._out.values() if scout.talk.roller is None]
        return min((talk.next_deadline() for talk in greeting), default=float("inf"))

    def _dismiss(self, scout: Scout) -> None:
        del self._out[scout.port.identity]
        scout.wire.close()
