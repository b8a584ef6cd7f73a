"""The icons for home screens, the logo of the pages in pixels: ``python -m lab.box.icons`` draws them."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

STATIC = Path(__file__).parents[2] / "web" / "static"
SIZES = (180, 192, 512)
GROUND, LINE = "#1d4f4a", "#f6f1e4"
RAILS = (
    ((11, 4), (11, 28)),
    ((21, 4), (21, 28)),
    ((6, 9), (26, 9)),
    ((6, 16), (26, 16)),
    ((6, 23), (26, 23)),
)
_FINE = 4  # times as large while it is drawn, for smooth edges
_SHARE = 0.8  # of the icon: what a home screen cuts to a circle keeps that much


def icon(size: int) -> Image.Image:
    """The logo on a full square: home screens round its corners themselves."""
    large = size * _FINE
    picture = Image.new("RGB", (large, large), GROUND)
    pen = ImageDraw.Draw(picture)
    scale = large * _SHARE / 32
    width = 2.4 * scale

    def at(point: tuple[float, float]) -> tuple[float, float]:
        return tuple(large / 2 + (one - 16) * scale for one in point)  # type: ignore[return-value]

    for begin, end in RAILS:
        pen.line([at(begin), at(end)], fill=LINE, width=round(width))
        for x, y in (at(begin), at(end)):
            pen.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=LINE)
    return picture.resize((size, size), Image.Resampling.LANCZOS).quantize(6)


if __name__ == "__main__":
    for size in SIZES:
        icon(size).save(STATIC / f"icon-{size}.png", optimize=True)
