"""The labels of a cell, by number: the routes of the vocabulary, then the empty cell.

As a label a route is a ``Route``, the empty cell is None; as text the empty cell is ``EMPTY``.
"""

from __future__ import annotations

from companion.games.railroad_ink.rules.boards.routes import VOCABULARY, Route, parse_route
from companion.reading.evidence import EMPTY

NOTHING = len(VOCABULARY)  # the number of the empty cell
LABELS: tuple[Route | None, ...] = (*VOCABULARY, None)


def label_number(text: str) -> int:
    """The number of a route, or of the empty cell."""
    return parse_route(text).number if text else NOTHING


def label_text(label: Route | None) -> str:
    """The notation of a label among the probabilities of a slot."""
    return label.text if label is not None else EMPTY


def number_of(label: Route | None) -> int:
    """The number of a route, or that of the empty cell."""
    return NOTHING if label is None else label.number
