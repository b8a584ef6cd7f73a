"""The box learns a hand: known routes correct how new ones of the same player are read."""

from collections.abc import Mapping
from random import Random

import numpy as np
import pytest

from companion.games.railroad_ink.reader.labels import LABELS, label_text
from companion.games.railroad_ink.reader.ruling.handwriting import adapted_marks, adapted_routes
from companion.games.railroad_ink.rules.boards.position import read_cells
from companion.games.railroad_ink.rules.boards.routes import Cells
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.evidence import Look
from lab.railroad_ink.random_play import random_board
from tests.companion.games.railroad_ink.reader.unclear import looks_of

# A hand whose highways look like railways: the reader thinks so at six to four.
KNOWN = {"b1": "NS", "b2": "NE", "f1": "NS", "d1": "ns"}
LOOKS: dict[str, Look] = {
    "b1": {"ns": 0.6, "NS": 0.4},
    "b2": {"ne": 0.6, "NE": 0.4},
    "f1": {"ns": 0.6, "NS": 0.4},
    "d1": {"ns": 0.9, "NS": 0.1},
}


def test_what_was_misread_before_is_read_better_now() -> None:
    looks = adapted_routes(
        LOOKS | {"f2": {"ne": 0.6, "NE": 0.4}, "c2": {"ew": 0.9, "EW": 0.1}}, read_cells(KNOWN)
    )
    assert next(iter(looks["f2"] or {})) == "NE"
    assert next(iter(looks["c2"] or {})) == "ew", "its railways are clearer"
    assert sum((looks["f2"] or {}).values()) == pytest.approx(1)
    assert looks["b1"] == LOOKS["b1"], "what is known is looked at as it is"


def test_two_known_routes_tell_nothing_yet_nor_does_what_was_not_seen() -> None:
    two = {name: KNOWN[name] for name in ("b1", "b2")}
    new: dict[str, Look] = {"f2": {"ne": 0.6, "NE": 0.4}, "g2": None}
    assert adapted_routes(LOOKS | new, read_cells(two)) == LOOKS | new
    assert adapted_routes(LOOKS | new, read_cells(KNOWN))["g2"] is None


def _loss(looks: object, truth: Cells, cells: list[int]) -> float:
    assert isinstance(looks, dict)
    found = [looks[GRID.names[cell]].get(label_text(truth.get(cell)), 1e-9) for cell in cells]
    return float(-np.log(found).mean())


def test_a_reader_that_errs_at_random_is_hardly_worse_for_it_and_one_sided_errors_are_undone() -> None:
    before, after, skewed_before, skewed_after = [], [], [], []
    for seed in range(12):
        truth = random_board(Random(seed), "challenge", 7).cells
        looks = looks_of(truth, Random(seed), 0.33)
        known = dict(list(truth.items())[: len(truth) // 2])
        new = [cell for cell in range(GRID.size) if cell not in known]
        before.append(_loss(looks, truth, new))
        after.append(_loss(adapted_routes(looks, known), truth, new))
        skew = {name: _railways_seen(look or {}) for name, look in looks.items()}
        skewed_before.append(_loss(skew, truth, new))
        skewed_after.append(_loss(adapted_routes(skew, known), truth, new))
    assert np.mean(after) < np.mean(before) + 0.02
    lost, won_back = np.mean(skewed_before) - np.mean(before), np.mean(skewed_before) - np.mean(skewed_after)
    assert won_back > 0.1 * lost > 0


def _railways_seen(look: Mapping[str, float]) -> dict[str, float]:
    """A reader who takes many a highway for a railway, and sees as well as ever whether there is anything."""
    by_text = {label_text(mark): mark for mark in LABELS}
    weight = {
        text: p * float(np.exp(1.6 * mark.railway.bit_count()))
        for text, p in look.items()
        if (mark := by_text[text]) is not None
    }
    empty = look.get("", 0.0)
    share = (1 - empty) / max(sum(weight.values()), 1e-12)
    return {text: p * share for text, p in weight.items()} | {"": empty}


def test_that_something_is_drawn_in_all_known_cells_says_nothing_of_the_new_ones() -> None:
    seen: dict[str, Look] = {name: {**(look or {}), "": 0.2} for name, look in LOOKS.items()}
    new: Look = {"": 0.6, "ne": 0.2, "NE": 0.2}
    after = adapted_routes(seen | {"f2": new}, read_cells(KNOWN))["f2"]
    assert after is not None
    assert after[""] == pytest.approx(0.6)
    assert after["NE"] > after["ne"]
    assert sum(after.values()) == pytest.approx(1)


_PALM = {"+cactus": 0.55, "+oasis": 0.4, "": 0.05}


def test_oases_that_look_like_cacti_are_taken_for_oases() -> None:
    """Four palms are known to be oases: the fifth, that looks the same, is one, too."""
    looks: dict[str, Look] = {place: dict(_PALM) for place in ("a1", "b2", "c3", "d4", "e5")}
    known = dict.fromkeys(("a1", "b2", "c3", "d4"), "+oasis")
    found = adapted_marks(looks, "desert", known)["e5"]
    assert found is not None
    assert next(iter(found)) == "+oasis"
    assert abs(sum(found.values()) - 1) < 1e-9


def test_rivers_that_are_railways_elsewhere_are_doubted() -> None:
    """Beside known routes the reader saw rivers that are none: the next one is less sure."""
    ladder = {"+river:NS": 0.7, "": 0.3}
    looks: dict[str, Look] = {place: dict(ladder) for place in ("a1", "b2", "c3", "d4")}
    found = adapted_marks(looks, "river", dict.fromkeys(("a1", "b2", "c3"), ""))["d4"]
    assert found is not None
    assert found["+river:NS"] < 0.5


def test_little_that_is_known_says_nothing() -> None:
    """Two signs are too few; of canyons' borders only those with one are known; hidden places stay so."""
    looks: dict[str, Look] = {"a1": dict(_PALM), "b2": dict(_PALM), "c3": None, "d4": {"": 1.0}}
    assert adapted_marks(looks, "desert", {"a1": "+oasis", "b2": "+oasis", "c3": "+oasis"}) == looks
    borders: dict[str, Look] = {f"a{n}-b{n}": {"canyon": 0.6, "": 0.4} for n in range(1, 6)}
    assert adapted_marks(borders, "canyon", dict.fromkeys(list(borders)[:4], "canyon")) == borders
