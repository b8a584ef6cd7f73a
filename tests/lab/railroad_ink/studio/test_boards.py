import msgspec
import numpy as np
import pytest

from companion.games.railroad_ink.rules.boards.position import refuse_meeting_types
from companion.games.railroad_ink.rules.boards.routes import ROUTES, VOCABULARY
from companion.games.railroad_ink.rules.rulebook import ROUNDS
from lab.railroad_ink.studio.boards import (
    DrawnSheet,
    GivenBoard,
    HeldOut,
    SheetMarks,
    draw_sheet,
    ink_board,
    legal_marks,
    scattered_marks,
)
from lab.railroad_ink.studio.hands import STYLES
from lab.studio.habits import PENS
from lab.studio.levels import LEVELS, level_named
from vision.errors import StudioError


def test_legal_boards_obey_the_rules_and_know_their_rounds() -> None:
    for seed in range(40):
        marks = legal_marks(np.random.default_rng(seed))
        refuse_meeting_types(marks.cells)
        assert set(marks.rounds) == set(marks.cells)
        assert all(1 <= number <= ROUNDS for number in marks.rounds.values())
        assert len(marks.specials) <= 3
        assert set(marks.specials) <= set(ROUTES)


def test_legal_boards_are_of_every_age() -> None:
    sizes = [len(legal_marks(np.random.default_rng(seed)).cells) for seed in range(200)]
    assert min(sizes) == 0
    assert max(sizes) > 28
    assert 10 < np.mean(sizes) < 28


def test_scattered_boards_show_every_route() -> None:
    seen: set[str] = set()
    for seed in range(40):
        seen |= {route.text for route in scattered_marks(np.random.default_rng(seed)).cells.values()}
    assert seen == {route.text for route in VOCABULARY}


def test_styles_and_pens_are_held_out() -> None:
    only = HeldOut(
        [name for name in STYLES if name != "crosses"], [name for name in PENS if name != "red-fine"]
    )
    sheet = draw_sheet(np.random.default_rng(1), 1, LEVELS["clean"], held_out=only)
    assert (sheet.hand.style, sheet.hand.pen) == ("crosses", "red-fine")


def test_unknown_names_are_named() -> None:
    with pytest.raises(StudioError, match="there is no pen 'golden'"):
        draw_sheet(np.random.default_rng(1), 1, LEVELS["clean"], held_out=HeldOut(pens=["golden"]))
    with pytest.raises(StudioError, match="there is no level 'easy': choose from clean, table, hard"):
        level_named("easy")


def test_ghosts_come_with_the_level() -> None:
    layers = {
        name: [len(draw_sheet(np.random.default_rng(seed), 1, level).layers) for seed in range(12)]
        for name, level in LEVELS.items()
    }
    assert max(layers["clean"]) <= 3
    assert max(layers["hard"]) == 5


def test_a_known_board_grows_from_picture_to_picture_without_changing_its_ink() -> None:
    first = SheetMarks("challenge", {1: ROUTES["NS"], 3: ROUTES["ns"]}, {1: 1, 3: 1})
    later = SheetMarks("challenge", first.cells | {8: ROUTES["NE"]}, first.rounds | {8: 2})
    level = msgspec.structs.replace(LEVELS["clean"], scored=0.0)
    before, after = (_ink(ink_board(GivenBoard(2, marks, 77), level)) for marks in (first, later))
    assert before < after
    assert before != _ink(ink_board(GivenBoard(2, first, 78), level))


def _ink(sheet: DrawnSheet) -> set[bytes]:
    return {line.points.tobytes() for layer in sheet.layers for line in layer.strokes}
