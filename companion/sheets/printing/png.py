"""A drawing as a picture of any resolution, smooth at the edges.

Positions are continuous: millimetre x is at pixel ``x * dpi / 25.4``; 0 is the left edge of the first pixel.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from companion.sheets.drawing import Drawing, Painted, Point, Style, Text, dashes, is_closed, outline
from companion.sheets.printing.fonts import font_path
from companion.sheets.printing.wording import in_lines

MM_PER_INCH = 25.4
MOST_DPI = 2400
_BAND = 1024  # rows painted at once, so that a big page does not need big memory


def pixels(length: float, dpi: float) -> float:
    """Convert millimetres to pixels.

    >>> pixels(25.4, 300)
    300.0
    """
    return length * dpi / MM_PER_INCH


def picture(drawing: Drawing, dpi: float) -> Image.Image:
    """Render the drawing on white."""
    if not 1 <= dpi <= MOST_DPI:
        raise ValueError(f"cannot paint at {dpi} dpi: choose 1 to {MOST_DPI}")
    width, height = (max(1, round(pixels(length, dpi))) for length in drawing.size)
    fineness = 4 if dpi <= 320 else 2
    page = Image.new("RGB", (width, height), "#ffffff")
    shapes = tuple(in_lines(drawing.shapes))
    for top in range(0, height, _BAND):
        rows = min(_BAND, height - top)
        band = Image.new("RGB", (width * fineness, rows * fineness), "#ffffff")
        brush = _Brush(band, dpi * fineness, top * fineness)
        for shape in shapes:
            brush.paint(shape)
        page.paste(band.reduce(fineness), (0, top))
    return page


def write_png(drawing: Drawing, path: Path, dpi: float) -> None:
    """Write the drawing as a PNG that knows its own resolution."""
    picture(drawing, dpi).save(path, format="PNG", dpi=(dpi, dpi), optimize=True)


class _Brush:
    """Paints shapes into one band of a page, without smoothing: the band is painted finer than it is kept."""

    def __init__(self, band: Image.Image, dpi: float, top: int) -> None:
        self.draw = ImageDraw.Draw(band)
        self.scale = dpi / MM_PER_INCH
        self.top = top

    def paint(self, shape: Painted) -> None:
        if isinstance(shape, Text):
            self._text(shape)
            return
        points, style = outline(shape), shape.style
        if style.fill is not None:
            # Pillow counts whole pixels, borders included, where we count their edges.
            self.draw.polygon([(x - 0.5, y - 0.5) for x, y in map(self._at, points)], fill=style.fill)
        if style.stroke is not None:
            closed = (*points, points[0]) if is_closed(shape) else points
            self._stroke(closed, style, style.stroke)

    def _stroke(self, points: tuple[Point, ...], style: Style, colour: str) -> None:
        width = max(1, round(style.width * self.scale))
        for piece in [points] if style.dash is None else dashes(points, style.dash):
            places = [(x - 0.5, y - 0.5) for x, y in map(self._at, piece)]
            self.draw.line(places, fill=colour, width=width, joint="curve")
            for x, y in (places[0], places[-1]):
                r = width / 2 - 0.5
                self.draw.ellipse((x - r, y - r, x + r, y + r), fill=colour)

    def _text(self, text: Text) -> None:
        font = _font(text.bold, round(text.size * self.scale))
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[text.anchor]
        self.draw.text(self._at(text.at), text.words, fill=text.colour, font=font, anchor=anchor)

    def _at(self, point: Point) -> Point:
        return point[0] * self.scale, point[1] * self.scale - self.top


@lru_cache(maxsize=64)
def _font(bold: bool, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_path(bold), max(1, size))
