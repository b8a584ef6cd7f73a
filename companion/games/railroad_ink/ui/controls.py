"""What a player of Railroad Ink may do on a phone, from the one list of legal actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from companion.core.messages import m
from companion.games.railroad_ink.rules.boards.board import dice_left
from companion.games.railroad_ink.rules.boards.facing import arriving, bit_of
from companion.games.railroad_ink.rules.boards.routes import SHAPES, TYPES, any_route
from companion.games.railroad_ink.rules.boards.words import SHAPE_NAMES
from companion.games.railroad_ink.rules.expansions.actions import unsettled_first
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.research import may_reroll, points_left
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.match.turn import open_draws, open_shapes
from companion.games.railroad_ink.rules.rulebook import NEIGHBOURS
from companion.games.railroad_ink.ui import art
from companion.games.railroad_ink.ui.expanding import expansion_controls
from companion.sheets.grid import DIRECTIONS
from web.ui.parts import Controls
from web.ui.speaking import Markup

_SOURCES = {
    "die": "",
    "factory": m("Factory"),
    "special": "",
    "university": m("free"),
    "copy": m("again"),
}
# What an end of a route is worth to most players, by where it leads; only order and ratios matter. They are
# about what a conditional logit finds over the choices of good players.
_JOINED, _LEADS_TO_ANOTHER, _AT_THE_EDGE, _AGAINST_A_ROUTE = 2.0, 1.0, -0.3, -1.3
_GAME = RailroadInk()
Places = dict[str, list[str]]  # cell -> the routes that fit there
Suits = Callable[[str, str], float]  # how well a route suits a cell


@dataclass(frozen=True)
class Choice:
    """Something that can be drawn, or a die that is drawn already or fits nowhere."""

    source: str
    shape: str
    picture: Markup
    words: str
    note: str
    open: bool
    drawn: bool = False


def controls(state: State, seat: int) -> Controls:
    """What the template of the controls shows to this seat."""
    state = state.at_seat(seat)
    kinds = {action.kind for action in _GAME.legal(state, seat)}
    umpire = state.mode == "umpire"
    table = state.options.table
    below = umpire and table is not None and table.second_board and state.only_extra
    drawing = umpire and state.dice and not unsettled_first(state, seat)
    suits = _suiting(state, seat)
    places = _places(state, seat, suits) if drawing and seat not in state.done else {}
    told = {
        "mode": state.mode,
        "kinds": sorted(kinds),
        "choices": _choices(state, seat, places) if umpire and state.dice else [],
        "open": places,
        "best": _best(places, suits),
        "done": seat in state.done,
        "round": state.round,
        "rounds": state.options.all_rounds,
        "better": _better(state, seat),
        "report_round": _report_round(state, seat),
        "waiting": len(state.awaited),
        "shapes": [(shape, art.face(shape, SHAPE_NAMES[shape]), SHAPE_NAMES[shape]) for shape in SHAPES],
        "board": {} if below else _position(state, seat),  # what is above ground is not corrected below
        "research": points_left(state) if may_reroll(state) else 0,
        "lying": [SHAPE_NAMES[face] for face in state.dice],
        "may_roll": not state.finished and not (state.lies and (umpire or state.last_round)),
        "expansion": expansion_controls(state, seat),
        "own_routes": art.own_symbols(
            route for cells in places.values() for fit in cells.values() for route in fit
        ),
        "copies": state.rules.edition.copies,
    }
    return Controls("railroad-ink/play.html", told)


def _better(state: State, seat: int) -> str:
    """How more dice could have been drawn in the round that the seat has just finished; else empty."""
    better = state.better.get(seat)
    finished = state.round if seat in state.done else state.round - 1
    return better.says if better is not None and better.round == finished else ""


def _report_round(state: State, seat: int) -> int:
    """The round that new routes of a reported board most likely have; 0 where it has to be asked."""
    newest = max((drawing.round for drawing in state.boards[seat].drawings), default=0)
    return state.round if state.lies else newest


def _places(state: State, seat: int, suits: Suits) -> dict[str, Places]:
    """For each source and shape the cells, and the turnings that the rules allow: what suits most first."""
    found: dict[str, Places] = {}
    for drawing in open_draws(state.rules, state.boards[seat], state.roll):
        cells = found.setdefault(f"{drawing.source}:{drawing.shape}", {})
        cells.setdefault(drawing.cell, []).append(drawing.route)
    for cells in found.values():
        for cell, routes in cells.items():
            routes.sort(key=lambda route, cell=cell: -suits(cell, route))  # type: ignore[misc]
    return found


def _best(places: dict[str, Places], suits: Suits) -> dict[str, str]:
    """For each cell the source and shape offered when the chosen die does not fit there."""
    best: dict[str, tuple[bool, float, str]] = {}
    for choice, cells in places.items():
        free = choice.startswith(
            ("die:", "factory:", "copy:")
        )  # special routes are few: they are not what is offered
        for cell, routes in cells.items():
            here = (free, suits(cell, routes[0]), choice)
            if cell not in best or here[:2] > best[cell][:2]:
                best[cell] = here
    return {cell: choice for cell, (_, _, choice) in best.items()}


def _suiting(state: State, seat: int) -> Suits:
    """How well a turning suits its cell, so that what most people want comes up first and they tap less.

    Ends that are joined count most, then ends that lead on to where another one of their type arrives; ends
    against a drawn cell that does not take them or against the edge of the board count against it.
    """
    cells = state.boards[seat].cells()
    layout = state.options.board.layout
    facing = arriving(cells, state.rules.walls, layout)

    def suits(cell: str, text: str) -> float:
        number, route = layout.cell(cell), any_route(text)
        worth = 0.0
        for kind, way in product(TYPES, DIRECTIONS):
            neighbour = NEIGHBOURS[number][way]
            if not route.ends[kind] >> way & 1:
                continue
            if facing[number] & bit_of(kind, way):
                worth += _JOINED
            elif neighbour < 0:
                worth += _AT_THE_EDGE
            elif neighbour in cells:
                worth += _AGAINST_A_ROUTE
            elif facing[neighbour] >> 4 * kind & 15:
                worth += _LEADS_TO_ANOTHER
        return worth

    return suits


def _choices(state: State, seat: int, places: dict[str, Places]) -> list[Choice]:
    """The dice in the order they lie, then whatever else is open."""
    board = state.boards[seat]
    used = Counter(state.dice) - Counter(dice_left(board, state.roll))
    found = []
    for shape in state.dice:
        found.append(_choice("die", shape, places, drawn=used[shape] > 0))  # of equal ones the first
        used[shape] -= 1
    if seat in state.done:
        return found
    extras = [
        (source, shape) for source, shape in open_shapes(state.rules, board, state.roll) if source != "die"
    ]
    return found + [_choice(source, shape, places) for source, shape in extras]


def _choice(source: str, shape: str, places: dict[str, Places], *, drawn: bool = False) -> Choice:
    fits = f"{source}:{shape}" in places and not drawn
    note = m("drawn") if drawn else _SOURCES[source] if fits else m("fits nowhere")
    return Choice(source, shape, art.face(shape, ""), SHAPE_NAMES[shape], note, fits, drawn)


def _position(state: State, seat: int) -> dict[str, dict[str, object]]:
    """The seat's board for the editor: route, round and event-free source of every cell."""
    return {
        drawing.cell: {"route": drawing.route, "round": drawing.round, "from": drawing.source}
        for drawing in state.boards[seat].drawings
        if not drawing.erased
    }
