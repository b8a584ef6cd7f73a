"""One picture to be taken: sheets on a table, things, light and a camera, all by the seed."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
from msgspec import structs

from companion.games.railroad_ink.printing.printed import PRINTED, tag_corner
from companion.sheets.tags import SEATS
from lab.railroad_ink.studio.boards import (
    NOTHING_HELD_OUT,
    BoardKind,
    DrawnSheet,
    GivenBoard,
    HeldOut,
    draw_sheet,
    ink_board,
)
from lab.studio.cameras import Matrix
from lab.studio.laying import laid, things_for
from lab.studio.levels import Level
from lab.studio.paper import Paper, paper_for
from lab.studio.settings import Patch, Setting, Subject, outline_of, setting_for
from lab.studio.strokes import Points, as_points

SHEET_OUTLINE = outline_of(PRINTED.size)


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
class SceneSpec:
    """What is asked of a scene beyond its level; ``None`` leaves it to the seed."""

    boards: tuple[GivenBoard, ...] = ()  # known boards instead of made-up ones
    kind: BoardKind = "legal"
    expansion: str = ""  # whose marks stand on made-up boards
    held_out: HeldOut = NOTHING_HELD_OUT
    people: str | None = None  # who draws: a stranger by name, "" for anybody in the widest ranges
    careless: float | None = None  # share of people whose drawings are hard to tell apart
    sheets: int | None = None
    megapixels: float | None = None
    table_pixels: int = 1024


def make_scene(seed: int, level: Level, spec: SceneSpec | None = None) -> Scene:
    """The scene that belongs to a seed."""
    spec = spec or SceneSpec()
    if spec.careless is not None:
        level = structs.replace(level, careless=spec.careless)
    rng = np.random.default_rng(seed)
    count = len(spec.boards) or spec.sheets or _sheet_count(rng, level)
    columns = ceil(count**0.5)
    step = 205.0 if level.turn < 20 else 242.0
    sheets: list[PlacedSheet] = []
    for place, drawn in enumerate(_drawn(rng, level, spec, count)):
        at = np.array([place % columns, place // columns]) * step + rng.uniform(0, 12, 2)
        sheets.append(PlacedSheet(drawn, laid(rng, level, at, PRINTED.size, count), paper_for(rng)))
    patches = [Patch(sheet.to_table, PRINTED.size) for sheet in sheets]
    reach = 110.0 * ceil(count**0.5)
    setting = setting_for(
        rng,
        seed,
        level,
        Subject(patches, reach, spec.megapixels, spec.table_pixels),
        lambda: things_for(rng, level, patches, [_tag_middles()] * len(patches), reach),
    )
    return Scene(**vars(setting), sheets=sheets)


# --- sheets ---


def _sheet_count(rng: np.random.Generator, level: Level) -> int:
    """How many boards a picture has: one in half of them, otherwise as many as the level allows."""
    several = rng.random() < 0.5
    return int(rng.integers(level.sheets[0], level.sheets[1] + 1)) if several else level.sheets[0]


def _drawn(rng: np.random.Generator, level: Level, spec: SceneSpec, count: int) -> list[DrawnSheet]:
    if spec.boards:
        playing = structs.replace(level, scored=0.0)  # known boards are photographed during a match
        return [ink_board(board, playing, spec.held_out, spec.people) for board in spec.boards]
    seats = rng.permutation(SEATS)[:count] + 1
    return [
        draw_sheet(rng, int(seat), level, spec.kind, spec.held_out, spec.people, spec.expansion)
        for seat in seats
    ]


def _tag_middles() -> Points:
    """The middles of the four corner tags, in mm on the sheet."""
    return as_points([tag_corner(corner) for corner in range(4)]) + PRINTED.tag.side / 2
