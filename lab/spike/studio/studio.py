"""The part ``studio`` of the package: see :class:`companion.game.parts.Studio`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from msgspec import structs

from companion.core.jsontext import JsonObject
from companion.games.spike.rules.boards.board import SHIPPED, board_called
from companion.games.spike.rules.match.state import State
from companion.sheets.seat_marks import seat_mark
from lab.spike.studio.board import Manner, manner_for, marked_board
from lab.spike.studio.positions import LaidOut, laid_out, made_up
from lab.studio.darkroom import packed
from lab.studio.levels import Level, level_named
from lab.studio.pieces import HELD_OUT, SETS, Box, box_for
from lab.studio.tabletop import MarkedSheet, SheetStudio, lay_table, photograph, table_truth

# By level, pixels per mm at least: a board is as large as a table, and people let it fill the picture.
_SCALES: Mapping[str, float] = {"clean": 2.3, "table": 1.9, "hard": 1.6}
_MARGIN, _TURN = (1.02, 1.2), 20.0
_DEMO_SET, _DEMO_SEED = "plastic-rails", 7


@dataclass(frozen=True)
class BoardSpec:
    """What is asked of a picture beyond its level; None leaves it to the seed."""

    megapixels: float | None = None
    held_out: Collection[str] = ()  # sets of pieces that are not to be used
    only: str | None = None  # the set of pieces
    pushed: float = 0.0  # share of the pieces that were pushed beside their tracks


def take_board(
    seed: int, level: str, photo: str = "photo.jpg", spec: BoardSpec | None = None
) -> tuple[bytes, JsonObject]:
    """One picture of a made-up position as JPEG, and its truth."""
    spec = spec or BoardSpec()
    rng = np.random.default_rng([seed, 1])
    laid = made_up(rng, board_called(SHIPPED[0]))
    box = box_for(rng, len(laid.tracks), spec.held_out, spec.only)
    manner = replace(manner_for(rng, box, laid), pushed=spec.pushed)
    table = lay_table(
        [marked_board(laid, box, manner, seed)], seed, level, spec.megapixels, board_level(level)
    )
    truth = table_truth(table, photo)
    truth["sheets"][0] |= _told(laid, box, manner)
    return packed(photograph(table), table.sensor.jpeg), truth


def board_level(name: str) -> Level:
    """The level as it is for a board of half a metre."""
    level = level_named(name)
    return structs.replace(
        level,
        scale=_SCALES.get(name, level.scale),
        margin=_MARGIN,
        turn=min(level.turn, _TURN),
        megapixels=(2.0, 12.0),
    )


def _told(laid: LaidOut, box: Box, manner: Manner) -> JsonObject:
    """What a picture's truth says beside its slots."""
    before = {
        str(seat): [name for name in names if seat != laid.turn or name not in laid.last]
        for seat, names in laid.tracks.items()
    }
    return {
        "pieces": box.kind.name,
        "players": {colour: seat for seat, colour in manner.colours.items()},
        "tracks": {str(seat): list(names) for seat, names in laid.tracks.items()},
        "before": before,
        "homes": {str(seat): city for seat, city in laid.homes.items()},
        "covered": [place for place in laid.trains.values() if place in laid.owners],  # by a locomotive
        "turn": laid.turn,
        "last": list(laid.last),
        "shared": laid.shared,
    }


class SpikeStudio(SheetStudio[State]):
    """The board with pieces of many boxes, photographed on somebody's table."""

    def made_up(self, rng: np.random.Generator) -> Sequence[MarkedSheet]:
        """A board at some moment of a match."""
        laid = made_up(rng, board_called(SHIPPED[0]))
        box = box_for(rng, len(laid.tracks), held_out=())
        return [marked_board(laid, box, manner_for(rng, box, laid), int(rng.integers(2**31)))]

    def take(self, seed: int, level: str, photo: str) -> tuple[bytes, JsonObject]:
        """One picture of a made-up board as JPEG, and its truth."""
        return take_board(seed, level, photo)

    def on_the_table(self, state: State) -> Sequence[MarkedSheet]:
        """The board of a match with plastic rails in the colours of the seats."""
        laid = laid_out(state)
        colours = {seat: seat_mark(seat).colour for seat in state.players}
        kind = SETS[_DEMO_SET]
        box = Box(kind, 15.0, 5.0, 3.0, 0.3, {name: _paint(seat) for seat, name in colours.items()}, 0.4)
        return [marked_board(laid, box, Manner(colours, (9.0, 9.0), True, False, 0.4), _DEMO_SEED)]


def _paint(seat: int) -> tuple[float, float, float]:
    ink = seat_mark(seat).ink
    r, g, b = ((int(ink[n : n + 2], 16) / 255) ** 2.2 for n in (1, 3, 5))
    return r, g, b


__all__ = ["HELD_OUT", "BoardSpec", "SpikeStudio", "take_board"]
