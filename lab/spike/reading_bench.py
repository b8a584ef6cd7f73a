"""How well and how quickly SPIKE's board is read: ``python -m lab.spike.reading_bench``.

Positions of made-up matches, with pieces of every set of the studio, those among them that no training has
seen; seeds are never those of training. The picture is read alone, and ruled on with the position before.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from companion.games.contract import Plain
from companion.games.kit.evidence import EMPTY
from companion.games.spike.eye.reading import read_board
from companion.games.spike.eye.readings import BoardReading
from companion.games.spike.eye.ruling_turn import rule_turn
from companion.games.spike.eye.seats import known_players
from companion.games.spike.eye.verdict import BoardRuling, cells_of
from companion.games.spike.rules.position import read_position
from lab.derailed.studio.output import take_card_picture
from lab.derailed.studio.scenes import CardWish
from lab.empire_builder.studio.studio import Wish, take_map_picture
from lab.foreign_bench import Strangers, fuzz
from lab.railroad_ink.studio.output import take_picture
from lab.reading_tables import most_memory, tell
from lab.spike.studio.studio import BoardWish, take_board
from lab.studio.levels import LEVELS
from lab.studio.pieces import HELD_OUT, SETS

FIRST_SEED = 9_000_000
MEGAPIXELS = (2.5, 4.0, 8.0, 12.0)
_READABLE = 0.35  # share of a track that may be hidden, or drowned in glare, and it still counts


@dataclass(frozen=True)
class Task:
    """One picture to be read; it is kept in ``folder`` where one is given."""

    seed: int
    level: str
    pieces: str
    megapixels: float
    folder: Path | None = None


@dataclass(frozen=True)
class Score:
    """How well one picture was read."""

    task: Task
    found: bool
    built: int = 0  # tracks with a piece that can be read
    right: int = 0
    invented: int = 0
    silent: int = 0  # wrong, and not said to be doubtful
    exact: bool = False
    things: int = 0  # pawns, chips, cards that can be read
    things_right: int = 0
    ruled_right: bool = False
    ruled_silent: bool = False  # wrong, and neither asked nor refused
    outcome: str = ""
    wrong: tuple[tuple[str, str, str, float], ...] = ()  # slot, read, truth, probability


def task_picture(task: Task) -> tuple[bytes, Plain]:
    """The photograph of a task, and its truth."""
    name = f"{task.level}-{task.pieces}-{task.seed}-{task.megapixels}"
    if task.folder is not None and (task.folder / f"{name}.json").exists():
        truth: Plain = json.loads((task.folder / f"{name}.json").read_text())
        return (task.folder / f"{name}.jpg").read_bytes(), truth
    data, truth = take_board(
        task.seed, task.level, f"{name}.jpg", BoardWish(task.megapixels, (), task.pieces)
    )
    if task.folder is not None:
        task.folder.mkdir(parents=True, exist_ok=True)
        (task.folder / f"{name}.jpg").write_bytes(data)
        (task.folder / f"{name}.json").write_text(json.dumps(truth))
    return data, truth


def judged(task: Task) -> Score:
    """Take the picture, read it, rule on it."""
    cv2.setNumThreads(1)
    data, truth = task_picture(task)
    reading = read_board(data)
    if len(reading.sheets) != 1:
        return Score(task, found=False)
    return score_of(task, reading.sheets[0], truth["sheets"][0])


def score_of(task: Task, sheet: BoardReading, truth: Plain) -> Score:
    """A reading against the truth."""
    slots = truth["slots"]
    pawns = set(truth["covered"])
    readable = [name for name, slot in slots.items() if not _unreadable(slot) and name not in pawns]
    tracks = [name for name in readable if ":" not in name]
    others = [name for name in readable if ":" in name and slots[name]["mark"]]
    wrong = [name for name in tracks if not _is_right(sheet, name, slots[name]["mark"])]
    built = [name for name in tracks if slots[name]["mark"]]
    ruling = ruled(sheet, truth)
    actual = cells_of(read_position(_position(truth, "tracks")))
    agrees = ruling.cells == actual
    return Score(
        task,
        True,
        built=len(built),
        right=sum(name not in wrong for name in built),
        invented=sum(not slots[name]["mark"] and sheet.slots[name].cannot_see is None for name in wrong),
        silent=sum(not sheet.slots[name].doubtful for name in wrong),
        exact=not wrong,
        things=len(others),
        things_right=sum(_is_right(sheet, name, slots[name]["mark"]) for name in others),
        ruled_right=agrees and ruling.outcome != "refused",
        ruled_silent=not agrees and ruling.outcome == "accepted",
        outcome=f"{ruling.outcome}: {'; '.join(ruling.against)}",
        wrong=tuple(
            (
                name,
                sheet.slots[name].cannot_see or sheet.slots[name].best,
                slots[name]["mark"],
                round(sheet.slots[name].p, 3),
            )
            for name in wrong
        ),
    )


def ruled(sheet: BoardReading, truth: Plain) -> BoardRuling:
    """The ruling with the position before and whose turn it is; whose colour is whose is not told."""
    before = read_position(_position(truth, "before"))
    players, looks = known_players(sheet, before, {}, before.turn)
    return rule_turn(looks, before, players.seats)


def _position(truth: Plain, which: str) -> Plain:
    homes = {seat: {"at": city} for seat, city in truth["homes"].items() if not truth["before"][seat]}
    segments = "shared" if truth["shared"] else "exclusive"
    return {"tracks": truth[which], "turn": truth["turn"], "segments": segments, "trains": homes}


def _unreadable(slot: Plain) -> bool:
    return bool(slot.get("hidden", 0) > _READABLE or slot.get("glare", 0) > _READABLE)


def _is_right(sheet: BoardReading, name: str, mark: str) -> bool:
    slot = sheet.slots[name]
    if slot.cannot_see is not None:  # nobody may take it for empty, but there is nothing to be missed either
        return mark == EMPTY
    return slot.best == mark


# --- tables ---


def _table(title: str, scores: Sequence[Score], key: Callable[[Score], str]) -> None:
    tell(f"\n| {title} | pictures | found | built tracks right | invented tracks | maps exact alone | "
         "wrong, not flagged | pawns, chips, cards right | with the position before: right | "
         "rulings wrong, not flagged |")  # fmt: skip
    tell("|---" * 10 + "|")
    for name in sorted({key(score) for score in scores}):
        tell(_row(name, [score for score in scores if key(score) == name]))


def _row(name: str, scores: Sequence[Score]) -> str:
    built, things = (sum(getattr(score, what) for score in scores) for what in ("built", "things"))
    found = _share(sum(score.found for score in scores), len(scores))
    cells = [
        found,
        _share(sum(score.right for score in scores), built),
        f"{sum(score.invented for score in scores)} in {len(scores)} maps",
        _share(sum(score.exact for score in scores), len(scores)),
        _share(sum(score.silent for score in scores), built),
        _share(sum(score.things_right for score in scores), things),
        _share(sum(score.ruled_right for score in scores), len(scores)),
        _share(sum(score.ruled_silent for score in scores), len(scores)),
    ]
    return f"| {name} | {len(scores)} | {' | '.join(cells)} |"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "-"


def tasks_of(
    pictures: int, first: int, levels: Sequence[str], folder: Path | None, sets: Sequence[str] = tuple(SETS)
) -> list[Task]:
    """So many pictures, evenly over levels, sets of pieces and resolutions."""
    return [
        Task(
            FIRST_SEED + first + n,
            levels[n % len(levels)],
            sets[n // len(levels) % len(sets)],
            MEGAPIXELS[(n + n // len(levels)) % len(MEGAPIXELS)],
            folder,
        )
        for n in range(pictures)
    ]


def accuracy(tasks: Sequence[Task], workers: int) -> list[Score]:
    """Read the pictures and print the tables."""
    with ProcessPoolExecutor(workers, get_context("fork")) as pool:
        scores = list(pool.map(judged, tasks))
    _table("level", scores, lambda score: score.task.level)
    _table("pieces, level", scores, lambda score: f"{_kind(score)}, {score.task.level}")
    _table("pieces", scores, lambda score: score.task.pieces)
    return scores


def _kind(score: Score) -> str:
    return "held out" if score.task.pieces in HELD_OUT else "learnt from"


# --- time and memory ---


def speed(times: int) -> None:
    """12 megapixels from bytes to ruling, in times of what decoding alone takes in the same process."""
    tell(
        "\n| 12-megapixel JPEG | bytes | decoding alone | reading and ruling | times | memory |\n"
        + "|---" * 6
        + "|"
    )
    for level in ("clean", "table", "hard"):
        data, truth = take_board(FIRST_SEED + 5, level, wish=BoardWish(12.0))
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            alone, reading, memory = pool.submit(_timed, data, truth["sheets"][0], times).result()
        took = f"{1e3 * alone:.0f} ms | {1e3 * reading:.0f} ms | {reading / alone:.2f} | {memory:.0f} MB"
        tell(f"| {level} | {len(data)} | {took} |")


def _timed(data: bytes, truth: Plain, times: int) -> tuple[float, float, float]:
    """The fastest of several turns, in turn: other processes disturb all the others."""
    _whole(data, truth)
    alone, reading = [], []
    for _ in range(times):
        started = time.perf_counter()
        cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        middle = time.perf_counter()
        _whole(data, truth)
        alone.append(middle - started)
        reading.append(time.perf_counter() - middle)
    return min(alone), min(reading), most_memory()


def _whole(data: bytes, truth: Plain) -> None:
    for sheet in read_board(data).sheets:
        ruled(sheet, truth)


# --- foreign pictures ---


def strangers() -> Strangers:
    """Foreign pictures for this reader."""
    wish = BoardWish(megapixels=1.2)
    own = [take_board(FIRST_SEED + n, "table", wish=wish)[0] for n in range(4)]
    cards = CardWish(megapixels=0.8, table_pixels=128)
    others = [take_card_picture(FIRST_SEED + n, "table", wish=cards)[0] for n in range(2)]
    others += [take_picture(FIRST_SEED + n, "table")[0] for n in range(2)]
    others += [take_map_picture(FIRST_SEED + n, "table", wish=Wish(megapixels=1.5))[0] for n in range(2)]
    return Strangers(read_board, own, others)


def main() -> None:
    """The bench."""
    parser = argparse.ArgumentParser(prog="python -m lab.spike.reading_bench", description=__doc__)
    parser.add_argument("--pictures", type=int, default=90)
    parser.add_argument("--levels", nargs="+", choices=tuple(LEVELS), default=tuple(LEVELS))
    parser.add_argument("--sets", nargs="+", choices=tuple(SETS), default=tuple(SETS))
    parser.add_argument("--first", type=int, default=0, help="the first picture of the series")
    parser.add_argument("--folder", type=Path, help="where pictures are kept for another time")
    parser.add_argument("--fuzz", type=int, default=290)
    parser.add_argument("--fuzz-first", type=int, default=0, help="the first of the foreign pictures")
    parser.add_argument("--speed", type=int, default=7, help="times that the clock is read; 0: not")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    if options.pictures:
        tasks = tasks_of(options.pictures, options.first, options.levels, options.folder, options.sets)
        for score in accuracy(tasks, options.workers):
            if score.wrong or not score.found or not score.ruled_right:
                wrong = "; ".join(map(str, score.wrong)) or "tracks right"
                tell(f"{score.task}: {wrong if score.found else 'not found'}; {score.outcome}")
    if options.fuzz:
        fuzz(strangers(), options.fuzz, options.workers, options.fuzz_first)
    if options.speed:
        cv2.setNumThreads(2)
        speed(options.speed)


if __name__ == "__main__":
    main()
