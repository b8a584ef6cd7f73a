"""Empire Builder in a real browser: rounds played by tapping, the keyboard, scorekeeping, an owner's map."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.table.chance import SeededChance
from lab.empire_builder import rules_bench as bench
from tests.web.browser.phones import become_host, module
from tests.web.browser.served import Box
from tests.web.browser.table import current, sit
from tests.web.browser.test_accessible import (
    LOOKS,
    SMALL_TARGETS,
    Looks,
    opened_wholly,
    serious,
    wrong,
)
from tests.web.houses import accepted

NAMES = ("East", "North", "South")
MOST = 60  # actions: more than the three rounds take in which the first delivery is made
MAP = module("empire-builder/map.js")
PITCH = f"{MAP}.then(map => map.pitch())"
WHERE = f"""async name => {{
  const {{ spot }} = await {module("empire-builder/mileposts.js")};
  const [x, y] = spot(name), ground = document.querySelector(".eb-ground");
  const box = ground.getBoundingClientRect(), all = ground.viewBox.baseVal;
  return [box.left + (x - all.x) / all.width * box.width, box.top + (y - all.y) / all.height * box.height];
}}"""
Phone = Callable[..., Page]


def begin(box: Box, seats: int, mode: str = "umpire", **options: Any) -> None:
    data: JsonObject = {"game": "empire-builder", "players": [""] * seats, "mode": mode, "options": options}
    accepted(box.house, Action("start", data=data))


def seated_phone(box: Box, phone: Phone, seat: int, **asked: Any) -> Page:
    page = phone("", expected=(404, 409, 422), has_touch=True, **asked)
    sit(page, box, seat, NAMES[seat - 1])
    return page


def tap(page: Page, milepost: str) -> None:
    """Bring the milepost into view, as fingers would, and tap it."""
    page.locator("#ground-view").scroll_into_view_if_needed()
    page.evaluate(f"name => {MAP}.then(map => map.show([name]))", milepost)
    page.touchscreen.tap(*page.evaluate(WHERE, milepost))


def confirm(page: Page, words: str) -> None:
    page.locator("[data-do=confirm]", has_text=words).click()


def do(page: Page, action: Action) -> None:
    """What a player does on the page for this."""
    match action.kind:
        case "build":
            page.locator("[data-tap=build]").click()
            tap(page, action.data["path"][0])
            expect(page.locator("#eb-plan-says")).to_contain_text("tap on")
            tap(page, action.data["path"][-1])
            confirm(page, "Build for")
        case "move" | "place":
            page.locator("[data-tap=run]").click()
            tap(page, action.data["path"][-1] if action.kind == "move" else action.data["at"])
            confirm(page, "Run there" if action.kind == "move" else "Put it here")
        case "done":
            if page.locator("[data-do=done][data-undone]").count():  # asked once whether nothing is forgotten
                page.locator("[data-do=done]").click()
                expect(page.locator("#toast")).to_contain_text("Tap again")
            page.locator("[data-do=done]").click()
        case _:
            words = "Buy a" if action.kind == "upgrade" else action.data["load"]
            page.locator(".eb-buttons button", has_text=words).first.click()


def next_action(box: Box) -> Action:
    """What a player that plans does next, with whole paths."""
    state = current(box).state
    request = bench.next_action(state, SeededChance(1), odd=0)
    fact = current(box).game.decide(state, request, SeededChance(1))
    assert isinstance(fact, Action)
    return fact


def test_two_phones_play_by_tapping_until_the_first_delivery(box: Box, phone: Phone) -> None:
    """The first two actions of a kind are tapped; those between are sent, for they show nothing new."""
    begin(box, 2)
    pages = {seat: seated_phone(box, phone, seat) for seat in (1, 2)}
    watcher = phone("/", viewport={"width": 1280, "height": 800})
    done: list[str] = []
    while "deliver" not in done and len(done) < MOST:
        action = next_action(box)
        done.append(action.kind)
        if done.count(action.kind) > 2:
            accepted(box.house, action)
            continue
        page = pages[action.seat or 0]
        expect(page.locator("#eb")).to_have_attribute("data-may", re.compile(rf"\b{action.kind}\b"))
        before = page.locator("#eb").get_attribute("data-undo") or ""
        do(page, action)
        expect(page.locator("#eb")).not_to_have_attribute("data-undo", before)
    assert {"build", "place", "move", "pickup", "deliver", "done"} <= set(done)
    match = current(box)
    track = sum(len(edges) for edges in match.game.view(match.state, None)["track"].values())
    expect(watcher.locator(".eb-now")).to_have_attribute(
        "aria-label", re.compile(f"^Map with {track} segments")
    )
    assert [event.kind for event in match.events[-len(done) :]] == done, "one tap, one event"
    for page in (*pages.values(), watcher):
        html = page.content()
        assert not any(f'"{card}"' in html for card in match.state.deck if card.startswith("event-"))


def test_a_plan_is_priced_led_further_taken_back_and_kept_out_of_turn(box: Box, phone: Phone) -> None:
    begin(box, 2)
    seat = current(box).state.seat
    page, other = (seated_phone(box, phone, one) for one in (seat, 3 - seat))
    says = page.locator("#eb-plan-says")
    tap(page, "an41")
    expect(says).to_contain_text(re.compile(r"^To the place you tapped: \d+ million\."))
    tap(page, "ah45")
    expect(says).to_contain_text(re.compile(r"^To the place you tapped: \d\d million"))
    page.click("[data-do=back]")
    expect(says).to_contain_text(re.compile(r"^To the place you tapped: \d million\."))
    page.click("[data-do=forget]")
    expect(page.locator("#eb-plan")).to_be_hidden()
    tap(other, "an41")
    expect(other.locator("#eb-plan-says")).to_contain_text("Not now: it is the turn of")
    expect(other.locator("[data-do=confirm]")).to_be_hidden()
    version = current(box).version
    tap(page, "an41")
    confirm(page, "Build for")
    expect(page.locator(".eb-now path")).not_to_have_count(0)
    page.click("[data-do=undo]")
    expect(page.locator(".eb-now path")).to_have_count(0)
    assert current(box).version == version + 2


def test_the_keyboard_plans_and_zooms(box: Box, phone: Phone) -> None:
    begin(box, 2)
    page = seated_phone(box, phone, current(box).state.seat)
    page.focus("#ground-view")
    near = page.evaluate(PITCH)
    page.keyboard.press("+")
    assert page.evaluate(PITCH) > near
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#ground-view")).to_have_attribute("aria-label", re.compile("^The map, at "))
    page.keyboard.press("Enter")
    expect(page.locator("#eb-plan-says")).to_contain_text("million")
    page.keyboard.press("Escape")
    expect(page.locator("#eb-plan")).to_be_hidden()
    page.click("#eb-place summary")
    page.fill("#eb-go input", "des moines")
    page.keyboard.press("Enter")
    expect(page.locator("#eb-plan-says")).to_contain_text("To Des Moines")


def test_the_chosen_demand_stays_under_the_map_until_it_is_let_go(box: Box, phone: Phone) -> None:
    begin(box, 2)
    page = seated_phone(box, phone, current(box).state.seat, viewport={"width": 320, "height": 568})
    demand, pinned = page.locator("[data-do=trip]").nth(1), page.locator("#eb-pinned")
    expect(pinned).to_be_hidden()
    demand.click()
    expect(pinned.locator(".eb-what")).to_have_text(demand.locator(".eb-what").inner_text())
    expect(pinned.locator(".eb-pays")).to_have_text(demand.locator(".eb-pays").inner_text())
    below, above = pinned.bounding_box(), page.locator("#ground-view").bounding_box()
    assert below is not None
    assert above is not None
    assert 0 <= below["y"] - above["y"] - above["height"] < 60, "right under the map"
    pinned.click()
    expect(pinned).to_be_hidden()
    expect(demand).to_have_attribute("aria-pressed", "false")


def test_fingers_move_and_stretch_the_map(box: Box, phone: Phone) -> None:
    begin(box, 2)
    page = phone("/", has_touch=True)
    view = page.locator("#ground-view")
    page.evaluate(f"{MAP}.then(map => map.show(['ah41'], 26))")
    before = view.evaluate("view => view.scrollLeft")
    area = view.bounding_box()
    assert area is not None
    x, y = area["x"] + area["width"] / 2, area["y"] + area["height"] / 2
    tools = page.context.new_cdp_session(page)
    drag = {"x": x, "y": y, "xDistance": -90, "yDistance": 0, "gestureSourceType": "touch"}
    tools.send("Input.synthesizeScrollGesture", drag)
    assert view.evaluate("view => view.scrollLeft") > before + 50
    pitch = page.evaluate(PITCH)
    pinch = {"x": x, "y": y, "scaleFactor": 1.5, "gestureSourceType": "touch"}
    tools.send("Input.synthesizePinchGesture", pinch)
    assert page.evaluate(PITCH) > pitch * 1.2
    page.click("[aria-label='The whole map']")
    assert page.evaluate(PITCH) < 11
    place = page.evaluate(PITCH)
    page.reload()
    assert page.evaluate(PITCH) == pytest.approx(place, rel=0.05)


def test_a_scorekeepers_table_is_drawn_and_counted(box: Box, phone: Phone) -> None:
    begin(box, 2, mode="scorekeeper")
    page = seated_phone(box, phone, 1)
    tap(page, "an41")
    tap(page, "am42")
    confirm(page, "It is drawn")
    expect(page.locator("#eb")).to_have_attribute("data-lines", re.compile("an41"))
    page.click("[data-tap=erase]")
    tap(page, "am42")
    confirm(page, "Erase them")
    expect(page.locator("#eb")).not_to_have_attribute("data-lines", re.compile("am42"))
    page.fill("#eb-report [name=cash]", "77")
    page.select_option("#eb-report [name=kind]", "fast")
    page.fill("#eb-report [name=at]", "Chicago")
    page.select_option("#eb-report [name=load] >> nth=0", "coal")
    page.click("text=So it stands")
    expect(page.locator(".eb-standing")).to_contain_text("77")
    player = current(box).state.players[1]
    assert (player.cash, player.train.kind, player.train.loads) == (77, "fast", ("coal",))
    expect(page.locator(".eb-train")).to_have_count(1)


def test_a_stub_out_of_another_major_city_is_offered_by_name_only(box: Box, phone: Phone) -> None:
    begin(box, 2)
    page = seated_phone(box, phone, current(box).state.seat)
    accepted(box.house, Action("build", current(box).state.seat, {"path": ["ap39", "ap41", "ap43"]}))
    tap(page, "as58")
    says = page.locator("#eb-plan-says")
    expect(says).to_contain_text("To Birmingham: 13 million")
    page.click("#eb-others >> text=From Atlanta for 4 million, not joined to your line")
    expect(says).to_contain_text("To Birmingham: 4 million")
    expect(page.locator("#eb-others button")).to_have_count(0)


def test_an_owners_map_is_corrected_by_tapping(box: Box, phone: Phone) -> None:
    page = phone("/host", expected=(422,), has_touch=True)
    page.fill("[name=pin]", box.pin)
    page.click("text=Go on")
    expect(page.locator("#new-match")).to_be_visible()
    page.goto("/host/map/empire-builder")
    tap(page, "ao42")
    page.click("[data-terrain=mountain]")
    expect(page.locator("textarea")).to_have_value("terrain ao42 mountain\n")
    page.locator("textarea").press_sequentially("river zz9 Ohio")
    page.click("[data-do=keep-option]")
    expect(page.locator(".faults li")).to_have_count(1)
    expect(page.locator(".faults li")).to_contain_text("line")
    page.fill("textarea", "terrain ao42 mountain")
    with page.expect_event("load"), page.expect_response("**/api/v1/host/options"):
        page.click("[data-do=keep-option]")
    page.goto("/host")
    expect(page.locator("#option-empire-builder-map")).to_have_value("terrain ao42 mountain")


@LOOKS
def test_nothing_serious_on_any_page(box: Box, phone: Phone, looks: Looks) -> None:
    begin(box, 3)
    for _ in range(24):
        accepted(box.house, next_action(box))
    page = seated_phone(box, phone, 1)
    become_host(page, box.pin)
    found = []
    for path in ("/", "/play", "/tv", "/match/current", "/host/map/empire-builder"):
        opened_wholly(page, path, looks)
        found += wrong(page, looks)
    assert found == [], "\n".join(found)


def test_borrowing_and_paying_back_on_a_small_phone(box: Box, phone: Phone) -> None:
    begin(box, 2, deal="table", first=1, borrow="double")
    page = seated_phone(box, phone, 1, viewport={"width": 320, "height": 640})
    page.goto("/play")
    page.locator("#eb-borrow input").fill("9")
    page.locator("#eb-borrow button").click()
    expect(page.locator("#eb-bank h2")).to_contain_text("you owe 18 million")
    expect(page.locator(".eb-standing")).to_contain_text("owes 18")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert serious(page) == []
    assert page.evaluate(SMALL_TARGETS) == []
    page.locator("#eb-repay button").click()
    expect(page.locator("#eb-bank h2")).to_contain_text("you owe nothing")
    page.locator("[data-do=undo]").click()
    expect(page.locator("#eb-bank h2")).to_contain_text("you owe 18 million")
    assert current(box).state.players[1].cash == 59
