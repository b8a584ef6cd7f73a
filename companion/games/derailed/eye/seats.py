"""What a photograph of the railway area means in a match: the ruling, and what to submit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from companion.games.contract import Action, Plain
from companion.games.derailed.eye.choices import with_answers
from companion.games.derailed.eye.facing import EITHER_WAY, KnownEnds, ruled_facing
from companion.games.derailed.eye.readings import CardReading, CardsPhoto, first_lanes
from companion.games.derailed.eye.ruling import AreaRuling, Known, rule_area, rule_moves
from companion.games.derailed.rules.state import State
from companion.games.sight import SeatAnswer

NO_ANSWERS: Mapping[str, str] = MappingProxyType({})


def known_area(state: State) -> Known:
    """What the position before tells of the cards that may be laid now."""
    options = state.options
    return Known(state.starts, state.grid, tunnels=options.tunnels, dead_ends=options.dead_ends)


def known_ends(state: State) -> KnownEnds:
    """What the position before tells of which column is the start."""
    return KnownEnds((state.starts, state.destinations), state.cells)


def answer_for_seat(
    reading: CardsPhoto, state: State, seat: int, answers: Mapping[str, str], photo: str
) -> SeatAnswer[CardReading]:
    """Rule on the railway area as the match stands; ``answers`` settle doubtful cells."""
    sheet = _only_table(reading, state)
    if isinstance(sheet, str):
        return SeatAnswer(None, None, (sheet, *reading.notes))
    # Answers name cells of the table as it was shown: they must not turn it.
    sheet, ruling = ruled_facing(sheet, known_ends(state), partial(_ruled_in_match, state, seat))
    if EITHER_WAY in ruling.against:
        return SeatAnswer(None, None, (*ruling.against, *reading.notes), sheet)
    if answers:
        ruling = _ruled_in_match(state, seat, sheet, answers)
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
    return sheet


def _ruled_in_match(
    state: State, seat: int, sheet: CardReading, answers: Mapping[str, str] = NO_ANSWERS
) -> AreaRuling:
    looks = with_answers(sheet.looks, sheet.lanes, answers)
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
