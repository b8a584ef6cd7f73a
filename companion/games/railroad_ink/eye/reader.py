"""How Railroad Ink reads photographs: see :class:`companion.games.parts.Reader`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.core.messages import Seat, m
from companion.games.kit.evidence import TOO_DARK, TOO_SMALL, advice_of
from companion.games.kit.joining import joined_photos
from companion.games.parts import Reader
from companion.games.railroad_ink.eye.boards import SHEET_OUTLINE, grid_corners, teach
from companion.games.railroad_ink.eye.reading import ReadWish, read_photo
from companion.games.railroad_ink.eye.readings import PhotoReading, SheetQuality, SheetReading
from companion.games.railroad_ink.eye.seats import answer_for_seat
from companion.games.railroad_ink.eye.told import Known, KnownBoards, read_faces, ruled_sheet
from companion.games.railroad_ink.paper.printed import check_edition
from companion.games.railroad_ink.paper.sheets import board_sheet
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.rulebook import EDITIONS, EditionName
from companion.games.railroad_ink.rules.state import State
from companion.games.sight import Corners, FoundPosition, SeenSheet, View, Wish
from vision.rectify import Image
from vision.taught import load_taught, save_taught
from vision.taught_trial import trial

_GRID_PIXELS = 796  # as many as the page's drawing has units, so that the two lie on each other
_GRID_RIM = 62
# A reading gets doubtful beyond these: see the measurements in the eye's README.
_FINE_PIXELS, _FINE_SHARPNESS, _FINE_LIGHT, _FINE_GLARE = 1.5, 0.2, 0.3, 0.03


class RailroadInkReader(Reader[State, SheetReading]):
    """Reads boards of routes drawn by hand: by their corner tags, taught, or by marked corners."""

    expansions = tuple(TABLES)
    joins_photos = True
    finds_positions = True
    learns_boards = True

    answer = staticmethod(answer_for_seat)
    joined = staticmethod(joined_photos)

    def read(self, photo: bytes | Image, wish: Wish) -> PhotoReading:
        """Find and read every board in a photograph."""
        taught = tuple(
            board if wish.seat is None else msgspec.structs.replace(board, seat=wish.seat)
            for board in map(load_taught, wish.taught)
        )
        return read_photo(
            photo,
            ReadWish(_edition(wish), wish.seat or 1, wish.corners, taught, wish.expansion, not wish.quick),
        )

    def view(self, reading: PhotoReading) -> View:
        """Which boards are in the picture and how it could be better."""
        sheets = tuple(
            SeenSheet(
                sheet.seat,
                m("Blueprint card") if sheet.is_card else m("{seat}", seat=Seat(sheet.seat, begins=True)),
                tuple((x / reading.width, y / reading.height) for x, y in sheet.corners_px),
                _advice(sheet.quality),
            )
            for sheet in reading.sheets
        )
        return View(sheets, reading.notes)

    def seats(self, state: State) -> Sequence[int]:
        """Everybody draws on a board of his own."""
        return tuple(state.boards)

    def wish(self, state: State, seat: int | None, corners: Corners | None, taught: Sequence[Path]) -> Wish:
        """Taught boards of the match's edition are the seat's own; among several nobody could tell whose."""
        if seat is None and len(state.boards) == 1:
            (seat,) = state.boards
        edition = state.options.edition
        own = tuple(path for path in taught if load_taught(path).edition == edition) if seat else ()
        expansion = state.options.known
        if own or corners:
            return Wish(edition, seat, corners, own, expansion=expansion)
        return Wish(edition, expansion=expansion)

    def above(self, image: Image, sheet: SheetReading) -> Image:
        """The grid seen from straight above, with as much rim as the page's drawing has."""
        to_photo = cv2.getPerspectiveTransform(
            SHEET_OUTLINE.astype(np.float32), np.array(sheet.corners_px, np.float32)
        )
        grid = cv2.perspectiveTransform(np.array([grid_corners()], np.float64), to_photo)[0]
        low, high = _GRID_RIM, 700 + _GRID_RIM
        square = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32)
        straightened = cv2.getPerspectiveTransform(grid.astype(np.float32), square)
        return np.asarray(cv2.warpPerspective(image, straightened, (_GRID_PIXELS, _GRID_PIXELS)), np.uint8)

    def known(self, wish: Wish, rolled: str | None) -> KnownBoards:
        """The dice of the round; taught boards have to be there."""
        _edition(wish)
        for path in wish.taught:
            load_taught(path)
        if rolled is None:
            return KnownBoards(expansion=wish.expansion)
        return KnownBoards(*read_faces(rolled, wish.expansion), wish.expansion)

    def positions(self, reading: PhotoReading) -> Sequence[FoundPosition[SheetReading]]:
        """Every board as the rules allow it."""
        return [_position(sheet) for sheet in reading.sheets]

    def teach(self, path: Path, image: Image, wish: Wish) -> str:
        """Learn how an empty board of the owner's own looks, and say if it will hardly be found again."""
        board = teach(path.stem, image, wish.corners or (), wish.seat or 1, _edition(wish))
        save_taught(board, path)
        return trial(board, board_sheet(board.edition, board.seat)).says


def _edition(wish: Wish) -> EditionName:
    return check_edition(wish.edition or EDITIONS[0])


def _advice(quality: SheetQuality) -> tuple[str, ...]:
    """How the picture could be better, in the order in which it matters."""
    checks: dict[str, bool] = {
        TOO_SMALL: quality.pixels_per_mm < _FINE_PIXELS,
        m("blurred: let the camera stand still, wipe its lens"): quality.sharpness < _FINE_SHARPNESS,
        TOO_DARK: quality.light < _FINE_LIGHT,
        m("a lamp is mirrored on it: turn the lamp or the board"): quality.glare > _FINE_GLARE,
    }
    return advice_of(checks)


def _position(sheet: SheetReading) -> FoundPosition[SheetReading]:
    ruling = ruled_sheet(sheet, Known()).as_json()
    cells = ruling["cells"]
    rounds = {name: sheet.cells[name].round for name in cells if sheet.cells[name].round}
    position = {"edition": sheet.edition, "cells": cells, "rounds": rounds}
    if sheet.walls:
        position["blueprint"] = list(sheet.walls)
    return FoundPosition(sheet.seat, position, ruling, sheet)
