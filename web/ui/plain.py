"""The default page of a game: names, totals, the lines of the score, legal actions as buttons."""

from __future__ import annotations

from typing import TypeVar

from companion.core.jsontext import JsonObject
from companion.game.base import Game
from web.ui.parts import Controls, Presenter, ScoreRow, action_words

S = TypeVar("S")  # the state of the game's rules

_MOST_BUTTONS = 60


class PlainPresenter(Presenter[S]):
    """A presenter for any game, relying only on the methods that every game has."""

    def __init__(self, game: Game[S]) -> None:
        self._game = game

    def position_rows(self, position: JsonObject) -> list[ScoreRow]:
        return self.score_rows(self._game.score_position(position))

    def controls(self, state: S, seat: int) -> Controls:
        """A button for every legal action, as long as they can be counted."""
        legal = self._game.legal(state, seat)
        buttons = [(action, action_words(action)) for action in legal[:_MOST_BUTTONS]]
        return Controls("play/actions.html", {"buttons": buttons, "more": len(legal) - len(buttons)})
