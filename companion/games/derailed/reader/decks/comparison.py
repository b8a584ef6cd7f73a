"""Compares the places of a table with the cards of the taught deck that is played on it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from companion.games.derailed.reader.cards.classification import ImagePyramid, Probabilities, place_views
from companion.games.derailed.reader.cards.faces import CLASS_NUMBER, EMPTY, FACES_OF
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.decks.lent import LentCards, weighed_by_likeness
from companion.games.derailed.reader.decks.matching import Match
from companion.games.derailed.reader.decks.placement import (
    Placement,
    match_place,
    placements,
    places_of,
)
from companion.games.derailed.reader.decks.taught import DeckModel
from companion.games.derailed.reader.grids.lattice import Node
from companion.games.derailed.reader.grids.tables import FoundTable
from companion.games.derailed.rules.rulebook import ROWS
from vision.register.rectify import Places

_C = CONSTANTS.comparison

_EMPTY = 0.95  # P(empty) from which a place in which no card was found is not compared


def likeliest_deck(picture: ImagePyramid, table: FoundTable, decks: Sequence[DeckModel]) -> DeckModel | None:
    """The taught deck whose pictures match the rail cards on a mat best; None if none matches."""
    deck, like = _most_alike(picture, table, decks)
    return deck if like > CONSTANTS.placement.like_a_card else None


def placed_with_deck(
    picture: ImagePyramid, table: FoundTable, decks: Sequence[DeckModel], lanes: Collection[int]
) -> list[Placement]:
    """The grids of a bare table with the taught deck played on it, which is then set as the picture's deck.

    Empty if neither the detected cards nor those of any grid look like a taught deck.
    """
    picture.deck, like = _most_alike(picture, table, decks)
    if picture.deck is None:
        return []
    ways = placements(picture, table, lanes)
    if like > CONSTANTS.placement.like_a_card or ways[0].plain:
        return ways
    picture.deck = None
    return []


def _most_alike(
    picture: ImagePyramid, table: FoundTable, decks: Sequence[DeckModel]
) -> tuple[DeckModel | None, float]:
    """The deck most similar to the rail cards on the table, and that similarity.

    The detected cards are compared first; if they match no deck, the content of all cells, since unfamiliar
    cards are often missed and other things detected instead.
    """
    if not decks:
        return None, 0.0
    found = [node for node in table.lattice.cards if 0 < node[1] <= ROWS][: _C.enough]
    cells = [(lane, row) for row in range(1, ROWS + 1) for lane in range(table.lanes)]
    best, like = 0, 0.0
    for nodes in (found, cells):
        likes = [_alike(picture, table, deck, nodes) for deck in decks] if len(nodes) >= _C.few else [0.0]
        if max(likes) > like:
            best, like = int(np.argmax(likes)), max(likes)
        if like > CONSTANTS.placement.like_a_card:
            break
    return decks[best], like


def _alike(picture: ImagePyramid, table: FoundTable, deck: DeckModel, nodes: Sequence[Node]) -> float:
    """The similarity of places to a deck, decided by the few most similar places: some show no card."""
    alike = [match_place(picture, deck.rails, places_of(table, node)).alike.max() for node in nodes]
    return float(np.mean(sorted(alike)[-_C.few :]))


def compared_with_deck(
    picture: ImagePyramid, table: FoundTable, seen: Mapping[Node, Probabilities], known: Mapping[Node, Match]
) -> dict[Node, tuple[Places, Probabilities]]:
    """Match the cells with the picture's taught deck: where each card lies and what it shows.

    ``seen``: what the network alone says of every place; ``known``: the places that were compared before.
    """
    deck = picture.deck
    if deck is None:
        return {}
    matches: dict[Node, Match] = {}
    for (lane, row), own in seen.items():
        node = lane, row
        if not 0 < row <= ROWS or (own[CLASS_NUMBER[EMPTY]] > _EMPTY and node not in table.lattice.cards):
            continue
        found = known.get(node) or match_place(picture, deck.rails, places_of(table, node))
        if found.alike.max() > CONSTANTS.placement.like_a_card:
            matches[node] = found
    if not matches:
        return {}
    views = place_views(picture, [one.quad for one in matches.values()])
    said = deck.shares_of_matches(views, np.array([one.alike for one in matches.values()]))
    return {
        node: (one.quad, own)
        for (node, one), own in zip(matches.items(), said, strict=True)
        if own[FACES_OF].sum() > 0.5
    }


def compared_with_lent(
    picture: ImagePyramid,
    table: FoundTable,
    places: Mapping[Node, tuple[Places, Probabilities]],
    lent: LentCards,
) -> dict[Node, tuple[Places, Probabilities]]:
    """Match the cells that may show a card with the pictures lent by the match."""
    told = {}
    for (lane, row), (quad, own) in places.items():
        maybe = own[FACES_OF].sum() > _C.maybe_a_card or (lane, row) in table.lattice.cards
        if not 0 < row <= ROWS or not maybe:
            continue
        alike = match_place(picture, lent.rails, places_of(table, (lane, row))).alike
        if alike.max() > CONSTANTS.placement.like_a_card:
            told[lane, row] = quad, weighed_by_likeness(own, alike)
    return told
