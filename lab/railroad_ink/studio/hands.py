"""How people draw routes, as data, and one person's hand taken from it.

A style or a pen can be held out of training by its name: whatever chooses takes the names to leave out.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import inf
from typing import Literal

import msgspec
import numpy as np

from companion.games.railroad_ink.printing.linework import Bend
from companion.games.railroad_ink.printing.printed import PRINTED
from lab.studio.habits import PENS, Pen, Range, between, entries_of, named, one_of

CELL = PRINTED.grid.cell
_TWO_PENS = 0.08  # share of people who draw railways with another pen
_NO_HATCHING = 1.2  # mm: a broader pen would fill the whole road
_LARGEST_STATION = 0.26  # of a cell: half its side
HighwayStyle = Literal["kerbs-dashes", "kerbs", "single", "dashed", "dotted", "hatched"]
RailwayStyle = Literal["ties", "single", "ladder", "crosses", "double"]
StationStyle = Literal[
    "filled", "hollow", "scribbled", "round", "crossed", "ring", "spiral", "strokes", "tangle"
]
OverpassStyle = Literal["brackets", "gap", "plain"]
BendStyle = Literal["round", "tight", "square", "cut"]
# Where roads of two sides meet: opened up, as if each crossed the others, or each up to the next.
MeetingStyle = Literal["open", "crossed", "butted"]


class Style(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One style of drawing: the choices and ranges from which hands are made."""

    name: str
    highway: tuple[HighwayStyle, ...]
    railway: tuple[RailwayStyle, ...]
    station: tuple[StationStyle, ...]
    overpass: tuple[OverpassStyle, ...]
    bend: tuple[BendStyle, ...]
    half_road: Range
    ties: tuple[int, int]
    tie: Range
    half_station: Range
    care: Range


_MEETINGS: tuple[MeetingStyle, ...] = ("open", "open", "open", "crossed", "butted")
TWO_SIDED: frozenset[HighwayStyle] = frozenset({"kerbs", "kerbs-dashes", "hatched"})


STYLES = entries_of(__package__, "styles.toml", Style)


@dataclass(frozen=True)
class Hand:
    """One person with one pen: what stays the same from cell to cell. Lengths in mm."""

    style: str
    pen: str
    highway: HighwayStyle
    railway: RailwayStyle
    station: StationStyle
    overpass: OverpassStyle
    bend: Bend
    half_road: float
    ties: int
    half_tie: float
    half_station: float
    sloppy: float  # 1 is an ordinary hand; scales every inaccuracy
    width: float
    dry: float
    strength: float
    digit_height: float  # of a round number
    rail_pen: str = ""  # the pen for railways, of those who have one for each type
    reach: float = 1.0  # how much of the cell a drawing fills: some stop short of the edge, some cross it
    tie_lean: float = 0.0  # radians
    crossed_nodes: bool = False  # an x where railways branch, as on the dice
    meeting: MeetingStyle = "open"
    dash: float = 1.0  # scales the length of dashes, and the paper between them
    dash_gap: float = 1.0
    # The following are of people who were taken from no style: see strangers.py.
    dash_start: Literal["ink", "gap", "anywhere"] | None = None  # dashes of one length, from the edge
    tie_places: Literal["border", "running"] | None = None  # ties at a distance of their own, from the edge
    through: bool | None = None  # lines run on under stations, always or never
    station_below: bool = False  # drawn before the lines
    inks: tuple[str, str, str] | None = None  # of highways, railways and stations
    nib: float = 0.0  # mm: the broad side of a chisel tip; 0 is a round one
    nib_turn: float = 0.0  # radians: how the chisel is held
    tremor: float = 0.0  # mm: how far lines shake around where they should be
    readable: bool = False  # sees to it that the others can tell what was meant


def take_hand(
    rng: np.random.Generator, without_styles: Collection[str] = (), without_pens: Collection[str] = ()
) -> Hand:
    """A random person with a random pen, styles and pens left out by name."""
    style = one_of(rng, named(STYLES, without_styles, "style"))
    pens = named(PENS, without_pens, "pen")
    hand = hand_of(rng, style, one_of(rng, pens))
    return replace(hand, rail_pen=one_of(rng, pens).name) if rng.random() < _TWO_PENS else hand


def hand_of(rng: np.random.Generator, style: Style, pen: Pen) -> Hand:
    """A random hand with this style and this pen."""
    highway, railway = _readable_pair(rng, style)
    width = between(rng, pen.width)
    # Two lines of a broad pen need room between them, or nobody could tell them from one.
    apart = (1.1 if highway == "kerbs-dashes" else 0.75) * width + 0.35
    wide_rail = {"ladder": width + 0.45, "crosses": 1.2 * width + 0.3}.get(railway, 0.9 * width)
    # Ties across a cell; with a broad pen fewer, as they would run together
    most = max(3, int(CELL / (2.4 * width)))
    return Hand(
        style=style.name,
        pen=pen.name,
        highway=highway,
        railway=railway,
        station=one_of(rng, style.station),
        overpass=one_of(rng, style.overpass),
        bend=_bend(rng, one_of(rng, style.bend)),
        half_road=max(between(rng, style.half_road) * CELL, apart),
        ties=min(int(rng.integers(style.ties[0], style.ties[1] + 1)), most),
        half_tie=max(between(rng, style.tie) * CELL, wide_rail),
        half_station=max(between(rng, style.half_station) * CELL, 1.15 * width + 0.3),
        sloppy=between(rng, style.care),
        width=width,
        dry=between(rng, pen.dry),
        strength=between(rng, pen.strength),
        digit_height=max(between(rng, (2.2, 3.8)), 2.4 * width),
        reach=float(np.clip(rng.normal(0.99, 0.035), 0.86, 1.07)) if rng.random() < 0.5 else 1.0,
        tie_lean=float(rng.normal(0, 0.35)) if rng.random() < 0.25 else 0.0,
        crossed_nodes=bool(rng.random() < 0.12),
        meeting=one_of(rng, _MEETINGS),
        dash=between(rng, (0.6, 1.4)),
        dash_gap=between(rng, (0.45, 1.2)),
    )


def made_readable(hand: Hand, unsteady: float = inf) -> Hand:
    """The hand changed so that stations stand out from what they lie on.

    Nobody's lines stray farther than ``unsteady`` times what an ordinary hand's do.
    """
    if hand.highway == "hatched" and hand.width > _NO_HATCHING:
        hand = replace(hand, highway="kerbs")
    # Nothing inside a box shows on a hatched road, and a crossed box looks like the node of a ladder.
    lost = hand.highway == "hatched" or (hand.railway == "ladder" and hand.station == "crossed")
    inside = hand.station in {"hollow", "crossed", "ring"}
    station: StationStyle = "filled" if lost and inside else hand.station
    tie = {"single": 0.0, "crosses": 0.8}.get(hand.railway, 1.0) * hand.half_tie
    ink = 0.5 * hand.width if hand.highway == "hatched" else 0.0  # the sides of a filled road count, too
    road = hand.half_road + ink if hand.highway in TWO_SIDED else 0.0
    clear = max(1.1 * tie, road) + max(0.35, 0.45 * hand.width)
    half = max(hand.half_station, min(clear, _LARGEST_STATION * CELL))
    sloppy = min(hand.sloppy, unsteady)
    return replace(hand, station=station, half_station=half, sloppy=sloppy, readable=True)


def _readable_pair(rng: np.random.Generator, style: Style) -> tuple[HighwayStyle, RailwayStyle]:
    """Change a hand that would draw both types as one plain line."""
    pairs = [
        (highway, railway)
        for highway in style.highway
        for railway in style.railway
        if (highway, railway) != ("single", "single")
    ]
    return one_of(rng, pairs)


def _bend(rng: np.random.Generator, kind: BendStyle) -> Bend:
    match kind:
        case "round":
            return Bend(between(rng, (0.75, 1.0)))
        case "tight":
            return Bend(between(rng, (0.25, 0.7)))
        case "square":
            return Bend(0.0)
        case "cut":
            return Bend(between(rng, (0.6, 1.0)), cut=True)
