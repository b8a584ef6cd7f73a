"""How well taught boards are read: ``python -m lab.taught.reading_bench [--held-out] [--colours]``.

Every board is taught from one photograph and read in two others, in lights that the first was not taken in.
The seeds are never trained on. With ``--held-out`` prints, pieces and lights are kinds that training never
saw. Exits with 1 where fewer groups are right than was promised.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import cv2
import msgspec
import numpy as np

from lab.bench import say
from lab.reading_bench import Columns, Groups, measured, tell_tables
from lab.taught.studio.scenes import Match, Scene, make_scene
from lab.taught.training.material import hidden_shares
from vision.decoding import decoded
from vision.taught.boards import teach_segments
from vision.taught.reading import SegmentReader, SegmentsReading

FIRST_SEED, FIRST_HELD_OUT = 7_000_000, 7_500_000
_SHOTS = 2  # of each board
_VISIBLE = 0.2  # share of a segment that may be hidden
_PROMISED = 0.995  # of the groups


@dataclass(frozen=True)
class Task:
    """A board to be taught and read.

    ``marked``: with corners that somebody dragged; ``chosen``: its owner said which colours the pieces have.
    """

    seed: int
    held_out: bool
    marked: bool
    failures: Path | None
    chosen: bool = False


@dataclass(frozen=True)
class Score:
    """How one photograph was read; only what can be seen counts."""

    light: str
    pieces: str
    decoding: float  # seconds
    took: float  # seconds
    found: bool
    segments: int = 0
    segments_right: int = 0
    groups: int = 0
    groups_right: int = 0
    silent: int = 0  # groups that are wrong, and sure


def judged(task: Task) -> list[Score]:
    """Teach a board and read its photographs."""
    return list(_judged(task))


def _judged(task: Task) -> Iterator[Score]:
    scene = make_scene(task.seed, _SHOTS, task.held_out)
    corners = [(float(x), float(y)) for x, y in scene.corners]
    there = {mark for match in scene.matches for mark in match.marks.values() if mark} if task.chosen else ()
    described = msgspec.structs.replace(scene.board, colours=tuple(sorted(there)))
    board = teach_segments("board", decoded(scene.blank.jpeg, 1).image, corners, described)
    reader = SegmentReader(board)
    reader.read(scene.blank.jpeg)  # what is made once for a board
    rng = np.random.default_rng(task.seed)
    for number, match in enumerate(scene.matches):
        start = time.perf_counter()
        decoded(match.shot.jpeg, 1)
        between = time.perf_counter()
        marked = _dragged(rng, scene, match) if task.marked else None
        read = reader.read(match.shot.jpeg, marked).sheet
        took = time.perf_counter() - between
        score = _score(scene, match, read, between - start, took)
        yield score
        if task.failures and read is not None and score.groups_right < score.groups:
            task.failures.mkdir(parents=True, exist_ok=True)
            # The photograph with its wrong groups: the truth and what was read are written beside
            # them
            path = task.failures / f"{task.seed}-{number}.jpg"
            image = decoded(match.shot.jpeg, 1).image.copy()
            for name, mark in _true_groups(scene, match).items():
                if read.groups[name].best == mark:
                    continue
                for member in scene.plan.groups[name]:
                    outline = np.rint(match.shot.pixels(scene.plan.slots[member])).astype(np.int32)
                    cv2.polylines(image, [outline], True, (0, 0, 255), 2, cv2.LINE_AA)
                at = outline[0]
                words = f"{mark or 'empty'} > {read.groups[name].best or 'empty'} {read.groups[name].p:.2f}"
                cv2.putText(
                    image,
                    words,
                    (int(at[0]), int(at[1]) - 4),
                    cv2.FONT_HERSHEY_SIMPLEX,
                    0.5,
                    (255, 0, 255),
                    1,
                    cv2.LINE_AA,
                )
            cv2.imwrite(str(path), image)


def _dragged(rng: np.random.Generator, scene: Scene, match: Match) -> list[tuple[float, float]]:
    """Corners as a finger drags them: half a percent of the picture beside the truth."""
    width, height = scene.plan.size
    corners = match.shot.pixels(np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]))
    off = rng.normal(0, 0.004 * max(match.shot.camera.size), (4, 2))
    return [(float(x), float(y)) for x, y in corners + off]


def _visible(scene: Scene, match: Match) -> dict[str, bool]:
    quads = np.array(list(scene.plan.slots.values()))
    return dict(zip(scene.plan.slots, hidden_shares(match, quads) < _VISIBLE, strict=True))


def _true_groups(scene: Scene, match: Match) -> dict[str, str]:
    """What most of a group's segments are; groups without any majority are left out."""
    found = {}
    visible = _visible(scene, match)
    for name, members in scene.plan.groups.items():
        marks = [match.marks.get(member, "") for member in members]
        best = max(set(marks), key=marks.count)
        if 2 * marks.count(best) > len(marks) and all(visible[member] for member in members):
            found[name] = best
    return found


def _score(scene: Scene, match: Match, read: SegmentsReading | None, decoding: float, took: float) -> Score:
    if read is None:
        return Score(match.light, match.kind, decoding, took, found=False)
    segments = [name for name, seen in _visible(scene, match).items() if seen]
    groups = _true_groups(scene, match)
    wrong = [name for name, mark in groups.items() if read.groups[name].best != mark]
    return Score(
        light=match.light,
        pieces=match.kind,
        decoding=decoding,
        took=took,
        found=True,
        segments=len(segments),
        segments_right=sum(read.slots[name].best == match.marks.get(name, "") for name in segments),
        groups=len(groups),
        groups_right=len(groups) - len(wrong),
        silent=sum(not read.groups[name].doubtful for name in wrong),
    )


# --- tables ---


def _share(part: int, whole: int) -> str:
    return f"{part / whole if whole else 0.0:.3%} of {whole}"


_COLUMNS: Columns[Score] = {
    "found": lambda scores: str(sum(s.found for s in scores)),
    "segments right": lambda scores: _share(
        sum(s.segments_right for s in scores), sum(s.segments for s in scores)
    ),
    "groups right": lambda scores: _share(sum(s.groups_right for s in scores), sum(s.groups for s in scores)),
    "groups wrong and sure": lambda scores: str(sum(s.silent for s in scores)),
    "whole boards": lambda scores: str(sum(s.found and s.groups_right == s.groups for s in scores)),
    "a photograph": lambda scores: f"{median(s.took for s in scores):.2f} s",
    "decoding": lambda scores: f"{median(s.decoding for s in scores):.2f} s",
}
_GROUPS: Groups[Score] = {
    "all": lambda _: "all",
    "light": lambda score: score.light,
    "pieces": lambda score: score.pieces,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Teach and read the boards, print the tables; 1 where too few groups are right."""
    parser = argparse.ArgumentParser(prog="python -m lab.taught.reading_bench", description=__doc__)
    parser.add_argument("--boards", type=int, default=8)
    parser.add_argument("--first", type=int)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--corners", action="store_true", help="give the corners, a little beside the truth")
    parser.add_argument("--colours", action="store_true", help="say which colours the pieces have")
    parser.add_argument("--workers", type=int, default=1, help="processes that read")
    parser.add_argument("--networks", type=Path, help="read with the networks of this folder")
    parser.add_argument("--failures", type=Path, help="where photographs with wrong groups are kept")
    options = parser.parse_args(arguments)
    first = options.first or (FIRST_HELD_OUT if options.held_out else FIRST_SEED)
    tasks = [
        Task(seed, options.held_out, options.corners, options.failures, options.colours)
        for seed in range(first, first + options.boards)
    ]
    boards = measured(judged, tasks, options.workers, options.networks)
    scores = [score for board in boards for score in board]
    tell_tables("photographs", _COLUMNS, _GROUPS, scores)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    say(f"memory with the studio: {used:.0f} MB")
    groups, right = sum(score.groups for score in scores), sum(score.groups_right for score in scores)
    kept = groups > 0 and right >= _PROMISED * groups and all(score.found for score in scores)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
