"""The printed board and cards: slots in millimetres, pages for every paper."""

from __future__ import annotations

import json
from itertools import combinations
from math import dist

import pytest

from companion.games.spike.printing.board_art import board_drawing
from companion.games.spike.printing.printed import PRINTED, slot_quads, tag_quads, track_line, track_quad
from companion.games.spike.printing.prints import SpikePrintables, board_pages, contract_leaves
from companion.games.spike.rules.boards.board import board_called, board_text, read_board
from companion.games.spike.rules.rulebook import BOOK
from companion.sheets.drawing import Drawing, Prose, Quad, Text, outline
from companion.sheets.layouts import sheet_layout
from companion.sheets.printing.paper import PAPER_SIZES, PAPERS, PaperName, printed
from companion.sheets.printing.png import picture

NAME = "eastern-states"
BOARD = board_called(NAME)
SHEETS = SpikePrintables()


def test_every_segment_city_market_place_and_score_space_is_a_slot() -> None:
    slots = slot_quads(BOARD)
    assert set(BOARD.tracks) <= set(slots)
    assert {f"city:{city}" for city in BOARD.cities} <= set(slots)
    assert {f"market:{column}-{price}" for column in range(1, 5) for price in BOOK.prices} <= set(slots)
    assert {f"space:{number}" for number in range(BOOK.spaces)} <= set(slots)
    assert {f"time:{number}" for number in (1, 2, 3)} <= set(slots)


def test_the_layout_is_what_is_promised() -> None:
    layout = json.loads(json.dumps(sheet_layout(SHEETS.sheet(1, NAME), 100)))
    assert (layout["sheet"], layout["seat"], layout["dpi"], layout["size_mm"]) == (
        "spike",
        1,
        100,
        [500.0, 560.0],
    )
    for places in (layout["slots"], layout["tags"]):
        for place in places.values():
            assert len(place["mm"]) == len(place["px"]) == 4
            for mm, px in zip(place["mm"], place["px"], strict=True):
                assert px == pytest.approx([value * 100 / 25.4 for value in mm], abs=0.01)
    assert sorted(layout["tags"]) == ["96", "97", "98", "99"]


def middle(quad: Quad) -> tuple[float, float]:
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def test_slots_lie_on_the_board_and_clear_of_the_tags() -> None:
    width, height = BOARD.heading.size
    for name, quad in slot_quads(BOARD).items():
        for x, y in quad:
            assert 0 <= x <= width, name
            assert 0 <= y <= height, name
        for tag in tag_quads(BOARD).values():
            assert dist(middle(quad), middle(tag)) > PRINTED.tag.side * 0.7, name


def test_no_two_slots_have_their_middles_in_each_other() -> None:
    slots = slot_quads(BOARD)
    for (one, a), (other, b) in combinations(slots.items(), 2):
        assert dist(middle(a), middle(b)) > PRINTED.board.slot, (one, other)


def test_a_track_is_long_enough_for_a_printed_piece() -> None:
    lengths = [dist(*track_line(BOARD, name)) for name in BOARD.tracks]
    assert min(lengths) > PRINTED.tile.track[0] - 0.5


def test_the_board_is_painted_where_the_layout_says() -> None:
    """In the middle of a solid or studded track lies its colour; beside the slot there is none."""
    layout, image = sheet_layout(SHEETS.sheet(1, NAME), 60), picture(board_drawing(NAME), 60)
    assert list(image.size) == layout["size_px"]
    black = [name for name, track in BOARD.tracks.items() if track.suit == "black"]
    for name in black:
        (x1, y1), (x2, y2), (x3, y3), (x4, y4) = layout["slots"][name]["px"]
        along = [(x1 * (1 - s) + x2 * s + x4 * (1 - s) + x3 * s) / 2 for s in (0.25, 0.4, 0.6, 0.75)]
        down = [(y1 * (1 - s) + y2 * s + y4 * (1 - s) + y3 * s) / 2 for s in (0.25, 0.4, 0.6, 0.75)]
        darkest = min(sum(image.getpixel((round(x), round(y)))) for x, y in zip(along, down, strict=True))  # type: ignore[arg-type]
        assert darkest < 330, name


def painted(page: Drawing) -> list[tuple[float, float]]:
    return [point for shape in page.shapes if not isinstance(shape, Text | Prose) for point in outline(shape)]


@pytest.mark.parametrize("paper", PAPERS)
def test_the_board_is_cut_into_six_pages_or_four_large_ones(paper: PaperName) -> None:
    pages = board_pages(NAME, paper)
    assert len(pages) == (4 if paper == "a3" else 6)
    for page in pages:
        assert sorted(page.size) == sorted(PAPER_SIZES[paper])


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("part", "leaves"),
    [
        ("contracts", (3, 3, 1)),
        ("routes", (3, 3, 1)),
        ("rails", (4, 6, 2)),
        ("tiles", (2, 2, 1)),
        ("board-in-one", (1, 1, 1)),
    ],
)
def test_everything_fits_on_paper(part: str, leaves: tuple[int, ...], paper: PaperName) -> None:
    found = SHEETS.leaves(part, NAME, paper)
    pages = printed(found)
    assert len(found) == leaves[PAPERS.index(paper)]
    if part != "board-in-one":
        for page in pages:
            for x, y in painted(page):
                assert -0.1 <= x <= page.size[0] + 0.1, part
                assert -0.1 <= y <= page.size[1] + 0.1, part


def test_the_backs_of_contracts_are_mirrored() -> None:
    """Card 1 lies at the left of its page, and its other side at the right of the next."""
    front, back = printed(contract_leaves(NAME, "a4"))[:2]
    words = {}
    for side, page in (("1a", front), ("1b", back)):
        found = [shape.at[0] for shape in page.shapes if isinstance(shape, Text) and shape.words == side]
        words[side] = found[0]
    assert words["1a"] < front.size[0] / 3
    assert words["1b"] > front.size[0] * 2 / 3


def test_all_cards_of_the_rules_text_are_printed() -> None:
    def count(part: str, words: str) -> int:
        pages = printed(SHEETS.leaves(part, NAME, "a4"))
        return sum(getattr(shape, "words", "") == words for page in pages for shape in page.shapes)

    assert count("rails", "blue") == 2 * BOOK.rails  # at both ends of each card
    assert count("rails", "Time") == BOOK.time_cards
    assert sum(count("contracts", f"{card}{side}") for card in (1, 2, 3) for side in "ab") == 72
    assert count("tiles", "+100") == 4


def test_an_owners_board_is_drawn_without_our_map() -> None:
    own = board_text(NAME)
    assert len(board_drawing(own).shapes) < len(board_drawing(NAME).shapes)


def test_tracks_between_the_same_places_lie_side_by_side() -> None:
    said = board_text(NAME).splitlines()
    track = json.loads(next(line for line in said if line.startswith('{"track"')))
    ends, suit = track["track"], track["suit"]
    doubled = read_board("\n".join([*said, json.dumps({"track": ends[::-1], "suit": suit, "number": 2})]))
    first, second = f"{ends[0]}-{ends[1]}", f"{ends[1]}-{ends[0]}:2"
    assert doubled.find_track(f"{ends[0]}-{ends[1]}:2") == second
    (ax, ay), (bx, by) = (
        (sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4)
        for quad in (track_quad(doubled, first), track_quad(doubled, second))
    )
    assert dist((ax, ay), (bx, by)) == pytest.approx(PRINTED.board.slot)
    assert track_quad(doubled, first) != track_quad(read_board(board_text(NAME)), first)
