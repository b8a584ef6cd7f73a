"""The reading of a photograph of the board, and its line in ``read spike --json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import cv2
import numpy as np

from companion.core.jsontext import JsonObject
from companion.reading.evidence import EMPTY, PhotoReading, SheetReading, SlotReading
from companion.reading.evidence import slot_json as told_slot
from vision.pieces.colours import Palette
from vision.pieces.finding import Lab, PieceLook

_SURELY = 0.97  # empty slots that are surer than this are left out


@dataclass(frozen=True)
class BoardReading(SheetReading[SlotReading]):
    """The reading of a board: marks are the pieces' colours, or goods in the market.

    ``palette``: the colours found on the table; ``board``: the board's name, or its text. ``pieces``: the
    looks at tracks behind the marks, for a single photograph. ``players``: the seats that were said to play a
    colour before the photograph was read.
    """

    palette: Palette = field(default_factory=lambda: Palette({}, 1.0))
    board: str = ""
    pieces: Mapping[str, PieceLook] = field(default_factory=dict)
    players: Mapping[str, int] = field(default_factory=dict)

    @property
    def tracks(self) -> dict[str, SlotReading]:
        """The slots of tracks, without those of cities."""
        return {name: slot for name, slot in self.slots.items() if ":" not in name}

    def as_json(self) -> JsonObject:
        """The board in a line of ``read --json``; what is surely empty is left out."""
        told = super().as_json()
        slots = {
            name: self._slot_json(slot)
            for name, slot in self.slots.items()
            if slot.cannot_see is not None or slot.best != EMPTY or slot.p < _SURELY
        }
        colours = {name: colour_code(colour) for name, colour in self.palette.colours.items()}
        return {**told, "slots": slots, "colours": colours}

    def _slot_json(self, slot: SlotReading) -> JsonObject:
        """The slot with seat numbers for colours whose owner is known."""
        told = told_slot(slot, "mark")
        if self.players and told.get("mark") is not None:
            seats = (str(self.players.get(part, part)) for part in told["mark"].split("+"))
            told["mark"] = "+".join(sorted(seats))
        return told


BoardPhoto: TypeAlias = PhotoReading[BoardReading]


def colour_code(colour: Lab) -> str:
    """A colour as ``#rrggbb``."""
    pixel = np.array([[colour]], np.float32)
    r, g, b = np.clip(cv2.cvtColor(pixel, cv2.COLOR_Lab2RGB)[0, 0] * 255, 0, 255).astype(int).tolist()
    return f"#{r:02x}{g:02x}{b:02x}"


def renamed(reading: BoardReading, names: Mapping[str, str]) -> BoardReading:
    """The reading with other names for colours."""
    slots = {
        name: SlotReading(
            {_renamed(mark, names): p for mark, p in slot.probabilities.items()},
            slot.cannot_see,
            slot.corners,
        )
        for name, slot in reading.slots.items()
    }
    colours = {names.get(name, name): colour for name, colour in reading.palette.colours.items()}
    return BoardReading(
        reading.sheet,
        reading.edition,
        reading.seat,
        reading.corners_px,
        slots,
        reading.quality,
        Palette(colours, reading.palette.scatter),
        reading.board,
        reading.pieces,
    )


def _renamed(mark: str, names: Mapping[str, str]) -> str:
    return "+".join(sorted(names.get(part, part) for part in mark.split("+"))) if mark else mark
