"""The harness of every bench of a reader: options, pictures in several processes, tables, clocks.

What differs from game to game is a :class:`ReadingBench`: how a picture is judged, which figures follow from
the scores, and by what they are told apart.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import cv2

from companion.reading.evidence import PhotoReading
from lab.bench import say
from lab.foreign import BOARDLESS, foreign_picture
from vision.decoding import decoded
from vision.errors import PictureError
from vision.nets import try_networks

T = TypeVar("T")  # a task: what one picture is to be
S = TypeVar("S")  # a score: how well one picture was read
# By heading: how many of how many, or the figure itself.
Columns: TypeAlias = Mapping[str, Callable[[Sequence[S]], tuple[int, int] | str]]
Groups: TypeAlias = Mapping[str, Callable[[S], str]]  # by the title of a table: the row of a score
# Work on one picture that yields after each of its stages, when a clock is read.
Stages: TypeAlias = Callable[[], Iterator[None]]


# --- options ---


@dataclass(frozen=True)
class Size:
    """How many pictures a bench reads, and how many foreign ones it shows."""

    pictures: int
    foreign: int


def reading_parser(
    module: str, doc: str | None, counted: str, usual: Size, full: Size | None = None, speed: int = 9
) -> argparse.ArgumentParser:
    """The options that every bench of a reader has; ``counted`` is what its pictures are called."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=doc)
    instead = ""
    if full is not None:
        parser.add_argument(
            "--full",
            action="store_true",
            help=f"{full.pictures:,} {counted} and {full.foreign:,} foreign pictures",
        )
        instead = " instead"
    parser.add_argument(f"--{counted}", type=int, dest="pictures", help=f"so many {counted}{instead}")
    parser.add_argument("--first", type=int, default=0, help=f"the first of the {counted}")
    parser.add_argument("--fuzz", type=int, help=f"so many foreign pictures{instead}")
    parser.add_argument("--fuzz-first", type=int, default=0, help="the first of the foreign pictures")
    parser.add_argument("--speed", type=int, default=speed, help="times that the clock is read; 0: not")
    parser.add_argument("--workers", type=int, default=2, help="processes that read")
    parser.add_argument(
        "--networks", "--models", type=Path, metavar="FOLDER", help="other networks to compare"
    )
    parser.set_defaults(sizes=(usual, full))
    return parser


def chosen_options(
    parser: argparse.ArgumentParser, arguments: Sequence[str] | None = None
) -> argparse.Namespace:
    """What was asked for; where no number was given, the usual one or that of ``--full``."""
    options = parser.parse_args(arguments)
    usual, full = options.sizes
    size = full if getattr(options, "full", False) else usual
    if options.pictures is None:
        options.pictures = size.pictures
    if options.fuzz is None:
        options.fuzz = size.foreign
    return options


# --- many pictures, and tables of how they were read ---


@dataclass(frozen=True)
class ReadingBench(Generic[T, S]):
    """What differs from game to game; ``judge`` is called in other processes, so it has to be picklable."""

    counted: str  # what the pictures are called
    judge: Callable[[T], S]
    columns: Columns[S]
    groups: Groups[S]
    amiss: Callable[[S], str | None] = lambda _: None  # a line about a picture that was not read right

    def accuracy(self, tasks: Sequence[T], workers: int, networks: Path | None = None) -> list[S]:
        """Read the pictures and print the tables."""
        scores = measured(self.judge, tasks, workers, networks)
        tell_tables(self.counted, self.columns, self.groups, scores)
        for line in filter(None, map(self.amiss, scores)):
            say(line)
        return scores

    def run(
        self,
        options: argparse.Namespace,
        tasks: Sequence[T],
        foreign: Callable[[], ForeignPictures],
        speed: Callable[[int], None],
        threads: int = 2,
    ) -> None:
        """All of a bench: accuracy, foreign pictures, speed with so many threads."""
        if tasks:
            self.accuracy(tasks, options.workers, options.networks)
        if options.fuzz:
            fuzz(foreign(), options.fuzz, options.workers, options.fuzz_first)
        if options.speed:
            cv2.setNumThreads(threads)
            speed(options.speed)


def measured(
    judge: Callable[[T], S], tasks: Sequence[T], workers: int, networks: Path | None = None
) -> list[S]:
    """The scores of all tasks, in their order."""
    with ProcessPoolExecutor(
        workers, get_context("fork"), initializer=_start_worker, initargs=(networks,)
    ) as pool:
        return list(pool.map(judge, tasks))


def _start_worker(networks: Path | None) -> None:
    """In a process that reads: one thread, and the networks of another folder if there is one to compare."""
    cv2.setNumThreads(1)
    if networks is not None:
        try_networks(networks)


def tell_tables(counted: str, columns: Columns[S], groups: Groups[S], scores: Sequence[S]) -> None:
    """Print a Markdown table for each of the groups, with a row for each of its names."""
    for title, name_of in groups.items():
        heads = [title, counted, *columns]
        say(f"\n| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
        for name in sorted({name_of(score) for score in scores}):
            row = [score for score in scores if name_of(score) == name]
            cells = [_cell(column(row)) for column in columns.values()]
            say(f"| {name} | {len(row)} | {' | '.join(cells)} |")


def _cell(figure: tuple[int, int] | str) -> str:
    """A share in percent, or the figure as it is.

    >>> _cell((2, 3)), _cell((0, 0)), _cell("1.50")
    ('66.67 %', '-', '1.50')
    """
    if isinstance(figure, str):
        return figure
    part, whole = figure
    return f"{100 * part / whole:.2f} %" if whole else "-"


def keep_failure(folder: Path | None, name: str, data: bytes) -> None:
    """Keep a photograph that was not read right, where there is a folder for them."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.jpg").write_bytes(data)


# --- time and memory ---


@dataclass(frozen=True)
class Timed:
    """A picture and the work on it that is timed."""

    name: str
    data: bytes
    work: Stages


def tell_speed(
    title: str,
    stages: Sequence[str],
    pictures: Iterable[Timed],
    times: int,
    read: Callable[[bytes], object] | None = None,
) -> None:
    """Print how long pictures take up to each stage, the last in times of decoding alone as well.

    With ``read`` also the memory of a process that does nothing but read the picture.
    """
    heads = [title, "bytes", "decoding alone", *stages, "times", *(["peak memory"] if read else [])]
    say(f"\n| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    for one in pictures:
        alone, *reached = middle_turn(one, times)
        cells = [*(f"{1e3 * seconds:.0f} ms" for seconds in (alone, *reached)), f"{reached[-1] / alone:.2f}"]
        cells += [f"{_peak_memory(read, one.data):.0f} MB"] if read else []
        say(f"| {one.name} | {len(one.data)} | {' | '.join(cells)} |")


def middle_turn(picture: Timed, times: int) -> list[float]:
    """Seconds of decoding alone, then of the work up to each of its stages.

    Of several turns, each with a decoding of its own, the middle one by the ratio of the two: whatever else
    the machine does disturbs both.
    """
    for _ in picture.work():  # what is loaded or made once is not timed
        pass
    turns = []
    for _ in range(times):
        started = time.perf_counter()
        decoded(picture.data, 1)
        between = time.perf_counter()
        turns.append([between - started, *(time.perf_counter() - between for _ in picture.work())])
    return sorted(turns, key=lambda turn: turn[-1] / turn[0])[times // 2]


def _peak_memory(read: Callable[[bytes], object], data: bytes) -> float:
    """The most that a process of its own holds that reads a picture, in MB."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_memory_of_reading, read, data).result()


def _memory_of_reading(read: Callable[[bytes], object], data: bytes) -> float:
    read(data)
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1024


# --- foreign and damaged pictures: a clear answer in time, and nothing invented ---

_OTHERS_TURN = 5  # every so many pictures are of another game
_TOLD = 20  # of what went wrong
_AT_ONCE = 50  # pictures that a process is given


@dataclass(frozen=True)
class ForeignPictures:
    """What is shown to a reader: good photographs to damage, of its own game and of others.

    ``nothing_in`` are the kinds of damage in which nothing may be found; ``slowest`` is in seconds. With
    ``name_of`` only sheets that are called as one of ``names`` may be found.
    """

    read: Callable[[bytes], PhotoReading[Any]]
    own: Sequence[bytes]
    others: Sequence[bytes] = ()
    nothing_in: Collection[str] = BOARDLESS
    slowest: float = 8.0
    name_of: Callable[[Any], Hashable] | None = None
    names: Collection[Hashable] = ()


def fuzz(foreign: ForeignPictures, pictures: int, workers: int, first: int = 0) -> None:
    """Show so many pictures from the ``first``, and tell which had no clear answer.

    Ten thousand can be read in slices.
    """
    numbers = range(first, first + pictures)
    with ProcessPoolExecutor(
        workers, get_context("fork"), initializer=_start_worker, initargs=(None,)
    ) as pool:
        said = pool.map(partial(fault_of, foreign), numbers, chunksize=_AT_ONCE)
        faults = [fault for fault in said if fault]
    say(f"\n{pictures} foreign pictures from number {first}, {len(faults)} without a clear answer")
    for fault in faults[:_TOLD]:
        say(fault)


def fault_of(foreign: ForeignPictures, number: int) -> str | None:
    """What is wrong with the answer to a picture; nothing when it is clear."""
    strange = bool(foreign.others) and number % _OTHERS_TURN == 0
    name, data = foreign_picture(number, foreign.others if strange else foreign.own)
    started = time.perf_counter()
    try:
        reading = foreign.read(data)
    except PictureError:
        return None
    except Exception as error:  # noqa: BLE001 - whatever a reader fails with is what is looked for
        return f"{number} ({name}): {error!r}"
    took = time.perf_counter() - started
    invented = list(reading.sheets)
    if not strange and name not in foreign.nothing_in:
        called = foreign.name_of
        invented = [sheet for sheet in invented if called and called(sheet) not in foreign.names]
    if invented:
        return f"{number} ({name}): invented {len(invented)} sheets"
    if not reading.sheets and not reading.notes:
        return f"{number} ({name}): nothing said"
    return f"{number} ({name}): {took:.1f} s" if took > foreign.slowest else None
