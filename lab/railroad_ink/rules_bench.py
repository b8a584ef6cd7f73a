"""``make bench``: how fast boards are scored here, explained and in batch.

Finished boards come from random legal play with a fixed seed. The yardstick is the fastest public scorer,
which makes 65,000 finished boards a second on one thread of a two-core cloud machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from random import Random

from companion.core.jsontext import json_of
from companion.games.railroad_ink.rules.boards.position import LONGEST, Position, print_cells
from companion.games.railroad_ink.rules.boards.routes import ROUTES
from companion.games.railroad_ink.rules.rulebook import EDITION, GRID
from companion.games.railroad_ink.rules.scoring.batch import Boards, encode, score_batch
from companion.games.railroad_ink.rules.scoring.batch_lines import score_lines
from companion.games.railroad_ink.rules.scoring.scores import score
from lab.bench import fastest, say
from lab.railroad_ink.random_play import random_board

YARDSTICK = 65_000
SEED = 2021
BOARDS = 20_000
EXPLAINED = 2_000
TIMES = 5


def main() -> None:
    """Print the report, line by line as it comes."""
    for line in report():
        say(line)


def report() -> Iterator[str]:
    """Every figure in one line."""
    random = Random(SEED)
    positions = [random_board(random) for _ in range(BOARDS)]
    cells = sum(len(position.cells) for position in positions) / BOARDS
    yield f"{BOARDS:,} finished boards of random legal play, {cells:.1f} cells on average"
    yield _explained(positions[:EXPLAINED])
    boards = encode(positions)
    first = fastest(lambda: score_batch(boards[:1]), 1)
    yield f"batch, first call (compiling, or loading what was compiled before): {first:.2f} s"
    for threads in (1, 2):
        yield _batch(boards, threads)
    yield _lines(positions)
    crossings = Position(dict.fromkeys(range(GRID.size), ROUTES["NESW"]), EDITION["classic"])
    yield from _adversarial(crossings)


def _explained(positions: list[Position]) -> str:
    seconds = fastest(lambda: [score(position) for position in positions], TIMES)
    micros = seconds / len(positions) * 1e6
    return f"explained: {len(positions) / seconds:,.0f} boards a second, {micros:.0f} microseconds a board"


def _batch(boards: Boards, threads: int) -> str:
    rate = len(boards) / fastest(lambda: score_batch(boards, threads=threads), TIMES)
    name = "thread" if threads == 1 else "threads"
    return f"batch, {threads} {name}: {rate:,.0f} boards a second, {rate / YARDSTICK:.1f} times {YARDSTICK:,}"


def _lines(positions: list[Position]) -> str:
    """What ``stationmaster score`` does with a long input, reading and writing files left out."""
    text = b"".join(
        json_of({"id": number, "cells": print_cells(position.cells)}) + b"\n"
        for number, position in enumerate(positions)
    )
    rate = len(positions) / fastest(partial(score_lines, text), TIMES)
    return f"batch, lines of JSON in and out, 1 thread: {rate:,.0f} boards a second"


def _adversarial(position: Position) -> Iterator[str]:
    boards = encode([position])
    for reading in LONGEST:
        asked = replace(position, longest=reading)
        explained = fastest(partial(score, asked), TIMES)
        batch = fastest(partial(score_batch, boards, "classic", reading), TIMES)
        yield (
            f"every cell a crossing, {reading}: highway {score(asked).highway.length} (exact), "
            f"explained {explained * 1e3:.1f} ms, batch {batch * 1e3:.1f} ms"
        )


if __name__ == "__main__":
    main()
