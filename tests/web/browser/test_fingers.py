"""Small and turned phones: every button within reach, nothing moves under a finger, the keyboard stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.game.base import Action
from tests.web.browser.phones import box_of, module
from tests.web.browser.served import Box
from tests.web.browser.table import current, play_on, seat_everybody, sit
from tests.web.houses import accepted, begin
from web.site import site_of

Phones = Callable[..., Page]
GAMES = {
    "railroad-ink": 5,
    "derailed": 6,
    "spike": 30,
    "empire-builder": 30,
}  # and how far the bots have played
SMALL = ((320, 460), (375, 553), (844, 390))
BURIED = """() => [...document.querySelectorAll(".bar button:not([disabled])")]
  .filter(one => one.getClientRects().length)
  .map(one => [one, one.getBoundingClientRect()])
  .filter(([one, box]) => box.bottom > innerHeight || box.right > innerWidth || box.left < 0
    || !one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)))
  .map(([one, box]) => `${one.textContent.trim()} at ${Math.round(box.x)}, ${Math.round(box.y)}`)"""
BOARD = ".mine .board, .ground-view"


def top_of(page: Page, selector: str) -> float:
    return box_of(page.locator(selector).first)["y"]


@pytest.mark.parametrize("game", GAMES)
def test_every_button_is_within_reach_of_a_thumb(box: Box, phone: Phones, game: str) -> None:
    accepted(box.house, Action("start", data={"game": game, "players": ["Maximiliana Bergstro", "East"]}))
    if game == "railroad-ink":
        accepted(box.house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    play_on(box, GAMES[game])
    match = current(box)
    seat = next(seat for seat in match.players if match.game.legal(match.state, seat))
    page = phone("", expected=(409,))
    sit(page, box, seat, match.players[seat].name)
    for width, height in SMALL:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        expect(page.locator(".bar:visible")).to_have_count(1)
        assert page.evaluate(BURIED) == [], (width, height)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        if width > height:
            board, bar = box_of(page.locator(BOARD).first), box_of(page.locator(".bar:visible"))
            assert board["x"] + board["width"] <= bar["x"] + 1, (
                "the board at the left, the controls at the right"
            )
            assert board["y"] >= 0
            assert board["y"] + board["height"] <= height + 1


def test_a_second_tap_draws_and_nothing_moves(box: Box, phone: Phones) -> None:
    (page,) = seat_everybody(box, phone, ("East",))
    page.set_viewport_size({"width": 360, "height": 640})
    before = top_of(page, ".mine .board")
    accepted(box.house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    cell = page.locator('.mine .board g[data-cell="b1"]')
    expect(cell).to_have_attribute("aria-label", "b1: it fits in one way.")
    assert top_of(page, ".mine .board") == before, "the board stays where it is when dice are thrown"
    page.evaluate("scrollTo(0, 40)")
    cell.click()
    cell.click()
    expect(page.locator(".mine .board g.drawn:not(.ghost)")).to_have_count(1)
    expect(page.locator(".ghost")).to_have_count(0)
    assert page.evaluate("scrollY") == 40
    assert page.locator(":focus").evaluate_all(
        "all => all.map(one => getComputedStyle(one).outlineStyle)"
    ) in (
        [],
        ["none"],
    )


def test_the_next_cell_draws_the_last_one(box: Box, phone: Phones) -> None:
    """Four dice and Done in six taps, in spite of a box that has to be told between them."""
    (page,) = seat_everybody(box, phone, ("East",))
    accepted(box.house, Action("roll", data={"faces": ["NS", "NS", "N*", "NS|ew"]}))
    expect(page.locator(".mine .board g.open").first).to_be_visible()
    for name in ("b1", "b2", "f1"):
        page.locator(f'.mine .board g[data-cell="{name}"]').click()
    page.locator('.choice[data-shape="NS|ew"]').click()
    page.locator('.mine .board g[data-cell="b3"]').click()
    page.click("#usual [data-do=done]")
    expect(page.locator("h1")).to_have_text("Round 2 of 7")
    assert {drawing.cell for drawing in current(box).state.boards[1].drawings} == {"b1", "b2", "f1", "b3"}


def test_the_keyboard_moves_on_the_board_and_stays_there(box: Box, phone: Phones) -> None:
    (page,) = seat_everybody(box, phone, ("East",))
    accepted(box.house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    expect(page.locator(".mine .board g.open").first).to_be_visible()
    focused = "document.activeElement.dataset.cell ?? document.activeElement.tagName"
    assert page.locator('.mine .board g[tabindex="0"]').count() == 1, "one stop for the Tab key"
    page.locator('.mine .board g[tabindex="0"]').focus()
    assert page.evaluate(focused) == "b1"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "f1"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.locator("[data-do=place]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".mine .board g.drawn:not(.ghost)")).to_have_count(1)
    assert page.evaluate(focused) == "b1"


def test_a_message_is_tapped_away_and_covers_no_button(box: Box, phone: Phones) -> None:
    (page,) = seat_everybody(box, phone, ("East",))
    page.set_viewport_size({"width": 320, "height": 460})
    accepted(box.house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    page.click('#usual button:has-text("Done")')
    toast = page.locator("#toast")
    expect(toast).to_contain_text("is not drawn yet and fits")
    assert page.evaluate(BURIED) == []
    toast.get_by_label("Close this message").click()
    expect(toast).to_have_count(0)


# Once the bar is low again, which is seen a frame or two later; else where the page stays.
SCROLLED_BACK = """() => new Promise((done) => {
  let frames = 0;
  const look = () => (scrollY === 0 || ++frames > 300 ? done(scrollY) : requestAnimationFrame(look));
  look();
})"""


def clear_of(page: Page, upper: str, lower: str) -> bool:
    """Does one thing end above the other?"""
    above, below = box_of(page.locator(upper).first), box_of(page.locator(lower).first)
    return above["y"] + above["height"] <= below["y"] + 1


LONG_MESSAGE = "die Schiene in g7 würde die Straße von f7 treffen: sie verbinden sich nur in einem Bahnhof"


@pytest.mark.parametrize("game", GAMES)
def test_a_message_lies_on_the_head_of_the_page_alone(box: Box, phone: Phones, game: str) -> None:
    accepted(box.house, Action("start", data={"game": game, "players": ["Ada", "East"]}))
    if game == "railroad-ink":
        accepted(box.house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    play_on(box, GAMES[game])
    match = current(box)
    seat = next(seat for seat in match.players if match.game.legal(match.state, seat))
    page = phone("", expected=(409,), viewport={"width": 320, "height": 568})
    sit(page, box, seat, match.players[seat].name)
    page.goto("/language/de?back=/play")
    page.evaluate(f"{module('kit.js')}.then(kit => kit.say('{LONG_MESSAGE}', true))")
    first = ".dice" if game == "railroad-ink" else BOARD
    assert clear_of(page, "#toast", first), "what is tapped lies below it"


@pytest.mark.parametrize("size", [(320, 568), (390, 844)])
def test_a_route_that_is_about_to_be_drawn_stays_in_sight(
    box: Box, phone: Phones, size: tuple[int, int]
) -> None:
    (page,) = seat_everybody(box, phone, ("East",))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("/language/de?back=/play")
    accepted(box.house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    page.locator('.mine .board g.open[data-cell$="7"]').last.click()
    expect(page.locator("#placing")).to_be_visible()
    assert clear_of(page, ".mine .ghost", ".bar")
    assert page.evaluate(BURIED.replace(".bar button", "#placing button")) == []
    page.click("[data-do=drop]")
    expect(page.locator("#placing")).to_be_hidden()
    assert page.evaluate(SCROLLED_BACK) == 0, "and the page goes back"


@pytest.mark.parametrize("size", [(320, 568), (390, 844)])
def test_lanes_are_seen_while_a_card_is_laid(box: Box, phone: Phones, size: tuple[int, int]) -> None:
    players = ["Großmutter Annemarie", "Christopher Johannes", "Maximiliane", "Ben"]
    accepted(box.house, Action("start", data={"game": "derailed", "players": players}))
    play_on(box, 12)
    match = current(box)
    seat = next(seat for seat in match.players if match.game.legal(match.state, seat))
    page = phone("", expected=(409,), viewport={"width": size[0], "height": size[1]})
    sit(page, box, seat, match.players[seat].name)
    page.goto("/language/de?back=/play")
    assert clear_of(page, ".mine .lanes", ".bar"), "all lanes are seen, destinations too"
    page.locator(".hand-card").first.click()
    page.locator(".lanes .open").last.click()
    expect(page.locator("#foreseen")).to_be_visible()
    assert page.evaluate(BURIED.replace(".bar button", "#placing button")) == []
    assert clear_of(page, ".lanes .ghost", ".bar")
    assert clear_of(page, '.lanes .spot[data-cell="a4"]', ".bar")


def test_a_message_does_not_cover_the_button_of_a_form(box: Box, phone: Phones) -> None:
    page = phone(f"/j/{site_of(box.app).room.code}", viewport={"width": 320, "height": 568})
    join = page.locator("form .button:visible").last
    page.evaluate(f"{module('kit.js')}.then(kit => kit.say('Somebody has this colour already.', true))")
    toast = box_of(page.locator("#toast"))
    join.scroll_into_view_if_needed()
    button = box_of(join)
    assert toast["y"] + toast["height"] < button["y"] or button["y"] + button["height"] < toast["y"]


def test_arrow_keys_move_on_the_boards_of_all(box: Box, phone: Phones) -> None:
    """Lanes and maps."""
    cases = {
        "derailed": (0, ".lanes g[tabindex='0']", "document.activeElement.dataset.cell"),
        "spike": (29, ".marker[tabindex='0']", "document.activeElement.dataset.place"),
    }
    for game, (steps, first, name) in cases.items():
        if box.house.table.current is not None:
            accepted(box.house, Action("end"))
        accepted(box.house, Action("start", data={"game": game, "players": [f"East of {game}", "North"]}))
        play_on(box, steps)
        match = current(box)
        seat = next(seat for seat in match.players if match.game.legal(match.state, seat))
        page = phone("")
        sit(page, box, seat, match.players[seat].name)
        page.locator(first).focus()
        names = {page.evaluate(name)}
        for key in ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"):
            page.keyboard.press(key)
            names.add(page.evaluate(name))
        assert len(names) > 1, game
        assert None not in names, game


def test_a_scorekeepers_cell_is_entered_from_the_keyboard_too(box: Box, phone: Phones) -> None:
    begin(box.house, "", mode="scorekeeper")
    page = phone("")
    sit(page, box, 1, "East")
    page.locator('.mine .board g[data-cell="b1"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog h2")).to_have_text("What is drawn in b1?")
