"""``python -m companion.games.spike.owners BOARD [CARDS]``: what is wrong with owners' files, by line."""

from __future__ import annotations

import sys
from pathlib import Path

from companion.games.spike.board import describe_board, read_board
from companion.games.spike.cards import describe_cards
from companion.games.spike.entries import LineFault


def complaints(board_file: Path, cards_file: Path | None = None) -> list[str]:
    """Every fault of a board and of the cards that go with it; cards are judged once the board has none."""
    board_text = board_file.read_text()
    found = _said(board_file, describe_board(board_text)[1])
    if cards_file is None or found:
        return found
    return _said(cards_file, describe_cards(cards_file.read_text(), read_board(board_text))[1])


def _said(file: Path, faults: list[LineFault]) -> list[str]:
    return [f"{file.name}, {fault}" for fault in sorted(faults, key=lambda fault: fault.line)]


def main(arguments: list[str]) -> int:
    """Print the faults; 0 if there are none, 1 if there are, 2 if a file cannot be read."""
    if not 1 <= len(arguments) <= 2:
        sys.stderr.write("owners: say a board file, and perhaps a card file\n")
        return 2
    try:
        found = complaints(*map(Path, arguments))
    except (OSError, UnicodeError) as problem:
        sys.stderr.write(f"owners: {problem}\n")
        return 2
    sys.stdout.write("".join(f"{line}\n" for line in found or ["nothing is wrong"]))
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
