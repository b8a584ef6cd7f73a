"""Reads a photograph of the board; the entry is :func:`read_board`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.game.packages import title_of_kind
from companion.games.spike.printing.sheets import board_sheet, board_sheets
from companion.games.spike.reader.readings import BoardPhoto, BoardReading
from companion.games.spike.reader.things import Things, read_things, things_of
from companion.games.spike.rules.boards.board import SHIPPED
from companion.reading.evidence import PhotoReading, Quality, SlotReading
from companion.reading.types import Corners
from companion.sheets.printing.png import MM_PER_INCH, picture
from companion.sheets.sheet import Sheet
from vision.find.by_tags import FoundSheet
from vision.find.seeing import Search, Seen, see, why_nothing
from vision.pieces.colours import learn_colours, slot_readings
from vision.pieces.finding import PieceBoard, look_for_pieces
from vision.pieces.strays import with_strays
from vision.register.rectify import Image, Placement, picture_size, straightened

_SEGMENT = 42.0  # pixels of a usual track in the straightened picture: what the network was trained on
_ENOUGH = 1.9  # pixels per mm at which tracks are read well
_MOST_COLOURS = 4  # more people do not play
_COARSE = 16  # pixels of the straightened picture between places that are tried for being in the photograph


@dataclass(frozen=True, eq=False)
class BoardViews:
    """The views of one board, computed once."""

    sheet: Sheet
    pieces: PieceBoard
    things: Things

    @property
    def scale(self) -> float:
        """Pixels per mm of the straightened picture."""
        return self.pieces.scale


@lru_cache(maxsize=3)
def board_views(board: str) -> BoardViews:
    """The views of a board given by name or text."""
    sheet = board_sheet(board)
    quads = {name: slot.quad for name, slot in sheet.slots.items() if slot.kind == "track"}
    lengths = [np.hypot(*(np.array(quad[1]) - quad[0])) for quad in quads.values()]
    scale = round(_SEGMENT / float(np.median(lengths)), 2)
    print_ = np.asarray(picture(sheet.blank, scale * MM_PER_INCH))[:, :, ::-1]
    size = picture_size(sheet.outline, scale)
    blank = np.asarray(cv2.resize(np.ascontiguousarray(print_), size, interpolation=cv2.INTER_AREA), np.uint8)
    return BoardViews(sheet, PieceBoard(blank, quads, scale), things_of(sheet, blank, scale))


def read_board(
    photo: bytes | Image,
    board: str = "",
    corners: Corners | None = None,
    players: Sequence[tuple[str, int]] = (),
) -> BoardPhoto:
    """Find and read every board in a photograph.

    ``board``: an owner's own, if one is played on; ``corners``: of its area, if marked by hand; ``players``:
    the owners of colours, as far as given.
    """
    sheets = [board_sheet(board)] if board else list(board_sheets())
    marked = None if corners is None else (sheets[0], corners)
    seen = see(photo, Search(sheets, _ENOUGH, marked=marked))
    read = tuple(_read(seen, found, board, dict(players)) for found in seen.sheets)
    notes = () if read else (why_nothing(seen, sheets, title_of=title_of_kind),)
    return PhotoReading(*seen.picture.whole, read, notes)


def _read(seen: Seen, found: FoundSheet, board: str, players: Mapping[str, int]) -> BoardReading:
    views = board_views(board or found.sheet.edition or SHIPPED[0])
    image, sheet = seen.picture.image, found.sheet
    straight = straightened(image, found.placement, sheet, views.scale, rectangle=sheet.outline)
    outside = _outside(found.placement, sheet, views.scale, (image.shape[1], image.shape[0]))
    lean = views.pieces.lean(found.placement, (image.shape[1], image.shape[0]))
    pieces = look_for_pieces(straight, views.pieces, lean, outside)
    palette = learn_colours(list(pieces.looks.values()), names=list(players), most_colours=_MOST_COLOURS)
    looks = with_strays(pieces, views.pieces, palette, lean)
    slots: dict[str, SlotReading] = dict(slot_readings(looks, palette))
    slots |= read_things(views.things, pieces.compared, palette, outside)
    slots = {name: palette.in_words(slot) for name, slot in slots.items()}
    return BoardReading(
        sheet.name,
        sheet.edition,
        sheet.seat,
        seen.corners_of(found),
        slots,
        Quality(found.found_by, found.scale * max(seen.picture.enlarging), pieces.compared.light),
        palette,
        board or sheet.edition,
        looks,
        players,
    )


def _outside(
    placement: Placement, sheet: Sheet, scale: float, size: tuple[int, int]
) -> NDArray[np.bool_] | None:
    """Mask of pixels of the straightened picture outside the photograph; None if there are none."""
    width, height = picture_size(sheet.outline, scale)
    x = (np.arange(0, width + _COARSE, _COARSE)) / scale
    y = (np.arange(0, height + _COARSE, _COARSE)) / scale
    pixels = placement.pixels(np.stack(np.meshgrid(x, y), axis=-1))
    out = ((pixels < 0) | (pixels > np.asarray(size))).any(axis=-1)
    if not out.any():
        return None
    coarse = np.asarray(out, np.uint8)
    grown = np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST))
    return np.asarray(grown > 0, np.bool_)
