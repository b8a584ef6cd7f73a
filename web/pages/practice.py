"""Practice matches: one for each browser that learns a game, in memory, and only so many at once."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import Any

from companion.core.chance import SeededChance
from companion.core.errors import GameError
from companion.core.messages import m
from companion.game.base import Action, Chance, Game, Refusal
from companion.table.events import FIRST_HASH, Actor, Event
from companion.table.match import Match
from companion.table.seats import Player, default_player
from web.ui.lessons import LEARNER, Lesson

MOST = 48  # the least recent ones are forgotten
_LATER = Refusal(
    "later", m("The rules allow that, and in a match you may. Here it comes later: try what glows.")
)


@dataclass(frozen=True)
class Practice:
    """Where somebody is in a lesson, and the step that was done last."""

    name: str
    game: Game[Any]
    lesson: Lesson[Any]
    state: Any
    chance: Chance
    began: str
    at: int = 0  # steps that are done
    version: int = 1  # rises with every action

    @property
    def step(self) -> str:
        """The step to do; empty when all are done."""
        return self.lesson.steps[self.at] if self.at < len(self.lesson.steps) else ""

    @property
    def done(self) -> str:
        """The step that was done last."""
        return self.lesson.steps[self.at - 1] if self.at else ""

    @property
    def is_read(self) -> bool:
        """True in the last step, in which nothing is to be done but to read."""
        return self.at == len(self.lesson.steps) - 1

    def went_on(self) -> Practice:
        """The practice after what is only read was read."""
        return replace(self, at=self.at + 1, version=self.version + 1) if self.is_read else self

    def acted(self, action: Action) -> Practice | Refusal:
        """The practice after an action of the learner, or why it is none, or not yet."""
        if not self.step or self.is_read:
            return _LATER
        try:
            fact = self.game.decide(self.state, _of_learner(action), self.chance)
        except GameError as problem:
            return Refusal(problem.code, problem.message)
        if isinstance(fact, Refusal):
            return fact
        answer = self.lesson.answer(self.step, self.state, fact)
        if answer == "later":
            return _LATER
        after = replace(self, state=self.game.apply(self.state, fact), version=self.version + 1)
        if answer == "belongs":
            return after
        state = self.lesson.goes_on(self.step, after.state, self.chance)
        return replace(after, state=state, at=self.at + 1)

    @property
    def match(self) -> Match:
        """The practice as pages show a match: one that has just begun, and stands so."""
        seats = [int(row["seat"]) for row in self.game.score(self.state)]
        players = {seat: _player(seat) for seat in sorted(seats)}
        opening = {"game": self.game.name, "mode": "umpire", "players": [], "setup": {"options": {}}}
        start = Event(self.name, 1, self.began, "start", opening, None, Actor("service"), None, FIRST_HASH)
        return Match(self.name, self.game, (start,), players, self.state)


def _of_learner(action: Action) -> Action:
    """The action as the learner's."""
    return Action(action.kind, LEARNER, action.data)


def _player(seat: int) -> Player:
    usual = default_player(seat)
    return Player(
        m("You") if seat == LEARNER else m("Bot {number}", number=seat - 1), usual.colour, usual.shape
    )


@dataclass
class Practices:
    """Practice matches by a random name stored only in the browser's cookie."""

    _known: OrderedDict[str, Practice] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __len__(self) -> int:
        return len(self._known)

    def find(self, name: str, game: Game[Any]) -> Practice | None:
        """The practice of a browser, if it has one of this game."""
        with self._lock:
            found = self._known.get(name)
            return found if found is not None and found.game is game else None

    def begin(self, game: Game[Any], lesson: Lesson[Any], seed: int, began: str) -> Practice:
        """A new practice."""
        chance, name = SeededChance(seed), secrets.token_urlsafe(12)
        practice = Practice(name, game, lesson, lesson.begun(chance), chance, began)
        self.keep(practice)
        return practice

    def keep(self, practice: Practice) -> None:
        """The practice of a browser as it stands now."""
        with self._lock:
            self._known[practice.name] = practice
            self._known.move_to_end(practice.name)
            while len(self._known) > MOST:
                self._known.popitem(last=False)
