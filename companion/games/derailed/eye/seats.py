"""What a photograph of the railway area means in a match: the ruling, and what to submit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import log

from companion.games.contract import Action, Plain
from companion.games.derailed.eye.choices import with_answers
from companion.games.derailed.eye.readings import (
    CardReading,
    CardsPhoto,
    first_lanes,
    seen_from_the_other_end,
)
from companion.games.derailed.eye.ruling import AreaRuling, Known, rule_area, rule_moves
from companion.games.derailed.rules.state import State
from companion.games.kit.evidence import Looks
from companion.games.sight import SeatAnswer

_LEAST = 1e-4


def facing(sheet: CardReading, starts: tuple[str, ...]) -> CardReading:
    """The reading with the known starting column as its starts: without a mat either end may be that."""
    if sheet.mat is not None or sheet.lanes != len(starts):
        return sheet
    other = seen_from_the_other_end(sheet)
    return max((sheet, other), key=lambda one: _agreement(one, starts))


def _agreement(sheet: CardReading, starts: tuple[str, ...]) -> float:
    seen = zip(sheet.starts, starts, strict=True)
    return sum(log(max(place.probabilities.get(letter, 0.0), _LEAST)) for place, letter in seen)


def known_area(state: State) -> Known:
    """What the position before tells of the cards that may be laid now."""
    options = state.options
    return Known(state.starts, state.grid, tunnels=options.tunnels, dead_ends=options.dead_ends)


def answer_for_seat(
    reading: CardsPhoto, state: State, seat: int, answers: Mapping[str, str], photo: str
) -> SeatAnswer[CardReading]:
    """Rule on the railway area as the match stands; ``answers`` settle doubtful cells."""
    sheet = _only_table(reading, state)
    if isinstance(sheet, str):
        return SeatAnswer(None, None, (sheet, *reading.notes))
    looks = with_answers(sheet.looks, sheet.lanes, answers)
    ruling = _ruled_in_match(looks, state, seat)
    action = None
    if ruling.outcome == "accepted":
        action = _action(ruling, sheet, state, seat, {"photo": photo, "settled": dict(answers)})
    nothing = ("no new card is seen: lay it first, then take the picture",)
    says = (*ruling.against, *(nothing if ruling.outcome == "accepted" and action is None else ()))
    return SeatAnswer(ruling.as_json(), action, (*says, *reading.notes), sheet)


def _only_table(reading: CardsPhoto, state: State) -> CardReading | str:
    if len(reading.sheets) != 1:
        return "the cards are not in the picture" if not reading.sheets else "there are several tables in it"
    sheet, lanes = reading.sheets[0], len(state.starts)
    if sheet.lanes != lanes and sheet.mat is not None and sheet.lanes == sheet.mat > lanes:
        sheet = first_lanes(sheet, lanes)  # a mat without station cards: its first lanes are played
    if sheet.lanes != lanes:
        return f"{sheet.lanes} lanes are in the picture, but {lanes} companies play"
    return facing(sheet, state.starts)


def _ruled_in_match(looks: Looks, state: State, seat: int) -> AreaRuling:
    if state.mode == "scorekeeper":
        return rule_area(looks, len(state.starts), state.options.tunnels)
    if state.phase != "place" or state.turn != seat:
        who = state.company(state.turn).name
        return AreaRuling.refused_outright(f"it is the turn of seat {state.turn}, {who}", state.cells)
    company = state.options.companies[seat - 1]
    hand = state.hands[seat] if state.dealt else None
    return rule_moves(looks, replace(known_area(state), companies=(company,), hand=hand, most=1))


def _action(ruling: AreaRuling, sheet: CardReading, state: State, seat: int, picture: Plain) -> Action | None:
    if state.mode == "scorekeeper":
        data = {"grid": ruling.cells, **_new_columns(sheet, state), "picture": picture}
        return Action("report", seat, data)
    if not ruling.moves:
        return None
    move = ruling.moves[0]
    return Action("place", seat, {"cell": move.cell, "card": move.face, "picture": picture})


def _new_columns(sheet: CardReading, state: State) -> Plain:
    """Both columns if they are seen clearly and are not as they were: another round has begun."""
    starts, destinations = sheet.columns
    sure = not any(place.doubtful for place in sheet.stations.values())
    same = (starts, destinations) == (state.starts, state.destinations)
    if not sure or same or sorted(starts) != sorted(state.starts):
        return {}
    return {"starts": list(starts), "destinations": list(destinations)}
