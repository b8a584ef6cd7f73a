"""Every board of the corpus, under every reading of "longest" that its source agrees with."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.railroad_ink.rules.boards.position import LONGEST, Longest, read_position
from companion.games.railroad_ink.rules.scoring.scores import score, score_json
from tests.corpus import corpus_rows


def scored(row: dict[str, Any], reading: Longest) -> dict[str, int]:
    position = {"edition": row["edition"], "cells": row["cells"], "longest": reading}
    found = score_json(score(read_position(position)))
    return {key: found[key] for key in row["expected"]}


@pytest.mark.parametrize("reading", LONGEST)
def test_every_board_scores_as_its_source_says(reading: Longest) -> None:
    rows = [row for row in corpus_rows("railroad-ink-scores.jsonl") if reading in row["agree"]]
    differing = [row["id"] for row in rows if scored(row, reading) != row["expected"]]
    assert len(rows) > 3400
    assert differing == []


@pytest.mark.parametrize("reading", LONGEST)
def test_a_board_no_reading_explains_differs_for_the_reason_given(reading: Longest) -> None:
    rows = [row for row in corpus_rows("railroad-ink-scores.jsonl") if not row["agree"]]
    assert len(rows) == 2
    for row in rows:
        assert "source error" in row["why"]
        assert scored(row, reading) != row["expected"]
