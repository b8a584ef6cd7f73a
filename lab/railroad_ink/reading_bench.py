"""How well and how fast boards are read: ``python -m lab.railroad_ink.reading_bench [--full]``.

Boards are played by all the rules, drawn and photographed by the studio with seeds that training never uses.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeAlias

import numpy as np

from companion.core.jsontext import JsonObject
from companion.games.railroad_ink.printing.wall_code import BORDERS
from companion.games.railroad_ink.reader.mark_classes import READ_EXPANSIONS
from companion.games.railroad_ink.reader.reading import read_photo
from companion.games.railroad_ink.reader.readings import SheetReading
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.reader.ruling.rule import BoardContext, rule
from companion.games.railroad_ink.rules.blueprints import blueprint_walls, shipped_blueprints
from companion.games.railroad_ink.rules.boards.board import Board, Roll, Rules
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls, parse_walls
from companion.games.railroad_ink.rules.rulebook import EDITION, GRID, NEIGHBOURS, EditionName
from lab.railroad_ink.bench_boards import MEGAPIXELS, board_spec, played_marks, visible_cells
from lab.railroad_ink.marks_bench import MARKS_BENCH, mark_tasks
from lab.railroad_ink.random_play import random_turns
from lab.railroad_ink.studio.boards import GivenBoard, SheetMarks
from lab.railroad_ink.studio.hands import STYLES
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import SceneSpec
from lab.railroad_ink.studio.strangers import STRANGERS
from lab.reading_bench import (
    Columns,
    ForeignPictures,
    ReadingBench,
    Size,
    Timed,
    chosen_options,
    keep_failure,
    reading_parser,
    tell_speed,
)
from lab.studio.levels import LEVELS

FIRST_SEED = 7_000_000  # training uses seeds below one million
# What networks taught with --hold-out have never seen.
UNSEEN_STYLE, UNSEEN_PENS = "crosses", ("brown-medium", "blue-fine")
_AT_SIGHT = "sight"
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
    spec = board_spec(given, task.style, task.megapixels, task.careless)
    data, truth = take_picture(seed, task.level, spec=spec)
    sheets = read_photo(data).sheets
    true = truth["sheets"][0]
    if not sheets or (sheets[0].edition, sheets[0].seat) != (edition, given.seat):
        score = Score(
            task, true["pen"], False, len(visible_cells(true)), 0, 0, 0, 0, False, False, False, False
        )
    else:
        score = _score(task, true, sheets[0], (rules, before, roll))
    if not (score.exact and score.ruled_right):
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


def _score(task: Task, true: JsonObject, sheet: SheetReading, turn: tuple[Rules, Board, Roll]) -> Score:
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


_COLUMNS: Columns[Score] = {
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


def _held_out(score: Score) -> str:
    style, pen = score.task.style == UNSEEN_STYLE, score.pen in UNSEEN_PENS
    name = {
        (True, True): "style and pen",
        (True, False): "style",
        (False, True): "pen",
        (False, False): "nothing",
    }
    return f"{name[style, pen]}, {score.task.level}"


BENCH = ReadingBench(
    "boards",
    judged,
    _COLUMNS,
    {
        "level": lambda score: score.task.level,
        "level, style": lambda score: f"{score.task.level}, {score.task.style}",
        "level, megapixels": lambda score: f"{score.task.level}, {score.task.megapixels:4.1f}",
        "held out of training": _held_out,
    },
)


# --- time, memory, foreign pictures ---


Turn: TypeAlias = tuple[Rules, Board, Roll]  # the rules, the board before, the dice


def speed(times: int) -> None:
    """From bytes to the ruling on every board."""
    kinds = [(level, sheets) for level in ("table", "hard") for sheets in (1, 6)]
    pictures = (_timed_picture(level, sheets) for level, sheets in kinds)
    tell_speed("12-megapixel JPEG", ("reading", "with ruling"), pictures, times, read_photo)


def _timed_picture(level: str, sheets: int) -> Timed:
    turns = {seat: _a_turn(FIRST_SEED + seat) for seat in range(1, sheets + 1)}
    boards = tuple(
        GivenBoard(seat, _marks(turn[0], after), FIRST_SEED + seat) for seat, (turn, after) in turns.items()
    )
    data, _ = take_picture(FIRST_SEED, level, spec=SceneSpec(boards=boards, megapixels=12.0))
    known = {seat: turn for seat, (turn, _) in turns.items()}
    return Timed(f"{level}, {sheets} board{'s' * (sheets > 1)}", data, partial(_read_and_ruled, data, known))


def _a_turn(seed: int) -> tuple[Turn, Board]:
    """A round in the middle of a match, and the board after it."""
    rules = Rules(edition=EDITION["challenge"])
    turns = list(random_turns(Random(seed), rules))
    before, roll, after = turns[len(turns) // 2]
    return (rules, before, roll), after


def _marks(rules: Rules, board: Board) -> SheetMarks:
    rounds = {GRID.cell(one.cell): one.round for one in board.drawings}
    return SheetMarks(rules.edition.name, board.cells(), rounds)


def _read_and_ruled(data: bytes, known: Mapping[int, Turn]) -> Iterator[None]:
    sheets = read_photo(data).sheets
    yield
    for sheet in sheets:
        rule(BoardContext(*known[sheet.seat]), SlotProbabilities.of(sheet))
    yield


def foreign_pictures() -> ForeignPictures:
    """Damaged photographs of boards, in which no other boards may be found than lie there."""
    spec = SceneSpec(sheets=1, megapixels=1.0, table_pixels=128)
    photos = [take_picture(FIRST_SEED + n, "table", spec=spec)[0] for n in range(6)]
    names = {_name_of(sheet) for photo in photos for sheet in read_photo(photo).sheets} | {_AT_SIGHT}
    return ForeignPictures(read_photo, photos, slowest=_SLOWEST, name_of=_name_of, names=names)


def _name_of(sheet: SheetReading) -> Hashable:
    """Whose board it is; one whose tags are damaged may be found at first sight, and is nobody's."""
    return _AT_SIGHT if sheet.quality.found_by == _AT_SIGHT else (sheet.edition, sheet.seat)


def main() -> None:
    """Read the options, run the bench and print its tables."""
    parser = reading_parser(
        "lab.railroad_ink.reading_bench", __doc__, "boards", Size(108, 290), Size(1512, 10_000), speed=25
    )
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
    options = chosen_options(parser)
    styles, last = tuple(STRANGERS if options.strangers else STYLES), options.first + options.pictures
    if options.expansion:
        names = READ_EXPANSIONS if "all" in options.expansion else options.expansion
        chosen = mark_tasks(last, names, options.level or tuple(LEVELS), styles, options.failures)
        MARKS_BENCH.accuracy(chosen[options.first :], options.workers, options.networks)
        return
    kind = {"unmarked": options.unmarked, "walled": options.walls}
    tasks = tasks_of(last, options.careless, options.failures, styles, **kind)
    if options.strangers:
        options.speed = 0
    BENCH.run(options, tasks[options.first :], foreign_pictures, speed)


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    main()
