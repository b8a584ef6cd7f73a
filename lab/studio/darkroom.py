"""Taking the picture of a setting, whole or in part: every part comes out as it would in the whole.

Light is counted linearly, red first, with white paper in full light at 1; codes are sRGB.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.studio.cameras import Camera, Frame, Matrix, grid_places, spread, surface_map, transformed
from lab.studio.ink import streak_kernel, to_linear
from lab.studio.settings import Setting, SoftShape, lamp_falloff
from lab.studio.solids import LitFace, Solid, farthest_first, lit_faces, shadows_of
from lab.studio.strokes import Points
from lab.studio.things import Thing

Light = NDArray[np.float32]
Codes = NDArray[np.uint8]
_STRIP = 1024  # rows taken at once, so that a big picture does not need big memory
_SCALES = (2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0)  # pixels per mm in which sheets are drawn
TO_LINEAR = to_linear(np.linspace(0, 1, 256, dtype=np.float32))
_SUBPIXEL = 4
_USUALLY_SEEN = 0.4  # light that a whole picture reflects on the whole, of that of white paper
_NO_MAP = np.empty(0, np.float32)  # both coordinates are in the first map


def whole_picture(darkroom: Darkroom) -> Codes:
    """Everything that the camera sees."""
    width, height = darkroom.setting.camera.size
    strips = [
        darkroom.expose(Frame(0, top, (width, min(_STRIP, height - top)))) for top in range(0, height, _STRIP)
    ]
    return np.concatenate(strips)


def packed(codes: Codes, quality: int) -> bytes:
    """Encode a picture as JPEG."""
    done, data = cv2.imencode(".jpg", codes[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return bytes(data)


@dataclass(frozen=True)
class LaidPrint:
    """Something printed or drawn that lies flat on the table, with ``scale`` pixels per mm.

    ``rim`` is its outline in mm, with so many points that the lens can bend it; ``shade`` is how dark, and
    how many mm wide, the seam is that a card throws on what it lies on.
    """

    raster: Codes
    scale: float
    to_table: Matrix
    rim: Points
    shade: tuple[float, float] = (0.0, 0.0)


class Darkroom:
    """Exposes frames of a setting in which prints lie, the lowest first, and pieces stand on them."""

    def __init__(self, setting: Setting, prints: Sequence[LaidPrint], solids: Sequence[Solid] = ()) -> None:
        self.setting = setting
        self._prints = prints
        self._solids = farthest_first(solids, setting.camera)

    def with_black_prints(self) -> Darkroom:
        """The same setting with all prints black: shows the light that does not come from the paper."""
        black = Darkroom(
            self.setting, [replace(one, raster=np.zeros_like(one.raster)) for one in self._prints]
        )
        black._solids = self._solids
        return black

    def expose(self, frame: Frame) -> Codes:
        """One frame of the picture."""
        pad = int(np.ceil(3 * self.setting.sensor.focus + self.setting.sensor.motion / 2)) + 6
        wide = frame.padded(pad)
        # The light that the lens sends to each pixel
        scene = self.setting
        ground = surface_map(scene.camera, wide)
        places = scene.camera.table_at(grid_places(wide))
        field = np.broadcast_to(scene.light.ambient, (*places.shape[:2], 3)).copy()
        for lamp in scene.light.lamps:
            field += lamp_falloff(lamp, places)[..., None] * lamp.colour
        shine = spread(field, wide)
        shade = np.ones(ground.shape[:2], np.float32)
        seen = self.table(ground)
        for thing in scene.things:
            for surface in thing.surfaces[:6]:
                shape = SoftShape(surface.outline + thing.shadow, thing.softness, 0.28)
                darken(scene, wide, shape, shade)
            if not thing.over:
                lay(scene, wide, thing, seen)
        glossy = np.zeros_like(shade)
        for laid in self._prints:
            lay_print(scene, wide, laid, (ground, seen, glossy))
        for shadow in scene.light.shadows:
            darken(scene, wide, shadow, shade)
        lit = shine * shade[..., None] if self._solids else shine
        self._shade_by_solids(wide, shade)
        seen *= shine
        seen *= shade[..., None]
        _reflect(scene, wide, glossy, seen)
        self._stand_solids(wide, seen, lit)
        for thing in scene.things:
            if thing.over:
                lay(scene, wide, thing, seen, shine)
        light = self._blurred(seen)
        codes = _developed(self.setting, light, wide)
        return np.ascontiguousarray(codes[pad : pad + frame.size[1], pad : pad + frame.size[0]])

    def _shade_by_solids(self, frame: Frame, shade: NDArray[np.float32]) -> None:
        for solid in self._solids:
            for shape in shadows_of(solid, self.setting.light):
                darken(self.setting, frame, shape, shade)

    def _stand_solids(self, frame: Frame, seen: Light, lit: Light) -> None:
        for solid in self._solids:
            for face in lit_faces(solid, self.setting.light, self.setting.camera):
                lay_face(frame, face, seen, lit)

    def table(self, ground: NDArray[np.float32]) -> Light:
        """The bare table where each pixel sees it."""
        table = self.setting.table
        matrix = table.from_table[:2] * table.scale
        places = cv2.transform(ground, matrix)
        # The texture is a tile that is mirrored at its borders for ever.
        tile = cv2.remap(table.texture, places, _NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        return np.asarray(cv2.LUT(tile, TO_LINEAR), np.float32)

    def _blurred(self, light: Light) -> Light:
        sensor = self.setting.sensor
        if sensor.focus > 0.25:
            light = np.asarray(cv2.GaussianBlur(light, (0, 0), sensor.focus), np.float32)
        if sensor.motion > 1:
            light = np.asarray(
                cv2.filter2D(light, -1, streak_kernel(sensor.motion, sensor.motion_angle)), np.float32
            )
        return light


# --- prints ---


def drawing_scale(needed: float) -> float:
    """The scale, in pixels per mm, in which something is drawn that is seen with ``needed`` of them."""
    return next((scale for scale in _SCALES if scale >= needed), _SCALES[-1])


def lay_print(
    scene: Setting,
    frame: Frame,
    laid: LaidPrint,
    fields: tuple[NDArray[np.float32], Light, NDArray[np.float32]],
    shine: Light | None = None,
) -> None:
    """Paint a print on the table; ``fields``: where each pixel sees the table, the light, what is glossy.

    ``shine`` is the light that falls on it, if it is not lit later.
    """
    ground, seen, glossy = fields
    outline = transformed(laid.to_table, laid.rim)
    _shade_seam(scene, frame, laid, outline, seen)
    mask, (rows, columns) = _mask(scene, frame, outline, 0.0)
    if mask is None:
        return
    matrix = np.linalg.inv(laid.to_table)[:2] * laid.scale
    matrix[:, 2] -= 0.5
    places = cv2.transform(ground[rows, columns], matrix)
    codes = cv2.remap(laid.raster, places, _NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    paper = np.asarray(cv2.LUT(codes, TO_LINEAR), np.float32)
    if shine is not None:
        paper *= shine[rows, columns]
    _blend(seen[rows, columns], paper, mask)
    np.maximum(glossy[rows, columns], mask, out=glossy[rows, columns])


def _shade_seam(scene: Setting, frame: Frame, laid: LaidPrint, outline: Points, seen: Light) -> None:
    depth, width = laid.shade
    if depth <= 0:
        return
    mask, (rows, columns) = _mask(scene, frame, outline, _softness(scene, outline, width))
    if mask is not None:
        seen[rows, columns] *= (1 - depth * mask)[..., None]


def rim_of(outline: Points) -> Points:
    """An outline of four corners with many points, so that the lens can bend it."""
    share = np.linspace(0, 1, 12, endpoint=False)[:, None]
    sides = [outline[n] * (1 - share) + outline[(n + 1) % 4] * share for n in range(4)]
    return np.concatenate(sides)


def _blend(below: Light, above: Light | NDArray[np.float64], mask: NDArray[np.float32]) -> None:
    below += (above - below) * mask[..., None]


# --- outlines as masks ---


def _mask(
    scene: Setting, frame: Frame, outline: Points, softness: float
) -> tuple[NDArray[np.float32] | None, tuple[slice, slice]]:
    """How much of each pixel an outline on the table covers, and the rows and columns it touches.

    ``softness`` is the deviation of its blurred edge, in pixels.
    """
    outline = scene.camera.in_front(outline)
    if len(outline) < 3:
        return None, (slice(0), slice(0))
    return _pixel_mask(frame, scene.camera.project(outline), softness)


def _pixel_mask(
    frame: Frame, outline: Points, softness: float
) -> tuple[NDArray[np.float32] | None, tuple[slice, slice]]:
    """As :func:`_mask`, for an outline in pixels of the whole picture."""
    pixels = outline - [frame.left, frame.top]
    reach = 3 * softness + 2
    low = np.maximum(np.floor(pixels.min(axis=0) - reach), 0).astype(int)
    high = np.minimum(np.ceil(pixels.max(axis=0) + reach), frame.size).astype(int)
    where = (slice(low[1], high[1]), slice(low[0], high[0]))
    if (high <= low).any():
        return None, where
    return _soft_polygon(pixels - low, (int(high[0] - low[0]), int(high[1] - low[1])), softness), where


def _soft_polygon(pixels: Points, size: tuple[int, int], softness: float) -> NDArray[np.float32]:
    """A filled polygon with a soft edge; very soft ones are made small, and enlarged."""
    shrink = max(1.0, softness / 2.5)
    # Room around it, so that what is cut off by the frame blurs as if it went on.
    room = int(np.ceil(3 * softness / shrink)) + 1 if softness > 0 else 0
    small = (int(np.ceil(size[0] / shrink)) + 2 * room, int(np.ceil(size[1] / shrink)) + 2 * room)
    places = np.clip((pixels / shrink + room - 0.5) * 2**_SUBPIXEL, -(2**25), 2**25)
    canvas = np.zeros(small[::-1], np.uint8)
    cv2.fillPoly(canvas, [np.rint(places).astype(np.int32)], 255, cv2.LINE_AA, _SUBPIXEL)
    field = np.asarray(canvas / np.float32(255), np.float32)
    if softness <= 0:
        return field
    field = np.asarray(cv2.GaussianBlur(field, (0, 0), softness / shrink), np.float32)
    step = 1 / shrink
    matrix = np.array([[step, 0, 0.5 * step - 0.5 + room], [0, step, 0.5 * step - 0.5 + room]])
    return np.asarray(
        cv2.warpAffine(field, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP), np.float32
    )


def _softness(scene: Setting, outline: Points, mm: float) -> float:
    """A softness in mm as pixels around an outline."""
    return mm * scene.camera.scale_at(scene.camera.table_at(_nearest_seen(scene, outline)))


def _nearest_seen(scene: Setting, outline: Points) -> Points:
    """The middle of an outline, or the nearest place to it in the picture."""
    middle = scene.camera.project(outline.mean(axis=0)[None])[0]
    return np.asarray(np.clip(middle, 0, scene.camera.size), np.float64)


# --- light ---


def darken(scene: Setting, frame: Frame, shape: SoftShape, shade: NDArray[np.float32]) -> None:
    """Throw a shadow."""
    softness = _softness(scene, shape.outline, shape.softness)
    mask, (rows, columns) = _mask(scene, frame, shape.outline, softness)
    if mask is not None:
        shade[rows, columns] *= 1 - shape.strength * mask


def _reflect(scene: Setting, frame: Frame, glossy: NDArray[np.float32], seen: Light) -> None:
    """Add the lamps mirrored by the sheets, and the veil that laminate has all over."""
    veil = np.zeros_like(glossy)
    for shape in scene.light.reflections:
        softness = _softness(scene, shape.outline, shape.softness)
        mask, (rows, columns) = _mask(scene, frame, shape.outline, softness)
        if mask is not None:
            veil[rows, columns] += shape.strength * mask
    if scene.light.sheen > 0.002:
        places = scene.camera.table_at(grid_places(frame))
        away = ((places - scene.light.sheen_place) ** 2).sum(axis=-1)
        veil += spread(scene.light.sheen * np.exp(-away / 2 / 160**2), frame)
    veil *= glossy
    seen += veil[..., None]


def lay(scene: Setting, frame: Frame, thing: Thing, seen: Light, shine: Light | None = None) -> None:
    """Paint a thing's surfaces; ``shine`` is the light that falls on them, if they are not lit later."""
    for surface in thing.surfaces:
        mask, (rows, columns) = _mask(scene, frame, surface.outline, 0.0)
        if mask is not None:
            colour = np.asarray(surface.colour, np.float32)
            lit = colour if shine is None else colour * shine[rows, columns]
            _blend(seen[rows, columns], lit, mask)


def lay_face(frame: Frame, face: LitFace, seen: Light, lit: Light) -> None:
    """Paint a face of a piece, in the light that falls on the table where the face is seen."""
    mask, (rows, columns) = _pixel_mask(frame, face.pixels, 0.0)
    if mask is not None:
        area, drawn = cv2.contourArea(face.pixels.astype(np.float32)), float(mask.sum())
        if drawn > 1.1 * area:  # OpenCV draws what is narrower than a pixel as wide as one
            mask *= np.float32(area / drawn)
        _blend(seen[rows, columns], face.reflects * lit[rows, columns] + np.float32(face.shine), mask)


# --- behind the lens ---


def _developed(scene: Setting, light: Light, frame: Frame) -> Codes:
    """Turn light into sRGB codes: exposure, vignette, noise, tone curve, saturation, sharpening."""
    sensor = scene.sensor
    if sensor.flare:
        spread_out = (
            sensor.flare * _USUALLY_SEEN * scene.light.ambient / max(scene.light.ambient.mean(), 1e-6)
        )
        light = np.asarray((1 - sensor.flare) * light + spread_out, np.float32)
    light *= (sensor.gains * sensor.exposure).astype(np.float32)
    light *= vignette(scene.camera, sensor.vignette, frame)[..., None]
    np.clip(light, 0, 1.0, out=light)
    _add_noise(scene, frame, light)
    if sensor.denoised:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), 0.6), np.float32)
    codes = _toned(light, sensor.contrast)
    weights = np.array([[0.299, 0.587, 0.114]], np.float32)
    grey = cv2.transform(codes, weights)
    codes = np.asarray(
        grey[..., None] + (codes - grey[..., None]) * np.float32(sensor.saturation), np.float32
    )
    if sensor.sharpen > 0.05:
        soft = cv2.GaussianBlur(codes, (0, 0), 1.2)
        codes = np.asarray(cv2.addWeighted(codes, 1 + sensor.sharpen, soft, -sensor.sharpen, 0), np.float32)
    return np.asarray(np.clip(codes * 255 + 0.5, 0, 255), np.uint8)


def vignette(camera: Camera, strength: float, frame: Frame) -> NDArray[np.float32]:
    """The share of the light that comes through towards the corners of a picture."""
    centre = camera.centre
    away = ((grid_places(frame) - centre) ** 2).sum(axis=-1) / (centre**2).sum()
    return spread(1 - strength * away, frame)


def _add_noise(scene: Setting, frame: Frame, light: Light) -> None:
    """Shot noise and read noise; a camera that counts colours from a mosaic has it a little blotched."""
    rng = np.random.default_rng([scene.seed, frame.left + 4096, frame.top + 4096])
    grain = noise_field(rng, light.shape)
    strength = scene.sensor.noise
    light += grain * np.sqrt(strength**2 * (0.15 + light), dtype=np.float32)


def noise_field(rng: np.random.Generator, shape: tuple[int, ...]) -> Light:
    """Noise for an image of this shape, cut at random from a tile: fresh noise would cost too much."""
    tile = _noise_tile()
    top, left = (int(rng.integers(length)) for length in tile.shape[:2])
    if top + shape[0] <= tile.shape[0] and left + shape[1] <= tile.shape[1]:
        return tile[top : top + shape[0], left : left + shape[1]].copy()
    rows, columns = (
        np.arange(top, top + shape[0]) % tile.shape[0],
        np.arange(left, left + shape[1]) % tile.shape[1],
    )
    return np.asarray(tile[rows[:, None], columns], np.float32)


@lru_cache(maxsize=1)
def _noise_tile() -> Light:
    rng = np.random.default_rng(0)
    grain = rng.standard_normal((1031, 1033, 3), np.float32)
    return np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.5), np.float32) * 1.6


def _toned(light: Light, contrast: float) -> Light:
    """Apply gamma 2.2 and an S-curve."""
    codes = np.asarray(cv2.pow(np.maximum(light, 0), 1 / 2.2), np.float32)
    np.minimum(codes, 1, out=codes)
    return codes + contrast * (codes * codes * (3 - 2 * codes) - codes)
