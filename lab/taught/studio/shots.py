"""Photographs of a made-up board, empty or with pieces: lamps, shadows, lens, and what is behind the lens.

Light is counted linearly, red first, with white paper in full light at 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.studio.cameras import (
    Camera,
    Frame,
    camera_over,
    grid_places,
    inverse,
    spread,
    surface_map,
    transformed,
)
from lab.studio.darkroom import TO_LINEAR, noise_field, packed, vignette
from lab.studio.habits import one_of
from lab.studio.settings import lamp_falloff, outline_of, picture_size
from lab.studio.strokes import Points
from lab.studio.tables import table_texture
from lab.studio.things import Thing, hand_over, pen, small_thing
from lab.taught.studio.lighting import Lighting
from lab.taught.studio.pieces import Piece, faces_of

Light = NDArray[np.float32]
Codes = NDArray[np.uint8]
_HEADROOM = 1.7  # brightest light that a picture in the making holds
_TO_LIGHT = (np.linspace(0, 1, 256) ** 2.2 * _HEADROOM).astype(np.float32)


@dataclass(frozen=True)
class Print:
    """A board on the table: its print, pixels per mm, and how it bows, in mm of height at its knots."""

    raster: Codes
    scale: float
    size: tuple[float, float]
    bow: NDArray[np.float64]


@dataclass(frozen=True)
class Shot:
    """A photograph and what is known of it; ``unseen`` is 255 where things or reflections cover the board."""

    jpeg: bytes
    camera: Camera
    print_: Print
    unseen: Codes

    def pixels(self, places: Points) -> Points:
        """Where places of the board, in mm, are in the photograph."""
        flat = places.reshape(-1, 2)
        heights = _heights(self.print_, flat)
        seen: Points = _View.of(self.camera).pixels(np.column_stack([flat, heights])).reshape(places.shape)
        return seen


# --- the lens in space ---


def camera_for(
    rng: np.random.Generator, size: tuple[float, float], megapixels: float, most_tilt: float
) -> Camera:
    """A random camera, held above the board so that all of it is in the picture."""
    aspect = one_of(rng, (4 / 3, 4 / 3, 3 / 2, 16 / 9))
    pixels = picture_size(megapixels, aspect, upright=bool(rng.random() < 0.1))
    tilt = abs(float(rng.normal(0, most_tilt / 2)))
    azimuth = float(rng.normal(0, 35)) + 180 * float(rng.random() < 0.2)
    lens = float(rng.uniform(0.7, 1.1)) * max(pixels), float(rng.normal(0, 0.03))
    return camera_over(
        outline_of(size), pixels, min(tilt, most_tilt), azimuth, float(rng.uniform(1.03, 1.4)), lens
    )


@dataclass(frozen=True)
class _View:
    """A camera in space: its matrix, (3, 4), with z upwards from the board, and where its lens is, in mm."""

    camera: Camera
    matrix: NDArray[np.float64]
    eye: NDArray[np.float64]

    @classmethod
    def of(cls, camera: Camera) -> _View:
        """Recover the pose from the homography and the focal length."""
        (across, down), focal = camera.centre, camera.focal
        inner = np.array([[focal, 0, across], [0, focal, down], [0, 0, 1]])
        flat = np.linalg.inv(inner) @ camera.table_to_ideal
        flat = flat / np.linalg.norm(flat[:, 0])
        up = -np.cross(flat[:, 0], flat[:, 1])
        space = np.column_stack([flat[:, 0], flat[:, 1], up / np.linalg.norm(up), flat[:, 2]])
        return cls(camera, inner @ space, -np.linalg.inv(space[:, :3]) @ space[:, 3])

    def pixels(self, points: NDArray[np.float64]) -> Points:
        """Project points in space, (n, 3), to pixels."""
        seen = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return self.camera.distort(seen[:, :2] / seen[:, 2:])


def _heights(print_: Print, places: Points) -> NDArray[np.float64]:
    """The height of the bowed board at places, in mm."""
    rows, columns = print_.bow.shape
    at = places / np.array(print_.size) * [columns - 1, rows - 1]
    field = _remapped(print_.bow.astype(np.float32), at[:, None].astype(np.float32))
    return np.asarray(field[:, 0], np.float64)


def _remapped(field: Light, at: NDArray[np.float32]) -> Light:
    """Interpolate a smooth field at places between its knots."""
    border = cv2.BORDER_REPLICATE
    return np.asarray(
        cv2.remap(field, at, np.empty(0, np.float32), cv2.INTER_LINEAR, borderMode=border), np.float32
    )


def bow_for(rng: np.random.Generator, most: float) -> NDArray[np.float64]:
    """Random heights of a bowed board, in mm at 33 x 33 knots, with folds as boards in boxes have."""
    across, down = np.meshgrid(np.linspace(0, 1, 33), np.linspace(0, 1, 33))
    bow = rng.uniform(0, most) * np.sin(np.pi * across) * rng.choice([0, 1])
    bow = bow + rng.uniform(0, most) * np.sin(np.pi * down) * rng.choice([0, 1])
    for fold, along in ((0.5, across), (0.25, across), (0.75, across), (0.5, down)):
        if rng.random() < 0.35:
            bow = bow + rng.uniform(0, most) * np.maximum(0, 1 - np.abs(along - fold) / 0.28)
    return np.asarray(bow, np.float64)


# --- the picture ---


def photograph(
    rng: np.random.Generator,
    print_: Print,
    pieces: list[Piece],
    camera: Camera,
    light: Lighting,
    clutter: float,
    table: str = "",
) -> Shot:
    """Take the picture; ``clutter`` is how often something lies on the board, ``table`` a kind of table."""
    frame = Frame(0, 0, camera.size)
    view = _View.of(camera)
    eye = view.eye
    ground = surface_map(camera, frame)
    lean = (ground - eye[:2].astype(np.float32)) / np.float32(eye[2])
    at = np.asarray(ground / np.array(print_.size, np.float32) * 32, np.float32)
    height = _remapped(print_.bow.astype(np.float32), at)
    ground = np.asarray(ground - lean * height[..., None], np.float32)
    seen, on_board = _board_and_table(rng, print_, ground, table)
    lit, tones = _lit(rng, camera, frame, light, pieces)
    seen *= lit
    shine = _reflections(rng, frame, on_board)
    seen += shine[..., None]
    shares = np.clip(seen / np.float32(_HEADROOM), 0, 1)
    canvas = np.asarray(cv2.pow(shares, 1 / 2.2) * 255 + 0.5, np.uint8)
    unseen = np.where(shine > 0.5, 255, 0).astype(np.uint8)
    for piece in sorted(pieces, key=lambda one: -np.hypot(*(one.solids[0][0].mean(axis=0)[:2] - eye[:2]))):
        lift = float(_heights(print_, piece.solids[0][0][:1, :2])[0])
        _draw_piece(canvas, view, piece, (light, tones), lift)
        if piece.foreign:
            for solid, _ in piece.solids:
                hull = cv2.convexHull(
                    np.rint(view.pixels(solid + np.array([0, 0, lift])) * 16).astype(np.int32)
                )
                cv2.fillConvexPoly(unseen, hull, 255, cv2.LINE_AA, 4)
    for thing in _clutter(rng, print_.size, clutter):
        for surface in thing.surfaces:
            outline = camera.in_front(surface.outline)
            if len(outline) < 3:
                continue
            sky, lamps = tones.at(outline.mean(axis=0))
            code = (
                np.clip(np.array(surface.colour) * (sky + sum(lamps, np.zeros(3))) / _HEADROOM, 0, 1)
                ** (1 / 2.2)
                * 255
            )
            pixels = [np.rint(np.clip(camera.project(outline), -9000, 9000) * 16).astype(np.int32)]
            cv2.fillPoly(canvas, pixels, tuple(map(float, code)), cv2.LINE_AA, 4)
            cv2.fillPoly(unseen, pixels, 255, cv2.LINE_AA, 4)
    jpeg = _developed(rng, _TO_LIGHT[canvas], light, camera)
    return Shot(jpeg, camera, print_, unseen)


def _board_and_table(
    rng: np.random.Generator, print_: Print, ground: Light, kind: str
) -> tuple[Light, NDArray[np.float32]]:
    table_scale = 1.2
    texture = table_texture(rng, 700, table_scale, kind)
    table = cv2.remap(
        texture,
        ground * np.float32(table_scale),
        np.empty(0, np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    places = np.asarray(ground * print_.scale - 0.5, np.float32)
    print_codes = cv2.remap(
        print_.raster, places, np.empty(0, np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    inside = np.asarray(((ground >= 0) & (ground <= np.array(print_.size))).all(axis=-1), np.bool_)
    codes = np.where(inside[..., None], print_codes, table)
    return np.asarray(cv2.LUT(codes, TO_LINEAR), np.float32), inside.astype(np.float32)


@dataclass(frozen=True)
class _Tones:
    """The light without shadows, at places of the board."""

    light: Lighting

    def at(self, place: Points) -> tuple[NDArray[np.float64], list[NDArray[np.float64]]]:
        """The light of the sky, and of each lamp, on a surface at a place that faces it."""
        return self.light.ambient, [
            lamp.colour / (1 + ((place - lamp.place) ** 2).sum() / lamp.height**2)
            for lamp in self.light.lamps
        ]


def _lit(
    rng: np.random.Generator,
    camera: Camera,
    frame: Frame,
    light: Lighting,
    pieces: list[Piece],
) -> tuple[Light, _Tones]:
    """The light on every pixel of the board, less the shadows of pieces and people."""
    places = camera.table_at(grid_places(frame))
    per_mm = float(camera.scale_at(transformed(inverse(camera.table_to_ideal), camera.centre[None])[0]))
    width, height = frame.size
    near = np.zeros((height, width), np.uint8)
    for piece in pieces:
        base = np.rint(camera.project(piece.solids[0][0][:4, :2]) * 16).astype(np.int32)
        cv2.fillPoly(near, [base], 255, cv2.LINE_AA, 4)
    seam_width = max(0.6, float(rng.uniform(0.8, 2.5)) * per_mm)
    seam = np.asarray(cv2.GaussianBlur(near, (0, 0), seam_width), np.float32) * np.float32(0.6 / 255)
    field = np.asarray((1 - seam[..., None]) * light.ambient, np.float32)
    for lamp in light.lamps:
        mask = np.zeros((height, width), np.uint8)
        for piece in pieces:
            for solid, _ in piece.solids:
                shift = (solid[:, :2] - lamp.place) * (solid[:, 2:] / (lamp.height - solid[:, 2:]))
                spots = camera.project(solid[:, :2] + shift)
                hull = cv2.convexHull(np.rint(spots * 16).astype(np.int32))
                cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, 4)
        softness = max(0.5, 4.0 * lamp.size / lamp.height * per_mm)
        shade = np.asarray(cv2.GaussianBlur(mask, (0, 0), softness), np.float32) / np.float32(255)
        if rng.random() < 0.4:
            shade = np.maximum(shade, _person(rng, frame)).astype(np.float32)
        lit = np.asarray(1 - shade, np.float32)[..., None]
        field = np.asarray(
            field + spread(lamp_falloff(lamp, places)[..., None] * lamp.colour, frame) * lit, np.float32
        )
    return field, _Tones(light)


def _person(rng: np.random.Generator, frame: Frame) -> NDArray[np.float32]:
    """A mask of the shadow of a head or an arm."""
    small = (frame.size[0] // 16 + 1, frame.size[1] // 16 + 1)
    mask = np.zeros(small[::-1], np.float32)
    at = rng.uniform((0, 0), small)
    axes = rng.uniform(0.1, 0.5, 2) * max(small)
    cv2.ellipse(
        mask,
        (int(at[0]), int(at[1])),
        (int(axes[0]), int(axes[1])),
        float(rng.uniform(0, 180)),
        0,
        360,
        float(rng.uniform(0.2, 0.8)),
        -1,
    )
    soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.3, 6)))
    return np.asarray(cv2.resize(soft, frame.size, interpolation=cv2.INTER_LINEAR), np.float32)


def _reflections(
    rng: np.random.Generator, frame: Frame, on_board: NDArray[np.float32]
) -> NDArray[np.float32]:
    """A broad sheen, and now and then a lamp mirrored in the varnish."""
    small = (frame.size[0] // 8 + 1, frame.size[1] // 8 + 1)
    veil = np.zeros(small[::-1], np.float32)
    for chance, size, strength in ((0.5, (0.1, 0.4), (0.02, 0.22)), (0.25, (0.008, 0.05), (0.2, 1.3))):
        if rng.random() < chance:
            for _ in range(int(rng.integers(1, 3))):
                spot = np.zeros_like(veil)
                at, axes = rng.uniform((0, 0), small), rng.uniform(*size, 2) * max(small)
                cv2.ellipse(
                    spot,
                    (int(at[0]), int(at[1])),
                    (max(1, int(axes[0])), max(1, int(axes[1]))),
                    float(rng.uniform(0, 180)),
                    0,
                    360,
                    1.0,
                    -1,
                )
                veil += cv2.GaussianBlur(spot, (0, 0), 0.5 * float(axes.min()) + 0.5) * np.float32(
                    rng.uniform(*strength)
                )
    return np.asarray(cv2.resize(veil, frame.size, interpolation=cv2.INTER_LINEAR) * on_board, np.float32)


def _draw_piece(
    canvas: Codes,
    view: _View,
    piece: Piece,
    around: tuple[Lighting, _Tones],
    lift: float,
) -> None:
    (light, tones), eye = around, view.eye
    place = piece.solids[0][0].mean(axis=0)
    sky, lamps = tones.at(place[:2])
    albedo = (piece.colour / 255) ** 2.2
    towards_eye = (eye - place) / np.linalg.norm(eye - place)
    for solid, shade in piece.solids:
        raised = solid + np.array([0, 0, lift])
        faces, normals = faces_of(raised)
        pixels = view.pixels(faces.reshape(-1, 3)).reshape(5, 4, 2)
        shown = [n for n in (1, 2, 3, 4, 0) if normals[n] @ (eye - faces[n].mean(axis=0)) > 0]
        for n in shown:
            colour = albedo * shade**2.2 * sky * (0.55 + 0.45 * normals[n, 2])
            gleam = 0.04 * piece.gloss * sky
            for lamp, power in zip(light.lamps, lamps, strict=True):
                towards = np.array([*(lamp.place - place[:2]), lamp.height])
                towards = towards / np.linalg.norm(towards)
                colour = colour + albedo * shade**2.2 * power * max(0.0, float(normals[n] @ towards))
                half = (towards + towards_eye) / np.linalg.norm(towards + towards_eye)
                gleam = gleam + piece.gloss * power * max(0.0, float(normals[n] @ half)) ** 40 * 0.9
            code = np.clip(((colour + gleam) / _HEADROOM), 0, 1) ** (1 / 2.2) * 255
            outline = [np.rint(pixels[n] * 16).astype(np.int32)]
            cv2.fillPoly(canvas, outline, tuple(map(float, code)), cv2.LINE_AA, 4)
        if piece.gloss > 0.15 and 0 in shown and light.lamps:
            edge = (
                np.clip((albedo + 0.5 * piece.gloss) * (sky + sum(lamps)) / _HEADROOM, 0, 1) ** (1 / 2.2)
                * 255
            )
            ends = np.rint(pixels[0][[0, 1]] * 16).astype(np.int32)
            cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), tuple(map(float, edge)), 1, cv2.LINE_AA, 4)


def _clutter(rng: np.random.Generator, size: tuple[float, float], share: float) -> list[Thing]:
    """Cards, dice, pens and hands, mostly beside the board."""
    things = []
    middle = np.array(size) / 2
    for _ in range(int(rng.integers(0, 7))):
        angle = rng.uniform(0, 2 * np.pi)
        at = middle + np.array([np.cos(angle), np.sin(angle)]) * middle * rng.uniform(1.15, 1.7)
        things.append(small_thing(rng, at, True))
    if rng.random() < share:
        things.append(small_thing(rng, rng.uniform((0, 0), size), True))
    if rng.random() < 0.5 * share:
        things.append(pen(rng, rng.uniform((0, 0), size)))
    if rng.random() < 0.5 * share:
        tip = rng.uniform((0, 0), size)
        things.append(hand_over(rng, tip, middle + (tip - middle) * 4 + rng.normal(0, 300, 2)))
    return things


# --- behind the lens ---


def _developed(rng: np.random.Generator, light: Light, lighting: Lighting, camera: Camera) -> bytes:
    """Turn light into a JPEG: blur, white balance, exposure, vignette, noise, tone, sharpening."""
    fineness = (camera.size[0] * camera.size[1] / 3e6) ** 0.5
    light = np.asarray(
        cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.35, 1.1)) * max(fineness, 0.7)), np.float32
    )
    light *= lighting.balance.astype(np.float32)
    sample = light[::7, ::7]
    metered = min(0.24 / float(sample.mean() + 1e-6), 0.95 / float(np.quantile(sample, 0.98) + 1e-6))
    light *= np.float32(metered * 2.0**lighting.exposure)
    light *= vignette(camera, float(rng.uniform(0, 0.45)), Frame(0, 0, camera.size))[..., None]
    noise = float(rng.uniform(0.004, 0.03))
    light += noise_field(rng, light.shape) * np.sqrt(
        noise**2 * (0.1 + np.clip(light, 0, 1)), dtype=np.float32
    )
    if rng.random() < 0.5:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.5, 0.9))), np.float32)
    curve = np.linspace(0, 1, 4096) ** (1 / rng.uniform(1.9, 2.5))
    curve += rng.uniform(-0.15, 0.6) * (curve * curve * (3 - 2 * curve) - curve)
    codes: Light = curve.astype(np.float32)[(np.clip(light, 0, 1) * np.float32(4095)).astype(np.uint16)]
    saturated = np.float32(rng.uniform(0.75, 1.4))
    mixing = saturated * np.eye(3) + (1 - saturated) * np.array([[0.299, 0.587, 0.114]])
    codes = np.asarray(cv2.transform(codes, mixing.astype(np.float32)), np.float32)
    sharpen = float(rng.uniform(0, 1.2))
    sharp = cv2.addWeighted(codes, 1 + sharpen, cv2.GaussianBlur(codes, (0, 0), 1.2), -sharpen, 0)
    return packed(np.asarray(np.clip(sharp * 255 + 0.5, 0, 255), np.uint8), int(rng.integers(62, 96)))
