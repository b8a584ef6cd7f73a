"""How well boards with an expansion are read: what ``reading_bench --expansion NAME`` measures.

Boards come from random legal matches with the expansion, at the end of a round: what was there before
and all dice are known, as in a match; most players cross off special routes beside the grid as the rules
say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from companion.core.jsontext import JsonObject
from companion.games.railroad_ink.reader.mark_classes import class_at
from companion.games.railroad_ink.reader.reading import ReadOptions, read_photo
from companion.games.railroad_ink.reader.readings import SheetReading
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.reader.ruling.rule import BoardContext, rule
from companion.games.railroad_ink.rules.expansions.marks import Marks
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.match.state import State, marks_of
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.bench_boards import MEGAPIXELS, board_wish, played_marks, visible_cells
from lab.railroad_ink.expansion_play import random_match
from lab.railroad_ink.studio.boards import GivenBoard
from lab.railroad_ink.studio.hands import STYLES
from lab.railroad_ink.studio.output import take_picture
from lab.reading_bench import Columns, ReadingBench, keep_failure
from lab.studio.levels import LEVELS

FIRST_SEED = 8_000_000  # no training and no other bench begins there


@dataclass(frozen=True)
class MarkTask:
    """One photograph to be taken and read."""

    number: int
    expansion: str
    level: str
    style: str
    megapixels: float
    failures: Path | None = None


@dataclass(frozen=True)
class MarkScore:
    """How one board was read. ``silent`` are wrong places that were not flagged as doubtful."""

    task: MarkTask
    found: bool
    cells: int = 0  # routes: visible cells
    cells_right: int = 0
    places: int = 0  # marks: visible places in which one may be
    places_right: int = 0
    marked: int = 0  # those with a mark, or read as having one
    marked_right: int = 0
    silent: int = 0
    ruled_right: bool = False
    asks: int = 0  # how many questions
    ruled_silent: bool = False


def mark_tasks(
    boards: int,
    expansions: Sequence[str],
    levels: Sequence[str] = tuple(LEVELS),
    styles: Sequence[str] = tuple(STYLES),
    failures: Path | None = None,
) -> list[MarkTask]:
    """So many boards, evenly over expansions and levels; styles and resolutions in turn."""
    kinds = [(name, level) for level in levels for name in expansions]
    return [
        MarkTask(
            n,
            *kinds[n % len(kinds)],
            styles[(n // len(kinds) + n) % len(styles)],
            MEGAPIXELS[n // len(kinds) % len(MEGAPIXELS)],
            failures,
        )
        for n in range(boards)
    ]


def end_of_a_round(random: Random, expansion: str) -> State:
    """A match with one seat, when that seat has drawn all it must in some round."""
    edition = "classic" if random.random() < 0.2 else "challenge"
    ends = [
        state
        for state, fact in random_match(expansion, random, 1, {"edition": edition})
        if fact is not None and fact.kind == "done" and not state.only_extra
    ]
    return random.choice(ends)


def judged_marks(task: MarkTask) -> MarkScore:
    """Take a photograph of a board in the middle of a match, read it and rule on it."""
    random = Random(FIRST_SEED + task.number)
    state = end_of_a_round(random, task.expansion)
    board = state.boards[1]
    marks = drawn_marks(marks_of(state, board), task.expansion)
    seed = FIRST_SEED + task.number
    plain = played_marks(state.options.edition, board, seed, unmarked=False)
    sheet = replace(plain, expansion=task.expansion, signs=marks)
    given = GivenBoard(1 + task.number % 6, sheet, seed)
    wish = board_wish(given, task.style, task.megapixels)
    data, truth = take_picture(seed, task.level, wish=wish)
    sheets = read_photo(data, ReadOptions(expansion=task.expansion)).sheets
    if not sheets or sheets[0].seat != given.seat:
        return MarkScore(task, False)
    score = _score(task, truth["sheets"][0], sheets[0], state)
    if not (score.ruled_right and score.places == score.places_right):
        keep_failure(task.failures, f"{task.expansion}-{task.level}-{task.number:05}", data)
    return score


def drawn_marks(marks: Marks, expansion: str) -> Marks:
    """What of the marks is ink on the grid: boxes beside it are not."""
    return {place: text for place, text in marks.items() if place not in TABLES[expansion].boxes}


def _score(task: MarkTask, true: JsonObject, sheet: SheetReading, state: State) -> MarkScore:
    board = state.boards[1]
    cells, marks = board.cells(), drawn_marks(marks_of(state, board), task.expansion)
    visible = set(visible_cells(true))
    texts = {GRID.names[cell]: route.text for cell, route in cells.items()}
    right = sum(sheet.cells[name].best == texts.get(name, "") for name in visible)
    places = [place for place in sheet.marks if set(place.split("-")) <= visible]
    known = {place: sheet.marks[place].best for place in places}
    wrong = []
    marked = 0
    for place in places:
        truth = _truth(task.expansion, place, marks, state)
        if truth is None:
            continue
        marked += truth != "" or known[place] != ""
        if known[place] != truth:
            wrong.append(place)
    before = board.before_round(state.round)
    ruling = rule(BoardContext(state.rules, before, state.roll, state.extra), SlotProbabilities.of(sheet))
    agrees = ruling.cells == cells and drawn_marks(ruling.marks or {}, task.expansion) == marks
    doubts = len(ruling.doubts) + len(ruling.mark_doubts)
    return MarkScore(
        task,
        True,
        cells=len(visible),
        cells_right=right,
        places=len(places),
        places_right=len(places) - len(wrong),
        marked=marked,
        marked_right=marked - len(wrong),
        silent=sum(not sheet.marks[place].doubtful for place in wrong),
        ruled_right=agrees and ruling.outcome != "refused",
        asks=doubts,
        ruled_silent=not agrees and ruling.outcome == "accepted",
    )


def _truth(expansion: str, place: str, marks: Marks, state: State) -> str | None:
    """The class that should have been read; None where nobody can say."""
    if expansion == "canyon":
        return "canyon" if place in marks else ""
    cell = GRID.cell(place)
    return class_at(marks, cell, state.boards[1].cells().get(cell))


_COLUMNS: Columns[MarkScore] = {
    "found": lambda scores: (sum(s.found for s in scores), len(scores)),
    "routes right": lambda scores: (sum(s.cells_right for s in scores), sum(s.cells for s in scores)),
    "marks right": lambda scores: (sum(s.places_right for s in scores), sum(s.places for s in scores)),
    "marked places right": lambda scores: (
        sum(s.marked_right for s in scores),
        sum(s.marked for s in scores),
    ),
    "ruled right": lambda scores: (sum(s.ruled_right for s in scores), len(scores)),
    "asked nothing": lambda scores: (sum(not s.asks for s in scores), len(scores)),
    "marks wrong, silent": lambda scores: (sum(s.silent for s in scores), sum(s.places for s in scores)),
    "rulings wrong, silent": lambda scores: (sum(s.ruled_silent for s in scores), len(scores)),
}


MARKS_BENCH = ReadingBench(
    "boards",
    judged_marks,
    _COLUMNS,
    {
        "level": lambda score: score.task.level,
        "expansion, level": lambda score: f"{score.task.expansion}, {score.task.level}",
        "style": lambda score: score.task.style,
    },
)
