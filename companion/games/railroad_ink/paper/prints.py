"""What can be printed for Railroad Ink: the player boards, and corner tags for genuine ones."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.contract import Plain
from companion.games.kit.drawing import Drawing
from companion.games.kit.layouts import sheet_layout
from companion.games.kit.printing.paper import PAPER_SIZES, PaperName, impose
from companion.games.kit.seat_marks import SEAT_MARKS
from companion.games.kit.sheet import Sheet
from companion.games.railroad_ink.paper.printed_art import sheet_drawing, sticker_page
from companion.games.railroad_ink.paper.sheets import board_sheet, board_sheets
from companion.games.railroad_ink.rules.blueprints import blueprint_walls, shipped_blueprints
from companion.games.railroad_ink.rules.rulebook import EDITIONS

_SEATS = range(1, len(SEAT_MARKS) + 1)
_WALLED = "boards-"  # before the name of a blueprint


class RailroadInkSheets:
    """Boards for all seats, two to a page, with a blueprint's walls or without; or a page of stickers."""

    title = "Railroad Ink boards"
    parts: Sequence[str] = ("boards", "stickers", *(f"{_WALLED}{name}" for name in shipped_blueprints()))
    editions: Sequence[str] = EDITIONS

    def pages(self, part: str, edition: str, paper: PaperName) -> list[Drawing]:
        """The boards of all seats (with walls: ``boards-old-town``), or the stickers."""
        if part == "stickers":
            return [sticker_page(PAPER_SIZES[paper], edition)]
        if part.startswith(_WALLED):
            walls = blueprint_walls(part.removeprefix(_WALLED))
            return impose([sheet_drawing(seat, edition, walls) for seat in _SEATS], paper)
        return impose([self.sheet(seat, edition) for seat in _SEATS], paper)

    def sheet(self, seat: int, edition: str) -> Drawing:
        """One board."""
        return sheet_drawing(seat, edition)

    def layout(self, seat: int, edition: str, dpi: float) -> Plain:
        """Its numbers."""
        return sheet_layout(board_sheet(edition, seat), dpi)

    def photographed(self) -> Sequence[Sheet]:
        """The boards of all editions and seats."""
        return board_sheets()
