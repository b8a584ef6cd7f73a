"""Drawings as the pages of a PDF, in their true size."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from companion.sheets.drawing import (
    Circle,
    Drawing,
    Outlined,
    Point,
    RoundedRect,
    Shape,
    Style,
    Text,
    is_closed,
    outline,
)
from companion.sheets.printing.fonts import font_path
from companion.sheets.printing.wording import in_lines

_FONTS = {False: "Vera", True: "VeraBd"}


def write_pdf(pages: Sequence[Drawing], to: Path | IO[bytes], title: str) -> None:
    """Write one page a drawing; the same drawings give the same bytes."""
    for bold, name in _FONTS.items():
        pdfmetrics.registerFont(TTFont(name, font_path(bold)))
    canvas = Canvas(str(to) if isinstance(to, Path) else to, invariant=True, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("Stationmaster")
    for page in pages:
        canvas.setPageSize((page.size[0] * mm, page.size[1] * mm))
        _Pen(canvas, page.size[1]).paint(page.shapes)
        canvas.showPage()
    canvas.save()


class _Pen:
    """Draws on one page; PDF measures in points from the bottom left."""

    def __init__(self, canvas: Canvas, height: float) -> None:
        self.canvas = canvas
        self.height = height

    def paint(self, shapes: Sequence[Shape]) -> None:
        self.canvas.setLineCap(1)
        self.canvas.setLineJoin(1)
        for shape in in_lines(shapes):
            if isinstance(shape, Text):
                self._text(shape)
            else:
                self._apply(shape.style)
                self._draw(shape)

    def _apply(self, style: Style) -> None:
        if style.fill is not None:
            self.canvas.setFillColor(style.fill)
        if style.stroke is not None:
            self.canvas.setStrokeColor(style.stroke)
            self.canvas.setLineWidth(style.width * mm)
            self.canvas.setDash(*([length * mm for length in style.dash],) if style.dash else ([],))

    def _draw(self, shape: Outlined) -> None:
        style = shape.style
        painted = {"stroke": int(style.stroke is not None), "fill": int(style.fill is not None)}
        match shape:
            case Circle():
                x, y = self._at(shape.centre)
                self.canvas.circle(x, y, shape.radius * mm, **painted)
            case RoundedRect() if shape.radius > 0:
                x, y = self._at((shape.corner[0], shape.corner[1] + shape.size[1]))
                width, height = (length * mm for length in shape.size)
                self.canvas.roundRect(x, y, width, height, shape.radius * mm, **painted)
            case _:
                self.canvas.drawPath(self._path(outline(shape), is_closed(shape)), **painted)

    def _path(self, points: Sequence[Point], closed: bool) -> PDFPathObject:
        path = self.canvas.beginPath()
        path.moveTo(*self._at(points[0]))
        for point in points[1:]:
            path.lineTo(*self._at(point))
        if closed:
            path.close()
        return path

    def _text(self, text: Text) -> None:
        self.canvas.setFont(_FONTS[text.bold], text.size * mm)
        self.canvas.setFillColor(text.colour)
        write = {
            "start": self.canvas.drawString,
            "middle": self.canvas.drawCentredString,
            "end": self.canvas.drawRightString,
        }[text.anchor]
        write(*self._at(text.at), text.words)

    def _at(self, point: Point) -> Point:
        return point[0] * mm, (self.height - point[1]) * mm
