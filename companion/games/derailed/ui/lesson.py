"""The first round of Derailed!: laying a card, the way back to the start, arriving, and its points."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.jsontext import JsonObject
from companion.core.records import replaced
from companion.game.base import Chance, Fact, MatchRequest, Refusal
from companion.games.derailed.rules.cards import card_of
from companion.games.derailed.rules.game import Derailed
from companion.games.derailed.rules.state import State
from web.ui.lessons import LEARNER, PLACE_IT, Answer

GAME = Derailed()
LAYS = {"lay": ("b2", "TB|r"), "onwards": ("b3", "TB|l"), "arrive": ("b4", "TB")}  # which card goes where
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

    def shows(self, step: str, state: State) -> Sequence[str]:
        """The card, the place for it, and what lays it or takes the next one."""
        if step not in LAYS:
            return (".mine-score .score",)
        cell, card = LAYS[step]
        card = f'[data-card="{card_of(card)}"]'
        not_in_hand = f".hand:not(:has({card}[aria-pressed=true])) {card}"
        return (PLACE_IT, "[data-do=take]", not_in_hand, f'.mine-board g[data-cell="{cell}"].open')

    def answer(self, step: str, state: State, fact: Fact) -> Answer:
        """A card that leads along the lane in the step's cell, and then a new card."""
        cell, card = LAYS[step]
        if fact.kind == "place":
            return (
                "belongs"
                if (fact.data["cell"], card_of(fact.data["card"])) == (cell, card_of(card))
                else "later"
            )
        return "ends" if fact.kind == "take" else "later"

    def told(self, step: str, state: State) -> JsonObject:
        """Nothing: the templates of this lesson need no values."""
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
