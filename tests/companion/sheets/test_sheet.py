"""Every game's sheets as readers get them: what is in the layout, on the drawing and on the tags agrees."""

import pytest

from companion.game.packages import loaded, packages
from companion.sheets.layouts import sheet_layout
from companion.sheets.sheet import Sheet
from companion.sheets.tags import CORNERS, tag_place

PAPERS = {name: loaded(package.printing) for name, package in packages().items() if package.printing}
SHEETS: list[Sheet] = [sheet for paper in PAPERS.values() for sheet in paper.photographed()]


def named(sheet: Sheet) -> str:
    return "-".join(map(str, sheet.key))


def test_no_two_sheets_share_a_key_or_a_tag() -> None:
    assert len({sheet.key for sheet in SHEETS}) == len(SHEETS)
    numbers = [number for sheet in SHEETS for number in (*sheet.tags, *sheet.stickers)]
    assert len(numbers) == len(set(numbers))


def test_every_game_has_sheets_of_all_its_editions() -> None:
    for paper in PAPERS.values():
        assert {sheet.edition for sheet in paper.photographed()} == set(paper.editions)


@pytest.mark.parametrize("sheet", SHEETS, ids=named)
def test_a_sheet_has_its_four_tags_inside_and_its_slots_in_its_outline(sheet: Sheet) -> None:
    assert [tag_place(number).corner for number in sheet.tags] == list(range(len(CORNERS)))  # type: ignore[union-attr]
    (left, top), _, (right, bottom), _ = sheet.outline
    quads = [*sheet.tags.values(), *(slot.quad for slot in sheet.slots.values()), sheet.area]
    assert all(left <= x <= right and top <= y <= bottom for quad in quads for x, y in quad)
    landmarks = sheet.landmarks.points if sheet.landmarks else ()
    assert all(left < x < right and top < y < bottom for x, y in landmarks)


@pytest.mark.parametrize("sheet", [SHEETS[0], SHEETS[-1]], ids=named)
def test_the_layout_and_the_drawing_are_made_from_the_sheet(sheet: Sheet) -> None:
    layout = sheet_layout(sheet, 254)
    assert (layout["sheet"], layout["edition"], layout["seat"]) == sheet.key
    assert list(layout["slots"]) == list(sheet.slots)
    name, slot = next(iter(sheet.slots.items()))
    assert layout["slots"][name]["mm"] == [[round(x, 4), round(y, 4)] for x, y in slot.quad]
    assert layout["slots"][name]["px"][0] == pytest.approx([10 * value for value in slot.quad[0]], abs=0.001)
    assert sheet.blank.size == sheet.size
