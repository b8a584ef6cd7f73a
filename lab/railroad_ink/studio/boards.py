"""What is on a sheet: a position, who drew it, and every line of ink, with the truth about it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Literal

import numpy as np

from companion.games.railroad_ink.printing.printed import PRINTED, cell_corner, slot_quads
from companion.games.railroad_ink.rules.boards.routes import SHAPES, Route, shape_of, turnings
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls
from companion.games.railroad_ink.rules.expansions.marks import Marks
from companion.games.railroad_ink.rules.rulebook import (
    EDITION,
    GOAL_RACE,
    GRID,
    ROUNDS,
    SPECIALS,
    UNIVERSITY_CIRCLES,
    EditionName,
)
from companion.sheets.drawing import Quad
from lab.railroad_ink.random_play import random_board
from lab.railroad_ink.studio.hands import CELL, Hand, made_readable, take_hand
from lab.railroad_ink.studio.mark_boards import played_board, scattered_board
from lab.railroad_ink.studio.mark_strokes import mark_layers
from lab.railroad_ink.studio.route_marks import route_strokes
from lab.railroad_ink.studio.strangers import stranger, wide_hand, writing_hand
from lab.railroad_ink.studio.tips import as_held
from lab.railroad_ink.studio.writing import MARK_KINDS, MarkKind, Writer
from lab.studio.habits import PENS, between, one_of
from lab.studio.ink import InkLayer
from lab.studio.levels import Level
from lab.studio.strokes import Points, Stroke, as_points, stroke

_OTHER_PEN = 0.06  # share of players who write with another pen than they draw with
GOAL_CODES = "ABCDEFGHIJKL"
BoardKind = Literal["legal", "scattered"]


@dataclass
class SheetMarks:
    """The truth about one sheet: everything that is to be read from it."""

    edition: EditionName
    cells: dict[int, Route]
    rounds: dict[int, int]
    rounds_written: bool = True
    pictures_crossed: bool = False  # special routes are crossed off in their pictures, not in the boxes below
    specials: tuple[str, ...] = ()
    villages: int = 0
    universities: int = 0
    goals: list[tuple[str, int | None]] = field(default_factory=list)
    expansion: str = ""
    signs: Marks = field(default_factory=dict)  # what the expansion has people draw
    walls: Walls = NO_WALLS  # as they are printed on the sheet


@dataclass(frozen=True)
class DrawnSheet:
    """A sheet with ink on it: the seat and edition printed on it, the truth, the hand, and the layers."""

    seat: int
    marks: SheetMarks
    hand: Hand
    layers: tuple[InkLayer, ...]


@dataclass(frozen=True)
class HeldOut:
    """Styles and pens that must not be used, by name."""

    styles: Collection[str] = ()
    pens: Collection[str] = ()


NOTHING_HELD_OUT = HeldOut()


@dataclass(frozen=True)
class GivenBoard:
    """A board that somebody else made up, such as the one of a seat in a match.

    The same ``ink_seed`` draws the same route in the same cell with the same strokes, so that a board can
    grow from picture to picture.
    """

    seat: int
    marks: SheetMarks
    ink_seed: int


def draw_sheet(
    rng: np.random.Generator,
    seat: int,
    level: Level,
    kind: BoardKind = "legal",
    held_out: HeldOut = NOTHING_HELD_OUT,
    people: str | None = None,
    expansion: str = "",
) -> DrawnSheet:
    """A random person's board at a random moment of a match."""
    marks = legal_marks(rng, expansion) if kind == "legal" else scattered_marks(rng, expansion)
    return ink_board(GivenBoard(seat, marks, int(rng.integers(2**62))), level, held_out, people)


def ink_board(
    board: GivenBoard, level: Level, held_out: HeldOut = NOTHING_HELD_OUT, people: str | None = None
) -> DrawnSheet:
    """A known board, drawn by the hand that belongs to its seed, or as ``people`` says (see ``Wish``)."""
    rng = np.random.default_rng(board.ink_seed)
    hand = take_hand(rng, held_out.styles, held_out.pens)
    if people is not None:
        hand = stranger(people) if people else wide_hand(np.random.default_rng([board.ink_seed, 9]))
    if np.random.default_rng([board.ink_seed, 3]).random() >= level.careless:
        hand = made_readable(hand, level.unsteady)
    marks = replace(
        board.marks,
        rounds_written=bool(rng.random() >= level.without_rounds),
        pictures_crossed=bool(rng.random() < 0.4),
    )
    layers = _layers(rng, hand, marks, level, board.ink_seed)
    layers += mark_layers(board.ink_seed, hand, marks.cells, marks.signs, strange=bool(people))
    return DrawnSheet(board.seat, marks, hand, tuple(layers))


# --- positions ---


def legal_marks(rng: np.random.Generator, expansion: str = "") -> SheetMarks:
    """A board by random legal play, often full, sometimes young or empty."""
    edition: EditionName = "classic" if rng.random() < 0.25 else "challenge"
    if expansion:
        drawn, when, signs = played_board(rng, expansion, edition)
        return _with_goals(rng, SheetMarks(edition, drawn, when, expansion=expansion, signs=signs))
    seed = int(rng.integers(2**62))
    rounds = ROUNDS if rng.random() < 0.5 else int(rng.integers(0, ROUNDS + 1))
    cells: dict[int, Route] = {}
    numbers: dict[int, int] = {}
    # The same seed draws the same rounds again, so the cells that each round adds are known.
    for number in range(1, rounds + 1):
        cells = random_board(Random(seed), edition, number).cells
        numbers |= {cell: number for cell in cells if cell not in numbers}
    return _with_goals(rng, SheetMarks(edition, cells, numbers))


def scattered_marks(rng: np.random.Generator, expansion: str = "") -> SheetMarks:
    """Every kind of route anywhere, rules or not, so that training sees all equally often."""
    edition: EditionName = "classic" if rng.random() < 0.25 else "challenge"
    if expansion:
        drawn, signs = scattered_board(rng, expansion)
        when = {cell: int(rng.integers(1, ROUNDS + 1)) for cell in drawn}
        return _with_goals(rng, SheetMarks(edition, drawn, when, expansion=expansion, signs=signs))
    filled = float(rng.uniform(0.3, 0.95))
    cells = {
        cell: one_of(rng, turnings(one_of(rng, SHAPES))) for cell in range(GRID.size) if rng.random() < filled
    }
    numbers = {cell: int(rng.integers(1, ROUNDS + 1)) for cell in cells}
    return _with_goals(rng, SheetMarks(edition, cells, numbers))


def with_panel(marks: SheetMarks) -> SheetMarks:
    """Add what the rules have a player mark beside the grid: used special routes, buildings."""
    board = EDITION[marks.edition]
    shapes = {shape_of(route) for route in marks.cells.values()}
    marks.specials = tuple(route.text for route in SPECIALS if shape_of(route) in shapes)
    if board.goals:
        marks.villages = sum(marks.cells[cell].station for cell in board.village if cell in marks.cells)
        marks.universities = min(UNIVERSITY_CIRCLES, sum(cell in marks.cells for cell in board.university))
    return marks


def _with_goals(rng: np.random.Generator, marks: SheetMarks) -> SheetMarks:
    """Add everything that a player keeps beside the grid; some write their goals down."""
    marks = with_panel(marks)
    if EDITION[marks.edition].goals and rng.random() < 0.7:
        codes = rng.choice(list(GOAL_CODES), GOAL_RACE.drawn, replace=False)
        values = (None, None, *GOAL_RACE.values)
        marks.goals = [(str(code), one_of(rng, values)) for code in codes]
    return marks


# --- ink ---


def _layers(
    rng: np.random.Generator, hand: Hand, marks: SheetMarks, level: Level, ink_seed: int
) -> list[InkLayer]:
    """Ghosts, routes, and what is written beside them: now and then with the pen that lay nearer."""
    layers = _ghosts(rng, hand, level)
    other = PENS[one_of(rng, list(PENS)) if rng.random() < _OTHER_PEN else hand.pen]
    pen_hand = hand if hand.inks is None else writing_hand(hand)
    writer, slots = Writer(rng, pen_hand), slot_quads(marks.edition)
    routes: list[Stroke] = []
    written: list[Stroke] = []
    for cell, route in marks.cells.items():
        # Every cell has randomness of its own, so that drawing another one does not change it.
        own = np.random.default_rng([ink_seed, cell])
        routes += cell_strokes(own, hand, cell, route)
        if marks.rounds_written and cell in marks.rounds:
            place = slots[f"{GRID.names[cell]}-round"]
            written += writer.by(own).text(str(marks.rounds[cell]), place, hand.digit_height)
    written += _panel_marks(rng, writer, marks, slots)
    if rng.random() < level.scored:
        written += _scores(rng, writer, slots) + _error_crosses(rng, hand, marks)
    own_tip = np.random.default_rng([ink_seed, 5])
    layers += [
        _layer(ink, as_held(own_tip, hand, lines), hand.dry, ink_seed) for ink, lines in _by_pen(hand, routes)
    ]
    layers.append(_layer(other.ink, as_held(own_tip, pen_hand, written), hand.dry, ink_seed + 1))
    return [layer for layer in layers if layer.strokes]


def _by_pen(hand: Hand, routes: Sequence[Stroke]) -> list[tuple[str, list[Stroke]]]:
    """The lines of routes by the ink they are drawn with, in the order in which they are drawn."""
    if hand.inks is None:
        rail_pen = PENS[hand.rail_pen or hand.pen]
        return [
            (PENS[hand.pen].ink, [line for line in routes if line.part != "rail"]),
            (rail_pen.ink, [line for line in routes if line.part == "rail"]),
        ]
    parts = [
        (ink, [line for line in routes if line.part == part])
        for ink, part in zip(hand.inks, ("", "rail", "station"), strict=True)
    ]
    return [parts[2], *parts[:2]] if hand.station_below else parts


def _layer(ink: str, strokes: list[Stroke], dry: float, seed: int) -> InkLayer:
    # Weak strokes first: where two cross, the stronger one is seen.
    ordered = tuple(sorted(strokes, key=lambda line: float(line.strengths.mean())))
    return InkLayer(ink, ordered, dry, seed=seed)


def cell_strokes(rng: np.random.Generator, hand: Hand, cell: int, route: Route) -> list[Stroke]:
    """A route drawn into a cell of the sheet."""
    return route_strokes(rng, hand, route, np.asarray(cell_corner(cell)))


def _ghosts(rng: np.random.Generator, hand: Hand, level: Level) -> list[InkLayer]:
    """The ghosts of wiped ink: earlier matches, and changes of mind under what is drawn now."""
    layers: list[InkLayer] = []
    for share, left in ((level.ghosts, (0.04, 0.14)), (level.second_thoughts, (0.05, 0.22))):
        cells = [cell for cell in range(GRID.size) if rng.random() < share]
        lines = [
            line
            for cell in cells
            for line in cell_strokes(rng, hand, cell, one_of(rng, turnings(one_of(rng, SHAPES))))
        ]
        pen = PENS[hand.pen if rng.random() < 0.7 else one_of(rng, list(PENS))]
        layers.append(
            InkLayer(
                pen.ink,
                tuple(lines + _smudges(rng, hand, len(cells))),
                wiped=between(rng, (0.3, 4.0)),
                left=between(rng, left),
                seed=int(rng.integers(2**31)),
            )
        )
    return layers


def _smudges(rng: np.random.Generator, hand: Hand, count: int) -> list[Stroke]:
    """The smudges where a cloth or a sleeve dragged ink about."""
    found: list[Stroke] = []
    for _ in range(int(rng.poisson(0.2 * count))):
        start = np.asarray(PRINTED.grid.corner) + rng.uniform(0, 7 * CELL, 2)
        line = stroke(rng, hand, np.stack([start, start + rng.normal(0, 9, 2)]))
        found.append(Stroke(line.points, line.widths * rng.uniform(1.5, 5), line.strengths * 0.5))
    return found


def _panel_marks(
    rng: np.random.Generator, writer: Writer, marks: SheetMarks, slots: dict[str, Quad]
) -> list[Stroke]:
    kind, ring = one_of(rng, MARK_KINDS[:4]), one_of(rng, MARK_KINDS)
    strokes: list[Stroke] = []
    for text in marks.specials:
        place, sign = (
            (f"special-{text}-picture", _big(kind)) if marks.pictures_crossed else (f"special-{text}", kind)
        )
        strokes += writer.mark(sign, slots[place])
    circles = [f"village-{n + 1}" for n in range(marks.villages)]
    circles += [f"university-{n + 1}" for n in range(marks.universities)]
    strokes += [line for name in circles for line in writer.mark(kind, slots[name])]
    for number, (code, value) in enumerate(marks.goals, 1):
        strokes += writer.text(code, slots[f"goal-{number}"], 4.6)
        if value is not None:
            strokes += writer.mark(ring, slots[f"goal-{number}-{value}"])
    return strokes


def _big(kind: MarkKind) -> MarkKind:
    """Strokes over a whole picture, which people cross out with lines rather than fill."""
    return "cross" if kind in {"fill", "tick"} else kind


def _scores(rng: np.random.Generator, writer: Writer, slots: dict[str, Quad]) -> list[Stroke]:
    boxes = [quad for name, quad in slots.items() if name.startswith("score-")]
    return [line for quad in boxes for line in writer.text(str(rng.integers(0, 45)), _lower(quad), 5.0)]


def _lower(quad: Quad) -> Quad:
    """The part of a score box under its title."""
    (left, top), (right, _), (_, bottom), _ = quad
    top += 0.25 * (bottom - top)
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _error_crosses(rng: np.random.Generator, hand: Hand, marks: SheetMarks) -> list[Stroke]:
    """Small crosses at open ends, as people draw them when they count errors; some are ringed."""
    strokes: list[Stroke] = []
    ringed = rng.random() < 0.4
    for cell, route in marks.cells.items():
        for direction, neighbour in enumerate(GRID.neighbours[cell]):
            ends = (route.highway | route.railway) >> direction & 1
            if ends and neighbour >= 0 and neighbour not in marks.cells and rng.random() < 0.7:
                strokes += _small_cross(rng, hand, _edge_middle(cell, direction), ringed)
    return strokes


def _edge_middle(cell: int, direction: int) -> Points:
    steps = as_points([(0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)])
    middle: Points = np.asarray(cell_corner(cell)) + steps[direction] * CELL
    return middle


def _small_cross(rng: np.random.Generator, hand: Hand, middle: Points, ringed: bool) -> list[Stroke]:
    size = rng.uniform(0.9, 1.6)
    lines = [as_points([(-1, -1), (1, 1)]), as_points([(1, -1), (-1, 1)])]
    if ringed:
        turn = np.linspace(0, 2.1 * np.pi, 14)
        lines.append(1.6 * np.stack([np.cos(turn), np.sin(turn)], axis=1))
    middle = middle + rng.normal(0, 0.5, 2)
    return [stroke(rng, hand, middle + line * size, 0.6) for line in lines]
