"""What one seat has drawn, where each route came from, and what that leaves to be drawn.

A :class:`Board` is only the list of drawings in their order; everything else is counted from it, so that
nothing can disagree with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations
from typing import Literal, TypeAlias, get_args

import msgspec

from companion.core.messages import m
from companion.core.records import replaced
from companion.game.base import Refusal
from companion.games.railroad_ink.rules.boards.layouts import Size
from companion.games.railroad_ink.rules.boards.routes import Cells, Route, any_route, shape_of
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls
from companion.games.railroad_ink.rules.boards.words import SHAPE_NAMES
from companion.games.railroad_ink.rules.expansions.frame import Placement
from companion.games.railroad_ink.rules.rulebook import (
    DICE,
    EDITION,
    LAYOUTS,
    NAMES,
    SPECIAL_SHAPES,
    SPECIALS_A_MATCH,
    SPECIALS_A_ROUND,
    UNIVERSITY_CIRCLES,
    Edition,
)

# Where a drawn route comes from: a die of the round; a die result duplicated by a Factory; a special route;
# the free special route of the third University; a start position, about which nothing is known; an
# expansion's die; or a die drawn twice, where a game of its own allows that.
Source: TypeAlias = Literal["die", "factory", "special", "university", "given", "expansion", "copy"]
SOURCES: tuple[Source, ...] = get_args(Source)

# When a seat says it is done although a die is left. "fits": refused while a die left over fits the board as
# it stands. "most": refused too when another choice of places would have drawn more dice this round. The
# rules text ("must be drawn if possible"; "what if I can't connect a route? You cannot draw it") can be read
# either way; "fits" is how people play, and the better line is still shown.
MustDraw: TypeAlias = Literal["fits", "most"]
MUST_DRAW: tuple[MustDraw, ...] = get_args(MustDraw)

# How long the free special route of the third University may wait. The rules text has buildings "trigger
# effects immediately", so by default it is used in the round that earned it or lost.
FreeSpecial: TypeAlias = Literal["round", "match"]
FREE_SPECIAL: tuple[FreeSpecial, ...] = get_args(FreeSpecial)


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One route drawn in one cell, as it stands in facts, move lists and snapshots."""

    cell: str
    route: str
    source: Source = msgspec.field(name="from", default="die")
    round: int = 0
    erased: int = 0  # the round in which an expansion destroyed it

    @property
    def drawn(self) -> Route:
        """The route that was drawn."""
        return any_route(self.route)

    @property
    def shape(self) -> str:
        """The kind of route, however it is turned."""
        return shape_of(self.drawn)


class Placed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What was done with an expansion's dice: see :class:`~.expansions.frame.Placement`."""

    placement: Placement
    round: int
    crossed: str = ""  # "special" or "university", if a special route was crossed off for it
    own: bool = True  # False: a neighbour's dice wrote on this board


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One seat's board: its drawings in the order in which they were made, and what an expansion added."""

    drawings: tuple[Drawing, ...] = ()
    placed: tuple[Placed, ...] = ()
    size: Size = "usual"

    def number(self, drawing: Drawing) -> int:
        """The number of the cell in which it is drawn."""
        return LAYOUTS[self.size].numbers[drawing.cell]

    def with_drawing(self, drawing: Drawing) -> Board:
        """The board with one drawing more."""
        return Board((*self.drawings, drawing), self.placed, self.size)

    def in_round(self, number: int) -> tuple[Drawing, ...]:
        """The drawings of one round."""
        return tuple(drawing for drawing in self.drawings if drawing.round == number)

    def before_round(self, number: int) -> Board:
        """The board as it was when the round began."""
        earlier = [drawing for drawing in self.drawings if drawing.round < number]
        kept = [replaced(one, erased=0) if one.erased >= number else one for one in earlier]
        return Board(tuple(kept), tuple(one for one in self.placed if one.round < number), self.size)

    def cells(self) -> Cells:
        """The routes on the board by cell, without erased ones."""
        number = LAYOUTS[self.size].numbers
        return {number[drawing.cell]: drawing.drawn for drawing in self.drawings if not drawing.erased}

    def rounds(self) -> dict[int, int]:
        """The round number written in each cell."""
        number = LAYOUTS[self.size].numbers
        return {
            number[drawing.cell]: drawing.round
            for drawing in self.drawings
            if drawing.round and not drawing.erased
        }

    def crossed_off(self) -> list[tuple[str, str, int]]:
        """The special routes that are used up: shape, ``special`` or ``university``, round."""
        drawn = [
            (drawing.shape, drawing.source, drawing.round)
            for drawing in self.drawings
            if drawing.source in {"special", "university"}
        ]
        return drawn + [(one.placement.special, one.crossed, one.round) for one in self.placed if one.crossed]


@dataclass(frozen=True)
class Rules:
    """What a match was set up with, as far as drawing is concerned."""

    edition: Edition = field(default_factory=lambda: EDITION["challenge"])
    walls: Walls = NO_WALLS
    must_draw: MustDraw = "fits"
    free_special: FreeSpecial = "round"
    expansion: str = ""


@dataclass(frozen=True)
class Roll:
    """A round and the faces rolled in it, as shapes; ``None`` when nobody wrote the faces down."""

    round: int
    faces: tuple[str, ...] | None


def rolled(number: int, faces: Iterable[str]) -> Roll:
    """A roll from faces in any turning.

    >>> rolled(1, ["EW", "wn"]).faces
    ('NS', 'ne')
    """
    return Roll(number, tuple(shape_of(any_route(face)) for face in faces))


def given(cells: Cells, size: Size = "usual") -> Board:
    """The board of a start position whose history is unknown."""
    drawings = (Drawing(NAMES[cell], route.text, "given") for cell, route in cells.items())
    return Board(tuple(drawings), size=size)


# --- dice ---


def roll_refusal(edition: Edition, faces: Iterable[str]) -> Refusal | None:
    """Why the edition's dice cannot show these faces all at once; nothing when they can.

    >>> roll_refusal(EDITION["classic"], ["NS", "NS", "NS", "NES"]).message
    'the dice of the classic edition (A, A, A, B) cannot show NS, NS, NS, NES together'
    """
    shapes = [shape_of(any_route(face)) for face in faces]
    if len(shapes) != len(edition.dice):
        message = m(
            "a roll of the {name} edition has {dice} dice ({dice2}), not {shapes}",
            name=edition.name,
            dice=len(edition.dice),
            dice2=", ".join(edition.dice),
            shapes=len(shapes),
        )
        return Refusal("impossible-roll", message, {"faces": shapes})
    if can_show(edition.dice, tuple(sorted(shapes))):
        return None
    message = m(
        "the dice of the {name} edition ({dice}) cannot show {shapes} together",
        name=edition.name,
        dice=", ".join(edition.dice),
        shapes=", ".join(shapes),
    )
    return Refusal("impossible-roll", message, {"faces": shapes})


@lru_cache(maxsize=1024)
def can_show(dice: tuple[str, ...], shapes: tuple[str, ...]) -> bool:
    """Return True if some of the dice can show these shapes at the same time."""
    return any(
        all(shape in DICE[die] for die, shape in zip(chosen, shapes, strict=True))
        for chosen in permutations(dice, len(shapes))
    )


def dice_left(board: Board, roll: Roll) -> tuple[str, ...]:
    """The faces of this round that are not drawn yet."""
    used = Counter(drawing.shape for drawing in board.in_round(roll.round) if drawing.source == "die")
    return tuple((Counter(roll.faces or ()) - used).elements())


# --- buildings ---


def duplicates_left(rules: Rules, board: Board, roll: Roll) -> int:
    """How many die results a Factory still lets this seat draw a second time this round."""
    drawings = board.in_round(roll.round)
    activated = sum(board.number(drawing) in rules.edition.factory for drawing in drawings)
    return activated - sum(drawing.source == "factory" for drawing in drawings)


def copies_left(rules: Rules, board: Board) -> int:
    """How many dice may still be drawn twice in the match, where there is that instead of special routes."""
    return rules.edition.copies - sum(drawing.source == "copy" for drawing in board.drawings)


def copy_refusal(rules: Rules, board: Board, roll: Roll) -> Refusal | None:
    """Why no die may be drawn a second time now."""
    if not rules.edition.copies:
        return Refusal("no-copies", m("dice are not drawn twice here, but by a Factory"))
    if copies_left(rules, board) <= 0:
        message = m("all {copies} dice that may be drawn twice in the match are", copies=rules.edition.copies)
        return Refusal("copies-used-up", message)
    if any(drawing.source == "copy" for drawing in board.in_round(roll.round)):
        return Refusal(
            "copy-this-round", m("a die was already drawn twice in round {round}", round=roll.round)
        )
    return None


def villages(rules: Rules, board: Board) -> tuple[str, ...]:
    """The Villages activated so far: those drawn on with a station."""
    drawn = [
        one.cell for one in board.drawings if board.number(one) in rules.edition.village and one.drawn.station
    ]
    return tuple(dict.fromkeys(drawn))


def universities(rules: Rules, board: Board) -> tuple[Drawing, ...]:
    """The drawings that marked a University circle; a fourth University finds no circle left."""
    marked = [drawing for drawing in board.drawings if board.number(drawing) in rules.edition.university]
    return tuple(marked[:UNIVERSITY_CIRCLES])


# --- special routes ---


def specials_used(board: Board) -> tuple[str, ...]:
    """The shapes crossed off in the row above the board."""
    return tuple(shape for shape, _, _ in board.crossed_off())


def specials_left(board: Board) -> tuple[str, ...]:
    """The shapes not crossed off yet."""
    used = specials_used(board)
    return tuple(shape for shape in SPECIAL_SHAPES if shape not in used)


def special_refusal(board: Board, roll: Roll) -> Refusal | None:
    """Why no special route may be used now, apart from the free one."""
    used = [number for _, source, number in board.crossed_off() if source == "special"]
    if len(used) >= SPECIALS_A_MATCH:
        message = m(
            "all {specials_a_match} special routes of the match are used", specials_a_match=SPECIALS_A_MATCH
        )
        return Refusal("specials-used-up", message)
    if used.count(roll.round) >= SPECIALS_A_ROUND:
        return Refusal(
            "special-this-round", m("a special route was already used in round {round}", round=roll.round)
        )
    return None


def free_special_refusal(rules: Rules, board: Board, roll: Roll) -> Refusal | None:
    """Why the free special route of the third University may not be used now."""
    if any(source == "university" for _, source, _ in board.crossed_off()):
        return Refusal(
            "free-special-used", m("the free special route of the third University is already used")
        )
    marked = universities(rules, board)
    if len(marked) < UNIVERSITY_CIRCLES:
        message = m(
            "the free special route comes with the third University; {marked} are marked", marked=len(marked)
        )
        return Refusal("no-free-special", message)
    if rules.free_special == "round" and marked[-1].round != roll.round:
        message = m(
            "the free special route had to be used in round {round}, the round of the third University",
            round=marked[-1].round,
        )
        return Refusal("free-special-lost", message)
    return None


def special_shape_refusal(board: Board, shape: str) -> Refusal | None:
    """Why this shape cannot be drawn as a special route."""
    if shape not in SPECIAL_SHAPES:
        message = m("the {shape} is none of the special routes", shape=SHAPE_NAMES[shape])
        return Refusal("not-special", message)
    if shape in specials_used(board):
        return Refusal(
            "special-crossed-off", m("the {shape} is already crossed off", shape=SHAPE_NAMES[shape])
        )
    return None
