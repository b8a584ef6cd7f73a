"""One picture to be taken: sheets on a table, things, light and a camera, all by the seed."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from companion.games.kit.tags import SEATS
from companion.games.railroad_ink.printed import PRINTED, tag_corner
from vision.studio.boards import (
    NOTHING_HELD_OUT,
    BoardKind,
    DrawnSheet,
    GivenBoard,
    HeldOut,
    draw_sheet,
    ink_board,
)
from vision.studio.cameras import Camera, Matrix, camera_over, rotation, shift, transformed
from vision.studio.habits import between, one_of
from vision.studio.levels import Level
from vision.studio.strokes import Points, as_points
from vision.studio.tables import Texture, table_texture
from vision.studio.things import Thing, hand_over, pen, small_thing, tablewide_shadow

Colour = NDArray[np.float64]  # (3,), linear, red first
SHEET_OUTLINE = as_points([(0, 0), (PRINTED.size[0], 0), PRINTED.size, (0, PRINTED.size[1])])
_MOST_MEGAPIXELS = 12.0


@dataclass(frozen=True)
class Paper:
    """How a sheet came out of the printer and the laminator."""

    tint: tuple[float, float, float]
    strength: float  # of the print; 1 is as designed
    grey: bool  # printed without colour


@dataclass(frozen=True)
class PlacedSheet:
    """A sheet on the table; ``to_table`` takes mm on the sheet to mm on the table."""

    drawn: DrawnSheet
    to_table: Matrix
    paper: Paper


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
    """Everything that shines, shades and is reflected."""

    ambient: Colour
    lamps: list[Lamp]
    shadows: list[SoftShape]
    reflections: list[SoftShape]
    sheen: float
    sheen_place: Points


@dataclass(frozen=True)
class Sensor:
    """What happens behind the lens; blur in pixels."""

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


@dataclass(frozen=True)
class Table:
    """The table's texture, in pixels per mm, and how it is turned."""

    texture: Texture
    scale: float
    from_table: Matrix


@dataclass(frozen=True)
class Scene:
    """Everything about one picture."""

    seed: int
    camera: Camera
    sheets: list[PlacedSheet]
    table: Table
    things: list[Thing]
    light: Light
    sensor: Sensor


@dataclass(frozen=True)
class Wish:
    """What is asked of a scene beyond its level; ``None`` leaves it to the seed."""

    boards: tuple[GivenBoard, ...] = ()  # known boards instead of made-up ones
    kind: BoardKind = "legal"
    held_out: HeldOut = NOTHING_HELD_OUT
    sheets: int | None = None
    megapixels: float | None = None
    table_pixels: int = 1024


def make_scene(seed: int, level: Level, wish: Wish | None = None) -> Scene:
    """The scene that belongs to a seed."""
    wish = wish or Wish()
    rng = np.random.default_rng(seed)
    count = len(wish.boards) or wish.sheets or _sheet_count(rng, level)
    sheets = _sheets(rng, level, wish, count)
    camera = _camera(rng, level, wish, sheets)
    reach = 110.0 * ceil(count**0.5)
    light = _light(rng, level, sheets, reach)
    return Scene(
        seed=seed,
        camera=camera,
        sheets=sheets,
        table=_table(rng, wish),
        things=_things(rng, level, sheets, reach),
        light=light,
        sensor=_sensor(rng, level, camera, _smallest_scale(camera, sheets)),
    )


# --- sheets ---


def _sheet_count(rng: np.random.Generator, level: Level) -> int:
    """One board in half of the pictures, and otherwise as many as the level allows."""
    several = rng.random() < 0.5
    return int(rng.integers(level.sheets[0], level.sheets[1] + 1)) if several else level.sheets[0]


def _sheets(rng: np.random.Generator, level: Level, wish: Wish, count: int) -> list[PlacedSheet]:
    columns = ceil(count**0.5)
    step = 205.0 if level.turn < 20 else 242.0
    sheets: list[PlacedSheet] = []
    for place, drawn in enumerate(_drawn(rng, level, wish, count)):
        at = np.array([place % columns, place // columns]) * step + rng.uniform(0, 12, 2)
        sheets.append(PlacedSheet(drawn, _laid(rng, level, at, count), _paper(rng)))
    return sheets


def _drawn(rng: np.random.Generator, level: Level, wish: Wish, count: int) -> list[DrawnSheet]:
    if wish.boards:
        playing = structs.replace(level, scored=0.0)  # known boards are photographed during a match
        return [ink_board(board, playing, wish.held_out) for board in wish.boards]
    seats = rng.permutation(SEATS)[:count] + 1
    return [draw_sheet(rng, int(seat), level, wish.kind, wish.held_out) for seat in seats]


def _laid(rng: np.random.Generator, level: Level, at: Points, count: int) -> Matrix:
    """Boards face their players, who sit all around the table."""
    facing = rng.choice([0, 90, 180, 270]) if count > 1 and level.turn > 20 else 0.0
    turn = facing + np.clip(rng.normal(0, level.turn / 2.5), -level.turn, level.turn) * (
        0.5 if count > 1 else 1
    )
    return shift(at) @ rotation(float(turn)) @ shift(-np.asarray(PRINTED.size) / 2)


def _paper(rng: np.random.Generator) -> Paper:
    white = rng.uniform(0.8, 1.0)
    r, g, b = np.clip(white + rng.normal(0, 0.02, 3) * [1, 0.5, 1.5], 0.6, 1)
    return Paper((float(r), float(g), float(b)), between(rng, (0.7, 1.1)), bool(rng.random() < 0.12))


# --- the camera ---


def _camera(rng: np.random.Generator, level: Level, wish: Wish, sheets: list[PlacedSheet]) -> Camera:
    places = np.concatenate([transformed(sheet.to_table, SHEET_OUTLINE) for sheet in sheets])
    megapixels = wish.megapixels or float(np.exp(rng.uniform(*np.log(level.megapixels))))
    aspect = one_of(rng, (4 / 3, 4 / 3, 16 / 9, 3 / 2))
    wide, high = np.ptp(places, axis=0)
    upright = bool(high > wide) != bool(rng.random() < 0.15)  # now and then the phone is held the other way
    tilt, azimuth, margin = between(rng, level.tilt), float(rng.uniform(0, 360)), between(rng, level.margin)
    focal, k1 = float(rng.uniform(0.72, 1.15)), between(rng, level.distortion)
    if rng.random() < 0.7:
        azimuth = float(rng.normal(0, 25))  # mostly from the near side of the table
    for _ in range(12):
        size = _size(megapixels, aspect, upright)
        camera = camera_over(places, size, tilt, azimuth, margin, (focal * max(size), k1))
        if (
            _smallest_scale(camera, sheets) >= level.scale
            or wish.megapixels
            or megapixels >= _MOST_MEGAPIXELS
        ):
            return camera
        megapixels = min(megapixels * 1.4, _MOST_MEGAPIXELS)
    return camera


def _size(megapixels: float, aspect: float, upright: bool) -> tuple[int, int]:
    long = int((megapixels * 1e6 * aspect) ** 0.5) // 8 * 8
    short = int(long / aspect) // 8 * 8
    return (short, long) if upright else (long, short)


def _smallest_scale(camera: Camera, sheets: list[PlacedSheet]) -> float:
    corners = np.concatenate([transformed(sheet.to_table, SHEET_OUTLINE) for sheet in sheets])
    return min(camera.scale_at(corner) for corner in corners)


# --- the table and what lies on it ---


def _table(rng: np.random.Generator, wish: Wish) -> Table:
    scale = 3.0 * wish.table_pixels / 1024
    turning = rotation(float(rng.uniform(0, 360))) @ shift(rng.uniform(-200, 200, 2))
    return Table(table_texture(rng, wish.table_pixels, scale), scale, turning)


def _things(rng: np.random.Generator, level: Level, sheets: list[PlacedSheet], reach: float) -> list[Thing]:
    outlines = [transformed(sheet.to_table, SHEET_OUTLINE) for sheet in sheets]
    middle = np.concatenate(outlines).mean(axis=0)
    things = [
        small_thing(rng, middle + rng.normal(0, 1.1 * reach, 2), over=False)
        for _ in range(int(rng.integers(level.clutter[0], level.clutter[1] + 1)))
    ]
    if rng.random() < level.pens_near:
        things += [pen(rng, _beside(rng, one_of(rng, outlines))) for _ in range(int(rng.integers(1, 4)))]
    for sheet in sheets:
        if rng.random() < level.covered_corner:
            things.append(_on_a_corner(rng, sheet))
    if rng.random() < level.hands:
        tip = _beside(rng, one_of(rng, outlines), 0.75)
        things.append(hand_over(rng, tip, middle + (tip - middle) * 4))
    return things


def _beside(rng: np.random.Generator, outline: Points, least: float = 1.1) -> Points:
    """A place around the rim of a sheet; ``least`` below 1 is on it."""
    middle = outline.mean(axis=0)
    share = rng.uniform(0, 1)
    side = int(rng.integers(4))
    rim = outline[side] * (1 - share) + outline[(side + 1) % 4] * share
    place: Points = middle + (rim - middle) * rng.uniform(least, least + 0.5)
    return place


def _on_a_corner(rng: np.random.Generator, sheet: PlacedSheet) -> Thing:
    half = PRINTED.tag.side / 2
    corner = np.asarray(tag_corner(int(rng.integers(4)))) + half
    at = transformed(sheet.to_table, corner[None])[0] + rng.normal(0, 5, 2)
    return pen(rng, at) if rng.random() < 0.3 else _small_on_top(rng, at)


def _small_on_top(rng: np.random.Generator, at: Points) -> Thing:
    while True:
        thing = small_thing(rng, at, over=True)
        if np.ptp(thing.surfaces[0].outline, axis=0).max() < 40:
            return thing


# --- light ---


def _light(rng: np.random.Generator, level: Level, sheets: list[PlacedSheet], reach: float) -> Light:
    middle = np.concatenate([transformed(sheet.to_table, SHEET_OUTLINE) for sheet in sheets]).mean(axis=0)
    lamps = [_lamp(rng, level, middle) for _ in range(int(rng.integers(level.lamps[0], level.lamps[1] + 1)))]
    ambient = between(rng, level.ambient)
    share = (1 - ambient) / sum(_power_at(lamp, middle) for lamp in lamps)
    lamps = [Lamp(lamp.place, lamp.height, lamp.colour * share) for lamp in lamps]
    return Light(
        ambient=ambient * _cast(rng, level.colour_cast),
        lamps=lamps,
        shadows=_shadows(rng, level, middle, reach),
        reflections=_reflections(rng, level, sheets),
        sheen=between(rng, level.sheen),
        sheen_place=middle + rng.normal(0, reach, 2),
    )


def _cast(rng: np.random.Generator, cast: float) -> Colour:
    """Light from warm to cold, and a little green or magenta."""
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
    """How much of a lamp's light falls on places of the table; 1 right under it."""
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


def _reflections(rng: np.random.Generator, level: Level, sheets: list[PlacedSheet]) -> list[SoftShape]:
    """Lamps and windows mirrored in the laminate."""
    if rng.random() >= level.gloss:
        return []
    found: list[SoftShape] = []
    for _ in range(int(rng.integers(1, 4))):
        on = one_of(rng, sheets)
        at = transformed(on.to_table, rng.uniform((0, 0), PRINTED.size)[None])[0]
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


def _sensor(rng: np.random.Generator, level: Level, camera: Camera, scale: float) -> Sensor:
    """``scale`` is the number of pixels per mm of the smallest sheet."""
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
    )
