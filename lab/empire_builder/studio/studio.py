"""The part ``studio`` of the package: see :class:`companion.game.parts.Studio`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.core.jsontext import JsonObject
from companion.games.empire_builder.printing.sheets import map_sheet
from companion.games.empire_builder.rules.boards.position import print_track
from companion.games.empire_builder.rules.boards.tracks import edges_of
from companion.games.empire_builder.rules.match.state import State
from companion.sheets.sheet import Sheet
from lab.empire_builder.studio.crayons import (
    NOTHING_HELD_OUT,
    WAX_LEVELS,
    CrayonHand,
    HeldOut,
    take_hands,
)
from lab.empire_builder.studio.maps import DrawnMap, draw_map
from lab.empire_builder.studio.networks import Played, as_builds, played
from lab.empire_builder.studio.standing import as_thing
from lab.studio.cameras import transformed
from lab.studio.darkroom import Codes, packed
from lab.studio.habits import one_of
from lab.studio.ink import linear
from lab.studio.series import PictureStudio
from lab.studio.strokes import Points
from lab.studio.tabletop import MarkedSheet, Tabletop, lay_table, photograph, table_truth
from lab.studio.things import Thing, crayon, pen, small_thing

_DEMO_SEED, _DEMO_LEVEL, _DEMO_MEGAPIXELS, _QUALITY = 2, "clean", 9.0, 88
_SEATS, _MOST_TURNS = (2, 6), 16  # of made-up matches; turns each
_A_CRAYON, _A_PEN = 0.3, 0.1  # share of what lies on the map


@dataclass(frozen=True)
class PictureSpec:
    """What is asked of a picture beyond its level; ``None`` leaves it to the seed."""

    match: Played | None = None
    held_out: HeldOut = NOTHING_HELD_OUT
    megapixels: float | None = None
    crowd: int = 1  # times as much as usual stands and lies on the map
    stopped: int = 0  # edges that somebody began and left
    sheet: Sheet | None = None  # another print than ours
    empty: bool = False  # nothing is drawn on it, nothing stands there: to be taught from


class EmpireBuilderStudio(PictureStudio[State]):
    """The map with everybody's crayon on it, photographed on somebody's table."""

    def take(self, seed: int, level: str, photo: str) -> tuple[bytes, JsonObject]:
        """Maps of made-up matches, with everything about the picture as truth."""
        return take_map_picture(seed, level, photo)

    def picture(self, state: State, number: int) -> bytes:
        """The map of the match: what was drawn once stays as it was, others take the turn's lines up."""
        hands = take_hands(np.random.default_rng(_DEMO_SEED), 6, WAX_LEVELS[_DEMO_LEVEL])
        drawn = draw_map(as_builds(state.board, state.track), hands, _DEMO_LEVEL, _DEMO_SEED, crowd=0)
        table = laid_map(drawn, _DEMO_SEED, _DEMO_LEVEL, _DEMO_MEGAPIXELS)
        return packed(photograph(replace(table, seed=table.seed + number)), _QUALITY)


def made_up_match(rng: np.random.Generator) -> Played:
    """A match of two to six after some turns."""
    seats = int(rng.integers(_SEATS[0], _SEATS[1] + 1))
    return played(rng, seats, int(rng.integers(1, _MOST_TURNS * seats + 1)))


def take_map_picture(
    seed: int, level: str, photo: str = "photo.jpg", spec: PictureSpec | None = None
) -> tuple[bytes, JsonObject]:
    """One picture as JPEG, and its truth."""
    spec = spec or PictureSpec()
    rng = np.random.default_rng([seed, 1])
    match = spec.match or made_up_match(rng)
    hands = take_hands(rng, len(match.after.players), WAX_LEVELS[level], spec.held_out)
    drawn = draw_map(match.builds, hands, level, seed, crowd=spec.crowd, stopped=spec.stopped)
    if spec.empty:
        drawn = replace(drawn, marks={}, paint=bare, pieces=())
    crowd = 0 if spec.empty else spec.crowd
    table = laid_map(drawn, seed, level, spec.megapixels, crowd, spec.sheet)
    return packed(photograph(table), table.sensor.jpeg), _truth(table, photo, match, hands)


def laid_map(
    drawn: DrawnMap,
    seed: int,
    level: str,
    megapixels: float | None = None,
    crowd: int = 0,
    sheet: Sheet | None = None,
) -> Tabletop:
    """The map on a table, with what stands on it; ``sheet``: another print than ours."""
    sheet = sheet or map_sheet()
    table = lay_table([MarkedSheet(sheet, drawn.marks, drawn.paint)], seed, level, megapixels)
    sun = np.random.default_rng([seed, 5]).normal(0, 0.5, 2)
    to_table = table.sheets[0].to_table
    pieces = [as_thing(piece, to_table, table.camera, sun) for piece in drawn.pieces]
    rng = np.random.default_rng([seed, 6])
    least, most = WAX_LEVELS[level].litter
    litter = [
        _lying(rng, drawn.waxes, transformed(to_table, rng.uniform((0, 0), sheet.size)[None])[0])
        for _ in range(crowd * int(rng.integers(least, most + 1)))
    ]
    return replace(table, things=[*table.things, *pieces, *litter])


def bare(blank: Codes, _scale: float) -> Codes:
    """A map on which nobody has drawn yet."""
    return blank


def _lying(rng: np.random.Generator, waxes: Sequence[str], at: Points) -> Thing:
    """Something that lies on the map: often a crayon with which somebody has just drawn."""
    kind = rng.random()
    if waxes and kind < _A_CRAYON:
        r, g, b = linear(one_of(rng, waxes))
        return crayon(rng, at, (float(r), float(g), float(b)))
    return pen(rng, at) if kind < _A_CRAYON + _A_PEN else small_thing(rng, at, over=True)


def _truth(table: Tabletop, photo: str, match: Played, hands: dict[int, CrayonHand]) -> JsonObject:
    truth = table_truth(table, photo)
    on, (sheet,) = match.after.board, truth["sheets"]
    sheet["players"] = {hand.colour: seat for seat, hand in hands.items()}
    sheet["seat_to_move"] = match.builds[-1].seat if match.builds else 1
    for name, state in (("before", match.before), ("after", match.after)):
        sheet[name] = {str(seat): print_track(on, edges_of(state.track, seat)) for seat in state.players}
    return truth
