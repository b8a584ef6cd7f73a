"""How smoothly the map of Empire Builder moves: ``python -m tests.web.browser.map_frames``.

Every edge of the map is built on by one of six players, which is more than any match comes to. Then one
finger drags the map about, and two fingers stretch it, on a phone without a graphics card. The browser itself
notes every frame that comes to the screen.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

from playwright.sync_api import Page, ViewportSize, sync_playwright

from companion.game.base import Action
from companion.games.empire_builder.rules.boards.board import board
from tests.web.browser.phones import chromium, launched, module
from tests.web.browser.served import Box, served_box
from tests.web.houses import accepted

SEATS = 6
DRAGS: list[dict[str, int]] = [
    {"xDistance": x, "yDistance": y} for x, y in ((-140, 60), (140, 90), (-100, -110), (100, -60))
]
STEADY: dict[str, Any] = {"speed": 150, "preventFling": True}
Gesture: TypeAlias = tuple[str, dict[str, Any]]
SETTLED = 400  # milliseconds for the map to be drawn anew after a jump
WANTED = 50.0  # frames a second
PHONE: ViewportSize = {"width": 390, "height": 844}
SHOWN = "Display::FrameDisplayed"  # what the browser notes whenever a frame comes to the screen


@dataclass(frozen=True)
class Frames:
    """What was measured while something moved."""

    what: str
    per_second: float
    usual: float  # milliseconds between two frames: half of the pauses are shorter
    worst: float

    def __str__(self) -> str:
        """One line."""
        pauses = f"between two frames usually {self.usual:.1f} ms, at most {self.worst:.0f} ms"
        return f"{self.what}: {self.per_second:.1f} frames a second, {pauses}"


def crowd(box: Box) -> int:
    """A match in which every edge has track on it; how many those are."""
    data = {"game": "empire-builder", "players": [""] * SEATS, "mode": "scorekeeper"}
    accepted(box.house, Action("start", data=data))
    on = board()
    track: dict[str, list[str]] = {str(seat): [] for seat in range(1, SEATS + 1)}
    for number, name in enumerate(on.edge_names):
        if not on.red[number]:
            column = on.names[on.edges[number][0]].rstrip("0123456789")
            track[str(1 + sum(map(ord, column)) % SEATS)].append(name.replace("-", " "))
    accepted(box.house, Action("report", 1, {"track": track}))
    return sum(map(len, track.values()))


def frames(page: Page, what: str, gestures: Iterable[Gesture]) -> Frames:
    """The frames that came to the screen while the browser's own fingers did something."""
    tools, browser = page.context.new_cdp_session(page), page.context.browser
    assert browser is not None
    gaps: list[float] = []
    for kind, wishes in gestures:
        browser.start_tracing(page=page, categories=["viz"])
        tools.send(f"Input.synthesize{kind}Gesture", {"gestureSourceType": "touch", **wishes})
        events = json.loads(browser.stop_tracing())["traceEvents"]
        times = sorted({event["ts"] / 1000 for event in events if event["name"] == SHOWN})
        # The first frame is that of the finger set down, the last of the finger lifted: nothing moves there.
        gaps += [after - before for before, after in pairwise(times[1:-1])]
    return Frames(what, 1000 * len(gaps) / sum(gaps), median(gaps), max(gaps))


def run(page: Page) -> list[Frames]:
    """Drag with half of the map in view, then near, then stretch it with two fingers."""
    box = page.locator("#ground-view").bounding_box()
    assert box is not None
    middle: dict[str, Any] = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    found = []
    for what, pitch in (("dragged, half of the map in view", 13), ("dragged, near", 26)):
        look_at(page, pitch)
        drags = [("Scroll", {**middle, **STEADY, **drag}) for drag in DRAGS]
        found.append(frames(page, what, drags))
    look_at(page, 26)
    pinches = [("Pinch", {**middle, "scaleFactor": factor, "relativeSpeed": 100}) for factor in (0.6, 1.8)]
    return [*found, frames(page, "stretched with two fingers", pinches)]


def look_at(page: Page, pitch: float) -> None:
    """The middle of the map, with so many pixels between two mileposts."""
    page.evaluate(f"pitch => {module('empire-builder/map.js')}.then(map => map.show(['ah41'], pitch))", pitch)
    page.wait_for_timeout(SETTLED)


def main() -> int:
    """Measure and print; 1 when a figure is below what is wanted."""
    path = chromium()
    if path is None:
        sys.stdout.write("not measured, there is no Chromium on this machine: sudo apt install chromium\n")
        return 0
    with (
        tempfile.TemporaryDirectory() as table,
        served_box(Path(table)) as box,
        sync_playwright() as playwright,
    ):
        edges = crowd(box)
        browser = launched(playwright, path)
        context = browser.new_context(
            base_url=box.link, viewport=PHONE, device_scale_factor=2, has_touch=True, is_mobile=True
        )
        page = context.new_page()
        page.goto("/")
        page.wait_for_selector(".ground-view.alive")
        sys.stdout.write(f"{edges:,} edges of {SEATS} players drawn\n")
        found = run(page)
        browser.close()
    for frames in found:
        sys.stdout.write(f"{frames}\n")
    sys.stdout.write(f"median {median(frames.per_second for frames in found):.1f}, wanted {WANTED:g}\n")
    return 1 if any(frames.per_second < WANTED for frames in found) else 0


if __name__ == "__main__":
    raise SystemExit(main())
