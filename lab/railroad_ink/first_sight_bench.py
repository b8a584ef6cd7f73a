"""Boards of prints never seen, read at first sight: ``python -m lab.railroad_ink.first_sight_bench``.

The prints are invented (:mod:`lab.railroad_ink.studio.prints`); those of the report are held out whole. Every
board is read at first sight, and once more with the corners of its grid given, exactly and by a finger.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np

from companion.core.jsontext import JsonObject
from companion.games.railroad_ink.reader.boards import SHEET_OUTLINE, grid_corners
from companion.games.railroad_ink.reader.orienting import as_before, half_turned
from companion.games.railroad_ink.reader.reading import ReadOptions, read_photo
from companion.games.railroad_ink.reader.readings import SheetReading
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.reader.ruling.rule import BoardContext, rule
from companion.games.railroad_ink.rules.boards.board import Board, Roll, Rules
from companion.games.railroad_ink.rules.rulebook import EDITION, GRID, EditionName
from lab.bench import say
from lab.railroad_ink.bench_boards import played_marks, visible_cells
from lab.railroad_ink.random_play import random_turns
from lab.railroad_ink.studio.boards import GivenBoard
from lab.railroad_ink.studio.other_grids import other_grid
from lab.railroad_ink.studio.print_scenes import PrintSpec, take_prints
from lab.railroad_ink.studio.prints import DEVELOPMENT, HELD_OUT, print_for
from lab.studio.levels import LEVELS
from lab.studio.strokes import Points

FIRST_SEED = 8_600_000
_ALONE, _TOGETHER = 2.0, 4.0  # megapixels of a picture with one board, and with several
_FOUND = 0.2  # of a cell: a board that is farther off anywhere is not found
_BY_FINGER = 0.006  # of the picture's longer side: how far corners are dragged beside where they are
Turn = tuple[Rules, Board, Roll]


@dataclass(frozen=True)
class Shot:
    """A photograph with its truth, and what was known of each board before."""

    name: str
    level: str
    data: bytes
    truth: JsonObject
    turns: Sequence[Turn]
    edition: EditionName


@dataclass
class Tally:
    """How many boards of how many were found, read without a mistake, and ruled right."""

    boards: int = 0
    found: int = 0
    exact: int = 0
    ruled: int = 0

    def add(self, sheet: SheetReading | None, true: JsonObject, turn: Turn) -> None:
        """Count one board."""
        self.boards += 1
        if sheet is None:
            return
        self.found += 1
        cells = visible_cells(true)
        # A board without buildings has two upper sides; the position before tells which it is in a match.
        both = (sheet, half_turned(sheet)) if sheet.quality.found_by == "sight" else (sheet,)
        self.exact += any(
            all(one.cells[name].best == (cell["route"] or "") for name, cell in cells.items()) for one in both
        )
        known = as_before(sheet, turn[1].cells())
        for one in (known,) if turn[1].cells() else both:
            ruling = rule(BoardContext(*turn), SlotProbabilities.of(one))
            told = {GRID.names[cell]: route.text for cell, route in ruling.cells.items()}
            drawn = {name: cell["route"] for name, cell in true["cells"].items() if cell["route"]}
            if told == drawn and ruling.outcome != "refused":
                self.ruled += 1
                break

    def __str__(self) -> str:
        parts = (("found", self.found), ("exact", self.exact), ("ruled", self.ruled))
        shares = ", ".join(
            f"{name} {number} ({100 * number / max(self.boards, 1):.0f} %)" for name, number in parts
        )
        return f"{self.boards} boards: {shares}"


def take_shot(seed: int, family: str, level: str, count: int) -> Shot:
    """So many boards of one print, each in the middle of a match."""
    random = Random(seed)
    edition: EditionName = "classic" if random.random() < 0.3 else "challenge"
    rules = Rules(edition=EDITION[edition])
    turns, boards = [], []
    for seat in range(1, count + 1):
        played = list(random_turns(random, rules))
        before, roll, after = played[random.randrange(len(played))]
        turns.append((rules, before, roll))
        boards.append(GivenBoard(seat, played_marks(edition, after, seed, True), seed * 10 + seat))
    print_ = print_for(np.random.default_rng([seed, 1]), family, edition == "challenge")
    megapixels = _ALONE if count == 1 else _TOGETHER
    data, truth = take_prints(seed, level, PrintSpec(print_, tuple(boards), megapixels))
    return Shot(family, level, data, truth, turns, edition)


def grid_of(sheet: SheetReading) -> Points:
    """The corners of a board's grid in pixels of the photograph."""
    outline = cv2.getPerspectiveTransform(
        SHEET_OUTLINE.astype(np.float32), np.array(sheet.corners_px, np.float32)
    )
    return np.asarray(cv2.perspectiveTransform(np.array([grid_corners()]), outline)[0], np.float64)


def found_at(sheets: Sequence[SheetReading], grid: Points) -> SheetReading | None:
    """The board that was found where one lies, whichever side it takes for the upper one."""
    cell = float(np.hypot(*(grid[1] - grid[0]))) / GRID.columns
    for sheet in sheets:
        corners = grid_of(sheet)
        if min(np.hypot(*(np.roll(corners, n, axis=0) - grid).T).max() for n in range(4)) < _FOUND * cell:
            return sheet
    return None


def judge(shot: Shot, tallies: dict[str, Tally], corners: bool) -> tuple[int, int]:
    """Read a photograph; how many boards were found, and how many where none lies."""
    sheets = read_photo(shot.data, ReadOptions(shot.edition, panel=False)).sheets
    found = 0
    rng = np.random.default_rng(len(shot.data))
    for true, turn in zip(shot.truth["sheets"], shot.turns, strict=True):
        grid = np.array(true["grid"])
        own = found_at(sheets, grid)
        found += own is not None
        tallies[f"{shot.level}: at first sight"].add(own, true, turn)
        tallies[f"print {shot.name}"].add(own, true, turn)
        longest = max(shot.truth["width"], shot.truth["height"])
        for how, off in (("exactly", 0.0), ("by a finger", _BY_FINGER)) if corners else ():
            given = [(float(x), float(y)) for x, y in grid + rng.normal(0, off * longest, (4, 2))]
            read = read_photo(shot.data, ReadOptions(shot.edition, 1, given, panel=False)).sheets
            tallies[f"{shot.level}: corners given {how}"].add(read[0] if read else None, true, turn)
    return found, len(sheets) - found


def _foreign(numbers: range, tell: Callable[[str], None]) -> int:
    """Boards that were found in pictures of other grids."""
    invented = 0
    for done, number in enumerate(numbers, start=1):
        kind, data = other_grid(number)
        sheets = read_photo(data, ReadOptions(panel=False)).sheets
        invented += len(sheets)
        if sheets:
            tell(f"invented in {kind} {number}")
        if done % 100 == 0:
            tell(f"{done} other grids: {invented} invented")
    return invented


def main(arguments: Sequence[str] | None = None, tell: Callable[[str], None] = say) -> int:
    """Take the pictures, read them, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=24, help="pictures of one board, at each level")
    parser.add_argument(
        "--together", type=int, default=12, help="pictures of two to six boards, at each level"
    )
    parser.add_argument("--foreign", type=int, default=70, help="pictures of other grids")
    parser.add_argument("--level", action="append", choices=tuple(LEVELS))
    parser.add_argument("--prints", choices=("held-out", "development"), default="held-out")
    parser.add_argument("--no-corners", action="store_true", help="only at first sight")
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args(arguments)
    families = HELD_OUT if options.prints == "held-out" else DEVELOPMENT
    tallies: dict[str, Tally] = defaultdict(Tally)
    invented = 0
    for level in options.level or tuple(LEVELS):
        whole = 0
        for number in range(options.first, options.first + options.boards):
            shot = take_shot(FIRST_SEED + number, families[number % len(families)], level, 1)
            invented += judge(shot, tallies, not options.no_corners)[1]
        together: dict[str, Tally] = defaultdict(Tally)
        for number in range(options.first, options.first + options.together):
            count = 2 + number % 5
            shot = take_shot(FIRST_SEED + 50_000 + number, families[number % len(families)], level, count)
            found, wrong = judge(shot, together, corners=False)
            whole, invented = whole + (found == count), invented + wrong
        if options.together:
            tell(f"{level}: several boards: all found in {whole} of {options.together} pictures")
            tell(f"{level}: several boards: {together[f'{level}: at first sight']}")
    for name, tally in sorted(tallies.items()):
        tell(f"{name}: {tally}")
    others = range(options.first, options.first + options.foreign)
    tell(f"invented beside boards: {invented}; in {options.foreign} other grids: {_foreign(others, tell)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
