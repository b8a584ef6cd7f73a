"""A map with everything on it: every line of wax, what was rubbed out, what stands there, an uneven sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.empire_builder.printing.printed import spot
from companion.games.empire_builder.rules.boards.board import Board
from lab.empire_builder.studio.crayons import WAX_LEVELS, CrayonHand, WaxLevel
from lab.empire_builder.studio.lines import begun, drawn
from lab.empire_builder.studio.networks import Build, own_board
from lab.empire_builder.studio.standing import Piece
from lab.empire_builder.studio.wax import WaxLayer, waxed
from lab.studio.darkroom import Codes
from lab.studio.habits import between, one_of
from lab.studio.strokes import Stroke
from lab.studio.tabletop import Paint

_PAGES = 0.4  # share of maps that are glued together from pages
_PIECE_COLOURS = ("#b02a2a", "#2a4ab0", "#2a8a3a", "#d8b020", "#222226", "#e8e4da", "#8a5a30", "#7a3a90")


@dataclass(frozen=True)
class DrawnMap:
    """What is on a map, by slot and as it looks."""

    marks: Mapping[str, str]
    paint: Paint
    pieces: Sequence[Piece]
    waxes: Sequence[str]  # of the crayons it was drawn with


def draw_map(
    builds: Sequence[Build],
    hands: Mapping[int, CrayonHand],
    level_name: str,
    seed: int,
    *,
    crowd: int = 1,
    stopped: int = 0,
) -> DrawnMap:
    """The map after these builds; the same seed draws the same build with the same strokes.

    ``crowd`` times as much as usual stands on it; so many edges were begun by somebody who ``stopped``.
    """
    on, level = own_board(), WAX_LEVELS[level_name]
    rng = np.random.default_rng([seed, 2])
    layers = _wiped(rng, on, level, hands, {edge for build in builds for edge in _edges(on, build)})
    layers += _layers(on, builds, hands, seed)
    layers += _begun(on, builds, hands, stopped, seed)
    standing = _pieces(rng, on, level, builds, crowd) if crowd else []
    marks = {on.edge_names[edge]: hands[build.seat].colour for build in builds for edge in _edges(on, build)}
    marks |= {piece.milepost: piece.kind for piece in standing}
    rough, uneven = between(rng, level.rough), _Uneven(rng, between(rng, level.uneven))

    def paint(blank: Codes, scale: float) -> Codes:
        return uneven(waxed(blank, scale, layers, rough, seed), scale)

    return DrawnMap(marks, paint, standing, [hand.wax for hand in hands.values()])


def _edges(on: Board, build: Build) -> list[int]:
    return [on.edge_numbers[pair] for pair in zip(build.path, build.path[1:], strict=False)]


def _layers(on: Board, builds: Sequence[Build], hands: Mapping[int, CrayonHand], seed: int) -> list[WaxLayer]:
    strokes: dict[int, list[Stroke]] = {}
    for build in builds:
        own = np.random.default_rng([seed, build.seat, *build.path])
        strokes.setdefault(build.seat, []).extend(drawn(own, on, hands[build.seat], build.path))
    return [WaxLayer(hands[seat].wax, hands[seat].opaque, lines) for seat, lines in strokes.items()]


def _begun(
    on: Board, builds: Sequence[Build], hands: Mapping[int, CrayonHand], count: int, seed: int
) -> list[WaxLayer]:
    """Edges beside track that were begun and left."""
    rng = np.random.default_rng([seed, 8])
    taken = {edge for build in builds for edge in _edges(on, build)}
    ends = [(build.seat, milepost) for build in builds for milepost in build.path]
    layers = []
    for _ in range(count if ends else 0):
        seat, milepost = one_of(rng, ends)
        free = [there for there, edge in on.ways[milepost] if edge not in taken and not on.red[edge]]
        if free:
            strokes = begun(rng, on, hands[seat], (milepost, one_of(rng, free)))
            layers.append(WaxLayer(hands[seat].wax, hands[seat].opaque, strokes))
    return layers


# --- what was rubbed out ---


def _wiped(
    rng: np.random.Generator, on: Board, level: WaxLevel, hands: Mapping[int, CrayonHand], taken: set[int]
) -> list[WaxLayer]:
    layers = []
    for _ in range(int(rng.integers(level.wiped[0], level.wiped[1] + 1))):
        path = _walk(rng, on, taken)
        hand = one_of(rng, list(hands.values()))
        if len(path) > 1:
            lines = drawn(rng, on, hand, path)
            layers.append(
                WaxLayer(
                    hand.wax,
                    hand.opaque,
                    lines,
                    wiped=between(rng, (1.0, 14.0)),
                    left=between(rng, level.left),
                    turn=float(rng.uniform(0, np.pi)),
                )
            )
    return layers


def _walk(rng: np.random.Generator, on: Board, taken: set[int]) -> list[int]:
    """A random line over free edges, often starting where track lies."""
    ends = [end for edge in taken for end in on.edges[edge]]
    path = [one_of(rng, ends) if ends and rng.random() < 0.7 else int(rng.integers(len(on.places)))]
    for _ in range(int(rng.integers(1, 8))):
        ways = [
            there
            for there, edge in on.ways[path[-1]]
            if edge not in taken and not on.red[edge] and there not in path
        ]
        if not ways:
            break
        path.append(one_of(rng, ways))
    return path


# --- what stands there ---


def _pieces(
    rng: np.random.Generator, on: Board, level: WaxLevel, builds: Sequence[Build], crowd: int
) -> list[Piece]:
    places = sorted({milepost for build in builds for milepost in build.path})
    found: dict[int, Piece] = {}
    for kind, (least, most) in (("pawn", level.pawns), ("chip", level.chips)):
        for _ in range(crowd * int(rng.integers(least, most + 1))):
            anywhere = not places or rng.random() < 0.15
            milepost = int(rng.integers(len(on.places))) if anywhere else one_of(rng, places)
            found.setdefault(milepost, _piece(rng, on, milepost, kind))
    return list(found.values())


def _piece(rng: np.random.Generator, on: Board, milepost: int, kind: str) -> Piece:
    x, y = np.asarray(spot(on, milepost)) + rng.normal(0, 0.9, 2)
    pawn = kind == "pawn"
    return Piece(
        milepost=on.names[milepost],
        kind=kind,
        at=(float(x), float(y)),
        colour=one_of(rng, _PIECE_COLOURS),
        radius=between(rng, (3.5, 6.5) if pawn else (6.0, 9.5)),
        height=between(rng, (7.0, 22.0) if pawn else (0.5, 2.5)),
    )


# --- a sheet that does not lie flat ---


class _Uneven:
    """Moves the print by slow waves and, where it is glued together from pages, page by page."""

    def __init__(self, rng: np.random.Generator, most: float) -> None:
        self.most, self.rng = most, rng
        self.grid = np.asarray(rng.normal(0, 1, (5, 5, 2)), np.float32)
        self.cuts = (int(rng.integers(2, 5)), int(rng.integers(2, 5))) if rng.random() < _PAGES else (1, 1)
        self.pages = np.asarray(rng.normal(0, 0.4, (*self.cuts, 2)), np.float32) * min(most, 0.8)

    def __call__(self, sheet: Codes, scale: float) -> Codes:
        """Distort the picture of a sheet."""
        if self.most < 0.05:
            return sheet
        height, width = sheet.shape[:2]
        moved = self._moves((width, height)) * np.float32(scale)
        moved[..., 0] += np.arange(width, dtype=np.float32)
        moved[..., 1] += np.arange(height, dtype=np.float32)[:, None]
        nothing = np.empty(0, np.float32)
        return np.asarray(
            cv2.remap(sheet, moved, nothing, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )

    def _moves(self, size: tuple[int, int]) -> NDArray[np.float32]:
        slow = cv2.resize(self.grid * np.float32(self.most / 2), size, interpolation=cv2.INTER_CUBIC)
        if self.cuts == (1, 1):
            return np.asarray(slow, np.float32)
        return np.asarray(
            cv2.add(slow, cv2.resize(self.pages, size, interpolation=cv2.INTER_NEAREST)), np.float32
        )
