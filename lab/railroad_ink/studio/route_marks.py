"""The strokes with which a hand draws a route into a cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from companion.games.railroad_ink.printing.linework import (
    CENTRE,
    Bend,
    Path,
    Spine,
    brackets,
    ends_of,
    kerbs,
    length_of,
    spines,
    towards,
    walk,
)
from companion.games.railroad_ink.rules.boards.routes import HIGHWAY, RAILWAY, Piece, Route
from companion.sheets.drawing import part
from lab.railroad_ink.studio.hands import CELL, TWO_SIDED, Hand
from lab.studio.strokes import Points, Stroke, area, as_points, stroke

_Line: TypeAlias = tuple[Path, float]  # and its tidiness

_LEAST_ARC = 0.7  # of the largest arc that a cell has room for

_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def route_strokes(rng: np.random.Generator, hand: Hand, route: Route, corner: Points) -> list[Stroke]:
    """A route in the cell whose top left corner is given, in mm."""
    drawing = _Cell(rng, hand, route)
    frame = Frame(rng, hand, corner)
    strokes = [stroke(rng, hand, frame.place(path), tidy) for path, tidy in drawing.highway_lines()]
    strokes += [
        replace(stroke(rng, hand, frame.place(path), tidy), part="rail")
        for path, tidy in drawing.railway_lines()
    ]
    station = _station(rng, hand, frame) if route.station else []
    return strokes + [replace(line, part="station") for line in station]


class Frame:
    """Where in the cell this drawing came to lie: nobody hits the middle exactly."""

    def __init__(self, rng: np.random.Generator, hand: Hand, corner: Points) -> None:
        turn = rng.normal(0, 0.018) * hand.sloppy
        stretch = hand.reach + rng.normal(0, 0.012, 2) * hand.sloppy
        turning = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        self._matrix = turning * stretch * CELL
        self._middle = corner + CELL / 2 + rng.normal(0, 0.018 * CELL, 2) * hand.sloppy

    def place(self, path: Path) -> Points:
        """Convert unit coordinates to mm on the sheet."""
        placed: Points = (as_points(path) - 0.5) @ self._matrix.T + self._middle
        return placed


class _Cell:
    """Collects the lines of one route in unit coordinates, each with its tidiness."""

    def __init__(self, rng: np.random.Generator, hand: Hand, route: Route) -> None:
        self.rng, self.hand, self.route = rng, hand, route
        self.half_road = hand.half_road / CELL
        self.half_tie = hand.half_tie / CELL
        self.half_station = hand.half_station / CELL
        self.overpass = len(route.pieces) == 2 and bool(route.highway) and bool(route.railway)
        self.bend = _apart(hand.bend) if len(route.pieces) == 2 else hand.bend
        # Lines end at the station's side as a rule, or run on under it.
        hidden = hand.station in {"hollow", "round", "crossed"}
        self.stops = route.station and bool(rng.random() < (0.85 if hidden else 0.3))
        if hand.through is not None:
            self.stops = route.station and not hand.through

    def highway_lines(self) -> list[_Line]:
        """The highways, without the station."""
        found = [line for piece in self.route.pieces for line in self._highway(piece)]
        if self.overpass and self.hand.overpass == "brackets":
            found += self._brackets()
        return [line for line in found if len(line[0]) > 1]

    def railway_lines(self) -> list[_Line]:
        """The railways, without the station."""
        found = [line for piece in self.route.pieces for line in self._railway(piece)]
        return [line for line in found if len(line[0]) > 1]

    # --- highways ---

    def _highway(self, piece: Piece) -> list[_Line]:
        axes = [spine for spine in spines(piece, self.bend) if spine.kind == HIGHWAY]
        match self.hand.highway:
            case "single":
                return self._solid(spine.points for spine in axes)
            case "dashed":
                return [dash for spine in axes for dash in self._dashes(spine, 0.13, 0.09)]
            case "dotted":
                return [dash for spine in axes for dash in self._dashes(spine, 0.025, 0.085)]
            case "kerbs":
                return self._sides(axes, piece.highway, self.half_road)
            case "kerbs-dashes":
                sides = self._sides(axes, piece.highway, self.half_road)
                return sides + [dash for spine in axes for dash in self._dashes(spine, 0.1, 0.1)]
            case "hatched":
                sides = self._sides(axes, piece.highway, self.half_road)
                return sides + [line for spine in axes for line in self._hatching(spine)]

    def _sides(self, axes: list[Spine], ends: int, half: float) -> list[_Line]:
        """Both sides of roads, or both rails, joined where they meet as this hand does it."""
        if self.hand.meeting == "open" or any(len(spine.points) > 2 for spine in axes):
            return self._solid(kerbs(ends, half, self.bend))
        short = half if self.hand.meeting == "butted" and len(axes) > 1 else 0.0
        return self._solid(side for spine in axes for side in _beside(spine, half, short))

    def _solid(self, paths: Iterable[Path]) -> list[_Line]:
        return [
            (run, 1.0) for path in paths for run in (self._before_station(path) if self.stops else [path])
        ]

    def _before_station(self, path: Path) -> list[Path]:
        """The parts of a line outside the station's square."""
        length, half = length_of(path), self.half_station
        places = [n * length / 40 for n in range(41)]
        inside = [max(abs(x - 0.5), abs(y - 0.5)) < half for (x, y), _ in walk(path, places)]
        if not any(inside):
            return [path]
        first, last = inside.index(True), 40 - inside[::-1].index(True)
        return [part(path, 0, places[first]), part(path, places[last], length)]

    def _dashes(self, spine: Spine, ink: float, gap: float) -> list[_Line]:
        """Dashes of uneven length; two at least, or an arm would look like a line."""
        scale = self.hand.dash * float(self.rng.uniform(0.8, 1.25))
        gap = self.hand.dash_gap * gap + self.hand.width / CELL  # the round ends of the dashes eat into it
        length = length_of(spine.points)
        if self.hand.dash_start is not None:
            return self._running_dashes(spine, ink * scale, gap)
        count = max(2, round(length / (ink * scale + gap)))
        step, share = length / count, ink * scale / (ink * scale + gap)
        found: list[_Line] = []
        for n in range(count):
            start = (n + 0.5 * (1 - share) + float(self.rng.normal(0, 0.05))) * step
            end = start + share * step * float(self.rng.uniform(0.8, 1.15))
            if not (self.stops and end > length - self.half_station and spine.points[-1] == CENTRE):
                found.append((part(spine.points, max(start, 0), min(end, length)), 0.7))
        return found

    def _running_dashes(self, spine: Spine, ink: float, gap: float) -> list[_Line]:
        """Dashes as long as this person's are, however short the line: perhaps one, perhaps cut off."""
        length = length_of(spine.points)
        # Not longer than leaves paper on a station's arm, or nobody could tell it from a line.
        room = 0.5 - (self.half_station if self.route.station else 0.0)
        ink = min(ink, 0.75 * room)
        place = -float(self.rng.uniform(0, 1)) * (ink + gap) if self.hand.dash_start == "anywhere" else 0.0
        if self.hand.dash_start == "gap":
            place = 0.6 * gap
        found: list[_Line] = []
        while place < length:
            end = place + ink * float(self.rng.uniform(0.8, 1.25))
            run = part(spine.points, max(place, 0), min(end, length))
            under = self.stops and place > length - self.half_station and spine.points[-1] == CENTRE
            if min(end, length) - max(place, 0) > min(0.02, 0.5 * ink) and not under:
                found.append((run, 0.7))
            place = end + gap * float(self.rng.uniform(0.75, 1.3))
        return found

    def _hatching(self, spine: Spine) -> list[_Line]:
        length = length_of(spine.points)
        count = max(3, round(length / self.rng.uniform(0.09, 0.15)))
        places = [(n + 0.5) * length / count for n in range(count)]
        h = self.half_road * 0.9
        slant = h * float(self.rng.uniform(0.3, 1.2))
        return [
            (((x - dy * h - dx * slant, y + dx * h - dy * slant),
              (x + dy * h + dx * slant, y - dx * h + dy * slant)), 0.6)
            for (x, y), (dx, dy) in walk(spine.points, places)
        ]  # fmt: skip

    # --- railways ---

    def _railway(self, piece: Piece) -> list[_Line]:
        axes = [spine for spine in spines(piece, self.bend) if spine.kind == RAILWAY]
        rails: list[_Line] = []
        if self.hand.railway in {"ladder", "double"}:
            rails = self._sides(axes, piece.railway, self.half_tie * 0.75)
        elif self.hand.railway != "crosses" or self.rng.random() < 0.6:
            rails = self._solid(spine.points for spine in axes)
        if self._goes_under():
            rails = [(run, tidy) for path, tidy in rails for run in self._interrupted(path)]
        if self.hand.railway in {"single", "double"}:
            return rails
        if self.hand.crossed_nodes and len(axes) > 2 and not self.route.station:
            rails += [(self._across(CENTRE, (1.0, 0.0), self.half_tie, turn), 0.6) for turn in (-0.8, 0.8)]
        return rails + [tie for spine in axes for tie in self._ties(spine)]

    def _goes_under(self) -> bool:
        return self.overpass and self.hand.overpass != "plain"

    def _gap(self) -> float:
        wide = self.hand.highway in TWO_SIDED
        # Brackets of a broad pen would make one blot with the road.
        clear = 0.8 * self.hand.width / CELL if self.hand.readable else 0.0
        return (self.half_road if wide else 0.0) + 0.06 + clear

    def _interrupted(self, path: Path) -> list[Path]:
        length, gap = length_of(path), self._gap()
        return [part(path, 0, length / 2 - gap), part(path, length / 2 + gap, length)]

    def _ties(self, spine: Spine) -> list[_Line]:
        run = self.hand.tie_places is not None
        places = self._running_ties(spine) if run else self._even_ties(spine)
        return [tie for at, along in walk(spine.points, places) for tie in self._tie(at, along)]

    def _even_ties(self, spine: Spine) -> list[float]:
        """Where ties stand that are spread over the whole railway."""
        length = length_of(spine.points)
        count = max(1 + (length > 0.6), round(self.hand.ties * length))
        places = [(n + 0.5 + float(self.rng.normal(0, 0.09))) * length / count for n in range(count)]
        if self._goes_under() or (self.overpass and self.hand.readable):
            places = [place for place in places if abs(place - length / 2) > self._gap()]
        if self.stops or (self.route.station and self.hand.readable):
            shown = [place for place in places if self._is_clear(spine, place)]
            places = shown if shown or not self.hand.readable else self._beside_station(length)
        return places

    def _running_ties(self, spine: Spine) -> list[float]:
        """Where ties stand at this person's distance, the first at the border or somewhere inside."""
        length, step = length_of(spine.points), 1 / self.hand.ties
        first = 0.03 if self.hand.tie_places == "border" else float(self.rng.uniform(0.1, 0.9)) * step
        places = [first + n * step for n in range(int(length / step) + 1)]
        if self.hand.tie_places == "border" and length > 0.6:
            places.append(length - 0.03)
        places = [place + float(self.rng.normal(0, 0.012)) for place in places if place < length]
        clear = [
            place
            for place in places or [length / 2]
            if not (self.route.station and not self._is_clear(spine, place))
            and not (self.overpass and abs(place - length / 2) < self._gap())
        ]
        return [min(max(place, 0.0), length) for place in clear or [0.05 * length]]

    def _beside_station(self, length: float) -> list[float]:
        """The ties beside a station: one a side at least, or a short railway would look like a highway."""
        place = float(self.rng.uniform(0.3, 0.6)) * (0.5 - self.half_station - self.hand.width / CELL / 2)
        return [place, length - place] if length > 0.6 else [place]

    def _is_clear(self, spine: Spine, place: float) -> bool:
        ((x, y), _) = walk(spine.points, [place])[0]
        return max(abs(x - 0.5), abs(y - 0.5)) > self.half_station + 0.02

    def _tie(self, at: tuple[float, float], along: tuple[float, float]) -> list[_Line]:
        """One tie across the rail, or an x of two."""
        half = self.half_tie * float(self.rng.uniform(0.8, 1.2))
        if self.hand.railway == "crosses":
            return [(self._across(at, along, half, turn), 0.6) for turn in (-0.75, 0.75)]
        lean = self.hand.tie_lean + float(self.rng.normal(0, 0.12)) * self.hand.sloppy
        return [(self._across(at, along, half, lean), 0.6)]

    @staticmethod
    def _across(at: tuple[float, float], along: tuple[float, float], half: float, lean: float) -> Path:
        c, s = float(np.cos(lean)), float(np.sin(lean))
        dx, dy = -along[1] * c - along[0] * s, along[0] * c - along[1] * s
        return (at[0] - dx * half, at[1] - dy * half), (at[0] + dx * half, at[1] + dy * half)

    def _brackets(self) -> list[_Line]:
        paths = brackets(
            self._gap(), float(self.rng.uniform(0.03, 0.07)), float(self.rng.uniform(0.12, 0.22))
        )
        upright = ends_of(self.route.highway)[0] == 0
        return [(path if upright else tuple((y, x) for x, y in path), 0.8) for path in paths]


def _beside(spine: Spine, half: float, short: float) -> list[Path]:
    """The lines on both sides of a straight one; ``short`` of the middle if it ends there."""
    (ax, ay), end = spine.points
    bx, by = towards(end, spine.points[0], short) if end == CENTRE else end
    _, (dx, dy) = walk(spine.points, [0.0])[0]
    return [((ax - dy * h, ay + dx * h), (bx - dy * h, by + dx * h)) for h in (half, -half)]


def _apart(bend: Bend) -> Bend:
    """Keep two curves in one cell apart, or they would look like a crossing."""
    return bend if bend.roundness >= _LEAST_ARC else Bend(_LEAST_ARC, bend.cut)


# --- stations ---


def _station(rng: np.random.Generator, hand: Hand, frame: Frame) -> list[Stroke]:
    half = hand.half_station / CELL
    aspect = np.exp(rng.normal(0, 0.08, 2) * hand.sloppy)
    corners = as_points(_SQUARE) * half * aspect + rng.normal(0, 0.09 * half, (4, 2)) * hand.sloppy
    outline = frame.place(tuple((0.5 + x, 0.5 + y) for x, y in corners))
    return _STATION_STROKES[hand.station](rng, hand, outline)


def _filled(rng: np.random.Generator, hand: Hand, outline: Points) -> list[Stroke]:
    return [area(rng, hand, outline), *_scribble(rng, hand, outline, 1.0)]


def _scribbled(rng: np.random.Generator, hand: Hand, outline: Points) -> list[Stroke]:
    return [stroke(rng, hand, _closed(outline)), *_scribble(rng, hand, outline, 2.6)]


def _round(rng: np.random.Generator, hand: Hand, outline: Points) -> list[Stroke]:
    return [area(rng, hand, _circle(outline))]


def _crossed(rng: np.random.Generator, hand: Hand, outline: Points) -> list[Stroke]:
    diagonals = [outline[[0, 2]], outline[[1, 3]]]
    return _box(rng, hand, outline) + [stroke(rng, hand, line, 0.6) for line in diagonals]


def _ring(rng: np.random.Generator, hand: Hand, outline: Points) -> list[Stroke]:
    return [stroke(rng, hand, _closed(_circle(outline)), 0.6)]


def _strokes(rng: np.random.Generator, hand: Hand, outline: Points) -> list[Stroke]:
    return _scribble(rng, hand, np.roll(outline, int(rng.integers(4)), axis=0), 1.7)


def _tangle(rng: np.random.Generator, hand: Hand, outline: Points) -> list[Stroke]:
    turned = np.roll(outline, 1, axis=0)
    return [*_scribble(rng, hand, outline, 2.2), *_scribble(rng, hand, turned, 2.2)]


def _spiral(rng: np.random.Generator, hand: Hand, outline: Points) -> list[Stroke]:
    """A scribble round and round, from the inside out."""
    middle = outline.mean(axis=0)
    radius = float(np.hypot(*(outline - middle).T).mean()) * 0.85
    turns = max(2.0, radius / (hand.width * float(rng.uniform(0.9, 1.8))))
    share = np.linspace(0.05, 1, int(14 * turns))
    angle = share * turns * 2 * np.pi + rng.uniform(0, 2 * np.pi)
    spiral = middle + (radius * share)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return [stroke(rng, hand, spiral, 0.5)]


def _closed(outline: Points) -> Points:
    return np.concatenate([outline, outline[:1]])


def _circle(outline: Points) -> Points:
    middle = outline.mean(axis=0)
    radius = float(np.hypot(*(outline - middle).T).mean()) * 0.85
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    circle: Points = middle + radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return circle


def _box(rng: np.random.Generator, hand: Hand, outline: Points) -> list[Stroke]:
    """The strokes of a square, drawn in one go or side by side."""
    if rng.random() < 0.5:
        return [stroke(rng, hand, _closed(outline), 0.6)]
    return [stroke(rng, hand, outline[[n, (n + 1) % 4]], 0.8) for n in range(4)]


def _scribble(rng: np.random.Generator, hand: Hand, outline: Points, spacing: float) -> list[Stroke]:
    """A zigzag that fills a square; ``spacing`` in pen widths: above 1 it leaves paper between."""
    left, right = outline[[0, 3]], outline[[1, 2]]
    size = float(np.hypot(*(outline[3] - outline[0])))
    turns = max(3, round(size / (spacing * hand.width)))
    share = np.linspace(0, 1, turns)[:, None]
    start, end = left[0] + (left[1] - left[0]) * share, right[0] + (right[1] - right[0]) * share
    zigzag = np.where((np.arange(turns) % 2 == 0)[:, None], start, end)
    return [stroke(rng, hand, zigzag, 0.5)]


_STATION_STROKES = {
    "filled": _filled,
    "scribbled": _scribbled,
    "round": _round,
    "hollow": _box,
    "crossed": _crossed,
    "ring": _ring,
    "spiral": _spiral,
    "strokes": _strokes,
    "tangle": _tangle,
}
