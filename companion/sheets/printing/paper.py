"""Imposition: sheets, and pieces of large sheets, on the paper that printers take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from companion.sheets.drawing import Drawing, Line, Point, RoundedRect, Shape, filled, moved, stroked

PaperName: TypeAlias = Literal["a4", "letter", "a3"]
PAPERS: tuple[PaperName, ...] = get_args(PaperName)
PAPER_SIZES: dict[PaperName, Point] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4), "a3": (297.0, 420.0)}

# What common printers cannot reach at the edge, and the length of a cutting mark, in mm.
_MARGIN = 5.0
_MARK = 4.0
_BLEED = 0.7
_CUTTING = stroked("#9a9a9a", 0.15)


@dataclass(frozen=True)
class Leaf:
    """A piece of paper: its front, and what is printed behind it; None where nothing may be."""

    front: Drawing
    back: Drawing | None = None


def one_sided(fronts: Iterable[Drawing]) -> list[Leaf]:
    """Pages behind which nothing is printed: they are laid together, written on, or cut out."""
    return [Leaf(front) for front in fronts]


def two_sided(fronts: Sequence[Drawing], backs: Sequence[Drawing], paper: PaperName) -> list[Leaf]:
    """Equal cards side by side, each with its back behind it.

    The backs are mirrored for paper that is turned over its long edge, as printers do; therefore these pages
    are always upright.
    """
    if len(fronts) != len(backs):
        raise ValueError(f"{len(fronts)} fronts and {len(backs)} backs are no cards")
    before = _imposed(fronts, paper, upright=True)
    behind = _imposed(backs, paper, upright=True, mirrored=True)
    return [Leaf(front, back) for front, back in zip(before, behind, strict=True)]


def printed(leaves: Sequence[Leaf]) -> list[Drawing]:
    """All pages in order, for a printer that prints on both sides; blank ones where nothing is behind.

    The last leaf needs none.
    """
    pages = [page for leaf in leaves for page in (leaf.front, leaf.back or Drawing(leaf.front.size, ()))]
    return pages[:-1] if leaves and leaves[-1].back is None else pages


def impose(sheets: Sequence[Drawing], paper: PaperName) -> list[Drawing]:
    """Equal sheets side by side on pages, portrait or landscape, whichever holds more, with cutting marks."""
    return _imposed(sheets, paper)


def _imposed(
    sheets: Sequence[Drawing], paper: PaperName, *, upright: bool = False, mirrored: bool = False
) -> list[Drawing]:
    if not sheets:
        return []
    page, columns, rows = _best_page(sheets[0].size, PAPER_SIZES[paper], upright=upright)
    each = columns * rows
    return [
        _page(sheets[start : start + each], page, (columns, rows), mirrored=mirrored)
        for start in range(0, len(sheets), each)
    ]


def _best_page(sheet: Point, paper: Point, *, upright: bool) -> tuple[Point, int, int]:
    def held(page: Point) -> tuple[int, int]:
        columns, rows = (int((page[i] - 2 * _MARGIN) // sheet[i]) for i in (0, 1))
        return columns, rows

    best = max((paper,) if upright else (paper, paper[::-1]), key=lambda page: held(page)[0] * held(page)[1])
    columns, rows = held(best)
    if columns * rows == 0:
        raise ValueError(f"a sheet of {sheet[0]:g} x {sheet[1]:g} mm does not fit on this paper")
    return best, columns, rows


def _page(
    sheets: Sequence[Drawing], page: Point, grid: tuple[int, int], *, mirrored: bool = False
) -> Drawing:
    columns, rows = grid
    width, height = sheets[0].size
    left, top = (page[0] - columns * width) / 2, (page[1] - rows * height) / 2
    shapes: list[Shape] = []
    for place, sheet in enumerate(sheets):
        column = columns - 1 - place % columns if mirrored else place % columns
        shapes += moved(sheet.shapes, (left + column * width, top + place // columns * height))
    xs = [left + n * width for n in range(columns + 1)]
    ys = [top + n * height for n in range(rows + 1)]
    return Drawing(page, (*shapes, *_cutting_marks(xs, ys)))


def piece_on_page(sheet: Drawing, start: Point, end: Point, page: Point) -> Drawing:
    """A piece of a sheet that is larger than the paper, in the middle of a page, with cutting marks.

    A little of what lies around it is printed too, so that a cut beside the mark shows no white.
    """
    width, height = end[0] - start[0], end[1] - start[1]
    left, top = (page[0] - width) / 2, (page[1] - height) / 2
    if min(left, top) < _MARGIN:
        raise ValueError(f"a piece of {width:g} x {height:g} mm does not fit on this paper")
    shapes = moved(sheet.shapes, (left - start[0], top - start[1]))
    marks = _cutting_marks([left, left + width], [top, top + height])
    return Drawing(page, (*shapes, *_mask((left, top), (width, height), page), *marks))


def _mask(corner: Point, size: Point, page: Point) -> list[Shape]:
    """White over everything around a piece except its bleed."""
    (x, y), (width, height) = (
        (corner[0] - _BLEED, corner[1] - _BLEED),
        (size[0] + 2 * _BLEED, size[1] + 2 * _BLEED),
    )
    rims = (
        ((0.0, 0.0), (page[0], y)),
        ((0.0, y + height), (page[0], page[1] - y - height)),
        ((0.0, 0.0), (x, page[1])),
        ((x + width, 0.0), (page[0] - x - width, page[1])),
    )
    return [RoundedRect(at, extent, 0, filled("#ffffff")) for at, extent in rims]


def _cutting_marks(xs: list[float], ys: list[float]) -> list[Line]:
    """Short lines outside the sheets, at every cut."""
    marks = [((x, y), (x, y + step)) for x in xs for y, step in ((ys[0], -_MARK), (ys[-1], _MARK))]
    marks += [((x, y), (x + step, y)) for y in ys for x, step in ((xs[0], -_MARK), (xs[-1], _MARK))]
    gap = 0.8  # so that a mark never looks like part of the sheet
    return [Line((_towards(a, b, gap), b), _CUTTING) for a, b in marks]


def _towards(a: Point, b: Point, distance: float) -> Point:
    length = abs(b[0] - a[0]) + abs(b[1] - a[1])
    return a[0] + (b[0] - a[0]) * distance / length, a[1] + (b[1] - a[1]) * distance / length
