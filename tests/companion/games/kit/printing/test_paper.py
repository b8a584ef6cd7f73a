from pathlib import Path

import pytest

from companion.games.kit.drawing import Drawing, RoundedRect, filled
from companion.games.kit.printing.paper import PAPER_SIZES, PAPERS, PaperName, impose
from companion.games.railroad_ink.paper.printed_art import sheet_drawing


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
