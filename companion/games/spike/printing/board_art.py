"""The printed board as a drawing."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from companion.core.messages import m
from companion.games.spike.printing.choices import CHOICES
from companion.games.spike.printing.geography import Geography, read_geography
from companion.games.spike.printing.goods_art import good_shapes
from companion.games.spike.printing.labels import name_places
from companion.games.spike.printing.printed import PRINTED, space_size, tag_quads, track_line
from companion.games.spike.printing.track_art import suit_line
from companion.games.spike.rules.boards.board import SHIPPED, Board, City, board_called
from companion.games.spike.rules.rulebook import BOOK
from companion.games.spike.rules.words import board_words, suit_words
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
from companion.sheets.tags import tag_shapes

_INK, _SIZES = PRINTED.ink, PRINTED.board


def board_drawing(name: str = SHIPPED[0]) -> Drawing:
    """The whole board in its true size. Under an owner's own board there is no map."""
    board = board_called(name)
    ground = map_shapes(read_geography()) if name in SHIPPED else []
    shapes = [
        RoundedRect((0, 0), board.heading.size, 0, filled(_INK.sea)),
        *ground,
        *_rim(board),
        *_spaces(board),
        *(shape for track in board.tracks for shape in _track(board, track)),
        *(
            Circle(point.at, _SIZES.point, Style("#ffffff", _INK.middle, 0.35))
            for point in board.points.values()
        ),
        *(shape for city in board.cities.values() for shape in _city(city)),
        *_names(board),
        *_market(board),
        *_times(board),
        *(_title(board) if board.market else []),
        *_tags(board),
    ]
    return Drawing(board.heading.size, tuple(shapes))


def _tags(board: Board) -> list[Shape]:
    return [
        shape
        for number, quad in tag_quads(board).items()
        for shape in tag_shapes(number, quad[0], PRINTED.tag.side)
    ]


# --- the map ---


def map_shapes(geography: Geography, scale: float = 1.0, at: Point = (0.0, 0.0)) -> list[Shape]:
    """Land, lakes, rivers and borders, on the board or smaller somewhere else."""

    def placed(points: Iterable[Point]) -> tuple[Point, ...]:
        on_board = (CHOICES.paper.at(point) for point in points)
        return tuple((at[0] + x * scale, at[1] + y * scale) for x, y in on_board)

    shore = Style(_INK.land, _INK.shore, 0.5 * scale)
    water = Style(_INK.sea, _INK.shore, 0.4 * scale)
    return [
        *(Polygon(placed(ring), shore) for ring in geography.land if len(ring) > 3),
        *(Polygon(placed(ring), water) for ring in geography.lakes if len(ring) > 3),
        *(Line(placed(line), stroked(_INK.river, 0.9 * scale)) for line in geography.rivers),
        *(Line(placed(line), stroked(_INK.state, 0.35 * scale)) for line in geography.states),
        *(
            Line(placed(line), stroked(_INK.state, 0.9 * scale, (2.4 * scale, 1.6 * scale)))
            for line in geography.borders
        ),
    ]


# --- the score track ---


def _rim(board: Board) -> list[Shape]:
    """A band under the score track, all around."""
    if not board.spaces:
        return []
    (width, height), band = board.heading.size, 2 * min(min(at) for at in board.spaces.values())
    style = filled(_INK.paper)
    return [
        RoundedRect((0, 0), (width, band), 0, style),
        RoundedRect((0, height - band), (width, band), 0, style),
        RoundedRect((0, 0), (band, height), 0, style),
        RoundedRect((width - band, 0), (band, height), 0, style),
    ]


def _spaces(board: Board) -> list[Shape]:
    return [
        shape
        for number, at in board.spaces.items()
        for shape in _space(number, at, space_size(board, number))
    ]


def _space(number: int, at: Point, size: Point) -> list[Shape]:
    corner = (at[0] - size[0] / 2 + 0.4, at[1] - size[1] / 2 + 0.4)
    tens, fives = number % 10 == 0, number % 5 == 0
    fill = "#e9d9ad" if tens else "#f4ecd4" if fives else "#fffdf7"
    words = f"${number}" if tens else str(number)
    return [
        RoundedRect(corner, (size[0] - 0.8, size[1] - 0.8), 1.6, Style(fill, _INK.grid, 0.3)),
        Text((at[0], at[1] + 1.9), words, 5.4 if fives else 4.6, _INK.dark, bold=fives),
    ]


# --- tracks and cities ---


def _track(board: Board, name: str) -> list[Shape]:
    start, end = track_line(board, name)
    return suit_line(board.suits[board.tracks[name].suit], start, end, _SIZES.track)


def _city(city: City) -> list[Shape]:
    return [
        Circle(city.at, _SIZES.city, Style("#ffffff", _INK.dark, 0.6)),
        *good_shapes(city.good, city.at, _SIZES.city * 0.86),
    ]


def _names(board: Board) -> list[Shape]:
    return [
        shape
        for city, at in name_places(board).items()
        for shape in halo(at, board.cities[city].name, _SIZES.name)
    ]


def halo(at: Point, words: str, size: float, colour: str = _INK.dark) -> list[Shape]:
    """Words that stay readable on any ground: a pale rim, then the ink."""
    rim = size * 0.13
    around = [(rim * x, rim * y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
    pale = [Text((at[0] + dx, at[1] + dy), words, size, "#fffdf7", bold=True) for dx, dy in around]
    return [*pale, Text(at, words, size, colour, bold=True)]


# --- the market, the time cards, the title ---


def _market(board: Board) -> list[Shape]:
    if not board.market:
        return []
    left, top = (min(at[i] for at in board.market.values()) for i in (0, 1))
    right, bottom = (max(at[i] for at in board.market.values()) for i in (0, 1))
    corner, size = (left - 25, top - 24), (right - left + 39, bottom - top + 38)
    shapes: list[Shape] = [
        RoundedRect(corner, size, 4, Style(_INK.paper, _INK.middle, 0.5)),
        Text(
            (corner[0] + size[0] / 2, corner[1] + 8.2),
            m("Commodity market"),
            5.2,
            _INK.dark,
            bold=True,
            room=size[0] - 6,
        ),
    ]
    for (_, price), at in board.market.items():
        shapes.append(Circle(at, _SIZES.chip / 2, Style("#f4ecd4", _INK.gold, 0.5)))
        shapes.append(Text((at[0], at[1] + 2.6), f"${price}", 7.0, "#d6c48f", bold=True))
    for price in BOOK.prices:
        y = board.market[1, price][1]
        shapes.append(Text((left - 17.5, y + 2.6), f"${price}", 7.2, _INK.dark, bold=True))
    return shapes + _market_arrows(board)


def _market_arrows(board: Board) -> list[Shape]:
    """A scored chip drops to the lowest price, the others move up."""
    found: list[Shape] = []
    for column in range(1, BOOK.columns + 1):
        xs = [board.market[column, price] for price in BOOK.prices]
        for lower, upper in pairwise(reversed(xs)):
            y = (lower[1] + upper[1]) / 2
            found.append(
                Polygon(
                    ((upper[0], y - 1.8), (upper[0] + 2, y + 1.4), (upper[0] - 2, y + 1.4)), filled(_INK.gold)
                )
            )
    return found


def _times(board: Board) -> list[Shape]:
    shapes: list[Shape] = []
    for number, at in board.times.items():
        (width, height) = _SIZES.time
        corner = (at[0] - width / 2, at[1] - height / 2)
        shapes += [
            RoundedRect(corner, (width, height), 3, Style("#eef4f6", _INK.middle, 0.5)),
            Text((at[0], at[1] - 3.5), m("Round"), 4.2, _INK.middle, room=width - 4),
            Text((at[0], at[1] + 6.5), str(number), 9.0, _INK.middle, bold=True),
        ]
    return shapes


def _title(board: Board) -> list[Shape]:
    """The board's name and the six suits, above the market."""
    x = sum(at[0] for at in board.market.values()) / len(board.market) - 4
    y = max(at[1] for at in board.market.values()) + 34
    shapes = halo((x, y), board_words(board.heading.board), _SIZES.title, _INK.dark)
    for number, suit in enumerate(board.suits.values()):
        left, line = x - 52 + number % 3 * 36, y + 11 + number // 3 * 9
        shapes += suit_line(suit, (left, line), (left + 15, line), _SIZES.track)
        shapes.append(
            Text((left + 17, line + 1.3), suit_words(suit.suit), 3.6, _INK.dark, "start", room=17.0)
        )
    return shapes
