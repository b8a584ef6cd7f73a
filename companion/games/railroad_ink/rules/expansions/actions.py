"""The actions of a match with an expansion: its dice in the roll, ``place``, and ``star``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import msgspec

from companion.core.errors import quoted
from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import joined, m, pm
from companion.core.records import replaced
from companion.game.base import Action, Fact, Refusal
from companion.games.railroad_ink.rules.boards.board import Board, Placed
from companion.games.railroad_ink.rules.boards.routes import any_route, shape_of
from companion.games.railroad_ink.rules.expansions.frame import Placement, Turn, face_words
from companion.games.railroad_ink.rules.expansions.playing import (
    crossing,
    placements_in,
    turn_of,
    unsettled,
    with_placement,
)
from companion.games.railroad_ink.rules.expansions.tables import EXPANSION_DICE
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.match.turn import try_done
from companion.games.railroad_ink.rules.rulebook import DICE

DIE_FACES: dict[str, tuple[str, ...]] = {**DICE, **EXPANSION_DICE}
_MOST_STARS = 999


# --- the roll ---


def dice_due(state: State) -> tuple[str, ...]:
    """The names of the dice that this round's roll throws: the route dice, then the expansion's."""
    routes = () if state.only_extra else state.options.board.dice
    return (*routes, *state.extra_dice)


def split_roll(state: State, faces: Sequence[str]) -> tuple[list[str], list[str]]:
    """The faces of the route dice and of the expansion's dice, in whatever order they were told."""
    table = state.options.table
    if table is None or not state.extra_dice:
        return list(faces), []
    if state.only_extra and table.second_board:
        return [], [shape_of(any_route(face)) for face in faces]
    return (
        [face for face in faces if face not in table.faces],
        [face for face in faces if face in table.faces],
    )


def extra_refusal(state: State, faces: Sequence[str]) -> Refusal | None:
    """Why the expansion's dice cannot show these faces all at once."""
    return faces_refusal(state.extra_dice, faces)


def faces_refusal(names: Sequence[str], faces: Sequence[str]) -> Refusal | None:
    """Why dice with these names cannot show these faces all at once, or None.

    >>> faces_refusal(("Forest", "Forest"), ("trees", "NS+trees")) is None
    True
    """
    possible = len(faces) == len(names) and any(
        all(face in DIE_FACES[name] for name, face in zip(order, faces, strict=True))
        for order in permutations(names)
    )
    if possible:
        return None
    message = m(
        "the dice {names} cannot show {faces} together",
        names=", ".join(names),
        faces=joined(", ", map(face_words, faces)) or m("nothing"),
    )
    return Refusal("impossible-roll", message, {"faces": list(faces)})


# --- placements ---


class _Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A placement as people and programs say it."""

    uses: tuple[str, ...] = ()
    cell: str = ""
    route: str = ""
    marks: dict[str, str] = {}
    erase: dict[str, str] = {}
    destroy: tuple[str, ...] = ()
    special: str = ""
    neighbour: int = 0
    # what a stored fact says besides, as it follows from the rest
    gives: tuple[str, ...] = ()
    source: str = "expansion"
    crossed: str = ""


def placement_json(placement: Placement) -> JsonObject:
    """A placement as an action has it; what is empty is left out.

    >>> placement_json(Placement(("trees",), marks=(("a1", "trees"),)))
    {'uses': ['trees'], 'marks': {'a1': 'trees'}}
    """
    told: JsonObject = {"uses": list(placement.uses)}
    if placement.cell:
        told |= {"cell": placement.cell, "route": placement.route}
    told |= {"marks": dict(placement.marks)} if placement.marks else {}
    told |= {"erase": dict(placement.erase)} if placement.erase else {}
    told |= {"destroy": list(placement.destroy)} if placement.destroy else {}
    told |= {"special": placement.special} if placement.special else {}
    return told | ({"neighbour": placement.neighbour} if placement.neighbour else {})


def _fact_json(placement: Placement, crossed: str) -> JsonObject:
    """A placement as a fact keeps it: with what follows from it, so that nothing is searched again."""
    told = placement_json(placement)
    told |= {"gives": list(placement.gives)} if placement.gives else {}
    told |= {"source": placement.source} if placement.source != "expansion" else {}
    return told | ({"crossed": crossed} if crossed else {})


def _turn(state: State, seat: int) -> Turn:
    return turn_of(state.rules, state.boards[seat], state.roll, state.extra, _beside(state, seat))


def _beside(state: State, seat: int) -> tuple[Board, Board]:
    """The boards of the left and the right neighbour."""
    seats = sorted(state.boards)
    at = seats.index(seat)
    return state.boards[seats[at - 1]], state.boards[seats[(at + 1) % len(seats)]]


def place_actions(state: State, seat: int) -> list[Action]:
    """Every placement open to a seat, as actions."""
    return [Action("place", seat, placement_json(one)) for one in open_to(state, seat)]


def open_to(state: State, seat: int) -> list[Placement]:
    """The placements possible now; those of the end of the round only after the route dice."""
    table = state.options.table
    if table is None:
        return []
    rules, board = state.rules, state.boards[seat]
    found = placements_in(rules, board, state.roll, state.extra, _beside(state, seat))
    early = _too_early(state, seat)
    return [one for one in found if not set(one.uses) & early]


def _too_early(state: State, seat: int) -> set[str]:
    """The faces that belong to the end of the round, as long as a route die has to be drawn before."""
    table = state.options.table
    if table is None or not table.last:
        return set()
    undrawn = isinstance(try_done(state.rules, state.boards[seat], state.roll), Refusal)
    return set(table.last) if undrawn else set()


def _as_asked(request: _Place) -> Placement:
    return Placement(
        request.uses,
        request.cell,
        any_route(request.route).text if request.route else "",
        tuple(request.marks.items()),
        tuple(request.erase.items()),
        request.destroy,
        request.special,
        neighbour=request.neighbour,
    )


def compared(placement: Placement) -> Placement:
    """A canonical placement for comparison: sorted, without what follows from the rest."""
    return replaced(
        placement,
        marks=tuple(sorted(placement.marks)),
        erase=tuple(sorted(placement.erase)),
        destroy=tuple(sorted(placement.destroy)),
        gives=(),
        source="expansion",
    )


def decide_placement(state: State, seat: int, data: JsonObject) -> Fact | Refusal:
    """One of the open placements, or why it is none."""
    table = state.options.table
    if table is None:
        return Refusal("no-expansion", m("this match has no expansion whose dice the box knows"))
    request = shaped(data, _Place, "bad-action")
    asked = compared(_as_asked(request))
    found = next((one for one in open_to(state, seat) if compared(one) == asked), None)
    if found is not None:
        crossed = crossing(state.boards[seat], state.roll) if found.special else ""
        return Fact("place", seat, _fact_json(found, crossed))
    left = list(_turn(state, seat).left)
    missing = next((face for face in request.uses if face not in left), None)
    if missing is not None:
        told = joined(", ", map(face_words, left)) or pm("die", "none")
        return Refusal(
            "not-rolled", m("no die shows {missing}; left: {told}", missing=quoted(missing), told=told)
        )
    if set(request.uses) & _too_early(state, seat):
        return Refusal("not-yet", m("first the route dice are drawn: this belongs to the end of the round"))
    where = request.cell or next(iter(request.marks), "") or m("there")
    return Refusal(
        "not-placed",
        m("{where}: the rules of the expansion do not allow this now", where=where),
        {"cell": request.cell},
    )


def after_place(state: State, fact: Fact) -> State:
    """The boards with the placement: the seat's own, and a neighbour's where it writes on that."""
    seat = fact.seat or 0
    request = shaped(fact.data, _Place)
    found = replaced(_as_asked(request), gives=request.gives, source=request.source)
    board = state.boards[seat]
    boards = dict(state.boards)
    if not found.neighbour:
        boards[seat] = with_placement(board, Placed(found, state.round, request.crossed))
        return replaced(state, boards=boards)
    seats = sorted(state.boards)
    other = seats[(seats.index(seat) + found.neighbour) % len(seats)]
    boards[seat] = with_placement(board, Placed(Placement(found.uses), state.round, request.crossed))
    written = Placement((), marks=found.marks)
    boards[other] = with_placement(boards[other], Placed(written, state.round, own=False))
    return replaced(state, boards=boards)


# --- what has to come first, and what may not be left out ---


def unsettled_first(state: State, seat: int) -> Refusal | None:
    """What has to be settled before anything is drawn in this round."""
    table = state.options.table
    if table is None:
        return None
    if state.only_extra:
        return Refusal("only-expansion", m("in this round only the dice of the expansion are used"))
    turn = _turn(state, seat)
    first = [face for face in turn.left if face in table.first]
    if not first or not (table.must or set(first) & set(table.must_faces)):
        return None
    if not any(set(one.uses) & set(first) for one in open_to(state, seat)):
        return None
    return Refusal(
        "first",
        m("{first} is settled before anything is drawn", first=face_words(first[0])),
        {"die": first[0]},
    )


def unplaced_refusal(state: State, seat: int) -> Refusal | None:
    """The expansion's die that has to be used and can be."""
    if state.options.table is None:
        return None
    one = next(unsettled(state.rules, state.boards[seat], _turn(state, seat)), None)
    if one is None:
        return None
    where = one.cell or next((place for place, _ in one.marks), "")
    die = face_words(one.uses[0])
    message = m("{uses} is not used yet and has to be", uses=die)
    if where:
        message = m("{uses} is not used yet and has to be, in {where} say", uses=die, where=where)
    return Refusal("expansion-die", message, {"die": one.uses[0]})


# --- points by hand ---


class _Star(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    points: int


def decide_star(state: State, action: Action, _chance: object) -> Fact | Refusal:
    """Points for the star box, where the box does not count them itself."""
    if action.seat is None:
        return Refusal("no-seat", m("say for which seat"))
    points = shaped(action.data, _Star, "bad-action").points
    if state.mode == "umpire" and state.options.known:
        return Refusal("counted", m("the points of this expansion are counted by the rules"))
    if not -_MOST_STARS <= points <= _MOST_STARS:
        return Refusal(
            "bad-action",
            m(
                "{points} points: say {most_stars} to {most_stars2}",
                points=points,
                most_stars=-_MOST_STARS,
                most_stars2=_MOST_STARS,
            ),
        )
    return Fact("star", action.seat, {"points": points})


def after_star(state: State, fact: Fact) -> State:
    """The seat's points counted by hand; said again they are replaced."""
    return replaced(state, stars={**state.stars, fact.seat or 0: fact.data["points"]})
