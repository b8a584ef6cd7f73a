"""How a match stands: the game's scores, in which only those rank who play.

A seat that was left has points and no place; nor has, once the match is over, one at which nobody ever sat
and nothing was done.
"""

from __future__ import annotations

from companion.core.jsontext import JsonObject
from companion.table.match import Match, in_effect
from companion.table.seats import default_player


def standings(match: Match) -> list[JsonObject]:
    """Every seat's explained score as it counts, best first.

    Seats that do not rank come last, their place is None.
    """
    return as_it_counts(match, ranked(match, match.game.score(match.state)))


def has_won(match: Match, row: JsonObject) -> bool:
    """True if the seat of this row has won: nobody wins a match that was ended early."""
    return match.finished and not match.ended and row["place"] == 1


def seen_match(match: Match, seat: int | None) -> JsonObject:
    """The match as that seat (None: a watcher) may see it, with these places."""
    view = match.game.view(match.state, seat)
    return {**view, "scores": ranked(match, view["scores"])} if "scores" in view else view


def ranked(match: Match, rows: list[JsonObject]) -> list[JsonObject]:
    """The scores with places only for those who play; ``absent`` says why one has none."""
    absent = absences(match)
    if not absent:
        return rows
    playing = [row for row in rows if row["seat"] not in absent]
    placed = [
        {**row, "place": 1 + sum(other["place"] < row["place"] for other in playing)} for row in playing
    ]
    others = [row for row in rows if row["seat"] in absent]
    return [*placed, *({**row, "place": None, "absent": absent[row["seat"]]} for row in others)]


def as_it_counts(match: Match, rows: list[JsonObject]) -> list[JsonObject]:
    """The scores with the totals and places that people are told, best first.

    What a game says may still change (``so_far``) does not count before the match was played to its end, nor
    if it was ended early.
    """
    if match.finished and not match.ended:
        return [{key: value for key, value in row.items() if key != "so_far"} for row in rows]
    if not all("so_far" in row for row in rows):
        return rows
    ranked = [told_total(row) for row in rows if row["place"] is not None]
    counted = []
    for row in rows:
        total = told_total(row)
        place = None if row["place"] is None else 1 + sum(other > total for other in ranked)
        changed = {key: value for key, value in row["so_far"].items() if key in row}
        counted.append({**row, **changed, "place": place})
    return sorted(counted, key=lambda row: (row["place"] is None, row["place"] or 0, row["seat"]))


def told_total(row: JsonObject) -> int:
    """The total that people are told of a seat with this score."""
    return int(row.get("so_far", row)["total"])


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
