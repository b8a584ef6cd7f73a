"""How SPIKE reads photographs: see :class:`companion.games.parts.Reader`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from companion.core.messages import m
from companion.games.contract import Plain
from companion.games.kit.colour_owners import find_players
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import EMPTY, usual_advice
from companion.games.kit.joining import joined_photos
from companion.games.parts import Reader
from companion.games.sight import (
    Corners,
    FoundPosition,
    SeenSheet,
    View,
    Wish,
)
from companion.games.spike.eye.genuine import has_tracks, read_genuine
from companion.games.spike.eye.overlay import MarkedBoard, board_above, drawn_above, laid_over
from companion.games.spike.eye.reading import read_board
from companion.games.spike.eye.readings import BoardPhoto, BoardReading
from companion.games.spike.eye.seats import answer_for_seat
from companion.games.spike.eye.told import KnownBoard
from companion.games.spike.eye.verdict import BoardRuling, mark_of, seats_of, tracks_of
from companion.games.spike.rules.board import SHIPPED
from companion.games.spike.rules.state import State
from vision.pieces.colours import Palette, usual_name
from vision.rectify import Image

_FINE_PIXELS, _FINE_LIGHT = 1.6, 0.3  # a reading gets doubtful below these
_BOARD = 1  # the seat by which the one board of all is told where there is no match
_SEATS = 4


class SpikeReader(Reader[State, BoardReading]):
    """Reads pieces of track, pawns, chips and cards on the printed board."""

    joins_photos = True
    finds_positions = True

    answer = staticmethod(answer_for_seat)
    above = staticmethod(board_above)
    overlay = staticmethod(laid_over)

    def read(self, photo: bytes | Image, wish: Wish) -> BoardPhoto:
        """Find and read every board in a photograph."""
        players = _usual_names(wish)
        reading = read_board(photo, wish.edition, wish.corners, players)
        if reading.sheets or not wish.taught:
            return reading
        genuine = read_genuine(photo, wish.taught, wish.edition, wish.corners)
        sheets = tuple(replace(sheet, players=dict(players)) for sheet in genuine.sheets)
        return replace(genuine, sheets=sheets)

    def view(self, reading: BoardPhoto) -> View:
        """Which boards are in the picture and how it could be better."""
        sheets = tuple(
            SeenSheet(
                _BOARD,
                m("The board"),
                tuple((x / reading.width, y / reading.height) for x, y in sheet.corners_px),
                usual_advice(sheet.quality, _FINE_PIXELS, _FINE_LIGHT),
            )
            for sheet in reading.sheets
        )
        return View(sheets, reading.notes)

    def seats(self, state: State) -> Sequence[int]:
        """All share one board, so it is read once: for whose turn it is, or for the first as scorekeeper."""
        return (state.turn if state.mode == "umpire" else min(state.players),)

    def wish(self, state: State, seat: int | None, corners: Corners | None, taught: Sequence[Path]) -> Wish:
        """The board of the match, where it is an owner's own; taught boards that have its tracks."""
        board = state.options.board
        tracks = state.options.on.tracks
        genuine = tuple(path for path in taught if has_tracks(path, tracks))
        return Wish("" if board in SHIPPED else board, None, corners, genuine)

    def drawn(self, above: Image, sheet: BoardReading, ruling: Plain | None) -> Image:
        """The board with the tracks that were ruled to lie there, the new and the doubtful ones framed."""
        told = ruling or {"cells": {}, "doubtful": (), "changed": (), "players": {}}
        colours = {seat: colour for colour, seat in told.get("players", {}).items()}
        marks = {
            name: "+".join(colours.get(seat, str(seat)) for seat in seats_of(mark))
            for name, mark in told["cells"].items()
        }
        return drawn_above(above, MarkedBoard(sheet, marks, told["doubtful"], told["changed"]))

    def joined(self, readings: Sequence[BoardPhoto]) -> BoardPhoto:
        """Photographs of parts of the board as one; the colours on the table are those of all of them."""
        whole = joined_photos(readings)
        colours = {
            name: colour
            for reading in readings
            for sheet in reading.sheets
            for name, colour in sheet.palette.colours.items()
        }
        if len(readings) == 1:
            return whole
        sheets = (
            replace(sheet, palette=Palette(colours, sheet.palette.scatter), pieces={})
            for sheet in whole.sheets
        )
        return replace(whole, sheets=tuple(sheets))

    def known(self, wish: Wish, rolled: str | None) -> KnownBoard:
        """Whose colour is whose."""
        useless = {"rolled": rolled, "seat": wish.seat}
        for name, value in useless.items():
            if value:
                message = f"--{name} is of no use here: there are no dice, and one board for all"
                raise NotationError("bad-option", message)
        return KnownBoard(dict(_usual_names(wish)))

    def positions(self, reading: BoardPhoto) -> Sequence[FoundPosition[BoardReading]]:
        """Every board as it was read; colours are given to seats as they are usual."""
        return [_position(sheet) for sheet in reading.sheets]


def _usual_names(wish: Wish) -> list[tuple[str, int]]:
    """Whose colour is whose, in the words of the reader."""
    return [(usual_name(colour), seat) for colour, seat in wish.players]


def _position(sheet: BoardReading) -> FoundPosition[BoardReading]:
    colours = list(sheet.palette.colours)[:_SEATS]
    seats = range(1, len(colours) + 1)
    usual = find_players({}, colours, dict.fromkeys(seats, ()), {})
    left = iter(seat for seat in seats if seat not in usual.seats.values())
    players = {colour: usual.seats[colour] if colour in usual.seats else next(left) for colour in colours}
    cells = {
        name: mark_of(players[part] for part in slot.best.split("+") if part in players)
        for name, slot in sheet.tracks.items()
        if slot.best != EMPTY and slot.cannot_see is None
    }
    cells = {name: mark for name, mark in cells.items() if mark}
    doubtful = [name for name in sheet.doubtful if ":" not in name]
    ruling = BoardRuling("ask" if doubtful else "accepted", cells, players=players)
    tracks = {str(seat): names for seat, names in tracks_of(cells, seats or (1,)).items()}
    told = {**ruling.as_json(), "doubtful": doubtful}
    return FoundPosition(_BOARD, {"tracks": tracks, "segments": "shared"}, told, sheet)
