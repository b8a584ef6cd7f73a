"""Any printed sheets with marks on them, photographed on somebody's table, with the truth beside the picture.

A new game's studio is a :class:`SheetStudio` that says what is on its sheets: what lies in every slot, and
how that looks. Paper, printer, light, lens, clutter and noise come from here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil
from typing import TypeAlias, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.jsontext import JsonObject
from companion.sheets.drawing import Drawing
from companion.sheets.printing.png import MM_PER_INCH, picture
from companion.sheets.sheet import Sheet
from lab.studio.cameras import Camera, Matrix, inverse, transformed
from lab.studio.darkroom import Codes, Darkroom, LaidPrint, drawing_scale, packed, rim_of, whole_picture
from lab.studio.habits import PENS, between, one_of
from lab.studio.ink import InkLayer, Window, inked
from lab.studio.laying import laid, things_for
from lab.studio.levels import Level, level_named
from lab.studio.paper import Paper, on_paper, paper_for
from lab.studio.series import PictureStudio
from lab.studio.settings import Patch, Setting, Subject, outline_of, setting_for
from lab.studio.solids import Solid
from lab.studio.strokes import Points, as_points, stroke
from lab.studio.truth import drowned_in, lying_over, picture_truth, unseen_shares

S = TypeVar("S")
# Puts marks on a sheet: the blank print and its pixels per mm in, the print with the marks on it out.
Paint: TypeAlias = Callable[[Codes, float], Codes]

_MOST_CELLS = 1_000_000  # pixels in which hidden shares are counted
_DEMO_SEED, _DEMO_LEVEL, _DEMO_MEGAPIXELS, _DEMO_QUALITY = 1, "table", 4.0, 88


@dataclass(frozen=True)
class MarkedSheet:
    """A sheet and what is on it: ``marks`` by slot, of which those left out are empty, and how they look.

    ``look`` is what lies or is printed on the sheet, as a drawing in mm of the sheet, or else paints it;
    ``solids`` stand on it or beside it, in mm of the sheet, too.
    """

    sheet: Sheet
    marks: Mapping[str, str]
    look: Drawing | Paint
    solids: Sequence[Solid] = ()


@dataclass(frozen=True)
class Marker:
    """One person with one pen; lengths in mm."""

    ink: str
    sloppy: float  # 1 is an ordinary hand; scales every inaccuracy
    width: float
    dry: float
    strength: float


def marker_for(rng: np.random.Generator) -> Marker:
    """A random person with a random pen."""
    pen = one_of(rng, list(PENS.values()))
    sloppy = float(rng.uniform(0.5, 1.6))
    return Marker(pen.ink, sloppy, between(rng, pen.width), between(rng, pen.dry), between(rng, pen.strength))


def drawn_by_hand(rng: np.random.Generator, marker: Marker, lines: Iterable[Points]) -> Paint:
    """Paints lines, each an array of points in mm, as this person draws them with this pen."""
    strokes = tuple(stroke(rng, marker, line) for line in lines)
    layer = InkLayer(marker.ink, strokes, marker.dry, seed=int(rng.integers(2**31)))

    def paint(blank: Codes, scale: float) -> Codes:
        return inked(blank, [layer], Window((0, 0), scale, (blank.shape[1], blank.shape[0])))

    return paint


@dataclass(frozen=True)
class _Laid:
    """A sheet on the table; ``to_table`` takes mm on the sheet to mm on the table."""

    marked: MarkedSheet
    to_table: Matrix
    paper: Paper


@dataclass(frozen=True)
class Tabletop(Setting):
    """Everything about one picture."""

    level: str
    sheets: list[_Laid]


def lay_table(
    sheets: Sequence[MarkedSheet],
    seed: int,
    level_name: str,
    megapixels: float | None = None,
    changed: Level | None = None,
) -> Tabletop:
    """The sheets on the table that belongs to a seed; ``megapixels`` else follow from the level.

    ``changed`` takes the level's place: for sheets that are not photographed as others are.
    """
    level = changed or level_named(level_name)
    rng = np.random.default_rng(seed)
    widest = max(max(marked.sheet.size) for marked in sheets)
    reach = 0.6 * widest * ceil(len(sheets) ** 0.5)
    lying = _lying(rng, level, sheets, widest)
    patches = [Patch(one.to_table, one.marked.sheet.size) for one in lying]
    tags = [_tag_middles(one.marked.sheet) for one in lying]
    setting = setting_for(
        rng,
        seed,
        level,
        Subject(patches, reach, megapixels),
        lambda: things_for(rng, level, patches, tags, reach),
    )
    return Tabletop(**vars(setting), level=level_name, sheets=lying)


def _lying(
    rng: np.random.Generator, level: Level, sheets: Sequence[MarkedSheet], widest: float
) -> list[_Laid]:
    """Lay the sheets in rows and columns, turned as far as the level allows."""
    columns = ceil(len(sheets) ** 0.5)
    step = widest * (1.08 if level.turn < 20 else 1.42)
    lying = []
    for place, marked in enumerate(sheets):
        at = np.array([place % columns, place // columns]) * step + rng.uniform(0, 0.06 * widest, 2)
        to_table = laid(rng, level, at, marked.sheet.size, len(sheets))
        lying.append(_Laid(marked, to_table, paper_for(rng)))
    return lying


def _tag_middles(sheet: Sheet) -> Points:
    """The middles of a sheet's corner tags, in mm; without tags, its corners."""
    quads = np.asarray(list(sheet.tags.values()), np.float64)
    return quads.mean(axis=1) if len(quads) == 4 else outline_of(sheet.size)


# --- the picture ---


def photograph(table: Tabletop) -> Codes:
    """The whole picture before it is packed as JPEG."""
    solids = [solid.moved(one.to_table) for one in table.sheets for solid in one.marked.solids]
    return whole_picture(Darkroom(table, [_print(table, one) for one in table.sheets], solids))


def _print(table: Tabletop, one: _Laid) -> LaidPrint:
    """A sheet with its marks, at a scale a little finer than the picture's."""
    outline = outline_of(one.marked.sheet.size)
    scale = drawing_scale(max(table.camera.scale_at(corner) for corner in transformed(one.to_table, outline)))
    return LaidPrint(_marked(one, scale), scale, one.to_table, rim_of(outline))


def _marked(one: _Laid, scale: float) -> Codes:
    sheet, look = one.marked.sheet, one.marked.look
    blank = on_paper(blank_print(sheet, scale), one.paper)
    if not isinstance(look, Drawing):
        return look(blank, scale)
    # What lies on the paper keeps its own colours: taken from where the drawing differs from the blank.
    whole = Drawing(sheet.size, (*sheet.blank.shapes, *look.shapes))
    covered = np.asarray(picture(whole, scale * MM_PER_INCH))
    changed = (covered != blank_print(sheet, scale)).any(axis=-1)
    return np.where(changed[..., None], covered, blank)


@lru_cache(maxsize=12)
def blank_print(sheet: Sheet, scale: float) -> Codes:
    """A sheet as it is printed, in pixels per mm."""
    return np.asarray(picture(sheet.blank, scale * MM_PER_INCH))


# --- the truth ---


def table_truth(table: Tabletop, photo: str) -> JsonObject:
    """Everything about a picture, as plain data.

    ``homography`` takes mm on a sheet to pixels of a camera without distortion: see :func:`project_truth`.
    ``hidden`` and ``glare`` are shares of a slot, left out when nil.
    """
    return picture_truth(table, photo, table.level, [_sheet_truth(table, one) for one in table.sheets])


def _sheet_truth(table: Tabletop, one: _Laid) -> JsonObject:
    sheet, marks = one.marked.sheet, one.marked.marks
    hidden = _slot_shares(table, one, lying_over(table), True)
    glare = _slot_shares(table, one, drowned_in(table), False)
    corners = table.camera.project(transformed(one.to_table, outline_of(sheet.size)))
    return {
        "sheet": sheet.name,
        "edition": sheet.edition,
        "seat": sheet.seat,
        "corners": np.round(corners, 2).tolist(),
        "homography": (table.camera.table_to_ideal @ one.to_table).tolist(),
        "slots": {
            name: {
                "mark": marks.get(name, ""),
                **unseen_shares(hidden[name], glare[name]),
            }
            for name in sheet.slots
        },
    }


def _slot_shares(table: Tabletop, one: _Laid, outlines: Sequence[Points], cut_off: bool) -> dict[str, float]:
    """By slot, how much of it lies within the outlines or, where that is asked, outside the picture."""
    sheet = one.marked.sheet
    width, height = sheet.size
    fineness = min(2.0, (_MOST_CELLS / (width * height)) ** 0.5)
    size = (round(width * fineness), round(height * fineness))
    canvas = np.zeros(size[::-1], np.uint8)
    for outline in outlines:
        cv2.fillPoly(canvas, [_cells(transformed(inverse(one.to_table), outline), fineness)], 1)
    if cut_off:
        x, y = (np.arange(length) + 0.5 for length in size)
        places = np.stack(np.meshgrid(x, y), axis=-1) / fineness
        pixels = table.camera.project(transformed(one.to_table, places))
        canvas |= ((pixels < 0) | (pixels > np.asarray(table.camera.size))).any(axis=-1).astype(np.uint8)
    return {name: _share(canvas, as_points(slot.quad), fineness) for name, slot in sheet.slots.items()}


def _cells(outline: Points, fineness: float) -> NDArray[np.int32]:
    return np.rint(np.clip(outline * fineness, -(2**14), 2**14)).astype(np.int32)


def _share(canvas: NDArray[np.uint8], quad: Points, fineness: float) -> float:
    """The share of a quad's cells that are set in the canvas."""
    cells = _cells(quad, fineness)
    low, high = np.maximum(cells.min(axis=0), 0), cells.max(axis=0) + 1
    part = canvas[low[1] : high[1], low[0] : high[0]]
    if not part.any():
        return 0.0
    inside = np.zeros_like(part)
    cv2.fillPoly(inside, [cells - low], 1)
    return float(part[inside > 0].mean())


def project_truth(truth: JsonObject, sheet: JsonObject, places: Points) -> Points:
    """Project places on a sheet, in mm, to pixels of its photograph, from the truth alone."""
    lens: JsonObject = truth["lens"]
    camera = Camera(
        (truth["width"], truth["height"]), np.asarray(sheet["homography"]), lens["focal"], lens["k1"]
    )
    return camera.project(places)


# --- the studio ---


class SheetStudio(PictureStudio[S]):
    """The studio of a game whose boards are its sheets; ``S`` is the state of the game's rules."""

    @abstractmethod
    def made_up(self, rng: np.random.Generator) -> Sequence[MarkedSheet]:
        """Sheets of a made-up match, at least one."""

    @abstractmethod
    def on_the_table(self, state: S) -> Sequence[MarkedSheet]:
        """The sheets of a real match as they are now: the same state has to look the same."""

    def take(self, seed: int, level: str, photo: str) -> tuple[bytes, JsonObject]:
        """One picture of made-up sheets as JPEG, and its truth."""
        table = lay_table(self.made_up(np.random.default_rng([seed, 1])), seed, level)
        return packed(photograph(table), table.sensor.jpeg), table_truth(table, photo)

    def picture(self, state: S, number: int) -> bytes:
        """What the demonstration's camera sees: always the same table, with other noise by ``number``."""
        table = lay_table(self.on_the_table(state), _DEMO_SEED, _DEMO_LEVEL, _DEMO_MEGAPIXELS)
        return packed(photograph(replace(table, seed=table.seed + number)), _DEMO_QUALITY)
