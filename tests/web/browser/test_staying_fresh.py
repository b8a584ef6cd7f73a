"""Pages that sleep, wake, come back from a cache, lose the box and find it again."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect

from companion.game.base import Action
from tests.web.browser.phones import THROW, phones
from tests.web.browser.served import Box
from tests.web.browser.table import current, draw_one, roll, seat_everybody, sit
from tests.web.houses import accepted, begin, play_rounds

FACES = ["NS", "ne", "N*", "NS|ew"]
SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver(list => {
    for (const one of list.getEntries())
      window.shifts.push(`${one.value} ${one.sources.map(source => source.node?.outerHTML?.slice(0, 80))}`);
  }).observe({type: "layout-shift"});
}"""


def live(page: Page) -> None:
    """Wait until the stream is open."""
    expect(page.locator("#link.live")).to_have_count(1)


def test_before_the_first_match_a_page_waits_quietly(box: Box, phone: Callable[..., Page]) -> None:
    page = phone("/", expected=(404,))
    page.wait_for_function("() => performance.now() > 1500")  # milliseconds since this very page was opened
    begin(box.house, "North", "South")
    expect(page.locator("h1")).to_have_text("Round 1 of 7")


def test_what_happens_is_on_the_screen_without_a_touch(box: Box, phone: Callable[..., Page]) -> None:
    begin(box.house, "East", "North")
    page = phone()
    live(page)
    accepted(box.house, Action("roll", data={"faces": FACES}))
    expect(page.locator("[data-piece=dice]")).to_contain_text("overpass")
    accepted(box.house, Action("draw", 1, {"cell": "b1", "route": "NS", "from": "die"}))
    expect(page.locator("[data-piece=seat-1] g.drawn")).to_have_count(1)


def test_news_that_come_while_a_finger_is_down_do_not_take_its_tap(
    box: Box, phone: Callable[..., Page]
) -> None:
    """Somebody enters another of this player's dice while they choose which way round the first one lies."""
    (page,) = seat_everybody(box, phone, ("East",))
    live(page)
    accepted(box.house, Action("roll", data={"faces": FACES}))
    page.click('.choice[data-shape="ne"]')
    page.click(".mine .board g.open")
    other = page.locator("[data-fit^='die:ne:'][aria-pressed=false]").first
    wanted = other.get_attribute("data-fit")
    other.hover()
    page.mouse.down()
    with page.expect_response("**/api/v1/pieces*"):
        accepted(box.house, Action("draw", 1, {"cell": "b1", "route": "NS", "from": "die"}))
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    drawn = page.locator(".mine .board g.drawn:not(.ghost)")
    assert drawn.count() == 0
    page.mouse.up()
    expect(page.locator(f"[data-fit='{wanted}']")).to_have_attribute("aria-pressed", "true")
    expect(drawn).to_have_count(1)


def test_live_updates_do_not_shift_the_page(box: Box, phone: Callable[..., Page]) -> None:
    for width in (360, 1280):
        begin(box.house, "East", "North")
        page = phone(viewport={"width": width, "height": 740})
        live(page)
        page.evaluate(SHIFTS)
        play_rounds(box.house, 6, seed=width)
        expect(page.locator("[data-piece=headline]")).to_contain_text("Round 7")
        assert page.evaluate("window.shifts") == []
        play_rounds(box.house, 1, seed=width)  # then who has won takes the room it needs
        expect(page.locator("[data-piece=headline]")).to_contain_text("Final score")


def test_open_explanations_stay_open_and_their_cells_lit(box: Box, phone: Callable[..., Page]) -> None:
    begin(box.house, "East")
    play_rounds(box.house, 2)
    page = phone()
    live(page)
    page.click("summary:has-text('Longest railway')")
    lit = page.locator(".board g.lit")
    expect(lit).not_to_have_count(0)
    play_rounds(box.house, 1)
    expect(page.locator("h1")).to_have_text("Round 4 of 7")
    expect(page.locator("details[open] summary")).to_contain_text("Longest railway")
    expect(lit).not_to_have_count(0)


def test_a_phone_that_slept_catches_up_when_it_wakes(box: Box, phone: Callable[..., Page]) -> None:
    (page,) = seat_everybody(box, phone, ("East",))
    live(page)
    tools = page.context.new_cdp_session(page)
    tools.send("Page.setWebLifecycleState", {"state": "frozen"})
    accepted(box.house, Action("roll", data={"faces": FACES}))
    tools.send("Page.setWebLifecycleState", {"state": "active"})
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator('.choice[data-shape="NS|ew"]')).to_have_count(1)
    draw_one(page)


NOTES = """() => {
  window.kept = true;
  window.addEventListener("pageshow", event => {
    window.shown = {persisted: event.persisted, at: performance.now()};
    document.addEventListener("swapped", () => {
      window.freshAfter ??= performance.now() - window.shown.at;
    });
  });
}"""


def test_a_tab_out_of_the_back_forward_cache_is_up_to_date_within_a_second(
    keeping_browser: Browser, box: Box
) -> None:
    """The very page comes back, scripts and all: it was frozen, and must know by itself what it missed."""
    begin(box.house, "East")
    with phones(keeping_browser, box) as phone:
        page = phone()
        live(page)
        page.evaluate(NOTES)
        page.click("nav >> text=History")
        page.wait_for_url("**/history")
        accepted(box.house, Action("roll", data={"faces": FACES}))
        page.evaluate("history.back()")
        expect(page.locator("[data-piece=dice]")).to_contain_text("overpass")
        assert page.evaluate("[window.kept, window.shown?.persisted]") == [True, True]
        assert page.evaluate("window.freshAfter") < 1000
        live(page)
        accepted(box.house, Action("draw", 1, {"cell": "b1", "route": "NS", "from": "die"}))
        expect(page.locator("[data-piece=seat-1] g.drawn")).to_have_count(1)


def test_a_tab_that_says_it_was_restored_is_fresh(box: Box, phone: Callable[..., Page]) -> None:
    begin(box.house, "East")
    page = phone()
    live(page)
    page.goto("/help")
    accepted(box.house, Action("roll", data={"faces": FACES}))
    page.go_back()
    expect(page.locator("[data-piece=dice]")).to_contain_text("overpass")
    accepted(box.house, Action("draw", 1, {"cell": "b1", "route": "NS", "from": "die"}))
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    expect(page.locator("[data-piece=seat-1] g.drawn")).to_have_count(1)


def test_the_box_restarts_in_the_middle_and_every_seat_goes_on(box: Box, phone: Callable[..., Page]) -> None:
    begin(box.house, "", "")
    page = phone("", expected=(0,))
    sit(page, box, 1, "East")
    roll(page)
    draw_one(page)
    live(page)
    version = current(box).version
    box.stop()
    expect(page.locator("#link.away")).to_have_count(1)
    box.start()
    live(page)
    assert current(box).version == version
    draw_one(page)
    assert current(box).version == version + 1


def test_a_tap_while_the_box_is_away_is_done_once_when_it_is_back(
    box: Box, phone: Callable[..., Page]
) -> None:
    begin(box.house, "")
    page = phone("", expected=(0,))
    sit(page, box, 1, "East")
    box.stop()
    page.evaluate(f"void (window.answer = {THROW}.then(() => 'done'))")
    box.start()
    assert page.evaluate("answer") == "done"
    assert [event.kind for event in current(box).events].count("roll") == 1


def test_without_a_stream_the_page_polls(box: Box, phone: Callable[..., Page]) -> None:
    from web.site import site_of

    site_of(box.app).live.limit = 0
    begin(box.house, "East")
    page = phone(expected=(503,))
    expect(page.locator("#link.polling")).to_have_count(1)
    accepted(box.house, Action("roll", data={"faces": FACES}))
    expect(page.locator("[data-piece=dice]")).to_contain_text("overpass")


def test_reading_needs_no_javascript(box: Box, browser: Browser) -> None:
    begin(box.house, "East", "North")
    play_rounds(box.house, 2)
    context = browser.new_context(java_script_enabled=False, base_url=box.link)
    page = context.new_page()
    page.goto("/")
    assert page.locator("svg.board").count() == 2
    page.click("summary:has-text('Longest highway') >> nth=0")
    expect(page.locator("details[open] li").first).to_be_visible()
    context.close()


def test_a_new_match_takes_the_place_of_the_old_one(box: Box, phone: Callable[..., Page]) -> None:
    begin(box.house, "East")
    page = phone()
    live(page)
    begin(box.house, "North", "South")
    expect(page.locator(".seat h2")).to_have_text(["North", "South"])


def test_who_reads_how_it_went_is_told_of_the_rematch_and_is_there_with_one_tap(
    box: Box, phone: Callable[..., Page]
) -> None:
    reader, other = seat_everybody(box, phone, ("East", "North"))
    play_rounds(box.house, 7)
    match = current(box).id
    reader.goto(f"/match/{match}")
    live(reader)
    reader.locator("#timeline summary").click()
    other.click("text=Rematch, same people")
    notice = reader.locator("[data-piece=begun] .button")
    expect(notice).to_have_text("To my place")
    assert reader.url.endswith(match), "nobody is taken away from what they read"
    expect(reader.locator("#timeline[open]")).to_have_count(1)
    notice.click()
    expect(reader.locator("h1")).to_have_text("Round 1 of 7")
    expect(reader.locator("[data-piece=explained] h2")).to_contain_text("East")
