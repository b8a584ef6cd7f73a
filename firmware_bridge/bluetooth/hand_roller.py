"""The roller's own firmware without a generator: its rolls are what people throw."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Mapping

from firmware_bridge.bluetooth.dice_kinds import Heard
from firmware_bridge.bluetooth.gathering import Gathering
from firmware_bridge.firmware.roller.app import Roller
from firmware_bridge.firmware.roller.requests import Refused
from firmware_bridge.firmware.roller.seams import NoScreen
from firmware_bridge.firmware.roller.wire import encode
from firmware_bridge.memory_board import MemoryBoard

BY_HAND = "hand"  # the refusal's code
THROW = "these dice are thrown by hand: throw them"
_NO_PROOF = "dice that people throw cannot be proved"


class HandBoard(MemoryBoard):
    """It says that its dice are thrown by hand; its random bytes name this power-up and are never dice."""

    extras = ("hand",)


class HandFirmware(Roller):
    """Hears the same requests; those for a throw are refused with a sentence."""

    def __init__(self, board: HandBoard, gathering: Gathering) -> None:
        super().__init__(board, NoScreen())
        self._gathering = gathering
        self._gathering.want([count for _, count in self.dice])
        self._handlers |= {"roll": self._by_hand, "commit": self._unproved, "mix": self._unproved}
        self._handlers |= {"reveal": self._unproved, "test": self._by_hand}

    def thrown(self, faces: list[int]) -> None:
        """Make the next roll of a throw by people, as if by a button."""
        shown = [[name, count, face] for (name, count), face in zip(self.dice, faces, strict=True)]
        told: list[tuple[str, object]] = [("t", "roll"), ("boot", self.boot), ("n", self.kept.last + 1)]
        line = encode([*told, ("dice", shown)])
        self.kept.add(None, line)
        if self._host_is_there():
            self.board.write(line)
        self._say_state("shown")

    def moving(self) -> None:
        """Somebody has the dice in the hand."""
        self._say_state("pressed")

    def _set_dice(self, message: dict[str, object]) -> None:
        before = self.set
        super()._set_dice(message)
        if self.set != before:
            self._gathering.want([count for _, count in self.dice])

    def _by_hand(self, message: dict[str, object]) -> None:
        if self._gathering.can_throw:
            raise Refused("hand", THROW)
        wanted = ", ".join(f"d{count}" for count in sorted({count for _, count in self.dice}))
        raise Refused("dice", f"no connected die is a {wanted}")

    def _unproved(self, message: dict[str, object]) -> None:
        raise Refused("seed", _NO_PROOF)


class HandRoller:
    """Turns bytes into bytes and throws into rolls. Threads may call every method."""

    idle = True  # nothing tumbles on a display; a line, or a throw, wakes it

    def __init__(
        self, dice: Mapping[str, int], uid: str = "", clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``dice`` are the connected ones, faces by id; whoever connects them changes it."""
        self._clock = clock
        self._board = HandBoard(uid or f"b1{uuid.getnode():012x}", clock)
        self._gathering = Gathering(dice)
        self._firmware = HandFirmware(self._board, self._gathering)
        self._lock = threading.Lock()

    def exchange(self, data: bytes = b"") -> bytes:
        """Take bytes from the host, run one turn, and return the bytes for the host."""
        with self._lock:
            self._board.inbox += data
            self._firmware.step()
            said, self._board.outbox = self._board.outbox, b""
            return said

    def heard(self, die: str, what: Heard) -> None:
        """Take in what a die has told."""
        with self._lock:
            if what == "moving":
                self._firmware.moving()
            elif what is not None:
                faces = self._gathering.add(die, what, self._clock())
                if faces is not None:
                    self._firmware.thrown(faces)
