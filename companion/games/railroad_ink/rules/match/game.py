"""Railroad Ink as a game of the table: setup, the actions, what they do, and what everybody sees.

====== =============================== ==================================================================
action data                            means
====== =============================== ==================================================================
roll   ``faces`` (none: roll for me)   the round's dice; ``source`` says who threw them
draw   ``cell``, ``route``, ``from``   one route drawn (umpire)
turn   ``moves``                       all that I drew this round, as read from a photograph (umpire)
done                                   I have drawn what I must (umpire), my board is final (scorekeeper)
report ``cells``, ``rounds``, ``round`` my whole board, new in that round (scorekeeper)
reroll ``dice``, ``faces``             a research point for other faces of some dice (solo with Labs)
place  ``uses``, ``marks``, ..         what I do with an expansion's dice: see ``expansions/``
star   ``points``                      the points of an expansion, counted by hand
====== =============================== ==================================================================

``turn`` and ``report`` may have a ``picture``: the photograph's hash, and what people answered about it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from companion.core.errors import quoted
from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import Seat, Seats, m
from companion.core.records import replaced
from companion.game.base import Action, Chance, Fact, Game, LineScorer, MatchRequest, NoChance, Refusal
from companion.games.railroad_ink.rules.boards.board import Board, Drawing, roll_refusal, rolled
from companion.games.railroad_ink.rules.boards.position import read_position
from companion.games.railroad_ink.rules.boards.remarks import position_remarks
from companion.games.railroad_ink.rules.boards.routes import parse_route
from companion.games.railroad_ink.rules.expansions.actions import (
    DIE_FACES,
    after_place,
    after_star,
    decide_placement,
    decide_star,
    dice_due,
    extra_refusal,
    place_actions,
    split_roll,
    unplaced_refusal,
    unsettled_first,
)
from companion.games.railroad_ink.rules.match.check import check_moves
from companion.games.railroad_ink.rules.match.photographed import after_turn, decide_turn
from companion.games.railroad_ink.rules.match.reports import reported, reported_board
from companion.games.railroad_ink.rules.match.research import after_reroll, decide_reroll, may_reroll
from companion.games.railroad_ink.rules.match.results import faults, scores, table_view, with_goals
from companion.games.railroad_ink.rules.match.setup import option_faults, setup, setup_fault
from companion.games.railroad_ink.rules.match.state import OPTIONS, Better, Options, State
from companion.games.railroad_ink.rules.match.turn import open_draws, try_done, try_draw
from companion.games.railroad_ink.rules.rulebook import DIE_PICTURES, EDITION_WORDS
from companion.games.railroad_ink.rules.scoring.explained import explain
from companion.games.railroad_ink.rules.scoring.scores import score, score_json


class _Roll(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    faces: tuple[str, ...] = ()
    source: JsonObject = msgspec.field(default_factory=lambda: {"kind": "hand"})


class _Draw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cell: str
    route: str
    source: str = msgspec.field(name="from", default="die")


Decide: TypeAlias = Callable[[State, Action, Chance], Fact | Refusal]


# --- the actions ---


def _decide_roll(state: State, action: Action, chance: Chance) -> Fact | Refusal:
    asked = shaped(action.data, _Roll, "bad-action")
    if state.lies and state.mode == "umpire":
        message = m(
            "the dice of round {round} lie already; the next ones wait for {waiting}",
            round=state.round,
            waiting=Seats(state.awaited),
        )
        return Refusal("already-rolled", message)
    if state.lies and state.last_round:
        return Refusal(
            "last-round", m("round {all_rounds} was the last one", all_rounds=state.options.all_rounds)
        )
    due = _next_round(state)
    if not asked.faces:
        dice = dice_due(due)
        faces = tuple(DIE_FACES[die][chance.below(len(DIE_FACES[die]))] for die in dice)
        return Fact("roll", None, {"faces": list(faces), "source": chance.source})
    routes, extra = split_roll(due, asked.faces)
    refusal = None
    if not due.only_extra:
        refusal = roll_refusal(state.options.board, routes)
    refusal = refusal or extra_refusal(due, extra)
    faces = () if due.only_extra else rolled(0, routes).faces or ()
    return refusal or Fact("roll", None, {"faces": [*faces, *extra], "source": asked.source})


def _next_round(state: State) -> State:
    """Begin the next round if this one's dice were rolled already (in a scorekeeper's match)."""
    return replaced(state, round=state.round + 1) if state.lies else state


def _decide_draw(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    asked = shaped(action.data, _Draw, "bad-action")
    refusal = _not_now(state, action.seat)
    if refusal is not None:
        return refusal
    drawing = shaped({"cell": asked.cell, "route": asked.route, "from": asked.source}, Drawing, "bad-action")
    if not state.options.known:
        parse_route(asked.route)  # what only an expansion draws is no route here
    refusal = unsettled_first(state, action.seat or 0)
    if refusal is not None:
        return refusal
    after = try_draw(state.rules, state.boards[action.seat or 0], state.roll, drawing)
    if isinstance(after, Refusal):
        return after
    return Fact("draw", action.seat, {"cell": asked.cell, "route": drawing.drawn.text, "from": asked.source})


def _decide_turn(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    refusal = _not_now(state, action.seat)
    return refusal or decide_turn(state, action.seat or 0, action.data)


def _not_now(state: State, seat: int | None) -> Refusal | None:
    """Why a seat cannot draw or finish at this moment."""
    if seat is None:
        return Refusal("no-seat", m("say for which seat"))
    if state.mode == "scorekeeper":
        return Refusal("not-umpire", m("in this match boards are reported whole, not route by route"))
    if not state.lies:
        return Refusal("not-rolled", m("first the dice of round {round} are rolled", round=state.round))
    if seat in state.done:
        return Refusal(
            "done",
            m("{seat} has finished round {round}: undo that first", seat=Seat(seat), round=state.round),
        )
    return None


def _decide_done(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    shaped(action.data, _Nothing, "bad-action")
    if state.mode == "scorekeeper":
        if action.seat is None:
            return Refusal("no-seat", m("say for which seat"))
        if action.seat in state.done:
            return Refusal("done", m("the board of {seat} is final already", seat=Seat(action.seat)))
        return Fact("done", action.seat, {})
    refusal = _not_now(state, action.seat)
    if refusal is not None:
        return refusal
    done = try_done(state.rules, state.boards[action.seat or 0], state.roll)
    if isinstance(done, Refusal):
        return done
    return unplaced_refusal(state, action.seat or 0) or Fact("done", action.seat, {})


class _Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


def _decide_place(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    refusal = _not_now(state, action.seat)
    return refusal or decide_placement(state, action.seat or 0, action.data)


def _decide_report(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    if action.seat is None:
        return Refusal("no-seat", m("say whose board this is"))
    if state.mode == "umpire":
        return Refusal(
            "not-scorekeeper", m("in this match every route is drawn through the rules, one by one")
        )
    return reported(state, action.seat, action.data)


_DECIDE: dict[str, Decide] = {
    "roll": _decide_roll,
    "draw": _decide_draw,
    "turn": _decide_turn,
    "done": _decide_done,
    "report": _decide_report,
    "reroll": decide_reroll,
    "place": _decide_place,
    "star": decide_star,
}
_DRAWING = ("draw", "turn", "place")  # on the board of the seat alone, with the dice that lie before it


# --- what they do ---


def _after_roll(state: State, fact: Fact) -> State:
    """In a scorekeeper's match a roll also begins the next round: nobody says when a round is over."""
    faces = tuple(fact.data["faces"])
    after = _next_round(state)
    number = after.round
    count = 0 if after.only_extra else len(state.options.board.dice)
    return replaced(after, dice=faces[:count], extra=faces[count:], dice_round=number)


def _after_draw(state: State, fact: Fact) -> State:
    drawing = Drawing(fact.data["cell"], fact.data["route"], fact.data["from"], state.round)
    return _with_board(state, fact.seat or 0, state.boards[fact.seat or 0].with_drawing(drawing))


def _after_turn(state: State, fact: Fact) -> State:
    return after_turn(state, fact)


def _with_board(state: State, seat: int, board: Board) -> State:
    return replaced(state, boards={**state.boards, seat: board})


def _after_done(state: State, fact: Fact) -> State:
    if fact.seat in state.behind:
        return _after_missed_round(state, fact.seat)
    after = replaced(state, done=tuple(sorted((*state.done, fact.seat or 0))))
    if state.mode == "umpire":
        after = replaced(after, better=_better_lines(state, fact.seat or 0))
    return _if_all_done(after)


def _after_missed_round(state: State, seat: int) -> State:
    """A late guest draws the next of the rounds it has missed, or goes on with everybody."""
    number = state.behind[seat] + 1
    better = _better_lines(state.at_seat(seat), seat)
    behind = {**state.behind, seat: number}
    if number < state.round:
        return replaced(state, better=better, behind=behind)
    del behind[seat]
    return replaced(state, better=better, behind=behind, caught_up={**state.caught_up, seat: state.round})


def _if_all_done(state: State) -> State:
    """Once nobody is waited for the round, or a scorekeeper's match, is over."""
    everybody = bool(state.done) and not state.awaited
    if state.mode == "scorekeeper" or not everybody:
        return replaced(state, finished=everybody)
    # Everybody has finished: goals are judged for all at once, then the next round begins
    after = with_goals(state, [seat for seat in state.boards if seat not in (*state.out, *state.behind)])
    if state.last_round:
        return replaced(after, finished=True)
    thrown = (*state.thrown, (*state.dice, *state.extra))
    return replaced(after, round=state.round + 1, dice=(), extra=(), done=(), thrown=thrown)


def _better_lines(state: State, seat: int) -> dict[int, Better]:
    """Note what a seat could have drawn if its round leaves dice that fitted elsewhere."""
    others = {other: better for other, better in state.better.items() if other != seat}
    done = try_done(state.rules, state.boards[seat], state.roll)
    if isinstance(done, Refusal) or not done.remark:
        return others
    return {
        **others,
        seat: Better(state.round, m("Round {round}: {remark}", round=state.round, remark=done.remark)),
    }


def _after_report(state: State, fact: Fact) -> State:
    board = reported_board(fact.data, state.options.size)
    newest = max((drawing.round for drawing in board.drawings), default=0)
    after = replaced(_with_board(state, fact.seat or 0, board), round=max(state.round, newest))
    return with_goals(after, (fact.seat or 0,))


_APPLY: dict[str, Callable[[State, Fact], State]] = {
    "roll": _after_roll,
    "draw": _after_draw,
    "turn": _after_turn,
    "done": _after_done,
    "report": _after_report,
    "reroll": after_reroll,
    "place": after_place,
    "star": after_star,
}


class RailroadInk(Game[State]):
    """The rules of both editions for one to six players; several copies may be combined for more boards."""

    name = "railroad-ink"
    title = "Railroad Ink Challenge"
    seats = (1, 6)
    options = OPTIONS
    die_faces = DIE_FACES
    edition_names = EDITION_WORDS
    die_pictures = DIE_PICTURES
    state_type = State
    file_options = ("walls",)
    skips_empty_seats = True
    judges_end = True
    duplicable = True
    scores_lines = True
    lists_turns = True

    setup = staticmethod(setup)
    setup_fault = staticmethod(setup_fault)
    option_faults = staticmethod(option_faults)
    score = staticmethod(scores)
    check_moves = staticmethod(check_moves)
    faults = staticmethod(faults)

    def settled(self, request: MatchRequest, chance: Chance) -> JsonObject | Refusal:
        """The options with the goals that were drawn."""
        made = setup(request, chance)
        if isinstance(made, Refusal):
            return made
        return {**made["options"], "goals": made["options"]["goals"] or "none"}

    def rolls(self, options: JsonObject) -> list[tuple[str, ...]]:
        """The dice of every round."""
        made = setup(MatchRequest(2, options=options), NoChance())
        if isinstance(made, Refusal):
            return []
        begun = self.start(made)
        return [dice_due(replaced(begun, round=number)) for number in range(1, begun.options.all_rounds + 1)]

    def start(self, data: JsonObject) -> State:
        """An empty board for every seat."""
        options = shaped(data["options"], Options)
        boards = {seat: Board(size=options.size) for seat in range(1, data["seats"] + 1)}
        return State(data["mode"], options, boards)

    def decide(self, state: State, action: Action, chance: Chance) -> Fact | Refusal:
        """One of the actions, or the rule against it."""
        decide = _DECIDE.get(action.kind)
        if decide is None:
            message = m(
                "there is no action {kind} here: {decide}",
                kind=quoted(action.kind),
                decide=", ".join(_DECIDE),
            )
            return Refusal("unknown-action", message)
        own = action.seat is not None and action.kind in (*_DRAWING, "done")
        return decide(state.at_seat(action.seat or 0) if own else state, action, chance)

    def apply(self, state: State, fact: Fact) -> State:
        after = _APPLY[fact.kind]
        if fact.seat in state.behind and fact.kind in _DRAWING:
            return replaced(state, boards=after(state.at_seat(fact.seat), fact).boards)
        return after(state, fact)

    def lasting(self, fact: Fact) -> bool:
        """Return True for rolls, which cannot be undone."""
        return fact.kind in ("roll", "reroll")

    def leave(self, state: State, seat: int) -> State:
        """The board stays as it is; the round goes on without the seat."""
        if seat in state.out or state.finished:
            return state
        return _if_all_done(replaced(state, out=tuple(sorted((*state.out, seat)))))

    def come_back(self, state: State, seat: int) -> State:
        """The seat goes on with the dice that lie on the table."""
        return replaced(state, out=tuple(other for other in state.out if other != seat))

    def admit_fault(self, state: State) -> Refusal | None:
        """What was missed is drawn later, unless everybody would wait, or dice write on other boards."""
        if state.mode == "scorekeeper" or state.round == 1:
            return None
        if state.last_round:
            return Refusal("too-late", m("the last round has begun: the next match has a place"))
        table = state.options.table
        if (table is not None and table.neighbours) or state.options.labs:
            return Refusal("too-late", m("on these boards players can join in the first round only"))
        return None

    def admit(self, state: State, seat: int) -> State:
        """Add an empty board for a new seat, which catches up on the rounds so far at its own speed."""
        late = {seat: 1} if state.mode == "umpire" and state.round > 1 else {}
        boards = {**state.boards, seat: Board(size=state.options.size)}
        return replaced(state, boards=boards, behind={**state.behind, **late})

    def catches_up(self, state: State, seat: int) -> bool:
        return seat in state.behind

    def close(self, state: State) -> State:
        """The goals of those who have finished the round count; the others' count as of the round before."""
        if state.mode == "scorekeeper" or state.finished:
            return state
        return with_goals(state, [seat for seat in state.done if seat not in state.out])

    def legal(self, state: State, seat: int) -> list[Action]:
        if seat in state.out:
            return []
        state = state.at_seat(seat)
        if state.mode == "scorekeeper":
            return [Action(kind, seat) for kind in ("report", "done") if seat not in state.done]
        if not state.lies:
            return [Action("roll", seat)]
        if seat in state.done:
            return []
        board = state.boards[seat]
        draws = []
        if unsettled_first(state, seat) is None:
            draws = [_draw_action(seat, drawing) for drawing in open_draws(state.rules, board, state.roll)]
        draws += place_actions(state, seat)
        finishing = isinstance(try_done(state.rules, board, state.roll), Refusal) or unplaced_refusal(
            state, seat
        )
        again = [Action("reroll", seat, {"dice": [place]}) for place in range(1, len(state.dice) + 1)]
        draws += again if may_reroll(state) else []
        return draws if finishing else [*draws, Action("done", seat)]

    def view(self, state: State, seat: int | None) -> JsonObject:
        """Nothing is hidden in this game; a late guest who is catching up sees its own round and dice."""
        return {**table_view(state, seat), "you": seat}

    def seen(self, state: State, fact: Fact, seat: int | None) -> Fact:
        """Nothing is hidden in this game."""
        return fact

    def finished(self, state: State) -> bool:
        return state.finished

    def dice(self, state: State) -> tuple[str, ...]:
        """The route dice and an expansion's, when this round's roll is due."""
        between_rounds = not state.lies or (state.mode == "scorekeeper" and not state.last_round)
        due = not state.finished and between_rounds
        return dice_due(_next_round(state)) if due else ()

    def readable(self, state: State) -> bool:
        """The reader knows the usual board only, and nothing of what is below ground."""
        table = state.options.table
        below = table is not None and (bool(table.own_dice) or (table.second_board and state.only_extra))
        return state.options.size == "usual" and not below

    def score_position(self, position: JsonObject) -> JsonObject:
        read = read_position(position)
        return score_json(score(read), position_remarks(read))

    def line_scorer(self) -> LineScorer | None:
        """Scores lines of positions as machine code, where numba is installed."""
        from companion.games.railroad_ink.rules.scoring.batch_lines import line_scorer

        return line_scorer()

    def explain_position(self, position: JsonObject) -> list[str]:
        return explain(score(read_position(position)))

    def complete_turns(self, position: JsonObject) -> JsonObject:
        """Every complete turn of the dice on a board."""
        from companion.games.railroad_ink.rules.turns.search import complete_turns

        return complete_turns(position)


def _draw_action(seat: int, drawing: Drawing) -> Action:
    return Action("draw", seat, {"cell": drawing.cell, "route": drawing.route, "from": drawing.source})
