"""Sheets that name no landmarks: maps are found by their tags and registered on their own print."""

from functools import cache, lru_cache
from itertools import product

import cv2
import numpy as np
import pytest

from companion.games.derailed.printing.sheets import mat_sheet
from companion.games.empire_builder.printing.sheets import map_sheet
from companion.games.spike.printing.sheets import board_sheet
from companion.sheets.printing.png import picture
from companion.sheets.sheet import Sheet
from vision.find.by_tags import find_sheets
from vision.find.landmarks import print_of
from vision.find.one_table import placed_on_print
from vision.find.seeing import Search, see, why_nothing
from vision.find.tags import find_tags
from vision.register.rectify import Image, Placement

DPI = 90
SHEETS: dict[str, Sheet] = {
    "spike": board_sheet("eastern-states"),
    "empire-builder": map_sheet(),
    "derailed": mat_sheet("lanes-6"),
}
ALL = list(SHEETS.values())
MAPS = ["spike", "empire-builder"]


@cache
def painted(name: str) -> Image:
    """What ``stationmaster sheet NAME --png`` writes."""
    return np.ascontiguousarray(np.asarray(picture(SHEETS[name].blank, DPI))[:, :, ::-1])


WHOLE = ((220, 150), (1310, 90), (1420, 1220), (130, 1150))
HALVES = {  # of a sheet, with the two tags at its upper or its left edge
    "upper": ((260, 330), (2870, 260), (3280, 3900), (-130, 3700)),
    "left": ((330, 160), (4700, 60), (4900, 2560), (180, 2480)),
}


@lru_cache(maxsize=4)
def photographed(
    name: str, bend: float, lies: tuple[tuple[int, int], ...] = WHOLE, size: tuple[int, int] = (1500, 1300)
) -> tuple[Image, Placement]:
    """The sheet seen at a slant through a lens that bends, unevenly lit, a little blurred and grainy."""
    corners = np.array(lies, np.float32)
    outline = np.array(SHEETS[name].outline, np.float32)
    homography = np.asarray(cv2.getPerspectiveTransform(outline, corners), np.float64)
    true = Placement(homography, (size[0] / 2, size[1] / 2), max(size) / 2, bend)
    pixels = np.stack(np.meshgrid(np.arange(size[0]) + 0.5, np.arange(size[1]) + 0.5), axis=-1)
    from_print = (true.places(pixels) * DPI / 25.4 - 0.5).astype(np.float32)
    table = (70, 90, 110)
    seen = cv2.remap(
        painted(name),
        from_print,
        np.empty(0, np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=table,
    )
    lit = cv2.GaussianBlur(seen, (0, 0), 0.8) * np.linspace(1, 0.7, size[0])[:, None]
    grain = np.random.default_rng(1).normal(0, 4, seen.shape)
    image = np.clip(lit + grain, 0, 255).astype(np.uint8)
    image.flags.writeable = False
    return image, true


def worst_miss(sheet: Sheet, placement: Placement, true: Placement) -> float:
    """The biggest error over the sheet, in mm."""
    share = np.linspace(0, 1, 9)
    places = np.stack(np.meshgrid(share, share), axis=-1).reshape(-1, 2) * np.asarray(sheet.size)
    return float(np.hypot(*(placement.pixels(places) - true.pixels(places)).T).max()) / true.scale_at(
        sheet.middle
    )


@pytest.mark.parametrize("name", MAPS)
def test_a_plain_print_is_found_where_it_is(name: str) -> None:
    image = painted(name)
    (found,) = placed_on_print(image, find_sheets(image, ALL))
    true = Placement(np.diag([DPI / 25.4, DPI / 25.4, 1.0]))
    assert found.sheet is SHEETS[name]
    assert found.sure
    assert worst_miss(found.sheet, found.placement, true) < 0.2


@pytest.mark.parametrize(
    ("name", "bend"),
    [
        pytest.param(name, bend, marks=pytest.mark.slow if at in (2, 3, 4) else ())
        for at, (name, bend) in enumerate(product(MAPS, (-0.12, -0.03, 0.05)))
    ],
)
def test_a_photograph_is_registered_on_the_print_through_a_bent_lens(name: str, bend: float) -> None:
    image, true = photographed(name, bend)
    (found,) = placed_on_print(image, find_sheets(image, ALL))
    assert found.sheet is SHEETS[name]
    assert worst_miss(found.sheet, found.placement, true) < 0.3
    assert found.placement.bend == pytest.approx(bend, abs=0.004)


def test_one_tag_and_the_print_suffice_for_a_map() -> None:
    picture_of_all, true = photographed("spike", -0.03)
    image = picture_of_all.copy()
    for quad in list(SHEETS["spike"].tags.values())[1:]:
        cv2.fillConvexPoly(image, np.rint(true.pixels(np.array(quad))).astype(np.int32), (150, 150, 150))
    found = find_sheets(image, ALL)
    assert (len(found.sheets), len(found.lonely)) == (0, 1)
    (placed,) = placed_on_print(image, found)
    assert not placed.sure
    assert worst_miss(SHEETS["spike"], placed.placement, true) < 0.5


@pytest.mark.parametrize(
    ("name", "half"),
    [
        pytest.param(name, half, marks=pytest.mark.slow if at else ())
        for at, (name, half) in enumerate(product(MAPS, HALVES))
    ],
)
def test_half_a_map_is_placed_by_its_two_tags(name: str, half: str) -> None:
    """The tags are plain in the small copy of the picture, and the print is looked at in the big one."""
    image, true = photographed(name, -0.02, HALVES[half], (3100, 2600))
    seen = see(image, Search(ALL, enough=3.0))
    (sheet,) = seen.sheets
    assert sheet.sheet is SHEETS[name]
    placement = sheet.placement.scaled(seen.picture.enlarging)
    places = np.stack(np.meshgrid(*(np.linspace(10, side - 10, 9) for side in sheet.sheet.size)), -1).reshape(
        -1, 2
    )
    shown = true.pixels(places)
    inside = ((shown > 0) & (shown < (3100, 2600))).all(axis=1)
    away = np.hypot(*(placement.pixels(places) - shown)[inside].T) / true.scale_at(sheet.sheet.middle)
    assert inside.sum() > 30
    assert away.max() < 0.7


def test_a_photograph_goes_the_whole_way() -> None:
    image, true = photographed("derailed", 0.0)
    packed = cv2.imencode(".jpg", image)[1].tobytes()
    seen = see(packed, Search(ALL, enough=1.0))
    (sheet,) = seen.sheets
    assert worst_miss(sheet.sheet, sheet.placement.scaled(seen.picture.enlarging), true) < 0.3
    nothing = see(np.full((300, 400, 3), 128, np.uint8), Search(ALL, enough=1.0))
    assert nothing.sheets == ()
    assert "corner tags" in why_nothing(nothing, ALL)


@pytest.mark.parametrize("name", [*MAPS, "derailed"])
def test_landmarks_are_many_and_lie_on_no_tag(name: str) -> None:
    sheet, known = SHEETS[name], print_of(SHEETS[name])
    assert len(known.places) >= 60
    assert (known.places > 0).all()
    assert (known.places < sheet.size).all()
    for (left, top), _, (right, bottom), _ in sheet.tags.values():
        x, y = known.places.T
        assert not ((x > left) & (x < right) & (y > top) & (y < bottom)).any()


def test_two_sheets_with_the_same_tag_cannot_be_looked_for_together() -> None:
    other = board_sheet.__wrapped__("eastern-states")
    with pytest.raises(ValueError, match="carry the same tag"):
        find_tags(painted("spike"), [SHEETS["spike"], other])
