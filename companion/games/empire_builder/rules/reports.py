"""A scorekeeper's match: genuine cards and money lie on the table; people report how it stands.

What cannot be at all (two owners of one edge, track over open water) is refused. Everything else is accepted;
what looks wrong, and what the new track must have cost, is said in the remarks.
"""

from __future__ import annotations

import msgspec

from companion.games.contract import Action, Fact, Plain, Refusal
from companion.games.empire_builder.rules.board import Board
from companion.games.empire_builder.rules.difference import SeatChange, changes, problems
from companion.games.empire_builder.rules.position import (
    Track,
    TrainData,
    print_track,
    read_track,
    read_train,
)
from companion.games.empire_builder.rules.rulebook import RULES
from companion.games.empire_builder.rules.state import State, Train, with_money, with_player
from companion.games.empire_builder.rules.tracks import edges_of, linked_from
from companion.games.kit.jsontext import as_plain, shaped
from companion.games.kit.records import replaced

MOST_CASH = 100_000


class _Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    track: dict[int, tuple[str, ...]] | None = None
    cash: dict[int, int] = {}
    trains: dict[int, TrainData] = {}
    remarks: list[str] = []
    turn: int | None = None


def decide_report(state: State, action: Action) -> Fact | Refusal:
    """The report as a fact: lines as they are usually written, and the remarks."""
    if state.mode == "umpire":
        return Refusal(
            "not-scorekeeper", "in this match every segment is built through the rules, one by one"
        )
    report = shaped(action.data, _Report, "bad-action")
    wrong = [
        seat for seat in [*(report.track or {}), *report.cash, *report.trains] if seat not in state.players
    ]
    if wrong:
        return Refusal("no-seat", f"there is no seat {wrong[0]} in this match")
    poor = [cash for cash in report.cash.values() if not 0 <= cash <= MOST_CASH]
    if poor:
        return Refusal("bad-cash", f"nobody has {poor[0]} million")
    return Fact("report", action.seat, _reported(state, report))


def _reported(state: State, report: _Report) -> Plain:
    data: Plain = {}
    if report.track is not None:
        track = _whole_track(state, report)
        data["track"] = {str(seat): print_track(state.board, edges_of(track, seat)) for seat in report.track}
        data["remarks"] = remarks(state, track)
    if report.cash:
        data["cash"] = as_plain(report.cash)
    if report.trains:
        trains = {seat: read_train(state.board, train) for seat, train in report.trains.items()}
        data["trains"] = as_plain({seat: _train_data(state.board, train) for seat, train in trains.items()})
    return data


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


def remarks(state: State, track: Track) -> list[str]:
    """Sentences about the new track: what it must have cost, and what of it cannot be right."""
    found = []
    for change in changes(state.board, state.track, track):
        found += _change_remarks(state.board, change)
    return [*found, *problems(state.board, state.track, track)]


def _change_remarks(board: Board, change: SeatChange) -> list[str]:
    found = []
    if change.builds:
        new = f"seat {change.seat} has built {len(change.builds)} segments for {change.price} million"
        more = change.turns > 1
        found.append(f"{new}, more than one turn allows ({RULES.building.a_turn})" if more else new)
    if change.gone:
        names = ", ".join(board.edge_names[edge] for edge in change.gone[:5])
        found.append(f"seat {change.seat}: built earlier and gone now: {names}")
    return found


def after_report(state: State, fact: Fact) -> State:
    """Track, cash and trains as reported; what is not mentioned stays."""
    report = shaped(fact.data, _Report)
    if report.track is not None:
        track = _whole_track(state, report)
        state = replaced(state, track=track)
        for seat in state.players:
            linked = linked_from(state.board, edges_of(track, seat))
            state = with_player(state, seat, linked=linked)
    for seat, cash in report.cash.items():
        state = with_money(state, seat, counted=cash - state.players[seat].cash)
    for seat, train in report.trains.items():
        state = with_player(state, seat, train=read_train(state.board, train))
    return state
