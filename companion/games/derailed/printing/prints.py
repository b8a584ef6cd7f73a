"""What can be printed for Derailed!: the play mat in pieces, the deck with its backs, tokens and rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil

from companion.core.messages import m, vocabulary
from companion.game.parts import Printables
from companion.games.derailed.printing.card_art import card_drawing, rail_back, station_back, station_drawing
from companion.games.derailed.printing.deck_order import deck_order_pages, photographs_needed
from companion.games.derailed.printing.extras_art import extras_page
from companion.games.derailed.printing.mat_art import mat_drawing
from companion.games.derailed.printing.printed import MATS, PRINTED, lanes_of_mat, mat_size
from companion.games.derailed.printing.sheets import mat_sheet, mat_sheets
from companion.games.derailed.rules.cards import DECK, TUNNELS
from companion.games.derailed.rules.rulebook import COMPANIES, ROWS
from companion.sheets.drawing import Drawing, Point
from companion.sheets.printing.paper import (
    PAPER_SIZES,
    Leaf,
    PaperName,
    one_sided,
    piece_on_page,
    two_sided,
)
from companion.sheets.sheet import Sheet

_LANES_A_PAGE = 3
_ROWS_A_PAGE = 2


class DerailedPrintables(Printables):
    """The mat for two to six lanes is photographed; the cards lie on it."""

    title = "Derailed!"
    parts = ("mat", "cards", "stations", "extras", "all", "deck-order")
    editions = tuple(MATS)
    words = vocabulary("sheets", "mat", "cards", "stations", "extras", "all", "deck order")

    def leaves(self, part: str, edition: str, paper: PaperName) -> list[Leaf]:
        """A part, or all of them but what is printed for decks of another print."""
        if part == "all":
            order = ("extras", "cards", "stations", "mat")
            return [leaf for one in order for leaf in self.leaves(one, edition, paper)]
        makers: dict[str, Callable[[], list[Leaf]]] = {
            "mat": lambda: one_sided(mat_pages(edition, paper)),
            "cards": lambda: _with_backs(rail_cards(), rail_back(), paper),
            "stations": lambda: _with_backs(station_cards(), station_back(), paper),
            "extras": lambda: one_sided([extras_page(PAPER_SIZES[paper])]),
            "deck-order": lambda: one_sided(deck_order_pages(lanes_of_mat(edition), PAPER_SIZES[paper])),
        }
        return makers[part]()

    def edition_words(self, edition: str) -> str:
        """How many lanes the mat has."""
        return m("lanes {count}", count=lanes_of_mat(edition))

    def deck_photographs(self, edition: str) -> int:
        """The number of photographs needed to see every kind of card, and one more for hand-drawn decks."""
        return photographs_needed(lanes_of_mat(edition)) + 1

    def sheet(self, seat: int, edition: str) -> Sheet:
        return replace(mat_sheet(edition), seat=seat)

    def photographed(self) -> Sequence[Sheet]:
        """The mats for every number of lanes."""
        return mat_sheets()


def rail_cards() -> list[Drawing]:
    """The 90 rail cards and the two tunnels, each copy with scenery of its own."""
    copies = [(card, number) for card, count in (*DECK.items(), *TUNNELS.items()) for number in range(count)]
    return [card_drawing(card, number) for card, number in copies]


def station_cards() -> list[Drawing]:
    """Two cards of each company."""
    return [station_drawing(letter) for letter in COMPANIES for _ in range(2)]


def _with_backs(cards: list[Drawing], back: Drawing, paper: PaperName) -> list[Leaf]:
    return two_sided(cards, [back] * len(cards), paper)


def mat_pages(edition: str, paper: PaperName) -> list[Drawing]:
    """The mat cut between the lanes and between the rows, row after row, so that cards cover the joints."""
    lanes, (width, height) = lanes_of_mat(edition), mat_size(lanes_of_mat(edition))
    columns = ceil(lanes / _LANES_A_PAGE)
    across = ceil(lanes / columns)
    xs = [0.0, *(PRINTED.mat.side + n * across * PRINTED.mat.cell[0] for n in range(1, columns)), width]
    rows = range(_ROWS_A_PAGE, ROWS + 2, _ROWS_A_PAGE)
    ys = [0.0, *(PRINTED.mat.edge + row * PRINTED.mat.cell[1] for row in rows), height]
    page: Point = PAPER_SIZES[paper][1], PAPER_SIZES[paper][0]
    drawing = mat_drawing(edition)
    return [
        piece_on_page(drawing, (left, top), (right, bottom), page)
        for top, bottom in pairwise(ys)
        for left, right in pairwise(xs)
    ]
