"""What the camera saw: for every slot of every sheet the possible marks with their probabilities.

This is where reading ends and ruling begins: the rules take a :class:`SheetReading` and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from companion.games.contract import Plain
from companion.games.railroad_ink.rules.rulebook import EditionName

EMPTY = ""  # the route text of a cell with nothing in it
SURE = 0.9  # a cell whose best route is less probable than this is doubtful
_WORTH_TELLING = 0.001
_MOST_OTHERS = 5

Corner: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class CellReading:
    """One cell: every route and :data:`EMPTY` with its probability, the most probable first.

    With ``cannot_see`` (glare, covered, cut off, ...) the probabilities are what may be guessed all the same,
    and nobody should take the best of them for what is drawn.
    """

    probabilities: dict[str, float]
    cannot_see: str | None = None
    round: int | None = None  # the number written in the cell
    round_p: float = 0.0

    @property
    def best(self) -> str:
        """The most probable route, or :data:`EMPTY`."""
        return next(iter(self.probabilities))

    @property
    def doubtful(self) -> bool:
        """Should somebody be asked?"""
        return self.cannot_see is not None or self.probabilities[self.best] < SURE


@dataclass(frozen=True)
class GoalReading:
    """A goal written on a board: its code and the value that is marked under it."""

    code: str
    p: float
    points: int | None


@dataclass(frozen=True)
class PanelReading:
    """What stands beside the grid: how probably each place is marked; what cannot be seen is left out."""

    specials: dict[str, float] = field(default_factory=dict)  # route text -> crossed off
    villages: tuple[float, ...] = ()  # circle by circle
    universities: tuple[float, ...] = ()
    goals: tuple[GoalReading | None, ...] = ()  # nothing where no code is written


@dataclass(frozen=True)
class SheetQuality:
    """How well a sheet could be seen."""

    found_by: str  # tags, taught or corners
    pixels_per_mm: float
    sharpness: float  # 1 is as sharp as the resolution allows, 0.3 is a blur
    light: float  # brightness of the paper, 0 to 1
    contrast: float  # of the printed grid against the paper
    glare: float  # share of the grid drowned in light


@dataclass(frozen=True)
class SheetReading:
    """One board in one photograph."""

    sheet: str
    edition: EditionName
    seat: int
    corners_px: tuple[Corner, Corner, Corner, Corner]  # of the sheet, clockwise from its own top left
    cells: dict[str, CellReading]
    quality: SheetQuality
    panel: PanelReading = PanelReading()

    @property
    def doubtful(self) -> tuple[str, ...]:
        """The cells somebody should be asked about."""
        return tuple(name for name, cell in self.cells.items() if cell.doubtful)


@dataclass(frozen=True)
class PhotoReading:
    """Everything read from one photograph; ``notes`` are sentences for people."""

    width: int
    height: int
    sheets: tuple[SheetReading, ...]
    notes: tuple[str, ...] = ()


def reading_json(photo: str, reading: PhotoReading, rulings: Mapping[int, Plain] | None = None) -> Plain:
    """One line of ``read --json``; ``rulings`` are by the sheet's place in the reading."""
    rulings = rulings or {}
    return {
        "photo": photo,
        "width": reading.width,
        "height": reading.height,
        "sheets": [
            _sheet_json(sheet) | ({"ruling": rulings[n]} if n in rulings else {})
            for n, sheet in enumerate(reading.sheets)
        ],
        "notes": list(reading.notes),
    }


def _sheet_json(sheet: SheetReading) -> Plain:
    return {
        "sheet": sheet.sheet,
        "edition": sheet.edition,
        "seat": sheet.seat,
        "corners": [[round(x, 2), round(y, 2)] for x, y in sheet.corners_px],
        "cells": {name: cell_json(cell) for name, cell in sheet.cells.items()},
        "doubtful": list(sheet.doubtful),
        **_panel_json(sheet.panel),
        "quality": _quality_json(sheet.quality),
    }


def cell_json(cell: CellReading) -> Plain:
    """A cell as ``read --json`` tells it."""
    if cell.cannot_see is not None:
        return {"cannot_see": cell.cannot_see}
    found: Plain = {"route": cell.best or None, "p": _share(cell.probabilities[cell.best])}
    if cell.round is not None:
        found["round"] = cell.round
    others = [
        [text or None, _share(p)] for text, p in list(cell.probabilities.items())[1:] if p >= _WORTH_TELLING
    ]
    return found | ({"others": others[:_MOST_OTHERS]} if others else {})


def _share(p: float) -> float:
    return round(p, 4)


def _panel_json(panel: PanelReading) -> Plain:
    def marked(values: tuple[float, ...]) -> int:
        return sum(p > 0.5 for p in values)

    found: Plain = {"specials": [text for text, p in panel.specials.items() if p > 0.5]}
    if panel.villages:
        found |= {"villages": marked(panel.villages), "universities": marked(panel.universities)}
    if panel.goals:
        found["goals"] = [_goal_json(goal) for goal in panel.goals]
    return found


def _goal_json(goal: GoalReading | None) -> Plain | None:
    return None if goal is None else {"goal": goal.code, "p": _share(goal.p), "points": goal.points}


def _quality_json(quality: SheetQuality) -> Plain:
    numbers = {
        "pixels_per_mm": quality.pixels_per_mm,
        "sharpness": quality.sharpness,
        "light": quality.light,
        "contrast": quality.contrast,
        "glare": quality.glare,
    }
    return {"found_by": quality.found_by} | {name: round(value, 3) for name, value in numbers.items()}
