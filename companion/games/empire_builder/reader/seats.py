"""Applies a photograph of the map to a match: the turn's builds, or the whole position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject
from companion.core.messages import Seat, m, nm
from companion.game.base import Action
from companion.games.empire_builder.reader.genuine import EDITION as GENUINE
from companion.games.empire_builder.reader.owners import (
    drawn_colours,
    of_the_builder,
    owners,
    probabilities_by_owner,
)
from companion.games.empire_builder.reader.reading import MapReading
from companion.games.empire_builder.reader.ruling import (
    MapRuling,
    RulingContext,
    lines_of,
    rule_position,
    rule_turn,
)
from companion.games.empire_builder.reader.wholes import Limits
from companion.games.empire_builder.rules.boards.position import Track
from companion.games.empire_builder.rules.boards.spots import divided_spots
from companion.games.empire_builder.rules.boards.wholemap import is_whole
from companion.games.empire_builder.rules.match.state import State
from companion.games.empire_builder.rules.moves.building import building_site
from companion.games.empire_builder.rules.rulebook import RULES
from companion.reading.answer import SeatQuery, SeatRuling
from companion.reading.colour_owners import colour_doubts, told_colours
from companion.reading.evidence import EMPTY, OF_ANOTHER_BOARD, MarkProbabilities, asked_within_reason
from companion.reading.joining import OUTSIDE
from companion.sheets.seat_marks import COLOUR_WORDS


def map_of(query: SeatQuery[State, MapReading]) -> MapReading | tuple[str, ...]:
    """The one map in the picture, or sentences why there is none."""
    if len(query.reading.sheets) != 1:
        return query.reading.notes or (m("the map is not in the picture"),)
    (sheet,) = query.reading.sheets
    if sheet.edition != GENUINE and is_whole(divided_spots(query.state.options.map)[0]):
        return (m("the match is on the owner's own map, and this is our print: photograph the owner's"),)
    return sheet


def rule_seat(query: SeatQuery[State, MapReading], sheet: MapReading, /) -> SeatRuling[MapReading, MapRuling]:
    """Rule on the map as the match stands; answers settle doubtful edges by seat or colour."""
    state, seat, scope, answers = query.state, query.seat, query.scope, query.answers
    on, before, picture = state.board, state.track, query.picture
    whose, answers = told_colours(answers, state.players)
    told = {colour: one for colour, one in whose.items() if one is not None}
    builder = state.seat if state.mode == "umpire" else None
    players = owners(sheet, on, before, told, builder, state.players, sheet.players)
    seats = {colour: one for colour, one in players.seats.items() if whose.get(colour, one) is not None}
    sheet = replace(sheet, seats=seats)
    probabilities = probabilities_by_owner(sheet, on, seats)
    probabilities = probabilities if builder is None else of_the_builder(probabilities, before, builder)
    probabilities |= {
        on.edges_called[name]: marks for name, marks in _answered(state, seats, answers).items()
    }
    known = RulingContext(on, before)
    if state.mode == "scorekeeper":
        ruling = _ruled_position(probabilities, known, state, seat if scope == "turn" else None)
        action = _report(ruling, known, state, seat, picture)
        nothing: list[str] = [m("nothing has changed on the map since the last report")]
    elif scope == "whole":
        ruling = _ruled_position(probabilities, known, state, None)
        action = _build_of(_ruled_turn(probabilities, known, state, seat), ruling, seat, picture)
        nothing = _compared(ruling, state)
    else:
        ruling = _ruled_turn(probabilities, known, state, seat)
        action = _build(ruling, seat, picture)
        nothing = [m("no new track is seen: draw it first, then take the picture")]
    ruling = asked_within_reason(ruling, colour_doubts(players, whose))
    accepted = ruling.outcome == "accepted"
    fits = OF_ANOTHER_BOARD not in ruling.against
    says = _notices(sheet, ruling, state, seats) if fits else []
    if ruling.builds and ruling.outcome != "refused":
        price = m("{changed} for {price} million", changed=_counted(len(ruling.changed)), price=ruling.price)
        says = [price, *says]
    if accepted and (action is None or scope == "whole"):
        says += nothing if state.mode == "umpire" or action is None else []
    return SeatRuling(sheet, ruling, action, tuple(says))


def _ruled_position(
    probabilities: Mapping[int, MarkProbabilities], known: RulingContext, state: State, seat: int | None
) -> MapRuling:
    """The track of everybody, or of one seat with the others' unchanged."""
    if seat is None:
        return rule_position(probabilities, known, sorted(state.players))
    own = {edge: marks for edge, marks in probabilities.items() if known.before.get(edge, seat) == seat}
    others = {edge: {str(owner): 1.0} for edge, owner in known.before.items() if owner != seat}
    return rule_position(own | others, known, [seat])


def _build_of(turn: MapRuling, whole: MapRuling, seat: int, picture: JsonObject) -> Action | None:
    """The turn's track if nothing else on the map is new."""
    return _build(turn, seat, picture) if turn.changed == whole.changed and not whole.vanished else None


def _compared(ruling: MapRuling, state: State) -> list[str]:
    """The differences between map and match, seat by seat."""
    called = state.board.edges_called
    new = [
        ruling.cells[name]
        for name in ruling.changed
        if name in ruling.cells and called[name] not in state.track
    ]
    if not new and not ruling.vanished:
        return [m("the map is as it is in the match")]
    return [
        m("not in the match yet: {seat} of {seat2}", seat=_counted(new.count(seat)), seat2=Seat(int(seat)))
        for seat in sorted(set(new))
    ]


def _counted(count: int) -> str:
    return nm("{n} segment", "{n} segments", count)


def _answered(
    state: State, seats: Mapping[str, int], answers: Mapping[str, str]
) -> dict[str, MarkProbabilities]:
    settled: dict[str, MarkProbabilities] = {}
    for name, mark in answers.items():
        if name not in state.board.edges_called:
            raise NotationError("no-edge", m("there is no edge {name} on the map", name=f"{name!r:.30}"))
        owner = str(seats[mark]) if mark in seats else mark
        if owner != EMPTY and owner not in map(str, state.players):
            raise NotationError(
                "no-mark", m("an edge has track of a seat or nothing, not {mark}", mark=f"{mark!r:.30}")
            )
        settled[name] = {owner: 1.0}
    return settled


# --- umpire ---


def _ruled_turn(
    probabilities: Mapping[int, MarkProbabilities], known: RulingContext, state: State, seat: int
) -> MapRuling:
    if seat != state.seat:
        return MapRuling.refused_outright(
            m("it is the turn of {seat}", seat=Seat(state.seat)), known.cells(state.track)
        )
    site = building_site(state, seat)
    left = 0 if state.turn.upgraded else site.left
    return rule_turn(probabilities, known, seat, Limits(left, RULES.building.out_of_majors - site.outs))


def _build(ruling: MapRuling, seat: int, picture: JsonObject) -> Action | None:
    """The turn's track as one action: its lines in an order in which they can be built."""
    if not ruling.builds:
        return None
    first, *more = (list(line) for line in ruling.builds)
    return Action("build", seat, {"path": first, **({"more": more} if more else {}), "picture": picture})


# --- scorekeeper ---


def _report(
    ruling: MapRuling, known: RulingContext, state: State, seat: int, picture: JsonObject
) -> Action | None:
    if not ruling.changed:
        return None
    track: Track = {known.on.edges_called[name]: int(mark) for name, mark in ruling.cells.items()}
    edges = [known.on.edges_called[name] for name in ruling.changed]
    owners_of = {some[edge] for some in (track, state.track) for edge in edges if edge in some}
    lines = {str(one): lines_of(known.on, track, one) for one in sorted(owners_of)}
    return Action("report", seat, {"track": lines, "picture": picture})


def _notices(sheet: MapReading, ruling: MapRuling, state: State, seats: Mapping[str, int]) -> list[str]:
    """What people should know: vanished track, covered edges, colours without an owner."""
    kept = [name for name in ruling.vanished if state.mode == "umpire" or name in ruling.cells]
    lost = [state.track[state.board.edges_called[name]] for name in kept]
    found: list[str] = [
        m(
            "no longer to be seen on the map: {seat} of {seat2}. Draw it again",
            seat=_counted(lost.count(seat)),
            seat2=Seat(seat),
        )
        for seat in sorted(set(lost))
    ]
    hidden = sum(slot.cannot_see not in (None, OUTSIDE) for slot in sheet.slots.values())
    if hidden:
        found.append(
            nm(
                "{n} place is covered or in a reflection: it stays as it was",
                "{n} places are covered or in a reflection: they stay as they were",
                hidden,
            )
        )
    strange = [colour for colour in sheet.crayons if colour in drawn_colours(sheet) and colour not in seats]
    found += [
        m("nobody is known to draw in {colour}", colour=COLOUR_WORDS.get(colour, colour))
        for colour in strange
    ]
    return found
