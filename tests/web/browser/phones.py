"""Phones: browsers of their own, whose complaints are collected."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    FloatRect,
    Locator,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

# Fewer processes for each phone, none of which has to be kept from the others: a sixth of the time.
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--renderer-process-limit=1", "--in-process-gpu",
    "--enable-features=NetworkServiceInProcess2",
)  # fmt: skip
PHONE = {"width": 360, "height": 740}
Open: TypeAlias = Callable[..., Page]


class Linked(Protocol):
    """Something that is served."""

    @property
    def link(self) -> str: ...


BoxT = TypeVar("BoxT", bound=Linked)


def chromium() -> str | None:
    """The system's own browser, without its windows where that is to be had: it takes a third less."""
    return shutil.which("chromium-headless-shell") or whole_chromium()


def whole_chromium() -> str | None:
    """The browser as people have it, with its windows and its back-forward cache."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def needed_chromium() -> str:
    """The same for a program that can do nothing without."""
    path = chromium()
    if path is None:
        sys.exit("no Chromium on this machine: sudo apt install chromium")
    return path


def launched(playwright: Playwright, path: str, **asked: object) -> Browser:
    """A browser without windows."""
    settings: dict[str, object] = {"executable_path": path, "args": QUIET, **asked}
    return playwright.chromium.launch(**settings)  # type: ignore[arg-type]


def box_of(locator: Locator) -> FloatRect:
    """Where something is seen; a page that swaps a piece at that moment is looked at again."""
    for _ in range(20):
        expect(locator).to_be_visible()
        found = locator.bounding_box()
        if found is not None:
            return found
    raise AssertionError(f"{locator} comes and goes")


def module(name: str) -> str:
    """In a page: a promise of the script of that name, the very one that the page runs."""
    wanted = f'[src^="/static/{name}?"], [href^="/static/{name}?"]'
    return f"(found => import(found.src || found.href))(document.querySelector('{wanted}'))"


def become_host(page: Page, pin: str, **asked: str) -> None:
    """As the form with the PIN does it, whatever page is open."""
    answer = page.request.post("/api/v1/host", data={"pin": pin, **asked})
    assert answer.ok, answer.text()


THROW = f"{module('api.js')}.then(api => api.post(`/api/v1/matches/${{document.body.dataset.playing}}/roll`))"


def close(context: BrowserContext) -> None:
    """Put a phone away: out of the network's reach first.

    While a page is just loading itself anew Chromium never says that its context is closed.
    """
    context.set_offline(True)
    context.close()


@contextmanager
def phones(browser: Browser, box: Linked, patience: int = 30_000, *, still: bool = False) -> Iterator[Open]:
    """Opens phones, which wait so many milliseconds for an answer; without a path they show nothing yet.

    On those that are ``still`` nothing moves by itself unless a test wishes it (``reduced_motion``): sixty
    pictures a second, painted without a graphics card, take a tenth of a test's time.
    A complaint, or a request to another address, is an error in the end.
    """
    opened: list[BrowserContext] = []
    faults: list[str] = []

    def native(dialog: Dialog) -> None:
        faults.append(f"the browser's own dialog, in its language: {dialog.message}")
        dialog.dismiss()

    def gone(context: BrowserContext) -> None:
        opened.remove(context)

    def open_one(path: str = "/", *, expected: tuple[int, ...] = (), **asked: object) -> Page:
        usual = {"viewport": PHONE, "base_url": box.link, "reduced_motion": "reduce" if still else None}
        settings: dict[str, object] = {**usual, **asked}
        context = browser.new_context(**settings)  # type: ignore[arg-type]
        context.set_default_timeout(patience)
        opened.append(context)
        context.on("close", gone)
        page = context.new_page()
        page.on("dialog", native)
        page.on("pageerror", lambda error: faults.append(f"script: {error}"))
        page.on("console", lambda said: faults.extend(_complaint(said, expected)))
        page.on("request", lambda request: faults.extend(_foreign(request.url, box.link)))
        if path:
            page.goto(path)
        return page

    yield open_one
    complaints = list(faults)
    for context in list(opened):
        close(context)
    assert complaints == [], complaints


def _complaint(said: ConsoleMessage, expected: tuple[int, ...]) -> list[str]:
    """The browser reports every refused request as an error; those a test expects are none (0: no answer)."""
    excused = any(f"status of {status}" in said.text for status in expected)
    excused |= 0 in expected and "net::ERR" in said.text
    excused |= "net::ERR_INTERNET_DISCONNECTED" in said.text  # only a phone that a test has put out of reach
    return [f"{said.type}: {said.text}"] if said.type in ("error", "warning") and not excused else []


def _foreign(url: str, link: str) -> list[str]:
    return [] if url.startswith((link, "blob:", "data:")) else [f"asked another address: {url}"]


@contextmanager
def table_with_phones(
    opened: Callable[[Path], AbstractContextManager[BoxT]],
) -> Iterator[tuple[BoxT, Open]]:
    """For a program: a box on a folder of its own, and phones."""
    path = needed_chromium()
    with (
        tempfile.TemporaryDirectory() as folder,
        opened(Path(folder)) as box,
        sync_playwright() as playwright,
        phones(launched(playwright, path), box) as phone,
    ):
        yield box, phone


def print_ways(ways: Iterable[str]) -> None:
    """What became of how many photographs."""
    for way, count in Counter(ways).most_common():
        print(f"{count:3} {way}")
