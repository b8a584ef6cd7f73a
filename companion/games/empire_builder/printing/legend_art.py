"""The legend of the printed map, where no milepost lies: prices, trains, limits."""

from __future__ import annotations

from companion.core.messages import m, table_text, vocabulary
from companion.games.empire_builder.printing.printed import PRINTED, map_size
from companion.games.empire_builder.rules.boards.board import Board
from companion.games.empire_builder.rules.rulebook import RULES
from companion.sheets.drawing import (
    Circle,
    Line,
    Point,
    Polygon,
    RoundedRect,
    Shape,
    Style,
    Text,
    filled,
    rectangle,
    stroked,
)

_INK = PRINTED.ink
_SIZE: Point = (176.0, 119.0)
_ROW = 9.6
_TRAINS = 74.0  # mm for what is said of trains
_B = RULES.building
_ABOUT = m("track and trains from coast to coast")

_MAPS = vocabulary("map", "North America")


def legend(on: Board) -> list[Shape]:
    """The box in the lower left corner."""
    margin = PRINTED.map.margin
    left, top = margin + 8, map_size()[1] - margin - 8 - _SIZE[1]
    return [
        RoundedRect((left, top), _SIZE, 4, Style(_INK["paper"], _INK["middle"], 0.5)),
        Text(
            (left + 8, top + 14),
            _MAPS.get(on.data.name, on.data.name),
            10.5,
            _INK["dark"],
            "start",
            bold=True,
        ),
        Text((left + 8, top + 20.5), _ABOUT, 3.8, _INK["middle"], "start", room=_SIZE[0] - 16),
        *_prices((left + 12, top + 33)),
        *_trains((left + 96, top + 33)),
    ]


def _prices(at: Point) -> list[Shape]:
    x, y = at
    rows = [
        (m("clear milepost"), _B.clear, Circle((x, y), PRINTED.map.dot, filled(_INK["clear"]))),
        (m("mountain"), _B.mountain, _peak((x, y + _ROW))),
        (m("small city, for 2 players"), _B.small, _ring((x, y + 2 * _ROW))),
        (m("medium city, for 3 players"), _B.medium, _square((x, y + 3 * _ROW))),
        (m("into a major city"), _B.major, _hexagon((x, y + 4 * _ROW))),
        (m("more: over a river"), _B.river, _stroke((x, y + 5 * _ROW), _INK["river"], 1.1)),
        (m("more: over a lake channel"), _B.channel, _dashes((x, y + 6 * _ROW))),
        (m("no track over open water"), 0, _stroke((x, y + 7 * _ROW), _INK["closed"], 1.1)),
    ]
    shapes: list[Shape] = []
    for number, (words, price, mark) in enumerate(rows):
        line = y + number * _ROW + 1.4
        shapes += [mark, Text((x + 8, line), words, 3.9, _INK["dark"], "start", room=57.0)]
        if price:
            shapes.append(Text((x + 72, line), str(price), 4.6, _INK["gold"], "end", bold=True))
    total = m(
        "{a_turn} million a turn; {out_of_majors} segments a turn out of major cities",
        a_turn=_B.a_turn,
        out_of_majors=_B.out_of_majors,
    )
    below = (x - 4, y + 8.3 * _ROW)
    return [*shapes, Text(below, total, 3.5, _INK["middle"], "start", room=_SIZE[0] - 16)]


def _trains(at: Point) -> list[Shape]:
    x, y = at
    shapes: list[Shape] = [Text((x, y), m("Trains"), 4.6, _INK["dark"], "start", bold=True)]
    for number, train in enumerate(RULES.trains.values(), start=1):
        words = m(
            "{title}: {speed} mileposts, {loads} loads",
            title=table_text(train.title),
            speed=train.speed,
            loads=train.loads,
        )
        shapes.append(Text((x, y + number * 7.2), words, 3.6, _INK["dark"], "start", room=_TRAINS))
    money, wanted = RULES.money, RULES.match.majors_to_win
    lines = [
        m("an upgrade costs 20 million"),
        "",
        m("Opponent's track: {fee} million a turn", fee=money.fee),
        m("To win: {wanted} of 7 major cities", wanted=wanted),
        m("and {win} million", win=money.win),
    ]
    return [
        *shapes,
        *(
            Text((x, y + (5 + number) * 7.2), words, 3.6, _INK["dark"], "start", room=_TRAINS)
            for number, words in enumerate(lines)
        ),
    ]


def _peak(at: Point) -> Shape:
    x, y, size = *at, PRINTED.map.mountain
    corners = ((x, y - size), (x + 0.95 * size, y + 0.72 * size), (x - 0.95 * size, y + 0.72 * size))
    return Polygon(corners, Style(_INK["mountain"], _INK["mountain_edge"], 0.3))


def _ring(at: Point) -> Shape:
    return Circle(at, PRINTED.map.city * 0.9, Style(_INK["city_light"], _INK["city"], 0.9))


def _square(at: Point) -> Shape:
    half = PRINTED.map.city
    corners = rectangle((at[0] - half, at[1] - half), (2 * half, 2 * half))
    return Polygon(corners, Style(_INK["city_light"], _INK["city"], 0.9))


def _hexagon(at: Point) -> Shape:
    x, y, size = *at, 4.0
    corners = tuple(
        (x + size * dx, y + size * dy)
        for dx, dy in ((0.87, 0.5), (0, 1), (-0.87, 0.5), (-0.87, -0.5), (0, -1), (0.87, -0.5))
    )
    return Polygon(corners, Style(_INK["major"], _INK["major_line"], 0.7))


def _stroke(at: Point, colour: str, width: float) -> Shape:
    return Line(((at[0] - 3.5, at[1]), (at[0] + 3.5, at[1])), stroked(colour, width))


def _dashes(at: Point) -> Shape:
    return Line(((at[0] - 3.7, at[1]), (at[0] + 3.7, at[1])), stroked(_INK["river"], 1.4, (1.6, 1.3)))
