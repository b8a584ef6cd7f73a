"""One picture to be taken: sheets on a table, things, light and a camera, all by the seed."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
from msgspec import structs

from companion.games.kit.tags import SEATS
from companion.games.railroad_ink.paper.printed import PRINTED, tag_corner
from lab.railroad_ink.studio.boards import (
    NOTHING_HELD_OUT,
    BoardKind,
    DrawnSheet,
    GivenBoard,
    HeldOut,
    draw_sheet,
    ink_board,
)
from lab.studio.cameras import Matrix, rotation, shift, transformed
from lab.studio.habits import between, one_of
from lab.studio.levels import Level
from lab.studio.settings import (
    Patch,
    Setting,
    camera_for,
    light_for,
    outline_of,
    sensor_for,
    smallest_scale,
    table_for,
)
from lab.studio.strokes import Points
from lab.studio.things import Thing, hand_over, pen, small_thing

SHEET_OUTLINE = outline_of(PRINTED.size)


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
class Scene(Setting):
    """Everything about one picture."""

    sheets: list[PlacedSheet]


@dataclass(frozen=True)
class Wish:
    """What is asked of a scene beyond its level; ``None`` leaves it to the seed."""

    boards: tuple[GivenBoard, ...] = ()  # known boards instead of made-up ones
    kind: BoardKind = "legal"
    held_out: HeldOut = NOTHING_HELD_OUT
    careless: float | None = None  # share of people whose drawings are hard to tell apart
    sheets: int | None = None
    megapixels: float | None = None
    table_pixels: int = 1024


def make_scene(seed: int, level: Level, wish: Wish | None = None) -> Scene:
    """The scene that belongs to a seed."""
    wish = wish or Wish()
    if wish.careless is not None:
        level = structs.replace(level, careless=wish.careless)
    rng = np.random.default_rng(seed)
    count = len(wish.boards) or wish.sheets or _sheet_count(rng, level)
    sheets = _sheets(rng, level, wish, count)
    patches = [Patch(sheet.to_table, PRINTED.size) for sheet in sheets]
    camera = camera_for(rng, level, patches, wish.megapixels)
    reach = 110.0 * ceil(count**0.5)
    light = light_for(rng, level, patches, reach)
    return Scene(
        seed=seed,
        camera=camera,
        sheets=sheets,
        table=table_for(rng, wish.table_pixels),
        things=_things(rng, level, sheets, reach),
        light=light,
        sensor=sensor_for(rng, level, camera, smallest_scale(camera, patches)),
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


# --- what lies about ---


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
