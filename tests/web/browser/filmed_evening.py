"""A match on film before the table's screen: people draw, and nobody touches anything after the roll."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import Page, expect

from companion.game.base import Action
from lab.film.box import Costs, FilmedBox
from lab.railroad_ink.film import FilmedRailroadInk
from tests.web.browser.served import Box
from web.site import site_of

FILMED = (FilmedRailroadInk.game,)
# On a map fingers that come down, for one that is drawn anew under a finger gets no click.
COUNTING = """for (const [kind, onMap] of [["click", false], ["pointerdown", true]])
addEventListener(kind, (event) => {
  if (!event.isTrusted || Boolean(event.target.closest("#ground-view")) !== onMap) return;
  sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1;
}, true);"""
_NAMES = ["North", "South"]
_LEVEL, _SEED = "calm", 500_000
_ROLLS_AFTER = 6  # seconds: longer than anybody thinks before a special route
_PATIENCE = 40.0  # seconds of the film after the last line of a round, until the next dice lie there


def play_on_film(box: Box, phone: Callable[..., Page]) -> str:
    """Watch a whole match; how long it took, and how many taps."""
    began = time.perf_counter()
    match = FilmedRailroadInk(_LEVEL, _SEED, seats=len(_NAMES))
    filmed = FilmedBox(box.house, changed=site_of(box.app).room.touch)
    box.house.settings.change({"camera": {"rolls_after": _ROLLS_AFTER}})
    filmed.say(Action("start", data={"game": match.game, "players": _NAMES, "options": match.options}))
    match.lay_out(filmed.match.state)
    screen = phone("", viewport={"width": 1280, "height": 720}, expected=(404,))  # nobody answers its knock
    screen.add_init_script(COUNTING)
    screen.goto("/tv")
    filmed.say(Action("roll"))
    while not filmed.match.finished:
        play_a_round(filmed, match, screen)
    best = filmed.match.game.score(filmed.match.state)[0]
    expect(screen.locator("[data-piece=headline]")).to_contain_text(filmed.match.players[best["seat"]].name)
    taps = int(screen.evaluate("Number(sessionStorage.taps ?? 0)"))
    people = {event.actor.role for event in filmed.match.events if event.kind not in ("start", "roll")}
    assert (taps, people) == (0, {"device"}), "a camera has entered everything"
    return f"on film {len(filmed.match.events)} events, {time.perf_counter() - began:.0f} s; taps: {taps}"


def play_a_round(filmed: FilmedBox, match: FilmedRailroadInk, screen: Page) -> None:
    """Everybody draws; the camera sees it, and the box throws the next dice by itself."""
    number = filmed.match.state.round
    match.begin(filmed.match.state)
    film = match.film
    until = max(film.last_line(seat) for seat in filmed.match.players) + _PATIENCE
    while not filmed.match.finished and not (filmed.match.state.round > number and filmed.match.state.lies):
        filmed.look(film.next(), Costs())
        assert film.at < until, [(one.seat, one.state, one.says) for one in filmed.watch.news.seats]
    assert all(match.right(filmed.match.state).values())
    if not filmed.match.finished:
        expect(screen.locator("h1")).to_contain_text(str(number + 1))
