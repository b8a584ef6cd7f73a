"""Reads photographs of a taught board of segments: the colour of the piece on every segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.jsontext import JsonObject
from companion.reading.evidence import Quality, SheetReading, SlotReading, corners_json
from companion.reading.probabilities import LabelProbabilities
from companion.sheets.drawing import Quad
from companion.sheets.sheet import Sheet
from vision.errors import PlacementError
from vision.find.by_tags import FoundSheet
from vision.find.seeing import Search, Seen, scaled_sheet, see
from vision.pieces.finding import PieceBoard
from vision.pieces.trained import FINENESS, SHAPE, TrainedLooks, trained_looks
from vision.quality import outside_shares
from vision.register.rectify import Image, straightened
from vision.taught.boards import TaughtBoard, segment_sheet, taught_blank
from vision.taught.posterior import MARKS, posterior

_MOST_PIXELS = 2.5e6  # of a straightened board
_ENOUGH = 0.75  # of the scale of a straightened board: more pixels hardly show more
_UNSEEN, _OUTSIDE = 0.99, 0.35
_FOREIGN = 0.3  # correlation with the blank below which corners were dragged around something else
_SMALL = 14.0  # pixels of a photograph along a segment: below, nobody can read surely
_DARK = 0.12  # light of white paper
_PAPER, _BRIGHTEST = 245.0, 0.985  # code of a blank's brightest parts, and the share that is darker


@dataclass(frozen=True)
class SegmentsReading(SheetReading[SlotReading]):
    """A board of segments as it was read; ``groups`` hold what most of their segments are."""

    groups: Mapping[str, SlotReading]

    def as_json(self) -> JsonObject:
        """The board in a line of ``read taught --json``."""
        return {
            "sheet": self.sheet,
            "corners": corners_json(self.corners_px, 2),
            "slots": {name: _slot_json(slot) for name, slot in self.slots.items()},
            "groups": {name: _slot_json(slot) for name, slot in self.groups.items()},
            "doubtful": list(self.doubtful),
            "quality": {
                "found_by": self.quality.found_by,
                "pixels_per_unit": round(self.quality.pixels_per_mm, 3),
                "light": round(self.quality.light, 2),
            },
        }


def _slot_json(slot: SlotReading) -> JsonObject:
    """A slot's colour or ``""``, and its probability."""
    if slot.cannot_see is not None:
        return {"cannot_see": slot.cannot_see}
    return {"mark": slot.best, "p": round(slot.p, 4)}


@dataclass(frozen=True)
class SegmentsPhoto:
    """A photograph of a board of segments: its size, the board if found, and notes for people."""

    size: tuple[int, int]
    sheet: SegmentsReading | None
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class SegmentReader:
    """Reads photographs of one taught board of segments."""

    taught: TaughtBoard

    @cached_property
    def sheet(self) -> Sheet:
        """The board as a sheet whose unit stands for the mm."""
        if self.taught.segments is None:
            raise PlacementError(
                f"{self.taught.name} was taught for a game: read that game with --taught {self.taught.name}"
            )
        return segment_sheet(self.taught.name, self.taught.segments)

    @cached_property
    def board(self) -> PieceBoard:
        """The empty board at the scale at which its segments are read."""
        return board_for(self.taught, self.sheet)

    def read(
        self, photo: bytes | Image, corners: Sequence[tuple[float, float]] | None = None
    ) -> SegmentsPhoto:
        """Find the board and read it; ``corners`` are those of its plane in pixels, if somebody marked them.

        Raises :class:`~vision.errors.PictureError` for what is no picture.
        """
        marked = None if corners is None else (self.sheet, corners)
        search = Search((), _ENOUGH * self.board.scale, [(self.taught, self.sheet)], marked)
        seen = see(photo, search)
        if not seen.sheets:
            sentence = (
                f"The board {self.taught.name} was not found in this picture: show all of it, from above "
                "and sharp, or give its four corners."
            )
            return SegmentsPhoto(seen.picture.whole, None, (sentence,))
        return self._read(seen, seen.sheets[0])

    def _read(self, seen: Seen, found: FoundSheet) -> SegmentsPhoto:
        image, placement = seen.picture.image, found.placement
        picture = straightened(image, placement, self.sheet, self.board.scale)
        if found.found_by != "taught" and _likeness(picture, self.board.blank) < _FOREIGN:
            sentence = (
                f"What lies between these corners does not look like the board {self.taught.name}: "
                "check their order, clockwise from its own top left."
            )
            return SegmentsPhoto(seen.picture.whole, None, (sentence,))
        looks = trained_looks(picture, self.board, placement, seen.picture.size)
        reasons = self._reasons(seen, found, looks.unseen)
        slots, groups = self._weighed(looks, reasons)
        whole = scaled_sheet(found, seen.picture.enlarging)
        slots = {
            name: replace(slot, corners=_quad(whole.placement.pixels(np.array(self.board.quads[name]))))
            for name, slot in slots.items()
        }
        length = segment_length(self.board) * whole.scale
        quality = Quality(found.found_by, whole.scale, looks.compared.light)
        reading = SegmentsReading(self.taught.name, "", 0, _quad(whole.corners), slots, quality, groups)
        notes = []
        if found.found_by != "taught":
            notes.append(
                "The board's print was not found at these corners: pieces may be read beside where they lie."
            )
        if length < _SMALL:
            notes.append("The board is small in the picture: go nearer for a safer reading.")
        if looks.compared.light < _DARK:
            notes.append("The picture is dark: more light, please.")
        return SegmentsPhoto(seen.picture.whole, reading, tuple(notes))

    def _reasons(self, seen: Seen, found: FoundSheet, unseen: NDArray[np.float64]) -> list[str | None]:
        """For every segment the reason why it cannot be seen, or None."""
        corners = np.array(list(self.board.quads.values()), np.float64)
        shares = np.linspace(0.1, 0.9, 5)
        places = corners[:, None, 0] + shares[None, :, None] * (corners[:, 2] - corners[:, 0])[:, None]
        outside = outside_shares(seen.picture.size, found.placement, places)
        return [
            "outside the picture" if out > _OUTSIDE else "covered or in glare" if hidden > _UNSEEN else None
            for out, hidden in zip(outside, unseen, strict=True)
        ]

    def _weighed(
        self, looks: TrainedLooks, reasons: Sequence[str | None]
    ) -> tuple[dict[str, SlotReading], dict[str, SlotReading]]:
        assert self.taught.segments is not None
        place = {name: n for n, name in enumerate(self.board.quads)}
        groups = self.taught.segments.groups
        members = [np.array([place[name] for name in names], np.int64) for names in groups.values()]
        seen = np.array([reason is None for reason in reasons])
        found = posterior(looks, seen, members, self.taught.segments.colours)
        slots = LabelProbabilities(tuple(place), MARKS, found, tuple(reasons)).slots()
        return slots, self._groups(slots)

    def _groups(self, slots: Mapping[str, SlotReading]) -> dict[str, SlotReading]:
        """What most of each group's segments are, of those that are seen; of all if none is."""
        assert self.taught.segments is not None
        groups = self.taught.segments.groups
        shares = np.empty((len(groups), len(MARKS)))
        for n, members in enumerate(groups.values()):
            said = LabelProbabilities.of({member: slots[member] for member in members}, MARKS)
            probs = said.probs[said.seen if said.seen.any() else ~said.seen]
            # The majority, as sure as the segments that make it are on average
            votes = np.bincount(probs.argmax(axis=1), minlength=len(MARKS))
            most = votes == votes.max()
            mark = int(np.where(most, probs.sum(axis=0), -1.0).argmax())
            p = float(probs[probs.argmax(axis=1) == mark, mark].mean()) * votes[mark] / len(probs)
            p = max(p, 1.01 / len(MARKS))
            rest = np.delete(probs.mean(axis=0), mark) + 1e-9
            shares[n] = np.insert((1 - p) * rest / rest.sum(), mark, p)
        return LabelProbabilities(tuple(groups), MARKS, shares, (None,) * len(groups)).slots()

    def regrouped(self, sheet: SegmentsReading) -> SegmentsReading:
        """A reading whose segments come from several photographs: what most of each group's segments are."""
        return replace(sheet, groups=self._groups(sheet.slots))


def board_for(board: TaughtBoard, sheet: Sheet) -> PieceBoard:
    """The empty board at the scale at which its segments are read."""
    quads = {name: slot.quad for name, slot in sheet.slots.items()}
    most = (_MOST_PIXELS / (sheet.size[0] * sheet.size[1])) ** 0.5
    scale = min(FINENESS / _usual_length(quads), most)
    return PieceBoard(_bright(taught_blank(board, sheet, scale)), quads, scale)


def _bright(blank: Image) -> Image:
    """A blank taken in dim light, brightened so that its paper is white; pieces are measured against it."""
    brightest = float(np.quantile(blank[::3, ::3].max(axis=2), _BRIGHTEST))
    return np.asarray(cv2.convertScaleAbs(blank, alpha=_PAPER / max(brightest, 20.0)), np.uint8)


def segment_length(board: PieceBoard) -> float:
    """The median segment's length in the board's unit, as the network's views measure it."""
    return _usual_length(board.quads)


def _usual_length(quads: Mapping[str, Quad]) -> float:
    corners = np.array(list(quads.values()), np.float64)
    sides = np.hypot(*np.moveaxis(np.roll(corners, -1, axis=1) - corners, -1, 0))
    one, other = sides[:, [0, 2]].mean(axis=1), sides[:, [1, 3]].mean(axis=1)
    length, width = np.maximum(one, other), np.minimum(one, other)
    return float(np.median(np.clip(length, SHAPE[0] * width, SHAPE[1] * width)))


def _likeness(picture: Image, blank: Image) -> float:
    """The correlation of two straightened pictures after removing the lighting."""
    flat = []
    for one in (picture, blank):
        grey = cv2.resize(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), (240, 240), interpolation=cv2.INTER_AREA)
        values = np.log(np.asarray(grey, np.float32) + 8)
        flat.append((values - cv2.GaussianBlur(values, (0, 0), 12)).ravel())
    return float(np.corrcoef(flat[0], flat[1])[0, 1])


def _quad(corners: NDArray[np.float64]) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d
