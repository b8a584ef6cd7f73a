"""The first round of Railroad Ink: from an exit, over a station, all dice, and what exits bring."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.jsontext import JsonObject
from companion.game.base import Action, Chance, Fact, MatchRequest, Refusal
from companion.games.railroad_ink.bot.engines import engine
from companion.games.railroad_ink.bot.question import question_of
from companion.games.railroad_ink.bot.thinking import Effort, thoughts
from companion.games.railroad_ink.rules.boards.routes import any_route, shape_of
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.state import State, position_of
from companion.games.railroad_ink.rules.scoring.scores import score
from web.ui.lessons import LEARNER, PLACE_IT, Answer

GAME = RailroadInk()
STATION = "Ns*"
FACES = ["NS", "ne", "nes", STATION]
EFFORT = Effort(4, 4)  # of bots that nobody should wait for
ROUNDS = 4  # that are played before the question


class RailroadInkLesson:
    """Two boards, the classic dice; the second board is a bot's."""

    steps: Sequence[str] = ("exit", "station", "rest", "points")

    def begun(self, chance: Chance) -> State:
        """The match after its first roll."""
        data = GAME.setup(MatchRequest(2, "umpire", {"edition": "classic"}), chance)
        assert not isinstance(data, Refusal), data
        return _done(GAME.start(data), Action("roll", data={"faces": FACES}), chance)

    def shows(self, step: str, state: State) -> Sequence[str]:
        """The station among the dice, the lit cells, and what draws."""
        open_cells = ".mine-board g.open"
        match step:
            case "exit":
                return (PLACE_IT, open_cells)
            case "station":
                return (PLACE_IT, f'.choice[data-shape="{STATION}"]:not([aria-pressed=true])', open_cells)
            case "rest":
                return (PLACE_IT, open_cells, "[data-do=done]")
            case _:
                return (".mine-score .score",)

    def answer(self, step: str, state: State, fact: Fact) -> Answer:
        """Every legal drawing will do, in the second step that of the station."""
        drawn = fact.kind == "draw"
        match step:
            case "exit":
                return "ends" if drawn else "later"
            case "station":
                return "ends" if drawn and shape_of(any_route(fact.data["route"])) == STATION else "later"
            case _:
                return "belongs" if drawn else "ends"

    def told(self, step: str, state: State) -> JsonObject:
        """What the exits of the learner's board bring."""
        return {"points": score(position_of(state, LEARNER)).exit_points, "rounds": ROUNDS}

    def goes_on(self, step: str, state: State, chance: Chance) -> State:
        """After the last drawing bots finish the round and play on."""
        if step != "rest":
            return state
        while not state.finished and not (state.round > ROUNDS and not state.dice):
            if GAME.dice(state):
                state = _done(state, Action("roll"), chance)
            for seat in list(state.awaited):
                for drawing in thoughts(question_of(state, seat), EFFORT, engine())[0].drawings:
                    data = {"cell": drawing.cell, "route": drawing.route, "from": drawing.source}
                    state = _done(state, Action("draw", seat, data), chance)
                state = _done(state, Action("done", seat), chance)
        return state


def _done(state: State, action: Action, chance: Chance) -> State:
    fact = GAME.decide(state, action, chance)
    assert not isinstance(fact, Refusal), fact
    return GAME.apply(state, fact)
