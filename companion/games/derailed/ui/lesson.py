"""The guided first round of Derailed!: laying a card, the way back to the start, arriving, and its points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.jsontext import JsonObject
from companion.core.records import replaced
from companion.game.base import Action, Chance, MatchRequest, Refusal
from companion.games.derailed.rules.cards import card_of
from companion.games.derailed.rules.game import Derailed
from companion.games.derailed.rules.state import State
from web.ui.lessons import LEARNER, Choice

GAME = Derailed()
LAID = {"a1": ("TR",), "b1": ("LB|r",)}  # from the learner's start into the lane beside it
HANDS = {
    "lay": ("LR", "TB|r", "TB|l", "LT"),
    "onwards": ("LR", "TB|l", "TB", "LT"),
    "arrive": ("LR", "TB", "LTR", "LT"),
}
OTHERS = {"lay": {"c1": ("TB",), "c2": ("TB|r",)}, "onwards": {"c3": ("LT",)}}  # what the bots lay meanwhile


class DerailedLesson:
    """Three companies. The bots lay their cards on their own side, so that everybody learns the same."""

    steps: Sequence[str] = ("lay", "onwards", "arrive", "points")

    def begun(self, chance: Chance) -> State:
        """The learner's track leads into the next lane."""
        data = GAME.setup(MatchRequest(3), chance)
        assert not isinstance(data, Refusal), data
        lanes = {"starts": tuple("ABC"), "destinations": tuple("CAB"), "swaps": ()}
        return _holding(replaced(GAME.start(data), **lanes, grid=LAID), self.steps[0])

    def choices(self, step: str, state: State) -> Mapping[str, Choice]:
        """Places for a card; at the end numbers of points."""
        match step:
            case "lay":
                return {"across": _lay("b2", "LR"), "away": _lay("c3", "TB|r"), "down": _lay("b2", "TB|r")}
            case "onwards":
                return {"alone": _lay("a3", "TB|l"), "down": _lay("b3", "TB|l")}
            case "arrive":
                return {"across": _lay("b4", "LR"), "home": _lay("b4", "TB")}
            case _:
                return {"one": False, "two": True, "three": False}

    def told(self, step: str, state: State) -> JsonObject:
        """Nothing: the templates of this lesson need no further values."""
        return {}

    def goes_on(self, step: str, state: State, chance: Chance) -> State:
        """The learner takes a card, and the bots lay theirs."""
        if step not in OTHERS:
            return state
        following = self.steps[self.steps.index(step) + 1]
        laid = replaced(state, phase="place", turn=LEARNER, grid={**state.grid, **OTHERS[step]})
        return _holding(laid, following)


def _holding(state: State, step: str) -> State:
    """The state with the step's cards in the learner's hand."""
    return replaced(state, hands={**state.hands, LEARNER: tuple(card_of(face) for face in HANDS[step])})


def _lay(cell: str, face: str) -> Action:
    return Action("place", LEARNER, {"cell": cell, "card": face})
