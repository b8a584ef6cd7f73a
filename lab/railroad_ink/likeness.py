"""The studio beside real photographs: ``python -m lab.railroad_ink.likeness PHOTO... --out side.png``.

Prints what light, lens, sensor and processing did to either, as quantiles over the pictures, and lays some of
both side by side. The photographs stay where they are: nothing is taken from them but these numbers.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from lab.bench import say
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import SceneSpec
from lab.studio.levels import LEVELS
from vision.register.rectify import Image
from vision.white_paper import paper_field

FIRST_SEED = 9_500_000
_LONGEST = 1000  # pixels of the longer side when pictures are compared
_BLOCK = 16  # pixels of the blocks among which flat ones are looked for
_FLAT = 0.2  # share of the blocks that are the flattest
_STEEP = 0.02  # share of the pixels that are the steepest
_TILE = 320  # pixels of a picture beside others
_QUANTILES = (0.1, 0.5, 0.9)


def measures(picture: Image) -> dict[str, float]:
    """What was done to the light of a picture (blue first), each comparable between pictures of any size.

    ``noise``: deviation in flat places; ``edge``: pixels in which the sharpest edges go from dark to light;
    ``falloff``: how much darker the paper's darkest tenth is than its brightest; ``blown``: share without
    any detail left; ``black``: how dark the darkest twentieth is; ``saturation``; ``warmth``: log of red to
    blue of what is brightest.
    """
    share = _LONGEST / max(picture.shape[:2])
    seen = np.asarray(cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
    grey = np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), np.float32)
    rows, columns = (length // _BLOCK for length in grey.shape)
    blocks = grey[: rows * _BLOCK, : columns * _BLOCK].reshape(rows, _BLOCK, columns, _BLOCK)
    flat = np.sort(blocks.std(axis=(1, 3)).ravel())[: max(1, round(_FLAT * rows * columns))]
    steep = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(grey, cv2.CV_32F, 0, 1) / 8)
    around = cv2.dilate(grey, np.ones((9, 9))) - cv2.erode(grey, np.ones((9, 9)))
    edges = steep >= np.quantile(steep, 1 - _STEEP)
    paper = paper_field(seen).mean(axis=2)
    brightest = seen[grey >= np.quantile(grey, 0.9)].mean(axis=0) + 1
    dark, bright = np.quantile(paper, [0.1, 0.9])
    return {
        "noise": float(np.median(flat)),
        "edge": float(np.median(around[edges] / (steep[edges] + 1e-3))),
        "falloff": float(1 - dark / max(bright, 1.0)),
        "blown": float((seen.min(axis=2) >= 250).mean()),
        "black": float(np.quantile(grey, 0.05)),
        "saturation": float(cv2.cvtColor(seen, cv2.COLOR_BGR2HSV)[..., 1].mean()),
        "warmth": float(np.log(brightest[2] / brightest[0])),
    }


def quantiles(pictures: Sequence[Image]) -> dict[str, tuple[float, ...]]:
    """Of every measure, a low, a middle and a high value over pictures."""
    every = [measures(picture) for picture in pictures]
    return {
        name: tuple(float(one) for one in np.quantile([found[name] for found in every], _QUANTILES))
        for name in every[0]
    }


def side_by_side(rows: Mapping[str, Sequence[Image]], columns: int = 8) -> Image:
    """Pictures of every kind in a row of its own, each fitted into a square."""
    sheet = np.full((len(rows) * _TILE, columns * _TILE, 3), 40, np.uint8)
    for row, pictures in enumerate(rows.values()):
        for column, picture in enumerate(pictures[:columns]):
            share = _TILE / max(picture.shape[:2])
            small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
            high, wide = small.shape[:2]
            sheet[row * _TILE : row * _TILE + high, column * _TILE : column * _TILE + wide] = small
    return sheet


def drawn(level: str, count: int) -> list[Image]:
    """So many pictures of the studio."""
    found = []
    for number in range(count):
        data, _ = take_picture(FIRST_SEED + number, level, spec=SceneSpec(sheets=1, megapixels=1.5))
        found.append(np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8))
    return found


def main(arguments: Sequence[str] | None = None, tell: Callable[[str], None] = say) -> int:
    """Compare photographs with what the studio draws."""
    parser = argparse.ArgumentParser(prog="python -m lab.railroad_ink.likeness", description=__doc__)
    parser.add_argument("photographs", nargs="+", type=Path)
    parser.add_argument("--level", action="append", choices=tuple(LEVELS))
    parser.add_argument("--count", type=int, default=8, help="pictures of each level")
    parser.add_argument("--out", type=Path, help="the picture in which both lie side by side")
    options = parser.parse_args(arguments)
    read = [cv2.imread(str(path)) for path in options.photographs]
    rows = {"real": [np.asarray(one, np.uint8) for one in read if one is not None]}
    if not rows["real"]:
        parser.error("none of these files is a picture")
    rows |= {level: drawn(level, options.count) for level in options.level or ("table", "hard")}
    for kind, pictures in rows.items():
        found = quantiles(pictures).items()
        told = [f"{name} {low:.3g} {middle:.3g} {high:.3g}" for name, (low, middle, high) in found]
        tell(f"{kind} ({len(pictures)}): {', '.join(told)}")
    if options.out is not None and not cv2.imwrite(str(options.out), side_by_side(rows)):
        parser.error(f"{options.out} cannot be written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
