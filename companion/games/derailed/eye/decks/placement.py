"""The grid of a bare table on which a taught deck is played: the one in whose places its cards are seen.

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
from itertools import chain

import numpy as np

from companion.games.derailed.eye.cards.classification import (
    ImagePyramid,
    Probabilities,
    as_found,
    class_probabilities,
    pixels_per_mm,
)
from companion.games.derailed.eye.cards.detection import DetectedCard
from companion.games.derailed.eye.cards.faces import (
    CLASS_NUMBER,
    COVERED,
    EMPTY,
    STATION_CLASSES,
    STATIONS_OF,
)
from companion.games.derailed.eye.decks.matching import INDEPENDENT, DeckPictures, Match
from companion.games.derailed.eye.decks.taught import KnownDeck
from companion.games.derailed.eye.grids.bare_table import LaneEvidence, bare_grids, lanes_value
from companion.games.derailed.eye.grids.growing import grown_grids
from companion.games.derailed.eye.grids.lattice import (
    CARD_SHARE,
    UNIT,
    Lattice,
    Node,
    field_of,
    fitted_to,
    moved,
    with_cards,
)
from companion.games.derailed.eye.grids.tables import FoundTable
from companion.games.derailed.rules.rulebook import ROWS
from vision.rectify import Places

LIKE_A_CARD = 0.6  # similarity with a card from which one lies there
_KNOWN = 0.75  # similarity from which a card tells where the grid lies
_EMPTY = 0.95  # P(empty) from which a place in which no card was found is not compared
_COMFORTABLE = 1.4  # pixels per mm
_LEAST_TO_FIT = 4  # known cards, in several lanes and rows
_SAME_PLACE = 0.05  # places by which a grid may move without another look at its cells
_MOST_OFF = 0.35  # places: how far a grid that is fitted may leave a card that is known beside its place
_FITS = 3  # fits, each followed by a look, at most
_USUAL = 0.5  # what any card leaves unexplained of another
_LEAST_LEFT = 0.03
_UNEXPLAINED = 2.0  # nats for a cell in which something lies that no picture explains
_LEFT_OUT = 1.0  # nats for a found card that lies in no place
_NO_LANE = 12.0  # nats for a lane that has a station at neither end
_PLAIN = 0.8  # share of the cells with cards that are known, from which no other grid is tried
_LEAST_KNOWN = 3
_FEW_ENDS = 2  # stations that may be hidden in a plain grid
_TRIED = 5  # other grids that are looked at
_ALIKE = 0.3  # places by which the corners of two fields differ at least
_STEP = 4.0  # nats by which a grid must be likelier to be e times as probable: matches are not independent
_WINDOW = 16.0  # nats: what is less likely is not weighed


@dataclass(frozen=True, eq=False)
class Placement:
    """A table with its grid, what the pictures tell of its cells, and the log-likelihood of all.

    ``plain``: nearly all of its cards are known; ``vague``: most of them are not.
    """

    table: FoundTable
    matches: Mapping[Node, Match]
    value: float
    plain: bool
    vague: bool = False

    def share(self, best: float) -> float:
        """How probable it is beside one of the best value."""
        return float(np.exp((self.value - best) / _STEP))


def places_of(table: FoundTable, node: Node) -> list[Places]:
    """Where the card of a place may lie: where the mat has it, or else also where a card was found."""
    lattice = table.lattice
    found = table.mat is None and node in lattice.cards
    return [lattice.quad(node), *([as_found(lattice, node)] if found else [])]


def match_place(picture: ImagePyramid, rails: DeckPictures, quads: Sequence[Places]) -> Match:
    """A place that is guessed to lie in one of ``quads``, compared with pictures of rail cards."""
    copy, share = picture.fine_enough(pixels_per_mm(quads[0]), _COMFORTABLE)
    found = rails.match(copy, [quad * share for quad in quads])
    return Match(found.quad / share, found.alike)


def placements(picture: ImagePyramid, table: FoundTable, lanes: Collection[int]) -> list[Placement]:
    """The likeliest grids of a bare table with the picture's deck, best first: one, if it clearly wins.

    ``lanes``: how many there may be. Where somebody marked the corners only the fit is improved.
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
        if one.value > ranked[0].value - _WINDOW and not any(_same(one.table, two.table) for two in distinct):
            distinct.append(one)
    return [_completed(one) for one in distinct]


def _completed(one: Placement) -> Placement:
    """The same with the known cards as cards that were found: where they lie is known best."""
    lattice = one.table.lattice
    known = {
        node: _card_at(match.quad) for node, match in one.matches.items() if match.alike.max() > LIKE_A_CARD
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
    """The place on which a card lies, however askew."""
    at = lattice.places(card.middle)
    lane, row = np.rint(at).astype(int).tolist()
    return (lane, row) if np.abs(at - (lane, row)).max() < _MOST_OFF else None


# --- one grid ---


def _fitted(picture: ImagePyramid, deck: KnownDeck, table: FoundTable) -> Placement:
    """A table whose grid is fitted to the cards that are known in it, in turns with looks at its cells."""
    matches: dict[Node, Match] = {}
    for _ in range(_FITS):
        matches = _matched(picture, deck, table, matches)
        lattice = _refitted(table, matches)
        off = 0.0
        if lattice is not None:
            field = field_of(table.lanes)
            off = float(np.abs(lattice.places(table.lattice.pixels(field)) - field).max())
            cards = [*table.lattice.cards.values(), *table.outliers]
            lattice, outliers = with_cards(lattice, cards, range(table.lanes))
            table = replace(table, lattice=lattice, outliers=tuple(outliers))
        if off < _SAME_PLACE:
            break
    return _valued(picture, table, matches)


def _matched(
    picture: ImagePyramid, deck: KnownDeck, table: FoundTable, before: Mapping[Node, Match]
) -> dict[Node, Match]:
    """The cells in which something lies, compared with the deck; what was known stays as it was."""
    lattice = table.lattice
    cells = [(lane, row) for lane in range(table.lanes) for row in range(1, ROWS + 1)]
    shown = class_probabilities(picture, [lattice.quad(node) for node in cells])
    matches = {}
    for node, own in zip(cells, shown, strict=True):
        if own[CLASS_NUMBER[EMPTY]] > _EMPTY and node not in lattice.cards:
            continue
        earlier = before.get(node)
        if earlier is not None and earlier.alike.max() > _KNOWN and _lies_in(lattice, node, earlier.quad):
            matches[node] = earlier
            continue
        matches[node] = match_place(picture, deck.rails, places_of(table, node))
    return matches


def _lies_in(lattice: Lattice, node: Node, quad: Places) -> bool:
    return bool(np.abs(lattice.places(quad.mean(axis=0)) - node).max() < _MOST_OFF)


def _refitted(table: FoundTable, matches: Mapping[Node, Match]) -> Lattice | None:
    """The grid through the known cards and the stations that were found; None where they are too few."""
    known = {node: one for node, one in matches.items() if one.alike.max() > _KNOWN}
    rows, lanes = {row for _, row in known}, {lane for lane, _ in known}
    if len(known) < _LEAST_TO_FIT or min(len(rows), len(lanes)) < 2:
        return None
    stations = {node: card for node, card in table.lattice.cards.items() if node[1] in (0, ROWS + 1)}
    if not stations:
        return None
    places = np.concatenate([np.array(node) + UNIT * CARD_SHARE for node in known])
    pixels = np.concatenate([one.quad for one in known.values()])
    lattice = fitted_to(stations, (places, pixels))
    if lattice is None or np.abs(lattice.places(pixels) - places).max() > _MOST_OFF:
        return None
    return lattice


def _valued(picture: ImagePyramid, table: FoundTable, matches: Mapping[Node, Match]) -> Placement:
    """The log-likelihood of what is seen in a grid, and if hardly any other need be tried."""
    lattice, lanes = table.lattice, range(table.lanes)
    ends = [(lane, row) for lane in lanes for row in (0, ROWS + 1)]
    shown = dict(
        zip(ends, class_probabilities(picture, [as_found(lattice, node) for node in ends]), strict=True)
    )
    stations = {node: float(own[STATIONS_OF].sum()) for node, own in shown.items()}
    bare = {node: 1 - stations[node] - float(own[CLASS_NUMBER[COVERED]]) for node, own in shown.items()}
    no_lanes = [bare[lane, 0] * bare[lane, ROWS + 1] for lane in lanes]  # P(no station at either end)
    value = lanes_value([_ends_of(shown, lane) for lane in lanes])
    value -= _NO_LANE * sum(no_lanes) + _LEFT_OUT * sum(card.likely for card in table.outliers)
    cells = class_probabilities(picture, [lattice.quad(node) for node in matches])
    filled, known = 0, 0
    for one, own in zip(matches.values(), cells, strict=True):
        alike, nothing = float(one.alike.max()), float(own[CLASS_NUMBER[EMPTY]] + own[CLASS_NUMBER[COVERED]])
        if alike > LIKE_A_CARD:
            value += INDEPENDENT * float(np.log(_USUAL / max(1 - alike, _LEAST_LEFT)))
        else:
            value -= _UNEXPLAINED * (1 - nothing)
        known += alike > _KNOWN
        filled += alike > LIKE_A_CARD or nothing < 0.5
    plain = (
        known >= max(_LEAST_KNOWN, _PLAIN * filled)
        and sum(share > 0.5 for share in stations.values()) >= len(ends) - _FEW_ENDS
        and max(no_lanes) < 0.5
    )
    return Placement(table, matches, value, plain, vague=2 * known < filled)


def _ends_of(shown: Mapping[Node, Probabilities], lane: int) -> LaneEvidence:
    first, last = (
        dict(zip(STATION_CLASSES, shown[lane, row][STATIONS_OF].tolist(), strict=True))
        for row in (0, ROWS + 1)
    )
    hidden = [float(shown[lane, row][CLASS_NUMBER[COVERED]]) for row in (0, ROWS + 1)]
    return LaneEvidence((first, last), (hidden[0], hidden[1]), ())


# --- other grids ---


def _other_tables(picture: ImagePyramid, table: FoundTable, lanes: Collection[int]) -> list[FoundTable]:
    """The same cards put into other grids: the likeliest by what each card is taken for."""
    found = [*table.lattice.cards.values(), *table.outliers]
    cards = _named(picture, found)
    tables: list[FoundTable] = []
    ranked = sorted(
        (
            (_fit_of_boxes(lattice, count, cards), n, lattice, count)
            for n, (lattice, count) in enumerate(_lattices(table, cards, lanes))
        ),
        key=lambda one: (-one[0], one[1]),
    )
    for _, _, lattice, count in ranked:
        filled, outliers = with_cards(lattice, cards, range(count))
        other = replace(table, lanes=count, lattice=filled, outliers=tuple(outliers))
        if not any(_same(other, one) for one in (table, *tables)):
            tables.append(other)
        if len(tables) == _TRIED:
            break
    return tables


def _named(picture: ImagePyramid, cards: Sequence[DetectedCard]) -> list[DetectedCard]:
    """Found cards with the probability of a station by the network that learnt the deck."""
    shown = class_probabilities(picture, [card.quad for card in cards])
    return [
        replace(card, station=float(own[STATIONS_OF].sum())) for card, own in zip(cards, shown, strict=True)
    ]


def _same(one: FoundTable, other: FoundTable) -> bool:
    """True if two grids have the same places, counted alike."""
    if one.lanes != other.lanes:
        return False
    field = field_of(one.lanes)
    return bool(np.abs(one.lattice.places(other.lattice.pixels(field)) - field).max() < _ALIKE)


def _lattices(
    table: FoundTable, cards: Sequence[DetectedCard], lanes: Collection[int]
) -> Iterator[tuple[Lattice, int]]:
    """Lattices in which the cards may lie, with how many lanes."""
    counts = dict.fromkeys(lanes if len(lanes) == 1 else (table.lanes, *lanes))
    for aside in (-1, 0, 1):
        shear = np.array([[1, aside / (ROWS + 1), 0], [0, 1, 0], [0, 0, 1]])
        for lane in (-1, 0, 1):
            for row in (-1, 0, 1):
                yield moved(Lattice(table.lattice.matrix @ shear, {}), lane, row), table.lanes
    for grid in chain(bare_grids(cards), grown_grids(cards)):
        for count in counts:
            low, high = sorted((0, grid.lanes - count))
            for first in range(low, high + 1):
                yield moved(grid.lattice, first, 0), count


def _fit_of_boxes(lattice: Lattice, lanes: int, cards: Sequence[DetectedCard]) -> float:
    """How many cards lie where they belong, stations in their rows, less those that do not."""
    filled, outliers = with_cards(lattice, list(cards), range(lanes))
    inside = sum(
        card.likely * (1 if (card.station > 0.5) == (row in (0, ROWS + 1)) else -1)
        for (_, row), card in filled.cards.items()
    )
    return inside - 0.5 * sum(card.likely for card in outliers)
