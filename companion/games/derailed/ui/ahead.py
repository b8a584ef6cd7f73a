"""What a step in Derailed! would bring: the views of a seat before and after it, compared in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.jsontext import JsonObject
from companion.core.messages import m, nm
from companion.games.derailed.rules.results import table_view
from companion.games.derailed.rules.state import State
from companion.table.seats import Player


def foreseen(before: State, after: State, seat: int, players: Mapping[int, Player]) -> list[str]:
    """Arrivals first, then who comes nearer and who is thrown back, then the end of the round."""
    return _compared(table_view(before, seat), table_view(after, seat), seat, players)


def _compared(before: JsonObject, after: JsonObject, seat: int, players: Mapping[int, Player]) -> list[str]:
    arrivals = _new_arrivals(before, after)
    found = [_arrival_words(arrival, seat, players) for arrival in arrivals]
    new = {arrival["seat"] for arrival in arrivals}
    order = sorted(players, key=lambda other: (other != seat, other))
    found += [
        _distance_words(before, after, other, players[other].name if other != seat else "")
        for other in order
        if other not in new and (other == seat or _missing(before, other) != _missing(after, other))
    ]
    # A card that completes the last path leaves its player to take a card, but nothing can change any more.
    if arrivals and len(after["arrived"]) >= after["needed"]:
        found.append(m("That ends the match.") if after["finished"] else m("That ends the round."))
    return [line for line in found if line]


def _new_arrivals(before: JsonObject, after: JsonObject) -> list[JsonObject]:
    known = {arrival["seat"] for arrival in before["arrived"]}
    return [arrival for arrival in after["arrived"] if arrival["seat"] not in known]


def _arrival_words(arrival: JsonObject, seat: int, players: Mapping[int, Player]) -> str:
    points = arrival["points"]
    if arrival["seat"] == seat:
        you_first = m("You arrive first: +{points}", points=points)
        return you_first if arrival["first"] else m("You arrive: +{points}", points=points)
    name = players[arrival["seat"]].name
    if arrival["first"]:
        return m("{name} arrives first: +{points}", name=name, points=points)
    return m("{name} arrives: +{points}", name=name, points=points)


def _missing(view: JsonObject, seat: int) -> int:
    """The fewest cards that could carry a company's track on to its destination."""
    return next(-int(row["prospect"]) for row in view["scores"] if row["seat"] == seat)


def _distance_words(before: JsonObject, after: JsonObject, seat: int, name: str) -> str:
    """How far a company still is from its station; without a name the player is addressed."""
    now, then = _missing(before, seat), _missing(after, seat)
    if now == 0:
        return ""
    if now == then:
        return m("You stay at least {cards} from your station", cards=_cards(then))
    cards = _cards(then)
    if not name:
        if then < now:
            return m("You come nearer, at least {cards} from your station (now {now})", cards=cards, now=now)
        return m("You are thrown back, at least {cards} from your station (now {now})", cards=cards, now=now)
    if then < now:
        return m(
            "{name} comes nearer, at least {cards} from the station (now {now})",
            name=name,
            cards=cards,
            now=now,
        )
    return m(
        "{name} is thrown back, at least {cards} from the station (now {now})",
        name=name,
        cards=cards,
        now=now,
    )


def _cards(count: int) -> str:
    return nm("{n} card", "{n} cards", count)
