"""A drawing as SVG, for the web page: one unit is one millimetre, no outside font or style is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

from companion.sheets.drawing import (
    Arc,
    Circle,
    Line,
    Painted,
    Point,
    Polygon,
    RoundedRect,
    Shape,
    Style,
    Text,
    outline,
)
from companion.sheets.printing.fonts import FAMILY
from companion.sheets.printing.wording import in_lines


def svg_shapes(shapes: Iterable[Shape]) -> str:
    """The elements alone, to stand inside somebody's ``<svg>``."""
    return "".join(_element(shape) for shape in in_lines(shapes))


def _element(shape: Painted) -> str:
    match shape:
        case Text():
            return _text(shape)
        case Circle():
            x, y = (_number(value) for value in shape.centre)
            return f'<circle cx="{x}" cy="{y}" r="{_number(shape.radius)}"{_style(shape.style)}/>'
        case RoundedRect():
            return _rectangle(shape)
        case Polygon():
            return f'<polygon points="{_points(shape.points)}"{_style(shape.style)}/>'
        case Line() | Arc():
            return f'<polyline points="{_points(outline(shape))}"{_style(shape.style)}/>'


def _rectangle(rect: RoundedRect) -> str:
    (x, y), (width, height) = rect.corner, rect.size
    return (
        f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}" '
        f'rx="{_number(rect.radius)}"{_style(rect.style)}/>'
    )


def _text(text: Text) -> str:
    weight = ' font-weight="bold"' if text.bold else ""
    return (
        f'<text x="{_number(text.at[0])}" y="{_number(text.at[1])}" font-size="{_number(text.size)}" '
        f'font-family="{FAMILY}, DejaVu Sans, Verdana, sans-serif"{weight} text-anchor="{text.anchor}" '
        f'fill="{text.colour}">{escape(text.words)}</text>'
    )


def _style(style: Style) -> str:
    painted = f' fill="{style.fill or "none"}"'
    if style.stroke is not None:
        painted += (
            f' stroke="{style.stroke}" stroke-width="{_number(style.width)}" '
            'stroke-linecap="round" stroke-linejoin="round"'
        )
    if style.dash is not None:
        painted += f' stroke-dasharray="{_number(style.dash[0])} {_number(style.dash[1])}"'
    return painted


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    """A number with no more decimals than anybody can see, without trailing zeros.

    >>> _number(2.0), _number(1 / 3), _number(-5.4785)
    ('2', '0.333', '-5.48')
    """
    return f"{value:.{3 if abs(value) < 1 else 2}f}".rstrip("0").rstrip(".")
