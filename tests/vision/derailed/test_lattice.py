"""The grid is found from the cards alone, whatever is missing, and however it is seen."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.derailed.printed import tag_quads
from companion.games.kit.tags import tag_number
from vision.derailed.bare import LikelyCard, bare_lattice
from vision.derailed.finding import SeenCard
from vision.derailed.lattice import CARD_SHARE, Node, find_mats, with_cards
from vision.rectify import Places
from vision.studio.cameras import transformed

# Seen at a slant: farther rows are smaller and nearer to each other.
SLANT = np.array([[70.0, 6.0, 120.0], [-4.0, 84.0, 90.0], [0.004, 0.03, 1.0]])


def seen(matrix: Places, node: Node, turn: float = 0.0, aside: tuple[float, float] = (0, 0)) -> SeenCard:
    """A card of a lattice as it would be found."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    spin = np.array([[c, s * 89 / 64], [-s * 64 / 89, c]])
    ends = np.array([(0, 0), (0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5)]) * CARD_SHARE
    middle, right, left, low, high = transformed(matrix, np.array(node) + aside + ends @ spin.T)
    return SeenCard(middle, (right - left) / 2, (low - high) / 2, 0.9)


def table(matrix: Places, nodes: list[Node], lanes: int) -> list[LikelyCard]:
    """Stations at both ends, and cards in these places."""
    ends = [LikelyCard(seen(matrix, (lane, row)), 1.0) for lane in range(lanes) for row in (0, 5)]
    return ends + [LikelyCard(seen(matrix, node), 0.0) for node in nodes]


@pytest.mark.parametrize("lanes", [2, 3, 6])
def test_a_table_with_gaps(lanes: int) -> None:
    nodes = [(1, 1), (1, 2), (0, 3)]
    found = bare_lattice(table(SLANT, nodes, lanes))
    assert found is not None
    lattice, counted = found
    assert counted == lanes
    assert set(lattice.cards) == {*nodes, *((lane, row) for lane in range(lanes) for row in (0, 5))}
    middle = np.array([1.0, 3.0])
    assert lattice.pixels(middle) == pytest.approx(transformed(SLANT, middle), abs=2)


def test_starts_are_at_the_top_or_at_the_left() -> None:
    other_end = np.array([[-1.0, 0, 2], [0, -1, 5], [0, 0, 1]])
    for matrix in (SLANT, SLANT @ other_end):
        found = bare_lattice(table(matrix, [], 3))
        assert found is not None
        first, last = (found[0].pixels(np.array([1.0, row])) for row in (0.0, 5.0))
        left, right = (found[0].pixels(np.array([lane, 0.0])) for lane in (0.0, 2.0))
        assert (last - first).sum() > 0
        assert right[0] > left[0]


def test_a_hidden_station() -> None:
    cards = table(SLANT, [(2, 1)], 4)
    found = bare_lattice(cards[:3] + cards[4:])
    assert found is not None
    assert found[1] == 4


def test_a_card_that_lies_askew_or_elsewhere_is_not_part_of_it() -> None:
    odd = [LikelyCard(seen(SLANT, (1, 3), turn=45), 0.0), LikelyCard(seen(SLANT, (-2, 2)), 0.0)]
    found = bare_lattice([*table(SLANT, [(0, 1)], 3), *odd])
    assert found is not None
    assert not {id(one.card) for one in odd} & {id(card) for card in found[0].cards.values()}


def test_no_table_without_both_columns() -> None:
    cards = [LikelyCard(seen(SLANT, (lane, row)), 1.0) for lane in range(4) for row in (0, 1)]
    assert bare_lattice(cards) is None
    assert (
        bare_lattice([LikelyCard(seen(SLANT, (lane, row)), 0.0) for lane in range(4) for row in range(6)])
        is None
    )
    assert bare_lattice([]) is None


def tags(lanes: int) -> list[tuple[int, Places]]:
    return [(number, 2.0 * np.array(quad) + 50) for number, quad in tag_quads(lanes).items()]


def test_a_mat_by_three_of_its_tags() -> None:
    (mat,) = find_mats(tags(4)[:3])
    assert mat.lanes == 4
    assert mat.lattice.pixels(np.array([1.0, 0.0])) - mat.lattice.pixels(np.zeros(2)) == pytest.approx(
        [128, 0]
    )
    card = seen(mat.lattice.matrix, (2, 3), turn=4, aside=(0.05, -0.04))
    off = seen(mat.lattice.matrix, (2, 3), aside=(0.5, 0))
    lattice, left = with_cards(mat.lattice, [card, off], range(4))
    assert (list(lattice.cards), left) == ([(2, 3)], [off])


def test_no_mat_is_made_up() -> None:
    assert find_mats(tags(4)[:2]) == []
    assert (
        find_mats([(tag_number("railroad-ink/challenge", 1, n), quad) for n, (_, quad) in enumerate(tags(4))])
        == []
    )
    strewn = [(number, np.roll(quad, n, axis=0) + 97 * n) for n, (number, quad) in enumerate(tags(4))]
    assert find_mats(strewn) == []
