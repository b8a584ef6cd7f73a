"""The errors of input, for every game; :mod:`companion.core.errors` draws the tree of all errors."""

from __future__ import annotations

from companion.core.errors import CodedError


class GameError(CodedError):
    """Base of everything the rules raise."""


class NotationError(GameError, ValueError):
    """The input cannot be read; nothing was changed."""


class RulesDataError(GameError, ValueError):
    """A data file contradicts itself; the message names the file and the place."""
