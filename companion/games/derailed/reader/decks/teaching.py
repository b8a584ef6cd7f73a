"""Cuts the cards out of a photograph of a deck laid out in the printed order, to teach the deck."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.messages import joined, listed, m
from companion.games.derailed.printing.deck_order import deck_order, photographs_needed
from companion.games.derailed.printing.mat_art import mat_drawing
from companion.games.derailed.printing.printed import slot_quads
from companion.games.derailed.reader.cards.views import card_views, evened
from companion.games.derailed.reader.decks.taught import known_deck, save_deck, with_photograph
from companion.games.derailed.reader.facing import EndsContext, fit_of
from companion.games.derailed.reader.grids.lattice import lattice_between
from companion.games.derailed.reader.grids.tables import Expected
from companion.games.derailed.reader.reading import read_cards
from companion.games.derailed.reader.readings import CardReading, PlaceReading, seen_from_the_other_end
from companion.games.derailed.rules.cards import parse_face
from companion.games.derailed.rules.network import grid_of
from companion.games.derailed.rules.rulebook import ROWS
from companion.reading.evidence import EMPTY
from companion.sheets.printing.png import MM_PER_INCH, picture
from vision.errors import PlacementError
from vision.register.rectify import Image

_SURELY = 0.97  # P from which a card that is not the one of the order is another one
_LEAST_FITTING = 0.3  # share of cards that must be among the likeliest marks of their places
_LIKELIEST = 5  # of a place
_PLAINLY = 4.0  # nats by which one way round must fit the order better
_PRINT, _RIM = 0.5, 9  # correlation with the mat's print from which this is seen; pixels left out around it
_FINE = 1.0  # pixels per mm below which cards are learnt badly
_OUTSIDE = m("outside the picture")
_MANY = 0.25  # share of cards that look covered or face down from which the deck is thought to look so
_EITHER_END = m(
    "it is not clear at which end the order begins: lay the cards on the mat, or mark"
    " their corners in the picture, beginning beside the first lane's start"
)


def teach_photograph(path: Path, number: int, image: Image, expected: Expected) -> str:
    """Add one photograph of a deck's cards to its file; what its owner should know in a sentence, or nothing.

    The order is that of ``number``, counted from 1, with as many lanes as are expected. Raises
    :class:`~vision.errors.PlacementError` if the cards of the order are not seen in it.
    """
    (lanes,) = expected.lanes
    order = {name: _face(mark) for name, mark in deck_order(number, lanes).items()}
    if not any(name in order for name in grid_of(lanes).names):
        raise PlacementError(
            m("there is no photograph {number} of a deck: all its cards were shown before", number=number)
        )
    if path.exists():  # what other photographs taught helps to read this one
        expected = replace(expected, decks=(known_deck(path),))
    sheet = _laid(image, order, expected)
    bare = _check(image, sheet, order)
    cards = list(zip(order.values(), card_views(image, _corners(sheet, order)), strict=True))
    deck = with_photograph(path, number, cards)
    path.parent.mkdir(parents=True, exist_ok=True)
    save_deck(deck, path)
    says = []
    if sheet.quality.pixels_per_mm < _FINE:
        says.append(m("The cards are small in the picture: they are learnt better from nearer."))
    unclear = [name for name in order if sheet.slots[name].cannot_see is not None or name in bare]
    if 0 < len(unclear) < _MANY * len(order):
        says.append(
            m(
                "Check that the card at {unclear} lies face up and uncovered; if not, teach this "
                "photograph again.",
                unclear=listed(unclear, "and"),
            )
        )
    missing = [n for n in range(1, photographs_needed(lanes) + 1) if n not in deck.photographs]
    if missing:
        says.append(
            m(
                "Photograph {missing} of the order is still needed: some kinds of cards were not seen.",
                missing=missing[0],
            )
        )
    return joined(" ", says)


def _face(mark: str) -> str:
    return mark if len(mark) == 1 else parse_face(mark).text


def _laid(image: Image, order: dict[str, str], expected: Expected) -> CardReading:
    """The table in the photograph, in the orientation in which its cards fit the order."""
    reading = read_cards(image, expected)
    if len(reading.sheets) != 1:
        raise PlacementError(joined(" ", reading.notes) or m("several tables are in the picture"))
    (sheet,) = reading.sheets
    if not sheet.either_way:
        return sheet
    starts, destinations = (
        tuple(order[name] for name in sheet.stations if name.endswith(end))
        for end in ("start", "destination")
    )
    cells = {name: order[name] for name in sheet.cells if name in order}
    known = EndsContext((starts, destinations), cells)
    ways = sorted(
        ((fit_of(way, known), n, way) for n, way in enumerate((sheet, seen_from_the_other_end(sheet)))),
        key=lambda one: -one[0],
    )
    if ways[0][0] - ways[1][0] < _PLAINLY:
        raise PlacementError(_EITHER_END)
    return ways[0][2]


def _corners(sheet: CardReading, names: Iterable[str]) -> NDArray[np.float64]:
    """The corners at which cards are cut out; on a mat its own places, as a confident cut may be askew."""
    if sheet.mat is None:
        return np.array([sheet.slots[name].corners for name in names], np.float64)
    lattice = lattice_between(np.array(sheet.corners_px, np.float64), sheet.lanes)
    rows = (*range(1, ROWS + 1), 0, ROWS + 1)  # as a reading has its places: cells, starts, destinations
    nodes = dict(zip(sheet.slots, ((lane, row) for row in rows for lane in range(sheet.lanes)), strict=True))
    return np.array([lattice.quad(nodes[name]) for name in names])


def _check(image: Image, sheet: CardReading, order: dict[str, str]) -> list[str]:
    """Refuse a photograph in which cards are missing, exchanged, or not those of the order.

    What comes back are places that look empty where somebody marked the corners: of a deck like no other on
    a bare table even cards do, and whoever marks them looks at them.
    """
    slots = {name: sheet.slots[name] for name in order}
    missing = [name for name in slots if _shows_no_card(image, sheet, name)]
    outside = [name for name in missing if slots[name].cannot_see == _OUTSIDE]
    marked = sheet.quality.found_by == "corners" and not outside and len(missing) < _MANY * len(order)
    if missing and not marked:
        raise PlacementError(
            m(
                "no card is seen at {missing}: lay all cards of the order, face up and uncovered",
                missing=listed(missing, "and"),
            )
        )
    rails = {name: slot for name, slot in slots.items() if name in sheet.cells}
    exchanged = [
        (one, other)
        for one, slot in rails.items()
        for other in rails
        if one < other
        and order[one] != order[other]
        and _surely(slot, order[other])
        and _surely(rails[other], order[one])
    ]
    if exchanged:
        raise PlacementError(
            m(
                "the cards at {exchanged} seem to be exchanged: lay them in the printed order",
                exchanged=listed(exchanged[0], "and"),
            )
        )
    fitting = sum(order[name] in list(slot.probabilities)[:_LIKELIEST] for name, slot in rails.items())
    if fitting < _LEAST_FITTING * len(rails):
        raise PlacementError(
            m(
                "the cards do not lie in the printed order: {fitting} of {rails} look like the "
                "card that belongs there",
                fitting=fitting,
                rails=len(rails),
            )
        )
    return missing


def _shows_no_card(image: Image, sheet: CardReading, name: str) -> bool:
    """True if a place is seen to be empty: its drawing says so, and it is the mat's print or bare.

    The network alone is not reliable for an unfamiliar deck.
    """
    slot = sheet.slots[name]
    if slot.cannot_see == _OUTSIDE:
        return True
    if slot.cannot_see is not None or slot.best != EMPTY or slot.p < _SURELY:
        return False
    if sheet.mat is None:
        return True
    here = evened(card_views(image, np.array([slot.corners])))
    return float((_drawn(here) * _drawn(_mat_print(sheet.mat, name))).sum()) > _PRINT


@lru_cache(maxsize=16)
def _mat_print(lanes: int, name: str) -> Image:
    """The mat's own print in a place, as a view."""
    blank = np.asarray(picture(mat_drawing(f"lanes-{lanes}"), MM_PER_INCH))[:, :, ::-1]
    return evened(card_views(np.ascontiguousarray(blank), np.array([slot_quads(lanes)[name]])))


def _drawn(views: Image) -> NDArray[np.float64]:
    """The drawing in a view as a vector of length 1: grey, with the lighting removed."""
    grey = cv2.cvtColor(views[0], cv2.COLOR_BGR2GRAY).astype(np.float64)
    field = cv2.GaussianBlur(grey, (0, 0), 1.5) - cv2.GaussianBlur(grey, (0, 0), 9.0)
    inner = field[_RIM:-_RIM, _RIM:-_RIM]
    inner = inner - inner.mean()
    return np.asarray(inner / max(float(np.linalg.norm(inner)), 1e-6))


def _surely(slot: PlaceReading, mark: str) -> bool:
    return slot.cannot_see is None and slot.best == mark and slot.p > _SURELY
