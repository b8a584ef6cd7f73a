"""How well and how fast maps are read: ``python -m lab.empire_builder.reading_bench [--full]``.

Networks grow by the rules, are drawn in crayon and photographed by the studio with seeds that training never
uses; half of the maps are drawn with boxes of crayons or in a style that it has never seen.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from companion.games.contract import Plain
from companion.games.empire_builder.eye.overlay import standing_on
from companion.games.empire_builder.eye.posts import KINDS
from companion.games.empire_builder.eye.reading import read_map
from companion.games.empire_builder.eye.ruling import MapRuling
from companion.games.empire_builder.eye.told import KnownMap
from companion.games.empire_builder.rules.board import board
from companion.games.empire_builder.rules.position import read_track
from companion.games.kit.evidence import EMPTY
from lab.empire_builder.studio.crayons import BOXES, KEPT_APART, HeldOut
from lab.empire_builder.studio.studio import Wish, take_map_picture
from lab.foreign_bench import Strangers, fuzz
from lab.railroad_ink.studio.output import take_picture
from lab.reading_tables import most_memory, start_worker, tell
from lab.spike.studio.studio import BoardWish, take_board
from lab.studio.levels import LEVELS

FIRST_SEED = 8_000_000  # training uses seeds below one million, tuning 7,000,000 to 7,000,059
_VISIBLE = 0.2  # share of an edge that may be hidden or drowned in glare
_SLOWEST = 20.0  # seconds that any picture may take


@dataclass(frozen=True)
class Task:
    """One photograph to be taken and read; ``unseen``: with crayons and styles that training never saw."""

    number: int
    level: str
    unseen: bool
    failures: Path | None = None


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
    data, truth = take_map_picture(seed, task.level, wish=Wish(held_out=held_out))
    score = score_of(task, data, truth["sheets"][0])
    if task.failures and not (score.exact and score.turn_right):
        task.failures.mkdir(parents=True, exist_ok=True)
        (task.failures / f"{task.level}-{task.number:05}.jpg").write_bytes(data)
    return score


def _only_unseen() -> HeldOut:
    """The boxes that training saw are left out; the styles are all there, with the one that it never saw."""
    return HeldOut(boxes=[name for name in BOXES if name not in KEPT_APART.boxes])


def score_of(task: Task, data: bytes, true: Plain) -> Score:
    """One photograph against its truth."""
    players = tuple(true["players"].items())
    reading = read_map(data, players)
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
    _, rulings = KnownMap(dict(players)).after(before).rule_all(reading)
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
        {*read_map(data).sheets[0].crayons} >= {mark for mark in marks.values() if mark},
    )


def _visible(true: Plain) -> dict[str, bool]:
    return {
        name: slot.get("hidden", 0) + slot.get("glare", 0) <= _VISIBLE for name, slot in true["slots"].items()
    }


def _standing(true: Plain) -> dict[str, str]:
    """The pawns and chips by milepost."""
    return {
        name: slot["mark"]
        for name, slot in true["slots"].items()
        if slot.get("mark") in KINDS and slot["mark"]
    }


def _new_edges(true: Plain) -> set[str]:
    on = board()
    before, after = (
        read_track(on, {int(k): v for k, v in true[name].items()}) for name in ("before", "after")
    )
    return {on.edge_names[edge] for edge in after if edge not in before}


def _agrees(ruling: MapRuling, new: set[str]) -> bool:
    return ruling.outcome != "refused" and set(ruling.changed) == new


# --- tables ---


def _table(title: str, scores: Sequence[Score], key: Callable[[Score], str]) -> None:
    tell(
        f"\n| {title} | maps | found | built edges right | in another colour | invented a map | maps exact | "
        "turn exact | turn asked about | edges wrong, not flagged | turns wrong, not asked | colours named | "
        "pawns and chips right | invented a map |"
    )
    tell("|---" * 14 + "|")
    for name in sorted({key(score) for score in scores}):
        tell(_row(name, [score for score in scores if key(score) == name]))


def _row(name: str, scores: Sequence[Score]) -> str:
    built = sum(score.built for score in scores)
    turns = [score for score in scores if score.in_view]
    counts = [
        (sum(s.right for s in scores), built),
        (sum(s.other_colour for s in scores), built),
        (sum(s.exact for s in scores), len(scores)),
        (sum(s.turn_right for s in turns), len(turns)),
        (sum(s.turn_asked for s in turns), len(turns)),
        (sum(s.silent for s in scores), built),
        (sum(not s.turn_right and not s.turn_asked for s in turns), len(turns)),
        (sum(s.names_right for s in scores), len(scores)),
        (sum(s.standing_right for s in scores), sum(s.standing for s in scores)),
    ]
    shares = [f"{100 * part / whole:.2f} %" if whole else "-" for part, whole in counts]
    shares.insert(2, f"{sum(s.invented for s in scores) / len(scores):.2f}")
    shares.append(f"{sum(s.standing_invented for s in scores) / len(scores):.2f}")
    found = f"{100 * sum(s.found for s in scores) / len(scores):.1f} %"
    return f"| {name} | {len(scores)} | {found} | {' | '.join(shares)} |"


def tasks_of(maps: int, first: int = 0, failures: Path | None = None) -> list[Task]:
    """So many maps, evenly over the levels, half of them with crayons that training never saw."""
    levels = list(LEVELS)
    return [
        Task(n, levels[n % len(levels)], n // len(levels) % 2 == 1, failures)
        for n in range(first, first + maps)
    ]


def accuracy(tasks: Sequence[Task], workers: int, models: Path | None = None) -> list[Score]:
    """Read the maps and print the tables."""
    with ProcessPoolExecutor(workers, initializer=start_worker, initargs=(models,)) as pool:
        scores = list(pool.map(judged, tasks))
    _table("level", scores, lambda score: score.task.level)
    _table(
        "crayons",
        scores,
        lambda score: f"{score.task.level}, {'never seen' if score.task.unseen else 'known'}",
    )
    return scores


# --- time and memory ---


def speed(times: int) -> None:
    """From bytes to the ruling, in times of what decoding alone takes in the same process."""
    tell("\n| 12-megapixel JPEG | bytes | decoding alone | with ruling | times | peak memory |")
    tell("|---" * 6 + "|")
    for level in LEVELS:
        data, truth = take_map_picture(FIRST_SEED + 1, level, wish=Wish(megapixels=12.0))
        alone, ruled = _middle_turn(data, truth["sheets"][0], times)
        took = f"{1e3 * alone:.0f} ms | {1e3 * ruled:.0f} ms | {ruled / alone:.2f}"
        tell(f"| {level} | {len(data)} | {took} | {_peak(data):.0f} MB |")


def _middle_turn(data: bytes, true: Plain, times: int) -> tuple[float, float]:
    players = tuple(true["players"].items())
    known = KnownMap(dict(players)).after({"track": true["before"], "seat": true["seat_to_move"]})
    known.rule_all(read_map(data, players))
    marks = []
    for _ in range(times):
        clock = [time.perf_counter()]
        cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        clock.append(time.perf_counter())
        known.rule_all(read_map(data, players))
        clock.append(time.perf_counter())
        marks.append((clock[1] - clock[0], clock[2] - clock[1]))
    return sorted(marks, key=lambda turn: turn[1] / turn[0])[times // 2]


def _peak(data: bytes) -> float:
    """The memory of a process that does nothing but read this photograph, in MB."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_memory_of_reading, data).result()


def _memory_of_reading(data: bytes) -> float:
    read_map(data)
    return most_memory()


# --- foreign pictures ---


def strangers() -> Strangers:
    """Foreign pictures for this reader."""
    own = [take_map_picture(FIRST_SEED + n, "table", wish=Wish(megapixels=1.5))[0] for n in range(4)]
    others = [take_board(FIRST_SEED + n, "table", wish=BoardWish(megapixels=1.2))[0] for n in range(3)]
    others += [take_picture(FIRST_SEED + n, "table")[0] for n in range(2)]
    return Strangers(read_map, own, others, slowest=_SLOWEST)


def main() -> None:
    """The bench."""
    parser = argparse.ArgumentParser(prog="python -m lab.empire_builder.reading_bench", description=__doc__)
    parser.add_argument("--full", action="store_true", help="300 maps and 10,000 foreign pictures")
    parser.add_argument("--maps", type=int, help="so many maps instead")
    parser.add_argument("--first", type=int, default=0, help="the first of the maps")
    parser.add_argument("--fuzz", type=int, help="so many foreign pictures instead")
    parser.add_argument("--fuzz-first", type=int, default=0, help="the first of the foreign pictures")
    parser.add_argument("--speed", type=int, default=15, help="times that the clock is read; 0: not")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--models", type=Path, help="a folder with another network for the tables")
    parser.add_argument("--failures", type=Path, help="a folder for the photographs that are not read right")
    options = parser.parse_args()
    maps = options.maps if options.maps is not None else (300 if options.full else 30)
    pictures = options.fuzz if options.fuzz is not None else (10_000 if options.full else 100)
    if maps:
        accuracy(tasks_of(maps, options.first, options.failures), options.workers, options.models)
    if pictures:
        fuzz(strangers(), pictures, options.workers, options.fuzz_first)
    if options.speed:
        cv2.setNumThreads(2)
        speed(options.speed)


if __name__ == "__main__":
    main()
