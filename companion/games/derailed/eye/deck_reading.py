"""Places of a table that is played with a taught deck, compared with the deck's cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from companion.games.derailed.eye.deck import KnownDeck
from companion.games.derailed.eye.deck_matching import Match
from companion.games.derailed.eye.faces import CLASS_NUMBER, EMPTY, FACES_OF
from companion.games.derailed.eye.lattice import Node
from companion.games.derailed.eye.looking import Copies, Shares, as_found, pixels_per_mm, place_views
from companion.games.derailed.eye.tables import FoundTable
from companion.games.derailed.rules.rulebook import ROWS
from vision.rectify import Places

_EMPTY = 0.95  # P(empty) from which a place in which no card was found is not compared
_LIKE_A_CARD = 0.6  # similarity with a card from which one lies there
_ENOUGH, _FEW = 12, 3  # cards by which a deck is recognised: of so many the likeliest few
_COMFORTABLE = 1.4  # pixels per mm


def likeliest_deck(picture: Copies, table: FoundTable, decks: Sequence[KnownDeck]) -> KnownDeck | None:
    """The taught deck whose pictures look like the rail cards found in the lanes; None if none do."""
    nodes = [node for node in table.lattice.cards if 0 < node[1] <= ROWS][:_ENOUGH]
    if len(nodes) < _FEW and table.mat is not None:  # cards like no other are often not found on it
        nodes = [(lane, row) for row in range(1, ROWS + 1) for lane in range(table.lanes)]
    if not nodes or not decks:
        return None
    # Some places show no card: the few that look most like one decide.
    like = [
        np.mean(sorted(_match(picture, table, deck, node).alike.max() for node in nodes)[-_FEW:])
        for deck in decks
    ]
    best = int(np.argmax(like))
    return decks[best] if like[best] > _LIKE_A_CARD else None


def compared_with_deck(
    picture: Copies, table: FoundTable, seen: Mapping[Node, Shares]
) -> dict[Node, tuple[Places, Shares]]:
    """The cells that show a card of the picture's taught deck: where it lies, and what it is.

    ``seen``: what the network alone says of every place.
    """
    deck = picture.deck
    if deck is None:
        return {}
    matches: dict[Node, Match] = {}
    for (lane, row), own in seen.items():
        node = lane, row
        if not 0 < row <= ROWS or (own[CLASS_NUMBER[EMPTY]] > _EMPTY and node not in table.lattice.cards):
            continue
        found = _match(picture, table, deck, node)
        if found.alike.max() > _LIKE_A_CARD:
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


def _match(picture: Copies, table: FoundTable, deck: KnownDeck, node: Node) -> Match:
    """A place compared with a deck's pictures: where the mat has it, or else also where a card was found."""
    quads = [table.lattice.quad(node)]
    if table.mat is None and node in table.lattice.cards:
        quads.append(as_found(table.lattice, node))
    copy, share = picture.fine_enough(pixels_per_mm(quads[0]), _COMFORTABLE)
    found = deck.rails.match(copy, [quad * share for quad in quads])
    return Match(found.quad / share, found.alike)
