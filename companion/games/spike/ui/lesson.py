"""The first round of SPIKE: connecting a city, setting the train in motion, drawing cards, the market."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.jsontext import JsonObject
from companion.game.base import Chance, Fact, MatchRequest, Refusal
from companion.game.bots import best_action
from companion.games.spike.rules.match.game import Spike
from companion.games.spike.rules.match.state import State, with_player
from companion.games.spike.rules.moves.offers import Offer, city_offers
from companion.games.spike.rules.words import good_words
from web.ui.lessons import LEARNER, Answer

GAME = Spike()
ACTIONS = {"connect": "build", "run": "motion", "draw": "draw"}  # what a step is about
EACH = 2  # cards of every suit in the learner's hand: enough for one short build


class SpikeLesson:
    """Two players; the other one is a bot. The learner's hand has two cards of every suit."""

    steps: Sequence[str] = ("connect", "run", "draw", "market")

    def begun(self, chance: Chance) -> State:
        """Both trains stand in their cities, and it is the learner's turn."""
        data = GAME.setup(MatchRequest(2, "umpire", {"first": LEARNER}), chance)
        assert not isinstance(data, Refusal), data
        state = GAME.start(data)
        while state.phase != "play":
            state = _bots(state, chance)
        hand = (EACH,) * len(state.options.on.suits)
        return with_player(state, LEARNER, hand=hand, held=sum(hand))

    def shows(self, step: str, state: State) -> Sequence[str]:
        """The city that pays best, the way onto the new track, a card of the deck."""
        sure = "#sure:not([hidden]) #sure-yes"
        match step:
            case "connect":
                return (sure, f'.option[data-city="{_offer(state).city}"]')
            case "run":
                return (sure, "#task-motion:not([aria-pressed=true])", "[data-panel=motion] .option")
            case "draw":
                return (sure, "#task-draw:not([aria-pressed=true])", "[data-panel=draw] .option")
            case _:
                return (".controls table",)

    def answer(self, step: str, state: State, fact: Fact) -> Answer:
        """One action a turn: whatever is built, wherever the train runs, whichever card is drawn."""
        if fact.kind == "move":  # at the beginning of a turn, by itself no action
            return "belongs"
        return "ends" if fact.kind == ACTIONS[step] else "later"

    def told(self, step: str, state: State) -> JsonObject:
        """The city that pays best, what it supplies and brings."""
        cities = state.options.on.cities
        if step != "connect" or state.player.tracks:
            return {"money": state.players[LEARNER].money}
        offer = _offer(state)
        train = state.players[LEARNER].train
        return {
            "at": cities[train.at].name if train and train.at in cities else "",
            "city": cities[offer.city].name,
            "good": good_words(state.options.on.goods[cities[offer.city].good].name),
            "brings": offer.brings,
        }

    def goes_on(self, step: str, state: State, chance: Chance) -> State:
        """The bot has its turn."""
        while state.turn != LEARNER and not state.finished:
            state = _bots(state, chance)
        return state


def _bots(state: State, chance: Chance) -> State:
    """One action of whichever seat has to act."""
    for seat in state.players:
        action = best_action(GAME, state, seat, chance)
        if action is not None:
            fact = GAME.decide(state, action, chance)
            assert not isinstance(fact, Refusal), fact
            return GAME.apply(state, fact)
    raise RuntimeError("nobody has anything to do")


def _offer(state: State) -> Offer:
    """The best paying build of two tracks or more, so that there is a part of it."""
    offers = [found.best for found in city_offers(state)]
    return max(offers, key=lambda one: (len(one.path) > 1, one.brings, -one.cost, one.city))
