"""What a photograph means for a seat's board in a match: the ruling, and what to submit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from companion.core.messages import Seat, Seats, listed, m, pm
from companion.games.contract import Action, Plain
from companion.games.railroad_ink.eye.costs import with_answers
from companion.games.railroad_ink.eye.mark_classes import READ_EXPANSIONS
from companion.games.railroad_ink.eye.mark_costs import MarkedLooks, split_answers
from companion.games.railroad_ink.eye.readings import PhotoReading, SheetReading
from companion.games.railroad_ink.eye.ruling import rule_board, rule_turn, unless_cut
from companion.games.railroad_ink.eye.ruling_asking import rule_beside_unread
from companion.games.railroad_ink.eye.ruling_marks import rule_marked_board, rule_marked_turn
from companion.games.railroad_ink.eye.ruling_order import Throw
from companion.games.railroad_ink.eye.ruling_rest import (
    NOTHING_MORE,
    REST,
    Way,
    likeliest,
    ways_left,
)
from companion.games.railroad_ink.eye.verdict import BoardRuling, moves_json
from companion.games.railroad_ink.rules.board import Board
from companion.games.railroad_ink.rules.expansions.frame import face_words
from companion.games.railroad_ink.rules.expansions.playing import faces_left
from companion.games.railroad_ink.rules.position import print_cells
from companion.games.railroad_ink.rules.rulebook import GRID, ROUNDS
from companion.games.railroad_ink.rules.state import State
from companion.games.railroad_ink.rules.walls import parse_walls
from companion.games.sight import Scope, SeatAnswer

_SURE_NUMBER = 0.9
_SURELY_LEFT = 0.9


def answer_for_seat(
    reading: PhotoReading,
    state: State,
    seat: int,
    answers: Mapping[str, str],
    photo: str,
    _scope: Scope = "",
) -> SeatAnswer[SheetReading]:
    """Rule on the board of one seat as the match stands; ``answers`` settle doubtful cells."""
    sheet = _own_sheet(reading, state, seat)
    if isinstance(sheet, str):
        return SeatAnswer(None, None, (sheet, *reading.notes))
    settled = {slot: text for slot, text in answers.items() if slot != REST}
    looks = _looks(sheet, settled)
    ruling = _ruled_in_match(looks, sheet, state, seat)
    ruling = unless_cut(ruling, looks.routes, state.boards[seat].cells(), sheet.outside)
    ways = _ways_left(ruling, sheet, state, seat) if answers.get(REST) != "" else []
    chosen = next(
        (way for way in ways if _is_clear(way, ways, ruling) or way.says == answers.get(REST)), None
    )
    if ways and chosen is None:
        told = {**ruling.as_json(), "outcome": "ask", "doubtful": [REST]}
        options = [[way.says, way.share] for way in ways] + [[None, 0.0]]
        left = _faces_words(_left(ruling, state, seat))
        asks = (
            m("left are these dice: {left}", left=left)
            if left
            else m("which of these are the expansion's dice?")
        )
        return SeatAnswer({**told, "questions": {REST: options}}, None, (asks,), sheet)
    if chosen is not None:
        ruling = replace(ruling, outcome="accepted", moves=chosen.moves, doubts=(), signs=())
    picture: Plain = {"photo": photo, "settled": dict(answers)}
    action = _action(ruling, sheet, state, seat, picture) if ruling.outcome == "accepted" else None
    says = (*ruling.against, *left_to_tap(ruling, state, seat), *other_walls(sheet, state), *reading.notes)
    return SeatAnswer(ruling.as_json(), action, says, sheet)


def _is_clear(way: Way, ways: Sequence[Way], ruling: BoardRuling) -> bool:
    """Is there nothing to ask: one way only, or dice that surely were left out, which may still be tapped?"""
    return (len(ways) == 1 and not ruling.others) or (way.says == NOTHING_MORE and way.share >= _SURELY_LEFT)


def _ways_left(ruling: BoardRuling, sheet: SheetReading, state: State, seat: int) -> list[Way]:
    """What the dice of an expansion may have drawn whose signs are not read; nothing if none are left."""
    known = state.options.known
    settled = ruling.outcome == "accepted" or ruling.signs
    if state.mode != "umpire" or known in ("", *READ_EXPANSIONS) or not settled or not state.lies:
        return []
    found = [
        way
        for one in (ruling, *(other for other in ruling.others if other.outcome == "accepted"))
        for way in ways_left(state, seat, _moves(one), sheet.looks, ruling.signs)
    ]
    return likeliest(found)


def other_walls(sheet: SheetReading, state: State) -> tuple[str, ...]:
    """A sentence where other walls are printed on a board than the match is played with."""
    if sheet.walls is None or parse_walls(sheet.walls) == state.options.walls:
        return ()
    told = listed(list(sheet.walls)) if sheet.walls else pm("wall", "none")
    return (m("the walls printed on this board are not those of the match: {told}", told=told),)


def left_to_tap(ruling: BoardRuling, state: State, seat: int) -> tuple[str, ...]:
    """A sentence about dice of an expansion whose marks are not read."""
    known = state.options.known
    if ruling.outcome != "accepted" or state.mode != "umpire" or known in ("", *READ_EXPANSIONS):
        return ()
    told = _faces_words(_left(ruling, state, seat))
    return (m("now tap what the other dice drew: {told}", told=told),) if told else ()


def _faces_words(faces: Iterable[str]) -> str:
    return listed(map(face_words, faces))


def _left(ruling: BoardRuling, state: State, seat: int) -> list[str]:
    """The faces of the expansion's dice that are not used, and what those that are used left to be done."""
    moves = ruling.moves or ()
    used = Counter(face for move in moves for face in move.get("uses", ()))
    return [*(Counter(faces_left(state.boards[seat], state.round, state.extra)) - used).elements()]


def _own_sheet(reading: PhotoReading, state: State, seat: int) -> SheetReading | str:
    """The seat's sheet in the picture, or the sentence why there is none."""
    boards = [sheet for sheet in reading.sheets if not sheet.is_card]
    own = [sheet for sheet in boards if sheet.seat == seat]
    if len(own) > 1:
        return m("two boards of {seat} are in the picture: photograph yours alone", seat=Seat(seat))
    if not own:
        others = sorted({sheet.seat for sheet in boards})
        if reading.unread:
            read = m("only that of {others} can", others=Seats(others)) if others else m("none can")
            return m("the board of {seat} cannot be read in the picture; {read}", seat=Seat(seat), read=read)
        seen = m("only that of {others} is", others=Seats(others)) if others else m("none is")
        return m("the board of {seat} is not in the picture; {seen}", seat=Seat(seat), seen=seen)
    if own[0].edition != state.options.edition:
        wanted = state.options.edition
        return m(
            "this is a board of the {edition} edition; the match is played with the {wanted} one",
            edition=own[0].edition,
            wanted=wanted,
        )
    return own[0]


def _looks(sheet: SheetReading, answers: Mapping[str, str]) -> MarkedLooks:
    """What is seen of routes and marks, some of it settled by people."""
    routes, marks = split_answers(answers)
    return MarkedLooks.of(sheet, with_answers(sheet.looks, routes)).settled(marks)


def _ruled_in_match(seen: MarkedLooks, sheet: SheetReading, state: State, seat: int) -> BoardRuling:
    rules, board = state.rules, state.boards[seat]
    if seen.expansion:
        return _ruled_with_marks(seen, state, seat)
    if rules.expansion and state.mode == "umpire" and state.lies:
        return rule_beside_unread(seen, rules, board, Throw(state.roll, state.extra))
    looks, hints = seen.routes, sheet.hints
    if state.mode == "umpire":
        if not state.dice:
            return BoardRuling.refused_outright(
                m("first the dice of round {round} are rolled", round=state.round)
            )
        return rule_turn(looks, rules, board, state.roll, hints=hints)
    if state.dice:
        ruling = rule_turn(looks, rules, _earlier(board, state), state.roll, hints=hints)
        if ruling.outcome != "refused":
            return ruling
    # People play on their own here, and perhaps several rounds since the last picture.
    return rule_board(looks, rules.edition, rules.walls)


def _ruled_with_marks(seen: MarkedLooks, state: State, seat: int) -> BoardRuling:
    """The same with an expansion whose marks are read."""
    rules, board = state.rules, state.boards[seat]
    throw = Throw(state.roll, state.extra if state.lies else None)
    if state.mode == "umpire":
        if not state.lies:
            return BoardRuling.refused_outright(
                m("first the dice of round {round} are rolled", round=state.round)
            )
        return rule_marked_turn(seen, rules, board, throw)
    ruling = rule_marked_turn(seen, rules, _earlier(board, state), throw) if state.lies else None
    if ruling is not None and ruling.outcome != "refused":
        return ruling
    return rule_marked_board(seen, rules.edition, rules.walls)


def _earlier(board: Board, state: State) -> Board:
    """What was reported before this round: a board may be photographed again and again."""
    return board.before_round(state.round)


def _action(
    ruling: BoardRuling, sheet: SheetReading, state: State, seat: int, picture: Plain
) -> Action | None:
    if state.mode == "scorekeeper":
        cells = print_cells(ruling.cells)
        # The dice explained what is new: then it is of this round, whatever is written.
        rounds = {} if ruling.board is not None else _written_rounds(cells, sheet, state, seat)
        marks = {"marks": ruling.marks} if ruling.marks else {}
        return Action("report", seat, {"cells": cells, "rounds": rounds, "picture": picture, **marks})
    moves = _moves(ruling)
    return Action("turn", seat, {"moves": moves, "picture": picture}) if moves else None


def _moves(ruling: BoardRuling) -> list[Plain]:
    """The round's moves as the action has them."""
    return [{key: move[key] for key in move if key != "round"} for move in moves_json(ruling)]


def _written_rounds(cells: Iterable[str], sheet: SheetReading, state: State, seat: int) -> dict[str, int]:
    """The round numbers on a board that tell something new: a route that is known keeps its round.

    Where the dice say which round it is, what is new was drawn after the last report, and not later than now.
    """
    known = state.boards[seat].rounds()
    first, last = (max(known.values(), default=1), state.round) if state.dice else (1, ROUNDS)
    written = {name: sheet.cells[name] for name in cells if not known.get(GRID.cell(name))}
    return {
        name: cell.round
        for name, cell in written.items()
        if cell.round is not None and first <= cell.round <= last and cell.round_p >= _SURE_NUMBER
    }
