"""The mats as sheets: what is printed, read and shown by the same numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

from companion.games.derailed.printing.mat_art import mat_drawing
from companion.games.derailed.printing.printed import (
    MATS,
    PRINTED,
    lanes_of_mat,
    mat_size,
    slot_quads,
    tag_quads,
)
from companion.games.derailed.rules.network import grid_of
from companion.games.derailed.rules.rulebook import ROWS
from companion.sheets.drawing import rectangle
from companion.sheets.sheet import Sheet, Slot


@lru_cache(maxsize=len(MATS))
def mat_sheet(edition: str) -> Sheet:
    """The mat of an edition, which all share. Its slots are of the kinds ``rail`` and ``station``."""
    lanes, mat = lanes_of_mat(edition), PRINTED.mat
    rails = set(grid_of(lanes).names)
    return Sheet(
        name=PRINTED.name,
        edition=edition,
        seat=1,
        size=mat_size(lanes),
        tags=tag_quads(lanes),
        slots={
            name: Slot(quad, "rail" if name in rails else "station")
            for name, quad in slot_quads(lanes).items()
        },
        area=rectangle((mat.side, mat.edge), (lanes * mat.cell[0], (ROWS + 2) * mat.cell[1])),
        draw=partial(mat_drawing, edition),
    )


def mat_sheets() -> Sequence[Sheet]:
    """The mats for every number of lanes."""
    return [mat_sheet(edition) for edition in MATS]
