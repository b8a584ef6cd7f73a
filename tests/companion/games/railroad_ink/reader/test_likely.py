from __future__ import annotations

from importlib.resources import files
from math import inf

from companion.games.railroad_ink.reader.labels import LABELS
from companion.games.railroad_ink.reader.likely import (
    AT_EXIT,
    BESIDE,
    BLANK,
    HIGHWAY_END,
    RAILWAY_END,
    UNSEEN,
    VACANT,
    agreement,
)
from companion.games.railroad_ink.rules.boards.position import read_cells
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, parse_walls
from lab.railroad_ink.count_likely import as_toml, counted, sample_boards


def test_the_file_is_what_is_counted() -> None:
    text = (files("companion.games.railroad_ink.reader") / "likely.toml").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines == as_toml(counted(sample_boards(7000))).splitlines()


def test_ends_like_to_meet_their_own_kind_only() -> None:
    assert BESIDE[HIGHWAY_END][RAILWAY_END] == BESIDE[RAILWAY_END][HIGHWAY_END] == inf
    assert BESIDE[HIGHWAY_END][HIGHWAY_END] < BESIDE[HIGHWAY_END][BLANK] < BESIDE[HIGHWAY_END][VACANT]
    assert AT_EXIT[0][RAILWAY_END] == AT_EXIT[1][HIGHWAY_END] == inf
    assert AT_EXIT[0][HIGHWAY_END] < AT_EXIT[0][VACANT]


def test_an_unseen_cell_is_empty_rather_than_anything_else() -> None:
    assert len(UNSEEN) == len(LABELS)
    assert min(UNSEEN) == UNSEEN[-1]


def test_every_edge_counts_once_and_walls_not_at_all() -> None:
    before = read_cells({"b1": "NS"})
    meeting = agreement(before, read_cells({"b2": "NS"}), NO_WALLS)
    expected = BESIDE[HIGHWAY_END][HIGHWAY_END] - BESIDE[HIGHWAY_END][VACANT]
    expected += BESIDE[HIGHWAY_END][VACANT] - BESIDE[VACANT][VACANT]
    expected += 2 * (BESIDE[BLANK][VACANT] - BESIDE[VACANT][VACANT])
    assert abs(meeting - expected) < 1e-9
    walled = agreement(before, read_cells({"b2": "NS"}), parse_walls(["b1-b2"]))
    assert abs(walled - (expected - BESIDE[HIGHWAY_END][HIGHWAY_END] + BESIDE[HIGHWAY_END][VACANT])) < 1e-9
