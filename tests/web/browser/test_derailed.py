"""Derailed! on phones: a whole match by taps alone, paper cards, the scorekeeper, and what nobody may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import msgspec
from playwright.sync_api import Page, expect

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.game.bots import greedy_action
from companion.games.derailed.rules.cards import card_of
from companion.games.derailed.rules.game import Derailed
from companion.games.derailed.rules.state import State
from tests.web.browser.served import Box
from tests.web.browser.table import current, play_on, sit
from tests.web.browser.test_accessible import LOOKS, Looks, opened_wholly, wrong
from tests.web.houses import accepted

GAME = Derailed()
HOLDS = """hand => JSON.stringify(hand) === JSON.stringify(
    [...document.querySelectorAll(".hand-card[data-card]")].map(card => card.dataset.card))"""
TAPPED = 3  # turns of a round
PATIENCE = 15_000  # ms; four browsers at once can be slow
NAMES = ("East", "North", "South", "West", "Wye", "Yard")


def seats_taken(box: Box, phone: Callable[..., Page], seats: int, **more: object) -> list[Page]:
    """A new match with a phone for everybody; a tap on a wrong place is answered 409."""
    data: JsonObject = {"game": "derailed", "players": [""] * seats, **more}
    accepted(box.house, Action("start", data=data))
    pages = []
    for seat, name in enumerate(NAMES[:seats], start=1):
        page = phone("", expected=(409,))
        sit(page, box, seat, name)
        pages.append(page)
    return pages


def state_of(box: Box) -> State:
    found: State = current(box).state
    return found


def click_place(page: Page, cell: str) -> None:
    """Where a finger would: the middle of the place, wherever the page is scrolled to."""
    page.locator(f'.mine .lanes g[data-cell="{cell}"]').click()


def lay(page: Page, box: Box, action: Action) -> None:
    """Choose the card, tap the place, turn the card if need be, look what follows, lay it."""
    cell, face = action.data["cell"], action.data["card"]
    card = page.locator(f'.hand-card[data-card="{card_of(face)}"]').first
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    click_place(page, cell)
    expect(page.locator("#foreseen li").first).to_be_visible()
    both = state_faces(box, action)
    if both.index(face):
        page.click("[data-do=turn]")
    page.click("[data-do=place]")
    expect(page.locator('#laying[data-turn="1"]')).to_have_count(0, timeout=PATIENCE)


def state_faces(box: Box, action: Action) -> list[str]:
    """The ways round in which this card may lie there, as the page turns it through them."""
    faces: list[str] = GAME.view(state_of(box), action.seat)["open"][action.data["cell"]]
    return [face for face in faces if card_of(face) == card_of(action.data["card"])]


def take_turn(page: Page, box: Box, chance: SeededChance) -> None:
    """What the bot would do, by taps."""
    state = state_of(box)
    action = greedy_action(GAME, state, state.turn, chance)
    assert action is not None
    headline, name = page.locator("[data-piece=headline]"), current(box).players[state.turn].name
    expect(headline).to_contain_text(name, timeout=PATIENCE)
    if action.kind == "place":
        lay(page, box, action)
        if state_of(box).phase == "take":
            page.click("[data-do=take]")
        expect(headline).not_to_contain_text(f"{name} takes a card", timeout=PATIENCE)
    else:
        page.click(f"[data-do={action.kind}]")
        expect(headline).not_to_contain_text(f"{name} lays a card", timeout=PATIENCE)


def check_hands(box: Box, pages: Iterable[Page], watchers: Iterable[Page]) -> None:
    """Each phone holds its own cards and knows places for no others; a watcher holds none."""
    state = state_of(box)
    for seat, page in enumerate(pages, start=1):
        page.wait_for_function(HOLDS, arg=list(state.hands[seat]))
        places = page.locator("#laying").get_attribute("data-open") or "{}"
        assert set(msgspec.json.decode(places)) <= set(state.hands[seat])
    for page in watchers:
        assert page.locator(".hand-card").count() == 0
        assert page.locator("[data-open]").count() == 0


def test_two_phones_play_a_whole_match_by_taps(box: Box, phone: Callable[..., Page]) -> None:
    """Each round begins with taps; what shows nothing new after them bots play."""
    pages = seats_taken(box, phone, 2)
    watchers = [phone("/tv", viewport={"width": 1280, "height": 720})]
    chance, tapped = SeededChance(12), Counter[int]()
    while not current(box).finished:
        state = state_of(box)
        if state.phase == "between":
            for page in (*pages, *watchers):
                expect(page.locator("[data-piece=headline]")).to_contain_text("is over")
            check_hands(box, pages, watchers)
            pages[state.round % 2].click("[data-do=round]")
            for page in (*pages, *watchers):
                expect(page.locator("h1")).to_have_text(f"Round {state.round + 1} of 3")
            continue
        tapped[state.round] += 1
        if tapped[state.round] <= TAPPED:
            take_turn(pages[state.turn - 1], box, chance)
        else:
            play_on(box, 1)
    match = current(box)
    best = match.game.score(match.state)[0]
    for page in (*pages, *watchers):
        expect(page.locator("[data-piece=headline]")).to_contain_text(f"with {best['total']} points")
    pages[0].click("text=How it went")
    expect(pages[0].locator(".shared .lanes")).to_be_visible()
    expect(pages[0].locator(".chart")).to_be_visible()
    pages[1].click('button:has-text("Rematch")')
    for page in pages[1:]:
        expect(page.locator("h1")).to_have_text("Round 1 of 3", timeout=PATIENCE)


def test_a_card_is_tried_turned_laid_and_taken_back(box: Box, phone: Callable[..., Page]) -> None:
    east, north = seats_taken(box, phone, 2)
    both = play_until_a_card_fits_both_ways(box)
    before, cell = state_of(box).grid, both.data["cell"]
    expect(east.locator("[data-piece=headline]")).to_contain_text("East lays a card")
    check_hands(box, (east, north), ())
    line = east.locator("#track-A").get_attribute("d")
    east.locator(f'.hand-card[data-card="{card_of(both.data["card"])}"]').first.click()
    expect(east.locator(f'.lanes .open[data-cell="{cell}"] .ways use')).to_have_count(2)
    click_place(east, cell)
    turned = east.locator(".ghost use").get_attribute("transform")
    expect(east.locator(".tracks.ahead #track-A")).not_to_have_attribute("d", line or "")
    east.click("[data-do=turn]")
    assert east.locator(".ghost use").get_attribute("transform") != turned
    east.click("[data-do=drop]")
    expect(east.locator(".ghost")).to_have_count(0)
    expect(east.locator("#track-A")).to_have_attribute("d", line or "")
    assert state_of(box).grid == before, "trying is not laying"
    click_place(east, cell)
    east.click("[data-do=place]")
    expect(north.locator("[data-piece=headline]")).to_contain_text("East takes a card")
    east.click("[data-do=undo]")
    expect(north.locator("[data-piece=headline]")).to_contain_text("East lays a card")
    assert state_of(box).grid == before


def play_until_a_card_fits_both_ways(box: Box) -> Action:
    """Bots play; the first card of seat 1 in its turn that fits somewhere both ways round."""
    chance = SeededChance(3)
    while True:
        state = state_of(box)
        if state.turn == 1 and state.phase == "place" and state.grid:
            both = [one for one in GAME.legal(state, 1) if len(state_faces(box, one)) == 2]
            if both:
                return both[0]
        action = greedy_action(GAME, state, state.turn, chance)
        assert action is not None
        accepted(box.house, action)


def test_a_refusal_stands_beside_its_place(box: Box, phone: Callable[..., Page]) -> None:
    east, north = seats_taken(box, phone, 2)
    east.locator(".hand-card").first.click()
    click_place(east, "a3")
    expect(east.locator(".bubble")).to_contain_text("does not lead back to Ashfield's station")
    place, bubble = (east.locator(one).bounding_box() for one in ('g[data-cell="a3"]', ".bubble"))
    assert place is not None
    assert bubble is not None
    assert abs(bubble["y"] + bubble["height"] - place["y"]) < 40
    expect(east.locator('g[data-cell="a3"].pointed')).to_have_count(1)
    north.locator(".hand-card").first.click()
    expect(north.locator("#placing")).to_be_hidden()
    expect(north.locator("[data-do=place]")).to_have_count(0)


def test_the_keyboard_is_enough(box: Box, phone: Callable[..., Page]) -> None:
    (east, _) = seats_taken(box, phone, 2)
    action = GAME.legal(state_of(box), 1)[0]
    east.locator(f'.hand-card[data-card="{card_of(action.data["card"])}"]').first.focus()
    east.keyboard.press("Enter")
    east.locator(".lanes g.open").first.focus()
    east.keyboard.press("Enter")
    expect(east.locator(".ghost")).to_have_count(1)
    east.keyboard.press("Escape")
    expect(east.locator(".ghost")).to_have_count(0)
    east.locator(".lanes g.open").first.focus()
    east.keyboard.press(" ")
    east.locator("[data-do=place]").focus()
    east.keyboard.press("Enter")
    east.locator("[data-do=take]").press("Enter")
    expect(east.locator("[data-piece=headline]")).to_contain_text("North lays a card")


def test_whose_track_is_shown_is_remembered(box: Box, phone: Callable[..., Page]) -> None:
    east, north = seats_taken(box, phone, 2)
    accepted(box.house, GAME.legal(state_of(box), 1)[0])
    expect(north.locator(".tracks .of-A path")).to_be_visible()
    north.locator("#show-A").uncheck()
    expect(north.locator(".tracks .of-A path")).to_be_hidden()
    accepted(box.house, Action("take", 1))
    expect(north.locator("[data-piece=headline]")).to_contain_text("North lays a card")
    expect(north.locator("#show-A")).not_to_be_checked()
    north.reload()
    expect(north.locator(".tracks .of-A path")).to_be_hidden()
    expect(east.locator(".tracks .of-A path")).to_be_visible()


def test_paper_cards_are_chosen_from_the_deck(box: Box, phone: Callable[..., Page]) -> None:
    east, north = seats_taken(box, phone, 2, options={"deal": "table"})
    east.click("[data-do=palette]")
    east.locator('dialog [data-palette="LTRB"]').click()
    east.locator(".lanes g.open").first.click()
    east.click("[data-do=place]")
    expect(north.locator("[data-piece=headline]")).to_contain_text("North lays a card")
    assert list(state_of(box).cells.values()) == ["LTRB"]
    north.click("[data-do=pass]")
    expect(east.locator("[data-piece=headline]")).to_contain_text("East lays a card")


def test_a_scorekeeper_enters_what_lies_there(box: Box, phone: Callable[..., Page]) -> None:
    east, _, _ = seats_taken(box, phone, 3, mode="scorekeeper")
    east.click("[data-do=stations]")
    for name, letters in (("starts", "ABC"), ("destinations", "CAB")):
        for lane, letter in enumerate(letters):
            east.locator(f"dialog select[name={name}]").nth(lane).select_option(letter)
    east.click("text=They lie like this")
    expect(east.locator(".station title").first).to_contain_text("start of Ashfield")
    for cell, card in (("a1", "TR"), ("b1", "LB"), ("b2", "TB")):
        click_place(east, cell)
        east.locator(f'dialog [data-palette="{card_of(card)}"]').click()
        if card != "TB":
            east.locator("dialog .hand-card").nth(1 if card != card_of(card) else 0).click()
        expect(east.locator(f'.lanes g[data-cell="{cell}"] > use')).to_have_count(1)
    assert state_of(box).cells == {"a1": "TR", "b1": "LB", "b2": "TB"}
    for cell in ("b3", "b4"):
        click_place(east, cell)
        east.locator('dialog [data-palette="TB|l"]').click()
        east.locator("dialog .hand-card").first.click()
        expect(east.locator(f'.lanes g[data-cell="{cell}"] > use')).to_have_count(1)
    expect(east.locator("[data-piece=others]")).to_contain_text("2")
    east.locator("[data-do=more]").click()
    expect(east.locator("#turns")).to_have_text("1")
    click_place(east, "b3")
    east.click("text=Empty this place")
    expect(east.locator('.lanes g[data-cell="b3"] > use')).to_have_count(0)


def test_up_to_two_cards_are_changed_between_rounds(box: Box, phone: Callable[..., Page]) -> None:
    east, _ = seats_taken(box, phone, 2, options={"between_discard": True})
    chance = SeededChance(3)
    while state_of(box).phase != "between":
        action = greedy_action(GAME, state_of(box), state_of(box).turn, chance)
        assert action is not None
        accepted(box.house, action)
    before = state_of(box).hands[1]
    expect(east.locator("[data-do=discard]")).to_be_disabled()
    for number in (1, 2, 3):
        east.click(f"#hand-{number}")
    expect(east.locator('.hand-card[aria-pressed="true"]')).to_have_count(2)
    east.click("[data-do=discard]")
    expect(east.locator("[data-do=discard]")).to_have_count(0)
    assert state_of(box).hands[1][:2] == (before[0], before[3])


@LOOKS
def test_everybody_can_read_it(box: Box, phone: Callable[..., Page], looks: Looks) -> None:
    data: JsonObject = {"game": "derailed", "players": [""] * 6}
    accepted(box.house, Action("start", data=data))
    page = phone("", expected=(404,))
    sit(page, box, 1, "East")
    chance = SeededChance(3)
    while len(state_of(box).grid) < 12 or state_of(box).turn != 1 or state_of(box).phase != "place":
        action = greedy_action(GAME, state_of(box), state_of(box).turn, chance)
        assert action is not None
        accepted(box.house, action)
    found = []
    for path in ("/play", "/", "/tv", "/match/current", "/help", "/host"):
        opened_wholly(page, path, looks)
        if path == "/play":
            page.locator(".hand-card").first.click()
        found += wrong(page, looks)
    assert found == [], "\n".join(found)
