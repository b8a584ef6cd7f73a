"""Taking frames of a table quickly: what does not change is exposed once for each size of frames.

The light, the things and the sensor are those of the still studio (:mod:`lab.studio.darkroom`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.studio.cameras import Camera, Frame, Matrix, grid_places, spread, surface_map
from lab.studio.darkroom import (
    Codes,
    Darkroom,
    LaidPrint,
    Light,
    darken,
    drawing_scale,
    lay,
    lay_print,
    vignette,
)
from lab.studio.settings import Setting, SoftShape, lamp_falloff
from lab.studio.things import Thing

_GRAIN = 256  # places across and down from which the noise of a frame is taken
_STILL_SHADE = 0.28  # how dark the shadow is that a thing throws, as in the still studio


@dataclass(frozen=True)
class Moment:
    """All that changes from frame to frame.

    ``gain``: of the exposure, by channel; ``slope``: how the light leans over the picture, across and down;
    ``move``: where the camera looks, as a homography of shares of the picture; ``motion``: its blur in
    shares of the picture's longer side.
    """

    number: int
    things: Sequence[Thing] = ()
    shadows: Sequence[SoftShape] = ()
    gain: NDArray[np.float64] = field(default_factory=lambda: np.ones(3))
    slope: tuple[float, float] = (0.0, 0.0)
    move: Matrix = field(default_factory=lambda: np.eye(3))
    motion: float = 0.0


class Exposure:
    """The table of a setting in frames that are ``share`` of the camera's size."""

    def __init__(self, setting: Setting, share: float) -> None:
        camera = setting.camera
        size = (round(camera.size[0] * share), round(camera.size[1] * share))
        scaled = np.diag([size[0] / camera.size[0], size[1] / camera.size[1], 1.0])
        sensor = setting.sensor
        # A small frame is a mean of the pixels of the whole one.
        calm = replace(
            sensor,
            focus=sensor.focus * share,
            motion=sensor.motion * share,
            noise=sensor.noise * max(share, 0.4),
        )
        self.share = share
        self.setting = replace(
            setting,
            camera=Camera(size, scaled @ camera.table_to_ideal, camera.focal * share, camera.k1),
            sensor=calm,
        )
        self.size = size
        self._frame = Frame(0, 0, size)
        self._expose_still()

    def _expose_still(self) -> None:
        """What does not change: the table with flat things, the light, fixed shadows, the sheen."""
        scene, frame = self.setting, self._frame
        self._ground = surface_map(scene.camera, frame)
        places = scene.camera.table_at(grid_places(frame))
        field_ = np.broadcast_to(scene.light.ambient, (*places.shape[:2], 3)).copy()
        for lamp in scene.light.lamps:
            field_ += lamp_falloff(lamp, places)[..., None] * lamp.colour
        self._shine = spread(field_, frame)
        self._shade = np.ones(self._ground.shape[:2], np.float32)
        self._bare = Darkroom(scene, []).table(self._ground)
        for thing in scene.things:
            for surface in thing.surfaces[:6]:
                shape = SoftShape(surface.outline + thing.shadow, thing.softness, _STILL_SHADE)
                darken(scene, frame, shape, self._shade)
            if not thing.over:
                lay(scene, frame, thing, self._bare)
        for shadow in scene.light.shadows:
            darken(scene, frame, shadow, self._shade)
        self._veil = np.zeros_like(self._shade)
        for shape in scene.light.reflections:
            mirrored = np.ones_like(self._shade)
            darken(scene, frame, replace(shape, strength=1.0), mirrored)
            self._veil += shape.strength * (1 - mirrored)
        lens = vignette(scene.camera, scene.sensor.vignette, frame)
        self._lens = lens[..., None] * (scene.sensor.gains * scene.sensor.exposure).astype(np.float32)
        rng = np.random.default_rng([scene.seed, 3])
        grain = rng.standard_normal((self.size[1] + _GRAIN, self.size[0] + _GRAIN, 1), np.float32)
        colours = cv2.merge([grain, np.roll(grain, 511, axis=1), np.roll(grain, 257, axis=0)])
        self._noise = np.asarray(colours * np.float32(140 * scene.sensor.noise), np.float32)
        away = ((places - scene.light.sheen_place) ** 2).sum(axis=-1)
        self._veil += spread(scene.light.sheen * np.exp(-away / 2 / 160**2), frame)

    def scale_for(self, to_table: Matrix, size: tuple[float, float]) -> float:
        """In how many pixels per mm a sheet is to be drawn that lies so."""
        middle = to_table @ np.array([size[0] / 2, size[1] / 2, 1.0])
        return drawing_scale(self.setting.camera.scale_at(middle[:2] / middle[2]))

    def take(self, prints: Sequence[LaidPrint], moment: Moment) -> Codes:
        """One frame, blue first."""
        scene, frame = self.setting, self._frame
        seen = self._bare.copy()
        glossy = np.zeros_like(self._shade)
        for laid in prints:
            lay_print(scene, frame, laid, (self._ground, seen, glossy))
        shade = self._shade.copy()
        for shadow in moment.shadows:
            darken(scene, frame, shadow, shade)
        for thing in moment.things:
            # One shadow for all of a hand: its largest surfaces throw it.
            for surface in thing.surfaces[:3]:
                shape = SoftShape(surface.outline + thing.shadow, thing.softness, 0.2)
                darken(scene, frame, shape, shade)
        seen *= self._shine
        seen *= shade[..., None]
        seen += (self._veil * glossy)[..., None]
        for thing in (*scene.things, *moment.things):
            if thing.over:
                lay(scene, frame, thing, seen, self._shine)
        return self._developed(self._as_the_camera_looks(seen, moment), moment)

    def _developed(self, light: Light, moment: Moment) -> Codes:
        """Light as codes, blue first: the steps of the still studio that cost little.

        Noise is added after the tone curve, where that of photons is nearly the same at every brightness.
        """
        sensor = self.setting.sensor
        codes = cv2.pow(np.clip(light, 0, 1), 1 / 2.2)
        rng = np.random.default_rng([self.setting.seed, moment.number])
        height, width = codes.shape[:2]
        top, left = (int(rng.integers(_GRAIN)) for _ in range(2))
        noise = self._noise[top : top + height, left : left + width]
        grey = np.asarray(cv2.scaleAdd(codes, 255.0, noise), np.float32)
        even = cv2.convertScaleAbs(np.maximum(grey, 0, out=grey))
        steps = np.linspace(0, 1, 256)
        curve = steps + sensor.contrast * (steps * steps * (3 - 2 * steps) - steps)
        toned = cv2.LUT(even, np.rint(255 * curve).astype(np.uint8))
        return np.asarray(cv2.cvtColor(toned, cv2.COLOR_RGB2BGR), np.uint8)

    def _as_the_camera_looks(self, seen: Light, moment: Moment) -> Light:
        width, height = self.size
        if not np.allclose(moment.move, np.eye(3)):
            scale = np.diag([max(self.size), max(self.size), 1.0])
            matrix = scale @ moment.move @ np.linalg.inv(scale)
            seen = np.asarray(
                cv2.warpPerspective(seen, matrix, self.size, borderMode=cv2.BORDER_REPLICATE), np.float32
            )
        sensor = self.setting.sensor
        if sensor.focus > 0.3:
            seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), sensor.focus), np.float32)
        blur = moment.motion * max(self.size)
        if blur > 1.0:
            seen = np.asarray(cv2.blur(seen, (max(1, round(blur)), 1)), np.float32)
        seen *= self._lens
        seen *= moment.gain.astype(np.float32)
        if any(moment.slope):
            across = 1 + moment.slope[0] * np.linspace(-1, 1, width, dtype=np.float32)
            down = 1 + moment.slope[1] * np.linspace(-1, 1, height, dtype=np.float32)
            seen *= (down[:, None] * across[None])[..., None]
        return seen
