"""How well and how fast boards are read: ``python -m lab.railroad_ink.reading_bench [--full]``.

Boards are played by all the rules, drawn and photographed by the studio with seeds that training never uses.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import TypeAlias

import cv2
import numpy as np

from companion.games.contract import Plain
from companion.games.railroad_ink.eye.mark_classes import READ_EXPANSIONS
from companion.games.railroad_ink.eye.reading import read_photo
from companion.games.railroad_ink.eye.readings import SheetReading
from companion.games.railroad_ink.eye.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.eye.ruling.rule import BoardContext, rule
from companion.games.railroad_ink.paper.wall_code import BORDERS
from companion.games.railroad_ink.rules.blueprints import blueprint_walls, shipped_blueprints
from companion.games.railroad_ink.rules.board import Board, Roll, Rules
from companion.games.railroad_ink.rules.rulebook import EDITION, GRID, NEIGHBOURS, EditionName
from companion.games.railroad_ink.rules.walls import NO_WALLS, Walls, parse_walls
from lab.foreign import BOARDLESS, foreign_picture
from lab.railroad_ink.bench_boards import MEGAPIXELS, board_wish, keep_failure, played_marks, visible_cells
from lab.railroad_ink.marks_bench import mark_tasks, marks_accuracy
from lab.railroad_ink.random_play import random_turns
from lab.railroad_ink.studio.boards import GivenBoard, SheetMarks
from lab.railroad_ink.studio.hands import STYLES
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import Wish
from lab.railroad_ink.studio.strangers import STRANGERS
from lab.reading_tables import Shares, most_memory, start_worker, tell, tell_shares
from lab.studio.levels import LEVELS
from vision.decoding import decoded
from vision.errors import PictureError

FIRST_SEED = 7_000_000  # training uses seeds below one million
# What networks taught with --hold-out have never seen.
UNSEEN_STYLE, UNSEEN_PENS = "crosses", ("brown-medium", "blue-fine")
_SLOWEST = 20.0  # seconds that any picture may take


@dataclass(frozen=True)
class Task:
    """One photograph to be taken and read."""

    number: int
    level: str
    style: str
    megapixels: float
    careless: float | None = None  # share of hands that are hard to tell, if not the level's
    failures: Path | None = None  # where a photograph that was not read right is kept
    unmarked: bool = False  # nobody marks anything beside the grid
    walled: bool = False  # with the walls of a blueprint printed on the board


@dataclass(frozen=True)
class Score:
    """How one board was read. ``silent`` are wrong cells that were not flagged as doubtful."""

    task: Task
    pen: str
    found: bool
    cells: int
    right: int
    silent: int
    rounds: int
    rounds_right: int
    ruled_right: bool
    ruled_silent: bool  # the ruling is wrong and asks nothing
    unasked: bool  # the ruling is right, and nobody is asked about any cell
    open_to_view: bool  # no cell that was free is hidden or drowned in glare
    walls: bool | None = None  # are the printed walls known? Nothing where none were told

    @property
    def exact(self) -> bool:
        """Every visible cell right, without any rules."""
        return self.found and self.right == self.cells


# --- one photograph ---


def judged(task: Task) -> Score:
    """Take a photograph of a board in the middle of a match, read it and rule on it."""
    seed = FIRST_SEED + task.number
    random = Random(seed)
    edition: EditionName = "classic" if random.random() < 0.2 else "challenge"
    rules = Rules(edition=EDITION[edition], walls=some_walls(task.number) if task.walled else NO_WALLS)
    turns = list(random_turns(random, rules))
    before, roll, after = turns[random.randrange(len(turns))]
    marks = replace(played_marks(edition, after, seed, task.unmarked), walls=rules.walls)
    given = GivenBoard(1 + task.number % 6, marks, seed)
    wish = board_wish(given, task.style, task.megapixels, task.careless)
    data, truth = take_picture(seed, task.level, wish=wish)
    sheets = read_photo(data).sheets
    true = truth["sheets"][0]
    if not sheets or (sheets[0].edition, sheets[0].seat) != (edition, given.seat):
        score = Score(
            task, true["pen"], False, len(visible_cells(true)), 0, 0, 0, 0, False, False, False, False
        )
    else:
        score = _score(task, true, sheets[0], (rules, before, roll))
    if task.failures and not (score.exact and score.ruled_right):
        keep_failure(task.failures, f"{task.level}-{task.number:05}", data)
    return score


def some_walls(number: int) -> Walls:
    """Those of a blueprint that comes along, or of one that somebody made up."""
    random = Random(f"walls {number}")
    names = [*shipped_blueprints()]
    if random.random() < 0.5:
        return blueprint_walls(random.choice(names))
    texts = [f"{GRID.names[cell]}-{GRID.names[NEIGHBOURS[cell][way]]}" for cell, way in BORDERS]
    return parse_walls(random.sample(texts, random.randint(1, 24)))


def _score(task: Task, true: Plain, sheet: SheetReading, turn: tuple[Rules, Board, Roll]) -> Score:
    visible = visible_cells(true)
    wrong = [name for name, cell in visible.items() if sheet.cells[name].best != (cell["route"] or "")]
    numbered = [n for n, cell in visible.items() if true["rounds_written"] and "round" in cell]
    ruling = rule(BoardContext(*turn), SlotProbabilities.of(sheet))
    cells = {GRID.names[cell]: route.text for cell, route in ruling.cells.items()}
    agrees = cells == {n: cell["route"] for n, cell in true["cells"].items() if cell["route"]}
    asks = ruling.outcome != "accepted" or bool(ruling.doubtful)
    walls = None if sheet.walls is None else parse_walls(sheet.walls) == turn[0].walls
    return Score(
        task=task,
        pen=true["pen"],
        found=True,
        cells=len(visible),
        right=len(visible) - len(wrong),
        silent=sum(not sheet.cells[name].doubtful for name in wrong),
        rounds=len(numbered),
        rounds_right=sum(sheet.cells[n].round == visible[n]["round"] for n in numbered),
        ruled_right=agrees and ruling.outcome != "refused",
        ruled_silent=not agrees and not asks,
        unasked=agrees and not asks,
        open_to_view=all(
            GRID.names[cell] in visible for cell in set(range(GRID.size)) - set(turn[1].cells())
        ),
        walls=walls,
    )


# --- tables ---


_SHARES: Shares[Score] = {
    "found": lambda scores: (sum(s.found for s in scores), len(scores)),
    "cells right": lambda scores: (sum(s.right for s in scores), sum(s.cells for s in scores)),
    "boards exact": lambda scores: (sum(s.exact for s in scores), len(scores)),
    "ruled right": lambda scores: (sum(s.ruled_right for s in scores), len(scores)),
    "no question": lambda scores: (sum(s.unasked for s in scores), len(scores)),
    "all in view": lambda scores: (
        sum(s.ruled_right and s.open_to_view for s in scores),
        sum(s.open_to_view for s in scores),
    ),
    "cells wrong, not flagged": lambda scores: (sum(s.silent for s in scores), sum(s.cells for s in scores)),
    "rulings wrong, not flagged": lambda scores: (sum(s.ruled_silent for s in scores), len(scores)),
    "walls told": lambda scores: (sum(s.walls is not None for s in scores), len(scores)),
    "walls wrong": lambda scores: (sum(s.walls is False for s in scores), len(scores)),
    "rounds right": lambda scores: (sum(s.rounds_right for s in scores), sum(s.rounds for s in scores)),
}


def _table(title: str, scores: Sequence[Score], key: Callable[[Score], str]) -> None:
    tell_shares(title, "boards", _SHARES, scores, key)


def tasks_of(
    boards: int,
    careless: float | None = None,
    failures: Path | None = None,
    styles: Sequence[str] = tuple(STYLES),
    *,
    unmarked: bool = False,
    walled: bool = False,
) -> list[Task]:
    """So many boards, evenly over levels, styles and resolutions."""
    kinds = [(level, style) for level in LEVELS for style in styles]
    return [
        Task(
            n,
            *kinds[n % len(kinds)],
            MEGAPIXELS[n // len(kinds) % len(MEGAPIXELS)],
            careless,
            failures,
            unmarked,
            walled,
        )
        for n in range(boards)
    ]


def accuracy(tasks: Sequence[Task], workers: int, networks: Path | None = None) -> list[Score]:
    """Read the boards and print the tables."""
    with ProcessPoolExecutor(workers, initializer=start_worker, initargs=(networks,)) as pool:
        scores = list(pool.map(judged, tasks))
    _table("level", scores, lambda score: score.task.level)
    _table("level, style", scores, lambda score: f"{score.task.level}, {score.task.style}")
    _table("level, megapixels", scores, lambda score: f"{score.task.level}, {score.task.megapixels:4.1f}")
    _table("held out of training", scores, _held_out)
    return scores


def _held_out(score: Score) -> str:
    style, pen = score.task.style == UNSEEN_STYLE, score.pen in UNSEEN_PENS
    name = {
        (True, True): "style and pen",
        (True, False): "style",
        (False, True): "pen",
        (False, False): "nothing",
    }
    return f"{name[style, pen]}, {score.task.level}"


# --- time and memory ---


Turn: TypeAlias = tuple[Rules, Board, Roll]  # the rules, the board before, the dice


def speed(times: int) -> None:
    """From bytes to the ruling on every board, in times of what decoding alone takes in the same process."""
    tell(
        "\n| 12-megapixel JPEG | bytes | decoding alone | reading | with ruling | times | peak memory |\n"
        + "|---" * 7
        + "|"
    )
    for level in ("table", "hard"):
        for sheets in (1, 6):
            turns = {seat: _a_turn(FIRST_SEED + seat) for seat in range(1, sheets + 1)}
            boards = tuple(
                GivenBoard(seat, _marks(turn[0], after), FIRST_SEED + seat)
                for seat, (turn, after) in turns.items()
            )
            data, _ = take_picture(FIRST_SEED, level, wish=Wish(boards=boards, megapixels=12.0))
            known = {seat: turn for seat, (turn, _) in turns.items()}
            alone, read, ruled = _middle_turn(data, known, times)
            name = f"{level}, {sheets} board{'s' * (sheets > 1)}"
            took = f"{1e3 * alone:.0f} ms | {1e3 * read:.0f} ms | {1e3 * ruled:.0f} ms | {ruled / alone:.2f}"
            tell(f"| {name} | {len(data)} | {took} | {_peak(data):.0f} MB |")


def _a_turn(seed: int) -> tuple[Turn, Board]:
    """A round in the middle of a match, and the board after it."""
    rules = Rules(edition=EDITION["challenge"])
    turns = list(random_turns(Random(seed), rules))
    before, roll, after = turns[len(turns) // 2]
    return (rules, before, roll), after


def _marks(rules: Rules, board: Board) -> SheetMarks:
    rounds = {GRID.cell(one.cell): one.round for one in board.drawings}
    return SheetMarks(rules.edition.name, board.cells(), rounds)


def _peak(data: bytes) -> float:
    """The memory of a process that does nothing but read this photograph, in MB."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_memory_of_reading, data).result()


def _memory_of_reading(data: bytes) -> float:
    read_photo(data)
    return most_memory()


def _middle_turn(data: bytes, known: Mapping[int, Turn], times: int) -> tuple[float, float, float]:
    """Of several turns, each with a decoding of its own, the one in the middle by its ratio."""
    read_photo(data)
    marks: list[tuple[float, float, float]] = []
    for _ in range(times):
        clock = [time.perf_counter()]
        decoded(data, 1)
        clock.append(time.perf_counter())
        sheets = read_photo(data).sheets
        clock.append(time.perf_counter())
        for sheet in sheets:
            rule(BoardContext(*known[sheet.seat]), SlotProbabilities.of(sheet))
        clock.append(time.perf_counter())
        marks.append((clock[1] - clock[0], clock[2] - clock[1], clock[3] - clock[1]))
    return sorted(marks, key=lambda turn: turn[2] / turn[0])[times // 2]


# --- foreign pictures ---


def fuzz(pictures: int, workers: int) -> None:
    """Foreign and damaged pictures: every one gets a clear answer in time, and no board is invented."""
    photos = [
        take_picture(FIRST_SEED + n, "table", wish=Wish(sheets=1, megapixels=1.0, table_pixels=128))[0]
        for n in range(6)
    ]
    parts = [(range(n, pictures, 4 * workers), photos) for n in range(4 * workers)]
    with ProcessPoolExecutor(workers) as pool:
        bad = [line for lines in pool.map(_fuzzed, parts) for line in lines]
    tell(f"\n{pictures} foreign pictures, {len(bad)} without a clear answer")
    for line in bad[:20]:
        tell(line)


def _fuzzed(part: tuple[Iterable[int], list[bytes]]) -> list[str]:
    numbers, photos = part
    seats = {(str(sheet.edition), sheet.seat) for photo in photos for sheet in read_photo(photo).sheets}
    return [line for number in numbers for line in _one_fuzzed(number, photos, seats)]


def _one_fuzzed(number: int, photos: list[bytes], seats: set[tuple[str, int]]) -> list[str]:
    name, data = foreign_picture(number, photos)
    started = time.perf_counter()
    try:
        reading = read_photo(data)
    except PictureError:
        return []
    found = [(str(sheet.edition), sheet.seat) for sheet in reading.sheets]
    invented = set(found) - seats
    if invented or (found and name in BOARDLESS):
        return [f"{number} ({name}): invented {found}"]
    if not found and not reading.notes:
        return [f"{number} ({name}): nothing said"]
    took = time.perf_counter() - started
    return [f"{number} ({name}): {took:.1f} s"] if took > _SLOWEST else []


def main() -> None:
    """The bench."""
    parser = argparse.ArgumentParser(prog="python -m lab.railroad_ink.reading_bench", description=__doc__)
    parser.add_argument("--full", action="store_true", help="1,512 boards and 10,000 foreign pictures")
    parser.add_argument("--boards", type=int, help="so many boards instead")
    parser.add_argument("--fuzz", type=int, help="so many foreign pictures instead")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--networks", type=Path, help="a folder with other networks to compare")
    parser.add_argument("--careless", type=float, help="share of people whose drawings are hard to tell")
    parser.add_argument("--strangers", action="store_true", help="hands that no network ever learns from")
    parser.add_argument("--unmarked", action="store_true", help="nobody marks anything beside the grid")
    parser.add_argument("--walls", action="store_true", help="boards with walls printed on them")
    parser.add_argument("--failures", type=Path, help="a folder for the photographs that are not read right")
    parser.add_argument(
        "--expansion",
        action="append",
        choices=(*READ_EXPANSIONS, "all"),
        help="boards of matches with this expansion instead, marks and all; again for several",
    )
    parser.add_argument(
        "--level", action="append", choices=tuple(LEVELS), help="with --expansion: only these"
    )
    options = parser.parse_args()
    boards = options.boards if options.boards is not None else (1512 if options.full else 108)
    pictures = options.fuzz if options.fuzz is not None else (10_000 if options.full else 290)
    cv2.setNumThreads(1 if boards else 2)
    styles = tuple(STRANGERS if options.strangers else STYLES)
    if options.expansion:
        names = READ_EXPANSIONS if "all" in options.expansion else options.expansion
        chosen = mark_tasks(boards, names, options.level or tuple(LEVELS), styles, options.failures)
        marks_accuracy(chosen, options.workers, options.networks)
        return
    if boards:
        kind = {"unmarked": options.unmarked, "walled": options.walls}
        tasks = tasks_of(boards, options.careless, options.failures, styles, **kind)
        accuracy(tasks, options.workers, options.networks)
    if pictures:
        fuzz(pictures, options.workers)
    if not options.strangers:
        cv2.setNumThreads(2)
        speed(25)


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    main()
