"""A demonstration: bots play one game, match after match, through the table, at a pace people can follow.

Whoever sits down at the table plays with them: bots leave seats alone at which somebody sits, and the end of
a round to those who read it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from companion.core.records import replaced
from companion.game.base import Action, Chance, Game, NoChance, Refusal, drawn
from companion.game.bots import any_action, at_mixed_levels, best_action, own_bot
from companion.table.chance import SystemChance
from companion.table.events import Actor
from companion.table.match import Match, fact_of
from companion.table.seats import Player, default_player
from companion.table.table import Accepted, Refused, Table

log = logging.getLogger(__name__)

PLAYERS = ("North", "East", "South", "West", "Centre", "Harbour", "Bridge", "Tunnel")
USUAL_PLAYERS = 4
HOST = Actor("host", name="demonstration")
_LONGEST_TURN = 30  # actions


@dataclass(frozen=True)
class Pace:
    """How long the bots wait, in seconds."""

    roll: float = 2.5
    move: float = 0.7
    look: float = 12.0  # at the result of a round, where nobody but bots plays
    between_matches: float = 30.0
    patience: float = 180.0  # before a bot goes on for a visitor who does nothing
    film: float = 60.0  # without news, before bots enter themselves what was drawn on film


@dataclass
class Filmed:
    """A film of the table: bots only think of their turns, people on film draw them, a camera enters them.

    ``play`` has turns drawn, or says that it cannot; ``end`` ends the film; ``looked_at``: does anybody look?
    """

    play: Callable[[Match, Mapping[int, Sequence[Action]]], bool]
    end: Callable[[], None]
    looked_at: Callable[[], bool]
    round: tuple[str, int] = ("", 0)  # the match and its last roll, of which the film tells
    late: tuple[str, int] = ("", 0)  # the same of which the camera did not see everything in time
    plans: dict[int, list[Action]] = field(default_factory=dict)


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
    filmed: Filmed | None = None

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
        if self.filmed is not None:
            filmed = self._on_film(self.filmed, match, able if not taken else [])
            if filmed is not None:
                return filmed or None
        (seat,) = drawn(able, 1, self.chance)
        # A game's own bot plays as well as it can: plans would come to nothing if they were upset.
        careless = own_bot(match.game) is None and self.chance.below(8) == 0
        think = any_action if careless else best_action
        action = think(match.game, at_mixed_levels(match.game, match.state, seat), seat, self.chance)
        if action is None:  # a bot with plans has none for this moment
            action = any_action(match.game, match.state, seat, self.chance)
        if action is not None and match.game.ends_pause(action):
            if any(match.holder(one).by == "person" for one in taken):
                return self._gone_on_for(match, taken)
            if self._quiet(match) < self.pace.look:
                return None
        return (action, Actor("player", seat)) if action else None

    def _on_film(
        self, filmed: Filmed, match: Match, able: list[int]
    ) -> tuple[Action, Actor] | Literal[False] | None:
        """A planned move that the camera has not seen in time; False: wait for it; None: there is no film."""
        if not able or not filmed.looked_at():
            filmed.round = ("", 0)
            filmed.end()
            return None
        rolls = [event.seq for event in match.events if match.game.lasting(fact_of(event))]
        this = (match.id, rolls[-1] if rolls else 0)
        if filmed.round != this:
            filmed.plans = {seat: self._planned(match, seat) for seat in able}
            if not filmed.play(match, filmed.plans):
                self.filmed = None
                return None
            filmed.round = this
            return False
        if filmed.late != this and self._quiet(match) < self.pace.film:
            return False
        filmed.late = this
        for seat in able:
            planned = [*filmed.plans.get(seat, ()), Action("done", seat)]
            fits = (
                one
                for one in planned
                if not isinstance(match.game.decide(match.state, one, NoChance()), Refusal)
            )
            action = next(fits, None)
            if action is not None:
                return action, Actor("player", seat)
        return None

    def _planned(self, match: Match, seat: int) -> list[Action]:
        """All that a bot will do until it is done."""
        state, plan = match.state, list[Action]()
        while len(plan) < _LONGEST_TURN:
            action = best_action(match.game, at_mixed_levels(match.game, state, seat), seat, self.chance)
            if action is None or action.kind == "done":
                break
            fact = match.game.decide(state, action, NoChance())
            if isinstance(fact, Refusal):
                break
            plan.append(action)
            state = match.game.apply(state, fact)
        return plan

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
