"""The grid is found from the cards alone, whatever is missing, and however it is seen."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.derailed.printed import tag_quads
from companion.games.kit.tags import tag_number
from vision.derailed.finding import SeenCard
from vision.derailed.lattice import CARD_SHARE, Lattice, Node, find_mats, lattices_of, turned, with_cards
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


def test_a_table_with_gaps() -> None:
    nodes = [(lane, row) for lane in range(4) for row in (0, 5)] + [(1, 1), (1, 2), (2, 3)]
    lattice = lattices_of([seen(SLANT, node) for node in nodes])[0]
    assert len(lattice.cards) == len(nodes)
    low = min(lattice.cards)[0], min(row for _, row in lattice.cards)
    assert {(lane - low[0], row - low[1]) for lane, row in lattice.cards} == set(nodes)


def test_starts_are_at_the_top_or_at_the_left() -> None:
    nodes = [(lane, row) for lane in range(3) for row in range(3)]
    for matrix in (SLANT, SLANT @ np.array([[-1.0, 0, 2], [0, -1, 2], [0, 0, 1]])):
        lattice = lattices_of([seen(matrix, node) for node in nodes])[0]
        first, last = (lattice.pixels(np.array([1.0, row])) for row in (0.0, 2.0))
        assert (last - first).sum() > 0


def test_a_card_that_lies_askew_is_not_part_of_it() -> None:
    nodes = [(lane, row) for lane in range(3) for row in range(3)]
    odd = seen(SLANT, (1, 3), turn=45)
    lattice = lattices_of([*(seen(SLANT, node) for node in nodes), odd])[0]
    assert len(lattice.cards) == len(nodes)
    assert odd not in lattice.cards.values()


def test_seen_from_the_other_end() -> None:
    lattice = Lattice(SLANT, {(1, 2): seen(SLANT, (1, 2))})
    again = turned(lattice)
    assert list(again.cards) == [(-1, -2)]
    assert again.pixels(np.array([-1.0, -2.0])) == pytest.approx(lattice.pixels(np.array([1.0, 2.0])))


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
