"""What can be wrong with input, for every game.

    GameError
    ├── NotationError      the text or JSON does not say anything readable
    └── RulesDataError     a table of the rulebook, or an owner's data file, contradicts itself

A *rules* answer ("not your turn") is no exception: it is a :class:`~companion.games.contract.Refusal`.
"""

from __future__ import annotations


class GameError(Exception):
    """Base of everything the rules raise; ``code`` is for programs, the text for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NotationError(GameError, ValueError):
    """The input cannot be read; nothing was changed."""


class RulesDataError(GameError, ValueError):
    """A data file contradicts itself; the message names the file and the place."""
