"""How the cost of a club night grows with its tables, as a picture: ``docs/club-growth.svg``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log10

from lab.bench import at_share
from lab.club.load import Figures

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM, _GAP = 760, 300, 60, 46, 52, 60
_STYLE = """<style>
text { font: 13px system-ui, sans-serif; fill: #333 }
.axis { stroke: #888; fill: none } .grid { stroke: #ddd }
.a { stroke: #1d5fa8; fill: #1d5fa8 } .b { stroke: #b3541e; fill: #b3541e }
polyline.a, polyline.b { fill: none; stroke-width: 2 }
.limit { stroke: #a00; stroke-dasharray: 6 4 } text.a, text.b { stroke: none }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .grid { stroke: #444 }
.a { stroke: #7db4f0; fill: #7db4f0 } .b { stroke: #f0a070; fill: #f0a070 } }
</style>"""


@dataclass(frozen=True)
class _Curve:
    name: str
    look: str
    mark: str  # beside every point, so that colour is never alone
    value: Callable[[Figures], float]


@dataclass(frozen=True)
class _Panel:
    title: str
    unit: str
    limit: float
    curves: tuple[_Curve, ...]


PANELS = (
    _Panel(
        "Until an event is on the page",
        "seconds",
        1.0,
        (
            _Curve("median", "a", "\N{BLACK CIRCLE}", lambda one: at_share(one.late, 0.5)),
            _Curve("99 %", "b", "\N{BLACK SQUARE}", lambda one: at_share(one.late, 0.99)),
        ),
    ),
    _Panel(
        "Processor time",
        "cores",
        1.0,
        (
            _Curve("hub", "a", "\N{BLACK CIRCLE}", lambda one: one.hub),
            _Curve("PostgreSQL", "b", "\N{BLACK SQUARE}", lambda one: one.engine),
        ),
    ),
)


def growth_chart(figures: Sequence[Figures], every: float) -> str:
    """Two panels side by side over the number of tables, which grows by factors."""
    wide = (_WIDTH - _LEFT - _GAP - 20) / 2
    parts = [_panel(panel, figures, _LEFT + at * (wide + _GAP), wide) for at, panel in enumerate(PANELS)]
    load = sum(one.load for one in figures) / len(figures)
    says = (
        f"tables, an event each {every:g} s at every one; one hub on {figures[0].database};"
        f" the machine's load average was {load:.0f}"
    )
    label = f"Growth with {figures[0].boxes} to {figures[-1].boxes} tables"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' aria-label="{label}">{_STYLE}{"".join(parts)}'
        f'<text x="{_LEFT}" y="{_HEIGHT - 8}">{says}</text></svg>\n'
    )


def _panel(panel: _Panel, figures: Sequence[Figures], left: float, wide: float) -> str:
    high = 1.15 * max(panel.limit, *(curve.value(one) for curve in panel.curves for one in figures))
    first, last = log10(figures[0].boxes), log10(figures[-1].boxes)
    floor = _HEIGHT - _BOTTOM

    def x(one: Figures) -> float:
        return left + wide * (log10(one.boxes) - first) / max(last - first, 1e-9)

    def y(value: float) -> float:
        return floor - (floor - _TOP) * value / high

    told = [f'<text x="{left:.0f}" y="18">{panel.title} ({panel.unit})</text>']
    for at, curve in enumerate(panel.curves):
        told.append(
            f'<text class="{curve.look}" x="{left + 90 * at:.0f}" y="36">{curve.mark} {curve.name}</text>'
        )
    for level in (high * part / 4 for part in range(5)):
        told.append(
            f'<path class="grid" d="M{left:.1f} {y(level):.1f}h{wide:.1f}"/>'
            f'<text x="{left - 8:.0f}" y="{y(level) + 4:.1f}" text-anchor="end">{level:.2g}</text>'
        )
    told.append(f'<path class="axis limit" d="M{left:.1f} {y(panel.limit):.1f}h{wide:.1f}"/>')
    told += [
        f'<text x="{x(one):.1f}" y="{floor + 18}" text-anchor="middle">{one.boxes:,}</text>'
        for one in figures
    ]
    for curve in panel.curves:
        points, look = [(x(one), y(curve.value(one))) for one in figures], f'class="{curve.look}"'
        line = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
        told.append(f'<polyline {look} points="{line}"/>')
        told += [
            f'<text {look} x="{px:.1f}" y="{py + 4:.1f}" text-anchor="middle">{curve.mark}</text>'
            for px, py in points
        ]
    return "".join(told)
