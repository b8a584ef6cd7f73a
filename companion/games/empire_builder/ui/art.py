"""What changes on the map of Empire Builder, as SVG: track, trains and where an event is in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.games.empire_builder.rules.boards.board import Board, marked_board
from companion.games.empire_builder.rules.boards.position import print_track
from companion.games.empire_builder.ui.ground import frame
from companion.games.empire_builder.ui.plane import PITCH, Spot, dots, line, parts_of_map, spot_of
from companion.sheets.drawing import filled
from companion.sheets.printing.svg import svg_shapes
from companion.sheets.seat_marks import seat_shape
from companion.table.seats import Player
from web.ui.speaking import Markup

_PATH = Markup('<path class="{}" d="{}"/>')
_SEAT = Markup('<g class="colour-{} eb-seat-{}">{}</g>')
_TRAIN = Markup(
    '<g class="colour-{} eb-train" data-spot="train-{}" transform="translate({} {})"><title>{}</title>'
    '<circle class="eb-train-ground" r="15"/><g class="mark">{}</g></g>'
)
_SAMPLE = Markup(
    '<svg class="eb-sample colour-{0}" viewBox="0 0 60 16" aria-hidden="true"><g class="eb-seat-{1}">'
    '<path class="eb-line" d="M3 8h54"/><path class="eb-inner" d="M3 8h54"/></g></svg>'
)
_AREAS = ("half_rate", "no_entry", "no_building", "strikes")


def overlay(view: JsonObject, players: Mapping[int, Player], label: str) -> Markup:
    """Track, trains and the areas of events."""
    on = marked_board(view["board"]["corrections"])
    track = [_track(on, view["track"][str(seat)], seat, player) for seat, player in players.items()]
    parts = [*_areas(on, view["effects"]), *track, *_trains(on, view, players)]
    return frame("eb-now", Markup("").join(parts), label)


def sample(seat: int, player: Player) -> Markup:
    """A piece of a seat's line, for the legend."""
    return _SAMPLE.format(player.colour, seat)


def line_sample(seat: int) -> Markup:
    """A piece of a seat's line in the current text colour (``currentColor``)."""
    return _SAMPLE.format("own", seat)


# --- track ---


def _track(on: Board, edges: Iterable[int], seat: int, player: Player) -> Markup:
    """A light casing, the line in the seat's colour, and its pattern on top: never a colour alone."""
    paths = track_paths(on, tuple(edges))
    lines = [_PATH.format(name, path) for name in ("eb-case", "eb-line", "eb-inner") for path in paths]
    return _SEAT.format(player.colour, seat, Markup("").join(lines)) if paths else Markup("")


@lru_cache(maxsize=64)
def track_paths(on: Board, edges: tuple[int, ...]) -> list[str]:
    """The track of a seat as few long lines, grouped by part of the map."""

    def begins(edge: int) -> Spot:
        return spot_of(on.places[on.edges[edge][0]])

    return [_lines(on, part) for part in parts_of_map(edges, begins)]


def _lines(on: Board, edges: Iterable[int]) -> str:
    walks = (walk.split() for walk in print_track(on, edges))
    return "".join(line([spot_of(on.places[on.numbers[name]]) for name in walk]) for walk in walks)


# --- trains ---


def _trains(on: Board, view: JsonObject, players: Mapping[int, Player]) -> list[Markup]:
    """A shape for each train; trains at one milepost stand beside each other."""
    at = {seat: view["players"][str(seat)]["train"]["at"] for seat in players}
    found = []
    for seat, player in players.items():
        if at[seat] is not None:
            before = sum(at[other] == at[seat] for other in players if other < seat)
            found.append(_train(spot_of(on.places[at[seat]]), before, seat, player))
    return found


def _train(spot: Spot, before: int, seat: int, player: Player) -> Markup:
    shape = Markup(svg_shapes([seat_shape(player.shape, (0, 0), 11, filled("currentColor"))]))
    return _TRAIN.format(
        player.colour, seat, spot[0] + 18 * before, spot[1], m("Train of {name}", name=player.name), shape
    )


# --- events ---


def _areas(on: Board, effects: JsonObject) -> list[Markup]:
    """Each kind of effect has its own pattern: a wash, a rim, crosses, waves."""
    washed = [
        _PATH.format(f"eb-area eb-{name}", dots(spot_of(on.places[milepost]) for milepost in effects[name]))
        for name in _AREAS
        if effects[name]
    ]
    flooded = "".join(_wave(on, edge) for edge in effects["flooded"])
    return [*washed, _PATH.format("eb-flooded", flooded)] if flooded else washed


def _wave(on: Board, edge: int) -> str:
    """A wave across an edge whose river is in flood."""
    (x1, y1), (x2, y2) = (spot_of(on.places[end]) for end in on.edges[edge])
    x, y = (x1 + x2) // 2, (y1 + y2) // 2
    dx, dy = (y2 - y1) * 12 // PITCH, (x1 - x2) * 12 // PITCH
    return f"M{x - dx} {y - dy}q{(dx + dy) // 2} {(dy - dx) // 2} {dx} {dy}t{dx} {dy}"
