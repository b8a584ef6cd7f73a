"""Pieces that people lay along the segments of a board: sets of shape and stuff, the colours of a table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.sheets.drawing import Point, Quad
from lab.studio.habits import Range, between, entries_of, named, one_of
from lab.studio.solids import Face, Solid
from lab.studio.strokes import Points, as_points

Colour: TypeAlias = tuple[float, float, float]  # linear light reflected, red first
Shape: TypeAlias = Literal["stick", "cube", "disc", "rail", "strip", "rod", "tile", "brick", "bead"]


class PieceSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of pieces, with ranges in mm."""

    name: str
    shape: Shape
    length: Range
    width: Range
    height: Range
    gloss: Range
    grain: float
    held_out: bool = False


SETS = entries_of(__package__, "piece_sets.toml", PieceSet)
HELD_OUT = tuple(name for name, one in SETS.items() if one.held_out)

# What people call the colours of pieces, as sRGB codes under white light; each box has its own.
_PAINTS: Mapping[str, Sequence[tuple[int, int, int]]] = {
    "red": ((205, 35, 40), (175, 30, 35), (220, 60, 50), (160, 25, 40)),
    "orange": ((240, 125, 25), (225, 105, 35), (245, 145, 60)),
    "yellow": ((245, 210, 40), (230, 190, 50), (250, 222, 90)),
    "green": ((35, 135, 65), (25, 100, 50), (90, 165, 70), (50, 150, 90)),
    "blue": ((35, 85, 170), (25, 55, 130), (55, 120, 195), (40, 105, 200)),
    "purple": ((105, 55, 145), (85, 45, 115), (135, 85, 170)),
    "pink": ((232, 125, 165), (240, 165, 190)),
    "brown": ((115, 70, 42), (90, 58, 40), (140, 92, 60)),
    "black": ((30, 30, 32), (45, 45, 48), (18, 18, 20)),
    "white": ((238, 237, 232), (226, 222, 212), (248, 248, 246)),
    "grey": ((128, 130, 132), (155, 157, 160)),
    "turquoise": ((45, 160, 168), (85, 190, 190)),
}
_USUAL = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple")
_LEAST_APART = 26.0  # in CIE L*a*b*: who plays with colours that look alike cannot tell them apart either
_SLOPPY = (0.3, 1.0)  # mm and 4 degrees times this: how far pieces are from where they should lie


@dataclass(frozen=True)
class Box:
    """The pieces of one table: a set with its measures, and a paint for every player's colour."""

    kind: PieceSet
    length: float
    width: float
    height: float
    gloss: float
    paints: Mapping[str, Colour]
    sloppy: float


def box_for(
    rng: np.random.Generator, players: int, held_out: Collection[str] = HELD_OUT, only: str | None = None
) -> Box:
    """A random box of pieces with so many colours."""
    kind = SETS[only] if only else one_of(rng, named(SETS, held_out, "set of pieces"))
    width = between(rng, kind.width)
    square = kind.shape in ("cube", "disc", "bead")
    # Colours that people can tell apart, the usual ones mostly
    found: dict[str, NDArray[np.float64]] = {}
    while len(found) < players:
        name = one_of(rng, _USUAL if rng.random() < 0.8 else tuple(_PAINTS))
        code = np.clip(np.asarray(one_of(rng, _PAINTS[name])) + rng.normal(0, 6, 3), 6, 252)
        apart = [float(np.linalg.norm(_lab(code) - _lab(other))) for other in found.values()]
        if name not in found and min(apart, default=99.0) > _LEAST_APART:
            found[name] = code
    return Box(
        kind,
        width if square else between(rng, kind.length),
        width,
        width if kind.shape == "cube" else between(rng, kind.height),
        between(rng, kind.gloss),
        {name: _linear(code) for name, code in found.items()},
        between(rng, _SLOPPY) * (1.6 if rng.random() < 0.15 else 1.0),
    )


def _lab(code: NDArray[np.float64]) -> NDArray[np.float64]:
    pixel = np.asarray(code, np.float32)[None, None] / np.float32(255)
    lab: NDArray[np.float64] = np.asarray(cv2.cvtColor(pixel, cv2.COLOR_RGB2Lab), np.float64)[0, 0]
    return lab


def _linear(code: NDArray[np.float64]) -> Colour:
    r, g, b = (np.asarray(code) / 255) ** 2.2
    return float(r), float(g), float(b)


# --- laying them ---


def pieces_on(rng: np.random.Generator, box: Box, quad: Quad, colours: Sequence[str]) -> list[Solid]:
    """A piece of each of the colours along a segment: one in its middle, two side by side or in a line."""
    corners = as_points(quad)
    ends = corners[[0, 3]].mean(axis=0), corners[[1, 2]].mean(axis=0)
    middle, way = (ends[0] + ends[1]) / 2, ends[1] - ends[0]
    length = float(np.hypot(*way))
    way = way / length
    across = np.array([-way[1], way[0]])
    found = []
    beside = box.width * 0.55 if box.length > 0.45 * length else 0.0
    for n, colour in enumerate(colours):
        side = 0.0 if len(colours) == 1 else n - 0.5
        off = side * (2 * beside * across if beside else 1.15 * box.length * way)
        strayed = rng.normal(0, 0.45 * box.sloppy, 2) + rng.normal(0, 0.5 * box.sloppy) * way
        turn = float(rng.normal(0, 3.0 * box.sloppy))
        found.append(
            _piece(rng, box, colour, middle + off + strayed, np.degrees(np.arctan2(*way[::-1])) + turn)
        )
    return found


def lone_piece(rng: np.random.Generator, box: Box, colour: str, at: Point) -> Solid:
    """A piece that lies somewhere by itself."""
    return _piece(rng, box, colour, np.asarray(at, np.float64), float(rng.normal(0, 12)))


def _piece(rng: np.random.Generator, box: Box, colour: str, at: Points, turn: float) -> Solid:
    """One piece; its own axes are along x and across y."""
    length, width = box.length, box.width
    if box.kind.shape in ("disc", "bead"):
        angle = np.linspace(0, 2 * np.pi, 14, endpoint=False)
        outline = np.stack([np.cos(angle), np.sin(angle)], axis=1) * width / 2
    else:
        outline = _bar(0, 0, length, width)
    base = np.array(box.paints[colour])
    own = np.clip(
        base * np.exp(rng.normal(0, box.kind.grain, 3) * 0.5 + rng.normal(0, 0.6 * box.kind.grain)),
        0.004,
        0.95,
    )
    r, g, b = (float(value) for value in own)
    faces = tuple(_placed(face, at, turn) for face in _TOPS[box.kind.shape](rng, box))
    shine = (_placed(face, at, turn) for face in _gloss(rng, box))
    return Solid(_at(outline, at, turn), box.height, (r, g, b), (*faces, *shine))


def _bar(x: float, y: float, length: float, width: float) -> Points:
    half = as_points([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    return np.asarray(half * [length, width] + [x, y], np.float64)


def _at(outline: Points, at: Points, turn: float) -> Points:
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return np.asarray(outline @ np.array([[c, s], [-s, c]]) + at, np.float64)


def _placed(face: Face, at: Points, turn: float) -> Face:
    return Face(_at(face.outline, at, turn), face.share, face.colour, face.shine)


def _gloss(rng: np.random.Generator, box: Box) -> Iterator[Face]:
    """The reflection of a lamp somewhere on the top of a piece."""
    if box.gloss < 0.02 or rng.random() > 0.75:
        return
    at = rng.uniform(-0.3, 0.3, 2) * [box.length, box.width]
    size = rng.uniform(0.1, 0.5) * box.length, rng.uniform(0.1, 0.35) * box.width
    yield Face(_bar(float(at[0]), float(at[1]), *size), shine=float(box.gloss * rng.uniform(0.1, 0.7)))


def _flat(rng: np.random.Generator, box: Box) -> Iterator[Face]:
    """The faces of a flat top: a worn rim, then the top with the grain of wood."""
    yield Face(_bar(0, 0, box.length, box.width), float(rng.uniform(0.75, 1.3)))
    yield Face(_bar(0, 0, box.length - 0.7, box.width - 0.7))
    if box.kind.grain > 0.04:
        for _ in range(int(rng.integers(1, 4))):
            y, share = rng.uniform(-0.4, 0.4) * box.width, float(np.exp(rng.normal(0, 2.5 * box.kind.grain)))
            yield Face(_bar(rng.uniform(-2, 2), y, 0.7 * box.length, 0.14 * box.width), share)


def _round(rng: np.random.Generator, box: Box) -> Iterator[Face]:
    """The faces of a rounded top: lighter along one side of the ridge than along the other."""
    tilt = float(rng.uniform(-0.35, 0.35))
    for n in range(5):
        side = (n - 2) / 2.5
        yield Face(_bar(0, side * box.width / 2, box.length, box.width / 5), 1 + tilt * side - 0.25 * side**2)


def _rails(rng: np.random.Generator, box: Box) -> Iterator[Face]:
    """Two rails on sleepers; between them the base lies lower, so it is darker."""
    count = max(3, round(box.length / rng.uniform(2.2, 3.6)))
    deep = float(rng.uniform(0.45, 0.85))
    yield Face(_bar(0, 0, box.length, box.width * 0.95), deep)
    for n in range(count):
        yield Face(
            _bar((n + 0.5) / count * box.length - box.length / 2, 0, 0.45 * box.length / count, box.width)
        )
    for side in (-1, 1):
        yield Face(
            _bar(0, side * 0.24 * box.width, box.length, 0.17 * box.width), float(rng.uniform(1.0, 1.3))
        )


def _card(rng: np.random.Generator, box: Box) -> Iterator[Face]:
    """A printed strip: two white rails, a white mark in the middle."""
    white = (0.85, 0.85, 0.83)
    for side in (-1, 1):
        yield Face(_bar(0, side * 0.25 * box.width, 0.9 * box.length, 0.09 * box.width), colour=white)
    angle = np.linspace(0, 2 * np.pi, int(rng.choice([3, 4, 5, 12])), endpoint=False)
    yield Face(np.stack([np.cos(angle), np.sin(angle)], axis=1) * 0.37 * box.width, colour=white)


def _plain(_rng: np.random.Generator, _box: Box) -> Iterator[Face]:
    yield from ()


def _studs(_rng: np.random.Generator, box: Box) -> Iterator[Face]:
    """Round studs in one or two rows, each with a shadow."""
    rows = 1 if box.width < 5.8 else 2
    step, angle = box.width / rows, np.linspace(0, 2 * np.pi, 10, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) * 0.3 * step
    for row in range(rows):
        y = (row + 0.5) * step - box.width / 2
        for x in np.arange(-box.length / 2 + step / 2, box.length / 2 - step / 4, step):
            yield Face(ring * 1.15 + np.array([x + 0.3, y + 0.3]), 0.7)
            yield Face(ring + np.array([x, y]), 1.15)


def _drop(rng: np.random.Generator, box: Box) -> Iterator[Face]:
    """The faces of a glass drop: darker towards the rim, light gathered opposite the lamp."""
    angle = np.linspace(0, 2 * np.pi, 14, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) * box.width / 2
    for share, light in ((1.0, 0.7), (0.8, 0.9), (0.55, 1.1), (0.3, 1.35)):
        yield Face(ring * share + rng.normal(0, 0.15, 2), light)


_TOPS = {
    "stick": _flat,
    "cube": _flat,
    "disc": _plain,
    "rail": _rails,
    "strip": _card,
    "rod": _round,
    "tile": _plain,
    "brick": _studs,
    "bead": _drop,
}
