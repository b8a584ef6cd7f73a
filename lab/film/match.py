"""A match that is filmed: what people draw or lay next, and what the table then has to know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.jsontext import JsonObject
from companion.game.base import Action
from lab.film.film import Film


class FilmedMatch(ABC):
    """One match of a game and its film. The table decides what is legal; this knows what is really there.

    A *part* is what is filmed between two things that people say: a round, or a turn.
    """

    game: str
    seats: int
    options: JsonObject
    parts: int  # as many as a match usually has
    film: Film
    colours: Mapping[int, str] = {}  # in which they play, where that is to be seen on the table

    @abstractmethod
    def lay_out(self, state: Any) -> None:
        """The match has begun: sheets come onto the table, and people around it."""

    @abstractmethod
    def before(self, state: Any) -> Action | None:
        """What somebody says before the next part, such as which dice were thrown; None: it can begin."""

    @abstractmethod
    def begin(self, state: Any) -> None:
        """The next part begins: people draw or lay what they may in this state."""

    @abstractmethod
    def entered(self, state: Any) -> Mapping[int, bool]:
        """Whether the table has something for each seat of this part, right or wrong."""

    @abstractmethod
    def right(self, state: Any) -> Mapping[int, bool]:
        """Whether the table has what is really there, by seat."""

    @abstractmethod
    def by_hand(self, state: Any, seat: int) -> Sequence[Action]:
        """What somebody taps for a seat of which the table has nothing."""
