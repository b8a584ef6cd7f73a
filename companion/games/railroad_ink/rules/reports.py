"""A scorekeeper's match: whole boards are reported, typed in or photographed, and checked as far as possible.

What cannot be a board at all (a highway against a railway) is refused. Everything else is accepted: people
play on their own here. What looks wrong is said in the remarks, never silently put right.
"""

from __future__ import annotations

import msgspec

from companion.games.contract import Fact, Plain, Refusal
from companion.games.kit.errors import NotationError
from companion.games.kit.jsontext import shaped
from companion.games.kit.pictures import Picture
from companion.games.railroad_ink.rules.board import Board, Drawing
from companion.games.railroad_ink.rules.difference import ink_remarks
from companion.games.railroad_ink.rules.photographed import fact_of_picture
from companion.games.railroad_ink.rules.placement import loose_remarks
from companion.games.railroad_ink.rules.position import print_cells, read_cells, refuse_meeting_types
from companion.games.railroad_ink.rules.routes import Cells
from companion.games.railroad_ink.rules.rulebook import GRID, ROUNDS
from companion.games.railroad_ink.rules.state import State


class _Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cells: dict[str, str]
    rounds: dict[str, int] = {}
    remarks: list[str] = []
    picture: Picture | None = None


def reported(state: State, seat: int, data: Plain) -> Fact | Refusal:
    """The report as a fact: routes as they are usually written, a round for every cell, and the remarks."""
    report = shaped(data, _Report, "bad-action")
    cells = read_cells(report.cells)
    refuse_meeting_types(cells, state.options.walls)
    rounds = _rounds(state, seat, cells, report.rounds)
    remarks = board_remarks(state, seat, cells)
    names = print_cells(cells)
    data = {"cells": names, "rounds": rounds, "remarks": remarks, **fact_of_picture(report.picture)}
    return Fact("report", seat, data)


def _rounds(state: State, seat: int, cells: Cells, given: dict[str, int]) -> dict[str, int]:
    """The round of every cell: as given, else as reported before, else the present one."""
    known = state.boards[seat].rounds()
    for name, number in given.items():
        if GRID.cell(name) not in cells or not 1 <= number <= ROUNDS:
            raise NotationError(
                "bad-round", f"round {number} of {name}: rounds are 1 to {ROUNDS}, of drawn cells"
            )
    return {GRID.names[cell]: given.get(GRID.names[cell], known.get(cell, state.round)) for cell in cells}


def reported_board(data: Plain) -> Board:
    """The board of an accepted report, in the order of its rounds."""
    rounds: dict[str, int] = data["rounds"]
    names = sorted(data["cells"], key=lambda name: rounds[name])
    return Board(tuple(Drawing(name, data["cells"][name], "given", rounds[name]) for name in names))


def board_remarks(state: State, seat: int, cells: Cells) -> list[str]:
    """What the players should look at: vanished or changed ink, and routes that join nothing."""
    return ink_remarks(state.boards[seat].cells(), cells) + loose_remarks(cells, state.options.walls)
