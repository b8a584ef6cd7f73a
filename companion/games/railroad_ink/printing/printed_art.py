"""The printed player board as a drawing, and the page of corner tags for a genuine one."""

from __future__ import annotations

from companion.core.messages import Seat, m
from companion.games.railroad_ink.printing.art import building_shapes, route_shapes
from companion.games.railroad_ink.printing.grid_art import (
    PlacedGrid,
    corner_and_size,
    grid_shapes,
    middle,
    outlined,
    wall_shapes,
)
from companion.games.railroad_ink.printing.printed import (
    PRINTED,
    SCORE_WORDS,
    check_edition,
    circle_quad,
    goal_quad,
    goal_value_quad,
    score_quads,
    special_box,
    special_picture,
    tag_kind,
    tag_quads,
)
from companion.games.railroad_ink.printing.wall_code import code_shapes
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls
from companion.games.railroad_ink.rules.rulebook import (
    EDITION,
    EDITION_WORDS,
    GOAL_RACE,
    NETWORK_VALUES,
    SPECIALS,
    UNIVERSITY_CIRCLES,
    USUAL,
    VILLAGE_VALUES,
    Edition,
)
from companion.sheets.drawing import (
    Circle,
    Drawing,
    Line,
    Point,
    Polygon,
    Quad,
    RoundedRect,
    Shape,
    Text,
    filled,
    stroked,
)
from companion.sheets.seat_marks import COLOUR_WORDS, SeatMark, seat_mark, seat_shape
from companion.sheets.tags import CORNERS, SEATS, tag_number, tag_shapes

_INK = PRINTED.ink
_GRID = PlacedGrid(USUAL, PRINTED.grid.corner, PRINTED.grid.cell)


def sheet_drawing(seat: int, edition: str = "challenge", walls: Walls = NO_WALLS) -> Drawing:
    """One blank player board, with the walls of a blueprint."""
    board, mark = EDITION[check_edition(edition)], seat_mark(seat)
    shapes = [
        *_ground(mark),
        *grid_shapes(_GRID, board),
        *wall_shapes(_GRID, walls),
        *code_shapes(walls),
        *specials_row(mark),
        *(buildings_panel(mark) + goals_panel() if board.goals else []),
        *score_row(board, mark),
        *network_track(board, mark),
        *owner_line(board, seat, mark),
        *_tags(board, seat),
    ]
    return Drawing(PRINTED.size, tuple(shapes))


def _tags(board: Edition, seat: int) -> list[Shape]:
    return [
        shape
        for number, quad in tag_quads(board.name, seat).items()
        for shape in tag_shapes(number, quad[0], PRINTED.tag.side)
    ]


def _ground(mark: SeatMark) -> list[Shape]:
    """White paper with a band of the seat's colour down both sides, well away from the tags."""
    width, height = PRINTED.size
    clear = PRINTED.tag.side + 2 * PRINTED.tag.margin + 2
    shapes: list[Shape] = [RoundedRect((0, 0), PRINTED.size, 0, filled("#ffffff"))]
    for left in (0.0, width - 3.2):
        shapes.append(RoundedRect((left, clear), (3.2, height - 2 * clear), 0, filled(mark.ink)))
        shapes += [
            seat_shape(mark.shape, (left + 1.6, y), 1.15, filled("#ffffff"))
            for y in (clear + 3, height / 2, height - clear - 3)
        ]
    return shapes


# --- around it ---


def specials_row(mark: SeatMark) -> list[Shape]:
    """The row of special routes, each with its tick box."""
    shapes: list[Shape] = []
    for number, route in enumerate(SPECIALS):
        picture = special_picture(number)
        corner, size = corner_and_size(picture)
        shapes.append(RoundedRect(corner, size, 1.2, filled(_INK.cell)))
        shapes += route_shapes(route, (corner[0] + 0.5, corner[1] + 0.5), size[0] - 1)
        shapes.append(outlined(picture, 1.2, _INK.middle, 0.3))
        shapes.append(outlined(special_box(number), 0.8, mark.ink, 0.45))
    return shapes


def buildings_panel(mark: SeatMark) -> list[Shape]:
    """Circles of Villages and Universities."""
    panel = PRINTED.panel
    groups = (
        ("village", panel.villages, [str(value) for value in VILLAGE_VALUES[1:]]),
        ("university", panel.universities, [""] * (UNIVERSITY_CIRCLES - 1) + ["*"]),
    )
    shapes: list[Shape] = []
    for name, start, words in groups:
        left, top = panel.corner[0] + start, panel.corner[1]
        shapes += building_shapes(name, (left + 0.6, top + (panel.row - 5.8) / 2), 5.8, _INK.dark, "#ffffff")
        for number, word in enumerate(words):
            shapes += _circle(circle_quad(start, number), word, mark)
    return shapes


def _circle(quad: Quad, word: str, mark: SeatMark) -> list[Shape]:
    """A circle to be marked; its value is printed pale so that a pen stands out on it."""
    (x, y), radius = middle(quad), (quad[1][0] - quad[0][0]) / 2
    circle = Circle((x, y), radius - 0.25, stroked(mark.ink, 0.45))
    if word == "*":
        return [circle, *_free_special((x, y), radius)]
    return [circle, *([Text((x, y + 1.45), word, 4.0, _INK.grid, bold=True)] if word else [])]


def _free_special(centre: Point, radius: float) -> list[Shape]:
    """The last University earns a special route: a small tick box, as above the board."""
    half = radius * 0.42
    corner = (centre[0] - half, centre[1] - half)
    tick = ((-0.5, 0.0), (-0.1, 0.45), (0.6, -0.5))
    points = tuple((centre[0] + half * x, centre[1] + half * y) for x, y in tick)
    style = stroked(_INK.grid, 0.4)
    return [RoundedRect(corner, (2 * half, 2 * half), 0.5, style), Line(points, style)]


def goals_panel() -> list[Shape]:
    """Three goals, and what they may be worth."""
    shapes: list[Shape] = []
    for number in range(GOAL_RACE.drawn):
        (left, top), *_ = goal_quad(number)
        shapes.append(outlined(goal_quad(number), 0.9, _INK.middle, 0.4))
        says = m("goal")
        shapes.append(Text((left + 0.9, top + 2.3), says, 1.9, _INK.middle, "start", room=7.5))
        for place, value in enumerate(GOAL_RACE.values):
            quad = goal_value_quad(number, place)
            x, y = middle(quad)
            shapes.append(Circle((x, y), PRINTED.panel.goal_value / 2 - 0.1, stroked(_INK.grid, 0.25)))
            shapes.append(Text((x, y + 0.95), str(value), 2.6, _INK.middle))
    return shapes


def score_row(board: Edition, mark: SeatMark) -> list[Shape]:
    """The boxes for the points."""
    shapes: list[Shape] = []
    for name, quad in score_quads(board.name).items():
        corner, size = corner_and_size(quad)
        last = name == "total"
        shapes.append(RoundedRect(corner, size, 1.0, filled(mark.tint if last else "#ffffff")))
        shapes.append(outlined(quad, 1.0, mark.ink if last else _INK.middle, 0.5 if last else 0.3))
        x, _ = middle(quad)
        shapes.append(
            Text((x, corner[1] + 2.8), SCORE_WORDS[name], 2.05, _INK.dark, bold=last, room=size[0] - 0.8)
        )
        if name == "errors":
            shapes.append(Text((corner[0] + 1.8, corner[1] + 0.7 * size[1]), "−", 3.4, _INK.middle))
    return shapes


def network_track(board: Edition, mark: SeatMark) -> list[Shape]:
    """Exits in a network above, points below."""
    (x, y), (width, height) = PRINTED.network.corner, PRINTED.network.size
    values = [
        (exits, value) for exits, value in enumerate(NETWORK_VALUES[: len(board.layout.exits) + 1]) if value
    ]
    step = width / len(values)
    shapes: list[Shape] = [
        RoundedRect((x, y), (width, height), 1.0, filled(_INK.cell)),
        RoundedRect((x, y), (width, height * 0.46), 1.0, filled(mark.tint)),
        RoundedRect((x, y), (width, height), 1.0, stroked(_INK.middle, 0.25)),
    ]
    for n, (exits, value) in enumerate(values):
        at = x + (n + 0.5) * step
        shapes.append(Text((at, y + 2.6), str(exits), 2.3, _INK.dark))
        shapes.append(Text((at, y + 6.5), str(value), min(3.1, 0.5 * step), _INK.dark, bold=True))
    return shapes


def owner_line(board: Edition, seat: int, mark: SeatMark) -> list[Shape]:
    """The line that names the board's owner."""
    (x, y), (width, height) = PRINTED.owner.corner, PRINTED.owner.size
    base = y + height - 1.4
    return [
        seat_shape(mark.shape, (x + 2.6, y + height / 2), 2.4, filled(mark.ink)),
        Text((x + 6.4, base), str(seat), 2.9, _INK.dark, "start", bold=True),
        Text((x + 9.4, base), COLOUR_WORDS[mark.colour], 2.9, _INK.dark, "start", bold=True, room=15.5),
        Line(((x + 26, base + 0.4), (x + width - 17, base + 0.4)), stroked(_INK.grid, 0.25)),
        Text((x + width, base), EDITION_WORDS[board.name], 2.6, _INK.middle, "end", room=16.0),
    ]


# --- corner tags for a genuine board ---

_STICKER = 27.0  # mm from one sticker to the next


def sticker_page(size: Point, edition: str = "challenge") -> Drawing:
    """A page of corner tags to be cut out and stuck around genuine boards: a row of four for each seat."""
    kind = f"{tag_kind(check_edition(edition))}-stickers"
    left = (size[0] - 4 * _STICKER) / 2 + 12
    shapes: list[Shape] = [
        Text(
            (size[0] / 2, 16),
            m("Corner tags for a genuine board"),
            5.0,
            _INK.dark,
            bold=True,
            room=size[0] - 20,
        ),
        Text(
            (size[0] / 2, 22),
            m("Cut along the lines and keep the white rim; one tag to each corner."),
            3.2,
            _INK.dark,
            room=size[0] - 20,
        ),
    ]
    for seat in range(1, SEATS + 1):
        top = 30 + (seat - 1) * (_STICKER + 9)
        shapes += _seat_label(seat, (left - 26, top + 9))
        for corner in range(len(CORNERS)):
            shapes += _sticker(tag_number(kind, seat, corner), corner, (left + corner * _STICKER, top))
    return Drawing(size, tuple(shapes))


def _seat_label(seat: int, at: Point) -> list[Shape]:
    mark = seat_mark(seat)
    return [
        seat_shape(mark.shape, (at[0] + 8, at[1]), 4.0, filled(mark.ink)),
        Text((at[0] + 8, at[1] + 9), m("{seat}", seat=Seat(seat)), 3.2, _INK.dark, room=22.0),
    ]


def _sticker(number: int, corner: int, at: Point) -> list[Shape]:
    side, margin = PRINTED.tag.side, PRINTED.tag.margin
    whole = side + 2 * margin
    return [
        *tag_shapes(number, (at[0] + margin, at[1] + margin), side),
        RoundedRect(at, (whole, whole), 0, stroked(_INK.grid, 0.2, (1.0, 1.0))),
        Text((at[0] + whole / 2, at[1] + whole + 3.4), CORNERS[corner], 2.6, _INK.middle, room=whole),
        Polygon(_corner_arrow(at, whole, corner), filled(_INK.grid)),
    ]


def _corner_arrow(at: Point, whole: float, corner: int) -> tuple[Point, ...]:
    """A small triangle on the tag's outer corner."""
    x = at[0] + (whole if corner in {1, 2} else 0)
    y = at[1] + (whole if corner in {2, 3} else 0)
    inwards = (-1 if corner in {1, 2} else 1, -1 if corner in {2, 3} else 1)
    return (x, y), (x + 1.6 * inwards[0], y), (x, y + 1.6 * inwards[1])
