"""The guided first round of SPIKE: connecting a city, where a train may run, drawing cards, the market."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.jsontext import JsonObject
from companion.game.base import Action, Chance, MatchRequest, Refusal
from companion.game.bots import best_action
from companion.games.spike.rules.match.game import Spike
from companion.games.spike.rules.match.state import State, with_player
from companion.games.spike.rules.moves.building import build_action
from companion.games.spike.rules.moves.builds import Build
from companion.games.spike.rules.moves.offers import Offer, city_offers
from companion.games.spike.rules.words import good_words
from web.ui.lessons import LEARNER, Choice

GAME = Spike()
EACH = 2  # cards of every suit in the learner's hand: enough for one short build


class SpikeLesson:
    """Two players; the other one is a bot. The learner's hand has two cards of every suit."""

    steps: Sequence[str] = ("connect", "run", "price")

    def begun(self, chance: Chance) -> State:
        """Both trains stand in their cities, and it is the learner's turn."""
        data = GAME.setup(MatchRequest(2, "umpire", {"first": LEARNER}), chance)
        assert not isinstance(data, Refusal), data
        state = GAME.start(data)
        while state.phase != "play":
            state = _bots(state, chance)
        hand = (EACH,) * len(state.options.on.suits)
        return with_player(state, LEARNER, hand=hand, held=sum(hand))

    def choices(self, step: str, state: State) -> Mapping[str, Choice]:
        """Builds, runs, and prices."""
        match step:
            case "connect":
                offer = _offer(state)
                paid = build_action(state, Build(offer.path, (offer.city,), offer.need), offer.ways[0])
                part = {"path": list(offer.path[:-1]) or [_elsewhere(state)]}
                return {"part": Action("build", LEARNER, part), "whole": paid}
            case "run":
                return {
                    "far": Action("motion", LEARNER, {"to": _far(state)}),
                    "draw": Action("draw", LEARNER, {"from": "deck"}),
                }
            case _:
                return {"same": False, "one": True, "nothing": False}

    def told(self, step: str, state: State) -> JsonObject:
        """The city that is connected first, what it brings, and a city far away."""
        cities = state.options.on.cities
        first = state.player.tracks == () and state.turn == LEARNER and step == "connect"
        offer = _offer(state) if first else None
        train = state.players[LEARNER].train
        return {
            "at": cities[train.at].name if train and train.at in cities else "",
            "city": cities[offer.city].name if offer else "",
            "good": good_words(state.options.on.goods[cities[offer.city].good].name) if offer else "",
            "brings": offer.brings if offer else 0,
            "cards": offer.cost if offer else 0,
            "far": cities[_far(state)].name,
            "money": state.players[LEARNER].money,
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


def _elsewhere(state: State) -> str:
    """A track that does not begin in the learner's network."""
    at = state.players[LEARNER].train
    return next(
        name for name, track in state.options.on.tracks.items() if at is None or at.at not in track.track
    )


def _far(state: State) -> str:
    """A city that the learner's track does not lead to."""
    touched = {end for name in state.players[LEARNER].tracks for end in state.options.on.tracks[name].track}
    return next(city for city in state.options.on.cities if city not in touched)
