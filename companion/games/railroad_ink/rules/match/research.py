"""Research Labs of a solo board: points that are spent to roll dice again.

Where the Labs lie was not found: whoever has such a board names their cells. A match begins with research
points, every Lab that is drawn on brings another one, and each is spent, after a roll and before anything is
drawn, to roll any of its dice again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import msgspec

from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import m
from companion.core.records import replaced
from companion.game.base import Action, Chance, Fact, Refusal
from companion.games.railroad_ink.rules.boards.board import roll_refusal, rolled
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.rulebook import DICE, RESEARCH


class _Reroll(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    dice: tuple[int, ...]
    faces: tuple[str, ...] = ()
    source: JsonObject = msgspec.field(default_factory=lambda: {"kind": "hand"})


def points_left(state: State) -> int:
    """The research points that are still there; none on boards without Labs."""
    if not state.options.labs:
        return 0
    drawn = {drawing.cell for board in state.boards.values() for drawing in board.drawings}
    return RESEARCH.start + min(RESEARCH.more, len(drawn & set(state.options.labs))) - state.research_spent


def may_reroll(state: State) -> bool:
    """Return True if there is a roll that may be improved now."""
    drawing = any(board.in_round(state.round) for board in state.boards.values())
    return state.mode == "umpire" and bool(state.dice) and not drawing and points_left(state) > 0


def decide_reroll(state: State, action: Action, chance: Chance) -> Fact | Refusal:
    """Spend a research point: the dice named by their places, 1 to 4, show other faces."""
    wish = shaped(action.data, _Reroll, "bad-action")
    if not may_reroll(state) or state.done:
        message = m("dice are rolled again for a research point, after a roll and before anything is drawn")
        return Refusal("no-research", message)
    places = range(1, len(state.dice) + 1)
    if not wish.dice or len(set(wish.dice)) < len(wish.dice) or not set(wish.dice) <= set(places):
        return Refusal(
            "bad-action",
            m("say which dice are rolled again, by their places 1 to {places}", places=len(places)),
        )
    faces, source = list(wish.faces), wish.source
    if not faces:
        dice = _dice_of(state)
        faces = [DICE[dice[place - 1]][chance.below(len(DICE[dice[place - 1]]))] for place in wish.dice]
        source = chance.source
    if len(faces) != len(wish.dice):
        return Refusal("bad-action", m("say one face for each die that was rolled again"))
    shapes = list(rolled(0, faces).faces or ())
    wrong = roll_refusal(state.options.board, _with(state, wish.dice, shapes))
    return wrong or Fact("reroll", action.seat, {"dice": list(wish.dice), "faces": shapes, "source": source})


def _with(state: State, places: Sequence[int], faces: Sequence[str]) -> tuple[str, ...]:
    again = dict(zip(places, faces, strict=True))
    return tuple(again.get(place, face) for place, face in enumerate(state.dice, 1))


def _dice_of(state: State) -> tuple[str, ...]:
    """The dice in an order in which they can show the roll: a hand's roll may list them in any order."""
    dice = state.options.board.dice
    return next(
        order
        for order in permutations(dice)
        if all(face in DICE[die] for die, face in zip(order, state.dice, strict=True))
    )


def after_reroll(state: State, fact: Fact) -> State:
    """The state with other faces and a point less."""
    dice = _with(state, fact.data["dice"], fact.data["faces"])
    return replaced(state, dice=dice, research_spent=state.research_spent + 1)
