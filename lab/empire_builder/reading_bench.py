"""How well and how fast maps are read: ``python -m lab.empire_builder.reading_bench [--full]``.

Networks grow by the rules, are drawn in crayon and photographed by the studio with seeds that training never
uses; half of the maps are drawn with boxes of crayons or in a style that it has never seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from companion.core.jsontext import JsonObject
from companion.games.empire_builder.printing.printed import spot
from companion.games.empire_builder.reader.context import MapContext
from companion.games.empire_builder.reader.overlay import standing_on
from companion.games.empire_builder.reader.posts import KINDS
from companion.games.empire_builder.reader.reader import EmpireBuilderReader
from companion.games.empire_builder.reader.reading import read_map
from companion.games.empire_builder.reader.ruling import MapRuling
from companion.games.empire_builder.rules.boards.board import board
from companion.games.empire_builder.rules.boards.position import read_track
from companion.reading.evidence import EMPTY
from companion.reading.types import ReadHints
from lab.empire_builder.studio.crayons import BOXES, KEPT_APART, HeldOut
from lab.empire_builder.studio.prints import invented_print
from lab.empire_builder.studio.studio import PictureSpec, take_map_picture
from lab.railroad_ink.studio.output import take_picture
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
from lab.spike.studio.studio import BoardSpec, take_board
from lab.studio.levels import LEVELS
from lab.studio.tabletop import project_truth
from vision.decoding import decoded

FIRST_SEED = 8_000_000  # training uses seeds below one million, tuning 7,000,000 to 7,000,059
_VISIBLE = 0.2  # share of an edge that may be hidden or drowned in glare
_TAPPED = 3.0  # pixels: how exactly people tap a milepost in a photograph of 12 megapixels
_SLOWEST = 20.0  # seconds that any picture may take


@dataclass(frozen=True)
class Task:
    """One photograph to be taken and read; ``unseen``: with crayons and styles that training never saw.

    ``print`` is the seed of an invented print, taught first from a photograph of it without track.
    """

    number: int
    level: str
    unseen: bool
    failures: Path | None = None
    print: int | None = None


@dataclass(frozen=True)
class Score:
    """How one map was read. ``silent`` edges are wrong and were not flagged as doubtful."""

    task: Task
    found: bool
    built: int = 0
    right: int = 0
    other_colour: int = 0
    invented: int = 0
    silent: int = 0
    exact: bool = False
    in_view: bool = False  # every new edge can be seen
    turn_right: bool = False
    turn_asked: bool = False
    standing: int = 0  # pawns and chips that stand freely
    standing_right: int = 0
    standing_invented: int = 0
    names_right: bool = False  # all colours called as their boxes call them, nobody having named them


# --- one photograph ---


def judged(task: Task) -> Score:
    """Take a photograph of a map in the middle of a match, read it and rule on it."""
    held_out = _only_unseen() if task.unseen else KEPT_APART
    seed = FIRST_SEED + task.number
    sheet = None if task.print is None else invented_print(task.print)
    data, truth = take_map_picture(seed, task.level, spec=PictureSpec(held_out=held_out, sheet=sheet))
    with TemporaryDirectory() as folder:
        taught = () if task.print is None else (taught_print(task.print, Path(folder)),)
        score = score_of(task, data, truth["sheets"][0], taught)
    if not (score.exact and score.turn_right):
        keep_failure(task.failures, f"{task.level}-{task.number:05}", data)
    return score


def taught_print(seed: int, folder: Path) -> Path:
    """An invented print taught as its owner would: some twenty mileposts tapped in a photograph of it."""
    spec = PictureSpec(sheet=invented_print(seed), empty=True, megapixels=12.0)
    data, truth = take_map_picture(FIRST_SEED + 500_000 + seed, "clean", spec=spec)
    on, rng = board(), np.random.default_rng(seed)
    spots = np.array([spot(on, milepost) for milepost in range(len(on.places))])
    low, high = spots.min(axis=0), spots.max(axis=0)
    grid = np.stack(np.meshgrid(*[np.linspace(0.05, 0.95, 5)] * 2), axis=-1).reshape(-1, 2)
    away = np.hypot(*np.moveaxis(spots[:, None] - (low + grid * (high - low)), -1, 0))
    near = sorted({int(n) for n in away.argmin(axis=0)})
    tapped = project_truth(truth, truth["sheets"][0], spots[near]) + rng.normal(0, _TAPPED, (len(near), 2))
    lines = [f"spot,{on.names[n]},{x:.1f} {y:.1f}" for n, (x, y) in zip(near, tapped.tolist(), strict=True)]
    path = folder / f"print-{seed}.json"
    text = "\n".join(["what,where,kind", *lines])
    EmpireBuilderReader().teach(path, decoded(data, 1).image, ReadHints(described=text))
    return path


def _only_unseen() -> HeldOut:
    """The boxes that training saw are left out; the styles are all there, with the one that it never saw."""
    return HeldOut(boxes=[name for name in BOXES if name not in KEPT_APART.boxes])


def score_of(task: Task, data: bytes, true: JsonObject, taught: Sequence[Path] = ()) -> Score:
    """One photograph against its truth."""
    players = tuple(true["players"].items())
    reading = read_map(data, players, taught=taught)
    if not reading.sheets:
        return Score(task, False, built=sum(_visible(true).values()))
    sheet, visible = reading.sheets[0], _visible(true)
    marks = {name: slot["mark"] for name, slot in true["slots"].items() if "-" in name}
    wrong, silent, counts = [], 0, {"built": 0, "right": 0, "colour": 0, "invented": 0}
    for name, mark in marks.items():
        if not visible[name]:
            continue
        slot = sheet.slots.get(name)
        said = EMPTY if slot is None else slot.best if slot.cannot_see is None else None
        counts["built"] += bool(mark)
        counts["right"] += bool(mark) and said == mark
        counts["colour"] += bool(mark) and said not in (mark, EMPTY, None)
        counts["invented"] += not mark and bool(said)
        if said != mark and not (said is None and not mark):
            wrong.append(name)
            silent += slot is None or not slot.doubtful
    standing, there = _standing(true), standing_on(sheet)
    before = {"track": true["before"], "seat": true["seat_to_move"]}
    _, rulings = MapContext(dict(players)).after(before).rule_all(reading)
    new = _new_edges(true)
    return Score(
        task,
        True,
        counts["built"],
        counts["right"],
        counts["colour"],
        counts["invented"],
        silent,
        not wrong,
        all(visible[name] for name in new),
        _agrees(rulings[0], new),
        rulings[0].outcome != "accepted",
        len(standing),
        sum(there.get(name) == kind for name, kind in standing.items()),
        sum(true["slots"].get(name, {}).get("mark") != kind for name, kind in there.items()),
        {*read_map(data, taught=taught).sheets[0].crayons} >= {mark for mark in marks.values() if mark},
    )


def _visible(true: JsonObject) -> dict[str, bool]:
    return {
        name: slot.get("hidden", 0) + slot.get("glare", 0) <= _VISIBLE for name, slot in true["slots"].items()
    }


def _standing(true: JsonObject) -> dict[str, str]:
    """The pawns and chips by milepost."""
    return {
        name: slot["mark"]
        for name, slot in true["slots"].items()
        if slot.get("mark") in KINDS and slot["mark"]
    }


def _new_edges(true: JsonObject) -> set[str]:
    on = board()
    before, after = (
        read_track(on, {int(k): v for k, v in true[name].items()}) for name in ("before", "after")
    )
    return {on.edge_names[edge] for edge in after if edge not in before}


def _agrees(ruling: MapRuling, new: set[str]) -> bool:
    return ruling.outcome != "refused" and set(ruling.changed) == new


# --- tables ---


def _in_view(scores: Sequence[Score]) -> list[Score]:
    """Those whose new edges can all be seen."""
    return [score for score in scores if score.in_view]


_COLUMNS: Columns[Score] = {
    "found": lambda scores: f"{100 * sum(s.found for s in scores) / len(scores):.1f} %",
    "built edges right": lambda scores: (sum(s.right for s in scores), sum(s.built for s in scores)),
    "in another colour": lambda scores: (sum(s.other_colour for s in scores), sum(s.built for s in scores)),
    "edges invented a map": lambda scores: f"{sum(s.invented for s in scores) / len(scores):.2f}",
    "maps exact": lambda scores: (sum(s.exact for s in scores), len(scores)),
    "turn exact": lambda scores: (sum(s.turn_right for s in _in_view(scores)), len(_in_view(scores))),
    "turn asked about": lambda scores: (sum(s.turn_asked for s in _in_view(scores)), len(_in_view(scores))),
    "edges wrong, not flagged": lambda scores: (sum(s.silent for s in scores), sum(s.built for s in scores)),
    "turns wrong, not asked": lambda scores: (
        sum(not s.turn_right and not s.turn_asked for s in _in_view(scores)),
        len(_in_view(scores)),
    ),
    "colours named": lambda scores: (sum(s.names_right for s in scores), len(scores)),
    "pawns and chips right": lambda scores: (
        sum(s.standing_right for s in scores),
        sum(s.standing for s in scores),
    ),
    "pawns and chips invented a map": lambda scores: (
        f"{sum(s.standing_invented for s in scores) / len(scores):.2f}"
    ),
}


def tasks_of(maps: int, first: int = 0, failures: Path | None = None, *, genuine: bool = False) -> list[Task]:
    """So many maps, evenly over the levels, half of them with crayons that training never saw.

    ``genuine``: each is of another invented print.
    """
    levels = list(LEVELS)
    return [
        Task(n, levels[n % len(levels)], n // len(levels) % 2 == 1, failures, n if genuine else None)
        for n in range(first, first + maps)
    ]


BENCH = ReadingBench(
    "maps",
    judged,
    _COLUMNS,
    {
        "level": lambda score: score.task.level,
        "crayons": lambda score: f"{score.task.level}, {'never seen' if score.task.unseen else 'known'}",
    },
)


# --- time, memory, foreign pictures ---


def speed(times: int) -> None:
    """From bytes to the ruling."""
    pictures = (_timed_picture(level) for level in LEVELS)
    tell_speed("12-megapixel JPEG", ("with ruling",), pictures, times, read_map)


def _timed_picture(level: str) -> Timed:
    data, truth = take_map_picture(FIRST_SEED + 1, level, spec=PictureSpec(megapixels=12.0))
    return Timed(level, data, partial(_read_and_ruled, data, truth["sheets"][0]))


def _read_and_ruled(data: bytes, true: JsonObject) -> Iterator[None]:
    players = tuple(true["players"].items())
    known = MapContext(dict(players)).after({"track": true["before"], "seat": true["seat_to_move"]})
    known.rule_all(read_map(data, players))
    yield


def foreign_pictures() -> ForeignPictures:
    """The foreign pictures that are shown to this reader."""
    own = [take_map_picture(FIRST_SEED + n, "table", spec=PictureSpec(megapixels=1.5))[0] for n in range(4)]
    others = [take_board(FIRST_SEED + n, "table", spec=BoardSpec(megapixels=1.2))[0] for n in range(3)]
    others += [take_picture(FIRST_SEED + n, "table")[0] for n in range(2)]
    return ForeignPictures(read_map, own, others, slowest=_SLOWEST)


def main() -> None:
    """Read the options, run the bench and print its tables."""
    parser = reading_parser(
        "lab.empire_builder.reading_bench", __doc__, "maps", Size(30, 100), Size(300, 10_000), speed=15
    )
    parser.add_argument("--failures", type=Path, help="a folder for the photographs that are not read right")
    parser.add_argument(
        "--genuine", action="store_true", help="invented prints that were taught, and no tags"
    )
    options = chosen_options(parser)
    tasks = tasks_of(options.pictures, options.first, options.failures, genuine=options.genuine)
    BENCH.run(options, tasks, foreign_pictures, speed)


if __name__ == "__main__":
    main()
