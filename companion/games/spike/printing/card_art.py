"""Contract, route, rail and time cards, and their backs."""

from __future__ import annotations

from math import cos, pi, sin

from companion.core.messages import m
from companion.games.spike.printing.board_art import map_shapes
from companion.games.spike.printing.geography import read_geography
from companion.games.spike.printing.goods_art import good_shapes
from companion.games.spike.printing.printed import PRINTED
from companion.games.spike.printing.track_art import suit_line
from companion.games.spike.rules.boards.board import SHIPPED, Board, Suit
from companion.games.spike.rules.boards.cards import Contract, Route
from companion.games.spike.rules.words import good_words, suit_words
from companion.sheets.drawing import (
    Circle,
    Drawing,
    Line,
    Point,
    Polygon,
    RoundedRect,
    Shape,
    Style,
    Text,
    filled,
    stroked,
)
from companion.sheets.seat_marks import seat_shape

_INK = PRINTED.ink
_WIDTH, _HEIGHT = PRINTED.card.size
_MIDDLE = _WIDTH / 2
_INNER = _WIDTH - 2 * PRINTED.card.border - 3  # mm for words


def _blank(colour: str, ground: str = _INK.paper) -> list[Shape]:
    """A card: a rim in its colour, paper inside."""
    rim = PRINTED.card.border
    return [
        RoundedRect((0, 0), PRINTED.card.size, PRINTED.card.radius, filled(colour)),
        RoundedRect(
            (rim, rim), (_WIDTH - 2 * rim, _HEIGHT - 2 * rim), PRINTED.card.radius - 1, filled(ground)
        ),
    ]


def _drawing(shapes: list[Shape]) -> Drawing:
    return Drawing(PRINTED.card.size, tuple(shapes))


def _fitting(words: str, width: float, most: float) -> float:
    """A letter height at which the words fit."""
    return min(most, width / (0.66 * max(1, len(words))))


# --- rail cards ---


def rail_card(suit: Suit) -> Drawing:
    """A big piece of the suit's track, and its name."""
    shapes = _blank(suit.colour if suit.pattern != "solid" else _INK.grid, "#eef2ee")
    for x, width in ((12.0, 7.0), (22.0, 9.0), (32.0, 7.0)):
        shapes += suit_line(suit, (x, 14), (x, _HEIGHT - 14), width * 0.86)
    for y, up in ((9.6, True), (_HEIGHT - 6.4, False)):
        shapes.append(Text((_MIDDLE, y), suit_words(suit.suit), 5.0, _INK.dark, bold=True, room=_WIDTH - 18))
        mark = (6.0, y - 1.7) if up else (_WIDTH - 6.0, y - 1.7)
        shapes.append(Circle(mark, 1.5, Style(suit.colour, _INK.dark, 0.3)))
    return _drawing(shapes)


def rail_back() -> Drawing:
    """The common back of rail and time cards."""
    shapes = _blank("#1f3d4d", "#2b5268")
    for x in (13.0, 31.0):
        shapes.append(Line(((x, 8), (x, _HEIGHT - 8)), stroked("#e8dcc0", 1.6)))
    for n in range(9):
        y = 11 + n * 5.8
        shapes.append(RoundedRect((8, y), (28, 2.2), 0.6, filled("#a9804f")))
    for x in (13.0, 31.0):
        shapes.append(Line(((x, 8), (x, _HEIGHT - 8)), stroked("#e8dcc0", 1.0)))
    return _drawing(shapes)


def time_card(number: int) -> Drawing:
    """A clock that shows the number of the card."""
    shapes = _blank(_INK.gold)
    centre = (_MIDDLE, 30.0)
    shapes.append(Circle(centre, 15, Style("#ffffff", _INK.dark, 1.0)))
    for hour in range(12):
        shapes.append(
            Line((_on_clock(centre, hour, 11.6), _on_clock(centre, hour, 13.4)), stroked(_INK.dark, 0.7))
        )
    shapes.append(Line((centre, _on_clock(centre, 4 * number - 4, 7.5)), stroked(_INK.dark, 1.5)))
    shapes.append(Line((centre, _on_clock(centre, 0, 10.5)), stroked(_INK.dark, 1.0)))
    shapes.append(Text((_MIDDLE, 12), m("Time"), 5.0, _INK.dark, bold=True, room=_INNER))
    shapes.append(
        Text((_MIDDLE, 55), m("Round {number}", number=number), 5.6, _INK.dark, bold=True, room=_INNER)
    )
    shapes.append(Text((_MIDDLE, 61.5), m("the third one ends the match"), 2.3, _INK.middle, room=_INNER))
    return _drawing(shapes)


def _on_clock(centre: Point, hour: int, radius: float) -> Point:
    angle = hour * pi / 6
    return centre[0] + radius * sin(angle), centre[1] - radius * cos(angle)


# --- contracts ---


def contract_card(board: Board, contract: Contract) -> Drawing:
    """One side: the good, and what it brings where. A delivery marker covers the row that was used."""
    good = board.goods[contract.contract]
    shapes = _blank(PRINTED.goods.get(good.good, _INK.middle))
    shapes += good_shapes(good.good, (_MIDDLE, 15), 9.0)
    shapes.append(Text((_MIDDLE, 30), good_words(good.name), 5.0, _INK.dark, bold=True, room=_INNER))
    shapes.append(Text((_WIDTH - 5, 8), f"{contract.card}{contract.side}", 3.0, _INK.middle, "end"))
    shapes += _price_rows(board, contract.pays, 34.0)
    return _drawing(shapes)


def _price_rows(board: Board, pays: dict[str, int], top: float) -> list[Shape]:
    step = min(7.4, (_HEIGHT - 4 - top) / max(1, len(pays)))
    shapes: list[Shape] = []
    letters = min(_fitting(board.cities[city].name, 24, 3.3) for city in pays)
    for number, (city, dollars) in enumerate(pays.items()):
        y = top + number * step
        name = board.cities[city].name
        shapes += [
            RoundedRect((4, y), (_WIDTH - 8, step - 1), 1.2, Style("#ffffff", _INK.grid, 0.25)),
            Text((6, y + step * 0.58), name, letters, _INK.dark, "start"),
            Text(
                (_WIDTH - 6, y + step * 0.62),
                f"${dollars}",
                min(4.2, step * 0.66),
                _INK.dark,
                "end",
                bold=True,
            ),
        ]
    return shapes


# --- routes ---


def route_card(board: Board, route: Route, shipped: bool = True) -> Drawing:
    """The start city, the cities it may be joined to, and where they lie."""
    start = board.cities[route.route].name
    shapes = _blank("#7a2f35")
    shapes += _small_map(board, route, shipped)
    shapes.append(RoundedRect((4, 4), (_WIDTH - 8, 8.4), 1.5, filled("#7a2f35")))
    shapes.append(Text((_MIDDLE, 10), start, _fitting(start, 32, 4.8), "#ffffff", bold=True))
    shapes += _price_rows(board, dict(sorted(route.pays.items(), key=lambda pay: pay[1])), 43.2)
    return _drawing(shapes)


_MAP = (34.0, 28.6)  # room for the small map
_AROUND = 16.0  # mm of the board around its outermost cities


def _small_map(board: Board, route: Route, shipped: bool) -> list[Shape]:
    """The board in the size of a stamp: a star for the start, a dot for each other city."""
    places = [city.at for city in board.cities.values()]
    west, north = (min(at[i] for at in places) - _AROUND for i in (0, 1))
    east, south = (max(at[i] for at in places) + _AROUND for i in (0, 1))
    scale = min(_MAP[0] / (east - west), _MAP[1] / (south - north))
    across, down = (east - west) * scale, (south - north) * scale
    left, top = _MIDDLE - across / 2, 13.4

    def placed(at: Point) -> Point:
        return left + (at[0] - west) * scale, top + (at[1] - north) * scale

    frame = RoundedRect((left, top), (across, down), 1.5, Style(_INK.sea, _INK.grid, 0.25))
    ground = map_shapes(read_geography(), scale, placed((0.0, 0.0))) if shipped else []
    land = [shape for shape in ground if isinstance(shape, Polygon)]
    dots = [
        Circle(placed(board.cities[city].at), 1.25, Style("#2b6cb8", "#ffffff", 0.3)) for city in route.pays
    ]
    star = seat_shape("star", placed(board.cities[route.route].at), 2.2, Style("#c5372c", "#ffffff", 0.25))
    return [frame, *land, *_cover((left, top), (across, down)), *dots, star]


def _cover(corner: Point, size: Point) -> list[Shape]:
    """Paper over the parts of the small map outside its frame."""
    (x, y), (w, h), rim = corner, size, PRINTED.card.border
    paper = filled(_INK.paper)
    return [
        RoundedRect((rim, rim), (_WIDTH - 2 * rim, y - rim), 0, paper),
        RoundedRect((rim, y + h), (_WIDTH - 2 * rim, _HEIGHT - rim - y - h), 0, paper),
        RoundedRect((rim, y), (x - rim, h), 0, paper),
        RoundedRect((x + w, y), (_WIDTH - rim - x - w, h), 0, paper),
    ]


def route_back() -> Drawing:
    """The common back of route cards."""
    shapes = _blank("#7a2f35", "#8f3c42")
    points = ((10.0, 56.0), (18.0, 40.0), (28.0, 34.0), (24.0, 18.0), (35.0, 10.0))
    shapes.append(Line(points, stroked("#e8dcc0", 1.4)))
    shapes += [Circle(point, 2.4, Style("#fffdf7", "#5b2126", 0.5)) for point in points[1:-1]]
    shapes.append(Circle(points[0], 3.0, Style("#fffdf7", "#5b2126", 0.5)))
    shapes.append(seat_shape("star", points[-1], 4.0, Style("#e8b521", "#5b2126", 0.4)))
    return _drawing(shapes)


def is_shipped(name: str) -> bool:
    """True if the geography belongs to this board."""
    return name in SHIPPED
