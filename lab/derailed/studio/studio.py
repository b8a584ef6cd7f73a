"""The part ``studio`` of the package: see :class:`companion.game.parts.Studio`."""

from __future__ import annotations

from companion.core.jsontext import JsonObject
from companion.games.derailed.rules.state import State
from lab.derailed.studio.output import take_card_picture
from lab.derailed.studio.positions import CardTable
from lab.derailed.studio.scenes import CardSpec
from lab.studio.series import PictureStudio

_DECK, _MEGAPIXELS = 1, 4.0  # of the demonstration's pictures


class DerailedStudio(PictureStudio[State]):
    """Cards of hand-drawn decks laid on a table, with or without the mat."""

    def take(self, seed: int, level: str, photo: str) -> tuple[bytes, JsonObject]:
        """Card tables of made-up matches, with everything about the picture as truth."""
        return take_card_picture(seed, level, photo)

    def picture(self, state: State, number: int) -> bytes:
        """The card table of the match on its mat, always from the same deck; ``number`` lays it anew."""
        cards = CardTable(state.starts, state.destinations, dict(state.grid))
        spec = CardSpec(cards, mat=True, deck_seed=_DECK, megapixels=_MEGAPIXELS)
        return take_card_picture(number, "clean", spec=spec)[0]
