"""Bots at the table of people: they play the seats that were handed to them, at a pace people can follow.

A seat that was left is no business of theirs where the game goes on without it; where it does not, they make
its moves, too, so that nobody waits for it. One decision is made at a time, in a thread of their own. Dice
are thrown by people, unless nobody but bots plays; and people decide when the result of a round has been
seen, unless they leave that to the bots for long.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.game.base import Action, Chance, drawn
from companion.game.bots import best_action, own_bot
from companion.table.authority import STAND_IN
from companion.table.chance import SystemChance
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.table import Accepted, Refused, Table

log = logging.getLogger(__name__)

_LOOKS_EVERY = 0.5  # seconds, to see that the box is stopping; events wake it at once


@dataclass
class StandIns:
    """The thread of the bots. ``roll`` is how the box rolls (without it: virtual dice)."""

    table: Table
    stopping: threading.Event
    roll: Callable[[Match, Actor, str | None], Accepted | Refused] | None = None
    pause: float = 0.9  # seconds before each move
    look: float = 90.0  # seconds that people have for the result of a round before a bot begins the next
    glance: float = 15.0  # the same where nobody but bots plays, for those who watch
    chance: Chance = field(default_factory=SystemChance)

    def __post_init__(self) -> None:
        self._subscription = self.table.subscribe()
        self._stuck: tuple[str, int] | None = None  # the match and version in which they can do nothing
        self._thread = threading.Thread(target=self._run, name="stand-ins", daemon=True)

    def start(self) -> None:
        """Let them play until the box stops."""
        self._thread.start()

    def join(self) -> None:
        """Wait until they have stopped."""
        self._thread.join()

    def _run(self) -> None:
        while not self.stopping.is_set():
            self._prepare()
            if not self.play_one(self.stopping.wait):
                self._subscription.read(timeout=_LOOKS_EVERY)

    def _prepare(self) -> None:
        """Let a game's bot get ready as soon as it plays along."""
        match = self.table.current
        if match is not None and any(holder.by == "bot" for holder in match.holders.values()):
            bot = own_bot(match.game)
            if bot is not None:
                bot.prepare()

    def play_one(self, wait: Callable[[float], object] = lambda _: None) -> bool:
        """Make one move, if there is one to make."""
        match = self.table.current
        if match is None or match.finished or not match.holders:
            return False
        if self._stuck == (match.id, match.version):
            return False
        answer = self._moved(match, wait)
        if isinstance(answer, Accepted):
            return True
        if answer is not None:  # somebody else was quicker, or took the seat back
            log.info("A bot was refused: %s", answer.message)
        self._stuck = (match.id, match.version)
        return False

    def _moved(self, match: Match, wait: Callable[[float], object]) -> Accepted | Refused | None:
        if match.game.dice(match.state) and _only_bots(match):
            wait(self.pause)
            if self.roll is not None:
                return self.roll(match, STAND_IN, None)
            return self.table.submit(Action("roll"), STAND_IN, match=match.id)
        action = self.next_action(match)
        if action is None:
            return None
        wait(self.pause)
        if match.game.ends_pause(action) and not self._looked(match, wait):
            return None
        return self.table.submit(action, STAND_IN, match=match.id)

    def _looked(self, match: Match, wait: Callable[[float], object]) -> bool:
        """Give people time to look at a result; return False if anything happens meanwhile."""
        for _ in range(int((self.glance if _only_bots(match) else self.look) / _LOOKS_EVERY)):
            now = self.table.current
            if self.stopping.is_set() or now is None or (now.id, now.version) != (match.id, match.version):
                return False
            wait(_LOOKS_EVERY)
        return True

    def next_action(self, match: Match) -> Action | None:
        """What the first of the seats in their care does now; None when none of them is to move.

        What people leave to the bots for a while comes after all that hurries nobody.
        """
        hurrying: Action | None = None
        for seat, holder in sorted(match.holders.items()):
            if holder.by == "nobody" and match.game.skips_empty_seats:
                continue
            action = self._decided(match, seat, thinking=holder.by == "bot")
            if action is not None and not match.game.ends_pause(action):
                return action
            hurrying = hurrying or action
        return hurrying

    def _decided(self, match: Match, seat: int, *, thinking: bool) -> Action | None:
        legal = [action for action in match.game.legal(match.state, seat) if action.kind != "roll"]
        if not legal:
            return None
        if thinking:
            try:
                found = best_action(match.game, match.state, seat, self.chance)
            except Exception:  # a match must not stop because a bot has a fault
                log.exception("The bot of %s could not decide: it does something legal instead.", match.game)
                found = None
            if found is not None and found.kind != "roll":
                return found
        return drawn(legal, 1, self.chance)[0]


def _only_bots(match: Match) -> bool:
    """Return True if bots play and no person does: nobody could throw the dice for them."""
    players = {match.holder(seat).by for seat in match.players}
    return "bot" in players and "person" not in players
