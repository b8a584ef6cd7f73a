from __future__ import annotations

import sys
from dataclasses import replace
from random import Random
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import GameError, NotationError
from companion.games.railroad_ink.rules.boards.position import LONGEST, Longest, Position, read_position
from companion.games.railroad_ink.rules.boards.routes import VOCABULARY, Route, shape_of
from companion.games.railroad_ink.rules.scoring.batch import encode, score_batch
from companion.games.railroad_ink.rules.scoring.scores import score, score_json
from lab.railroad_ink import rules_bench as bench
from tests.corpus import corpus_rows

from .boards import any_positions, crowded_board, everywhere, legal_positions

PARTS = ("exits", "highway", "railway", "centre", "villages", "errors", "total")
DENSE = tuple(
    route for route in VOCABULARY if shape_of(route) in {"NES", "NESW", "nesw", "NE|SW", "NESw*", "NEsw*"}
)


def batch_of(position: Position, reading: Longest) -> dict[str, int]:
    scores = score_batch(
        encode([position]), position.edition.name, reading, position.walls, position.wall_ends
    )
    return {part: int(getattr(scores, part)[0]) for part in PARTS}


def explained(position: Position, reading: Longest) -> dict[str, int]:
    found = score_json(score(replace(position, longest=reading)))
    return {part: found[part] for part in PARTS}


@settings(deadline=None)  # the first call compiles
@given(st.one_of(legal_positions(), any_positions()), st.sampled_from(LONGEST))
def test_batch_and_explained_agree(position: Position, reading: Longest) -> None:
    assert batch_of(position, reading) == explained(position, reading)


@pytest.mark.parametrize("reading", LONGEST)
@pytest.mark.parametrize("routes", [VOCABULARY, DENSE], ids=["everything", "dense"])
def test_batch_and_explained_agree_on_crowded_boards(routes: tuple[Route, ...], reading: Longest) -> None:
    positions = [crowded_board(Random(seed), routes) for seed in range(40)]
    totals = score_batch(encode(positions), "classic", reading).total
    assert totals.tolist() == [explained(position, reading)["total"] for position in positions]


@pytest.mark.parametrize(("reading", "expected"), [("trail", 49), ("path", 49), ("visits", 75)])
def test_boards_of_nothing_but_crossings(reading: Longest, expected: int) -> None:
    boards = encode([everywhere("NESW"), everywhere("nesw")] * 5)
    scores = score_batch(boards, "classic", reading)
    assert scores.highway.tolist() == [expected, 0] * 5
    assert scores.railway.tolist() == [0, expected] * 5


def test_the_corpus_in_one_batch() -> None:
    for reading in LONGEST:
        rows = [
            row
            for row in corpus_rows("railroad-ink-scores.jsonl")
            if reading in row["agree"] and "total" in row["expected"]
        ]
        positions = [read_position({"edition": row["edition"], "cells": row["cells"]}) for row in rows]
        totals = score_batch(encode(positions), "classic", reading).total
        assert totals.tolist() == [row["expected"]["total"] for row in rows]


def test_threads_share_the_boards_without_mixing_them_up() -> None:
    positions = [crowded_board(Random(seed)) for seed in range(101)]
    boards = encode(positions)
    alone, together = score_batch(boards), score_batch(boards, threads=3)
    assert together.total.tolist() == alone.total.tolist()
    assert np.array_equal(together.errors, alone.errors)


def test_no_boards_at_all() -> None:
    assert score_batch(encode([])).total.tolist() == []


@pytest.mark.parametrize(
    "boards",
    [
        np.zeros((2, 48), np.uint8),
        np.zeros(49, np.uint8),
        np.zeros((1, 49), np.int64),
        np.full((1, 49), len(VOCABULARY) + 1, np.uint8),
    ],
)
def test_arrays_that_are_no_boards_are_refused(
    boards: np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
) -> None:
    with pytest.raises(NotationError):
        score_batch(boards)


class NumbaWithoutCache:
    def njit(self, **options: bool) -> object:
        raise RuntimeError("cannot cache function: no locator available")


class NumbaOfAnotherNumpy(ModuleType):
    def __getattr__(self, name: str) -> object:
        raise ImportError("Numba needs NumPy 2.3 or less")


@pytest.mark.parametrize(
    ("numba", "message"),
    [
        (NumbaOfAnotherNumpy("numba"), "numba does not work here: Numba needs NumPy 2.3 or less"),
        (None, "needs numba: install it with make batch"),
        (NumbaWithoutCache(), "set NUMBA_CACHE_DIR to a folder"),
    ],
)
def test_where_numba_cannot_help_a_sentence_says_what_to_do(
    numba: object, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numba", numba)
    monkeypatch.delitem(sys.modules, "companion.games.railroad_ink.rules.scoring.kernels", raising=False)
    monkeypatch.delattr("companion.games.railroad_ink.rules.scoring.kernels", raising=False)
    with pytest.raises(GameError, match=message):
        score_batch(encode([everywhere("NESW")]))


def test_the_bench_prints_every_figure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("BOARDS", 20), ("EXPLAINED", 5), ("TIMES", 1)):
        monkeypatch.setattr(bench, name, value)
    bench.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0].split(",")[0] for line in lines[1:5]] == [
        "explained",
        "batch",
        "batch",
        "batch",
    ]
    assert sum("every cell a crossing" in line for line in lines) == len(LONGEST)
