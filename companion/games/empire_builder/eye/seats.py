"""What a photograph of the map means in a match: the turn's builds, or how it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.games.contract import Action, Plain
from companion.games.empire_builder.eye.owners import looks_by_owner, owners
from companion.games.empire_builder.eye.reading import MapPhoto, MapReading
from companion.games.empire_builder.eye.ruling import Known, MapRuling, lines_of, rule_position, rule_turn
from companion.games.empire_builder.eye.wholes import Limits
from companion.games.empire_builder.rules.building import building_site
from companion.games.empire_builder.rules.position import Track
from companion.games.empire_builder.rules.rulebook import RULES
from companion.games.empire_builder.rules.state import State
from companion.games.empire_builder.rules.wholemap import is_whole
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import EMPTY, Look
from companion.games.sight import SeatAnswer

_NAMED = 6  # edges in a sentence


def answer_for_seat(
    reading: MapPhoto, state: State, seat: int, answers: Mapping[str, str], photo: str
) -> SeatAnswer[MapReading]:
    """Rule on the map as the match stands; ``answers`` settle doubtful edges by seat or colour."""
    if is_whole(state.options.map):
        return SeatAnswer(None, None, ("the owner's own map has no sheet of ours to be read",))
    if len(reading.sheets) != 1:
        return SeatAnswer(None, None, reading.notes or ("the map is not in the picture",))
    on, before = state.board, state.track
    seats = owners(reading.sheets[0], on, before, state.seat, state.players)
    sheet = replace(reading.sheets[0], seats=seats)
    looks = looks_by_owner(sheet, on, seats)
    looks |= {on.edges_called[name]: look for name, look in _answered(state, seats, answers).items()}
    picture = {"photo": photo, "settled": dict(answers)}
    known = Known(on, before)
    if state.mode == "scorekeeper":
        ruling = rule_position(looks, known, sorted(state.players))
        action = _report(ruling, known, state, seat, picture)
        nothing = "nothing has changed on the map since the last report"
    else:
        ruling = _ruled_turn(looks, known, state, seat)
        action = _build(ruling, seat, picture)
        nothing = "no new track is seen: draw it first, then take the picture"
    accepted = ruling.outcome == "accepted"
    says = (*ruling.against, *_notices(sheet, ruling, seats))
    if accepted and action is None:
        says = (*says, nothing)
    return SeatAnswer(ruling.as_json(), action if accepted else None, (*says, *reading.notes), sheet)


def _answered(state: State, seats: Mapping[str, int], answers: Mapping[str, str]) -> dict[str, Look]:
    settled: dict[str, Look] = {}
    for name, mark in answers.items():
        if name not in state.board.edges_called:
            raise NotationError("no-edge", f"there is no edge {name!r:.30} on the map")
        owner = str(seats[mark]) if mark in seats else mark
        if owner != EMPTY and owner not in map(str, state.players):
            raise NotationError("no-mark", f"an edge has track of a seat or nothing, not {mark!r:.30}")
        settled[name] = {owner: 1.0}
    return settled


# --- umpire ---


def _ruled_turn(looks: Mapping[int, Look], known: Known, state: State, seat: int) -> MapRuling:
    if seat != state.seat:
        return MapRuling.refused_outright(f"it is the turn of seat {state.seat}", known.cells(state.track))
    site = building_site(state, seat)
    left = 0 if state.turn.upgraded else site.left
    return rule_turn(looks, known, seat, Limits(left, RULES.building.out_of_majors - site.outs))


def _build(ruling: MapRuling, seat: int, picture: Plain) -> Action | None:
    """The turn's track as one action: its lines in an order in which they can be built."""
    if not ruling.builds:
        return None
    first, *more = (list(line) for line in ruling.builds)
    return Action("build", seat, {"path": first, **({"more": more} if more else {}), "picture": picture})


# --- scorekeeper ---


def _report(ruling: MapRuling, known: Known, state: State, seat: int, picture: Plain) -> Action | None:
    if not ruling.changed:
        return None
    track: Track = {known.on.edges_called[name]: int(mark) for name, mark in ruling.cells.items()}
    edges = [known.on.edges_called[name] for name in ruling.changed]
    owners_of = {some[edge] for some in (track, state.track) for edge in edges if edge in some}
    lines = {str(one): lines_of(known.on, track, one) for one in sorted(owners_of)}
    return Action("report", seat, {"track": lines, "picture": picture})


def _notices(sheet: MapReading, ruling: MapRuling, seats: Mapping[str, int]) -> list[str]:
    """What people should know: what has vanished, what cannot be seen, whose colour nobody knows."""
    found = []
    if ruling.vanished:
        more = f" and {len(ruling.vanished) - _NAMED} more" if len(ruling.vanished) > _NAMED else ""
        found.append(
            f"no longer to be seen on the map: {', '.join(ruling.vanished[:_NAMED])}{more}: draw it again"
        )
    hidden = sum(slot.cannot_see is not None for slot in sheet.slots.values())
    if hidden:
        found.append(f"{hidden} places cannot be seen in this picture: they stay as they were")
    found += [f"nobody is known to draw in {colour}" for colour in sheet.crayons if colour not in seats]
    return found
