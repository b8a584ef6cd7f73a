"""The play mat as a drawing: places for cards in their lanes, corner tags, and the tables one looks up."""

from __future__ import annotations

from companion.core.messages import m
from companion.games.derailed.printing.printed import (
    PRINTED,
    card_corner,
    lanes_of_mat,
    mat_size,
    tag_quads,
)
from companion.games.derailed.rules.network import grid_of, lane_name
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, POINTS, ROUNDS, ROWS
from companion.sheets.drawing import (
    Circle,
    Drawing,
    Line,
    Point,
    Polygon,
    RoundedRect,
    Shape,
    Text,
    filled,
    stroked,
)
from companion.sheets.tags import tag_shapes

_MAT, _CARD, _INK = PRINTED.mat, PRINTED.card, PRINTED.ink
_ROOM = _MAT.side - 4.0  # mm for words in a margin


def mat_drawing(edition: str = "lanes-6") -> Drawing:
    """The printed mat of an edition, without cards."""
    lanes = lanes_of_mat(edition)
    shapes = [
        *_ground(lanes),
        *(shape for lane in range(lanes) for shape in _lane(lanes, lane)),
        *_left_margin(),
        *_right_margin(lanes),
        *(
            shape
            for number, quad in tag_quads(lanes).items()
            for shape in tag_shapes(number, quad[0], _MAT.tag)
        ),
    ]
    return Drawing(mat_size(lanes), tuple(shapes))


def _ground(lanes: int) -> list[Shape]:
    width, height = mat_size(lanes)
    area = (lanes * _MAT.cell[0] + 4, ROWS * _MAT.cell[1])
    corner = (_MAT.side - 2, _MAT.edge + _MAT.cell[1])
    return [
        RoundedRect((0, 0), (width, height), 0, filled(_INK.paper)),
        RoundedRect(corner, area, 3, filled(_INK.ground)),
        RoundedRect(corner, area, 3, stroked(_INK.pale, 0.5)),
    ]


# --- the lanes ---


def _lane(lanes: int, lane: int) -> list[Shape]:
    names = grid_of(lanes).names
    shapes = [*_station(lane, 0), *_station(lane, ROWS + 1)]
    for row in range(1, ROWS + 1):
        corner = card_corner(lane, row)
        shapes += [RoundedRect(corner, _CARD.size, _CARD.radius, stroked(_INK.pale, 0.35, (2.2, 1.8)))]
        shapes += _chevrons(_middle(corner))
        shapes.append(_cell_name(corner, names[(row - 1) * lanes + lane]))
    return shapes


def _middle(corner: Point) -> Point:
    return corner[0] + _CARD.size[0] / 2, corner[1] + _CARD.size[1] / 2


def _cell_name(corner: Point, name: str) -> Shape:
    return Text((corner[0] + 5.5, corner[1] + 10), name, 6.0, _INK.pale, "start", bold=True)


def _chevrons(middle: Point) -> list[Shape]:
    """The arrows along a lane, from the start down to the destination."""
    x, y = middle
    style = stroked(_INK.scenery, 2.2)
    return [Line(((x - 6, y + dy), (x, y + dy + 5), (x + 6, y + dy)), style) for dy in (-9.0, -1.5, 6.0)]


def _station(lane: int, row: int) -> list[Shape]:
    """A place for a station card, with the stub of track that leads into the lane."""
    corner = card_corner(lane, row)
    x, y = _middle(corner)
    says = m("start") if row == 0 else m("destination")
    room = _CARD.size[0] - 6
    return [
        RoundedRect(corner, _CARD.size, _CARD.radius, filled(_INK.back_light)),
        RoundedRect(corner, _CARD.size, _CARD.radius, stroked(_INK.back, 0.6)),
        *_paw((x, y - 3)),
        Text((x, y + 21), says, 5.6, _INK.back, bold=True, room=room),
        Text((x, y + 29), m("lane {lane}", lane=lane_name(lane)), 5.0, _INK.back, room=room),
        *_small_arrow((x, corner[1] + (_CARD.size[1] - 5.5 if row == 0 else 5.5))),
    ]


def _paw(at: Point) -> list[Shape]:
    (x, y), style = at, filled(_INK.paper)
    toes = ((-11.2, -4.4), (-4.2, -11.4), (4.2, -11.4), (11.2, -4.4))
    return [Circle((x, y + 4.4), 7.6, style), *(Circle((x + dx, y + dy), 3.7, style) for dx, dy in toes)]


def _small_arrow(at: Point) -> list[Shape]:
    x, y = at
    return [Polygon(((x - 4, y - 2.2), (x + 4, y - 2.2), (x, y + 2.8)), filled(_INK.back))]


# --- the margins ---


def _left_margin() -> list[Shape]:
    middle = _MAT.side / 2
    top = _MAT.edge + _MAT.cell[1]
    shapes: list[Shape] = [
        Text((middle, 48), "Derailed!", 5.0, _INK.back, bold=True),
        Text((middle, 54), "Deadfur", 3.6, _INK.middle),
        Text((middle, 58.5), "Canyon", 3.6, _INK.middle),
    ]
    for row in range(1, ROWS + 1):
        at = (middle, top + (row - 0.5) * _MAT.cell[1])
        shapes += [
            Circle(at, 8.0, filled(_INK.ground)),
            Circle(at, 8.0, stroked(_INK.pale, 0.4)),
            Text((at[0], at[1] + 3.1), str(row), 8.5, _INK.middle, bold=True),
        ]
    return shapes


def _right_margin(lanes: int) -> list[Shape]:
    middle = mat_size(lanes)[0] - _MAT.side / 2
    return [*_rounds(middle), *_points(middle), *_arrivals(middle)]


def _heading(middle: float, top: float, *words: str) -> list[Shape]:
    return [
        Text((middle, top + 4.2 * n), word, 3.3, _INK.back, bold=True, room=_ROOM)
        for n, word in enumerate(words)
    ]


def _rounds(middle: float) -> list[Shape]:
    """Three places for a token that counts the rounds."""
    top = _MAT.edge + _MAT.cell[1] + 8
    shapes = _heading(middle, top, m("round"))
    for number in range(1, ROUNDS + 1):
        at = (middle, top + 15 + (number - 1) * 23)
        shapes += [
            Circle(at, 10, filled(_INK.ground)),
            Circle(at, 10, stroked(_INK.back, 0.5)),
            Text((at[0], at[1] + 3.3), str(number), 9.0, _INK.back, bold=True),
        ]
    return shapes


def _points(middle: float) -> list[Shape]:
    top = _MAT.edge + 2 * _MAT.cell[1] + 8
    rows = (
        (POINTS.arrival, m("arriving")),
        (POINTS.first, m("the first")),
        (POINTS.turn, m("each later turn")),
    )
    shapes = _heading(middle, top, m("points"))
    for n, (value, words) in enumerate(rows):
        y = top + 11 + n * 12
        shapes += [
            Text((middle, y), f"+{value}", 5.2, _INK.dark, bold=True),
            Text((middle, y + 4.2), words, 2.9, _INK.middle, room=_ROOM),
        ]
    return shapes


def _arrivals(middle: float) -> list[Shape]:
    """How many arrivals end the round."""
    top = _MAT.edge + 3 * _MAT.cell[1] + 8
    shapes = _heading(middle, top, m("the round"), m("ends with"))
    for n, (players, arrivals) in enumerate(ARRIVALS_TO_END.items()):
        y = top + 13 + n * 7
        shapes += [
            Text((middle - 3.5, y), m("{players} players", players=players), 2.9, _INK.middle, room=18.0),
            Text((middle + 10.5, y + 0.4), str(arrivals), 4.4, _INK.dark, bold=True),
        ]
    below = (middle, top + 15 + 7 * len(ARRIVALS_TO_END))
    return [*shapes, Text(below, m("arrived"), 2.9, _INK.middle, room=_ROOM)]
