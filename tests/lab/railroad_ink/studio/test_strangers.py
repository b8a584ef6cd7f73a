"""Hands of no known style: anybody's to learn from, strangers' to be judged by."""

from dataclasses import replace

import numpy as np
import pytest

from companion.games.railroad_ink.rules.boards.routes import VOCABULARY
from lab.railroad_ink.studio.boards import GivenBoard, SheetMarks, ink_board
from lab.railroad_ink.studio.hands import CELL, made_readable
from lab.railroad_ink.studio.route_marks import route_strokes
from lab.railroad_ink.studio.strangers import STRANGERS, stranger, wide_hand, writing_hand
from lab.railroad_ink.studio.tips import as_held
from lab.railroad_ink.training.material import RECIPE
from lab.studio.ink import FULL, InkLayer, Window, layer_density
from lab.studio.levels import LEVELS
from lab.studio.strokes import stroke


def _ends_reached(name: str, seed: int) -> np.ndarray:
    """By route and side, is there ink before the edge of the cell?"""
    scale, found = 4.0, []
    for route in VOCABULARY:
        rng = np.random.default_rng([seed, route.number])
        hand = made_readable(stranger(name))
        strokes = as_held(rng, hand, route_strokes(rng, hand, route, np.array([CELL, CELL])))
        side = int(3 * CELL * scale)
        density = layer_density(InkLayer("#000000", tuple(strokes)), Window((0, 0), scale, (side, side)))
        cell = density[int(CELL * scale) : int(2 * CELL * scale), int(CELL * scale) : int(2 * CELL * scale)]
        inked = cell > FULL // 5
        third, strip = len(cell) // 4, int(0.2 * len(cell))
        middle = slice(third, len(cell) - third)
        strips = (
            inked[:strip, middle],
            inked[middle, -strip:],
            inked[-strip:, middle],
            inked[middle, :strip],
        )
        found.append([part.mean() > 0.015 for part in strips])
    return np.array(found)


@pytest.mark.parametrize("name", STRANGERS)
def test_strangers_draw_every_end_of_every_route_and_no_other(name: str) -> None:
    reached = np.mean([_ends_reached(name, seed) for seed in range(2)], axis=0)
    true = np.array([[bool((r.highway | r.railway) >> d & 1) for d in range(4)] for r in VOCABULARY])
    assert (np.abs(reached - true) < 0.6).mean() > 0.97


def test_nobody_who_is_learnt_from_draws_much_as_a_stranger() -> None:
    hands = [wide_hand(np.random.default_rng(seed)) for seed in range(300)]
    for hand in hands:
        for one in STRANGERS.values():
            same = (hand.highway, hand.railway, hand.station) == (one.highway, one.railway, one.station)
            assert not same or abs(np.log(hand.width / one.width)) > 0.19
    assert not RECIPE.stranger
    assert {hand.railway for hand in hands} == {"ties", "single", "ladder", "crosses", "double"}
    assert min(hand.width for hand in hands) < 0.5
    assert max(hand.width for hand in hands) > 2.5
    assert {hand.tie_places for hand in hands} == {None, "border", "running"}


def test_the_smallest_dots_are_dots() -> None:
    base = replace(stranger("red-stations"), station_below=False)
    for dash in (0.5, 0.7, 1.0):
        hand = replace(base, dash=dash, dash_start="ink")
        for text in ("NS", "NE", "N*"):
            route = next(one for one in VOCABULARY if one.text == text)
            strokes = route_strokes(np.random.default_rng(1), hand, route, np.array([0.0, 0.0]))
            assert sum(not line.part for line in strokes) >= 3


def test_a_chisel_is_broad_in_one_direction() -> None:
    rng = np.random.default_rng(1)
    hand = replace(stranger("dry-chisel"), nib_turn=0.0, dry=0.0, sloppy=0.1)
    across = as_held(rng, hand, [stroke(rng, hand, np.array([(5.0, 10.0), (25.0, 10.0)]))])
    down = as_held(rng, hand, [stroke(rng, hand, np.array([(15.0, 2.0), (15.0, 22.0)]))])
    window = Window((0, 0), 8.0, (240, 240))
    areas = [(layer_density(InkLayer("#000000", tuple(s)), window) > FULL // 3).sum() for s in (across, down)]
    assert areas[1] > 2.0 * areas[0]
    assert writing_hand(hand).nib == 0


def test_stations_of_another_colour_may_lie_under_the_lines() -> None:
    marks = SheetMarks("challenge", {3: next(r for r in VOCABULARY if r.text == "Ns*")}, {})
    drawn = ink_board(GivenBoard(1, marks, 5), LEVELS["clean"], people="red-stations")
    assert [layer.ink for layer in drawn.layers][:2] == ["#c22a2f", "#17181c"]
    again = ink_board(GivenBoard(1, marks, 5), LEVELS["clean"], people="red-stations")
    assert np.array_equal(drawn.layers[0].strokes[0].points, again.layers[0].strokes[0].points)
