"""Fits a grid to the cards detected in it and to exactly known points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.reader.cards.classification import ImagePyramid, pixels_per_mm
from companion.games.derailed.reader.cards.detection import DetectedCard, card_through, detect_cards
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.grids.grid import Grid
from companion.games.derailed.reader.grids.lattice import UNIT, Lattice, field_of, fitted_to, with_cards
from companion.games.derailed.reader.grids.likelihood import DetectedEvidence, log_likelihood
from companion.games.derailed.reader.grids.tilt import LONG_SIDE, warped
from companion.games.derailed.rules.rulebook import ROWS
from vision.register.rectify import Places

_C = CONSTANTS.refinement


def refined(grid: Grid, cards: Sequence[DetectedCard], points: tuple[Places, Places] | None = None) -> Grid:
    """Fit a grid to the cards lying in it by iterative closest points.

    ``points``: lattice coordinates and pixels that are known exactly, (n, 2) each.
    """
    lattice = grid.lattice
    for _ in range(_C.rounds):
        lattice, _ = with_cards(lattice, list(cards), range(grid.lanes))
        lattice = fitted_to(lattice.cards, points) or lattice
    return Grid(lattice, grid.lanes)


def likeliest(
    grids: Iterable[Grid], cards: Sequence[DetectedCard], most: int, least: float = -np.inf
) -> list[Grid]:
    """Fit grids to the detected cards; the ``most`` likeliest of them, if likelier than ``least``."""
    evidence = DetectedEvidence(cards)
    ranked = [(log_likelihood(grid, evidence), grid) for grid in (refined(one, cards) for one in grids)]
    ranked.sort(key=lambda one: -one[0])
    return [grid for value, grid in ranked[:most] if value > least]


def most_off(one: Lattice, other: Lattice, lanes: int) -> float:
    """The largest difference between two lattices at the corners of the field, in places."""
    field = field_of(lanes)
    return float(np.abs(one.places(other.pixels(field)) - field).max())


def cards_in_field(picture: ImagePyramid, grid: Grid) -> list[DetectedCard]:
    """Detect cards in and around a roughly known grid, in the picture rectified by it."""
    wide, high = PRINTED.mat.cell
    lattice, lanes = grid.lattice, grid.lanes
    scale, room = LONG_SIDE / high, 0.7  # room: places that are shown around the field
    to_flat = np.diag([wide * scale, high * scale, 1.0]) @ np.array(
        [[1, 0, 0.5 + room], [0, 1, 0.5 + room], [0, 0, 1]]
    )
    size = round((lanes + 2 * room) * wide * scale), round((ROWS + 2 + 2 * room) * high * scale)
    middle = np.array([(lanes - 1) / 2, (ROWS + 1) / 2])
    shrunk = pixels_per_mm(lattice.pixels(middle + UNIT)) * high / LONG_SIDE
    flat = warped(picture, to_flat @ np.linalg.inv(lattice.matrix), size, shrunk)
    back = lattice.matrix @ np.linalg.inv(to_flat)
    return [card_through(card, back) for card in detect_cards(flat, max(size))]
