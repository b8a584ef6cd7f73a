"""What is drawn for each of the seventy routes."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from companion.games.railroad_ink.rules.boards.routes import VOCABULARY, Route, parse_route
from lab.railroad_ink.studio.hands import CELL, STYLES, Hand, MeetingStyle, hand_of, made_readable
from lab.railroad_ink.studio.route_marks import route_strokes
from lab.railroad_ink.studio.writing import GLYPHS, MARK_KINDS, Writer
from lab.studio.habits import PENS
from lab.studio.ink import FULL, InkLayer, Window, layer_density

SCALE = 4.0


def _density(route: Route, style: str, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    hand = hand_of(rng, STYLES[style], PENS["black-fine"])
    strokes = route_strokes(rng, hand, route, np.array([CELL, CELL]))
    side = int(3 * CELL * SCALE)
    return layer_density(InkLayer("#000000", tuple(strokes)), Window((0, 0), SCALE, (side, side)))


@pytest.mark.parametrize("route", VOCABULARY, ids=str)
@pytest.mark.parametrize("style", ["printed", "one-line", "dashed-road", "ladder"])
def test_ink_reaches_the_edges_of_the_route_and_no_others(route: Route, style: str) -> None:
    """A fifth of a cell before an edge there is ink in the middle third just if the route ends there."""
    low, high = int(CELL * SCALE), int(2 * CELL * SCALE)
    reached = np.zeros(4)
    for seed in range(4):
        cell = _density(route, style, seed)[low:high, low:high] > FULL // 4
        third, strip = len(cell) // 4, int(0.22 * len(cell))
        middle = slice(third, len(cell) - third)
        strips = (cell[:strip, middle], cell[middle, -strip:], cell[-strip:, middle], cell[middle, :strip])
        reached += [part.mean() > 0.02 for part in strips]
    ends = route.highway | route.railway
    assert [bool(count >= 3) for count in reached] == [bool(ends >> d & 1) for d in range(4)]


@pytest.mark.parametrize("route", VOCABULARY, ids=str)
def test_every_style_draws_every_route_inside_its_cell_and_a_little_around(route: Route) -> None:
    for number, style in enumerate(STYLES):
        density = _density(route, style, number)
        assert density.max() > FULL // 2, style
        far = density.copy()
        rim = int(0.75 * CELL * SCALE)
        far[rim:-rim, rim:-rim] = 0
        assert not far.any(), style


@pytest.mark.parametrize("route", [route for route in VOCABULARY if not route.station], ids=str)
def test_only_stations_darken_the_middle(route: Route) -> None:
    side = int(3 * CELL * SCALE)
    middle = slice(side // 2 - 3, side // 2 + 3)
    assert _density(route, "dashed-road", 3)[middle, middle].mean() < FULL


def test_every_sign_is_written_in_its_box() -> None:
    rng = np.random.default_rng(0)
    writer = Writer(rng, hand_of(rng, STYLES["printed"], PENS["black-hair"]))
    for sign in GLYPHS:
        for line in writer.text(sign, ((0, 0), (5, 0), (5, 5), (0, 5)), 4):
            assert -1 < line.points.min() < line.points.max() < 6, sign
    for kind in MARK_KINDS:
        for line in writer.mark(kind, ((0, 0), (5, 0), (5, 5), (0, 5))):
            assert -2.5 < line.points.min() < line.points.max() < 7.5, kind


def test_all_digits_and_goal_codes_can_be_written() -> None:
    assert set("0123456789ABCDEFGHIJKL") <= set(GLYPHS)


def _readable(style: str, pen: str, seed: int) -> Hand:
    return made_readable(hand_of(np.random.default_rng(seed), STYLES[style], PENS[pen]))


@pytest.mark.parametrize("pen", ["black-hair", "black-medium", "black-broad"])
@pytest.mark.parametrize("style", ["one-line", "dashed-and-ties", "ladder", "crosses"])
def test_a_readable_hand_shows_a_tie_beside_every_station(style: str, pen: str) -> None:
    for seed in range(6):
        hand = _readable(style, pen, seed)
        strokes = route_strokes(np.random.default_rng(seed), hand, parse_route("e*"), np.array([CELL, CELL]))
        outside = [np.abs(one.points.mean(axis=0) - 1.5 * CELL).max() > hand.half_station for one in strokes]
        assert sum(one.part == "rail" and far for one, far in zip(strokes, outside, strict=True)) >= 1


@pytest.mark.parametrize("pen", ["black-hair", "black-broad"])
@pytest.mark.parametrize("style", STYLES)
def test_stations_of_a_readable_hand_stand_out(style: str, pen: str) -> None:
    for seed in range(6):
        hand = _readable(style, pen, seed)
        widest = 0.26 * CELL
        assert hand.half_station > min(hand.half_road if "kerbs" in hand.highway else 0.0, widest)
        assert hand.railway in {"single", "crosses"} or hand.half_station >= min(hand.half_tie, widest)
        assert (hand.highway, hand.station) != ("hatched", "hollow")
        assert hand.highway != "hatched" or hand.width < 1.3


@pytest.mark.parametrize(
    ("meeting", "reach"), [("crossed", 0.5), ("butted", 0.5 - 0.12), ("open", 0.5 - 0.12)]
)
def test_sides_of_a_road_meet_as_the_hand_lets_them(meeting: MeetingStyle, reach: float) -> None:
    """How far from the east edge the branch of a junction comes in."""
    hand = hand_of(np.random.default_rng(3), STYLES["two-lines"], PENS["black-fine"])
    hand = replace(hand, meeting=meeting, half_road=0.12 * CELL, sloppy=0.0, reach=1.0)
    strokes = route_strokes(np.random.default_rng(1), hand, parse_route("NES"), np.zeros(2))
    touching = [one.points for one in strokes if one.points[:, 0].max() > 0.95 * CELL]
    assert len(touching) == 2
    for points in touching:
        assert points[:, 0].min() == pytest.approx(CELL - reach * CELL, abs=0.02 * CELL)


@pytest.mark.parametrize("pen", ["black-hair", "black-medium", "black-broad"])
def test_paper_shows_between_dashes(pen: str) -> None:
    gaps: list[float] = []
    for seed in range(12):
        hand = _readable("dashed-road", pen, seed)
        strokes = route_strokes(np.random.default_rng(seed), hand, parse_route("NS"), np.zeros(2))
        rows = sorted((one.points[:, 1].min(), one.points[:, 1].max()) for one in strokes)
        gaps += [following[0] - one[1] - hand.width for one, following in pairwise(rows)]
    assert np.mean(np.array(gaps) > 0) > 0.8
    assert np.median(gaps) > 0.03 * CELL


def test_who_looks_at_what_is_drawn_draws_steadily_enough() -> None:
    shaky = hand_of(np.random.default_rng(1), STYLES["hasty"], PENS["red-fine"])
    assert made_readable(shaky, unsteady=1.1).sloppy == 1.1 < made_readable(shaky).sloppy == shaky.sloppy
