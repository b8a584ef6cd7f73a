"""The people who drew a deck, as data, and one deck's hand taken from them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

import msgspec
import numpy as np

from companion.games.derailed.printing.printed import PRINTED
from lab.studio.habits import Range, between, entries_of, named, one_of

Joint = Literal["curves", "arms", "both"]
Crossing = Literal["open", "over", "stopped"]
Bridge = Literal["bulging", "arched", "plain", "parapets", "bowed"]
Junction = Literal["open", "overlaid", "crossed"]
Ties = Literal["none", "pale", "dark"]
Frame = Literal["none", "light", "line", "band"]
StationStyle = Literal["ground", "rim", "disc", "hatched", "bands", "frame"]
OURS = "printed"  # the name of the deck that we print ourselves
HELD_OUT = ("schoolchild", "calligrapher", "stamper", "viaduct")
# Decks like no other, from which nobody learns; the second ones are looked at for figures only.
STRANGE = ("single-line", "broad-gauge", "hairline", "marker")
STRANGE_HELD_OUT = ("chalkboard", "kindergarten", "ribbon")
# How decks draw stations: one colour to the edge, a white rim, a disc, hatching, two bands, a thick frame.
_STATIONS: dict[StationStyle, float] = {
    "ground": 0.38, "rim": 0.2, "disc": 0.13, "hatched": 0.13, "bands": 0.08, "frame": 0.08,
}  # fmt: skip
# How decks draw bridges: both lines outwards, both to one side, neither, or neither and walls beside them.
# "bowed" is to one side, too, but from edge to edge: that only somebody held out does.
_BRIDGES: dict[Bridge, float] = {"bulging": 0.34, "arched": 0.44, "plain": 0.11, "parapets": 0.11}
_STOPPED = 0.2  # share of decks whose second curve of points stops at the first
_BEDS = 0.12  # share of decks with a pale bed between the lines
_TOUCHING = 0.25  # share of decks whose bridges touch what stops at them
_BED_COLOURS = ("#d9d2c4", "#cfd6da", "#e3d3b4", "#c9d6c2", "#bdb6ac")
_WIDE_HUES = 0.6  # share of decks whose companies have colours of their own
_ALIKE = 0.4  # share of decks whose copies of a card are prints of one drawing


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ranges of ``hands.toml``, which says what each of them means."""

    name: str
    share: float
    gauge: Range
    width: Range
    sloppy: Range
    dry: Range
    inks: tuple[str, ...]
    joint: tuple[Joint, ...]
    crossing: tuple[Crossing, ...]
    ties: tuple[Ties, ...]
    papers: tuple[str, ...]
    frame: tuple[Frame, ...]
    junction: tuple[Junction, ...] = ("open", "overlaid", "crossed")
    bridge: tuple[Bridge, ...] = ()
    negative: bool = False


PEOPLE = entries_of(__package__, "hands.toml", Person)


@dataclass(frozen=True)
class CardHand:
    """One deck: what stays the same from card to card. Lengths in mm."""

    name: str
    seed: int
    sloppy: float
    width: float
    dry: float
    strength: float
    ink: str
    paper: str
    gauge: float
    joint: Joint
    crossing: Crossing
    ties: Ties
    frame: Frame
    radius: float  # of the card's corners
    bar: tuple[float, float]  # of a dead end: thickness, length
    stub: tuple[float, float]  # length of a dead end on a long side, on a short one
    bulge: tuple[float, float]  # of a bridge: how far, along how much
    gap: float  # between a bridge and what stops at it
    roundness: float  # of curves: 0.3 nearly a corner, 0.7 wide
    bridge_along: bool  # the track along the lane is the one above
    scenery: float  # how much is doodled beside the track, from 0 to 1
    station_tracks: bool
    junction: Junction = "open"
    station: StationStyle = "ground"
    rim: float = 0.0  # of stations with a white rim, a frame or a disc: how much is left white
    wide_hues: bool = False  # companies have any colour that people would call by the same name
    alike: bool = False  # copies of a card are prints of one drawing
    negative: bool = False  # light lines on dark cards
    bridge: Bridge = "bulging"
    bow: tuple[float, float, float] = (0.0, 0.0, 0.0)  # of both lines of one that is arched: mm, mm, along
    bed: str = ""  # colour between the lines


def take_card_hand(
    rng: np.random.Generator, without: Collection[str] = (), only: Collection[str] = ()
) -> CardHand:
    """A random person who draws decks."""
    people = [person for person in named(PEOPLE, without, "hand") if not only or person.name in only]
    weights = np.array([person.share for person in people])
    return hand_of(rng, people[int(rng.choice(len(people), p=weights / weights.sum()))])


def hand_of(rng: np.random.Generator, person: Person) -> CardHand:
    """A random deck of this person."""
    gauge = between(rng, person.gauge) * PRINTED.card.size[0]
    width = between(rng, person.width)
    seed = int(rng.integers(2**62))
    own = np.random.default_rng([seed, 15])  # what came later does not change the rest of a deck
    deck = CardHand(
        name=person.name,
        seed=seed,
        sloppy=between(rng, person.sloppy),
        width=width,
        dry=between(rng, person.dry),
        strength=float(rng.uniform(0.75, 1.3)),
        ink=one_of(rng, person.inks),
        paper=one_of(rng, person.papers),
        gauge=gauge,
        joint=one_of(rng, person.joint),
        crossing=one_of(rng, person.crossing),
        ties=one_of(rng, person.ties),
        frame=one_of(rng, person.frame),
        radius=float(rng.choice([0.0, 2.0, 3.0, 5.0, 5.0])),
        bar=(float(rng.uniform(1.8, 4.5)) + 0.6 * width, gauge * float(rng.uniform(0.95, 1.6))),
        stub=(float(rng.uniform(5, 12)), float(rng.uniform(7, 17))),
        bulge=(float(rng.uniform(2.6, 6.5)), float(rng.uniform(6.5, 12))),
        gap=float(rng.uniform(0.3, 3.5)),
        roundness=float(rng.uniform(0.42, 0.62)),
        bridge_along=bool(rng.random() < 0.2),
        scenery=float(rng.uniform(0, 1)) if rng.random() < 0.35 else 0.0,
        station_tracks=bool(rng.random() < 0.6),
        junction=one_of(own, person.junction),
        station=list(_STATIONS)[int(own.choice(len(_STATIONS), p=list(_STATIONS.values())))],
        rim=float(own.uniform(2.0, 9.0)),
        wide_hues=bool(own.random() < _WIDE_HUES),
        alike=bool(own.random() < _ALIKE),
        negative=person.negative,
    )
    return _varied(deck, person) if person.share else deck


def _varied(deck: CardHand, person: Person) -> CardHand:
    """The deck with a bridge of any kind, curves of any roundness, and other habits of its own."""
    rng = np.random.default_rng([deck.seed, 20])
    usual = list(_BRIDGES)[int(rng.choice(len(_BRIDGES), p=list(_BRIDGES.values())))]
    bow, way = float(rng.uniform(2.2, 10.0)), float(rng.choice([-1.0, 1.0]))
    bridge = one_of(rng, person.bridge) if person.bridge else usual
    # Without a bow or a wall nothing but the gap tells it from a crossing
    touching = bridge != "plain" and rng.random() < _TOUCHING
    return replace(
        deck,
        bridge=bridge,
        bow=(way * bow, way * bow * float(rng.uniform(0.3, 1.15)), float(rng.uniform(6.0, 20.0))),
        crossing="stopped" if "over" in person.crossing and rng.random() < _STOPPED else deck.crossing,
        bed=one_of(rng, _BED_COLOURS) if rng.random() < _BEDS else "",
        gap=float(rng.uniform(-0.6, 0.6)) if touching else max(deck.gap, 0.8),
        roundness=float(rng.uniform(0.36, 0.7)),
    )
