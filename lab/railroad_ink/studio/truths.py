"""The truth beside a picture: where every sheet lies, what is drawn on it, and what cannot be seen."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.jsontext import JsonObject
from companion.games.railroad_ink.printing.printed import PRINTED, cell_corner
from companion.games.railroad_ink.rules.boards.walls import print_walls
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.studio.scenes import SHEET_OUTLINE, PlacedSheet, Scene
from lab.studio.cameras import Camera, inverse, transformed
from lab.studio.strokes import Points, as_points
from lab.studio.truth import drowned_in, lying_over, picture_truth, unseen_shares

_FINENESS = 2  # pixels per mm in which hidden shares are counted


def scene_truth(scene: Scene, photo: str, level: str) -> JsonObject:
    """Everything about a picture, as plain data."""
    return picture_truth(scene, photo, level, [_sheet_truth(scene, sheet) for sheet in scene.sheets])


def _sheet_truth(scene: Scene, sheet: PlacedSheet) -> JsonObject:
    marks, hand = sheet.drawn.marks, sheet.drawn.hand
    outline = transformed(sheet.to_table, SHEET_OUTLINE)
    return {
        "sheet": PRINTED.name,
        "edition": marks.edition,
        "seat": sheet.drawn.seat,
        "corners": np.round(scene.camera.project(outline), 2).tolist(),
        "homography": (scene.camera.table_to_ideal @ sheet.to_table).tolist(),
        "cells": _cells(scene, sheet),
        "rounds_written": marks.rounds_written,
        "specials": list(marks.specials),
        "villages": marks.villages,
        "universities": marks.universities,
        "goals": [{"goal": code, "points": value} for code, value in marks.goals],
        **({"walls": print_walls(marks.walls)} if marks.walls else {}),
        **({"expansion": marks.expansion, "marks": marks.signs} if marks.expansion else {}),
        "style": hand.style,
        "pen": hand.pen,
        "drawn_as": {"highway": hand.highway, "railway": hand.railway, "station": hand.station},
    }


def _cells(scene: Scene, sheet: PlacedSheet) -> JsonObject:
    marks = sheet.drawn.marks
    hidden, glare = hidden_shares(scene, sheet), glare_shares(scene, sheet)
    found: JsonObject = {}
    for cell, name in enumerate(GRID.names):
        route = marks.cells.get(cell)
        entry: JsonObject = {"route": None if route is None else route.text}
        if cell in marks.rounds:
            entry["round"] = marks.rounds[cell]
        found[name] = entry | unseen_shares(hidden[cell], glare[cell])
    return found


def hidden_shares(scene: Scene, sheet: PlacedSheet) -> NDArray[np.float64]:
    """The share of each cell that lies under something or outside the picture."""
    return np.maximum(_covered(sheet, lying_over(scene)), _outside(scene.camera, sheet))


def glare_shares(scene: Scene, sheet: PlacedSheet) -> NDArray[np.float64]:
    """The share of each cell that is drowned in reflections."""
    return _covered(sheet, drowned_in(scene))


def _covered(sheet: PlacedSheet, outlines: Sequence[Points]) -> NDArray[np.float64]:
    corner, side = np.asarray(PRINTED.grid.corner), round(PRINTED.grid.cell * _FINENESS)
    canvas = np.zeros((GRID.rows * side, GRID.columns * side), np.uint8)
    for outline in outlines:
        places = (transformed(inverse(sheet.to_table), outline) - corner) * _FINENESS
        cv2.fillPoly(canvas, [np.rint(np.clip(places, -(2**14), 2**14)).astype(np.int32)], 1)
    shares = canvas.reshape(GRID.rows, side, GRID.columns, side).mean(axis=(1, 3))
    return np.asarray(shares.ravel(), np.float64)


def _outside(camera: Camera, sheet: PlacedSheet) -> NDArray[np.float64]:
    """The share of each cell that is cut off by the picture's edge."""
    steps = (
        (np.stack(np.meshgrid(np.arange(6), np.arange(6)), axis=-1).reshape(-1, 2) + 0.5)
        / 6
        * PRINTED.grid.cell
    )
    corners = as_points([cell_corner(cell) for cell in range(GRID.size)])
    places = camera.project(transformed(sheet.to_table, corners[:, None] + steps))
    out = (places < 0) | (places > np.asarray(camera.size))
    shares: NDArray[np.float64] = out.any(axis=-1).mean(axis=1)
    return shares
