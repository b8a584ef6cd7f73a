"""A scorekeeper's match: whole boards are reported, typed in or photographed, and checked as far as possible.

What cannot be a board at all (a highway against a railway) is refused. Everything else is accepted: people
play on their own here. What looks wrong is said in the remarks, never silently put right.
"""

from __future__ import annotations

import msgspec

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import m
from companion.game.base import Fact, Refusal
from companion.game.pictures import Picture
from companion.games.railroad_ink.rules.boards.board import Board, Drawing, Placed, Roll
from companion.games.railroad_ink.rules.boards.difference import by_source, explain_turn, ink_remarks
from companion.games.railroad_ink.rules.boards.layouts import Size
from companion.games.railroad_ink.rules.boards.placement import loose_remarks
from companion.games.railroad_ink.rules.boards.position import print_cells, read_cells, refuse_meeting_types
from companion.games.railroad_ink.rules.boards.routes import Cells
from companion.games.railroad_ink.rules.boards.specials import specials_reasons
from companion.games.railroad_ink.rules.expansions.frame import Placement
from companion.games.railroad_ink.rules.expansions.marks import read_marks
from companion.games.railroad_ink.rules.match.photographed import fact_of_picture
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.rulebook import NAMES


class _Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cells: dict[str, str]
    rounds: dict[str, int] = {}
    round: int | None = None  # of the routes that are new; 0: nobody knows
    remarks: list[str] | None = None  # in a stored report; of one without a round, as reports were once made
    picture: Picture | None = None
    marks: dict[str, str] = {}  # of an expansion


def reported(state: State, seat: int, data: JsonObject) -> Fact | Refusal:
    """The report as a fact: routes as they are usually written, a round for every cell, and the remarks.

    A report that was stored before reports had a round is taken, and remarked upon, as it was then.
    """
    report = shaped(data, _Report, "bad-action")
    known = state.options.known
    if report.marks and not known:
        return Refusal("no-expansion", m("this match has no expansion whose marks the box knows"))
    layout = state.options.board.layout
    cells = read_cells(report.cells, extra=bool(known), layout=layout)
    refuse_meeting_types(cells, state.options.walls)
    names = print_cells(cells)
    picture = fact_of_picture(report.picture)
    if report.round is None and report.remarks is not None:
        old_rounds = _rounds(state, seat, cells, report.rounds, state.round)
        remarks = board_remarks(state, seat, cells)
        return Fact("report", seat, {"cells": names, "rounds": old_rounds, "remarks": remarks, **picture})
    number = _round_of(state, report)
    rounds = _rounds(state, seat, cells, report.rounds, number)
    remarks = [
        *board_remarks(state, seat, cells),
        *specials_reasons(cells, state.options.board),
        *_round_remarks(state, seat, reported_board({"cells": names, "rounds": rounds}, layout.size)),
        *_unknown_rounds(state, rounds),
    ]
    marks = {"marks": read_marks(known, report.marks, layout)} if report.marks else {}
    told = {"cells": names, "rounds": rounds, "round": number, "remarks": remarks, **picture, **marks}
    return Fact("report", seat, told)


def _round_of(state: State, report: _Report) -> int:
    """The round of what is new: as said, else of the dice that lie on the table, else not known."""
    if report.round is None:
        return state.round if state.dice else 0
    if not 0 <= report.round <= state.options.all_rounds:
        raise NotationError(
            "bad-round",
            m(
                "round {round}: rounds are 1 to {all_rounds}, 0 if nobody knows",
                round=report.round,
                all_rounds=state.options.all_rounds,
            ),
        )
    return report.round


def _rounds(state: State, seat: int, cells: Cells, given: dict[str, int], new: int) -> dict[str, int]:
    """The round of every cell: as given, else as reported before, else that of new routes."""
    cell_of = state.options.board.layout.cell
    known = {cell_of(drawing.cell): drawing.round for drawing in state.boards[seat].drawings}
    for name, number in given.items():
        if cell_of(name) not in cells or not 0 <= number <= state.options.all_rounds:
            raise NotationError(
                "bad-round",
                m(
                    "round {number} of {name}: rounds are 1 to {all_rounds}, of drawn cells",
                    number=number,
                    name=name,
                    all_rounds=state.options.all_rounds,
                ),
            )
    return {NAMES[cell]: given.get(NAMES[cell], known.get(cell, new)) for cell in cells}


def _round_remarks(state: State, seat: int, board: Board) -> list[str]:
    """Yield remarks on rounds whose new routes the dice, Factories or special routes cannot explain."""
    before = {(drawing.cell, drawing.route, drawing.round) for drawing in state.boards[seat].drawings}
    new = {one.round for one in board.drawings if (one.cell, one.route, one.round) not in before}
    found: list[str] = []
    for number in sorted(new - {0}):
        roll = Roll(number, state.dice if number == state.dice_round and state.dice else None)
        drawn = Board(board.before_round(number).drawings + board.in_round(number), size=board.size).cells()
        answer = explain_turn(state.rules, board.before_round(number), roll, drawn, by_source)
        if isinstance(answer, Refusal):
            found.append(m("round {number}: {message}", number=number, message=answer.message))
    return found


def _unknown_rounds(state: State, rounds: dict[str, int]) -> list[str]:
    unknown = sum(not number for number in rounds.values())
    if not unknown or not state.options.goals:
        return []
    what = m("1 route is") if unknown == 1 else m("{unknown} routes are", unknown=unknown)
    return [m("in which round {what} new was not said, so who was first with a goal is not known", what=what)]


def reported_board(data: JsonObject, size: Size) -> Board:
    """The board of an accepted report, in the order of its rounds."""
    rounds: dict[str, int] = data["rounds"]
    names = sorted(data["cells"], key=lambda name: rounds[name])
    marks = tuple(data.get("marks", {}).items())
    return Board(
        tuple(Drawing(name, data["cells"][name], "given", rounds[name]) for name in names),
        (Placed(Placement((), marks=marks), 0),) if marks else (),
        size,
    )


def board_remarks(state: State, seat: int, cells: Cells) -> list[str]:
    """What the players should look at: vanished or changed ink, and routes that join nothing."""
    return ink_remarks(state.boards[seat].cells(), cells) + loose_remarks(cells, state.options.walls)
