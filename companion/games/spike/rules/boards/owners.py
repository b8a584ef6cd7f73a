"""``python -m companion.games.spike.rules.boards.owners BOARD [CARDS]``: faults of owners' files, by line."""

from __future__ import annotations

import sys
from pathlib import Path

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.games.spike.rules.boards.board import SHIPPED, board_text, describe_board, read_board
from companion.games.spike.rules.boards.cards import describe_cards
from companion.games.spike.rules.boards.entries import LineFault


def faults_of(board_text: str, cards_text: str | None = None) -> tuple[list[LineFault], list[LineFault]]:
    """What is wrong with a board and with the cards that go with it, by line.

    Cards are judged once the board has no fault.
    """
    board_faults = _by_line(describe_board(board_text)[1])
    if board_faults or cards_text is None:
        return board_faults, []
    return [], _by_line(describe_cards(cards_text, read_board(board_text))[1])


def _by_line(faults: list[LineFault]) -> list[LineFault]:
    return sorted(faults, key=lambda fault: fault.line)


def complaints(board_file: Path, cards_file: Path | None = None) -> list[str]:
    """Every fault of the two files as a sentence."""
    board_faults, card_faults = faults_of(
        board_file.read_text(), cards_file.read_text() if cards_file else None
    )
    found = [f"{board_file.name}, {fault}" for fault in board_faults]
    return found + [f"{cards_file.name}, {fault}" for fault in card_faults] if cards_file else found


def option_faults(options: JsonObject) -> list[str]:
    """What is wrong with the files that were given as options; an empty one is the shipped one."""
    board, cards = options.get("board", ""), options.get("cards", "")
    own_cards = cards if cards and cards not in SHIPPED else None
    if own_cards is None and not board:
        return []
    board_faults, card_faults = faults_of(board_text(board or SHIPPED[0]), own_cards)
    return [
        *(m("board, {fault}", fault=fault) for fault in board_faults),
        *(m("cards, {fault}", fault=fault) for fault in card_faults),
    ]


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
    sys.stdout.write("".join(f"{line}\n" for line in found or [m("nothing is wrong")]))
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
