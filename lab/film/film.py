"""A film of people who draw on their sheets: frames made one after the other, with the truth about each.

film = Film(sheets, "family", seed)
film.play({seat: marks, ..})                # the dice fell: everybody begins
while film.drawing:
    frame = film.next()                     # nothing is rendered yet
    frame.small(), frame.whole()            # blue first
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import cv2
import numpy as np
from msgspec import structs

from companion.sheets.drawing import Quad, rectangle
from lab.film.exposing import Exposure, Moment
from lab.film.happenings import Happenings
from lab.film.levels import film_level
from lab.film.marks import BroughtMark, FilmSheet, Mark
from lab.film.people import Person
from lab.film.turns import Turn, turn_of
from lab.studio.cameras import Matrix, inverse, rotation, shift, transformed
from lab.studio.darkroom import LaidPrint, rim_of
from lab.studio.habits import Range
from lab.studio.laying import things_for
from lab.studio.levels import level_named
from lab.studio.settings import Patch, Setting, Subject, outline_of, setting_for
from lab.studio.solids import Solid
from lab.studio.strokes import Points
from lab.studio.things import Thing
from vision.register.rectify import Image
from vision.watch.follower import SMALL

FRAME_RATE = 2.5  # a second: so often a box looks while something moves
_APART = 34.0  # mm between sheets
_FINE = 4.0  # parts of a mm in which is counted what is hidden: so many to a mm is not needed, but cheap


@dataclass(frozen=True, eq=False)
class FilmFrame:
    """One frame; it must be rendered before the next one is asked for.

    ``drawn``: how many marks are complete, by sheet; ``drawing``: the seats with lines still to come;
    ``lines``: how many lines of the turn are complete, by seat. A sheet is called by its seat.
    """

    film: Film
    number: int
    at: float
    moment: Moment
    poses: Mapping[int, Matrix]
    marked: Mapping[int, tuple[Mark, float] | None]
    drawn: Mapping[int, int]
    drawing: frozenset[int]
    lines: Mapping[int, int]

    def whole(self) -> Image:
        """The frame as the camera has it, blue first."""
        return self.film.exposed(self, 1.0)

    def small(self) -> Image:
        """The frame as it is followed, blue first."""
        return self.film.exposed(self, min(1.0, SMALL / max(self.film.size)))

    def corners(self, seat: int) -> Quad:
        """The corners of a sheet in pixels of the whole frame, clockwise from its own top left."""
        sheet = self.film.sheets[seat]
        return self.film.quad(self.pixels(seat, np.array(rectangle((0.0, 0.0), sheet.size))))

    def pixels(self, seat: int, places: Points) -> Points:
        """Places on a sheet, in mm, in pixels of the whole frame."""
        ideal = self.film.setting.camera.project(transformed(self.poses[seat], places))
        longest = max(self.film.size)
        moved: Points = transformed(self.moment.move, np.asarray(ideal / longest, np.float64)) * longest
        return moved

    def hidden_share(self, seat: int, quad: Quad) -> float:
        """How much of a place on a sheet, in mm, something lies over."""
        low, high = np.min(quad, axis=0), np.max(quad, axis=0)
        size = np.maximum(np.ceil((high - low) * _FINE), 1).astype(int)
        canvas = np.zeros((int(size[1]), int(size[0])), np.uint8)
        back = inverse(self.poses[seat])
        for thing in (*self.film.setting.things, *self.moment.things):
            for surface in thing.surfaces if thing.over else ():
                cells = (transformed(back, surface.outline) - low) * _FINE
                cv2.fillPoly(canvas, [np.rint(np.clip(cells, -(2**14), 2**14)).astype(np.int32)], 1)
        return float(canvas.mean())


class Film:
    """A table with sheets, people and a camera; all that happens belongs to the seed.

    ``megapixels``: the range of cameras; without it those of the level.
    """

    def __init__(
        self,
        sheets: Sequence[FilmSheet],
        level: str,
        seed: int,
        megapixels: Range | None = None,
        surface: str = "",
    ) -> None:
        self.sheets = {sheet.seat: sheet for sheet in sheets}
        self._megapixels, self._surface = megapixels or film_level(level).megapixels, surface
        self.level, self.seed = film_level(level), seed
        self.at, self.number = 0.0, 0
        rng = np.random.default_rng([seed, 11])
        self.poses = self._laid(rng)
        self._first = dict(self.poses)
        self.setting = self._setting(rng)
        patches = [Patch(self.poses[seat], sheet.size) for seat, sheet in self.sheets.items()]
        self.happenings = Happenings(rng, self.level, patches, self._reach)
        self._turns: dict[int, Turn] = {}
        self._round = 0
        self._exposures: dict[float, Exposure] = {}

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of whole frames."""
        return self.setting.camera.size

    @property
    def _reach(self) -> float:
        widest = max(max(sheet.size) for sheet in self.sheets.values())
        reach: float = 0.6 * widest * ceil(len(self.sheets) ** 0.5)
        return reach

    def _laid(self, rng: np.random.Generator) -> dict[int, Matrix]:
        """Sheets in two rows, those of the far one turned to the people who sit there."""
        seats = list(self.sheets)
        columns = ceil(len(seats) / 2) if len(seats) > 1 else 1
        poses = {}
        for place, seat in enumerate(seats):
            width, height = self.sheets[seat].size
            row, column = divmod(place, columns)
            at = np.array([column * (width + _APART), row * (height + _APART)]) + rng.uniform(-6, 6, 2)
            facing = 180.0 if row == 0 and len(seats) > 1 else 0.0
            turn = facing + float(np.clip(rng.normal(0, 3), -6, 6))
            poses[seat] = shift(at) @ rotation(turn) @ shift(-np.array([width, height]) / 2)
        return poses

    def _setting(self, rng: np.random.Generator) -> Setting:
        """A camera on a stand: it looks from above and sees a little more than the sheets."""
        level = structs.replace(level_named(self.level.studio), tilt=(0.0, 22.0), margin=(1.08, 1.25))
        level = structs.replace(level, hands=0.0, covered_corner=0.0, pens_near=0.5, motion=(0.0, 0.0))
        patches = [Patch(self.poses[seat], sheet.size) for seat, sheet in self.sheets.items()]
        tags = [self._tags(sheet) for sheet in self.sheets.values()]
        low, high = self._megapixels
        return setting_for(
            rng,
            self.seed,
            level,
            Subject(patches, self._reach, float(rng.uniform(low, high)), 512, self._surface),
            lambda: [
                thing
                for thing in things_for(rng, level, patches, tags, self._reach)
                if not thing.over or not self._on_a_sheet(thing, patches)
            ],
        )

    def _tags(self, sheet: FilmSheet) -> Points:
        quads = np.asarray(list(sheet.sheet.tags.values()), np.float64)
        return np.asarray(quads.mean(axis=1), np.float64) if len(quads) == 4 else outline_of(sheet.size)

    def _on_a_sheet(self, thing: Thing, patches: Sequence[Patch]) -> bool:
        """Return True if a thing lies on a sheet from the first frame on."""
        return any(
            cv2.pointPolygonTest(patch.outline.astype(np.float32), (float(point[0]), float(point[1])), False)
            >= 0
            for patch in patches
            for surface in thing.surfaces
            for point in surface.outline
        )

    # --- what happens ---

    def play(self, marks: Mapping[int, Sequence[Mark]]) -> None:
        """Everybody begins to draw or to lay what is theirs in this round."""
        self._round += 1
        rng = np.random.default_rng([self.seed, 12, self._round])
        self._turns = {
            seat: turn_of(rng, self.level, seat, own, self.at, self.sheets[self.sheet_of(seat)].size)
            for seat, own in marks.items()
        }
        until = max([turn.ends for turn in self._turns.values()], default=self.at) + 2.0
        self.happenings.plan(rng, self.at, until, {seat: self._strayed(seat) for seat in self.sheets})

    def _middle(self, seat: int, poses: Mapping[int, Matrix]) -> Points:
        middle: Points = transformed(poses[seat], np.array([self.sheets[seat].size]) / 2)[0]
        return middle

    def _strayed(self, seat: int) -> tuple[Points, float]:
        """By how many mm, and degrees, a sheet has been pushed since the beginning."""
        away = self._middle(seat, self.poses) - self._middle(seat, self._first)
        turned = self.poses[seat] @ np.linalg.inv(self._first[seat])
        return away, float(np.degrees(np.arctan2(turned[1, 0], turned[0, 0])))

    @property
    def drawing(self) -> bool:
        """True while somebody has lines to draw."""
        return any(turn.drawing_now(self.at) for turn in self._turns.values())

    def withdraw(self, seat: int) -> None:
        """Somebody hears that the own arm is in the way."""
        if seat in self._turns:
            self._turns[seat].withdraw(self.at)

    def last_line(self, seat: int) -> float:
        """When the last line of a seat's turn ends, or ended."""
        return self._turns[seat].ends if seat in self._turns else 0.0

    def next(self) -> FilmFrame:
        """Go on by one frame."""
        before, self.number = self.at, self.number + 1
        self.at += 1 / FRAME_RATE
        for seat, turn in self._turns.items():
            for mark in turn.complete(before, self.at):
                self.sheets[self.sheet_of(seat)].add(mark)
        for push in self.happenings.pushes:
            share = push.share(before, self.at)
            if share > 0:
                middle = self._middle(push.seat, self.poses)
                turned = rotation(push.turn * share) @ shift(-middle) @ self.poses[push.seat]
                self.poses[push.seat] = shift(middle + push.by * share) @ turned
        return FilmFrame(
            self,
            self.number,
            self.at,
            self.happenings.moment(self.number, self.at, self._hands()),
            dict(self.poses),
            {self.sheet_of(seat): turn.drawing(self.at) for seat, turn in self._turns.items()},
            {seat: len(sheet.marks) for seat, sheet in self.sheets.items()},
            frozenset(seat for seat, turn in self._turns.items() if turn.drawing_now(self.at)),
            {seat: turn.lines_ended(self.at) for seat, turn in self._turns.items()},
        )

    def sheet_of(self, seat: int) -> int:
        """The sheet before a seat: its own, or the one of all."""
        return seat if seat in self.sheets else next(iter(self.sheets))

    def _person(self, seat: int) -> Person:
        """Who sits there; whoever lays things has no pen in the hand."""
        rng = np.random.default_rng([self.seed, 13, seat])
        lays = any(isinstance(way.mark, BroughtMark) for way in self._turns[seat].ways)
        return Person(int(rng.integers(2**31)), float(rng.normal(60, 90)), with_pen=not lays)

    def _hands(self) -> list[Thing]:
        things = []
        for seat, turn in self._turns.items():
            tip = turn.tip(self.at)
            if tip is not None:
                things += self._person(seat).over(tip, self.poses[self.sheet_of(seat)])
        return things

    # --- pictures ---

    def exposed(self, frame: FilmFrame, share: float) -> Image:
        """A frame in a size."""
        if share not in self._exposures:
            self._exposures[share] = Exposure(self.setting, share)
        exposure = self._exposures[share]
        prints, drawn, solids = list[LaidPrint](), list[LaidPrint](), list[Solid]()
        for seat, sheet in self.sheets.items():
            pose = frame.poses[seat]
            scale = exposure.scale_for(pose, sheet.size)
            prints.append(LaidPrint(sheet.picture(scale), scale, pose, rim_of(outline_of(sheet.size))))
            marked = frame.marked.get(seat)
            if marked is not None:
                part, window = sheet.part(scale, *marked)
                there = pose @ shift(np.asarray(window.corner))
                size = window.size[0] / scale, window.size[1] / scale
                drawn.append(LaidPrint(part, scale, there, rim_of(outline_of(size))))
            solids += [solid.moved(pose) for solid in sheet.solids]
        return exposure.take(prints, drawn, solids, frame.moment)

    def quad(self, corners: Points) -> Quad:
        """Four corners as plain numbers."""
        first, second, third, fourth = ((float(x), float(y)) for x, y in corners)
        return first, second, third, fourth
