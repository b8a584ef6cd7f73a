"""Pieces that stand on a sheet: outlines with a height, which lean away from the camera and throw shadows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.studio.cameras import Camera, Matrix, transformed
from lab.studio.settings import Colour, Light, SoftShape, lamp_falloff
from lab.studio.strokes import Points

_LAMP_SIZE = 0.12  # how wide lamps are, of their height: shadows are soft by that share of a piece's height
_CONTACT = 0.3  # how dark it is right beside a piece, where the room's light does not come
_SIDE_AMBIENT = 0.6  # of the room's light falls on an upright face
_LEAST_SLOPE = 0.25  # lamps that stand lower than this are taken to stand so


@dataclass(frozen=True)
class Face:
    """A flat outline on a piece's top: a ``share`` of its own light, or a ``colour``; plus what shines."""

    outline: Points
    share: float = 1.0
    colour: tuple[float, float, float] | None = None
    shine: float = 0.0


@dataclass(frozen=True)
class Solid:
    """A convex outline, in mm, of one height; ``colour`` is linear light reflected, red first."""

    outline: Points
    height: float
    colour: tuple[float, float, float]
    top: tuple[Face, ...] = ()

    def moved(self, to_table: Matrix) -> Solid:
        """The piece moved from a sheet to the table by a homography."""
        top = tuple(replace(face, outline=transformed(to_table, face.outline)) for face in self.top)
        return replace(self, outline=transformed(to_table, self.outline), top=top)


@dataclass(frozen=True)
class LitFace:
    """A face as the camera sees it: its outline in pixels, what it reflects of the light, what it adds."""

    pixels: Points
    reflects: NDArray[np.float32]
    shine: float


def farthest_first(solids: Sequence[Solid], camera: Camera) -> list[Solid]:
    """The pieces from the farthest to the nearest, the order in which they are painted."""
    eye = camera.place[:2]
    return sorted(solids, key=lambda one: -float(np.hypot(*(one.outline.mean(axis=0) - eye))))


def shadows_of(solid: Solid, light: Light) -> Iterator[SoftShape]:
    """The shadows of a piece: the contact shadow around it, and one away from every lamp."""
    middle = solid.outline.mean(axis=0)
    around = middle + (solid.outline - middle) * 1.06
    yield SoftShape(around, 0.3 + 0.3 * solid.height, _CONTACT * min(1.0, solid.height / 4))
    powers = [float(lamp.colour.mean() * lamp_falloff(lamp, middle)) for lamp in light.lamps]
    whole = float(light.ambient.mean()) + sum(powers)
    for lamp, power in zip(light.lamps, powers, strict=True):
        thrown = lamp.place + (solid.outline - lamp.place) * lamp.height / (lamp.height - solid.height)
        both = np.concatenate([solid.outline, thrown]).astype(np.float32)
        hull = np.asarray(cv2.convexHull(both), np.float64).reshape(-1, 2)
        yield SoftShape(hull, 0.15 + _LAMP_SIZE * solid.height, power / whole)


def lit_faces(solid: Solid, light: Light, camera: Camera) -> Iterator[LitFace]:
    """The faces that the camera sees, in painting order: sides, then the top and what is on it."""
    albedo = np.asarray(solid.colour, np.float32)
    x, y = solid.outline.T
    area = float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())
    # With y downwards and the outline turning that way, (dy, -dx) points outward.
    outline = solid.outline if area > 0 else solid.outline[::-1]
    middle = outline.mean(axis=0)
    base, top = camera.project(outline), camera.project(camera.lifted(outline, solid.height))
    for here in range(len(outline)):
        there = (here + 1) % len(outline)
        way = outline[there] - outline[here]
        outward = np.array([way[1], -way[0]]) / max(float(np.hypot(*way)), 1e-9)
        if float(outward @ (camera.place[:2] - outline[here])) <= 0:
            continue
        pixels = np.stack([base[here], base[there], top[there], top[here]])
        yield LitFace(pixels, albedo * _side_light(light, middle, outward), 0.0)
    yield LitFace(top, albedo, 0.0)
    for face in solid.top:
        reflects = albedo * face.share if face.colour is None else np.asarray(face.colour, np.float32)
        yield LitFace(
            camera.project(camera.lifted(face.outline, solid.height)), reflects.astype(np.float32), face.shine
        )


def _side_light(light: Light, place: Points, outward: Points) -> NDArray[np.float32]:
    """The light on an upright face as a share of that on the table."""
    flat: Colour = light.ambient.astype(np.float64)
    upright: Colour = flat * _SIDE_AMBIENT
    for lamp in light.lamps:
        falls = lamp.colour * lamp_falloff(lamp, place)
        way = np.append(lamp.place - place, lamp.height)
        way /= np.linalg.norm(way)
        towards, slope = max(0.0, float(outward @ way[:2])), max(float(way[2]), _LEAST_SLOPE)
        flat = flat + falls
        upright = upright + falls * (towards / slope)
    return np.asarray(upright / np.maximum(flat, 1e-6), np.float32)
