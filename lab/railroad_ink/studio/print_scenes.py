"""Photographs of invented prints with routes on them: one board, or several of one print, on a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil

import numpy as np
from msgspec import structs

from companion.core.jsontext import JsonObject
from companion.games.railroad_ink.printing.sheets import grid_area
from lab.railroad_ink.studio.boards import GivenBoard, ink_board
from lab.railroad_ink.studio.print_art import blank_print, print_origin, print_size
from lab.railroad_ink.studio.prints import Print
from lab.railroad_ink.studio.scenes import PlacedSheet, Scene
from lab.railroad_ink.studio.truths import scene_truth
from lab.studio.cameras import shift, transformed
from lab.studio.darkroom import Codes, Darkroom, LaidPrint, drawing_scale, packed, rim_of, whole_picture
from lab.studio.ink import Window, inked
from lab.studio.laying import laid, things_for
from lab.studio.levels import Level, level_named
from lab.studio.paper import on_paper, paper_for
from lab.studio.settings import Patch, Subject, outline_of, setting_for


@dataclass(frozen=True)
class PrintSpec:
    """Boards of one print in a picture, each as somebody made it up."""

    print: Print
    boards: tuple[GivenBoard, ...]
    megapixels: float | None = None
    table_pixels: int = 512


def take_prints(seed: int, level_name: str, spec: PrintSpec) -> tuple[bytes, JsonObject]:
    """One picture as JPEG, and its truth; every sheet has the corners of its ``grid`` in pixels as well."""
    level = structs.replace(level_named(level_name), scored=0.0)  # scores have no place of their own
    scene = print_scene(seed, level, spec)
    darkroom = Darkroom(scene, [_laid_print(scene, spec.print, sheet) for sheet in scene.sheets])
    truth = scene_truth(scene, "photo.jpg", level_name)
    for sheet, true in zip(scene.sheets, truth["sheets"], strict=True):
        corners = scene.camera.project(transformed(sheet.to_table, np.array(grid_area())))
        true["grid"] = np.round(corners, 2).tolist()
    return packed(whole_picture(darkroom), scene.sensor.jpeg), truth


def print_scene(seed: int, level: Level, spec: PrintSpec) -> Scene:
    """The scene that belongs to a seed."""
    rng = np.random.default_rng([seed, 11])
    count, size = len(spec.boards), print_size(spec.print)
    columns = ceil(count**0.5)
    step = max(size) * (1.06 if level.turn < 20 else 1.3)
    left, top = print_origin(spec.print)
    sheets, patches = [], []
    paper = paper_for(rng)
    for place, given in enumerate(spec.boards):
        at = np.array([place % columns, place // columns]) * step + rng.uniform(0, 0.06 * step, 2)
        to_table = laid(rng, level, at, size, count)
        patches.append(Patch(to_table, size))
        drawn = ink_board(given, level)
        sheets.append(PlacedSheet(drawn, to_table @ shift(-np.array([left, top])), paper))
    reach = 0.6 * max(size) * columns
    corners = [outline_of(size)] * len(patches)
    setting = setting_for(
        rng,
        seed,
        level,
        Subject(patches, reach, spec.megapixels, spec.table_pixels),
        lambda: things_for(rng, level, patches, corners, reach),
    )
    return Scene(**vars(setting), sheets=sheets)


def _laid_print(scene: Scene, print_: Print, sheet: PlacedSheet) -> LaidPrint:
    size, origin = print_size(print_), print_origin(print_)
    to_table = sheet.to_table @ shift(np.array(origin))
    outline = outline_of(size)
    needed = max(scene.camera.scale_at(corner) for corner in transformed(to_table, outline))
    scale = drawing_scale(needed)
    blank = on_paper(_blank(print_, scale), replace(sheet.paper, grey=False))
    window = Window(origin, scale, (blank.shape[1], blank.shape[0]))
    return LaidPrint(inked(blank, sheet.drawn.layers, window), scale, to_table, rim_of(outline))


@lru_cache(maxsize=2)
def _blank(print_: Print, scale: float) -> Codes:
    return blank_print(print_, scale)
