"""A scorekeeper's match: genuine cards and money lie on the table; people report how it stands.

What cannot be at all (two owners of one edge, track over open water) is refused. Everything else is accepted;
what looks wrong, and what the track of this turn must have cost, is said in the remarks: always for a report
with track, for one of cash or trains alone if it asks for the sum with an empty ``spent``.
"""

from __future__ import annotations

import msgspec

from companion.core.jsontext import JsonObject, as_plain, shaped
from companion.core.messages import Seat, joined, m
from companion.core.records import replaced
from companion.game.base import Action, Fact, Refusal
from companion.game.pictures import Picture, picture_fact
from companion.games.empire_builder.rules.boards.board import Board
from companion.games.empire_builder.rules.boards.difference import SeatChange, changes, problems
from companion.games.empire_builder.rules.boards.names import Edges
from companion.games.empire_builder.rules.boards.position import (
    Track,
    TrainData,
    print_track,
    read_track,
    read_train,
)
from companion.games.empire_builder.rules.boards.tracks import edges_of, linked_from
from companion.games.empire_builder.rules.match.state import State, Train, with_money, with_player, with_turn
from companion.games.empire_builder.rules.rulebook import RULES

MOST_CASH = 100_000


class _Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    track: dict[int, tuple[str, ...]] | None = None
    cash: dict[int, int] = {}
    trains: dict[int, TrainData] = {}
    remarks: list[str] | None = None
    turn: int | None = None
    spent: dict[int, int] | None = None
    picture: Picture | None = None


def decide_report(state: State, action: Action) -> Fact | Refusal:
    """The report as a fact: lines as they are usually written, and the remarks."""
    if state.mode == "umpire":
        return Refusal(
            "not-scorekeeper", m("in this match every segment is built through the rules, one by one")
        )
    report = shaped(action.data, _Report, "bad-action")
    wrong = [
        seat for seat in [*(report.track or {}), *report.cash, *report.trains] if seat not in state.players
    ]
    if wrong:
        return Refusal("no-seat", m("there is no seat {wrong} in this match", wrong=wrong[0]))
    poor = [cash for cash in report.cash.values() if not 0 <= cash <= MOST_CASH]
    if poor:
        return Refusal("bad-cash", m("nobody has {poor} million", poor=poor[0]))
    return Fact("report", action.seat, {**_reported(state, report), **picture_fact(report.picture)})


def _reported(state: State, report: _Report) -> JsonObject:
    data: JsonObject = {}
    track = state.track
    if report.track is not None:
        track = _whole_track(state, report)
        data["track"] = {str(seat): print_track(state.board, edges_of(track, seat)) for seat in report.track}
    if report.cash:
        data["cash"] = as_plain(report.cash)
    if report.trains:
        trains = {seat: read_train(state.board, train) for seat, train in report.trains.items()}
        data["trains"] = as_plain({seat: _train_data(state.board, train) for seat, train in trains.items()})
    if report.spent is None and (report.track is None or report.remarks is not None):
        # As reports were before a turn was summed up: what stands in a journal is said again.
        return {**data, "remarks": _former_remarks(state, track)} if report.track is not None else data
    turn = _turn_changes(state, track)
    data["remarks"] = remarks(state, track, report)
    data["spent"] = {str(seat): change.price for seat, change in turn.items() if change.builds}
    return data


def _turn_changes(state: State, track: Track) -> dict[int, SeatChange]:
    """What everybody has built since the turn began, in however many reports."""
    return {change.seat: change for change in changes(state.board, state.stood.track, track)}


def _train_data(board: Board, train: Train) -> TrainData:
    at, came = (None if number is None else board.names[number] for number in (train.at, train.came))
    return TrainData(train.kind, at, came, train.loads)


def _whole_track(state: State, report: _Report) -> Track:
    """Seats that are not reported keep what they have."""
    given = report.track or {}
    kept = {
        seat: print_track(state.board, edges_of(state.track, seat))
        for seat in state.players
        if seat not in given
    }
    return read_track(state.board, {**kept, **given})


def remarks(state: State, track: Track, report: _Report) -> list[str]:
    """Sentences about the turn so far: what its track must have cost, and what of it cannot be right."""
    board, turn = state.board, _turn_changes(state, track)
    found: list[str] = []
    for change in changes(board, state.track, track):
        found += _change_remarks(board, change, turn.get(change.seat, change))
    for seat in sorted({*report.cash, *(report.track or {})}):
        found += _cash_remarks(state, report, seat, turn.get(seat))
    return [*found, *problems(board, state.track, track)]


def _change_remarks(board: Board, change: SeatChange, turn: SeatChange) -> list[str]:
    found: list[str] = []
    if change.builds:
        new = m("{seat} has built {change}", seat=Seat(change.seat), change=_segments(change))
        both = len(turn.builds) > len(change.builds)
        whole = [m("{turn} in this turn", turn=_segments(turn))] if both else []
        reasons = _too_much(turn)
        found.append(joined(": ", [joined(", ", [new, *whole]), *([reasons] if reasons else [])]))
    if change.gone:
        names = Edges(board.edge_names[edge] for edge in change.gone[:5])
        found.append(m("{seat}: built earlier and gone now: {names}", seat=Seat(change.seat), names=names))
    return found


def _segments(change: SeatChange) -> str:
    return m("{builds} segments for {price} million", builds=len(change.builds), price=change.price)


def _too_much(turn: SeatChange) -> str:
    """The limits of a turn that were exceeded."""
    most, outs = RULES.building.a_turn, RULES.building.out_of_majors
    found = []
    if turn.price > most:
        found.append(m("more than one turn allows ({most} million)", most=most))
    if turn.out_of_majors > outs:
        found.append(
            m(
                "{out_of_majors} of them out of major cities, one turn allows {outs}",
                out_of_majors=turn.out_of_majors,
                outs=outs,
            )
        )
    return joined("; ", found)


def _cash_remarks(state: State, report: _Report, seat: int, turn: SeatChange | None) -> list[str]:
    """Cash that was counted in this turn against what was built and bought in it."""
    if seat not in report.cash and seat not in state.stood.counted:
        return []
    had, train = state.stood.cash.get(seat, 0), state.players[seat].train.kind
    kind = report.trains[seat].kind if seat in report.trains else train
    bought = RULES.trains[state.stood.trains.get(seat, kind)].upgrades.get(kind, 0)
    price = (turn.price if turn else 0) + bought
    fell = had - report.cash.get(seat, state.players[seat].cash)
    paid = m("{seat}: the cash went from {had} to {fell}", seat=Seat(seat), had=had, fell=had - fell)
    what = (
        m("track and train of this turn cost {price}", price=price)
        if bought
        else m("track of this turn cost {price}", price=price)
    )
    if fell > price:
        return [
            m(
                "{paid}, but {what}: {price} million more is gone (rent or tax, or a mistake)",
                paid=paid,
                what=what,
                price=fell - price,
            )
        ]
    if fell < price and state.building_only:
        return [
            m("{paid}, but {what}: {fell} million has not been paid", paid=paid, what=what, fell=price - fell)
        ]
    return []


def _former_remarks(state: State, track: Track) -> list[str]:
    """The remarks on one report alone, as they were made before a turn's reports were summed up."""
    found = []
    for change in changes(state.board, state.track, track):
        if change.builds:
            new = m("{seat} has built {change}", seat=Seat(change.seat), change=_segments(change))
            more = change.turns > 1
            found.append(
                m("{new}, more than one turn allows ({a_turn})", new=new, a_turn=RULES.building.a_turn)
                if more
                else new
            )
        if change.gone:
            names = Edges(state.board.edge_names[edge] for edge in change.gone[:5])
            found.append(
                m("{seat}: built earlier and gone now: {names}", seat=Seat(change.seat), names=names)
            )
    return [*found, *problems(state.board, state.track, track)]


def after_report(state: State, fact: Fact) -> State:
    """Track, cash and trains as reported; what is not mentioned stays."""
    report = shaped(fact.data, _Report)
    if report.track is not None:
        track = _whole_track(state, report)
        state = replaced(state, track=track)
        for seat in state.players:
            linked = linked_from(state.board, edges_of(track, seat))
            state = with_player(state, seat, linked=linked)
        own = _turn_changes(state, track).get(state.seat)
        spent, outs = (own.price, own.out_of_majors) if own else (0, 0)
        state = with_turn(state, spent=min(spent, RULES.building.a_turn), out_of_majors=outs)
    counted = tuple(sorted({*state.stood.counted, *report.cash}))
    state = replaced(state, stood=replaced(state.stood, counted=counted))
    for seat, cash in report.cash.items():
        state = with_money(state, seat, counted=cash - state.players[seat].cash)
    for seat, train in report.trains.items():
        state = with_player(state, seat, train=read_train(state.board, train))
    return state
