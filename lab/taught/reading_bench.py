"""How well taught boards are read: ``python -m lab.taught.reading_bench [--boards 8] [--held-out]``.

Every board is taught from one photograph and read in two others, in lights that the first was not taken in.
The seeds are never trained on. With ``--held-out`` prints, pieces and lights are kinds that training never
saw. Exits with 1 where fewer groups are right than was promised.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from lab.taught.studio.scenes import Match, Scene, make_scene
from lab.taught.training.material import hidden_shares
from vision.decoding import decoded
from vision.nets import try_networks
from vision.taught import teach_segments
from vision.taught_reading import SegmentReader, SegmentsReading

FIRST_SEED, FIRST_HELD_OUT = 7_000_000, 7_500_000
_VISIBLE = 0.2  # share of a segment that may be hidden
_PROMISED = 0.995  # of the groups


@dataclass
class Tally:
    """What became of the photographs of one kind."""

    photos: int = 0
    found: int = 0
    whole: int = 0  # photographs of which every group is right
    segments: list[bool] = field(default_factory=list)
    groups: list[bool] = field(default_factory=list)
    silent: int = 0  # groups that are wrong, and sure
    seconds: list[float] = field(default_factory=list)
    decoding: list[float] = field(default_factory=list)


def main() -> int:
    """Read, tell, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=8)
    parser.add_argument("--first", type=int)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--corners", action="store_true", help="give the corners, a little beside the truth")
    parser.add_argument("--networks", type=Path, help="read with the networks of this folder")
    parser.add_argument("--failures", type=Path, help="where photographs with wrong groups are kept")
    options = parser.parse_args()
    if options.networks:
        try_networks(options.networks)
    cv2.setNumThreads(2)
    first = options.first or (FIRST_HELD_OUT if options.held_out else FIRST_SEED)
    tallies: dict[str, Tally] = defaultdict(Tally)
    for seed in range(first, first + options.boards):
        for name, match, read, took in _read(seed, options):
            for kind in ("all", f"light {match.light}", f"pieces {match.kind}"):
                _count(tallies[kind], name, match, read, took)
    for kind, tally in sorted(tallies.items()):
        _tell(kind, tally)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    _say(f"memory with the studio: {used:.0f} MB")
    whole = tallies["all"]
    return 0 if whole.groups and np.mean(whole.groups) >= _PROMISED and whole.found == whole.photos else 1


def _read(
    seed: int, options: argparse.Namespace
) -> Iterator[tuple[Scene, Match, SegmentsReading | None, tuple[float, float]]]:
    scene = make_scene(seed, 2, options.held_out)
    corners = [(float(x), float(y)) for x, y in scene.corners]
    board = teach_segments("board", decoded(scene.blank.jpeg, 1).image, corners, scene.board)
    reader = SegmentReader(board)
    reader.read(scene.blank.jpeg)  # what is made once for a board
    rng = np.random.default_rng(seed)
    for number, match in enumerate(scene.matches):
        start = time.perf_counter()
        decoded(match.shot.jpeg, 1)
        between = time.perf_counter()
        marked = _dragged(rng, scene, match) if options.corners else None
        read = reader.read(match.shot.jpeg, marked).sheet
        took = time.perf_counter() - between, between - start
        yield scene, match, read, took
        if options.failures and read is not None and not all(_groups_right(scene, match, read)):
            options.failures.mkdir(parents=True, exist_ok=True)
            _keep(options.failures / f"{seed}-{number}.jpg", scene, match, read)


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


def _groups_right(scene: Scene, match: Match, read: SegmentsReading) -> list[bool]:
    return [read.groups[name].best == mark for name, mark in _true_groups(scene, match).items()]


def _count(
    tally: Tally, scene: Scene, match: Match, read: SegmentsReading | None, took: tuple[float, float]
) -> None:
    tally.photos += 1
    tally.seconds.append(took[0])
    tally.decoding.append(took[1])
    if read is None:
        return
    tally.found += 1
    for name, seen in _visible(scene, match).items():
        if seen:
            tally.segments.append(read.slots[name].best == match.marks.get(name, ""))
    right = _groups_right(scene, match, read)
    tally.groups += right
    tally.whole += all(right)
    true = _true_groups(scene, match)
    tally.silent += sum(
        read.groups[name].best != mark and not read.groups[name].doubtful for name, mark in true.items()
    )


def _tell(kind: str, tally: Tally) -> None:
    segments, groups = (float(np.mean(one)) if one else 0.0 for one in (tally.segments, tally.groups))
    took, decoding = float(np.median(tally.seconds)), float(np.median(tally.decoding))
    _say(
        f"{kind:16} {tally.photos:3} photos, found {tally.found:3}; "
        f"segments {segments:8.3%} of {len(tally.segments):5}, "
        f"groups {groups:8.3%} of {len(tally.groups):4} ({tally.silent} wrong and sure), "
        f"whole boards {tally.whole:3}; "
        f"{took:.2f} s, decoding {decoding:.2f} s"
    )


def _keep(path: Path, scene: Scene, match: Match, read: SegmentsReading) -> None:
    """The photograph with its wrong groups: the truth and what was read are written beside them."""
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


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
