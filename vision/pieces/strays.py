"""Pieces that lie beside their segments: somebody pushed them, or laid them down in a hurry.

The network says what lies on a segment. What lies beside it by a piece's own width it takes for the
neighbour's, or for something that leans. So it looks at segments that seem empty once more, from a little to
either side; a piece there that belongs to no other segment goes to the nearest one, which becomes doubtful.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nets import said, shares
from vision.pieces.against_blank import most
from vision.pieces.colours import Palette, distances
from vision.pieces.finding import PieceBoard, PieceLook, SeenPieces, colours_seen
from vision.pieces.network import CLASSES, MODEL, ONE, TWO, UNSEEN, as_input
from vision.pieces.views import SIZE, cut_out

_ASIDE = (0.22, 0.34, 0.48)  # of a segment's length: from how far to either side it is looked at again
_NOTHING_THERE = 0.5  # probability of a piece below which a segment may have one beside it
# So many pixels of the straightened picture each way are one of the map of what no segment's piece explains;
# what differs there; the share of a view's middle, its rows and columns, that has to.
_SHRUNK, _DIFFERS, _WORTH, _CORE = 4, 12, 0.2, np.s_[8:16:2, 8:32:2]
_A_PIECE = 0.7  # probability of one, seen from the side
_TOP = 0.5  # probability of a pixel of a piece's top
_AS_LARGE = (0.45, 1.8)  # of the usual visible top of the pieces on the board
_LEAST_TOP = 12  # pixels of it, every second each way
_EXPLAINED = 0.3  # share of the top that may lie on another segment's piece
_OF_A_KNOWN_COLOUR = 12.0  # distance from a colour of the palette
_ONE_THING = 0.5  # of a segment's length: what is seen so near from two segments is one piece
_PRESENT = 0.6  # probability that its segment has the piece: likelier than not, and doubtful


@dataclass(frozen=True, eq=False)
class _Stray:
    """A piece beside a segment: by the segment's number, how far off, where its top is, and its look."""

    segment: int
    off: float  # from the segment's middle line, in its lengths
    middle: NDArray[np.float64]  # in pixels of the straightened picture
    look: PieceLook


def with_strays(
    seen: SeenPieces, board: PieceBoard, palette: Palette, lean: NDArray[np.float32]
) -> Mapping[str, PieceLook]:
    """The looks with pieces that lie beside their segments on the nearest that seem empty, as doubtful."""
    looks = list(seen.looks.values())
    empty = np.array(
        [n for n, look in enumerate(looks) if look.cannot_see is None and 1 - look.empty < _NOTHING_THERE],
        np.int64,
    )
    occupied = np.array([n for n, look in enumerate(looks) if 1 - look.empty >= _NOTHING_THERE], np.int64)
    if not len(empty):
        return seen.looks
    taken, usual = _taken(seen, board, occupied)
    found: list[_Stray] = []
    for stray in sorted(_beside(seen, board, palette, lean, empty, taken, usual), key=lambda one: one.off):
        near = board.segments.lengths[stray.segment] * board.scale * _ONE_THING
        if all(
            one.segment != stray.segment and np.hypot(*(one.middle - stray.middle)) > near for one in found
        ):
            found.append(stray)
    names = list(seen.looks)
    return {**seen.looks, **{names[stray.segment]: stray.look for stray in found}}


def _taken(
    seen: SeenPieces, board: PieceBoard, occupied: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], float]:
    """Mask of the straightened picture's pixels under pieces on their segments; the usual size of a top."""
    height, width = seen.compared.even.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    sizes = []
    for n in occupied.tolist():
        top = seen.tops[n] > _TOP
        sizes.append(int(top.sum()))
        x, y = np.rint(_coarse(board.pixels[n])[top]).astype(int).T
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        mask[y[inside], x[inside]] = 1
    reach = max(3, round(0.16 * float(np.median(board.segments.lengths)) * board.scale)) | 1
    grown = cv2.dilate(mask, np.ones((reach, reach), np.uint8))
    return np.asarray(grown > 0, np.bool_), float(np.median(sizes)) if sizes else 0.0


def _coarse(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    """The places of the pixels in which tops are told, (height / 2, width / 2, 2)."""
    return np.asarray((pixels[0::2, 0::2] + pixels[1::2, 1::2]) / 2, np.float32)


def _beside(
    seen: SeenPieces,
    board: PieceBoard,
    palette: Palette,
    lean: NDArray[np.float32],
    empty: NDArray[np.int64],
    taken: NDArray[np.bool_],
    usual: float,
) -> Iterator[_Stray]:
    segments, whole = board.segments, seen.compared
    across = np.stack([-segments.along[:, 1], segments.along[:, 0]], axis=1)
    unexplained = _unexplained(seen, board, taken)
    sides = [_aside(unexplained, board, empty, side * across) for side in (-1, 1)]
    numbers = np.concatenate([chosen for chosen, _ in sides])
    pixels = np.concatenate([shown for _, shown in sides])
    even, expected = cut_out(whole.even, pixels), whole.expected(cut_out(board.blank, pixels))
    if not len(numbers):
        return
    scores = said(MODEL, as_input(even, expected, lean[numbers]))
    classes = shares(scores[:, :CLASSES])
    tops = 1 / (1 + np.exp(-np.clip(scores[:, CLASSES:], -20, 20)))
    pieces = classes[:, ONE] + classes[:, TWO]
    known = list(palette.colours.values())
    for k in np.flatnonzero((pieces > _A_PIECE) & (classes[:, UNSEEN] < 1 - _A_PIECE)).tolist():
        n = int(numbers[k])
        top = tops[k].reshape(SIZE[1] // 2, SIZE[0] // 2) > _TOP
        size = int(top.sum())
        if size < _LEAST_TOP or (usual and not _AS_LARGE[0] * usual < size < _AS_LARGE[1] * usual):
            continue
        places = _coarse(pixels[k])[top]
        if _share_in(taken, places) > _EXPLAINED:
            continue
        ((colours, _),) = colours_seen(even[k : k + 1], tops[k : k + 1], np.zeros(1))
        if known and distances(colours[:1], known).min() > _OF_A_KNOWN_COLOUR:
            continue
        middle = places.mean(axis=0).astype(np.float64)
        way = across[n] / float((across[n] ** 2).sum()) / board.scale
        off = float(abs((middle + 0.5 - segments.middles[n] * board.scale) @ way))
        yield _Stray(n, off, middle, PieceLook(_PRESENT, 0.0, colours[:1]))


def _aside(
    unexplained: NDArray[np.bool_], board: PieceBoard, empty: NDArray[np.int64], across: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The segments beside which something lies that nothing explains, and their views from above it."""
    most_of = np.array(unexplained.shape[::-1]) - 1
    shifts = np.asarray(np.multiply.outer(_ASIDE, across[empty]) * board.scale, np.float32)
    there = np.empty(shifts.shape[:2])
    core = board.pixels[empty][:, _CORE[0], _CORE[1]]
    for place, shift in zip(there, shifts, strict=True):
        pixels = np.rint((core + shift[:, None, None]) / _SHRUNK).astype(np.int64)
        x, y = np.moveaxis(np.clip(pixels, 0, most_of), -1, 0)
        place[:] = unexplained[y, x].mean(axis=(1, 2))
    chosen = np.flatnonzero(there.max(axis=0) > _WORTH)
    best = shifts[there.argmax(axis=0)[chosen], chosen]
    return empty[chosen], board.pixels[empty[chosen]] + best[:, None, None]


def _unexplained(seen: SeenPieces, board: PieceBoard, taken: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where the picture, made smaller, differs from the blank and no piece lies on its segment."""
    size = taken.shape[1] // _SHRUNK, taken.shape[0] // _SHRUNK
    even, blank, known = (
        np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        for image in (seen.compared.even, board.blank, taken.astype(np.uint8) * 255)
    )
    apart = most(np.abs(even.astype(np.int16) - seen.compared.expected(blank)))
    return np.asarray((apart > _DIFFERS) & (known < 128), np.bool_)


def _share_in(mask: NDArray[np.bool_], places: NDArray[np.float32]) -> float:
    """The share of places that lie in a mask."""
    x, y = np.rint(places).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < mask.shape[1]) & (y < mask.shape[0])
    return float(mask[y[inside], x[inside]].sum() / max(len(places), 1))
