"""Applies a photograph of the board to a match: the ruling, and the action to submit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.jsontext import JsonObject
from companion.core.messages import Seat, m, nm
from companion.game.base import Action, NoChance, Refusal
from companion.games.spike.reader.learnt_colours import seats_by_tracks, still_there
from companion.games.spike.reader.readings import BoardReading
from companion.games.spike.reader.ruling_turn import rule_turn
from companion.games.spike.reader.ruling_whole import rule_whole
from companion.games.spike.reader.verdict import (
    BoardRuling,
    Cells,
    cells_of,
    mark_of,
    seats_of,
    tracks_of,
    with_settled,
)
from companion.games.spike.rules.match.flow import action_refusal
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.moves.building import decide_build
from companion.games.spike.rules.moves.rail_cards import cards_words
from companion.reading.answer import SeatQuery, SeatRuling
from companion.reading.colour_owners import (
    STRANGE,
    Called,
    Players,
    colour_doubts,
    find_players,
    in_seats,
    only_seen,
    told_colours,
)
from companion.reading.evidence import (
    OF_ANOTHER_BOARD,
    SheetProbabilities,
    asked_within_reason,
    changed_slots,
    probabilities_of,
)
from companion.reading.types import Scope
from vision.pieces.colours import name_shares, slot_readings

_NOTHING_LAID = m("no new track is seen: lay it first, then take the picture")
_NOTHING_REPORTED = m("nothing has changed on the board since the last report")
_LIES = 0.5  # probability of a mark from which it matters whose its colour is


def rule_seat(
    query: SeatQuery[State, BoardReading], sheet: BoardReading, /
) -> SeatRuling[BoardReading, BoardRuling]:
    """Rule on the board as the match stands; answers settle tracks, and whose colour is whose."""
    state = query.state
    ruling = rule_in_match(sheet, state, query.seat, query.answers, query.scope)
    accepted = ruling.outcome == "accepted"
    action = _action(ruling, state, query.seat, query.picture) if accepted else None
    says = _price(action, state)
    if state.mode == "umpire" and query.scope == "whole":
        says += _compared(ruling, state)
    elif accepted and action is None:
        says.append(_NOTHING_REPORTED if state.mode == "scorekeeper" else _NOTHING_LAID)
    if OF_ANOTHER_BOARD not in ruling.against:
        # The vanished tracks by owner; the page shows where they were
        before = cells_of(state)
        lost = [one for track in ruling.gone for one in seats_of(before.get(track, ""))]
        says += [
            m("no longer on the board: {seat} of {seat2}", seat=_counted(lost.count(seat)), seat2=Seat(seat))
            for seat in sorted(set(lost))
        ]
    return SeatRuling(sheet, ruling, action, tuple(says))


def rule_in_match(
    sheet: BoardReading, state: State, seat: int, answers: Mapping[str, str], scope: Scope = ""
) -> BoardRuling:
    """The rules' answer as the match stands."""
    umpire = state.mode == "umpire"
    if umpire and scope != "whole":
        refusal = action_refusal(state, seat)
        if refusal is not None:
            return BoardRuling.refused_outright(refusal.message)
    whose, answers = told_colours(answers, state.players)
    builder = state.turn if umpire and scope != "whole" else None
    told = {colour: seat for colour, seat in whose.items() if seat is not None}
    players, probabilities = known_players(sheet, state, told, builder, sheet.players)
    settled = with_settled(probabilities, state.options.on, answers, players.seats)
    if umpire and scope != "whole":
        return asked_within_reason(rule_turn(settled, state, players.seats))
    ruling = rule_whole(settled, state, players.seats, strict=False)
    if scope == "turn":
        ruling = of_one_seat(ruling, cells_of(state), seat)
    colours = colour_doubts(players, whose) if ruling.outcome != "refused" else ()
    return asked_within_reason(ruling, colours)


def of_one_seat(ruling: BoardRuling, before: Cells, seat: int) -> BoardRuling:
    """Restrict a ruling on the whole board to one seat; the others' tracks stay as they were."""
    cells: Cells = {}
    for track in dict.fromkeys((*before, *ruling.cells)):
        own = seat in seats_of(ruling.cells.get(track, ""))
        others = [one for one in seats_of(before.get(track, "")) if one != seat]
        mark = mark_of([*others, *([seat] if own else [])])
        cells |= {track: mark} if mark else {}
    marks = {
        doubt.slot: {seat in seats_of(mark or "") for mark, _ in doubt.options} for doubt in ruling.doubts
    }
    doubts = tuple(doubt for doubt in ruling.doubts if len(marks[doubt.slot]) > 1)
    return replace(
        ruling,
        outcome="accepted" if ruling.outcome == "ask" and not doubts else ruling.outcome,
        cells=cells,
        changed=changed_slots(before, cells),
        doubts=doubts,
        builds=tuple((one, build) for one, build in ruling.builds if one == seat),
        gone=tuple(track for track in ruling.gone if seat in seats_of(before[track])),
    )


def _price(action: Action | None, state: State) -> list[str]:
    """The price of the build, unless its builder chooses other cards."""
    if action is None or action.kind != "build":
        return []
    fact = decide_build(state, action, NoChance())
    if isinstance(fact, Refusal):
        return [fact.message]
    return [m("paid with {cards}", cards=cards_words(fact.data["cards"]))]


def _compared(ruling: BoardRuling, state: State) -> list[str]:
    """The differences between board and match, seat by seat."""
    if ruling.outcome == "refused":
        return []
    before = cells_of(state)
    new = [
        one
        for track in ruling.changed
        for one in seats_of(ruling.cells.get(track, ""))
        if one not in seats_of(before.get(track, ""))
    ]
    if not new and not ruling.gone:
        return [m("the board lies as it is in the match")]
    return [
        m("not in the match yet: {seat} of {seat2}", seat=_counted(new.count(seat)), seat2=Seat(seat))
        for seat in sorted(set(new))
    ]


def _counted(count: int) -> str:
    return nm("{n} track", "{n} tracks", count)


def known_players(
    sheet: BoardReading,
    state: State,
    told: Mapping[str, int],
    builder: int | None = None,
    chosen: Mapping[str, int] | None = None,
) -> tuple[Players, SheetProbabilities]:
    """The owners of the colours, and the probabilities of tracks with seats as marks.

    ``builder``: the only seat that can have built since, if there is one; ``chosen``: the colours of the
    seats in the match.
    """
    tracks = {seat: player.tracks for seat, player in state.players.items()}
    known = seats_by_tracks(sheet.pieces, sheet.palette, tracks, told, builder, chosen)
    slots = slot_readings(sheet.pieces, known.palette) if sheet.pieces else sheet.tracks
    probabilities = probabilities_of({name: slot for name, slot in slots.items() if ":" not in name})
    free = {seat: names for seat, names in tracks.items() if seat not in known.seats.values()}
    left = [name for name in known.palette.colours if name not in known.seats]
    called = Called(known.palette.also, name_shares(known.palette.colours))
    others = find_players(probabilities, left, free, told, builder, chosen, called)
    lying = {part for slot in slots.values() if slot.p > _LIES for part in slot.best.split("+")}
    players = only_seen(Players({**known.seats, **others.seats}, others.unsure), lying)
    colours = {seat: colour for colour, seat in players.seats.items()}
    suits = {name: track.suit for name, track in state.options.on.tracks.items()}
    most = 2 if state.options.segments == "shared" else 1
    looks = still_there(in_seats(probabilities, players), tracks, suits, colours, most)
    # One mark alone is what people said; what is surely empty by the picture may still be otherwise
    return players, {track: {STRANGE: 0.0, **look} if look else look for track, look in looks.items()}


def _action(ruling: BoardRuling, state: State, seat: int, picture: JsonObject) -> Action | None:
    if state.mode == "scorekeeper":
        if not ruling.changed:
            return None
        tracks = {str(owner): names for owner, names in tracks_of(ruling.cells, state.players).items()}
        return Action("report", seat, {"tracks": tracks, "picture": picture})
    if len(ruling.builds) != 1 or action_refusal(state, seat) is not None:
        return None
    ((owner, build),) = ruling.builds
    return Action("build", seat, {"path": list(build.path), "picture": picture}) if owner == seat else None
