"""What a seat may still do in a round: the list of open drawings, drawing one, and being done.

Everything is a pure function of the
:class:`~companion.games.railroad_ink.rules.boards.board.Board` and the roll::

    open_draws(rules, board, roll)           -> every drawing that would be accepted
    try_draw(rules, board, roll, drawing)    -> the board with it, or a Refusal
    try_done(rules, board, roll)             -> Done, or a Refusal that names a die that still fits
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from companion.core.messages import listed, m
from companion.game.base import Refusal
from companion.games.railroad_ink.rules.boards.board import (
    Board,
    Drawing,
    Roll,
    Rules,
    Source,
    can_show,
    copy_refusal,
    dice_left,
    duplicates_left,
    free_special_refusal,
    special_refusal,
    special_shape_refusal,
    specials_left,
)
from companion.games.railroad_ink.rules.boards.placement import Spot, legal_routes, placement_refusal
from companion.games.railroad_ink.rules.boards.words import SHAPE_NAMES, route_words, shapes_words
from companion.games.railroad_ink.rules.expansions.playing import position_on, route_refusal, route_spots
from companion.games.railroad_ink.rules.rulebook import DICE, NAMES
from companion.games.railroad_ink.rules.turns.dice_search import most_dice


def try_draw(rules: Rules, board: Board, roll: Roll, drawing: Drawing) -> Board | Refusal:
    """The board with one drawing more, or the rule against it. The round is the roll's."""
    refusal = source_refusal(rules, board, roll, drawing) or place_refusal(rules, board, drawing)
    return refusal or board.with_drawing(
        Drawing(drawing.cell, drawing.drawn.text, drawing.source, roll.round)
    )


def source_refusal(rules: Rules, board: Board, roll: Roll, drawing: Drawing) -> Refusal | None:
    """Why a route of this kind cannot come from the source that is said, in whatever cell it is drawn."""
    shape = drawing.shape
    none = rules.edition.copies and drawing.source in ("special", "university")
    match "given" if none else drawing.source:
        case "die":
            return _die_refusal(rules, board, roll, shape)
        case "factory":
            return _factory_refusal(rules, board, roll, shape)
        case "copy":
            return copy_refusal(rules, board, roll) or _not_rolled(rules, roll, shape)
        case "special":
            return special_shape_refusal(board, shape) or special_refusal(board, roll)
        case "university":
            return special_shape_refusal(board, shape) or free_special_refusal(rules, board, roll)
        case "given" | "expansion":
            message = m("a drawing comes from a die, a Factory, a special route or a University")
            return Refusal("not-a-source", message)


def _die_refusal(rules: Rules, board: Board, roll: Roll, shape: str) -> Refusal | None:
    if roll.faces is None:
        return _unknown_die_refusal(rules, board, roll, shape)
    left = dice_left(board, roll)
    if shape in left:
        return None
    if shape in roll.faces:
        return Refusal("die-used", m("the {shape} of this round is already drawn", shape=SHAPE_NAMES[shape]))
    to_draw = (
        m("left to draw: {left}", left=shapes_words(left)) if left else m("all dice of this round are drawn")
    )
    return Refusal(
        "not-rolled",
        m(
            "no die of round {round} shows the {shape}; {to_draw}",
            round=roll.round,
            shape=SHAPE_NAMES[shape],
            to_draw=to_draw,
        ),
    )


def _unknown_die_refusal(rules: Rules, board: Board, roll: Roll, shape: str) -> Refusal | None:
    """Why the edition's dice cannot have shown this round's routes, if nobody recorded the faces."""
    shapes = [drawing.shape for drawing in board.in_round(roll.round) if drawing.source == "die"]
    dice = rules.edition.dice
    if len(shapes) == len(dice):
        return Refusal(
            "too-many-dice",
            m("round {round} has {dice} dice; all of them are drawn", round=roll.round, dice=len(dice)),
        )
    if can_show(dice, tuple(sorted((*shapes, shape)))):
        return None
    message = m(
        "the dice of the {name} edition ({dice}) cannot show {shape} in one round",
        name=rules.edition.name,
        dice=", ".join(dice),
        shape=shapes_words([*shapes, shape]),
    )
    return Refusal("impossible-roll", message)


def _factory_refusal(rules: Rules, board: Board, roll: Roll, shape: str) -> Refusal | None:
    if not duplicates_left(rules, board, roll):
        message = m("a die result is duplicated by drawing on a Factory in this round, once for each Factory")
        return Refusal("no-factory", message)
    if shape in _duplicable(rules, roll):
        return None
    message = m(
        "a Factory duplicates a die of round {round}; none shows the {shape}",
        round=roll.round,
        shape=SHAPE_NAMES[shape],
    )
    return Refusal("not-rolled", message)


def _not_rolled(rules: Rules, roll: Roll, shape: str) -> Refusal | None:
    """Why a shape cannot be drawn a second time."""
    if shape in _duplicable(rules, roll):
        return None
    return Refusal(
        "not-rolled",
        m("no die of round {round} shows the {shape}", round=roll.round, shape=SHAPE_NAMES[shape]),
    )


def _duplicable(rules: Rules, roll: Roll) -> tuple[str, ...]:
    """The shapes a Factory can duplicate: any result of the round, drawn already or not."""
    if roll.faces is not None:
        return tuple(dict.fromkeys(roll.faces))
    return tuple(dict.fromkeys(shape for die in rules.edition.dice for shape in DICE[die]))


# --- what is open ---


def open_draws(rules: Rules, board: Board, roll: Roll) -> list[Drawing]:
    """Every drawing :func:`try_draw` would accept now: dice first, then duplicates, then special routes."""
    places = open_places(rules, board)
    return [
        Drawing(NAMES[cell], route.text, source, roll.round)
        for source, shape in open_shapes(rules, board, roll)
        for cell, route in places(shape)
    ]


def open_places(rules: Rules, board: Board) -> Callable[[str], list[Spot]]:
    """The places where a shape may be drawn, taking the marks of an expansion into account."""
    if rules.expansion:
        position = position_on(rules, board)
        return lambda shape: route_spots(position, shape)
    cells = board.cells()
    return lambda shape: legal_routes(cells, rules.walls, shape, rules.edition.layout)


def place_refusal(rules: Rules, board: Board, drawing: Drawing) -> Refusal | None:
    """Why a route may not be drawn in this place, wherever it comes from."""
    if rules.expansion:
        return route_refusal(position_on(rules, board), board.number(drawing), drawing.drawn)
    return placement_refusal(board.cells(), rules.walls, board.number(drawing), drawing.drawn)


def open_shapes(rules: Rules, board: Board, roll: Roll) -> list[tuple[Source, str]]:
    """The kinds of route this seat may still draw, each with where it comes from."""
    found: list[tuple[Source, str]] = [("die", shape) for shape in _open_dice(rules, board, roll)]
    if duplicates_left(rules, board, roll):
        found += [("factory", shape) for shape in _duplicable(rules, roll)]
    if rules.edition.copies:
        again = () if copy_refusal(rules, board, roll) else _duplicable(rules, roll)
        return found + [("copy", shape) for shape in again]
    if not special_refusal(board, roll):
        found += [("special", shape) for shape in specials_left(board)]
    if not free_special_refusal(rules, board, roll):
        found += [("university", shape) for shape in specials_left(board)]
    return found


def _open_dice(rules: Rules, board: Board, roll: Roll) -> list[str]:
    if roll.faces is not None:
        return list(dict.fromkeys(dice_left(board, roll)))
    return [
        shape for shape in _duplicable(rules, roll) if not _unknown_die_refusal(rules, board, roll, shape)
    ]


# --- being done ---


@dataclass(frozen=True)
class Done:
    """The seat's round is over. ``better`` is a line that would have drawn more dice, if there was one."""

    skipped: tuple[str, ...] = ()
    better: tuple[Drawing, ...] = ()
    remark: str = ""


def try_done(rules: Rules, board: Board, roll: Roll) -> Done | Refusal:
    """End the seat's round, or refuse while a die can still be drawn."""
    left = dice_left(board, roll)
    if not left:
        return Done()
    fitting = _die_that_fits(open_places(rules, board), left)
    if fitting is not None or rules.expansion:  # beside marks no better line is looked for
        return fitting or Done(left)
    return _nothing_fits(rules, board, roll, left)


def _die_that_fits(places: Callable[[str], list[Spot]], left: tuple[str, ...]) -> Refusal | None:
    for shape in dict.fromkeys(left):
        spots = places(shape)
        if spots:
            detail = {"die": shape, "fits": [_spot_json(spot) for spot in spots]}
            return Refusal("die-fits", _fits_message(shape, spots), detail)
    return None


def _fits_message(shape: str, spots: list[Spot]) -> str:
    cell, _ = spots[0]
    said = {"shape": SHAPE_NAMES[shape], "cell": NAMES[cell]}
    if len(spots) == 1:
        return m("the {shape} is not drawn yet and fits, in {cell} say", **said)
    return m(
        "the {shape} is not drawn yet and fits, in {cell} say (there are {spots} ways)",
        **said,
        spots=len(spots),
    )


def _spot_json(spot: Spot) -> dict[str, str]:
    cell, route = spot
    return {"cell": NAMES[cell], "route": route.text}


@lru_cache(maxsize=64)  # decided, applied and shown
def _nothing_fits(rules: Rules, board: Board, roll: Roll, left: tuple[str, ...]) -> Done | Refusal:
    """The end of a round in which no die fits any more, with a better line if other places allowed one."""
    faces = roll.faces or ()
    best = most_dice(board.before_round(roll.round).cells(), faces, rules.walls, rules.edition.layout)
    if len(best) <= len(faces) - len(left):
        return Done(left)
    better = tuple(Drawing(NAMES[cell], route.text, "die", roll.round) for cell, route in best)
    line = listed(
        [
            m("the {route} in {cell}", route=route_words(drawing.route), cell=drawing.cell)
            for drawing in better
        ]
    )
    drawn = len(faces) - len(left)
    remark = m(
        "{better} of the dice could have been drawn this round instead of {drawn}: {line}",
        better=len(better),
        drawn=drawn,
        line=line,
    )
    if rules.must_draw == "most":
        found = [{"cell": drawing.cell, "route": drawing.route} for drawing in better]
        return Refusal("more-dice", remark, {"better": found})
    return Done(left, better, remark)
