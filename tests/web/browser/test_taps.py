"""How many taps a turn takes, by what a good player wants to do: counted in the browser, not by the test."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.games.contract import Action
from tests.web.browser.served import Box
from tests.web.browser.table import current, play_on, sit
from tests.web.houses import accepted

Phones = Callable[..., Page]
COUNTING = """() => {
  window.taps = 0;
  document.addEventListener("click", (event) => { window.taps += event.isTrusted ? 1 : 0; }, true);
}"""


def taps(page: Page) -> int:
    """Since the last time."""
    count = page.evaluate("() => { const count = window.taps; window.taps = 0; return count; }")
    assert isinstance(count, int)
    return count


def test_a_turn_of_derailed_takes_three_taps(box: Box, phone: Phones) -> None:
    """The card, its place, Lay it; the next card comes by itself, and until then Undo takes it back."""
    accepted(box.house, Action("start", data={"game": "derailed", "players": ["East", "North"]}))
    match = current(box)
    page = phone("/help")
    sit(page, box, match.state.turn, match.players[match.state.turn].name)
    page.clock.install()
    page.reload()
    page.evaluate(COUNTING)
    page.locator(".hand-card[data-card]").first.click()
    page.locator(".mine .lanes g.open").first.click()
    page.click("[data-do=place]")
    expect(page.locator("[data-do=take]")).to_be_visible()
    assert current(box).state.phase == "take"
    page.clock.fast_forward(5000)
    expect(page.locator("[data-do=take]")).to_have_count(0)
    assert current(box).state.turn != match.state.turn
    assert taps(page) <= 3


@pytest.mark.parametrize(("kind", "most"), [("draw", 2), ("motion", 2), ("build", 3)])
def test_a_turn_of_spike_takes_two_taps(box: Box, phone: Phones, kind: str, most: int) -> None:
    """Two where building is what is offered first; a third tap where its list has to be opened."""
    accepted(box.house, Action("start", data={"game": "spike", "players": ["East", "North"]}))
    for _ in range(400):
        play_on(box, 1, seed=current(box).version)
        match = current(box)
        kinds = {action.kind for action in match.game.legal(match.state, match.state.turn or 0)}
        if match.state.phase == "play" and kind in kinds and not kinds & {"load", "deliver"}:
            break
    match = current(box)
    page = phone("/help")
    sit(page, box, match.state.turn, match.players[match.state.turn].name)
    page.evaluate(COUNTING)
    tab = page.locator(f"[data-task={kind}]")
    if tab.count() and tab.get_attribute("aria-pressed") != "true":
        tab.click()
    page.locator(f"[data-panel={kind}] .option:not([disabled])").first.click()
    if kind == "build":
        page.click("#sure-yes")
    expect(page.locator("#sure:visible")).to_have_count(0)
    for _ in range(200):
        if any(event.kind == kind for event in current(box).events[match.version :]):
            break
        page.wait_for_timeout(20)
    else:
        raise AssertionError(f"no {kind} happened")
    assert taps(page) <= most
