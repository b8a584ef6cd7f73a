"""Photographs of a map on a phone: proposed and accepted, in halves, doubts by number, in every window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.game.base import Action, Fact
from companion.game.bots import best_action
from companion.game.registry import find_studio
from companion.table.chance import SeededChance
from tests.companion.service.waiting import until
from tests.web.browser.served import Box
from tests.web.browser.table import current, sit
from tests.web.browser.test_accessible import serious
from tests.web.houses import accepted, with_eye
from tests.web.test_map_photos import DOUBT, MapEye

SIZES = ((320, 460), (375, 667), (844, 390), (1280, 720))
_READ_WITHIN = 40_000  # milliseconds; the first picture finds a reader that is still loading


def begun(box: Box, phone: Callable[..., Page], game: str, mode: str = "umpire", **more: object) -> Page:
    """A match for two, of which one sits at this phone."""
    start = {"game": game, "players": ["", ""], "mode": mode}
    accepted(box.house, Action("start", data=start))
    page = phone("", expected=(409,), **more)
    sit(page, box, 1, "East")
    expect(page.locator(".photo-tool")).to_be_visible()  # the scripts are there
    return page


def any_picture(folder: Path) -> Path:
    path = folder / "any.jpg"
    path.write_bytes(bytes(cv2.imencode(".jpg", np.full((200, 300, 3), 90, np.uint8))[1]))
    return path


def test_a_doubt_has_a_number_and_is_settled_by_a_tap(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    eye = MapEye(doubtful=True)
    with_eye(box.house, eye)
    page = begun(box, phone, "empire-builder", "scorekeeper")
    page.set_input_files("[data-photo]", any_picture(tmp_path))
    expect(page.locator(".photo-sheet h2")).to_contain_text("Seattle", timeout=_READ_WITHIN)
    expect(page.locator(".photo-sheet .badge[role=button]")).to_have_count(1)
    expect(page.locator(".photo-sheet .badge text")).to_have_text("1")
    page.locator(".photo-sheet .badge[role=button]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".map-option")).to_have_text(["East", "Nothing"])
    page.click(".map-option >> nth=0")
    expect(page.locator(".photo-sheet h2")).to_have_text("Entered: 1 new segment of track")
    assert eye.asked[-1].query.answers == {DOUBT: "1"}
    assert len(current(box).state.track) == 1
    page.click("text=Take it back")
    expect(page.locator("dialog")).to_have_count(0)
    until(lambda: current(box).state.track == {})


def test_what_to_photograph_is_chosen_before_and_changed_after(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    eye = MapEye()
    with_eye(box.house, eye)
    page = begun(box, phone, "empire-builder")
    page.click(".photo-tool")
    expect(page.locator(".scopes [aria-pressed=true]")).to_have_text("My last turn")
    with page.expect_file_chooser() as chosen:
        page.click("text=Take a picture")
    chosen.value.set_files(any_picture(tmp_path))
    expect(page.locator(".photo-sheet h2")).to_have_text(
        "1 new segment of track: is that right?", timeout=_READ_WITHIN
    )
    assert eye.asked[-1].query.scope == "turn"
    page.click(".photo-sheet .scopes >> text=The whole map")
    expect(page.locator(".photo-sheet .scopes [aria-pressed=true]")).to_have_text("The whole map")
    assert eye.asked[-1].query.scope == "whole"
    page.click("text=Not now")
    expect(page.locator("dialog")).to_have_count(0)
    assert current(box).state.track == {}


def test_the_boxs_own_camera_takes_it_as_well(box: Box, phone: Callable[..., Page], tmp_path: Path) -> None:
    """Also the other part, when the map did not fit."""
    eye = MapEye(halves=True)
    with_eye(box.house, eye)
    box.house.camera.usual = "studio"
    page = begun(box, phone, "empire-builder")
    page.click(".photo-tool")
    page.click("text=The box's camera")
    expect(page.locator(".photo-sheet .notice")).to_be_visible(timeout=_READ_WITHIN)
    assert (eye.asked[-1].photos[-1].camera, eye.asked[-1].query.scope) == ("studio", "turn")
    page.click("text=With the box's camera")
    expect(page.locator(".photo-parts li")).to_have_count(2)
    assert len(eye.asked[-1].query.parts) == 1


def test_a_match_that_is_over_offers_no_camera(box: Box, phone: Callable[..., Page]) -> None:
    page = begun(box, phone, "spike")
    accepted(box.house, Action("end"))
    expect(page.locator("[data-do=rematch]")).to_be_visible()
    expect(page.locator(".photo-tool")).to_be_hidden()


def test_the_missing_half_is_asked_for_and_joined(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    eye = MapEye(halves=True)
    with_eye(box.house, eye)
    page = begun(box, phone, "empire-builder", "scorekeeper")
    page.set_input_files("[data-photo]", any_picture(tmp_path))
    expect(page.locator(".photo-sheet .notice")).to_contain_text("The right half is not in the picture")
    with page.expect_file_chooser() as chosen:
        page.click("text=Photograph it as well")
    other = tmp_path / "other.jpg"
    other.write_bytes(b"nothing")
    chosen.value.set_files(other)
    expect(page.locator("#toast")).to_contain_text("not in the picture")
    expect(page.locator(".photo-sheet .notice")).to_be_visible()
    with page.expect_file_chooser() as chosen:
        page.click("text=Photograph it as well")
    other.write_bytes(any_picture(tmp_path).read_bytes() + b" ")
    chosen.value.set_files(other)
    expect(page.locator(".photo-sheet h2")).to_have_text("Entered: 1 new segment of track")
    parts = ["Photograph 1 shows the left half", "Photograph 2 adds the right half"]
    expect(page.locator(".photo-parts li")).to_have_text(parts)
    assert len(current(box).events[-1].data["picture"]["parts"]) == 1


@pytest.mark.parametrize("game", ["spike", "empire-builder"])
def test_a_scorekeepers_bar_has_room_for_it(box: Box, phone: Callable[..., Page], game: str) -> None:
    page = begun(box, phone, game, "scorekeeper", viewport={"width": 320, "height": 460})
    button = page.locator(".bar [data-do=photo]").bounding_box()
    assert button is not None
    assert button["x"] + button["width"] <= 312
    assert button["height"] >= 44


def test_where_no_map_is_found_its_corners_can_be_marked(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    eye = MapEye()
    with_eye(box.house, eye)
    page = begun(box, phone, "empire-builder")
    other = tmp_path / "other.jpg"
    other.write_bytes(b"nothing")
    page.set_input_files("[data-photo]", other)
    expect(page.locator("dialog h2")).to_have_text("The map was not found", timeout=_READ_WITHIN)
    expect(page.locator("dialog")).to_contain_text("Mark the corners")


@pytest.mark.parametrize("game", ["spike", "empire-builder"])
def test_everything_fits_every_window(
    box: Box, phone: Callable[..., Page], tmp_path: Path, game: str
) -> None:
    """Nothing scrolls sideways, what can be tapped is large enough, and axe has nothing to say."""
    with_eye(box.house, MapEye(doubtful=True, halves=True))
    page = begun(box, phone, game)
    for width, height in SIZES:
        read_aloud = width in (320, 1280)  # the narrow arrangement and the wide one
        page.set_viewport_size({"width": width, "height": height})
        page.click(".photo-tool")
        expect(page.locator("dialog .scopes")).to_be_visible()
        looked_at(page, f"{game} {width}x{height}, before", axe=read_aloud)
        page.set_input_files("[data-photo]", any_picture(tmp_path))
        expect(page.locator(".photo-sheet .map-option")).to_have_count(2, timeout=_READ_WITHIN)
        looked_at(page, f"{game} {width}x{height}, asked", axe=read_aloud)
        page.click(".map-option >> nth=0")
        expect(page.locator(".photo-sheet .scopes")).to_be_visible()
        looked_at(page, f"{game} {width}x{height}, proposed", axe=read_aloud)
        page.click("text=Not now")
        expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("size", [(320, 568), (320, 460), (844, 390)])
def test_the_answers_are_in_sight(
    box: Box, phone: Callable[..., Page], tmp_path: Path, size: tuple[int, int]
) -> None:
    """Nobody has to scroll for them, however much there is to say besides."""
    options = (("1", 0.4), ("2", 0.3), (None, 0.2), ("1+2", 0.1))
    with_eye(box.house, MapEye(doubtful=True, halves=True, options=options))
    page = begun(box, phone, "spike", viewport={"width": size[0], "height": size[1]})
    page.set_input_files("[data-photo]", any_picture(tmp_path))
    expect(page.locator(".photo-sheet .map-option")).to_have_count(4, timeout=_READ_WITHIN)
    hidden = page.evaluate(
        """() => [...document.querySelectorAll(".photo-sheet .map-option")].filter((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            const x = (left + right) / 2;
            return [top + 3, bottom - 3].some((y) => !one.contains(document.elementFromPoint(x, y)));
        }).map((one) => one.textContent)"""
    )
    assert hidden == []
    page.click(".map-option >> text=Nothing")
    expect(page.locator(".photo-sheet .scopes")).to_be_visible()


def looked_at(page: Page, where: str, *, axe: bool) -> None:
    small = page.evaluate(
        """() => [...document.querySelectorAll("dialog button")]
            .filter((one) => Math.min(one.offsetHeight, one.offsetWidth) < 43.5)
            .map((one) => one.textContent)"""
    )
    assert small == [], where
    wide = page.evaluate(
        """() => [document.documentElement, ...document.querySelectorAll("dialog, .beside-photo")]
            .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.className)"""
    )
    assert wide == [], where
    shown = page.locator(".photo-sheet .ground-view")
    if shown.count():
        seen = shown.bounding_box()
        assert seen is not None
        assert seen["height"] > 0.4 * page.evaluate("innerHeight"), where
        assert seen["width"] > 0.5 * page.evaluate("innerWidth"), where
    assert not axe or serious(page) == [], where


def until_a_build(box: Box, seat: int, chance: SeededChance) -> Action:
    """Bots play until this seat's next step is a build; the build, which is not done."""
    for _ in range(200):
        match = current(box)
        found = (best_action(match.game, match.state, one, chance) for one in match.players)
        step = next(action for action in found if action is not None)
        if step.kind == "build" and step.seat == seat:
            fact = match.game.decide(match.state, step, chance)
            assert isinstance(fact, Fact)
            return Action(fact.kind, fact.seat, fact.data)
        accepted(box.house, step)
    raise AssertionError("nobody builds")


def test_a_turn_on_the_real_board_is_read_proposed_and_built(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    page = begun(box, phone, "spike")
    build = until_a_build(box, 1, SeededChance(4))
    match = current(box)
    path = tmp_path / "board.jpg"
    path.write_bytes(find_studio("spike").picture(match.game.apply(match.state, build), 1))
    page.reload()
    page.set_input_files("[data-photo]", path)
    number = len(build.data["path"])
    tracks = "1 new segment of track" if number == 1 else f"{number} new segments of track"
    title = page.locator(".photo-sheet h2")
    expect(title).to_have_text(f"{tracks}: is that right?", timeout=_READ_WITHIN)
    expect(page.locator(".photo-sheet .says")).to_contain_text("Paid with")
    page.locator(".photo-sheet .ground-view").hover()
    stage = "document.querySelector('.photo-sheet .ground-stage').offsetWidth"
    before = page.evaluate(stage)
    page.mouse.wheel(0, -300)
    page.wait_for_function(f"before => {stage} > before", arg=before)
    page.click("text=Enter it")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".rail-now .piece.mine use")).to_have_count(number)
    assert set(current(box).state.players[1].tracks) == set(build.data["path"])
