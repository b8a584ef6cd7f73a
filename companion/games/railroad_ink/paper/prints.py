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
from companion.games.railroad_ink.rules.rulebook import EDITIONS


class RailroadInkSheets:
    """Boards for all seats, two to a page, or a page of stickers."""

    title = "Railroad Ink boards"
    parts: Sequence[str] = ("boards", "stickers")
    editions: Sequence[str] = EDITIONS

    def pages(self, part: str, edition: str, paper: PaperName) -> list[Drawing]:
        """The boards of all seats, or the stickers."""
        if part == "stickers":
            return [sticker_page(PAPER_SIZES[paper], edition)]
        return impose([self.sheet(seat, edition) for seat in range(1, len(SEAT_MARKS) + 1)], paper)

    def sheet(self, seat: int, edition: str) -> Drawing:
        """One board."""
        return sheet_drawing(seat, edition)

    def layout(self, seat: int, edition: str, dpi: float) -> Plain:
        """Its numbers."""
        return sheet_layout(board_sheet(edition, seat), dpi)

    def photographed(self) -> Sequence[Sheet]:
        """The boards of all editions and seats."""
        return board_sheets()
