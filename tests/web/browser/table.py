"""What people do at the table, by the pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, expect

from companion.game.base import Action
from companion.game.bots import best_action, greedy_action
from companion.service.devices.devices import Devices
from companion.service.system.settings import RollerSettings, Settings
from companion.table.chance import SeededChance
from companion.table.match import Match
from firmware_bridge.ports import Port
from firmware_bridge.simulator import VirtualPort, VirtualRoller
from lab.spike.randomplay import random_action
from tests.web.browser.served import Box
from tests.web.houses import accepted, begin
from web.access.joining import join_code

NAMES = ("East", "North", "South", "West")


@contextmanager
def simulated_roller(box: Box, seed: int | None = None) -> Iterator[None]:
    """The roller's own firmware behind a pseudo-terminal, wired to the table as a real one is."""
    with VirtualPort(VirtualRoller(seed=seed)) as port:
        settings = Settings(roller=RollerSettings(virtual=False))
        devices = Devices(
            box.house.table, box.folder, settings, box.house.dice.policy, ports=lambda: [Port(port.name)]
        )
        box.house.attach(devices)
        devices.start()
        try:
            yield
        finally:
            devices.stop()


def current(box: Box) -> Match:
    """The match being played."""
    match = box.house.table.current
    assert match is not None
    return match


def sit(page: Page, box: Box, seat: int, name: str) -> None:
    """Take a seat and open the page of play; with the form, :func:`sit_down`, it is one page more."""
    match = current(box)
    player = match.players[seat]
    mark = {"colour": player.colour, "shape": player.shape}
    told = {"code": join_code(box.house.store, match), "seat": seat, "name": name, **mark}
    answer = page.request.post("/api/v1/seats", data=told)
    assert answer.ok, answer.text()
    page.goto("/play")
    expect(page.locator("[data-piece=explained] h2")).to_contain_text(name)


def sit_down(page: Page, box: Box, seat: int, name: str) -> None:
    """Scan the code, choose the seat, say a name."""
    page.goto(f"/j/{join_code(box.house.store, current(box))}")
    page.check(f'input[name="seat"][value="{seat}"]')
    page.fill('input[name="name"]', name)
    page.click('button:has-text("Sit down")')
    page.wait_for_url("**/play")
    expect(page.locator("[data-piece=explained] h2")).to_contain_text(name)


def seat_everybody(box: Box, phone: Callable[..., Page], names: Sequence[str] = NAMES) -> list[Page]:
    """A new match with a phone for everybody."""
    begin(box.house, *("" for _ in names))
    pages = []
    for seat, name in enumerate(names, start=1):
        page = phone("", expected=(403, 409))  # a seat may move to another phone; another tab may be faster
        sit(page, box, seat, name)
        pages.append(page)
    return pages


def roll(page: Page) -> None:
    """Throw the dice on this phone."""
    page.click('button:has-text("Throw the dice")')


def draw_one(page: Page) -> None:
    """Tap the first lit cell, then Draw it, and wait until it is on the board."""
    before = page.locator(".mine .board g.drawn").count()
    page.locator(".mine .board g.open").first.click()
    page.click('button:has-text("Draw it")')
    expect(page.locator(".mine .board g.drawn:not(.ghost)")).to_have_count(before + 1)


def drawn(match: Match, seat: int) -> int:
    """How many routes are on a seat's board."""
    return len(match.state.boards[seat].drawings)


def play_on(box: Box, steps: int, seed: int = 5) -> None:
    """Bots go on with the current match, at most until it is over."""
    chance = SeededChance(seed)
    for _ in range(steps):
        if current(box).finished:
            return
        accepted(box.house, _bots_action(current(box), chance))


def _bots_action(match: Match, chance: SeededChance) -> Action:
    """In SPIKE that of one that does not only draw cards."""
    if match.game.name == "spike":
        return random_action(match.state, chance)
    think = best_action if match.game.name == "empire-builder" else greedy_action
    found = (think(match.game, match.state, seat, chance) for seat in match.players)
    return next(action for action in found if action is not None)


def next_draw(match: Match, seat: int, state: Any = None) -> Action | None:
    """The first route this seat may draw with a die; None when it can only say that it is done."""
    legal = match.game.legal(state or match.state, seat)
    return next((action for action in legal if action.kind == "draw" and action.data["from"] == "die"), None)
