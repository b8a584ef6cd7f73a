"""Applies a photograph of a seat's board to a match: the ruling, and the action to submit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf

from companion.core.jsontext import JsonObject
from companion.core.messages import Seat, Seats, listed, m, pm
from companion.game.base import Action
from companion.games.railroad_ink.reader.mark_classes import READ_EXPANSIONS
from companion.games.railroad_ink.reader.orienting import as_before, explains, half_turned, upper_edges
from companion.games.railroad_ink.reader.readings import SheetReading
from companion.games.railroad_ink.reader.ruling.answer import BoardRuling
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.reader.ruling.remaining import NOTHING_MORE, REST, Way, likeliest, ways_left
from companion.games.railroad_ink.reader.ruling.rule import BoardContext, rule
from companion.games.railroad_ink.rules.boards.position import print_cells
from companion.games.railroad_ink.rules.boards.walls import parse_walls
from companion.games.railroad_ink.rules.expansions.frame import face_words
from companion.games.railroad_ink.rules.expansions.playing import faces_left
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.rulebook import GRID, ROUNDS
from companion.reading.answer import SeatQuery, SeatRuling
from companion.reading.evidence import Doubt, Outcome

UPPER = "upper+"  # the slot of the question where the upper edge of a board is
_SURE_NUMBER = 0.9
_SURELY_LEFT = 0.9
_FITS = -1.5  # nats for each cell: a reading that shows worse what a seat drew before is of another board
_SURELY_OWN = 12.0  # nats by which one board shows better what a seat drew before than every other


def at_seat(query: SeatQuery[State, SheetReading]) -> SeatQuery[State, SheetReading]:
    """The question with the round and the dice that lie before the seat: a late guest's are earlier ones."""
    return replace(query, state=query.state.at_seat(query.seat))


def rule_seat(
    query: SeatQuery[State, SheetReading], sheet: SheetReading, /
) -> SeatRuling[SheetReading, BoardRuling]:
    """Rule on the board of one seat as the match stands; answers settle doubtful cells."""
    query = at_seat(query)
    state, seat, answers = query.state, query.seat, query.answers
    before = state.boards[seat].cells()
    sheet = as_before(sheet, before)
    # Which end of an empty board was the upper one, nobody knows yet.
    edges = None if before else upper_edges(sheet)
    if edges is not None and answers.get(UPPER) == edges[1]:
        sheet = half_turned(sheet)
    settled = {slot: text for slot, text in answers.items() if slot not in (REST, UPPER)}
    ruling = rule(BoardContext.of(state, seat), SlotProbabilities.of(sheet).settled(settled))
    if edges is not None and UPPER not in answers and ruling.outcome == "accepted":
        asking = replace(ruling, outcome="ask", rest=Doubt(UPPER, tuple((edge, 0.5) for edge in edges)))
        return SeatRuling(sheet, asking, None, (m("what the buildings count depends on it"),), notes=())
    ways = _ways_left(ruling, sheet, state, seat) if answers.get(REST) != "" else []
    chosen = next(
        (way for way in ways if _is_clear(way, ways, ruling) or way.says == answers.get(REST)), None
    )
    if ways and chosen is None:
        options = (*((way.says, way.share) for way in ways), (None, 0.0))
        left = _faces_words(_left(ruling, state, seat))
        asks = (
            m("these dice are left: {left}", left=left)
            if left
            else m("which of these are the expansion's dice?")
        )
        asking = replace(ruling, outcome="ask", against=(), rest=Doubt(REST, options))
        return SeatRuling(sheet, asking, None, (asks,), notes=())
    if chosen is not None:
        ruling = replace(ruling, outcome="accepted", moves=chosen.moves, doubts=(), signs=())
    action = _action(ruling, sheet, state, seat, query.picture) if ruling.outcome == "accepted" else None
    says = (*left_to_tap(ruling, state, seat), *other_walls(sheet, state))
    return SeatRuling(sheet, ruling, action, says)


def under_way(query: SeatQuery[State, SheetReading], sheet: SheetReading) -> Outcome:
    """The outcome for what is drawn of a round so far, if dice that fit may still be drawn."""
    sheet = as_before(sheet, query.state.boards[query.seat].cells())
    settled = {slot: text for slot, text in query.answers.items() if slot != REST}
    begun = replace(BoardContext.of(query.state, query.seat), finished=False)
    return rule(begun, SlotProbabilities.of(sheet).settled(settled)).outcome


def _is_clear(way: Way, ways: Sequence[Way], ruling: BoardRuling) -> bool:
    """Return True if there is nothing to ask: one way only, or dice that were surely left out."""
    return (len(ways) == 1 and not ruling.others) or (way.says == NOTHING_MORE and way.share >= _SURELY_LEFT)


def _ways_left(ruling: BoardRuling, sheet: SheetReading, state: State, seat: int) -> list[Way]:
    """The likely uses of an expansion's dice whose signs are not read; empty if none are left."""
    known = state.options.known
    settled = ruling.outcome == "accepted" or ruling.signs
    if state.mode != "umpire" or known in ("", *READ_EXPANSIONS) or not settled or not state.lies:
        return []
    found = [
        way
        for one in (ruling, *(other for other in ruling.others if other.outcome == "accepted"))
        for way in ways_left(state, seat, _moves(one), sheet.probabilities, ruling.signs)
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
    used = Counter(face for move in ruling.moves for face in move.get("uses", ()))
    return [*(Counter(faces_left(state.boards[seat], state.round, state.extra)) - used).elements()]


def sheet_of_seat(query: SeatQuery[State, SheetReading]) -> SheetReading | tuple[str, ...]:
    """The seat's sheet in the picture, or sentences why there is none."""
    reading, seat, wanted = query.reading, query.seat, query.state.options.edition
    boards = [sheet for sheet in reading.sheets if not sheet.is_card]
    nobodys = [sheet for sheet in boards if sheet.quality.found_by == "sight"]
    if nobodys:
        return _by_its_ink(query, nobodys)
    own = [sheet for sheet in boards if sheet.seat == seat]
    if len(own) == 1 and own[0].edition == wanted:
        return own[0]
    others = sorted({sheet.seat for sheet in boards})
    if len(own) > 1:
        why = m("two boards of {seat} are in the picture: photograph yours alone", seat=Seat(seat))
    elif own:
        why = m(
            "this is a board of the {edition} edition; the match is played with the {wanted} one",
            edition=own[0].edition,
            wanted=wanted,
        )
    elif reading.unread:
        read = m("only that of {others} can", others=Seats(others)) if others else m("none can")
        why = m("the board of {seat} cannot be read in the picture; {read}", seat=Seat(seat), read=read)
    elif reading.notes and not others:
        return reading.notes  # why none was found: too dark, say
    else:
        seen = m("only that of {others} is", others=Seats(others)) if others else m("none is")
        why = m("the board of {seat} is not in the picture; {seen}", seat=Seat(seat), seen=seen)
    return (why, *reading.notes)


def _by_its_ink(
    query: SeatQuery[State, SheetReading], sheets: Sequence[SheetReading]
) -> SheetReading | tuple[str, ...]:
    """The seat's sheet among those that tell nobody's name: the only one, or by what is drawn on it."""
    seat = query.seat
    if len(sheets) == 1 and (query.own or len(query.state.boards) == 1):
        return replace(sheets[0], seat=seat)
    drawn = query.state.boards[seat].cells()
    own = [explains(as_before(sheet, drawn), drawn) for sheet in sheets]
    best = max(range(len(sheets)), key=lambda n: own[n])
    others = [fit for n, fit in enumerate(own) if n != best]
    fits = own[best] > _FITS * len(drawn) and own[best] > max(others, default=-inf) + _SURELY_OWN
    if drawn and fits:
        return replace(sheets[best], seat=seat)
    why = m(
        "there are {count} boards in the picture, and nothing tells yet which is that of {seat}: "
        "photograph yours alone, and from the next round on it is known by its routes",
        count=len(sheets),
        seat=Seat(seat),
    )
    return (why, *query.reading.notes)


def _action(
    ruling: BoardRuling, sheet: SheetReading, state: State, seat: int, picture: JsonObject
) -> Action | None:
    if state.mode == "scorekeeper":
        cells = print_cells(ruling.cells)
        # The dice explained what is new: then it is of this round, whatever is written.
        rounds = {} if ruling.board is not None else _written_rounds(cells, sheet, state, seat)
        marks = {"marks": ruling.marks} if ruling.marks else {}
        return Action("report", seat, {"cells": cells, "rounds": rounds, "picture": picture, **marks})
    moves = _moves(ruling)
    return Action("turn", seat, {"moves": moves, "picture": picture}) if moves else None


def _moves(ruling: BoardRuling) -> list[JsonObject]:
    """The round's moves in the format of the action."""
    return [{key: move[key] for key in move if key != "round"} for move in ruling.moves]


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
