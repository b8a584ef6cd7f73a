"""A demonstration: bots play match after match through the table, at a pace people can follow.

Whoever sits down at the table plays with them: bots leave seats alone at which somebody sits.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.games.bots import any_action, best_action
from companion.games.contract import Action, Chance, drawn
from companion.table.chance import SystemChance
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.table import Accepted, Refused, Table

log = logging.getLogger(__name__)

GAME = "railroad-ink"
PLAYERS = ("North", "East", "South", "West")
HOST = Actor("host", name="demonstration")


@dataclass(frozen=True)
class Pace:
    """How long the bots wait, in seconds."""

    roll: float = 2.5
    move: float = 0.7
    between_matches: float = 30.0


class Demonstration:
    """The bots' thread."""

    def __init__(
        self,
        table: Table,
        stopping: threading.Event,
        *,
        taken: Callable[[Match], frozenset[int]] = lambda _: frozenset(),
        roll: Callable[[Match, Actor, str | None], Accepted | Refused] | None = None,
        players: Sequence[str] = PLAYERS,
        pace: Pace | None = None,
        chance: Chance | None = None,
    ) -> None:
        self._table = table
        self._stopping = stopping
        self._taken = taken
        self._roll = roll
        self._players = players
        self._pace = pace or Pace()
        self._chance = chance or SystemChance()
        self._thread = threading.Thread(target=self._run, name="demonstration", daemon=True)

    def start(self) -> None:
        """Let them play until the box stops."""
        self._thread.start()

    def join(self) -> None:
        """Wait until they have stopped."""
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            request = self.next_request()
            if request is None:
                self._stopping.wait(self._pace.move)
                continue
            answer = self._asked(*request)
            if isinstance(answer, Refused):  # somebody else was quicker
                log.info("A bot was refused: %s", answer.message)
            self._stopping.wait(self._wait_after(request[0]))

    def _asked(self, action: Action, actor: Actor) -> Accepted | Refused:
        match = self._table.current
        if action.kind == "roll" and self._roll is not None and match is not None:
            return self._roll(match, actor, None)
        return self._table.submit(action, actor)

    def _wait_after(self, action: Action) -> float:
        match = self._table.current
        if match is None or match.finished:
            return self._pace.between_matches
        return self._pace.roll if action.kind in ("roll", "start") else self._pace.move

    def next_request(self) -> tuple[Action, Actor] | None:
        """What happens next: a new match, a roll, or a bot's move; None while people are awaited."""
        match = self._table.current
        if match is None or match.finished:
            return Action("start", data={"game": GAME, "players": list(self._players)}), HOST
        if match.game.dice(match.state):
            return Action("roll"), HOST
        return self._move(match)

    def _move(self, match: Match) -> tuple[Action, Actor] | None:
        """A bot that can do something does it: now the best seen, now anything."""
        bots = set(match.players) - self._taken(match)
        able = [seat for seat in sorted(bots) if match.game.legal(match.state, seat)]
        if not able:
            return None
        (seat,) = drawn(able, 1, self._chance)
        think = any_action if self._chance.below(8) == 0 else best_action
        action = think(match.game, match.state, seat, self._chance)
        if action is None:
            raise RuntimeError(f"seat {seat} has legal actions and no bot found one")
        return action, Actor("player", seat)
