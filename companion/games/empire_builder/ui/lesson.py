"""The guided first round of Empire Builder: the first track, a load, its delivery, how the match is won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject
from companion.game.base import Action, Chance, MatchRequest, Refusal
from companion.game.bots import best_action
from companion.games.empire_builder.rules.match.game import EmpireBuilder
from companion.games.empire_builder.rules.match.state import State, hand_of
from companion.games.empire_builder.rules.rulebook import LOAD_WORDS, RULES
from web.ui.lessons import LEARNER, Choice

GAME = EmpireBuilder()
SEED = 4  # of the match that everybody learns with
ACTIONS = {"track": "build", "load": "pickup", "deliver": "deliver"}  # what a step is about


class EmpireBuilderLesson:
    """Two players; the other one is a bot, which also does for the learner what lies between the steps."""

    steps: Sequence[str] = ("track", "load", "deliver", "winning")

    def begun(self, chance: Chance) -> State:
        """The learner's first building turn."""
        return _moment("track")

    def choices(self, step: str, state: State) -> Mapping[str, Choice]:
        """What a bot would do, and something that cannot be."""
        if step not in ACTIONS:
            return {"money": False, "both": True, "cities": False}
        right = _wish(state)
        match step:
            case "track":
                wrong = Action("build", LEARNER, {"path": _nowhere(right)})
            case "load":
                wrong = Action("pickup", LEARNER, {"load": _other_load(state, right.data["load"])})
            case _:
                other = _other_load(state, right.data["load"])
                wrong = Action("deliver", LEARNER, {"load": other, "card": right.data["card"]})
        return {"wrong": wrong, "right": right}

    def told(self, step: str, state: State) -> JsonObject:
        """The load that the learner carries, from where to where, and what it brings."""
        load = _wish(_moment("deliver")).data["load"]
        there = _city(_moment("deliver"))
        demands = [demand for card in hand_of(_moment("deliver"), LEARNER) for demand in card.demands]
        payout = next(one.payout for one in demands if (one.load, one.city) == (load, there))
        loading = _moment("load")
        return {
            "load": LOAD_WORDS[load],
            "source": _city(loading),
            "city": there,
            "payout": payout,
            "other": LOAD_WORDS[_other_load(loading, load)],
            "path": _wish(_moment("track")).data["path"],
            "cash": state.players[LEARNER].cash,
            "majors": RULES.match.majors_to_win,
        }

    def goes_on(self, step: str, state: State, chance: Chance) -> State:
        """The next moment at which the learner has something to decide."""
        following = self.steps[self.steps.index(step) + 1]
        return _moment(following) if following in ACTIONS else state


@lru_cache(maxsize=16)
def _moment(step: str) -> State:
    """The match at the beginning of a step: played by bots alone, always the same."""
    chance = SeededChance(SEED)
    data = GAME.setup(MatchRequest(2), chance)
    assert not isinstance(data, Refusal), data
    state = GAME.start(data)
    for wanted in ACTIONS:
        state = _played_to(state, wanted, chance)
        if wanted == step:
            break
    return state


def _played_to(state: State, step: str, chance: Chance) -> State:
    while True:
        action = next(
            one
            for seat in sorted(state.players)
            if (one := best_action(GAME, state, seat, chance)) is not None
        )
        if action.seat == LEARNER and action.kind == ACTIONS[step]:
            return state
        fact = GAME.decide(state, action, chance)
        assert not isinstance(fact, Refusal), fact
        state = GAME.apply(state, fact)


def _wish(state: State) -> Action:
    """What the bot would do for the learner."""
    request = best_action(GAME, state, LEARNER, SeededChance(SEED))
    assert request is not None
    return request


def _city(state: State) -> str:
    at = state.players[LEARNER].train.at
    city = state.board.city_at[at] if at is not None else None
    return city.name if city else ""


def _nowhere(request: Action) -> list[str]:
    """The last segment of a build alone: it begins neither in a major city nor on one's own track."""
    return list(request.data["path"][-2:])


def _other_load(state: State, load: str) -> str:
    """A load that the city where the train stands does not supply, and that is not aboard."""
    at = state.players[LEARNER].train.at
    city = state.board.city_at[at] if at is not None else None
    supplied = city.loads if city else ()
    loads = sorted({one for place in state.board.cities.values() for one in place.loads})
    return next(one for one in loads if one != load and one not in supplied)
