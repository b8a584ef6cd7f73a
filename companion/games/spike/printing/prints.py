"""What can be printed for SPIKE: the board in pieces or in one, cards with their backs, tiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import ceil

from companion.core.messages import vocabulary
from companion.game.parts import Printables
from companion.games.spike.printing.board_art import board_drawing
from companion.games.spike.printing.card_art import (
    contract_card,
    is_shipped,
    rail_back,
    rail_card,
    route_back,
    route_card,
    time_card,
)
from companion.games.spike.printing.sheets import board_sheet, board_sheets
from companion.games.spike.printing.tile_art import tile_pages
from companion.games.spike.rules.boards.board import SHIPPED, board_called
from companion.games.spike.rules.boards.cards import cards_called
from companion.games.spike.rules.rulebook import BOOK
from companion.sheets.drawing import Drawing, Point, Quad
from companion.sheets.printing.paper import (
    PAPER_SIZES,
    Leaf,
    PaperName,
    one_sided,
    piece_on_page,
    two_sided,
)
from companion.sheets.sheet import Sheet, placed_slots

_FREE = 6.0  # mm at the edge of the paper around a piece of the board


class SpikePrintables(Printables):
    """The board is photographed; one edition for each board that is shipped."""

    title = "SPIKE"
    parts = ("board", "board-in-one", "contracts", "routes", "rails", "tiles", "all")
    editions = SHIPPED
    words = vocabulary(
        "sheets", "board", "board in one", "contracts", "routes", "rails", "tiles", "all", "eastern states"
    )
    described_by = "board"

    def leaves(self, part: str, edition: str, paper: PaperName) -> list[Leaf]:
        """A part, or all of them, with the board in pieces."""
        if part == "all":
            order = ("tiles", "rails", "contracts", "routes", "board")
            return [leaf for one in order for leaf in self.leaves(one, edition, paper)]
        makers: dict[str, Callable[[], list[Leaf]]] = {
            "board": lambda: one_sided(board_pages(edition, paper)),
            "board-in-one": lambda: one_sided([board_drawing(edition)]),
            "contracts": lambda: contract_leaves(edition, paper),
            "routes": lambda: _with_backs(route_cards(edition), route_back(), paper),
            "rails": lambda: _with_backs(rail_cards(edition), rail_back(), paper),
            "tiles": lambda: one_sided(tile_pages(board_called(edition), PAPER_SIZES[paper])),
        }
        return makers[part]()

    def sheet(self, seat: int, edition: str) -> Sheet:
        """The edition is told by the title on the board."""
        return replace(board_sheet(edition), edition=board_called(edition).heading.board)

    def photographed(self) -> Sequence[Sheet]:
        """The boards that are shipped; a match on an owner's own board has its sheet."""
        return board_sheets()

    def segments(self, text: str) -> tuple[Point, Mapping[str, Quad]]:
        """The tracks of the shipped board, or of the owner's."""
        return placed_slots(board_sheet(text or SHIPPED[0]), "track")


def board_pages(name: str, paper: PaperName) -> list[Drawing]:
    """The board cut into as few equal pieces as the paper holds, row after row."""
    drawing = board_drawing(name)
    short, long = sorted(PAPER_SIZES[paper])
    pages: list[Point] = [(long, short), (short, long)]
    page = min(pages, key=lambda size: _pieces(drawing.size, size)[0] * _pieces(drawing.size, size)[1])
    columns, rows = _pieces(drawing.size, page)
    width, height = drawing.size[0] / columns, drawing.size[1] / rows
    return [
        piece_on_page(
            drawing, (column * width, row * height), ((column + 1) * width, (row + 1) * height), page
        )
        for row in range(rows)
        for column in range(columns)
    ]


def _pieces(size: Point, page: Point) -> tuple[int, int]:
    return ceil(size[0] / (page[0] - 2 * _FREE)), ceil(size[1] / (page[1] - 2 * _FREE))


def rail_cards(name: str) -> list[Drawing]:
    """Ten of each suit, and the three time cards."""
    board = board_called(name)
    rails = [rail_card(suit) for suit in board.suits.values() for _ in range(BOOK.rails)]
    return [*rails, *(time_card(number) for number in range(1, BOOK.time_cards + 1))]


def route_cards(name: str) -> list[Drawing]:
    """One for each start city."""
    board, pack = board_called(name), cards_called(name, name)
    return [route_card(board, route, is_shipped(name)) for route in pack.routes.values()]


def contract_leaves(name: str, paper: PaperName) -> list[Leaf]:
    """Side a on one page, side b behind it."""
    board, pack = board_called(name), cards_called(name, name)
    sides = {
        side: [contract_card(board, one) for one in pack.contracts.values() if one.side == side]
        for side in BOOK.sides
    }
    return two_sided(sides["a"], sides["b"], paper)


def _with_backs(cards: list[Drawing], back: Drawing, paper: PaperName) -> list[Leaf]:
    return two_sided(cards, [back] * len(cards), paper)
