from __future__ import annotations

import pytest

from companion.core.errors import NotationError
from companion.games.railroad_ink.reader.labels import LABELS, NOTHING
from companion.games.railroad_ink.reader.ruling.likelihood import cells_as_seen, likeliest, nll_of, route_nlls
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.rules.boards.position import read_cells


def test_nlls_are_against_the_best_mark_of_the_cell() -> None:
    own = route_nlls({"a1": {"NS": 0.5, "": 0.25}})[0]
    assert own is not None
    assert likeliest(own) == LABELS[0]
    assert own[0] == 0
    assert own[NOTHING] == pytest.approx(0.69, abs=0.01)
    assert max(own) < 11.2, "nobody is surer than that"


@pytest.mark.parametrize("look", [None, {}])
def test_what_is_not_seen_costs_nothing(look: dict[str, float] | None) -> None:
    own = route_nlls({"a1": look})[0]
    assert own is None
    assert nll_of(own, LABELS[3]) == 0.0


def test_a_way_of_writing_does_not_matter() -> None:
    assert route_nlls({"a1": {"SN": 1.0}}) == route_nlls({"a1": {"NS": 1.0}})


def test_unseen_cells_are_as_they_were() -> None:
    before = read_cells({"a1": "NS", "a2": "ew"})
    seen = cells_as_seen(route_nlls({"a1": {"": 1.0}, "b1": {"NS": 1.0}}), before)
    assert seen == read_cells({"a2": "ew", "b1": "NS"})


def test_answers_settle_cells() -> None:
    looks = SlotProbabilities({"a1": {"NS": 0.6, "": 0.4}, "b1": None}).settled({"b1": "SN", "a1": ""}).routes
    assert looks == {"a1": {"": 1.0}, "b1": {"NS": 1.0}}


@pytest.mark.parametrize("answers", [{"h1": "NS"}, {"a1": "Ns"}, {"a1": "what"}])
def test_an_answer_that_is_none(answers: dict[str, str]) -> None:
    with pytest.raises(NotationError):
        SlotProbabilities({}).settled(answers)
