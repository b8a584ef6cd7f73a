"""The ledger of rolls: each is passed on exactly once, in the order of throwing."""

from __future__ import annotations

from collections.abc import Callable

from firmware_bridge.protocol import KEPT_ROLLS, RollMessage

MOST_POWER_UPS = 64

LastSeen = Callable[[str, str], int]


def nothing_seen(uid: str, boot: str) -> int:  # noqa: ARG001 - the shape of LastSeen
    """For tables without a store: no roll of any power-up was seen before."""
    return 0


class Ledger:
    """Rolls of the power-up (`boot`) of a roller that is connected now."""

    def __init__(self, last_seen: LastSeen = nothing_seen) -> None:
        self.duplicates = 0
        self.lost = 0
        self.last = 0  # the highest number handed on
        self.known = 0  # the highest number that certainly exists
        self._last_seen = last_seen
        self._early: dict[int, RollMessage] = {}
        self._power_up = ("", "")
        self._lasts: dict[tuple[str, str], int] = {}  # of earlier power-ups, for a roller that comes back

    @property
    def gap(self) -> bool:
        """True if a roll exists that was not handed on yet."""
        return self.last < self.known

    def meet(self, uid: str, boot: str) -> None:
        """Begin with a roller that answered the greeting; another power-up begins its own count."""
        if (uid, boot) == self._power_up:
            return
        self._remember()
        self._power_up = (uid, boot)
        self._early.clear()
        self.last = self.known = max(self._lasts.get(self._power_up, 0), self._last_seen(uid, boot))

    def expect(self, n: int) -> None:
        """Note that the roller says roll `n` exists."""
        self.known = max(self.known, n)

    def offer(self, roll: RollMessage) -> list[RollMessage]:
        """Take in a roll that arrived; the rolls that may be handed on now, in order."""
        if roll.n <= self.last or roll.n in self._early:
            self.duplicates += 1
            return []
        self.expect(roll.n)
        if roll.n <= self.last + 2 * KEPT_ROLLS:  # further ahead than any gap that could still be filled
            self._early[roll.n] = roll
        return self._ready()

    def forgotten_before(self, first: int) -> list[RollMessage]:
        """The roller no longer keeps rolls before `first`: what is missing of them is lost."""
        ready: list[RollMessage] = []
        for n in sorted(n for n in self._early if n < first):
            self._skip_to(n - 1)
            ready += self._ready()
        self._skip_to(first - 1)
        return ready + self._ready()

    def complete_to(self, n: int) -> None:
        """Note that the roller says `n` is its last roll now."""
        self.known = max(self.last, n)

    def _remember(self) -> None:
        self._lasts[self._power_up] = self.last
        while len(self._lasts) > MOST_POWER_UPS:
            del self._lasts[next(iter(self._lasts))]

    def _skip_to(self, n: int) -> None:
        if self.last < n:
            self.lost += n - self.last
            self.last = n

    def _ready(self) -> list[RollMessage]:
        ready = []
        while (roll := self._early.pop(self.last + 1, None)) is not None:
            self.last += 1
            ready.append(roll)
        return ready
