"""Card tables drawn and photographed: the same seed, the same picture, and the truth holds."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.games.derailed.reader.cards.faces import CLASSES, COVERED
from companion.games.derailed.rules.cards import FACES, parse_face
from companion.games.derailed.rules.network import area_of
from companion.games.derailed.rules.placement import open_placements
from lab.derailed.studio.decks import Deck, card_picture, card_rim
from lab.derailed.studio.hands import (
    HELD_OUT,
    PEOPLE,
    STRANGE,
    STRANGE_HELD_OUT,
    Bridge,
    hand_of,
    take_card_hand,
)
from lab.derailed.studio.output import take_card_picture
from lab.derailed.studio.positions import played_table
from lab.derailed.studio.scenes import ODDITIES, CardSpec
from lab.derailed.studio.track_marks import HEIGHT, WIDTH, face_strokes
from lab.derailed.training.flat import flat_deck
from lab.derailed.training.material import VIEW_SIZE
from lab.derailed.training.variety import view_weights
from vision.errors import StudioError

SMALL = CardSpec(megapixels=0.3, table_pixels=64)
PORT_STRIPS = {"T": np.s_[:2, 18:46], "B": np.s_[-2:, 18:46], "L": np.s_[30:58, :2], "R": np.s_[30:58, -2:]}


def test_the_same_seed_the_same_picture() -> None:
    assert take_card_picture(5, "table", spec=SMALL) == take_card_picture(5, "table", spec=SMALL)
    assert take_card_picture(6, "table", spec=SMALL) != take_card_picture(5, "table", spec=SMALL)


@pytest.mark.parametrize("name", PEOPLE)
def test_track_leaves_the_card_at_its_ports_only(name: str) -> None:
    deck = Deck(hand_of(np.random.default_rng(1), PEOPLE[name]))
    assert deck.hand is not None
    for text in sorted(FACES):
        drawn = face_strokes(np.random.default_rng(2), deck.hand, parse_face(text))
        points = np.concatenate([line.points for line in drawn.lines])
        ports = {letter for letter in text.upper() if letter in "LTRB"}
        for letter, over in (("L", points[:, 0] < 0.5), ("R", points[:, 0] > WIDTH - 0.5),
                             ("T", points[:, 1] < 0.5), ("B", points[:, 1] > HEIGHT - 0.5)):  # fmt: skip
            assert bool(over.any()) == (letter in ports), (name, text, letter)


@pytest.mark.parametrize("text", ["TB", "LT|rb", "LR|TB", "LB|RB|t", "LU|RU|BU"])
def test_our_deck_and_a_drawn_one_are_dark_at_the_same_ports(text: str) -> None:
    ours = Deck(None)
    drawn = Deck(hand_of(np.random.default_rng(3), PEOPLE["designer"]))
    for deck in (ours, drawn):
        grey = cv2.cvtColor(card_picture(deck, text, 0, 1.0), cv2.COLOR_RGB2GRAY)
        dark = {letter for letter, strip in PORT_STRIPS.items() if (grey[strip] < 90).sum() > 2}
        assert dark == {letter for letter in text.upper() if letter in "LTRB"}


def test_six_hands_at_least_and_some_are_held_out() -> None:
    assert len(PEOPLE) >= 8
    assert set(HELD_OUT) < set(PEOPLE)
    names = {take_card_hand(np.random.default_rng(n), HELD_OUT).name for n in range(60)}
    assert names == set(PEOPLE) - {*HELD_OUT, *STRANGE, *STRANGE_HELD_OUT}
    with pytest.raises(StudioError):
        take_card_hand(np.random.default_rng(1), ["nobody"])


def test_tables_come_from_legal_play() -> None:
    table = played_table(np.random.default_rng(4), 4, 20)
    cells: dict[str, str] = {}
    for laid in table.moves:
        lane = table.starts.index(laid.company)
        assert (laid.cell, laid.face) in open_placements(area_of(4, cells), lane, [laid.face])
        cells[laid.cell] = laid.face
    assert cells == table.grid


def test_the_truth_says_where_cards_lie() -> None:
    table = played_table(np.random.default_rng(4), 3, 9)
    data, truth = take_card_picture(
        9, "clean", spec=CardSpec(cards=table, hand="printed", mat=False, megapixels=0.6)
    )
    image = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))
    sheet = truth["sheets"][0]
    assert {name: place["card"] for name, place in sheet["places"].items() if "-" not in name} == table.grid
    for place in sheet["places"].values():
        corners = np.array(place["corners"])
        assert cv2.contourArea(corners.astype(np.float32), oriented=True) > 0
        x, y = corners.mean(axis=0).astype(int)
        assert 0 <= x < image.shape[1]
        assert 0 <= y < image.shape[0]


@pytest.mark.parametrize("odd", ODDITIES)
def test_something_odd_on_request(odd: str) -> None:
    _, truth = take_card_picture(11, "table", spec=CardSpec(odd=odd, megapixels=0.3, table_pixels=64))  # type: ignore[arg-type]
    told = truth["sheets"][0]["odd"]
    assert [one["what"] for one in told] == ([] if odd == "foreign" else [odd])


def test_a_card_has_four_sides_and_round_corners() -> None:
    rim = card_rim(5.0)
    assert rim.min(axis=0) == pytest.approx([0, 0], abs=0.1)
    assert rim.max(axis=0) == pytest.approx([WIDTH, HEIGHT], abs=0.1)
    assert len(card_rim(0.0)) >= 4


def test_a_card_turned_by_half_is_the_same_drawing() -> None:
    hand = hand_of(np.random.default_rng(3), PEOPLE["schoolchild"])
    for alike in (False, True):
        deck = Deck(replace(hand, alike=alike))
        one, other = (card_picture(deck, "LT|b", copy, 1.0) for copy in (0, 1))
        assert np.array_equal(one, other) == alike
        assert np.array_equal(card_picture(deck, "RB|t", 1, 1.0), other[::-1, ::-1])
        straight = card_picture(deck, "TB", 0, 1.0)
        assert np.array_equal(card_picture(deck, "TB", 0, 1.0, turned=True), straight[::-1, ::-1])


@pytest.mark.parametrize("bridge", ["bulging", "arched", "plain", "parapets", "bowed"])
def test_of_a_bridge_only_the_upper_track_goes_through(bridge: Bridge) -> None:
    """Along the middle of the card's width nothing is drawn between the lines of the track above."""
    for seed in range(6):
        hand = replace(hand_of(np.random.default_rng(seed), PEOPLE["ruler"]), bridge=bridge, gap=1.0)
        hand = replace(hand, bridge_along=False, ties="none", bed="")
        lines = face_strokes(np.random.default_rng(seed), hand, parse_face("LR|TB")).lines
        # The track above: two lines from edge to edge, bowing out, to one side, or not at all
        above = [line.points for line in lines if np.ptp(line.points[:, 0]) > 0.9 * WIDTH]
        assert len(above) == 2
        bows = [float(line[:, 1][np.abs(line[:, 0] - WIDTH / 2).argmin()] - line[0, 1]) for line in above]
        way = {"bulging": -1, "arched": 1, "bowed": 1}.get(bridge, 0)
        assert np.sign(bows[0] * bows[1]) * (min(map(abs, bows)) > 0.7) == way, (seed, bows)
        # What comes from below and above stops at it
        low, high = sorted(line[:, 1][np.abs(line[:, 0] - WIDTH / 2).argmin()] for line in above)
        others = [line.points for line in lines if np.ptp(line.points[:, 0]) <= 0.9 * WIDTH]
        heights = np.concatenate(others)[:, 1]
        assert not ((heights > low + 2.5) & (heights < high - 2.5)).any(), seed
        assert heights.min() < 0 < HEIGHT < heights.max()


def test_the_second_curve_of_points_may_stop_at_the_first() -> None:
    hand = hand_of(np.random.default_rng(2), PEOPLE["designer"])
    lengths = {}
    for crossing in ("over", "stopped"):
        drawn = face_strokes(
            np.random.default_rng(2), replace(hand, crossing=crossing), parse_face("LT|TR|b")
        )
        lengths[crossing] = sum(np.hypot(*np.diff(line.points, axis=0).T).sum() for line in drawn.lines)
    assert 0.6 * lengths["over"] < lengths["stopped"] < 0.95 * lengths["over"]


def test_a_flat_deck_shows_every_face_and_empty_places() -> None:
    told = flat_deck(3)
    assert set(CLASSES) - {COVERED} == {CLASSES[number] for number in told["labels"]}
    assert told["views"].shape == (len(told["labels"]), VIEW_SIZE[1], VIEW_SIZE[0], 3)
    assert told["views"].std(axis=(1, 2, 3)).min() > 1
    again = flat_deck(3)
    assert np.array_equal(told["views"], again["views"])


def test_views_of_every_source_are_learnt_from_equally_often() -> None:
    labels, source = np.array([0, 0, 0, 1, 0], np.int16), np.array([0, 0, 0, 0, 1])
    weights = view_weights(labels, source)
    assert weights[:3].sum() == pytest.approx(weights[4])
    assert weights[3] == pytest.approx(weights[:3].sum() + weights[4])
