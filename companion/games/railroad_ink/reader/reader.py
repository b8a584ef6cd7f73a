"""How Railroad Ink reads photographs: see :class:`companion.reading.base.Reader`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.core.jsontext import JsonObject
from companion.core.messages import Seat, m, nm
from companion.game.base import Action
from companion.games.railroad_ink.printing.printed import check_edition
from companion.games.railroad_ink.printing.sheets import board_sheet
from companion.games.railroad_ink.reader.boards import SHEET_OUTLINE, grid_corners, teach
from companion.games.railroad_ink.reader.context import BoardsContext, PhotoContext, read_faces, ruled_sheet
from companion.games.railroad_ink.reader.overlay import draw_board
from companion.games.railroad_ink.reader.reading import ReadOptions, read_photo
from companion.games.railroad_ink.reader.readings import PhotoReading, SheetReading
from companion.games.railroad_ink.reader.ruling.answer import BoardRuling
from companion.games.railroad_ink.reader.seats import at_seat, rule_seat, sheet_of_seat, under_way
from companion.games.railroad_ink.rules.blueprints import blueprint_named
from companion.games.railroad_ink.rules.boards.position import print_cells
from companion.games.railroad_ink.rules.boards.walls import parse_walls
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.rulebook import EDITIONS, GRID, EditionName
from companion.reading.annotation import Annotations, Pencil
from companion.reading.answer import SeatQuery
from companion.reading.base import Reader
from companion.reading.evidence import TOO_DARK, TOO_SMALL, advice_of
from companion.reading.types import Corners, FoundPosition, ReadHints
from companion.reading.watched import WatchedBoard
from companion.sheets.sheet import Sheet
from vision.register.rectify import Image, Places
from vision.taught.boards import load_taught, placed_by_corners, save_taught
from vision.taught.trial import trial

_GRID_PIXELS = 796  # as many as the page's drawing has units, so that the two lie on each other
_GRID_RIM = 62
# A reading gets doubtful beyond these: see the measurements in the eye's README.
_FINE_PIXELS, _FINE_SHARPNESS, _FINE_LIGHT, _FINE_GLARE = 1.5, 0.2, 0.3, 0.03


class RailroadInkReader(Reader[State, SheetReading, BoardRuling]):
    """Reads boards of routes drawn by hand: by their corner tags, taught, or by marked corners."""

    opacity = 0.8
    expansions = tuple(TABLES)
    joins_photos = True
    finds_positions = True
    learns_boards = learns_unnamed = True

    seat_sheet = staticmethod(sheet_of_seat)
    rule_seat = staticmethod(rule_seat)

    def read(self, photo: bytes | Image, hints: ReadHints) -> PhotoReading:
        """Find and read every board in a photograph."""
        taught = tuple(
            board if hints.seat is None else msgspec.structs.replace(board, seat=hints.seat)
            for board in map(load_taught, hints.taught)
        )
        return read_photo(
            photo,
            ReadOptions(_edition(hints), hints.seat, hints.corners, taught, hints.expansion, not hints.quick),
        )

    def name_of(self, sheet: SheetReading) -> str:
        """The name of a board: its seat's, or that of a card beside the boards."""
        return m("Blueprint card") if sheet.is_card else super().name_of(sheet)

    def advice(self, sheet: SheetReading) -> tuple[str, ...]:
        """Advice for a better picture, in the order in which it matters."""
        quality = sheet.quality
        checks: dict[str, bool] = {
            TOO_SMALL: quality.pixels_per_mm < _FINE_PIXELS,
            m("blurred: let the camera stand still, wipe its lens"): quality.sharpness < _FINE_SHARPNESS,
            TOO_DARK: quality.light < _FINE_LIGHT,
            m("a lamp is reflected on it: turn the lamp or the board"): quality.glare > _FINE_GLARE,
        }
        return advice_of(checks)

    def counted(self, number: int) -> str:
        return nm("{n} board", "{n} boards", number)

    def heading(self, sheet: SheetReading) -> str:
        """The owner of the board."""
        if sheet.is_card:
            return m("a blueprint card: {walls}", walls=_walls_words(sheet))
        owner, found_by = Seat(sheet.seat), sheet.quality.found_by
        return m(
            "{seat} ({edition}), found by {found_by}", seat=owner, edition=sheet.edition, found_by=found_by
        )

    def describe(self, sheet: SheetReading, ruling: BoardRuling | None) -> Iterator[str]:
        """The walls and the routes, row by row."""
        if sheet.is_card:
            return
        if sheet.walls:
            yield m("walls: {walls}", walls=_walls_words(sheet))
        seen = {name: "?" if cell.cannot_see else cell.best for name, cell in sheet.cells.items()}
        routes = seen if ruling is None else ruling.labels
        for row in range(0, len(GRID.names), GRID.columns):
            names = GRID.names[row : row + GRID.columns]
            yield "".join(f"{routes.get(name) or '.':7}" for name in names).rstrip()

    def describe_ruling(self, ruling: BoardRuling) -> Iterator[str]:
        """The marks of an expansion by the ruling."""
        if ruling.marks:
            told = ", ".join(f"{place} {text}" for place, text in ruling.marks.items())
            yield m("marks: {marks}", marks=told)

    def unread(self, sheet: SheetReading) -> Sequence[str]:
        """The uncertain cells; a card has none."""
        return () if sheet.is_card else sheet.doubtful

    def annotations(self, sheet: SheetReading, ruling: BoardRuling | None) -> Annotations:
        """The marks to draw, with the owner and the outcome of the ruling."""
        title = f"seat {sheet.seat}" + ("" if ruling is None else f": {ruling.outcome}")
        return Annotations.of(sheet, ruling, title)

    def printed(self, sheet: SheetReading) -> Sheet:
        """The printed board of the edition that was seen."""
        return board_sheet(sheet.edition, sheet.seat or 1)

    def draw(self, pencil: Pencil, sheet: SheetReading, marked: Annotations) -> None:
        """Draw routes and mark cells that are new, in doubt or unseen."""
        draw_board(pencil, marked)

    def seats(self, state: State) -> Sequence[int]:
        """All seats, since each player has a board."""
        return tuple(state.boards)

    def hints(
        self, state: State, seat: int | None, corners: Corners | None, taught: Sequence[Path]
    ) -> ReadHints:
        """Taught boards of the match's edition are the seat's own; among several nobody could tell whose."""
        if seat is None and len(state.boards) == 1:
            (seat,) = state.boards
        edition = state.options.edition
        own = tuple(path for path in taught if load_taught(path).edition == edition) if seat else ()
        expansion = state.options.known
        if own or corners:
            return ReadHints(edition, seat, corners, own, expansion=expansion)
        return ReadHints(edition, expansion=expansion)

    def rectified_sheet(self, image: Image, sheet: SheetReading) -> Image:
        """The grid from straight above, with the margin of the page's drawing."""
        to_photo = cv2.getPerspectiveTransform(
            SHEET_OUTLINE.astype(np.float32), np.array(sheet.corners_px, np.float32)
        )
        grid = cv2.perspectiveTransform(np.array([grid_corners()], np.float64), to_photo)[0]
        low, high = _GRID_RIM, 700 + _GRID_RIM
        square = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32)
        straightened = cv2.getPerspectiveTransform(grid.astype(np.float32), square)
        return np.asarray(cv2.warpPerspective(image, straightened, (_GRID_PIXELS, _GRID_PIXELS)), np.uint8)

    def annotated_sheet(self, rectified: Image, sheet: SheetReading, ruling: BoardRuling | None) -> Image:
        """The page draws over it."""
        return rectified

    def watched(self, query: SeatQuery[State, SheetReading]) -> WatchedBoard:
        """A round is complete once every die that fits is drawn; what is legal until then is under way."""
        query = at_seat(query)
        state, seat = query.state, query.seat
        if state.mode == "umpire" and (not state.lies or seat not in state.awaited):
            return WatchedBoard("idle")
        found = super().watched(query)
        if state.mode == "scorekeeper":
            same = found.action is not None and _cells_of(found.action) == print_cells(
                state.boards[seat].cells()
            )
            return WatchedBoard("idle") if same else found
        if found.meaning not in ("against", "unclear"):
            return found
        sheet = sheet_of_seat(query)
        # What is clear without the dice that are left is not taken for a die drawn badly, nor for a mistake
        if not isinstance(sheet, tuple) and under_way(query, sheet) == "accepted":
            return WatchedBoard("unfinished", says=found.says)
        return found

    def context(self, hints: ReadHints, rolled: str | None) -> BoardsContext:
        """The dice of the round; taught boards have to be there."""
        _edition(hints)
        for path in hints.taught:
            load_taught(path)
        if rolled is None:
            return BoardsContext(expansion=hints.expansion)
        return BoardsContext(*read_faces(rolled, hints.expansion), hints.expansion)

    def positions(self, reading: PhotoReading) -> Sequence[FoundPosition[SheetReading, BoardRuling]]:
        """Every board as the rules allow it."""
        return [_position(sheet) for sheet in reading.sheets]

    def outlines(self, image: Image, hints: ReadHints) -> list[Places]:
        """The grid and its cells."""
        sheet = board_sheet(_edition(hints), hints.seat or 1)
        placement = placed_by_corners(hints.corners or (), sheet, (image.shape[1], image.shape[0]))
        cells = (slot.quad for slot in sheet.slots.values())
        return list(placement.pixels(np.array([sheet.area, *cells])))

    def teach(self, path: Path, image: Image, hints: ReadHints) -> str:
        """Learn how an empty board of the owner's own looks, and say if it will hardly be found again."""
        board = teach(path.stem, image, hints.corners or (), hints.seat or 1, _edition(hints))
        save_taught(board, path)
        return trial(board, board_sheet(board.edition, board.seat)).says


def _edition(hints: ReadHints) -> EditionName:
    return check_edition(hints.edition or EDITIONS[0])


def _cells_of(action: Action) -> JsonObject:
    cells: JsonObject = action.data["cells"]
    return cells


def _walls_words(sheet: SheetReading) -> str:
    """The walls, and whose they are if they come along."""
    told = " ".join(sheet.walls or ())
    name = blueprint_named(parse_walls(sheet.walls or ()))
    return f"{name} ({told})" if name else told


def _position(sheet: SheetReading) -> FoundPosition[SheetReading, BoardRuling]:
    ruling = ruled_sheet(sheet, PhotoContext())
    cells = ruling.labels
    rounds = {name: sheet.cells[name].round for name in cells if sheet.cells[name].round}
    position: JsonObject = {"edition": sheet.edition, "cells": cells, "rounds": rounds}
    if sheet.walls:
        position["blueprint"] = list(sheet.walls)
    if sheet.expansion:
        position["expansion"] = {"name": sheet.expansion, "marks": ruling.marks or {}}
    return FoundPosition(sheet.seat, position, ruling, sheet)
