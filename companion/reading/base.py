"""The base class of readers: their interface to hosts, and what all readers have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from companion.core.errors import NotationError, quoted
from companion.core.jsontext import JsonObject
from companion.core.messages import Seat, m, nm
from companion.reading.answer import SeatQuery, SeatRuling
from companion.reading.evidence import PhotoReading, Ruling, SheetReading, SlotReading, usual_advice
from companion.reading.joining import joined_photos
from companion.reading.report import ReadReport
from companion.reading.types import (
    Corners,
    FoundPosition,
    Overlay,
    ReadHints,
    SeatAnswer,
    SeenSheet,
    View,
)
from companion.reading.watched import WatchedBoard
from companion.sheets.drawing import Point, Quad
from companion.sheets.sheet import Sheet

if TYPE_CHECKING:
    from companion.reading.annotation import Annotations, Image, Pencil, Points

S = TypeVar("S")  # the state of the game's rules
T = TypeVar("T", bound=SheetReading[SlotReading])  # a sheet as the game's reader has read it
R = TypeVar("R", bound=Ruling[Any, Any])  # what the game's rules make of it


class Context(ABC, Generic[T, R]):
    """What is known beside a photograph without a match: the dice of the round, the position before."""

    @abstractmethod
    def after(self, before: JsonObject) -> Context[T, R]:
        """Return this context with a previous position: in notation, or from ``read --json``."""

    @abstractmethod
    def rule(self, sheet: T) -> tuple[T, R | None]:
        """The rules' answer to a sheet, as far as anything is known that they may use.

        The sheet comes back as the rules understood it: turned round, say, or with the players' colours.
        """

    def rule_all(self, reading: PhotoReading[T]) -> tuple[PhotoReading[T], Mapping[int, R]]:
        """Rule on every sheet; return the sheets, and the rulings by the sheet's index."""
        ruled = [self.rule(sheet) for sheet in reading.sheets]
        rulings = {place: ruling for place, (_, ruling) in enumerate(ruled) if ruling is not None}
        return replace(reading, sheets=tuple(sheet for sheet, _ in ruled)), rulings

    def narrowed(self, hints: ReadHints) -> ReadHints:
        """The hints with what makes reading itself easier: the position before tells what may be there."""
        return hints


class Reader(ABC, Generic[S, T, R]):
    """Reads photographs of one game's sheets: from pixels to what the game's rules make of them.

    Reading knows no rules and is done once a photograph, for every sheet in it; ruling is asked for a seat,
    again and again if need be. What cannot be read raises :class:`~vision.errors.VisionError`, what makes no
    sense to the game :class:`~companion.core.errors.GameError`, each with one sentence for people.

    What is abstract every reader says; what it may leave out has a default, and an attribute beside it where
    the house has to know beforehand. ``S`` is the state of the game's rules, ``T`` a sheet as it was read,
    ``R`` a ruling on one.
    """

    @abstractmethod
    def read(self, photo: bytes | Image, hints: ReadHints) -> PhotoReading[T]:
        """Find and read every sheet of the game in a photograph: packed bytes, or pixels (blue first)."""

    joins_photos = False  # need sheets not fit into one photograph? See companion.reading.joining

    def joined(self, readings: Sequence[PhotoReading[T]]) -> PhotoReading[T]:
        """Several photographs of one table as one reading."""
        return joined_photos(readings)

    # what is in a picture, for people who place a camera

    fine_pixels_per_mm, fine_light = 1.5, 0.3  # a reading gets doubtful below these

    def view(self, reading: PhotoReading[T]) -> View:
        """Which sheets are in the picture and how it could be better."""
        sheets = tuple(
            SeenSheet(
                sheet.seat,
                self.name_of(sheet),
                tuple((x / reading.width, y / reading.height) for x, y in sheet.corners_px),
                self.advice(sheet),
            )
            for sheet in reading.sheets
        )
        return View(sheets, reading.notes)

    def name_of(self, sheet: T) -> str:
        """What people call a sheet."""
        return m("{seat}", seat=Seat(sheet.seat, begins=True))

    def advice(self, sheet: T) -> tuple[str, ...]:
        """How the picture of a sheet could be better; empty when all is well."""
        return usual_advice(sheet.quality, self.fine_pixels_per_mm, self.fine_light)

    # how it is drawn

    longest_side = 2400  # pixels of the annotated photograph
    opacity = 1.0  # of what is drawn on it
    rectified_scale = 4.0  # pixels per mm of the sheet seen from above

    def printed(self, sheet: T) -> Sheet:
        """The sheet as it is printed: its slots in mm."""
        raise NotImplementedError

    def plane(self, sheet: T) -> Quad:
        """Return the rectangle of the sheet that pictures from above show, in mm."""
        return self.printed(sheet).area

    def rectified_sheet(self, image: Image, sheet: T, /) -> Image:
        """The sheet cut out of the photograph and seen from above, as the page lays it under its drawing."""
        import numpy as np

        from companion.reading.annotation import matrix_between, rectified, through

        (left, top), _, (right, bottom), _ = plane = self.plane(sheet)
        size = round((right - left) * self.rectified_scale), round((bottom - top) * self.rectified_scale)
        to_photo = through(matrix_between(self.printed(sheet).outline, sheet.corners_px))
        return rectified(image, to_photo(np.array(plane)), size)

    def annotated_sheet(self, rectified: Image, sheet: T, ruling: R | None, /) -> Image:
        """Draw the ruling on the picture from above; unchanged where the page draws it itself."""
        from companion.reading.annotation import blended

        picture = rectified.copy()
        self.draw(self.pencil_above(picture, sheet), sheet, self.annotations(sheet, ruling))
        return blended(picture, rectified, self.opacity)

    def annotated(self, photo: Image, sheets: Iterable[tuple[T, R | None]], /) -> Image:
        """The photograph, smaller if it is big, with what was read and ruled drawn on it."""
        from companion.reading.annotation import blended, shrunk

        under, scale = shrunk(photo, self.longest_side)
        picture = under.copy()
        for sheet, ruling in sheets:
            self.draw(self.pencil(picture, sheet, scale), sheet, self.annotations(sheet, ruling))
        return blended(picture, under, self.opacity)

    def annotations(self, sheet: T, ruling: R | None) -> Annotations:
        """What there is to draw: labels as they were read or ruled, what is new, in doubt or unseen."""
        from companion.reading.annotation import Annotations

        return Annotations.of(sheet, ruling)

    def pencil(self, picture: Image, sheet: T, scale: float) -> Pencil:
        """Return a pencil that draws, in mm of a sheet, on its photograph scaled by ``scale``."""
        import numpy as np

        from companion.reading.annotation import Pencil

        return Pencil.between(picture, self.printed(sheet).outline, np.array(sheet.corners_px) * scale)

    def pencil_above(self, picture: Image, sheet: T) -> Pencil:
        """Return a pencil that draws, in mm of a sheet, on the picture of it from above."""
        from companion.reading.annotation import Pencil

        corner, scale = self.plane(sheet)[0], self.rectified_scale
        return Pencil(picture, lambda places: (places - corner) * scale, scale)

    def draw(self, pencil: Pencil, sheet: T, marked: Annotations) -> None:
        """Labels where they are, and the signs that all games share."""
        from companion.reading.annotation import GREEN

        for name, slot in self.printed(sheet).slots.items():
            if label := marked.labels.get(name, ""):
                left, low = slot.quad[3]
                pencil.line(slot.quad, GREEN, 0.8, closed=True)
                pencil.text(label, (left, low), GREEN, 3.0)
            pencil.signs(name, slot.quad, marked)

    # without a match: ``stationmaster read``

    expansions: Sequence[str] = ()  # ReadHints.expansion is one of these, or empty

    def check_expansion(self, game: str, name: str) -> None:
        """Refuse an expansion that the game does not have."""
        if name and name not in self.expansions:
            if not self.expansions:
                raise NotationError("unknown-expansion", m("{game} has no expansions", game=game))
            raise NotationError(
                "unknown-expansion",
                m(
                    "{game} has no expansion {name}: choose one of {known}",
                    game=game,
                    name=quoted(name),
                    known=", ".join(self.expansions),
                ),
            )

    @abstractmethod
    def context(self, hints: ReadHints, rolled: str | None) -> Context[T, R]:
        """What was told beside the photographs; what makes no sense for this game is a NotationError."""

    def report(self, reading: PhotoReading[T], context: Context[T, R]) -> ReadReport[T, R]:
        """A photograph with the rules' answer, as far as anything is known that they may use."""
        return ReadReport(self, *context.rule_all(reading))

    def counted(self, number: int) -> str:
        """How many of its sheets there are, for the first line about a photograph."""
        return nm("{n} sheet", "{n} sheets", number)

    def heading(self, sheet: T) -> str:
        """The first line about a sheet."""
        return m("{sheet}, found by {found_by}", sheet=self.name_of(sheet), found_by=sheet.quality.found_by)

    def describe(self, sheet: T, ruling: R | None) -> Iterator[str]:
        """The lines about what is on a sheet, by the ruling if there is one."""
        seen = {name: slot for name, slot in sheet.slots.items() if slot.cannot_see is None}
        labels = {name: slot.best for name, slot in seen.items()} if ruling is None else ruling.labels
        told = " ".join(f"{name}:{label}" for name, label in labels.items() if label)
        yield m("read: {told}", told=told or m("nothing"))

    def describe_changes(self, ruling: R) -> str:
        """Say what is new, in one line."""
        return " ".join(ruling.changes) or m("nothing")

    def describe_ruling(self, ruling: R) -> Iterator[str]:
        """More lines about a ruling."""
        return iter(())

    def unread(self, sheet: T) -> Sequence[str]:
        """Without a ruling, the names of the slots that somebody should look at."""
        return sheet.doubtful

    finds_positions = False  # whole ones, which can be scored without any match

    def positions(self, reading: PhotoReading[T]) -> Sequence[FoundPosition[T, R]]:
        """Every finished board in a photograph."""
        raise NotImplementedError

    # in a match

    @abstractmethod
    def seats(self, state: S) -> Sequence[int]:
        """The seats for which a picture of the whole table is read."""

    def hints(self, state: S, seat: int | None, corners: Corners | None, taught: Sequence[Path]) -> ReadHints:
        """What the match tells about a photograph of a seat's sheet, or (no seat) of the whole table.

        Of ``taught`` files only those that serve this match are wished for: other games' may be among them.
        """
        return ReadHints(corners=corners)

    missing: str = m("the sheet is not in the picture")
    several: str = m("the sheet is in the picture more than once")
    one_for_all = False  # do all seats share one sheet?

    def seat_sheet(self, query: SeatQuery[S, T]) -> T | tuple[str, ...]:
        """The sheet that a seat is asked about, or sentences why there is none."""
        seat = None if self.one_for_all else query.seat
        sheets = [sheet for sheet in query.reading.sheets if seat in (None, sheet.seat)]
        if not query.reading.sheets and query.reading.notes:
            return query.reading.notes  # why none was found: too dark, say
        if len(sheets) != 1:
            return (self.several if sheets else self.missing, *query.reading.notes)
        return sheets[0]

    @abstractmethod
    def rule_seat(self, query: SeatQuery[S, T], sheet: T, /) -> SeatRuling[T, R]:
        """The rules' answer to a seat's sheet as the match stands, and the action that it would be."""

    def answer(self, query: SeatQuery[S, T]) -> SeatAnswer[T, R]:
        """What a photograph means for a seat: the ruling, and what to submit once nothing is in doubt."""
        sheet = self.seat_sheet(query)
        if isinstance(sheet, tuple):
            return SeatAnswer(None, None, sheet)
        ruled = self.rule_seat(query, sheet)
        notes = query.reading.notes if ruled.notes is None else ruled.notes
        if ruled.ruling is None:
            return SeatAnswer(None, None, (*ruled.says, *notes), ruled.sheet)
        action = ruled.action if ruled.ruling.outcome == "accepted" else None
        return SeatAnswer(ruled.ruling, action, (*ruled.ruling.against, *ruled.says, *notes), ruled.sheet)

    def followed_size(self, sheet: T) -> Point:
        """The size in mm of what the corners of a sheet enclose, for a camera that follows it."""
        return self.printed(sheet).size

    def followed_slots(self, sheet: T) -> Mapping[str, Quad]:
        """The places of the slots in mm from the first of those corners: what covers one hides it."""
        return {name: slot.quad for name, slot in self.printed(sheet).slots.items()}

    proposes = False  # is what a watching camera sees only proposed to the seat, as it may be one of several?

    def watched(self, query: SeatQuery[S, T]) -> WatchedBoard:
        """What a sheet means for a seat that has come to rest under a camera which watches by itself.

        Nobody has said that anything is finished: a game in which that shows tells it here.
        """
        answer = self.answer(query)
        if answer.ruling is None:
            return WatchedBoard("idle", says=answer.says)
        if answer.action is not None:
            return WatchedBoard("complete", answer.action, answer.says)
        if answer.ruling.outcome == "accepted":
            return WatchedBoard("idle")
        if answer.ruling.outcome == "ask":
            return WatchedBoard("unclear", says=answer.says, questions=answer.ruling.questions)
        return WatchedBoard("against", says=answer.says)

    def overlay(self, sheet: T, ruling: R, /) -> Overlay | None:
        """Return what is new, in doubt or gone on a sheet with thousands of slots, for the page to draw."""
        return None

    remembers = False  # does it know again in a match what earlier photographs of it showed?

    def shown(self, image: Image, sheet: T, ruling: R, settled: Collection[str], /) -> object:
        """What a photograph shows whose ruling was accepted, as the reader keeps it.

        Somebody ``settled`` these slots.
        """
        raise NotImplementedError

    def references(self, before: Any, shown: Any, state: S) -> object | None:
        """Return the next :attr:`ReadHints.references`: those of ``before``, updated by what was shown."""
        raise NotImplementedError

    # boards and decks of the owner's own; what is learnt goes into a file for :attr:`ReadHints.taught`

    learns_boards = False
    learns_unnamed = False  # is a board that is taught without a game's name this game's?

    def teach(self, path: Path, image: Image, hints: ReadHints) -> str:
        """Learn the empty board at the corners of the hints.

        What comes back is a sentence for its owner, such as that it will hardly be found again; or nothing.
        """
        raise NotImplementedError

    def outlines(self, image: Image, hints: ReadHints) -> Sequence[Points]:
        """Where its places would lie in the photograph: outlines in pixels, that of the board first."""
        raise NotImplementedError

    learns_decks = False

    def teach_deck(self, path: Path, number: int, image: Image, hints: ReadHints) -> str:
        """Learn the cards of the photograph with this ``number``, from 1, into a deck's file.

        They are laid in an order that the game prints (:data:`companion.game.parts.DECK_ORDER`). What comes
        back is a sentence for its owner, or nothing.
        """
        raise NotImplementedError
