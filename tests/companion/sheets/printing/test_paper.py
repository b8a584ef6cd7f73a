from pathlib import Path

import pytest

from companion.games.railroad_ink.printing.printed_art import sheet_drawing
from companion.sheets.drawing import Drawing, RoundedRect, Text, filled
from companion.sheets.printing.paper import (
    PAPER_SIZES,
    PAPERS,
    PaperName,
    impose,
    one_sided,
    printed,
    two_sided,
)


@pytest.mark.parametrize("paper", PAPERS)
def test_two_boards_a_page_and_all_of_them(paper: PaperName) -> None:
    pages = impose([sheet_drawing(seat) for seat in range(1, 6)], paper)
    assert len(pages) == (2 if paper == "a3" else 3)  # four to a page of A3
    for page in pages:
        assert sorted(page.size) == sorted(PAPER_SIZES[paper])


def test_a_sheet_too_big_for_the_paper_is_refused() -> None:
    with pytest.raises(ValueError, match="300 x 20 mm does not fit"):
        impose([Drawing((300, 20), (RoundedRect((0, 0), (300, 20), 0, filled("#ffffff")),))], "a4")


def test_nothing_to_print_is_no_page() -> None:
    assert impose([], "letter") == []


def test_nothing_is_nearer_to_the_edge_than_printers_reach(tmp_path: Path) -> None:
    for paper in PAPERS:
        page = impose([sheet_drawing(1), sheet_drawing(2)], paper)[0]
        for shape in page.shapes:
            for x, y in getattr(shape, "points", ()):
                assert 1 < x < page.size[0] - 1
                assert 1 < y < page.size[1] - 1


def _card(name: str) -> Drawing:
    return Drawing((60, 90), (Text((30, 45), name, 5, "#000000"),))


def _places(page: Drawing) -> dict[str, tuple[float, float]]:
    return {shape.words: shape.at for shape in page.shapes if isinstance(shape, Text)}


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("count", [1, 2, 8, 9, 14])
def test_every_back_lies_behind_its_card_when_paper_is_turned_over_its_long_edge(
    paper: PaperName, count: int
) -> None:
    names = [str(number) for number in range(count)]
    fronts, backs = [_card(f"front {name}") for name in names], [_card(f"back {name}") for name in names]
    found = 0
    for leaf in two_sided(fronts, backs, paper):
        assert leaf.back is not None
        width, height = leaf.front.size
        assert width < height
        before, behind = _places(leaf.front), _places(leaf.back)
        for name, (x, y) in before.items():
            there = behind[name.replace("front", "back")]
            assert there == pytest.approx((width - x, y))
            found += 1
    assert found == count


def test_blank_pages_keep_apart_what_has_nothing_behind_it() -> None:
    plain, card = one_sided([_card("rules")]), two_sided([_card("front")], [_card("back")], "a4")
    words = [list(_places(page)) for page in printed([*plain, *card, *plain])]
    assert words == [["rules"], [], ["front"], ["back"], ["rules"]]
    assert len(printed([*plain, *plain])) == 3
    assert printed([]) == []


def test_cards_and_backs_that_are_not_as_many_are_refused() -> None:
    with pytest.raises(ValueError, match="2 fronts and 1 backs"):
        two_sided([_card("a"), _card("b")], [_card("back")], "a4")
