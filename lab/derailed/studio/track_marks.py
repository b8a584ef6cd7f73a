"""The strokes with which a hand draws the track of a card: two lines, dead ends, bridges, points, tunnels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.printing.trackwork import INWARDS, PORT_AT
from companion.games.derailed.rules.cards import BOTTOM, LEFT, RIGHT, TOP, UNDER, Face
from lab.derailed.studio.hands import CardHand
from lab.studio.strokes import Points, Stroke, area, as_points, resampled, stroke

WIDTH, HEIGHT = PRINTED.card.size
_BEYOND = 8.0  # mm that track is drawn over the card's edge, so that it runs off
_FINE = 4.0  # pixels per mm in which outlines are found
_ISLAND = 9.0  # mm2
_CORNER = 0.7  # radians within a few mm at which people lift the pen
_STEPS = np.linspace(0, 1, 25)[:, None]


@dataclass
class CardStrokes:
    """The lines of a card, and the sleepers between them."""

    lines: list[Stroke] = field(default_factory=list)
    ties: list[Stroke] = field(default_factory=list)
    beds: list[Stroke] = field(default_factory=list)


def face_strokes(rng: np.random.Generator, hand: CardHand, face: Face) -> CardStrokes:
    """All strokes of a face."""
    if UNDER in face.linked and BOTTOM not in face.linked:
        return _half_turned(face_strokes(rng, hand, face.turned))
    drawn = CardStrokes()
    artist = _Artist(rng, hand, drawn)
    pieces = sorted(sorted(piece) for piece in face.pieces)
    if pieces == [[TOP, BOTTOM], [RIGHT, LEFT]]:
        artist.bridge()
    elif (sum(map(len, pieces)) > len(face.linked) and hand.crossing == "open") or UNDER in face.linked:
        artist.joined([line for piece in pieces for line in artist.middles(piece)])
    else:
        above: Points | None = None  # the curve of points at which the second one stops
        for piece in pieces:
            if len(piece) > 2 and hand.junction != "open":
                artist.stacked(piece)
            else:
                middles = artist.middles(piece)
                artist.joined(middles, above)
                above = middles[0] if hand.crossing == "stopped" else None
    if UNDER in face.linked:
        artist.mouth()
    for port in sorted(face.dead):
        artist.dead_end(port)
    return drawn


class _Artist:
    """Draws the track of one card in the manner of its hand."""

    def __init__(self, rng: np.random.Generator, hand: CardHand, drawn: CardStrokes) -> None:
        self.rng, self.hand, self.drawn = rng, hand, drawn
        aside = 0.9 * hand.sloppy
        self.ports = {
            port: as_points([PORT_AT[port]])[0] + across(port) * np.clip(rng.normal(0, aside), -3, 3)
            for port in PORT_AT
        }
        self.centre = as_points([(WIDTH / 2, HEIGHT / 2)])[0] + rng.normal(0, aside, 2)
        self.gauge = hand.gauge * float(np.exp(rng.normal(0, 0.05 * hand.sloppy)))

    # --- middle lines ---

    def middles(self, ports: Sequence[int]) -> list[Points]:
        """A middle line for each pair of ports, or arms to the middle where three or more meet."""
        joint = self.hand.joint if len(ports) > 2 else "curves"
        curves = [self.between(a, b) for a, b in combinations(ports, 2)] if joint != "arms" else []
        arms = [self._out(port, self.centre) for port in ports] if joint != "curves" else []
        if len(ports) > 2 and joint == "curves":
            arms = [
                line
                for pair in ((TOP, BOTTOM), (LEFT, RIGHT))
                if set(pair) <= set(ports)
                for line in [self.between(*pair)]
            ]
        return [*curves, *arms]

    def between(self, a: int, b: int) -> Points:
        """From port to port, beyond the card at both ends."""
        start, end = self.ports[a], self.ports[b]
        reach = np.abs(end - start) * self.hand.roundness
        one, other = inwards(a), inwards(b)
        if np.allclose(one, -other):
            reach = np.abs(end - start) * 0.4
        handles = start, start + one * reach, end + other * reach, end
        curve = sum(w * p for w, p in zip(_bernstein(), handles, strict=True))
        first, last = self._beyond(a), self._beyond(b)
        return np.concatenate([first[None], np.asarray(curve), last[None]])

    def _beyond(self, port: int) -> Points:
        beyond: Points = self.ports[port] - inwards(port) * (0.1 if port == UNDER else _BEYOND)
        return beyond

    def _out(self, port: int, to: Points) -> Points:
        return np.stack([self._beyond(port), to])

    # --- track ---

    def joined(self, lines: Sequence[Points], above: Points | None = None) -> None:
        """One track with branches: the outline of all bands together, as far as no track is ``above``."""
        for path in outlines(lines, self.gauge):
            for part in [path] if above is None else beside(path, above, self.gauge / 2):
                self._lines(part)
        for line in lines if self.hand.bed else ():
            bed = stroke(self.rng, self.hand, line, 0.0)
            self.drawn.beds.append(Stroke(bed.points, bed.widths * 0 + self.gauge, bed.strengths))
        if len(lines) == 1:
            self._ties(lines[0])

    def stacked(self, ports: Sequence[int]) -> None:
        """A junction as pictures of single tracks laid upon each other: all lines cross.

        ``overlaid`` has every pair of ports, or on a crossing of four sometimes only its corners; ``crossed``
        has straight tracks, and an arm that ends in the track through the middle.
        """
        straight = [pair for pair in ((TOP, BOTTOM), (LEFT, RIGHT)) if set(pair) <= set(ports)]
        pairs = list(combinations(ports, 2))
        own = np.random.default_rng([self.hand.seed, 16])
        if self.hand.junction == "crossed":
            pairs = straight
            for port in set(ports) - {port for pair in straight for port in pair}:
                # Track from a port to the near line, the middle or the far line of the track that it
                # meets
                beyond = float(own.choice([-1.0, 0.0, 1.0]))
                into, aside = inwards(port), across(port)
                end = self.centre + into * (beyond * self.gauge / 2)
                for side in (-1, 1):
                    shift = aside * side * self.gauge / 2
                    path = np.stack([self.ports[port] + shift - into * 1.5, end + shift])
                    self.drawn.lines.append(stroke(self.rng, self.hand, path, 0.5))
        elif len(ports) == 4 and own.random() < 0.15:
            pairs = [pair for pair in pairs if pair not in straight and pair[::-1] not in straight]
        for pair in pairs:
            self.joined([self.between(*pair)])

    def _lines(self, path: Points) -> None:
        for part in _at_corners(path):
            self.drawn.lines.append(stroke(self.rng, self.hand, part, 0.45))

    def _ties(self, line: Points) -> None:
        if self.hand.ties == "none":
            return
        points = resampled(line, float(np.clip(self.gauge * 0.32, 3.2, 6.0)))
        steps = np.gradient(points, axis=0)
        normals = (
            np.stack([-steps[:, 1], steps[:, 0]], axis=1) / np.maximum(np.hypot(*steps.T), 1e-9)[:, None]
        )
        half = self.gauge / 2 * (0.62 if self.hand.ties == "pale" else 0.8)
        for at, normal in zip(points, normals, strict=True):
            self.drawn.ties.append(
                stroke(self.rng, self.hand, np.stack([at - normal * half, at + normal * half]), 0.5)
            )

    def dead_end(self, port: int) -> None:
        """A short stub closed by a thick bar."""
        at, into, aside = self.ports[port], inwards(port), across(port)
        length = self.hand.stub[0 if port in (LEFT, RIGHT) else 1] * float(np.exp(self.rng.normal(0, 0.1)))
        end = at + into * length
        for side in (-1, 1):
            shift = aside * side * self.gauge / 2
            path = np.stack([at + shift - into * 1.5, end + shift])
            self.drawn.lines.append(stroke(self.rng, self.hand, path, 0.5))
        self._bar(end, into, aside)

    def _bar(self, end: Points, into: Points, aside: Points) -> None:
        thick, long = self.hand.bar
        lean = into * self.rng.normal(0, 0.04 * self.hand.sloppy)
        half = (aside + lean) * long / 2
        outline = np.stack([end - half, end + half, end + half + into * thick, end - half + into * thick])
        self.drawn.lines.append(area(self.rng, self.hand, outline))

    def bridge(self) -> None:
        """One track above the other, which stops at it."""
        over = (TOP, BOTTOM) if self.hand.bridge_along else (LEFT, RIGHT)
        under = (LEFT, RIGHT) if self.hand.bridge_along else (TOP, BOTTOM)
        out = across(over[0])
        far, along = self.hand.bulge
        wall = far if self.hand.bridge == "parapets" else 0.0
        one, other, length = self.hand.bow
        bows = {-1: 0.0, 1: 0.0}  # how far either line leaves its straight course
        if self.hand.bridge == "bulging":
            bows, length = {-1: -far, 1: far}, along
        elif self.hand.bridge in ("arched", "bowed"):
            bows = {-1: one, 1: other}
        for side, bow in bows.items():
            self._lines(_inside(self._bowing(over, side, bow, length)))
            if wall:
                self._wall(over, side, self.gauge / 2 + wall, along)
        for port in under:
            into, aside = inwards(port), across(port)
            side = 1 if float(out @ into) < 0 else -1  # of the track above on which this one comes
            stop = self.gauge / 2 + side * bows[side] + wall + self.hand.gap + self.hand.width / 2
            end = self.centre - into * stop
            for rail in (-1, 1):
                shift = aside * rail * self.gauge / 2
                path = np.stack([self.ports[port] + shift - into * 1.5, end + shift])
                self.drawn.lines.append(stroke(self.rng, self.hand, path, 0.5))
        if not self.hand.bridge_along:
            self._ties(self.between(*over))

    def _bowing(self, ports: tuple[int, int], side: int, bow: float, length: float) -> Points:
        """A line of the track that leaves its course around the middle of the card, or from edge to edge."""
        line = resampled(self.between(*ports), 1.0)
        away = np.hypot(*(line - self.centre).T)
        whole = np.hypot(*(self.ports[ports[0]] - self.ports[ports[1]])) / 2
        course = 1 - (away / whole) ** 2 if self.hand.bridge == "bowed" else np.exp(-((away / length) ** 2))
        aside = across(ports[0])
        bowing: Points = line + aside * (side * self.gauge / 2 + bow * np.clip(course, 0, 1))[:, None]
        return bowing

    def _wall(self, ports: tuple[int, int], side: int, off: float, along: float) -> None:
        """A wall beside the track above, its ends turned away from it."""
        into, aside = inwards(ports[0]), across(ports[0]) * side
        places = [(-along - 2.5, off + 2.5), (-along, off), (along, off), (along + 2.5, off + 2.5)]
        path = np.stack([self.centre + into * x + aside * y for x, y in places])
        self.drawn.lines.append(stroke(self.rng, self.hand, path, 0.5))

    def mouth(self) -> None:
        """The mouth of a tunnel at the top: an arch, dark inside or hatched."""
        at, radius = self.ports[UNDER], self.gauge * float(self.rng.uniform(0.6, 0.85))
        turn = np.linspace(np.pi, 2 * np.pi, 16)
        arch = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        self.drawn.lines.append(area(self.rng, self.hand, at + arch * radius))
        if self.rng.random() < 0.7:
            self.drawn.lines.append(stroke(self.rng, self.hand, at + arch * (radius + 3.0), 0.5))


def inwards(port: int) -> Points:
    """The direction into the card from a port."""
    return np.array(INWARDS[port], np.float64)


def across(port: int) -> Points:
    """The direction along the card's edge at a port."""
    x, y = INWARDS[port]
    return np.array((-y, x), np.float64)


def _bernstein() -> tuple[Points, ...]:
    t, u = _STEPS, 1 - _STEPS
    return u**3, 3 * u * u * t, 3 * u * t * t, t**3


def _half_turned(drawn: CardStrokes) -> CardStrokes:
    def turned(line: Stroke) -> Stroke:
        return Stroke(as_points([(WIDTH, HEIGHT)]) - line.points, line.widths, line.strengths, line.area)

    return CardStrokes(*(list(map(turned, some)) for some in (drawn.lines, drawn.ties, drawn.beds)))


# --- outlines of bands ---


def outlines(lines: Sequence[Points], gauge: float) -> list[Points]:
    """The two lines of track along these middle lines, merged where tracks meet, cut at the card's edge."""
    room = _BEYOND + gauge
    canvas = np.zeros((round((HEIGHT + 2 * room) * _FINE), round((WIDTH + 2 * room) * _FINE)), np.uint8)
    for line in lines:
        cv2.fillPoly(canvas, [_fixed(_band(line, gauge), room)], 255, cv2.LINE_8, 4)
        # A band that turns sharply leaves a notch at the joint.
        if len(lines) > 1:
            cv2.circle(canvas, _fixed(line[-1:], room)[0].tolist(), 8, 255, -1, shift=4)
    found, _ = cv2.findContours(canvas, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    paths = []
    for contour in found:
        if cv2.contourArea(contour) < _ISLAND * _FINE**2:
            continue  # between the bands of a junction: nobody draws that
        closed = contour.reshape(-1, 2).astype(np.float64) / _FINE - room + 0.5 / _FINE
        paths += [_smooth(path) for path in _runs(closed)]
    return [path for path in paths if len(path) > 3]


def _band(line: Points, gauge: float) -> Points:
    steps = np.gradient(line, axis=0)
    normals = np.stack([-steps[:, 1], steps[:, 0]], axis=1) / np.maximum(np.hypot(*steps.T), 1e-9)[:, None]
    half = normals * gauge / 2
    return np.concatenate([line + half, (line - half)[::-1]])


def _fixed(points: Points, room: float) -> NDArray[np.int32]:
    return np.rint((points + room) * _FINE * 16).astype(np.int32)


def _on_card(points: Points) -> NDArray[np.bool_]:
    over = 1.5
    inside = (points > -over) & (points < [WIDTH + over, HEIGHT + over])
    return np.asarray(inside.all(axis=1), np.bool_)


def _runs(closed: Points) -> list[Points]:
    """The parts of a closed outline that lie on the card."""
    inside = _on_card(closed)
    if inside.all():
        return [np.concatenate([closed, closed[:1]])]
    first = int(np.argmin(inside))
    points, inside = np.roll(closed, -first, axis=0), np.roll(inside, -first)
    cuts = np.flatnonzero(np.diff(inside.astype(int))) + 1
    return [
        part for part, kept in zip(np.split(points, cuts), np.split(inside, cuts), strict=True) if kept[0]
    ]


def _inside(path: Points) -> Points:
    return path[_on_card(path)]


def beside(path: Points, middle: Points, half: float) -> list[Points]:
    """The parts of a path that lie beside the band around a middle line."""
    points, line = resampled(path, 0.5), resampled(middle, 1.0)
    away = np.hypot(*(points[:, None] - line[None]).transpose(2, 0, 1)).min(axis=1)
    free = away > half
    cuts = np.flatnonzero(np.diff(free.astype(int))) + 1
    parts = zip(np.split(points, cuts), np.split(free, cuts), strict=True)
    return [part for part, kept in parts if kept[0] and len(part) > 3]


def _smooth(path: Points) -> Points:
    """Smooth the steps of the raster out of a path."""
    points = resampled(path, 0.5)
    if len(points) < 8:
        return points
    weights = np.exp(-(np.linspace(-2, 2, 7) ** 2) / 2)
    padded = np.concatenate([np.repeat(points[:1], 3, axis=0), points, np.repeat(points[-1:], 3, axis=0)])
    smooth = np.stack([np.convolve(padded[:, n], weights / weights.sum(), "valid") for n in (0, 1)], axis=1)
    smooth[0], smooth[-1] = points[0], points[-1]
    return smooth


def _at_corners(path: Points) -> list[Points]:
    """Cut a path at sharp corners, where people lift the pen."""
    points = resampled(path, 0.7)
    if len(points) < 12:
        return [points]
    before, after = points[4:-4] - points[:-8], points[8:] - points[4:-4]
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    angle: NDArray[np.float64] = np.arctan2(cross, (before * after).sum(axis=1))
    bend = np.abs(angle)
    cuts: list[int] = []
    for place in np.argsort(-bend):
        if bend[place] < _CORNER * 1.4:
            break
        if all(abs(place - other) > 8 for other in cuts):
            cuts.append(int(place))
    least = 0
    parts = []
    for cut in sorted(cuts):
        parts.append(points[least : cut + 5])
        least = cut + 4
    return [part for part in [*parts, points[least:]] if len(part) > 2]
