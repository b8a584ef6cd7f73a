"""How well and how quickly card tables are read: ``python -m lab.derailed.reading_bench``.

Every table is photographed after a card of legal play; seeds are never those of training. The picture is read
alone, and ruled on with the position before, which also says how many lanes to look for. Bare tables lie any
way round, as people sit around them; what nobody can see alone (which end is the start) is not counted there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from companion.core.jsontext import JsonObject, json_of
from companion.games.derailed.reader.facing import EndsContext, ruled_facing
from companion.games.derailed.reader.grids.tables import NOTHING_KNOWN, Expected
from companion.games.derailed.reader.reading import read_cards
from companion.games.derailed.reader.readings import CardReading
from companion.games.derailed.reader.ruling import AreaRuling, RulingContext, rule_moves
from companion.games.derailed.rules.network import grid_of
from companion.reading.evidence import EMPTY
from lab.derailed.studio.hands import HELD_OUT, OURS, PEOPLE, STRANGE, STRANGE_HELD_OUT
from lab.derailed.studio.output import take_card_picture
from lab.derailed.studio.positions import CardTable, played_table
from lab.derailed.studio.scenes import HELD_OUT_SURFACES, CardSpec
from lab.foreign import BOARDLESS
from lab.railroad_ink.studio.output import take_picture
from lab.reading_bench import (
    Columns,
    ForeignPictures,
    ReadingBench,
    Size,
    Timed,
    chosen_options,
    reading_parser,
    tell_speed,
)
from lab.studio.levels import LEVELS

FIRST_SEED = 7_000_000
MEGAPIXELS = (0.5, 1.0, 2.0, 4.0, 8.0, 12.0)
TILTS = {"clean": (0.0, 12.0), "table": (0.0, 40.0), "hard": (5.0, 50.0)}  # of the camera, in degrees
SURFACES = ("", "wood", "marble", "carpet", "cloth", *HELD_OUT_SURFACES)
_READABLE = 0.35  # share of a card that may be hidden, or drowned in glare, and it still counts


@dataclass(frozen=True)
class Task:
    """One picture to be read."""

    number: int
    level: str
    hand: str
    mat: bool
    megapixels: float


@dataclass(frozen=True)
class Score:
    """How well one picture was read."""

    task: Task
    found: bool
    cards: int = 0  # rail cards that can be read
    right: int = 0
    silent: int = 0  # wrong, and not said to be doubtful
    cells: int = 0
    cells_right: int = 0
    exact: bool = False
    stations_right: bool = False
    ruled_right: bool = False
    ruled_silent: bool = False  # wrong, and neither asked nor refused
    asked: bool = False  # a question is left to people
    wrong: tuple[tuple[str, str, str, float], ...] = ()  # cell, read, truth, probability


def task_table(task: Task) -> CardTable:
    """What lies on the table of a task: at least one card, and the last one can be seen.

    One that was laid on another just like it leaves the table as it was, for the eye.
    """
    rng = np.random.default_rng([FIRST_SEED + task.number, 1])
    while True:
        lanes = int(rng.integers(2, 7))
        table = played_table(rng, lanes, int(rng.integers(1, 6 * lanes)), tunnels=bool(rng.random() < 0.25))
        stack = table.stacks[table.moves[-1].cell]
        if stack[-1] not in stack[-2:-1]:
            return table


def task_picture(task: Task, folder: Path | None = None) -> tuple[bytes, JsonObject]:
    """The photograph of a task, and its truth; taken once if there is a ``folder`` to keep them in."""
    photo = Path() if folder is None else folder / f"{task.number}.jpg"
    if photo.exists() and folder is not None:
        return photo.read_bytes(), msgspec.json.decode(photo.with_suffix(".json").read_bytes())
    spec = CardSpec(
        cards=task_table(task),
        hand=task.hand,
        mat=task.mat,
        megapixels=task.megapixels,
        tilt=TILTS[task.level],
        surface=SURFACES[task.number % len(SURFACES)],
        turned=True,
    )
    data, truth = take_card_picture(FIRST_SEED + task.number, task.level, spec=spec)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        photo.with_suffix(".json").write_bytes(json_of(truth))
        photo.write_bytes(data)
    return data, truth


def judged(task: Task, folder: Path | None = None) -> Score:
    """Take the picture, read it, rule on it."""
    data, truth = task_picture(task, folder)
    lanes, table = truth["sheets"][0]["lanes"], task_table(task)
    before = known_before(table)
    known = EndsContext((table.starts, table.destinations), before.cells)
    found = True
    for expected in (NOTHING_KNOWN, Expected((lanes,))):
        sheets = read_cards(data, expected).sheets
        if len(sheets) == 1 and sheets[0].lanes == lanes:
            sheet, ruling = ruled_facing(sheets[0], known, lambda way: rule_moves(way.probabilities, before))
            return _score(task, sheet, ruling, truth["sheets"][0]) if found else _ruled(task, ruling)
        found = False
    return Score(task, found=False)


def _ruled(task: Task, ruling: AreaRuling) -> Score:
    """A table that was found only because somebody said how many lanes it has."""
    agrees = ruling.cells == task_table(task).grid
    return Score(
        task,
        False,
        ruled_right=agrees and ruling.outcome != "refused",
        ruled_silent=not agrees and ruling.outcome == "accepted",
        asked=ruling.outcome == "ask",
    )


def _score(task: Task, sheet: CardReading, ruling: AreaRuling, truth: JsonObject) -> Score:
    table = task_table(task)
    places = truth["places"]
    names = grid_of(table.lanes).names
    hidden = {name for name in names if name in places and is_unreadable(places[name])}
    readable = [
        name
        for name in names
        if (name not in hidden and sheet.cells[name].cannot_see is None)
        or (name in places and name not in hidden)
    ]
    actual = {name: places[name]["card"] if name in places else EMPTY for name in names}
    wrong = [name for name in readable if not is_right(sheet, name, actual[name])]
    agrees = ruling.cells == table.grid
    cards = [name for name in readable if actual[name]]
    return Score(
        task,
        True,
        cards=len(cards),
        right=sum(name not in wrong for name in cards),
        silent=sum(not sheet.cells[name].doubtful for name in wrong),
        cells=len(readable),
        cells_right=len(readable) - len(wrong),
        exact=not wrong,
        stations_right=sheet.columns == (table.starts, table.destinations),
        ruled_right=agrees and ruling.outcome != "refused",
        ruled_silent=not agrees and ruling.outcome == "accepted",
        asked=ruling.outcome == "ask",
        wrong=tuple(
            (
                name,
                sheet.cells[name].cannot_see or sheet.cells[name].best,
                actual[name],
                round(sheet.cells[name].p, 3),
            )
            for name in wrong
        ),
    )


def is_unreadable(place: JsonObject) -> bool:
    """Is so much of a card hidden, or drowned in glare, that it does not count?"""
    return bool(place.get("hidden", 0) > _READABLE or place.get("glare", 0) > _READABLE)


def is_right(sheet: CardReading, name: str, face: str) -> bool:
    """Is a cell seen, and read as this face?"""
    return sheet.cells[name].cannot_see is None and sheet.cells[name].best == face


def known_before(table: CardTable) -> RulingContext:
    """The position before the last card."""
    laid = table.moves[-1]
    stack = table.stacks[laid.cell][:-1]
    stacks = {cell: cards for cell, cards in table.stacks.items() if cell != laid.cell}
    before = {**stacks, laid.cell: stack} if stack else stacks
    return RulingContext(table.starts, before, most=1, tunnels=True)


# --- tables ---


_COLUMNS: Columns[Score] = {
    "found": lambda scores: (sum(s.found for s in scores), len(scores)),
    "cards right": lambda scores: (sum(s.right for s in scores), sum(s.cards for s in scores)),
    "cells right": lambda scores: (sum(s.cells_right for s in scores), sum(s.cells for s in scores)),
    "grids exact alone": lambda scores: (sum(s.exact for s in scores), len(scores)),
    "both columns": lambda scores: (sum(s.stations_right for s in scores), len(scores)),
    "ruled right": lambda scores: (sum(s.ruled_right for s in scores), len(scores)),
    "asked": lambda scores: (sum(s.asked for s in scores), len(scores)),
    "cards wrong, not flagged": lambda scores: (sum(s.silent for s in scores), sum(s.cards for s in scores)),
    "rulings wrong, not flagged": lambda scores: (sum(s.ruled_silent for s in scores), len(scores)),
}


ALL_HANDS = (OURS, *(name for name in PEOPLE if name not in (*STRANGE, *STRANGE_HELD_OUT)))
ON = {"table": (False,), "mat": (True,), "both": (False, True)}


def tasks_of(
    pictures: int,
    first: int = 0,
    levels: Sequence[str] = tuple(LEVELS),
    hands: Sequence[str] = ALL_HANDS,
    on: Sequence[bool] = ON["both"],
) -> list[Task]:
    """So many pictures, evenly over levels, hands, mat or none, and resolutions."""
    return [
        Task(
            first + n,
            levels[n % len(levels)],
            hands[n // len(levels) % len(hands)],
            on[n // (len(levels) * len(hands)) % len(on)],
            MEGAPIXELS[(n + n // len(levels)) % len(MEGAPIXELS)],
        )
        for n in range(pictures)
    ]


def _hand(score: Score) -> str:
    if score.task.hand == OURS:
        return "our deck"
    return "hand held out" if score.task.hand in HELD_OUT else "hand learnt from"


def _amiss(score: Score) -> str | None:
    if score.found and not score.wrong:
        return None
    return f"{score.task}: {'; '.join(map(str, score.wrong)) or 'not found'}"


BENCH = ReadingBench(
    "pictures",
    judged,
    _COLUMNS,
    {
        "level": lambda score: score.task.level,
        "hand, level": lambda score: f"{_hand(score)}, {score.task.level}",
        "on, level": lambda score: f"{'mat' if score.task.mat else 'table'}, {score.task.level}",
        "level, megapixels": lambda score: f"{score.task.level}, {score.task.megapixels:4.1f}",
    },
    _amiss,
)


# --- time, foreign pictures ---


def speed(times: int) -> None:
    """A full grid of 24 cards in 12 megapixels."""
    kinds = [(mat, level) for mat in (True, False) for level in ("clean", "table", "hard")]
    pictures = (_timed_picture(level, mat) for mat, level in kinds)
    tell_speed("24 cards, 12-megapixel JPEG", ("reading",), pictures, times)


def _timed_picture(level: str, mat: bool) -> Timed:
    data = full_grid(level, mat)
    return Timed(f"{'mat' if mat else 'table'}, {level}", data, partial(_read, data))


def _read(data: bytes) -> Iterator[None]:
    read_cards(data)
    yield


def full_grid(level: str, mat: bool = True) -> bytes:
    """Six lanes without a gap, in 12 megapixels."""
    rng = np.random.default_rng(FIRST_SEED)
    table = played_table(rng, 6, 60)
    spare = sorted(table.grid.values())
    stacks: dict[str, tuple[str, ...]] = {
        name: (table.grid.get(name, spare[n % len(spare)]),) for n, name in enumerate(grid_of(6).names)
    }
    spec = CardSpec(cards=replace(table, stacks=stacks), mat=mat, megapixels=12.0)
    return take_card_picture(FIRST_SEED, level, spec=spec)[0]


def foreign_pictures() -> ForeignPictures:
    """The foreign pictures that are shown to this reader."""
    spec = CardSpec(megapixels=0.8, table_pixels=128)
    tables = [
        take_card_picture(FIRST_SEED + n, "table", spec=replace(spec, mat=n % 2 == 0))[0] for n in range(6)
    ]
    return foreign_to(tables, [take_picture(FIRST_SEED + n, "table")[0] for n in range(2)])


def foreign_to(tables: Sequence[bytes], boards: Sequence[bytes]) -> ForeignPictures:
    """Damaged card tables and another game's boards; cards of a mirrored table are still cards."""
    return ForeignPictures(read_cards, tables, boards, nothing_in=BOARDLESS - {"mirrored"})


def main() -> None:
    """Read the options, run the bench and print its tables."""
    parser = reading_parser("lab.derailed.reading_bench", __doc__, "pictures", Size(198, 290))
    parser.add_argument("--levels", nargs="+", choices=tuple(LEVELS), default=tuple(LEVELS))
    parser.add_argument("--on", choices=tuple(ON), default="both", help="what the cards lie on")
    parser.add_argument("--held-out", action="store_true", help="only hands that training never saw")
    options = chosen_options(parser)
    hands = HELD_OUT if options.held_out else ALL_HANDS
    tasks = tasks_of(options.pictures, options.first, options.levels, hands, ON[options.on])
    BENCH.run(options, tasks, foreign_pictures, speed, threads=1)


if __name__ == "__main__":
    main()
