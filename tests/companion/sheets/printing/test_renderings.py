"""The three renderings of one drawing."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from companion.games.railroad_ink.printing.printed_art import sheet_drawing, sticker_page
from companion.sheets.drawing import (
    Arc,
    Circle,
    Drawing,
    Line,
    Polygon,
    RoundedRect,
    Text,
    filled,
    stroked,
)
from companion.sheets.printing.pdf import write_pdf
from companion.sheets.printing.png import picture, write_png
from companion.sheets.printing.svg import svg_shapes

ALL_SHAPES = Drawing(
    (40, 30),
    (
        RoundedRect((0, 0), (20, 30), 0, filled("#ff0000")),
        RoundedRect((22, 2), (6, 6), 1, stroked("#000000", 0.5)),
        Polygon(((30, 2), (38, 2), (38, 10), (30, 10)), filled("#0000ff")),
        Circle((30, 20), 4, filled("#00ff00")),
        Arc((30, 20), 7, 0, 90, stroked("#000000", 1)),
        Line(((22, 28), (38, 28)), stroked("#000000", 0.4, (2, 1))),
        Text((10, 15), "12 < 3 & 4", 4, "#ffffff", bold=True),
    ),
)


@pytest.mark.parametrize("dpi", [50, 254, 400])
def test_a_picture_has_its_colours_in_their_places(dpi: float) -> None:
    image = picture(ALL_SHAPES, dpi)

    def at(x: float, y: float) -> object:
        return image.getpixel((int(x * dpi / 25.4), int(y * dpi / 25.4)))

    assert at(2, 2) == (255, 0, 0)
    assert at(34, 6) == (0, 0, 255)
    assert at(30, 20) == (0, 255, 0)
    assert at(25, 5) == (255, 255, 255)
    assert sum(at(35, 25)) < 200  # type: ignore[call-overload]


def test_edges_are_where_they_should_be_to_a_quarter_of_a_pixel() -> None:
    """The red surface ends at 20 mm: the pixel there is covered in part, and by the right part."""
    for dpi in (100, 101, 163, 300):
        row = [picture(ALL_SHAPES, dpi).getpixel((x, 2))[1] for x in range(round(40 * dpi / 25.4))]  # type: ignore[index]
        covered = sum(1 - min(value, 255) / 255 for value in row[: round(21 * dpi / 25.4)])
        assert covered == pytest.approx(20 * dpi / 25.4, abs=0.26)


def test_a_picture_knows_its_resolution(tmp_path: Path) -> None:
    write_png(ALL_SHAPES, tmp_path / "page.png", 150)
    with Image.open(tmp_path / "page.png") as image:
        assert image.size == (236, 177)
        assert image.info["dpi"] == pytest.approx((150, 150), abs=0.02)


def test_absurd_resolutions_are_refused() -> None:
    with pytest.raises(ValueError, match="choose 1 to 2400"):
        picture(ALL_SHAPES, 1e6)


def svg(drawing: Drawing) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg">{svg_shapes(drawing.shapes)}</svg>'


def test_svg_is_well_formed_and_self_contained() -> None:
    text = svg(ALL_SHAPES)
    root = ElementTree.fromstring(text)
    assert {child.tag.split("}")[1] for child in root} == {
        "rect", "polygon", "circle", "polyline", "text",
    }  # fmt: skip
    assert "href" not in text
    assert "style" not in text


def test_the_sheets_make_good_svg() -> None:
    for edition in ("challenge", "classic"):
        ElementTree.fromstring(svg(sheet_drawing(6, edition)))


def test_pdf_pages_have_their_true_size_and_come_out_the_same_twice(tmp_path: Path) -> None:
    pages = [ALL_SHAPES, sticker_page((210, 297))]
    for name in ("one.pdf", "two.pdf"):
        write_pdf(pages, tmp_path / name, "Test")
    written = (tmp_path / "one.pdf").read_bytes()
    assert written == (tmp_path / "two.pdf").read_bytes()
    assert written.startswith(b"%PDF-")
    assert written.count(b"/MediaBox") == 2
    assert b"[ 0 0 113.3858 85.03937 ]" in written
