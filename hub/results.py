"""The results that count: of boxes' chains that verify, as the organiser has corrected them."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from companion.club.messages import Standing
from companion.core.messages import m
from hub.evening import Correction, Evening
from hub.standings import Line, Outcome, standings
from hub.state import HubState, Played

WRONG = m("the rules come to other results than its table told")


@dataclass(frozen=True)
class Result:
    """A match that is over: what its table says, what counts, and why where these differ."""

    played: Played
    seats: tuple[Standing, ...]
    counts: bool
    why: str
    correction: Correction | None

    @property
    def claimed(self) -> bool:
        """True where nobody could check the totals: they are its table's word."""
        return self.played.checked != "checked" and self.correction is None


def result_of(evening: Evening, played: Played) -> Result:
    """A match with what the organiser said about it."""
    key = (played.box, played.match)
    correction = evening.corrections.get(key)
    seats = played.results
    if correction is not None:
        totals = {one.seat: correction.totals.get(one.seat, one.total) for one in seats}
        ranked = [totals[one.seat] for one in seats if one.place is not None]
        seats = tuple(
            msgspec.structs.replace(
                one,
                total=totals[one.seat],
                place=None if one.place is None else 1 + sum(other > totals[one.seat] for other in ranked),
            )
            for one in seats
        )
    said = evening.counts.get(key)
    fault = played.fault or (WRONG if played.checked == "wrong" and correction is None else "")
    counts, why = said if said is not None else (not fault, fault)
    return Result(played, seats, counts, why, correction)


def results(hub_state: HubState, since: int = 0, until: int | None = None) -> list[Result]:
    """All matches that are over and began between these entries of the log, oldest first."""
    over = [
        one
        for one in hub_state.matches.values()
        if one.results and since <= one.entries and (until is None or one.entries < until)
    ]
    return [result_of(hub_state.evening, one) for one in sorted(over, key=lambda one: one.order)]


def outcomes(found: list[Result]) -> list[Outcome]:
    """The results that count for the standings."""
    return [
        Outcome(
            f"{one.played.box}/{one.played.match}",
            one.played.game,
            one.played.began,
            tuple((seat.name, seat.total, seat.place) for seat in one.seats),
        )
        for one in found
        if one.counts
    ]


def season(evening: Evening, number: int | None) -> tuple[str, int, int | None]:
    """The name of a season (None: the newest), and from which entry of the log until which it lasts."""
    starts = [(0, ""), *evening.seasons]
    at = len(starts) - 1 if number is None else max(0, min(number, len(starts) - 1))
    return starts[at][1], starts[at][0], starts[at + 1][0] if at + 1 < len(starts) else None


def table_of(hub_state: HubState, number: int | None = None) -> list[Line]:
    """The standings of a season, with ratings over all that was ever played; kept until a result changes."""
    based_on = hub_state.results_version
    kept = hub_state.standings.get(number)
    if kept is not None and kept[0] == based_on:
        return kept[1]
    _, since, until = season(hub_state.evening, number)
    byes = hub_state.evening.byes() if number is None else {}
    lines = standings(outcomes(results(hub_state, since, until)), hub_state.evening.scheme, byes)
    known = hub_state.ratings.after(outcomes(results(hub_state, 0, until)))
    for line in lines:
        if line.person in known:
            line.rating, line.spread = known[line.person].mean, known[line.person].spread
    if number is None or number <= len(hub_state.evening.seasons):
        hub_state.standings[number] = based_on, lines
    return lines
