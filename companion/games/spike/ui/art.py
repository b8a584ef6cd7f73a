"""SPIKE's map as SVG, in the board's own millimetres; colours that depend on light and dark are in page.css.

What never changes in a match is drawn once a page, from the view, so that an owner's board looks like ours;
land and lakes of the shipped board and the pictures of the goods are symbols.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.games.spike.printing.board_art import map_shapes
from companion.games.spike.printing.geography import read_geography
from companion.games.spike.printing.goods_art import good_shapes
from companion.games.spike.printing.labels import name_places
from companion.games.spike.printing.printed import PRINTED, beside, line_between
from companion.games.spike.rules.boards.board import SHIPPED, Board, board_called
from companion.games.spike.rules.match.view import map_view
from companion.games.spike.rules.words import board_words, good_words
from companion.sheets.drawing import Point, Polygon, filled, simplified
from companion.sheets.printing.svg import svg_shapes
from companion.sheets.seat_marks import SHAPE_WORDS, seat_shape
from companion.table.seats import Player
from web.ui.speaking import Markup, cached_by_language

_SIZES = PRINTED.board
_AROUND = 17.0  # mm shown around the outermost places
_TOLERANCE = 1.4  # mm by which a simplified shore may leave the true one

_GOODS = tuple(PRINTED.goods)


class Layer(NamedTuple):
    """One stroke of a suit's pattern: its width in mm, its dash, whose colour, and how its ends look."""

    width: float
    dash: str = ""
    ink: str = "suit"  # suit, bed or edge
    round: bool = False


# Drawn one over the other. The patterns are those of the printed board.
_BED = Layer(3.6, ink="bed")
PATTERNS: Mapping[str, tuple[Layer, ...]] = {
    "solid": (Layer(3.8, ink="edge"), Layer(3.0)),
    "studded": (Layer(4.2, ink="bed"), Layer(3.4), Layer(1.3, "0 4.6", "bed", round=True)),
    "dotted": (_BED, Layer(2.9, "0 3.7", round=True)),
    "dashed": (_BED, Layer(2.9, "4 1.8")),
    "double": (_BED, Layer(2.9), Layer(1.1, ink="bed")),
    "ties": (_BED, Layer(0.9), Layer(3.1, "1.4 1.5")),
}


# --- symbols ---


@cache
def sprite() -> Markup:
    """Land and water of the shipped board, the goods that have pictures, and the signs of those who built."""
    goods = [_symbol(f"good-{name}", good_shapes(name, (0, 0), 9.4)) for name in _GOODS]
    return Markup('<svg class="sprite" aria-hidden="true">{}{}{}</svg>').format(
        _land(), Markup("").join(goods), Markup("").join(map(_seal, SHAPE_WORDS))
    )


def _seal(shape: str) -> Markup:
    """The sign of a seat on its track."""
    drawn = Markup(svg_shapes([seat_shape(shape, (0, 0), 2.5, filled("currentColor"))]))
    return Markup('<g id="seal-{}"><circle class="seal" r="3.3"/>{}</g>').format(shape, drawn)


def _symbol(name: str, shapes: Iterable[object]) -> Markup:
    drawn = Markup(svg_shapes(shapes))  # type: ignore[arg-type]
    return Markup('<symbol id="{}" viewBox="-10 -10 20 20">{}</symbol>').format(name, drawn)


def _land() -> Markup:
    geography = [shape for shape in map_shapes(read_geography()) if isinstance(shape, Polygon)]
    land = [shape for shape in geography if shape.style.fill == PRINTED.ink.land]
    lakes = [shape for shape in geography if shape.style.fill != PRINTED.ink.land]
    paths = [
        Markup('<path class="{}" d="{}"/>').format(name, "".join(map(_ring, found)))
        for name, found in (("land", land), ("lake", lakes))
    ]
    return Markup('<symbol id="spike-land" overflow="visible">{}</symbol>').format(Markup("").join(paths))


def _ring(shape: Polygon) -> str:
    """A closed path in whole millimetres, which is a third shorter and looks the same."""
    points = [(round(x), round(y)) for x, y in simplified(shape.points, _TOLERANCE)]
    return f"{_path(points)}z" if len(points) > 3 else ""


def good(name: str) -> Markup:
    """The small picture of a good; one without a picture is its first letters."""
    return Markup('<svg class="good" viewBox="-10 -10 20 20" aria-hidden="true">{}</svg>').format(
        _good_inside(name)
    )


# --- rail cards ---


def rail_card(suit: JsonObject, words: str = "") -> Markup:
    """A rail card: the track of its suit, so that colour is never needed alone."""
    told = Markup('role="img" aria-label="{}"').format(words) if words else Markup('aria-hidden="true"')
    line = suit_strokes(suit, "M6 12L34 12", 2.6)
    return Markup('<svg class="rail" viewBox="0 0 40 24" {}>{}</svg>').format(told, line)


def suit_strokes(suit: JsonObject, path: str, scale: float = 1.0) -> Markup:
    """A suit's pattern along a path."""
    return Markup("").join(_stroke(layer, suit["colour"], path, scale) for layer in PATTERNS[suit["pattern"]])


def _stroke(layer: Layer, colour: str, path: str, scale: float) -> Markup:
    ink = Markup(' stroke="{}"').format(colour) if layer.ink == "suit" else Markup("")
    dash = " ".join(_short(float(part) * scale) for part in layer.dash.split())
    dashes = Markup(' stroke-dasharray="{}"').format(dash) if dash else Markup("")
    ends = Markup(' stroke-linecap="round"') if layer.round else Markup("")
    return Markup('<path class="ink-{}" d="{}" stroke-width="{}"{}{}{}/>').format(
        layer.ink, path, _short(layer.width * scale), ink, dashes, ends
    )


# --- the map: what never changes is sent once a page, the rest lies over it ---


@cached_by_language(16)
def ground(board_name: str) -> Markup:
    """Land, tracks, cities, what a finger may touch; the names are a layer above what lies there."""
    plan = map_view(board_name)
    land = Markup('<use href="#spike-land"/>') if board_name in SHIPPED else Markup("")
    cities = (_city(plan, name) for name in plan["cities"])
    dots = "".join(f"M{_short(x)} {_short(y)}h0" for x, y in plan["points"].values())
    parts = (land, *_suits(plan), Markup('<path class="points" d="{}"/>').format(dots), *cities, _touch(plan))
    title = Markup('role="img" aria-label="{}"').format(
        m("The map {title}", title=board_words(plan["title"]))
    )
    return _layer("ground", plan, parts, title) + _layer(
        "names", plan, _names(board_called(board_name)), _UNSAID
    )


def board(view: JsonObject, players: Mapping[int, Player], label: str) -> Markup:
    """The board with everybody's track and trains, and the market's prices by city for the script."""
    parts = (*_pieces(view, players), *_trains(view, players))
    told = Markup('role="img" aria-label="{}" data-prices="{}"').format(label, json.dumps(_prices(view)))
    return _layer("now", view["map"], parts, told)


_UNSAID = Markup('aria-hidden="true"')


def _layer(name: str, plan: JsonObject, parts: Iterable[Markup], told: Markup) -> Markup:
    """One of the pictures of the same window that lie over each other."""
    return Markup('<svg class="board rail-map rail-{}" viewBox="{}" {}>{}</svg>').format(
        name, _window(plan), told, Markup("").join(parts)
    )


def _prices(view: JsonObject) -> dict[str, int]:
    """What the market pays for each good now."""
    return {
        good: price for column in view["market"] for price, good in zip(view["prices"], column, strict=False)
    }


def _window(plan: JsonObject) -> str:
    """The view box of the part of the board with tracks; the score is shown in numbers."""
    places = [*plan["points"].values(), *(city["at"] for city in plan["cities"].values())]
    left, top = (min(at[axis] for at in places) - _AROUND for axis in (0, 1))
    right, bottom = (max(at[axis] for at in places) + _AROUND for axis in (0, 1))
    return f"{_short(left)} {_short(top)} {_short(right - left)} {_short(bottom - top)}"


def _suits(plan: JsonObject) -> Iterator[Markup]:
    for suit in plan["suits"]:
        lines = [
            _track_line(plan, name) for name, track in plan["tracks"].items() if track["suit"] == suit["suit"]
        ]
        yield suit_strokes(suit, "".join(map(_path, lines)))


def _city(plan: JsonObject, name: str) -> Markup:
    city = plan["cities"][name]
    x, y = city["at"]
    return Markup(
        '<g class="city" data-cell="{}" data-good="{}" data-says="{}">'
        '<circle class="cell" cx="{}" cy="{}" r="{}"/>'
        '<svg x="{}" y="{}" width="12" height="12" viewBox="-10 -10 20 20">{}</svg>'
        "</g>"
    ).format(
        name,
        city["good"],
        m("{city} supplies {good}", city=city["name"], good=good_words(plan["goods"][city["good"]].lower())),
        *(_short(value) for value in (x, y, _SIZES.city + 0.6, x - 6, y - 6)),
        _good_inside(city["good"]),
    )


def _names(on: Board) -> list[Markup]:
    """Over everything else: a train that stands at a city would hide the name."""
    return [
        Markup('<text data-at="{}" x="{}" y="{}">{}</text>').format(
            city, _short(x), _short(y), on.cities[city].name
        )
        for city, (x, y) in name_places(on).items()
    ]


def _good_inside(name: str) -> Markup:
    if name in _GOODS:
        return Markup('<use href="#good-{}" x="-10" y="-10" width="20" height="20"/>').format(name)
    return Markup(svg_shapes(good_shapes(name, (0, 0), 9.4)))


def _touch(plan: JsonObject) -> Markup:
    """An invisible line for every track: what is lit, and what a finger finds."""
    lines = [
        Markup('<path data-cell="{}" data-suit="{}" d="{}"/>').format(
            name, track["suit"], _path(_track_line(plan, name))
        )
        for name, track in plan["tracks"].items()
    ]
    return Markup('<g class="touch">{}</g>').format(Markup("").join(lines))


# --- what people have on it ---


def _pieces(view: JsonObject, players: Mapping[int, Player]) -> Iterator[Markup]:
    """Everybody's track, in the owner's colour and with its shape; two on the same place lie side by side."""
    owners: dict[str, list[int]] = {}
    for seat, player in view["seats"].items():
        for track in player["tracks"]:
            owners.setdefault(track, []).append(int(seat))
    lines: dict[int, list[tuple[Point, Point]]] = {}
    for track, seats in owners.items():
        for number, seat in enumerate(seats):
            line = beside(_track_line(view["map"], track), (number - (len(seats) - 1) / 2) * 4.4)
            lines.setdefault(seat, []).append(line)
    for seat, own in sorted(lines.items()):
        yield _track(own, players[seat], "mine" if seat == view["you"] else "")


def _track(lines: Sequence[tuple[Point, Point]], player: Player, more: str) -> Markup:
    """All track of one owner, as two strokes, and the owner's sign on each piece."""
    path = "".join(map(_path, lines))
    signs = [
        Markup('<use href="#seal-{}" x="{}" y="{}"/>').format(
            player.shape, _short((x1 + x2) / 2), _short((y1 + y2) / 2)
        )
        for (x1, y1), (x2, y2) in lines
    ]
    return Markup(
        '<g class="piece colour-{} {}"><path class="casing" d="{}"/><path class="paint" d="{}"/>{}</g>'
    ).format(player.colour, more, path, path, Markup("").join(signs))


_ENGINE = "M-8 4V-3h2v-3h5v3h5l3 -4h1v4h0.5V4Z"  # cab to the left, chimney to the right


def _trains(view: JsonObject, players: Mapping[int, Player]) -> Iterator[Markup]:
    """Locomotives; several in one place stand above each other."""
    standing: dict[str, int] = {}
    for seat, player in view["seats"].items():
        train = player["train"]
        if train is not None:
            number = standing[train["at"]] = standing.get(train["at"], 0) + 1
            x, y = place_of(view["map"], train["at"])
            mine = int(seat) == view["you"]
            yield _train((x, y - 9.0 - 11.0 * (number - 1)), int(seat), players[int(seat)], mine)


def _train(at: Point, seat: int, player: Player, mine: bool) -> Markup:
    shape = seat_shape(player.shape, (-3.6, -0.4), 2.1, filled("var(--seal)"))
    return Markup(
        '<g class="train colour-{} {}" data-spot="train-{}" transform="translate({} {})"><title>{}</title>'
        '<path d="{}"/>'
        '<circle cx="-4.5" cy="4.6" r="2.4"/><circle cx="3.5" cy="4.6" r="2.4"/>{}</g>'
    ).format(
        player.colour,
        "mine" if mine else "",
        seat,
        _short(at[0]),
        _short(at[1]),
        m("The train of {name}", name=player.name),
        _ENGINE,
        Markup(svg_shapes([shape])),
    )


def place_of(plan: JsonObject, name: str) -> Point:
    """The position of a city or of the middle of a track."""
    if name in plan["cities"]:
        x, y = plan["cities"][name]["at"]
        return x, y
    (x1, y1), (x2, y2) = _track_line(plan, name)
    return (x1 + x2) / 2, (y1 + y2) / 2


def _track_line(plan: JsonObject, name: str) -> tuple[Point, Point]:
    """The printed line of a track, to a hundredth of a millimetre."""
    one, other = (_place(plan, end) for end in plan["tracks"][name]["ends"])
    (x1, y1), (x2, y2) = beside(
        line_between(one, other), plan["tracks"][name].get("aside", 0) * PRINTED.board.slot
    )
    return (round(x1, 2), round(y1, 2)), (round(x2, 2), round(y2, 2))


def _place(plan: JsonObject, name: str) -> tuple[Point, bool]:
    """The position of a place, and whether it is a city."""
    city = name in plan["cities"]
    x, y = plan["cities"][name]["at"] if city else plan["points"][name]
    return (x, y), city


def _path(points: Sequence[Point]) -> str:
    """A line to a tenth of a millimetre, in steps, which repeat and are packed well.

    >>> _path(((1.0, 2.0), (3.25, 4.0), (3.25, 3.0)))
    'M1 2l2.2 2 0-1'
    """
    steps = [f"{_short(x - before[0])} {_short(y - before[1])}" for before, (x, y) in pairwise(points)]
    x, y = points[0]
    return f"M{_short(x)} {_short(y)}l{' '.join(steps).replace(' -', '-')}"


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
