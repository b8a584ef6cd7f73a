"""A demonstration: bots play one game, match after match, through the table, at a pace people can follow.

Whoever sits down at the table plays with them: bots leave seats alone at which somebody sits, and the end of
a round to those who read it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.core.records import replaced
from companion.game.base import Action, Chance, Game, drawn
from companion.game.bots import any_action, best_action, own_bot
from companion.table.chance import SystemChance
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.seats import Player, default_player
from companion.table.table import Accepted, Refused, Table

log = logging.getLogger(__name__)

PLAYERS = ("North", "East", "South", "West", "Centre", "Harbour", "Bridge", "Tunnel")
USUAL_PLAYERS = 4
HOST = Actor("host", name="demonstration")


@dataclass(frozen=True)
class Pace:
    """How long the bots wait, in seconds."""

    roll: float = 2.5
    move: float = 0.7
    look: float = 12.0  # at the result of a round, where nobody but bots plays
    between_matches: float = 30.0
    patience: float = 180.0  # before a bot goes on for a visitor who does nothing


@dataclass
class Demonstration:
    """The bots' thread.

    ``taken`` says which seats people have, ``roll`` is how the box rolls (without it: virtual dice).
    """

    table: Table
    stopping: threading.Event
    game: Game[Any]
    taken: Callable[[Match], frozenset[int]] = lambda _: frozenset()
    roll: Callable[[Match, Actor, str | None], Accepted | Refused] | None = None
    players: Sequence[str] = ()
    pace: Pace = field(default_factory=Pace)
    chance: Chance = field(default_factory=SystemChance)
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._thread = threading.Thread(target=self._run, name="demonstration", daemon=True)
        self._waiting: tuple[str, int, float] = ("", 0, 0.0)  # the match, its version, since when

    def start(self) -> None:
        """Let them play until the box stops."""
        self._thread.start()

    def join(self) -> None:
        """Wait until they have stopped."""
        self._thread.join()

    def _run(self) -> None:
        while not self.stopping.is_set():
            request = self.next_request()
            if request is None:
                self.stopping.wait(self.pace.move)
                continue
            answer = self._asked(*request)
            if isinstance(answer, Refused):  # somebody else was quicker
                log.info("A bot was refused: %s", answer.message)
            self.stopping.wait(self._wait_after(request[0]))

    def _asked(self, action: Action, actor: Actor) -> Accepted | Refused:
        match = self.table.current
        if action.kind == "roll" and self.roll is not None and match is not None:
            return self.roll(match, actor, None)
        return self.table.submit(action, actor)

    def _wait_after(self, action: Action) -> float:
        match = self.table.current
        if match is None or match.finished:
            return self.pace.between_matches
        return self.pace.roll if action.kind in ("roll", "start") else self.pace.move

    def next_request(self) -> tuple[Action, Actor] | None:
        """Return what to do next: a new match, a roll, or a bot's move; None while people are awaited."""
        match = self.table.current
        if match is None or match.finished:
            return Action("start", data={"game": self.game.name, "players": self._next_players(match)}), HOST
        if match.game.dice(match.state):
            return Action("roll"), HOST
        return self._move(match)

    def _next_players(self, match: Match | None) -> list[str | Player]:
        """Return the players of the next match: bots, with visitors kept in their seats."""
        names = list(self.players or players_of(self.game))
        seats = self.taken(match) - match.holders.keys() if match is not None else frozenset()
        visitors = {seat: match.players[seat] for seat in seats if match and seat <= len(names)}
        called = {one.name.strip().casefold() for one in visitors.values()}
        spare = (name for name in PLAYERS if name not in names and name.casefold() not in called)
        players: list[str | Player] = [
            name if name.casefold() not in called else next(spare, "") for name in names
        ]
        for seat, player in visitors.items():
            players[seat - 1] = replaced(default_player(seat), name=player.name, person=player.person)
        return players

    def _move(self, match: Match) -> tuple[Action, Actor] | None:
        """Choose a move for a bot that can act: sometimes the best one found, sometimes a random one."""
        taken = self.taken(match)
        bots = set(match.players) - taken
        left = next((seat for seat in sorted(bots) if match.holder(seat).by == "nobody"), None)
        if left is not None:  # a visitor got up: the bots go on with the seat
            return Action("hold", left, {"by": "person"}), HOST
        bots -= match.holders.keys()
        able = [seat for seat in sorted(bots) if match.game.legal(match.state, seat)]
        if not able:
            return self._gone_on_for(match, taken)
        (seat,) = drawn(able, 1, self.chance)
        # A game's own bot plays as well as it can: plans would come to nothing if they were upset.
        careless = own_bot(match.game) is None and self.chance.below(8) == 0
        think = any_action if careless else best_action
        action = think(match.game, match.state, seat, self.chance)
        if action is None:  # a bot with plans has none for this moment
            action = any_action(match.game, match.state, seat, self.chance)
        if action is not None and match.game.ends_pause(action):
            if any(match.holder(one).by == "person" for one in taken):
                return self._gone_on_for(match, taken)
            if self._quiet(match) < self.pace.look:
                return None
        return (action, Actor("player", seat)) if action else None

    def _gone_on_for(self, match: Match, taken: frozenset[int]) -> tuple[Action, Actor] | None:
        """Return the action that gives the seat of an idle visitor to a bot; None if nobody is idle."""
        if self._quiet(match) < self.pace.patience:
            return None
        awaited = [seat for seat in sorted(taken) if match.game.legal(match.state, seat)]
        there = [seat for seat in awaited if match.holder(seat).by == "person"]
        return (Action("hold", there[0], {"by": "bot", "free": True}), HOST) if there else None

    def _quiet(self, match: Match) -> float:
        """Return for how many seconds nothing has happened, as far as was observed."""
        now = self.clock()
        if self._waiting[:2] != (match.id, match.version):
            self._waiting = (match.id, match.version, now)
        return now - self._waiting[2]


def players_of(game: Game[Any]) -> Sequence[str]:
    """Return the names of four bots, or of as many as the game allows.

    >>> from types import SimpleNamespace
    >>> players_of(SimpleNamespace(seats=(2, 3)))
    ('North', 'East', 'South')
    """
    fewest, most = game.seats
    count = max(fewest, min(USUAL_PLAYERS, most))
    return (*PLAYERS[:count], *[""] * (count - len(PLAYERS)))
