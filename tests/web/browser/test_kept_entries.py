"""What somebody has chosen, typed or begun on a page stays when the others go on."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from companion.game.base import Action
from companion.table.events import Actor
from tests.web.browser.phones import become_host, module
from tests.web.browser.served import Box
from tests.web.browser.table import current, seat_everybody, sit
from tests.web.houses import accepted, begin

FACES = ["NS", "ne", "N*", "NS|ew"]
LATE = {  # by how many were there before
    2: {"name": "Late 2", "colour": "green", "shape": "triangle"},
    3: {"name": "Late 3", "colour": "orange", "shape": "diamond"},
}


def on_the_hosts_page(box: Box, phone: Callable[..., Page]) -> Page:
    host = phone("", expected=(403,))
    become_host(host, box.pin)
    host.goto("/host")
    expect(host.locator("#link.live")).to_have_count(1)
    host.evaluate("window.kept = true")
    return host


def test_the_hosts_choices_stay_when_dice_are_thrown_and_matches_begin(
    box: Box, phone: Callable[..., Page]
) -> None:
    match = begin(box.house, "East", "North")
    host = on_the_hosts_page(box, phone)
    host.locator('[name=game][value="spike"]').check()
    host.select_option("#bots", "2")
    host.click("text=Add somebody without a phone")
    host.fill('[data-line="1"]', "Grandmother")
    accepted(box.house, Action("roll", 1, {"faces": FACES}), Actor("player", 1))
    expect(host.locator("[data-piece=host-match]")).to_contain_text("Correct the dice")
    accepted(box.house, Action("end"))
    begin(box.house, "West", "South")
    expect(host.locator("[data-piece=host-match]")).to_contain_text("West")
    assert host.evaluate("document.body.dataset.playing") != match
    assert host.evaluate("window.kept")
    expect(host.locator('[name=game][value="spike"]')).to_be_checked()
    expect(host.locator("#bots")).to_have_value("2")
    expect(host.locator('[data-line="1"]')).to_have_value("Grandmother")


def test_a_match_that_began_meanwhile_is_asked_about_before_the_next(
    box: Box, phone: Callable[..., Page]
) -> None:
    host = on_the_hosts_page(box, phone)
    host.click("text=Add somebody without a phone")
    host.fill('[data-line="1"]', "Grandmother")
    begin(box.house, "East", "North")
    expect(host.locator("[data-piece=host-match]")).to_contain_text("East")
    expect(host.locator("#new-match [data-question]")).to_have_count(1)


def test_a_late_guests_board_comes_to_a_page_that_is_not_loaded_anew(
    box: Box, phone: Callable[..., Page]
) -> None:
    begin(box.house, "East", "North")
    for path in ("/", "/tv"):
        page = phone(path)
        expect(page.locator("#link.live")).to_have_count(1)
        page.evaluate("window.kept = true")
        there = page.locator(".seats > .seat")
        number = there.count()
        accepted(box.house, Action("admit", data=LATE[number]))
        expect(there).to_have_count(number + 1)
        expect(page.locator(".seats > .seat h2").nth(number)).to_contain_text(f"Late {number}")
        expect(page.locator(f".seats.seats-{number + 1}")).to_have_count(1)
        assert page.evaluate("window.kept")


def test_news_do_not_turn_back_somebody_who_is_on_the_way_elsewhere(
    box: Box, phone: Callable[..., Page]
) -> None:
    """A slow page was asked for; then a new match begins, for which the old page would load itself anew."""
    begin(box.house, "East", "North")
    page = phone("/")
    expect(page.locator("#link.live")).to_have_count(1)

    def slowly(route: Route) -> None:
        accepted(box.house, Action("end"))
        begin(box.house, "West", "South")
        page.wait_for_timeout(1500)  # the news are there long before the page
        route.continue_()

    page.route("**/history", slowly)
    page.click("nav >> text=History", no_wait_after=True)
    page.wait_for_url("**/history")


def test_two_tabs_of_one_phone_both_come_to_the_rematch(box: Box, phone: Callable[..., Page]) -> None:
    """Whichever is slower finds the seat taken, by its own phone."""
    (page,) = seat_everybody(box, phone, ("East",))
    second = page.context.new_page()
    second.goto("/play")
    expect(second.locator("#link.live")).to_have_count(1)

    def after(milliseconds: int) -> Callable[[Route], None]:
        def go_on(route: Route) -> None:
            second.wait_for_timeout(milliseconds)
            route.continue_()

        return go_on

    page.route("**/seats/follow", after(1000))  # both pages that follow are there before a seat is taken
    second.route("**/seats/follow", after(2500))
    accepted(box.house, Action("end"))
    page.click("text=Rematch")
    for tab in (page, second):
        expect(tab.locator("[data-piece=headline]")).to_contain_text("Round 1")
        expect(tab.locator(".notice >> text=A new match has begun")).to_have_count(0)


def test_entering_dice_ends_when_somebody_else_has_thrown(box: Box, phone: Callable[..., Page]) -> None:
    page, _ = seat_everybody(box, phone, ("East", "North"))
    expect(page.locator("#link.live")).to_have_count(1)
    page.click("[data-do=hand-roll]:visible")
    expect(page.locator("dialog .hand-dice")).to_be_visible()
    accepted(box.house, Action("roll", 2, {"faces": FACES}), Actor("player", 2))
    expect(page.locator("dialog")).to_have_count(0)


def test_a_question_is_asked_on_the_page_and_may_be_left(box: Box, phone: Callable[..., Page]) -> None:
    begin(box.house, "East", "North")
    host = on_the_hosts_page(box, phone)
    end = host.locator('[data-piece=host-match] button:has-text("End the match")')
    question = host.get_by_role("dialog", name="End this match now, with the scores as they are?")
    end.click()
    question.get_by_role("button", name="Never mind").click()
    expect(question).to_have_count(0)
    assert not current(box).finished
    end.click()
    question.get_by_role("button", name="End the match").click()
    expect(host.locator("[data-piece=host-match]")).to_contain_text("Rematch")
    assert current(box).finished


def test_a_backup_takes_nothing_that_is_typed_elsewhere(box: Box, phone: Callable[..., Page]) -> None:
    """Also what the camera showed, which is no form at all."""
    box.house.camera.usual = "studio"
    host = on_the_hosts_page(box, phone)
    host.goto("/host/box")
    expect(host.locator("#link.live")).to_have_count(1)
    host.evaluate("window.kept = true")
    host.locator("#elsewhere-form summary").click()
    host.fill("[name=place]", "The attic")
    host.evaluate("document.querySelector('#camera-view').textContent = 'the table from above'")
    before = host.locator("#backups a").count()
    host.click("text=Make a backup now")
    expect(host.locator("#backups a")).to_have_count(before + 1)
    expect(host.locator("[name=place]")).to_have_value("The attic")
    expect(host.locator("#camera-view")).to_have_text("the table from above")
    assert host.evaluate("window.kept")


def test_the_hosts_browser_takes_over_a_seat_by_its_code(box: Box, phone: Callable[..., Page]) -> None:
    begin(box.house, "")
    east = phone("", expected=(403, 409))  # which has no seat any more when the host's browser has it
    sit(east, box, 1, "East")
    host = on_the_hosts_page(box, phone)
    code = east.evaluate(
        f"{module('api.js')}.then(api => api.post('/api/v1/seats/move')).then(told => told.code)"
    )
    host.goto("/join")
    host.click("text=I sit already, with another phone")
    host.fill("#brought input", code)
    host.click("#brought button")
    host.wait_for_url("**/play")
    expect(host.locator("[data-piece=explained] h2")).to_contain_text("East")


def test_what_is_typed_for_the_next_match_outlives_the_page(box: Box, phone: Callable[..., Page]) -> None:
    host = on_the_hosts_page(box, phone)
    host.locator('[name=game][value="derailed"]').check()
    host.get_by_label("Our own, on the table").check()
    host.select_option("#bots", "2")
    host.click("text=Add somebody without a phone")
    host.fill('[data-line="1"]', "Grandmother")
    host.reload()
    expect(host.locator('[name=game][value="derailed"]')).to_be_checked()
    expect(host.get_by_label("Our own, on the table")).to_be_checked()
    expect(host.locator('[data-line="1"]')).to_have_value("Grandmother")
    expect(host.locator("#bots")).to_have_value("2")
    host.locator('[name=game][value="railroad-ink"]').check()
    expect(host.locator("#cards-where")).to_be_hidden()
    host.locator('[name=game][value="derailed"]').check()
    expect(host.get_by_label("On the phones: the box deals")).to_be_checked()
    host.get_by_label("Our own, on the table").check()
    host.select_option("#bots", "0")  # they see no cards that lie on the table
    host.select_option("#seat-count", "1")
    with host.expect_navigation():
        host.click("text=Begin the match")
    match = current(box)
    assert match is not None
    assert match.state.options.deal == "table"
    expect(host.locator('[data-line="1"]')).to_be_hidden()  # what was sent is done with
    expect(host.get_by_label("Our own, on the table")).to_be_checked()  # remembered by the box
