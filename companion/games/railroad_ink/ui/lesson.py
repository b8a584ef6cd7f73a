"""The guided first round of Railroad Ink: an exit, a station, all dice, and what exits bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.jsontext import JsonObject
from companion.game.base import Action, Chance, MatchRequest, Refusal
from companion.games.railroad_ink.bot.engines import engine
from companion.games.railroad_ink.bot.question import question_of
from companion.games.railroad_ink.bot.thinking import Effort, thoughts
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.state import State, position_of
from companion.games.railroad_ink.rules.scoring.scores import score
from web.ui.lessons import LEARNER, Choice

GAME = RailroadInk()
FACES = ["NS", "ne", "nes", "Ns*"]
EFFORT = Effort(4, 4)  # of bots that nobody should wait for
ROUNDS = 4  # that are played before the question


class RailroadInkLesson:
    """Two boards, the classic dice; the second board is a bot's."""

    steps: Sequence[str] = ("exit", "station", "dice", "points")

    def begun(self, chance: Chance) -> State:
        """The match after its first roll."""
        data = GAME.setup(MatchRequest(2, "umpire", {"edition": "classic"}), chance)
        assert not isinstance(data, Refusal), data
        return _done(GAME.start(data), Action("roll", data={"faces": FACES}), chance)

    def choices(self, step: str, state: State) -> Mapping[str, Choice]:
        """Places for a route; at the end numbers of points."""
        match step:
            case "exit":
                return {"joined": _draw("b1", "NS"), "clash": _draw("d1", "NS"), "alone": _draw("d4", "NS")}
            case "station":
                return {"rail": _draw("b2", "nes"), "station": _draw("b2", "Ns*")}
            case "dice":
                return {"enough": Action("done", LEARNER), "rest": _draw("b3", "ne")}
            case _:
                return {"fewer": False, "right": True, "more": False}

    def told(self, step: str, state: State) -> JsonObject:
        """What the exits of the learner's board bring, and two numbers that are wrong."""
        known = score(position_of(state, LEARNER))
        return {"points": known.exit_points, "networks": [list(one.exits) for one in known.networks]}

    def goes_on(self, step: str, state: State, chance: Chance) -> State:
        """After the last drawing bots finish the round and play on."""
        if step != "dice":
            return state
        while not state.finished and not (state.round > ROUNDS and not state.dice):
            if GAME.dice(state):
                state = _done(state, Action("roll"), chance)
            for seat in state.boards:
                for drawing in thoughts(question_of(state, seat), EFFORT, engine())[0].drawings:
                    data = {"cell": drawing.cell, "route": drawing.route, "from": drawing.source}
                    state = _done(state, Action("draw", seat, data), chance)
                state = _done(state, Action("done", seat), chance)
        return state


def _draw(cell: str, route: str) -> Action:
    return Action("draw", LEARNER, {"cell": cell, "route": route, "from": "die"})


def _done(state: State, action: Action, chance: Chance) -> State:
    fact = GAME.decide(state, action, chance)
    assert not isinstance(fact, Refusal), fact
    return GAME.apply(state, fact)
