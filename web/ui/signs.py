"""What open pages signal by sound or vibration: who is awaited, a roll, a feat, the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, m
from companion.game.base import Fact
from companion.table.events import Event
from companion.table.match import TABLE_KINDS, Match, in_effect
from companion.table.standings import absences
from web.ui.parts import Aside, Presenter
from web.ui.speaking import said_json

_MOST_FEATS = 3  # of those that are events; the pages tell each once


class Feat(msgspec.Struct, frozen=True, omit_defaults=True):
    """What somebody has achieved, to be told to everybody in the reader's language; by its ``key`` it is
    told once."""

    key: str
    seat: int
    says: str
    cells: tuple[str, ...] = ()  # by ``data-cell`` or ``data-spot``: the table's screen lights them up
    more: str = ""  # what was won with it, where the name is a letter


class Signs(msgspec.Struct, frozen=True, omit_defaults=True):
    """Values whose change makes a page play a sound, vibrate or announce something."""

    awaited: list[int]
    since: str  # when their turn began; empty when nobody is awaited
    limit: int  # seconds that a turn should take; 0: as long as it likes
    rolled: int  # the event of the last roll
    feats: list[Feat]
    over: bool
    lead: Feat | None = None  # who leads alone; told when it is somebody else than before


def signs_json(signs: Signs) -> str:
    """Encode the signs as JSON for the page's script."""
    return said_json(signs).decode()


def awaited_seats(presenter: Presenter[Any], view: JsonObject, match: Match) -> list[int]:
    """The seats for which the others wait."""
    if match.finished:
        return []
    return [seat for seat in presenter.awaited(view) if seat in match.players and seat not in absences(match)]


def signs_of(
    presenter: Presenter[Any],
    match: Match,
    view: JsonObject,
    rows: list[JsonObject],
    awaited: list[int],
    asides: list[Aside],
) -> Signs:
    """The signs of a match; ``view`` and ``asides`` as everybody may see them, ``rows`` of the score."""
    rolls = [seq for seq, fact in in_effect(match.events).items() if fact.kind == "roll"]
    rolled = rolls[-1] if rolls else 0
    return Signs(
        awaited=awaited,
        since=_since(match, awaited, rolled),
        limit=match.opening.get("timer", 0),
        rolled=rolled,
        feats=[
            *reached(presenter, match, view),
            *won(asides, match),
            *celebrated(presenter, match, in_effect(match.events), _MOST_FEATS),
        ],
        over=match.finished,
        lead=_lead(match, rows) if presenter.overtaking and not match.finished else None,
    )


def _lead(match: Match, rows: list[JsonObject]) -> Feat | None:
    first = [row["seat"] for row in rows if row["place"] == 1 and row["total"] > 0]
    if len(first) != 1 or len(match.players) == 1:
        return None
    name = match.players[first[0]].name
    return Feat(f"lead {first[0]}", first[0], m("{name} takes the lead", name=name))


def reached(presenter: Presenter[Any], match: Match, view: JsonObject) -> list[Feat]:
    """What of the game's milestones has been reached, as everybody may see it."""
    names = {seat: player.name for seat, player in match.players.items()}
    return [
        Feat(one.key, one.seat, joined(" ", [names[one.seat], one.says]) if one.seat else one.says, one.cells)
        for one in presenter.milestones(view)
    ]


def _since(match: Match, awaited: list[int], rolled: int) -> str:
    """A turn begins with the roll that is for everybody, or when somebody else has done something."""
    if not awaited:
        return ""
    if rolled:
        return match.events[rolled - 1].at
    return next(
        (event.at for event in reversed(match.events) if _of_others(event, awaited)), match.events[0].at
    )


def _of_others(event: Event, awaited: list[int]) -> bool:
    return event.kind not in TABLE_KINDS and event.seat not in awaited


def won(asides: list[Aside], match: Match) -> list[Feat]:
    """What lies beside the boards and was won by somebody."""
    return [
        Feat(
            f"{aside.title}: {seat} {[one for one, _ in aside.points or ()].index(seat)}",
            seat,
            m("{name}: {title} +{points}", name=match.players[seat].name, title=aside.title, points=points),
            aside.cells.get(seat, ()),
            aside.says,
        )
        for aside in asides
        for seat, points in aside.points or ()
    ]


def celebrated(
    presenter: Presenter[Any], match: Match, facts: Mapping[int, Fact], latest: int = 0
) -> list[Feat]:
    """Those of the facts that are announced to everybody, by the numbers of their events; 0: all of them."""
    chosen = [(seq, fact) for seq, fact in facts.items() if fact.kind in presenter.feats]
    seen = [(seq, match.game.seen(match.state, fact, None)) for seq, fact in chosen[-latest:]]
    return [
        Feat(
            f"event {seq}",
            fact.seat or 0,
            joined(" ", [match.players[fact.seat].name, presenter.event_words(fact.kind, fact.data)]),
            presenter.feat_cells(fact.kind, fact.data, fact.seat),
        )
        for seq, fact in seen
        if fact.seat in match.players
    ]
