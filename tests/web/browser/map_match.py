"""A whole match on a map in which all track comes from photographs, and the service is killed on the way.

``python -m tests.web.browser.map_match GAME`` plays it to its end (``make map-matches`` both games).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from playwright.sync_api import Page, expect

from companion.game.base import Action, Refusal
from companion.game.bots import best_action
from companion.game.registry import GAMES
from companion.table.chance import SeededChance
from companion.table.match import Match
from companion.table.replay import replayed, verified
from companion.table.store import Store
from lab.box.boxes import BoxProcess, served
from lab.box.phones import Client
from lab.box.players import the_host
from tests.web.browser.phones import module, print_ways, table_with_phones
from tests.web.browser.photographing import marks, photograph_build

NAMES = ("East", "North")
_STORED_WITHIN = 20.0  # seconds
_ACT = f"wish => {module('kit.js')}.then(kit => kit.act(wish))"


@dataclass
class MapMatch:
    """The match, seen from outside: its pages, and what its service has stored."""

    box: BoxProcess
    game: str
    pages: Sequence[Page]
    chance: SeededChance
    ways: list[str] = field(default_factory=list)  # what became of each photograph
    kills: int = 0

    @property
    def match(self) -> Match:
        """As it is stored."""
        with Store(self.box.folder, read_only=True) as store:
            newest = store.matches()[-1]
            return replayed(store.events(newest.id), GAMES)

    def play(self, builds: int | None, killed_at: Collection[int]) -> None:
        """Until it is over, or so many builds were photographed; the service is killed at some of them."""
        while not (match := self.match).finished and (builds is None or len(self.ways) < builds):
            found = (best_action(match.game, match.state, seat, self.chance) for seat in match.players)
            step = next(action for action in found if action is not None)
            if step.kind == "build":
                self.photographed(match, step, kill=len(self.ways) in killed_at)
            else:
                self.pages[(step.seat or 1) - 1].evaluate(_ACT, {"kind": step.kind, "data": step.data})
                self.stored(match)

    def photographed(self, match: Match, step: Action, *, kill: bool) -> None:
        """Lay the track on the table, photograph it, answer what is asked, accept what is proposed."""
        fact = match.game.decide(match.state, step, self.chance)
        assert not isinstance(fact, Refusal), fact
        after = match.game.apply(match.state, fact)
        page = self.pages[(step.seat or 1) - 1]
        names = dict(enumerate(NAMES, start=1))
        way = photograph_build(page, self.game, after, 10 * len(self.ways), names)
        if kill:
            self.box.kill()
            self.box.start()
            self.kills += 1
        page.click("text=Enter it")
        self.stored(match)
        expect(page.locator("dialog")).to_have_count(0)
        entered, laid = (set(marks(state).items()) for state in (self.match.state, after))
        assert entered == laid, "what was entered is what lies there"
        self.ways.append(way)

    def stored(self, before: Match) -> None:
        """Wait until the service has stored something more."""
        until = time.monotonic() + _STORED_WITHIN
        while self.match.version == before.version:
            assert time.monotonic() < until, f"nothing was stored after event {before.version}"
            self.pages[0].wait_for_timeout(50)

    def judge(self) -> None:
        """Nothing is lost: the chain of events holds, and every build has its photograph, which is kept."""
        match = self.match
        assert verified(match.events, GAMES).fault is None
        builds = [event for event in match.events if event.kind == "build"]
        assert len(builds) == len(self.ways)
        photos = self.box.folder / "photos"
        for event in builds:
            assert (photos / f"{event.data['picture']['photo']}.jpg").is_file()


def begun(box: BoxProcess, phone: Callable[..., Page], game: str, seed: int) -> MapMatch:
    """A match with a phone for everybody."""
    with closing(the_host(box.port, box.pin)) as host:
        told = host.post("/api/v1/matches", {"game": game, "players": ["" for _ in NAMES]})
    pages = []
    for seat, name in enumerate(NAMES, start=1):
        page = phone("/", expected=(0, 409, 503))  # the service is away for a while
        page.goto(f"/j/{told['join_code']}")
        page.check(f'input[name="seat"][value="{seat}"]')
        page.fill('input[name="name"]', name)
        page.click('button:has-text("Sit down")')
        page.wait_for_url("**/play")
        expect(page.locator(".photo-tool")).to_be_visible()  # the scripts are there
        pages.append(page)
    return MapMatch(box, game, pages, SeededChance(seed))


def ended(box: BoxProcess) -> None:
    """The host ends the match."""
    with closing(Client(box.port)) as host:
        host.post("/api/v1/host", {"pin": box.pin})
        host.post("/api/v1/matches/current/actions", {"kind": "end"})


def main() -> None:
    """Play, and say what became of the photographs."""
    parser = argparse.ArgumentParser(prog="python -m tests.web.browser.map_match", description=__doc__)
    parser.add_argument("game", choices=("spike", "empire-builder"))
    parser.add_argument("--seed", type=int, default=3, help="other cards and other choices")
    parser.add_argument("--builds", type=int, help="stop after so many")
    options = parser.parse_args()
    began = time.perf_counter()
    with table_with_phones(served) as (box, phone):
        played = begun(box, phone, options.game, options.seed)
        played.play(options.builds, killed_at=range(2, 1000, 6))
        played.judge()
        match = played.match
    print_ways(played.ways)
    end = "over by the rules" if match.finished else "cut short"
    took = time.perf_counter() - began
    print(f"{options.game}: {len(match.events)} events, {len(played.ways)} builds, all of them photographed")
    print(f"{played.kills} times killed with -9, nothing lost; {end}; {took:.0f} s")


if __name__ == "__main__":
    main()
