"""What stands on the map: pawns, which lean away from the camera and throw a shadow, and load chips."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.sheets.drawing import Point
from lab.studio.cameras import Camera, Matrix, transformed
from lab.studio.ink import linear
from lab.studio.strokes import Points
from lab.studio.things import Colour, Surface, Thing

_STEPS = 7  # discs of which a pawn is piled up


@dataclass(frozen=True)
class Piece:
    """A pawn or a chip on a milepost; lengths in mm."""

    milepost: str
    kind: str  # pawn or chip
    at: Point  # on the sheet
    colour: str  # ``#rrggbb``
    radius: float
    height: float


def as_thing(piece: Piece, to_table: Matrix, camera: Camera, sun: Points) -> Thing:
    """The piece as the camera sees it: discs, each moved as far as its height shifts it in the picture."""
    foot = transformed(to_table, np.asarray(piece.at, np.float64)[None])[0]
    # By how much a mm of height moves a thing on the table, as the camera sees it
    inner = np.array([[camera.focal, 0, camera.centre[0]], [0, camera.focal, camera.centre[1]], [0, 0, 1]])
    pose = np.linalg.inv(inner) @ camera.table_to_ideal
    pose /= np.linalg.norm(pose[:, 0])
    first, second, way = pose.T
    third = np.cross(first, second)
    eye = -np.stack([first, second, third]) @ way
    away: Points = (foot - eye[:2]) / max(abs(float(eye[2])), 1.0)
    base = linear(piece.colour)
    surfaces = []
    discs = _STEPS if piece.kind == "pawn" else 2
    for step in range(discs):
        share = step / (discs - 1)
        radius = piece.radius * (_profile(share) if piece.kind == "pawn" else 1.0)
        light = base * (0.75 + 0.35 * share)
        surfaces.append(Surface(_disc(foot + away * piece.height * share, radius), _colour(light)))
    if piece.kind == "chip":  # a light middle with a dark sign
        top = foot + away * piece.height
        surfaces.append(Surface(_disc(top, 0.72 * piece.radius), (0.85, 0.82, 0.74)))
        surfaces.append(Surface(_disc(top, 0.3 * piece.radius), _colour(base * 0.6)))
    return Thing(surfaces, over=True, shadow=sun * piece.height, softness=0.6 + 0.12 * piece.height)


def _profile(share: float) -> float:
    """The profile of a pawn: a broad foot, a waist, a head."""
    return float(np.interp(share, [0, 0.2, 0.65, 0.8, 1.0], [1.0, 0.85, 0.45, 0.6, 0.42]))


def _disc(at: Points, radius: float) -> Points:
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    disc: Points = at + radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return disc


def _colour(light: Points | np.ndarray[tuple[int], np.dtype[np.float32]]) -> Colour:
    r, g, b = np.clip(light, 0.005, 0.95)
    return float(r), float(g), float(b)
