"""A walk through every page, with pictures: ``python -m tests.web.browser.walk FOLDER`` (``make walk``).

Every game at its moments (begun with a clock, under way, every goal taken, over, ended early, a rematch), on
phones, a tablet and televisions, in several languages; and the pages around the matches. All pictures go to
one gallery. Each page is looked at for what looks broken: wider than the window, a word broken over lines,
text over text, text or a button that runs out of its place, names left out of a map. What is found is listed
in the gallery and here; any of it ends in exit code 1.
"""

from __future__ import annotations

import argparse
import html
import itertools
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote

import msgspec
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from companion.game.base import Action
from companion.game.bots import best_action
from companion.game.registry import GAMES, find_studio
from companion.languages import LANGUAGES
from companion.table.chance import SeededChance
from companion.table.events import FIRST_HASH, Event, sealed
from companion.table.journal import read_journal
from companion.table.replay import replayed
from companion.table.store import Store
from tests.web.browser.phones import become_host, close, launched, needed_chromium
from tests.web.browser.served import Box, served_box
from tests.web.browser.table import current, sit
from tests.web.houses import accepted, with_eye
from tests.web.test_photos import StandInEye
from web.site import site_of

Size: TypeAlias = tuple[int, int]
PHONES: tuple[Size, ...] = ((390, 844), (320, 568))
TABLETS: tuple[Size, ...] = ((820, 1180),)
SCREENS: tuple[Size, ...] = ((1280, 720), (1920, 1080))
HAND_HELD = (*PHONES, *TABLETS)
SIZES = (*HAND_HELD, *SCREENS)
SPOKEN = ("en", "de", "fr")
# Long names and short ones, as families have them: their words fit on a small phone, all of a name does not.
NAMES = ("Großmutter Annemarie", "Christopher Johannes", "Maximiliane", "Ben", "Dominique Elisabeth", "Opa")
CLOCK = 90  # seconds for a turn, where there is a clock

_GOLDEN = Path(__file__).parents[2] / "golden"
_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").replace("export ", "")
FAULTS = f"() => {{ {_SCRIPT}\n return faults(); }}"
_SETTLED = """async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  await Promise.all(document.getAnimations().map(one => one.finished.catch(() => {})));
}"""
_COUNTED = ".finale:not(.counting)"
_SEATED = "[data-piece=explained] h2"


# --- matches that are brought to a moment ---


@dataclass(frozen=True)
class Moment:
    """A recorded match up to some event, with other names."""

    name: str
    journal: str
    share: float = 1.0  # of its events; 1: it is over
    timer: int = 0

    def events(self, game: str) -> list[Event]:
        """Its events, as if they happened just now."""
        recorded = read_journal(_GOLDEN / game / f"{self.journal}.jsonl")
        kept = recorded[: max(1, round(self.share * len(recorded)))]
        began = datetime.now(UTC) - timedelta(seconds=len(kept))
        made: list[Event] = []
        for number, event in enumerate(kept):
            told = msgspec.structs.replace(
                event,
                match=f"{game}-{self.journal}",
                at=(began + timedelta(seconds=number)).isoformat(timespec="milliseconds"),
                data=self._opening(event) if event.kind == "start" else event.data,
                prev=made[-1].hash if made else FIRST_HASH,
            )
            made.append(sealed(told))
        return made

    def _opening(self, event: Event) -> dict[str, object]:
        players = [
            {**player, "name": name} for player, name in zip(event.data["players"], NAMES, strict=False)
        ]
        return {**event.data, "players": players, **({"timer": self.timer} if self.timer else {})}


MOMENTS: dict[str, tuple[Moment, ...]] = {
    "railroad-ink": (
        Moment("begun, with a clock", "three-leaving", 0.02, CLOCK),
        Moment("under way", "four", 0.62),
        Moment("alone, with a clock", "solo", 0.6, CLOCK),
        Moment("over", "four"),
    ),
    "derailed": (
        Moment("begun, with a clock", "three", 0.01, CLOCK),
        Moment("under way", "four", 0.5),
        Moment("six players", "six", 0.4),
        Moment("over", "three"),
    ),
    "spike": (
        Moment("begun, with a clock", "three", 0.01, CLOCK),
        Moment("under way", "three-delivering", 0.62),
        Moment("four players", "four", 0.4),
        Moment("over", "four"),
    ),
    "empire-builder": (
        Moment("begun, with a clock", "three-corrected", 0.01, CLOCK),
        Moment("under way", "four", 0.55),
        Moment("six players", "six", 0.4),
        Moment("over", "three-corrected"),
    ),
}


@contextmanager
def box_at(moment: Moment, game: str) -> Iterator[tuple[Box, Callable[[], None]]]:
    """A box on which the match has come that far, and what adds the last event of one that is over.

    Before that somebody can still sit down.
    """
    with tempfile.TemporaryDirectory() as folder:
        events = moment.events(game)
        over = replayed(events, GAMES).finished
        with Store(Path(folder)) as store:
            store.adopt(events[:-1] if over else events)
        with served_box(Path(folder)) as box:

            def last_event() -> None:
                before = box.store.last(events[-1].match)
                assert before is not None
                if over:  # somebody has sat down since
                    last = msgspec.structs.replace(events[-1], seq=before.seq + 1, prev=before.hash)
                    box.stop()
                    with Store(Path(folder)) as store:
                        store.append(sealed(last), finished=True)
                    box.start()

            yield box, last_event


def everybody_draws_the_same(box: Box, seats: int) -> None:
    """A match of Railroad Ink in which all reach the same goals and come to the same score."""
    start = {"game": "railroad-ink", "players": list(NAMES[:seats])}
    accepted(box.house, Action("start", data=start))
    chance = SeededChance(4)
    while not (match := current(box)).finished:
        request = best_action(match.game, match.state, 1, chance)
        assert request is not None
        alike = [1] if request.kind == "roll" else list(match.players)
        for seat in alike:
            accepted(box.house, Action(request.kind, seat, request.data))


# --- pictures ---


@dataclass
class Picture:
    """One page at one size in one language, and what looks broken on it."""

    title: str
    size: Size
    language: str
    file: str
    faults: list[str]

    @property
    def where(self) -> str:
        """Which page, how large, in which language."""
        return f"{self.title}, {self.size[0]} x {self.size[1]}, {self.language}"


@dataclass
class Walk:
    """What has been seen so far. Without a folder nothing is photographed, only looked at."""

    browser: Browser
    languages: Sequence[str]
    sizes: Sequence[Size]
    folder: Path | None = None
    tell: Callable[[str], None] = lambda words: print(words, flush=True)
    pictures: list[Picture] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)

    @property
    def faults(self) -> list[str]:
        """All that looks broken, each with where."""
        return [f"{one.where}: {fault}" for one in self.pictures for fault in one.faults]

    def page(self, box: Box) -> Page:
        """A phone; which language it speaks and how large it is changes later."""
        context = self.browser.new_context(
            base_url=box.link, reduced_motion="reduce", viewport=_viewport((390, 844))
        )
        return context.new_page()

    def look(self, page: Page, title: str, path: str, sizes: Sequence[Size], wait: str = "") -> None:
        """One page in every size and language."""
        wanted = [size for size in sizes if size in self.sizes]
        for language, size in itertools.product(self.languages, wanted):
            page.set_viewport_size(_viewport(size))
            page.goto(f"/language/{language}?back={path}")
            if wait:
                expect(page.locator(wait).first).to_be_visible(timeout=60_000)
            self.see(page, title, size, language)

    def see(self, page: Page, title: str, size: Size, language: str, *, settled: bool = True) -> None:
        """The page as it is now, or once nothing moves any more."""
        if settled:
            page.evaluate(_SETTLED)
        found = page.evaluate(FAULTS)
        file = ""
        if self.folder is not None:
            file = f"{len(self.pictures):04}.jpg"
            whole = size not in SCREENS
            page.screenshot(path=self.folder / file, type="jpeg", quality=70, full_page=whole)
        one = Picture(title, size, language, file, found)
        self.pictures.append(one)
        passed = f"{time.perf_counter() - self.began:5.0f} s  {one.where}"
        self.tell("\n         ".join([f"{passed}: {len(found) or 'fine'}", *found]))

    def match(self, box: Box, game: str, moment: str, after: Callable[[], object] = lambda: None) -> None:
        """The pages of the current match: somebody's own, the table's screen, and for who watches.

        ``after`` happens as soon as that somebody sits.
        """
        title, match, page = f"{game}, {moment}", current(box), self.page(box)
        seat = next((seat for seat in match.players if match.game.legal(match.state, seat)), 1)
        sit(page, box, seat, match.players[seat].name)
        page.goto("about:blank")
        after()
        over = current(box).finished
        self.look(page, f"{title}: play", "/play", HAND_HELD, "[data-do=rematch]" if over else _SEATED)
        self.look(page, f"{title}: table's screen", "/tv", SCREENS, _COUNTED if over else "main")
        self.look(page, f"{title}: watch", "/", (*HAND_HELD, SCREENS[0]))
        self.look(page, f"{title}: report", f"/match/{match.id}", HAND_HELD)
        if moment == "ended early":
            page.goto("/play")
            page.click("[data-do=rematch]")
            expect(page.locator("[data-do=rematch]")).to_have_count(0)
            self.look(page, f"{game}, rematch: play", "/play", HAND_HELD, _SEATED)
        close(page.context)


def _viewport(size: Size) -> ViewportSize:
    return {"width": size[0], "height": size[1]}


# --- the walk ---


def matches(walk: Walk, game: str, moments: Sequence[Moment]) -> None:
    """A game at its moments; the second of them is also ended early."""
    for moment in moments:
        with box_at(moment, game) as (box, last_event):
            walk.match(box, game, moment.name, last_event)
    with box_at(moments[1], game) as (box, _):
        walk.match(box, game, "ended early", partial(accepted, box.house, Action("end")))


def shared_goals(walk: Walk, seats: int) -> None:
    """Everybody draws the same: all take every goal, and all share the win."""
    with tempfile.TemporaryDirectory() as folder, served_box(Path(folder)) as box:
        start = {"game": "railroad-ink", "players": list(NAMES[:seats])}
        accepted(box.house, Action("start", data=start))
        walk.match(box, "railroad-ink", f"{seats} share every goal", lambda: draw_the_same(box))


def draw_the_same(box: Box) -> None:
    """To the end of the match, what a bot would do in the first seat."""
    chance = SeededChance(4)
    while not (match := current(box)).finished:
        if match.game.dice(match.state):
            accepted(box.house, Action("roll"))
            continue
        request = best_action(match.game, match.state, 1, chance)
        assert request is not None
        for seat in match.players:
            accepted(box.house, Action(request.kind, seat, request.data))


def around(walk: Walk) -> None:
    """The pages around the matches: the room, who comes back, the host, history, learning, sheets."""
    with tempfile.TemporaryDirectory() as folder, served_box(Path(folder)) as box:
        page = walk.page(box)
        walk.look(page, "an empty room: the table's screen", "/tv", SCREENS)
        walk.look(page, "an empty room: watch", "/", HAND_HELD)
        joining(walk, box, page)
        walk.look(page, "somebody without the code", "/join", HAND_HELD)
        walk.look(page, "the host's PIN", "/host", HAND_HELD)
        become_host(page, box.pin)
        walk.look(page, "the host, no match", "/host", HAND_HELD)
        walk.look(page, "the box", "/host/box", HAND_HELD)
        for path in ("/help", "/learn", *(f"/learn/{game}" for game in GAMES), "/score", "/sheets", "/setup"):
            walk.look(page, path, path, HAND_HELD)
        walk.look(page, "settings", "/host/settings", HAND_HELD)
        close(page.context)
    with box_at(MOMENTS["railroad-ink"][-1], "railroad-ink") as (box, last_event):
        page = walk.page(box)
        become_host(page, box.pin)
        walk.look(page, "the host, a match under way", "/host", HAND_HELD)
        page.goto("about:blank")
        last_event()
        walk.look(page, "history", "/history", HAND_HELD)
        walk.look(page, "dice of a match", "/match/current/dice", HAND_HELD)
        close(page.context)


def joining(walk: Walk, box: Box, page: Page) -> None:
    """A new guest says a name; another evening the phone still knows it, and one tap is enough."""
    code = site_of(box.app).room.code
    walk.look(page, "a new guest", f"/j/{code}", HAND_HELD)
    page.fill("input[name=name]", NAMES[0])
    page.locator("form[data-post] button:visible").last.click()
    page.wait_for_url("**/play")
    walk.look(page, "a guest waits", "/play", HAND_HELD)
    page.context.clear_cookies()
    walk.look(page, "a guest comes back", f"/j/{code}", HAND_HELD, "button.quick")


# --- what is celebrated and remembered, in every language ---

# The latest of what is told to everybody, kept on the screen for as long as somebody looks.
_CELEBRATE = """() => {
  const wait = window.setTimeout;
  window.setTimeout = (work, long, ...more) => (long > 1000 ? 0 : wait(work, long, ...more));
  const { feats, lead } = JSON.parse(document.querySelector("[data-signs]").dataset.signs);
  document.dispatchEvent(new CustomEvent("moment", { detail: lead ?? feats.at(-1) }));
}"""
_HELD = "() => { for (const one of document.getAnimations()) { one.pause(); one.currentTime = 700; } }"


def celebrated(walk: Walk) -> None:
    """A moment, and the finale with its photograph; the whole table; somebody's page in the album."""
    with box_at(MOMENTS["railroad-ink"][1], "railroad-ink") as (box, _):
        page = walk.page(box)
        page.emulate_media(reduced_motion="no-preference")
        for language in LANGUAGES:
            page.set_viewport_size(_viewport(SCREENS[0]))
            page.goto(f"/language/{language}?back=/tv")
            page.evaluate(_CELEBRATE)
            expect(page.locator(".moment-says")).to_have_count(1)
            page.evaluate(_HELD)
            walk.see(page, "a moment: table's screen", SCREENS[0], language, settled=False)
        page.emulate_media(reduced_motion="reduce")
        page.goto("/help")
        become_host(page, box.pin)
        with_eye(box.house, StandInEye(questions={"b1": [["NS", 0.6], [None, 0.4]]}))
        for language in walk.languages:
            page.set_viewport_size(_viewport(PHONES[1]))
            page.goto(f"/language/{language}?back=/host")
            page.set_input_files("#table-photo", {"name": "t.jpg", "mimeType": "image/jpeg", "buffer": b"t"})
            expect(page.locator(".table-board").first).to_be_visible()
            walk.see(page, "the whole table, photographed", PHONES[1], language)
        close(page.context)
    with box_at(MOMENTS["railroad-ink"][-1], "railroad-ink") as (box, last_event):
        page = walk.page(box)
        match = current(box)
        last_event()
        box.house.photos.remember(match, find_studio("railroad-ink").picture(match.state, 5))
        for language in LANGUAGES:
            page.set_viewport_size(_viewport(SCREENS[0]))
            page.goto(f"/language/{language}?back=/tv")
            expect(page.locator(".finale-photo")).to_be_visible()
            walk.see(page, "the finale with a photograph", SCREENS[0], language)
        name = quote(match.players[1].name)
        walk.look(page, "a person over the years", f"/history/person?name={name}", HAND_HELD)
        close(page.context)


# --- the gallery ---


def write_gallery(walk: Walk, folder: Path) -> None:
    """One page with every picture, those with faults first in a list."""
    head = "<!doctype html><meta charset=utf-8><title>The walk</title><style>{}</style>".format(
        "body{font:16px/1.4 sans-serif;margin:1rem;background:#ddd}figure{display:inline-block;margin:.5rem;"
        "vertical-align:top;max-width:30%}img{max-width:100%;max-height:70vh;border:1px solid #888}"
        ".bad img{border:4px solid #b3261e}figcaption{max-width:24rem}li a{color:#b3261e}"
    )
    listed = "".join(
        f'<li><a href="#{one.file}">{html.escape(one.where)}</a>: {"; ".join(map(html.escape, one.faults))}'
        for one in walk.pictures
        if one.faults
    )
    shown = "".join(
        f'<figure id="{one.file}"{" class=bad" if one.faults else ""}><a href="{one.file}">'
        f'<img loading=lazy src="{one.file}" alt=""></a><figcaption>{html.escape(one.where)}'
        f"<ul>{''.join(f'<li>{html.escape(fault)}' for fault in one.faults)}</ul></figcaption></figure>"
        for one in walk.pictures
    )
    count = len(walk.pictures), len(walk.faults)
    (folder / "index.html").write_text(
        f"{head}<h1>{count[0]} pictures, {count[1]} faults</h1><ol>{listed}</ol>{shown}", encoding="utf-8"
    )


def main() -> None:
    """Everything, or what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.web.browser.walk", description=main.__doc__)
    parser.add_argument("folder", type=Path, help="where the gallery goes: index.html")
    parser.add_argument("--game", action="append", choices=list(MOMENTS), help="default: all")
    parser.add_argument("--language", action="append", choices=list(LANGUAGES), help=f"default: {SPOKEN}")
    sizes = {f"{width}x{height}": (width, height) for width, height in SIZES}
    parser.add_argument("--size", action="append", choices=list(sizes), help="default: all")
    options = parser.parse_args()
    path = needed_chromium()
    options.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = launched(playwright, path)
        walk = Walk(
            browser, options.language or SPOKEN, [sizes[one] for one in options.size or sizes], options.folder
        )
        if not options.game:
            around(walk)
            celebrated(walk)
        for game in options.game or MOMENTS:
            matches(walk, game, MOMENTS[game])
        if "railroad-ink" in (options.game or MOMENTS):
            shared_goals(walk, 4)
        browser.close()
    write_gallery(walk, options.folder)
    print(f"{len(walk.pictures)} pictures, {len(walk.faults)} faults: {options.folder / 'index.html'}")
    sys.exit(1 if walk.faults else 0)


if __name__ == "__main__":
    main()
