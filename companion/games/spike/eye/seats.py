"""What a photograph of the board means in a match: the ruling, and what to submit."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.contract import Action, Plain
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import EMPTY, Doubt, Looks
from companion.games.sight import SeatAnswer
from companion.games.spike.eye.players import Players, find_players, in_seats
from companion.games.spike.eye.readings import BoardPhoto, BoardReading
from companion.games.spike.eye.ruling_turn import rule_turn
from companion.games.spike.eye.ruling_whole import rule_whole
from companion.games.spike.eye.verdict import BoardRuling, tracks_of, with_settled
from companion.games.spike.rules.flow import action_refusal
from companion.games.spike.rules.state import State

_COLOUR = "colour:"  # before a colour: the question whose it is


def answer_for_seat(
    reading: BoardPhoto, state: State, seat: int, answers: Mapping[str, str], photo: str
) -> SeatAnswer[BoardReading]:
    """Rule on the board as the match stands; ``answers`` settle tracks, and whose colour is whose."""
    if len(reading.sheets) != 1:
        missing = "the board is not in the picture" if not reading.sheets else "there are two boards in it"
        return SeatAnswer(None, None, (missing, *reading.notes))
    (sheet,) = reading.sheets
    ruling = rule_in_match(sheet, state, seat, answers)
    picture: Plain = {"photo": photo, "settled": dict(answers)}
    action = _action(ruling, state, seat, picture) if ruling.outcome == "accepted" else None
    says = list(ruling.against)
    if ruling.outcome == "accepted" and action is None:
        says.append("no new track is seen: lay it first, then take the picture")
    if ruling.gone:
        says.append(f"track that was there before is gone: {', '.join(ruling.gone)}")
    return SeatAnswer(ruling.as_json(), action, (*says, *reading.notes), sheet)


def rule_in_match(sheet: BoardReading, state: State, seat: int, answers: Mapping[str, str]) -> BoardRuling:
    """The rules' answer as the match stands."""
    if state.mode == "umpire":
        refusal = action_refusal(state, seat)
        if refusal is not None:
            return BoardRuling.refused_outright(refusal.message)
    whose, answers = _told(answers, state)
    players, looks = known_players(sheet, state, whose)
    settled = with_settled(looks, state.options.on, answers, players.seats)
    if state.mode == "umpire":
        return rule_turn(settled, state, players.seats)
    ruling = rule_whole(settled, state, players.seats, strict=False)
    doubts = (*_whose(players, state, sheet), *ruling.doubts)
    return BoardRuling(
        "ask" if doubts and ruling.outcome != "refused" else ruling.outcome,
        ruling.cells,
        ruling.p,
        ruling.changed,
        doubts,
        ruling.against,
        ruling.builds,
        ruling.gone,
        ruling.players,
    )


def known_players(sheet: BoardReading, state: State, told: Mapping[str, int]) -> tuple[Players, Looks]:
    """Whose colour is whose, and the looks at tracks with seats as marks."""
    looks = {name: look for name, look in sheet.looks.items() if ":" not in name}
    tracks = {seat: player.tracks for seat, player in state.players.items()}
    players = find_players(looks, list(sheet.palette.colours), tracks, told)
    return players, in_seats(looks, players)


def _told(answers: Mapping[str, str], state: State) -> tuple[dict[str, int], dict[str, str]]:
    """Answers about colours, and the others."""
    whose: dict[str, int] = {}
    others: dict[str, str] = {}
    for slot, mark in answers.items():
        if not slot.startswith(_COLOUR):
            others[slot] = mark
        elif mark.isdecimal() and int(mark) in state.players:
            whose[slot.removeprefix(_COLOUR)] = int(mark)
        elif mark != EMPTY:
            raise NotationError("no-seat", f"there is no seat {mark} in this match")
    return whose, others


def _whose(players: Players, state: State, sheet: BoardReading) -> list[Doubt[str, str]]:
    """Questions about colours that lie on tracks and are nobody's yet."""
    lying = {part for slot in sheet.tracks.values() if slot.p > 0.5 for part in slot.best.split("+") if part}
    seats = [str(seat) for seat in state.players]
    return [
        Doubt(f"{_COLOUR}{colour}", tuple((seat, 1 / len(seats)) for seat in seats))
        for colour in players.unsure
        if colour in lying
    ]


def _action(ruling: BoardRuling, state: State, seat: int, picture: Plain) -> Action | None:
    if state.mode == "scorekeeper":
        tracks = {str(owner): names for owner, names in tracks_of(ruling.cells, state.players).items()}
        return Action("report", seat, {"tracks": tracks, "picture": picture})
    if not ruling.builds:
        return None
    _, build = ruling.builds[0]
    return Action("build", seat, {"path": list(build.path), "picture": picture})
