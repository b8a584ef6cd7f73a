"""Totals by the rules: a match that is over, played again from its records.

Records tell all there is to know of a game that tables apart can play, whose setup follows from its options
and which hides nothing. Of the others they tell what watchers saw; when a match is over its box is asked for
the rest, which has to fit the records. What a table shuffled and rolled is its word in either case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, cast, get_args

import msgspec

from companion.club.messages import Record
from companion.club.records import LEFT_OUT, results_of
from companion.core.errors import GameError
from companion.core.jsontext import JsonObject
from companion.game.base import Fact, Game, MatchRequest, Mode, NoChance, Refusal
from companion.game.registry import GAMES
from companion.table.events import Actor, Event, Role, is_move
from companion.table.match import TABLE_KINDS, Match, advanced, fact_of, opened
from companion.table.telling import seen_event

# What the rules say to the results of a match: the same; something else; they cannot be asked before its box
# has told what records left out; or they cannot say, whatever is told.
Ruling: TypeAlias = Literal["checked", "wrong", "claimed", "unclear"]


class RulingRequest(msgspec.Struct, frozen=True, tag="ruling"):
    """What the confined process is asked for; ``strict``: its options are known, so there is no doubt."""

    records: list[Record]
    options: JsonObject
    strict: bool
    untold: dict[str, JsonObject] = {}  # the data of events whose records tell less


def ruling_on(request: RulingRequest) -> Ruling:
    """Play a match again, and compare its results."""
    records = request.records
    start = records[0].data
    game = GAMES.get(str(start.get("game", "")))
    if game is None or not (game.duplicable or request.untold):
        return "claimed"
    try:
        if game.duplicable:
            match = _played_again(game, records, request.options)
        else:
            match = _told_again(game, records, request.untold)
    except (GameError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        match = None  # what no table of this version could have told
    if match is None:
        return "wrong" if request.strict and game.duplicable else "unclear"
    ours = {one.seat: (one.total, one.place) for one in results_of(match)}
    theirs = {one.seat: (one.total, one.place) for one in records[-1].results}
    return "checked" if match.finished and ours == theirs else "wrong"


def _played_again(game: Game[Any], records: Sequence[Record], options: JsonObject) -> Match | None:
    """The match that follows from the records; None when one of them is against the rules."""
    start, match = records[0].data, None
    mode, players = start["mode"], start["players"]
    if mode not in get_args(Mode):
        return None
    setup = game.setup(MatchRequest(len(players), cast(Mode, mode), options), NoChance())
    if isinstance(setup, Refusal):
        return None
    for record in records:
        event = _event(record, setup)
        if match is None:
            match = opened(event, game)
            continue
        is_rule = record.kind not in TABLE_KINDS and is_move(fact_of(event))
        if is_rule and not _stands(game, match.state, fact_of(event)):
            return None
        match = advanced(match, event)
    return match


def _told_again(game: Game[Any], records: Sequence[Record], untold: Mapping[str, JsonObject]) -> Match | None:
    """The match that follows from its whole events; None when they are against the rules or the records."""
    match = None
    for record in records:
        actor = Actor(cast(Role, record.by), record.seat)
        data = untold.get(str(record.seq), record.data)
        event = Event(record.match, record.seq, record.at, record.kind, data, record.seat, actor, None, "")
        if match is None:
            match = opened(event, game)
        else:
            is_rule = record.kind not in TABLE_KINDS and is_move(fact_of(event))
            if is_rule and not _stands(game, match.state, fact_of(event)):
                return None
            match = advanced(match, event)
        seen = seen_event(match, event, None)
        told = {key: value for key, value in seen.data.items() if key not in LEFT_OUT}
        if (seen.kind, seen.seat, told) != (record.kind, record.seat, record.data):
            return None
    return match


def _stands(game: Game[Any], state: Any, fact: Fact) -> bool:
    """True if the rules make this fact out of this state.

    Where dice came from is not told, and another version may word its remarks otherwise.
    """
    again = game.decide(state, fact, NoChance())
    if isinstance(again, Refusal):
        return False
    ours, theirs = (
        {key: value for key, value in data.items() if key not in (*LEFT_OUT, "remarks")}
        for data in (again.data, fact.data)
    )
    return (again.kind, again.seat, ours) == (fact.kind, fact.seat, theirs)


def _event(record: Record, setup: JsonObject) -> Event:
    """The event behind a record, as far as it is told: corrections are told as what they changed."""
    data = record.data
    if record.seq == 1:
        data = {**data, "setup": setup}
    elif record.kind == "correct":
        data = {"seq": data["seq"], "data": data["now"]}
    elif record.kind == "agree" and "now" in data:
        data = {"correct": {"seq": data["seq"], "data": data["now"]}}
    actor = Actor(cast(Role, record.by), record.seat)
    return Event(record.match, record.seq, record.at, record.kind, data, record.seat, actor, None, "")
