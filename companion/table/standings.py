"""How a match stands: the game's scores, in which only those rank who play.

A seat that was left has points and no place; nor has, once the match is over, one at which nobody ever sat
and nothing was done.
"""

from __future__ import annotations

from companion.games.contract import Plain
from companion.table.match import Match, in_effect
from companion.table.seats import default_player


def standings(match: Match) -> list[Plain]:
    """Every seat's explained score, best first; seats that do not rank come last, their place is None."""
    return ranked(match, match.game.score(match.state))


def seen_match(match: Match, seat: int | None) -> Plain:
    """The match as that seat (None: a watcher) may see it, with these places."""
    view = match.game.view(match.state, seat)
    return {**view, "scores": ranked(match, view["scores"])} if "scores" in view else view


def ranked(match: Match, rows: list[Plain]) -> list[Plain]:
    """The same scores with places only for those who play; ``absent`` says why one has none."""
    absent = absences(match)
    if not absent:
        return rows
    playing = [row for row in rows if row["seat"] not in absent]
    placed = [
        {**row, "place": 1 + sum(other["place"] < row["place"] for other in playing)} for row in playing
    ]
    others = [row for row in rows if row["seat"] in absent]
    return [*placed, *({**row, "place": None, "absent": absent[row["seat"]]} for row in others)]


def absences(match: Match) -> dict[int, str]:
    """The seats that do not rank: ``left`` by somebody, or ``empty`` to the end."""
    left = {seat: "left" for seat, holder in match.holders.items() if holder.by == "nobody"}
    empty = _empty(match) if match.finished else ()
    absent = {**dict.fromkeys(empty, "empty"), **left}
    return {} if len(absent) == len(match.players) else absent


def _empty(match: Match) -> set[int]:
    """The seats without a name, at which nobody sat down and for which nothing was done."""
    nameless = {seat for seat, player in match.players.items() if player.name == default_player(seat).name}
    nameless -= match.holders.keys()
    if not nameless:
        return set()
    sat = {event.seat for event in match.events if event.kind == "sit" and event.actor.role == "player"}
    acted = {fact.seat for fact in in_effect(match.events).values()}
    return {seat for seat in nameless if seat not in sat and seat not in acted}
