"""The grid that cards lie in: fitted to the cards themselves, or known from the mat's corner tags.

A *lattice* takes (lane, row) to pixels; a place's middle has whole numbers, and cards are a little smaller
than the places.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.printed import PRINTED, card_corner, tag_quads
from companion.games.derailed.rulebook import ARRIVALS_TO_END, ROWS
from companion.games.kit.tags import CORNERS, tag_place
from vision.derailed.finding import SeenCard
from vision.placing import weighted_homography
from vision.rectify import Matrix, Places

CARD_SHARE = 0.975  # of a place that its card fills, both ways
_NEAR = 0.3  # places: how far from whole numbers a card of the lattice may lie
_ASKEW = np.radians(20)
_LIKE = 0.35  # log: how much bigger or smaller than its neighbour a card of the lattice may seem
_MOST_MISS = 0.1  # of a card's side: how far off the others a tag may be
_SEEDS = 8
_CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
Node = tuple[int, int]  # lane, row


@dataclass(frozen=True, eq=False)
class Lattice:
    """From places to pixels, and the cards that lie in it by their place."""

    matrix: Matrix
    cards: dict[Node, SeenCard]

    def pixels(self, places: Places) -> Places:
        """Places as pixels."""
        return _through(self.matrix, places)

    def places(self, pixels: Places) -> Places:
        """Pixels as places."""
        return _through(np.asarray(np.linalg.inv(self.matrix), np.float64), pixels)

    def quad(self, node: Node) -> Places:
        """The corners of a card in a place, clockwise from the one at its own top left."""
        return self.pixels(np.array(node) + _CORNERS * CARD_SHARE)


@dataclass(frozen=True, eq=False)
class FoundMat:
    """A mat: how many lanes it has, and its lattice, still without cards."""

    lanes: int
    lattice: Lattice
    corners: Places


def _through(matrix: Matrix, points: Places) -> Places:
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    mapped = flat @ matrix[:, :2].T + matrix[:, 2]
    depth = np.where(np.abs(mapped[:, 2:]) < 1e-9, 1e-9, mapped[:, 2:])
    result: Places = (mapped[:, :2] / depth).reshape(np.shape(points))
    return result


# --- the mat ---


def find_mats(tags: list[tuple[int, Places]]) -> list[FoundMat]:
    """The mats of which at least three tags are seen."""
    by_lanes: dict[int, list[tuple[int, Places]]] = {}
    for number, pixels in tags:
        place = tag_place(number)
        if place is not None and place.kind == PRINTED.name and place.seat in ARRIVALS_TO_END:
            own = by_lanes.setdefault(place.seat, [])
            if not any(number == other and _near(pixels, corners) for other, corners in own):
                own.append((number, pixels))
    found = [_mat(lanes, seen) for lanes, seen in sorted(by_lanes.items())]
    return [mat for mat in found if mat is not None]


def _near(one: Places, other: Places) -> bool:
    """One tag seen twice, in its outer and its inner outline?"""
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
    away = np.hypot(*(_through(homography, places) - pixels).T)
    corners = _through(homography, np.array([quads[number][0] for number in sorted(quads)]))
    return None if float(away.max()) > _MOST_MISS * side else FoundMat(lanes, lattice, corners)


def with_cards(lattice: Lattice, cards: list[SeenCard], columns: range) -> tuple[Lattice, list[SeenCard]]:
    """The lattice of a mat with its cards, and the cards that do not lie in it."""
    kept: dict[Node, SeenCard] = {}
    left: list[SeenCard] = []
    for card in cards:
        node = _node(lattice, card)
        if node is None or node[0] not in columns or not 0 <= node[1] <= ROWS + 1 or node in kept:
            left.append(card)
        else:
            kept[node] = card
    return Lattice(lattice.matrix, kept), left


def _node(lattice: Lattice, card: SeenCard) -> Node | None:
    """The place in which a card lies as it should."""
    at = lattice.places(card.middle)
    node = np.rint(at)
    ends = lattice.places(np.stack([card.middle + card.long, card.middle - card.long]))
    along = ends[0] - ends[1]
    turn = abs(np.arctan2(along[0] * PRINTED.mat.cell[0], along[1] * PRINTED.mat.cell[1]))
    if np.abs(at - node).max() > _NEAR or min(turn, np.pi - turn) > _ASKEW:
        return None
    return int(node[0]), int(node[1])


# --- cards alone ---


def lattices_of(cards: list[SeenCard]) -> list[Lattice]:
    """The grids that the cards of a picture lie in, the one with most cards first."""
    left, found = list(cards), []
    for _ in range(_SEEDS):
        if len(left) < 4:
            break
        grown = _grown(left)
        found.append(grown)
        own = {id(card) for card in grown.cards.values()}
        left = [card for card in left if id(card) not in own]
    return sorted(found, key=lambda lattice: -len(lattice.cards))


def _grown(cards: list[SeenCard]) -> Lattice:
    """The grid around the card that has most neighbours."""
    steps = {
        (a, b): _step(cards[a], cards[b]) for a in range(len(cards)) for b in range(len(cards)) if a != b
    }
    near = [sum(_is_next(steps[a, b]) for b in range(len(cards)) if b != a) for a in range(len(cards))]
    seed = int(np.argmax([count + 0.1 * card.likely for count, card in zip(near, cards, strict=True)]))
    axes = _axes(cards[seed], None)
    places: dict[int, Node] = {seed: (0, 0)}
    signs = {seed: axes}
    for reach in (1, 2, 3, 5):
        while (following := _next(cards, places, signs, reach)) is not None:
            number, node, own = following
            places[number], signs[number] = node, own
    lattice = _fitted(cards, places, signs)
    return _downwards(lattice)


def _axes(card: SeenCard, like: tuple[Places, Places] | None) -> tuple[Places, Places]:
    """A card's whole sides, pointing as a neighbour's do."""
    short, long = 2 * card.short / CARD_SHARE, 2 * card.long / CARD_SHARE
    if like is not None:
        short = short if short @ like[0] > 0 else -short
        long = long if long @ like[1] > 0 else -long
        return short, long
    return (short, long) if short[0] * long[1] - short[1] * long[0] > 0 else (-short, long)


def _step(one: SeenCard, other: SeenCard) -> NDArray[np.float64]:
    """How many places it is from card to card, by the sides of both."""
    mine = _axes(one, None)
    theirs = _axes(other, mine)
    base = np.stack([(mine[0] + theirs[0]) / 2, (mine[1] + theirs[1]) / 2], axis=1)
    if abs(np.linalg.det(base)) < 1e-6:
        return np.array([99.0, 99.0])
    return np.asarray(np.linalg.solve(base, other.middle - one.middle), np.float64)


def _is_next(step: NDArray[np.float64]) -> bool:
    away = np.abs(step)
    return bool(min(np.hypot(away[0] - 1, away[1]), np.hypot(away[0], away[1] - 1)) < _NEAR)


def _next(
    cards: list[SeenCard],
    places: dict[int, Node],
    signs: dict[int, tuple[Places, Places]],
    reach: int,
) -> tuple[int, Node, tuple[Places, Places]] | None:
    """The card that fits best into the grid, at most so many places from one that is in it."""
    best: tuple[float, int, Node, tuple[Places, Places]] | None = None
    taken = set(places.values())
    for number, card in enumerate(cards):
        if number in places:
            continue
        for known, node in places.items():
            own = _axes(card, signs[known])
            if not _alike(own, signs[known]):
                continue
            base = np.stack([(own[0] + signs[known][0]) / 2, (own[1] + signs[known][1]) / 2], axis=1)
            step = np.linalg.solve(base, card.middle - cards[known].middle)
            whole = np.rint(step)
            far, off = float(np.abs(whole).sum()), float(np.abs(step - whole).max())
            at = (node[0] + int(whole[0]), node[1] + int(whole[1]))
            cost = off + 0.3 * far
            if 0 < far <= reach and off < _NEAR and at not in taken and (best is None or cost < best[0]):
                best = (cost, number, at, own)
    return None if best is None else best[1:]


def _alike(one: tuple[Places, Places], other: tuple[Places, Places]) -> bool:
    """Are two cards turned and seen nearly alike?"""
    for mine, theirs in zip(one, other, strict=True):
        a, b = float(np.hypot(*mine)), float(np.hypot(*theirs))
        turn = abs(mine[0] * theirs[1] - mine[1] * theirs[0]) / max(a * b, 1e-9)
        if turn > np.sin(_ASKEW) or abs(log(a / b)) > _LIKE:
            return False
    return True


def _fitted(
    cards: list[SeenCard], places: dict[int, Node], signs: dict[int, tuple[Places, Places]]
) -> Lattice:
    """The homography that suits all cards: their middles, and less exactly their corners."""
    spots, pixels, weights = [], [], []
    for number, node in places.items():
        card, (short, long) = cards[number], signs[number]
        spots.append(np.array(node, np.float64)[None])
        pixels.append(card.middle[None])
        spots.append(np.array(node) + _CORNERS * CARD_SHARE)
        pixels.append(card.middle + (_CORNERS * CARD_SHARE) @ np.stack([short, long]))
        weights += [1.0, *[0.15] * 4]
    found = weighted_homography(np.concatenate(spots), np.concatenate(pixels), np.array(weights))
    matrix = np.eye(3) if found is None else found
    return Lattice(matrix / matrix[2, 2], {node: cards[number] for number, node in places.items()})


def _downwards(lattice: Lattice) -> Lattice:
    """Rows counted downwards or to the right in the picture: so the starts are taken to be."""
    middle = np.mean(list(lattice.cards), axis=0)
    along = lattice.pixels(middle + np.array([0, 0.5])) - lattice.pixels(middle - np.array([0, 0.5]))
    return lattice if along.sum() > 0 else turned(lattice)


def turned(lattice: Lattice) -> Lattice:
    """The same lattice seen from its other end."""
    matrix = lattice.matrix @ np.diag([-1.0, -1.0, 1.0])
    return Lattice(matrix, {(-lane, -row): card for (lane, row), card in lattice.cards.items()})


def moved(lattice: Lattice, lane: int, row: int) -> Lattice:
    """The same lattice counted from another place."""
    shift = np.array([[1, 0, lane], [0, 1, row], [0, 0, 1]], np.float64)
    cards = {(a - lane, b - row): card for (a, b), card in lattice.cards.items()}
    return Lattice(lattice.matrix @ shift, cards)
