"""Cards that were settled lend their pictures to the next photographs of a match."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.derailed.reader.cards.classification import Probabilities
from companion.games.derailed.reader.cards.faces import CLASS_NUMBER, CLASSES, FACE_CLASSES
from companion.games.derailed.reader.cards.views import HEIGHT, WIDTH
from companion.games.derailed.reader.decks.matching import NOTHING
from companion.games.derailed.reader.decks.references import (
    MOST_LENT,
    ReferenceCards,
    shown_cards,
    weighed_by_likeness,
    with_shown,
)
from companion.games.derailed.reader.grids.tables import Expected
from companion.games.derailed.reader.reading import read_cards
from companion.games.derailed.reader.readings import CardReading
from companion.games.derailed.reader.ruling import AreaRuling
from tests.companion.games.derailed.reader.decks.test_taught import LANES, NAMES, in_order, photograph, pixels

GREY = np.full((HEIGHT, WIDTH, 3), 120, np.uint8)


def only_table(data: bytes, references: ReferenceCards | None = None) -> CardReading:
    (sheet,) = read_cards(data, Expected((LANES,), references=references)).sheets
    return sheet


def shares(**faces: float) -> Probabilities:
    own = np.full(len(CLASSES), 1e-6)
    for face, share in faces.items():
        own[CLASS_NUMBER[face]] = share
    return np.asarray(own / own.sum())


def likeness(faces: dict[str, float]) -> Probabilities:
    alike = np.full(len(CLASSES), NOTHING)
    for face, like in faces.items():
        alike[CLASS_NUMBER[face]] = like
    return alike


@pytest.mark.parametrize(
    ("hand", "deck", "mat"),
    [
        ("single-line", 1, True),
        ("single-line", 1, False),
        pytest.param("broad-gauge", 0, True, marks=pytest.mark.slow),
        pytest.param("broad-gauge", 0, False, marks=pytest.mark.slow),
    ],
)
def test_a_deck_that_nobody_taught_is_learnt_while_it_is_played(hand: str, deck: int, mat: bool) -> None:
    first = photograph(hand, in_order(), 11, deck=deck, mat=True)
    grid = dict(zip(NAMES, in_order(), strict=True))
    shown = shown_cards(pixels(first), only_table(first), AreaRuling("accepted", grid), NAMES)
    references = with_shown(None, shown, grid)
    known_faces = {face for _, face in shown}
    assert len(known_faces) > len(NAMES) / 2
    later = tuple(map(str, np.random.default_rng(4).permutation(in_order())))
    data = photograph(hand, later, 12, "DBCA", deck, mat)
    wrong, doubtful = [], []
    for known in (None, references):
        cells = only_table(data, known).cells
        seen = [(cells[name], card) for name, card in zip(NAMES, later, strict=True) if card in known_faces]
        wrong.append(sum(place.best != card for place, card in seen))
        doubtful.append(sum(place.probabilities.get(card, 0) < 0.99 for place, card in seen))
    assert wrong[1] < max(wrong[0], 1)
    assert doubtful[1] <= doubtful[0] / 2


def test_only_what_is_clearly_seen_or_was_settled_is_lent() -> None:
    data = photograph("single-line", in_order(), 11, deck=1)
    image, sheet = pixels(data), only_table(data)
    name, face = NAMES[0], in_order()[0]
    ruling = AreaRuling("accepted", {name: face})

    def references(probability: float, settled: tuple[str, ...] = (), **more: str) -> set[tuple[str, str]]:
        other = next(one for one in FACE_CLASSES if one != face)
        seen = {face: probability, other: 1 - probability}
        place = replace(sheet.cells[name], probabilities=seen, cannot_see=more.get("cannot_see"))
        return set(shown_cards(image, replace(sheet, slots={**sheet.slots, name: place}), ruling, settled))

    assert references(0.999) == {(name, face)}
    assert references(0.9) == set()
    assert references(0.4, (name,)) == {(name, face)}
    assert references(0.999, (name,), cannot_see="covered") == set()
    image = image.copy()
    x, y = np.mean(sheet.cells[name].corners, axis=0).astype(int)
    image[y - 40 : y + 40, x - 40 : x + 40] = 255  # a lamp's reflection
    assert references(0.999) == set()


def test_what_the_match_has_not_kept_is_not_lent_and_the_oldest_make_room() -> None:
    assert with_shown(None, {("a1", "TB"): GREY}, {"a1": "LR"}) is None
    first = with_shown(None, {("a1", "TB"): GREY, ("a2", "TB"): GREY}, {"a1": "TB"})
    assert first is not None
    assert list(first.views) == [("a1", "TB")]
    assert with_shown(first, {("a2", "TB"): GREY}, {}) is first
    many = first
    for face in FACE_CLASSES:
        for cell in ("b1", "b2"):
            following = with_shown(many, {(cell, face): GREY}, {cell: face})
            assert following is not None
            many = following
    assert len(many.views) == MOST_LENT
    assert ("a1", "TB") not in many.views


def test_a_likeness_tells_between_cards_that_were_seen() -> None:
    own = shares(LTRB=0.9, LTR=0.05, TB=0.05)
    told = weighed_by_likeness(own, likeness({"LTRB": 0.6, "LTR": 0.95}))
    assert told[CLASS_NUMBER["LTR"]] > 0.95
    assert told.sum() == pytest.approx(1)


def test_a_likeness_says_little_against_a_card_that_leads_on_alike_and_was_not_seen() -> None:
    own = np.full(len(CLASSES), 1e-6)
    own[CLASS_NUMBER["TB|l"]], own[CLASS_NUMBER["TB"]] = 0.9, 0.1
    told = weighed_by_likeness(own / own.sum(), likeness({"TB": 0.88}))
    assert told[CLASS_NUMBER["TB|l"]] > 0.85
    sure = weighed_by_likeness(own / own.sum(), likeness({"TB": 0.88, "TB|l": 0.6}))
    assert sure[CLASS_NUMBER["TB"]] > 0.95
