"""Sheets are found by their tags, and placed exactly on their print."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from companion.core.jsontext import JsonObject
from companion.game.packages import title_of_kind
from companion.games.railroad_ink.printing.printed import tag_quads
from companion.games.railroad_ink.printing.sheets import board_sheets
from companion.games.railroad_ink.reader.boards import grid_corners
from companion.games.spike.printing.sheets import board_sheets as maps
from companion.games.spike.reader.reading import read_board
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.photographs import photograph
from lab.railroad_ink.studio.scenes import SceneSpec, make_scene
from lab.railroad_ink.studio.truths import scene_truth
from lab.studio.darkroom import packed
from lab.studio.levels import level_named
from lab.studio.tabletop import project_truth
from vision.decoding import decoded
from vision.find.by_tags import FoundSheet, find_sheets, smallest_tag, too_little_seen
from vision.find.seeing import Search, see, why_nothing
from vision.register.placing import Bend
from vision.register.print_register import FAR, Expected, on_print, with_one_lens
from vision.register.rectify import Image, Placement


@lru_cache(maxsize=4)
def picture(bent: bool = False) -> tuple[Image, JsonObject]:
    spec = SceneSpec(sheets=1, megapixels=1.6, table_pixels=128)
    if not bent:
        data, truth = take_picture(3_200_001, "clean", spec=spec)
        return decoded(data, 1).image, truth
    scene = make_scene(3_200_001, level_named("clean"), spec)
    scene = replace(scene, camera=replace(scene.camera, k1=-0.12))
    data = packed(photograph(scene), 95)
    return decoded(data, 1).image, scene_truth(scene, "", "clean")


def without_tags(corners: list[int]) -> Image:
    """The picture with some corner tags painted over."""
    image, truth = picture()
    image, true = image.copy(), truth["sheets"][0]
    for corner in corners:
        quad = np.array(list(tag_quads(true["edition"], true["seat"]).values())[corner])
        (left, top), (right, bottom) = (
            project_truth(truth, true, quad).min(axis=0),
            project_truth(truth, true, quad).max(axis=0),
        )
        image[int(top) : int(bottom) + 1, int(left) : int(right) + 1] = 200
    return image


def miss(placement: Placement, truth: JsonObject) -> float:
    """The biggest error over the grid, in mm."""
    share = np.linspace(0, 1, 6)
    low, high = grid_corners()[0], grid_corners()[2]
    places = np.stack(np.meshgrid(share, share), axis=-1).reshape(-1, 2) * (high - low) + low
    true = project_truth(truth, truth["sheets"][0], places)
    return float(np.hypot(*(placement.pixels(places) - true).T).max()) / placement.scale_at((66, 83))


def the_sheet(image: Image) -> FoundSheet:
    (sheet,) = find_sheets(image, board_sheets()).sheets
    return sheet


def test_four_tags_say_which_sheet_and_where() -> None:
    image, truth = picture()
    sheet = the_sheet(image)
    true = truth["sheets"][0]
    assert (sheet.sheet.edition, sheet.sheet.seat, sheet.sure) == (true["edition"], true["seat"], True)
    assert miss(sheet.placement, truth) < 0.4
    np.testing.assert_allclose(sheet.corners, true["corners"], atol=4)


@pytest.mark.parametrize("missing", range(4))
def test_three_of_four_tags_suffice(missing: int) -> None:
    image, (_, truth) = without_tags([missing]), picture()
    sheet = the_sheet(image)
    assert sheet.sure
    better = on_print(image, Expected(sheet.sheet, sheet.placement, sheet.match))
    assert miss(better.placement, truth) < 0.35


@pytest.mark.parametrize("missing", [[0, 2], [0, 1], [1, 2]])
def test_two_tags_suffice_if_the_print_confirms_them(missing: list[int]) -> None:
    image, (_, truth) = without_tags(missing), picture()
    sheet = the_sheet(image)
    assert not sheet.sure
    check = on_print(image, Expected(sheet.sheet, sheet.placement, sheet.match, FAR))
    assert check.alike > 0.3
    assert miss(check.placement, truth) < 0.4


def test_one_tag_is_too_little_and_named() -> None:
    found = find_sheets(without_tags([0, 1, 2]), board_sheets())
    assert found.sheets == ()
    assert [one.seat for one in too_little_seen(found, ())] == [picture()[1]["sheets"][0]["seat"]]


def test_the_print_straightens_what_the_lens_bends() -> None:
    image, truth = picture(bent=True)
    sheet = the_sheet(image)
    better = on_print(image, Expected(sheet.sheet, sheet.placement, sheet.match)).placement
    assert miss(sheet.placement, truth) > 0.3
    assert miss(better, truth) < 0.15
    assert better.bend < -0.01


def test_nothing_is_found_where_nothing_is() -> None:
    found = find_sheets(np.full((300, 400, 3), 128, np.uint8), board_sheets())
    assert (found.sheets, found.lonely) == ((), ())
    assert smallest_tag(found) == 0.0


def test_sheets_of_one_picture_tell_each_other_how_the_lens_bends() -> None:
    """The lens is what most sheets say it is, not what a badly seen one says by itself."""
    image, _ = picture(bent=True)
    sheet = the_sheet(image)
    good = on_print(image, Expected(sheet.sheet, sheet.placement, sheet.match))
    assert good.seen is not None
    few = good.seen.only(np.arange(len(good.seen.places)) % 8 == 0)
    noise = np.random.default_rng(5).normal(0, 1.5, few.pixels.shape)
    poor = replace(good, seen=replace(few, pixels=few.pixels + noise), bend=Bend(0.1, 20.0))
    alone, together = (
        with_one_lens([poor], (image.shape[1], image.shape[0]))[0],
        with_one_lens([poor, good], (image.shape[1], image.shape[0]))[0],
    )
    assert alone is poor
    assert abs(together.placement.bend - good.placement.bend) < 0.02


# --- sheets of another game ---


def test_a_sheet_of_another_game_is_named() -> None:
    seen = see(picture()[0], Search(maps(), 1.0))
    assert seen.sheets == ()
    assert seen.found.others == (f"railroad-ink/{picture()[1]['sheets'][0]['edition']}",)
    assert why_nothing(seen, maps(), title_of=title_of_kind) == (
        "The picture shows a sheet of Railroad Ink Challenge, and none of this game."
    )


def test_one_tag_of_another_game_names_nothing() -> None:
    seen = see(without_tags([0, 1, 2]), Search(maps(), 1.0))
    assert seen.found.others == ()
    assert "corner tags" in why_nothing(seen, maps(), title_of=title_of_kind)


def test_more_of_the_same_game_is_no_other_game() -> None:
    seen = see(picture()[0], Search(maps(), 1.0))
    assert "corner tags" in why_nothing(seen, board_sheets(), title_of=title_of_kind)


def test_a_reader_says_whose_sheet_it_is() -> None:
    assert read_board(picture()[0]).notes == (
        "The picture shows a sheet of Railroad Ink Challenge, and none of this game.",
    )
