"""What every picture needs, whatever lies on the table: a table, light, a camera, what is behind its lens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.studio.cameras import Camera, Matrix, camera_over, rotation, shift, transformed
from lab.studio.habits import between, one_of
from lab.studio.levels import Level
from lab.studio.strokes import Points, as_points
from lab.studio.tables import Texture, table_texture
from lab.studio.things import Thing, tablewide_shadow

Colour = NDArray[np.float64]  # (3,), linear, red first
_MOST_MEGAPIXELS = 12.0


@dataclass(frozen=True)
class Patch:
    """A flat rectangle on the table; ``to_table`` takes mm on it to mm on the table."""

    to_table: Matrix
    size: tuple[float, float]

    @property
    def outline(self) -> Points:
        """Its corners on the table, clockwise from its own top left."""
        return transformed(self.to_table, outline_of(self.size))


def outline_of(size: tuple[float, float]) -> Points:
    """The corners of a rectangle of this size, clockwise from the top left."""
    return as_points([(0, 0), (size[0], 0), size, (0, size[1])])


@dataclass(frozen=True)
class Lamp:
    """A light over the table: place and height in mm, colour times power."""

    place: Points
    height: float
    colour: Colour


@dataclass(frozen=True)
class SoftShape:
    """A shadow (``strength`` is its depth) or a reflection (of that brightness), soft by so many mm."""

    outline: Points
    softness: float
    strength: float


@dataclass(frozen=True)
class Light:
    """All light of a picture: ambient, lamps, shadows, reflections, and the sheen of laminate."""

    ambient: Colour
    lamps: list[Lamp]
    shadows: list[SoftShape]
    reflections: list[SoftShape]
    sheen: float
    sheen_place: Points


@dataclass(frozen=True)
class Sensor:
    """What lens and sensor do to the light; blur in pixels."""

    exposure: float
    gains: Colour
    vignette: float
    focus: float
    motion: float
    motion_angle: float
    noise: float
    denoised: bool
    sharpen: float
    contrast: float
    saturation: float
    jpeg: int
    flare: float = 0.0


@dataclass(frozen=True)
class Table:
    """The table's texture, in pixels per mm, and how it is turned."""

    texture: Texture
    scale: float
    from_table: Matrix


@dataclass(frozen=True)
class Setting:
    """Everything in a picture but its subject: camera, table, things about, light, sensor."""

    seed: int
    camera: Camera
    table: Table
    things: list[Thing]
    light: Light
    sensor: Sensor


@dataclass(frozen=True)
class Subject:
    """What a picture is taken of: flat rectangles that all have to be seen.

    ``reach`` is how far they spread from their middle, in mm. ``megapixels`` else follow from the level;
    ``surface`` is the kind of table, any where it is empty.
    """

    patches: Sequence[Patch]
    reach: float
    megapixels: float | None = None
    table_pixels: int = 1024
    surface: str = ""


def setting_for(
    rng: np.random.Generator, seed: int, level: Level, subject: Subject, things: Callable[[], list[Thing]]
) -> Setting:
    """A camera that sees the subject, light, a table, ``things`` and a sensor, made in this order."""
    camera = camera_for(rng, level, subject.patches, subject.megapixels)
    light = light_for(rng, level, subject.patches, subject.reach)
    table = table_for(rng, subject.table_pixels, subject.surface)
    about = things()
    sensor = sensor_for(rng, level, camera, smallest_scale(camera, subject.patches))
    return Setting(seed, camera, table, about, light, sensor)


# --- the camera ---


def camera_for(
    rng: np.random.Generator, level: Level, patches: Sequence[Patch], wished: float | None = None
) -> Camera:
    """A camera that sees all the patches; ``wished`` megapixels are taken as they are."""
    places = np.concatenate([patch.outline for patch in patches])
    megapixels = wished or float(np.exp(rng.uniform(*np.log(level.megapixels))))
    aspect = one_of(rng, (4 / 3, 4 / 3, 16 / 9, 3 / 2))
    wide, high = np.ptp(places, axis=0)
    upright = bool(high > wide) != bool(rng.random() < 0.15)  # now and then the phone is held the other way
    tilt, azimuth, margin = between(rng, level.tilt), float(rng.uniform(0, 360)), between(rng, level.margin)
    focal, k1 = float(rng.uniform(0.72, 1.15)), between(rng, level.distortion)
    if rng.random() < 0.7:
        azimuth = float(rng.normal(0, 25))  # mostly from the near side of the table
    for _ in range(12):
        size = picture_size(megapixels, aspect, upright)
        camera = camera_over(places, size, tilt, azimuth, margin, (focal * max(size), k1))
        if smallest_scale(camera, patches) >= level.scale or wished or megapixels >= _MOST_MEGAPIXELS:
            return camera
        megapixels = min(megapixels * 1.4, _MOST_MEGAPIXELS)
    return camera


def picture_size(megapixels: float, aspect: float, upright: bool) -> tuple[int, int]:
    """The width and height of a picture, in pixels, both multiples of 8."""
    long = int((megapixels * 1e6 * aspect) ** 0.5) // 8 * 8
    short = int(long / aspect) // 8 * 8
    return (short, long) if upright else (long, short)


def smallest_scale(camera: Camera, patches: Sequence[Patch]) -> float:
    """Pixels per mm where the patches are smallest in the picture."""
    corners = np.concatenate([patch.outline for patch in patches])
    return min(camera.scale_at(corner) for corner in corners)


# --- the table ---


def table_for(rng: np.random.Generator, pixels: int, kind: str = "") -> Table:
    """A random table of a kind or of any, its texture so many pixels wide."""
    scale = 3.0 * pixels / 1024
    turning = rotation(float(rng.uniform(0, 360))) @ shift(rng.uniform(-200, 200, 2))
    return Table(table_texture(rng, pixels, scale, kind), scale, turning)


# --- light ---


def light_for(rng: np.random.Generator, level: Level, patches: Sequence[Patch], reach: float) -> Light:
    """Lamps, shadows and reflections; ``reach`` is how far the patches spread from their middle, in mm."""
    middle = np.concatenate([patch.outline for patch in patches]).mean(axis=0)
    lamps = [_lamp(rng, level, middle) for _ in range(int(rng.integers(level.lamps[0], level.lamps[1] + 1)))]
    ambient = between(rng, level.ambient)
    share = (1 - ambient) / sum(_power_at(lamp, middle) for lamp in lamps)
    lamps = [Lamp(lamp.place, lamp.height, lamp.colour * share) for lamp in lamps]
    return Light(
        ambient=ambient * _cast(rng, level.colour_cast),
        lamps=lamps,
        shadows=_shadows(rng, level, middle, reach),
        reflections=_reflections(rng, level, patches),
        sheen=between(rng, level.sheen),
        sheen_place=middle + rng.normal(0, reach, 2),
    )


def _cast(rng: np.random.Generator, cast: float) -> Colour:
    """A random colour cast: from warm to cold, and a little green or magenta."""
    warm, green = rng.normal(0, cast), rng.normal(0, cast / 3)
    colour: Colour = np.exp(np.array([warm, green, -1.3 * warm], np.float64))
    return colour


def _lamp(rng: np.random.Generator, level: Level, middle: Points) -> Lamp:
    height = float(rng.uniform(300, 1600))
    return Lamp(
        middle + rng.normal(0, 0.6 * height, 2), height, _cast(rng, level.colour_cast) * rng.uniform(0.3, 1)
    )


def _power_at(lamp: Lamp, place: Points) -> float:
    return float(lamp.colour.mean() * lamp_falloff(lamp, place))


def lamp_falloff(lamp: Lamp, places: Points) -> NDArray[np.float64]:
    """The share of a lamp's light that reaches places on the table; 1 right under it."""
    away = ((places - lamp.place) ** 2).sum(axis=-1)
    falloff: NDArray[np.float64] = (1 + away / lamp.height**2) ** -1.5
    return falloff


def _shadows(rng: np.random.Generator, level: Level, middle: Points, reach: float) -> list[SoftShape]:
    if rng.random() >= level.shadow:
        return []
    return [
        SoftShape(
            tablewide_shadow(rng, middle, reach),
            float(np.exp(rng.uniform(*np.log(level.shadow_softness)))),
            between(rng, level.shadow_depth),
        )
        for _ in range(int(rng.integers(1, 4)))
    ]


def _reflections(rng: np.random.Generator, level: Level, patches: Sequence[Patch]) -> list[SoftShape]:
    """Lamps and windows mirrored in the laminate."""
    if rng.random() >= level.gloss:
        return []
    found: list[SoftShape] = []
    for _ in range(int(rng.integers(1, 4))):
        on = one_of(rng, patches)
        at = transformed(on.to_table, rng.uniform((0, 0), on.size)[None])[0]
        found += _reflection(rng, at, between(rng, level.gloss_size), between(rng, level.gloss_strength))
    return found


def _reflection(rng: np.random.Generator, at: Points, size: float, strength: float) -> list[SoftShape]:
    """A bulb, a tube, or a window of panes; around each a weaker halo, as laminate is never quite flat."""
    turn, kind = float(rng.uniform(0, np.pi)), int(rng.integers(3))
    box = as_points([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    if kind == 0:
        angle = np.linspace(0, 2 * np.pi, 20, endpoint=False)
        outlines = [np.stack([np.cos(angle), np.sin(angle)], axis=1) * size * rng.uniform(0.5, 1.2, 2)]
    elif kind == 1:
        outlines = [box * [size * rng.uniform(2, 5), size * 0.3]]
    else:
        outlines = [box * size * 0.42 + [x * size, y * size] for x in (-0.5, 0.5) for y in (-0.6, 0.6)]
    c, s = np.cos(turn), np.sin(turn)
    turned = [outline @ np.array([[c, s], [-s, c]]) + at for outline in outlines]
    softness = float(rng.uniform(0.08, 0.5)) * size
    sharp = [SoftShape(outline, softness, strength) for outline in turned]
    halo = SoftShape((turned[0] - at) * 1.8 + at, size, 0.35 * strength)
    return [*sharp, halo]


# --- the sensor ---


def sensor_for(rng: np.random.Generator, level: Level, camera: Camera, scale: float) -> Sensor:
    """A random sensor; ``scale`` is the number of pixels per mm of the smallest sheet."""
    most = level.smear * scale
    fineness = (camera.size[0] * camera.size[1] / 3e6) ** 0.5  # blur is the same share of any picture
    return Sensor(
        exposure=between(rng, level.exposure),
        gains=_cast(rng, level.colour_cast / 2),
        vignette=between(rng, level.vignette),
        focus=min(between(rng, level.focus) * max(fineness, 0.6), most),
        motion=min(between(rng, level.motion) * fineness, 2.5 * most) * float(rng.random() < 0.5),
        motion_angle=float(rng.uniform(0, np.pi)),
        noise=between(rng, level.noise),
        denoised=bool(rng.random() < level.denoise),
        sharpen=between(rng, level.sharpen),
        contrast=between(rng, (0.0, 0.5)),
        saturation=between(rng, (0.8, 1.35)),
        jpeg=int(rng.integers(level.jpeg[0], level.jpeg[1] + 1)),
        flare=between(rng, level.flare) if level.flare[1] else 0.0,
    )
