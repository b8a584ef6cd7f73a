"""A phone's photograph of a board: read, shown over the picture, doubted, settled, entered, taken back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.game.registry import find_studio
from companion.games.railroad_ink.bot import coaching
from companion.games.railroad_ink.bot.thinking import Effort
from companion.games.railroad_ink.printing.printed import PRINTED, cell_corner
from companion.games.railroad_ink.rules.boards.routes import parse_route
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.railroad_ink.studio.boards import GivenBoard, SheetMarks
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import SceneSpec
from tests.web.browser.phones import become_host
from tests.web.browser.photographing import drawn_on_paper, photograph_turn
from tests.web.browser.served import Box
from tests.web.browser.table import current, seat_everybody, sit
from tests.web.houses import accepted, begin, with_eye
from tests.web.test_photos import StandInEye

FACES = ["NS", "ne", "N*", "NS|ew"]
TURN = (("b1", "NS"), ("f1", "N*"), ("b2", "NS|ew"), ("d1", "ne"))


def studio_photo(box: Box, folder: Path) -> Path:
    """What a phone would see after seat 1 has drawn its round."""
    match = current(box)
    state = match.state
    for cell, route in TURN:
        state = match.game.apply(state, Action("draw", 1, {"cell": cell, "route": route, "from": "die"}))
    path = folder / "board.jpg"
    path.write_bytes(find_studio("railroad-ink").picture(state, 1))
    return path


def test_a_studio_photograph_is_read_and_entered_and_taken_back(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    (page,) = seat_everybody(box, phone, ("East",))
    accepted(box.house, Action("roll", data={"faces": FACES}))
    expect(page.locator("[data-do=photo]")).to_be_visible()
    page.set_input_files("[data-photo]", studio_photo(box, tmp_path))
    expect(page.locator("dialog h2")).to_have_text("Entered: 4 new routes", timeout=20_000)
    expect(page.locator("dialog .reading .new")).to_have_count(4)
    page.click("text=Looks right")
    expect(page.locator(".mine .board g.drawn")).to_have_count(4)
    assert {drawing.cell for drawing in current(box).state.boards[1].drawings} == {cell for cell, _ in TURN}
    page.click('button:has-text("Undo")')
    expect(page.locator(".mine .board g.drawn")).to_have_count(0)


def photograph_a_round(box: Box, page: Page, tmp_path: Path) -> None:
    """The dice are rolled, and whatever the eye says is seen."""
    accepted(box.house, Action("roll", data={"faces": FACES}))
    expect(page.locator("[data-do=photo]")).to_be_visible()
    picture = tmp_path / "any.jpg"
    picture.write_bytes(b"jpeg")
    page.set_input_files("[data-photo]", picture)


def test_a_doubtful_cell_is_settled_by_a_tap(box: Box, phone: Callable[..., Page], tmp_path: Path) -> None:
    eye = StandInEye(questions={"b1": [["NS", 0.6], ["NE", 0.3], [None, 0.1]]})
    with_eye(box.house, eye)
    (page,) = seat_everybody(box, phone, ("East",))
    photograph_a_round(box, page, tmp_path)
    expect(page.locator("dialog h2")).to_have_text("What is drawn in b1?")
    expect(page.locator("dialog .options .choice")).to_have_count(3)
    expect(page.locator("dialog .doubt")).to_have_attribute("role", "button")
    page.locator("dialog .options .choice").first.click()
    expect(page.locator("dialog h2")).to_have_text("Entered: 1 new route")
    assert eye.asked[-1].query.answers == {"b1": "NS"}


def test_what_else_is_drawn_is_one_question_whatever_place_it_is_about(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    options: list[list[Any]] = [["c3 ufo; d4 ufo", 0.8], ["nothing more", 0.2], [None, 0.0]]
    eye = StandInEye(questions={"rest+": options})
    with_eye(box.house, eye)
    (page,) = seat_everybody(box, phone, ("East",))
    page.set_viewport_size({"width": 320, "height": 640})
    photograph_a_round(box, page, tmp_path)
    expect(page.locator("dialog h2")).to_have_text("What else is drawn?")
    choices = page.locator("dialog .options .choice")
    expect(choices).to_have_text(["c3 ufo; d4 ufo", "nothing more", "none of these"])
    assert page.evaluate("document.querySelector('dialog').scrollWidth <= innerWidth")
    choices.first.click()
    expect(page.locator("dialog h2")).not_to_have_text("What else is drawn?")
    assert eye.asked[-1].query.answers == {"rest+": "c3 ufo; d4 ufo"}


def test_the_table_goes_on_while_somebody_takes_a_picture(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    with_eye(box.house, StandInEye())
    pages = seat_everybody(box, phone, ("East", "North"))
    accepted(box.house, Action("roll", data={"faces": FACES}))
    with pages[0].expect_file_chooser() as chosen:
        pages[0].click("[data-do=photo]")
    accepted(box.house, Action("draw", 2, {"cell": "b1", "route": "NS", "from": "die"}))
    accepted(box.house, Action("draw", 1, {"cell": "f1", "route": "N*", "from": "die"}))
    expect(pages[0].locator(".mine .board g.drawn")).to_have_count(1)
    picture = tmp_path / "any.jpg"
    picture.write_bytes(b"jpeg")
    chosen.value.set_files(picture)
    expect(pages[0].locator("dialog h2")).to_have_text("Entered: 1 new route")


def test_a_refused_reading_says_what_the_rules_mind(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    with_eye(box.house, StandInEye(against=("the highway of c3 meets a railway",)))
    (page,) = seat_everybody(box, phone, ("East",))
    photograph_a_round(box, page, tmp_path)
    expect(page.locator("dialog h2")).to_have_text("Not entered")
    expect(page.locator("dialog .says")).to_contain_text("The highway of c3 meets a railway")
    assert current(box).state.boards[1].drawings == ()


@pytest.mark.parametrize(
    ("eye", "why"),
    [
        (StandInEye(against=("the highway of c3 meets a railway",)), "the highway of c3 meets a railway"),
        (StandInEye(), "it was read wrongly, and taken back"),
        (StandInEye(questions={"a2": [["NE", 0.9]]}), "the right answer was not offered"),
    ],
)
def test_whatever_was_read_the_turn_can_be_entered_by_hand(
    box: Box, phone: Callable[..., Page], eye: StandInEye, why: str
) -> None:
    with_eye(box.house, eye)
    (page,) = seat_everybody(box, phone, ("East",))
    accepted(box.house, Action("roll", data={"faces": FACES}))
    expect(page.locator("[data-do=photo]")).to_be_visible()
    turn = drawn_on_paper(current(box), 1)
    assert photograph_turn(page, turn, number=1).lower() == f"by hand: {why}"
    board = current(box).state.boards[1]
    assert {drawing.cell: drawing.route for drawing in board.drawings} == turn.written


def test_corners_are_dragged_when_no_tags_are_in_the_picture(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    eye = StandInEye(nothing=True)
    with_eye(box.house, eye)
    (page,) = seat_everybody(box, phone, ("East",))
    accepted(box.house, Action("roll", data={"faces": FACES}))
    expect(page.locator("[data-do=photo]")).to_be_visible()
    picture = tmp_path / "board.jpg"
    Image.new("RGB", (400, 300), "white").save(picture)
    page.set_input_files("[data-photo]", picture)
    buttons = page.locator("dialog[open] .row .button")
    expect(buttons).to_have_text(["Take another", "Mark the corners", "Close"])
    expect(page.locator("dialog .how-held svg")).to_be_visible()
    expect(page.locator("dialog .how-held li")).to_have_count(3)
    assert buttons.first.evaluate("button => button.classList.contains('plain')") is False
    with page.expect_file_chooser():
        buttons.first.click()
    page.set_input_files("[data-photo]", picture)
    page.click("text=Mark the corners")
    handle = page.locator(".marking .handle").nth(2)
    before = page.locator(".marking polygon").get_attribute("points")
    handle.hover()
    page.mouse.down()
    page.mouse.move(20, 20, steps=3)
    page.mouse.up()
    assert page.locator(".marking polygon").get_attribute("points") != before
    page.locator(".marking .handle").first.focus()
    page.keyboard.press("ArrowRight")
    eye.nothing = False
    page.click("text=Read it")
    expect(page.locator("dialog h2")).to_have_text("Entered: 1 new route")
    assert len(eye.asked[-1].query.corners) == 4
    assert eye.asked[-1].query.corners[0] == (81, 60)


def test_the_whole_table_is_answered_with_every_board_and_a_tap_for_each_doubt(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    with_eye(box.house, StandInEye(questions={"b1": [["NS", 0.6], [None, 0.4]]}))
    seat_everybody(box, phone, ("East", "North"))
    accepted(box.house, Action("roll", data={"faces": FACES}))
    page = phone("/host", expected=(403,))
    become_host(page, box.pin)
    page.goto("/host")
    picture = tmp_path / "any.jpg"
    picture.write_bytes(b"jpeg")
    with page.expect_file_chooser() as chosen:
        page.click("[data-do=table-photo]")
    chosen.value.set_files(picture)
    boards = page.locator(".table-board")
    expect(boards.locator("h3")).to_have_text(["East", "North"])
    expect(boards.locator("text=One place is not clear.")).to_have_count(2)
    boards.nth(1).locator(".doubt").click()
    expect(page.locator("dialog h2")).to_have_text("What is drawn in b1?")
    page.locator("dialog .options .choice").first.click()
    expect(boards.nth(1).locator(".entered")).to_be_visible()
    expect(boards.nth(0).locator(".entered")).to_have_count(0)
    assert [bool(current(box).state.boards[seat].drawings) for seat in (1, 2)] == [False, True]


def test_finished_boards_are_scored_from_photographs(
    box: Box, phone: Callable[..., Page], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coaching, "EFFORT", Effort(2, 2))
    monkeypatch.setattr(coaching, "MOST", coaching.BLOCK)
    with_eye(box.house, StandInEye())
    page = phone("/score")
    picture = tmp_path / "any.jpg"
    picture.write_bytes(b"jpeg")
    page.set_input_files("[data-score-photos]", picture)
    expect(page.locator("#photo-scores article")).to_have_count(2)
    expect(page.locator("#photo-scores")).to_contain_text("Not clear: a2")
    expect(page.locator("#photo-scores .unclear[data-slot=a2] .frame").first).to_have_css(
        "stroke-dasharray", "22px, 14px"
    )
    first = page.locator("#photo-scores article").first
    first.locator("text=What would have been better?").click()
    expect(first).to_contain_text("tap the routes in the picture that are new in it")
    first.locator("select").select_option("7")
    first.locator("g[aria-pressed]").first.click()
    first.locator("text=What would have been better?").click()
    expect(first).to_contain_text("Round 7")
    expect(page.locator("#quick-score")).to_be_hidden()
    page.click("text=Enter a board by hand")
    expect(page.locator("#quick-score .sum")).to_be_visible()
    page.set_input_files("[data-score-photos]", picture)
    expect(page.locator("#photo-scores article")).to_have_count(4)
    expect(page.locator("#quick-score")).to_be_hidden()
    page.locator("text=Correct it by hand").first.click()
    expect(page.locator("#quick-score .sum b")).to_have_text("8")


def test_a_forest_under_a_thing_is_asked_about_and_settled_by_a_tap(
    box: Box, phone: Callable[..., Page], tmp_path: Path
) -> None:
    """A real photograph with an expansion: routes and trees are read, but for those under a coin."""
    begin(box.house, "", options={"expansion": "forest", "goals": "none"})
    page = phone("", expected=(409,))
    sit(page, box, 1, "East")
    accepted(box.house, Action("roll", data={"faces": [*FACES, "NE+trees", "trees"]}))
    drawn = {cell: parse_route(route) for cell, route in (*TURN, ("f7", "SW"))}
    cells = {GRID.cell(cell): route for cell, route in drawn.items()}
    marks = {"f7": "trees", "e4": "trees"}
    sheet = SheetMarks("challenge", cells, dict.fromkeys(cells, 1), expansion="forest", signs=marks)
    spec = SceneSpec(boards=(GivenBoard(1, sheet, 13),), megapixels=1.5, table_pixels=64)
    picture, truth = take_picture(13, "clean", spec=spec)
    path = tmp_path / "forest.jpg"
    path.write_bytes(_with_a_coin(picture, truth["sheets"][0], "e4"))
    page.set_input_files("[data-photo]", path)
    heading = page.locator("dialog h2")
    expect(heading).to_have_text("What is drawn in e4+?", timeout=60_000)
    page.locator('dialog .options .choice[aria-label^="trees"]').click()
    expect(heading).to_have_text("Entered: 5 new routes", timeout=60_000)
    page.click("text=Looks right")
    expect(page.locator('.mine .board [data-sign="trees"]')).to_have_count(2)
    assert current(box).game.score(current(box).state)[0]["expansion"] == 3


def _with_a_coin(picture: bytes, sheet: JsonObject, cell: str) -> bytes:
    """The photograph with something round on a cell."""
    image = np.asarray(cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR))
    x, y = cell_corner(GRID.cell(cell))
    half = PRINTED.grid.cell / 2
    corners = [(x + half, y + half), (x + 2 * half, y + half)]
    seen = cv2.perspectiveTransform(np.array([corners], np.float64), np.array(sheet["homography"]))[0]
    centre = (round(float(seen[0][0])), round(float(seen[0][1])))
    cv2.circle(image, centre, round(1.15 * float(np.hypot(*(seen[1] - seen[0])))), (60, 110, 170), -1)
    return bytes(cv2.imencode(".jpg", image)[1])
