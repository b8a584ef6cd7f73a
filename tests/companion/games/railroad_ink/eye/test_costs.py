from __future__ import annotations

import pytest

from companion.games.kit.errors import NotationError
from companion.games.railroad_ink.eye.costs import (
    MARKS,
    NOTHING,
    cells_as_seen,
    cheapest,
    cost_of,
    costs_of,
    with_answers,
)
from companion.games.railroad_ink.rules.position import read_cells


def test_costs_are_against_the_best_mark_of_the_cell() -> None:
    own = costs_of({"a1": {"NS": 0.5, "": 0.25}})[0]
    assert own is not None
    assert cheapest(own) == MARKS[0]
    assert own[0] == 0
    assert own[NOTHING] == pytest.approx(0.69, abs=0.01)
    assert max(own) < 11.2, "nobody is surer than that"


@pytest.mark.parametrize("look", [None, {}])
def test_what_is_not_seen_costs_nothing(look: dict[str, float] | None) -> None:
    own = costs_of({"a1": look})[0]
    assert own is None
    assert cost_of(own, MARKS[3]) == 0.0


def test_a_way_of_writing_does_not_matter() -> None:
    assert costs_of({"a1": {"SN": 1.0}}) == costs_of({"a1": {"NS": 1.0}})


def test_unseen_cells_are_as_they_were() -> None:
    before = read_cells({"a1": "NS", "a2": "ew"})
    seen = cells_as_seen(costs_of({"a1": {"": 1.0}, "b1": {"NS": 1.0}}), before)
    assert seen == read_cells({"a2": "ew", "b1": "NS"})


def test_answers_settle_cells() -> None:
    looks = with_answers({"a1": {"NS": 0.6, "": 0.4}, "b1": None}, {"b1": "SN", "a1": ""})
    assert looks == {"a1": {"": 1.0}, "b1": {"NS": 1.0}}


@pytest.mark.parametrize("answers", [{"h1": "NS"}, {"a1": "Ns"}, {"a1": "what"}])
def test_an_answer_that_is_none(answers: dict[str, str]) -> None:
    with pytest.raises(NotationError):
        with_answers({}, answers)
