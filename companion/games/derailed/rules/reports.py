"""A scorekeeper's match: the whole railway area is reported, by hand or from a photograph.

What cannot lie on a table at all (a card that does not exist, more copies than the deck has) is refused.
Everything else is accepted, for people play on their own here; what looks wrong is said in the remarks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec

from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import listed, m
from companion.core.records import replaced
from companion.game.base import Fact, Refusal
from companion.game.pictures import Picture, picture_fact
from companion.games.derailed.rules.cards import card_of, deck_of, parse_face
from companion.games.derailed.rules.columns import in_conflict
from companion.games.derailed.rules.network import Area, area_of, cell_number
from companion.games.derailed.rules.placement import sides_of
from companion.games.derailed.rules.rounds import new_arrivals, with_arrivals
from companion.games.derailed.rules.setup import columns_fault
from companion.games.derailed.rules.state import State


class _Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    grid: dict[str, str]
    starts: tuple[str, ...] = ()
    destinations: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    by: int | None = None  # the seat that laid the card, whoever reports it
    picture: Picture | None = None


def reported(state: State, seat: int | None, data: JsonObject) -> Fact | Refusal:
    """The report as a fact: faces as they are usually written, both columns, and the remarks."""
    report = shaped(data, _Report, "bad-action")
    starts, destinations = report.starts or state.starts, report.destinations or state.destinations
    fault = columns_fault(starts, destinations, state.options.companies)
    cells = read_cells(len(state.starts), report.grid)
    fault = fault or copies_fault(cells, state.options.tunnels)
    if fault is not None:
        return fault
    if report.by is not None and report.by not in state.seats:
        return Refusal("no-seat", m("nobody sits at seat {by}, so nobody there laid a card", by=report.by))
    now = replaced(state, starts=starts, destinations=destinations)
    # What the players should look at
    before = now.cells
    changed = [cell for cell in cells if cells[cell] != before.get(cell)]
    gone = [cell for cell in before if cell not in cells]
    loose = _unreached(now, cells)
    found: list[str] = [m("laid earlier and gone now: {gone}", gone=", ".join(gone))] if gone else []
    if len(changed) > 1:
        found.append(
            m("more than one card is new since the last report: {changed}", changed=", ".join(changed))
        )
    if loose:
        found.append(m("joined to no company's station: {loose}", loose=", ".join(loose)))
    conflicts = in_conflict(now.starts, now.destinations)
    if conflicts:
        found.append(m("the same company at both ends of lane {conflicts}", conflicts=", ".join(conflicts)))
    remarks = [*found, *_arrival_remarks(now, cells, report.by)]
    stations = {"starts": list(starts), "destinations": list(destinations)}
    by = {} if report.by is None else {"by": report.by}
    told = {"grid": cells, **stations, "remarks": remarks, **by, **picture_fact(report.picture)}
    return Fact("report", seat, told)


def read_cells(lanes: int, given: Mapping[str, str]) -> dict[str, str]:
    """The cells in the order of the grid, with their faces as they are usually written."""
    by_number = {cell_number(lanes, cell): (cell, parse_face(text).text) for cell, text in given.items()}
    return dict(by_number[number] for number in sorted(by_number))


def copies_fault(cells: Mapping[str, str], tunnels: bool) -> Refusal | None:
    """The refusal if there are more copies of a card than the deck has."""
    there, deck = Counter(map(card_of, cells.values())), deck_of(tunnels)
    for card, count in there.items():
        if count > deck[card]:
            return too_many(card, count, deck[card])
    return None


def too_many(card: str, count: int, copies: int) -> Refusal:
    """More of a card than the deck has."""
    there = m("{copies} of them", copies=copies) if copies else m("none: play with the option tunnels")
    return Refusal(
        "too-many",
        m(
            "{count} cards {card} lie in the lanes, but the deck has {there}",
            count=count,
            card=card,
            there=there,
        ),
    )


def _arrival_remarks(state: State, cells: dict[str, str], by: int | None) -> list[str]:
    """Paths that bring nothing any more, and arrivals of which it is not known who was the first."""
    if state.revision < 2:
        return []
    newcomers = set(new_arrivals(_as_reported(state, cells))) - set(new_arrivals(state))
    names = listed(state.company(seat).name for seat in sorted(newcomers))
    if newcomers and state.enough_arrived:
        return [m("a path that comes after the end of the round brings nothing: {names}", names=names)]
    together = len(newcomers) > 1 and not state.arrived and state.options.first_together == "placer"
    if together and by is None:
        return [m("{names} arrive together and all count as the first: say who laid the card", names=names)]
    return []


def _as_reported(state: State, cells: Mapping[str, str]) -> State:
    return replaced(state, grid={cell: (face,) for cell, face in cells.items()})


def _unreached(state: State, cells: dict[str, str]) -> list[str]:
    """The cards to which no company's track leads now; a later card may have cut them off."""
    lanes = len(state.starts)
    area = area_of(lanes, cells)
    return [cell for cell in cells if not _reached(area, cell_number(lanes, cell))]


def _reached(area: Area, cell: int) -> bool:
    bare = area.with_face(cell, None)
    return any(sides_of(bare, lane, cell) for lane in range(area.lanes))


def after_report(state: State, fact: Fact) -> State:
    """The area as reported, and who has arrived by it.

    Matches begun up to version 0.2.0 (``revision`` 1) keep their scores: there every arrival counts, even
    after the round is over, and the card is taken to be of the seat that reports. Now (2) an arrival counts
    only while the round goes on, and a card is only of the seat that the report names.
    """
    area = _as_reported(state, fact.data["grid"])
    changed = [cell for cell, stack in area.grid.items() if stack[-1:] != state.grid.get(cell, ())[-1:]]
    last = changed[0] if len(changed) == 1 else ""
    laid = replaced(
        area,
        starts=tuple(fact.data["starts"]),
        destinations=tuple(fact.data["destinations"]),
        last=last,
    )
    if state.revision < 2:
        return with_arrivals(laid, last, fact.seat)
    return laid if state.enough_arrived else with_arrivals(laid, last, fact.data.get("by"))
