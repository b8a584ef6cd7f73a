"""How Shuttle reads photographs: see :class:`companion.games.parts.Reader`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.games.contract import Action, Plain
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import PhotoReading, photo_json
from companion.games.kit.jsontext import shaped
from companion.games.parts import Context, Reader
from companion.games.sight import FoundPosition, Scope, SeatAnswer, SeenSheet, View, Wish
from vision.rectify import Image

from ..paper.prints import STOP_SIDE, seat_sheet, stop_name
from ..rules.game import Position, State
from ..rules.line import FACES, STOPS, offered
from .reading import SERVED, LineReading, read_lines
from .ruling import LineRuling, rule_any, rule_turn, settled

LinePhoto = PhotoReading[LineReading]
_ABOVE = 4.0  # pixels per mm of the line as people see it
_FEW_PIXELS = 1.5  # per mm: below that a cross is hard to see
_GREEN, _RED = (60, 160, 40), (40, 40, 210)  # blue first


class ShuttleReader(Reader[State, LineReading]):
    """Reads the stops of a seat's line."""

    finds_positions = True

    def read(self, photo: bytes | Image, wish: Wish) -> LinePhoto:
        """Find and read every sheet; they all have tags, so no wish makes that easier."""
        return read_lines(photo)

    def view(self, reading: LinePhoto) -> View:
        """Which sheets are in the picture, and whether they are large enough."""
        size = np.array([reading.width, reading.height])
        sheets = tuple(
            SeenSheet(
                sheet.seat,
                f"Shuttle, seat {sheet.seat}",
                tuple((float(x), float(y)) for x, y in np.array(sheet.corners_px) / size),
                ("bring the camera nearer",) if sheet.quality.pixels_per_mm < _FEW_PIXELS else (),
            )
            for sheet in reading.sheets
        )
        return View(sheets, reading.notes)

    def seats(self, state: State) -> Sequence[int]:
        """Everybody has a sheet."""
        return tuple(state.served)

    def answer(
        self,
        reading: LinePhoto,
        state: State,
        seat: int,
        answers: Mapping[str, str],
        photo: str,
        scope: Scope = "",
    ) -> SeatAnswer[LineReading]:
        own = [sheet for sheet in reading.sheets if sheet.seat == seat]
        if len(own) != 1:
            missing = "that sheet is not in the picture" if not own else "two sheets of that seat are in it"
            return SeatAnswer(None, None, (missing, *reading.notes))
        looks = settled(own[0].looks, answers)
        picture = {"photo": photo, "settled": dict(answers)}
        if state.mode == "scorekeeper":
            ruling = rule_any(looks)
            action = Action("report", seat, {"stops": _stops(ruling), "picture": picture})
        else:
            ruling = _ruled_turn(looks, state, seat)
            new = [stop for stop in _stops(ruling) if stop not in state.served[seat]]
            action = Action("serve", seat, {"stop": new[0] if new else 0, "picture": picture})
        accepted = ruling.outcome == "accepted"
        says = (*ruling.against, *reading.notes)
        return SeatAnswer(ruling.as_json(), action if accepted else None, says, own[0])

    def above(self, image: Image, sheet: LineReading) -> Image:
        area = np.array(seat_sheet(sheet.seat).area)
        size = tuple(int(length * _ABOVE) for length in area[2] - area[0])
        outline = np.array(seat_sheet(sheet.seat).outline, np.float32)
        to_photo = cv2.getPerspectiveTransform(outline, np.array(sheet.corners_px, np.float32))
        corners = cv2.perspectiveTransform(area[None].astype(np.float32), to_photo)[0]
        square = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
        upright = cv2.getPerspectiveTransform(corners, square)
        return np.asarray(cv2.warpPerspective(image, upright, size), np.uint8)

    def drawn(self, above: Image, sheet: LineReading, ruling: Plain | None) -> Image:
        """A frame around every stop that was ruled to be served, a red one around the doubtful ones."""
        picture, whole = above.copy(), seat_sheet(sheet.seat)
        told = ruling or {"cells": {}, "doubtful": ()}
        for names, colour in ((told["cells"], _GREEN), (told["doubtful"], _RED)):
            for name in names:
                low = (np.array(whole.slots[name].quad[0]) - whole.area[0]) * _ABOVE
                high = low + STOP_SIDE * _ABOVE
                cv2.rectangle(picture, low.astype(int).tolist(), high.astype(int).tolist(), colour, 3)
        return picture

    def known(self, wish: Wish, rolled: str | None) -> KnownLine:
        """The dice of the round, as ``3,6``."""
        return KnownLine(_dice(rolled) if rolled else ())

    def positions(self, reading: LinePhoto) -> Sequence[FoundPosition[LineReading]]:
        found = []
        for sheet in reading.sheets:
            ruling = rule_any(sheet.looks)
            found.append(FoundPosition(sheet.seat, {"stops": _stops(ruling)}, ruling.as_json(), sheet))
        return found


def _ruled_turn(looks: Mapping[str, Mapping[str, float] | None], state: State, seat: int) -> LineRuling:
    served = state.served[seat]
    if not state.dice or seat in state.done:
        sentence = "first the dice are thrown" if not state.dice else "this line is served already"
        return LineRuling.refused_outright(sentence)
    stops = offered(state.dice, served)
    return rule_turn(looks, [stop_name(stop) for stop in served], [stop_name(stop) for stop in stops])


def _stops(ruling: LineRuling) -> list[int]:
    return [stop for stop in range(1, STOPS + 1) if ruling.cells.get(stop_name(stop)) == SERVED]


def _dice(text: str) -> tuple[int, ...]:
    faces = text.replace(",", " ").split()
    if len(faces) != 2 or not set(faces) <= set(FACES):
        raise NotationError("bad-roll", "a throw is two dice from 1 to 6, such as 3,6")
    return tuple(map(int, faces))


# --- without a match ---


@dataclass(frozen=True)
class KnownLine(Context[LineReading]):
    """What is known beside a photograph: the dice, the stops served before."""

    dice: tuple[int, ...] = ()
    served: tuple[int, ...] | None = None

    def after(self, before: Plain) -> KnownLine:
        return KnownLine(self.dice, shaped(before, Position).stops)

    def told(self, reading: LinePhoto) -> ToldLines:
        """Ruled on as a turn where dice and line before are known, else as a line by itself."""
        rulings = []
        for sheet in reading.sheets:
            if self.dice and self.served is not None:
                names = [stop_name(stop) for stop in self.served]
                new = [stop_name(stop) for stop in offered(self.dice, self.served)]
                rulings.append(rule_turn(sheet.looks, names, new))
            else:
                rulings.append(rule_any(sheet.looks))
        return ToldLines(reading, tuple(rulings))


@dataclass(frozen=True)
class ToldLines:
    """A photograph as ``stationmaster read`` tells it."""

    reading: LinePhoto
    rulings: tuple[LineRuling, ...]

    @property
    def refused(self) -> bool:
        return any(ruling.outcome == "refused" for ruling in self.rulings)

    def as_json(self, photo: str) -> Plain:
        return photo_json(photo, self.reading, dict(enumerate(self.rulings)))

    def lines(self, photo: str) -> Iterator[str]:
        yield f"{photo}: {len(self.reading.sheets)} line(s)"
        for sheet, ruling in zip(self.reading.sheets, self.rulings, strict=True):
            stops = ", ".join(map(str, _stops(ruling))) or "nothing"
            yield f"seat {sheet.seat}: served {stops}; {ruling.outcome}"
            yield from ruling.against
        yield from self.reading.notes

    def overlay(self, image: Image) -> Image:
        drawn = image.copy()
        for sheet in self.reading.sheets:
            outline = np.array(sheet.corners_px).round().astype(np.int32)
            cv2.polylines(drawn, [outline], True, _GREEN, 5)
        return drawn
