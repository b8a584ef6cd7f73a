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
    lay_face,
    lay_print,
    vignette,
)
from lab.studio.settings import Setting, SoftShape, lamp_falloff
from lab.studio.solids import Solid, farthest_first, lit_faces, shadows_of
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
        self._laid: list[LaidPrint] = []  # as they lie in what is seen
        self._expose_still()

    def _expose_still(self) -> None:
        """What does not change: the table with flat things, the light, fixed shadows, the sheen."""
        scene, frame = self.setting, self._frame
        self._ground = surface_map(scene.camera, frame)
        places = scene.camera.table_at(grid_places(frame))
        field_ = np.broadcast_to(scene.light.ambient, (*places.shape[:2], 3)).copy()
        for lamp in scene.light.lamps:
            field_ += lamp_falloff(lamp, places)[..., None] * lamp.colour
        # What the lens and the sensor make of light is taken in where it falls: both are smooth
        sensor = scene.sensor
        lens = vignette(scene.camera, sensor.vignette, frame)
        self._gains = (sensor.gains * sensor.exposure).astype(np.float32)
        self._shine = np.asarray(spread(field_, frame) * lens[..., None] * self._gains, np.float32)
        self._shade = np.ones(self._ground.shape[:2], np.float32)
        self._lay_bare()
        for thing in scene.things:
            for surface in thing.surfaces[:6]:
                shape = SoftShape(surface.outline + thing.shadow, thing.softness, _STILL_SHADE)
                darken(scene, frame, shape, self._shade)
        for shadow in scene.light.shadows:
            darken(scene, frame, shadow, self._shade)
        self._veil = np.zeros_like(self._shade)
        for shape in scene.light.reflections:
            mirrored = np.ones_like(self._shade)
            darken(scene, frame, replace(shape, strength=1.0), mirrored)
            self._veil += shape.strength * (1 - mirrored)
        away = ((places - scene.light.sheen_place) ** 2).sum(axis=-1)
        self._veil += spread(scene.light.sheen * np.exp(-away / 2 / 160**2), frame)
        self._veil *= lens
        rng = np.random.default_rng([scene.seed, 3])
        grain = rng.standard_normal((self.size[1] + _GRAIN, self.size[0] + _GRAIN, 1), np.float32)
        colours = cv2.merge([grain, np.roll(grain, 511, axis=1), np.roll(grain, 257, axis=0)])
        self._noise = np.asarray(np.rint(colours * np.float32(140 * sensor.noise)), np.int8)

    def _lay_bare(self) -> None:
        """The table in its light, and what lies under everything."""
        self._lit, self._glossy = Darkroom(self.setting, []).table(self._ground), np.zeros_like(self._shade)
        self._lit *= self._shine
        for thing in self.setting.things:
            if not thing.over:
                lay(self.setting, self._frame, thing, self._lit, self._shine)

    def _lay(self, prints: Sequence[LaidPrint]) -> None:
        """Lay the prints; those that lie as before, and look as before, are there already."""
        still = len(prints) == len(self._laid) and all(
            np.array_equal(one.to_table, before.to_table)
            for one, before in zip(prints, self._laid, strict=True)
        )
        if not still:
            self._lay_bare()
        for number, laid in enumerate(prints):
            if not still or laid.raster is not self._laid[number].raster:
                fields = (self._ground, self._lit, self._glossy)
                lay_print(self.setting, self._frame, laid, fields, self._shine)
        self._laid = list(prints)

    def scale_for(self, to_table: Matrix, size: tuple[float, float]) -> float:
        """In how many pixels per mm a sheet is to be drawn that lies so."""
        middle = to_table @ np.array([size[0] / 2, size[1] / 2, 1.0])
        return drawing_scale(self.setting.camera.scale_at(middle[:2] / middle[2]))

    def take(
        self,
        prints: Sequence[LaidPrint],
        drawn: Sequence[LaidPrint],
        solids: Sequence[Solid],
        moment: Moment,
    ) -> Codes:
        """One frame, blue first; ``drawn`` are the parts of prints on which something is being drawn."""
        scene, frame = self.setting, self._frame
        self._lay(prints)
        seen = self._lit.copy() if drawn else self._lit
        for laid in drawn:
            lay_print(scene, frame, laid, (self._ground, seen, self._glossy), self._shine)
        shade = self._shade.copy()
        for shadow in moment.shadows:
            darken(scene, frame, shadow, shade)
        for thing in moment.things:
            # One shadow for all of a hand: its largest surfaces throw it.
            for surface in thing.surfaces[:3]:
                shape = SoftShape(surface.outline + thing.shadow, thing.softness, 0.2)
                darken(scene, frame, shape, shade)
        lit = self._shine * shade[..., None] if solids else self._shine
        for shape in (shape for solid in solids for shape in shadows_of(solid, scene.light)):
            darken(scene, frame, shape, shade)
        seen = np.asarray(seen * shade[..., None], np.float32)
        seen += (self._veil * self._glossy)[..., None] * self._gains
        standing = farthest_first(solids, scene.camera)
        for face in (face for solid in standing for face in lit_faces(solid, scene.light, scene.camera)):
            lay_face(frame, face, seen, lit)
        for thing in (*scene.things, *moment.things):
            if thing.over:
                lay(scene, frame, thing, seen, self._shine)
        return self._developed(self._as_the_camera_looks(seen, moment), moment)

    def _developed(self, light: Light, moment: Moment) -> Codes:
        """Light as codes, blue first: the steps of the still studio that cost little.

        Noise is added to the roots of light, where that of photons is the same at every brightness.
        """
        # Square roots take a tenth of the time of other powers, and 8 bits of them are enough
        roots = cv2.convertScaleAbs(cv2.sqrt(light), alpha=255.0)
        rng = np.random.default_rng([self.setting.seed, moment.number])
        height, width = roots.shape[:2]
        top, left = (int(rng.integers(_GRAIN)) for _ in range(2))
        noise = self._noise[top : top + height, left : left + width]
        noisy = cv2.add(roots, noise, dtype=cv2.CV_8U)
        steps = np.linspace(0, 1, 256) ** (2 / 2.2)
        contrast = self.setting.sensor.contrast
        curve = steps + contrast * (steps * steps * (3 - 2 * steps) - steps)
        toned = cv2.LUT(noisy, np.rint(255 * curve).astype(np.uint8))
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
        seen *= moment.gain.astype(np.float32)
        if any(moment.slope):
            across = 1 + moment.slope[0] * np.linspace(-1, 1, width, dtype=np.float32)
            down = 1 + moment.slope[1] * np.linspace(-1, 1, height, dtype=np.float32)
            seen *= (down[:, None] * across[None])[..., None]
        return seen
