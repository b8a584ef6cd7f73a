"""Pieces with height, as faces in space: wagons, sticks, cubes, rails, strips. In mm, z upwards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.studio.strokes import Points
from lab.taught.studio.colours import Colour

KINDS = ("wagon", "wagon", "wagon", "stick", "rod", "cube", "rail", "engine", "strip", "disc")
# How high they are, in shares of a segment's width.
_HIGH = {
    "wagon": (0.55, 1.15),
    "stick": (0.4, 0.9),
    "rod": (0.35, 0.8),
    "cube": (0.7, 1.0),
    "rail": (0.12, 0.35),
    "engine": (0.7, 1.2),
    "strip": (0.01, 0.03),
    "disc": (0.25, 0.7),
}
Solid = NDArray[np.float64]  # (8, 3): a box-like body, the four lower corners, then the four upper ones
_FACES = ((4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


@dataclass(frozen=True)
class Make:
    """How the pieces of one box are made: shares of a segment's length and width."""

    kind: str
    length: float
    width: float
    height: float
    gloss: float  # 0 is raw wood, 1 polished plastic
    detail: float  # how much lighter or darker panels, roofs and ties look
    careless: float  # how badly they are laid: 1 is ordinary


@dataclass(frozen=True)
class Piece:
    """A piece on the board: convex bodies, the lower ones first, each with a share of the piece's colour."""

    solids: tuple[tuple[Solid, float], ...]
    colour: Colour  # sRGB, 0 to 255
    gloss: float
    foreign: bool = False  # it belongs to no segment: what it hides cannot be seen


def make_for(rng: np.random.Generator, kind: str) -> Make:
    """A random make of pieces of this kind."""
    high = _HIGH[kind]
    return Make(
        kind,
        float(rng.uniform(0.78, 0.99)),
        float(rng.uniform(0.55, 0.98)),
        float(rng.uniform(*high)),
        float(rng.uniform(0, 1)) ** 1.5,
        float(rng.uniform(0.0, 0.35)),
        float(rng.choice([0.5, 1.0, 1.0, 2.0])),
    )


def laid_piece(rng: np.random.Generator, quad: Points, make: Make, colour: Colour) -> Piece:
    """A piece laid on a segment by somebody in a hurry."""
    middle, right, down = quad.mean(axis=0), quad[1] - quad[0], quad[3] - quad[0]
    length, width = float(np.hypot(*right)), float(np.hypot(*down))
    side = min(width, 0.45 * length)
    turn = np.arctan2(right[1], right[0]) + np.radians(rng.normal(0, 2.5 * make.careless))
    if make.kind == "cube":
        turn += np.radians(rng.uniform(-45, 45)) * 0.3 * make.careless
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    middle = middle + along * rng.normal(0, 0.03 * make.careless) * length
    middle = middle + across * rng.normal(0, 0.07 * make.careless) * width
    long = make.width * side if make.kind in ("cube", "disc") else make.length * length
    bodies = _bodies(make, long, make.width * side, make.height * side)
    if make.kind not in ("rail", "disc") and rng.random() < 0.015 * make.careless:  # fallen over
        bodies = [(_tipped(body, make.width * side), shade) for body, shade in bodies]
    to_board = np.array([along, across])
    solids = []
    for body, shade in bodies:
        placed = body.copy()
        placed[:, :2] = body[:, :2] @ to_board + middle
        solids.append((placed, shade))
    return Piece(tuple(solids), colour * rng.uniform(0.95, 1.05), make.gloss)


def _bodies(make: Make, long: float, wide: float, high: float) -> list[tuple[Solid, float]]:
    """The bodies of a piece around the origin, along x, each with its brightness factor."""
    light, dark = 1 + make.detail, 1 - make.detail
    size, flat = (long, wide), (0.0, 0.0)
    if make.kind == "wagon":
        body = _box(flat, size, (0, 0.7 * high))
        roof = _box(flat, size, (0.7 * high, high), (0.94, 0.55))
        ribs = [
            _box((x * long, 0), (0.05 * long, 1.03 * wide), (0, 0.62 * high))
            for x in (-0.36, -0.12, 0.12, 0.36)
        ]
        return [(body, 1.0), *((rib, dark) for rib in ribs), (roof, 1 + 0.4 * make.detail)]
    if make.kind == "engine":
        floor = _box(flat, size, (0, 0.2 * high))
        boiler = _box((-0.1 * long, 0), (0.75 * long, 0.7 * wide), (0, 0.65 * high), (0.98, 0.6))
        cabin = _box((0.33 * long, 0), (0.3 * long, wide), (0, high), (0.95, 0.95))
        chimney = _box((-0.35 * long, 0), (0.1 * long, 0.35 * wide), (0.6 * high, high))
        return [(floor, dark), (boiler, 1.0), (chimney, 1.0), (cabin, light)]
    if make.kind == "rail":
        ties = [
            _box((x * long, 0), (0.07 * long, wide), (0, 0.5 * high)) for x in np.linspace(-0.46, 0.46, 8)
        ]
        irons = [_box((0, y * wide), (long, 0.14 * wide), (0.3 * high, high)) for y in (-0.28, 0.28)]
        return [*((tie, dark) for tie in ties), *((iron, 1.0) for iron in irons)]
    if make.kind == "disc":
        return [(body, 1.0) for body in _round(wide, (0, high))]
    if make.kind == "rod":
        upper = _box(flat, size, (0.5 * high, high), (0.98, 0.45))
        return [(_box(flat, size, (0, 0.5 * high)), 1.0), (upper, 1.0)]
    top = 0.97 if make.kind == "stick" else 1.0
    return [(_box(flat, size, (0, high), (top, top)), 1.0)]


def pawn_at(rng: np.random.Generator, place: Points, width: float, colour: Colour) -> Piece:
    """A pawn that stands on the board, on a segment or beside: a foot, a waist and a head."""
    high = width * float(rng.uniform(1.0, 2.4))
    waist, head = float(rng.uniform(0.35, 0.8)) * width, float(rng.uniform(0.4, 0.8)) * width
    bodies = [
        *_round(width, (0, 0.2 * high)), *_round(waist, (0.2 * high, 0.7 * high)),
        *_round(head, (0.7 * high, high)),
    ]  # fmt: skip
    solids = tuple((body + np.array([*place, 0.0]), 1.0) for body in bodies)
    return Piece(solids, colour, float(rng.uniform(0, 1)), True)


def _round(wide: float, heights: tuple[float, float]) -> list[Solid]:
    """An approximate cylinder: three square bodies, each turned by 30 degrees more."""
    side = wide * 0.74
    bodies = []
    for turn in np.radians([0, 30, 60]):
        body = _box((0.0, 0.0), (side, side), heights)
        turning = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        body[:, :2] = body[:, :2] @ turning
        bodies.append(body)
    return bodies


def _box(
    middle: tuple[float, float],
    size: tuple[float, float],
    heights: tuple[float, float],
    narrow: tuple[float, float] = (1.0, 1.0),
) -> Solid:
    """A body from the one height to the other, narrower at its top."""
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * size
    below = np.column_stack([corners, np.full(4, heights[0])])
    above = np.column_stack([corners * narrow, np.full(4, heights[1])])
    body: Solid = np.concatenate([below, above]) + np.array([*middle, 0])
    return body


def _tipped(body: Solid, width: float) -> Solid:
    """The body tipped over onto its side."""
    tipped = body.copy()
    tipped[:, 1], tipped[:, 2] = body[:, 2] - body[:, 2].max() / 2, width / 2 - body[:, 1]
    order = [3, 2, 6, 7, 0, 1, 5, 4]
    return tipped[order]


def faces_of(solid: Solid) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The upper face and the four sides, (5, 4, 3), and their outward normals, (5, 3)."""
    faces = solid[np.array(_FACES)]
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 1])
    outwards = np.sign(((faces.mean(axis=1) - solid.mean(axis=0)) * normals).sum(axis=1, keepdims=True))
    return faces, normals * outwards / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
