"""The grid of a bare table, placed by the pictures of a taught deck."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.games.derailed.reader.cards.classification import ImagePyramid
from companion.games.derailed.reader.cards.faces import CLASSES
from companion.games.derailed.reader.decks.comparison import likeliest_deck, placed_with_deck
from companion.games.derailed.reader.decks.placement import Placement, placements
from companion.games.derailed.reader.decks.taught import DeckModel, known_deck
from companion.games.derailed.reader.decks.teaching import teach_photograph
from companion.games.derailed.reader.grids.lattice import Lattice, field_of, lattice_between, with_cards
from companion.games.derailed.reader.grids.search import detected_in
from companion.games.derailed.reader.grids.tables import Expected, FoundTable, find_tables
from companion.games.derailed.reader.reading import _weighed, read_cards
from companion.games.derailed.rules.rulebook import ROWS
from tests.companion.games.derailed.reader.decks.test_taught import LANES, NAMES, in_order, photograph, pixels

HAND, DECK = "broad-gauge", 0
CARDS = tuple(map(str, np.random.default_rng(8).permutation(in_order())))
CELLS = tuple(card if n % 4 != 3 else "" for n, card in enumerate(CARDS))
ONE_LANE_ON = np.array([[1, 1 / (ROWS + 1), 0], [0, 1, 0], [0, 0, 1]])  # at the destinations


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> DeckModel:
    """A deck like no other, taught from one photograph of its cards on the mat."""
    path: Path = tmp_path_factory.mktemp("taught") / "ours.deck.json"
    teach_photograph(path, 1, pixels(photograph(HAND, in_order(), 11, deck=DECK)), Expected((LANES,)))
    return known_deck(path)


@pytest.fixture(scope="module")
def picture() -> ImagePyramid:
    """Its cards on a bare table."""
    return ImagePyramid(pixels(photograph(HAND, CELLS, 21, "DBCA", DECK, mat=False)))


@pytest.fixture(scope="module")
def truth(picture: ImagePyramid, deck: DeckModel) -> Lattice:
    """The grid by which that table is read without a fault."""
    (sheet,) = read_cards(picture.image, Expected((LANES,), None, (deck,))).sheets
    assert tuple(sheet.cells[name].best for name in NAMES) == CELLS
    return lattice_between(np.array(sheet.corners_px), LANES)


def as_if_found(picture: ImagePyramid, lattice: Lattice) -> FoundTable:
    """The table whose grid was found so."""
    filled, outliers = with_cards(lattice, detected_in(picture, 512), range(LANES))
    return FoundTable(None, LANES, filled, tuple(outliers), "cards")


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(ONE_LANE_ON, id="sheared"),
        pytest.param((1, 0), id="next-lane"),
        pytest.param(np.linalg.inv(ONE_LANE_ON), id="sheared-back", marks=pytest.mark.slow),
        pytest.param((0, -1), id="row-before", marks=pytest.mark.slow),
        pytest.param((0.3, 0.2), id="between", marks=pytest.mark.slow),
    ],
)
def test_a_grid_that_was_found_wrongly_is_put_right(
    picture: ImagePyramid, deck: DeckModel, truth: Lattice, wrong: np.ndarray | tuple[float, float]
) -> None:
    if isinstance(wrong, tuple):
        shift = np.array([[1, 0, wrong[0]], [0, 1, wrong[1]], [0, 0, 1]])
        found = Lattice(truth.matrix @ shift, {})
    else:
        found = Lattice(truth.matrix @ wrong, {})
    picture.deck = deck
    best, *others = placements(picture, as_if_found(picture, found), (LANES,))
    field = field_of(LANES)
    assert np.abs(truth.places(best.table.lattice.pixels(field)) - field).max() < 0.12
    assert all(other.share(best.value) < 0.05 for other in others)
    assert len(best.matches) >= sum(map(bool, CELLS))


def test_grids_that_are_as_likely_remain_beside_each_other(picture: ImagePyramid, truth: Lattice) -> None:
    table = as_if_found(picture, truth)
    best, near, far = (Placement(table, {}, value, False).share(30.0) for value in (30.0, 28.0, 18.0))
    assert best == 1.0
    assert near > 0.5
    assert far < 0.06


def test_a_deck_is_recognised_where_only_what_is_no_card_was_found(
    picture: ImagePyramid, deck: DeckModel
) -> None:
    on_mat = ImagePyramid(pixels(photograph(HAND, CELLS, 23, "DBCA", DECK)))
    (table,) = find_tables(on_mat.image, Expected((LANES,))).tables
    (other, *_) = detected_in(picture, 512)
    wrong = Lattice(table.lattice.matrix, {(3, row): other for row in range(1, 5)})  # a lane without cards
    assert likeliest_deck(on_mat, replace(table, lattice=wrong), (deck,)) is deck
    assert likeliest_deck(on_mat, replace(table, lattice=wrong), ()) is None


def test_no_cell_is_sure_where_most_cards_are_not_known(picture: ImagePyramid, truth: Lattice) -> None:
    table = as_if_found(picture, truth)
    sure = np.eye(len(CLASSES))[0]
    read = [{(0, 1): (truth.quad((0, 1)), sure)}]
    for vague in (False, True):
        _, places = _weighed([Placement(table, {}, 9.0, plain=False, vague=vague)], read)
        assert (places[0, 1][1].max() < 0.9) == vague


def test_another_deck_places_nothing(deck: DeckModel) -> None:
    others = ImagePyramid(pixels(photograph("printed", CELLS, 22, "DBCA", DECK, mat=False)))
    (sheet,) = read_cards(others.image, Expected((LANES,))).sheets
    table = as_if_found(others, lattice_between(np.array(sheet.corners_px), LANES))
    assert placed_with_deck(others, table, (deck,), (LANES,)) == []
    assert others.deck is None
