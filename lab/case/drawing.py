"""A part seen from above: the higher, the darker; with its size."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lab.case.parts import Part
from lab.case.solids import Grid

SCALE, EDGE = 4.0, 12.0
_SHADES = ("#e4ddd0", "#cdbfa6", "#b39f80", "#96815f")


def svg_of(part: Part) -> str:
    """The drawing for the guide."""
    grid = part.solid.grid()
    across, deep, high = grid.size
    width, height = across * SCALE + 2 * EDGE, deep * SCALE + 2 * EDGE + 18
    told = f"{part.name}: {across:g} x {deep:g} x {high:g} mm"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="12" '
        'shape-rendering="crispEdges">',
        f"<title>{told}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
        *_columns(grid),
        f'<text x="{EDGE:g}" y="{height - 8:g}" fill="#222222">{told}</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _columns(grid: Grid) -> Iterator[str]:
    """Neighbours of the same height in a row are one rectangle."""
    x, y, z = grid.lines
    tops = np.array([0.0, *z[1:]])
    order = np.arange(1, grid.full.shape[2] + 1)
    highest = tops[(grid.full * order).max(axis=2)]
    depth = float(y[-1])
    levels = sorted({float(one) for one in highest.ravel()} - {0.0})
    for row in range(highest.shape[1]):
        start = 0
        while start < highest.shape[0]:
            end = start + 1
            while end < highest.shape[0] and highest[end, row] == highest[start, row]:
                end += 1
            if highest[start, row] > 0:
                left, top = x[start] * SCALE + EDGE, (depth - y[row + 1]) * SCALE + EDGE
                wide, tall = (x[end] - x[start]) * SCALE, (y[row + 1] - y[row]) * SCALE
                rank = levels.index(float(highest[start, row])) * (len(_SHADES) - 1)
                shade = _SHADES[rank // max(1, len(levels) - 1)]
                size = f'width="{wide:.2f}" height="{tall:.2f}"'
                yield f'<rect x="{left:.2f}" y="{top:.2f}" {size} fill="{shade}"/>'
            start = end
