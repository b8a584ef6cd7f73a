"""The first round of Empire Builder: the first track, a load, its delivery, how the match is won."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject
from companion.game.base import Action, Chance, Fact, MatchRequest, Refusal
from companion.game.bots import best_action
from companion.games.empire_builder.rules.boards.board import City
from companion.games.empire_builder.rules.match.game import EmpireBuilder
from companion.games.empire_builder.rules.match.state import State, hand_of
from companion.games.empire_builder.rules.rulebook import LOAD_WORDS, RULES
from web.ui.lessons import LEARNER, Answer

GAME = EmpireBuilder()
SEED = 4  # of the match that everybody learns with
ACTIONS = {"track": "build", "load": "pickup", "deliver": "deliver"}  # what a step is about


class EmpireBuilderLesson:
    """Two players; the other one is a bot, which also does for the learner what lies between the steps."""

    steps: Sequence[str] = ("track", "load", "deliver", "winning")

    def begun(self, chance: Chance) -> State:
        """The learner's first building turn."""
        return _moment("track")

    def shows(self, step: str, state: State) -> Sequence[str]:
        """The city to tap on the map, then what does it."""
        if step == "track":
            if state.turn.spent:
                return ("[data-do=done]", "[data-do=forget]")  # what is planned lies over the end
            source = state.board.names[_city_at(_moment("load")).middle]
            load = _wish(_moment("load")).data["load"]
            confirm = "#eb-plan:not([hidden]) [data-do=confirm]:not([hidden])"
            return (confirm, f'.eb-name[data-at="{source}"].eb-wanted', f'.eb-demand[data-load="{load}"]')
        if step not in ACTIONS:
            return (".mine-score .score",)
        load = _wish(_moment(step)).data["load"]
        return (f"""[data-action*='"{ACTIONS[step]}"'][data-action*='"{load}"']""",)

    def answer(self, step: str, state: State, fact: Fact) -> Answer:
        """Whatever is built, until the turn is ended; then the load, and its delivery."""
        if step == "track":
            built = bool(state.turn.spent)
            return "belongs" if fact.kind == "build" else "ends" if fact.kind == "done" and built else "later"
        right = fact.kind == ACTIONS[step] and fact.data["load"] == _wish(_moment(step)).data["load"]
        return "ends" if right else "later"

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


def _city_at(state: State) -> City:
    """The city in which the learner's train stands."""
    city = state.board.city_at[state.players[LEARNER].train.at or 0]
    assert city is not None
    return city


def _city(state: State) -> str:
    return _city_at(state).name
