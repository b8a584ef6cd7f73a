"""How marks look: the classes that a network tells apart, and boards turned."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.railroad_ink.reader.mark_classes import (
    CLASS_NUMBER,
    CLASSES_OF,
    MARK_CLASSES,
    MARK_TURNED,
    READ_EXPANSIONS,
    class_at,
    is_alone,
    told_looks,
    told_mark,
)
from companion.games.railroad_ink.reader.marks import mark_slots
from companion.games.railroad_ink.rules.boards.routes import Cells, any_route, turned
from companion.games.railroad_ink.rules.expansions.marks import border_name, read_marks
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.evidence import SlotReading
from companion.sheets.grid import SYMMETRIES
from lab.railroad_ink.studio.mark_boards import scattered_board


def test_every_class_belongs_to_one_expansion() -> None:
    """Only "no mark" is everybody's, and none is there twice."""
    assert len(set(MARK_CLASSES)) == len(MARK_CLASSES)
    assert sum(len(names) - 1 for names in CLASSES_OF.values()) == len(MARK_CLASSES) - 1


@pytest.mark.parametrize("expansion", READ_EXPANSIONS)
def test_classes_of_boards_are_told_as_their_marks(expansion: str) -> None:
    """What is to be seen in a cell is told as the mark that stands there."""
    for seed in range(6):
        cells, marks = scattered_board(np.random.default_rng(seed), expansion)
        for cell, name in enumerate(GRID.names):
            seen = class_at(marks, cell, cells.get(cell))
            if expansion == "canyon" or seen is None:
                continue
            assert seen in CLASSES_OF[expansion]
            told = told_mark(seen)
            known = marks.get(name, "")
            if expansion == "trail" and known:
                # A way that is the only one is not told, and a trail beside a curve has none.
                assert told == known
            else:
                assert told == known.partition(":")[0] if expansion == "meteor" else told == known
            assert not is_alone(seen) or cell not in cells


@pytest.mark.parametrize("expansion", READ_EXPANSIONS)
def test_turned_boards_have_the_turned_classes(expansion: str) -> None:
    """Against marks and routes turned one by one."""
    cells, marks = scattered_board(np.random.default_rng(8), expansion)
    for way, symmetry in enumerate(SYMMETRIES):
        moved: Cells = {symmetry.cell(cell, GRID): turned(route, symmetry) for cell, route in cells.items()}
        signs = {}
        for place, text in marks.items():
            ends = [symmetry.cell(GRID.cell(name), GRID) for name in place.split("-")]
            where = border_name(*ends) if len(ends) == 2 else GRID.names[ends[0]]
            signs[where] = " ".join(_turned(word, symmetry) for word in text.split())
        signs = read_marks(expansion, signs)
        for cell in range(GRID.size):
            before = class_at(marks, cell, cells.get(cell))
            after = class_at(signs, symmetry.cell(cell, GRID), moved.get(symmetry.cell(cell, GRID)))
            assert (before is None) == (after is None)
            if before is not None and after is not None:
                assert MARK_TURNED[way][CLASS_NUMBER[before]] == CLASS_NUMBER[after]


def _turned(word: str, symmetry: object) -> str:
    sign, _, detail = word.partition(":")
    if sign in ("river", "lake", "lava"):
        letters = "NESW"
        return f"{sign}:{''.join(letters[symmetry.direction(letters.index(end))] for end in detail)}"  # type: ignore[attr-defined]
    if sign == "trail" and detail:
        swapped = (symmetry.quarters % 2 == 1) != symmetry.mirrored  # type: ignore[attr-defined]
        other = {"nw-se": "ne-sw", "ne-sw": "nw-se"}
        return f"trail:{other[detail] if swapped else detail}"
    return word


def test_a_border_is_seen_from_both_sides() -> None:
    """What one cell says and the other denies is in doubt; a hidden cell says nothing."""
    names = CLASSES_OF["canyon"]
    found = np.full((GRID.size, len(names)), 1e-6)
    found[:, 0] = 1.0
    c3 = GRID.cell("c3")
    found[c3, 0], found[c3, names.index("canyon:E")] = 1e-6, 1.0
    both = mark_slots(found, "canyon", {})
    assert both["c3-d3"].doubtful
    assert both["c2-c3"].best == ""
    assert mark_slots(found, "canyon", {GRID.cell("d3"): "covered"})["c3-d3"].best == "canyon"
    neither = mark_slots(found, "canyon", {GRID.cell("d3"): "covered", c3: "covered"})
    assert neither["c3-d3"].cannot_see == "covered"
    assert len(both) == 84


def test_marks_are_told_with_their_chances_together() -> None:
    """Whether trees stand alone is no matter of the mark."""
    told = told_looks({"c3": SlotReading({"trees": 0.5, "": 0.3, "+trees": 0.2}).probabilities, "d3": None})
    assert told["c3"] == {"trees": pytest.approx(0.7), "": 0.3}
    assert told["d3"] == {}
    assert any_route("NE").text == "NE"
