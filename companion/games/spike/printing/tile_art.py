"""Everything small that is cut out: train tiles, chips, cargo tokens, markers, high score tiles, tracks."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.messages import m
from companion.games.spike.printing.goods_art import good_shapes
from companion.games.spike.printing.printed import PRINTED
from companion.games.spike.rules.boards.board import Board
from companion.games.spike.rules.rulebook import BOOK, PARTS, Part
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
    moved,
    stroked,
)
from companion.sheets.seat_marks import SeatMark, seat_mark, seat_shape

_INK, _TILE = PRINTED.ink, PRINTED.tile
_GAP = 1.6
_PAGE_MARGIN = 10.0
SEATS = 4


def tile_pages(board: Board, page: Point) -> list[Drawing]:
    """Each seat's train and tracks, then what all share, on as few pages as that takes."""
    groups = [*map(_seat_tiles, range(1, SEATS + 1)), _shared(board)]
    rows = [row for tiles in groups for row in _in_rows(tiles, page[0] - 2 * _PAGE_MARGIN)]
    pages: list[list[Shape]] = []
    y = page[1]
    for row in rows:
        height = max(tile.size[1] for tile in row)
        if y + height > page[1] - _PAGE_MARGIN:
            pages.append([])
            y = _PAGE_MARGIN
        x = _PAGE_MARGIN
        for tile in row:
            pages[-1] += moved(tile.shapes, (x, y))
            x += tile.size[0] + _GAP
        y += height + _GAP
    return [Drawing(page, tuple(shapes)) for shapes in pages]


def _in_rows(tiles: Iterator[Drawing], width: float) -> list[list[Drawing]]:
    """Tiles as they come, in rows no longer than this."""
    rows: list[list[Drawing]] = []
    used = width
    for tile in tiles:
        if used + tile.size[0] > width:
            rows.append([])
            used = 0.0
        rows[-1].append(tile)
        used += tile.size[0] + _GAP
    return rows


# --- one seat ---


def _seat_tiles(seat: int) -> Iterator[Drawing]:
    mark = seat_mark(seat)
    for part in PARTS:
        for number in range(len(BOOK.parts[part])):
            yield train_tile(mark, part, number)
    yield from (_pawn(mark, words) for words in (m("train"), m("score")))
    yield from (_strip(mark) for _ in range(BOOK.tracks))


def train_tile(mark: SeatMark, part: Part, level: int) -> Drawing:
    """A locomotive with arrows, a tender with cards, or a freight car."""
    width, height = _TILE.train
    count = BOOK.parts[part][level]
    wheels = [(6.0, 8.0), (width - 8.0, width - 6.0)]
    shapes: list[Shape] = [
        RoundedRect((0, 0), _TILE.train, 2, Style("#ffffff", _INK.grid, 0.25)),
        *_BODIES[part](mark, width),
        *(
            Circle((x, height - 4.4), 2.3, Style("#e9ecee", _INK.dark, 0.6))
            for pair in wheels
            for x in pair[:1]
        ),
        Line(((1.5, height - 1.8), (width - 1.5, height - 1.8)), stroked(_INK.middle, 0.5)),
        *_signs(part, count, width),
        *_price(level, width),
    ]
    return Drawing(_TILE.train, tuple(shapes))


def _engine(mark: SeatMark, width: float) -> list[Shape]:
    style = Style(mark.ink, _INK.dark, 0.4)
    return [
        RoundedRect((3, 8.5), (width - 12, 7.5), 1.5, style),
        RoundedRect((width - 11, 5.2), (8, 10.8), 1, style),
        RoundedRect((width - 9.6, 6.6), (5.2, 3.6), 0.6, filled("#ffffff")),
        Polygon(((5, 8.5), (5.6, 4.6), (9.4, 4.6), (10, 8.5)), style),
        _mark(mark, (6.4, 12.2)),
    ]


def _tender(mark: SeatMark, width: float) -> list[Shape]:
    style = Style(mark.ink, _INK.dark, 0.4)
    coal = ((6, 8), (9, 5.6), (13, 6.6), (17, 5.0), (21, 6.4), (25, 5.6), (28, 8))
    return [
        Polygon(coal, filled("#2b2f34")),
        RoundedRect((3, 8), (width - 6, 8), 1, style),
        _mark(mark, (6.6, 12)),
    ]


def _freight(mark: SeatMark, width: float) -> list[Shape]:
    style = Style(mark.ink, _INK.dark, 0.4)
    window = RoundedRect((width / 2 - 7, 4.9), (14, 11.2), 5, Style("#fffdf7", _INK.dark, 0.4))
    return [RoundedRect((3, 5.4), (width - 6, 10.6), 1, style), window, _mark(mark, (6.4, 10.6))]


_BODIES = {"speed": _engine, "power": _tender, "cargo": _freight}


def _mark(mark: SeatMark, at: Point) -> Shape:
    return seat_shape(mark.shape, at, 2.1, Style("#ffffff", _INK.dark, 0.2))


def _signs(part: Part, count: int, width: float) -> list[Shape]:
    """Arrows for speed, cards for power; a freight car has room for one cargo."""
    middle = width / 2
    if part == "speed":
        starts = [middle - 1.0 + n * 3.4 - count * 0.8 for n in range(count)]
        return [
            Polygon(((x, 10.4), (x + 2.8, 12.2), (x, 14.0)), Style("#ffffff", _INK.dark, 0.25))
            for x in starts
        ]
    if part == "power":
        lefts = [middle + 2.4 - count * 2.3 + n * 4.6 for n in range(count)]
        return [RoundedRect((x, 9), (3.9, 5.8), 0.6, Style("#fffdf7", _INK.dark, 0.3)) for x in lefts]
    return [Text((middle, 11.6), m("cargo"), 3.0, _INK.middle, room=13.0)]


def _price(level: int, width: float) -> list[Shape]:
    if not level:
        says = m("start")
        return [Text((width - 2.2, 3.6), says, 2.3, _INK.middle, "end", room=18.0)]
    return [Text((width - 2.2, 3.8), f"${BOOK.upgrade_costs[level - 1]}", 3.2, _INK.gold, "end", bold=True)]


def _pawn(mark: SeatMark, words: str) -> Drawing:
    """A disc to be glued to a pawn or a coin."""
    centre = (8.0, 8.0)
    shapes: tuple[Shape, ...] = (
        Circle(centre, 7.8, Style(mark.tint, mark.ink, 0.8)),
        seat_shape(mark.shape, (8.0, 6.6), 4.0, filled(mark.ink)),
        Text((8.0, 13.2), words, 2.6, _INK.dark, bold=True, room=9.4),
    )
    return Drawing((16, 16), shapes)


def _strip(mark: SeatMark) -> Drawing:
    """A single piece of track."""
    (width, height), middle = _TILE.track, (_TILE.track[0] / 2, _TILE.track[1] / 2)
    rails = (
        Line(((0.8, y), (width - 0.8, y)), stroked("#ffffff", 0.35)) for y in (height * 0.25, height * 0.75)
    )
    return Drawing(
        _TILE.track,
        (
            RoundedRect((0, 0), _TILE.track, 0.6, Style(mark.ink, _INK.dark, 0.25)),
            *rails,
            seat_shape(mark.shape, middle, 1.6, Style("#ffffff", _INK.dark, 0.15)),
        ),
    )


# --- for all ---


def _shared(board: Board) -> Iterator[Drawing]:
    for radius in (_TILE.chip / 2, _TILE.token / 2):
        for good in board.goods:
            yield Drawing((2 * radius, 2 * radius), tuple(good_shapes(good, (radius, radius), radius - 0.3)))
    for _ in board.goods:
        yield _delivery_marker()
    for seat in range(1, SEATS + 1):
        yield _high_score(seat_mark(seat))


def _delivery_marker() -> Drawing:
    radius = _TILE.marker / 2
    tick = ((radius * 0.5, radius), (radius * 0.9, radius * 1.4), (radius * 1.55, radius * 0.6))
    return Drawing(
        (2 * radius, 2 * radius),
        (
            Circle((radius, radius), radius - 0.2, Style("#2e8b4f", _INK.dark, 0.3)),
            Line(tick, stroked("#ffffff", 0.9)),
        ),
    )


def _high_score(mark: SeatMark) -> Drawing:
    width, height = _TILE.high_score
    return Drawing(
        _TILE.high_score,
        (
            RoundedRect((0, 0), _TILE.high_score, 2, Style(mark.tint, mark.ink, 0.8)),
            seat_shape(mark.shape, (4.6, height / 2), 2.9, filled(mark.ink)),
            Text((width - 2.2, height / 2 + 1.9), f"+{BOOK.spaces}", 5.2, _INK.dark, "end", bold=True),
        ),
    )
