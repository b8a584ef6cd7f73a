"""Practice matches: one for each browser that learns a game, in memory, and only so many at once."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import Any

from companion.core.chance import SeededChance
from companion.core.errors import GameError
from companion.game.base import Chance, Game, Refusal
from web.ui.lessons import Choice, Lesson

MOST = 48  # the least recent ones are forgotten


@dataclass(frozen=True)
class Practice:
    """Where somebody is in a lesson, and what was said about the last tap."""

    game: Game[Any]
    lesson: Lesson[Any]
    state: Any
    chance: Chance
    at: int = 0  # steps that are done
    reply: str = ""  # the step and the choice that a template answers
    refusal: str = ""  # the rules' own sentence
    wrong: bool = False  # a question was answered wrongly

    @property
    def step(self) -> str:
        """The step to do; empty when all are done."""
        return self.lesson.steps[self.at] if self.at < len(self.lesson.steps) else ""

    def tapped(self, key: str) -> Practice:
        """Return the practice after a choice; a choice of another step changes nothing."""
        choices = self.lesson.choices(self.step, self.state) if self.step else {}
        if key not in choices:
            return self
        answer = f"{self.step}-{key}"
        choice: Choice = choices[key]
        if isinstance(choice, bool):
            if not choice:
                return replace(self, reply=answer, refusal="", wrong=True)
            return replace(self, at=self.at + 1, reply=answer, refusal="", wrong=False)
        try:
            fact = self.game.decide(self.state, choice, self.chance)
        except GameError as problem:
            return replace(self, reply="", refusal=problem.message, wrong=False)
        if isinstance(fact, Refusal):
            return replace(self, reply="", refusal=fact.message, wrong=False)
        state = self.lesson.goes_on(self.step, self.game.apply(self.state, fact), self.chance)
        return replace(self, state=state, at=self.at + 1, reply=answer, refusal="", wrong=False)


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

    def begin(self, game: Game[Any], lesson: Lesson[Any], seed: int) -> str:
        """A new practice; returns its name."""
        chance = SeededChance(seed)
        name = secrets.token_urlsafe(12)
        self.keep(name, Practice(game, lesson, lesson.begun(chance), chance))
        return name

    def keep(self, name: str, practice: Practice) -> None:
        """The practice of a browser as it stands now."""
        with self._lock:
            self._known[name] = practice
            self._known.move_to_end(name)
            while len(self._known) > MOST:
                self._known.popitem(last=False)
