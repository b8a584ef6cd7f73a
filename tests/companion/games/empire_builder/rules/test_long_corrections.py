"""Corrections of a map without end: refused, and never remembered line by line."""

from __future__ import annotations

import tracemalloc

import pytest

from companion.games.empire_builder.rules.boards import boardfile
from companion.games.empire_builder.rules.boards.board import own_map
from companion.games.empire_builder.rules.boards.boardfile import correction_faults


def test_a_map_has_so_many_corrections_and_what_is_in_between_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = own_map().mileposts[0][0]
    tracemalloc.start()
    faults = correction_faults(own_map(), f"terrain {name} mountain\n" * 400)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert not faults
    assert most < 2_000_000, "a board of two thousand mileposts, and not four hundred of them"
    monkeypatch.setattr(boardfile, "_MOST", 3)
    told = correction_faults(own_map(), f"terrain {name} mountain\n" * 9)
    assert told == ["line 4: a map has at most 3 corrections"]


def test_the_line_that_is_to_blame_is_named() -> None:
    name = own_map().mileposts[0][0]
    lines = [
        f"terrain {name} mountain",
        f"loads {own_map().cities[0].name}: nonsense",
        f"terrain {name} clear",
    ]
    (told,) = correction_faults(own_map(), "\n".join(lines))
    assert told.startswith("line 2: ")
