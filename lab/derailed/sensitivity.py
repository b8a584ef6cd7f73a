"""Which of the reader's constants matter: ``python -m lab.derailed.sensitivity --pictures FOLDER``.

Every number of the reader's ``constants.toml`` is made smaller and greater, and a fixed set of photographs is
read again: tables with and without a mat, alone and ruled, and tables of taught decks. What comes out is how
the figures change by each; constants by which nothing changes at all are named at the end, and may go. The
photographs, and what the networks say of them, are kept in the folder: only the first run takes long.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import msgspec

from companion.game.parts import DECK_ENDING
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.decks.taught import known_deck
from lab.bench import say
from lab.derailed import deck_bench, reading_bench
from lab.derailed.reading_bench import Task, tasks_of
from lab.derailed.studio.hands import HELD_OUT, OURS, STRANGE
from lab.network_cache import cached_networks

_HANDS = (OURS, *HELD_OUT, *STRANGE[:2])
_FIRST = 71_000  # of the fixed set's pictures
_MOST_MEGAPIXELS = 2.0  # of those that are read
_TAUGHT = "schoolchild"  # the deck that is taught, if tables of one are read
_SHARE = 0.25  # by which a constant is made greater; a count by one at least


@dataclass(frozen=True)
class Varied:
    """A constant, and what it is set to."""

    section: str
    name: str
    value: float

    def __str__(self) -> str:
        return f"{self.section}.{self.name} = {self.value:g}"


@dataclass(frozen=True)
class FixedSet:
    """Photographs in a folder, taken when they are missing."""

    folder: Path
    tasks: tuple[Task, ...]
    deck_tables: int

    def figures(self, varied: Varied | None = None) -> Counter[str]:
        """What comes of reading all of them, in a process in which nothing else is read."""
        cv2.setNumThreads(1)
        if varied is not None:
            setattr(getattr(CONSTANTS, varied.section), varied.name, varied.value)
        figures: Counter[str] = Counter()
        with cached_networks(self.folder / "networks.pickle", kept=varied is None):
            try:
                for task in self.tasks:
                    figures.update(self._of_picture(task))
                figures.update(self._of_deck())
            except Exception as problem:  # noqa: BLE001 - a constant may be set to what makes no sense
                return Counter({f"{type(problem).__name__}": 1})
        return figures

    def _of_picture(self, task: Task) -> dict[str, int]:
        score = reading_bench.judged(task, self.folder)
        return {
            "found": score.found,
            "exact": score.exact,
            "cards right": score.right,
            "silent": score.silent,
            "columns": score.stations_right,
            "ruled right": score.ruled_right,
            "asked": score.asked,
            "accepted and wrong": score.ruled_silent,
        }

    def _of_deck(self) -> Counter[str]:
        figures: Counter[str] = Counter()
        if self.deck_tables:
            album, path = deck_bench.Album(self.folder), self.folder / f"{_TAUGHT}{DECK_ENDING}"
            if not path.exists():
                deck_bench.taught_deck(album, path, _TAUGHT, 0, 2)
            for score in deck_bench.judged(album, _TAUGHT, 0, self.deck_tables, known_deck(path)):
                if score.taught:
                    figures.update(
                        {
                            "deck: found": score.found,
                            "deck: cards right": score.right,
                            "deck: silent": score.silent,
                            "deck: flagged": score.flagged,
                        }
                    )
        return figures


def variations(sections: Sequence[str]) -> Iterator[Varied]:
    """Every constant of these sections, made smaller and greater."""
    for section, numbers in msgspec.to_builtins(CONSTANTS).items():
        for name, value in numbers.items() if section in sections else ():
            step = max(1, round(_SHARE * value)) if isinstance(value, int) else _SHARE * (value or 1)
            yield Varied(section, name, value - step)
            yield Varied(section, name, value + step)


def main() -> None:
    """The table of what changes."""
    names = list(msgspec.to_builtins(CONSTANTS))
    parser = argparse.ArgumentParser(prog="python -m lab.derailed.sensitivity", description=__doc__)
    parser.add_argument("--pictures", type=Path, required=True, help="the folder of the fixed set")
    parser.add_argument("--count", type=int, default=90, help="pictures without a mat, before those too big")
    parser.add_argument("--on-mats", type=int, default=18, help="the same on mats")
    parser.add_argument("--deck-tables", type=int, default=4, help="tables of a taught deck")
    parser.add_argument("--sections", nargs="+", choices=names, default=names)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    tasks = tasks_of(options.count, _FIRST, hands=_HANDS, on=(False,))
    tasks += tasks_of(options.on_mats, _FIRST + options.count, hands=_HANDS, on=(True,))
    fixed = FixedSet(
        options.pictures,
        tuple(task for task in tasks if task.megapixels <= _MOST_MEGAPIXELS),
        options.deck_tables,
    )
    matters: dict[str, bool] = {}
    with get_context("fork").Pool(options.workers, maxtasksperchild=1) as pool:
        before = pool.apply(fixed.figures)
        say(f"{len(fixed.tasks)} pictures: {json.dumps(before)}\n")
        varied = list(variations(options.sections))
        for one, figures in zip(varied, pool.imap(partial(FixedSet.figures, fixed), varied), strict=True):
            changes = {key: figures[key] - before[key] for key in sorted({*figures, *before})}
            changes = {key: change for key, change in changes.items() if change}
            name = f"{one.section}.{one.name}"
            matters[name] = matters.get(name, False) or bool(changes)
            if changes:
                say(f"{one}: {', '.join(f'{key} {change:+d}' for key, change in changes.items())}")
    say(f"\nNothing changes by: {', '.join(name for name, does in matters.items() if not does) or 'none'}")


if __name__ == "__main__":
    main()
