"""How SPIKE reads photographs: see :class:`companion.reading.base.Reader`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from companion.core.errors import NotationError
from companion.core.messages import m, nm
from companion.games.spike.reader.context import BoardContext
from companion.games.spike.reader.genuine import has_tracks, read_genuine
from companion.games.spike.reader.overlay import (
    RECTIFIED_SCALE,
    colours_of,
    draw_board,
    laid_over,
    printed_board,
)
from companion.games.spike.reader.reading import read_board
from companion.games.spike.reader.readings import BoardPhoto, BoardReading
from companion.games.spike.reader.seats import rule_seat
from companion.games.spike.reader.verdict import BoardRuling, mark_of, tracks_of
from companion.games.spike.rules.boards.board import SHIPPED
from companion.games.spike.rules.match.state import State
from companion.reading.annotation import Annotations, Pencil
from companion.reading.base import Reader
from companion.reading.colour_owners import find_players
from companion.reading.evidence import EMPTY, Doubt
from companion.reading.joining import joined_photos
from companion.reading.types import Corners, FoundPosition, ReadHints
from companion.sheets.drawing import Quad
from companion.sheets.sheet import Sheet
from vision.pieces.colours import Palette, usual_name
from vision.register.rectify import Image

_BOARD = 1  # the seat by which the one board of all is told where there is no match
_SEATS = 4


class SpikeReader(Reader[State, BoardReading, BoardRuling]):
    """Reads pieces of track, pawns, chips and cards on the printed board."""

    fine_pixels_per_mm, fine_light = 1.6, 0.3
    longest_side = 2600
    rectified_scale = RECTIFIED_SCALE
    joins_photos = True
    finds_positions = True

    one_for_all = True
    proposes = True
    missing, several = m("the board is not in the picture"), m("there are two boards in it")

    rule_seat = staticmethod(rule_seat)
    overlay = staticmethod(laid_over)

    def read(self, photo: bytes | Image, hints: ReadHints) -> BoardPhoto:
        """Find and read every board in a photograph."""
        players = _usual_names(hints)
        reading = read_board(photo, hints.edition, hints.corners, players)
        if reading.sheets or not hints.taught:
            return reading
        genuine = read_genuine(photo, hints.taught, hints.edition, hints.corners)
        sheets = tuple(replace(sheet, players=dict(players)) for sheet in genuine.sheets)
        return replace(genuine, sheets=sheets)

    def name_of(self, sheet: BoardReading) -> str:
        """The name of the one board that all share."""
        return m("The board")

    def counted(self, number: int) -> str:
        return nm("{n} board", "{n} boards", number)

    def heading(self, sheet: BoardReading) -> str:
        """The name of the board."""
        board = sheet.edition or m("a board")
        return m("{board}, found by {found_by}", board=board, found_by=sheet.quality.found_by)

    def describe(self, sheet: BoardReading, ruling: BoardRuling | None) -> Iterator[str]:
        """The pieces by colour as they were read, and what cannot be seen."""
        colours: dict[str, list[str]] = {}
        for name, slot in sheet.slots.items():
            if slot.best and slot.cannot_see is None:
                colours.setdefault(slot.best, []).append(name)
        for colour, names in sorted(colours.items()):
            yield f"{colour}: {' '.join(sorted(names))}"
        unseen = [name for name, slot in sheet.slots.items() if slot.cannot_see is not None]
        if unseen:
            yield m("cannot be seen: {unseen}", unseen=" ".join(unseen))

    def describe_ruling(self, ruling: BoardRuling) -> Iterator[str]:
        """Say which pieces are no longer seen."""
        return (m("gone: {name}", name=name) for name in ruling.gone)

    def unread(self, sheet: BoardReading) -> Sequence[str]:
        """The uncertain slots without the unseen ones, which :meth:`describe` names."""
        return [name for name in sheet.doubtful if sheet.slots[name].cannot_see is None]

    def annotations(self, sheet: BoardReading, ruling: BoardRuling | None) -> Annotations:
        """The tracks to draw, in the colours of their pieces."""
        marked = Annotations.of(sheet, ruling)
        return marked if ruling is None else replace(marked, labels=colours_of(sheet, ruling))

    def printed(self, sheet: BoardReading) -> Sheet:
        """The board of the match, or the one that was seen."""
        return printed_board(sheet)

    def plane(self, sheet: BoardReading) -> Quad:
        """The outline of the whole board."""
        return printed_board(sheet).outline

    def draw(self, pencil: Pencil, sheet: BoardReading, marked: Annotations) -> None:
        """Draw pieces of track, pawns, chips and cards."""
        draw_board(pencil, sheet, marked)

    def seats(self, state: State) -> Sequence[int]:
        """The one seat to read for, as all share the board: the one to move, or a scorekeeper's first."""
        return (state.turn if state.mode == "umpire" else min(state.players),)

    def hints(
        self, state: State, seat: int | None, corners: Corners | None, taught: Sequence[Path]
    ) -> ReadHints:
        """What to ask for: the match's board if it is an owner's own, and taught boards with its tracks."""
        board = state.options.board
        tracks = state.options.on.tracks
        genuine = tuple(path for path in taught if has_tracks(path, tracks))
        return ReadHints("" if board in SHIPPED else board, None, corners, genuine)

    def joined(self, readings: Sequence[BoardPhoto]) -> BoardPhoto:
        """Merge photographs of parts of the board; the colours are learnt from all of them."""
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

    def context(self, hints: ReadHints, rolled: str | None) -> BoardContext:
        """The owners of the colours."""
        useless = {"rolled": rolled, "seat": hints.seat}
        for name, value in useless.items():
            if value:
                message = f"--{name} is of no use here: there are no dice, and one board for all"
                raise NotationError("bad-option", message)
        return BoardContext(dict(_usual_names(hints)))

    def positions(self, reading: BoardPhoto) -> Sequence[FoundPosition[BoardReading, BoardRuling]]:
        """Every board as it was read, with colours assigned to seats as usual."""
        return [_position(sheet) for sheet in reading.sheets]


def _usual_names(hints: ReadHints) -> list[tuple[str, int]]:
    """The owners of colours in the reader's own names."""
    return [(usual_name(colour), seat) for colour, seat in hints.players]


def _position(sheet: BoardReading) -> FoundPosition[BoardReading, BoardRuling]:
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
    doubts: tuple[Doubt[str, str], ...] = tuple(Doubt(name, ()) for name in sheet.doubtful if ":" not in name)
    ruling = BoardRuling("ask" if doubts else "accepted", cells, doubts=doubts, players=players)
    tracks = {str(seat): names for seat, names in tracks_of(cells, seats or (1,)).items()}
    return FoundPosition(_BOARD, {"tracks": tracks, "segments": "shared"}, ruling, sheet)
