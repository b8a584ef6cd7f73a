import json

import pytest

from companion.core.errors import NotationError, RulesDataError
from companion.core.jsontext import JsonObject
from companion.games.railroad_ink.printing.large_boards import large_board
from companion.games.railroad_ink.printing.legend import legend_pages
from companion.games.railroad_ink.printing.printed import PRINTED, slot_quads, tag_quads
from companion.games.railroad_ink.printing.printed_art import sheet_drawing, sticker_page
from companion.games.railroad_ink.printing.prints import RailroadInkPrintables
from companion.games.railroad_ink.rules.blueprints import blueprint_walls
from companion.games.railroad_ink.rules.boards.layouts import Size
from companion.games.railroad_ink.rules.boards.walls import parse_walls
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.rulebook import EDITIONS, GRID, LAYOUTS, NETWORK_VALUES, SPECIALS
from companion.sheets.drawing import Line, Quad, Text
from companion.sheets.layouts import sheet_layout
from companion.sheets.printing.paper import PAPER_SIZES, PaperName, printed
from companion.sheets.printing.png import picture


def layout_of(seat: int, edition: str, dpi: float) -> JsonObject:
    """Where everything is on the sheet of a seat."""
    return sheet_layout(RailroadInkPrintables().sheet(seat, edition), dpi)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_layout_is_what_is_promised(edition: str) -> None:
    layout = json.loads(json.dumps(layout_of(2, edition, 300)))
    assert (layout["sheet"], layout["seat"], layout["dpi"]) == ("railroad-ink", 2, 300)
    for places in (layout["slots"], layout["tags"]):
        for place in places.values():
            assert len(place["mm"]) == len(place["px"]) == 4
            for mm, px in zip(place["mm"], place["px"], strict=True):
                assert px == pytest.approx([value * 300 / 25.4 for value in mm], abs=0.002)
    assert set(GRID.names) < set(layout["slots"])
    assert {f"{name}-round" for name in GRID.names} < set(layout["slots"])
    assert {f"special-{route.text}" for route in SPECIALS} < set(layout["slots"])
    assert len(layout["tags"]) == 4


def test_only_the_challenge_edition_has_buildings_and_goals() -> None:
    more = set(slot_quads("challenge")) - set(slot_quads("classic"))
    assert {name.split("-")[0] for name in more} == {"village", "university", "goal", "score"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_slots_lie_on_the_sheet_and_clear_of_the_tags(edition: str) -> None:
    quiet = PRINTED.tag.side / 8
    tags = [_grown(quad, quiet) for quad in tag_quads("classic", 1).values()]
    for name, quad in slot_quads(edition).items():  # type: ignore[arg-type]
        (left, top), _, (right, bottom), _ = quad
        assert 0 <= left < right <= PRINTED.size[0], name
        assert 0 <= top < bottom <= PRINTED.size[1], name
        assert not any(_overlap(quad, tag) for tag in tags), name


@pytest.mark.parametrize("edition", EDITIONS)
def test_slots_do_not_overlap_apart_from_the_round_boxes_in_their_cells(edition: str) -> None:
    slots = [item for item in slot_quads(edition).items() if not item[0].endswith("-round")]  # type: ignore[arg-type]
    for number, (name, quad) in enumerate(slots):
        for other, place in slots[number + 1 :]:
            assert not _overlap(_grown(quad, -1e-6), place), (name, other)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("dpi", [60, 123.4, 300])
def test_the_picture_has_the_size_the_layout_says(edition: str, dpi: float) -> None:
    size = layout_of(1, edition, dpi)["size_px"]
    assert list(picture(sheet_drawing(1, edition), dpi).size) == size


def test_the_picture_is_ruled_where_the_layout_says() -> None:
    """Along the border between two cells lies a grid line, and beside it the pale cell."""
    layout, image = layout_of(3, "challenge", 300), picture(sheet_drawing(3), 300).convert("L")
    for name in ("b2", "f3", "b6"):
        (left, top), _, (right, bottom), _ = layout["slots"][name]["px"]
        y = round(top + (bottom - top) * 0.8)
        for x in (left, right):
            line = min(image.getpixel((round(x) + d, y)) for d in (-1, 0))  # type: ignore[type-var]
            assert line < 190  # type: ignore[operator]
            assert image.getpixel((round(x) + 5, y)) > 225  # type: ignore[operator]


def test_unknown_seats_and_editions_are_named() -> None:
    with pytest.raises(RulesDataError, match="there is no seat 7: seats are 1 to 6"):
        sheet_drawing(7)
    with pytest.raises(RulesDataError, match="choose challenge or classic"):
        layout_of(1, "deluxe", 300)


@pytest.mark.parametrize("paper", PAPER_SIZES.values())
def test_stickers_fit_on_their_page(paper: tuple[float, float]) -> None:
    page = sticker_page(paper)
    points = [point for shape in page.shapes for point in getattr(shape, "points", ())]
    assert len(points) > 500
    for x, y in points:
        assert 5 < x < paper[0] - 5
        assert 5 < y < paper[1] - 5


def _grown(quad: Quad, by: float) -> Quad:
    (left, top), _, (right, bottom), _ = quad
    left, top, right, bottom = left - by, top - by, right + by, bottom + by
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _overlap(a: Quad, b: Quad) -> bool:
    return a[0][0] < b[2][0] and b[0][0] < a[2][0] and a[0][1] < b[2][1] and b[0][1] < a[2][1]


@pytest.mark.parametrize("paper", PAPER_SIZES)
def test_larger_boards_second_boards_and_the_legend_fit_on_every_paper(paper: PaperName) -> None:
    sheets = RailroadInkPrintables()
    for part in ("giant", "epic", "second-board", "legend"):
        pages = [leaf.front for leaf in sheets.leaves(part, "challenge", paper)]
        assert pages
        for page in pages:
            assert sorted(page.size) == sorted(PAPER_SIZES[paper])
            points = [point for shape in page.shapes for point in getattr(shape, "points", ())]
            assert all(0 <= x <= page.size[0] and 0 <= y <= page.size[1] for x, y in points)
    assert len(sheets.leaves("epic", "challenge", "a3")) == 3  # two to a page


@pytest.mark.parametrize("size", ["giant", "epic"])
def test_a_larger_board_has_all_its_cells_exits_values_and_says_what_is_a_house_rule(size: Size) -> None:
    drawing = large_board(2, "challenge", size)
    words = [shape.words for shape in drawing.shapes if isinstance(shape, Text)]
    layout = LAYOUTS[size]
    assert {str(number) for number in range(1, layout.side + 1)} <= set(words)
    assert str(NETWORK_VALUES[len(layout.exits)]) in words
    assert any(text.startswith("house rule") for text in words)
    assert not [text for text in words if text == str(NETWORK_VALUES[len(layout.exits)] + 5)]


def test_the_usual_boards_track_ends_with_its_exits() -> None:
    words = [shape.words for shape in sheet_drawing(1).shapes if isinstance(shape, Text)]
    assert "45" in words
    assert "50" not in words


def test_every_face_of_every_expansions_dice_is_in_the_legend() -> None:
    words = [
        shape.words for page in legend_pages((210, 297)) for shape in page.shapes if isinstance(shape, Text)
    ]
    assert {table.title for table in TABLES.values()} <= set(words)
    assert any(word.endswith("house rule") for word in words)


@pytest.mark.parametrize("paper", PAPER_SIZES)
def test_every_page_of_the_legend_begins_with_the_name_of_an_expansion(paper: PaperName) -> None:
    for page in legend_pages(PAPER_SIZES[paper]):
        heading, first, *_ = [shape.words for shape in page.shapes if isinstance(shape, Text)]
        assert heading == "Dice of the expansions"
        assert first in {table.title for table in TABLES.values()}


def test_walls_of_an_own_card_are_printed_on_boards_of_every_size() -> None:
    sheets = RailroadInkPrintables()
    assert sheets.own_part("boards-c3-c4,d3-d4")
    assert sheets.own_part("giant-h9-i9")
    assert not sheets.own_part("posters")
    assert sheets.leaves("boards-c3-c4", "challenge", "a4") != sheets.leaves("boards", "challenge", "a4")
    assert sheets.leaves("giant-h9-i9", "challenge", "a4") != sheets.leaves("giant", "challenge", "a4")
    with pytest.raises(NotationError, match="there is no cell 'h9'"):
        sheets.own_part("boards-h9-i9")


def test_boards_are_printed_with_the_walls_of_a_blueprint() -> None:
    plain, walled = sheet_drawing(1), sheet_drawing(1, walls=blueprint_walls("old-town"))
    more = [shape for shape in walled.shapes if shape not in plain.shapes]
    lines = [shape for shape in more if isinstance(shape, Line)]  # the rest are the boxes that tell them
    assert len(lines) == len(blueprint_walls("old-town")) // 2
    pages = {
        part: printed(RailroadInkPrintables().leaves(part, "challenge", "a4"))
        for part in ("boards", "boards-old-town")
    }
    assert len(pages["boards"]) == len(pages["boards-old-town"])
    assert pages["boards"] != pages["boards-old-town"]


def test_a_wall_is_printed_on_the_border_of_its_two_cells() -> None:
    walled = sheet_drawing(1, walls=parse_walls(["c3-c4"]))
    (wall,) = [one for one in {*walled.shapes} - {*sheet_drawing(1).shapes} if isinstance(one, Line)]
    slots = slot_quads("challenge")
    assert wall.points == (slots["c4"][0], slots["c4"][1])
