"""A board, the photograph it is taught from, and photographs of matches on it, all from one seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from companion.sheets.drawing import Quad
from lab.studio.cameras import transformed
from lab.studio.habits import one_of
from lab.studio.settings import outline_of
from lab.studio.strokes import Points
from lab.taught.studio.art import GROUNDS, SEGMENTS, painted, printed_inks
from lab.taught.studio.boards import Plan, plan_board
from lab.taught.studio.colours import Colour, colours_of_a_box
from lab.taught.studio.drawn import DRAWN, drawn_on
from lab.taught.studio.lighting import lighting_for
from lab.taught.studio.pieces import KINDS, Make, Piece, laid_piece, make_for, pawn_at
from lab.taught.studio.shots import Print, Shot, bow_for, camera_for, photograph
from vision.taught.boards import SegmentBoard

LIGHTS = ("day", "evening", "mixed")
# What training never sees.
HELD_OUT_LIGHTS, HELD_OUT_KINDS, HELD_OUT_SEGMENTS = (
    ("candle", "noon"),
    ("engine", "rod"),
    ("sleepers", "shaded"),
)
HELD_OUT_GROUNDS = ("photo",)
_OF_THE_PRINT = 0.4  # how often a paint that pieces and print share is the very same


@dataclass(frozen=True)
class Match:
    """One photograph of a match: ``marks`` by segment, those left out are empty."""

    shot: Shot
    marks: Mapping[str, str]
    light: str
    kind: str


@dataclass(frozen=True)
class Scene:
    """A board with its blank photograph; ``unit`` is how many units of the slots' plane a mm has."""

    plan: Plan
    unit: float
    blank: Shot
    matches: tuple[Match, ...]

    @property
    def corners(self) -> Points:
        """The corners of the board in the blank photograph."""
        return self.blank.pixels(outline_of(self.plan.size))

    @cached_property
    def board(self) -> SegmentBoard:
        """What the owner says of the board: places marked on the blank photograph as it was straightened."""
        width, height = np.array(self.plan.size) * self.unit
        flat = cv2.getPerspectiveTransform(
            self.corners.astype(np.float32), np.array(outline_of((width, height)), np.float32)
        )
        slots = {
            name: as_quad(transformed(np.asarray(flat, np.float64), self.blank.pixels(quad)))
            for name, quad in self.plan.slots.items()
        }
        groups = {name: tuple(members) for name, members in self.plan.groups.items()}
        return SegmentBoard((float(width), float(height)), slots, groups)


def as_quad(corners: Points) -> Quad:
    """Convert four corners to plain floats."""
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def make_scene(seed: int, shots: int, held_out: bool = False) -> Scene:
    """A board of this seed; ``held_out``: with lights, pieces and prints that training never sees."""
    rng = np.random.default_rng([seed, 15])
    inks = printed_inks(rng)
    plan = plan_board(rng, len(inks))
    ground = one_of(rng, HELD_OUT_GROUNDS * 2 + GROUNDS if held_out else _without(GROUNDS, HELD_OUT_GROUNDS))
    style = one_of(rng, HELD_OUT_SEGMENTS if held_out else _without(SEGMENTS, HELD_OUT_SEGMENTS))
    megapixels = float(np.exp(rng.uniform(np.log(0.8), np.log(2.6))))
    scale = 1.15 * (megapixels * 1e6 * 1.4) ** 0.5 / max(plan.size)
    raster = painted(rng, plan, [ink for _, ink in inks], scale, (ground, style))
    blank_light = one_of(rng, ("even", "even", "even", *LIGHTS))  # most people heed the advice
    most_bow = float(rng.choice([0.0, 1.5, 4.0]))
    blank = photograph(
        rng, Print(raster, scale, plan.size, bow_for(rng, most_bow)), [],
        camera_for(rng, plan.size, megapixels, 22), lighting_for(rng, plan.size, blank_light), 0.0,
    )  # fmt: skip
    matches = []
    for _ in range(shots):
        light = one_of(rng, HELD_OUT_LIGHTS if held_out else LIGHTS)
        kind = one_of(rng, HELD_OUT_KINDS if held_out else _without(KINDS, HELD_OUT_KINDS) + DRAWN)
        print_ = Print(raster, scale, plan.size, bow_for(rng, most_bow))
        matches.append(_match(rng, plan, print_, inks, (light, kind), megapixels))
    return Scene(plan, float(rng.uniform(0.3, 4)), blank, tuple(matches))


def _without(names: tuple[str, ...], left_out: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in left_out)


def _match(
    rng: np.random.Generator,
    plan: Plan,
    print_: Print,
    inks: list[tuple[str, Colour]],
    light_and_kind: tuple[str, str],
    megapixels: float,
) -> Match:
    light, kind = light_and_kind
    box = _like_print(rng, colours_of_a_box(rng), dict(inks))
    if kind in DRAWN:
        box = {name: colour for name, colour in box.items() if name not in ("white", "grey")}
    marks = _marks(rng, plan, [name for name, _ in inks], list(box))
    laid = [(plan.slots[name], box[colour]) for name, colour in marks.items()]
    if kind in DRAWN:
        print_, pieces = replace(print_, raster=drawn_on(rng, print_.raster, laid, print_.scale, kind)), []
    else:
        make = make_for(rng, kind)
        pieces = [laid_piece(rng, quad, make, colour) for quad, colour in laid]
        pieces += _stray(rng, plan, make, list(box.values()))
    pieces += _pawns(rng, plan, list(box.values()))
    pixels = np.clip(megapixels * np.exp(rng.uniform(-0.7, 0.7)), 0.7, 3.6)
    camera = camera_for(rng, plan.size, float(pixels), 32)
    shot = photograph(rng, print_, pieces, camera, lighting_for(rng, plan.size, light), 0.4)
    return Match(shot, marks, light, kind)


def _like_print(
    rng: np.random.Generator, box: dict[str, Colour], inks: dict[str, Colour]
) -> dict[str, Colour]:
    """A box whose paints are now and then just those of the print: only height and shadow tell them apart."""
    return {
        name: np.clip(inks[name] * rng.normal(1, 0.06) + rng.normal(0, 6, 3), 0, 255)
        if name in inks and rng.random() < _OF_THE_PRINT
        else colour
        for name, colour in box.items()
    }


def _stray(rng: np.random.Generator, plan: Plan, make: Make, colours: list[Colour]) -> list[Piece]:
    """Pieces that lie on no segment: on a score track, in a heap, forgotten."""
    middles = np.array([quad.mean(axis=0) for quad in plan.slots.values()])
    length, width = plan.segment
    across = np.array([(-length, -width), (length, -width), (length, width), (-length, width)]) / 2
    found = []
    for _ in range(int(rng.integers(0, 7))):
        place, turn = rng.uniform((0, 0), plan.size), rng.uniform(0, np.pi)
        if np.hypot(*(middles - place).T).min() > 1.3 * length:
            turning = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
            found.append(laid_piece(rng, place + across @ turning, make, one_of(rng, colours)))
    return found


def _pawns(rng: np.random.Generator, plan: Plan, colours: list[Colour]) -> list[Piece]:
    """Pawns anywhere, sometimes on segments, in the players' colours."""
    if rng.random() < 0.6:
        return []
    width = plan.segment[1] * float(rng.uniform(0.6, 1.5))
    places = [rng.uniform((0, 0), plan.size) for _ in range(int(rng.integers(1, 4)))]
    slots = list(plan.slots.values())
    places += [slots[int(rng.integers(len(slots)))].mean(axis=0) for _ in range(int(rng.integers(0, 3)))]
    return [pawn_at(rng, place, width, one_of(rng, colours)) for place in places]


def _marks(rng: np.random.Generator, plan: Plan, printed: list[str], box: list[str]) -> dict[str, str]:
    """Colours by segment: mostly whole routes of one colour, often the printed one; seldom random."""
    whole_routes = rng.random() < 0.75
    full = float(rng.uniform(0.15, 0.75))
    marks: dict[str, str] = {}
    for route in plan.routes:
        ink = printed[route.ink]
        owner = ink if ink in box and rng.random() < 0.45 else one_of(rng, box)
        taken = rng.random() < full
        for name in plan.groups[route.name]:
            if whole_routes and taken:
                marks[name] = owner
            elif not whole_routes and rng.random() < full:
                marks[name] = owner if rng.random() < 0.3 else one_of(rng, box)
    return marks
