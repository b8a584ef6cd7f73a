"""The strokes with which a hand draws the marks of an expansion on a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.games.railroad_ink.printing.printed import cell_corner
from companion.games.railroad_ink.rules.boards.routes import Cells, Route
from companion.games.railroad_ink.rules.expansions.lush_green import trail_corners
from companion.games.railroad_ink.rules.expansions.marks import Marks, directions_of, signs_in
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.sheets.grid import STEPS
from lab.railroad_ink.studio.hands import CELL, TWO_SIDED, Hand
from lab.railroad_ink.studio.mark_hands import SIGNS, SignHand, ink_of, sign_hand
from lab.railroad_ink.studio.mark_lines import filled, styled
from lab.railroad_ink.studio.route_marks import Frame
from lab.railroad_ink.studio.writing import GlyphLine
from lab.studio.habits import between
from lab.studio.ink import InkLayer
from lab.studio.strokes import Points, Stroke, area, as_points, stroke

_TIDY = 0.55  # small signs come out more exact than long lines
_WIPED_CRATER = 0.6  # share of craters under a route that were wiped off
_BARE_VOLCANO = 0.5  # share of people who leave the space around a volcano empty
_PAINTED = (0.25, 0.7)  # of a full layer of ink: water and lava that are painted
# Where signs stand that are alone in a space, by their number; and the places of many around the middle one.
_FEW = {1: [(0.5, 0.5)], 2: [(0.3, 0.5), (0.7, 0.5)]}
_MANY = [(0.28, 0.34), (0.72, 0.34), (0.22, 0.74), (0.8, 0.72)]


def mark_layers(ink_seed: int, hand: Hand, cells: Cells, marks: Marks, strange: bool) -> list[InkLayer]:
    """All marks of a board, a layer for each colour; each place has randomness of its own."""
    by_ink: dict[str, list[Stroke]] = {}
    people: dict[str, SignHand] = {}
    bare = np.random.default_rng([ink_seed, 13]).random() < _BARE_VOLCANO
    for place, text in marks.items():
        signs = signs_in(text)
        for sign, detail in signs:
            if sign.isdecimal():
                continue  # a number in a box beside the board
            if bare and sign == "lava" and any(other == "volcano" for other, _ in signs):
                continue
            if sign not in people:
                order = list(SIGNS).index("cactus" if sign == "cacti" else sign)
                people[sign] = sign_hand(np.random.default_rng([ink_seed, 11, order]), hand, sign, strange)
            one = people[sign]
            own = np.random.default_rng([ink_seed, 12, *place.encode(), *sign.encode()])
            drawn = _MarkHand(own, hand, one, cells).strokes(place, sign, detail)
            by_ink.setdefault(ink_of(hand, one), []).extend(drawn)
    return [
        InkLayer(ink, tuple(lines), hand.dry, seed=ink_seed + 2 + number)
        for number, (ink, lines) in enumerate(by_ink.items())
        if lines
    ]


class _MarkHand:
    """One person drawing one mark."""

    def __init__(self, rng: np.random.Generator, hand: Hand, sign: SignHand, cells: Cells) -> None:
        self.rng, self.sign, self.cells = rng, sign, cells
        # Nobody draws small signs with the broad side of a marker.
        fine = min(hand.width, 0.045 * CELL + 0.35 * hand.width, 1.7)
        broad = sign.way.broad if sign.ink or hand.width < 1.2 else 1.0
        self.hand = replace(hand, width=fine * broad, sloppy=min(hand.sloppy, 1.8))

    def strokes(self, place: str, sign: str, detail: str) -> list[Stroke]:
        """The strokes of a sign in its place on the sheet."""
        first, dash, _ = place.partition("-")
        cell = GRID.cell(first)
        corner = np.asarray(cell_corner(cell))
        if dash:
            return self._placed(self._border(place), corner, _TIDY)
        route = self.cells.get(cell)
        if sign == "crater" and route is not None and self.rng.random() < _WIPED_CRATER:
            return []
        lines = self._lines(sign, detail, cell, route)
        tidy = 1.0 if sign in ("river", "trail", "lake", "lava") else _TIDY
        return self._placed(lines, corner, tidy)

    def _lines(self, sign: str, detail: str, cell: int, route: Route | None) -> list[GlyphLine]:
        match sign:
            case "river":
                return self._river(directions_of(detail), route)
            case "lake" | "lava":
                return self._surface(directions_of(detail), route)
            case "trail":
                corners = trail_corners(cell, route, detail)
                mine = [(x - cell % GRID.columns, y - cell // GRID.columns) for x, y in corners]
                return self._trail(mine, route)
            case _:
                return self._glyphs(sign, route)

    def _placed(self, lines: Sequence[GlyphLine], corner: Points, tidy: float) -> list[Stroke]:
        frame = Frame(self.rng, replace(self.hand, reach=1.0), corner)
        found = []
        for line in lines:
            points = frame.place(tuple((float(x), float(y)) for x, y in line.points))
            if not line.filled:
                found.append(stroke(self.rng, self.hand, points, tidy))
                continue
            one = area(self.rng, replace(self.hand, width=0.6 * self.hand.width), points)
            painted = self.sign.way.fill == "solid" or self.sign.way.line == "band"
            share = between(self.rng, _PAINTED) if painted else 1.0
            found.append(replace(one, strengths=one.strengths * share))
        return found

    # --- signs that stand in a space ---

    def _glyphs(self, sign: str, route: Route | None) -> list[GlyphLine]:
        """The glyphs of a mark: one beside a route; alone in a space a bigger one, or several."""
        way, size = self.sign.way, self._size()
        count = max(1, int(self.sign.count + self.rng.integers(-1, 2)))
        if way.place == "middle":
            places, share = [(0.5, 0.5)], 1.0
        elif way.place == "nw" and route is None:
            places, share = [(0.22, 0.22)], 1.0
        elif sign == "cacti":
            places, share = [(0.3, 0.5), (0.7, 0.5)], 1.1
        elif route is not None:
            places, share = [self._free_corner(route)], 1.0
        elif count < 3:
            places, share = _FEW[count], way.alone
        else:
            places, share = [*_MANY[:2], (0.5, 0.5 if count > 3 else 0.72), *_MANY[2:]][:count], 0.9
        return [line for at in places for line in self._glyph(at, share * size)]

    def _size(self) -> float:
        """The size of a glyph, no smaller than a pen of this width can draw it."""
        broad = 3.4 if self.sign.way.place == "nw" else 5.0
        least = min(broad * self.hand.width / CELL, 0.6)
        return max(self.sign.size * float(self.rng.uniform(0.85, 1.2)), least)

    def _glyph(self, middle: tuple[float, float], size: float) -> list[GlyphLine]:
        turn = float(self.rng.normal(0, 0.09))
        turning = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * size / 10
        at = np.asarray(middle) + self.rng.normal(0, 0.035, 2)
        half = np.array([0.3, 0.5]) * size
        at = np.clip(at, half + 0.02, 0.98 - half) if size < 0.9 else np.full(2, 0.5)
        found = []
        for line in self.sign.way.glyph:
            points = line.points + self.rng.normal(0, 0.25, line.points.shape) * self.hand.sloppy
            found.append(GlyphLine((points - [3.0, 5.0]) @ turning.T + at, line.filled))
        return found

    def _free_corner(self, route: Route) -> tuple[float, float]:
        """A corner with room beside the route, seldom over the box for the round or a building's picture."""
        ends = [way for way in range(4) if (route.highway | route.railway) >> way & 1]
        # The corners clockwise from the top right: each lies between a side and the next one.
        room = [1.0, 1.0, 1.0, 1.0]
        for way in range(4):
            room[way] *= 0.12 if way in ends and (way + 1) % 4 in ends else 1.0
        room[0] *= 0.35
        room[3] *= 0.6
        if len(ends) == 2 and (ends[0] + 2) % 4 not in ends:  # outside a curve there is most room
            outside = next(way for way in range(4) if way not in ends and (way + 1) % 4 not in ends)
            room[outside] *= 2.5
        way = int(self.rng.choice(4, p=np.asarray(room) / sum(room)))
        far = float(self.rng.uniform(0.2, 0.27))
        return ((1 - far, far), (1 - far, 1 - far), (far, 1 - far), (far, far))[way]

    # --- lines ---

    def _style(self, path: Points) -> list[GlyphLine]:
        sign = self.sign
        return styled(self.rng, path, sign.way.line, sign.apart, sign.wave)

    def _border(self, place: str) -> list[GlyphLine]:
        """A piece of a canyon between two crossings of the grid's lines."""
        one, other = map(GRID.cell, place.split("-"))
        east = other == one + 1
        path = as_points([(1, 0), (1, 1)] if east else [(0, 1), (1, 1)])
        inset = float(self.rng.uniform(-0.03, 0.06))
        path = path[0] + (path[1] - path[0]) * np.array([[inset], [1 - inset]])
        return self._style(path if self.rng.random() < 0.5 else path[::-1])

    def _river(self, ends: list[int], route: Route | None) -> list[GlyphLine]:
        start, end = (0.5 + 0.5 * np.asarray(STEPS[way]) for way in ends[:2])
        if (ends[0] + 2) % 4 == ends[1]:
            bow = float(self.rng.normal(0, 0.05)) * np.asarray(STEPS[(ends[0] + 1) % 4])
            path = _curve(start, np.array([0.5, 0.5]) + bow, end)
        else:
            tight = float(self.rng.uniform(0.3, 1.0))
            path = _curve(start, 0.5 + (1 - tight) * ((start + end) / 2 - 0.5), end)
        under = route is not None and self.rng.random() < 0.6
        runs = _interrupted(path, self._half_road()) if under else [path]
        found = [line for run in runs for line in self._style(run)]
        if self.sign.way.fill != "none":
            width = 0.5 * self.sign.apart
            rim = np.concatenate([path + width * 0.9, (path - width * 0.9)[::-1]])
            found += filled(self.rng, rim, [], self.sign.way.fill, 0.8 * self.sign.apart)
        return found

    def _half_road(self) -> float:
        wide = self.hand.highway in TWO_SIDED
        return (self.hand.half_road / CELL if wide else 0.05) + 0.05

    def _trail(self, corners: list[tuple[int, int]], route: Route | None) -> list[GlyphLine]:
        """A trail from corner to corner: under a straight route, along a blank side, around a curve."""
        inset = float(self.rng.uniform(-0.02, 0.1))
        if len(corners) == 3:
            middle = next(
                one for one in corners if all(one[0] == two[0] or one[1] == two[1] for two in corners)
            )
            start, end = (np.asarray(one, float) for one in corners if one != middle)
            bulge = float(self.rng.uniform(0.45, 1.0))
            turn = 0.5 + (np.asarray(middle) - 0.5) * bulge
            path = _curve(start, turn, end) if self.rng.random() < 0.6 else np.stack([start, turn, end])
        else:
            start, end = (np.asarray(one, float) for one in corners)
            inward = 0.5 - (start + end) / 2
            sag = float(self.rng.uniform(0.0, 0.3))
            path = _curve(start, (start + end) / 2 + sag * inward, end)
        path = 0.5 + (path - 0.5) * (1 - inset)
        diagonal = len(corners) == 2 and abs(start - end).sum() == 2
        under = diagonal and route is not None and self.rng.random() < 0.5
        runs = _interrupted(path, self._half_road()) if under else [path]
        return [line for run in runs for line in self._style(run)]

    # --- surfaces ---

    def _surface(self, ways: list[int], route: Route | None) -> list[GlyphLine]:
        """Water or lava that is open to some sides: its shores, and what fills it."""
        shores, outline = self._shores(ways, beside=route is not None)
        found = [line for shore in shores for line in self._style(shore)]
        step = float(self.rng.uniform(0.14, 0.26))
        fill = self.sign.way.fill
        if not shores and fill in ("none", "echo"):
            fill = "waves"
        return found + filled(self.rng, outline, shores, fill, step)

    def _shores(self, ways: list[int], *, beside: bool) -> tuple[list[Points], Points]:
        """The shores, and the outline of the surface."""
        rng = self.rng
        rim = float(rng.uniform(0.0, 0.16))
        square = float(rng.uniform(0.5, 1.0))
        t = np.linspace(0, np.pi / 2, 14)
        c, s = np.cos(t) ** square, np.sin(t) ** square
        corners = as_points([(0, 0), (1, 0), (1, 1), (0, 1)])
        if len(ways) == 4:
            return [], corners
        if len(ways) == 1:
            deep = float(rng.uniform(0.22, 0.36) if beside else rng.uniform(0.45, 0.85))
            half = 0.5 - rim
            left = np.stack([0.5 - half * c, deep * s], axis=1)
            shore = np.concatenate([left, np.stack([0.5 + half * c, deep * s], axis=1)[::-1]])
            return self._turned([shore], shore, ways[0])
        if len(ways) == 2 and (ways[0] + 2) % 4 != ways[1]:
            first = ways[0] if (ways[0] + 1) % 4 == ways[1] else ways[1]
            wide = float(rng.uniform(0.5, 0.68)) if beside else 1 - rim
            shore = np.stack([1 - wide * c, wide * s], axis=1)
            return self._turned([shore], np.concatenate([shore, [[1, 0]]]), first)
        if len(ways) == 2:
            shores = [self._bowed(rim), 1 - self._bowed(rim)]
            return self._turned(shores, np.concatenate(shores), ways[0])
        closed = next(way for way in range(4) if way not in ways)
        shore = self._bowed(rim)
        return self._turned([shore], np.concatenate([shore, [[1, 1], [1, 0]]]), (closed + 1) % 4)

    def _bowed(self, rim: float) -> Points:
        """A shore along the left side, from the top to the bottom."""
        middle = rim + float(self.rng.uniform(-0.04, 0.2))
        return _curve(np.array([rim, 0.0]), np.array([max(middle, 0.0), 0.5]), np.array([rim, 1.0]))

    @staticmethod
    def _turned(shores: list[Points], outline: Points, quarters: int) -> tuple[list[Points], Points]:
        """Rotate lines clockwise around the middle of the cell."""
        c, s = np.cos(quarters * np.pi / 2), np.sin(quarters * np.pi / 2)
        turning = np.array([[c, -s], [s, c]])
        return [(line - 0.5) @ turning.T + 0.5 for line in shores], (outline - 0.5) @ turning.T + 0.5


def _curve(start: Points, through: Points, end: Points) -> Points:
    """A smooth line through a place on its way (quadratic Bezier)."""
    control = 2 * through - (start + end) / 2
    t = np.linspace(0, 1, 16)[:, None]
    curve: Points = (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end
    return curve


def _interrupted(path: Points, gap: float) -> list[Points]:
    """Cut the part around the middle of its cell out of a line."""
    outside = np.hypot(*(path - 0.5).T) > gap
    runs = np.split(np.arange(len(path)), np.flatnonzero(np.diff(outside.astype(int))) + 1)
    return [path[run] for run in runs if outside[run[0]] and len(run) > 1]
