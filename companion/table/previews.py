"""Previews of an action's result, without applying it.

Only what can be taken back is shown beforehand: whoever may do it and undo it learns nothing more by looking.
"""

from __future__ import annotations

from dataclasses import replace

from companion.core.errors import GameError
from companion.core.messages import m
from companion.game.base import Action, Refusal
from companion.table.authority import as_asked, authority_fault
from companion.table.events import Actor
from companion.table.match import NO_CHANCE, TABLE_KINDS, Match
from companion.table.requests import decide_in_match

_UNSEEN = Refusal("not-before", m("the result of that is not known before it is done"))


def previewed(match: Match, action: Action, actor: Actor) -> Match | Refusal:
    """The match as it would be after an action; its version stays, for nothing has happened."""
    if action.kind in TABLE_KINDS:
        return _UNSEEN
    asked = as_asked(action, actor)
    try:
        fact = authority_fault(asked, actor) or decide_in_match(match, asked, actor, NO_CHANCE)
    except GameError as problem:
        return Refusal(problem.code, problem.message)
    except LookupError:  # chance takes part
        return _UNSEEN
    if isinstance(fact, Refusal):
        return fact
    if match.game.lasting(fact):
        return _UNSEEN
    return replace(match, state=match.game.apply(match.state, fact))
