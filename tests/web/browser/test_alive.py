"""It feels alive: turns are heard and felt, goals announced, screens stay on, the clock only tells."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.game.base import Action
from companion.game.bots import greedy_action
from companion.games.railroad_ink.rules.scoring.goals import BOXES
from companion.table.standings import standings
from tests.web.browser.phones import box_of
from tests.web.browser.served import Box
from tests.web.browser.table import current, roll, seat_everybody, sit
from tests.web.houses import accepted, play_rounds

Phones = Callable[..., Page]

# What is felt is counted in place of what is heard: a browser without loudspeakers cannot say what it plays.
COUNTED = "window.felt = []; navigator.vibrate = pattern => window.felt.push(pattern.join(' ')) > 0;"
SAID = """() => { window.said = []; new MutationObserver(all => {
  for (const { addedNodes } of all)
    for (const node of addedNodes) if (node.id === "toast") said.push(node.textContent);
}).observe(document.body, {childList: true}); }"""
MOMENTS = """() => { window.moments = []; new MutationObserver(all => {
  for (const { addedNodes } of all)
    for (const node of addedNodes) if (node.className?.startsWith?.("moment")) {
      const style = node.querySelector(".moment-spot").style;
      const sides = ["left", "top", "width", "height"];
      const [left, top, width, height] = sides.map(side => parseFloat(style[side]));
      const inside = [...document.querySelectorAll(".tv-card .board")].some(board => {
        const { x, y, right, bottom } = board.getBoundingClientRect();
        return left > x - 30 && top > y - 30 && left + width < right + 30 && top + height < bottom + 30;
      });
      moments.push({ says: node.textContent, inside });
    }
}).observe(document.body, {childList: true}); }"""
TURN, DICE, GOAL, END, LATE = "90 60 90", "25 40 25", "40 40 40 40 160", "250 80 250", "60 80 60"


def until(page: Page, condition: str) -> None:
    """Wait for something that only a script sees."""
    look = f"""async () => {{
      for (let frame = 0; frame < 900 && !({condition}); frame++) await new Promise(requestAnimationFrame);
      return Boolean({condition});
    }}"""
    assert page.evaluate(look), condition


def felt(page: Page) -> list[str]:
    found: list[str] = page.evaluate("felt")
    return found


def counting(page: Page) -> Page:
    page.add_init_script(COUNTED)
    page.reload()
    return page


def test_ones_own_turn_is_felt_and_nothing_else_unless_wanted(box: Box, phone: Phones) -> None:
    north, east = (counting(page) for page in seat_everybody(box, phone, ("North", "East")))
    east.locator("#comfort summary").click()
    east.locator("#comfort input[value=off]").check()
    roll(north)
    until(north, "felt.length")
    assert felt(north) == [TURN]
    expect(east.locator("[data-piece=dice] .die:not(.blank)")).to_have_count(4)
    assert felt(east) == []
    watcher = counting(phone("/"))
    watcher.locator("#comfort summary").click()
    watcher.locator("#comfort input[value=all]").check()
    until(watcher, "felt.length")  # how it sounds
    play_rounds(box.house, 1)
    accepted(box.house, Action("roll"))
    until(watcher, f"felt.includes('{DICE}')")
    accepted(box.house, Action("end"))
    until(watcher, f"felt.includes('{END}')")
    watcher.reload()
    expect(watcher.locator("#comfort input[value=all]")).to_be_checked()


def test_a_reached_goal_is_announced_everywhere(box: Box, phone: Phones) -> None:
    """Bots play until one of them has reached a goal."""
    players, every = ["North", "East", "South"], [goal for cards in BOXES.values() for goal in cards]
    wanted = {"game": "railroad-ink", "players": players, "options": {"goals": every[:3]}}
    accepted(box.house, Action("start", data=wanted))
    screen = phone("/tv", viewport={"width": 1280, "height": 720}, reduced_motion="no-preference")
    expect(screen.locator(".link.live")).to_be_attached()
    screen.evaluate(SAID)
    screen.evaluate(MOMENTS)
    won: list[str] = []
    while not won:
        assert not current(box).finished, "the bots have reached no goal"
        play_rounds(box.house, 1, think=greedy_action)
        view = current(box).game.view(current(box).state, None)
        won = [goal["goal"] for goal in view["goals"] if goal["points"]]
    until(screen, f"{won}.some(goal => said.some(says => says.includes(goal)))")
    until(screen, f"{won}.some(goal => moments.some(({{ says }}) => says.includes(goal)))")
    moment = next(one for one in screen.evaluate("moments") if any(goal in one["says"] for goal in won))
    assert moment["inside"], "what is lit is part of a board"
    expect(screen.locator(".moment")).to_have_count(0)


def test_the_screen_stays_on_with_a_film_where_there_is_no_wake_lock(box: Box, phone: Phones) -> None:
    """As on plain http, where browsers have none."""
    page = phone("/help")
    page.add_init_script("Object.defineProperty(navigator, 'wakeLock', {value: undefined})")
    accepted(box.house, Action("start", data={"game": "railroad-ink", "players": ["", ""]}))
    sit(page, box, 1, "North")
    until(page, "document.body.dataset.awake === 'film'")
    film = "document.querySelector('video.awake')"
    until(page, f"{film}.currentTime > .3 && !{film}.paused && {film}.muted")
    page.locator("#comfort summary").click()
    expect(page.locator(".awake-says")).to_have_text("The screen stays on while this page is open.")
    page.locator("[data-wish=awake]").uncheck()
    expect(page.locator("video.awake")).to_have_count(0)


def test_the_clock_of_a_turn_counts_down_and_only_tells(box: Box, phone: Phones) -> None:
    wanted = {"game": "railroad-ink", "players": ["", ""], "timer": 30}
    accepted(box.house, Action("start", data=wanted))
    page = phone("/help", expected=(409,))
    page.add_init_script(COUNTED)
    page.clock.install()
    sit(page, box, 1, "North")
    roll(page)
    clock = page.locator(".clock")
    expect(clock).to_have_text(re.compile(r"^0:(30|2\d)$"))  # a slow machine's seconds count, too
    page.clock.run_for(12_000)
    expect(clock).to_have_text(re.compile(r"^0:(1[0-8]|0\d)$"))
    page.clock.run_for(20_000)
    expect(clock).to_have_text(re.compile(r"^\+0:(0[2-9]|[1-5]\d)$"))
    expect(clock).to_have_class("clock late")
    assert felt(page).count(LATE) == 1
    assert current(box).events[-1].kind == "roll", "nothing is played for anybody"


def test_who_is_awaited_is_marked(box: Box, phone: Phones) -> None:
    accepted(box.house, Action("start", data={"game": "derailed", "players": ["North", "East", "South"]}))
    screen = phone("/tv", viewport={"width": 1280, "height": 720})
    turn = current(box).state.turn
    expect(screen.locator(".tv-card.awaited h2")).to_have_text(f"{current(box).players[turn].name}: awaited")


def test_the_end_is_counted_up_on_the_tables_screen_and_the_code_is_back(box: Box, phone: Phones) -> None:
    """Where less motion is wanted everything is there at once."""
    accepted(box.house, Action("start", data={"game": "railroad-ink", "players": ["North", "East", "South"]}))
    play_rounds(box.house, 3, think=greedy_action)
    size = {"width": 1920, "height": 1080}
    screen, still = phone("/tv", reduced_motion="no-preference"), phone("/tv", viewport=size)
    watcher = phone("/")
    for page in (screen, still, watcher):
        expect(page.locator(".link.live")).to_be_attached()
    expect(screen.locator(".finale")).to_have_count(0)
    play_rounds(box.house, 4, think=greedy_action)
    expect(still.locator(".podium .later, .finale.counting")).to_have_count(0)
    expect(screen.locator(".finale.counting")).to_have_count(1)
    totals = [str(row["total"]) for row in standings(current(box))]
    expect(still.locator(".podium-total")).to_have_text(totals)
    expect(screen.locator(".finale:not(.counting) .podium-total")).to_have_text(totals)
    expect(screen.locator(".confetti").first).to_be_attached()
    expect(still.locator(".confetti")).to_have_count(0)
    expect(screen.locator(".podium .shown")).to_have_count(1)  # whose board is large
    for one in (".finale-winner", ".finale-board .board", ".finale .chart", ".between .code"):
        expect(still.locator(one)).to_be_visible()
    code = still.locator(".between .qr").bounding_box()
    assert code is not None
    assert code["height"] >= 1080 / 4, "it is scanned from three metres"
    expect(watcher.locator(".between .qr")).to_be_visible()
    expect(watcher.locator(".between .button")).to_have_text("Join with this phone")


@pytest.mark.parametrize("size", [{"width": 360, "height": 640}, {"width": 844, "height": 390}])
def test_for_the_left_hand_everything_is_mirrored(box: Box, phone: Phones, size: dict[str, int]) -> None:
    accepted(box.house, Action("start", data={"game": "railroad-ink", "players": ["", ""]}))
    page = phone("", viewport=size)
    sit(page, box, 1, "North")
    roll(page)
    expect(page.locator(".die:not(.blank)").first).to_be_visible()

    def middle(selector: str) -> float:
        found = box_of(page.locator(selector).first)
        return found["x"] + found["width"] / 2

    board, done = middle(".mine-board"), middle(".bar [data-do=done]")
    page.evaluate("document.getElementById('comfort').open = true")
    page.locator("[data-wish=left]").check()
    assert middle(".bar [data-do=done]") < done
    if size["width"] > size["height"]:
        assert board < size["width"] / 2 < middle(".mine-board")
    page.reload()
    expect(page.locator(".left .bar [data-do=done]")).to_be_visible()
    assert middle(".bar [data-do=done]") < done, "this phone remembers it"
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]


def test_phones_can_keep_the_pages_on_their_home_screens(box: Box, phone: Phones) -> None:
    page = phone("/")
    manifest = page.evaluate("fetch(document.querySelector('[rel=manifest]').href).then(one => one.json())")
    assert (manifest["start_url"], manifest["display"]) == ("/play", "standalone")
    sizes = "told => createImageBitmap(await (await fetch(told)).blob()).then(one => [one.width, one.height])"
    for icon in manifest["icons"][1:]:
        width, height = page.evaluate(f"async {sizes}", icon["src"])
        assert icon["sizes"] == f"{width}x{height}"
    touch = page.locator("[rel=apple-touch-icon]").get_attribute("href")
    assert page.evaluate(f"async {sizes}", touch) == [180, 180]
