"""A conversation with a virtual roller in made-up time: what tests are made of."""

from __future__ import annotations

from firmware_bridge.asks import Answered, Ask, Changed, Failed, RollHeard, Timing
from firmware_bridge.conversation import Conversation
from firmware_bridge.dice import AnyDie, Roll, checked_dice
from firmware_bridge.exc import BridgeError
from firmware_bridge.ledger import LastSeen, Ledger, nothing_seen
from firmware_bridge.simulator import VirtualRoller

STEP = 0.001
REOPEN_AFTER = 0.5


class Rehearsal:
    """Runs both ends step by step; opens the port again when the conversation gives up, as the link does."""

    def __init__(
        self,
        seed: int = 1,
        *,
        last_seen: LastSeen = nothing_seen,
        uid: str | None = None,
        timing: Timing | None = None,
    ) -> None:
        self.now = 1000.0
        self.roller = VirtualRoller(seed=seed, clock=lambda: self.now)
        self.talk = Conversation(Ledger(last_seen), timing, uid=uid)
        self.rolls: list[Roll] = []  # as the table gets them
        self.answered: dict[str, Answered | RollHeard | Failed] = {}
        self.failures: list[BridgeError] = []
        self.plugged = True
        self._reopen_at = self.now
        self._is_open = False

    def ask(self, dice: list[AnyDie], request: str, seconds: float = 5.0) -> Ask:
        """Request a roll."""
        ask = Ask(request, self.now + seconds, checked_dice(dice))
        self.answered.pop(request, None)
        self.talk.submit(ask)
        return ask

    def run(self, seconds: float) -> None:
        """Let time pass."""
        end = self.now + seconds
        while self.now < end:
            self.step()

    def until_answered(self, ask: Ask, seconds: float = 60.0) -> Answered | RollHeard | Failed:
        """Let time pass until this request has its answer."""
        end = self.now + seconds
        while ask.id not in self.answered and self.now < end:
            self.step()
        return self.answered[ask.id]

    def unplug(self) -> None:
        """Pull the cable; the roller keeps its memory, as one with a battery does."""
        self.plugged = False

    def plug(self) -> None:
        """Put the cable back."""
        self.plugged = True
        self._reopen_at = self.now

    def step(self) -> None:
        """One millisecond."""
        self.now += STEP
        if self.plugged and not self._is_open and self.now >= self._reopen_at:
            self.talk.opened("the virtual port", self.now)
            self._is_open = True
        self.talk.tick(self.now)
        if self._is_open and self.plugged:
            self.talk.receive(self.roller.exchange(self.talk.take_outgoing()), self.now)
        self._give_up_if_it_failed()
        self._note_events()

    def _give_up_if_it_failed(self) -> None:
        if not self._is_open or (self.plugged and not self.talk.failure):
            return
        if self.talk.failure:
            self.failures.append(self.talk.failure)
        self.talk.closed()
        self._is_open = False
        self._reopen_at = self.now + REOPEN_AFTER

    def _note_events(self) -> None:
        for event in self.talk.take_events():
            if isinstance(event, RollHeard):
                self.rolls.append(event.roll)
            if not isinstance(event, Changed) and event.ask:
                self.answered[event.ask.id] = event
