"""SPIKE's board with everything that lies and stands on it, ready to be photographed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import cv2
import numpy as np

from companion.games.spike.printing.card_art import time_card
from companion.games.spike.printing.goods_art import good_shapes
from companion.games.spike.printing.printed import PRINTED
from companion.games.spike.printing.sheets import board_sheet
from companion.games.spike.rules.boards.board import SHIPPED, board_called
from companion.sheets.drawing import Drawing, Point, Quad
from companion.sheets.printing.png import MM_PER_INCH, picture
from lab.spike.studio.positions import LaidOut
from lab.studio.darkroom import Codes
from lab.studio.habits import one_of
from lab.studio.pieces import Box, lone_piece, pieces_on
from lab.studio.solids import Face, Solid
from lab.studio.tabletop import MarkedSheet

_BOARD = SHIPPED[0]
_LEGEND_AWAY, _LEGEND_STEP = 16.0, 22.0  # mm: from the board's edge, and between pieces


@dataclass(frozen=True)
class Manner:
    """How the things of one table look and are laid, beside the pieces of track."""

    colours: Mapping[int, str]  # of the box, by seat
    pawn: tuple[float, float]  # width and height
    scores: bool
    legend: bool
    untidy: float  # mm and 10 degrees
    pushed: float = 0.0  # share of the pieces that lie beside their track by about their own width


def manner_for(rng: np.random.Generator, box: Box, laid: LaidOut) -> Manner:
    """How one random group of people lays out its table."""
    return Manner(
        dict(zip(laid.tracks, box.paints, strict=True)),
        (float(rng.uniform(7, 13)), float(rng.uniform(5, 17))),
        bool(rng.random() < 0.7),
        bool(rng.random() < 0.25),
        float(rng.uniform(0.2, 1.4)),
    )


def marked_board(laid: LaidOut, box: Box, manner: Manner, seed: int) -> MarkedSheet:
    """The board; what lies on a place always lies there in the same way."""
    return standing_board(laid, box, manner, seed)[0]


def standing_board(
    laid: LaidOut, box: Box, manner: Manner, seed: int
) -> tuple[MarkedSheet, dict[str, list[Solid]]]:
    """The board, and the pieces of track on it by slot."""
    sheet, board = board_sheet(_BOARD), board_called(_BOARD)
    marks: dict[str, str] = {}
    pieces: dict[str, list[Solid]] = {}
    for name, seats in laid.owners.items():
        colours = [manner.colours[seat] for seat in seats]
        marks[name] = "+".join(sorted(set(colours)))
        quad = sheet.slots[name].quad
        if _rng(seed, f"pushed {name}").random() < manner.pushed:
            quad = _pushed(_rng(seed, f"pushed far {name}"), quad, box.width)
        pieces[name] = pieces_on(_rng(seed, name), box, quad, colours)
    solids = [solid for some in pieces.values() for solid in some]
    for slot, colour, solid in _pawns(laid, box, manner, seed):
        marks[slot] = f"{marks[slot]}+{colour}" if slot in marks else colour
        solids.append(solid)
    if manner.legend:
        solids += [
            lone_piece(_rng(seed, f"legend {colour}"), box, colour, (-_LEGEND_AWAY, 60 + n * _LEGEND_STEP))
            for n, colour in enumerate(box.paints)
        ]
    marks |= {f"market:{column}-{price}": good for (column, price), good in laid.market.items()}
    marks |= {f"time:{number}": "time" for number in range(1, laid.times + 1)}
    flat = [
        *((board.market[place], _chip(good), True) for place, good in laid.market.items()),
        *((board.times[number], time_card(number), False) for number in range(1, laid.times + 1)),
    ]

    def paint(blank: Codes, scale: float) -> Codes:
        print_ = blank.copy()
        for n, (at, drawing, disc) in enumerate(flat):
            _paste(_rng(seed, f"flat {n}"), print_, (at, drawing, disc), scale, manner.untidy)
        return print_

    return MarkedSheet(sheet, marks, paint, tuple(solids)), pieces


def _pushed(rng: np.random.Generator, quad: Quad, width: float) -> Quad:
    """A slot moved aside by about the width of a piece."""
    corners = np.asarray(quad)
    way = corners[1] - corners[0]
    aside = np.array([-way[1], way[0]]) / np.hypot(*way) * one_of(rng, (-1.0, 1.0))
    moved = corners + aside * width * float(rng.uniform(0.8, 1.3))
    a, b, c, d = ((float(x), float(y)) for x, y in moved)
    return a, b, c, d


def _rng(seed: int, name: str) -> np.random.Generator:
    return np.random.default_rng([seed, crc32(name.encode())])


def _pawns(laid: LaidOut, box: Box, manner: Manner, seed: int) -> Iterator[tuple[str, str, Solid]]:
    """Locomotives in cities and on tracks, score pawns on their spaces: slot, colour, solid."""
    board = board_called(_BOARD)
    shared: dict[str, int] = {}
    for seat, place in laid.trains.items():
        slot = f"city:{place}" if place in board.cities else place
        (x, y) = np.mean(board_sheet(_BOARD).slots[slot].quad, axis=0)
        yield slot, manner.colours[seat], _pawn(box, manner, seat, (x, y), shared, seed)
    for seat, money in laid.money.items() if manner.scores else ():
        space = money % 100
        if space in board.spaces:
            yield (
                f"space:{space}",
                manner.colours[seat],
                _pawn(box, manner, seat, board.spaces[space], shared, seed),
            )


def _pawn(box: Box, manner: Manner, seat: int, at: Point, shared: dict[str, int], seed: int) -> Solid:
    """A turned pawn: a disc with a smaller one on its top; several on one place stand beside each other."""
    rng = _rng(seed, f"pawn {seat} {at[0]:.1f}")
    width, height = manner.pawn
    nth = shared[str(at)] = shared.get(str(at), 0) + 1
    aside = np.array([0.0, 0.0]) if nth == 1 else width * 1.05 * _turned(2.1 * nth)
    angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) * width / 2
    place = np.asarray(at) + aside + rng.normal(0, 0.5 * manner.untidy, 2)
    r, g, b = np.clip(np.array(box.paints[manner.colours[seat]]) * rng.uniform(0.8, 1.15), 0.005, 0.95)
    top = (Face(ring * 0.6 + place, 1.25), Face(ring * 0.35 + place, 0.85))
    return Solid(ring + place, height, (float(r), float(g), float(b)), top)


def _turned(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)])


@lru_cache(maxsize=16)
def _chip(good: str) -> Drawing:
    radius = PRINTED.tile.chip / 2
    return Drawing((2 * radius, 2 * radius), tuple(good_shapes(good, (radius, radius), radius - 0.3)))


def _paste(
    rng: np.random.Generator,
    print_: Codes,
    what: tuple[Point, Drawing, bool],
    scale: float,
    untidy: float,
) -> None:
    """Lay a chip (turned as it fell) or a card on the print."""
    at, drawing, disc = what
    art = np.asarray(picture(drawing, scale * MM_PER_INCH))
    turn = float(rng.uniform(0, 360)) if disc else float(rng.normal(0, 4 * untidy) + one_of(rng, (0, 90)))
    middle = (np.asarray(at) + rng.normal(0, 0.6 * untidy, 2)) * scale
    centre = (art.shape[1] / 2, art.shape[0] / 2)
    matrix = np.asarray(cv2.getRotationMatrix2D(centre, turn, 1.0), np.float64)
    matrix[:, 2] += middle - np.array([art.shape[1], art.shape[0]]) / 2
    size = (print_.shape[1], print_.shape[0])
    mask = np.zeros(art.shape[:2], np.uint8)
    if disc:
        cv2.circle(mask, (art.shape[1] // 2, art.shape[0] // 2), art.shape[0] // 2 - 1, 255, -1)
    else:
        mask[:] = 255
    low = np.maximum(np.floor(middle - max(art.shape)), 0).astype(int)
    high = np.minimum(np.ceil(middle + max(art.shape)), size).astype(int)
    matrix[:, 2] -= low.astype(np.float64)
    part = (int(high[0] - low[0]), int(high[1] - low[1]))
    laid = cv2.warpAffine(art, matrix, part)
    share = cv2.warpAffine(mask, matrix, part).astype(np.float32)[..., None] / 255
    under = print_[low[1] : high[1], low[0] : high[0]]
    under[:] = (under * (1 - share) + laid * share).astype(np.uint8)
