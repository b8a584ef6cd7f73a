"""The reading of a board: the probable routes of every cell, and the marks beside the grid.

This is where reading ends and ruling begins: the rules take a :class:`SheetReading` and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from companion.core.jsontext import JsonObject
from companion.games.railroad_ink.reader.mark_classes import is_alone, told_looks
from companion.games.railroad_ink.rules.rulebook import EditionName
from companion.reading import evidence
from companion.reading.evidence import (
    EMPTY,
    MarkProbabilities,
    SlotReading,
    corners_json,
    probabilities_of,
    slot_json,
)
from companion.reading.joining import OUTSIDE

# A cell so surely filled by a mark is not covered and has no route: the network of routes knows no lava.
FILLED = 0.9
NOBODY = 0  # the seat of a blueprint card
_MARK_SEEN = 0.9  # of marks that are seen in cells of which little is seen, so many are there


@dataclass(frozen=True)
class CellReading(SlotReading):
    """One cell: its marks are routes."""

    round: int | None = None  # the number written in the cell
    round_p: float = 0.0
    written: float | None = None  # how probably a number stands there; None where nobody looked for one
    glimpsed: float = 0.0  # where it cannot be seen: how far the guess at what is left to see may be trusted
    veiled: bool = False  # under so much light that ink there would look wiped


@dataclass(frozen=True)
class GoalReading:
    """A goal written on a board: its code and the value that is marked under it."""

    code: str
    p: float
    points: int | None


@dataclass(frozen=True)
class PanelReading:
    """The marks beside the grid, with their probabilities; places that cannot be seen are left out."""

    specials: dict[str, float] = field(default_factory=dict)  # route text -> crossed off
    villages: tuple[float, ...] = ()  # circle by circle
    universities: tuple[float, ...] = ()
    goals: tuple[GoalReading | None, ...] = ()  # nothing where no code is written


@dataclass(frozen=True)
class SheetQuality(evidence.Quality):
    """The conditions under which a board was seen."""

    sharpness: float  # 1 is as sharp as the resolution allows, 0.3 is a blur
    contrast: float  # of the printed grid against the paper
    glare: float  # share of the grid drowned in light


@dataclass(frozen=True)
class SheetReading(evidence.SheetReading[CellReading]):
    """One board in one photograph. Its slots are the cells of the grid."""

    edition: EditionName
    quality: SheetQuality
    panel: PanelReading = PanelReading()
    expansion: str = ""  # whose marks were read
    walls: tuple[str, ...] | None = None  # as they are printed on it, or on the card beside it
    marks: Mapping[str, SlotReading] = field(default_factory=dict)  # by place: see ``mark_classes``
    upper_known: bool = True  # which of its ends is the upper one

    @property
    def is_card(self) -> bool:
        """Return True if this is a separate blueprint card and not a board."""
        return self.seat == NOBODY

    @property
    def cells(self) -> Mapping[str, CellReading]:
        """The slots by cell name."""
        return self.slots

    @property
    def glimpses(self) -> dict[str, MarkProbabilities]:
        """The probabilities of partly hidden cells: guesses, mixed with as much doubt as they deserve.

        They are for a ruling with dice alone, which weighs them against what else may be there.
        """
        return {
            name: _mixed_with_doubt(cell.probabilities, cell.glimpsed)
            for name, cell in self.cells.items()
            if cell.cannot_see is not None and cell.glimpsed
        }

    @property
    def mark_glimpses(self) -> dict[str, MarkProbabilities]:
        """The probabilities of partly hidden marks, mixed with as much doubt as they deserve.

        A mark that is seen is mostly there, however little is visible; no mark seen says as little as the
        look at the route.
        """
        return {
            place: _mixed_with_doubt(slot.probabilities, trusted)
            for place, slot in self.marks.items()
            if slot.cannot_see is not None and (trusted := self._trusted(place, slot))
        }

    def _trusted(self, place: str, slot: SlotReading) -> float:
        if slot.cannot_see == OUTSIDE:
            return 0.0
        glimpsed = max(self.cells[name].glimpsed for name in place.split("-"))
        return glimpsed if slot.best == EMPTY else max(glimpsed, _MARK_SEEN)

    @property
    def outside(self) -> frozenset[str]:
        """The cells outside the picture."""
        return frozenset(name for name, cell in self.cells.items() if cell.cannot_see == OUTSIDE)

    @property
    def mark_looks(self) -> dict[str, MarkProbabilities]:
        """The class probabilities of an expansion's marks for the rules."""
        return probabilities_of(self.marks)

    @property
    def told_cells(self) -> Mapping[str, CellReading]:
        """The cells as they are told without a ruling: where a mark surely fills one, no route is told."""
        filled = {
            name: sum(p for mark, p in slot.probabilities.items() if is_alone(mark))
            for name, slot in self.marks.items()
            if name in self.cells and slot.cannot_see is None
        }
        return {
            name: without_route(cell, p) if (p := filled.get(name, 0.0)) >= FILLED and cell.best else cell
            for name, cell in self.cells.items()
        }

    def as_json(self) -> JsonObject:
        """The board in a line of ``read --json``."""
        cells = self.told_cells

        def marked(values: tuple[float, ...]) -> int:
            return sum(p > 0.5 for p in values)

        found: JsonObject = {"specials": [text for text, p in self.panel.specials.items() if p > 0.5]}
        if self.panel.villages:
            found |= {
                "villages": marked(self.panel.villages),
                "universities": marked(self.panel.universities),
            }
        if self.panel.goals:
            found["goals"] = [_goal_json(goal) for goal in self.panel.goals]
        return {
            "sheet": self.sheet,
            "edition": self.edition,
            "seat": self.seat,
            "corners": corners_json(self.corners_px, 2),
            "cells": {name: cell_json(cell) for name, cell in cells.items()},
            "slots": {name: slot_json(slot, "mark") for name, slot in cells.items()},
            "doubtful": [name for name, cell in cells.items() if cell.doubtful],
            **found,
            **({} if self.walls is None else {"walls": list(self.walls)}),
            **_marks_json(self.expansion, self.marks),
            "quality": _quality_json(self.quality),
        }


PhotoReading: TypeAlias = evidence.PhotoReading[SheetReading]


def without_route(cell: CellReading, p: float) -> CellReading:
    """A cell that a mark fills with this probability: it has no route then, and nothing hides it."""
    rest = {text: (1 - p) * share for text, share in cell.probabilities.items() if text != EMPTY}
    return CellReading({EMPTY: 1 - sum(rest.values()), **rest})


def _mixed_with_doubt(of_slot: Mapping[str, float], trusted: float) -> dict[str, float]:
    return {mark: trusted * p + (1 - trusted) / len(of_slot) for mark, p in of_slot.items()}


def cell_json(cell: CellReading) -> JsonObject:
    """A cell in the JSON of ``read``."""
    return slot_json(cell, "route", **({} if cell.round is None else {"round": cell.round}))


def _marks_json(expansion: str, marks: Mapping[str, SlotReading]) -> JsonObject:
    """The marks of an expansion by their place, where one was asked for."""
    if not expansion:
        return {}
    told = told_looks({place: slot.probabilities for place, slot in marks.items()})
    return {
        "expansion": expansion,
        "marks": {
            place: slot_json(replace(marks[place], probabilities=told[place]), "mark") for place in told
        },
    }


def _goal_json(goal: GoalReading | None) -> JsonObject | None:
    return None if goal is None else {"goal": goal.code, "p": round(goal.p, 4), "points": goal.points}


def _quality_json(quality: SheetQuality) -> JsonObject:
    numbers = {
        "pixels_per_mm": quality.pixels_per_mm,
        "sharpness": quality.sharpness,
        "light": quality.light,
        "contrast": quality.contrast,
        "glare": quality.glare,
    }
    return {"found_by": quality.found_by} | {name: round(value, 3) for name, value in numbers.items()}
