"""The mat and the cards as they are printed."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pytest

from companion.core.errors import RulesDataError
from companion.games.derailed.printing.card_art import card_drawing, rail_back, station_back, station_drawing
from companion.games.derailed.printing.extras_art import rules_in_short
from companion.games.derailed.printing.mat_art import mat_drawing
from companion.games.derailed.printing.printed import MATS, PRINTED, mat_size, slot_quads, tag_quads
from companion.games.derailed.printing.prints import DerailedPrintables, rail_cards, station_cards
from companion.games.derailed.printing.trackwork import middle_lines
from companion.games.derailed.rules.cards import FACES, parse_face
from companion.games.derailed.rules.rulebook import COMPANIES
from companion.sheets.drawing import Drawing, Quad, Text
from companion.sheets.layouts import sheet_layout
from companion.sheets.printing.paper import PAPER_SIZES, PaperName, printed
from companion.sheets.printing.png import picture
from companion.sheets.tags import tag_place

SHEETS = DerailedPrintables()
DPI = 50
LETTERS = "TRBL"
Grey: TypeAlias = npt.NDArray[np.int16]


@pytest.mark.parametrize("edition", MATS)
def test_the_layout_is_what_is_promised(edition: str) -> None:
    layout = json.loads(json.dumps(sheet_layout(SHEETS.sheet(1, edition), 300)))
    assert (layout["sheet"], layout["seat"], layout["dpi"]) == ("derailed", 1, 300)
    for places in (layout["slots"], layout["tags"]):
        for place in places.values():
            assert len(place["mm"]) == len(place["px"]) == 4
            for mm, px in zip(place["mm"], place["px"], strict=True):
                assert px == pytest.approx([value * 300 / 25.4 for value in mm], abs=0.002)
    lanes = MATS[edition]
    assert layout["size_px"] == [round(length * 300 / 25.4) for length in mat_size(lanes)]
    assert len(layout["slots"]) == 6 * lanes
    assert {"a1", f"{'abcdef'[lanes - 1]}4", "a-start", "b-destination"} <= set(layout["slots"])
    assert picture(mat_drawing(edition), 20).size == tuple(
        round(length * 20 / 25.4) for length in mat_size(lanes)
    )


@pytest.mark.parametrize("lanes", range(2, 7))
def test_nothing_on_the_mat_overlaps(lanes: int) -> None:
    places = {**slot_quads(lanes), **{str(n): quad for n, quad in tag_quads(lanes).items()}}
    width, height = mat_size(lanes)
    for (one, a), (other, b) in combinations(places.items(), 2):
        assert not _overlap(a, b), (one, other)
    for quad in places.values():
        assert quad[0][0] > 0 < quad[0][1]
        assert quad[2][0] < width
        assert quad[2][1] < height
    module = PRINTED.mat.tag / 8
    for quad in tag_quads(lanes).values():
        assert all(not _overlap(_grown(quad, module), slot) for slot in slot_quads(lanes).values())


def _grown(quad: Quad, by: float) -> Quad:
    (left, top), _, (right, bottom), _ = quad
    return (left - by, top - by), (right + by, top - by), (right + by, bottom + by), (left - by, bottom + by)


def _overlap(a: Quad, b: Quad) -> bool:
    return a[0][0] < b[2][0] and b[0][0] < a[2][0] and a[0][1] < b[2][1] and b[0][1] < a[2][1]


def test_the_tags_say_how_many_lanes_the_mat_has() -> None:
    numbers = [number for lanes in MATS.values() for number in tag_quads(lanes)]
    assert len(set(numbers)) == 4 * len(MATS)
    for lanes in MATS.values():
        places = [tag_place(number) for number in tag_quads(lanes)]
        assert [(p.kind, p.seat, p.corner) for p in places if p] == [("derailed", lanes, n) for n in range(4)]


def test_unknown_mats_are_named() -> None:
    with pytest.raises(RulesDataError, match="choose lanes-6, lanes-5"):
        mat_drawing("lanes-7")


# --- cards ---


@pytest.mark.parametrize("text", sorted(FACES))
def test_what_is_drawn_is_what_the_face_says(text: str) -> None:
    """Each port shows two black lines at the edge; an edge without a port shows none."""
    face, image = parse_face(text), grey(text)
    for port, letter in enumerate(LETTERS):
        assert _black_lines(image, letter) == (2 if port in face.ports else 0), letter


def grey(text: str, variety: int = 0) -> Grey:
    return np.asarray(picture(card_drawing(text, variety), DPI).convert("L"), dtype=np.int16)


def _black_lines(image: Grey, side: str) -> int:
    """How many black lines cross a path 2.5 mm inside a side."""
    inset = round(2.5 * DPI / 25.4)
    path = {"L": image[:, inset], "R": image[:, -1 - inset], "T": image[inset], "B": image[-1 - inset]}[side]
    return int((np.diff((path < 110).astype(np.int8), prepend=0) == 1).sum())


@pytest.mark.parametrize("text", ["TB", "LT|rb", "LB|RB|t", "LU|TU|RU"])
def test_scenery_is_never_dark_and_never_on_track(text: str) -> None:
    one, other = grey(text, 0), grey(text, 1)
    changed = np.argwhere(one != other)
    assert len(changed) > 20
    assert min(image[one != other].min() for image in (one, other)) > 150
    for line in middle_lines(parse_face(text)):
        for x, y in np.array(line) * DPI / 25.4:
            apart = np.hypot(changed[:, 0] - y, changed[:, 1] - x)
            assert apart.min() > PRINTED.card.track / 2 * DPI / 25.4


@pytest.mark.parametrize("text", sorted(FACES))
def test_turned_faces_are_drawn_turned(text: str) -> None:
    turned = grey(parse_face(text).turned.text)[::-1, ::-1]
    assert (abs(grey(text) - turned) > 128).sum() < 30


def test_all_faces_look_different() -> None:
    pictures = {text: grey(text) for text in sorted(FACES)}
    for one, other in combinations(pictures, 2):
        assert (abs(pictures[one] - pictures[other]) > 128).sum() > 40, (one, other)


def test_the_deck_is_complete() -> None:
    assert len(rail_cards()) == 90 + 2
    assert len(station_cards()) == 16
    assert {drawing.size for drawing in (*rail_cards(), *station_cards(), rail_back(), station_back())} == {
        (63.0, 88.0)
    }
    names = Counter(
        shape.words
        for drawing in station_cards()
        for shape in drawing.shapes
        if isinstance(shape, Text) and len(shape.words) > 1
    )
    assert names == {company.name: 2 for company in COMPANIES.values()}


def test_station_cards_show_their_colour() -> None:
    for letter, company in COMPANIES.items():
        red, green, blue = (int(company.ink[n : n + 2], 16) for n in (1, 3, 5))
        image = picture(station_drawing(letter), DPI)
        near = image.getpixel((round(8 * DPI / 25.4), round(10 * DPI / 25.4)))
        assert near == (red, green, blue)


@pytest.mark.parametrize("paper", PAPER_SIZES)
@pytest.mark.parametrize(
    ("part", "pages", "on_a3"),
    [("mat", 11, 11), ("cards", 22, 12), ("stations", 4, 2), ("extras", 1, 1), ("all", 39, 27)],
)
def test_every_part_fits_on_paper(part: str, pages: int, on_a3: int, paper: PaperName) -> None:
    made = printed(SHEETS.leaves(part, "lanes-6", paper))
    assert len(made) == (on_a3 if paper == "a3" else pages)
    assert {tuple(sorted(page.size)) for page in made} == {tuple(sorted(PAPER_SIZES[paper]))}


@pytest.mark.parametrize("paper", PAPER_SIZES)
@pytest.mark.parametrize(("lanes", "pages"), [(2, 5), (3, 5), (4, 11), (5, 11), (6, 11)])
def test_the_mat_is_cut_between_the_cards(lanes: int, pages: int, paper: PaperName) -> None:
    assert len(printed(SHEETS.leaves("mat", f"lanes-{lanes}", paper))) == pages


def test_backs_lie_behind_fronts() -> None:
    """The cards are in the middle of the page: a sheet may be turned over either edge."""
    front, back = printed(SHEETS.leaves("cards", "lanes-6", "a4"))[:2]
    marks = [_marks(page) for page in (front, back)]
    assert marks[0] == marks[1]
    width, height = front.size
    assert {(round(width - x, 3), round(height - y, 3)) for x, y in marks[0]} == marks[0]


def _marks(page: Drawing) -> set[tuple[float, float]]:
    """The ends of the cutting marks: the last lines of a page."""
    return {
        (round(x, 3), round(y, 3)) for shape in page.shapes[-16:] for x, y in getattr(shape, "points", ())
    }


def test_the_rules_in_short_carry_the_rulebooks_numbers() -> None:
    text = " ".join(text for _, text in rules_in_short())
    assert "Deal 4 rail cards" in text
    assert "companies arrived: 1 of 2, 2 of 3, 3 of 4, 3 of 5, 3 of 6." in text
    assert "{" not in text
