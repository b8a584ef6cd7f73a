"""Taking the picture of a table with boards: every sheet printed, inked and laid into the darkroom."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from companion.games.railroad_ink.printing.printed_art import sheet_drawing
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls
from companion.sheets.printing.png import picture
from lab.railroad_ink.studio.scenes import SHEET_OUTLINE, PlacedSheet, Scene
from lab.studio.cameras import transformed
from lab.studio.darkroom import Codes, Darkroom, LaidPrint, drawing_scale, rim_of, whole_picture
from lab.studio.ink import Window, inked
from lab.studio.paper import on_paper


def photograph(scene: Scene) -> Codes:
    """The whole picture before it is packed as JPEG."""
    return whole_picture(sheet_darkroom(scene))


@lru_cache(maxsize=48)
def blank_sheet(edition: str, seat: int, scale: float, walls: Walls = NO_WALLS) -> Codes:
    """An empty sheet as it is printed."""
    return np.asarray(picture(sheet_drawing(seat, edition, walls), scale * 25.4))


def sheet_darkroom(scene: Scene) -> Darkroom:
    """The darkroom for a scene with Railroad Ink sheets."""
    return Darkroom(scene, [_drawn(scene, sheet) for sheet in scene.sheets])


def _drawn(scene: Scene, sheet: PlacedSheet) -> LaidPrint:
    """A sheet with its ink, at a scale a little finer than the picture's."""
    corners = transformed(sheet.to_table, SHEET_OUTLINE)
    scale = drawing_scale(max(scene.camera.scale_at(corner) for corner in corners))
    marks = sheet.drawn.marks
    blank = on_paper(blank_sheet(marks.edition, sheet.drawn.seat, scale, marks.walls), sheet.paper)
    window = Window((0, 0), scale, (blank.shape[1], blank.shape[0]))
    return LaidPrint(inked(blank, sheet.drawn.layers, window), scale, sheet.to_table, rim_of(SHEET_OUTLINE))
