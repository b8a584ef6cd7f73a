"""SPIKE on real phones: everything is tapped, as people would."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.moves.offers import city_offers
from companion.table.chance import SeededChance
from companion.table.events import Actor
from lab.spike.randomplay import random_action
from tests.web.browser.phones import module
from tests.web.browser.served import Box
from tests.web.browser.table import current, sit
from tests.web.browser.test_accessible import LOOKS, Looks, opened_wholly, wrong
from tests.web.houses import accepted

NAMES = ("East", "North", "South", "West")
Phones = Callable[..., Page]


def begin(box: Box, players: int, mode: str = "umpire", **options: Any) -> None:
    data: JsonObject = {"game": "spike", "players": [""] * players, "mode": mode, "options": options}
    accepted(box.house, Action("start", data=data))


def seat_all(box: Box, phone: Phones, players: int, **options: Any) -> dict[int, Page]:
    begin(box, players, **options)
    return {seat: seat_one(box, phone, seat) for seat in range(1, players + 1)}


def seat_one(box: Box, phone: Phones, seat: int, **asked: Any) -> Page:
    page = phone("", expected=(409,), **{"viewport": {"width": 390, "height": 844}, **asked})
    sit(page, box, seat, NAMES[seat - 1])
    expect(page.locator("#link.live")).to_have_count(1)
    return page


def state_of(box: Box) -> State:
    state: State = current(box).state
    return state


def seat_of(page: Page) -> int:
    return int(page.evaluate("document.body.dataset.seat"))


# --- a finger that plays ---


def tap_marker(page: Page, place: str) -> None:
    """Tap the map where a place is lit."""
    page.locator(f'.marker[data-place="{place}"] circle').evaluate(
        "circle => circle.scrollIntoView({block: 'center'})"
    )
    spot = page.locator(f'.marker[data-place="{place}"] circle').bounding_box()
    assert spot is not None
    page.mouse.click(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)


def confirm(page: Page, box: Box) -> None:
    before = current(box).version
    page.click("#sure-yes")
    wait_for(page, box, before)


def wait_for(page: Page, box: Box, before: int) -> None:
    """Until the page shows what happened."""
    page.wait_for_function(
        "seen => !document.querySelector('#sure') || document.querySelector('#sure').hidden", arg=before
    )
    expect(page.locator("[data-piece=controls]")).not_to_be_empty()
    for _ in range(100):
        if current(box).version > before:
            return
        page.wait_for_timeout(50)
    raise AssertionError("nothing happened")


def play_turn(page: Page, box: Box) -> str:
    """One action by taps: deliver, load, build, move on, improve the train, else draw."""
    state = state_of(box)
    seat = state.turn
    fresh(page, box)
    for words in ("Deliver", "Load"):
        if page.locator(f'[data-now]:has-text("{words}")').count():
            tap_now(page, box, words)
            fresh(page, box)
            if state_of(box).turn != seat:
                return words
    if page.locator("[data-task=build]").count() and state.player.held > 3:
        return build(page, box)
    if page.locator("[data-task=motion]").count() and current(box).version % 2:
        return move(page, box, "motion")
    if page.locator("[data-task=move]").count():
        move(page, box, "move")
        fresh(page, box)
    return draw(page, box)


def tap_now(page: Page, box: Box, words: str) -> None:
    before = current(box).version
    page.locator(f'[data-now]:has-text("{words}")').first.click()
    wait_for(page, box, before)


def fresh(page: Page, box: Box) -> None:
    """The controls are those of the present state."""
    state = state_of(box)
    seat = seat_of(page)
    page.wait_for_function(
        """([hand, mine]) => {
          const plan = JSON.parse(document.querySelector("#spike")?.dataset.plan || "{}");
          return JSON.stringify(plan.hand || []) === hand
            && Boolean(document.querySelector("[data-panel], [data-now]")) === mine;
        }""",
        arg=[json.dumps(list(state.players[seat].hand)).replace(" ", ""), state.turn == seat],
    )


def build(page: Page, box: Box) -> str:
    best = city_offers(state_of(box))[0].best
    seat, before = state_of(box).turn, state_of(box).player
    if page.locator("[data-task]").count():
        page.click("[data-task=build]")
    tap_marker(page, best.city)
    expect(page.locator("#sure-says")).to_contain_text(f"pays ${best.brings}")
    expect(page.locator(".ghost-track")).to_have_count(len(best.path))
    confirm(page, box)
    after = state_of(box).players[seat]
    assert after.money == before.money + best.brings
    assert after.held == before.held - best.cost
    return "build"


def move(page: Page, box: Box, kind: str) -> str:
    if page.locator("[data-task]").count():
        page.click(f"[data-task={kind}]")
    before = current(box).version
    page.locator(f"[data-panel={kind}] .option").first.click()  # at once: Undo takes it back
    wait_for(page, box, before)
    return kind


def draw(page: Page, box: Box) -> str:
    seat = state_of(box).turn
    if page.locator("[data-task=draw]").count():
        page.click("[data-task=draw]")
    while state_of(box).turn == seat and page.locator("[data-panel=draw] .option").count():
        before = current(box).version
        page.locator("[data-panel=draw] .option").last.click()
        wait_for(page, box, before)
        fresh(page, box)
        if not state_of(box).drawing:
            break
    if state_of(box).turn == seat and page.locator('[data-now]:has-text("End my turn")').count():
        tap_now(page, box, "End my turn")
    return "draw"


def test_phones_play_by_taps_alone_and_no_page_tells_another_hand(box: Box, phone: Phones) -> None:
    pages = seat_all(box, phone, 2)
    screen = phone("/tv", viewport={"width": 1280, "height": 720})
    giver = pages[state_of(box).turn]
    giver.locator("[data-give]").first.click()
    confirm(giver, box)
    for _ in pages:
        page = pages[state_of(box).turn]
        expect(page.locator(".marker")).to_have_count(36)
        tap_marker(page, "st-louis")
        expect(page.locator("#sure-says")).to_contain_text("supplies coal")
        confirm(page, box)
    done: list[str] = []
    while len(done) < 6 or not {"build", "draw"} <= set(done):
        assert len(done) < 18, done
        page = pages[state_of(box).turn]
        done.append(play_turn(page, box))
        nothing_told(box, pages, screen)
    match = current(box)
    built = sum(len(player.tracks) for player in match.state.players.values())
    expect(screen.locator(".piece use")).to_have_count(built)
    assert match.game.faults(match.state) == []


def nothing_told(box: Box, pages: dict[int, Page], screen: Page) -> None:
    """Own hand and route, and nothing of anybody else's, on every page and in every answer."""
    state = state_of(box)
    for seat, page in pages.items():
        told = page.evaluate("fetch('/api/v1/matches/current').then(answer => answer.json())")["view"]
        assert told["hand"] == dict(zip(state.options.on.suits, state.players[seat].hand, strict=True))
        assert all(other["route"] is None for other in told["seats"].values())
        route = state.players[seat].route or ""
        expect(page.locator(".route-card")).to_have_count(1)
        expect(page.locator(".route-card h3")).to_contain_text(state.options.on.cities[route].name)
    expect(screen.locator(".route-card, .hand, [data-plan]")).to_have_count(0)
    told = screen.evaluate("fetch('/api/v1/matches/current').then(answer => answer.json())")["view"]
    assert not {"hand", "own_route", "offered", "builds"} & set(told)


def rich(box: Box, seed: int = 5, builds: int = 2) -> State:
    """Play on until whoever is to move has several builds."""
    chance = SeededChance(seed)
    while True:
        state = state_of(box)
        if state.phase == "play" and not state.acted and state.round < 3:
            found = city_offers(state)
            if len(found) >= builds and any(len(one.offers) > 1 for one in found) and state.player.tracks:
                return state
        action = random_action(state, chance)
        accepted(box.house, action, Actor("player", action.seat))


def test_way_and_payment_are_chosen_and_the_map_is_moved(box: Box, phone: Phones) -> None:
    begin(box, 2)
    state = rich(box)
    page = seat_one(box, phone, state.turn, has_touch=True)
    found = next(one for one in city_offers(state) if len(one.offers) > 1)
    page.click("[data-task=build]")
    page.click(f'[data-panel=build] [data-city="{found.city}"]')
    expect(page.locator(".steps b")).to_have_text(f"Way 1 of {len(found.offers)}")
    page.click("text=other way ›")
    expect(page.locator(".steps b")).to_have_text(f"Way 2 of {len(found.offers)}")
    other = found.offers[1]
    expect(page.locator(".way")).to_have_count(len(other.ways))
    page.locator(".way").last.click()
    expect(page.locator(".way").last).to_have_attribute("aria-pressed", "true")
    scale = f"{module('spike/map.js')}.then(one => one.map.scale)"
    opened = page.evaluate(scale)
    page.click("[aria-label='The whole map']")
    before = page.evaluate(scale)
    assert opened > before, "it opens at one's own network"
    page.click("[aria-label=Nearer]")
    assert page.evaluate(scale) == pytest.approx(1.6 * before)
    page.click("[aria-label='My network']")
    page.click("[aria-label='The whole map']")
    assert page.evaluate(scale) == before
    page.click("#sure-yes")
    expect(page.locator("#sure:visible")).to_have_count(0)
    built = current(box).events[-1]
    suits = list(state.options.on.suits)
    assert built.data["path"] == list(other.path)
    assert [built.data["cards"].get(suit, 0) for suit in suits] == list(other.ways[-1])
    page.click('button:has-text("Undo")')
    expect(page.locator(".piece.mine use")).to_have_count(len(state.player.tracks))


def test_ones_own_way_is_tapped_and_a_refusal_says_why(box: Box, phone: Phones) -> None:
    begin(box, 2)
    state = rich(box)
    page = phone("", expected=(409,), viewport={"width": 390, "height": 844})
    sit(page, box, state.turn, "East")
    path = city_offers(state)[0].best.path
    page.click("[data-task=build]")
    page.click("text=My own way")
    for track in path[:-1] or path:
        page.locator(f'.touch path[data-cell="{track}"]').focus()
        page.keyboard.press("Enter")
    if len(path) > 1:
        page.click("#sure-yes")
        expect(page.locator("#toast")).to_contain_text("outside a city")
        expect(page.locator("#say")).to_contain_text("outside a city")
        page.locator(f'.touch path[data-cell="{path[-1]}"]').focus()
        page.keyboard.press("Enter")
    page.click("#sure-yes")
    expect(page.locator(".piece.mine use")).to_have_count(len(state.player.tracks) + len(path))
    assert current(box).events[-1].data["path"] == list(path)


def test_advanced_play_is_set_up_by_taps(box: Box, phone: Phones) -> None:
    pages = seat_all(box, phone, 2, play="advanced")
    for page in pages.values():
        page.locator("input[type=radio]").nth(1).check()
        page.click("text=These sides")
    giver = pages[state_of(box).first]
    giver.locator("[data-give]").first.click()
    confirm(giver, box)
    for seat, page in pages.items():
        offered = state_of(box).players[seat].offered
        expect(page.locator(".two-routes .route-card")).to_have_count(2)
        page.locator(".two-routes button").last.click()
        expect(page.locator(".two-routes")).to_have_count(0)
        assert state_of(box).players[seat].route == offered[1]
    assert state_of(box).phase == "place"


def test_genuine_cards_on_the_table(box: Box, phone: Phones) -> None:
    """The phones only say what was played, and the rules check it."""
    pages = seat_all(box, phone, 2, deal="table")
    goods = list(state_of(box).options.on.goods)
    for seat, page in pages.items():
        for number, good in enumerate(goods[(seat - 1) * 6 : seat * 6]):
            page.locator("select[name=contract]").nth(number).select_option(f"{good}-1a")
        page.click("text=These are my contracts")
        expect(page.locator("[data-form=declare]")).to_have_count(0)
    pages[1].click("text=The market lies like this")
    expect(pages[1].locator("#spike .market")).to_be_visible()
    for _ in pages:
        page = pages[state_of(box).turn]
        tap_marker(page, "topeka")
        confirm(page, box)
    page = pages[state_of(box).turn]
    seat = state_of(box).turn
    page.click("[data-task=draw]")
    held = state_of(box).players[seat].held
    page.click("text=I drew 2 cards")
    expect(page.locator("#usual")).to_contain_text(f"You hold {held + 2}")
    assert state_of(box).turn == 3 - seat
    page = pages[3 - seat]
    page.click("[data-task=build]")
    page.locator("[data-panel=build] .option").first.click()
    page.click("text=Other cards")
    expect(page.locator(".card-step")).to_have_count(6)
    confirm(page, box)
    assert state_of(box).players[3 - seat].tracks
    pages[seat].click("text=A time card was turned over")
    expect(pages[seat].locator("h1")).to_have_text("Round 2 of 3")


def test_what_is_half_filled_in_stays_while_the_others_go_on(box: Box, phone: Phones) -> None:
    pages = seat_all(box, phone, 2, deal="table")
    good = next(iter(state_of(box).options.on.goods))
    first = pages[1].locator("select[name=contract]").first
    first.select_option(f"{good}-1a")
    second = pages[1].locator("select[name=contract]").nth(1)
    second.focus()
    pages[2].click("text=The market lies like this")
    expect(pages[1].locator("[data-form=market]")).to_have_count(0)
    expect(first).to_have_value(f"{good}-1a")
    expect(second).to_be_focused()


def test_a_scorekeepers_network_is_tapped_and_counted(box: Box, phone: Phones) -> None:
    begin(box, 2, "scorekeeper")
    page = seat_one(box, phone, 1)
    path = ["topeka-i2", "i1-i2", "i1-j1", "tulsa-j1"]
    for track in path:
        page.locator(f'.touch path[data-cell="{track}"]').focus()
        page.keyboard.press("Enter")
    expect(page.locator("#piece-count")).to_have_text("4")
    page.fill("input[name=money]", "17")
    page.select_option("select[name=route]", "topeka")
    page.click("text=Enter this")
    expect(page.locator(".piece.mine use")).to_have_count(4)
    expect(page.locator("[data-piece=others]")).to_contain_text("17")
    page.click("text=My result is final")
    expect(page.get_by_role("button", name="My result is final")).to_have_count(0)
    assert state_of(box).waiting == (2,)


@LOOKS
def test_nothing_serious_on_any_page(box: Box, phone: Phones, looks: Looks) -> None:
    begin(box, 2)
    state = rich(box)
    page = phone("", expected=(409, 404))
    sit(page, box, state.turn, "East")
    found = []
    for path in ("/play", "/", "/tv", "/match/current"):
        opened_wholly(page, path, looks)
        if path == "/play":
            page.click("[data-task=build]")
            page.locator("[data-panel=build] .option").first.click()
        found += wrong(page, looks)
    assert found == [], "\n".join(found)
