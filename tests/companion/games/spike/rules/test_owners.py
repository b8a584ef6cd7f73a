from pathlib import Path

import pytest

from companion.games.spike.rules.boards.board import board_text, shipped_text
from companion.games.spike.rules.boards.owners import main

BOARD = board_text("eastern-states")
CARDS = shipped_text("eastern-states", "cards")


def files(folder: Path, board: str = BOARD, cards: str = CARDS) -> list[str]:
    (folder / "board.jsonl").write_text(board)
    (folder / "cards.jsonl").write_text(cards)
    return [str(folder / "board.jsonl"), str(folder / "cards.jsonl")]


def test_nothing_is_wrong_with_the_shipped_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(files(tmp_path)) == 0
    assert capsys.readouterr().out == "nothing is wrong\n"


def test_every_fault_is_said_with_its_file_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(files(tmp_path, BOARD.replace('"topeka"', '"paris"', 1))) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 1
    assert all(line.startswith("board.jsonl, line ") for line in lines)
    assert main(files(tmp_path, cards=CARDS.replace('"miami"', '"paris"', 1))) == 1
    assert "there is no city 'paris'" in capsys.readouterr().out


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nothing.jsonl")]) == 2
    assert main([]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
