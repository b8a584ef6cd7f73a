"""How well and how quickly SPIKE's board is read: ``python -m lab.spike.reading_bench``.

Positions of made-up matches, with pieces of every set of the studio, those among them that no training has
seen; seeds are never those of training. The picture is read alone, and ruled on with the position before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from companion.core.jsontext import JsonObject
from companion.games.spike.reader.reading import read_board
from companion.games.spike.reader.readings import BoardReading
from companion.games.spike.reader.ruling_turn import rule_turn
from companion.games.spike.reader.seats import known_players
from companion.games.spike.reader.verdict import BoardRuling, cells_of
from companion.games.spike.rules.boards.position import read_position
from companion.reading.evidence import EMPTY
from lab.derailed.studio.output import take_card_picture
from lab.derailed.studio.scenes import CardSpec
from lab.empire_builder.studio.studio import PictureSpec, take_map_picture
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
from lab.spike.studio.studio import BoardSpec, take_board
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


def task_picture(task: Task) -> tuple[bytes, JsonObject]:
    """The photograph of a task, and its truth."""
    name = f"{task.level}-{task.pieces}-{task.seed}-{task.megapixels}"
    if task.folder is not None and (task.folder / f"{name}.json").exists():
        truth: JsonObject = json.loads((task.folder / f"{name}.json").read_text())
        return (task.folder / f"{name}.jpg").read_bytes(), truth
    data, truth = take_board(
        task.seed, task.level, f"{name}.jpg", BoardSpec(task.megapixels, (), task.pieces)
    )
    if task.folder is not None:
        task.folder.mkdir(parents=True, exist_ok=True)
        (task.folder / f"{name}.jpg").write_bytes(data)
        (task.folder / f"{name}.json").write_text(json.dumps(truth))
    return data, truth


def judged(task: Task) -> Score:
    """Take the picture, read it, rule on it."""
    data, truth = task_picture(task)
    reading = read_board(data)
    if len(reading.sheets) != 1:
        return Score(task, found=False)
    return score_of(task, reading.sheets[0], truth["sheets"][0])


def score_of(task: Task, sheet: BoardReading, truth: JsonObject) -> Score:
    """Compare a reading with the truth."""
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


def ruled(sheet: BoardReading, truth: JsonObject) -> BoardRuling:
    """The ruling with the position before and whose turn it is; whose colour is whose is not told."""
    before = read_position(_position(truth, "before"))
    players, looks = known_players(sheet, before, {}, before.turn)
    return rule_turn(looks, before, players.seats)


def _position(truth: JsonObject, which: str) -> JsonObject:
    homes = {seat: {"at": city} for seat, city in truth["homes"].items() if not truth["before"][seat]}
    segments = "shared" if truth["shared"] else "exclusive"
    return {"tracks": truth[which], "turn": truth["turn"], "segments": segments, "trains": homes}


def _unreadable(slot: JsonObject) -> bool:
    return bool(slot.get("hidden", 0) > _READABLE or slot.get("glare", 0) > _READABLE)


def _is_right(sheet: BoardReading, name: str, mark: str) -> bool:
    slot = sheet.slots[name]
    if slot.cannot_see is not None:  # nobody may take it for empty, but there is nothing to be missed either
        return mark == EMPTY
    return slot.best == mark


# --- tables ---


_COLUMNS: Columns[Score] = {
    "found": lambda scores: (sum(s.found for s in scores), len(scores)),
    "built tracks right": lambda scores: (sum(s.right for s in scores), sum(s.built for s in scores)),
    "invented tracks": lambda scores: f"{sum(s.invented for s in scores)} in {len(scores)} maps",
    "maps exact alone": lambda scores: (sum(s.exact for s in scores), len(scores)),
    "wrong, not flagged": lambda scores: (sum(s.silent for s in scores), sum(s.built for s in scores)),
    "pawns, chips, cards right": lambda scores: (
        sum(s.things_right for s in scores),
        sum(s.things for s in scores),
    ),
    "with the position before: right": lambda scores: (sum(s.ruled_right for s in scores), len(scores)),
    "rulings wrong, not flagged": lambda scores: (sum(s.ruled_silent for s in scores), len(scores)),
}


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


def _kind(score: Score) -> str:
    return "held out" if score.task.pieces in HELD_OUT else "learnt from"


def _amiss(score: Score) -> str | None:
    if score.found and score.ruled_right and not score.wrong:
        return None
    wrong = "; ".join(map(str, score.wrong)) or "tracks right"
    return f"{score.task}: {wrong if score.found else 'not found'}; {score.outcome}"


BENCH = ReadingBench(
    "pictures",
    judged,
    _COLUMNS,
    {
        "level": lambda score: score.task.level,
        "pieces, level": lambda score: f"{_kind(score)}, {score.task.level}",
        "pieces": lambda score: score.task.pieces,
    },
    _amiss,
)


# --- time, memory, foreign pictures ---


def speed(times: int) -> None:
    """Print how long 12 megapixels take from bytes to ruling."""
    pictures = (_timed_picture(level) for level in ("clean", "table", "hard"))
    tell_speed("12-megapixel JPEG", ("reading and ruling",), pictures, times, read_board)


def _timed_picture(level: str) -> Timed:
    data, truth = take_board(FIRST_SEED + 5, level, wish=BoardSpec(12.0))
    return Timed(level, data, partial(_read_and_ruled, data, truth["sheets"][0]))


def _read_and_ruled(data: bytes, truth: JsonObject) -> Iterator[None]:
    for sheet in read_board(data).sheets:
        ruled(sheet, truth)
    yield


def foreign_pictures() -> ForeignPictures:
    """The foreign pictures that are shown to this reader."""
    wish = BoardSpec(megapixels=1.2)
    own = [take_board(FIRST_SEED + n, "table", wish=wish)[0] for n in range(4)]
    cards = CardSpec(megapixels=0.8, table_pixels=128)
    others = [take_card_picture(FIRST_SEED + n, "table", wish=cards)[0] for n in range(2)]
    others += [take_picture(FIRST_SEED + n, "table")[0] for n in range(2)]
    others += [
        take_map_picture(FIRST_SEED + n, "table", wish=PictureSpec(megapixels=1.5))[0] for n in range(2)
    ]
    return ForeignPictures(read_board, own, others)


def main() -> None:
    """Read the options, run the bench and print its tables."""
    parser = reading_parser("lab.spike.reading_bench", __doc__, "pictures", Size(90, 290), speed=7)
    parser.add_argument("--levels", nargs="+", choices=tuple(LEVELS), default=tuple(LEVELS))
    parser.add_argument("--sets", nargs="+", choices=tuple(SETS), default=tuple(SETS))
    parser.add_argument("--folder", type=Path, help="where pictures are kept for another time")
    options = chosen_options(parser)
    tasks = tasks_of(options.pictures, options.first, options.levels, options.folder, options.sets)
    BENCH.run(options, tasks, foreign_pictures, speed)


if __name__ == "__main__":
    main()
