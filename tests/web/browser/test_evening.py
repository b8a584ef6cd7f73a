"""The first minutes of an evening: a screen, phones that join with a tap, a match with whoever is there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.game.base import Action
from companion.game.bots import any_action
from companion.service.devices.dice_policy import DICE_SETTING
from companion.table.events import Actor
from tests.web.browser.evenings import play_an_evening
from tests.web.browser.layouts import problems
from tests.web.browser.phones import become_host
from tests.web.browser.served import Box
from tests.web.browser.table import current, seat_everybody, sit, sit_down
from tests.web.houses import accepted, begin
from web.site import site_of

Phones = Callable[..., Page]
SCREENS = ((1280, 720), (1920, 1080), (3840, 2160), (800, 1280))
SHARE = "document.querySelector('.qr').getBoundingClientRect().height / innerHeight"


def taps(page: Page) -> None:
    """Count what a finger does on this page, and on those it leads to."""
    page.add_init_script("""
        addEventListener("click", (event) => {
            if (event.isTrusted) sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1;
        }, true);
    """)


def tapped(page: Page) -> int:
    return int(page.evaluate("Number(sessionStorage.taps ?? 0)"))


def code_of(box: Box) -> str:
    return site_of(box.app).room.code


def join(phone: Phones, box: Box, name: str, **wanted: object) -> Page:
    page = phone("/help", **wanted)
    taps(page)
    page.goto(f"/j/{code_of(box)}")
    page.fill('input[name="name"]', name)
    page.click('button:text-is("Join")')
    page.wait_for_url("**/play")
    return page


@pytest.mark.parametrize("size", SCREENS, ids=str)
def test_the_code_can_be_scanned_from_three_metres(box: Box, phone: Phones, size: tuple[int, int]) -> None:
    width, height = size
    for path in ("/tv", "/"):
        page = phone(path, viewport={"width": width, "height": height})
        assert page.evaluate(SHARE) >= 0.25
        assert page.evaluate("document.querySelector('.qr').getBoundingClientRect().bottom <= innerHeight")
        expect(page.locator(".lobby-typed .code")).to_have_text(code_of(box))


def test_whom_the_host_leaves_out_stays_out_while_others_come(box: Box, phone: Phones) -> None:
    join(phone, box, "North")
    join(phone, box, "East")
    host = phone("", expected=(403, 409))
    become_host(host, box.pin)
    host.goto("/host")
    host.locator(".guest-choice", has_text="North").click()
    join(phone, box, "West")
    expect(host.locator(".guest-choice")).to_have_count(3)
    for name, there in (("North", False), ("East", True), ("West", True)):
        expect(host.locator(".guest-choice", has_text=name).locator("input")).to_be_checked(checked=there)


def test_an_evening_begins_with_whoever_is_there(box: Box, phone: Phones) -> None:
    screen = phone("/tv", viewport={"width": 1280, "height": 720})
    north = join(phone, box, "North")
    assert tapped(north) == 1, "a name, and one tap"
    expect(screen.locator(".people li")).to_have_count(1)
    east = join(phone, box, "East")
    for page in (screen, north, east):
        expect(page.locator(".people li")).to_have_count(2)

    host = phone("", expected=(403,))
    become_host(host, box.pin)
    host.goto("/host")
    number = screen.locator("#this-screen .number").inner_text()
    expect(host.locator(".knock .number")).to_have_text(number)
    host.click("text=Yes, this one")
    expect(screen.locator("#this-screen")).to_have_count(0)
    host.click("text=Begin the match")

    for page, name in ((north, "North"), (east, "East")):
        expect(page.locator("[data-piece=explained] h2")).to_contain_text(name)
    assert [one.name for one in current(box).players.values()] == ["North", "East"]
    expect(screen.locator(".seat h2")).to_have_text(["North", "East"])
    assert 0.05 < screen.evaluate(SHARE) < 0.25, "the code has shrunk to a corner"
    assert tapped(north) == 1


def test_the_next_evening_one_tap_is_enough(box: Box, phone: Phones) -> None:
    north = join(phone, box, "North")
    north.click("text=Leave")
    north.wait_for_url(f"{box.link}/")
    north.evaluate("sessionStorage.taps = 0")
    north.goto(f"/j/{code_of(box)}")
    north.click(".quick")
    north.wait_for_url("**/play")
    expect(north.locator(".you")).to_contain_text("North")
    assert tapped(north) == 1


def test_the_next_match_has_other_people_and_phones_go_to_their_seats(box: Box, phone: Phones) -> None:
    north, east = seat_everybody(box, phone, ("North", "East"))
    late = phone(f"/j/{code_of(box)}", expected=(409,))
    late.fill('input[name="name"]', "Late")
    late.click('button:text-is("Join")')
    expect(late.locator("[data-piece=explained] h2")).to_contain_text("Late")
    accepted(box.house, Action("end"))
    host = phone("", expected=(409,))
    become_host(host, box.pin)
    host.goto("/host")
    host.locator('[name=game][value="derailed"]').check()
    expect(host.locator("#link.live")).to_have_count(1)  # what is new of the room is on the page
    host.get_by_label("North").uncheck()
    expect(host.get_by_label("North")).not_to_be_checked()
    host.click("text=Begin the match")
    expect(late.locator(".game")).to_contain_text("Derailed!")
    expect(east.locator("body")).to_have_attribute("data-seat", "1")
    expect(north.locator(".offers, .mine-room")).to_contain_text(["Derailed! has begun"])


def test_a_leaver_blocks_nobody_and_takes_the_seat_again(box: Box, phone: Phones) -> None:
    north, east = seat_everybody(box, phone, ("North", "East"))
    east.click("#seat-things summary")
    east.click('button:text-is("Get up")')
    expect(north.locator("[data-piece=others]")).to_contain_text("left")
    east.click('.offers [type=submit], .offers .button:has-text("East")')
    expect(east.locator("[data-piece=explained] h2")).to_contain_text("East")
    assert current(box).holders == {}
    north.click("#seat-things summary")
    north.click("text=A bot plays for me")
    expect(north.locator(".holding")).to_contain_text("A bot plays for North")
    north.click("text=I play again")
    expect(north.locator(".holding")).to_have_count(0)


def test_a_lost_phone_costs_another_player_one_tap(box: Box, phone: Phones) -> None:
    begin(box.house, "", "")
    north, lost = (phone("", expected=(403,)) for _ in range(2))
    sit(north, box, 1, "North")
    sit_down(lost, box, 2, "East")
    taps(north)
    north.reload()
    found = phone(f"/j/{code_of(box)}")
    found.click("#lost summary")
    found.click("text=I am East again")
    north.click("text=Yes, it is")
    found.wait_for_url("**/play")
    expect(found.locator("[data-piece=explained] h2")).to_contain_text("East")
    assert tapped(north) == 1


def test_a_guest_without_the_code_is_let_in(box: Box, phone: Phones) -> None:
    (north,) = seat_everybody(box, phone, ("North",))
    guest = phone("/join")
    guest.fill("#ask-in input", "Sam")
    guest.click("text=Ask to come in")
    expect(north.locator(".knock")).to_contain_text("Sam")
    north.click("text=Let in")
    guest.wait_for_url("**/j/*")
    expect(guest.locator(".remembered [name=name]")).to_have_value("Sam")


def test_one_phone_plays_for_somebody_without_one(box: Box, phone: Phones) -> None:
    begin(box.house, "", "Grandpa")
    page = phone("")
    sit(page, box, 1, "East")
    page.click("#seat-things summary")
    page.click("text=I play for Grandpa, too")
    expect(page.locator("[data-piece=explained] h2")).to_contain_text("Grandpa")
    page.click(".switch >> text=East")
    expect(page.locator("[data-piece=explained] h2")).to_contain_text("East")


# --- dice by hand ---


def test_a_whole_evening_in_two_languages(box: Box, phone: Phones) -> None:
    """A lean one: people play without thinking; ``make evenings`` plays all games, with photographs."""
    evening = play_an_evening(box, phone, "railroad-ink", any_action, lean=True)
    assert evening.taps["own dice"] == 4


def test_own_dice_take_a_tap_a_die_and_a_mistake_is_taken_back(box: Box, phone: Phones) -> None:
    box.house.store.put_setting(DICE_SETTING, "hand")
    north, east = seat_everybody(box, phone, ("North", "East"))
    taps(north)
    north.reload()
    expect(north.locator(".hand-dice .slot[data-face]")).to_have_count(0)
    groups = north.locator(".hand-group")
    for group, face in ((0, "NS"), (0, "ne"), (1, "N*"), (2, "NS|ew")):
        groups.nth(group).locator(f'[data-face="{face}"]').click()
    expect(east.locator('.choice[data-shape="NS"]')).to_have_count(1)
    assert tapped(north) == 4
    assert current(box).state.dice == ("NS", "ne", "N*", "NS|ew")
    north.click("text=Undo")
    expect(east.locator("#toast")).to_contain_text("North took the dice back")
    assert current(box).state.dice == ()


def test_a_mistyped_roll_is_corrected_after_somebody_has_drawn(box: Box, phone: Phones) -> None:
    north, east = seat_everybody(box, phone, ("North", "East"))
    roll = Action("roll", 1, {"faces": ["NS", "NS", "N*", "NS|ew"]})
    accepted(box.house, roll, Actor("player", 1))
    drawn = next(one for one in current(box).game.legal(current(box).state, 2) if one.data["route"] == "N*")
    accepted(box.house, drawn, Actor("player", 2))
    expect(east.locator("[data-do=correct-roll]")).to_have_count(0)
    north.click("[data-do=correct-roll]")
    north.locator("dialog .slot").first.click()
    north.locator('dialog .hand-group [data-face="ns"]').first.click()
    north.get_by_role("dialog", name="Somebody has played").get_by_role(
        "button", name="Ask everybody"
    ).click()
    east.get_by_role("button", name="Agree", exact=True).click()
    expect(north.locator('.choice[data-shape="ns"]')).to_have_count(1)
    assert current(box).state.dice == ("ns", "NS", "N*", "NS|ew")


def test_a_slot_that_was_filled_wrongly_is_emptied(box: Box, phone: Phones) -> None:
    (page,) = seat_everybody(box, phone, ("North",))
    page.click("[data-do=hand-roll]:visible")
    page.locator("dialog [data-face=NS]").first.click()
    page.locator("dialog .slot[data-face]").click()
    expect(page.locator("dialog .slot[data-face]")).to_have_count(0)
    assert current(box).state.dice == ()


def test_the_host_leaves_a_seat_out_and_corrects_the_dice_on_the_hosts_page(box: Box, phone: Phones) -> None:
    north, _ = seat_everybody(box, phone, ("North", "East"))
    accepted(box.house, Action("roll", 1, {"faces": ["NS", "NS", "N*", "NS|ew"]}), Actor("player", 1))
    host = phone("", expected=(403,))
    become_host(host, box.pin)
    host.goto("/host")
    host.click("[data-do=correct-roll]")
    host.locator("dialog .slot").first.click()
    host.locator('dialog .hand-group [data-face="ns"]').first.click()
    expect(north.locator('.choice[data-shape="ns"]')).to_have_count(1)
    host.click("#seat-2 summary")
    host.locator(".host-seats li").nth(1).get_by_text("Leave out").click()
    expect(north.locator("[data-piece=others]")).to_contain_text("left")
    expect(host.locator(".host-seats li").nth(1)).to_contain_text("is out")
    host.locator(".host-seats li").nth(1).get_by_text("Plays again").click()
    expect(north.locator("[data-piece=others]")).not_to_contain_text("left")


def test_the_code_in_the_corner_takes_no_room_from_the_boards(box: Box, phone: Phones) -> None:
    page = phone("")
    become_host(page, box.pin, role="screen")
    found = list(problems(box, page, "railroad-ink", 6, ((1280, 720), (800, 1280))))
    assert page.locator(".corner .code").count() == 1
    assert found == [], "\n".join(found)
