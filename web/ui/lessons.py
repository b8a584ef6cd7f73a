"""The first round of a game, taught on its own board with the very controls of play.

What a step asks for is a template of the game's own, ``<game>/learn/<step>.html``: a heading and one
sentence. When it is done, ``<game>/learn/<step>-done.html`` says what came of it, if there is such a one.
What the rules refuse is answered by their own sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias, TypeVar

from companion.core.jsontext import JsonObject
from companion.game.base import Chance, Fact

S = TypeVar("S")  # the state of the game's rules

LEARNER = 1  # the seat of whoever learns; bots have the others
PLACE_IT = "#placing:not([hidden]) [data-do=place]"  # the button that confirms, where a game has it
# What a legal action of the learner does in a step: it ends the step, it belongs to it, or it is for later.
Answer: TypeAlias = Literal["ends", "belongs", "later"]


class Lesson(Protocol[S]):
    """A practice match in a few steps. Nothing of it is kept."""

    @property
    def steps(self) -> Sequence[str]:
        """The names of the steps, in their order; the last one is only read."""

    def begun(self, chance: Chance) -> S:
        """Return the match at the beginning of the first step."""

    def shows(self, step: str, state: S) -> Sequence[str]:
        """Return what glows: CSS selectors, of which the first counts that finds something on the page."""

    def answer(self, step: str, state: S, fact: Fact) -> Answer:
        """Say what an action that the rules accept does in this step."""

    def told(self, step: str, state: S) -> JsonObject:
        """Return values for the template of a step."""

    def goes_on(self, step: str, state: S, chance: Chance) -> S:
        """Return the match at the beginning of the next step, after bots' moves and rolls."""
