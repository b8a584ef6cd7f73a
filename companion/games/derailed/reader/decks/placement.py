"""Finds the grid of a bare table with a taught deck: the one whose places show the deck's cards.

Boxes of found cards may make a grid that lies off by a lane or a row, and every place of it is then compared
with the wrong card. A taught deck tells: the cells' cards look like its pictures, the stations like stations
to the network that learnt it. So the grid is first fitted to the cards that are known (iterative closest
points, with the taught pictures as the points' names). Unless nearly all cards are known then, others are
tried: sheared by a lane, counted from other places, spanned by other rows of stations, and grown from single
cards. What is seen in each is a likelihood; grids that are nearly as likely as the best remain beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.games.derailed.reader.cards.classification import (
    ImagePyramid,
    as_found,
    class_probabilities,
    pixels_per_mm,
)
from companion.games.derailed.reader.cards.detection import DetectedCard
from companion.games.derailed.reader.cards.faces import (
    CLASS_NUMBER,
    COVERED,
    EMPTY,
    STATIONS_OF,
)
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.decks.matching import DeckPictures, Match
from companion.games.derailed.reader.decks.taught import DeckModel
from companion.games.derailed.reader.grids.evidence import lane_evidence, seen_at
from companion.games.derailed.reader.grids.grid import Detections, Grid, hypotheses
from companion.games.derailed.reader.grids.known import neighbouring_grids
from companion.games.derailed.reader.grids.lattice import (
    CARD_SHARE,
    UNIT,
    Lattice,
    Node,
    fitted_to,
    moved,
    with_cards,
)
from companion.games.derailed.reader.grids.likelihood import (
    DetectedEvidence,
    Evidence,
    GridEvidence,
    count_of,
    log_likelihood,
    log_likelihood_of,
)
from companion.games.derailed.reader.grids.refinement import most_off
from companion.games.derailed.reader.grids.search import AMONG_CARDS
from companion.games.derailed.reader.grids.tables import FoundTable
from companion.games.derailed.rules.rulebook import ROWS
from vision.register.rectify import Places

_C = CONSTANTS.placement


@dataclass(frozen=True, eq=False)
class Placement:
    """A table with its grid, the matches of its cells, and the log-likelihood of all.

    ``plain``: nearly all of its cards are recognised; ``vague``: most of them are not.
    """

    table: FoundTable
    matches: Mapping[Node, Match]
    value: float
    plain: bool
    vague: bool = False

    def share(self, best: float) -> float:
        """Its probability relative to the best log-likelihood."""
        return float(np.exp((self.value - best) / _C.step))


def places_of(table: FoundTable, node: Node) -> list[Places]:
    """Candidate quads of a place's card: the mat's own, and any card detected there."""
    lattice = table.lattice
    found = table.mat is None and node in lattice.cards
    return [lattice.quad(node), *([as_found(lattice, node)] if found else [])]


def match_place(picture: ImagePyramid, rails: DeckPictures, quads: Sequence[Places]) -> Match:
    """Match a place, guessed to lie in one of ``quads``, with pictures of rail cards."""
    copy, share = picture.fine_enough(pixels_per_mm(quads[0]), _C.comfortable)
    found = rails.match(copy, [quad * share for quad in quads])
    return Match(found.quad / share, found.alike)


def placements(picture: ImagePyramid, table: FoundTable, lanes: Collection[int]) -> list[Placement]:
    """The most probable grids of a bare table with the picture's deck, best first; one if it clearly wins.

    ``lanes``: the possible numbers of lanes. With hand-marked corners only the fit is refined.
    """
    deck = picture.deck
    assert deck is not None  # a grid is placed by a deck
    first = _fitted(picture, deck, table)
    if first.plain or table.found_by == "corners":
        return [_completed(first)]
    others = [_fitted(picture, deck, other) for other in _other_tables(picture, table, lanes)]
    ranked = sorted([first, *others], key=lambda one: -one.value)
    distinct: list[Placement] = []
    for one in ranked:
        if one.value > ranked[0].value - _C.window and not any(
            _same(one.table, two.table) for two in distinct
        ):
            distinct.append(one)
    return [_completed(one) for one in distinct]


def _completed(one: Placement) -> Placement:
    """Add the cards matched with the deck to the detected ones: their positions are the most accurate."""
    lattice = one.table.lattice
    known = {
        node: _card_at(match.quad)
        for node, match in one.matches.items()
        if match.alike.max() > _C.like_a_card
    }
    outliers = tuple(card for card in one.table.outliers if _nearest(lattice, card) not in known)
    return replace(
        one,
        table=replace(
            one.table, lattice=Lattice(lattice.matrix, {**lattice.cards, **known}), outliers=outliers
        ),
    )


def _card_at(quad: Places) -> DetectedCard:
    across, along = quad[1] + quad[2] - quad[0] - quad[3], quad[2] + quad[3] - quad[0] - quad[1]
    return DetectedCard(quad.mean(axis=0), across / 4, along / 4, 1.0, 0.0, quad)


def _nearest(lattice: Lattice, card: DetectedCard) -> Node | None:
    """The node nearest to a card, however askew the card lies."""
    at = lattice.places(card.middle)
    lane, row = np.rint(at).astype(int).tolist()
    return (lane, row) if np.abs(at - (lane, row)).max() < _C.most_off else None


# --- one grid ---


def _fitted(picture: ImagePyramid, deck: DeckModel, table: FoundTable) -> Placement:
    """Fit a grid to the cards recognised in it, alternating with matching its cells."""
    matches: dict[Node, Match] = {}
    for _ in range(_C.fits):
        matches = _matched(picture, deck, table, matches)
        lattice = _refitted(table, matches)
        off = 0.0
        if lattice is not None:
            off = most_off(lattice, table.lattice, table.lanes)
            cards = [*table.lattice.cards.values(), *table.outliers]
            lattice, outliers = with_cards(lattice, cards, range(table.lanes))
            table = replace(table, lattice=lattice, outliers=tuple(outliers))
        if off < _C.same_place:
            break
    return _valued(picture, table, matches)


def _matched(
    picture: ImagePyramid, deck: DeckModel, table: FoundTable, before: Mapping[Node, Match]
) -> dict[Node, Match]:
    """Match the occupied cells with the deck, keeping earlier matches."""
    lattice = table.lattice
    cells = [(lane, row) for lane in range(table.lanes) for row in range(1, ROWS + 1)]
    shown = class_probabilities(picture, [lattice.quad(node) for node in cells])
    matches = {}
    for node, own in zip(cells, shown, strict=True):
        if own[CLASS_NUMBER[EMPTY]] > _C.empty and node not in lattice.cards:
            continue
        earlier = before.get(node)
        if earlier is not None and earlier.alike.max() > _C.known and _lies_in(lattice, node, earlier.quad):
            matches[node] = earlier
            continue
        matches[node] = match_place(picture, deck.rails, places_of(table, node))
    return matches


def _lies_in(lattice: Lattice, node: Node, quad: Places) -> bool:
    return bool(np.abs(lattice.places(quad.mean(axis=0)) - node).max() < _C.most_off)


def _refitted(table: FoundTable, matches: Mapping[Node, Match]) -> Lattice | None:
    """Fit the grid to the recognised cards and the detected stations; None if they are too few."""
    known = {node: one for node, one in matches.items() if one.alike.max() > _C.known}
    rows, lanes = {row for _, row in known}, {lane for lane, _ in known}
    if len(known) < _C.least_to_fit or min(len(rows), len(lanes)) < 2:
        return None
    stations = {node: card for node, card in table.lattice.cards.items() if node[1] in (0, ROWS + 1)}
    if not stations:
        return None
    places = np.concatenate([np.array(node) + UNIT * CARD_SHARE for node in known])
    pixels = np.concatenate([one.quad for one in known.values()])
    lattice = fitted_to(stations, (places, pixels))
    if lattice is None or np.abs(lattice.places(pixels) - places).max() > _C.most_off:
        return None
    return lattice


@dataclass(frozen=True, eq=False)
class _DeckEvidence(Evidence):
    """Evidence for a grid: cells by the deck's pictures, stations by the network corrected for the deck."""

    picture: ImagePyramid
    matches: Mapping[Node, Match]
    outliers: Sequence[DetectedCard]

    def seen_in(self, grid: Grid) -> GridEvidence:
        lattice, lanes = grid.lattice, range(grid.lanes)
        ends = seen_at(self.picture, lattice, [(lane, row) for lane in lanes for row in (0, ROWS + 1)])
        nats = 0.0
        for match, nothing in zip(self.matches.values(), self.nothing_in(lattice), strict=True):
            alike = float(match.alike.max())
            if alike > _C.like_a_card:
                nats += CONSTANTS.matching.independent * float(
                    np.log(_C.usual / max(1 - alike, _C.least_left))
                )
            else:
                nats -= _C.unexplained * (1 - nothing)
        seen = [lane_evidence(lattice, ends, lane) for lane in lanes]
        return GridEvidence(seen, outliers=count_of(self.outliers), cells=nats)

    def nothing_in(self, lattice: Lattice) -> list[float]:
        """P(empty or covered) in the matched cells."""
        cells = class_probabilities(self.picture, [lattice.quad(node) for node in self.matches])
        return [float(own[CLASS_NUMBER[EMPTY]] + own[CLASS_NUMBER[COVERED]]) for own in cells]


def _valued(picture: ImagePyramid, table: FoundTable, matches: Mapping[Node, Match]) -> Placement:
    """A table and its matches with their log-likelihood, and whether its cards are plainly recognised."""
    evidence = _DeckEvidence(picture, matches, table.outliers)
    seen = evidence.seen_in(Grid(table.lattice, table.lanes))
    alike = [float(match.alike.max()) for match in matches.values()]
    known = sum(one > _C.known for one in alike)
    empty = evidence.nothing_in(table.lattice)
    filled = sum(one > _C.like_a_card or p < 0.5 for one, p in zip(alike, empty, strict=True))
    stations = sum(lane.station(end) > 0.5 for lane in seen.lanes for end in (0, 1))
    plain = (
        known >= max(_C.least_known, _C.plain * filled)
        and stations >= 2 * table.lanes - _C.few_ends
        and max(lane.neither for lane in seen.lanes) < 0.5
    )
    return Placement(table, matches, log_likelihood_of(seen), plain, vague=2 * known < filled)


# --- other grids ---


def _other_tables(picture: ImagePyramid, table: FoundTable, lanes: Collection[int]) -> list[FoundTable]:
    """Fit other grids to the same cards, ranked by the log-likelihood of what each card is taken for."""
    found = [*table.lattice.cards.values(), *table.outliers]
    shown = class_probabilities(picture, [card.quad for card in found])
    cards = [  # the network corrected for the deck knows its stations
        replace(card, station=float(own[STATIONS_OF].sum())) for card, own in zip(found, shown, strict=True)
    ]
    evidence = DetectedEvidence(cards)
    grids = _grids(table, cards, lanes)
    ranked = sorted(grids, key=lambda grid: -log_likelihood(grid, evidence))
    tables: list[FoundTable] = []
    for grid in ranked:
        filled, outliers = with_cards(grid.lattice, cards, range(grid.lanes))
        other = replace(table, lanes=grid.lanes, lattice=filled, outliers=tuple(outliers))
        if not any(_same(other, one) for one in (table, *tables)):
            tables.append(other)
        if len(tables) == _C.tried:
            break
    return tables


def _same(one: FoundTable, other: FoundTable) -> bool:
    """True if two grids have the same places, counted alike."""
    return one.lanes == other.lanes and most_off(one.lattice, other.lattice, one.lanes) < _C.alike


def _grids(table: FoundTable, cards: Sequence[DetectedCard], lanes: Collection[int]) -> Iterator[Grid]:
    """Candidate grids for the cards: the table's own, sheared or shifted by one, and any others.

    The others are yielded with every possible number of lanes, at every offset.
    """
    detections = Detections(cards, lanes, rough=Grid(table.lattice, table.lanes))
    yield from hypotheses(detections, (neighbouring_grids,))
    counts = dict.fromkeys(lanes if len(lanes) == 1 else (table.lanes, *lanes))
    for grid in hypotheses(detections, AMONG_CARDS):
        for count in counts:
            low, high = sorted((0, grid.lanes - count))
            for first in range(low, high + 1):
                yield Grid(moved(grid.lattice, first, 0), count)
