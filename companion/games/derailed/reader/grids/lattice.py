"""The lattice of cards as a homography, from a mat's corner tags or from cards in known places.

A *lattice* takes (lane, row) to pixels; a place's middle has whole numbers, and cards are a little smaller
than the places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.games.derailed.printing.printed import PRINTED, card_corner, tag_quads
from companion.games.derailed.reader.cards.detection import DetectedCard, card_through, through
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, ROWS
from companion.sheets.tags import CORNERS, tag_place
from vision.register.placing import weighted_homography
from vision.register.rectify import Matrix, Places

_C = CONSTANTS.lattice

CARD_SHARE = 0.975  # of a place that its card fills, both ways
UNIT = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
Node = tuple[int, int]  # lane, row


@dataclass(frozen=True, eq=False)
class Lattice:
    """The homography from lattice coordinates to pixels, and the cards in the lattice by node."""

    matrix: Matrix
    cards: dict[Node, DetectedCard]

    def pixels(self, places: Places) -> Places:
        """Map lattice coordinates (n, 2) to pixels by the homography."""
        return through(self.matrix, places)

    def places(self, pixels: Places) -> Places:
        """Map pixels (n, 2) to lattice coordinates by the inverse homography."""
        return through(np.asarray(np.linalg.inv(self.matrix), np.float64), pixels)

    def node_at(self, pixel: Places) -> Node:
        """The node in which a pixel lies."""
        lane, row = np.rint(self.places(pixel)).astype(int).tolist()
        return lane, row

    def quad(self, node: Node) -> Places:
        """The corners of a card in a place, clockwise from the one at its own top left."""
        return self.pixels(np.array(node) + UNIT * CARD_SHARE)


def field_of(lanes: int) -> Places:
    """The corners of the field of cards in lattice coordinates, both columns of stations included."""
    return np.array([(-0.5, -0.5), (lanes - 0.5, -0.5), (lanes - 0.5, ROWS + 1.5), (-0.5, ROWS + 1.5)])


def lattice_between(corners: Places, lanes: int) -> Lattice:
    """The lattice whose field has these corners in pixels, without cards yet."""
    field = field_of(lanes).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(field, corners.astype(np.float32))
    return Lattice(np.asarray(matrix / matrix[2, 2], np.float64), {})


@dataclass(frozen=True, eq=False)
class FoundMat:
    """A mat: how many lanes it has, and its lattice, still without cards."""

    lanes: int
    lattice: Lattice


# --- the mat ---


def find_mats(tags: list[tuple[int, Places]]) -> list[FoundMat]:
    """The mats of which at least three tags are seen."""
    found = [_mat(lanes, seen) for lanes, seen in sorted(mat_tags(tags).items())]
    return [mat for mat in found if mat is not None]


def mat_tags(tags: list[tuple[int, Places]]) -> dict[int, list[tuple[int, Places]]]:
    """The corner tags of mats by how many lanes the mat has, each once."""
    by_lanes: dict[int, list[tuple[int, Places]]] = {}
    for number, pixels in tags:
        place = tag_place(number)
        if place is not None and place.kind == PRINTED.name and place.seat in ARRIVALS_TO_END:
            own = by_lanes.setdefault(place.seat, [])
            if not any(number == other and _near(pixels, corners) for other, corners in own):
                own.append((number, pixels))
    return by_lanes


def mat_points(lanes: int, tags: Sequence[tuple[int, Places]]) -> tuple[Places, Places]:
    """The corners of a mat's tags in lattice coordinates and in pixels, (n, 2) each."""
    quads = tag_places(lanes)
    places = np.concatenate([quads[number] for number, _ in tags])
    return places, np.concatenate([pixels for _, pixels in tags])


def tag_places(lanes: int) -> dict[int, Places]:
    """The corners of a mat's tags in lattice coordinates, by tag number."""
    middle = np.asarray(card_corner(0, 0)) + np.array(PRINTED.card.size) / 2
    cell = np.array(PRINTED.mat.cell)
    return {number: (np.array(quad, np.float64) - middle) / cell for number, quad in tag_quads(lanes).items()}


def _near(one: Places, other: Places) -> bool:
    """Return True if two outlines are one tag seen twice, by its outer and its inner outline."""
    return bool(np.hypot(*(one.mean(axis=0) - other.mean(axis=0))) < np.hypot(*(one[1] - one[0])))


def _mat(lanes: int, seen: list[tuple[int, Places]]) -> FoundMat | None:
    unique = dict(seen)
    if not len(CORNERS) - 1 <= len(unique) == len(seen):
        return None
    quads = tag_quads(lanes)
    places = np.concatenate([np.array(quads[number]) for number in unique])
    pixels = np.concatenate(list(unique.values()))
    homography = weighted_homography(places, pixels)
    if homography is None:
        return None
    width, height = PRINTED.mat.cell
    first = np.asarray(card_corner(0, 0)) + np.array(PRINTED.card.size) / 2
    to_mm = np.array([[width, 0, first[0]], [0, height, first[1]], [0, 0, 1]])
    matrix = homography @ to_mm
    lattice = Lattice(matrix / matrix[2, 2], {})
    side = float(np.sqrt(abs(cv2.contourArea(lattice.quad((0, 0)).astype(np.float32)))))
    away = np.hypot(*(through(homography, places) - pixels).T)
    return None if float(away.max()) > _C.most_miss * side else FoundMat(lanes, lattice)


def with_cards(
    lattice: Lattice, cards: list[DetectedCard], columns: range
) -> tuple[Lattice, list[DetectedCard]]:
    """The lattice of a mat with its cards, and the cards that do not lie in it."""
    kept: dict[Node, DetectedCard] = {}
    left: list[DetectedCard] = []
    for card, node in zip(cards, _nodes(lattice, cards), strict=True):
        if node is None or node[0] not in columns or not 0 <= node[1] <= ROWS + 1 or node in kept:
            left.append(card)
        else:
            kept[node] = card
    return Lattice(lattice.matrix, kept), left


def _nodes(lattice: Lattice, cards: Sequence[DetectedCard]) -> list[Node | None]:
    """The node in which each card lies correctly."""
    if not cards:
        return []
    middles, longs = np.array([card.middle for card in cards]), np.array([card.long for card in cards])
    at, one, other = lattice.places(np.stack([middles, middles + longs, middles - longs]))
    nodes, along = np.rint(at), (one - other) * PRINTED.mat.cell
    turns = np.abs(np.arctan2(along[:, 0], along[:, 1]))
    lies = (np.abs(at - nodes).max(axis=1) <= _C.near) & (
        np.minimum(turns, np.pi - turns) <= np.radians(_C.askew)
    )
    return [
        (int(lane), int(row)) if fits else None
        for (lane, row), fits in zip(nodes, lies.tolist(), strict=True)
    ]


# --- cards in known places ---


def fitted_to(
    cards: Mapping[Node, DetectedCard], points: tuple[Places, Places] | None = None
) -> Lattice | None:
    """Fit the lattice to these cards: to their centres and, with less weight, to their corners.

    ``points`` are places and pixels that are known exactly.
    """
    if not cards:
        return None
    spots, pixels, weights = [], [], []
    if points is not None:
        spots, pixels = [points[0]], [points[1]]
        weights = [_C.point_weight * max(1.0, len(cards) / len(points[0]))] * len(points[0])
    for node, card in cards.items():
        quad = _upright(card, cards, node)
        spots += [np.array(node, np.float64)[None], np.array(node) + UNIT * CARD_SHARE]
        pixels += [card.middle[None], quad]
        weights += [1.0, *[_C.corner_weight] * 4]
    found = weighted_homography(np.concatenate(spots), np.concatenate(pixels), np.array(weights))
    return None if found is None else Lattice(found / found[2, 2], dict(cards))


def _upright(card: DetectedCard, cards: Mapping[Node, DetectedCard], node: Node) -> Places:
    """The corners of a card starting at its own top left; rows count towards its bottom."""
    down = sum(
        ((other.middle - card.middle) * (at[1] - node[1]) for at, other in cards.items() if at[1] != node[1]),
        start=np.zeros(2),
    )
    quad = card.quad
    turns = [np.roll(quad, -n, axis=0) for n in (0, 2)]
    return max(turns, key=lambda turn: float((turn[2] + turn[3] - turn[0] - turn[1]) @ down))


def moved(lattice: Lattice, lane: int, row: int) -> Lattice:
    """The lattice with its origin moved to this lane and row."""
    shift = np.array([[1, 0, lane], [0, 1, row], [0, 0, 1]], np.float64)
    cards = {(a - lane, b - row): card for (a, b), card in lattice.cards.items()}
    return Lattice(lattice.matrix @ shift, cards)


def lattice_through(lattice: Lattice, matrix: Matrix) -> Lattice:
    """The lattice in another picture of the table; ``matrix`` is the homography from the one to the other."""
    moved_to = matrix @ lattice.matrix
    cards = {node: card_through(card, matrix) for node, card in lattice.cards.items()}
    return Lattice(moved_to / moved_to[2, 2], cards)
