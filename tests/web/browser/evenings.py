"""A whole evening of each game in a browser: ``python -m tests.web.browser.evenings`` (``make evenings``).

Two phones (one English, one German), the table's screen, one player without a phone; a late guest, somebody
who leaves and comes back, a mistyped roll or another mistake, a lost phone, a photograph; the end, a rematch
and every file. A turn of each kind is tapped, and the taps are counted in the browser; the rest of people's
moves are sent with their phones' cookies. What happens is celebrated on the screen, and in the end the table
is photographed for the album. Cards, dice and moves are the same every time. Where a camera over the table
sees who is done, a match on film follows, which nobody touches.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any, TypeAlias
from xml.etree.ElementTree import fromstring

from playwright.sync_api import Page, expect, sync_playwright

from companion.game.base import Action, Chance, Game
from companion.game.bots import best_action, greedy_action
from companion.game.registry import GAMES, find_studio
from companion.service.devices.dice_policy import DICE_SETTING
from companion.service.stand_ins import StandIns
from companion.table.chance import SeededChance
from companion.table.match import Match
from companion.table.replay import verified
from companion.table.standings import standings
from tests.web.browser.filmed_evening import COUNTING, FILMED, play_on_film
from tests.web.browser.phones import become_host, close, launched, needed_chromium, phones
from tests.web.browser.photographing import (
    drawn_on_paper,
    marks,
    photograph_build,
    photograph_turn,
    send_photo,
)
from tests.web.browser.served import Box, served_box
from tests.web.browser.table import current
from tests.web.browser.tapped import mistake_taken_back, tapped_turns
from tests.web.houses import accepted
from web.site import site_of

Open: TypeAlias = Callable[..., Page]
Think: TypeAlias = Callable[[Game[Any], Any, int, Chance], Action | None]
SCREEN = {"width": 1280, "height": 720}
# Of the table's screen: how often it was all about one thing.
_MOMENTS = """document.addEventListener("moment", () => {
  sessionStorage.moments = Number(sessionStorage.moments ?? 0) + 1;
});"""
_MOST_STEPS = 6000  # of a match: more is a match without an end
_PATIENCE = 120_000  # milliseconds; only a busy machine ever needs them
_TELLS = 50  # events from one line of progress to the next
_COUNTED = 120_000  # milliseconds until the screen has counted everybody up, on a busy machine


@dataclass
class Evening:
    """One evening: who is there, and how many taps each thing took."""

    box: Box
    phone: Open
    game: str
    think: Think = best_action
    chance: SeededChance = field(default_factory=lambda: SeededChance(9))
    taps: dict[str, int] = field(default_factory=dict)
    phones: dict[str, Page] = field(default_factory=dict)  # by the name of who holds it
    playing: str = ""  # whom North's phone, which has two seats, plays now
    began: float = field(default_factory=time.perf_counter)
    told: int = 0  # the event of which the last line of progress was
    lean: bool = False  # without photographs
    sent: bool = True  # people's moves by their phones' cookies; else straight to the table
    keys: Iterator[int] = field(default_factory=lambda: iter(range(10**6)))

    def __post_init__(self) -> None:
        self.bots = StandIns(self.box.house.table, threading.Event(), pause=0, look=0)

    @property
    def match(self) -> Match:
        """The one being played."""
        return current(self.box)

    def seat(self, name: str) -> int:
        """Where somebody sits."""
        return next(seat for seat, one in self.match.players.items() if one.name == name)

    def tell(self, words: str) -> None:
        """How far the evening is."""
        self.told = self.match.version
        print(f"{time.perf_counter() - self.began:5.0f} s  {self.game}: {words}", flush=True)

    # --- taps ---

    def counted(self, what: str, page: Page, most: int) -> None:
        """What was tapped on this phone since the last time; more than ``most`` fails."""
        taps = int(page.evaluate("Number(sessionStorage.taps ?? 0)"))
        page.evaluate("sessionStorage.taps = 0")
        self.taps[what] = taps
        assert taps <= most, f"{what}: {taps} taps, not {most}"

    # --- the beginning ---

    def joined(self, name: str, language: str = "en", **wishes: object) -> Page:
        """Scan the code, say a name, one tap; then choose the language on the page."""
        page = self.phone("/help", expected=(403, 404, 409), **wishes)
        page.add_init_script(COUNTING)
        page.goto(f"/j/{site_of(self.box.app).room.code}")
        page.fill("input[name=name]", name)
        page.locator("form[data-post] button:visible").last.click()
        page.wait_for_url("**/play")
        self.counted("join", page, 1)
        if language != "en":
            page.click(f".languages a[lang={language}]")
            expect(page.locator("html")).to_have_attribute("lang", language)
        self.phones[name] = page
        return page

    def begun(self) -> Page:
        """Everybody comes; the host says yes to the screen, and begins with Grandpa, who has no phone."""
        screen = self.phone("/help", viewport=SCREEN)
        screen.add_init_script(_MOMENTS)
        screen.goto("/tv")
        self.joined("North", has_touch=True)
        self.joined("East", "de")
        self.host = host = self.phone("", expected=(403, 409))
        become_host(host, self.box.pin)
        host.goto("/host")
        host.click(".knock [data-yes]")
        expect(screen.locator("#this-screen")).to_have_count(0)
        host.check(f'[name=game][value="{self.game}"]')
        host.click("[data-do=add-line]")
        host.fill("[data-line='1']", "Grandpa")
        host.click("button.begin")
        for name, page in self.phones.items():
            expect(page.locator("[data-piece=explained] h2")).to_contain_text(name)
        expect(self.phones["East"].locator("html")).to_have_attribute("lang", "de")
        assert sorted(one.name for one in self.match.players.values()) == ["East", "Grandpa", "North"]
        north = self.phones["North"]
        north.click("#seat-things summary")
        north.click(f'[data-look-after="{self.seat("Grandpa")}"]')
        expect(north.locator(".switch button")).to_have_count(2)
        self.north_plays("North")
        north.reload()
        return screen

    def late_guest(self) -> None:
        """Somebody comes late: a seat where the rules allow one more, else a place in the next match."""
        late = self.joined_late("Late")
        if any(one.name == "Late" for one in self.match.players.values()):
            expect(late.locator("[data-piece=explained] h2")).to_contain_text("Late")
            self.phones["Late"] = late
        else:
            expect(late.locator(".mine-room")).to_contain_text("the next match has a place for you")

    def joined_late(self, name: str) -> Page:
        """The same with a match under way."""
        late = self.phone(f"/j/{site_of(self.box.app).room.code}", expected=(409,))
        late.fill("input[name=name]", name)
        late.locator("form[data-post] button:visible").last.click()
        late.wait_for_url("**/play")
        return late

    # --- what goes wrong ---

    def mistyped_roll(self) -> None:
        """Four taps enter the dice; two were wrong, and are tapped with what they are; then East draws."""
        north, east = self.phones["North"], self.phones["East"]
        self.counted("nothing", north, 99)
        self._faces(north.locator(".entering"), ("NS", "NS", "N*", "NS|ew"))
        expect(north.locator("[data-do=done]")).to_be_visible()
        self.counted("own dice", north, 4)
        north.click("[data-do=correct-roll]")
        for slot in (0, 1):
            north.locator("dialog .slot").nth(slot).click()
        for face in ("ns", "ne"):
            north.locator(f'dialog .hand-group [data-face="{face}"]').first.click()
        expect(east.locator('.choice[data-shape="ns"]').first).to_be_visible()
        assert self.match.state.dice == ("ns", "ne", "N*", "NS|ew")
        self.counted("dice corrected", north, 5)
        seat = self.seat("East")
        found = self.match.game.legal(self.match.state, seat)
        self.send(east, "East", next(one for one in found if one.data.get("route") == "N*"))

    @staticmethod
    def _faces(panel: Any, faces: tuple[str, ...]) -> None:
        for group, face in zip((0, 0, 1, 2), faces, strict=True):
            panel.locator(".hand-group").nth(group).locator(f'[data-face="{face}"]').click()

    def lost_phone(self) -> None:
        """East's phone is gone: another one says so, and one tap of North's lets it in."""
        close(self.phones.pop("East").context)
        north = self.phones["North"]
        self.counted("nothing", north, 99)
        found = self.phone(f"/j/{site_of(self.box.app).room.code}", expected=(403, 404, 409))
        found.add_init_script(COUNTING)
        found.click("#lost summary")
        found.click(f'[data-again="{self.seat("East")}"]')
        north.click(".knock [data-yes]")
        found.wait_for_url("**/play")
        expect(found.locator("[data-piece=explained] h2")).to_contain_text("East")
        self.counted("lost phone", north, 1)
        found.click(".languages a[lang=de]")
        expect(found.locator("html")).to_have_attribute("lang", "de")
        self.phones["East"] = found

    def leaver(self) -> None:
        """East gets up and a bot goes on; nobody waits; then East sits down again."""
        east = self.phones.pop("East")
        east.click("#seat-things summary")
        east.click("[data-get-up=bot]")
        expect(east.locator(".offers button").first).to_be_visible()
        assert self.match.holder(self.seat("East")).by == "bot"
        self.play(12)
        if self.match.finished:
            return
        east.reload()
        east.locator(".offers button", has_text="East").click()
        expect(east.locator("[data-piece=explained] h2")).to_contain_text("East")
        assert self.match.holder(self.seat("East")).by == "person"
        self.phones["East"] = east

    def photographed(self) -> str:
        """North draws on paper, or lays track, and sends a picture; what is not read is entered by hand."""
        if self.game == "derailed":
            return "later: where the box deals the cards it knows where they lie, and offers no camera"
        return self._photographed_board() if self.game == "railroad-ink" else self._photographed_map()

    def _photographed_board(self) -> str:
        """Two taps: Photograph, and that it is right and the round done."""
        seat = self.seat("North")
        self.fresh_roll()
        turn = drawn_on_paper(self.match, seat)
        assert turn.moves
        north = self.phones["North"]
        self.north_plays("North")
        expect(north.locator("[data-do=done]")).to_be_visible()
        self.counted("nothing", north, 99)
        way, since = photograph_turn(north, turn, number=77, right="All right, I am done"), self.match.version
        if way == "entered":
            assert self.happened("done", since - 1)
            self.counted("a photographed round", north, 2)
        return way

    def _photographed_map(self) -> str:
        """The next track that a good player would build: the camera, Take a picture, Enter it."""
        north = self.until_north(lambda match: self._thought(match, "build") is not None)
        match = self.match
        wish = self._thought(match, "build")
        assert wish is not None
        fact = match.game.decide(match.state, wish, self.chance)
        assert isinstance(fact, Action)
        names = {number: one.name for number, one in match.players.items()}
        after = match.game.apply(match.state, fact)
        way = photograph_build(north, self.game, after, 77, names)
        north.click("text=Enter it")
        assert self.happened("build", match.version)
        assert marks(self.match.state) == marks(after), "what was entered is what lies there"
        self.counted("a photographed build", north, 3 if way == "entered" else 20)
        return way

    def _thought(self, match: Match, kind: str) -> Action | None:
        """What North wants to do now, if it is of this kind."""
        seat = self.seat("North")
        if all(one.kind != kind for one in match.game.legal(match.state, seat)):
            return None
        wish = self.think(match.game, match.state, seat, SeededChance(match.version))
        return wish if wish is not None and wish.kind == kind else None

    def photographed_card(self) -> str:
        """After the evening two go on with cards of paper: North's first is photographed, in two taps."""
        north, east = self.phones["North"], self.phones["East"]
        assert self.host.request.post("/api/v1/matches/current/actions", data={"kind": "end"}).ok
        for page in (north, east):
            page.goto("/help")  # a page of the match loads itself anew when another match begins
        guests = [one.number for one in site_of(self.box.app).room.guests if one.player.name in self.phones]
        told = {"game": self.game, "guests": guests, "options": {"deal": "table"}}
        assert self.host.request.post("/api/v1/matches", data=told).ok
        for name, page in (("North", north), ("East", east)):
            page.goto("/join")
            page.wait_for_url("**/play")
            expect(page.locator("[data-piece=explained] h2")).to_contain_text(name)
        match, seat = self.match, self.seat("North")
        while self.match.state.turn != seat:
            turn = self.match.state.turn
            name = self.match.players[turn].name
            self.send(self.phones[name], name, self._card(turn))
        match, card = self.match, self._card(seat)
        fact = match.game.decide(match.state, card, self.chance)
        assert isinstance(fact, Action)
        after = match.game.apply(match.state, fact)
        expect(north.locator("[data-do=photo]")).to_be_visible()
        self.counted("nothing", north, 99)
        picture = find_studio(self.game).picture(after, 77)
        send_photo(north, {"name": "lanes.jpg", "mimeType": "image/jpeg", "buffer": picture})
        north.click("dialog[open] >> text=Looks right")
        assert self.happened("place", match.version)
        assert self.match.state == after, "what was entered is what lies there"
        self.counted("a photographed card", north, 2)
        return "entered"

    def _card(self, seat: int) -> Action:
        """The first that may be laid."""
        legal = self.match.game.legal(self.match.state, seat)
        return next(one for one in legal if one.kind == "place")

    def fresh_roll(self) -> None:
        """On to where dice have just been rolled and North can draw something."""
        seat = self.seat("North")
        for _ in range(_MOST_STEPS):
            state = self.match.state
            waits = state.dice and self.match.events[-1].kind == "roll"
            if waits and drawn_on_paper(self.match, seat).moves:
                return
            assert not self.match.finished
            self.play(1)

    # --- North's turn ---

    def until_north(self, wanted: Callable[[Match], bool]) -> Page:
        """On to North's turn, as soon as it is such a one; the phone, with nothing counted yet."""
        north = self.phones["North"]
        for _ in range(_MOST_STEPS):
            if wanted(self.match):
                break
            assert not self.match.finished
            self.play(1)
        self.north_plays("North")
        north.reload()
        self.counted("nothing", north, 99)
        return north

    def happened(self, kind: str, since: int, patience: float = 30) -> bool:
        """Wait until there is such an event; is there one after so many seconds?"""
        for _ in range(int(patience * 50)):
            if any(event.kind == kind for event in self.match.events[since:]):
                return True
            self.phones["North"].wait_for_timeout(20)
        return False

    # --- playing ---

    def play(self, steps: int) -> None:
        """So many things happen, or the match ends: people's by their phones, bots' by the box."""
        for _ in range(steps):
            if self.match.finished:
                return
            if not self.bots.play_one():
                self._one_step()
            if self.match.version >= self.told + _TELLS:
                self.tell(f"event {self.match.version}")

    def _one_step(self) -> None:
        match = self.match
        due = match.game.dice(match.state)
        if due:
            faces = [
                match.game.die_faces[die][self.chance.below(len(match.game.die_faces[die]))] for die in due
            ]
            self.send(self.phones["North"], "North", Action("roll", None, {"faces": faces}))
            return
        for seat, player in match.players.items():
            if match.holder(seat).by != "person":
                continue
            action = self.think(match.game, match.state, seat, self.chance)
            if action is not None and action.kind != "roll":
                self.send(self.phones.get(player.name, self.phones["North"]), player.name, action)
                return
        raise AssertionError(f"nobody can do anything: {match.game.name}, event {match.version}")

    def send(self, page: Page, name: str, action: Action) -> None:
        """As the phone's own page does it: with its cookies and a key."""
        if self.sent and page is self.phones["North"]:
            self.north_plays(name)
        if not self.sent:
            accepted(self.box.house, Action(action.kind, self.seat(name), action.data))
            return
        told = {"kind": action.kind, "data": action.data}
        answer = page.request.post(
            f"/api/v1/matches/{self.match.id}/actions",
            data=told,
            headers={"Idempotency-Key": f"evening-{next(self.keys)}"},
        )
        assert answer.ok, (name, told, answer.text())

    def north_plays(self, name: str) -> None:
        """North's phone has two seats, and plays this one from now on."""
        if self.playing != name:
            asked = self.phones["North"].request.post("/api/v1/seats/turn", data={"seat": self.seat(name)})
            assert asked.ok
            self.playing = name

    # --- the end ---

    def remembered(self, screen: Page) -> None:
        """North photographs the table: it stands in the report and beside the finale. The album has North."""
        match, north = self.match, self.phones["North"]
        picture = find_studio(self.game).picture(match.state, 5)
        north.goto(f"/match/{match.id}")
        north.set_input_files(
            "[data-memory]", {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": picture}
        )
        expect(north.locator(".of-table img")).to_be_visible()
        expect(screen.locator(".finale-photo")).to_be_visible()
        north.goto("/history/person?name=North")
        expect(north.locator(".challenges li").first).to_be_visible()

    def ended(self, screen: Page) -> None:
        """The screen counts up; the report, every file and the rematch are there."""
        match, north = self.match, self.phones["North"]
        rows = [row for row in standings(match) if row["place"] is not None]
        expect(screen.locator(".finale:not(.counting) .podium-total")).to_have_text(
            [str(row["total"]) for row in rows], timeout=_COUNTED
        )
        expect(screen.locator(".between .code")).to_be_visible()
        assert int(screen.evaluate("Number(sessionStorage.moments ?? 0)")), "nothing was celebrated"
        if not self.lean:
            self.remembered(screen)
        assert verified(match.events, GAMES).fault is None
        north.goto(f"/match/{match.id}")
        expect(north.locator(".chart").first).to_be_visible()
        files = {
            form: north.request.get(f"/api/v1/matches/{match.id}/export?form={form}").text()
            for form in ("csv", "rows", "json", "bgg", "journal")
        }
        assert len(list(csv.DictReader(StringIO(files["csv"])))) == len(standings(match))
        assert len(list(fromstring(files["bgg"]).iter("player"))) == len(rows)
        assert files["journal"].count("\n") == match.version
        link = north.locator('a[href^="https://app.bgstatsapp.com"]').get_attribute("href")
        assert link is not None
        assert "durationMin" in link
        self.north_plays("North")
        self.counted("nothing", north, 99)
        north.click("[data-do=rematch]")
        north.wait_for_url("**/play")
        self.counted("rematch", north, 1)
        assert self.match.id != match.id
        expect(self.phones["East"].locator("[data-piece=explained] h2")).to_contain_text("East")
        expect(self.phones["East"].locator("html")).to_have_attribute("lang", "de")
        expect(screen.locator(".finale")).to_have_count(0)


def play_an_evening(
    box: Box, phone: Open, game: str, think: Think = best_action, *, lean: bool = False
) -> Evening:
    """From an empty room to the rematch; what it took in taps is in the answer. ``lean``: no photograph,
    and once everything has been seen the rest is played at the table.
    """
    box.house.store.put_setting(DICE_SETTING, "hand")
    evening = Evening(box, phone, game, think, lean=lean)
    screen = evening.begun()
    evening.late_guest()
    if game == "railroad-ink":
        evening.mistyped_roll()
    evening.play(20)
    evening.lost_phone()
    evening.tell("everybody is here, one phone was lost and found")
    mistake_taken_back(evening)
    if not lean:
        evening.tell(f"photograph: {evening.photographed()}")
    evening.leaver()
    evening.tell("somebody left and came back")
    tapped_turns(evening)
    evening.tell("a turn of each kind was tapped")
    evening.sent = not lean
    evening.play(_MOST_STEPS)
    assert evening.match.finished, f"{game} does not end"
    evening.ended(screen)
    if game == "derailed" and not lean:
        evening.tell(f"photograph: {evening.photographed_card()}")
    evening.taps.pop("nothing", None)
    return evening


def main() -> None:
    """The games that were named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.web.browser.evenings", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", default=list(GAMES), help="which games")
    parser.add_argument("--quick", action="store_true", help="people play without thinking much")
    options = parser.parse_args()
    path = needed_chromium()
    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as playwright:
        browser = launched(playwright, path)
        for game in options.games:
            began = time.perf_counter()
            with (
                tempfile.TemporaryDirectory() as folder,
                served_box(Path(folder)) as box,
                phones(browser, box, _PATIENCE) as phone,
            ):
                think = greedy_action if options.quick else best_action
                evening = play_an_evening(box, phone, game, think)
                events = len(box.store.events(box.house.history.matches()[0].id))
            taps = ", ".join(f"{what} {count}" for what, count in evening.taps.items())
            print(
                f"{game}: ended; {events} events, {time.perf_counter() - began:.0f} s; taps: {taps}",
                flush=True,
            )
            if game in FILMED:
                with (
                    tempfile.TemporaryDirectory() as folder,
                    served_box(Path(folder)) as box,
                    phones(browser, box, _PATIENCE) as phone,
                ):
                    print(f"{game}: {play_on_film(box, phone)}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
