"""The guided first round of a game: what its steps are, and what is tapped in each of them.

What a step says is a template of the game's own, ``<game>/learn/<step>.html``. A choice that the rules
accept, or that answers a question, is answered by ``<game>/learn/<step>-<choice>.html``; what the rules
refuse, by their own sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias, TypeVar

from companion.core.jsontext import JsonObject
from companion.game.base import Action, Chance

S = TypeVar("S")  # the state of the game's rules

LEARNER = 1  # the seat of whoever learns; bots have the others
# What a choice is: an action of the learner, or an answer to a question that is right or wrong.
Choice: TypeAlias = Action | bool


class Lesson(Protocol[S]):
    """A practice match in a few steps. Nothing of it is kept."""

    @property
    def steps(self) -> Sequence[str]:
        """The names of the steps, in their order; the last one is a question."""

    def begun(self, chance: Chance) -> S:
        """Return the match at the beginning of the first step."""

    def choices(self, step: str, state: S) -> Mapping[str, Choice]:
        """Return the choices that can be tapped."""

    def told(self, step: str, state: S) -> JsonObject:
        """Return further values for the template of a step."""

    def goes_on(self, step: str, state: S, chance: Chance) -> S:
        """Return the match at the beginning of the next step, after bots' moves and rolls."""
