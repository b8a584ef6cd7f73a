"""The studio of the map: positions by the rules, truth beside the picture, one crayon set a table."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from companion.games.empire_builder.rules.boards.board import board
from companion.games.empire_builder.rules.boards.difference import changes, problems
from companion.games.empire_builder.rules.boards.position import read_track
from companion.games.empire_builder.rules.rulebook import RULES
from lab.empire_builder.studio.crayons import BOXES, KEPT_APART, STYLES, WAX_LEVELS, CrayonHand, take_hands
from lab.empire_builder.studio.networks import as_builds, played
from lab.empire_builder.studio.studio import EmpireBuilderStudio, PictureSpec, made_up_match, take_map_picture
from vision.decoding import decoded
from vision.errors import StudioError

SMALL = 1.2  # megapixels


@pytest.mark.parametrize("seed", range(4))
def test_networks_grow_by_the_rules(seed: int) -> None:
    match = made_up_match(np.random.default_rng(seed))
    assert problems(board(), {}, match.after.track) == []
    for change in changes(board(), match.before.track, match.after.track):
        assert change.price <= RULES.building.a_turn
        assert change.out_of_majors <= RULES.building.out_of_majors
        assert not change.loose
    built = {edge for build in match.builds for edge in _edges(build.path)}
    assert built == set(match.after.track)


def _edges(path: tuple[int, ...]) -> list[int]:
    return [board().edge_numbers[pair] for pair in pairwise(path)]


def test_the_track_of_a_match_is_drawn_line_by_line() -> None:
    track = played(np.random.default_rng(5), 3, 12).after.track
    builds = as_builds(board(), track)
    assert {(edge, build.seat) for build in builds for edge in _edges(build.path)} == set(track.items())
    assert len(builds) < len(track)


def test_everybody_has_a_crayon_of_one_box_and_what_is_kept_apart_is_not_used() -> None:
    for seed in range(12):
        hands = take_hands(np.random.default_rng(seed), 6, WAX_LEVELS["table"], KEPT_APART)
        boxes = [name for name, box in BOXES.items() if all(_is_of(hand, box) for hand in hands.values())]
        assert set(boxes) - set(KEPT_APART.boxes)
        assert len({hand.colour for hand in hands.values()}) == 6
        assert all(hand.style != STYLES["strokes"] for hand in hands.values())


def _is_of(hand: CrayonHand, box: dict[str, str]) -> bool:
    """Has the box such a crayon, or nearly?"""
    if hand.colour not in box:
        return False
    one, other = ([int(wax[n : n + 2], 16) for n in (1, 3, 5)] for wax in (hand.wax, box[hand.colour]))
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) < 45


def test_the_truth_names_every_edge_and_both_positions(tmp_path: Path) -> None:
    photo, truth = take_map_picture(11, "clean", wish=PictureSpec(megapixels=SMALL))
    (sheet,) = truth["sheets"]
    assert decoded(photo, 1).image.shape[:2] == (truth["height"], truth["width"])
    track = read_track(board(), {int(seat): lines for seat, lines in sheet["after"].items()})
    seats = sheet["players"]
    marks = {name: slot["mark"] for name, slot in sheet["slots"].items() if "-" in name and slot["mark"]}
    assert {name: seats[mark] for name, mark in marks.items()} == {
        board().edge_names[edge]: seat for edge, seat in track.items()
    }
    assert take_map_picture(11, "clean", wish=PictureSpec(megapixels=SMALL))[0] == photo


def test_the_demonstration_sees_the_match_as_it_is() -> None:
    state = played(np.random.default_rng(2), 2, 4).after
    one, again = (EmpireBuilderStudio().picture(state, number) for number in (1, 2))
    assert one != again
    with pytest.raises(StudioError):
        EmpireBuilderStudio().write(Path("/nowhere"), 1, 1, "impossible", print)
