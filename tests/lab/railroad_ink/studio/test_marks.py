"""The marks of expansions as the studio draws them."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.railroad_ink.printing.printed import PRINTED, cell_corner
from companion.games.railroad_ink.reader.mark_classes import READ_EXPANSIONS
from companion.games.railroad_ink.rules.boards.routes import parse_route
from companion.games.railroad_ink.rules.expansions.marks import read_marks
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.studio.boards import GivenBoard, SheetMarks, ink_board
from lab.railroad_ink.studio.hands import STYLES, hand_of
from lab.railroad_ink.studio.mark_boards import played_board, scattered_board
from lab.railroad_ink.studio.mark_hands import SIGNS, sign_hand
from lab.railroad_ink.studio.mark_strokes import mark_layers
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import SceneSpec
from lab.studio.habits import PENS
from lab.studio.levels import level_named

CELL = PRINTED.grid.cell
HAND = hand_of(np.random.default_rng(1), STYLES["two-lines"], PENS["black-fine"])


@pytest.mark.parametrize("expansion", READ_EXPANSIONS)
def test_marks_of_made_up_boards_are_written_as_usual(expansion: str) -> None:
    """Whatever stands on a board is notation, and every sign of the expansion comes up somewhere."""
    rng = np.random.default_rng(3)
    for _ in range(4):
        _, signs = scattered_board(rng, expansion)
        assert read_marks(expansion, signs) == signs
    _, _, signs = played_board(rng, expansion, "challenge")
    assert read_marks(expansion, signs) == signs


@pytest.mark.parametrize(
    ("cells", "marks"),
    [
        ({}, {"c3": "trees"}),
        ({"c3": "NE"}, {"c3": "trees"}),
        ({"c3": "NS"}, {"c3": "trail:ne-sw"}),
        ({"c3": "nes"}, {"c3": "trail"}),
        ({"c3": "ne"}, {"c3": "cactus"}),
        ({}, {"c3": "cacti"}),
        ({"c3": "NS"}, {"c3": "river:EW"}),
        ({}, {"c3": "lake:NES"}),
        ({"c3": "NS"}, {"c3": "lava:E"}),
        ({}, {"c3": "volcano lava:NESW"}),
        ({}, {"c3": "crater:2"}),
    ],
)
def test_marks_stand_in_their_space(cells: dict[str, str], marks: dict[str, str]) -> None:
    """Ink of a mark lies in its cell but for a hand's inaccuracy, in every way in which people draw it."""
    drawn = {GRID.cell(name): parse_route(text) for name, text in cells.items()}
    low = np.asarray(cell_corner(GRID.cell("c3")))
    for seed in range(25):
        for layer in mark_layers(seed, HAND, drawn, marks, strange=seed % 2 == 0):
            points = np.concatenate([line.points for line in layer.strokes])
            assert (points > low - 0.2 * CELL).all()
            assert (points < low + 1.2 * CELL).all()


def test_half_of_the_people_leave_the_space_around_a_volcano_empty() -> None:
    """The volcano itself, and lava in other spaces, are drawn by everybody."""
    bare = 0
    for seed in range(40):
        alone, beside, both = (
            {line.points.tobytes() for layer in layers for line in layer.strokes}
            for layers in (
                mark_layers(seed, HAND, {}, marks, strange=False)
                for marks in (
                    {"c3": "volcano"},
                    {"e5": "lava:NE"},
                    {"c3": "volcano lava:NESW", "e5": "lava:NE"},
                )
            )
        )
        assert both >= alone | beside
        assert alone
        assert beside
        bare += both == alone | beside
    assert 12 <= bare <= 28


def test_canyon_lies_on_its_border() -> None:
    """Between c3 and d3, not beside it."""
    for seed in range(20):
        (layer,) = mark_layers(seed, HAND, {}, {"c3-d3": "canyon"}, strange=False)
        middle = np.concatenate([line.points for line in layer.strokes]).mean(axis=0)
        x, y = cell_corner(GRID.cell("d3"))
        assert abs(middle[0] - x) < 0.12 * CELL
        assert abs(middle[1] - y - CELL / 2) < 0.15 * CELL


def test_marks_of_a_growing_board_stay_as_they_were_drawn() -> None:
    """A mark more changes nothing of those that are there."""
    level = level_named("clean")

    def ink(signs: dict[str, str]) -> set[bytes]:
        board = GivenBoard(1, SheetMarks("challenge", {}, {}, expansion="forest", signs=signs), 5)
        return {line.points.tobytes() for layer in ink_board(board, level).layers for line in layer.strokes}

    assert ink({"c3": "trees"}) < ink({"c3": "trees", "e5": "trees"})


def test_strange_ways_are_only_drawn_by_strangers() -> None:
    """Each sign has ways that no network learns from, and ways to learn from."""
    for sign, known in SIGNS.items():
        kept = {way.name for way in known.way if way.strange}
        drawn = {sign_hand(np.random.default_rng(seed), HAND, sign).way.name for seed in range(120)}
        assert kept
        assert not drawn & kept
        strange = {sign_hand(np.random.default_rng(seed), HAND, sign, True).way.name for seed in range(20)}
        assert strange == kept


def test_truth_tells_the_marks() -> None:
    """The truth beside a picture has the expansion and its marks; that of other boards has neither."""
    wish = SceneSpec(expansion="river", sheets=1, megapixels=0.5, table_pixels=64)
    _, truth = take_picture(4, "clean", wish=wish)
    sheet = truth["sheets"][0]
    assert sheet["expansion"] == "river"
    assert read_marks("river", sheet["marks"]) == sheet["marks"] != {}
    plain = take_picture(4, "clean", wish=SceneSpec(sheets=1, megapixels=0.5, table_pixels=64))[1]
    assert "marks" not in plain["sheets"][0]
