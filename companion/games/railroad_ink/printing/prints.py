"""What can be printed for Railroad Ink: boards of every size, corner tags for genuine ones, a legend."""

from __future__ import annotations

from companion.core.messages import m, vocabulary
from companion.game.parts import Printables
from companion.games.railroad_ink.printing.cards import card_drawing
from companion.games.railroad_ink.printing.large_boards import large_board, second_board
from companion.games.railroad_ink.printing.legend import legend_pages
from companion.games.railroad_ink.printing.printed_art import sheet_drawing, sticker_page
from companion.games.railroad_ink.printing.sheets import board_sheet
from companion.games.railroad_ink.rules.blueprints import (
    blueprint_named,
    blueprint_walls,
    shipped_blueprints,
)
from companion.games.railroad_ink.rules.boards.layouts import Layout, Size
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls, parse_walls
from companion.games.railroad_ink.rules.rulebook import EDITION_WORDS, EDITIONS, LAYOUTS, USUAL
from companion.sheets.drawing import Drawing
from companion.sheets.printing.paper import PAPER_SIZES, Leaf, PaperName, impose, one_sided
from companion.sheets.seat_marks import SEAT_MARKS
from companion.sheets.sheet import Sheet

_SEATS = range(1, len(SEAT_MARKS) + 1)
_WALLED = "boards-"  # before the name of a blueprint, or the walls of an own card
_CARDS = "cards"  # alone, or before the walls of an own card
_LARGER: tuple[Size, ...] = ("giant", "epic")
_BELOW, _LEGEND = "second-board", "legend"
_WORDS = {
    **EDITION_WORDS,
    **vocabulary(
        "sheets",
        *("boards", "stickers", "cards", "second board", "legend", "giant", "epic"),
        *("boards old town", "boards river gate", "boards two valleys"),
    ),
}


class RailroadInkPrintables(Printables):
    """Boards for all seats, with walls or without; larger ones, one to a page; cards; stickers; a legend."""

    title = "Railroad Ink boards"
    parts = (
        "boards",
        "stickers",
        *(f"{_WALLED}{name}" for name in shipped_blueprints()),
        *_LARGER,
        _CARDS,
        _BELOW,
        _LEGEND,
    )
    editions = EDITIONS
    words = _WORDS

    def leaves(self, part: str, edition: str, paper: PaperName) -> list[Leaf]:
        """The boards of all seats (with walls: ``boards-old-town``), or the stickers."""
        if part == "stickers":
            return one_sided([sticker_page(PAPER_SIZES[paper], edition)])
        if part == _LEGEND:
            return one_sided(legend_pages(PAPER_SIZES[paper]))
        return one_sided(impose(self._sheets(part, edition), paper))

    def _sheets(self, part: str, edition: str) -> list[Drawing]:
        """All sheets that are laid out on pages."""
        if part == _BELOW:
            return [second_board(seat) for seat in _SEATS]
        size, _, walls = part.partition("-")
        if size == _CARDS:
            return [_card(_walls(walls, USUAL))] if walls else _shipped_cards()
        for larger in _LARGER:
            if size == larger:
                own = _walls(walls, LAYOUTS[larger])
                return [large_board(seat, edition, larger, own) for seat in _SEATS]
        if part.startswith(_WALLED):
            own = _walls(walls, USUAL)
            return [sheet_drawing(seat, edition, own) for seat in _SEATS]
        return [sheet_drawing(seat, edition) for seat in _SEATS]

    def own_part(self, part: str) -> bool:
        """Boards or a card with own walls: ``boards-c3-c4,d3-d4``, ``giant-h9-i9``, ``cards-c3-c4``."""
        size, dash, walls = part.partition("-")
        if not dash or size not in ("boards", _CARDS, *_LARGER):
            return False
        larger = next((one for one in _LARGER if one == size), None)
        _walls(walls, LAYOUTS[larger] if larger else USUAL)
        return True

    def sheet(self, seat: int, edition: str) -> Sheet:
        return board_sheet(edition, seat)


def _shipped_cards() -> list[Drawing]:
    """The cards of all blueprints that come along."""
    return [_card(blueprint_walls(name)) for name in shipped_blueprints()]


def _card(walls: Walls) -> Drawing:
    """A card; one of our own blueprints has its name and a sentence, another one its walls as text."""
    known = shipped_blueprints().get(blueprint_named(walls))
    if known is None:
        return card_drawing(walls, m("Blueprint"), "")
    return card_drawing(walls, known.title, known.about)


def _walls(text: str, layout: Layout) -> Walls:
    """The walls of a blueprint, by its name or as a list with commas; empty for none."""
    if not text:
        return NO_WALLS
    named = text in shipped_blueprints()
    return blueprint_walls(text, layout) if named else parse_walls(text.split(","), layout)
