"""How many taps a turn takes, by what a good player wants to do: counted in the browser, not by the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import cast

import pytest
from playwright.sync_api import Page, expect

from companion.game.base import Action
from companion.game.bots import best_action
from companion.games.railroad_ink.rules.boards.routes import parse_route, shape_of
from companion.table.chance import SeededChance
from tests.web.browser.served import Box
from tests.web.browser.table import current, play_on, seat_everybody, sit
from tests.web.browser.test_spike import tap_marker
from tests.web.browser.whole_turn import bots_turn, is_whole, tap_turn
from tests.web.houses import accepted

Phones = Callable[..., Page]
# On a map fingers that come down, for one that is drawn anew under a finger gets no click.
COUNTING = """() => {
  window.taps = 0;
  const kinds = [["click", false], ["pointerdown", true]];
  for (const [kind, onMap] of kinds) document.addEventListener(kind, (event) => {
    window.taps += event.isTrusted && Boolean(event.target.closest("#ground-view")) === onMap ? 1 : 0;
  }, true);
}"""


def taps(page: Page) -> int:
    """Since the last time."""
    count = page.evaluate("() => { const count = window.taps; window.taps = 0; return count; }")
    assert isinstance(count, int)
    return count


def tap_cell(page: Page, name: str) -> None:
    page.locator(f'.mine .board g[data-cell="{name}"]').click()


def draw(page: Page, action: Action) -> None:
    """Tap the cell, and the picture of the route unless it is the one that came up; the next tap draws it.

    A special route that is not in hand has one picture; another one turns it.
    """
    cell, route = action.data["cell"], action.data["route"]
    tap_cell(page, cell)
    expect(page.locator(f'g[data-cell="{cell}"] .ghost use')).to_have_count(1)
    choice = f"{action.data['from']}:{shape_on(page, route)}"
    if not _comes_up(page, cell, route, choice):
        wanted = page.locator(f'[data-fit="{choice}:{route}"]')
        if not wanted.count():
            page.locator(f'[data-fit^="{choice}:"]').click()
        wanted.click()
        assert _comes_up(page, cell, route, choice)


def _comes_up(page: Page, cell: str, route: str, choice: str) -> bool:
    shown = page.locator(f'g[data-cell="{cell}"] .ghost use').get_attribute("href")
    pressed = page.locator(f'.choice[aria-pressed=true][data-source="{choice.partition(":")[0]}"]')
    return shown == f"#{_symbol(page, route)}" and pressed.count() > 0


def as_they_lie(box: Box, turn: list[Action]) -> Iterator[Action]:
    """The same routes, those of the first dice first, as far as the rules allow that order."""
    match, left = current(box), list(turn)
    state, dice = match.state, list(match.state.dice)

    def rank(action: Action) -> int:
        shape = shape_of(parse_route(action.data["route"]))
        return dice.index(shape) if action.data["from"] == "die" and shape in dice else len(dice)

    while left:
        facts = {id(one): match.game.decide(state, one, SeededChance(1)) for one in left}
        action = min((one for one in left if isinstance(facts[id(one)], Action)), key=rank)
        state = match.game.apply(state, cast(Action, facts[id(action)]))
        left.remove(action)
        yield action


def shape_on(page: Page, route: str) -> str | None:
    return page.locator(f'symbol[data-mark="{route}"]').get_attribute("data-shape")


def _symbol(page: Page, route: str) -> str | None:
    return page.locator(f'symbol[data-mark="{route}"]').get_attribute("id")


def test_a_round_of_railroad_ink_takes_seven_taps(box: Box, phone: Phones) -> None:
    """What a bot wants to draw, first dice first; a special route and a Factory's take three more each."""
    (page,) = seat_everybody(box, phone, ("East",))
    page.evaluate(COUNTING)
    chance, counted, plain = SeededChance(4), [], []
    for number in range(1, 8):
        accepted(box.house, Action("roll"))
        expect(page.locator("#usual [data-do=done]")).to_be_visible()
        state, turn = current(box).state, []
        game = current(box).game
        while (action := best_action(game, state, 1, chance)) is not None and action.kind == "draw":
            turn.append(action)
            fact = game.decide(state, action, chance)
            assert isinstance(fact, Action)
            state = game.apply(state, fact)
        for action in as_they_lie(box, turn):
            draw(page, action)
        page.click("#usual [data-do=done]")
        if number < 7:
            expect(page.locator("h1")).to_have_text(f"Round {number + 1} of 7")
        else:
            expect(page.locator(".headline")).to_contain_text("Final")
        counted.append(taps(page))
        if all(action.data["from"] == "die" for action in turn):
            plain.append(counted[-1])
    assert max(counted) <= 13, counted
    assert plain, "this match has rounds of four dice"
    assert max(plain) <= 7, plain


def test_a_turn_of_derailed_takes_three_taps(box: Box, phone: Phones) -> None:
    """The card, its place, Lay it; the next card comes by itself, and until then Undo takes it back."""
    accepted(box.house, Action("start", data={"game": "derailed", "players": ["East", "North"]}))
    match = current(box)
    page = phone("")
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


def test_a_turn_of_empire_builder_takes_six_taps(box: Box, phone: Phones) -> None:
    """Run, load, deliver, run, build, end: what is done where the train arrives is done with the run."""
    players = ["East", "North", "South"]
    accepted(box.house, Action("start", data={"game": "empire-builder", "players": players}))
    while not is_whole(steps := list(bots_turn(current(box)))):
        play_on(box, len(steps))
    turn, seat = [action for action, _ in steps], current(box).state.seat
    page = phone("", has_touch=True)
    sit(page, box, seat, players[seat - 1])
    page.evaluate(COUNTING)
    before = current(box).version
    tap_turn(page, turn)
    done = [one.kind for one in current(box).events[before:]]
    assert [kind for kind, _ in groupby(done)] == [kind for kind, _ in groupby(one.kind for one in turn)]
    assert taps(page) <= 6


@pytest.mark.parametrize("kind", ["draw", "motion", "build"])
def test_a_turn_of_spike_takes_two_taps(box: Box, phone: Phones, kind: str) -> None:
    """What to do, and with what; a city to build to is tapped on the map, whatever is looked at."""
    accepted(box.house, Action("start", data={"game": "spike", "players": ["East", "North"]}))
    for _ in range(400):
        play_on(box, 1, seed=current(box).version)
        match = current(box)
        kinds = {action.kind for action in match.game.legal(match.state, match.state.turn or 0)}
        if match.state.phase == "play" and kind in kinds and not kinds & {"load", "deliver"}:
            break
    match = current(box)
    page = phone("")
    sit(page, box, match.state.turn, match.players[match.state.turn].name)
    page.evaluate(COUNTING)
    if kind == "build":
        moves = {action.data["to"] for action in match.game.legal(match.state, 1) if action.kind == "motion"}
        offers = page.locator("[data-panel=build] .option").evaluate_all(
            "all => all.map(one => one.dataset.city)"
        )
        city = next(one for one in offers if one not in moves)
        tap_marker(page, city)
        page.click("#sure-yes")
    else:
        tab = page.locator(f"[data-task={kind}]")
        if tab.count() and tab.get_attribute("aria-pressed") != "true":
            tab.click()
        page.locator(f"[data-panel={kind}] .option:not([disabled])").first.click()
    expect(page.locator("#sure:visible")).to_have_count(0)
    for _ in range(200):
        if any(event.kind == kind for event in current(box).events[match.version :]):
            break
        page.wait_for_timeout(20)
    else:
        raise AssertionError(f"no {kind} happened")
    assert taps(page) <= 2
