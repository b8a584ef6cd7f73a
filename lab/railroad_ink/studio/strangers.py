"""People of no known style: anybody in the widest ranges, to learn from, and named ones, to be judged by.

Whoever learns sees hands from :func:`wide_hand`; the strangers of ``strangers.toml`` are held out for good,
and so is everybody who draws much as one of them does.
"""

from __future__ import annotations

import colorsys
from dataclasses import replace
from math import log
from typing import Literal

import msgspec
import numpy as np

from lab.railroad_ink.studio.hands import (
    CELL,
    STYLES,
    Hand,
    HighwayStyle,
    OverpassStyle,
    RailwayStyle,
    StationStyle,
    hand_of,
)
from lab.studio.habits import PENS, between, entries_of, one_of

_ALIKE = 0.2  # in ln of the width: nearer, with the same lines and stations, is the same person
_HIGHWAYS: tuple[HighwayStyle, ...] = (
    "kerbs-dashes",
    "kerbs",
    "single",
    "dashed",
    "dashed",
    "dotted",
    "hatched",
)
_RAILWAYS: tuple[RailwayStyle, ...] = ("ties", "ties", "single", "single", "ladder", "crosses", "double")
_STATIONS: tuple[StationStyle, ...] = (
    "filled", "filled", "hollow", "scribbled", "round", "crossed", "ring", "spiral", "strokes", "tangle",
)  # fmt: skip
# Nobody could tell these apart: two plain lines, two pairs of lines, dots and small crosses.
_TOO_ALIKE = {("single", "single"), ("kerbs", "double"), ("dotted", "crosses")}
# One is a plain line, and only the ties, dashes or dots of the other tell them apart.
_PLAIN: tuple[tuple[HighwayStyle, RailwayStyle], ...] = (
    ("dashed", "single"), ("dashed", "single"), ("dotted", "single"), ("single", "ties"), ("single", "ties"),
    ("single", "crosses"), ("single", "ladder"), ("kerbs", "single"), ("hatched", "single"),
)  # fmt: skip
_PLAIN_SHARE = 0.4  # of people who draw so: nothing is misread as often
_FEW = (1, 1, 2, 3)  # ties across a cell
_LUMINANCE, _PALEST = (0.3, 0.59, 0.11), 0.55  # nobody draws with what is as pale as paper
# Up to which width of the pen, in mm, people draw so.
_BROADEST = {"kerbs-dashes": 1.6, "hatched": 1.1, "ladder": 1.8, "crosses": 1.4, "double": 2.0, "dotted": 2.4}


class Stranger(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One person as ``strangers.toml`` has him; shares of a cell and mm as in :class:`Hand`."""

    name: str
    highway: HighwayStyle
    railway: RailwayStyle
    station: StationStyle
    width: float
    inks: tuple[str, str, str]
    overpass: OverpassStyle = "brackets"
    ties: int = 5
    half_tie: float = 0.1
    half_road: float = 0.1
    half_station: float = 0.14
    sloppy: float = 1.1
    dry: float = 0.05
    strength: float = 1.0
    dash: float = 1.0
    dash_gap: float = 1.0
    dash_start: Literal["ink", "gap", "anywhere"] | None = None
    tie_places: Literal["border", "running"] | None = None
    through: bool | None = None
    station_below: bool = False
    nib: float = 0.0
    nib_turn: float = 0.0
    tremor: float = 0.0


STRANGERS = entries_of(__package__, "strangers.toml", Stranger)


def stranger(name: str) -> Hand:
    """The hand of a stranger by name; the same every time."""
    one = STRANGERS[name]
    base = hand_of(np.random.default_rng(len(name)), STYLES["two-lines"], PENS["black-fine"])
    apart = (1.1 if one.highway == "kerbs-dashes" else 0.75) * one.width + 0.35
    same = {
        field: getattr(one, field)
        for field in msgspec.structs.asdict(one)
        if field not in {"name", "half_tie", "half_road", "half_station"}
    }
    return replace(
        base,
        style=name,
        half_tie=max(one.half_tie * CELL, 0.9 * one.width),
        half_road=max(one.half_road * CELL, apart),
        half_station=max(one.half_station * CELL, 1.15 * one.width + 0.3),
        digit_height=max(3.0, 2.4 * min(one.width, 1.4)),
        **same,
    )


def wide_hand(rng: np.random.Generator) -> Hand:
    """A random hand, each property drawn by itself from wide ranges, but none like a stranger's."""
    while True:
        width = float(np.exp(rng.uniform(log(0.4), log(3.0))))
        highway, railway = _lines(rng, width)
        base = hand_of(rng, STYLES["free"], one_of(rng, list(PENS.values())))
        apart = (1.1 if highway == "kerbs-dashes" else 0.75) * width + 0.35
        few_ties = rng.random() < 0.5  # just what it needs to tell a railway
        wide_rail = {"ladder": width + 0.45, "crosses": 1.2 * width + 0.3, "double": width + 0.35}.get(
            railway, 0.9 * width
        )
        chisel = rng.random() < 0.2
        dry = between(rng, (0.2, 0.95)) if rng.random() < 0.3 else between(rng, (0.0, 0.25))
        # Mostly one pen for all; some have another for railways, some for stations
        first = _ink(rng) if rng.random() < 0.5 else PENS[base.pen].ink
        rail = _ink(rng) if rng.random() < 0.15 else first
        hand = replace(
            base,
            style="anybody",
            highway=highway,
            railway=railway,
            station=one_of(rng, _STATIONS),
            width=width,
            half_road=max(between(rng, (0.06, 0.15)) * CELL, apart),
            ties=min(
                one_of(rng, _FEW) if few_ties else int(rng.integers(1, 9)), max(2, int(CELL / (2.4 * width)))
            ),
            half_tie=max(between(rng, (0.05, 0.15)) * CELL, wide_rail),
            half_station=max(between(rng, (0.08, 0.19)) * CELL, 1.15 * width + 0.3),
            sloppy=between(rng, (0.5, 2.2)),
            dry=dry,
            strength=between(rng, (0.4, 0.8)) if dry > 0.4 else between(rng, (0.65, 1.2)),
            digit_height=max(between(rng, (2.0, 4.0)), 2.4 * min(width, 1.5)),
            rail_pen="",
            reach=float(np.clip(rng.normal(0.98, 0.04), 0.84, 1.08)) if rng.random() < 0.6 else 1.0,
            dash=float(np.exp(rng.uniform(log(0.5), log(2.6)))),
            dash_gap=between(rng, (0.45, 1.6)),
            dash_start=one_of(rng, (None, "ink", "ink", "gap", "anywhere")),
            tie_places=one_of(
                rng, ("border", "border", None, "running") if few_ties else (None, None, "border", "running")
            ),
            through=one_of(rng, (None, None, True, False)),
            station_below=bool(rng.random() < 0.4),
            inks=(first, rail, _ink(rng) if rng.random() < 0.35 else first),
            nib=width * between(rng, (1.2, 2.2)) if chisel else 0.0,
            nib_turn=between(rng, (0.0, np.pi)),
            tremor=between(rng, (0.03, 0.2)) if rng.random() < 0.3 else 0.0,
        )
        if not any(_is_alike(hand, one) for one in STRANGERS.values()):
            return hand


def writing_hand(hand: Hand) -> Hand:
    """The hand as it writes: nobody writes into a small box with a broad tip or a chisel's side."""
    return replace(hand, width=min(hand.width, 0.28 * hand.digit_height), nib=0.0)


def _is_alike(hand: Hand, one: Stranger) -> bool:
    lines = (hand.highway, hand.railway, hand.station) == (one.highway, one.railway, one.station)
    return lines and abs(log(hand.width / one.width)) < _ALIKE


def _lines(rng: np.random.Generator, width: float) -> tuple[HighwayStyle, RailwayStyle]:
    while True:
        highway, railway = one_of(rng, _HIGHWAYS), one_of(rng, _RAILWAYS)
        if rng.random() < _PLAIN_SHARE:
            highway, railway = one_of(rng, _PLAIN)
        narrow = min(_BROADEST.get(highway, 9.0), _BROADEST.get(railway, 9.0))
        if (highway, railway) not in _TOO_ALIKE and width <= narrow:
            return highway, railway


def _ink(rng: np.random.Generator) -> str:
    """A random colour that can be seen on white paper."""
    while True:
        bright = float(rng.uniform(0.1, 0.8))
        light, colour = (
            colorsys.hsv_to_rgb(0, 0, bright * 0.3),
            colorsys.hsv_to_rgb(rng.random(), 0.85, bright),
        )
        shown = colour if rng.random() < 0.7 else light
        if sum(share * part for share, part in zip(_LUMINANCE, shown, strict=True)) < _PALEST:
            return "#" + "".join(f"{round(255 * part):02x}" for part in shown)
