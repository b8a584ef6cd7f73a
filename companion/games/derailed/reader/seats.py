"""Applies a photograph of the railway area to a match: the ruling, and the action to submit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from companion.core.jsontext import JsonObject
from companion.core.messages import Seat, joined, m
from companion.game.base import Action
from companion.games.derailed.reader.choices import with_answers
from companion.games.derailed.reader.facing import EITHER_WAY, EndsContext, likeliest_ends, ruled_facing
from companion.games.derailed.reader.readings import CardReading, first_lanes, notes_about
from companion.games.derailed.reader.ruling import AreaRuling, RulingContext, rule_area, rule_moves
from companion.games.derailed.rules.state import State
from companion.reading.answer import SeatQuery, SeatRuling

_NOTHING_NEW = m("no new card is seen: lay it first, then take the picture")
_COLUMNS_IN_DOUBT = m(
    "the stations are not as they were, but not seen clearly: both columns stay as "
    "they were; if another round has begun, set it up on the page or take the "
    "picture again"
)
_NEXT_ROUND = 2.5  # nats: a round has some dozen reports
NO_ANSWERS: Mapping[str, str] = MappingProxyType({})


def known_area(state: State) -> RulingContext:
    """The stacks of the match and the options that constrain the cards laid since."""
    options = state.options
    return RulingContext(state.starts, state.grid, tunnels=options.tunnels, dead_ends=options.dead_ends)


def known_ends(state: State) -> EndsContext:
    """The columns and the uppermost cards of the match, which tell the two ends apart."""
    return EndsContext((state.starts, state.destinations), state.cells)


def table_of(query: SeatQuery[State, CardReading]) -> CardReading | tuple[str, ...]:
    """The one table in the picture with as many lanes as are played, or sentences why there is none."""
    reading, lanes = query.reading, len(query.state.starts)
    if not reading.sheets and reading.notes:
        return reading.notes  # why none was found: too dark, say
    if len(reading.sheets) != 1:
        several, missing = m("there are several tables in it"), m("the cards are not in the picture")
        return (several if reading.sheets else missing, *reading.notes)
    sheet = reading.sheets[0]
    if sheet.lanes != lanes and sheet.mat is not None and sheet.lanes == sheet.mat > lanes:
        sheet = first_lanes(sheet, lanes)  # a mat without station cards: its first lanes are played
    if sheet.lanes != lanes:
        others = m(
            "{lanes} lanes are in the picture, but {lanes2} companies play", lanes=sheet.lanes, lanes2=lanes
        )
        return (others, *reading.notes)
    return sheet


def rule_seat(
    query: SeatQuery[State, CardReading], sheet: CardReading, /
) -> SeatRuling[CardReading, AreaRuling]:
    """Rule on the railway area as the match stands; answers settle doubtful cells."""
    state, seat, reading = query.state, query.seat, query.reading
    known = likeliest_ends(sheet, _possible_ends(state))
    # Answers name cells of the table as it was shown: they must not turn it.
    sheet, ruling = ruled_facing(sheet, known, partial(_ruled_in_match, state, seat, known))
    if EITHER_WAY in ruling.against:
        return SeatRuling(sheet, None, None, ruling.against, notes_about(reading, (sheet,), minor=True))
    if query.answers:
        ruling = _ruled_in_match(state, seat, known, sheet, query.answers)
    action: Action | None = None
    says: tuple[str, ...] = ()
    if ruling.outcome == "accepted":
        action = _action(ruling, sheet, state, seat, query.picture)
        if state.mode == "scorekeeper" and _columns_in_doubt(sheet, state):
            action = action if known.cells == state.cells else None
            says = (_COLUMNS_IN_DOUBT,)
        elif action is None:
            says = (_NOTHING_NEW,)
    return SeatRuling(sheet, ruling, action, says, notes_about(reading, (sheet,), minor=action is None))


def _possible_ends(state: State) -> list[EndsContext]:
    """The round goes on; a scorekeeper may also report the first picture of the next one, which begins with
    empty lanes, the old destinations as starts.
    """
    goes_on = known_ends(state)
    if state.mode != "scorekeeper":
        return [goes_on]
    return [goes_on, EndsContext((state.destinations, ()), unlikely=_NEXT_ROUND)]


def _ruled_in_match(
    state: State, seat: int, known: EndsContext, sheet: CardReading, answers: Mapping[str, str] = NO_ANSWERS
) -> AreaRuling:
    probabilities = with_answers(sheet.probabilities, sheet.lanes, answers)
    if state.mode == "scorekeeper":
        return rule_area(probabilities, len(state.starts), state.options.tunnels, known.cells)
    if state.phase != "place" or state.turn != seat:
        who = state.company(state.turn).name
        return AreaRuling.refused_outright(
            m("it is the turn of {turn}", turn=joined(", ", [Seat(state.turn), who])), state.cells
        )
    company = state.options.companies[seat - 1]
    hand = state.hands[seat] if state.dealt else None
    return rule_moves(probabilities, replace(known_area(state), companies=(company,), hand=hand, most=1))


def _action(
    ruling: AreaRuling, sheet: CardReading, state: State, seat: int, picture: JsonObject
) -> Action | None:
    if state.mode == "scorekeeper":
        data = {"grid": ruling.cells, **_new_columns(sheet, state), "picture": picture}
        return Action("report", seat, data)
    if not ruling.moves:
        return None
    move = ruling.moves[0]
    return Action("place", seat, {"cell": move.cell, "card": move.face, "picture": picture})


def _new_columns(sheet: CardReading, state: State) -> JsonObject:
    """Both columns, if clearly seen and different from before: another round has begun."""
    if not _others_are_seen(sheet, state) or _columns_in_doubt(sheet, state):
        return {}
    starts, destinations = sheet.columns
    return {"starts": list(starts), "destinations": list(destinations)}


def _columns_in_doubt(sheet: CardReading, state: State) -> bool:
    """Return True if the stations look as if another round had begun, but not clearly enough.

    The rules may then determine its starts.
    """
    asked = sheet.destinations if sheet.columns[0] == state.destinations else tuple(sheet.stations.values())
    others = sorted(sheet.columns[0]) != sorted(state.starts)
    return _others_are_seen(sheet, state) and (others or any(place.doubtful for place in asked))


def _others_are_seen(sheet: CardReading, state: State) -> bool:
    """Return True if any station is seen where another one was before."""
    now, before = (*sheet.columns[0], *sheet.columns[1]), (*state.starts, *state.destinations)
    places = sheet.stations.values()
    return any(
        place.cannot_see is None and letter != old
        for place, letter, old in zip(places, now, before, strict=True)
    )
